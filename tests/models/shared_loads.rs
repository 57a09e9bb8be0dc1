//! What is asked of models with redundant rows, against the same mechanisms without them.

use ode_model::analysis::{
    Assembly, Eigenmodes, Held, Linearization, Redundancy, Stability, Statics, inverse_dynamics, least_forces,
};
use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, Geodesic, StormerVerlet};
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{Block, Linearize, Method, Nominal, Rayleigh, Solvable, Start, State, System};

use crate::redundant::{Bricard, OneHinge, SevenRows, TwoHinges};

#[track_caller]
fn near(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= tolerance * (1.0 + w.abs()), "{got:?} is not {want:?}");
    }
}

/// Gᵀ λ
fn reaction<S: Solvable<Real = f64>>(system: &S, x: &State<S>) -> Vec<f64> {
    let force = |x: &State<S>| inverse_dynamics(system, &Nominal, x).expect("finite").as_ref().to_vec();
    let mut bare = x.clone();
    bare.lambda.as_mut().fill(0.0);
    force(&bare).iter().zip(force(x)).map(|(a, b)| a - b).collect()
}

fn guess<S: Solvable<Real = f64>>(system: &S) -> State<S> {
    let mut x = State::neutral(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    x
}

/// The start, equilibria, modes, forces and runs of two models in the same coordinates; modes and stability of the
/// equilibrium.
fn one_mechanism<A, B>(a: &A, b: &B) -> (Vec<f64>, Stability)
where
    A: Solvable<Real = f64> + Linearize,
    B: Solvable<Real = f64> + Linearize,
    Geodesic: Method<A> + Method<B>,
    BackwardEuler<f64>: Method<A> + Method<B>,
    GeneralizedAlpha<f64>: Method<A> + Method<B>,
    StormerVerlet<f64>: Method<A> + Method<B>,
{
    let mut x = Start::default().solve(a, &Nominal).expect("consistent");
    let mut y = Start::default().solve(b, &Nominal).expect("consistent");
    near(x.a.as_ref(), y.a.as_ref(), 1e-10);
    near(&reaction(a, &x), &reaction(b, &y), 1e-10);
    let (again, _) = Assembly::default().solve(a, &Nominal, x.clone()).expect("consistent");
    near(again.q.as_ref(), x.q.as_ref(), 1e-10);

    // Forces of a motion that is not its own.
    for (i, (a, b)) in x.a.as_mut().iter_mut().zip(y.a.as_mut()).enumerate() {
        (*a, *b) = (0.1 * (i as f64 - 2.0), 0.1 * (i as f64 - 2.0));
    }
    let got = least_forces(a, &Nominal, &mut x).expect("regular");
    near(got.as_ref(), least_forces(b, &Nominal, &mut y).expect("regular").as_ref(), 1e-9);

    fn step<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M) -> State<S> {
        let mut run = Simulation::of(system, method).project(Projection::to(1e-13)).fixed(0.005).expect("a start");
        run.advance_to(0.1).expect("steps");
        run.state().clone()
    }
    macro_rules! steps {
        ($($method:expr),*) => {$(
            let (x, y) = (step(a, $method), step(b, $method));
            near(x.q.as_ref(), y.q.as_ref(), 1e-10);
            near(x.v.as_ref(), y.v.as_ref(), 1e-9);
        )*};
    }
    steps!(Geodesic, BackwardEuler::default(), GeneralizedAlpha::with_spectral_radius(0.8), StormerVerlet::default());

    let (x, found) = Statics::default().descend(a, &Nominal, guess(a)).expect("an equilibrium");
    let mut given = guess(b);
    given.q.as_mut().copy_from_slice(x.q.as_ref());
    let (y, wanted) = Statics::default().solve(b, &Nominal, given).expect("an equilibrium");
    near(x.q.as_ref(), y.q.as_ref(), 1e-7);
    let (x, found_again) = Statics::default().solve(a, &Nominal, x).expect("an equilibrium");
    near(x.q.as_ref(), y.q.as_ref(), 1e-10);
    near(&reaction(a, &x), &reaction(b, &y), 1e-10);
    assert_eq!((found.stability, found_again.stability), (wanted.stability, wanted.stability));
    let got = Eigenmodes::of(a, &Nominal, &x, 1e-9).expect("modes").frequencies();
    near(&got, &Eigenmodes::of(b, &Nominal, &y, 1e-9).expect("modes").frequencies(), 1e-9);
    let (got_a, want_a) = (
        Linearization::of(a, &Nominal, &x, 1e-9).expect("linear").a,
        Linearization::of(b, &Nominal, &y, 1e-9).expect("linear").a,
    );
    assert_eq!(got_a.shape(), want_a.shape());
    (got, found.stability)
}

