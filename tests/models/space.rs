//! Bodies, rotations and frames in space against closed forms.

use ode_model::prelude::*;

use crate::{begin, close, near};

model! {
    /// A bob on a rod that swings in space: azimuth and polar angle from the vertical below.
    pub struct SphericalPendulum<T> {
        param m: Real [kg] = 0.7;
        param l: Real [m] = 0.8;
        param g: Real [m/s^2] = 9.81;
        coord phi, th: Angle;
        let bob = frame(vec3(0.0, 0.0, 0.0), rot_z(phi) * rot_x(th)) * frame(vec3(0.0, 0.0, -l), rot_z(0.0));
        body mass on bob { mass: m, inertia: 0.0 }
        gravity = vec3(0.0, 0.0, -g);
        init th = 0.6;
        output at: Vec3 [m] = bob.origin;
        output spin: Real [kg*m^2/s] = m * bob.origin.cross(der(bob.origin)).z;
        guess phi = 0.0;
    }
}
model! {
    /// A heavy rotor in two gimbals: the outer ring turns about the vertical, the inner one about its horizontal, the
    /// rotor in it.
    pub struct Gyroscope {
        param m: Real [kg] = 2.0;
        /// centre of mass of the rotor above the crossing of the axes
        param l: Real [m] = 0.05;
        param g: Real [m/s^2] = 9.81;
        param outer: SymMat3 [kg*m^2] = diag(0.01, 0.011, 0.012);
        param inner: SymMat3 [kg*m^2] = diag(0.004, 0.005, 0.006);
        /// about the rotor's centre of mass
        param a: Real [kg*m^2] = 0.006;
        param c: Real [kg*m^2] = 0.009;
        coord phi, th, psi: Angle;
        let ring = frame(vec3(0.0, 0.0, 0.0), rot_z(phi));
        let cradle = ring * rot_x(th);
        let rotor = cradle * rot_z(psi);
        body b1 on ring { mass: 1.0kg, inertia: outer }
        body b2 on cradle { mass: 0.5kg, inertia: inner }
        body b3 on rotor { mass: m, inertia: diag(a, a, c), com: vec3(0.0, 0.0, l) }
        gravity = vec3(0.0, 0.0, -g);
        input motor: Real [N*m];
        torque drive on rotor = rotor.vec(vec3(0.0, 0.0, motor));
        torque back on cradle = -rotor.vec(vec3(0.0, 0.0, motor));
        init th = 1.1;
        output rate: Vec3 [rad/s] = rotor.rate;
        output l_z: Real [kg*m^2/s] = ring.vec(outer * ring.rate).z + cradle.vec(inner * cradle.rate).z
            + rotor.vec(diag(a, a, c) * rotor.rate).z
            + m * rotor.at(vec3(0.0, 0.0, l)).cross(der(rotor.at(vec3(0.0, 0.0, l)))).z;
        guess phi = 0.0;
        guess psi = 0.0;
    }
}
model! {
    /// Two bars in universal joints: angles about two crossed axes each.
    pub struct SpaceDouble<T> {
        param m: [Real; 2] [kg] = [1.0, 0.6];
        param l: [Real; 2] [m] = [0.5, 0.4];
        param j: [Real; 2] [kg*m^2] = [0.02, 0.01];
        param g: Real [m/s^2] = 9.81;
        coord a, b, c, d: Angle;
        let upper = frame(vec3(0.0, 0.0, 0.0), rot_x(a) * rot_y(b));
        let lower = upper * frame(vec3(0.0, 0.0, -l[0]), rot_x(c) * rot_y(d));
        body b0 on upper { mass: m[0], inertia: diag(j[0], j[0], 0.0 * j[0]), com: vec3(0.0, 0.0, -0.5 * l[0]) }
        body b1 on lower { mass: m[1], inertia: diag(j[1], j[1], 0.0 * j[1]), com: vec3(0.0, 0.0, -0.5 * l[1]) }
        gravity = vec3(0.0, 0.0, -g);
        output tip: Vec3 [m] = lower.at(vec3(0.0, 0.0, -l[1]));
    }
}
model! {
    /// The same bars in one plane, from planar bodies.
    pub struct PlaneDouble {
        param m: [Real; 2] [kg] = [1.0, 0.6];
        param l: [Real; 2] [m] = [0.5, 0.4];
        param j: [Real; 2] [kg*m^2] = [0.02, 0.01];
        param g: Real [m/s^2] = 9.81;
        coord a, c: Angle;
        let hinge = l[0] * vec2(sin(a), -cos(a));
        body b0 on frame2(0.5 * hinge, a) { mass: m[0], inertia: j[0] }
        body b1 on frame2(hinge + 0.5 * l[1] * vec2(sin(a + c), -cos(a + c)), a + c) { mass: m[1], inertia: j[1] }
        gravity = vec2(0.0, -g);
        output tip: Vec2 [m] = hinge + l[1] * vec2(sin(a + c), -cos(a + c));
    }
}
model! {
    /// A body whose attitude is a vector of rotation, sprung to the attitude that the vector `rest` says.
    pub struct Vane {
        param j: SymMat3 [kg*m^2] = [[0.3, 0.02, 0.0], [0.02, 0.2, 0.01], [0.0, 0.01, 0.4]];
        param k: Real [N*m] = 2.0;
        param rest: Vec3 = vec3(0.3, -0.2, 0.1);
        coord r: Vec3;
        let b = frame(vec3(0.0, 0.0, 0.0), exp_so3(r));
        body vane on b { mass: 0.0, inertia: j }
        let off = log_so3(exp_so3(rest).inv() * b.rotation);
        potential = 0.5 * k * off.dot(off);
        init r = vec3(0.3, -0.2, 0.1);
        output momentum: Vec3 [kg*m^2/s] = b.vec(j * b.rate);
        output turn: Vec3 = off;
    }
}

