//! Units of what is recorded: of models that have them, in their own words or from what follows, and of those without.

use ode_model::Observable;
use ode_model::prelude::*;

model! {
    /// Every kind of coordinate, with units.
    pub struct Measured {
        param m: Real [kg] = 2.0;
        param k: Real [N/m] = 3.0;
        coord r: Vec2 [m];
        coord th: Angle;
        coord turn: Real [rad];
        coord spin: Real [rad/s];
        coord speed: Real [m/s];
        coord charge: Real [C];
        coord share: Real;
        coord plain: Real [1];
        coord (pose, twist): SE3 [m];
        coord q: SO3;
        state heat: Real [J];
        input push: Real [N] = 0.0;
        mode on: Real = 0.0;
        kinetic = 0.5 * m * der(r).dot(der(r)) + 0.5 * m * sq(1.0m) * (sq(der(th)) + sq(der(turn)) + sq(der(share)));
        kinetic = 0.5 * m * sq(1.0m) * (sq(1.0s * der(spin)) + sq(der(plain)));
        kinetic = 0.5 * m * sq(1.0s * der(speed));
        kinetic = 0.5 * 1.0H * sq(der(charge));
        body flying on pose { mass: m, inertia: m * sq(1.0m) * diag(1.0, 2.0, 2.5) }
        body spinning on frame(vec3(0.0, 0.0, 0.0), q) { mass: m, inertia: m * sq(1.0m) * diag(1.0, 2.0, 2.5) }
        dissipation = 0.5 * 1.0N * 1.0s * 1.0m * sq(der(th));
        force push on r.x = push;
        fix r.y = 0.0;
        der(heat) = -heat / 1.0s;
        event never when t > 100.0s { on = 1.0; }
        output pull = k * r;
        output none: Real [N] = 0.0;
        output ratio = th / 2.0;
        output angle: Angle = th;
    }
}

model! {
    /// A turn of the plane.
    pub struct Wheel {
        param j: Real [kg*m^2] = 2.0;
        coord flat: SO2;
        body wheel on flat { mass: 1.0kg, inertia: j }
    }
}

model! {
    /// Without any unit.
    pub struct Bare {
        param m: Real = 2.0;
        coord x: Real;
        coord th: Angle;
        input push: Real;
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * m * sq(der(th));
        force push on x = push;
        constraint hold: th == x;
        init x = 0.1;
        guess th = 0.1;
        output twice: Real = 2.0 * x;
    }
}

model! {
    /// With brackets that nobody checks.
    #[model(units = off)]
    pub struct Unchecked {
        param m: Real [kg] = 2.0;
        coord x: Real [furlong];
        coord r: Vec2 [m];
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * m * der(r).dot(der(r));
        init x = 0.1;
        init r = vec2(1.0, 0.0);
        output twice: Real [furlong] = 2.0 * x;
    }
}

model! {
    /// Without units of its own, around a model that has them.
    pub struct Around {
        sub inner: Inner;
        coord x: Real;
        kinetic = 0.5 * sq(der(x));
        init x = 0.1;
    }
}

model! {
    /// A mass.
    pub struct Inner {
        param m: Real [kg] = 2.0;
        coord y: Real [m];
        kinetic = 0.5 * m * sq(der(y));
        init y = 0.1;
    }
}

fn header<M: Observable>(model: &M) -> Vec<String> {
    Table::of(model).columns().iter().map(ToString::to_string).collect()
}

#[test]
fn units_follow_from_dimensions_and_are_said_as_people_say_them() {
    let wanted = "t [s] | r.x [m] | r.y [m] | th [rad] | turn [rad] | spin [rad/s] | speed [m/s] | charge [C] | share | \
                  plain | pose.x [m] | pose.y [m] | pose.z [m] | pose.qw | pose.qx | pose.qy | pose.qz | \
                  q.w | q.x | q.y | q.z | \
                  der(r.x) [m/s] | der(r.y) [m/s] | der(th) [rad/s] | der(turn) [rad/s] | der(spin) [rad/s^2] | \
                  der(speed) [m/s^2] | der(charge) [A] | der(share) [1/s] | der(plain) [1/s] | twist[0].x [m/s] | \
                  twist[0].y [m/s] | twist[0].z [m/s] | twist[1].x [rad/s] | twist[1].y [rad/s] | \
                  twist[1].z [rad/s] | der(q.x) [rad/s] | der(q.y) [rad/s] | der(q.z) [rad/s] | \
                  heat [J] | der(der(r.x)) [m/s^2] | der(der(r.y)) [m/s^2] | der(der(th)) [rad/s^2] | \
                  der(der(turn)) [rad/s^2] | der(der(spin)) [rad/s^3] | der(der(speed)) [m/s^3] | \
                  der(der(charge)) [A/s] | der(der(share)) [1/s^2] | der(der(plain)) [1/s^2] | \
                  der(twist[0].x) [m/s^2] | der(twist[0].y) [m/s^2] | der(twist[0].z) [m/s^2] | \
                  der(twist[1].x) [rad/s^2] | der(twist[1].y) [rad/s^2] | der(twist[1].z) [rad/s^2] | \
                  der(der(q.x)) [rad/s^2] | der(der(q.y)) [rad/s^2] | \
                  der(der(q.z)) [rad/s^2] | fix_r_y.lambda [N] | on | push [N] | pull.x [N] | pull.y [N] | none [N] | \
                  ratio | angle [rad] | energy.kinetic [J] | energy.potential [J] | energy.dissipation [W] | \
                  run.step [s]";
    assert_eq!(header(&Measured::default()).join(" | "), wanted);
}

#[test]
fn a_turn_of_the_plane_is_two_numbers_and_a_rate_in_radians() {
    let header = header(&Wheel::default());
    assert_eq!(header[1..5], ["flat.cos", "flat.sin", "der(flat) [rad/s]", "der(der(flat)) [rad/s^2]"]);
}

#[test]
fn a_model_without_units_claims_none() {
    for header in [header(&Bare::default()), header(&Unchecked::default())] {
        assert!(header.iter().all(|column| !column.contains([' '])), "{header:?}");
    }
    let mut table = Table::of(&Bare::default()).only(&["x", "energies", "steps"]).expect("columns");
    table.push_row([0.0; 6]);
    let lines: Vec<String> = table.to_string().lines().map(str::to_owned).collect();
    assert!(!lines.iter().any(|line| line.contains('[')), "{lines:?}");
}

#[test]
fn a_sub_with_units_has_its_own_and_the_time() {
    assert_eq!(
        header(&Around::default()).join(" | "),
        "t [s] | inner.y [m] | x | der(inner.y) [m/s] | der(x) | der(der(inner.y)) [m/s^2] | der(der(x)) | \
         energy.kinetic [J] | energy.potential [J] | energy.dissipation [W] | run.step [s]"
    );
}