#[test]
fn a_door_on_two_hinges_is_asked_as_one_on_one() {
    let (two, one) = (TwoHinges::default(), OneHinge::default());
    let (modes, stability) = one_mechanism(&two, &one);
    assert_eq!((modes.len(), stability), (1, Stability::Stable));
    // About the hinge, 0.4 m from the centre of mass, in a pull of (0.5, 0.2): ω² = m g r / (J + m r²).
    let pull = 0.5_f64.hypot(0.2);
    near(&modes, &[(20.0 * pull * 0.4 / (1.1 + 20.0 * 0.16)).sqrt()], 1e-9);

    // Held by its hinge, it stands; damped, it moves as the other does.
    let held = Held::new(TwoHinges::default(), &["w.z"]).expect("a name");
    let bare = Held::new(OneHinge::default(), &["w.z"]).expect("a name");
    fn at_rest<S: Solvable<Real = f64>>(system: &S) -> State<S>
    where
        Geodesic: Method<S>,
    {
        let mut x = guess(system);
        x.v.as_mut().fill(0.0);
        Simulation::of(system, Geodesic).given(x).fixed(0.01).expect("held").state().clone()
    }
    let (x, y) = (at_rest(&held), at_rest(&bare));
    near(x.a.as_ref(), y.a.as_ref(), 1e-10);
    near(&reaction(&held, &x), &reaction(&bare, &y), 1e-9);
    let slow = Rayleigh::new(two, 0.5, 0.0).expect("second order");
    let slower = Rayleigh::new(one, 0.5, 0.0).expect("second order");
    let mut a = Simulation::of(&slow, Geodesic).project(Projection::to(1e-13)).fixed(0.005).expect("a start");
    let mut b = Simulation::of(&slower, Geodesic).project(Projection::to(1e-13)).fixed(0.005).expect("a start");
    a.advance_to(0.2).expect("steps");
    b.advance_to(0.2).expect("steps");
    near(a.state().q.as_ref(), b.state().q.as_ref(), 1e-10);
}

model! {
    /// The four-bar in the five rows that hold it.
    pub struct FiveRows {
        param m: Real [kg] = 1.0;
        param: Real [m] { l = 0.4; d = 1.0; }
        param g: Real [m/s^2] = 9.81;
        coord a, b: Vec2 [m];
        coord ta, tb: Angle;
        kinetic = m * der(a).dot(der(a)) / 6.0 + m * der(b).dot(der(b)) / 6.0
            + m * (der(a).dot(der(a)) + der(a).dot(der(b)) + der(b).dot(der(b))) / 6.0;
        kinetic = 0.05 * m * sq(l) * (sq(der(ta)) + sq(der(tb)));
        potential = m * g * (a.y + b.y);
        constraint left: a == l * vec2(cos(ta), sin(ta));
        constraint right: b == vec2(d, 0.0) + l * vec2(cos(tb), sin(tb));
        constraint alike: ta == tb;
        init ta = 1.0;
        guess tb = 1.0;
        guess a = l * vec2(cos(1.0), sin(1.0));
        guess b = vec2(d, 0.0) + l * vec2(cos(1.0), sin(1.0));
    }
}

#[test]
fn a_four_bar_in_seven_rows_is_asked_as_one_in_five() {
    let (seven, five) = (SevenRows::default(), FiveRows::default());
    let (modes, stability) = one_mechanism(&seven, &five);
    // 2 m g l over (2/3 + 1 + 0.2) m l²
    near(&modes, &[(2.0_f64 * 9.81 / (0.4 * (2.0 / 3.0 + 1.2))).sqrt()], 1e-9);
    assert_eq!(stability, Stability::Stable);
    assert!(SevenRows::EQUATIONS.contains("not unique") && !FiveRows::EQUATIONS.contains("not unique"));
    for row in ["coupler", "level", "alike"] {
        assert!(SevenRows::EQUATIONS.contains(&format!("lambda[{row}]")), "{}", SevenRows::EQUATIONS);
    }
    assert!(!SevenRows::EQUATIONS.contains("lambda[left"), "{}", SevenRows::EQUATIONS);
}

#[test]
fn bricards_linkage_comes_to_rest_and_says_how_it_moves_there() {
    let linkage = Bricard::default();
    let (x, found) = Statics::default().descend(&linkage, &Nominal, guess(&linkage)).expect("an equilibrium");
    assert_eq!(found.stability, Stability::Stable);
    let rows = Redundancy::at(&linkage, &x).expect("finite");
    assert_eq!((rows.rank, rows.rows), (29, 30));
    let energy = |x: &State<Bricard>| linkage.energy(x.at(&<Bricard as System>::U::zeros(0))).potential;
    assert!(energy(&x) < energy(&guess(&linkage)) - 1.0, "{}", energy(&x));
    let modes = Eigenmodes::of(&linkage, &Nominal, &x, 1e-8).expect("modes");
    assert_eq!(modes.modes.len(), 1);
    // The frequency of a small swing about it.
    let mut start = x.clone();
    let shape: Vec<f64> = modes.modes[0].shape.iter().map(|z| z.re).collect();
    start.v.as_mut().iter_mut().zip(&shape).for_each(|(v, s)| *v = 1e-4 * s);
    let period = std::f64::consts::TAU / modes.frequencies()[0];
    let mut run = Simulation::of(&linkage, Geodesic)
        .project(Projection::to(1e-12))
        .given(start.clone())
        .fixed(period / 100.0)
        .expect("a start");
    run.advance_to(period).expect("steps");
    near(run.state().v.as_ref(), start.v.as_ref(), 1e-7);
    near(run.state().q.as_ref(), start.q.as_ref(), 1e-7);
}