#[test]
fn a_conical_pendulum_keeps_its_angle() {
    let pendulum = SphericalPendulum::<f64>::default();
    let mut x = begin(&pendulum);
    // Ω² l cos θ = g
    let rate = (9.81 / (0.8 * 0.6f64.cos())).sqrt();
    x.v.set_phi(rate);
    let mut run = Simulation::of(&pendulum, Geodesic).given(x).adaptive(1e-11).expect("a start");
    run.advance_to(3.0).expect("steps");
    near(run.state().q.th(), 0.6, 1e-9);
    near(run.state().q.phi(), 3.0 * rate, 1e-8);
}

#[test]
fn a_spherical_pendulum_in_its_plane_is_a_plane_one() {
    let pendulum = SphericalPendulum::<f64>::default();
    let u = spherical_pendulum::U::default();
    let mut x = begin(&pendulum);
    x.v.set_th(1.3);
    close(pendulum.mass(x.at(&u))[(1, 1)], 0.7 * 0.64);
    close(pendulum.force(x.at(&u)).th(), -0.7 * 9.81 * 0.8 * 0.6f64.sin());
    close(pendulum.energy(x.at(&u)).kinetic, 0.5 * 0.7 * 0.64 * 1.69);
    close(pendulum.energy(x.at(&u)).potential, -0.7 * 9.81 * 0.8 * 0.6f64.cos());
    let [px, py, pz] = pendulum.outputs(x.at(&u), x.rates()).at();
    close(px, 0.0);
    close(py, 0.8 * 0.6f64.sin());
    close(pz, -0.8 * 0.6f64.cos());
    // off the plane energy and the vertical angular momentum stay
    x.v.set_phi(2.0);
    let total = |x: &State<SphericalPendulum<f64>>| {
        let e = pendulum.energy(x.at(&spherical_pendulum::U::default()));
        e.kinetic + e.potential
    };
    let (energy, spin) = (total(&x), pendulum.outputs(x.at(&u), x.rates()).spin());
    close(spin, 0.7 * (0.8 * 0.6f64.sin()).powi(2) * 2.0);
    let mut run = Simulation::of(&pendulum, Geodesic).given(x).adaptive(1e-11).expect("a start");
    run.advance_to(2.0).expect("steps");
    let x = run.state();
    near(total(x), energy, 1e-8);
    near(pendulum.outputs(x.at(&u), x.rates()).spin(), spin, 1e-9);
}

#[test]
fn a_gyroscope_precesses_at_the_rate_that_holds_it_up() {
    let gyro = Gyroscope::default();
    let u = gyroscope::U::default();
    let mut x = begin(&gyro);
    // (A + m l² + B' − C') Ω² cos θ − C n Ω + m g l = 0 with the spin n of the rotor along its axis
    let (th, n, l, m) = (1.1f64, 90.0, 0.05, 2.0);
    let (square, linear, load) = ((0.006 + m * l * l + 0.005 - 0.006) * th.cos(), 0.009 * n, m * 9.81 * l);
    let precession = 2.0 * load / (linear + (linear * linear - 4.0 * square * load).sqrt());
    x.v.set_phi(precession);
    x.v.set_psi(n - precession * th.cos());
    for (f, name) in gyro.force(x.at(&u)).array().iter().zip(["phi", "th", "psi"]) {
        assert!(f.abs() < 1e-12, "{name} accelerates by {f:e}");
    }
    close(gyro.outputs(x.at(&u), x.rates()).rate()[2], n);
    let before = gyro.outputs(x.at(&u), x.rates()).l_z();
    let mut run = Simulation::of(&gyro, Geodesic).given(x).adaptive(1e-10).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state().clone();
    near(x.q.th(), th, 1e-8);
    near(x.q.phi(), precession, 1e-7);
    near(gyro.outputs(x.at(&u), x.rates()).l_z(), before, 1e-8);
}

