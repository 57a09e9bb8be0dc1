//! Steps backwards: from covectors of the end of a step to covectors of its beginning.

use std::vec::Vec;

use crate::error::Cause;
use crate::integrators::vary::{Attempted, Vary, settle, vary_step};
use crate::model::differentiable::Differentiable;
use crate::model::layout::Block;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::add;
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::variation::{
    Controls, ForwardMode, Node, Part, RateVariation, Remembered, Several, Solved, StateVariation, Tape, Totals, Varied,
};

/// The derivative of a number by a state of a run, as a covector.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Covector<S: Differentiable> {
    /// by q along its tangent directions, nv
    pub q: S::V,
    /// by v, nv
    pub v: S::V,
    /// by z, nz
    pub z: S::Z,
    /// by a, nv
    pub a: S::V,
    /// by ż, nz
    pub zdot: S::Z,
    /// by λ, nc
    pub lambda: S::L,
    /// by u there, nu, as far as inputs enter otherwise than by the motion
    pub u: S::U,
    /// by p, np, as far as parameters do
    pub parameters: S::P,
}

impl<S: Differentiable<Real: Real>> Covector<S> {
    /// The derivative of a constant.
    pub fn zeros(system: &S) -> Self {
        let layout = system.layout();
        let (v, z) = (|| S::V::zeros(layout.v.len()), || S::Z::zeros(layout.z.len()));
        Self {
            q: v(),
            v: v(),
            z: z(),
            a: v(),
            zdot: z(),
            lambda: Block::zeros(layout.constraints.len()),
            u: Block::zeros(layout.u.len()),
            parameters: Block::zeros(system.derivatives().parameter_names.len()),
        }
    }

    /// Makes it that of a constant.
    pub fn clear(&mut self) {
        self.blocks_mut().into_iter().for_each(|block| block.fill(S::Real::ZERO));
        self.u.as_mut().fill(S::Real::ZERO);
        self.parameters.as_mut().fill(S::Real::ZERO);
    }

    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        for (to, from) in self.blocks_mut().into_iter().zip(other.blocks()) {
            add(to, S::Real::ONE, from);
        }
        add(self.u.as_mut(), S::Real::ONE, other.u.as_ref());
        add(self.parameters.as_mut(), S::Real::ONE, other.parameters.as_ref());
    }

    /// (q, v, z, a, ż, λ)
    pub fn blocks(&self) -> [&[S::Real]; 6] {
        let Self { q, v, z, a, zdot, lambda, .. } = self;
        [q.as_ref(), v.as_ref(), z.as_ref(), a.as_ref(), zdot.as_ref(), lambda.as_ref()]
    }

    /// (q, v, z, a, ż, λ)
    pub fn blocks_mut(&mut self) -> [&mut [S::Real]; 6] {
        let Self { q, v, z, a, zdot, lambda, .. } = self;
        [q.as_mut(), v.as_mut(), z.as_mut(), a.as_mut(), zdot.as_mut(), lambda.as_mut()]
    }

    /// Whether it is by rates or multipliers too, which follow from the state.
    pub(crate) fn by_rates(&self) -> bool {
        self.blocks().into_iter().skip(3).flatten().any(|&x| x != S::Real::ZERO)
    }
}

/// A state on the tape.
type TapedState<S> = StateVariation<S, Tape<S>>;

/// Covectors of a state and of what the method remembers there, taken back step by step.
pub struct Adjoint<S: Solvable + Sensitive> {
    tape: Tape<S>,
    /// of the state
    pub state: Covector<S>,
    memory: Vec<Part<S::V, S::Z, S::L>>,
}

impl<S: Solvable + Sensitive> core::fmt::Debug for Adjoint<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Adjoint").field("state", &self.state).finish_non_exhaustive()
    }
}

impl<S: Solvable + Sensitive> Adjoint<S> {
    /// All covectors zero. `inputs` are the numbers of the inputs to differentiate by; `parameters` says whether by
    /// parameters too. A number that does not exist is refused where steps are taken back: [`Cause::NoInput`].
    pub fn new(system: &S, inputs: Vec<usize>, parameters: bool) -> Self {
        Self { tape: Tape::new(system, inputs, parameters), state: Covector::zeros(system), memory: Vec::new() }
    }

    /// What the steps have given by parameters, inputs and time.
    pub fn totals(&self) -> &Totals<S> {
        self.tape.totals()
    }

    /// Whether it is also by what the method remembers, or by rates or multipliers.
    pub(crate) fn remembers(&self) -> bool {
        !self.memory.is_empty() || self.state.by_rates()
    }

