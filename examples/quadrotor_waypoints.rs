//! A quadrotor flies through two waypoints and stops at a third one, turned by a quarter: a plan, and a flight from
//! another start that the gains of the plan lead back to it.

use ode_control::{Feedback, InteriorPoint, OptimalControl};
use ode_model::prelude::*;
use ode_model::{Dual, StepHessian, StepMap, linalg::SVector, so3, variation::Fixed};
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// A rigid body with four rotors, and what a flight costs.
    pub struct Quadrotor<T> {
        param m: Real [kg] = 1.0;
        param j: SymMat3 [kg*m^2] = diag(0.01, 0.01, 0.02);
        param g: Real [m/s^2] = 9.81;
        /// rotor hubs in the body frame, their senses of rotation, and drag torque per thrust
        param hub: [Vec3; 4] [m] = [
            vec3(0.2, 0.0, 0.0), vec3(0.0, 0.2, 0.0), vec3(-0.2, 0.0, 0.0), vec3(0.0, -0.2, 0.0),
        ];
        param spin: [Real; 4] = [1.0, -1.0, 1.0, -1.0];
        param kappa: Real [m] = 0.016;
        /// through where, and to where
        param way: [Vec3; 3] [m] = [vec3(1.0, 1.0, 2.0), vec3(2.0, -1.0, 1.5), vec3(3.0, 0.0, 1.0)];
        coord r: Vec3 [m];
        coord (q, w): SO3;
        /// thrusts
        input f: [Real; 4] [N] in 0.0..=8.0 = [2.4525, 2.4525, 2.4525, 2.4525];
        let b = frame(r, q);
        body hull on b { mass: m, inertia: j }
        gravity = vec3(0.0, 0.0, -g);
        for i in 0..4 {
            force thrust on b.at(hub[i]) = b.vec(vec3(0.0, 0.0, f[i]));
            torque react on b = b.vec(vec3(0.0, 0.0, spin[i] * kappa * f[i]));
            // half of the squares
            residual effort = 0.1 * (f[i] - 0.25 * m * g) / 1N;
        }
        residual rate = sqrt(0.1) * w * 1s;
        for i in 0..3 {
            residual miss = sqrt(1e3) * (r - way[i]) / 1m;
        }
        residual turn = sqrt(1e3) * log_so3(rot_z(-0.5 * PI) * q);
        residual speed = sqrt(1e3) * der(r) * 1s / 1m;
        residual rest = sqrt(1e3) * w * 1s;
        init r = vec3(0.0, 0.0, 1.0);
        for i in 0..3 {
            show way = sphere(way[i], 0.08m) with { color: gray };
        }
        show arms = line(b.at(hub[0]), b.at(hub[2]));
        show beam = line(b.at(hub[1]), b.at(hub[3]));
        for i in 0..4 {
            show rotor = circle(b * frame(hub[i], rot_z(0.0)), 0.1m) with { color: silver };
        }
        show hull = point(r) with { color: crimson };
    }
}

type At = State<Quadrotor<f64>>;

/// 100 steps of 20 ms, and after how many of them it is to be at the waypoints.
const H: f64 = 0.02;
const NODES: [usize; 3] = [33, 66, 100];

/// How far it is from the waypoints when it is to be there, in metres.
fn misses(quadrotor: &Quadrotor<f64>, states: &[At]) -> [f64; 3] {
    std::array::from_fn(|i| (SVector::from(states[NODES[i]].q.r()) - SVector::from(quadrotor.way[i])).norm())
}

