//! Sines and cosines of several angles at once, beside exact ones, with products that are rounded and with fused ones.

use crate::sines::{Arithmetic, LARGEST, each, lanes};

/// Products and sums rounded one by one.
struct Rounded;
/// Products and sums in one rounding.
struct Fused;

impl Arithmetic for Rounded {
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
    fn far(angle: f64) -> (f64, f64) {
        angle.sin_cos()
    }
}

impl Arithmetic for Fused {
    fn mul_add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
    fn far(angle: f64) -> (f64, f64) {
        angle.sin_cos()
    }
}

/// A number of twice the digits, as the sum of two.
type Pair = [f64; 2];

fn sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    let t = s - a;
    [s, (a - (s - t)) + (b - t)]
}

fn add([a, a1]: Pair, [b, b1]: Pair) -> Pair {
    let [s, e] = sum(a, b);
    let [t, f] = sum(a1, b1);
    let [s, e] = sum(s, e + t);
    sum(s, e + f)
}

fn product(a: f64, b: f64) -> Pair {
    let p = a * b;
    [p, a.mul_add(b, -p)]
}

fn times([a, a1]: Pair, [b, b1]: Pair) -> Pair {
    let [p, e] = product(a, b);
    sum(p, e + (a * b1 + a1 * b))
}

fn over([a, a1]: Pair, d: f64) -> Pair {
    let q = a / d;
    let [p, e] = product(q, d);
    sum(q, (((a - p) - e) + a1) / d)
}

/// π/2 to 215 bits, as a sum of four, the first digits of its binary expansion.
const QUARTER: [u64; 4] = [0x3ff9_21fb_5444_2d18, 0x3c91_a626_3314_5c07, 0xb91f_1976_b7ed_8fbc, 0x35b4_cf98_e804_177d];

/// Σ (−1)ᵏ x^(m + 2k)/(m + 2k)! from the smallest term that counts, m = 0 or 1. Terms below 10⁻⁷ of the first one need
/// no more than the usual digits.
fn series(x: Pair, m: i32) -> Pair {
    let square = times(x, x);
    let divisor = |k: i32| f64::from((m + 2 * k) * (m + 2 * k - 1));
    let small = (6..13).rev().fold(1.0, |value, k| 1.0 - square[0] * value / divisor(k));
    let value = (1..6).rev().fold([small, 0.0], |value, k| {
        let [a, b] = over(times(square, value), divisor(k));
        add([1.0, 0.0], [-a, -b])
    });
    if m == 0 { value } else { times(x, value) }
}

/// Sine and cosine to 22 digits: Taylor's series of the remainder.
fn exact(x: f64) -> [Pair; 2] {
    let n = (x * core::f64::consts::FRAC_2_PI).round();
    let rest = QUARTER.iter().fold([x, 0.0], |rest, &part| add(rest, product(-n, f64::from_bits(part))));
    let [sine, cosine] = [series(rest, 1), series(rest, 0)];
    let minus = |[a, b]: Pair| [-a, -b];
    match n.rem_euclid(4.0) {
        0.0 => [sine, cosine],
        1.0 => [cosine, minus(sine)],
        2.0 => [minus(sine), minus(cosine)],
        _ => [minus(cosine), sine],
    }
}

/// The distance in units of the last place of the exact value.
fn ulps(value: f64, [exact, rest]: Pair) -> f64 {
    ((value - exact) - rest).abs() / (exact.abs().next_up() - exact.abs())
}

/// The largest distance at these angles, of either arithmetic.
fn worst(angles: impl Iterator<Item = f64>) -> [f64; 2] {
    angles.fold([0.0; 2], |worst, x| {
        let exact = exact(x);
        let of = |values: [[f64; 1]; 2]| ulps(values[0][0], exact[0]).max(ulps(values[1][0], exact[1]));
        // NaN stays
        let larger = |worst: f64, own: f64| if own <= worst { worst } else { own };
        [larger(worst[0], of(lanes::<Rounded, 1>([x]))), larger(worst[1], of(lanes::<Fused, 1>([x])))]
    })
}

/// Half an ulp is what rounding costs; the rest is what the kernel loses.
fn assert_sharp(worst: [f64; 2]) {
    assert!(worst.iter().all(|&ulps| ulps <= 0.85), "{worst:?} ulps");
}

