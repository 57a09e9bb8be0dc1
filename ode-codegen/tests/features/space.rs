//! Rotations and frames in space.

use super::{Model, close, model, number, outputs, whole};

fn equal(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        close(*found, *wanted);
    }
}

#[test]
fn rotations_of_space() {
    let items = "coord a, b: Angle; mass a = 1.0; mass b = 1.0; param u: Vec3 = vec3(1.0, 2.0, 3.0);
        let r = rot_z(a) * rot_x(b); let e = exp_so3(vec3(0.2 * x, a, -b));";
    let (s, c) = 0.5f64.sin_cos();
    equal(&outputs(items, "rot_x(a).rotate(vec3(1.0, 2.0, 3.0))"), &[1.0, 2.0 * c - 3.0 * s, 2.0 * s + 3.0 * c]);
    equal(&outputs(items, "rot_y(a).rotate(vec3(1.0, 2.0, 3.0))"), &[c + 3.0 * s, 2.0, 3.0 * c - s]);
    equal(&outputs(items, "rot_z(a).rotate(vec3(1.0, 2.0, 3.0))"), &[c - 2.0 * s, s + 2.0 * c, 3.0]);
    // a product turns by its right factor first, and the inverse turns back
    let twice = outputs(items, "rot_z(a).rotate(rot_x(b).rotate(u))");
    equal(&outputs(items, "r.rotate(u)"), &twice);
    equal(&outputs(items, "r.inv().rotate(r.rotate(vec3(1.0, 2.0, 3.0)))"), &[1.0, 2.0, 3.0]);
    equal(&outputs(items, "(r.inv() * r).rotate(vec3(1.0, 2.0, 3.0))"), &[1.0, 2.0, 3.0]);
    // the exponential of a multiple of an axis is the rotation about it, by the matrix and by the quaternion
    for (axis, v) in [("x", "vec3(a, 0.0, 0.0)"), ("y", "vec3(0.0, a, 0.0)"), ("z", "vec3(0.0, 0.0, a)")] {
        let [by_axis, by_vector] =
            [format!("rot_{axis}(a).rotate(u)"), format!("exp_so3({v}).rotate(u)")].map(|e| outputs(items, &e));
        equal(&by_axis, &by_vector);
        equal(&outputs(items, &format!("log_so3(rot_{axis}(a))")), &outputs(items, &format!("{v} * 1.0")));
    }
    equal(&outputs(items, "log_so3(e)"), &[0.4, 0.5, -0.25]);
    equal(&outputs(items, "log_so3(e.inv())"), &[-0.4, -0.5, 0.25]);
    // near the identity the series, and beyond half a turn the shorter way back
    equal(&outputs(items, "log_so3(exp_so3(vec3(0.01 * a, 0.0, 0.002)))"), &[0.005, 0.0, 0.002]);
    equal(&outputs(items, "log_so3(rot_z(a + 4.0))"), &[0.0, 0.0, 4.5 - std::f64::consts::TAU]);
    equal(&outputs(items, "log_so3(rot_z(0.0 * a))"), &[0.0; 3]);
}

#[test]
fn rates_of_rotations_are_those_of_their_matrices() {
    let items = "coord a, b: Angle; mass a = 1.0; mass b = 1.0; param u: Vec3 = vec3(1.0, 2.0, 3.0);
        let r = rot_z(a) * rot_x(b * b) * rot_y(t);";
    let rotations =
        ["r", "r.inv()", "exp_so3(vec3(x, 0.3 * a, b * a))", "exp_so3(vec3(x, a, b)) * r.inv()", "rot_z(3.0 * t) * r"];
    for r in rotations {
        // d/dt (R u) = R (ω × u)
        let moved = outputs(items, &format!("der(({r}).rotate(u))"));
        equal(&outputs(items, &format!("({r}).rotate(({r}).rate.cross(u))")), &moved);
    }
    // and the logarithm is smooth through the identity: its rate there is the body rate
    equal(&outputs(items, "der(log_so3(rot_z(a - 0.5) * rot_x(b - 0.25)))"), &[0.5, 0.0, -1.0]);
    equal(&outputs(items, "der(log_so3(exp_so3(vec3(x, a, b))))"), &[3.0, -1.0, 0.5]);
}

