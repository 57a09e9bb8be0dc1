//! Nearly dependent rows: enforced as written, or refused by name.

use ode_runtime::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, StormerVerlet};
use ode_runtime::{Cause, Method, Nominal, Simulation, Solvable, Start, State};

use super::instants::outcome;
use crate::common::linkages::{Doubled, FourBar, Plain, Skew, SkewTwice};
use crate::common::{On, Plant, on};

/// Offsets from those at which elimination loses no digit to those below round-off, four per decade.
fn tilts() -> impl Iterator<Item = f64> {
    (0..53).map(|k| 10.0_f64.powf(-3.0 - f64::from(k) / 4.0))
}

fn named(cause: &Cause) -> bool {
    let (Cause::Dependent { rank: 1, rows, .. } | Cause::Contradiction { rows, .. }) = cause else { return false };
    rows.contains("wall") && rows.contains("tilted")
}

/// The remaining y, which only the tilt of a wall restricts: zero, or a value that violates no row.
#[track_caller]
fn holds(tilt: f64, y: f64) {
    assert!(y.abs() < 1e-6 || (tilt * y).abs() <= 2e-8, "{y:e} at a tilt of {tilt:e}");
}

#[test]
fn a_start_between_nearly_parallel_walls_is_right_or_refused() {
    for tilt in tilts() {
        let skew = Skew { tilt };
        match Start::default().solve(&on(skew), &Nominal) {
            Ok(x) => holds(0.0, 0.0_f64.max(x.a[1].abs() - 1e-6)),
            Err(error) => assert!(named(&error.cause) && tilt < 1e-6, "{tilt:e}: {error}"),
        }
        match Start::default().solve(&on(SkewTwice(skew)), &Nominal) {
            Ok(x) => holds(tilt, x.a[1]),
            Err(error) => assert!(named(&error.cause) && tilt < 1e-3, "{tilt:e}: {error}"),
        }
    }
}

/// Accelerations of a state as it is given: what a start corrects is round-off, which the line makes large.
fn given<P: Plant<4, 0, C, 0>, const C: usize>(plant: P) -> Result<[f64; 4], Cause>
where
    On<P>: Solvable<Real = f64, Q = [f64; 4], V = [f64; 4]>,
{
    let system = on(plant);
    let mut x = State::neutral(&system);
    (x.q, x.v, _) = plant.guess();
    let run = Simulation::of(&system, Geodesic).given(x).fixed(0.1).map_err(|error| error.cause)?;
    Ok(run.state().a)
}

#[test]
fn a_linkage_near_its_line_starts_right_or_is_refused() {
    for tilt in tilts() {
        let bar = FourBar { th: tilt, w: -5.0 };
        let want = FourBar::angular(tilt) * tilt.cos() - 25.0 * tilt.sin();
        match given(Plain(bar)) {
            Ok(a) => assert!([a[1], a[3]].iter().all(|a| (a - want).abs() < 1e-5), "{tilt:e}: {a:?}"),
            Err(Cause::Dependent { rank: 2, of: 3, rows }) if rows.contains("coupler") && tilt < 1e-6 => {}
            Err(other) => panic!("{tilt:e}: {other:?}"),
        }
        let a = given(Doubled(bar)).expect("marked");
        assert!([a[1], a[3]].iter().all(|a| (a - want).abs() < 1e-8), "{tilt:e}: {a:?}");
    }
}

#[test]
fn runs_between_nearly_parallel_walls_are_right_or_refused() {
    fn runs<S: Solvable<Real = f64>>(system: &S, tilt: f64)
    where
        BackwardEuler<f64>: Method<S>,
        GeneralizedAlpha<f64>: Method<S>,
        Geodesic: Method<S>,
        StormerVerlet<f64>: Method<S>,
    {
        for projected in [false, true] {
            let given = || Some(State::neutral(system));
            for end in [
                outcome(system, Geodesic, projected, given(), (0.02, 0.5)),
                outcome(system, BackwardEuler::default(), projected, given(), (0.02, 0.5)),
                outcome(system, GeneralizedAlpha::with_spectral_radius(0.8), projected, given(), (0.02, 0.5)),
                outcome(system, StormerVerlet::default(), projected, given(), (0.02, 0.5)),
            ] {
                match end {
                    Ok(x) => holds(tilt, x.q.as_ref()[1]),
                    Err(error) => assert!(named(&error.cause), "{tilt:e}, projected {projected}: {error}"),
                }
            }
        }
    }
    for tilt in tilts() {
        runs(&on(Skew { tilt }), tilt);
        runs(&on(SkewTwice(Skew { tilt })), tilt);
    }
}