    /// Forgets all covectors and totals, for another covector.
    pub fn clear(&mut self) {
        self.state.clear();
        self.memory.clear();
        let Totals { parameters, own, t } = self.tape.totals_mut();
        parameters.as_mut().fill(S::Real::ZERO);
        own.fill(S::Real::ZERO);
        *t = S::Real::ZERO;
    }

    /// Takes the covector back by a linear map whose columns are known, such as an event's: those by q, v and z, by
    /// these parameters, and by own numbers of the inputs, given by their places among the totals. Each delays the
    /// event too, whose time has a covector of its own. The method remembers nothing before it.
    pub(crate) fn back_by(
        &mut self,
        columns: &StateVariation<S, ForwardMode<S, Several>>,
        (parameters, numbers): (&[usize], &[usize]),
        (delays, by_time): (&[S::Real], S::Real),
    ) {
        let Covector { q, v, z, .. } = self.state.clone();
        let columns = columns.q.iter().zip(&columns.v).zip(&columns.z).zip(delays);
        let mut products = columns.map(|(((dq, dv), dz), &delay)| {
            let blocks = [(q.as_ref(), dq.as_ref()), (v.as_ref(), dv.as_ref()), (z.as_ref(), dz.as_ref())];
            let terms = blocks.into_iter().flat_map(|(w, dx)| w.iter().zip(dx).map(|(&w, &dx)| w * dx));
            terms.fold(by_time * delay, |sum, x| sum + x)
        });
        self.state.clear();
        let [q, v, z, ..] = self.state.blocks_mut();
        q.iter_mut().chain(v).chain(z).zip(&mut products).for_each(|(to, x)| *to = x);
        let Totals { parameters: all, own, .. } = self.tape.totals_mut();
        for (&i, x) in parameters.iter().zip(&mut products) {
            all.as_mut().get_mut(i).into_iter().for_each(|to| *to += x);
        }
        for (&place, x) in numbers.iter().zip(products) {
            own.get_mut(place).into_iter().for_each(|to| *to += x);
        }
        self.memory.clear();
    }

    /// Takes the covectors back over a step.
    ///
    /// # Errors
    /// Why the step cannot be linearised; [`Cause::NoInput`]. Nothing has changed then but the totals, which are worth
    /// nothing.
    pub fn back<M: Vary<S>, U: Controls<S>>(
        &mut self,
        method: &M,
        cx: &mut Context<'_, S, U>,
        step: ((&State<S>, &M::Memory), S::Real),
        made: Attempted<'_, S, M::Scratch>,
    ) -> Result<(), Cause> {
        self.tape.check(cx)?;
        self.tape.clear();
        let at = self.tape.state();
        let memory = M::Varied::<Tape<S>>::nothing(&mut self.tape, cx.system, &at);
        self.step(method, cx, step, made, (&at, &memory))?;
        self.read(&at);
        let (tape, mut parts) = (&self.tape, self.memory.iter_mut());
        let mut all = Vec::new();
        memory.visit(&mut |part| {
            let part = match part {
                Part::V(node) => Part::V(tape.covector(*node).clone()),
                Part::Z(node) => Part::Z(tape.covector_z(*node).clone()),
                Part::L(node) => Part::L(tape.covector_l(*node).clone()),
            };
            match parts.next() {
                Some(to) => *to = part,
                None => all.push(part),
            }
        });
        self.memory.extend(all);
        Ok(())
    }

    /// Takes the covectors back to the state at which a run begins, or begins anew after an event: of what the method
    /// remembers there, and of rates and multipliers.
    ///
    /// # Errors
    /// Why the state cannot be linearised; see [`Adjoint::back`].
    pub fn begin<M: Vary<S>, U: Controls<S>>(
        &mut self,
        method: &M,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
    ) -> Result<(), Cause> {
        self.settle(cx, x, |cx, tape, at| method.begin(cx, x, tape, at).map(Some))
    }

