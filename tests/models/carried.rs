//! Forces that a body carries with it.

use ode_model::prelude::*;

use ode_model::so3;

use crate::{begin, close};

model! {
    /// A body with an arm, pushed along its own axes, and the arm along its own, on a base that the time moves.
    pub struct Carried<T> {
        param hub: Vec3 = vec3(0.3, -0.2, 0.1);
        coord r: Vec3;
        coord (q, w): SO3;
        coord th: Angle;
        /// along the arm
        coord s: Real;
        kinetic slider = 0.1 * sq(der(s));
        input f: Real = 2.0;
        let base = frame(vec3(0.0, 0.1 * sin(2.0 * t), 0.0), rot_x(0.3 * t));
        let b = base * frame(r, q);
        let arm = b * frame(vec3(0.2, 0.0, 0.1), rot_y(th));
        body hull on b { mass: 1.3, inertia: diag(0.2, 0.3, 0.4) }
        body tip on arm { mass: 0.4, inertia: diag(0.01, 0.02, 0.02), com: vec3(0.0, 0.0, 0.2) }
        force push on b.at(hub) = b.vec(vec3(0.5 * f, f, -2.0 * w.x));
        force pull on arm.at(vec3(0.1, sin(t), 0.4 + s)) = arm.vec(vec3(f, 0.7 * th, 0.2));
        torque spin on arm = arm.vec(vec3(0.1 * f, 0.3, 0.0));
        init r = vec3(0.4, 0.2, -0.3);
        init w = vec3(0.5, -0.8, 1.1);
        init th = 0.6;
        init s = 0.1;
    }
}

model! {
    /// The same with vectors of the world, made of their entries.
    pub struct InTheWorld<T> {
        param one: Real = 1.0;
        param hub: Vec3 = vec3(0.3, -0.2, 0.1);
        coord r: Vec3;
        coord (q, w): SO3;
        coord th: Angle;
        /// along the arm
        coord s: Real;
        kinetic slider = 0.1 * sq(der(s));
        input f: Real = 2.0;
        let base = frame(vec3(0.0, 0.1 * sin(2.0 * t), 0.0), rot_x(0.3 * t));
        let b = base * frame(r, q);
        let arm = b * frame(vec3(0.2, 0.0, 0.1), rot_y(th));
        body hull on b { mass: 1.3, inertia: diag(0.2, 0.3, 0.4) }
        body tip on arm { mass: 0.4, inertia: diag(0.01, 0.02, 0.02), com: vec3(0.0, 0.0, 0.2) }
        let push = b.vec(vec3(0.5 * f, f, -2.0 * w.x));
        let pull = arm.vec(vec3(f, 0.7 * th, 0.2));
        let spin = arm.vec(vec3(0.1 * f, 0.3, 0.0));
        force push on b.at(hub) = vec3(one * push.x, one * push.y, one * push.z);
        force pull on arm.at(vec3(0.1, sin(t), 0.4 + s)) = vec3(one * pull.x, one * pull.y, one * pull.z);
        torque spin on arm = vec3(one * spin.x, one * spin.y, one * spin.z);
        init r = vec3(0.4, 0.2, -0.3);
        init w = vec3(0.5, -0.8, 1.1);
        init th = 0.6;
        init s = 0.1;
    }
}

#[test]
fn forces_along_the_axes_of_their_body_are_those_of_the_world() {
    let (carried, world) = (Carried::<f64>::default(), InTheWorld::<f64>::default());
    let (mut x, mut y) = (begin(&carried), begin(&world));
    let (u, n) = (carried::U::from([1.7]), in_the_world::U::from([1.7]));
    let step = [0.3, -0.1, 0.2, 0.9, -0.4, 0.7, 0.5, 0.2];
    for k in 0..4 {
        (x.t, y.t) = (0.4 * f64::from(k), 0.4 * f64::from(k));
        x.a.array_mut().copy_from_slice(&step);
        y.a.array_mut().copy_from_slice(&step);
        let same = |name: &str, a: &[f64], b: &[f64]| {
            let close = a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13);
            assert!(a.len() == b.len() && close, "{name} at {}: {a:?} for {b:?}", x.t);
        };
        same("f", carried.force(x.at(&u)).as_ref(), world.force(y.at(&n)).as_ref());
        same("power", &carried.power(x.at(&u)), &world.power(y.at(&n)));
        let (own, other) = (carried.stiffness(x.at(&u), x.rates()), world.stiffness(y.at(&n), y.rates()));
        same("K", own.as_slice(), other.as_slice());
        let (own, other) = (carried.damping(x.at(&u), x.rates()), world.damping(y.at(&n), y.rates()));
        same("D", own.as_slice(), other.as_slice());
        let (own, other) = (carried.force_by_input(x.at(&u), x.rates()), world.force_by_input(y.at(&n), y.rates()));
        same("B", own.as_slice(), other.as_slice());
        let (from, to) = (x.q, y.q);
        carried.retract(&from, &step.into(), &mut x.q);
        world.retract(&to, &step.into(), &mut y.q);
    }
}

