//! Controllability and observability.

use ode_control::StateSpace;
use ode_model::linalg::Labelled;
use ode_model::prelude::*;

use crate::cart_poles::upright;
use crate::drive::drive;

model! {
    /// Two equal carts between springs, pushed apart, with a lag that nothing reads and one that nothing drives.
    pub struct Twins {
        param k: Real = 3.0;
        param m: Real = 1.0;
        coord x, y: Real;
        state heard: Real;
        state alone: Real;
        input u: Real;
        kinetic = 0.5 * m * (sq(der(x)) + sq(der(y)));
        potential = 0.5 * k * (sq(x) + sq(y) + sq(x - y));
        dissipation = 0.1 * (sq(der(x)) + sq(der(y)));
        force apart on x = u + alone;
        force other on y = -u + alone;
        der(heard) = x - 2.0 * heard;
        der(alone) = 0.4 * alone;
        output gap = x - y;
    }
}

#[test]
fn hidden_modes_are_named() {
    let model = Twins::default();
    let system = StateSpace::of(&model, &State::neutral(&model), [0.0]).expect("a linear system");
    // inputs do not reach x + y, which oscillates at √k, nor the state that grows by itself
    let reach = system.controllability().expect("a rank");
    assert_eq!((reach.rank, reach.order, reach.is_full()), (3, 6, false));
    let growing = reach.hidden.iter().find(|mode| mode.pole.value.im == 0.0).expect("a mode");
    assert!((growing.pole.value.re - 0.4).abs() < 1e-10);
    assert_eq!(growing.states, ["alone"]);
    assert_eq!(reach.lasting().collect::<Vec<_>>(), [growing]);
    let sum = reach.hidden.iter().find(|mode| mode.pole.value.im > 0.0).expect("a mode");
    assert!((sum.pole.frequency() - 3.0_f64.sqrt()).abs() < 1e-9);
    let mut states = sum.states.clone();
    states.sort();
    assert!(states.iter().all(|name| ["x", "y", "der(x)", "der(y)", "alone"].contains(&name.as_str())), "{states:?}");
    assert!(states.contains(&"x".to_owned()) && states.contains(&"y".to_owned()));

    // the gap shows neither x + y nor what listens or pushes both alike
    let reach = system.observability().expect("a rank");
    assert_eq!(reach.rank, 2);
    let listener = reach.hidden.iter().find(|mode| (mode.pole.value.re + 2.0).abs() < 1e-9).expect("a mode");
    assert_eq!(listener.states, ["heard"]);
    assert!(reach.hidden.iter().all(|mode| !mode.to_string().is_empty()));

    let system = drive();
    assert!(system.controllability().expect("a rank").is_full() && system.observability().expect("a rank").is_full());
}

#[test]
fn scales_do_not_matter() {
    // the upright cart-pole with the cart in nanometres and the torque in kilonewtons
    let (model, x) = upright();
    let system = StateSpace::of(&model, &x, [0.0]).expect("a linear system");
    let scale = [1e9, 1.0, 1e9, 1.0];
    let a = Labelled::new(system.states(), system.states(), |r, c| system.a[(r, c)] * scale[r] / scale[c]);
    let b = Labelled::new(system.states(), system.inputs(), |r, _| system.b[(r, 0)] * scale[r] * 1e3);
    let other = StateSpace::of_states(a, b, None).expect("a system");
    for system in [system, other] {
        assert!(system.controllability().expect("a rank").is_full());
    }
}
