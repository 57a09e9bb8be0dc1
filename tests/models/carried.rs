//! Forces that a body carries with it.

use ode_model::prelude::*;

use crate::begin;

model! {
    /// A body with an arm, pushed along its own axes, and the arm along its own, on a base that the time moves.
    pub struct Carried<T> {
        param hub: Vec3 = vec3(0.3, -0.2, 0.1);
        coord r: Vec3;
        coord (q, w): SO3;
        coord th: Angle;
        input f: Real = 2.0;
        let base = frame(vec3(0.0, 0.1 * sin(2.0 * t), 0.0), rot_x(0.3 * t));
        let b = base * frame(r, q);
        let arm = b * frame(vec3(0.2, 0.0, 0.1), rot_y(th));
        body hull on b { mass: 1.3, inertia: diag(0.2, 0.3, 0.4) }
        body tip on arm { mass: 0.4, inertia: diag(0.01, 0.02, 0.02), com: vec3(0.0, 0.0, 0.2) }
        force push on b.at(hub) = b.vec(vec3(0.5 * f, f, -2.0 * w.x));
        force pull on arm.at(vec3(0.1, 0.0, 0.4)) = arm.vec(vec3(f, 0.7 * th, 0.2));
        torque spin on arm = arm.vec(vec3(0.1 * f, 0.3, 0.0));
        init r = vec3(0.4, 0.2, -0.3);
        init w = vec3(0.5, -0.8, 1.1);
        init th = 0.6;
    }
}

model! {
    /// The same with each force as the sum of two, which is a vector of the world.
    pub struct InTheWorld<T> {
        param hub: Vec3 = vec3(0.3, -0.2, 0.1);
        coord r: Vec3;
        coord (q, w): SO3;
        coord th: Angle;
        input f: Real = 2.0;
        let base = frame(vec3(0.0, 0.1 * sin(2.0 * t), 0.0), rot_x(0.3 * t));
        let b = base * frame(r, q);
        let arm = b * frame(vec3(0.2, 0.0, 0.1), rot_y(th));
        body hull on b { mass: 1.3, inertia: diag(0.2, 0.3, 0.4) }
        body tip on arm { mass: 0.4, inertia: diag(0.01, 0.02, 0.02), com: vec3(0.0, 0.0, 0.2) }
        let x = vec3(1.0, 0.0, 0.0);
        let y = vec3(0.0, 1.0, 0.0);
        let z = vec3(0.0, 0.0, 1.0);
        force push on b.at(hub) = 0.5 * f * b.vec(x) + f * b.vec(y) - 2.0 * w.x * b.vec(z);
        force pull on arm.at(vec3(0.1, 0.0, 0.4)) = f * arm.vec(x) + 0.7 * th * arm.vec(y) + 0.2 * arm.vec(z);
        torque spin on arm = 0.1 * f * arm.vec(x) + 0.3 * arm.vec(y);
        init r = vec3(0.4, 0.2, -0.3);
        init w = vec3(0.5, -0.8, 1.1);
        init th = 0.6;
    }
}

#[test]
fn forces_along_the_axes_of_their_body_are_those_of_the_world() {
    let (carried, world) = (Carried::<f64>::default(), InTheWorld::<f64>::default());
    let (mut x, mut y) = (begin(&carried), begin(&world));
    let (u, n) = (carried::U::from([1.7]), in_the_world::U::from([1.7]));
    let step = [0.3, -0.1, 0.2, 0.9, -0.4, 0.7, 0.5];
    for k in 0..4 {
        (x.t, y.t) = (0.4 * f64::from(k), 0.4 * f64::from(k));
        x.a.array_mut().copy_from_slice(&step);
        y.a.array_mut().copy_from_slice(&step);
        let same = |name: &str, a: &[f64], b: &[f64]| {
            let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(a.len() == b.len() && off < 1e-13, "{name} at {}: {off:e}", x.t);
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
    let k = thrust.stiffness(x.at(&thrust::U::from([3.0])), x.rates());
    assert!(k.view((3, 3), (3, 3)).iter().all(|k| *k == 0.0), "exactly, not to round-off: {k}");
}

model! {
    /// A body with a thruster.
    pub struct Thrust<T> {
        coord r: Vec3;
        coord (q, w): SO3;
        input f: Real;
        let b = frame(r, q);
        body hull on b { mass: 1.0, inertia: diag(0.2, 0.3, 0.4) }
        force push on b.at(vec3(0.2, 0.1, 0.0)) = b.vec(vec3(0.0, 0.0, f));
        torque turn on b = q.rotate(vec3(0.0, f, 0.0));
        init w = vec3(0.5, -0.8, 1.1);
    }
}
