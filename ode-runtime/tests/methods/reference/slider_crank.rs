//! Slider-cranks: one in angles, free and driven, and one in absolute coordinates.

use ode_runtime::integrators::{DormandPrince, GeneralizedAlpha, Geodesic, Multipliers};
use ode_runtime::solve::Projection;
use ode_runtime::{Nominal, Scalar, Simulation, Start};

use super::{all_close, close, fixed};
use crate::common::crank::DrivenCrank;
use crate::common::mechanisms::SliderCrank;
use crate::common::{Plant, on};
use crate::dense_system;

#[test]
fn free_slider_crank() {
    // Long-double integration.
    let free = on(SliderCrank);
    let x = Start::default().solve(&free, &Nominal).expect("consistent");
    all_close(&x.a, &[0.088_269_902_973_872_4, -0.039_895_255_707_588_5, -0.061_445_650_231_152_5], 1e-12);
    all_close(&x.lambda, &[-6.323_959_734_885_16, 6.472_572_025_420_29], 1e-12);
    let mut run = Simulation::of(&free, Geodesic).project(Projection::to(1e-13)).adaptive(1e-13).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state();
    all_close(&x.q, &[0.538_594_524_307_895, -0.259_363_091_471_947, 2.791_537_477_442_44], 1e-11);
    all_close(&x.v, &[0.069_275_060_271_319_2, -0.030_762_818_240_329_7, -0.051_312_428_579_329_5], 1e-11);
    all_close(&x.lambda, &[-5.746_017_343_514_66, 6.430_648_167_910_16], 1e-11);
    // Project Chrono's HHT(−0.2), h = 1e-3: 0.538594424897, where M is taken at the new state only; ours is nearer.
    let hht = fixed(&free, GeneralizedAlpha::hht(-0.2), 1e-3, 1.0);
    let off = (hht.q[0] - 0.538_594_524_307_895).abs();
    assert!(off < 0.538_594_524_307_895 - 0.538_594_424_897, "off by {off:e}");
}

/// Of the driven one at t = 1, long-double integration.
const DRIVEN_LAMBDA: [f64; 3] = [12.264_079_622_409_6, 15.935_350_557_255_9, -19.600_843_876_566_5];

#[test]
fn driven_slider_crank() {
    let driven = on(DrivenCrank);
    let x = Start::default().solve(&driven, &Nominal).expect("consistent");
    all_close(&x.lambda, &[26.595_853_527_459_8, -6.990_315_246_027_77, 34.566_090_530_147_9], 1e-12);
    let mut run = Simulation::of(&driven, Geodesic).project(Projection::to(1e-13)).adaptive(1e-13).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state();
    all_close(&x.q, &[5.5, 0.360_529_950_512_12, 2.580_089_782_999_63], 1e-11);
    all_close(&x.v, &[5.0, -1.893_401_189_988_28, 4.863_572_519_871_67], 1e-11);
    all_close(&x.a, &[0.0, -8.073_638_484_322_48, -18.729_447_802_273_9], 1e-11);
    all_close(&x.lambda, &DRIVEN_LAMBDA, 1e-11);
}

#[test]
fn multipliers_of_the_scheme_of_hht() {
    // Project Chrono's HHT(−0.2), h = 1e-3: 12.26425, 15.93542, −19.61123. Its last takes M of the new end for both
    // ends.
    let method = GeneralizedAlpha { multipliers: Multipliers::OfScheme, ..GeneralizedAlpha::hht(-0.2) };
    let x = fixed(&on(DrivenCrank), method, 1e-3, 1.0);
    close(x.lambda[0], 12.264_25, 4e-7);
    close(x.lambda[1], 15.935_42, 4e-7);
    assert!((x.lambda[2] - DRIVEN_LAMBDA[2]).abs() < 0.1 * (-19.611_23 - DRIVEN_LAMBDA[2]).abs(), "{:?}", x.lambda);
}

/// Three bodies (x, y, angle): crank, rod and slider, joined by eight rows.
#[derive(Clone, Copy, Debug)]
struct Absolute;

const MASSES: [f64; 3] = [0.2, 0.4, 0.3];
const LENGTHS: [f64; 2] = [0.15, 0.35];

