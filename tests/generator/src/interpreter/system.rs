//! A program as a model that the runtime's methods take: what they evaluate, from the data alone.

use std::marker::PhantomData;

use ode_codegen::phases::lower::{Call, Program};
use ode_runtime::{At, Conditions, Constraint, Forward, Layout, Linearize, Rates, Reset, Residual, System, Weights};

use super::{After, Inputs, Outputs, Plant, after, call, local, qdot, retract, step_rate, turns, velocity_rate};

/// A program with its parameters.
#[derive(Clone, Debug)]
pub struct Interpreted<P: Plant> {
    parameters: Vec<f64>,
    plant: PhantomData<P>,
}

impl<P: Plant> Default for Interpreted<P> {
    fn default() -> Self {
        Self { parameters: P::text().defaults.clone(), plant: PhantomData }
    }
}

impl<P: Plant> Interpreted<P> {
    /// With a parameter of this name at another value.
    ///
    /// # Panics
    /// If there is none of this name.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        let place = P::text().compiled.names.p.iter().position(|p| p == name).expect("a parameter");
        self.parameters[place] = value;
        self
    }

    /// The numbers of the output of this name.
    ///
    /// # Panics
    /// If there is none of this name.
    pub fn output(&self, name: &str, at: At<'_, Self>, rates: Rates<'_, Self>) -> Vec<f64> {
        let outputs = self.program().record("Y").expect("outputs");
        let field = outputs.fields.iter().find(|f| f.name == name).expect("an output");
        let found = self.call(Call::Outputs, &self.inputs_with(at, rates));
        found.array("out")[field.first..field.first + field.shape.len()].to_vec()
    }

    pub(super) fn program(&self) -> &'static Program {
        &P::text().compiled.program
    }

    pub(super) fn inputs(&self, at: At<'_, Self>) -> Inputs {
        Inputs {
            t: at.t,
            q: at.q.as_ref().to_vec(),
            v: at.v.as_ref().to_vec(),
            z: at.z.as_ref().to_vec(),
            u: at.u.as_ref().to_vec(),
            modes: at.modes.as_ref().to_vec(),
            p: self.parameters.clone(),
            ..Inputs::default()
        }
    }

    fn inputs_with(&self, at: At<'_, Self>, rates: Rates<'_, Self>) -> Inputs {
        Inputs {
            a: rates.a.as_ref().to_vec(),
            zdot: rates.zdot.as_ref().to_vec(),
            lambda: rates.lambda.as_ref().to_vec(),
            ..self.inputs(at)
        }
    }

    pub(super) fn call(&self, which: Call, inputs: &Inputs) -> Outputs {
        call(self.program(), which, inputs, &|partial, x| P::text().value(partial, x))
    }
}

pub(super) fn copy(from: &[f64], to: &mut impl AsMut<[f64]>) {
    to.as_mut().copy_from_slice(from);
}

impl<P: Plant> System for Interpreted<P> {
    type Real = f64;
    type Q = P::Q;
    type V = P::V;
    type Z = P::Z;
    type U = P::U;
    type L = P::L;
    type Modes = P::Modes;
    type Guards = Vec<f64>;
    type Mass = Vec<f64>;
    type Jacobian = Vec<f64>;