    /// Takes the covectors back to a state at which what the method remembers is given too, so that nothing varies in
    /// it: of rates and multipliers.
    ///
    /// # Errors
    /// Why the state cannot be linearised; see [`Adjoint::back`].
    pub fn begin_given<U: Controls<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.settle(cx, x, |_, _, _| Ok(None::<()>))
    }

    fn settle<U: Controls<S>, R: Remembered<S, Tape<S>>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        begin: impl FnOnce(&mut Context<'_, S, U>, &mut Tape<S>, &mut TapedState<S>) -> Result<Option<R>, Cause>,
    ) -> Result<(), Cause> {
        self.tape.check(cx)?;
        self.tape.clear();
        let at = self.tape.state();
        let mut settled = at.clone();
        let rates = settle(cx, x, &mut self.tape, &mut settled)?;
        let memory = begin(cx, &mut self.tape, &mut settled)?;
        let given = self.state.clone();
        self.weigh_rates(&rates, &given);
        self.weigh(&settled, &given);
        self.weigh_beside(cx, (x, &settled), &given)?;
        if let Some(memory) = memory {
            self.weigh_memory(&memory);
        }
        self.tape.sweep(cx.system)?;
        self.read(&at);
        self.memory.clear();
        Ok(())
    }

    /// Takes back that inputs were sampled at a state and held since: their covectors are the first of the totals by
    /// own numbers, which end here.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] with an input whose derivative is not finite.
    pub(crate) fn sampled<U: Controls<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        let mut u = S::U::zeros(cx.system.layout().u.len());
        for (u, total) in u.as_mut().iter_mut().zip(&mut self.tape.totals_mut().own) {
            *u = core::mem::replace(total, S::Real::ZERO);
        }
        self.tape.clear();
        let (at, given) = (self.tape.state(), self.state.clone());
        self.tape.weigh_inputs(cx, x.moment(), &at, &u)?;
        self.read(&at);
        self.state.add(&given);
        Ok(())
    }

    /// Records a step from a recorded state and memory, and sweeps.
    fn step<M: Vary<S>, U: Controls<S>>(
        &mut self,
        method: &M,
        cx: &mut Context<'_, S, U>,
        step: ((&State<S>, &M::Memory), S::Real),
        made: Attempted<'_, S, M::Scratch>,
        at: (&TapedState<S>, &M::Varied<Tape<S>>),
    ) -> Result<(), Cause> {
        let (system, layout) = (cx.system, cx.system.layout());
        let end = made.end;
        let mut stepped = vary_step(method, cx, step, made, &mut self.tape, at)?;
        let given = self.state.clone();
        let rates = match stepped.rates {
            Some(rates) => Some(rates),
            // algebraic variables, and the velocities of first-order models, follow from the rest too
            None if given.by_rates() || layout.first_order() || layout.algebraic > 0 => {
                Some(settle(cx, end, &mut self.tape, &mut stepped.x)?)
            }
            None => None,
        };
        if let Some(rates) = &rates {
            self.weigh_rates(rates, &given);
        }
        self.weigh(&stepped.x, &given);
        self.weigh_beside(cx, (end, &stepped.x), &given)?;
        self.weigh_memory(&stepped.memory);
        self.tape.sweep(system)
    }

    fn weigh_beside<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        (x, at): (&State<S>, &StateVariation<S, Tape<S>>),
        by: &Covector<S>,
    ) -> Result<(), Cause> {
        add(self.tape.totals_mut().parameters.as_mut(), S::Real::ONE, by.parameters.as_ref());
        if by.u.as_ref().iter().any(|&u| u != S::Real::ZERO) {
            self.tape.weigh_inputs(cx, x.moment(), at, &by.u)?;
        }
        Ok(())
    }

    fn weigh_memory(&mut self, memory: &impl Remembered<S, Tape<S>>) {
        let (tape, mut parts) = (&mut self.tape, self.memory.iter());
        memory.visit(&mut |part| match (part, parts.next()) {
            (Part::V(node), Some(Part::V(by))) => tape.weigh(*node, by),
            (Part::Z(node), Some(Part::Z(by))) => tape.weigh_z(*node, by),
            (Part::L(node), Some(Part::L(by))) => tape.weigh_l(*node, by),
            _ => {}
        });
    }

    fn weigh(&mut self, x: &Varied<Node, Node>, by: &Covector<S>) {
        self.tape.weigh(x.q, &by.q);
        self.tape.weigh(x.v, &by.v);
        self.tape.weigh_z(x.z, &by.z);
    }

    fn weigh_rates(&mut self, rates: &RateVariation<S, Tape<S>>, by: &Covector<S>) {
        let Solved { a, zdot, lambda } = rates;
        self.tape.weigh(*a, &by.a);
        self.tape.weigh_z(*zdot, &by.zdot);
        self.tape.weigh_l(*lambda, &by.lambda);
    }

    fn read(&mut self, at: &Varied<Node, Node>) {
        self.state.clear();
        for (to, node) in [(&mut self.state.q, at.q), (&mut self.state.v, at.v)] {
            add(to.as_mut(), S::Real::ONE, self.tape.covector(node).as_ref());
        }
        add(self.state.z.as_mut(), S::Real::ONE, self.tape.covector_z(at.z).as_ref());
    }
}
