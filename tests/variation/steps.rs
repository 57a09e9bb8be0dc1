//! δ of several steps of a method, against differences of the same steps; and the same by covectors.

use ode_model::integrators::*;
use ode_model::solve::{Metric, Projection};
use ode_model::{Block, Nominal, Sensitive, Solvable, Start, State};

use crate::models::*;
use crate::perturb::Given;
use crate::stepping::{differences, forward, mistake, newton};

fn check<S: Solvable<Real = f64> + Sensitive, M: Vary<S>>(model: &S, method: M) {
    check_with(model, method, 0.0, None);
}

/// With inputs that are fed back with a gain, and projected.
fn check_with<S: Solvable<Real = f64> + Sensitive, M: Vary<S>>(
    model: &S,
    method: M,
    gain: f64,
    how: Option<&Projection<f64>>,
) {
    check_from(model, method, gain, how, Start::default().solve(model, &Nominal).expect("a start"));
}

/// From a state.
fn check_from<S: Solvable<Real = f64> + Sensitive, M: Vary<S>>(
    model: &S,
    method: M,
    gain: f64,
    how: Option<&Projection<f64>>,
    x: State<S>,
) {
    let l = model.layout();
    let mut u = S::U::zeros(l.u.len());
    model.nominal(&mut u);
    let inputs = Given { own: u, gain };
    let given = (&inputs, how);
    let made = forward(model, &method, given, &x);
    let mistake = mistake(model, &made, &differences(model, &method, given, &x));
    assert_eq!(mistake, None, "{} {}", l.name, method.name());
    crate::adjoints::agree(model, &method, gain, how, x);
}

/// A method that steps each kind of model with accelerations.
trait SecondOrder:
    Copy
    + Vary<Cart<f64>>
    + Vary<Bob<f64>>
    + Vary<Coin<f64>>
    + Vary<Soft<f64>>
    + Vary<Top<f64>>
    + Vary<Needle<f64>>
    + Vary<Motor<f64>>
    + Vary<Coupled<f64>>
{
}

impl<M> SecondOrder for M where
    M: Copy
        + Vary<Cart<f64>>
        + Vary<Bob<f64>>
        + Vary<Coin<f64>>
        + Vary<Soft<f64>>
        + Vary<Top<f64>>
        + Vary<Needle<f64>>
        + Vary<Motor<f64>>
        + Vary<Coupled<f64>>
{
}

/// A method that steps each kind of model.
trait EachOrder: SecondOrder + Vary<Mixed<f64>> {}

impl<M: SecondOrder + Vary<Mixed<f64>>> EachOrder for M {}

/// Each kind of model with a method.
fn every_model(method: impl EachOrder) {
    second_order(method);
    check(&Mixed::<f64>::default(), method);
}

/// Each kind of model with accelerations.
fn second_order(method: impl SecondOrder) {
    check(&Cart::<f64>::default(), method);
    check(&Bob::<f64>::default(), method);
    check(&Coin::<f64>::default(), method);
    check(&Soft::<f64>::default(), method);
    check(&Top::<f64>::default(), method);
    check(&Needle::<f64>::default(), method);
    check(&Motor::<f64>::default(), method);
    check(&Coupled::<f64>::default(), method);
}

/// Inputs that depend on the state, at all levels of it.
fn fed_back(method: impl SecondOrder) {
    check_with(&Cart::<f64>::default(), method, 0.3, None);
    check_with(&Bob::<f64>::default(), method, 0.3, None);
    check_with(&Coin::<f64>::default(), method, 0.01, None);
    check_with(&Soft::<f64>::default(), method, 0.3, None);
    check_with(&Top::<f64>::default(), method, 0.3, None);
    check_with(&Needle::<f64>::default(), method, 0.3, None);
    check_with(&Motor::<f64>::default(), method, 0.3, None);
    check_with(&Coupled::<f64>::default(), method, 0.3, None);
}

/// The same, and of a model of first order.
fn fed_back_of_each_order(method: impl EachOrder) {
    fed_back(method);
    check_with(&Mixed::<f64>::default(), method, 0.3, None);
}

#[test]
fn runge_kutta() {
    every_model(ForwardEuler);
    every_model(Heun);
    every_model(RungeKutta4);
    every_model(DormandPrince);
}

#[test]
fn backward_euler() {
    let solve = Implicit::Newton(newton());
    every_model(BackwardEuler { solve, ..BackwardEuler::default() });
    every_model(BackwardEuler { solve, multipliers: Multipliers::OfScheme });
}

