//! A program as a model that the runtime's methods take: its roles, from the data alone.

use std::fmt;
use std::marker::PhantomData;

use ode_codegen::lower::{Call, Program, RowKind};
use ode_codegen::model::{Crossing, Order};
use ode_codegen::{Compiled, compile};
use ode_runtime::linalg::{Decomposition, Elimination, Kkt, Saddle, Square, certain, definite, scatter};
use ode_runtime::{
    At, Block, Conditions, Constraint, Forward, Layout, Linearize, Pattern, Rates, Reset, Residual, Solvable, System,
    Weights,
};

use super::{After, Inputs, Outputs, after, local, qdot, retract, run, step_rate, turns};
use crate::outside;

/// A compiled model with what methods are told of it.
pub struct Text {
    compiled: Compiled,
    layout: Layout<'static>,
    rotations: Vec<(usize, usize)>,
    starts: [Pattern<'static>; 2],
    defaults: Vec<f64>,
}

/// A model by its text, with the blocks and solvers that methods work in: their sizes are types.
pub trait Plant: Clone + fmt::Debug + 'static {
    /// coordinates
    type Q: Block<f64>;
    /// velocities
    type V: Block<f64>;
    /// states
    type Z: Block<f64>;
    /// inputs
    type U: Block<f64>;
    /// multipliers
    type L: Block<f64>;
    /// modes
    type Modes: Block<f64>;
    /// of the accelerations
    type Saddle: Saddle<f64>;
    /// of implicit methods
    type Kkt: Kkt<f64>;
    /// of a start
    type Assembly: Square<f64>;
    /// of algebraic variables
    type Algebra: Square<f64>;
    /// does the program solve for accelerations by itself?
    const DIRECT: bool;

    /// What is run; the same each time.
    fn text() -> &'static Text;
}

/// A program with its parameters.
#[derive(Clone, Debug)]
pub struct Interpreted<P: Plant> {
    parameters: Vec<f64>,
    plant: PhantomData<P>,
}

/// The eliminations of a program, as the types that the runtime's solvers are told of.
#[derive(Clone, Debug)]
pub struct Eliminated<P: Plant>(PhantomData<P>);

fn leaked<T: ?Sized>(value: Box<T>) -> &'static T {
    Box::leak(value)
}

fn names(list: &[String]) -> &'static [&'static str] {
    leaked(list.iter().map(|name| leaked(name.clone().into_boxed_str())).collect())
}

fn pattern(program: &Program, name: &str) -> Pattern<'static> {
    let p = program.pattern(name).expect("a pattern");
    Pattern {
        rows: p.rows,
        cols: p.cols,
        starts: leaked(p.starts.clone().into_boxed_slice()),
        indices: leaked(p.indices.clone().into_boxed_slice()),
    }
}

impl Text {
    /// Compiles a model, for good.
    ///
    /// # Panics
    /// If it does not compile, or a parameter has no default.
    pub fn of(text: &str) -> &'static Self {
        let compiled = compile(text.parse().expect("tokens")).expect("a model");
        let (program, n) = (&compiled.program, &compiled.names);
        let crossing = |crossing| match crossing {
            Crossing::Falling => ode_runtime::Crossing::Falling,
            Crossing::Rising => ode_runtime::Crossing::Rising,
            Crossing::Either => ode_runtime::Crossing::Either,
        };
        let event = |e: &ode_codegen::lower::Event| ode_runtime::Event {
            name: leaked(e.label.clone().into_boxed_str()),
            crossing: crossing(e.crossing),
            stops: e.stops,
        };
        let kind = |kind: &RowKind| match kind {
            RowKind::Holonomic => ode_runtime::RowKind::Holonomic,
            RowKind::Nonholonomic => ode_runtime::RowKind::Nonholonomic,
            RowKind::Compliant => ode_runtime::RowKind::Compliant,
        };
        let layout = Layout {
            name: leaked(compiled.model.header.name.to_string().into_boxed_str()),
            q: names(&n.q),
            v: names(&n.v),
            z: names(&n.z),
            algebraic: program.layout.algebraic,
            u: names(&n.u),
            modes: names(&n.modes),
            events: leaked(program.events.iter().map(event).collect()),
            constraints: names(&n.constraints),
            kinds: leaked(program.layout.rows.iter().map(kind).collect()),
            init_position: names(&n.init_position),
            init_velocity: names(&n.init_velocity),
            mass: pattern(program, "MASS"),
            jacobian: pattern(program, "JACOBIAN"),
            tangent: pattern(program, "TANGENT"),
            order: match program.layout.order {
                Order::First => ode_runtime::Order::First,
                Order::Second => ode_runtime::Order::Second,
            },
            constant_mass: program.layout.constant_mass,
            rheonomic: program.layout.rheonomic,
        };
        let rotations = program.motions.iter().filter_map(|m| m.rotation).collect();
        let params = &compiled.model.declared.params;
        let defaults = params.iter().flat_map(|p| p.default.clone().expect("a default")).collect();
        let starts = ["INIT_POSITION", "INIT_VELOCITY"].map(|name| pattern(program, name));
        leaked(Box::new(Self { compiled, layout, rotations, starts, defaults }))
    }

    /// What the compiler made of it.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    fn value(&self, partial: &ode_codegen::expr::Partial, x: &[f64]) -> f64 {
        outside::value(&self.compiled.model.externals, partial, x)
    }
}

