//! A trunk on four legs, each the `Leg` of another crate, standing on soft ground.
//!
//! `cargo run --example quadruped` lets it settle and compares the ground's forces with its weight.

use ode_model::prelude::*;
use ode_model_parts::robot::Leg;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Trunk and legs in the plane; hips are held by constraints, hips and knees by springs and dampers.
    pub struct Quadruped<T> {
        param m: Real [kg] = 20.0;
        param j: Real [kg*m^2] = 2.0;
        param g: Real [m/s^2] = 9.81;
        /// hips in the trunk's frame
        param at: [Vec2; 4] [m] = [vec2(0.4, 0.0), vec2(0.35, 0.0), vec2(-0.35, 0.0), vec2(-0.4, 0.0)];
        /// stiffness of the joints, and of the ground with its friction
        param stiff: Real [N*m] = 400.0;
        param ground: Real [N/m] = 2.0e4;
        param grip: Real [N*s/m] = 400.0;
        /// a person's push on the trunk
        input push: Vec2 [N];

        coord r: Vec2 [m];
        coord pitch: Angle;
        let trunk = frame2(r, pitch);
        body torso on trunk { mass: m, inertia: j }
        gravity = vec2(0.0, -g);
        force hand on r = push;

        sub leg: [Leg<T>; 4] with { g: g, c: 8.0 };
        for i in 0..4 {
            let hip = 0.4 - leg[i].th[0];
            let knee = -0.8 - (leg[i].th[1] - leg[i].th[0]);
            bind leg[i].drive = [stiff * hip, stiff * knee];
            constraint joint: leg[i].hip == trunk.at(at[i]);
            force support on leg[i].foot = vec2(-grip * der(leg[i].foot.x),
                -ground * leg[i].foot.y - grip * der(leg[i].foot.y));
        }

        init r = vec2(0.0, 0.735);
        init pitch = 0.0;
        show floor = line(vec2(-0.8m, 0.0), vec2(0.8m, 0.0)) with { color: silver };
        show trunk = box(trunk, vec2(0.9m, 0.15m));
        for i in 0..4 {
            show leg = polyline(leg[i].hip, leg[i].knee, leg[i].foot);
            show load = arrow(leg[i].foot, vec2(0.0, -0.001m * ground * leg[i].foot.y / 1.0N)) with { color: crimson };
        }
        output height: Real [m] = r.y;
        output load: Real [N] = -ground * (leg[0].foot.y + leg[1].foot.y + leg[2].foot.y + leg[3].foot.y);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robot = Quadruped::<f64>::default();
    let mut run = Simulation::of(&robot, GeneralizedAlpha::with_spectral_radius(0.6)).fixed(2e-3)?;
    let (mut film, mut table) = (Film::of(&robot), Table::of(&robot));
    run.run(1.0, 0.01, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().speed(0.25).write(gallery::file("quadruped.svg"))?;
    Plot::over_time(&table, &["height"])?.write(gallery::file("quadruped_height.svg"))?;

    run.advance_to(4.0)?;
    let x = run.state();
    let y = robot.outputs(x.at(&quadruped::U::default()), run.state().rates());
    let legs: f64 = robot.leg.iter().map(|leg| leg.m[0] + leg.m[1]).sum();
    let weight = (robot.m + legs) * robot.g;
    println!("trunk at {:.3} m, ground carries {:.2} N of {weight:.2} N", y.height(), y.load());
    assert!((y.load() - weight).abs() < 1e-2 * weight);
    // what the hips carry is the trunk alone: Φ = hip − trunk, so the trunk is held by −λ
    let hips = [x.lambda.joint_0(), x.lambda.joint_1(), x.lambda.joint_2(), x.lambda.joint_3()];
    let carried: f64 = -hips.iter().map(|l| l[1]).sum::<f64>();
    assert!((carried.abs() - robot.m * robot.g).abs() < 1e-2 * weight, "{carried}");
    Ok(())
}
