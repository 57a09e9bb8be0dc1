//! A quadrotor through two waypoints to a third one, turned by a quarter.

use ode_model::control::{InteriorPoint, OptimalControl, Plan, PlanError};
use ode_model::integrators::SemiExplicitEuler;
use ode_model::prelude::*;
use ode_model::variation::Fixed;
use ode_model::{Dual, StepHessian, StepMap, Wide};

model! {
    #[model(derive(Clone, Debug))]
    pub struct Quadrotor<T> {
        param m: Real [kg] = 1.0;
        param j: SymMat3 [kg*m^2] = diag(0.01, 0.01, 0.02);
        param g: Real [m/s^2] = 9.81;
        param hub: [Vec3; 4] [m] = [
            vec3(0.2, 0.0, 0.0), vec3(0.0, 0.2, 0.0), vec3(-0.2, 0.0, 0.0), vec3(0.0, -0.2, 0.0),
        ];
        param spin: [Real; 4] = [1.0, -1.0, 1.0, -1.0];
        param kappa: Real [m] = 0.016;
        coord r: Vec3 [m];
        coord (q, w): SO3;
        input f: [Real; 4] [N] in 0.0..=8.0 = [2.4525, 2.4525, 2.4525, 2.4525];
        let b = frame(r, q);
        body hull on b { mass: m, inertia: j }
        gravity = vec3(0.0, 0.0, -g);
        for i in 0..4 {
            force thrust on b.at(hub[i]) = b.vec(vec3(0.0, 0.0, f[i]));
            torque react on b = b.vec(vec3(0.0, 0.0, spin[i] * kappa * f[i]));
        }
        init r = vec3(0.0, 0.0, 1.0);
        let hover = 0.25 * m * g;
        cost effort = 0.005 * (sq((f[0] - hover) / 1N) + sq((f[1] - hover) / 1N) + sq((f[2] - hover) / 1N)
            + sq((f[3] - hover) / 1N)) + 0.05 * w.dot(w) * 1s * 1s;
        let first = (r - vec3(1.0m, 1.0m, 2.0m)) / 1m;
        cost first = 500.0 * first.dot(first);
        let second = (r - vec3(2.0m, -1.0m, 1.5m)) / 1m;
        cost second = 500.0 * second.dot(second);
        let third = (r - vec3(3.0m, 0.0m, 1.0m)) / 1m;
        let turn = log_so3(rot_z(-1.5707963267948966) * q);
        cost third = 500.0 * (third.dot(third) + turn.dot(turn) + der(r).dot(der(r)) / 1m / 1m * 1s * 1s
            + w.dot(w) * 1s * 1s);
    }
}

/// A problem of the quadrotor.
pub type Flight<'a> = OptimalControl<'a, Quadrotor<f64>>;

/// By 100 semi-explicit steps of 20 ms, from hovering.
///
/// # Errors
/// What is wrong with the problem.
pub fn flight(quadrotor: &Quadrotor<f64>, wider: f64) -> Result<Flight<'_>, PlanError> {
    let mut problem = OptimalControl::of(quadrotor, 2.0, 100)?
        .running("effort")?
        .at_node(33, "first", 1.0)?
        .at_node(66, "second", 1.0)?
        .at_end("third")?;
    for (name, low, high) in quadrotor.input_bounds().iter() {
        problem = problem.between(name, low - wider, high + wider * high.max(1.0))?;
    }
    Ok(problem)
}

/// [`flight`] by the interior point.
///
/// # Errors
/// Why there is no plan.
pub fn waypoints<T: Wide<Lane = f64>>(
    quadrotor: &Quadrotor<f64>,
    dual: &Quadrotor<Dual<f64, T>>,
    wider: f64,
) -> Result<Plan<Quadrotor<f64>, 12, 4>, PlanError> {
    let (problem, method) = (flight(quadrotor, wider)?, SemiExplicitEuler::explicit());
    let map = StepMap::<_, _, Fixed<16>>::sized(quadrotor, method, &[])?;
    InteriorPoint::of(&problem, (map, StepHessian::of(dual, method)?))?.tolerance(1e-11).solve()
}
