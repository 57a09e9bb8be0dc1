//! δ of several steps of a method, against the same steps made with dual numbers.

use ode_model::integrators::*;
use ode_model::solve::Projection;
use ode_model::{
    Block, Dual, Inputs, Method, Moment, Nominal, Real, Scalar, Sensitive, Solvable, Start, State, System,
};

use crate::blocks::Near;
use crate::models::*;
use crate::perturb::{Entry, Given, tangent};
use crate::stepping::{forward, newton, run};

/// A real number that carries a derivative.
type Carried = Dual<f64>;

/// A model over `f64` and the same over numbers that carry a derivative.
pub(crate) trait Twofold: Solvable<Real = f64> + Sensitive + Default {
    type Carried: Solvable<Real = Carried> + Sensitive + ode_model::FromParameters;
}

macro_rules! twofold {
    ($($model:ident),*) => {$(
        impl Twofold for $model<f64> {
            type Carried = $model<Carried>;
        }
    )*};
}
twofold!(Cart, Bob, Coin, Soft, Single, Twice, Top, Needle, Motor, Coupled, Mixed);

/// Inputs that are held.
struct Held<U>(U);

impl<S: System> Inputs<S> for Held<S::U> {
    fn evaluate(&self, _system: &S, _at: Moment<'_, S>, u: &mut S::U) {
        u.clone_from(&self.0);
    }
}

/// The numbers of a block, without derivatives.
pub(crate) fn lift<B: Block<Carried>>(x: &[f64]) -> B {
    let mut out = B::zeros(x.len());
    out.as_mut().iter_mut().zip(x).for_each(|(out, &x)| *out = Carried::constant(x));
    out
}

fn lifted<S: Twofold>(x: &State<S>) -> State<S::Carried> {
    State {
        t: Carried::constant(x.t),
        q: lift(x.q.as_ref()),
        v: lift(x.v.as_ref()),
        z: lift(x.z.as_ref()),
        a: lift(x.a.as_ref()),
        zdot: lift(x.zdot.as_ref()),
        lambda: lift(x.lambda.as_ref()),
        modes: lift(x.modes.as_ref()),
    }
}

/// Makes steps with each entry as the one that varies.
fn check<S: Twofold, M: Vary<S>, D: Method<S::Carried>>(
    (method, dual): (M, D),
    how: Option<(&Projection<f64>, &Projection<Carried>)>,
) {
    let model = S::default();
    let (l, name) = (model.layout(), method.name());
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let mut u = S::U::zeros(l.u.len());
    model.nominal(&mut u);
    let given = Given { own: u.clone(), gain: 0.0 };
    let (end, all) = forward(&model, &method, (&given, how.map(|(how, _)| how)), &x);
    let last_state = lifted::<S>(&end);
    for (entry, found) in all {
        let (mut x, mut p, mut u) = (
            lifted::<S>(&x),
            lift::<<S::Carried as ode_model::Differentiable>::P>(model.parameter_block().as_ref()),
            lift(u.as_ref()),
        );
        let one = Carried::new(0.0, 1.0);
        let mut step = <S::Carried as System>::V::zeros(l.v.len());
        match entry {
            Entry::Position(i) => step.as_mut()[i] = one,
            Entry::Velocity(i) => x.v.as_mut()[i] += one,
            Entry::State(i) => x.z.as_mut()[i] += one,
            Entry::Input(i) => AsMut::<[Carried]>::as_mut(&mut u)[i] += one,
            Entry::Parameter(i) => p.as_mut()[i] += one,
            Entry::Time => x.t += one,
        }
        let model = <S::Carried as ode_model::FromParameters>::from_parameters(&p);
        let from = x.q.clone();
        model.retract(&from, &step, &mut x.q);
        let last = run(&model, &dual, &Held(u), x, how.map(|(_, how)| how));
        let wanted: Vec<f64> = tangent(&model, &last_state, &last).iter().map(|x| x.eps).collect();
        let near = Near { share: 1e-11, round_off: 1e-13 };
        assert_eq!(near.mistake_of(&S::default(), &end, &found, &wanted), None, "{name} {entry:?}");
    }
}

/// A method on each kind of model, once with numbers and once with those that carry a derivative.
macro_rules! on {
    ($method:expr, $($model:ident),*) => {$(
        check::<$model<f64>, _, _>(($method, $method), None);
    )*};
}
macro_rules! everywhere {
    ($method:expr) => {
        on!($method, Cart, Bob, Coin, Soft, Twice, Top, Needle, Motor, Coupled, Mixed)
    };
}
macro_rules! with_accelerations {
    ($method:expr) => {
        on!($method, Cart, Bob, Coin, Soft, Twice, Top, Needle, Motor, Coupled)
    };
}

