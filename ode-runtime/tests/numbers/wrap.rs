//! Representatives of angles in (−π, π].

use std::f64::consts::{PI, TAU};

use ode_runtime::wrap;

#[test]
fn an_angle_inside_is_its_own_representative() {
    for x in [0.0, -0.0, 1e-300, 0.1, -2.5, PI, PI.next_down(), (-PI).next_up()] {
        assert_eq!(wrap(x).to_bits(), x.to_bits(), "{x}");
    }
    let under = std::f32::consts::PI.next_down();
    assert_eq!([wrap(under), wrap(-under), wrap(0.3_f32)], [under, -under, 0.3]);
}

#[test]
fn other_angles_lose_whole_turns() {
    for turns in [-1e3, -2.0, -1.0, 1.0, 2.0, 1e3] {
        for x in [-3.1, -1.0, 0.0, 0.7, 3.1] {
            let off = wrap(x + turns * TAU) - x;
            assert!(off.abs() < 1e-11, "{x} and {turns} turns: {off}");
        }
    }
    // as a number, the largest f32 below 2π is outside of the half turn
    assert!(wrap(std::f32::consts::TAU.next_down()).abs() < 1e-6);
    assert!(wrap(3.5_f64) < 0.0 && wrap(-3.5_f64) > 0.0 && wrap(std::f32::consts::PI.next_up()) < 0.0);
    assert!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].into_iter().all(|x| wrap(x).is_nan()));
}
