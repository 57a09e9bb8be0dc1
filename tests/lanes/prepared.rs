//! Members of an ensemble have values of their own of `#[model(prepared)]`.

#![allow(missing_docs)]

use ode_model::integrators::{GeneralizedAlpha, RungeKutta4};
use ode_model::prelude::*;
use ode_model::{Ensemble, F64x4, Scalar, Wide, WideModel};

model! {
    #[model(prepared)]
    pub(crate) struct Rod<T> {
        param: Real { m = 0.7; l = 0.4; g = 9.81; c = 0.1; }
        coord th: Angle;
        kinetic = 0.5 * m * sq(l) / 3.0 * sq(der(th));
        potential = -0.5 * m * g * l * cos(th);
        dissipation = 0.5 * c * sq(l) * sq(der(th));
        init th = 0.5;
    }
}

fn rods() -> Vec<Rod<f64>> {
    let rod = |k: usize| Rod::builder().m(0.7 + 0.1 * k as f64).l(0.4 + 0.05 * k as f64).build();
    (0..7).map(|k| rod(k).expect("a model")).collect()
}

#[test]
fn members_move_as_they_do_alone() {
    macro_rules! by {
        ($($method:expr, $far:expr;)*) => {$(
            let members = rods();
            let mut ensemble = Ensemble::<Rod<F64x4>, _>::of(members.clone(), $method).fixed(0.01).expect("a start");
            ensemble.advance_to(0.3, |_| {}).expect("steps");
            for (k, rod) in members.iter().enumerate() {
                let mut run = Simulation::of(rod, $method).fixed(0.01).expect("a start");
                run.advance_to(0.3).expect("steps");
                let far = (ensemble.state(k).expect("a member").q.th() - run.state().q.th()).abs();
                assert!(far <= $far, "member {k} by {}: {far:e}", stringify!($method));
            }
        )*};
    }
    by! {
        RungeKutta4, 0.0;
        GeneralizedAlpha::trapezoidal(), 1e-10;
    }
}

#[test]
fn a_change_of_a_lane_is_seen_in_it() {
    let mut wide = Rod::<F64x4>::default();
    wide.change(|p| p.m.set_lane(2, 3.0));
    let alone = |k: usize| wide.single(k);
    let mut expected = Rod::<f64>::default();
    let mass = |rod: &Rod<f64>| rod.mass(State::neutral(rod).point())[(0, 0)];
    assert_eq!(mass(&alone(1)), mass(&expected));
    expected.change(|p| p.m = 3.0);
    assert_eq!(mass(&alone(2)), mass(&expected));
    assert_eq!(wide.m.lane(2), f64::from_f64(3.0));
}
