//! A slider-crank that is turned by half a turn with the least effort, from rest to rest: the loop is a constraint of
//! the model, and stays closed at every point of the plan.

use std::f64::consts::PI;

use ode_control::{Collocation, InteriorPoint, OptimalControl, Scheme};
use ode_model::Dual;
use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// A slider-crank with a motor at its crank.
    pub struct SliderCrank<T> {
        param: Real [m] { l1 = 0.1; l2 = 0.3; }
        param: Real [kg] { m1 = 0.2; m2 = 0.3; m3 = 0.5; }
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*s/m] = 0.1;
        /// where it begins
        param begin: Angle = 0.2;
        coord th, ph: Angle;
        coord s: Real [m];
        input u: Real [N*m] in -0.6..=0.6;
        let pin = l1 * vec2(cos(th), sin(th));
        body b1 on frame2(0.5 * pin, th) { mass: m1, inertia: m1 * sq(l1) / 12.0 }
        body b2 on frame2(pin + 0.5 * l2 * vec2(cos(ph), sin(ph)), ph) { mass: m2, inertia: m2 * sq(l2) / 12.0 }
        kinetic piston = 0.5 * m3 * sq(der(s));
        gravity = vec2(0.0, -g);
        dissipation = 0.5 * c * sq(der(s));
        constraint closure: pin + l2 * vec2(cos(ph), sin(ph)) == vec2(s, 0.0);
        force motor on th = u;
        cost effort = sq(u / 1N / 1m);
        init th = begin;
        guess ph = 0.0;
        guess s = l1 * cos(begin) + l2;
        show guide = line(vec2(0.15m, 0.0), vec2(0.45m, 0.0)) with { color: silver };
        show crank = line(vec2(0.0, 0.0), pin);
        show rod = line(pin, vec2(s, 0.0));
        show piston = box(frame2(vec2(s, 0.0), 0.0), vec2(0.08m, 0.06m));
        show wrist = point(pin);
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let crank = SliderCrank::<f64>::default();
    let mut turned = State::neutral(&crank);
    turned.q.set_th(0.2 + PI);

    // half a second in 40 intervals; the other coordinates of the end follow from the loop
    let problem = OptimalControl::of(&crank, 0.5, 40)?.running("effort")?.end_of(&turned, ["th", "der(th)"])?;
    // six directions of the state, and the torques of three points in each interval
    let dual = crank.cast::<Dual<f64>>();
    let plan = InteriorPoint::<_, 6, 3>::of(&problem, Collocation::exact(&crank, &dual, Scheme::Radau))?.solve()?;
    println!("∫ u² dt = {:.6e} N² m² s after {} iterations", plan.cost, plan.iterations.len() - 1);
    assert!(plan.inputs.iter().all(|u| u.u().abs() <= 0.6));
    // the torque is at its bound for a while: more would be cheaper
    assert!(plan.inputs.iter().any(|u| u.u().abs() > 0.599));
    for (x, u) in plan.points.iter().zip(&plan.inputs) {
        let open = crank.constraint_values(x.at(u));
        assert!(open.as_ref().iter().all(|phi| phi.abs() < 1e-12));
    }

    // a run with these torques
    let start = plan.states[0].clone();
    let setup = Simulation::of(&crank, DormandPrince8).inputs(plan.signal()).given(start);
    let mut run = setup.project(Projection::to(1e-10)).adaptive(1e-10)?;
    let (mut table, mut film) = (Table::of(&crank), Film::of(&crank));
    run.run(0.5, 0.005, |seen| {
        table.record(seen);
        film.record(seen);
    })?;
    film.svg().width(480.0).trace("wrist")?.write(gallery::file("slider_crank_turned.svg"))?;
    Plot::over_time(&table, &["th", "ph"])?.write(gallery::file("slider_crank_turned_motion.svg"))?;
    Plot::over_time(&table, &["u"])?.write(gallery::file("slider_crank_turned_torque.svg"))?;

    let end = run.state();
    println!("th = {:.6}, der(th) = {:.6} rad/s after {} s", end.q.th(), end.v.th(), end.t);
    assert!((end.q.th() - 0.2 - PI).abs() < 1e-4 && end.v.th().abs() < 0.05);
    Ok(())
}
