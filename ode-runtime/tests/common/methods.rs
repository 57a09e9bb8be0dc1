//! All methods, by the names they have in the guide's table, and what they are measured on.

use ode_runtime::Method;
use ode_runtime::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, Chebyshev, Composition, DormandPrince, DormandPrince8, ExplicitMidpoint,
    Fehlberg, ForwardEuler, GeneralizedAlpha, Geodesic, Heun, ImplicitMidpoint, Leapfrog, RungeKutta4,
    SemiExplicitEuler, SemiExplicitPair, StormerVerlet, SymplecticEuler, Verner9,
};

use super::On;
use super::erased::{Erased, Shared};
use super::linkages::{
    Clamp, Doubled, Driven, DrivenLevel, FourBar, Gate, Guides, Led, LedTwice, Plain, Skew, SkewTwice,
};
use super::plants::{Actuated, Broken, Coupled, DoublePendulum, HalfHeld, HenonHeiles, Oscillator, Pendulum, Power};
use super::rigid::Rod;

/// What a method does that drives each of these problems.
macro_rules! of_methods_on {
    ($($plant:ident),* $(,)?) => {
        /// A method that drives each of the shared problems.
        pub trait Candidate: Copy + Everywhere $(+ Method<On<$plant>>)* {}
        impl<M: Copy + Everywhere $(+ Method<On<$plant>>)*> Candidate for M {}

        /// The same behind a reference.
        pub trait Everywhere: $(Erased<On<$plant>> +)* {}
        impl<M: $(Erased<On<$plant>> +)*> Everywhere for M {}
    };
}

of_methods_on!(
    Actuated,
    Broken,
    Clamp,
    Coupled,
    DoublePendulum,
    Doubled,
    Driven,
    DrivenLevel,
    FourBar,
    Gate,
    Guides,
    HalfHeld,
    HenonHeiles,
    Led,
    LedTwice,
    Oscillator,
    Pendulum,
    Plain,
    Power,
    Rod,
    Skew,
    SkewTwice,
);

/// What is done with each method.
pub trait Each {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M);
}

struct Lends<'e, E>(&'e mut E);

impl<E: Each> Each for Lends<'_, E> {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        self.0.method(name, Shared::<dyn Everywhere>(&method));
    }
}

/// In the order of the guide's table. What is done is compiled once for all of them.
pub fn every_method(each: &mut impl Each) {
    every_type(&mut Lends(each));
}

/// The same, each as what it is: without the heap that a reference to it needs.
pub fn every_type(each: &mut impl Each) {
    each.method("SemiExplicitEuler::explicit", SemiExplicitEuler::explicit());
    each.method("SemiExplicitEuler::implicit_position", SemiExplicitEuler::implicit_position());
    each.method("SemiExplicitEuler::implicit_velocity", SemiExplicitEuler::implicit_velocity());
    each.method("SymplecticEuler::momenta_first", SymplecticEuler::momenta_first());
    each.method("SymplecticEuler::positions_first", SymplecticEuler::positions_first());
    each.method("Leapfrog", Leapfrog::default());
    each.method("SemiExplicitPair", SemiExplicitPair);
    each.method("StormerVerlet, or Rattle", StormerVerlet::default());
    each.method("ImplicitMidpoint", ImplicitMidpoint::default());
    each.method("Composition::triple_jump of StormerVerlet", Composition::triple_jump(StormerVerlet::default()));
    each.method("Composition::suzuki of StormerVerlet", Composition::suzuki(StormerVerlet::default()));
    each.method("Composition::kahan_li_6 of StormerVerlet", Composition::kahan_li_6(StormerVerlet::default()));
    each.method("Composition::kahan_li_8 of StormerVerlet", Composition::kahan_li_8(StormerVerlet::default()));
    each.method("ForwardEuler", ForwardEuler);
    each.method("Heun", Heun);
    each.method("ExplicitMidpoint", ExplicitMidpoint);
    each.method("BogackiShampine", BogackiShampine);
    each.method("RungeKutta4", RungeKutta4);
    each.method("Geodesic", Geodesic);
    each.method("Fehlberg", Fehlberg);
    each.method("DormandPrince", DormandPrince);
    each.method("DormandPrince8", DormandPrince8);
    each.method("Verner9", Verner9);
    each.method("Chebyshev, N = 6", Chebyshev::<6>);
    each.method("BackwardEuler", BackwardEuler::default());
    each.method("BackwardEuler::linearized", BackwardEuler::linearized());
    each.method("Bdf2", Bdf2::default());
    each.method("GeneralizedAlpha::trapezoidal", GeneralizedAlpha::trapezoidal());
    each.method("GeneralizedAlpha::newmark, γ = 0.6, β = 0.3", GeneralizedAlpha::newmark(0.6, 0.3));
    each.method("GeneralizedAlpha::hht, α = −0.2", GeneralizedAlpha::hht(-0.2));
    each.method("GeneralizedAlpha::with_spectral_radius, ρ = 1", GeneralizedAlpha::with_spectral_radius(1.0));
    each.method("GeneralizedAlpha::with_spectral_radius, ρ = 0.8", GeneralizedAlpha::with_spectral_radius(0.8));
    each.method("GeneralizedAlpha::with_spectral_radius, ρ = 0", GeneralizedAlpha::with_spectral_radius(0.0));
}