    fn layout(&self) -> Layout<'_> {
        P::text().layout
    }

    fn rotations(&self) -> &[(usize, usize)] {
        &P::text().rotations
    }

    fn forward(&self, at: At<'_, Self>, out: &mut Forward<Self>) {
        let found = self.call(Call::Forward, &self.inputs(at));
        copy(found.array("mass"), &mut out.mass);
        copy(found.array("force"), &mut out.force);
        copy(found.array("g"), &mut out.zdot);
        copy(found.array("jacobian"), &mut out.jacobian);
        copy(found.array("gamma"), &mut out.gamma);
    }

    fn residual(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Residual<Self>) {
        let found = self.call(Call::Residual, &self.inputs_with(at, rates));
        copy(found.array("r"), &mut out.r);
        copy(found.array("s"), &mut out.s);
        copy(found.array("phi"), &mut out.phi);
    }

    fn constraint(&self, at: At<'_, Self>, out: &mut Constraint<Self>) {
        let found = self.call(Call::Constraint, &self.inputs(at));
        copy(found.array("phi"), &mut out.phi);
        copy(found.array("rate"), &mut out.rate);
        copy(found.array("jacobian"), &mut out.jacobian);
    }

    fn momentum_rate(&self, at: At<'_, Self>, out: &mut Self::V) {
        let found = self.call(Call::MomentumRate, &self.inputs(at));
        match found.array("out") {
            [] => out.as_mut().fill(0.0),
            rate => copy(rate, out),
        }
    }

    fn canonical(
        &self,
        at: At<'_, Self>,
        rate: &mut Self::V,
        out: &mut Forward<Self>,
        constraint: &mut Constraint<Self>,
    ) {
        if self.program().get(Call::Canonical).is_none() {
            self.forward(at, out);
            self.constraint(at, constraint);
            self.momentum_rate(at, rate);
            out.force.as_mut().iter_mut().zip(rate.as_ref()).for_each(|(force, rate)| *force += rate);
            return;
        }
        let found = self.call(Call::Canonical, &self.inputs(at));
        copy(found.array("mass"), &mut out.mass);
        copy(found.array("force"), &mut out.force);
        copy(found.array("g"), &mut out.zdot);
        copy(found.array("jacobian"), &mut out.jacobian);
        copy(found.array("phi"), &mut constraint.phi);
    }

    fn algebraic(&self, at: At<'_, Self>, values: &mut [f64], jacobian: &mut [f64]) {
        let found = self.call(Call::Algebraic, &self.inputs(at));
        values.copy_from_slice(found.array("values"));
        jacobian.copy_from_slice(found.array("jacobian"));
    }

    fn nominal(&self, u: &mut Self::U) {
        copy(&self.program().record("U").expect("inputs").origin, u);
    }

    fn initial_modes(&self, modes: &mut Self::Modes) {
        copy(&self.program().record("Modes").expect("modes").origin, modes);
    }

    fn guess(&self, q: &mut Self::Q, v: &mut Self::V, z: &mut Self::Z) {
        let found = self.call(Call::Guess, &Inputs { p: self.parameters.clone(), ..Inputs::default() });
        copy(found.array("q"), q);
        copy(found.array("v"), v);
        copy(found.array("z"), z);
    }

    fn guards(&self, at: At<'_, Self>, out: &mut Self::Guards) {
        copy(self.call(Call::Guards, &self.inputs(at)).array("out"), out);
    }

    fn guard_rates(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Self::Guards) {
        copy(self.call(Call::GuardRates, &self.inputs_with(at, rates)).array("out"), out);
    }

    fn reset(&self, event: usize, at: At<'_, Self>, out: Reset<'_, Self>) {
        let external = |partial: &_, x: &[f64]| P::text().value(partial, x);
        let After { q, v, z, modes } = after(self.program(), event, &self.inputs(at), &external);
        copy(&q, out.q);
        copy(&v, out.v);
        copy(&z, out.z);
        copy(&modes, out.modes);
    }

    fn conditions(&self, at: At<'_, Self>, out: Conditions<'_, f64>) {
        let found = self.call(Call::Conditions, &self.inputs(at));
        out.position.copy_from_slice(found.array("position"));
        out.velocity.copy_from_slice(found.array("velocity"));
        out.position_jacobian.copy_from_slice(found.array("position_jacobian"));
        out.velocity_jacobian.copy_from_slice(found.array("velocity_jacobian"));
    }

    fn qdot(&self, q: &Self::Q, v: &Self::V, out: &mut Self::Q) {
        copy(&qdot(self.program(), q.as_ref(), v.as_ref()), out);
    }

    fn retract(&self, q: &Self::Q, step: &Self::V, out: &mut Self::Q) {
        copy(&retract(self.program(), q.as_ref(), step.as_ref()), out);
    }

    fn local(&self, from: &Self::Q, to: &Self::Q, out: &mut Self::V) {
        copy(&local(self.program(), from.as_ref(), to.as_ref()), out);
    }

    fn step_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {
        copy(&step_rate(self.program(), step.as_ref(), v.as_ref()), out);
    }

    fn velocity_rate(&self, step: &Self::V, v: &Self::V, out: &mut Self::V) {
        let rate = velocity_rate(self.program(), step.as_ref(), v.as_ref(), out.as_ref());
        copy(&rate, out);
    }
}

impl<P: Plant> Linearize for Interpreted<P> {
    type Tangent = Vec<f64>;

    fn tangent(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<f64>,
        step: &Self::V,
        residual: &mut Residual<Self>,
        out: &mut Self::Tangent,
    ) {
        let Weights { rates: rho, velocity, position, state } = weights;
        let inputs = Inputs {
            weights: vec![rho, velocity, position, state],
            turns: turns(self.program(), step.as_ref()),
            ..self.inputs_with(at, rates)
        };
        let found = self.call(Call::Tangent, &inputs);
        copy(found.array("r"), &mut residual.r);
        copy(found.array("s"), &mut residual.s);
        copy(found.array("phi"), &mut residual.phi);
        copy(found.array("tangent"), out);
    }
}
