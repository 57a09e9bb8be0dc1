//! Andrews' squeezing mechanism: IVP test set (Bari/CWI), problem "andrews".

#![allow(clippy::excessive_precision, reason = "digits as the source prints them")]

use ode_runtime::Scalar;

use super::Plant;
use crate::dense_system;

/// Seven angles (β, Θ, γ, Φ, δ, Ω, ε), six loop constraints.
#[derive(Clone, Copy, Debug)]
pub struct Squeezer;

const M: [f64; 7] = [0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498];
const I: [f64; 7] = [2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5];
const A: [f64; 2] = [-0.06934, -0.00227];
const B: [f64; 2] = [-0.03635, 0.03273];
const C: [f64; 2] = [0.014, 0.072];
const C0: f64 = 4530.0;
const L0: f64 = 0.07785;
const D: f64 = 0.028;
const DA: f64 = 0.0115;
const E: f64 = 0.02;
const EA: f64 = 0.01421;
const RR: f64 = 0.007;
const RA: f64 = 0.00092;
const SS: f64 = 0.035;
const SA: f64 = 0.01874;
const SB: f64 = 0.01043;
const SC: f64 = 0.018;
const SD: f64 = 0.02;
const TA: f64 = 0.02308;
const TB: f64 = 0.00916;
const U: f64 = 0.04;
const UA: f64 = 0.01228;
const UB: f64 = 0.00449;
const ZF: f64 = 0.02;
const ZT: f64 = 0.04;
const FA: f64 = 0.01421;
const MOM: f64 = 0.033;

/// Consistent starting angles, at rest.
pub const START: [f64; 7] = [
    -0.061_713_890_014_276_5,
    0.0,
    0.455_279_819_163_070_4,
    0.222_668_390_165_885_88,
    0.487_364_979_543_842_55,
    -0.222_668_390_165_885_88,
    1.230_547_444_549_821_2,
];
/// q at t = 0.03, by extrapolation of order 24–28 in 128-bit arithmetic on the index-1 form.
pub const END_Q: [f64; 7] = [
    15.810_771_195_153_707,
    -15.756_371_058_411_84,
    0.040_822_240_119_645_806,
    -0.534_730_116_342_079_6,
    0.524_409_965_879_954,
    0.534_730_116_342_079_6,
    1.048_080_741_041_937_9,
];
/// q̇ at t = 0.03, same source.
pub const END_V: [f64; 7] = [
    1_139.920_302_259_06,
    -1_424.379_295_177_54,
    11.032_911_910_618_594,
    19.293_374_105_032_04,
    0.573_569_914_829_502_5,
    -19.293_374_105_032_04,
    0.323_179_149_249_131,
];
/// v̇ at t = 0.03, same source.
pub const END_A: [f64; 7] = [
    -24_631.763_122_874_634,
    51_850.319_636_464_23,
    324_102.600_707_578_6,
    566_749.422_000_995_3,
    16_743.635_418_345_405,
    -566_749.422_000_995_3,
    9_826.507_801_544_163,
];
/// λ at t = 0.03 in the sign M a + Gᵀ λ = f, same source.
pub const END_LAMBDA: [f64; 6] = [
    199.175_348_104_538_63,
    -29.755_309_974_971_764,
    23.066_543_611_622_15,
    31.452_725_275_737_07,
    22.642_494_786_394_38,
    11.617_392_352_611_256,
];

fn k<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

