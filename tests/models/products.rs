//! `emit(..)`, `residual`, `freeze` and `branch_free`: against closed forms; products are also checked by their own
//! self-tests.

use ode_model::prelude::*;
use ode_model::{At, Rates};

use crate::{begin, close};

macro_rules! both {
    ([$($option:tt)*] $concrete:ident, $generic:ident, { $($body:tt)* }) => {
        model! { #[model($($option)*)] pub struct $concrete { $($body)* } }
        model! { #[model($($option)*)] pub struct $generic<T> { $($body)* } }
    };
}

both!([emit(jvp, vjp, hvp, hessian)] Swing, SwingOver, {
    param m: Real [kg] = 1.5;
    param l: Real [m] = 0.8;
    param g: Real [m/s^2] = 9.81;
    param c: Real [N*m*s] = 0.3;
    param tau: Real [s] = 0.2;
    coord th: Angle;
    coord x: Real [m];
    input u: Real [N*m];
    state drive: Real [N*m];
    der(drive) = (u - drive * cos(th)) / tau;
    let tip = vec2(x + l * sin(th), -l * cos(th));
    kinetic = 0.5 * m * der(tip).dot(der(tip)) + 0.5 * m * sq(der(x));
    potential = m * g * tip.y;
    dissipation = 0.5 * c * sq(der(th));
    force push on th = (u + drive) * cos(th);
    param depth: Real [m] = 0.1;
    constraint slot: sq(x) + depth * x * th == sq(2.0 * depth);
    init x = 0.2;
    guess th = 0.0;
});
both!([emit(hessian), branch_free] Kinked, KinkedOver, {
    param k: Real = 2.0;
    coord x, y: Real;
    kinetic = 0.5 * (1.0 + sq(y)) * sq(der(x)) + 0.5 * sq(der(y));
    #[allow(nonsmooth)]
    potential = if x > 0.3 { k * x * sq(y) } else { sin(x * y) };
    force pull on y = -der(x) * exp(x);
});

both!([emit(jvp, vjp, hvp, hessian)] Spun, SpunOver, {
    param m: Real = 1.3;
    param l: Real = 0.4;
    coord x: Real;
    coord (q, w): SO3;
    coord (p, rate): SO3<World>;
    let arm = q.rotate(vec3(0.1, 0.2, l)) + vec3(x, 0.0, 0.0);
    kinetic = 0.5 * m * der(arm).dot(der(arm)) + 0.5 * w.dot(w) + 0.25 * rate.dot(rate) + 0.5 * sq(der(x));
    potential = m * arm.z * arm.x + m * p.rotate(vec3(l, x, 0.3)).z;
    force drag on x = -w.x * rate.y;
});

model! {
    #[model(emit(hessian))]
    pub struct Oscillator {
        param m: Real = 2.0;
        param k: Real = 3.0;
        coord x: Real;
        kinetic = 0.5 * m * sq(der(x));
        potential = 0.25 * k * sq(sq(x));
    }
}

/// r = m a + k x³: the second derivatives of w r by (x, v, a, m, k).
#[test]
fn second_derivatives_are_those_of_the_formula() {
    let plant = Oscillator::default();
    let u = oscillator::U::default();
    let mut state = begin(&plant);
    state.q = [0.5].into();
    let w = oscillator::Rows::from([0.7]);
    let h = plant.hessian(state.at(&u), state.rates(), &w);
    let mut expected = [[0.0; 5]; 5];
    expected[0][0] = 0.7 * 3.0 * 6.0 * 0.5;
    (expected[0][4], expected[4][0]) = (0.7 * 3.0 * 0.25, 0.7 * 3.0 * 0.25);
    (expected[2][3], expected[3][2]) = (0.7, 0.7);
    for (r, row) in expected.iter().enumerate() {
        for (c, value) in row.iter().enumerate() {
            close(h[(r, c)], *value);
        }
    }
    // structural zeros are not there at all
    assert_eq!(oscillator::HESSIAN.nnz(), 3);
    assert_eq!(plant.hessian_values(state.at(&u), state.rates(), &w).len(), 3);
}

/// The products belong to the matrices that every model has.
#[test]
fn products_are_those_of_the_jacobians() {
    let plant = Swing::default();
    let u = swing::U::from([0.4]);
    let mut state = begin(&plant);
    (state.q, state.v) = ([0.9, 0.2].into(), [-0.5, 1.1].into());
    let (a, rate, lambda) = ([0.3, -0.8].into(), [0.6].into(), [1.7].into());
    let (at, rates): (At<'_, Swing>, Rates<'_, Swing>) = (state.at(&u), Rates { a: &a, zdot: &rate, lambda: &lambda });
    let mut d = swing::Direction::default();
    d.set_v([0.2, -0.4]);
    d.set_u([2.0]);
    let moved = plant.jvp(at, rates, &d);
    let (damping, b) = (plant.damping(at, rates), plant.force_by_input(at, rates));
    for i in 0..2 {
        close(moved.r()[i], damping[(i, 0)] * 0.2 - damping[(i, 1)] * 0.4 - 2.0 * b[(i, 0)]);
    }
    close(moved.phi()[0], 0.0);
    let mut w = swing::Rows::default();
    w.set_phi([3.0]);
    let pulled = plant.vjp(at, rates, &w);
    let g = plant.constraint_jacobian(at);
    close(pulled.q()[0], 3.0 * g[(0, 0)]);
    close(pulled.q()[1], 3.0 * g[(0, 1)]);
    assert_eq!(pulled.lambda(), [0.0]);
    w.set_r([0.6, -0.1]);
    let (h, product) = (plant.hessian(at, rates, &w), plant.hvp(at, rates, &w, &d));
    for (i, got) in product.array().iter().enumerate() {
        close(*got, (0..swing::Direction::<f64>::default().array().len()).map(|j| h[(i, j)] * d.array()[j]).sum());
    }
}

both!([units = check] Fitted, FittedOver, {
    param k: Real [1/m] = 2.0;
    coord x: Real [m];
    coord r: Vec2 [m];
    input u: Real [N];
    param m: Real [kg] = 1.0;
    kinetic = 0.5 * m * sq(der(x)) + 0.5 * m * der(r).dot(der(r));
    residual track = sin(k * x) * x;
    param aim: Real [m] = 0.5;
    residual = r - vec2(x, aim);
    residual effort = 0.1 * u;
});

#[test]
fn residual_rows_have_a_jacobian_and_its_square() {
    let plant = Fitted::default();
    let u = fitted::U::from([3.0]);
    let mut state = begin(&plant);
    state.q = [0.4, 0.1, -0.2].into();
    let e = plant.residuals(state.at(&u));
    close(e.track(), 0.8_f64.sin() * 0.4);
    close(e.residual_1()[1], -0.7);
    close(e.effort(), 0.1 * 3.0);
    let j = plant.residuals_jacobian(state.at(&u));
    // rows track, residual_1 (2), effort; columns x, r, their velocities, u
    let slope = 0.8_f64.cos() * 2.0 * 0.4 + 0.8_f64.sin();
    close(j[(0, 0)], slope);
    close(j[(1, 0)], -1.0);
    close(j[(1, 1)], 1.0);
    close(j[(3, 6)], 0.1);
    let normal = plant.residuals_gauss_newton(state.at(&u));
    close(normal[(0, 0)], slope * slope + 1.0);
    close(normal[(0, 1)], -1.0);
    assert!((normal - j.transpose() * j).amax() < 1e-14);
}

model! {
    #[model(freeze(l, g))]
    pub struct Frozen {
        unit mm = 1.0e-3 [m];
        param m: Real [kg] = 1.0;
        param l: Real [mm] = 500.0;
        param g: Real [m/s^2] = 9.81;
        require l > 0.0, "the rod has a length";
        coord th: Angle;
        kinetic = 0.5 * m * sq(l * der(th));
        potential = -m * g * l * cos(th);
    }
}
model! {
    #[model(freeze)]
    pub struct AllFrozen<T> {
        param m: Real = 2.0;
        param a: [Real; 2] = [3.0, 5.0];
        coord x: Real;
        kinetic = 0.5 * m * sq(der(x));
        potential = 0.5 * a[0] * sq(x) + a[1] * x;
    }
}

#[test]
fn frozen_parameters_are_constants_of_the_code() {
    assert_eq!((frozen::NP, all_frozen::NP), (1, 0));
    let plant = Frozen { m: 3.0 };
    let u = frozen::U::default();
    let mut state = begin(&plant);
    state.q = [0.5].into();
    close(plant.mass(state.at(&u))[(0, 0)], 3.0 * 0.25);
    close(plant.force(state.at(&u)).th(), -3.0 * 9.81 * 0.5 * 0.5_f64.sin());
    assert!(Frozen::builder().m(2.0).build().is_ok());
    let other = AllFrozen::<f64>::default();
    let w = all_frozen::U::default();
    let mut x = begin(&other);
    x.q = [0.2].into();
    close(other.force(x.at(&w)).x(), -0.6 - 5.0);
}
