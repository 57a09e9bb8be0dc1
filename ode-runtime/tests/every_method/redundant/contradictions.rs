//! Rows that ask for different things, at every door: all of them are named.

use ode_runtime::analysis::{Assembly, KinematicError, Kinematics, Levels, Statics, Unsettled};
use ode_runtime::{Cause, Level, Names, Nominal, State, System};

use super::instants::outcome;
use crate::common::linkages::{Clamp, FourBar, Guides};
use crate::common::methods::{Candidate, Each, every_method};
use crate::common::on;

const AGREES: Clamp = Clamp { offset: 0.0, speed: 0.0, pull: 0.0, turn: 0.0 };

#[track_caller]
fn contradiction(cause: Cause, at: Level) {
    match cause {
        Cause::Contradiction { level, rows, .. } if level == at => both(&rows),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn both(rows: &Names) {
    assert_eq!((rows.as_str(), rows.more()), ("`fixed`, `moving`", 0));
}

/// From between two guides, where every step of least size is none.
#[test]
fn a_state_between_two_guides_is_refused_in_every_method() {
    struct Between(Vec<String>);
    impl Each for Between {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            let guides = on(Guides { offset: 0.3, rate: 0.0 });
            let mut x = State::neutral(&guides);
            x.q = [0.15, 0.0, 0.0];
            for projected in [false, true] {
                match outcome(&guides, method, projected, Some(x.clone()), (1e-2, 0.1)).map_err(|error| error.cause) {
                    Err(Cause::Contradiction { level: Level::Position, rows, .. }) => both(&rows),
                    other => self.0.push(format!("{name}, projected {projected}: {other:?}")),
                }
            }
        }
    }
    let mut between = Between(Vec::new());
    every_method(&mut between);
    assert!(between.0.is_empty(), "{:#?}", between.0);
}

/// From an offset near both limits: methods that only evaluate accelerations do not see it unless they project.
#[test]
fn guides_that_are_near_each_other_are_refused_by_what_holds_positions() {
    const BY_ACCELERATIONS: [&str; 13] = [
        "SemiExplicit",
        "Leapfrog",
        "ForwardEuler",
        "Heun",
        "ExplicitMidpoint",
        "BogackiShampine",
        "Chebyshev",
        "RungeKutta4",
        "Geodesic",
        "Fehlberg",
        "DormandPrince",
        "Verner9",
        "BackwardEuler::linearized",
    ];
    struct Between(Vec<String>);
    impl Each for Between {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            let guides = on(Guides { offset: 0.02, rate: 0.0 });
            let mut x = State::neutral(&guides);
            x.q = [0.01, 0.0, 0.0];
            for projected in [false, true] {
                let sees = projected || !BY_ACCELERATIONS.iter().any(|one| name.starts_with(one));
                match outcome(&guides, method, projected, Some(x.clone()), (1e-2, 0.05)).map_err(|error| error.cause) {
                    Err(Cause::Contradiction { level: Level::Position, rows, .. }) => both(&rows),
                    Ok(_) if !sees => {}
                    other => self.0.push(format!("{name}, projected {projected}: {other:?}")),
                }
            }
        }
    }
    let mut between = Between(Vec::new());
    every_method(&mut between);
    assert!(between.0.is_empty(), "{:#?}", between.0);
}

#[test]
fn assembly_names_them_at_each_level() {
    let cases = [
        (Clamp { offset: 0.3, ..AGREES }, Level::Position),
        (Clamp { speed: 0.5, ..AGREES }, Level::Velocity),
        (Clamp { pull: 0.5, ..AGREES }, Level::Acceleration),
    ];
    for (clamp, level) in cases {
        let clamp = on(clamp);
        for q in [[0.1, 0.1], [0.15, 0.0], [0.0, 0.0]] {
            let mut x = State::neutral(&clamp);
            x.q = q;
            let error = Assembly::default().solve(&clamp, &Nominal, x.clone()).expect_err("two places");
            contradiction(error.cause, level);
            let alone = match level {
                Level::Position => Levels::POSITION,
                Level::Velocity => Levels::VELOCITY,
                Level::Acceleration => Levels::ACCELERATION,
            };
            x.q = if level == Level::Position { q } else { [0.0, 0.0] };
            let error = Assembly::of(alone).solve(&clamp, &Nominal, x).expect_err("two places");
            contradiction(error.cause, level);
        }
    }
}

#[test]
fn kinematics_names_them_at_the_start_and_on_the_way() {
    let follow = Kinematics::with_step(0.05);
    let error = follow.start(&on(Clamp { offset: 0.3, ..AGREES }), &Nominal, 0.0).expect_err("two places");
    let KinematicError::Start(error) = error else { panic!("{error:?}") };
    contradiction(error.cause, Level::Position);
    let clamp = on(Clamp { turn: 0.1, ..AGREES });
    let mut x = follow.start(&clamp, &Nominal, 0.0).expect("they agree at first");
    let error = follow.advance_to(&clamp, &Nominal, &mut x, 1.0).expect_err("they part");
    let KinematicError::Step(error) = error else { panic!("{error:?}") };
    let Cause::Contradiction { rows, .. } = error.cause else { panic!("{error:?}") };
    both(&rows);
    assert!(error.time < 0.1 && x.t == error.time, "{error:?}");
}

/// As many rows as velocities, of which one repeats what others hold.
#[test]
fn kinematics_counts_what_rows_hold() {
    let bar = on(FourBar { th: 1.0, w: 0.0 });
    let follow = Kinematics::with_step(0.05);
    let free = Err(KinematicError::Undetermined { rows: 3, velocities: 4 });
    assert_eq!(follow.start(&bar, &Nominal, 0.0).map(|_| ()), free);
    let mut x = State::neutral(&bar);
    bar.guess(&mut x.q, &mut x.v, &mut x.z);
    assert_eq!(follow.advance_to(&bar, &Nominal, &mut x, 1.0), free);
}

#[test]
fn statics_names_them() {
    let clamp = on(Clamp { offset: 0.3, ..AGREES });
    for q in [[0.1, 0.1], [0.15, 0.0]] {
        let mut x = State::neutral(&clamp);
        x.q = q;
        for found in [
            Statics::default().solve(&clamp, &Nominal, x.clone()),
            Statics::default().steady(&clamp, &Nominal, x.clone()),
            Statics::default().descend(&clamp, &Nominal, x.clone()),
        ] {
            let error = found.expect_err("two places");
            let Unsettled::Evaluation(cause) = error.cause else { panic!("{error:?}") };
            contradiction(cause, Level::Position);
        }
    }
}
