//! Registers beside single numbers: every function of a scalar, lane by lane.

#![allow(unreachable_pub, dead_code, reason = "models are shared with other tests")]

use ode_model::integrators::{GeneralizedAlpha, RungeKutta4};
use ode_model::linalg::{Field, negative_part};
use ode_model::{
    At, Block, Ensemble, External, F32x8, F32x16, F64x4, F64x8, Forward, Real, Scalar, Simulation, State, System, Wide,
    WideModel,
};

use ode_model_variation::{Cart, Juggler};

/// Numbers of all kinds, among them what no function likes.
const NUMBERS: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.3,
    0.999,
    1.5,
    -2.0,
    3.7,
    1e-9,
    -1e-300,
    5e-324,
    99_999.0,
    -1.2e5,
    1e22,
    1e300,
    710.0,
    -745.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    std::f64::consts::PI,
    20.0,
];

/// The bits of a number; all that are none are alike.
fn bits<L: Real>(x: L) -> u64 {
    if x.to_f64().is_nan() { u64::MAX } else { x.to_f64().to_bits() }
}

/// A register with these numbers, beginning at one of them; from the second round on, with that in all lanes.
fn filled<W: Wide>(first: usize) -> W {
    let mut x = W::ZERO;
    let number = |k: usize| if first < NUMBERS.len() { (first + k) % NUMBERS.len() } else { first - NUMBERS.len() };
    (0..W::LANES).for_each(|k| x.set_lane(k, W::Lane::from_f64(NUMBERS[number(k)])));
    x
}

fn same<W: Wide>(what: &str, found: W, wanted: impl Fn(usize) -> W::Lane) {
    for k in 0..W::LANES {
        let (found, wanted) = (found.lane(k), wanted(k));
        assert_eq!(bits(found), bits(wanted), "{what}, lane {k}: {found:?} instead of {wanted:?}");
    }
}

struct Cube;
impl External<2> for Cube {
    fn partial(&self, [x, y]: [f64; 2], orders: [usize; 2]) -> f64 {
        match orders {
            [0, 0] => x * x * x + y,
            [1, 0] => 3.0 * x * x,
            [0, 1] => 1.0,
            _ => f64::NAN,
        }
    }
}

fn every_function<W: Wide>() {
    type Unary<T> = fn(T) -> T;
    type Binary<T> = fn(T, T) -> T;
    macro_rules! unary {
        ($($f:expr),* $(,)?) => { [$((stringify!($f), $f as Unary<W>, $f as Unary<W::Lane>)),*] };
    }
    macro_rules! binary {
        ($($f:expr),* $(,)?) => { [$((stringify!($f), $f as Binary<W>, $f as Binary<W::Lane>)),*] };
    }
    for first in 0..2 * NUMBERS.len() {
        let x = filled::<W>(first);
        for (name, wide, single) in unary![
            |x| -x,
            Scalar::sqrt,
            Scalar::root,
            Scalar::tan,
            Scalar::asin,
            Scalar::acos,
            Scalar::atan,
            Scalar::wrap,
            Scalar::sinh,
            Scalar::cosh,
            Scalar::tanh,
            Scalar::exp,
            Scalar::ln,
            Scalar::recip,
            Scalar::recip_or_zero,
            |x| x.powi(3),
            |x| x.powi(-2),
            |x| x.stumpff(0),
            |x| x.stumpff(3),
            |x| x.arc_over_sine(1),
            Real::abs,
            Real::magnitude,
            Field::equalizer,
        ] {
            same(name, wide(x), |k| single(x.lane(k)));
        }
        for second in [0, 3, 7, 13, 21].into_iter().chain(NUMBERS.len()..2 * NUMBERS.len()) {
            let y = filled::<W>(second);
            for (name, wide, single) in binary![
                |x, y| x + y,
                |x, y| x - y,
                |x, y| x * y,
                |x, y| x / y,
                Scalar::atan2,
                Scalar::powf,
                Scalar::hypot,
                Real::max,
                Real::min,
                |x, y| x.multiply_add(y, x),
                |mut x, y| {
                    x += y;
                    x
                },
                |mut x, y| {
                    x -= y;
                    x
                },
                |mut x, y| {
                    x *= y;
                    x
                },
            ] {
                same(name, wide(x, y), |k| single(x.lane(k), y.lane(k)));
            }
            let chosen = W::select(x.lt(y), x, W::select(W::mask_or(y.le(x), W::mask_not(x.le(x))), y, W::ONE));
            same("select", chosen, |k| {
                let (x, y) = (x.lane(k), y.lane(k));
                let one = W::Lane::ONE;
                if x < y {
                    x
                } else if y <= x || x.to_f64().is_nan() {
                    y
                } else {
                    one
                }
            });
            let all = |holds: fn(&W::Lane, &W::Lane) -> bool| (0..W::LANES).all(|k| holds(&x.lane(k), &y.lane(k)));
            assert_eq!(
                [x < y, x <= y, x > y, x >= y, x == y],
                [all(|a, b| a < b), all(|a, b| a <= b), all(|a, b| a > b), all(|a, b| a >= b), all(|a, b| a == b),]
            );
        }
        assert_eq!(x.is_finite(), (0..W::LANES).all(|k| x.lane(k).is_finite()));
        let z = W::from_f64(0.7);
        same("extend", W::extend([x, z], &Cube, [1, 0]), |k| W::Lane::extend([x.lane(k), z.lane(k)], &Cube, [1, 0]));
    }
    assert!(W::ONE.lane(W::LANES).to_f64().is_nan());
    assert_eq!(W::from_f64(0.25).to_f64(), 0.25);
    let mut mixed = W::ONE;
    mixed.set_lane(1, W::Lane::ZERO);
    mixed.set_lane(W::LANES, W::Lane::ZERO);
    assert!(mixed.to_f64().is_nan() && mixed.partial_cmp(&W::ONE).is_none());
    assert_eq!(W::ZERO.partial_cmp(&W::ONE), Some(std::cmp::Ordering::Less));
}

