//! The seven-joint arm of `examples/franka.rs`, which reaches for a pose.

use ode_model::StepMap;
use ode_model::control::{Ddp, OptimalControl, Plan, PlanError};
use ode_model::integrators::SemiExplicitEuler;
use ode_model::prelude::*;
use ode_model::variation::Fixed;

#[allow(dead_code, unreachable_pub, missing_debug_implementations, reason = "the model is that of the example")]
#[path = "../../examples/franka.rs"]
mod franka;

model! {
    /// With what a motion to the pose at the joints (1, 0.3, −0.5, −1.5, 0.6, 2, −0.3) costs.
    pub struct Reach {
        gravity = vec3(0.0, 0.0, -9.81);
        sub arm: franka::Franka;
        input tau: [Real; 7] [N*m];
        bind arm.tau = tau;
        for i in 0..7 {
            residual effort = sqrt(1e-3) * tau[i] / 1N / 1m;
            residual rate = 0.1 * der(arm.q[i]) * 1s;
            residual stop = 10.0 * der(arm.q[i]) * 1s;
        }
        let hand = rot_z(arm.q[0]) * rot_x(-PI / 2.0) * rot_z(arm.q[1]) * rot_x(PI / 2.0) * rot_z(arm.q[2])
            * rot_x(PI / 2.0) * rot_z(arm.q[3]) * rot_x(-PI / 2.0) * rot_z(arm.q[4]) * rot_x(PI / 2.0)
            * rot_z(arm.q[5]) * rot_x(PI / 2.0) * rot_z(arm.q[6]);
        let goal = rot_z(1.0) * rot_x(-PI / 2.0) * rot_z(0.3) * rot_x(PI / 2.0) * rot_z(-0.5)
            * rot_x(PI / 2.0) * rot_z(-1.5) * rot_x(-PI / 2.0) * rot_z(0.6) * rot_x(PI / 2.0)
            * rot_z(2.0) * rot_x(PI / 2.0) * rot_z(-0.3);
        residual place = 100.0 * (arm.hand - vec3(0.5476621345158371m, 0.387292068947814m, 0.542938217261403m)) / 1m;
        residual turn = sqrt(1e3) * log_so3(goal.inv() * hand);
    }
}

/// By 100 semi-explicit steps of 10 ms, from rest and the torques that hold the arm there.
///
/// # Errors
/// Why there is no plan.
pub fn reach(tolerance: f64) -> Result<Plan<Reach, 14, 7>, PlanError> {
    let (arm, method) = (Reach::default(), SemiExplicitEuler::explicit());
    let mut rest = State::neutral(&arm);
    rest.q.as_mut().copy_from_slice(&[0.0, -0.4, 0.0, -2.0, 0.0, 1.6, 0.8]);
    // −f at rest
    let hold = arm.force(rest.at(&Default::default())).as_ref().iter().map(|f| -f).collect::<Vec<_>>();
    let hold: [f64; 7] = hold.try_into().map_err(|_| PlanError::NoInputs)?;
    let mut problem = OptimalControl::of(&arm, 1.0, 100)?.at_end("place")?.at_end("turn")?;
    for joint in 0..7 {
        problem = problem.running(&format!("effort_{joint}"))?.running(&format!("rate_{joint}"))?;
        problem = problem.at_end(&format!("stop_{joint}"))?;
    }
    let problem = problem.start(&rest).guess(&vec![rest.clone(); 101], &[hold.into(); 100])?;
    Ddp::of(&problem, StepMap::<_, _, Fixed<21>>::sized(&arm, method, &[])?)?.tolerance(tolerance).solve()
}