/// Flies with a controller that is told the number of the step: the state before each step and at the end.
fn fly(
    quadrotor: &Quadrotor<f64>,
    start: &At,
    mut controller: impl FnMut(usize, &At, &mut quadrotor::U),
) -> Result<(Vec<At>, Table, Film), Box<dyn std::error::Error>> {
    let (mut states, mut table, mut film) = (Vec::new(), Table::of(quadrotor), Film::of(quadrotor));
    let setup = Simulation::of(quadrotor, DormandPrince8).given(start.clone());
    let mut run = setup.sampled(H, |now, u| controller((now.t / H).round() as usize, now, u)).adaptive(1e-8)?;
    run.run(100.0 * H, H, |seen| {
        states.push(At::clone(seen));
        table.record(seen);
        film.record(seen);
    })?;
    Ok((states, table, film))
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (quadrotor, method) = (Quadrotor::<f64>::default(), SemiExplicitEuler::explicit());
    let mut problem = OptimalControl::of(&quadrotor, 100.0 * H, 100)?.running("rate")?;
    for rotor in 0..4 {
        // rotors give 0 to 8 N: the plan leaves 1 N to the feedback
        problem = problem.running(&format!("effort_{rotor}"))?.between(&format!("f[{rotor}]"), 1.0, 7.0)?;
    }
    let problem = problem.at_node(NODES[0], "miss_0", 1.0)?.at_node(NODES[1], "miss_1", 1.0)?;
    let problem = problem.at_end("miss_2")?.at_end("turn")?.at_end("speed")?.at_end("rest")?;
    // exact second derivatives come from the same model over dual numbers
    let dual = quadrotor.cast::<Dual<f64>>();
    let (map, hessian) = (StepMap::<_, _, Fixed<16>>::sized(&quadrotor, method, &[])?, StepHessian::of(&dual, method)?);
    // twelve directions of the state, four thrusts
    let plan = InteriorPoint::<_, 12, 4>::of(&problem, (map, hessian))?.solve()?;
    println!("cost {:.6} after {} iterations", plan.cost, plan.iterations.len() - 1);
    println!("planned: {:.3?} m from the waypoints", misses(&quadrotor, &plan.states));
    assert!(plan.inputs.iter().all(|u| u.f().iter().all(|f| (1.0..=7.0).contains(f))));

    // u = uₖ − Kₖ (x ⊖ xₖ), within the bounds of the model
    let steps = plan.states.iter().zip(&plan.inputs).zip(&plan.gains);
    let steps = steps.map(|((x, u), gain)| Feedback::sized(&quadrotor, x, *u, gain));
    let feedback = steps.collect::<Result<Vec<_>, _>>()?;
    // it begins elsewhere, tilted and moving
    let mut start = plan.states[0].clone();
    start.q.set_r([-0.1, 0.1, 0.9]);
    start.q.set_q(so3::exp(&[0.2, -0.1, 0.1]));
    start.v.set_r([0.1, -0.2, 0.1]);
    let (flown, table, film) = fly(&quadrotor, &start, |step, now, u| {
        if let Some(feedback) = feedback.get(step) {
            feedback.apply(now, u);
        }
    })?;
    let (lost, ..) = fly(&quadrotor, &start, |step, _, u| *u = *plan.inputs.get(step).unwrap_or(u))?;
    let (by_feedback, by_plan) = (misses(&quadrotor, &flown), misses(&quadrotor, &lost));
    println!("from another start: {by_feedback:.3?} m with the feedback, {by_plan:.3?} m without");
    assert!(by_feedback.iter().all(|miss| *miss < 0.05) && by_plan.iter().all(|miss| *miss > 0.5));
    let end = &flown[100];
    let ([_, ahead, _], speed) = (so3::rotate(&end.q.q(), &[1.0, 0.0, 0.0]), SVector::from(end.v.r()).norm());
    let turned = ahead.clamp(-1.0, 1.0).asin().to_degrees();
    println!("at the end turned by {turned:.1}°, {speed:.2} m/s");
    // what is left is what the plan's steps of first order differ from the motion by
    assert!(turned > 85.0 && speed < 0.3);

    film.svg().speed(0.25).width(480.0).trace("hull")?.write(gallery::file("quadrotor_waypoints.svg"))?;
    let above = |states: &[At]| states.iter().map(|x| (x.q.r()[0], x.q.r()[1])).collect::<Vec<_>>();
    Plot::new()
        .equal_aspect()
        .across("r.x [m]")
        .upward("r.y [m]")
        .curve("planned", above(&plan.states))
        .curve("with feedback", above(&flown))
        .curve("without", above(&lost))
        .points("waypoints", quadrotor.way.map(|[x, y, _]| (x, y)))
        .write(gallery::file("quadrotor_waypoints_path.svg"))?;
    Plot::over_time(&table, &["f"])?.write(gallery::file("quadrotor_waypoints_thrusts.svg"))?;
    Ok(())
}
