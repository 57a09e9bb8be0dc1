//! Dry friction, whose force turns around where a velocity crosses zero.

use ode_model::Method;
use ode_model::prelude::*;
use ode_model::runtime::Estimates;

use crate::near;

model! {
    /// A block that slides until it sticks: friction turns around where the velocity crosses zero.
    pub struct Sliding<T> {
        param mu: Real = 0.1;
        param m: Real [kg] = 1.0;
        param g: Real [m/s^2] = 10.0;
        coord x: Real [m];
        mode rest: Real = 0.0;
        mass x = m;
        force friction on x = if rest > 0.5 { 0.0N } else { if der(x) > 0.0 { -mu * m * g } else { mu * m * g } };
        event stops when der(x) < 0.0 {
            rest = 1.0;
            der(x) = 0.0;
        }
        init der(x) = 1.05;
    }
}

/// x = v²/2µg after v/µg, where the force has turned around by the end of the step that crosses.
#[test]
fn a_velocity_stops_where_friction_turns_around() {
    fn stops<M: Method<Sliding<f64>> + Estimates + Copy>(method: M) {
        let block = Sliding::<f64>::default();
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
            let mut run = Simulation::of(&block, method).adaptive(tolerance).expect("a start");
            run.advance_to(3.0).expect("it rests");
            assert_eq!((run.statistics().events, run.state().modes.rest()), (1, 1.0), "{tolerance}");
            near(run.state().q.x(), 0.55125, 1e-4);
            assert!(run.statistics().taken < 2000, "{tolerance}: {:?}", run.statistics());
        }
    }
    stops(DormandPrince);
    stops(DormandPrince8);
    stops(BogackiShampine);
    stops(GeneralizedAlpha::with_spectral_radius(0.8));
}

/// The steps across see both forces and never end beyond zero.
#[test]
fn steps_of_one_size_glide_past_where_friction_turns_around() {
    let block = Sliding::<f64>::default();
    let mut run = Simulation::of(&block, RungeKutta4).fixed(0.1).expect("a start");
    run.advance_to(3.0).expect("it glides");
    assert_eq!(run.statistics().events, 0);
    assert!(run.state().v.x() > 0.01);
}
