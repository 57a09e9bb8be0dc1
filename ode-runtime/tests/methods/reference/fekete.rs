//! Fekete points of the IVP test set: twenty particles that repel each other come to rest on the unit sphere.

use std::f64::consts::PI;

use ode_runtime::Simulation;
use ode_runtime::integrators::Geodesic;
use ode_runtime::solve::Projection;

use super::close;
use crate::common::points::Points;

/// Rings of particles at rest.
fn start() -> Vec<f64> {
    let rings = [
        (1..=3, 3.0, 0.0, PI / 13.0, 3.0 * PI / 8.0),
        (4..=10, 7.0, 3.0, PI / 29.0, PI / 8.0),
        (11..=16, 6.0, 10.0, PI / 7.0, -2.0 * PI / 15.0),
        (17..=20, 4.0, 17.0, PI / 17.0, -3.0 * PI / 10.0),
    ];
    let points = rings.into_iter().flat_map(|(which, n, first, turn, height)| {
        which.map(move |i| (2.0 * PI * (f64::from(i) - first) / n + turn, height))
    });
    points.flat_map(|(a, b): (f64, f64)| [a.cos() * b.cos(), a.sin() * b.cos(), b.sin()]).collect()
}

/// −½ v + Σ (p − p′)/|p − p′|².
fn forces(q: &[f64], v: &[f64], out: &mut [f64]) {
    for (out, v) in out.iter_mut().zip(v) {
        *out = -0.5 * v;
    }
    for i in 0..20 {
        for j in 0..i {
            let gap: [f64; 3] = std::array::from_fn(|k| q[3 * i + k] - q[3 * j + k]);
            let square: f64 = gap.iter().map(|x| x * x).sum();
            for k in 0..3 {
                out[3 * i + k] += gap[k] / square;
                out[3 * j + k] -= gap[k] / square;
            }
        }
    }
}

/// −Σ ln |p − p′|.
fn energy(q: &[f64]) -> f64 {
    let pairs = (0..20).flat_map(|i| (0..i).map(move |j| (i, j)));
    let squares = pairs.map(|(i, j)| (0..3).map(|k| (q[3 * i + k] - q[3 * j + k]).powi(2)).sum::<f64>());
    squares.map(|square| -0.5 * square.ln()).sum()
}

/// IVP test set, t = 1000: RADAU5 at 1e-12.
const END: [[f64; 3]; 20] = [
    [-0.407_026_338_033_320_2, 0.346_375_877_279_180_2, 0.845_194_245_003_042_9],
    [0.077_529_347_525_215_5, -0.262_866_271_997_229_9, 0.961_712_287_182_914_6],
    [0.710_057_783_334_356_7, 0.121_294_805_558_612, 0.693_617_700_517_221_7],
    [0.234_826_774_455_762_7, 0.744_927_797_692_331_1, 0.624_450_928_595_639_1],
    [-0.434_111_473_878_288_5, 0.878_543_044_226_287_6, 0.199_272_044_423_766],
    [-0.951_505_960_031_259_6, 0.220_350_876_278_700_5, 0.214_666_949_827_400_8],
    [-0.638_519_164_360_987_8, -0.431_083_325_939_068_8, 0.637_542_502_772_212_1],
    [-0.146_417_508_791_433_6, -0.938_087_163_522_886_2, 0.313_933_729_874_469],
    [0.566_697_406_506_994_2, -0.673_922_188_507_654_2, 0.474_007_313_546_215_6],
    [0.984_325_953_844_029_3, -0.169_699_535_781_999_6, -0.048_005_042_906_090_9],
    [0.146_417_508_791_433_1, 0.938_087_163_522_887_5, -0.313_933_729_874_465_6],
    [-0.709_275_754_997_901_4, 0.526_406_263_713_961_6, -0.468_854_293_885_492_9],
    [-0.866_573_181_928_447_8, -0.481_387_805_975_602_4, -0.131_592_935_298_217_8],
    [-0.234_789_777_870_053_8, -0.859_434_040_801_313, -0.454_144_128_795_757_9],
    [0.553_097_694_007_411_8, -0.767_437_026_561_512_4, -0.324_227_314_003_783_3],
    [0.771_105_096_989_692_7, 0.635_704_181_657_703_4, 0.035_736_855_197_770_01],
    [0.710_395_120_937_959_1, 0.240_357_043_128_051_9, -0.661_488_672_591_059_6],
    [-0.030_382_087_387_356_6, 0.450_192_329_364_046_1, -0.892_414_587_144_204_6],
    [-0.577_299_615_810_709_3, -0.176_676_341_497_181_3, -0.797_189_202_096_954_4],
    [0.241_448_176_696_903_9, -0.341_645_681_837_313_5, -0.908_284_650_344_625],
];

#[test]
fn fekete_points() {
    let sphere = Points::free(3, vec![1.0; 60], start(), vec![0.0; 60], forces).on_spheres();
    let setup = Simulation::of(&sphere, Geodesic).given(sphere.start()).project(Projection::to(1e-11));
    let mut run = setup.adaptive(1e-9).expect("a start");
    run.advance_to(1000.0).expect("steps");
    let x = run.state();
    let off = x.q.iter().zip(END.as_flattened()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // The least energy of twenty points, and −(N − 1)/4: p·(p − p′)/|p − p′|² = ½ on the sphere.
    close(energy(&x.q), -54.011_129_974_58, 1e-12);
    for &lambda in &x.lambda {
        close(lambda, -4.75, 1e-9);
    }
    assert!(off < 1e-9, "off by {off:e}");
}
