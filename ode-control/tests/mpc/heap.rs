//! On a device: plans leave the heap alone.

#[path = "../../../ode-runtime/tests/common/heap.rs"]
mod counter;

use ode_control::{Along, Mpc, MpcError, MpcKnot, NonlinearMpc, Planned};
use ode_model::linalg::{SMatrix, SVector};
use ode_model::prelude::*;

use crate::cart::cart;
use crate::conditions::Controller;
use crate::nonlinear::CartPole;
use crate::problems::random;

/// Heap calls of a plan.
fn planned<const N: usize, const U: usize, const M: usize>(
    from: &Controller<N, U, M>,
    x: &SVector<f64, N>,
) -> (u64, Result<Planned, MpcError>) {
    let (mut mpc, mut plan) = (from.clone(), None);
    let calls = counter::calls(|| plan = Some(mpc.solve(x)));
    (calls, plan.expect("a plan"))
}

#[test]
fn plans_allocate_nothing() {
    // by an interior point, by the bounds alone, and none
    let (problem, start) = random::<2, 1, 1>(1, 4, (false, false));
    let (calls, plan) = planned(&problem.controller(), &start);
    assert!(calls == 0 && plan.as_ref().is_ok_and(|plan| plan.iterations > 0), "{calls} {plan:?}");
    let mut cart = cart(4);
    let (calls, plan) = planned(&cart, &SVector::from([3.0, 0.0]));
    assert!(calls == 0 && plan.as_ref().is_ok_and(|plan| plan.iterations == 0), "{calls} {plan:?}");
    cart.end_mut().rows.low[0] = 100.0;
    let (calls, plan) = planned(&cart, &SVector::from([3.0, 0.0]));
    assert!(calls == 0 && matches!(plan, Err(MpcError::Infeasible { .. })), "{calls} {plan:?}");
}

#[test]
fn plans_of_a_nonlinear_model_allocate_nothing() {
    let cart = CartPole::default();
    let mut rest = State::neutral(&cart);
    rest.q.set_th(std::f64::consts::PI);
    let mut start = rest.clone();
    start.q.set_th(std::f64::consts::PI - 0.2);
    // the first plan, with bounds that begin to hold, and those that follow
    let calls = |samples: usize| {
        let along = core::array::from_fn::<_, 11, _>(|_| Along::at(&rest, [0.0]));
        let storage = ([MpcKnot::none(); 10], along);
        let mut mpc =
            NonlinearMpc::<_, _, 4, 1, 2, 5, _, _>::of(&cart, RungeKutta4, 0.05, storage).expect("a controller");
        mpc.weights(&(SMatrix::identity() * 100.0), &SMatrix::from([[0.01]]), &(SMatrix::identity() * 100.0));
        counter::calls(|| {
            for _ in 0..samples {
                let u = mpc.control(&start).expect("a plan");
                assert!(samples > 1 || u.u().abs() > 5.999, "a bound holds");
                mpc.advance().expect("steps");
            }
        })
    };
    assert_eq!([calls(1), calls(5)], [0; 2]);
}

#[test]
fn storage_is_lent_or_owned() {
    let mut owned = cart(20);
    let mut knots = [MpcKnot::none(); 20];
    let mut lent = Mpc::new(["x", "der(x)"], ["force"], ["place", "power"], &mut knots[..]).expect("stages");
    for (to, from) in lent.stages_mut().zip(owned.stages_mut()) {
        *to = *from;
    }
    *lent.end_mut() = *owned.end_mut();
    for x in [[3.0, 0.0], [2.9, -0.1], [0.1, 0.0]].map(SVector::from) {
        assert_eq!(lent.solve(&x), owned.solve(&x));
        assert_eq!(lent.first(), owned.first());
    }
}
