//! All methods, by the names they have in the guide's table, and what they are measured on.

use ode_runtime::Method;
use ode_runtime::integrators::{
    BackwardEuler, Bdf2, BogackiShampine, Composition, DormandPrince, DormandPrince8, ExplicitMidpoint, Fehlberg,
    ForwardEuler, GeneralizedAlpha, Geodesic, Heun, ImplicitMidpoint, Leapfrog, RungeKutta4, SemiExplicitEuler,
    SemiExplicitPair, StormerVerlet, SymplecticEuler, Verner9,
};

use super::On;
use super::linkages::{
    Clamp, Doubled, Driven, DrivenLevel, FourBar, Gate, Guides, Led, LedTwice, Plain, Skew, SkewTwice,
};
use super::plants::{Actuated, Broken, Coupled, DoublePendulum, HalfHeld, HenonHeiles, Oscillator, Pendulum, Power};
use super::rigid::Rod;

/// A method that drives each of the shared problems.
pub trait Candidate:
    Copy
    + Method<On<Actuated>>
    + Method<On<Broken>>
    + Method<On<Clamp>>
    + Method<On<Coupled>>
    + Method<On<DoublePendulum>>
    + Method<On<Doubled>>
    + Method<On<Driven>>
    + Method<On<DrivenLevel>>
    + Method<On<FourBar>>
    + Method<On<Gate>>
    + Method<On<Guides>>
    + Method<On<HalfHeld>>
    + Method<On<HenonHeiles>>
    + Method<On<Led>>
    + Method<On<LedTwice>>
    + Method<On<Oscillator>>
    + Method<On<Pendulum>>
    + Method<On<Plain>>
    + Method<On<Power>>
    + Method<On<Rod>>
    + Method<On<Skew>>
    + Method<On<SkewTwice>>
{
}

impl<M> Candidate for M where
    M: Copy
        + Method<On<Actuated>>
        + Method<On<Broken>>
        + Method<On<Clamp>>
        + Method<On<Coupled>>
        + Method<On<DoublePendulum>>
        + Method<On<Doubled>>
        + Method<On<Driven>>
        + Method<On<DrivenLevel>>
        + Method<On<FourBar>>
        + Method<On<Gate>>
        + Method<On<Guides>>
        + Method<On<HalfHeld>>
        + Method<On<HenonHeiles>>
        + Method<On<Led>>
        + Method<On<LedTwice>>
        + Method<On<Oscillator>>
        + Method<On<Pendulum>>
        + Method<On<Plain>>
        + Method<On<Power>>
        + Method<On<Rod>>
        + Method<On<Skew>>
        + Method<On<SkewTwice>>
{
}

/// What is done with each method.
pub trait Each {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M);
}

/// In the order of the guide's table.
pub fn every_method(each: &mut impl Each) {
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
