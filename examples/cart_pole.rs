//! A cart-pole under a sampled controller: the pole is balanced by state feedback at 100 Hz.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Cart-pole: a pole hinged on a cart driven by a horizontal force.
    #[model(derive(Clone, Debug))]
    pub struct CartPole<T> {
        /// cart mass
        param m_c: Real [kg] = 1.0;
        /// pole tip mass
        param m_p: Real [kg] = 0.1;
        /// pole length
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        /// rail friction
        param c_x: Real [N*s/m] = 0.05;
        /// hinge friction
        param c_th: Real [N*m*s] = 0.001;

        /// cart position
        coord x: Real [m];
        /// pole angle, 0 = hanging down
        coord th: Angle;
        /// force on the cart
        input u: Real [N] in -10.0..=10.0;

        let tip = vec2(x + l * sin(th), -l * cos(th));

        kinetic cart = 0.5 * m_c * sq(der(x));
        kinetic pole = 0.5 * m_p * der(tip).dot(der(tip));
        potential gravity_pole = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x)) + 0.5 * c_th * sq(der(th));
        force drive on x = u;

        init x = 0.0;
        init th = 0.1;
        init der(x) = 0.0;
        init der(th) = 0.0;

        output tip_pos: Vec2 [m] = tip;
        show rail = line(vec2(-0.4m, 0.0), vec2(0.6m, 0.0)) with { color: silver };
        show cart = box(frame2(vec2(x, 0.0), 0.0), vec2(0.2m, 0.1m));
        show pole = line(vec2(x, 0.0), tip);
        show mass = disc(tip, 0.03m);
        show push = arrow(vec2(x, 0.0), vec2(0.05m * u / 1.0N, 0.0)) with { color: crimson };
        /// rail end stops, for optimizers: h(x) in [lo, hi]
        limit rail: x in -2.4..=2.4;

        param w_x: Real [1/m^2] = 1.0;
        param w_th: Real = 10.0;
        param w_u: Real [1/N^2] = 0.01;
        cost stage = w_x * sq(x) + w_th * sq(smooth_abs(th - PI, 0.01)) + w_u * sq(u);
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plant = CartPole::<f64>::default();

    // a little off the upright position
    let mut start = State::neutral(&plant);
    start.q = [0.0, std::f64::consts::PI - 0.1].into();

    // zero-order hold: the force is computed every 10 ms and held
    let gains = [-2.0, 45.0, -4.0, 9.0];
    let setup = Simulation::of(&plant, Geodesic).sampled(0.01, |state, u| {
        let (q, v) = (&state.q, &state.v);
        let force =
            gains[0] * q.x() + gains[1] * (q.th() - std::f64::consts::PI) + gains[2] * v.x() + gains[3] * v.th();
        u.set_u((-force).clamp(-10.0, 10.0));
    });
    let mut run = setup.given(start).adaptive(1e-8)?;
    let (mut film, mut table) = (Film::of(&plant), Table::of(&plant));
    run.run(5.0, 1.0 / 25.0, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().width(480.0).write(gallery::file("cart_pole.svg"))?;
    Plot::over_time(&table, &["x", "tip_pos.x"])?.write(gallery::file("cart_pole_position.svg"))?;
    Plot::over_time(&table, &["th"])?.write(gallery::file("cart_pole_angle.svg"))?;
    Plot::over_time(&table, &["u"])?.write(gallery::file("cart_pole_force.svg"))?;

    run.advance_to(10.0)?;
    let state = run.state();
    println!("x = {:.4} m, th = {:.4} rad after {} s", state.q.x(), state.q.th(), state.t);
    assert!((state.q.th() - std::f64::consts::PI).abs() < 1e-3);

    // the exact linearisation that a controller is designed with
    let u = cart_pole::U::default();
    println!("M = {}K = {}", plant.mass(state.at(&u)), plant.stiffness(state.at(&u), state.rates()));
    Ok(())
}
