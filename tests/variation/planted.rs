//! Comparisons with differences are only worth what they notice: each operation in turn is wrong by one in a thousand.

use ode_model::integrators::*;
use ode_model::solve::ProjectedBy;
use ode_model::solve::Projection;
use ode_model::variation::*;
use ode_model::{Block, Cause, Context, Moment, Nominal, Sensitive, Solvable, Start, State};

use crate::models::*;
use crate::perturb::{Given, off};
use crate::stepping::{differences, forward_by, mistake, newton};

/// What is wrong. One that no test plants is dead code, which lints deny.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Scale,
    Add,
    ScaleZ,
    AddZ,
    AddL,
    Retract,
    Spin,
    Align,
    Local,
    StepRate,
    VelocityRate,
    MotionA,
    MotionZdot,
    MotionLambda,
    MotionAlgebraic,
    EndingA,
    EndingZ,
    EndingLambda,
    IncrementA,
    IncrementZ,
    IncrementLambda,
    AlongStep,
    AlongA,
    AlongZ,
    AlongLambda,
    PointV,
    PointZ,
    PointLambda,
    LeftOut,
    ProjectQ,
    ProjectV,
    Force,
    Rates,
    Carried,
    Held,
    SolveV,
    SolveZ,
    SolveLambda,
    SolveSecond,
}

use Fault::*;

/// The columns, with a fault if there is one.
struct Planted<S: Solvable + Sensitive> {
    right: ForwardMode<S, Several>,
    fault: Option<Fault>,
}

impl<S: Solvable<Real = f64> + Sensitive> Planted<S> {
    /// A coefficient or what makes a result, if this is where the fault is.
    fn times(&self, place: Fault) -> f64 {
        if self.fault == Some(place) { 1.0 + 1e-3 } else { 1.0 }
    }

    fn spoil<B: AsMut<[f64]>>(&self, place: Fault, columns: &mut [B]) {
        let s = self.times(place);
        columns.iter_mut().flat_map(|column| column.as_mut()).for_each(|x| *x *= s);
    }
}

impl<S: Solvable<Real = f64> + Sensitive> Chain<S> for Planted<S> {
    type V = Vec<S::V>;
    type Z = Vec<S::Z>;
    type L = Vec<S::L>;

    fn scale(&mut self, s: f64, x: &Self::V) -> Self::V {
        self.right.scale(s * self.times(Scale), x)
    }

    fn add(&mut self, y: &mut Self::V, s: f64, x: &Self::V) {
        self.right.add(y, s * self.times(Add), x);
    }

    fn scale_z(&mut self, s: f64, x: &Self::Z) -> Self::Z {
        self.right.scale_z(s * self.times(ScaleZ), x)
    }

    fn add_z(&mut self, y: &mut Self::Z, s: f64, x: &Self::Z) {
        self.right.add_z(y, s * self.times(AddZ), x);
    }

    fn still(&mut self, system: &S, zdot: &mut Self::Z) {
        self.right.still(system, zdot);
    }

    fn retract(&mut self, system: &S, step: &S::V, q: &Self::V, by: &Self::V) -> Moved<Self::V> {
        let mut moved = self.right.retract(system, step, q, by);
        self.spoil(Retract, &mut moved.q);
        moved.spin.iter_mut().for_each(|spin| self.spoil(Spin, spin));
        moved
    }

    fn align(&mut self, system: &S, s: f64, vector: &S::V, spin: &Option<Self::V>, x: &mut Self::V) {
        self.right.align(system, s * self.times(Align), vector, spin, x);
    }

    fn local(&mut self, system: &S, at: (&S::Q, &S::Q, &S::V), from: &Self::V, to: &Self::V) -> Self::V {
        let mut step = self.right.local(system, at, from, to);
        self.spoil(Local, &mut step);
        step
    }

    fn step_rate(&mut self, system: &S, at: (&S::V, &S::V), by: &Self::V, v: &Self::V) -> Self::V {
        let mut rate = self.right.step_rate(system, at, by, v);
        self.spoil(StepRate, &mut rate);
        rate
    }

    fn velocity_rate(
        &mut self,
        system: &S,
        at: (&S::V, &S::V, &S::V),
        by: (&Self::V, &Self::V),
        a: Self::V,
    ) -> Self::V {
        let mut rate = self.right.velocity_rate(system, at, by, a);
        self.spoil(VelocityRate, &mut rate);
        rate
    }

