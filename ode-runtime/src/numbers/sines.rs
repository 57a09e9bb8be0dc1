//! Sines and cosines of several angles at once, lane by lane the same operations, which a vector unit does together.
//!
//! An angle is reduced by a multiple of π/2 (Cody and Waite 1980), with a remainder in two numbers; polynomials give
//! sine and cosine of the remainder, and the quadrant says which of them is which. Each lane depends on its own angle
//! alone, so what stands beside it, and in which order, has no effect.

/// Arithmetic of a target, and what stands behind it.
pub(super) trait Arithmetic {
    /// a b + c, with one rounding or two.
    fn mul_add(a: f64, b: f64, c: f64) -> f64;
    /// Sine and cosine of angles that are too large here, or no numbers.
    fn far(angle: f64) -> (f64, f64);
}

/// Larger angles are not reduced here: up to it n P1 and n P2 are exact, and the closest double to a multiple of π/2 is
/// 2⁻⁶⁰ from it, so that the remainder has all its digits.
pub(super) const LARGEST: f64 = 1e5;

/// Added to a small number, it leaves the nearest integer in the last bits: 3 · 2⁵¹.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// π/2 = P1 + P2 + P3, cut, not rounded, after 37 and 74 bits; n < 2¹⁶.
const P1: f64 = f64::from_bits(0x3ff9_21fb_5444_0000);
const P2: f64 = f64::from_bits(0x3d86_8c23_4c4c_0000);
const P3: f64 = f64::from_bits(0x3b29_8a2e_0370_7345);

/// sin r ≈ r + S1 r³ + S2 r⁵ + …, cos r ≈ 1 − r²/2 + C1 r⁴ + C2 r⁶ + … for |r| ≤ π/4, both to 2⁻⁵⁸: `k_sin.c` and
/// `k_cos.c` of FDLIBM 5.3 (Sun Microsystems 1993).
const S1: f64 = -1.666_666_666_666_663_2e-1;
const S2: f64 = 8.333_333_333_322_49e-3;
const S3: f64 = -1.984_126_982_985_795e-4;
const S4: f64 = 2.755_731_370_707_006_8e-6;
const S5: f64 = -2.505_076_025_340_686_3e-8;
const S6: f64 = 1.589_690_995_211_55e-10;
const C1: f64 = 4.166_666_666_666_66e-2;
const C2: f64 = -1.388_888_888_887_411e-3;
const C3: f64 = 2.480_158_728_947_673e-5;
const C4: f64 = -2.755_731_435_139_066_3e-7;
const C5: f64 = 2.087_572_321_298_175e-9;
const C6: f64 = -1.135_964_755_778_819_5e-11;

/// Lanes that are evaluated together: two registers, of AVX or of SSE2, so that neither waits for its own results.
const LANES: usize = if cfg!(target_feature = "avx") { 8 } else { 4 };

// Functions of their own, because LLVM takes lanes apart where it sees which are empty. Few angles come as numbers: a
// processor waits where it reads as one vector what was just written as several numbers.

#[inline(never)]
fn two<A: Arithmetic>(a: f64, b: f64) -> [[f64; 2]; 2] {
    lanes::<A, 2>([a, b])
}

#[inline(never)]
fn four<A: Arithmetic>(a: f64, b: f64, c: f64, d: f64) -> [[f64; 4]; 2] {
    lanes::<A, 4>([a, b, c, d])
}

#[inline(never)]
fn most<A: Arithmetic>(angles: &[f64; LANES]) -> [[f64; LANES]; 2] {
    lanes::<A, LANES>(*angles)
}

/// Sine and cosine of each angle, in the fewest groups of lanes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn each<A: Arithmetic, const N: usize>(angles: [f64; N]) -> [[f64; N]; 2] {
    let (mut values, mut done) = ([[0.0; N]; 2], 0);
    while done < N {
        done += match N - done {
            ..=2 => fill(|[a, b]| two::<A>(a, b), &angles, &mut values, done),
            rest if rest <= 4 || N < LANES => fill(|[a, b, c, d]| four::<A>(a, b, c, d), &angles, &mut values, done),
            _ => fill(|angles| most::<A>(&angles), &angles, &mut values, done),
        };
    }
    values
}

