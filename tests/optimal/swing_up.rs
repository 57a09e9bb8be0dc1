//! A cart-pole, and a cart with a double pendulum, swung up with the least ∫ u² dt.

use std::f64::consts::PI;

use ode_model::control::{Collocation, InteriorPoint, OptimalControl, Plan, PlanError, Scheme};
use ode_model::integrators::SemiExplicitEuler;
use ode_model::prelude::*;
use ode_model::variation::Fixed;
use ode_model::{Dual, F64x8, Optimizable, Solvable, StepHessian, StepMap};

model! {
    #[model(derive(Clone, Debug))]
    pub struct CartPole<T> {
        param m_c: Real [kg] = 1.0;
        param m_p: Real [kg] = 0.1;
        param l: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        param c_x: Real [N*s/m] = 0.05;
        param c_th: Real [N*m*s] = 0.001;
        coord x: Real [m];
        coord th: Angle;
        input u: Real [N] in -10.0..=10.0;
        let tip = vec2(x + l * sin(th), -l * cos(th));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
        potential = m_p * g * tip.y;
        dissipation = 0.5 * c_x * sq(der(x)) + 0.5 * c_th * sq(der(th));
        force drive on x = u;
        limit rail: x in -2.4..=2.4;
        cost effort = sq(u / 1N);
        residual push = u / 1N;
        cost miss = 0.5 * (sq(x / 1m) + sq(th - 3.141592653589793) + sq(der(x) / 1m * 1s) + sq(der(th) * 1s));
    }
}

model! {
    /// A cart with two rods in a row, by their absolute angles.
    #[model(derive(Clone, Debug))]
    pub struct DoublePole<T> {
        param m_c: Real [kg] = 1.0;
        param m1: Real [kg] = 0.5;
        param m2: Real [kg] = 0.5;
        param l1: Real [m] = 0.5;
        param l2: Real [m] = 0.5;
        param g: Real [m/s^2] = 9.81;
        coord x: Real [m];
        coord a: Angle;
        coord b: Angle;
        input u: Real [N] in -20.0..=20.0;
        let elbow = vec2(x + l1 * sin(a), -l1 * cos(a));
        let tip = elbow + vec2(l2 * sin(b), -l2 * cos(b));
        kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m1 * der(elbow).dot(der(elbow)) + 0.5 * m2 * der(tip).dot(der(tip));
        potential = m1 * g * elbow.y + m2 * g * tip.y;
        force drive on x = u;
        limit rail: x in -2.4..=2.4;
        cost effort = sq(u / 1N);
        cost miss = 0.5 * (sq(x / 1m) + sq(a - 3.141592653589793) + sq(b - 3.141592653589793)
            + sq(der(x) / 1m * 1s) + sq(der(a) * 1s) + sq(der(b) * 1s));
    }
}

/// By Runge–Kutta 4 over two seconds, to the upright state; bounds are wider by a share of them.
///
/// # Errors
/// What is wrong with the problem.
pub fn to_upright<S>(cart: &S, intervals: usize, wider: f64) -> Result<OptimalControl<'_, S>, PlanError>
where
    S: Optimizable<Real = f64> + Solvable,
{
    let mut up = State::neutral(cart);
    up.q.as_mut()[1..].fill(PI);
    let mut problem =
        OptimalControl::of(cart, 2.0, intervals)?.running("effort")?.start(&State::neutral(cart)).end(&up);
    for (name, low, high) in cart.input_bounds().iter().chain(cart.limit_bounds().iter()) {
        problem = problem.between(name, low * (1.0 + wider), high * (1.0 + wider))?;
    }
    Ok(problem)
}

/// [`to_upright`] by the interior point.
///
/// # Errors
/// Why there is no plan.
pub fn swing_up<S, D, const N: usize, const C: usize>(
    (cart, dual): (&S, &D),
    intervals: usize,
    wider: f64,
) -> Result<Plan<S, N, 1>, PlanError>
where
    S: Optimizable<Real = f64> + Solvable,
    D: Optimizable<Real = Dual<f64, F64x8>> + Solvable,
{
    let problem = to_upright(cart, intervals, wider)?;
    let map = StepMap::<_, _, Fixed<C>>::sized(cart, RungeKutta4, &[])?;
    InteriorPoint::of(&problem, (map, StepHessian::of(dual, RungeKutta4)?))?.solve()
}

/// [`to_upright`] by the interior point and collocation.
///
/// # Errors
/// Why there is no plan.
pub fn collocated<S, D, const N: usize, const U: usize>(
    (cart, dual): (&S, &D),
    scheme: Scheme,
    intervals: usize,
    wider: f64,
) -> Result<Plan<S, N, U>, PlanError>
where
    S: Optimizable<Real = f64> + Solvable,
    D: Optimizable<Real = Dual<f64, F64x8>> + Solvable,
{
    let problem = to_upright(cart, intervals, wider)?;
    InteriorPoint::of(&problem, Collocation::exact(cart, dual, scheme))?.solve()
}

/// By semi-explicit steps of 20 ms that end near the upright state, without a rail: from the straight line to it, or
/// from rest.
///
/// # Errors
/// What is wrong with the problem.
pub fn near_upright<S>(cart: &S, from_line: bool, wider: f64) -> Result<OptimalControl<'_, S>, PlanError>
where
    S: Optimizable<Real = f64, U: From<[f64; 1]>> + Solvable,
{
    let rest = State::neutral(cart);
    let (mut states, mut inputs) = (vec![rest.clone(); 101], Vec::new());
    for (k, x) in (0..=100).map(f64::from).zip(&mut states) {
        x.q.as_mut()[1..].fill(if from_line { PI * k / 100.0 } else { 0.0 });
        inputs.push([if from_line { 0.0 } else { 0.1 * k.sin() }].into());
    }
    inputs.pop();
    let (_, most) = cart.input_bounds().of("u")?;
    let most = most * (1.0 + wider);
    let problem = OptimalControl::of(cart, 2.0, 100)?
        .running("effort")?
        .at_node(100, "miss", 1e4)?
        .between("rail", f64::NEG_INFINITY, f64::INFINITY)?
        .between("u", -most, most)?
        .guess(&states, &inputs)?
        .start(&rest);
    Ok(problem)
}

/// [`near_upright`] by the interior point.
///
/// # Errors
/// Why there is no plan.
pub fn swing_near<S, D, const N: usize, const C: usize>(
    (cart, dual): (&S, &D),
    from_line: bool,
    wider: f64,
) -> Result<Plan<S, N, 1>, PlanError>
where
    S: Optimizable<Real = f64, U: From<[f64; 1]>> + Solvable,
    D: Optimizable<Real = Dual<f64, F64x8>> + Solvable,
{
    let (problem, method) = (near_upright(cart, from_line, wider)?, SemiExplicitEuler::explicit());
    let map = StepMap::<_, _, Fixed<C>>::sized(cart, method, &[])?;
    InteriorPoint::of(&problem, (map, StepHessian::of(dual, method)?))?.solve()
}