#[test]
fn a_force_along_the_axes_of_its_body_takes_no_rotation_there_and_back() {
    let thrust = Thrust::<f64>::default();
    let mut x = begin(&thrust);
    let from = x.q;
    thrust.retract(&from, &[0.3, -0.1, 0.2, 0.9, -0.4, 0.7].into(), &mut x.q);
    let u = thrust::U::from([3.0]);
    // (R f, p × f + torque)
    let [w, i, j, k] = x.q.q();
    let [x_z, y_z, z_z] = so3::rotate(&[w, i, j, k], &[0.0, 0.0, 3.0]);
    let spin = [0.5, -0.8, 1.1];
    let gyroscopic = [0.1 * spin[1] * spin[2], -0.2 * spin[2] * spin[0], 0.1 * spin[0] * spin[1]];
    let wanted = [x_z, y_z, z_z, 0.3, 2.4, 0.0];
    for (i, (got, want)) in thrust.force(x.at(&u)).as_array().iter().zip(wanted).enumerate() {
        close(*got, want - if i < 3 { 0.0 } else { gyroscopic[i - 3] });
    }
    let k = thrust.stiffness(x.at(&u), x.rates());
    assert!(k.view((3, 3), (3, 3)).iter().all(|k| *k == 0.0), "exactly, not to round-off: {k}");
    assert!(k.view((0, 3), (3, 3)).iter().any(|k| k.abs() > 0.1), "a thrust turns with its body: {k}");
}

model! {
    /// A body with a thruster.
    pub struct Thrust<T> {
        coord r: Vec3;
        coord (q, w): SO3;
        input f: Real;
        let b = frame(r, q);
        body hull on b { mass: 1.0, inertia: diag(0.2, 0.3, 0.4) }
        let up = b.vec(vec3(0.0, 0.0, 2.0));
        force push on b.at(vec3(0.2, 0.1, 0.0)) = f * up - b.vec(vec3(0.0, 0.0, 0.5 * f)) - f * up / 4.0;
        torque turn on b = -q.rotate(vec3(0.0, -f, 0.0));
        init w = vec3(0.5, -0.8, 1.1);
    }
}

model! {
    /// Something pushed along a wall that stands still, by a force that is known along the wall.
    pub struct Incline<T> {
        coord x: Real;
        input push: Real;
        kinetic = 0.5 * sq(der(x));
        let wall = frame(vec3(0.0, 0.0, 0.2), rot_y(0.3));
        force slide on wall.at(vec3(x, 0.0, 0.0)) = wall.vec(vec3(push, 0.0, 0.0));
        guess x = 0.0;
    }
}

model! {
    /// The same in syrup.
    #[model(order = 1)]
    pub struct Syrup<T> {
        coord x: Real;
        input push: Real;
        dissipation = 0.5 * sq(der(x));
        let wall = frame(vec3(0.0, 0.0, 0.2), rot_y(0.3));
        force slide on wall.at(vec3(x, 0.0, 0.0)) = wall.vec(vec3(push, 0.0, 0.0));
        guess x = 0.0;
    }
}

#[test]
fn a_point_that_moves_in_its_frame_is_moved_there() {
    let (incline, syrup) = (Incline::<f64>::default(), Syrup::<f64>::default());
    let (mut x, y) = (begin(&incline), begin(&syrup));
    x.v.array_mut()[0] = 2.0;
    let (u, n) = (incline::U::from([1.7]), syrup::U::from([1.7]));
    close(incline.force(x.at(&u)).as_array()[0], 1.7);
    close(incline.power(x.at(&u))[0], 3.4);
    close(syrup.force(y.at(&n)).as_array()[0], 1.7);
}

model! {
    /// A body whose load moves along its arm, with the load as a body of which the centre moves.
    pub struct Loaded<T> {
        coord (q, w): SO3;
        coord s: Real;
        let b = frame(vec3(0.0, 0.1 * t, 0.0), q);
        body hull on b { mass: 1.0, inertia: diag(0.2, 0.3, 0.4) }
        body load on b { mass: 0.7, inertia: diag(0.01, 0.02, 0.03), com: vec3(s, 0.2, 0.1 * t) }
        init w = vec3(0.5, -0.8, 1.1);
        init s = 0.4;
        init der(s) = -0.6;
    }
}

model! {
    /// The same by the velocity of the load.
    pub struct ByVelocity<T> {
        coord (q, w): SO3;
        coord s: Real;
        let b = frame(vec3(0.0, 0.1 * t, 0.0), q);
        body hull on b { mass: 1.0, inertia: diag(0.21, 0.32, 0.43) }
        let load = b.at(vec3(s, 0.2, 0.1 * t));
        kinetic = 0.35 * der(load).dot(der(load));
        init w = vec3(0.5, -0.8, 1.1);
        init s = 0.4;
        init der(s) = -0.6;
    }
}

#[test]
fn a_centre_of_mass_may_move_in_its_body() {
    let (loaded, wanted) = (Loaded::<f64>::default(), ByVelocity::<f64>::default());
    let (mut x, mut y) = (begin(&loaded), begin(&wanted));
    (x.t, y.t) = (0.7, 0.7);
    let (u, n) = (loaded::U::default(), by_velocity::U::default());
    close(loaded.energy(x.at(&u)).kinetic, wanted.energy(y.at(&n)).kinetic);
    for (got, want) in loaded.force(x.at(&u)).as_array().iter().zip(wanted.force(y.at(&n)).as_array()) {
        close(*got, *want);
    }
    for (got, want) in loaded.mass(x.at(&u)).iter().zip(wanted.mass(y.at(&n)).iter()) {
        close(*got, *want);
    }
}
