//! Vectors, matrices, arrays, loops, functions, groups, units.

use ode_model::Ranges;
use ode_model::prelude::*;

use crate::{begin, close};

model! {
    /// Five masses in a row: a vector of coordinates and a matrix of stiffnesses.
    pub struct Row5<T> {
        param k: Mat<5, 5> = [
            [2.0, -1.0, 0.0, 0.0, 0.0],
            [-1.0, 2.0, -1.0, 0.0, 0.0],
            [0.0, -1.0, 2.0, -1.0, 0.0],
            [0.0, 0.0, -1.0, 2.0, -1.0],
            [0.0, 0.0, 0.0, -1.0, 2.0],
        ];
        param w: Vec<5> = [1.0, 2.0, 3.0, 4.0, 5.0];
        param tall: Mat<2, 5> = [[1.0, 0.0, 2.0, 0.0, 3.0], [0.0, 4.0, 0.0, 5.0, 0.0]];
        coord (s, rate): Vec<5>;
        kinetic = 0.5 * rate.dot(rate);
        potential = 0.5 * s.dot(k * s) + w.dot(s) + 0.5 * sq(norm(tall * s));
        output two: Vec2 = tall * s;
        output back: Vec<5> = tall.transpose() * (tall * s);
        init s = [0.1, 0.2, 0.3, 0.4, 0.5];
    }
}
model! {
    /// Three points in space, a tensor of inertia, cross products.
    pub struct Space {
        param m: Real [kg] = 2.0;
        param j: SymMat3 [kg] = diag(1.0, 2.0, 3.0);
        param b: Vec3 [kg/s] = vec3(0.0, 0.0, 4.0);
        coord (r, v): Vec3 [m];
        kinetic = 0.5 * m * v.dot(v) + 0.5 * v.dot(j * v);
        // a charge in a magnetic field: no work
        force lorentz on r = v.cross(b);
        init r = vec3(1.0, 2.0, 3.0);
        init v = vec3(0.5, -0.5, 1.0);
        output moment: Vec3 [kg*m^2/s] = r.cross(m * v);
        output heights: [Real; 2] [m] = [r.z, -r.z];
    }
}
model! {
    /// Four points on a string: arrays of vectors, loops, nested loops, functions of functions.
    pub struct Rope<T> {
        param m: [Real; 4] [kg] = [1.0, 2.0, 3.0, 4.0];
        param: Real [N/m] { k = 10.0; soft = 1.0; }
        param g: Real [m/s^2] = 9.81;
        coord p: [Vec2; 4] [m];
        input wind: [Vec2; 4] [N];
        fn half(x: Real [N/m]) -> Real [N/m] { 0.5 * x }
        fn energy_of(k: Real [N/m], d: Vec2 [m]) -> Real [J] {
            let square = d.dot(d);
            half(k) * square
        }
        for i in 0..4 {
            let rate = der(p[i]);
            kinetic = 0.5 * m[i] * rate.dot(rate);
            potential weight = m[i] * g * p[i].y;
            force blow on p[i] = wind[i];
        }
        for i in 0..3 {
            potential string = energy_of(k, p[i + 1] - p[i]);
        }
        // every pair once
        for i in 0..4 {
            for j in 0..=3 {
                potential pairs = if i < j { energy_of(soft, p[i] - p[j]) } else { 0.0 };
            }
        }
        init p = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(2.0, 1.0), vec2(3.0, 0.5)];
    }
}
model! {
    /// Units: scaled ones, suffixes, rational powers, a product in a group.
    #[model(units = strict, derive(PartialEq))]
    pub struct Motor {
        unit rpm = 0.10471975511965977 [rad/s];
        unit mm = 1.0e-3 [m];
        unit inch = 25.4 [mm];
        /// speed without load
        param speed: Real [rpm] = 3000.0;
        param stall: Real [N*mm] = 200.0;
        param: Real [inch] { wheel = 4.0; }
        param mass: Real [kg] = 1.5kg;
        param arm: Real [m] = 0.3;
        param rough: Real [kg^(1/2)] = 2.0;
        coord th: Angle;
        input load: Real [N] in -1.0e-3N..=2.0 = 0.5;
        let j = mass * sq(wheel / 2.0) + sq(rough) * sq(25.0mm);
        kinetic = 0.5 * j * sq(der(th));
        force drive on th = stall * (1.0 - der(th) / speed);
        force brake on wheel * th = -load;
        limit fast: der(th) in 0.0..=6000.0rpm;
        require wheel < arm, "the wheel is larger than the arm";
        init der(th) = 60.0rpm;
    }
}
model! {
    /// A long sum with many parameters and outputs, declared in one line each.
    pub struct Wide {
        param a, b, c, d: Real = 0.5;
        param e: [Real; 3] = [1.0, 2.0, 3.0];
        coord x, y, z: Real;
        coord (p, q), (r, s): Real;
        input u, w: Real = 0.25;
        let total = x + y + z + p + r;
        kinetic = 0.5 * (sq(der(x)) + sq(der(y)) + sq(der(z)) + sq(q) + sq(s)) + 0.1 * sq(der(total));
        potential = a * x + b * y + c * z + d * p + e[0] * sq(r) + e[1] * x * y + e[2] * z * p;
        force both on total = u - w * q;
        output first, second: Real = total;
        output rates: [Real; 2] = [der(total), der(sq(x))];
        cost stage = sq(u) + x;
        cost end = sq(y);
        init x = 0.1; init y = 0.2;
        guess z = 0.3;
        guess p = 0.0;
        guess r = 0.0;
    }
}