impl Plant<7, 0, 6, 0> for Squeezer {
    fn mass<T: Scalar>(&self, q: &[T; 7]) -> [[T; 7]; 7] {
        let mut m = [[T::ZERO; 7]; 7];
        let ct = q[1].cos();
        let (sp, so) = (q[3].sin(), q[5].sin());
        let (ee, ff) = (E - EA, ZF - FA);
        m[0][0] = k::<T>(M[0] * RA * RA + M[1] * (RR * RR + DA * DA) + I[0] + I[1]) - k::<T>(2.0 * M[1] * DA * RR) * ct;
        m[1][0] = k::<T>(M[1] * DA * DA + I[1]) - k::<T>(M[1] * DA * RR) * ct;
        m[1][1] = k(M[1] * DA * DA + I[1]);
        m[2][2] = k(M[2] * (SA * SA + SB * SB) + I[2]);
        m[3][3] = k(M[3] * ee * ee + I[3]);
        m[4][3] = k::<T>(M[3] * ee * ee + I[3]) + k::<T>(M[3] * ZT * ee) * sp;
        m[4][4] = k::<T>(M[3] * (ZT * ZT + ee * ee) + M[4] * (TA * TA + TB * TB) + I[3] + I[4])
            + k::<T>(2.0 * M[3] * ZT * ee) * sp;
        m[5][5] = k(M[5] * ff * ff + I[5]);
        m[6][5] = k::<T>(M[5] * ff * ff + I[5]) - k::<T>(M[5] * U * ff) * so;
        m[6][6] = k::<T>(M[5] * (ff * ff + U * U) + M[6] * (UA * UA + UB * UB) + I[5] + I[6])
            - k::<T>(2.0 * M[5] * U * ff) * so;
        for (r, c) in [(1, 0), (4, 3), (6, 5)] {
            m[c][r] = m[r][c];
        }
        m
    }
    fn force<T: Scalar>(&self, _t: T, q: &[T; 7], v: &[T; 7], _z: &[T; 0], _u: &[T; 0]) -> [T; 7] {
        let [_, th, ga, ph, _, om, _] = *q;
        let [be1, th1, _, ph1, de1, om1, ep1] = *v;
        let two = k::<T>(2.0);
        let (sg, cg) = (ga.sin(), ga.cos());
        let dx = k::<T>(SD) * cg + k::<T>(SC) * sg + k(B[0] - C[0]);
        let dy = k::<T>(SD) * sg - k::<T>(SC) * cg + k(B[1] - C[1]);
        let length = (dx * dx + dy * dy).sqrt();
        let pull = -(k::<T>(C0) * (length - k(L0)) / length);
        let (fx, fy) = (pull * dx, pull * dy);
        let (ee, ff) = (E - EA, ZF - FA);
        [
            k::<T>(MOM) - k::<T>(M[1] * DA * RR) * th1 * (th1 + two * be1) * th.sin(),
            k::<T>(M[1] * DA * RR) * be1 * be1 * th.sin(),
            fx * (k::<T>(SC) * cg - k::<T>(SD) * sg) + fy * (k::<T>(SD) * cg + k::<T>(SC) * sg),
            k::<T>(M[3] * ZT * ee) * de1 * de1 * ph.cos(),
            -(k::<T>(M[3] * ZT * ee) * ph1 * (ph1 + two * de1) * ph.cos()),
            -(k::<T>(M[5] * U * ff) * ep1 * ep1 * om.cos()),
            k::<T>(M[5] * U * ff) * om1 * (om1 + two * ep1) * om.cos(),
        ]
    }
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 7]) -> [T; 6] {
        let [be, th, ga, ph, de, om, ep] = *q;
        let x = k::<T>(RR) * be.cos() - k::<T>(D) * (be + th).cos();
        let y = k::<T>(RR) * be.sin() - k::<T>(D) * (be + th).sin();
        [
            x - k::<T>(SS) * ga.sin() - k(B[0]),
            y + k::<T>(SS) * ga.cos() - k(B[1]),
            x - k::<T>(E) * (ph + de).sin() - k::<T>(ZT) * de.cos() - k(A[0]),
            y + k::<T>(E) * (ph + de).cos() - k::<T>(ZT) * de.sin() - k(A[1]),
            x - k::<T>(ZF) * (om + ep).cos() - k::<T>(U) * ep.sin() - k(A[0]),
            y - k::<T>(ZF) * (om + ep).sin() + k::<T>(U) * ep.cos() - k(A[1]),
        ]
    }
    fn guess(&self) -> ([f64; 7], [f64; 7], [f64; 0]) {
        // Theta = 0 is the exact condition, the rest two digits.
        ([-0.06, 0.0, 0.45, 0.22, 0.49, -0.22, 1.23], [0.0; 7], [])
    }
    fn init_position<T: Scalar>(&self, q: &[T; 7], out: &mut [T]) {
        out[0] = q[1];
    }
}
dense_system!(Squeezer, q 7 ["beta", "theta", "gamma", "phi", "delta", "omega", "eps"], z 0 [],
    c 6 ["r3.x", "r3.y", "r1.x", "r1.y", "r2.x", "r2.y"], u 0 [], mass 28, jacobian 42, n 13, tangent 169, saddle 13,
    assembly 14, init ["theta"], []);
