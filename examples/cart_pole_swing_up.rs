//! A cart-pole that swings itself up with the least effort, within its force and its rail, and is held there: a plan of
//! optimal control, the feedback along it, and LQR at the top.

use std::f64::consts::PI;

use ode_control::{Feedback, InteriorPoint, Linearizer, Lqr, OptimalControl};
use ode_model::prelude::*;
use ode_model::{Dual, StepHessian, StepMap};
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// A pole on a cart that a force drives along a rail.
    pub struct CartPole<T> {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c_x: Real [N*s/m] = 0.05;
        coord x: Real [m];
        /// 0 = hanging down
        coord th: Angle;
        input u: Real [N] in -10.0..=10.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x));
        force drive on x = u;
        limit rail: x in -0.6..=0.6;
        cost effort = sq(u);
        show track = line(vec2(-0.6m, 0.0), vec2(0.6m, 0.0)) with { color: silver };
        show body = box(frame2(vec2(x, 0.0), 0.0), vec2(0.2m, 0.1m));
        show rod = line(vec2(x, 0.0), tip);
        show mass = disc(tip, 0.03m);
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (cart, h) = (CartPole::<f64>::default(), 0.04);
    let hanging = State::neutral(&cart);
    let mut upright = hanging.clone();
    upright.q.set_th(PI);

    // two seconds in 50 intervals from hanging to upright: four directions of the state, one input
    let problem = OptimalControl::of(&cart, 50.0 * h, 50)?.running("effort")?.start(&hanging).end(&upright);
    // exact second derivatives come from the same model over dual numbers
    let dual = cart.cast::<Dual<f64>>();
    let (map, hessian) = (StepMap::of(&cart, RungeKutta4, &[])?, StepHessian::of(&dual, RungeKutta4)?);
    let plan = InteriorPoint::<_, 4, 1>::of(&problem, (map, hessian))?.solve()?;
    println!("∫ u² dt = {:.6} N² s after {} iterations", plan.cost, plan.iterations.len() - 1);
    assert!(plan.inputs.iter().all(|u| u.u().abs() <= 10.0));
    assert!(plan.states.iter().all(|x| x.q.x().abs() <= 0.6));
    // the rail is what costs most: where it holds the cart, its multiplier is not zero
    assert!(plan.multipliers("rail")?.iter().any(|y| y.abs() > 1.0));

    // at the top, a regulator
    let mut map = StepMap::of(&cart, RungeKutta4, &[])?;
    let steps = Linearizer::of(&cart).step(&mut map, &upright, [0.0], h)?.system;
    let regulator = Lqr::of(&steps).state("x", 1.0)?.state("th", 10.0)?.input("u", 0.01)?.solve()?;
    let hold = Feedback::of(&cart, &upright, [0.0], &regulator.gain)?;

    // the plant is another one, with a heavier pole: the plan alone would miss the top
    let plant = CartPole::builder().m_p(0.103).build()?;
    let mut run = Simulation::of(&plant, DormandPrince8)
        .sampled(h, |now, u| {
            let k = (now.t / h).round() as usize;
            match (plan.states.get(k), plan.inputs.get(k), plan.gains.get(k)) {
                (Some(x), Some(planned), Some(gain)) => {
                    let off = [now.q.x() - x.q.x(), now.q.th() - x.q.th(), now.v.x() - x.v.x(), now.v.th() - x.v.th()];
                    let back: f64 = gain.iter().zip(off).map(|(k, off)| k * off).sum();
                    u.set_u((planned.u() - back).clamp(-10.0, 10.0));
                }
                _ => hold.apply(now, u),
            }
        })
        .given(hanging)
        .adaptive(1e-9)?;
    let (mut table, mut film) = (Table::of(&plant), Film::of(&plant));
    run.run(5.0, 0.04, |seen| {
        table.record(seen);
        film.record(seen);
    })?;
    film.svg().width(480.0).trace("mass")?.write(gallery::file("cart_pole_swing_up.svg"))?;
    Plot::over_time(&table, &["x", "th"])?.write(gallery::file("cart_pole_swing_up_motion.svg"))?;
    Plot::over_time(&table, &["u"])?.write(gallery::file("cart_pole_swing_up_force.svg"))?;

    let end = run.state();
    println!("x = {:.4} m, th − π = {:.4} after {} s", end.q.x(), end.q.th() - PI, end.t);
    assert!(end.q.x().abs() < 0.01 && (end.q.th() - PI).abs() < 0.01);
    Ok(())
}
