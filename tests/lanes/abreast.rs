//! A method for one number and for several, behind references: an ensemble is compiled once for a model, not once for
//! each method on it.

use std::any::Any;

use ode_runtime::integrators::WideMethod;
use ode_runtime::solve::Acceleration;
use ode_runtime::{Cause, Context, Inputs, Method, MethodName, Proposal, State, System, WideModel};

use crate::erased::{Erased, Memory, Shared};

/// The model's number, and that of one of its lanes.
type Lane<S> = <<S as WideModel>::Single as System>::Real;

/// The method.
pub(crate) struct Abreast<'m, S: WideModel> {
    pub(crate) single: &'m dyn Erased<S::Single>,
    pub(crate) wide: &'m dyn Erased<S>,
}

impl<S: WideModel> Clone for Abreast<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: WideModel> Copy for Abreast<'_, S> {}

impl<'m, S: WideModel> WideMethod<S::Real> for Abreast<'m, S> {
    type Wide = Shared<'m, dyn Erased<S> + 'm>;

    fn wide(self) -> Self::Wide {
        Shared(self.wide)
    }
}

impl<S: WideModel> Method<S::Single> for Abreast<'_, S> {
    type Memory = Memory<Lane<S>>;
    type Scratch = Box<dyn Any>;

    fn name(&self) -> MethodName {
        Shared(self.single).name()
    }
    fn check(&self) -> Result<(), Cause> {
        Shared(self.single).check()
    }
    fn scratch(&self, system: &S::Single) -> Box<dyn Any> {
        Shared(self.single).scratch(system)
    }
    fn restart<U: Inputs<S::Single>>(
        &self,
        cx: &mut Context<'_, S::Single, U>,
        x: &mut State<S::Single>,
        h: Lane<S>,
        w: &mut Box<dyn Any>,
        acceleration: &mut Acceleration<S::Single>,
    ) -> Result<Memory<Lane<S>>, Cause> {
        Shared(self.single).restart(cx, x, h, w, acceleration)
    }
    fn attempt<U: Inputs<S::Single>>(
        &self,
        cx: &mut Context<'_, S::Single, U>,
        x: &State<S::Single>,
        m: &Memory<Lane<S>>,
        h: Lane<S>,
        w: &mut Box<dyn Any>,
        next: &mut Proposal<S::Single>,
    ) -> Result<(), Cause> {
        Shared(self.single).attempt(cx, x, m, h, w, next)
    }
    fn estimates(&self) -> bool {
        Method::<S::Single>::estimates(&Shared(self.single))
    }
    fn settles(&self) -> bool {
        Method::<S::Single>::settles(&Shared(self.single))
    }
    fn interpolate(
        &self,
        system: &S::Single,
        x: &State<S::Single>,
        next: &State<S::Single>,
        w: &mut Box<dyn Any>,
        theta: Lane<S>,
        out: &mut State<S::Single>,
    ) {
        Shared(self.single).interpolate(system, x, next, w, theta, out);
    }
    fn remember(&self, x: &State<S::Single>, next: &State<S::Single>, m: &mut Memory<Lane<S>>, w: &mut Box<dyn Any>) {
        Shared(self.single).remember(x, next, m, w);
    }
}
