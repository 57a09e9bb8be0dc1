//! A slider-crank turned by half a turn, from rest to rest: the loop is a constraint of the model.

use ode_model::control::{Collocation, InteriorPoint, OptimalControl, Plan, PlanError, Scheme};
use ode_model::prelude::*;
use ode_model::variation::Fixed;
use ode_model::{Dual, F64x8, Nominal, Start, StepHessian, StepMap};

model! {
    #[model(derive(Clone, Debug))]
    pub struct SliderCrank<T> {
        param: Real [m] { l1 = 0.1; l2 = 0.3; }
        param: Real [kg] { m1 = 0.2; m2 = 0.3; m3 = 0.5; }
        param g: Real [m/s^2] = 9.81;
        param c: Real [N*s/m] = 0.1;
        param begin: Angle = 0.2;
        coord th, ph: Angle;
        coord s: Real [m];
        input u: Real [N*m];
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
    }
}

/// Half a turn in half a second, from rest to rest.
///
/// # Errors
/// What is wrong with the problem.
pub fn turn(crank: &SliderCrank<f64>, intervals: usize) -> Result<OptimalControl<'_, SliderCrank<f64>>, PlanError> {
    let turned = SliderCrank::builder().begin(0.2 + std::f64::consts::PI).build().expect("a model");
    let end = Start::default().solve(&turned, &Nominal)?;
    let mut target = State::neutral(crank);
    target.q = end.q;
    // th alone may be chosen: the other two follow from the loop
    OptimalControl::of(crank, 0.5, intervals)?.running("effort")?.end_of(&target, ["th", "der(th)"])
}

/// [`turn`] by Runge–Kutta 4, with the torque held in each interval.
///
/// # Errors
/// Why there is no plan.
pub fn half_turn(intervals: usize) -> Result<Plan<SliderCrank<f64>, 6, 1>, PlanError> {
    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64>>();
    let problem = turn(&crank, intervals)?;
    let map = StepMap::<_, _, Fixed<7>>::sized(&crank, RungeKutta4, &[])?;
    InteriorPoint::of(&problem, (map, StepHessian::of(&dual, RungeKutta4)?))?.solve()
}

/// [`turn`] by collocation.
///
/// # Errors
/// Why there is no plan.
pub fn half_turn_collocated(intervals: usize) -> Result<Plan<SliderCrank<f64>, 6, 3>, PlanError> {
    let crank = SliderCrank::<f64>::default();
    let dual = crank.cast::<Dual<f64, F64x8>>();
    let problem = turn(&crank, intervals)?;
    InteriorPoint::of(&problem, Collocation::exact(&crank, &dual, Scheme::Radau))?.solve()
}
