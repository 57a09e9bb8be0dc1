//! Fekete's problem: points on a sphere that repel each other, damped, until they rest as far apart as they can.
//!
//! The model is that of the test set: p″ = Σ (p − q)/|p − q|² − ½ p′ with p·p = 1, as an index-3 problem.

use std::f64::consts::{PI, TAU};

use ode_model::prelude::*;
use ode_model::{Method, model};

model! {
    /// Points of unit mass on the unit sphere.
    pub struct Fekete {
        set points;
        set pairs: (points, points);
        param at[points]: Vec3;
        coord (x, v)[points]: Vec3;
        for i in points {
            mass x[i] = 1.0;
            dissipation = 0.25 * v[i].dot(v[i]);
            constraint sphere: x[i].dot(x[i]) == 1.0;
            guess x[i] = at[i];
        }
        for (i, j) in pairs {
            potential = -0.5 * ln((x[i] - x[j]).dot(x[i] - x[j]));
        }
    }
}

/// Positions at t = 1000. Source: Test Set for Initial Value Problem Solvers (Bari, CWI), II-13, RADAU5 with tolerance
/// 1e-12, as distributed in the R package deTestSet.
const REFERENCE: [[f64; 3]; 20] = [
    [-0.407_026_338_033, 0.346_375_877_279, 0.845_194_245_003],
    [0.077_529_347_525, -0.262_866_271_997, 0.961_712_287_183],
    [0.710_057_783_334, 0.121_294_805_559, 0.693_617_700_517],
    [0.234_826_774_456, 0.744_927_797_692, 0.624_450_928_596],
    [-0.434_111_473_878, 0.878_543_044_226, 0.199_272_044_424],
    [-0.951_505_960_031, 0.220_350_876_279, 0.214_666_949_827],
    [-0.638_519_164_361, -0.431_083_325_939, 0.637_542_502_772],
    [-0.146_417_508_791, -0.938_087_163_523, 0.313_933_729_874],
    [0.566_697_406_507, -0.673_922_188_508, 0.474_007_313_546],
    [0.984_325_953_844, -0.169_699_535_782, -0.048_005_042_906],
    [0.146_417_508_791, 0.938_087_163_523, -0.313_933_729_874],
    [-0.709_275_754_998, 0.526_406_263_714, -0.468_854_293_885],
    [-0.866_573_181_928, -0.481_387_805_976, -0.131_592_935_298],
    [-0.234_789_777_870, -0.859_434_040_801, -0.454_144_128_796],
    [0.553_097_694_007, -0.767_437_026_562, -0.324_227_314_004],
    [0.771_105_096_990, 0.635_704_181_658, 0.035_736_855_198],
    [0.710_395_120_938, 0.240_357_043_128, -0.661_488_672_591],
    [-0.030_382_087_387, 0.450_192_329_364, -0.892_414_587_144],
    [-0.577_299_615_811, -0.176_676_341_497, -0.797_189_202_097],
    [0.241_448_176_697, -0.341_645_681_837, -0.908_284_650_345],
];

/// Rings of points: how many, the longitude of the first beyond a division, and the latitude.
const RINGS: [(usize, f64, f64); 4] = [
    (3, PI / 13.0, 3.0 * PI / 8.0),
    (7, PI / 29.0, PI / 8.0),
    (6, PI / 7.0, -2.0 * PI / 15.0),
    (4, PI / 17.0 - PI / 2.0, -3.0 * PI / 10.0),
];

fn fekete() -> Fekete {
    let ring = |(count, first, up): (usize, f64, f64)| {
        (1..=count).map(move |i| {
            let along = TAU * i as f64 / count as f64 + first;
            [along.cos() * up.cos(), along.sin() * up.cos(), up.sin()]
        })
    };
    let n = REFERENCE.len();
    Fekete::builder()
        .points(n)
        .pairs((0..n).flat_map(|j| (0..j).map(move |i| [i, j])))
        .at(RINGS.into_iter().flat_map(ring))
        .build()
        .expect("points")
}

/// At t = 1000: the positions of the test set, the least energy of 20 points, and λ = −(N − 1)/4 for p·p.
#[track_caller]
fn check(model: &Fekete, x: &State<Fekete>, within: f64) {
    let positions = model.x(&x.q).iter().flatten().zip(REFERENCE.iter().flatten());
    let off = positions.fold(0.0, |most: f64, (found, wanted)| most.max((found - wanted).abs()));
    let energy = model.energy(x.point()).potential;
    assert!(off < within, "positions {off:e}");
    assert!((energy + 54.011_129_974_58).abs() < 1e-9, "energy {energy}");
    // f + Gᵀλ = 0 with G = 2 p
    assert!(x.lambda.iter().all(|l| (l + 4.75).abs() < 1e-6), "multipliers {:?}", x.lambda);
}

fn ends<M: Method<Fekete> + ode_model::Estimates>(method: M, accuracy: f64, within: f64) {
    let model = fekete();
    let setup = Simulation::of(&model, method).project(Projection::to(1e-12));
    let mut run = setup.adaptive(accuracy).expect("a start");
    run.advance_to(1000.0).expect("a run");
    check(&model, run.state(), within);
}

#[test]
fn points_come_to_rest_where_the_test_set_says() {
    ends(DormandPrince8, 1e-8, 1e-8);
    ends(GeneralizedAlpha::with_spectral_radius(0.8), 1e-5, 1e-4);
}