#[test]
fn frames_of_space() {
    let items = "coord a: Angle; mass a = 1.0; coord p: Vec3; mass p = 1.0; param u: Vec3 = vec3(1.0, 2.0, 3.0);
        let base = frame(vec3(x, 1.0, 0.0), rot_z(a)); let arm = base * frame(vec3(0.0, 0.0, 2.0), rot_x(2.0 * a));
        let hand = arm * frame(vec3(x, 0.5, 0.1), rot_y(t)); let free = frame(vec3(t, a, x), exp_so3(vec3(a, x, t)));";
    let (s, c) = 0.5f64.sin_cos();
    equal(&outputs(items, "base.at(vec3(1.0, 2.0, 3.0))"), &[2.0 + c - 2.0 * s, 1.0 + s + 2.0 * c, 3.0]);
    equal(&outputs(items, "base.vec(vec3(1.0, 2.0, 3.0))"), &[c - 2.0 * s, s + 2.0 * c, 3.0]);
    // a composed frame is the outer one of the inner one
    let inner = "base.at(vec3(0.0, 0.0, 2.0) + rot_x(2.0 * a).rotate(u))";
    equal(&outputs(items, "arm.at(u)"), &outputs(items, inner));
    equal(&outputs(items, "hand.origin"), &outputs(items, "arm.at(vec3(x, 0.5, 0.1))"));
    equal(&outputs(items, "(base * rot_x(a)).at(u)"), &outputs(items, "base.at(rot_x(a).rotate(u))"));
    for b in ["base", "arm", "hand", "arm * rot_x(x)", "free", "base.inv()", "arm.inv() * hand", "base * (free * hand)"]
    {
        let back = outputs(items, &format!("({b}).inv().at(({b}).at(u))"));
        equal(&back, &outputs(items, "u"));
        let round = outputs(items, &format!("({b}).rotation.rotate(u)"));
        equal(&outputs(items, &format!("({b}).vec(u)")), &round);
        let moved = outputs(items, &format!("der(({b}).vec(u))"));
        equal(&outputs(items, &format!("({b}).vec(({b}).rate.cross(u))")), &moved);
    }
    equal(&outputs(items, "(arm.inv() * hand).at(u)"), &outputs(items, "frame(vec3(x, 0.5, 0.1), rot_y(t)).at(u)"));
}

#[test]
fn the_motion_of_a_chain_is_that_of_its_world_frame() {
    let m = model(
        "coord a: Angle; mass a = 1.0; coord p: Vec3; mass p = 1.0;
         let base = frame(vec3(x, 1.0, 0.0), rot_z(a)); let free = frame(vec3(t, a, x), exp_so3(vec3(a, x, t)));
         let tip = base * (free * frame(vec3(x, 0.5, a), rot_y(t)));
         output v: Vec3 = tip.rotation.inv().rotate(der(tip.origin)); output w: Vec3 = tip.rate;",
    );
    let frame = m.space.frames.last().expect("frames");
    let mut g = m.graph.clone();
    let own = g.turn_back(&frame.rotation, frame.velocity);
    let whole = Model { graph: g, ..whole("struct P { coord x: Real; kinetic = sq(der(x)); }") };
    equal(
        &own.map(|n| number(&whole, n)),
        &m.observed.outputs[0].value.iter().map(|n| number(&m, *n)).collect::<Vec<_>>(),
    );
    equal(
        &frame.spin.map(|n| number(&m, n)),
        &m.observed.outputs[1].value.iter().map(|n| number(&m, *n)).collect::<Vec<_>>(),
    );
}
