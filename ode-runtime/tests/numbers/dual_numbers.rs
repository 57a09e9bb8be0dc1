//! The dual numbers against an independent implementation and against central differences.

use std::f64::consts::TAU;

use num_dual::{Dual64, DualNum};
use ode_runtime::{Dual, F64x8, Real, Scalar, Wide};

type Unary = (&'static str, fn(Dual<f64>) -> Dual<f64>, fn(Dual64) -> Dual64, fn(f64) -> f64, f64);

#[test]
fn rules_agree_with_num_dual_and_with_differences() {
    let rules: [Unary; 18] = [
        ("sqrt", |x| x.sqrt(), |x| x.sqrt(), |x| Scalar::sqrt(x), 0.7),
        ("root", |x| x.root(), |x| x.sqrt(), |x| Scalar::root(x), 0.7),
        ("sin", |x| x.sin(), |x| x.sin(), |x| Scalar::sin(x), 0.7),
        ("cos", |x| x.cos(), |x| x.cos(), |x| Scalar::cos(x), 0.7),
        ("tan", |x| x.tan(), |x| x.tan(), |x| Scalar::tan(x), 0.7),
        ("asin", |x| x.asin(), |x| x.asin(), |x| Scalar::asin(x), 0.3),
        ("acos", |x| x.acos(), |x| x.acos(), |x| Scalar::acos(x), 0.3),
        ("atan", |x| x.atan(), |x| x.atan(), |x| Scalar::atan(x), -1.3),
        ("wrap, inside", |x| x.wrap(), |x| x, |x| x.wrap(), -1.3),
        ("wrap", |x| x.wrap(), |x| x - TAU, |x| x.wrap(), 4.0),
        ("sinh", |x| x.sinh(), |x| x.sinh(), |x| Scalar::sinh(x), -1.3),
        ("cosh", |x| x.cosh(), |x| x.cosh(), |x| Scalar::cosh(x), -1.3),
        ("tanh", |x| x.tanh(), |x| x.tanh(), |x| Scalar::tanh(x), -0.4),
        ("exp", |x| x.exp(), |x| x.exp(), |x| Scalar::exp(x), -0.4),
        ("ln", |x| x.ln(), |x| x.ln(), |x| Scalar::ln(x), 2.4),
        ("recip", |x| x.recip(), |x| x.recip(), |x| Scalar::recip(x), -2.4),
        ("recip_or_zero", |x| x.recip_or_zero(), |x| x.recip(), |x| Scalar::recip_or_zero(x), -2.4),
        ("powi", |x| x.powi(-3), |x| x.powi(-3), |x| Scalar::powi(x, -3), 1.7),
    ];
    for (name, ours, theirs, plain, at) in rules {
        let (a, b) = (ours(Dual::new(at, 1.3)), theirs(Dual64::new(at, 1.3)));
        assert_close(name, a.re, b.re, 1e-15);
        assert_close(name, a.re, plain(at), 0.0);
        assert_close(name, a.eps, b.eps, 1e-14);
        let step = 1e-5;
        let difference = 1.3 * (plain(at + step) - plain(at - step)) / (2.0 * step);
        assert_close(name, a.eps, difference, 1e-8);
    }
}

/// A function of one number, and its name.
type Named<T> = (&'static str, fn(T) -> T);

fn functions<T: Scalar>() -> Vec<Named<T>> {
    vec![
        ("sqrt", T::sqrt),
        ("root", T::root),
        ("sin", T::sin),
        ("cos", T::cos),
        ("tan", T::tan),
        ("asin", T::asin),
        ("acos", T::acos),
        ("atan", T::atan),
        ("wrap", T::wrap),
        ("sinh", T::sinh),
        ("cosh", T::cosh),
        ("tanh", T::tanh),
        ("exp", T::exp),
        ("ln", T::ln),
        ("recip", T::recip),
        ("recip_or_zero", T::recip_or_zero),
        ("x⁴", |x| x.powi(4)),
        ("x⁰", |x| x.powi(0)),
        ("x^x", |x| x.powf(x)),
        ("x^1.5", |x| x.powf(T::from_f64(1.5))),
        ("atan2", |x| x.atan2(x - T::ONE)),
        ("hypot", |x| x.hypot(x + x)),
        ("stumpff", |x| x.stumpff(2)),
        ("arc over sine", |x| x.arc_over_sine(0)),
        ("x (1 + x) / (x − 2) − x", |x| x * (T::ONE + x) / (x - T::from_f64(2.0)) - x),
        ("x x + 1/x", |x| x.multiply_add(x, x.recip())),
        ("sines", |x| T::sin_cos_each([x, x + x])[0][1]),
        ("where x < ½", |x| T::select(x.lt(T::from_f64(0.5)), x * x, -x)),
    ]
}

#[test]
fn directions_side_by_side_are_those_one_at_a_time() {
    let along = [1.0, -0.3, 0.0, 2.5, 1e-9, -7.0, 0.25, 1e9];
    let (alone, abreast) = (functions::<Dual<f64>>(), functions::<Dual<f64, F64x8>>());
    for ((name, one), (_, eight)) in alone.into_iter().zip(abreast) {
        for x in [0.3, 0.7, 0.0, -0.4, 4.0] {
            let all = eight(Dual::new(x, F64x8::new(along)));
            for (k, &eps) in along.iter().enumerate() {
                let wanted = one(Dual::new(x, eps));
                let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
                assert!(same(all.re, wanted.re) && same(all.eps.lane(k), wanted.eps), "{name} of {x}, lane {k}");
            }
        }
    }
    let step = Dual::new(2.0, F64x8::new(along));
    assert_eq!((step.magnitude().re, step.to_f64(), (-step).abs() == step), (1e9, 2.0, true));
    assert!(step.is_finite() && !Dual::new(0.0, F64x8::splat(f64::NAN)).is_finite());
    let lost = |k: usize| F64x8::new(std::array::from_fn(|i| if i == k { f64::NAN } else { 1.0 }));
    assert!((0..8).all(|k| Dual::new(1.0, lost(k)).magnitude().re.is_nan()), "NaN is the largest");
    assert!(Dual::new(f64::NAN, F64x8::splat(1.0)).magnitude().re.is_nan());
    // NaN is kept from either side
    let unknown = Dual::constant(f64::NAN);
    let kept = [Real::max(step, unknown), Real::max(unknown, step), Real::min(step, unknown), Real::min(unknown, step)];
    assert!(kept.into_iter().all(|x| x.re.is_nan()));
    assert_eq!((Real::max(step, -step), Real::min(step, -step)), (step, -step));
}

#[test]
fn rules_of_two_arguments() {
    let (x, y) = (Dual::new(0.8, 0.3), Dual::new(-1.7, 0.9));
    let (u, w) = (Dual64::new(0.8, 0.3), Dual64::new(-1.7, 0.9));
    let pairs = [
        ("add", x + y, u + w),
        ("sub", x - y, u - w),
        ("mul", x * y, u * w),
        ("div", x / y, u / w),
        ("neg", -x, -u),
        ("atan2", y.atan2(x), w.atan2(u)),
        ("powf", x.powf(y), u.powd(w)),
        ("hypot", x.hypot(y), (u * u + w * w).sqrt()),
    ];
    for (name, ours, theirs) in pairs {
        assert_close(name, ours.re, theirs.re, 1e-15);
        assert_close(name, ours.eps, theirs.eps, 1e-14);
    }
    let mut sum = x;
    sum += y;
    sum -= y;
    sum *= y;
    assert_close("assign", sum.eps, (x * y).eps, 1e-15);
}

#[test]
fn kinks_have_finite_derivatives_and_untaken_branches_leave_no_trace() {
    let zero = Dual::new(0.0, 1.0);
    assert_eq!(zero.root(), Dual::new(0.0, 0.0));
    assert_eq!(zero.hypot(zero), Dual::new(0.0, 0.0));
    assert_eq!(zero.recip_or_zero(), Dual::new(0.0, 0.0));
    assert_eq!(zero.powi(0), Dual::new(1.0, 0.0));
    assert_eq!(Dual::new(-2.0, 1.0).powf(Dual::constant(2.0)), Dual::new(4.0, -4.0));
    // The branch of √x at x < 0 is not taken, so neither NaN nor its derivative may show.
    let x = Dual::new(-1.0, 1.0);
    let chosen = Dual::select(Dual::<f64>::ZERO.lt(x), x.sqrt(), Dual::ZERO);
    assert_eq!(chosen, Dual::new(0.0, 0.0));
}

#[test]
fn second_derivatives_by_nesting() {
    // d²/dx² sin x = −sin x
    let x = Dual::new(Dual::new(0.6, 1.0), Dual::constant(1.0));
    assert_close("sin''", x.sin().eps.eps, -Scalar::sin(0.6_f64), 1e-15);
}

#[test]
fn single_precision_is_a_scalar_too() {
    let x = Dual::new(0.5_f32, 1.0);
    assert_eq!(x.sin().eps, Scalar::cos(0.5_f32));
}

fn assert_close(what: &str, got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance * (1.0 + want.abs()), "{what}: {got} is not {want}");
}
