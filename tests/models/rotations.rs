//! Coordinates that are rotations: Poincaré–Hamel equations, tangent derivatives, N(q), ⊕ and ⊖.

use ode_model::prelude::*;
use ode_model::runtime::so3;

use super::{begin, close, jacobi, near};

model! {
    /// Free rigid body, body rates.
    pub struct FreeBody<T> {
        param j: SymMat3 [kg*m^2] = [[0.02, 0.001, -0.002], [0.001, 0.03, 0.0005], [-0.002, 0.0005, 0.04]];
        coord (q, w): SO3;
        kinetic = 0.5 * w.dot(j * w);
        init q = exp_so3(vec3(0.1, -0.2, 0.3));
        init w = vec3(1.0, 2.0, -0.5);
        output momentum: Vec3 [kg*m^2/s] = q.rotate(j * w);
    }
}

model! {
    /// The same body with spatial rates, f64.
    pub struct WorldBody {
        param j: SymMat3 [kg*m^2] = [[0.02, 0.001, -0.002], [0.001, 0.03, 0.0005], [-0.002, 0.0005, 0.04]];
        coord (q, w): SO3<World>;
        let body = q.inv().rotate(w);
        kinetic = 0.5 * body.dot(j * body);
        init q = exp_so3(vec3(0.1, -0.2, 0.3));
        output momentum: Vec3 [kg*m^2/s] = q.rotate(j * body);
    }
}

model! {
    /// A plate on a ball joint, hung by a spring, in every kind of coordinate at once.
    pub struct Mixed<T> {
        param m: Real = 2.0;
        param j: SymMat3 = diag(0.1, 0.2, 0.25);
        param arm: Vec3 = vec3(0.3, 0.1, -0.2);
        param k: Real = 40.0;
        param c: Real = 0.3;

        coord s: Real;
        coord r: Vec3;
        coord (q, w): SO3;
        coord th: Angle;

        let corner = r + q.rotate(arm);
        kinetic slider = 0.5 * 0.7 * m * sq(der(s));
        kinetic centre = 0.5 * m * der(r).dot(der(r)) + 0.5 * w.dot(j * w);
        kinetic wheel = 0.05 * sq(der(th) + 0.2 * w.z);
        potential lift = m * 9.81 * corner.z * (1.0 + 0.1 * sin(th));
        spring hold on (corner, vec3(0.0, s, 0.5)) { k: k, rest: 0.2, damping: 2.0 }
        dissipation = 0.5 * c * w.dot(w);
        force push on corner = vec3(1.0, 0.5, t) * q.rotate(vec3(0.0, 0.0, 3.0)).x;
        constraint joint: corner == vec3(0.1 * s, 0.2, 0.3 + 0.1 * sin(t));

        init s = 0.1;
        guess q = rot_z(0.4);
        output height: Real = corner.z;
        guess r = vec3(0.0, 0.0, 0.0);
        guess th = 0.0;
    }
}

model! {
    /// A motion of space as one coordinate, and an array of rotations.
    pub struct Pair<T> {
        param m: Real = 1.5;
        coord (b, twist): SE3;
        coord (p, rate): [SO3; 2];
        let tip = b.at(vec3(0.1, 0.2, 0.3));
        kinetic = 0.5 * m * der(tip).dot(der(tip)) + 0.1 * twist[1].dot(twist[1]) + 0.05 * m * twist[0].dot(twist[0]);
        kinetic turning = 0.2 * rate[0].dot(rate[0]) + 0.3 * sq(rate[1].x) + 0.1 * rate[1].dot(rate[1])
            + 0.1 * rate[0].dot(rate[1]);
        potential = 3.0 * tip.z + 2.0 * p[0].rotate(vec3(1.0, 0.0, 0.0)).dot(p[1].rotate(vec3(0.0, 1.0, 0.0)));
        init b = frame(vec3(1.0, 2.0, 3.0), rot_x(0.3));
        guess p = [rot_y(0.5), exp_so3(vec3(0.1, 0.2, 0.3))];
    }
}