#[test]
fn linearized_backward_euler() {
    every_model(BackwardEuler::linearized());
    let of_scheme = BackwardEuler { multipliers: Multipliers::OfScheme, ..BackwardEuler::linearized() };
    every_model(of_scheme);
    // its states are off the constraints, where rows that depend on others have no λ of their own
    check(&Twice::<f64>::default(), of_scheme);
}

/// Of steps that begin off the constraints, and correct less than there is.
#[test]
fn limited_recovery() {
    check_slow(&Bob::<f64>::default());
    check_slow(&Soft::<f64>::default());
    check_slow(&Mixed::<f64>::default());
    check_slow(&Juggler::<f64>::default());
}

fn check_slow<S: Solvable<Real = f64> + Sensitive>(model: &S) {
    let x = crate::perturb::off(model, Start::default().solve(model, &Nominal).expect("a start"));
    let solve = Implicit::Linearized { recovery: 0.02 };
    check_from(model, BackwardEuler { solve, ..BackwardEuler::default() }, 0.0, None, x);
}

#[test]
fn bdf2() {
    every_model(Bdf2 { newton: newton(), ..Bdf2::default() });
    every_model(Bdf2 { newton: newton(), multipliers: Multipliers::OfScheme });
}

#[test]
fn generalized_alpha() {
    let damped = GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) };
    every_model(damped);
    every_model(GeneralizedAlpha { multipliers: Multipliers::OfScheme, ..damped });
    every_model(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::hht(-0.2) });
    every_model(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::trapezoidal() });
}

#[test]
fn semi_explicit() {
    every_model(SemiExplicitEuler::explicit());
    every_model(SemiExplicitEuler::implicit_position());
    every_model(SemiExplicitEuler { form: ImplicitVelocity { newton: newton() } });
    every_model(SemiExplicitPair);
    second_order(Leapfrog::default());
    second_order(Leapfrog::once());
}

#[test]
fn projected() {
    let how = Projection { margin: 1e-3, ..Projection::to(1e-13) };
    check_with(&Bob::<f64>::default(), RungeKutta4, 0.0, Some(&how));
    check_with(&Bob::<f64>::default(), Heun, 0.0, Some(&how));
    check_with(&Coin::<f64>::default(), Heun, 0.0, Some(&how));
    check_with(&Soft::<f64>::default(), Heun, 0.0, Some(&how));
    check_with(&Mixed::<f64>::default(), Heun, 0.0, Some(&how));
    check_with(&Bob::<f64>::default(), SemiExplicitEuler::explicit(), 0.0, Some(&how));
}

/// Of implicit and symplectic steps, whose errors in Φ are those of Newton's method, in Φ̇ of the scheme.
#[test]
fn projected_implicit() {
    let how = Projection { margin: 1e-3, ..Projection::to(1e-13) };
    fn each<S, M>(model: &S, method: M, how: &Projection<f64>)
    where
        S: Solvable<Real = f64> + Sensitive,
        M: Vary<S> + Copy,
    {
        check_with(model, method, 0.0, Some(how));
        check_with(model, method, 0.01, Some(how));
    }
    let (bob, coin) = (Bob::<f64>::default(), Coin::<f64>::default());
    let (soft, mixed) = (Soft::<f64>::default(), Mixed::<f64>::default());
    let backward = BackwardEuler { solve: Implicit::Newton(newton()), ..BackwardEuler::default() };
    let bdf2 = Bdf2 { newton: newton(), ..Bdf2::default() };
    let alpha = GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) };
    let implicit = SemiExplicitEuler { form: ImplicitVelocity { newton: newton() } };
    each(&bob, implicit, &how);
    each(&coin, implicit, &how);
    each(&soft, implicit, &how);
    each(&mixed, implicit, &how);
    each(&bob, backward, &how);
    each(&coin, backward, &how);
    each(&soft, backward, &how);
    each(&mixed, backward, &how);
    each(&bob, BackwardEuler::linearized(), &how);
    each(&coin, BackwardEuler::linearized(), &how);
    each(&soft, BackwardEuler::linearized(), &how);
    each(&mixed, BackwardEuler::linearized(), &how);
    each(&bob, bdf2, &how);
    each(&coin, bdf2, &how);
    each(&soft, bdf2, &how);
    each(&bob, alpha, &how);
    each(&coin, alpha, &how);
    each(&bob, SymplecticEuler::momenta_first(), &how);
    each(&coin, SymplecticEuler::momenta_first(), &how);
    each(&coin, SymplecticEuler::positions_first(), &how);
    each(&soft, SymplecticEuler::positions_first(), &how);
    each(&bob, StormerVerlet::default(), &how);
    each(&coin, StormerVerlet::default(), &how);
    each(&soft, StormerVerlet::default(), &how);
    each(&bob, ImplicitMidpoint::default(), &how);
    each(&coin, ImplicitMidpoint::default(), &how);
    each(&soft, ImplicitMidpoint::default(), &how);
}