impl Plant<9, 0, 8, 0> for Absolute {
    fn mass<T: Scalar>(&self, _q: &[T; 9]) -> [[T; 9]; 9] {
        let [m1, m2, m3] = MASSES;
        let [l1, l2] = LENGTHS;
        let entries = [m1, m1, m1 * l1 * l1 / 12.0, m2, m2, m2 * l2 * l2 / 12.0, m3, m3, 0.001];
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { T::from_f64(entries[i]) } else { T::ZERO }))
    }
    fn force<T: Scalar>(&self, _t: T, _q: &[T; 9], _v: &[T; 9], _z: &[T; 0], _u: &[T; 0]) -> [T; 9] {
        std::array::from_fn(|i| if i % 3 == 1 { T::from_f64(-9.81 * MASSES[i / 3]) } else { T::ZERO })
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 9]) -> [T; 8] {
        let [x1, y1, a1, x2, y2, a2, x3, y3, a3] = *q;
        let half = LENGTHS.map(|l| T::from_f64(0.5 * l));
        let (c1, s1) = (half[0] * a1.cos(), half[0] * a1.sin());
        let (c2, s2) = (half[1] * a2.cos(), half[1] * a2.sin());
        [x1 - c1, y1 - s1, x1 + c1 - x2 + c2, y1 + s1 - y2 + s2, x2 + c2 - x3, y2 + s2 - y3, y3, a3]
    }
    fn guess(&self) -> ([f64; 9], [f64; 9], [f64; 0]) {
        let ([l1, l2], a1, rate) = (LENGTHS, 0.5_f64, 20.0);
        let a2 = -(l1 * a1.sin() / l2).asin();
        let rate2 = -rate * l1 * a1.cos() / (l2 * a2.cos());
        let (pin, tip) = ([l1 * a1.cos(), l1 * a1.sin()], [-l1 * a1.sin() * rate, l1 * a1.cos() * rate]);
        let q = [0.5 * pin[0], 0.5 * pin[1], a1, pin[0] + 0.5 * l2 * a2.cos(), 0.5 * pin[1], a2];
        let v = [0.5 * tip[0], 0.5 * tip[1], rate, tip[0] - 0.5 * l2 * a2.sin() * rate2, 0.5 * tip[1], rate2];
        let (slider, speed) = (pin[0] + l2 * a2.cos(), tip[0] - l2 * a2.sin() * rate2);
        (
            std::array::from_fn(|i| *q.get(i).unwrap_or(&if i == 6 { slider } else { 0.0 })),
            std::array::from_fn(|i| *v.get(i).unwrap_or(&if i == 6 { speed } else { 0.0 })),
            [],
        )
    }
}
dense_system!(Absolute, q 9 ["x1", "y1", "a1", "x2", "y2", "a2", "x3", "y3", "a3"], z 0 [],
    c 8 ["fix.x", "fix.y", "pin.x", "pin.y", "wrist.x", "wrist.y", "guide", "level"], u 0 [], mass 45, jacobian 72, n 17,
    tangent 289, saddle 17, assembly 17, init [], []);

#[test]
fn slider_crank_in_absolute_coordinates() {
    // 128-bit extrapolation; Exudyn converges to it. The source writes M a = f − Gᵀλ.
    let q = [
        9.771_349_284_425_171e-3,
        7.436_074_726_064_662e-2,
        20.289_696_169_820_996,
        0.177_958_225_796_575_83,
        7.436_074_726_064_662e-2,
        -0.438_871_913_114_014_7,
        0.336_373_753_024_301_3,
        0.0,
        0.0,
    ];
    let v = [
        -1.016_912_690_753_168_2,
        0.133_627_074_218_127_48,
        13.675_396_337_652_056,
        -2.096_550_350_876_477_6,
        0.133_627_074_218_127_48,
        -0.843_522_579_867_034_7,
        -2.159_275_320_246_618_8,
        0.0,
        0.0,
    ];
    let a = [
        -4.323_891_095_770_022,
        -13.578_633_924_631_444,
        33.572_657_435_057_09,
        -2.411_482_215_417_035,
        -13.578_633_924_631_444,
        85.381_302_151_557_35,
        3.824_817_760_705_98,
        0.0,
        0.0,
    ];
    let lambda = [
        0.681_925_777_109_023_2,
        2.920_074_735_373_166_6,
        0.182_852_442_044_981_15,
        -2.166_347_950_446_878,
        1.147_445_328_211_794,
        -0.658_894_380_594_300_2,
        -3.601_894_380_594_300_2,
        0.0,
    ];
    let absolute = on(Absolute);
    let mut run =
        Simulation::of(&absolute, DormandPrince).project(Projection::to(1e-13)).adaptive(1e-12).expect("a start");
    run.advance_to(1.0).expect("steps");
    let x = run.state();
    all_close(&x.q, &q, 1e-11);
    all_close(&x.v, &v, 1e-10);
    all_close(&x.a, &a, 1e-10);
    all_close(&x.lambda, &lambda.map(|l: f64| -l), 1e-10);
}