#[test]
fn matrices_multiply_vectors_of_any_length() {
    let model = Row5::<f64>::default();
    let u = row5::U::default();
    let x = begin(&model);
    let s = [0.1, 0.2, 0.3, 0.4, 0.5];
    let two = [1.0 * 0.1 + 2.0 * 0.3 + 3.0 * 0.5, 4.0 * 0.2 + 5.0 * 0.4];
    let back = [two[0], 4.0 * two[1], 2.0 * two[0], 5.0 * two[1], 3.0 * two[0]];
    let out = model.outputs(x.at(&u), x.rates());
    for (got, want) in out.two().iter().zip(two).chain(out.back().iter().zip(back)) {
        close(*got, want);
    }
    let f = model.force(x.at(&u)).rate();
    for i in 0..5 {
        let left = if i > 0 { s[i - 1] } else { 0.0 };
        let right = if i < 4 { s[i + 1] } else { 0.0 };
        close(f[i], -(2.0 * s[i] - left - right) - (i as f64 + 1.0) - back[i]);
    }
    let k = model.stiffness(x.at(&u), x.rates());
    close(k[(0, 1)], -1.0);
    close(k[(0, 4)], 3.0);
    // the builder takes what the field is
    let model = Row5::builder().k([[0.0; 5]; 5]).w([0.0; 5]).build().expect("a model");
    assert_eq!(model.parameters().len(), row5::NP);
    assert_eq!(Row5::from_parameters(&model.parameters()).tall[1][3], 5.0);
}

#[test]
fn vectors_in_space() {
    let model = Space::default();
    let u = space::U::default();
    let x = begin(&model);
    assert_eq!(model.force(x.at(&u)).v(), [-0.5 * 4.0, -0.5 * 4.0, 0.0]);
    assert_eq!(model.power(x.at(&u)), [0.0]);
    let mass = model.mass(x.at(&u));
    assert_eq!([mass[(0, 0)], mass[(1, 1)], mass[(2, 2)], mass[(1, 0)]], [3.0, 4.0, 5.0, 0.0]);
    let out = model.outputs(x.at(&u), x.rates());
    assert_eq!(out.moment(), [7.0, 1.0, -3.0]);
    assert_eq!(out.heights(), [3.0, -3.0]);
}

#[test]
fn loops_unroll_over_their_range_and_nothing_else() {
    let model = Rope::<f64>::default();
    let mut u = rope::U::default();
    u.set_wind([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0]]);
    assert_eq!(u[rope::U::WIND_1_Y], 2.0);
    let x = begin(&model);
    let p = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.5]];
    let f = model.force(x.at(&u)).p();
    for i in 0..4 {
        for d in 0..2 {
            let mut want = u.wind()[i][d] - if d == 1 { (i as f64 + 1.0) * 9.81 } else { 0.0 };
            for j in 0..4 {
                let k = 1.0 + if i.abs_diff(j) == 1 { 10.0 } else { 0.0 };
                want -= k * (p[i][d] - p[j][d]);
            }
            close(f[i][d], want);
        }
    }
}

#[test]
fn units_scale_numbers_once() {
    let motor = Motor::default();
    close(motor.speed, std::f64::consts::TAU * 50.0);
    close(motor.stall, 0.2);
    close(motor.wheel, 0.1016);
    close(motor.mass, 1.5);
    let x = begin(&motor);
    close(x.v.th(), std::f64::consts::TAU);
    let mut u = motor::U::default();
    ode_model::System::nominal(&motor, &mut u);
    close(u.load(), 0.5);
    let j = 1.5 * 0.0508 * 0.0508 + 4.0 * 0.025 * 0.025;
    close(motor.mass(x.at(&u))[(0, 0)], j);
    close(motor.force(x.at(&u)).th(), 0.2 * (1.0 - 0.02) - 0.5 * 0.1016);
    let Ranges { low, high, .. } = motor.input_bounds();
    assert_eq!((low.load(), high.load()), (-1e-3, 2.0));
    close(motor.limit_bounds().high.fast(), std::f64::consts::TAU * 100.0);
    assert_eq!(motor, Motor::builder().build().expect("a model"));
    assert!(Motor::builder().arm(0.1).build().is_err());
}

#[test]
fn many_names_stand_in_their_order() {
    let model = Wide::default();
    let mut u = wide::U::default();
    ode_model::System::nominal(&model, &mut u);
    let x = begin(&model);
    assert_eq!(wide::LAYOUT.q, ["x", "y", "z", "p", "r"]);
    assert_eq!(x.q.array(), [0.1, 0.2, 0.3, 0.0, 0.0]);
    let f = model.force(x.at(&u));
    close(f.x(), -0.5 - 2.0 * 0.2 + 0.25);
    close(f.q(), -0.5 - 3.0 * 0.3 + 0.25);
    close(f.s(), 0.25);
    let y = model.outputs(x.at(&u), x.rates());
    assert_eq!((y.first(), y.second(), y.rates()), (0.1 + 0.2 + 0.3, 0.1 + 0.2 + 0.3, [0.0, 0.0]));
    let [stage, end] = model.costs(x.at(&u));
    close(stage, 0.0625 + 0.1);
    close(end, 0.04);
    assert_eq!(model.cost_gradient(x.at(&u)).row(0).iter().filter(|g| **g != 0.0).count(), 2);
}