    fn motion<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
        x: &mut Varied<Self::V, Self::Z>,
        found: Found<'_, S>,
    ) -> Result<RateVariation<S, Self>, Cause> {
        let Solved { mut a, mut zdot, mut lambda } = self.right.motion(cx, at, x, found)?;
        self.spoil(MotionA, &mut a);
        self.spoil(MotionZdot, &mut zdot);
        self.spoil(MotionLambda, &mut lambda);
        let (s, layout) = (self.times(MotionAlgebraic), cx.system.layout());
        let first = layout.z.len() - layout.algebraic;
        x.z.iter_mut().flat_map(|z| z.as_mut().iter_mut().skip(first)).for_each(|z| *z *= s);
        Ok(Solved { a, zdot, lambda })
    }

    fn unknown(&mut self, system: &S) -> RateVariation<S, Self> {
        self.right.unknown(system)
    }

    fn ending<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Ending<'_, S>,
        x: (&Self::V, &Self::V, &Self::Z),
        rates: Option<&(Self::V, Self::Z)>,
        found: &mut RateVariation<S, Self>,
    ) -> Result<(), Cause> {
        self.right.ending(cx, at, x, rates, found)?;
        self.spoil(EndingA, &mut found.a);
        self.spoil(EndingZ, &mut found.zdot);
        self.spoil(EndingLambda, &mut found.lambda);
        Ok(())
    }

    fn increment<U: Controls<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Increment<'_, S>,
        (x, lambda): (&Varied<Self::V, Self::Z>, &Self::L),
        rates: Option<&(Self::V, Self::Z)>,
        left_out: Option<&Self::L>,
        found: &mut RateVariation<S, Self>,
    ) -> Result<(), Cause> {
        let (mut x, mut lambda, mut left_out) = (x.clone(), lambda.clone(), left_out.cloned());
        self.spoil(PointV, &mut x.v);
        self.spoil(PointZ, &mut x.z);
        self.spoil(PointLambda, &mut lambda);
        left_out.iter_mut().for_each(|rows| self.spoil(LeftOut, rows));
        let (mut step, mut a) = ([at.step.clone()], [at.by.a.clone()]);
        let (mut z, mut by_lambda) = ([at.by.zdot.clone()], [at.by.lambda.clone()]);
        self.spoil(AlongStep, &mut step);
        self.spoil(AlongA, &mut a);
        self.spoil(AlongZ, &mut z);
        self.spoil(AlongLambda, &mut by_lambda);
        let by = Solved { a: &a[0], zdot: &z[0], lambda: &by_lambda[0] };
        let at = Increment { at: at.at, step: &step[0], by };
        self.right.increment(cx, at, (&x, &lambda), rates, left_out.as_ref(), found)?;
        self.spoil(IncrementA, &mut found.a);
        self.spoil(IncrementZ, &mut found.zdot);
        self.spoil(IncrementLambda, &mut found.lambda);
        Ok(())
    }

    fn project(
        &mut self,
        system: &S,
        made: &State<S>,
        by: &ProjectedBy<'_, S>,
        x: &mut Varied<Self::V, Self::Z>,
    ) -> Result<(), Cause> {
        self.right.project(system, made, by, x)?;
        self.spoil(ProjectQ, &mut x.q);
        self.spoil(ProjectV, &mut x.v);
        Ok(())
    }

    fn by_parameters(&self) -> bool {
        Chain::by_parameters(&self.right)
    }

    fn no_multipliers(&mut self, system: &S) -> Self::L {
        self.right.no_multipliers(system)
    }

    fn add_l(&mut self, y: &mut Self::L, s: f64, x: &Self::L) {
        self.right.add_l(y, s * self.times(AddL), x);
    }

    fn forces<U: Controls<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        at: &mut Forces<S>,
        x: &Varied<Self::V, Self::Z>,
    ) -> Result<(Self::V, Self::Z), Cause> {
        let (mut force, mut rates) = self.right.forces(cx, at, x)?;
        self.spoil(Force, &mut force);
        self.spoil(Rates, &mut rates);
        Ok((force, rates))
    }

    fn momentum(&mut self, system: &S, at: &Momentum<S>, q: &Self::V, by: (&Self::V, Option<&Self::L>)) -> Self::V {
        let mut momentum = self.right.momentum(system, at, q, by);
        self.spoil(Carried, &mut momentum);
        momentum
    }

    fn held(&mut self, system: &S, at: &HeldRows<S>, q: &Self::V, v: &Self::V) -> Self::L {
        let mut rows = self.right.held(system, at, q, v);
        self.spoil(Held, &mut rows);
        rows
    }

    fn solve(
        &mut self,
        system: &S,
        factors: &Factorization<f64>,
        rows: Unknowns<Self::V, Self::Z, Self::L>,
    ) -> Unknowns<Self::V, Self::Z, Self::L> {
        let mut found = self.right.solve(system, factors, rows);
        self.spoil(SolveV, &mut found.v);
        found.z.iter_mut().for_each(|z| self.spoil(SolveZ, z));
        self.spoil(SolveLambda, &mut found.lambda);
        found.second.iter_mut().for_each(|v| self.spoil(SolveSecond, v));
        found
    }
}

