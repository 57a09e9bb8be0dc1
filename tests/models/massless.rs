//! Coordinates without inertia, which rows give: the angles of joints beside the places that have the mass.

use ode_model::analysis::{Assembly, Eigenmodes, Stability, Statics, inverse_dynamics};
use ode_model::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, Chebyshev, Composition, DormandPrince, DormandPrince8, ExplicitMidpoint,
    Fehlberg, ForwardEuler, GeneralizedAlpha, Geodesic, Heun, ImplicitMidpoint, Leapfrog, RungeKutta4,
    SemiExplicitEuler, SemiExplicitPair, StormerVerlet, SymplecticEuler, Verner9,
};
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{Nominal, Start, State};

use crate::erased::{Erased, Shared};
use crate::help::begin;

model! {
    /// Two links that springs hold against each other, in the angles of their joints.
    pub struct Angles {
        param m: Real [kg] = 0.3;
        param l: Real [m] = 0.4;
        param k: Real [N*m] = 0.5;
        param c: Real [N*m*s] = 0.01;
        param g: Real [m/s^2] = 9.81;
        coord (phi, w): [Angle; 2];
        input torque: Real [N*m] = 0.1;
        let a = l * vec2(sin(phi[0]), -cos(phi[0]));
        let b = a + l * vec2(sin(phi[0] + phi[1]), -cos(phi[0] + phi[1]));
        kinetic = 0.5 * m * (der(a).dot(der(a)) + der(b).dot(der(b)));
        potential = m * g * (a.y + b.y) + 0.5 * k * (sq(phi[0]) + sq(phi[1]));
        dissipation = 0.5 * c * (sq(w[0]) + sq(w[1]));
        force drive on phi[1] = torque;
        init phi[0] = 0.7;
        init phi[1] = -0.4;
        init w[0] = 1.5;
        init w[1] = 0.0;
    }
}

model! {
    /// The same, with the places of the masses.
    pub struct Tied {
        param m: Real [kg] = 0.3;
        param l: Real [m] = 0.4;
        param k: Real [N*m] = 0.5;
        param c: Real [N*m*s] = 0.01;
        param g: Real [m/s^2] = 9.81;
        coord (phi, w): [Angle; 2];
        coord a, b: Vec2 [m];
        input torque: Real [N*m] = 0.1;
        mass a = m;
        mass b = m;
        potential = m * g * (a.y + b.y) + 0.5 * k * (sq(phi[0]) + sq(phi[1]));
        dissipation = 0.5 * c * (sq(w[0]) + sq(w[1]));
        force drive on phi[1] = torque;
        constraint first: a == l * vec2(sin(phi[0]), -cos(phi[0]));
        constraint second: b == a + l * vec2(sin(phi[0] + phi[1]), -cos(phi[0] + phi[1]));
        init phi[0] = 0.7;
        init phi[1] = -0.4;
        init w[0] = 1.5;
        init w[1] = 0.0;
    }
}

#[track_caller]
fn near(got: &[f64], want: &[f64], tolerance: f64) {
    let apart = got.iter().zip(want).map(|(g, w)| (g - w).abs()).fold(0.0, f64::max);
    assert!(apart <= tolerance, "{got:?} is not {want:?}, off by {apart:e}");
}

/// The largest difference of the angles at the end, from steps of this size.
fn off(method: &dyn Erased<Tied>, want: &State<Angles>, step: f64) -> f64 {
    let model = Tied::default();
    let mut run = Simulation::of(&model, Shared(method)).project(Projection::to(1e-13)).fixed(step).expect("a start");
    run.advance_to(0.4).expect("a run");
    let x = run.state();
    let angles = (0..2).map(|i| (x.q.as_ref()[i] - want.q.as_ref()[i]).abs());
    let rates = (0..2).map(|i| (x.v.as_ref()[i] - want.v.as_ref()[i]).abs());
    angles.chain(rates).fold(0.0, f64::max)
}

#[test]
fn every_method_keeps_its_order() {
    let model = Angles::default();
    let mut run = Simulation::of(&model, Verner9).fixed(0.4 / 64.0).expect("a start");
    run.advance_to(0.4).expect("a run");
    let want = run.state();
    macro_rules! orders {
        ($($order:literal, $steps:literal: $($method:expr),+;)+) => {$($(
            let [coarse, fine] = [$steps, 2.0 * $steps].map(|n| off(&$method, want, 0.4 / n));
            let order = (coarse / fine).log2();
            println!("{}: {coarse:.1e} {fine:.1e} {order:.2}", stringify!($method));
            assert!(coarse < 0.1 && (order > $order - 0.3 || fine < 1e-11), "{}: order {order}", stringify!($method));
        )+)+};
    }
    orders! {
        1.0, 256.0: ForwardEuler, SemiExplicitEuler::explicit(), SemiExplicitEuler::implicit_position(),
            SemiExplicitEuler::implicit_velocity(), SymplecticEuler::momenta_first(),
            SymplecticEuler::positions_first(), SemiExplicitPair, BackwardEuler::default(), BackwardEuler::linearized();
        2.0, 64.0: Heun, ExplicitMidpoint, Chebyshev::<6>, Leapfrog::default(), StormerVerlet::default(),
            ImplicitMidpoint::default(), Bdf2::default(), GeneralizedAlpha::trapezoidal(),
            GeneralizedAlpha::hht(-0.2), GeneralizedAlpha::with_spectral_radius(0.8),
            GeneralizedAlpha::with_spectral_radius(0.0);
        3.0, 32.0: BogackiShampine;
        4.0, 32.0: Fehlberg, RungeKutta4, Geodesic, Composition::triple_jump(StormerVerlet::default());
        5.0, 16.0: DormandPrince;
        6.0, 16.0: Composition::kahan_li_6(StormerVerlet::default());
        8.0, 8.0: DormandPrince8;
        9.0, 8.0: Verner9;
    }
}