impl<P: Plant> Default for Interpreted<P> {
    fn default() -> Self {
        Self { parameters: P::text().defaults.clone(), plant: PhantomData }
    }
}

impl<P: Plant> Interpreted<P> {
    fn program(&self) -> &'static Program {
        &P::text().compiled.program
    }

    fn inputs(&self, at: At<'_, Self>) -> Inputs {
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

    fn call(&self, call: Call, inputs: &Inputs) -> Outputs {
        run(&self.program()[call], inputs, &|partial, x| P::text().value(partial, x))
    }

    /// Whether what a call has solved for may be read.
    fn sound(&self, call: Call, out: &Outputs) -> bool {
        let checks = out.array("checks");
        if self.program().certain(call) { certain(checks) } else { definite(checks) }
    }
}

fn copy(from: &[f64], to: &mut impl AsMut<[f64]>) {
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
        let outside = |partial: &_, x: &[f64]| P::text().value(partial, x);
        let After { q, v, z, modes } = after(self.program(), event, &self.inputs(at), &outside);
        copy(&q, out.q);
        copy(&v, out.v);
        copy(&z, out.z);
        copy(&modes, out.modes);
    }

    fn conditions(&self, at: At<'_, Self>, out: Conditions<'_, f64>) {
        let found = self.call(Call::Conditions, &self.inputs(at));
        out.position.copy_from_slice(found.array("position"));
        out.velocity.copy_from_slice(found.array("velocity"));
        let [position, velocity] = P::text().starts;
        scatter(position, found.array("position_jacobian"), out.position_jacobian);
        scatter(velocity, found.array("velocity_jacobian"), out.velocity_jacobian);
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

impl<P: Plant> Solvable for Interpreted<P> {
    type Saddle = P::Saddle;
    type Kkt = P::Kkt;
    type Assembly = P::Assembly;
    type Algebra = P::Algebra;
    const DIRECT: bool = P::DIRECT;

    fn accelerations(&self, at: At<'_, Self>, a: &mut Self::V, zdot: &mut Self::Z, lambda: &mut Self::L) -> bool {
        if self.program().get(Call::Accelerations).is_none() {
            return false;
        }
        let found = self.call(Call::Accelerations, &self.inputs(at));
        copy(found.array("accelerations"), a);
        copy(found.array("g"), zdot);
        copy(found.array("multipliers"), lambda);
        self.sound(Call::Accelerations, &found)
    }

    fn correction(&self, at: At<'_, Self>, b: &Self::L, step: &mut Self::V) -> bool {
        if self.program().get(Call::Correction).is_none() {
            return false;
        }
        let found = self.call(Call::Correction, &Inputs { rhs: b.as_ref().to_vec(), ..self.inputs(at) });
        copy(found.array("correction"), step);
        self.sound(Call::Correction, &found)
    }
}

impl<P: Plant> Eliminated<P> {
    fn factors(call: Call, inputs: &Inputs, factor: &mut Vec<f64>, checks: &mut Vec<f64>) {
        let out = run(&P::text().compiled.program[call], inputs, &|_, _| f64::NAN);
        *factor = out.array("factor").to_vec();
        *checks = out.array("checks").to_vec();
    }

    fn solution(call: Call, factor: &[f64], x: &mut [f64]) {
        let inputs = Inputs { factor: factor.to_vec(), rhs: x.to_vec(), ..Inputs::default() };
        x.copy_from_slice(run(&P::text().compiled.program[call], &inputs, &|_, _| f64::NAN).array("x"));
    }
}

impl<P: Plant> Elimination<f64> for Eliminated<P> {
    type Factor = Vec<f64>;
    type Checks = Vec<f64>;

    fn factorize(mass: &[f64], jacobian: &[f64], factor: &mut Vec<f64>, checks: &mut Vec<f64>) {
        let inputs = Inputs { mass: mass.to_vec(), jacobian: jacobian.to_vec(), ..Inputs::default() };
        Self::factors(Call::SaddleFactors, &inputs, factor, checks);
    }

    fn solve(factor: &Vec<f64>, x: &mut [f64]) {
        Self::solution(Call::SaddleSolution, factor, x);
    }
}

impl<P: Plant> Decomposition<f64> for Eliminated<P> {
    type Factor = Vec<f64>;
    type Checks = Vec<f64>;

    fn factorize(tangent: &[f64], factor: &mut Vec<f64>, checks: &mut Vec<f64>) {
        let inputs = Inputs { tangent: tangent.to_vec(), ..Inputs::default() };
        Self::factors(Call::KktFactors, &inputs, factor, checks);
    }

    fn solve(factor: &Vec<f64>, x: &mut [f64]) {
        Self::solution(Call::KktSolution, factor, x);
    }
}
