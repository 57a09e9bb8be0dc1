//! The same problems solved by IPOPT and by the project's interior point: their optima, iterations and times.
//!
//! Needs Debian's `coinor-libipopt-dev`. `cargo run --release` in this folder; it fails if the optima differ.

mod solver;

use std::f64::consts::PI;
use std::time::Instant;

use ode_model::control::{Collocation, InteriorPoint, OptimalControl, Plan, PlanError, Scheme, Transcription};
use ode_model::prelude::*;
use ode_model::{Dual, F64x8};

model! {
    pub struct CartPole<T> {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        coord x: Real [m];
        coord th: Angle;
        input u: Real [N] in -10.0..=10.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        force drive on x = u;
        limit rail: x in -0.6..=0.6;
        cost effort = sq(u / 1N);
    }
}

model! {
    /// A slider-crank, whose loop is a constraint.
    pub struct SliderCrank<T> {
        param: Real [m] { l1 = 0.1; l2 = 0.3; }
        param: Real [kg] { m1 = 0.2; m2 = 0.3; m3 = 0.5; }
        param begin: Angle = 0.2;
        coord th, ph: Angle;
        coord s: Real [m];
        input u: Real [N*m];
        let pin = l1 * vec2(cos(th), sin(th));
        body b1 on frame2(0.5 * pin, th) { mass: m1, inertia: m1 * sq(l1) / 12.0 }
        body b2 on frame2(pin + 0.5 * l2 * vec2(cos(ph), sin(ph)), ph) { mass: m2, inertia: m2 * sq(l2) / 12.0 }
        kinetic piston = 0.5 * m3 * sq(der(s));
        constraint closure: pin + l2 * vec2(cos(ph), sin(ph)) == vec2(s, 0.0);
        force motor on th = u;
        cost effort = sq(u / 1N / 1m);
        init th = begin;
        guess ph = 0.0;
        guess s = l1 * cos(begin) + l2;
    }
}

/// Solves by both, and compares.
fn compare<T: Transcription<N, U>, const N: usize, const U: usize>(
    name: &str,
    problem: &OptimalControl<'_, T::System>,
    transcription: impl Fn() -> T,
) -> Result<Plan<T::System, N, U>, PlanError> {
    let begun = Instant::now();
    let ours = InteriorPoint::<_, N, U>::of(problem, transcription())?.solve()?;
    let own = begun.elapsed();
    let begun = Instant::now();
    let (found, mut nlp) = solver::solve::<_, N, U>(problem, transcription(), (1e-9, 0.0))?;
    let other = begun.elapsed();
    let off = (found.objective / ours.cost - 1.0).abs();
    println!(
        "{name}: ours {:.12} in {} iterations, {:.1} ms; IPOPT {:.12} in {}, {:.1} ms, status {}; off by {off:.1e}",
        ours.cost,
        ours.iterations.len() - 1,
        own.as_secs_f64() * 1e3,
        found.objective,
        found.iterations,
        other.as_secs_f64() * 1e3,
        found.status,
    );
    assert!(found.status == 0 && off < 1e-6, "{:?}", found.error);
    nlp.plan(&found.variables, &found.multipliers)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cart = CartPole::<f64>::default();
    let dual = cart.cast::<Dual<f64, F64x8>>();
    let hanging = State::neutral(&cart);
    let mut upright = hanging.clone();
    upright.q.set_th(PI);
    let fixed = OptimalControl::of(&cart, 2.0, 40)?.running("effort")?.start(&hanging).end(&upright);
    let plan = compare::<_, 4, 3>("swing-up, Radau", &fixed, || Collocation::exact(&cart, &dual, Scheme::Radau))?;
    // a plan of IPOPT's is run as any other
    let mut run = Simulation::of(&cart, RungeKutta4).inputs(plan.signal()).given(hanging.clone()).fixed(1e-3)?;
    run.advance_to(2.0)?;
    println!("    a run by it ends at th = {:.6}", run.state().q.th());
    let simpson = || Collocation::exact(&cart, &dual, Scheme::HermiteSimpson);
    compare::<_, 5, 2>("swing-up, Hermite-Simpson", &fixed, simpson)?;
    let free = OptimalControl::of(&cart, 2.0, 40)?.running("effort")?.start(&hanging).end(&upright);
    let free = free.free_horizon(1.0, 4.0, 5.0)?;
    compare::<_, 5, 3>("the same, free horizon", &free, || Collocation::exact(&cart, &dual, Scheme::Radau))?;

    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64, F64x8>>();
    let mut turned = State::neutral(&crank);
    turned.q.set_th(0.2 + PI);
    let problem = OptimalControl::of(&crank, 0.5, 20)?.running("effort")?.end_of(&turned, ["th", "der(th)"])?;
    compare::<_, 6, 3>("slider-crank", &problem, || Collocation::exact(&crank, &dual, Scheme::Radau))?;
    Ok(())
}