#[test]
fn those_of_explicit_steps() {
    everywhere!(RungeKutta4);
    everywhere!(SemiExplicitEuler::explicit());
    with_accelerations!(Leapfrog::default());
    on!(SemiExplicitEuler::implicit_position(), Cart, Bob, Top, Motor, Coupled);
    on!(SemiExplicitPair, Cart, Bob, Top, Motor, Coupled);
    on!(Leapfrog::once(), Cart, Bob);
    // tableaus differ in their numbers only
    on!(ForwardEuler, Bob);
    on!(Heun, Bob);
    on!(ExplicitMidpoint, Bob);
    on!(BogackiShampine, Bob);
    on!(Geodesic, Bob);
    on!(Fehlberg, Bob);
    on!(DormandPrince, Bob);
    on!(DormandPrince8, Bob);
    on!(Verner9, Bob);
}

#[test]
fn those_of_implicit_steps() {
    everywhere!(BackwardEuler { solve: Implicit::Newton(newton()), ..BackwardEuler::default() });
    everywhere!(BackwardEuler::linearized());
    everywhere!(BackwardEuler { multipliers: Multipliers::OfScheme, ..BackwardEuler::linearized() });
    everywhere!(Bdf2 { newton: newton(), ..Bdf2::default() });
    everywhere!(GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(Scalar::from_f64(0.8)) });
    let of_scheme = Multipliers::OfScheme;
    on!(
        GeneralizedAlpha { newton: newton(), multipliers: of_scheme, ..GeneralizedAlpha::hht(Scalar::from_f64(-0.2)) },
        Bob,
        Soft
    );
    on!(BackwardEuler { solve: Implicit::Newton(newton()), multipliers: of_scheme }, Bob, Soft);
    on!(Bdf2 { newton: newton(), multipliers: of_scheme }, Bob, Soft);
    on!(SemiExplicitEuler { form: ImplicitVelocity { newton: newton() } }, Cart, Bob, Top, Motor, Coupled, Mixed);
}

#[test]
fn those_of_symplectic_steps() {
    with_accelerations!(StormerVerlet { newton: newton() });
    with_accelerations!(ImplicitMidpoint { newton: newton() });
    on!(SymplecticEuler { newton: newton(), ..SymplecticEuler::momenta_first() }, Cart, Bob, Top, Motor);
    on!(SymplecticEuler { newton: newton(), ..SymplecticEuler::positions_first() }, Cart, Bob, Top, Motor);
    on!(Composition::suzuki(StormerVerlet { newton: newton() }), Cart, Motor);
    on!(Composition::triple_jump(ImplicitMidpoint { newton: newton() }), Cart, Bob, Motor);
}

#[test]
fn those_of_projections() {
    fn how<T: Real>() -> Projection<T> {
        Projection { margin: T::from_f64(1e-3), ..Projection::to(T::from_f64(1e-13)) }
    }
    /// All numbers.
    fn all<S: Twofold, M: Vary<S>>(method: M, how: Option<&Projection<f64>>) -> Vec<f64> {
        let model = S::default();
        let x = Start::default().solve(&model, &Nominal).expect("a start");
        let mut own = S::U::zeros(model.layout().u.len());
        model.nominal(&mut own);
        let all = forward(&model, &method, (&Given { own, gain: 0.0 }, how), &x).1;
        all.into_iter().flat_map(|(_, found)| found).collect()
    }
    fn alpha<T: Real>() -> GeneralizedAlpha<T> {
        GeneralizedAlpha { newton: newton(), ..GeneralizedAlpha::with_spectral_radius(T::from_f64(0.8)) }
    }
    macro_rules! projected {
        ($method:expr; $($model:ident),*) => {$(
            let projected = all::<$model<f64>, _>($method, Some(&how()));
            let plain = all::<$model<f64>, _>($method, None);
            assert!(projected.iter().zip(&plain).any(|(x, y)| (x - y).abs() > 1e-3), "{} is not projected", stringify!($model));
            check::<$model<f64>, _, _>(($method, $method), Some((&how(), &how())));
        )*};
    }
    projected!(DormandPrince8; Bob, Coin);
    projected!(RungeKutta4; Soft, Mixed);
    projected!(alpha(); Bob, Soft);
    // much is left to project
    projected!(ForwardEuler; Bob, Coin, Twice, Soft, Mixed);
}
