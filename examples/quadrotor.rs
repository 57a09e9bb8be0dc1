//! A quadrotor: hovering flight, and its linearisation against the one on paper.

use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Quadrotor: rigid body, four rotors with first-order thrust lag.
    #[model(derive(Clone, Debug))]
    pub struct Quadrotor<T> {
        param m: Real [kg] = 1.0;
        param j: SymMat3 [kg*m^2] = diag(0.01, 0.01, 0.02);
        param g: Real [m/s^2] = 9.81;
        /// rotor hubs in the body frame
        param hub: [Vec3; 4] [m] = [
            vec3(0.2, 0.0, 0.0), vec3(0.0, 0.2, 0.0), vec3(-0.2, 0.0, 0.0), vec3(0.0, -0.2, 0.0),
        ];
        param spin: [Real; 4] = [1.0, -1.0, 1.0, -1.0];
        /// drag torque per thrust
        param kappa: Real [m] = 0.016;
        param tau_m: Real [s] = 0.05;
        param c_lin: Real [N*s/m] = 0.1;

        coord r: Vec3 [m];
        coord (q, w): SO3;
        /// rotor thrusts (first-order states)
        state f: [Real; 4] [N];
        /// thrust commands
        input cmd: [Real; 4] [N] in 0.0..=8.0;

        let b = frame(r, q);
        body hull on b { mass: m, inertia: j }
        gravity = vec3(0.0, 0.0, -g);

        for i in 0..4 {
            der(f[i]) = (cmd[i] - f[i]) / tau_m;
            force thrust on b.at(hub[i]) = b.vec(vec3(0.0, 0.0, f[i]));
            torque react on b = b.vec(vec3(0.0, 0.0, spin[i] * kappa * f[i]));
        }
        force drag on r = -c_lin * der(r);

        init r = vec3(0.0, 0.0, 1.0);
        init q = exp_so3(vec3(0.0, 0.0, 0.0));
        init f = [2.4525, 2.4525, 2.4525, 2.4525];

        show hull = point(r) with { color: black };
        show arms = line(b.at(hub[0]), b.at(hub[2]));
        show beam = line(b.at(hub[1]), b.at(hub[3]));
        for i in 0..4 {
            show rotor = circle(b * frame(hub[i], rot_z(0.0)), 0.1m) with { color: silver };
            show thrust = arrow(b.at(hub[i]), b.vec(vec3(0.0, 0.0, 0.05m * f[i] / 1.0N))) with { color: crimson };
        }
        show ground = polygon(
            vec3(-0.4m, -0.4m, 0.0), vec3(0.4m, -0.4m, 0.0), vec3(0.4m, 0.4m, 0.0), vec3(-0.4m, 0.4m, 0.0),
        ) with { color: silver };

        output accel: Vec3 [m/s^2] = b.inv().vec(der2(r) + vec3(0.0, 0.0, g));
        output gyro: Vec3 [rad/s] = w;
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plant = Quadrotor::<f64>::default();
    // a controller of height, place and attitude: the hull leans to where it wants to go
    let setup = Simulation::of(&plant, Geodesic).input_fn(|x, u| {
        let (q, w, r, v) = (x.q.q(), x.v.w(), x.q.r(), x.v.r());
        let lift = 9.81 / 4.0 - 0.5 * (r[2] - 2.0) - 0.7 * v[2];
        let lean = [0, 1].map(|i| (0.03 * r[i] + 0.06 * v[i]).clamp(-0.25, 0.25));
        let [roll, pitch] = [lean[1] - q[1] - 0.14 * w[0], -lean[0] - q[2] - 0.14 * w[1]];
        u.set_cmd([lift - pitch, lift + roll, lift + pitch, lift - roll].map(|f: f64| f.clamp(0.0, 8.0)));
    });
    // thrown with a roll
    let mut start = State::neutral(&plant);
    plant.guess(&mut start.q, &mut start.v, &mut start.z);
    start.v.set_w([3.0, 0.0, 0.0]);
    let mut run = setup.given(start).adaptive(1e-8)?;
    let (mut film, mut table) = (Film::of(&plant), Table::of(&plant));
    run.run(4.0, 1.0 / 16.0, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().speed(0.5).width(480.0).trace("hull")?.write(gallery::file("quadrotor.svg"))?;
    Plot::over_time(&table, &["r.x", "r.y", "r.z"])?.write(gallery::file("quadrotor_path.svg"))?;

    run.advance_to(8.0)?;
    let height = run.state().q.r()[2];
    println!("from 1 m to {height:.4} m in {} steps", run.statistics().taken);
    assert!((height - 2.0).abs() < 1e-3);

    // at hover: thrust m g along the body, which turns with it; drag; torques of the rotors
    let hover = Simulation::of(&plant, Geodesic).fixed(0.01)?;
    let (x, u) = (hover.state(), quadrotor::U::from([2.4525; 4]));
    let (k, d) = (plant.stiffness(x.at(&u), x.rates()), plant.damping(x.at(&u), x.rates()));
    let (b, f) = (plant.rate_by_input(x.at(&u), x.rates()), plant.force_by_state(x.at(&u)));
    println!("K = {k:.3}D = {d:.3}B = {b:.3}");
    let (mut stiffness, mut damping, mut inputs, mut thrust) = (k * 0.0, d * 0.0, b * 0.0, f * 0.0);
    (stiffness[(0, 4)], stiffness[(1, 3)]) = (-9.81, 9.81);
    for i in 0..3 {
        damping[(i, i)] = 0.1;
    }
    for (i, hub) in plant.hub.iter().enumerate() {
        inputs[(i, i)] = 1.0 / 0.05;
        (thrust[(2, i)], thrust[(3, i)], thrust[(4, i)]) = (1.0, hub[1], -hub[0]);
        thrust[(5, i)] = plant.spin[i] * plant.kappa;
    }
    assert!((k - stiffness).amax() < 1e-12 && (d - damping).amax() < 1e-12);
    assert!((b - inputs).amax() < 1e-12 && (f - thrust).amax() < 1e-12);
    Ok(())
}