model! {
    /// Two masses on a lever, which springs hold in coordinates without inertia.
    pub struct Lever {
        param m: Real [kg] = 1.0;
        param k: Real [N/m] = 1.0;
        coord x: [Real; 2] [m];
        coord d: [Real; 2] [m];
        coord hub: Real [m];
        mass x[0] = m;
        mass x[1] = m;
        potential = 0.5 * k * (sq(d[0]) + sq(d[1]));
        constraint first: x[0] == d[0] + hub;
        constraint second: x[1] == d[1] + hub;
        constraint third: hub == 2.0 * d[0];
        guess d = [0.3, 0.5];
        guess hub = 0.7;
        init x[0] = 1.0;
        init x[1] = 1.2;
        init der(x[0]) = 0.0;
        init der(x[1]) = 0.0;
    }
}

model! {
    /// A mass whose spring is stretched by a function of its place.
    pub struct Bent {
        param m: Real = 1.0;
        coord x, d: Real;
        mass x = m;
        potential = 0.5 * sq(d);
        constraint bend: x == d + 0.1 * sq(d);
        init d = 1.0;
        init der(x) = 0.0;
    }
}

/// At rest the round-off of rows is all that velocities without inertia have.
#[test]
fn every_method_begins_at_rest() {
    let (lever, bent) = (Lever::default(), Bent::default());
    macro_rules! from_rest {
        ($($method:expr),+ $(,)?) => {$(
            let method = $method;
            for projected in [false, true] {
                let project = Projection::to(1e-12);
                let setup = Simulation::of(&lever, Shared::<dyn Erased<Lever>>(&method));
                let setup = if projected { setup.project(project) } else { setup };
                let mut run = setup.fixed(1e-3).expect("a start");
                run.advance_to(0.1).unwrap_or_else(|error| panic!("{}: {error}", stringify!($method)));
                // d₀ = x₀/3, d₁ = x₁ − 2 x₀/3
                let energy = lever.energy(run.state().point());
                let want = 0.5 * (1.0 / 9.0 + (1.2 - 2.0 / 3.0_f64).powi(2));
                let off = (energy.kinetic + energy.potential - want).abs();
                assert!(off < 1e-3 && energy.kinetic > 1e-4, "{}: {off:e}", stringify!($method));
                let setup = Simulation::of(&bent, Shared::<dyn Erased<Bent>>(&method));
                let setup = if projected { setup.project(project) } else { setup };
                let mut run = setup.fixed(1e-3).expect("a start");
                run.advance_to(0.1).unwrap_or_else(|error| panic!("{}: {error}", stringify!($method)));
                let energy = bent.energy(run.state().point());
                assert!((energy.kinetic + energy.potential - 0.5).abs() < 1e-3, "{}", stringify!($method));
            }
        )+};
    }
    from_rest!(
        SymplecticEuler::momenta_first(),
        SymplecticEuler::positions_first(),
        StormerVerlet::default(),
        Leapfrog::default(),
        ImplicitMidpoint::default(),
        Composition::triple_jump(StormerVerlet::default()),
        BackwardEuler::default(),
        BackwardEuler::linearized(),
        Bdf2::default(),
        GeneralizedAlpha::with_spectral_radius(0.8),
        SemiExplicitEuler::implicit_velocity(),
        RungeKutta4,
        Geodesic,
        DormandPrince8,
    );
}

#[test]
fn what_is_asked_is_that_of_the_angles_alone() {
    let (angles, tied) = (Angles::default(), Tied::default());
    let x = Start::default().solve(&angles, &Nominal).expect("consistent");
    let y = Start::default().solve(&tied, &Nominal).expect("consistent");
    near(&y.a.as_ref()[..2], x.a.as_ref(), 1e-11);
    let (again, _) = Assembly::default().solve(&tied, &Nominal, y.clone()).expect("consistent");
    near(again.q.as_ref(), y.q.as_ref(), 1e-12);
    near(inverse_dynamics(&tied, &Nominal, &y).expect("finite").as_ref(), &[0.0; 6], 1e-11);

    let (x, wanted) = Statics::default().solve(&angles, &Nominal, begin(&angles)).expect("an equilibrium");
    let (y, found) = Statics::default().solve(&tied, &Nominal, y).expect("an equilibrium");
    near(&y.q.as_ref()[..2], x.q.as_ref(), 1e-9);
    assert_eq!((found.stability, wanted.stability), (Stability::Stable, Stability::Stable));
    let (modes, want) = (Eigenmodes::of(&tied, &Nominal, &y, 1e-9), Eigenmodes::of(&angles, &Nominal, &x, 1e-9));
    near(&modes.expect("modes").frequencies(), &want.expect("modes").frequencies(), 1e-8);

    // energies are those of the places
    let x = Start::default().solve(&angles, &Nominal).expect("consistent");
    let y = Start::default().solve(&tied, &Nominal).expect("consistent");
    let (want, got) = (angles.energy(x.at(&[0.1].into())), tied.energy(y.at(&[0.1].into())));
    near(&[got.kinetic, got.potential], &[want.kinetic, want.potential], 1e-12);
}
