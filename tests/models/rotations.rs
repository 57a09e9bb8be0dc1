//! Coordinates that are rotations: Poincaré–Hamel equations, tangent derivatives, N(q), ⊕ and ⊖.

use ode_model::runtime::so3;
use ode_model::{System, model};

use super::{begin, close, near};

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
        kinetic turning = 0.2 * rate[0].dot(rate[0]) + 0.3 * sq(rate[1].x) + 0.1 * rate[1].dot(rate[1]) + 0.1 * rate[0].dot(rate[1]);
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
    y.v = so3::rotate(x.q.array(), x.v.array()).into();
    let (u, n) = (free_body::U::default(), world_body::U::default());
    close(body.energy(x.at(&u)).kinetic, world.energy(y.at(&n)).kinetic);
    let (mut one, mut other) = (free_body::Q::default(), world_body::Q::default());
    body.qdot(&x.q, &x.v, &mut one);
    world.qdot(&y.q, &y.v, &mut other);
    for (one, other) in one.array().iter().zip(other.array()) {
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
