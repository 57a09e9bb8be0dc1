//! A seven-joint arm reaches a pose with little effort: the plan by differential dynamic programming, and the run with
//! its torques.

use ode_control::{Ddp, OptimalControl};
use ode_model::prelude::*;
use ode_model::{StepMap, variation::Fixed};
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// The Franka Emika Panda arm, its fingers locked, and what a motion to the goal costs.
    pub struct Arm {
        coord q: [Angle; 7];
        input tau: [Real; 7] [N*m];
        gravity = vec3(0.0, 0.0, -9.81);
        for i in 0..7 {
            force motor on q[i] = tau[i];
        }

        let link1 = frame(vec3(0.0, 0.0, 0.333m), rot_z(q[0]));
        body b1 on link1 {
            mass: 4.970684,
            com: vec3(0.003875, 0.002081, -0.04762),
            inertia: [[0.70337, -0.000139, 0.006772],
                      [-0.000139, 0.70661, 0.019169],
                      [0.006772, 0.019169, 0.009117]],
        }
        let link2 = link1 * frame(vec3(0.0, 0.0, 0.0), rot_x(-PI / 2.0) * rot_z(q[1]));
        body b2 on link2 {
            mass: 0.646926,
            com: vec3(-0.003141, -0.02872, 0.003495),
            inertia: [[0.007962, -0.003925, 0.010254],
                      [-0.003925, 0.02811, 0.000704],
                      [0.010254, 0.000704, 0.025995]],
        }
        let link3 = link2 * frame(vec3(0.0, -0.316m, 0.0), rot_x(PI / 2.0) * rot_z(q[2]));
        body b3 on link3 {
            mass: 3.228604,
            com: vec3(0.027518, 0.039252, -0.066502),
            inertia: [[0.037242, -0.004761, -0.011396],
                      [-0.004761, 0.036155, -0.012805],
                      [-0.011396, -0.012805, 0.01083]],
        }
        let link4 = link3 * frame(vec3(0.0825m, 0.0, 0.0), rot_x(PI / 2.0) * rot_z(q[3]));
        body b4 on link4 {
            mass: 3.587895,
            com: vec3(-0.05317, 0.104419, 0.027454),
            inertia: [[0.025853, 0.007796, -0.001332],
                      [0.007796, 0.019552, 0.008641],
                      [-0.001332, 0.008641, 0.028323]],
        }
        let link5 = link4 * frame(vec3(-0.0825m, 0.384m, 0.0), rot_x(-PI / 2.0) * rot_z(q[4]));
        body b5 on link5 {
            mass: 1.225946,
            com: vec3(-0.011953, 0.041065, -0.038437),
            inertia: [[0.035549, -0.002117, -0.004037],
                      [-0.002117, 0.029474, 0.000229],
                      [-0.004037, 0.000229, 0.008627]],
        }
        let link6 = link5 * frame(vec3(0.0, 0.0, 0.0), rot_x(PI / 2.0) * rot_z(q[5]));
        body b6 on link6 {
            mass: 1.666555,
            com: vec3(0.060149, -0.014117, -0.010517),
            inertia: [[0.001964, 0.000109, -0.001158],
                      [0.000109, 0.004354, 0.000341],
                      [-0.001158, 0.000341, 0.005433]],
        }
        let link7 = link6 * frame(vec3(0.088m, 0.0, 0.0), rot_x(PI / 2.0) * rot_z(q[6]));
        body b7 on link7 {
            mass: 1.495522,
            com: vec3(0.001720874298, 0.001360354417, 0.100485281149),
            inertia: [[0.016529853713, 0.000394892297, -0.000706695711],
                      [0.000394892297, 0.014107248642, -0.001051105327],
                      [-0.000706695711, -0.001051105327, 0.006676955557]],
        }

        let goal = frame(
            vec3(0.547662134516m, 0.387292068948m, 0.542938217261m),
            exp_so3(vec3(-2.535999769910, -0.852703332986, -0.259615724784)),
        );
        let hand = link7.at(vec3(0.0, 0.0, 0.107m));
        let off = hand - goal.origin;
        output miss: Vec3 [m] = off;
        // half of the squares: of torques and rates along the motion, of what is left at its end
        residual place = 100.0 * off / 1m;
        residual turn = sqrt(1e3) * log_so3(goal.rotation.inv() * link7.rotation);
        for i in 0..7 {
            residual effort = sqrt(1e-3) * tau[i] / 1N / 1m;
            residual rate = 0.1 * der(q[i]) * 1s;
            residual stop = 10.0 * der(q[i]) * 1s;
        }

        init q = [0.0, -0.4, 0.0, -2.0, 0.0, 1.6, 0.8];
        let o = vec3(0.0, 0.0, 0.0);
        show base = point(o) with { color: black };
        show arm = polyline(o, link1.at(o), link3.at(o), link4.at(o), link5.at(o), link6.at(o), link7.at(o), hand);
        show elbow = point(link4.at(o));
        show wrist = point(link6.at(o));
        show goal = sphere(goal.origin, 0.04m) with { color: silver };
        show hand = sphere(hand, 0.03m) with { color: crimson };
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (arm, method) = (Arm::default(), SemiExplicitEuler::explicit());
    let mut rest = State::neutral(&arm);
    arm.guess(&mut rest.q, &mut rest.v, &mut rest.z);
    // the search begins with the torques that hold the arm: −f at rest
    let hold = arm.force(rest.at(&arm::U::default())).q().map(|f| -f);

    // a second in 100 steps
    let mut problem = OptimalControl::of(&arm, 1.0, 100)?.at_end("place")?.at_end("turn")?;
    for joint in 0..7 {
        problem = problem.running(&format!("effort_{joint}"))?.running(&format!("rate_{joint}"))?;
        problem = problem.at_end(&format!("stop_{joint}"))?;
    }
    let problem = problem.start(&rest).guess(&vec![rest.clone(); 101], &[hold.into(); 100])?;
    // fourteen directions of the state, seven torques
    let map = StepMap::<_, _, Fixed<21>>::sized(&arm, method, &[])?;
    let plan = Ddp::<_, 14, 7>::of(&problem, map)?.tolerance(1e-5).solve()?;
    println!("cost {:.9} after {} iterations", plan.cost, plan.iterations.len() - 1);
    // the optimum that interior points of other programs find
    assert!((plan.cost / 0.303_132_622_07 - 1.0).abs() < 1e-7);

    // a run with these torques, by the steps of the plan
    let mut run = Simulation::of(&arm, method).inputs(plan.held()).given(rest).fixed(0.01)?;
    let (mut table, mut film) = (Table::of(&arm), Film::of(&arm));
    run.run(1.0, 0.02, |seen| {
        table.record(seen);
        film.record(seen);
    })?;
    film.svg().speed(0.5).width(480.0).trace("hand")?.write(gallery::file("franka_reaching.svg"))?;
    Plot::over_time(&table, &["tau"])?.write(gallery::file("franka_reaching_torques.svg"))?;
    Plot::over_time(&table, &["q"])?.write(gallery::file("franka_reaching_joints.svg"))?;

    let (end, planned) = (run.state(), &plan.states[100]);
    let apart = end.q.q().iter().zip(planned.q.q()).map(|(q, planned)| (q - planned).abs()).fold(0.0, f64::max);
    let miss = arm.outputs(end.at(&plan.inputs[99]), end.rates()).miss().map(|miss| 1e3 * miss);
    println!("the run ends where the plan does: the hand is {miss:.2?} mm off its goal");
    assert!(apart < 1e-9 && miss.iter().all(|miss| miss.abs() < 1.0));
    Ok(())
}