/// The values of the next W angles. Where fewer are left, some before them are evaluated again; without these, lanes
/// stay empty.
#[cfg_attr(not(debug_assertions), inline(always))]
fn fill<const W: usize, const N: usize>(
    of: impl Fn([f64; W]) -> [[f64; W]; 2],
    angles: &[f64; N],
    values: &mut [[f64; N]; 2],
    done: usize,
) -> usize {
    let first = done.min(N.saturating_sub(W));
    let own = of(core::array::from_fn(|i| angles.get(first + i).copied().unwrap_or(0.0)));
    for (values, own) in values.iter_mut().zip(&own) {
        for (value, own) in values[first..].iter_mut().zip(own) {
            *value = *own;
        }
    }
    W
}

/// Sine and cosine of each, within an ulp; in one loop without a branch.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn lanes<A: Arithmetic, const N: usize>(angles: [f64; N]) -> [[f64; N]; 2] {
    let (mut values, near) = near::<A, N>(&angles);
    if !near {
        let [sines, cosines] = &mut values;
        replace::<A>(&angles, sines, cosines);
    }
    values
}

/// Sine and cosine of each, and whether all are small enough for that.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn near<A: Arithmetic, const N: usize>(angles: &[f64; N]) -> ([[f64; N]; 2], bool) {
    let (mut sines, mut cosines, mut near) = ([0.0; N], [0.0; N], true);
    for i in 0..N {
        (sines[i], cosines[i]) = lane::<A>(angles[i]);
        near &= angles[i].abs() <= LARGEST;
    }
    ([sines, cosines], near)
}

/// Replaces those of angles that are too large, or no numbers.
#[cold]
pub(super) fn replace<A: Arithmetic>(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    for ((&angle, sine), cosine) in angles.iter().zip(sines).zip(cosines) {
        if angle.is_nan() || angle.abs() > LARGEST {
            (*sine, *cosine) = A::far(angle);
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn lane<A: Arithmetic>(x: f64) -> (f64, f64) {
    let rounded = A::mul_add(x, core::f64::consts::FRAC_2_PI, ROUND);
    let (quadrant, n) = (rounded.to_bits(), rounded - ROUND);
    // x − n π/2 = r + tail; the polynomials need not wait for the tail, and differences in this order keep −0
    let first = A::mul_add(-n, P1, x);
    let r = A::mul_add(-n, P2, first);
    let lost = A::mul_add(-n, P2, first - r);
    let tail = -A::mul_add(n, P3, -lost);
    let (sine, cosine) = (sine::<A>(r, tail).to_bits(), cosine::<A>(r, tail).to_bits());
    // an odd quadrant exchanges the two, and its second bit changes the sign
    let exchanged = (sine ^ cosine) & (quadrant & 1).wrapping_neg();
    let sign = |quadrant: u64| (quadrant << 62) & (1 << 63);
    let sine = sine ^ exchanged ^ sign(quadrant);
    let cosine = cosine ^ exchanged ^ sign(quadrant.wrapping_add(1));
    (f64::from_bits(sine), f64::from_bits(cosine))
}

/// c₀ + c₁ z + … + c₅ z⁵, by pairs of terms that do not wait for each other (Estrin 1960)
#[cfg_attr(not(debug_assertions), inline(always))]
fn polynomial<A: Arithmetic>([c0, c1, c2, c3, c4, c5]: [f64; 6], z: f64, z2: f64) -> f64 {
    let f = A::mul_add;
    f(z2, f(z2, f(z, c5, c4), f(z, c3, c2)), f(z, c1, c0))
}

/// sin (r + tail)
#[cfg_attr(not(debug_assertions), inline(always))]
fn sine<A: Arithmetic>(r: f64, tail: f64) -> f64 {
    let z = r * r;
    let cubic = polynomial::<A>([S1, S2, S3, S4, S5, S6], z, z * z);
    // cos r ≈ 1 − z/2 at the tail
    let tail = A::mul_add(0.5 * z, tail, -tail);
    r - A::mul_add(-(z * r), cubic, tail)
}

/// cos (r + tail)
#[cfg_attr(not(debug_assertions), inline(always))]
fn cosine<A: Arithmetic>(r: f64, tail: f64) -> f64 {
    let z = r * r;
    let z2 = z * z;
    let quartic = polynomial::<A>([C1, C2, C3, C4, C5, C6], z, z2);
    let half = 0.5 * z;
    let most = 1.0 - half;
    // what 1 − z/2 lost comes back with the small terms
    let lost = A::mul_add(-r, tail, (1.0 - most) - half);
    most + A::mul_add(z2, quartic, lost)
}
