//! The Franka Emika Panda arm: seven joints, each frame hung on the one before.
//!
//! The equations come out by Newton and Euler along the chain. Inertias are numbers here, so that what they make
//! constant is computed when the model is compiled. `benches/franka/reference.py` has written the data and the
//! reference values.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// The arm, its fingers locked; joint torques in, joint angles out.
    pub struct Franka {
        coord q: [Angle; 7];
        input tau: [Real; 7] [N*m];
        param damping: Real [N*m*s] = 0.0;

        gravity = vec3(0.0, 0.0, -9.81);
        for i in 0..7 {
            force motor on q[i] = tau[i];
            dissipation = 0.5 * damping * sq(der(q[i]));
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

        init q = [0.0, -0.6, 0.0, -2.2, 0.0, 1.6, 0.8];
        let o = vec3(0.0, 0.0, 0.0);
        show base = point(o) with { color: black };
        show arm = polyline(o, link1.at(o), link3.at(o), link4.at(o), link5.at(o), link6.at(o), link7.at(o), hand);
        show shoulder = point(link2.at(o));
        show elbow = point(link4.at(o));
        show wrist = point(link6.at(o));
        show hand = sphere(hand, 0.03m) with { color: crimson };
        output hand: Vec3 [m] = link7.at(vec3(0.0, 0.0, 0.107m));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arm = Franka::builder().damping(2.0).build()?;
    let mut state = State::neutral(&arm);
    arm.guess(&mut state.q, &mut state.v, &mut state.z);
    // torques that hold the arm: −f at rest
    let hold = arm.force(state.at(&franka::U::default())).q().map(|f| -f);
    let mut run =
        Simulation::of(&arm, GeneralizedAlpha::with_spectral_radius(0.8)).inputs(Constant(hold)).fixed(2e-3)?;
    run.advance_to(1.0)?;
    let drift = run.state().v.q().into_iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    println!("held for a second: fastest joint {drift:.1e} rad/s; {} operations generated", Franka::OPS);
    assert!(drift < 1e-9);

    // without torques it falls
    let mut run = Simulation::of(&arm, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(2e-3)?;
    let (mut film, mut table) = (Film::of(&arm), Table::of(&arm));
    run.run(3.0, 0.02, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().speed(0.5).trace("hand")?.write(gallery::file("franka.svg"))?;
    Plot::over_time(&table, &["q[1]", "q[3]", "q[5]"])?.write(gallery::file("franka_joints.svg"))?;
    Ok(())
}
