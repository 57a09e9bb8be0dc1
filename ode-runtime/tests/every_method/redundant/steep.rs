//! Redundant rows whose gradients change much faster than the coordinates: stages of explicit methods are off the
//! constraints, where such rows differ in direction.

use ode_runtime::integrators::{DormandPrince, Heun, RungeKutta4};
use ode_runtime::solve::Projection;
use ode_runtime::{Cause, Method, Scalar, Simulation, Solvable, State};

use crate::common::{On, Plant, on};

/// A point on a rod of length 1, begun level: Φ = ½ (x² + y² − 1).
#[derive(Clone, Copy, Debug)]
struct Once;

/// The same with (2 + sin κx) Φ beside it, whose gradient turns against that of Φ by κ Φ.
#[derive(Clone, Copy, Debug)]
struct Steep {
    kappa: f64,
}

fn rod<T: Scalar>(q: &[T; 2]) -> T {
    T::from_f64(0.5) * (q[0] * q[0] + q[1] * q[1] - T::ONE)
}

macro_rules! point {
    () => {
        fn mass<T: Scalar>(&self, _q: &[T; 2]) -> [[T; 2]; 2] {
            [[T::ONE, T::ZERO], [T::ZERO, T::ONE]]
        }
        fn force<T: Scalar>(&self, _t: T, _q: &[T; 2], _v: &[T; 2], _z: &[T; 0], _u: &[T; 0]) -> [T; 2] {
            [T::ZERO, T::from_f64(-9.81)]
        }
        fn guess(&self) -> ([f64; 2], [f64; 2], [f64; 0]) {
            ([1.0, 0.0], [0.0; 2], [])
        }
    };
}

impl Plant<2, 0, 1, 0> for Once {
    point!();
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 1] {
        [rod(q)]
    }
}
crate::dense_system!(Once, q 2 ["x", "y"], z 0 [], c 1 ["rod"], u 0 [], mass 3, jacobian 2, n 3, tangent 9, saddle 3,
    assembly 3,
    init [], []);

impl Plant<2, 0, 2, 0> for Steep {
    point!();
    fn phi<T: Scalar>(&self, _t: T, q: &[T; 2]) -> [T; 2] {
        [rod(q), (T::from_f64(2.0) + (T::from_f64(self.kappa) * q[0]).sin()) * rod(q)]
    }
}
crate::dense_system!(Steep, q 2 ["x", "y"], z 0 [], c 2 ["rod", "again"], u 0 [], mass 3, jacobian 4, n 4, tangent 16, saddle 4,
    assembly 4, init [], [], redundant RedundantSaddle RedundantKkt);

/// Where the point is after 2 s in steps of 0.01 s.
fn end<P: Plant<2, 0, C, 0>, const C: usize, M: Method<On<P>>>(
    plant: P,
    method: M,
    projects: bool,
) -> Result<[f64; 2], Cause>
where
    On<P>: Solvable<Real = f64, Q = [f64; 2], V = [f64; 2]>,
{
    let system = on(plant);
    let mut x = State::neutral(&system);
    (x.q, x.v, _) = plant.guess();
    let mut setup = Simulation::of(&system, method).given(x);
    if projects {
        setup = setup.project(Projection::to(1e-10));
    }
    let mut run = setup.fixed(0.01).expect("a start");
    run.advance_to(2.0).map_err(|error| error.cause)?;
    Ok(run.state().q)
}

/// With the same error as with one row, of about `error`; or refused with the names of the rows, where they change
/// within a step.
fn as_once<M: Copy + Method<On<Once>> + Method<On<Steep>>>(method: M, error: f64) {
    for projects in [false, true] {
        let once = end(Once, method, projects).expect("a run");
        for kappa in [0.0, 1.0, 10.0] {
            let [x, y] = end(Steep { kappa }, method, projects).expect("a run");
            let off = (x - once[0]).hypot(y - once[1]);
            assert!(off < error, "off by {off:e} with κ = {kappa}, projected: {projects}");
        }
        for kappa in [1e2, 1e3, 1e4] {
            match end(Steep { kappa }, method, projects) {
                Err(Cause::Contradiction { rows, .. }) if rows.contains("rod") && rows.contains("again") => {}
                Err(Cause::Inconsistent { name, .. }) if name.as_str() == "again" => {}
                other => panic!("{other:?} with κ = {kappa}, projected: {projects}"),
            }
        }
    }
}

#[test]
fn rows_that_repeat_others_hold_nothing_in_stages_off_the_constraints() {
    as_once(RungeKutta4, 5e-5);
    as_once(DormandPrince, 5e-7);
    as_once(Heun, 1e-2);
}
