//! The methods over numbers that stand for several: the same settings for all of them.

use crate::integrators::{
    BackwardEuler, Bdf2, Composition, Explicit, GeneralizedAlpha, Implicit, ImplicitMidpoint, ImplicitPosition,
    ImplicitVelocity, Leapfrog, SemiExplicitEuler, SemiExplicitPair, StormerVerlet, SymplecticEuler, Tableau,
};
use crate::numbers::wide::Wide;
use crate::solve::{Newton, Projection, Reuse};

/// A method, or a part of its settings, and the same over numbers of type `W`.
pub trait WideMethod<W: Wide>: Copy {
    /// the method over W
    type Wide: Copy;

    /// The same settings for all lanes.
    fn wide(self) -> Self::Wide;
}

impl<W: Wide, M: Tableau + Copy> WideMethod<W> for M {
    type Wide = M;
    fn wide(self) -> M {
        self
    }
}

macro_rules! without_numbers {
    ($($ty:ty),*) => {$(
        impl<W: Wide> WideMethod<W> for $ty {
            type Wide = $ty;
            fn wide(self) -> $ty {
                self
            }
        }
    )*};
}

/// Types of one parameter, by their fields: numbers, parts with numbers, and what has none.
macro_rules! by_fields {
    ($($ty:ident { $($number:ident)* ; $($part:ident)* ; $($other:ident)* })*) => {$(
        impl<W: Wide> WideMethod<W> for $ty<W::Lane> {
            type Wide = $ty<W>;
            fn wide(self) -> $ty<W> {
                $ty {
                    $($number: W::splat(self.$number),)*
                    $($part: WideMethod::<W>::wide(self.$part),)*
                    $($other: self.$other,)*
                }
            }
        }
    )*};
}

without_numbers!(Explicit, ImplicitPosition, Leapfrog, SemiExplicitPair);

by_fields! {
    Projection { tolerance margin; ; iterations estimate metric }
    Newton { tolerance constraint; reuse; iterations }
    ImplicitVelocity { ; newton; }
    SymplecticEuler { ; newton; lead }
    StormerVerlet { ; newton; }
    ImplicitMidpoint { ; newton; }
    BackwardEuler { ; solve; multipliers }
    Bdf2 { ; newton; multipliers }
    GeneralizedAlpha { alpha_m alpha_f beta gamma; newton; first multipliers }
}

impl<W: Wide> WideMethod<W> for Reuse<W::Lane> {
    type Wide = Reuse<W>;
    fn wide(self) -> Reuse<W> {
        match self {
            Self::EveryIteration => Reuse::EveryIteration,
            Self::EveryStep => Reuse::EveryStep,
            Self::Automatic { slowest } => Reuse::Automatic { slowest: W::splat(slowest) },
            Self::Never => Reuse::Never,
        }
    }
}

impl<W: Wide> WideMethod<W> for Implicit<W::Lane> {
    type Wide = Implicit<W>;
    fn wide(self) -> Implicit<W> {
        match self {
            Self::Newton(newton) => Implicit::Newton(newton.wide()),
            Self::Linearized { recovery } => Implicit::Linearized { recovery: W::splat(recovery) },
        }
    }
}

impl<W: Wide, Form: WideMethod<W>> WideMethod<W> for SemiExplicitEuler<Form> {
    type Wide = SemiExplicitEuler<Form::Wide>;
    fn wide(self) -> Self::Wide {
        SemiExplicitEuler { form: self.form.wide() }
    }
}

impl<W: Wide, M: WideMethod<W>> WideMethod<W> for Composition<M> {
    type Wide = Composition<M::Wide>;
    fn wide(self) -> Self::Wide {
        Composition { method: self.method.wide(), shares: self.shares }
    }
}