/// The comparison with differences, of steps of a method, passes without a fault and fails with each of these.
fn noticed<S, M>(model: &S, method: M, how: Option<&Projection<f64>>, faults: &[Fault])
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S>,
{
    noticed_from(model, method, how, faults, Start::default().solve(model, &Nominal).expect("a start"));
}

/// From a state.
fn noticed_from<S, M>(model: &S, method: M, how: Option<&Projection<f64>>, faults: &[Fault], x: State<S>)
where
    S: Solvable<Real = f64> + Sensitive,
    M: Vary<S>,
{
    let mut u = S::U::zeros(model.layout().u.len());
    model.nominal(&mut u);
    let inputs = Given { own: u, gain: 0.0 };
    let given = (&inputs, how);
    let wanted = differences(model, &method, given, &x);
    let found = |fault| {
        let made = forward_by(model, &method, given, &x, |right| Planted { right, fault });
        mistake(model, &made, &wanted)
    };
    let name = (model.layout().name, method.name().to_string());
    assert_eq!(found(None), None, "{name:?}");
    for &fault in faults {
        assert!(found(Some(fault)).is_some(), "{name:?}: {fault:?} is not noticed");
    }
}

#[test]
fn every_fault_is_noticed() {
    let how = Projection { margin: 1e-3, ..Projection::to(1e-13) };
    let lines = [Scale, Add, Retract, StepRate, VelocityRate, MotionA, MotionLambda, ProjectQ, ProjectV];
    noticed(&Bob::<f64>::default(), RungeKutta4, Some(&how), &lines);
    let states = [ScaleZ, AddZ, MotionZdot, MotionAlgebraic];
    noticed(&Coupled::<f64>::default(), RungeKutta4, None, &states);
    noticed(&Needle::<f64>::default(), RungeKutta4, None, &[Spin, Align, StepRate, VelocityRate]);
    noticed(&Needle::<f64>::default(), Bdf2 { newton: newton(), ..Bdf2::default() }, None, &[Spin, Align, Local]);
    let backward = BackwardEuler { solve: Implicit::Newton(newton()), multipliers: Multipliers::OfScheme };
    noticed(&Motor::<f64>::default(), backward, None, &[EndingA, EndingZ]);
    noticed(&Bob::<f64>::default(), backward, None, &[EndingA, EndingLambda]);
    let slow = Implicit::Linearized { recovery: 0.02 };
    let linearized = BackwardEuler { solve: slow, multipliers: Multipliers::OfScheme };
    let increments = [IncrementA, IncrementLambda, AlongStep, AlongA, AlongLambda, PointV, PointLambda, LeftOut];
    let bob = Bob::<f64>::default();
    let x = off(&bob, Start::default().solve(&bob, &Nominal).expect("a start"));
    noticed_from(&bob, linearized, None, &increments, x);
    noticed(&Motor::<f64>::default(), linearized, None, &[IncrementA, IncrementZ, AlongZ, PointZ]);
    let parts = [AddL, Force, Rates, Carried, Held, SolveV, SolveZ, SolveLambda];
    noticed(&Juggler::<f64>::default(), ImplicitMidpoint::default(), None, &parts);
    noticed(&Juggler::<f64>::default(), StormerVerlet::default(), None, &[SolveSecond]);
}