#[test]
fn every_function_is_that_of_each_lane() {
    every_function::<F64x4>();
    every_function::<F64x8>();
    every_function::<F32x8>();
    every_function::<F32x16>();
}

/// Sines and cosines within an ulp, of all angles, near and far, and of none.
fn sines<W: Wide>() {
    let ulp = W::Lane::EPSILON.to_f64();
    for first in 0..NUMBERS.len() {
        let (x, y) = (filled::<W>(first), filled::<W>(first + 5));
        let [[sine, other], [cosine, _]] = W::sin_cos_each([x, y]);
        for (found, angles, exact) in [
            (sine, x, f64::sin as fn(f64) -> f64),
            (cosine, x, f64::cos),
            (other, y, f64::sin),
            (x.sin(), x, f64::sin),
            (y.cos(), y, f64::cos),
        ] {
            for k in 0..W::LANES {
                let (found, wanted) = (found.lane(k).to_f64(), exact(angles.lane(k).to_f64()));
                let near = (found - wanted).abs() <= ulp * wanted.abs().max(f64::MIN_POSITIVE);
                assert!(near || found.is_nan() && wanted.is_nan(), "{:?}: {found} {wanted}", angles.lane(k));
            }
        }
    }
}

#[test]
fn sines_are_within_an_ulp() {
    sines::<F64x4>();
    sines::<F64x8>();
    sines::<F32x8>();
    sines::<F32x16>();
}

