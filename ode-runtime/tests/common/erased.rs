//! Methods behind a reference: what drives them is compiled once for a plant, not once for each method on it.

use std::any::Any;

use ode_runtime::solve::Acceleration;
use ode_runtime::{
    Cause, Context, Estimates, History, Inputs, Method, MethodName, Moment, Parts, Proposal, Real, Solvable, State,
};

/// All that a method asks of inputs.
pub struct Lent<'u, S>(&'u dyn Inputs<S>);

impl<S: Solvable> Inputs<S> for Lent<'_, S> {
    fn evaluate(&self, system: &S, at: Moment<'_, S>, u: &mut S::U) {
        self.0.evaluate(system, at, u);
    }
}

type Lending<'a, 'u, S> = Context<'a, S, Lent<'u, S>>;

/// A [`Method`] on one plant, without its types.
pub trait Erased<S: Solvable> {
    fn named(&self) -> MethodName;
    fn checked(&self) -> Result<(), Cause>;
    fn room(&self, system: &S) -> Box<dyn Any>;
    fn restarted(
        &self,
        cx: &mut Lending<'_, '_, S>,
        x: &mut State<S>,
        h: S::Real,
        w: &mut dyn Any,
        acceleration: &mut Acceleration<S>,
    ) -> Result<Memory<S::Real>, Cause>;
    fn attempted(
        &self,
        cx: &mut Lending<'_, '_, S>,
        x: &State<S>,
        m: &Memory<S::Real>,
        h: S::Real,
        w: &mut dyn Any,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause>;
    fn estimated(&self) -> bool;
    fn settled(&self) -> bool;
    fn between(&self, system: &S, ends: (&State<S>, &State<S>), w: &mut dyn Any, theta: S::Real, out: &mut State<S>);
    fn remembered(&self, x: &State<S>, next: &State<S>, m: &mut Memory<S::Real>, w: &mut dyn Any);
}

fn own<T: 'static>(any: &mut dyn Any) -> &mut T {
    any.downcast_mut().expect("its own")
}

impl<S: Solvable, M: Method<S, Memory: 'static, Scratch: 'static>> Erased<S> for M {
    fn named(&self) -> MethodName {
        self.name()
    }
    fn checked(&self) -> Result<(), Cause> {
        self.check()
    }
    fn room(&self, system: &S) -> Box<dyn Any> {
        Box::new(self.scratch(system))
    }
    fn restarted(
        &self,
        cx: &mut Lending<'_, '_, S>,
        x: &mut State<S>,
        h: S::Real,
        w: &mut dyn Any,
        acceleration: &mut Acceleration<S>,
    ) -> Result<Memory<S::Real>, Cause> {
        Ok(Memory(Box::new(self.restart(cx, x, h, own(w), acceleration)?)))
    }
    fn attempted(
        &self,
        cx: &mut Lending<'_, '_, S>,
        x: &State<S>,
        m: &Memory<S::Real>,
        h: S::Real,
        w: &mut dyn Any,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        self.attempt(cx, x, m.0.any().downcast_ref().expect("its own"), h, own(w), next)
    }
    fn estimated(&self) -> bool {
        self.estimates()
    }
    fn settled(&self) -> bool {
        self.settles()
    }
    fn between(
        &self,
        system: &S,
        (x, next): (&State<S>, &State<S>),
        w: &mut dyn Any,
        theta: S::Real,
        out: &mut State<S>,
    ) {
        self.interpolate(system, x, next, own(w), theta, out);
    }
    fn remembered(&self, x: &State<S>, next: &State<S>, m: &mut Memory<S::Real>, w: &mut dyn Any) {
        self.remember(x, next, own(m.0.any_mut()), own(w));
    }
}

/// The same of a method that estimates its error.
pub trait Controlled<S: Solvable>: Erased<S> {
    fn power(&self) -> u32;
    fn most(&self) -> f64;
}

impl<S: Solvable, M: Erased<S> + Estimates> Controlled<S> for M {
    fn power(&self) -> u32 {
        self.error_order()
    }
    fn most(&self) -> f64 {
        self.growth()
    }
}

/// A memory without its type.
pub struct Memory<T>(Box<dyn Remembered<T>>);

trait Remembered<T: Real> {
    fn any(&self) -> &dyn Any;
    fn any_mut(&mut self) -> &mut dyn Any;
    fn copy(&self) -> Box<dyn Remembered<T>>;
    fn shown(&mut self, parts: &mut dyn Parts<T>);
}

impl<T: Real, H: History<T> + 'static> Remembered<T> for H {
    fn any(&self) -> &dyn Any {
        self
    }
    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn copy(&self) -> Box<dyn Remembered<T>> {
        Box::new(self.clone())
    }
    fn shown(&mut self, parts: &mut dyn Parts<T>) {
        self.visit(parts);
    }
}

impl<T: Real> Clone for Memory<T> {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl<T: Real> History<T> for Memory<T> {
    fn visit(&mut self, parts: &mut dyn Parts<T>) {
        self.0.shown(parts);
    }
}

/// The method behind the reference.
pub struct Shared<'m, D: ?Sized>(pub &'m D);

impl<D: ?Sized> Clone for Shared<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: ?Sized> Copy for Shared<'_, D> {}

impl<S: Solvable, D: Erased<S> + ?Sized> Method<S> for Shared<'_, D> {
    type Memory = Memory<S::Real>;
    type Scratch = Box<dyn Any>;

    fn name(&self) -> MethodName {
        self.0.named()
    }
    fn check(&self) -> Result<(), Cause> {
        self.0.checked()
    }
    fn scratch(&self, system: &S) -> Box<dyn Any> {
        self.0.room(system)
    }
    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &mut State<S>,
        h: S::Real,
        w: &mut Box<dyn Any>,
        acceleration: &mut Acceleration<S>,
    ) -> Result<Memory<S::Real>, Cause> {
        let mut cx = Context { system: cx.system, inputs: &Lent(cx.inputs), work: cx.work };
        self.0.restarted(&mut cx, x, h, &mut **w, acceleration)
    }
    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Memory<S::Real>,
        h: S::Real,
        w: &mut Box<dyn Any>,
        next: &mut Proposal<S>,
    ) -> Result<(), Cause> {
        let mut cx = Context { system: cx.system, inputs: &Lent(cx.inputs), work: cx.work };
        self.0.attempted(&mut cx, x, m, h, &mut **w, next)
    }
    fn estimates(&self) -> bool {
        self.0.estimated()
    }
    fn settles(&self) -> bool {
        self.0.settled()
    }
    fn interpolate(
        &self,
        system: &S,
        x: &State<S>,
        next: &State<S>,
        w: &mut Box<dyn Any>,
        theta: S::Real,
        out: &mut State<S>,
    ) {
        self.0.between(system, (x, next), &mut **w, theta, out);
    }
    fn remember(&self, x: &State<S>, next: &State<S>, m: &mut Memory<S::Real>, w: &mut Box<dyn Any>) {
        self.0.remembered(x, next, m, &mut **w);
    }
}

impl<S: Solvable> Estimates for Shared<'_, dyn Controlled<S> + '_> {
    // what `error_order` says
    const ERROR_ORDER: u32 = 0;
    fn error_order(&self) -> u32 {
        self.0.power()
    }
    fn growth(&self) -> f64 {
        self.0.most()
    }
}