#[test]
fn body_and_spatial_rates_give_one_motion() {
    let (body, world) = (FreeBody::<f64>::default(), WorldBody::default());
    let (x, mut y) = (begin(&body), begin(&world));
    assert_eq!(x.q.array(), y.q.array());
    y.v = so3::rotate(x.q.as_array(), x.v.as_array()).into();
    let (u, n) = (free_body::U::default(), world_body::U::default());
    close(body.energy(x.at(&u)).kinetic, world.energy(y.at(&n)).kinetic);
    let (mut one, mut other) = (free_body::Q::default(), world_body::Q::default());
    body.qdot(&x.q, &x.v, &mut one);
    world.qdot(&y.q, &y.v, &mut other);
    for (one, other) in one.array().iter().zip(other.as_array()) {
        close(*one, *other);
    }
    let (one, other) = (body.outputs(x.at(&u), x.rates()), world.outputs(y.at(&n), y.rates()));
    for (one, other) in one.momentum().iter().zip(other.momentum()) {
        near(*one, other, 1e-15);
    }
}

/// Euler: J ω̇ = J ω × ω.
#[test]
fn a_free_body_obeys_euler() {
    let body = FreeBody::<f64>::default();
    let (x, u) = (begin(&body), free_body::U::default());
    let j = body.j;
    let w = x.v.w();
    let p: [f64; 3] = std::array::from_fn(|i| (0..3).map(|k| j[i][k] * w[k]).sum());
    let want = [p[1] * w[2] - p[2] * w[1], p[2] * w[0] - p[0] * w[2], p[0] * w[1] - p[1] * w[0]];
    for (got, want) in body.force(x.at(&u)).w().into_iter().zip(want) {
        close(got, want);
    }
}

#[test]
fn a_rotation_starts_from_nothing_and_init_says_otherwise() {
    assert_eq!(free_body::Q::<f64>::default().q(), [1.0, 0.0, 0.0, 0.0]);
    let x = begin(&Pair::<f64>::default());
    let half = 0.15_f64;
    assert_eq!(x.q.b(), [1.0, 2.0, 3.0, half.cos(), half.sin(), 0.0, 0.0]);
    assert_eq!(pair::LAYOUT.q[..7], ["b.x", "b.y", "b.z", "b.qw", "b.qx", "b.qy", "b.qz"]);
    assert_eq!(pair::LAYOUT.v[3..8], ["twist[1].x", "twist[1].y", "twist[1].z", "rate[0].x", "rate[0].y"]);
}