#[test]
fn a_motor_between_two_bodies_turns_only_what_is_between_them() {
    let gyro = Gyroscope::default();
    let mut u = gyroscope::U::default();
    u.set_motor(0.3);
    let mut x = begin(&gyro);
    x.v = [0.4, -0.3, 7.0].into();
    let driven = gyro.force(x.at(&u));
    let free = gyro.force(x.at(&gyroscope::U::default()));
    for (k, wanted) in [0.0, 0.0, 0.3].into_iter().enumerate() {
        close(driven.array()[k] - free.array()[k], wanted);
    }
    // its power is that of the relative turn
    let power: f64 = gyro.power(x.at(&u)).iter().sum();
    close(power, 0.3 * 7.0);
}

#[test]
fn a_double_pendulum_in_space_swings_in_a_plane_like_the_planar_one() {
    let (space, plane) = (SpaceDouble::<f64>::default(), PlaneDouble::default());
    let (mut x, mut y) = (begin(&space), begin(&plane));
    x.q = [0.9, 0.0, 0.7, 0.0].into();
    x.v = [0.3, 0.0, -1.1, 0.0].into();
    y.q = [0.9, 0.7].into();
    y.v = [0.3, -1.1].into();
    let mut first = Simulation::of(&space, Geodesic).given(x).adaptive(1e-11).expect("a start");
    let mut second = Simulation::of(&plane, Geodesic).given(y).adaptive(1e-11).expect("a start");
    first.advance_to(1.5).expect("steps");
    second.advance_to(1.5).expect("steps");
    let (x, y) = (first.state(), second.state());
    let [x0, x1, x2] = space.outputs(x.at(&space_double::U::default()), x.rates()).tip();
    let [y0, y1] = plane.outputs(y.at(&plane_double::U::default()), y.rates()).tip();
    near(x0, 0.0, 1e-12);
    near(x1, y0, 1e-7);
    near(x2, y1, 1e-7);
}

#[test]
fn a_double_pendulum_in_space_moves_alike_in_every_vertical_plane() {
    // the upper bar by 0.9 in a plane turned by 0.5 from the first: the same tip, turned
    let space = SpaceDouble::<f64>::default();
    let u = space_double::U::default();
    let end = |q: [f64; 4]| {
        let mut x = begin(&space);
        x.q = q.into();
        let mut run = Simulation::of(&space, Geodesic).given(x).adaptive(1e-11).expect("a start");
        run.advance_to(0.8).expect("steps");
        let x = run.state();
        space.outputs(x.at(&u), x.rates()).tip()
    };
    let [_, straight, low] = end([0.9, 0.0, 0.0, 0.0]);
    // Rx(a) Ry(b) (−z) = (−sin b, sin a cos b, −cos a cos b), here sin 0.9 (−sin 0.5, cos 0.5) beside the vertical
    let b = (0.9f64.sin() * 0.5f64.sin()).asin();
    let a = (0.9f64.sin() * 0.5f64.cos() / b.cos()).atan2(0.9f64.cos() / b.cos());
    let [x, y, z] = end([a, b, 0.0, 0.0]);
    near(z, low, 1e-8);
    near(x, -0.5f64.sin() * straight, 1e-8);
    near(y, 0.5f64.cos() * straight, 1e-8);
}

#[test]
fn a_sprung_vane_rests_where_the_spring_says() {
    let vane = Vane::default();
    let u = vane::U::default();
    let mut x = begin(&vane);
    // at rest in the attitude of rest: no force, although log is taken at the identity
    for f in vane.force(x.at(&u)).as_array() {
        near(*f, 0.0, 1e-15);
    }
    // K there is that of the spring: exp(rest)ᵀ exp(rest + δ) turns by T δ with the tangent map T, so K = k Tᵀ T
    let stiffness = vane.stiffness(x.at(&u), x.rates());
    x.v = [0.0, 0.0, 1.0].into();
    let along = vane.outputs(x.at(&u), x.rates()).momentum();
    let energy = vane.energy(x.at(&u)).kinetic;
    assert!(along.iter().any(|p| p.abs() > 0.1) && energy > 0.1);
    let fast = |x: &State<Vane>| vane.energy(x.at(&vane::U::default()));
    let before = fast(&x);
    let mut run = Simulation::of(&vane, Geodesic).given(x).adaptive(1e-10).expect("a start");
    run.advance_to(2.0).expect("steps");
    let after = fast(run.state());
    near(after.kinetic + after.potential, before.kinetic + before.potential, 1e-8);
    let trace: f64 = (0..3).map(|i| stiffness[(i, i)]).sum();
    // |T|² = 1 + 2 · 2 (1 − cos θ)/θ² with θ² = 0.14
    let angle = 0.14f64.sqrt();
    near(trace, 2.0 * (1.0 + 4.0 * (1.0 - angle.cos()) / 0.14), 1e-12);
}

#[test]
fn an_inertia_no_body_has_is_refused_when_the_model_is_built() {
    let wrong = [[0.3, 0.9, 0.0], [0.9, 0.2, 0.0], [0.0, 0.0, 0.4]];
    let error = Vane::builder().j(wrong).build().expect_err("a product of inertia too large");
    assert!(error.to_string().contains("negative principal moment"), "{error}");
    assert!(Vane::builder().j([[0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.0]]).build().is_ok(), "a thin rod");
}
