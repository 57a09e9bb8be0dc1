//! Descents end where it is stable, whatever is nearer.

mod common;

use common::equilibria::{Column, Lagged, Planar, Ziegler};
use common::mechanisms::{Funicular, Hinged, SliderCrank, Solenoid};
use common::on;
use common::plants::{Oscillator, Pendulum};
use common::rigid::{Hung, Rod};
use ode_runtime::analysis::{Equilibrium, Stability, StaticError, Statics, Unsettled};
use ode_runtime::{Linearize, Nominal, Solvable, State, so3};

fn descend<S: Solvable<Real = f64> + Linearize>(system: &S, q: S::Q) -> (State<S>, Equilibrium<f64>) {
    let x = State { q, ..State::zeros(system) };
    let statics = Statics { iterations: 200, ..Statics::default() };
    let (x, found) = statics.descend(system, &Nominal, x).expect("a stable equilibrium");
    assert_ne!(found.stability, Stability::Unstable);
    assert!(found.residual < 1e-8, "{found:?}");
    (x, found)
}

fn refused<S: Solvable<Real = f64> + Linearize>(system: &S) -> StaticError {
    let mut x = State::zeros(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    Statics::default().descend(system, &Nominal, x).expect_err("none")
}

#[test]
fn a_slider_crank_goes_down_to_its_stable_equilibrium() {
    // V falls from 0.43019 and from 2.83126 on both sides, to 0.57620 and to −0.98180.
    let system = on(SliderCrank);
    let (mut most, steps) = (0, 60);
    for i in 0..steps {
        let th = -3.0 + 5.8 * f64::from(i) / f64::from(steps);
        let (x, found) = descend(&system, SliderCrank::closed(th));
        let want = if th > 0.430_19 { 0.576_20 } else { -0.981_80 };
        assert!((x.q[0] - want).abs() < 1e-4, "{th}: {:?}", x.q);
        assert_eq!(found.stability, Stability::Stable);
        most = most.max(found.iterations);
    }
    assert!(most <= 40, "{most}");
    let (x, found) = descend(&system, SliderCrank::closed(0.5));
    assert!((x.q[0] - 0.576_20).abs() < 1e-5 && found.iterations <= 10, "{found:?}");
    // begun at the unstable one itself
    let start = State { q: SliderCrank::closed(0.5), ..State::zeros(&system) };
    let (top, _) = Statics::default().solve(&system, &Nominal, start).expect("an equilibrium");
    assert!((top.q[0] - 0.430_19).abs() < 1e-5);
    let (x, _) = descend(&system, top.q);
    assert!([0.576_20, -0.981_80].iter().any(|want| (x.q[0] - want).abs() < 1e-4), "{:?}", x.q);
}

#[test]
fn a_bob_on_its_head_falls_over() {
    let system = on(Pendulum::standard());
    for q in [[0.0, 1.0], [1e-9, 1.0], [0.6, 0.8], [-1.0, 0.0], [0.7, 0.5]] {
        let (x, found) = descend(&system, q);
        assert!(x.q[0].abs() < 1e-10 && (x.q[1] + 1.0).abs() < 1e-10, "{q:?} {:?}", x.q);
        assert!((x.lambda[0] + 9.81).abs() < 1e-9 && found.stability == Stability::Stable);
    }
}

#[test]
fn a_column_beyond_eulers_load_bends() {
    for share in [1.001, 1.5, 4.0] {
        let load = share * Column::critical();
        let (x, found) = descend(&on(Column::straight(load)), [0.0; 3]);
        assert_eq!(found.stability, Stability::Stable);
        // moments of the links' equilibrium, and angles that grow upwards
        let [a, b, c] = x.q.map(f64::abs);
        for moment in [2.0 * a - b - load * a.sin(), 2.0 * b - a - c - load * b.sin(), c - b - load * c.sin()] {
            assert!(moment.abs() < 1e-10, "{moment}");
        }
        assert!(0.0 < a && a < b && b < c, "{:?}", x.q);
    }
    let (x, _) = descend(&on(Column::straight(0.99 * Column::critical())), [0.3, 0.4, 0.2]);
    assert!(x.q.iter().all(|q| q.abs() < 1e-9), "{:?}", x.q);
}

#[test]
fn what_nothing_holds_stays_where_it_is() {
    let (x, found) = descend(&on(Planar::springs(2.0, 0.0)), [1.0, 1.0]);
    assert!(x.q[0].abs() < 1e-12 && x.q[1] == 1.0, "{:?}", x.q);
    assert_eq!(found.stability, Stability::Indifferent);
    // a body hangs from its hook however it is turned about the vertical
    let [w, i, j, k] = so3::exp(&[2.0, 1.0, 0.5]);
    let (x, found) = descend(&on(Hung), [0.1, 0.2, -0.5, w, i, j, k]);
    assert_eq!(found.stability, Stability::Indifferent);
    let arm = so3::rotate(&[x.q[3], x.q[4], x.q[5], x.q[6]], &[0.3, -0.1, 0.2]);
    for (got, want) in [(x.q[0] + arm[0], 0.0), (x.q[1] + arm[1], 0.0), (x.q[2] + arm[2], -2.0 * 9.81 / 40.0)] {
        assert!((got - want).abs() < 1e-8, "{:?}", x.q);
    }
    assert!((arm[2] - 0.14f64.sqrt()).abs() < 1e-8, "{arm:?}");
}

#[test]
fn bodies_on_joints_come_to_hang() {
    // the centre of mass below its joint
    let [w, i, j, k] = so3::exp(&[0.0, 1e-3, 0.0]);
    let centre = so3::rotate(&[w, i, j, k], &[0.0, 0.0, 0.5]);
    let (x, _) = descend(&on(Rod), [centre[0], centre[1], centre[2], w, i, j, k]);
    assert!((x.q[2] + 0.5).abs() < 1e-9, "{:?}", x.q);
    let (x, found) = descend(&on(Hinged), Hinged::placed());
    let half = 0.5f64.sqrt();
    for (got, want) in [(x.q[0], 1.0), (x.q[1], 2.0 + 2.0 * half), (x.q[2], 3.0 - 2.0 * half)] {
        assert!((got - want).abs() < 1e-9, "{:?}", x.q);
    }
    assert_eq!(found.stability, Stability::Stable);
}

#[test]
fn an_arch_of_links_falls_into_its_funicular() {
    let plant = Funicular { tension: 1.0 };
    let mut arch = plant.joints();
    (0..3).for_each(|i| arch[2 * i + 1] = -arch[2 * i + 1]);
    let (x, found) = descend(&on(plant), arch);
    assert_eq!(found.stability, Stability::Stable);
    for (got, want) in x.q.iter().zip(plant.joints()) {
        assert!((got - want).abs() < 1e-8, "{:?}", x.q);
    }
}

#[test]
fn states_follow_on_the_way_down() {
    let (x, found) = {
        let system = on(Solenoid);
        let x = State { z: [0.5], ..State::zeros(&system) };
        Statics::default().descend(&system, &Nominal, x).expect("held by its spring")
    };
    assert!((x.z[0] - 4.0).abs() < 1e-12 && (x.q[0] - 2.0).abs() < 1e-10, "{x:?}");
    assert_eq!(found.stability, Stability::Stable);
    // alone it would fall; its controller holds it
    let (x, found) = descend(&on(Lagged { stiffness: 1.0, pull: 1.0, rate: 2.0, leak: 1.0 }), [0.7]);
    assert!(x.q[0].abs() < 1e-10 && found.stability == Stability::Stable, "{x:?}");
}

#[test]
fn where_there_is_nothing_stable_it_says_so() {
    let falls = refused(&on(Oscillator { m: 1.0, k: 0.0, c: 0.0, w: 1.0, x: 0.0, v: 0.0 }));
    assert!(matches!(falls.cause, Unsettled::Iterations { .. }), "{falls}");
    let rises = refused(&on(Planar { start: [0.1, 0.1], ..Planar::springs(2.0, -1.0) }));
    assert!(matches!(rises.cause, Unsettled::Iterations { name, .. } if name.as_str() == "y"), "{rises}");
    let flutters = refused(&on(Ziegler { load: 2.2, damping: 0.0 }));
    assert!(matches!(flutters.cause, Unsettled::Unstable { .. }), "{flutters}");
    let fed = refused(&on(Oscillator { m: 2.0, k: 50.0, c: -1.0, w: 0.0, x: 0.0, v: 0.0 }));
    assert!(matches!(fed.cause, Unsettled::Unstable { name, .. } if name.as_str() == "x"), "{fed}");
    assert!(fed.to_string().contains("`x` leaves"), "{fed}");
}