/// N and ∂(N v)/∂q against q ⊕ ε and q̇ over dual numbers.
#[test]
fn kinematic_matrices_are_those_of_the_motion() {
    use ode_model::{Block as _, Dual};
    fn columns<S, D>(model: &S, dual: &D, matrix: impl Fn(ode_model::At<'_, S>) -> Vec<f64>, by_position: bool)
    where
        S: ode_model::Solvable<Real = f64>,
        D: System<Real = Dual<f64>>,
    {
        let l = model.layout();
        let (mut x, mut u) = (begin(model), S::U::zeros(0));
        model.nominal(&mut u);
        for (i, v) in x.v.as_mut().iter_mut().enumerate() {
            *v = 0.3 + 0.2 * i as f64;
        }
        let got = matrix(x.at(&u));
        for c in 0..l.v.len() {
            let (mut q, mut v, mut step) = (D::Q::zeros(0), D::V::zeros(0), D::V::zeros(0));
            let (mut moved, mut rate) = (D::Q::zeros(0), D::Q::zeros(0));
            q.as_mut().iter_mut().zip(x.q.as_ref()).for_each(|(to, x)| *to = Dual::constant(*x));
            v.as_mut().iter_mut().zip(x.v.as_ref()).for_each(|(to, x)| *to = Dual::constant(*x));
            if by_position {
                step.as_mut()[c].eps = 1.0
            } else {
                v.as_mut()[c].eps = 1.0
            }
            dual.retract(&q, &step, &mut moved);
            dual.qdot(&moved, &v, &mut rate);
            for (r, rate) in rate.as_ref().iter().enumerate() {
                near(got[c * l.q.len() + r], rate.eps, 1e-14);
            }
        }
    }
    let (mixed, dual) = (Mixed::<f64>::default(), Mixed::<Dual<f64>>::default());
    columns(&mixed, &dual, |at| mixed.kinematic_matrix(at).as_slice().to_vec(), false);
    columns(&mixed, &dual, |at| mixed.qdot_by_position(at).as_slice().to_vec(), true);
}

model! {
    /// Principal axes: the motion is known in closed form.
    pub struct Principal {
        param j: SymMat3 [kg*m^2] = diag(1.0, 2.0, 3.0);
        coord (q, w): SO3;
        kinetic = 0.5 * w.dot(j * w);
    }
}

/// Landau & Lifshitz, Mechanics, §37: ω₁ = A cn(p t), ω₂ = B sn(p t), ω₃ = C dn(p t), where M² > 2 E J₂.
#[test]
fn a_free_body_turns_as_jacobi_says() {
    use ode_model::integrators::Geodesic;
    let body = Principal::default();
    let [j1, j2, j3] = [1.0_f64, 2.0, 3.0];
    let (w1, w3) = (0.4_f64, 1.3_f64);
    let (energy, momentum) = (j1 * w1 * w1 + j3 * w3 * w3, (j1 * w1).powi(2) + (j3 * w3).powi(2));
    assert!(momentum > energy * j2);
    let p = ((j3 - j2) * (momentum - energy * j1) / (j1 * j2 * j3)).sqrt();
    let k = ((j2 - j1) * (energy * j3 - momentum) / ((j3 - j2) * (momentum - energy * j1))).sqrt();
    let amplitude = ((energy * j3 - momentum) / (j2 * (j3 - j2))).sqrt();
    let mut start = ode_model::State::neutral(&body);
    start.q = principal::Q::default();
    start.v = [w1, 0.0, w3].into();
    let mut run = ode_model::Simulation::of(&body, Geodesic).given(start).adaptive(1e-12).expect("a start");
    for i in 1..=20 {
        let t = 0.5 * f64::from(i);
        run.advance_to(t).expect("a step");
        let [sn, cn, dn] = jacobi(p * t, k);
        for (got, want) in run.state().v.w().into_iter().zip([w1 * cn, amplitude * sn, w3 * dn]) {
            near(got, want, 1e-9);
        }
        // the momentum stands still in space
        let w = run.state().v.w();
        let space = so3::rotate(run.state().q.as_array(), &[j1 * w[0], j2 * w[1], j3 * w[2]]);
        for (got, want) in space.into_iter().zip([j1 * w1, 0.0, j3 * w3]) {
            near(got, want, 1e-9);
        }
    }
}

model! {
    /// A rolling eccentric disc whose angle is a point of the circle.
    pub struct OnCircle<T> {
        param m: Real = 2.0;
        coord x: Real;
        coord (p, w): SO2;
        let b = frame2(vec2(x, 0.1), p);
        body disc on b { mass: m, inertia: 0.3 }
        kinetic weight = 0.25 * m * der(b.at(vec2(0.2, -0.1))).dot(der(b.at(vec2(0.2, -0.1))));
        gravity = vec2(0.0, -9.81);
        force push on b.at(vec2(0.1, 0.3)) = vec2(1.0, 2.0) * p.rotate(vec2(1.0, 0.5)).y;
        torque turn on b = 0.7 * w;
        init p = 0.3;
        init w = 2.0;
        output way: Vec2 = p.rotate(vec2(0.3, 0.4));
        guess x = 0.0;
    }
}

model! {
    /// The same by an angle.
    pub struct ByAngle<T> {
        param m: Real = 2.0;
        coord x: Real;
        coord p: Angle;
        let b = frame2(vec2(x, 0.1), p);
        body disc on b { mass: m, inertia: 0.3 }
        kinetic weight = 0.25 * m * der(b.at(vec2(0.2, -0.1))).dot(der(b.at(vec2(0.2, -0.1))));
        gravity = vec2(0.0, -9.81);
        force push on b.at(vec2(0.1, 0.3)) = vec2(1.0, 2.0) * b.vec(vec2(1.0, 0.5)).y;
        torque turn on b = 0.7 * der(p);
        init p = 0.3;
        init der(p) = 2.0;
        output way: Vec2 = b.vec(vec2(0.3, 0.4));
        guess x = 0.0;
    }
}

#[test]
fn a_point_of_the_circle_moves_as_its_angle() {
    let (circle, angle) = (OnCircle::<f64>::default(), ByAngle::<f64>::default());
    assert_eq!((on_circle::NQ, on_circle::NV), (3, 2));
    let (mut x, mut y) = (begin(&circle), begin(&angle));
    close(x.q.p()[1], 0.3_f64.sin());
    let (u, n) = (on_circle::U::default(), by_angle::U::default());
    for _ in 0..3 {
        for (a, b) in circle.force(x.at(&u)).array().iter().zip(angle.force(y.at(&n)).as_array()) {
            close(*a, *b);
        }
        for (a, b) in circle.mass(x.at(&u)).iter().zip(angle.mass(y.at(&n)).iter()) {
            close(*a, *b);
        }
        let (k, l) = (circle.stiffness(x.at(&u), x.rates()), angle.stiffness(y.at(&n), y.rates()));
        assert!((k - l).amax() < 1e-13);
        let q = x.q;
        circle.retract(&q, &[0.2, 0.9].into(), &mut x.q);
        let q = y.q;
        angle.retract(&q, &[0.2, 0.9].into(), &mut y.q);
    }
}

model! {
    /// A mass on a spring, far out, and a body that does not turn.
    pub struct Wide {
        param far: Real = 1.0;
        coord s: Real;
        coord (q, w): SO3;
        kinetic = 0.5 * sq(der(s)) + 0.5 * w.dot(w);
        potential = 0.5 * sq(s);
        init s = far;
        init der(s) = far;
    }
}

#[test]
fn names_beside_rotations_are_those_of_the_text() {
    let (wide, bound) = (Wide::default(), Bound::absolute(1e-9));
    let table = Table::new(&wide.layout());
    let columns: Vec<&str> = table.names().collect();
    assert_eq!(columns.join(" "), "t s q.w q.x q.y q.z der(s) w.x w.y w.z der(der(s)) der(w.x) der(w.y) der(w.z)");
    for name in ["s", "der(s)", "w", "w.y"] {
        assert!(Tolerance::new(bound).entry(&wide, name, bound).is_ok(), "{name}");
    }
    let unknown = Tolerance::new(bound).entry(&wide, "der(z)", bound).map(drop).expect_err("no such name");
    assert_eq!(unknown.to_string(), "there is no coordinate, velocity or state `der(z)`; did you mean `der(s)`?");
}

#[test]
fn relative_errors_of_coordinates_beside_rotations_go_with_their_values() {
    // the same motion, a million times as large
    let taken = |far| {
        let wide = Wide { far };
        let bound = Bound { relative: 1e-8, absolute: 1e-30 };
        let control = Adaptive::within(Tolerance::new(bound));
        let mut run = Simulation::of(&wide, DormandPrince).controlled(control).expect("a start");
        run.advance_to(0.5).expect("steps");
        run.statistics().taken
    };
    assert_eq!(taken(1.0), taken(1e6));
}