/// One evaluation of a model with everything, over eight numbers and over each of them.
#[test]
fn evaluations_are_those_of_each_lane() {
    let single = |k: usize| {
        let mut model = Juggler::<f64>::default();
        model.m *= 1.0 + 0.1 * k as f64;
        model
    };
    let singles: Vec<_> = (0..8).map(single).collect();
    let wide = Juggler::<F64x8>::abreast(&singles).expect("models");
    assert_eq!(wide.single(3).m, singles[3].m);
    let mut x = State::neutral(&wide);
    wide.guess(&mut x.q, &mut x.v, &mut x.z);
    for (i, v) in x.v.as_mut().iter_mut().enumerate() {
        (0..8).for_each(|k| v.set_lane(k, 0.3 * ((i + 2 * k) as f64).sin()));
    }
    x.t = F64x8::from_f64(0.4);
    let layout = wide.layout();
    let mut out = Forward::zeros(&layout);
    let mut u = <Juggler<F64x8> as System>::U::zeros(1);
    u.as_mut()[0].set_lane(2, 0.7);
    wide.forward(x.at(&u), &mut out);
    for (k, model) in singles.iter().enumerate() {
        let lane = |from: &[F64x8], to: &mut [f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to = from.lane(k));
        let mut own = State::neutral(model);
        lane(x.q.as_ref(), own.q.as_mut());
        lane(x.v.as_ref(), own.v.as_mut());
        lane(x.z.as_ref(), own.z.as_mut());
        own.t = 0.4;
        let mut own_u = <Juggler<f64> as System>::U::zeros(1);
        lane(u.as_ref(), own_u.as_mut());
        let mut wanted = Forward::zeros(&model.layout());
        let at = At { t: own.t, q: &own.q, v: &own.v, z: &own.z, u: &own_u, modes: &own.modes };
        model.forward(at, &mut wanted);
        let near = |found: &[F64x8], wanted: &[f64]| {
            for (found, wanted) in found.iter().zip(wanted) {
                assert!((found.lane(k) - wanted).abs() <= 1e-13 * (1.0 + wanted.abs()), "{found:?} {wanted}");
            }
        };
        near(out.mass.as_ref(), wanted.mass.as_ref());
        near(out.force.as_ref(), wanted.force.as_ref());
        near(out.jacobian.as_ref(), wanted.jacobian.as_ref());
        near(out.gamma.as_ref(), wanted.gamma.as_ref());
        near(out.zdot.as_ref(), wanted.zdot.as_ref());
    }
}

#[test]
fn single_precision_has_lanes_too() {
    let models: Vec<Cart<f32>> = (0..19).map(|k| Cart { m: 1.0 + 0.1 * k as f32, ..Cart::default() }).collect();
    let mut explicit = Ensemble::<Cart<F32x16>, _>::of(models.clone(), RungeKutta4).fixed(0.01).expect("a start");
    let alpha = GeneralizedAlpha::with_spectral_radius(0.8_f32);
    let mut implicit = Ensemble::<Cart<F32x8>, _>::of(models.clone(), alpha).fixed(0.01).expect("a start");
    explicit.advance_to(0.5, |_| {}).expect("steps");
    implicit.advance_to(0.5, |_| {}).expect("steps");
    assert_eq!((explicit.steps_alone(), implicit.steps_alone()), (0, 0));
    for (k, model) in models.iter().enumerate() {
        let mut run = Simulation::of(model, RungeKutta4).fixed(0.01).expect("a start");
        run.advance_to(0.5).expect("steps");
        let found = explicit.state(k).expect("a member");
        assert!((found.q.th() - run.state().q.th()).abs() < 1e-5, "{k}");
        let mut run = Simulation::of(model, alpha).fixed(0.01).expect("a start");
        run.advance_to(0.5).expect("steps");
        let found = implicit.state(k).expect("a member");
        assert!((found.q.th() - run.state().q.th()).abs() < 1e-4, "{k}");
    }
}

/// Matrices with and without negative eigenvalues, and some that are no numbers, side by side.
#[test]
fn negative_parts_are_those_of_each_lane() {
    let matrix = |lane: usize| -> [f64; 10] {
        let x = |k: usize| (1.7 * (lane * 10 + k) as f64).sin();
        match lane % 4 {
            // near a diagonal, none negative
            0 => [2.0, 1e-9, 3.0, 0.0, 0.0, 1.0, 1e-18, 0.0, 0.1, 0.0],
            2 if lane > 4 => [1.0, 0.0, -1.0, f64::NAN, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            3 if lane > 4 => [f64::INFINITY, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            1 => [-2.0, 0.0, -2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 1.0],
            _ => std::array::from_fn(x),
        }
    };
    let mut found = [F64x8::ZERO; 10];
    for (k, entry) in found.iter_mut().enumerate() {
        (0..8).for_each(|lane| entry.set_lane(lane, matrix(lane)[k]));
    }
    negative_part::<F64x8, 4>(&mut found);
    for lane in 0..8 {
        let mut wanted = matrix(lane);
        negative_part::<f64, 4>(&mut wanted);
        for (found, wanted) in found.iter().zip(wanted) {
            assert_eq!(found.lane(lane), wanted, "{lane}");
        }
    }
}