/// Of projections that stop after one iteration, far from the nearest point.
#[test]
fn projected_once() {
    let how = Projection::to(2e-4);
    check_with(&Bob::<f64>::default(), ForwardEuler, 0.0, Some(&how));
    check_with(&Bob::<f64>::default(), SemiExplicitEuler::explicit(), 0.0, Some(&how));
    check_with(&Coin::<f64>::default(), ForwardEuler, 0.0, Some(&how));
    check_with(&Soft::<f64>::default(), ForwardEuler, 0.0, Some(&Projection::to(1e-6)));
    check_with(&Mixed::<f64>::default(), ForwardEuler, 0.0, Some(&Projection::to(1e-6)));
    check_with(&Juggler::<f64>::default(), ForwardEuler, 0.0, Some(&Projection::to(1e-6)));
}

/// In a metric of weights instead of M.
#[test]
fn projected_by_weights() {
    let how = Projection { margin: 1e-3, metric: Metric::Weights, ..Projection::to(1e-13) };
    let once = Projection { metric: Metric::Weights, ..Projection::to(2e-4) };
    check_with(&Bob::<f64>::default(), Heun, 0.0, Some(&how));
    check_with(&Bob::<f64>::default(), ForwardEuler, 0.0, Some(&once));
    check_with(&Coin::<f64>::default(), Heun, 0.0, Some(&how));
    check_with(&Coin::<f64>::default(), ForwardEuler, 0.0, Some(&once));
    let once = Projection { metric: Metric::Weights, ..Projection::to(1e-6) };
    check_with(&Soft::<f64>::default(), ForwardEuler, 0.0, Some(&once));
    check_with(&Mixed::<f64>::default(), ForwardEuler, 0.0, Some(&once));
    check_with(&Juggler::<f64>::default(), ForwardEuler, 0.0, Some(&once));
}

#[test]
fn partitioned() {
    second_order(SymplecticEuler::momenta_first());
    second_order(SymplecticEuler::positions_first());
    second_order(StormerVerlet::default());
    check(&Twice::<f64>::default(), StormerVerlet::default());
}

#[test]
fn implicit_midpoint() {
    second_order(ImplicitMidpoint::default());
    check(&Twice::<f64>::default(), ImplicitMidpoint::default());
}

#[test]
fn composition() {
    second_order(Composition::triple_jump(StormerVerlet::default()));
    second_order(Composition::suzuki(ImplicitMidpoint::default()));
}

/// Everything at once, by a method of each family.
#[test]
fn inertia_that_moves() {
    let model = Juggler::<f64>::default();
    check(&model, RungeKutta4);
    check(&model, BackwardEuler { solve: Implicit::Newton(newton()), ..BackwardEuler::default() });
    check(&model, BackwardEuler::linearized());
    check(&model, SymplecticEuler::momenta_first());
    check(&model, SymplecticEuler::positions_first());
    check(&model, StormerVerlet::default());
    check(&model, ImplicitMidpoint::default());
}

#[test]
fn inputs_that_depend_on_the_state() {
    let solve = Implicit::Newton(newton());
    let damped = GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(0.8) };
    fed_back_of_each_order(ForwardEuler);
    fed_back_of_each_order(RungeKutta4);
    fed_back_of_each_order(BackwardEuler { solve, ..BackwardEuler::default() });
    fed_back_of_each_order(BackwardEuler { solve, multipliers: Multipliers::OfScheme });
    fed_back_of_each_order(BackwardEuler::linearized());
    fed_back_of_each_order(BackwardEuler { multipliers: Multipliers::OfScheme, ..BackwardEuler::linearized() });
    fed_back_of_each_order(Bdf2 { newton: newton(), ..Bdf2::default() });
    fed_back_of_each_order(damped);
    fed_back_of_each_order(GeneralizedAlpha { multipliers: Multipliers::OfScheme, ..damped });
    fed_back_of_each_order(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::hht(-0.2) });
    fed_back_of_each_order(SemiExplicitEuler::explicit());
    fed_back_of_each_order(SemiExplicitEuler::implicit_position());
    fed_back_of_each_order(SemiExplicitEuler { form: ImplicitVelocity { newton: newton() } });
    fed_back_of_each_order(SemiExplicitPair);
    fed_back(Leapfrog::default());
    fed_back(SymplecticEuler::momenta_first());
    fed_back(SymplecticEuler::positions_first());
    fed_back(StormerVerlet::default());
    fed_back(ImplicitMidpoint::default());
}