macro_rules! cart {
    ($name:ident { $($more:tt)* }) => {
        model! {
            /// Two wheels on an axle that rolls down a slope, without slip along the wheels and across them.
            pub struct $name {
                param m: Real [kg] = 3.0;
                param j: Real [kg*m^2] = 0.2;
                param jw: Real [kg*m^2] = 0.01;
                param: Real [m] { r = 0.1; b = 0.3; c = 0.05; }
                param g: Real [m/s^2] = 2.0;
                coord p: Vec2 [m];
                coord th, fl, fr: Angle;
                let ahead = vec2(cos(th), sin(th));
                let across = vec2(-sin(th), cos(th));
                let centre = p + c * ahead;
                kinetic = 0.5 * m * der(centre).dot(der(centre)) + 0.5 * j * sq(der(th))
                    + 0.5 * jw * (sq(der(fl)) + sq(der(fr)));
                potential = -m * g * centre.x;
                constraint left: der(p).dot(ahead) - b * der(th) - r * der(fl) == 0.0;
                constraint right: der(p).dot(ahead) + b * der(th) - r * der(fr) == 0.0;
                constraint side: der(p).dot(across) == 0.0;
                $($more)*
                init p = vec2(0.0, 0.0);
                init th = 0.9;
                init fl = 0.0;
                init fr = 0.0;
                init der(th) = 0.4;
                init der(fl) = 1.0;
            }
        }
    };
}
cart!(Cart {});
cart!(CartTwice {
    constraint other_side: der(p - b * across).dot(across) == 0.0 with { redundant };
});

#[test]
fn wheels_that_hold_the_same_direction_roll_as_one_does() {
    let (one, two) = (Cart::default(), CartTwice::default());
    let found = Redundancy::at(&two, &Start::default().solve(&two, &Nominal).expect("consistent")).expect("finite");
    assert_eq!((found.rank, found.names(&two)), (3, vec!["side", "other_side"]));
    fn end<S: Solvable<Real = f64>, M: Method<S>>(system: &S, method: M) -> (Vec<f64>, Vec<f64>) {
        let mut run = Simulation::of(system, method).project(Projection::to(1e-13)).fixed(0.01).expect("a start");
        run.advance_to(0.5).expect("steps");
        (run.state().q.as_ref().to_vec(), reaction(system, run.state()))
    }
    macro_rules! steps {
        ($($method:expr),*) => {$(
            let ((x, pull), (y, wanted)) = (end(&two, $method), end(&one, $method));
            near(&x, &y, 1e-10);
            near(&pull, &wanted, 1e-8);
        )*};
    }
    steps!(Geodesic, BackwardEuler::default(), GeneralizedAlpha::with_spectral_radius(0.8), StormerVerlet::default());
}

model! {
    /// A four-bar in the points of its joints, with a row too many.
    struct ShortCranks {
        param m: Real [kg] = 1.0;
        param: Real [m] { l = 0.4; d = 1.0; }
        param g: Real [m/s^2] = 9.81;
        coord a, b: Vec2 [m];
        kinetic = m * (der(a).dot(der(a)) + der(b).dot(der(b))) / 3.0 + m * der(a).dot(der(b)) / 6.0;
        potential = m * g * (a.y + b.y);
        constraint left: norm(a) == l;
        constraint right: norm(b - vec2(d, 0.0)) == l;
        constraint coupler: norm(b - a) == d;
        constraint level: a.y == b.y with { redundant };
        guess a = l * vec2(cos(1.0), -sin(1.0));
        guess b = vec2(d, 0.0) + l * vec2(cos(1.0), -sin(1.0));
    }
}

/// On the way its stiffness is indefinite, and its rows nearly depend on each other.
#[test]
fn short_cranks_hang_where_they_come_to_rest() {
    let bar = ShortCranks::default();
    let (x, found) = Statics::default().solve(&bar, &Nominal, guess(&bar)).expect("an equilibrium");
    near(x.q.as_ref(), &[0.0, -0.4, 1.0, -0.4], 1e-10);
    assert_eq!(found.stability, Stability::Stable);
}