/// Angle, sine and cosine as pairs: mpmath 1.3.0 with 400 bits. Three are the closest to multiples of π/2.
#[allow(clippy::approx_constant, clippy::excessive_precision, reason = "angles close to multiples of π/2")]
const REFERENCES: [(f64, Pair, Pair); 12] = [
    (0.5, [0.479425538604203, -5.103969860556013e-18], [0.8775825618903728, -4.2623149864279997e-17]),
    (1.0, [0.8414709848078965, 1.776845092935536e-18], [0.5403023058681398, -4.760954612604417e-17]),
    (3.0, [0.1411200080598672, 8.577269787017502e-18], [-0.9899924966004454, -4.2060261566099734e-17]),
    (0.7853981633974483, [0.7071067811865475, 4.1036934489363755e-17], [0.7071067811865476, -2.6687565161377232e-17]),
    (1.5707963267948966, [1.0, -1.874699728327322e-33], [6.123233995736766e-17, -1.4973849048591698e-33]),
    (3.141592653589793, [1.2246467991473532e-16, -2.99476980971834e-33], [-1.0, 7.498798913309288e-33]),
    (45.553093477052, [1.0, -1.915685142356643e-37], [-6.189806365883577e-19, 5.558005016244944e-36]),
    (2915.397982531328, [3.9614760741654893e-17, -3.557123210396764e-34], [1.0, -7.84664634309281e-34]),
    (99998.46496008991, [1.0, -7.854587433043091e-27], [-1.2533624721558478e-13, 7.954128397820703e-30]),
    (12345.678, [-0.7040813137533816, -1.9646969196301474e-17], [0.7101193587160628, -2.4815747415365305e-17]),
    (100000.0, [0.03574879797201651, 1.5429743706109861e-18], [-0.9993608074382124, -2.3447088905187402e-17]),
    (0.001, [0.0009999998333333417, 5.670638989736153e-21], [0.9999995000000417, -7.831485455398128e-18]),
];

#[test]
fn the_oracle_agrees_with_other_digits() {
    for (x, sine, cosine) in REFERENCES {
        for (own, other) in exact(x).into_iter().zip([sine, cosine]) {
            let off = ((own[0] - other[0]) + (own[1] - other[1])).abs();
            assert!(off <= 1e-22 * other[0].abs(), "{x}: {own:?}, {other:?}");
        }
        assert_sharp(worst([x, -x].into_iter()));
    }
}

#[test]
fn close_to_multiples_of_a_right_angle_all_digits_are_right() {
    let quarters = (1..=63_661).map(|n| f64::from(n) * core::f64::consts::FRAC_PI_2);
    assert_sharp(worst(quarters.clone().flat_map(|x| [x.next_down(), x, x.next_up()])));
    // where the quadrant changes, remainders are largest
    assert_sharp(worst(quarters.map(|x| x + core::f64::consts::FRAC_PI_4).filter(|&x| x <= LARGEST)));
}

#[test]
fn all_magnitudes_are_right() {
    let mut bits = 0_u64;
    let angles = core::iter::from_fn(|| {
        // a stride without a pattern, over all magnitudes to the largest
        bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
        Some(f64::from_bits(bits % (LARGEST.to_bits() + 1)))
    });
    assert_sharp(worst(angles.take(50_000).filter(|x| *x >= f64::MIN_POSITIVE)));
    let even = (0..100_000).map(|k| f64::from(k) + 0.123_456_789);
    assert_sharp(worst(even.filter(|x| *x <= LARGEST)));
}

fn single(step: usize) -> impl Iterator<Item = f64> {
    let last = (LARGEST as f32).to_bits();
    let magnitudes = (f32::MIN_POSITIVE.to_bits()..=last).step_by(step).map(f32::from_bits).map(f64::from);
    magnitudes.enumerate().map(|(k, x)| if k % 2 == 0 { x } else { -x })
}

#[test]
fn angles_of_single_precision_are_right() {
    assert_sharp(worst(single(9_973)));
}

/// All 1.2 billion, one or the other sign.
#[test]
#[ignore = "ten minutes"]
fn all_angles_of_single_precision_are_right() {
    assert_sharp(worst(single(1)));
}

#[test]
fn signs_of_zero_and_digits_below_the_normal_ones_stay() {
    fn small<A: Arithmetic>() {
        for x in [0.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 1e-200, 1e-20] {
            for x in [x, -x] {
                let [[sine], [cosine]] = lanes::<A, 1>([x]);
                assert_eq!((sine.to_bits(), cosine), (x.to_bits(), 1.0), "{x:e}");
            }
        }
    }
    small::<Rounded>();
    small::<Fused>();
}

#[test]
fn what_is_far_is_left_to_others_and_does_not_affect_what_is_near() {
    let far = [LARGEST.next_up(), -1e22, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for far in far {
        let near = [0.7, -3.0, LARGEST];
        let [sines, cosines] = lanes::<Rounded, 4>([near[0], far, near[1], near[2]]);
        assert_eq!([sines[1], cosines[1]].map(f64::to_bits), [far.sin(), far.cos()].map(f64::to_bits));
        let [alone, beside] = lanes::<Rounded, 3>(near);
        assert_eq!(([sines[0], sines[2], sines[3]], [cosines[0], cosines[2], cosines[3]]), (alone, beside));
    }
}

#[test]
fn groups_of_any_number_of_angles_give_what_each_alone_gives() {
    fn groups<A: Arithmetic, const N: usize>() {
        for far in [1.5 * LARGEST, f64::NAN, 2.0] {
            let angles = core::array::from_fn::<f64, N, _>(|i| if i == N / 2 { far } else { 0.7 * i as f64 - 3.0 });
            let [sines, cosines] = each::<A, N>(angles);
            for i in 0..N {
                let alone = lanes::<A, 1>([angles[i]]).map(|[value]| value.to_bits());
                assert_eq!([sines[i].to_bits(), cosines[i].to_bits()], alone, "angle {i} of {N}: {}", angles[i]);
            }
        }
    }
    macro_rules! numbers {
        ($($n:literal)*) => { $(groups::<Rounded, $n>(); groups::<Fused, $n>();)* };
    }
    numbers!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 23 24);
}
