//! As many members as a number has lanes.

use std::vec::Vec;

use crate::error::{Cause, Quantity, StartError, StepError};
use crate::integrators::WideMethod;
use crate::integrators::method::Method;
use crate::model::history::History;
use crate::model::input::Lent;
use crate::model::layout::Block;
use crate::model::state::{State, finite};
use crate::model::system::System;
use crate::numbers::scalar::Scalar;
use crate::numbers::wide::Wide;
use crate::run::begin::Begin;
use crate::run::ensemble::together::{Inputs, Lane, Point, Together, WidePoint};
use crate::run::ensemble::transposed::{Taken, Transposed, grid};
use crate::run::opening::one_by_one;
use crate::run::setup::Setup;
use crate::run::simulation::Simulation;
use crate::solve::Projection;
use crate::solve::solvable::Solvable;
use crate::solve::wide_model::WideModel;

/// How many steps members make alone before they try again together.
const APART: u32 = 16;

/// What all members have in common.
pub(super) struct Settings<T, M> {
    pub(super) method: M,
    pub(super) projection: Option<Projection<T>>,
    pub(super) h: T,
}

/// A run of `model` in preparation, by a method and a projection over its numbers.
fn setup<'a, S: Solvable, M: Method<S>>(
    model: &'a S,
    method: M,
    projection: Option<Projection<S::Real>>,
    inputs: &'a S::U,
) -> Setup<'a, S, M, Lent<'a, S::U>> {
    let setup = Simulation::of(model, method).inputs(Lent(inputs));
    match projection {
        Some(projection) => setup.project(projection),
        None => setup,
    }
}

/// A member, and its run where it goes alone.
pub(super) struct Member<S: WideModel, M: Together<S>> {
    pub(super) model: S::Single,
    pub(super) inputs: Inputs<S>,
    point: Point<S, M>,
    /// whether it began with a checkpoint
    pub(super) resumed: bool,
    pub(super) failure: Option<StepError>,
    /// whether it has other inputs than those that its accelerations were evaluated with
    changed: bool,
}

impl<S: WideModel, M: Together<S>> Member<S, M> {
    pub(super) fn begin(
        settings: &Settings<Lane<S>, M>,
        model: S::Single,
        inputs: Inputs<S>,
        begin: Begin<S::Single, <M as Method<S::Single>>::Memory>,
    ) -> Result<Self, StartError> {
        let resumed = matches!(begin, Begin::Resumed(_));
        let setup = Setup { begin, ..setup(&model, settings.method, settings.projection, &inputs) };
        let point = setup.fixed(settings.h)?.checkpoint();
        Ok(Self { model, inputs, point, resumed, failure: None, changed: false })
    }

    pub(super) fn time(&self) -> Lane<S> {
        self.point.state.t
    }

    /// At most so many steps towards `time`; returns how many.
    fn steps(&mut self, settings: &Settings<Lane<S>, M>, most: u32, time: Lane<S>) -> u64 {
        let Self { model, inputs, point, failure, changed, .. } = self;
        let setup = setup(model, settings.method, settings.projection, inputs).resume(point.clone());
        let mut made = 0;
        match setup.fixed(settings.h) {
            Ok(mut run) => {
                if core::mem::take(changed) {
                    *failure = run.begin_anew(Scalar::ZERO, false).err();
                }
                while failure.is_none() && run.state().t < time && made < u64::from(most) {
                    if let Err(error) = run.step_towards(time) {
                        *failure = Some(error);
                        break;
                    }
                    made += 1;
                }
                *point = run.checkpoint();
            }
            Err(StartError { time, cause }) => *failure = Some(StepError { time, step: 0.0, cause }),
        }
        made
    }
}

/// All members as one run.
struct Common<S: WideModel, M: Together<S>> {
    model: S,
    inputs: S::U,
    point: WidePoint<S, M>,
    /// the member that each lane runs: its own, or another that goes on where there is none
    sources: Vec<usize>,
}

/// As many members as a number has lanes, or fewer.
pub(super) struct Group<S: WideModel, M: Together<S>> {
    members: Vec<Member<S, M>>,
    /// none where members cannot go together
    common: Option<Common<S, M>>,
    /// whether the common run is at the present time, and those of the members are not
    together: bool,
    pub(super) alone: u64,
}

impl<S: WideModel, M: Together<S>> Group<S, M> {
    pub(super) fn of(mut members: Vec<Member<S, M>>) -> Self {
        // Checkpoints of different runs have different grids.
        if let Some(mut first) = members.first().map(|member| member.point.progress)
            && members.iter_mut().any(|member| grid(0, &mut member.point) != Taken::lane(0, |parts| first.visit(parts)))
        {
            for member in &mut members {
                first.from(member.time());
                member.point.progress = first;
            }
        }
        Self { common: None, members, together: false, alone: 0 }
    }

    /// The common run, if it can begin.
    fn begin(&self, settings: &Settings<Lane<S>, M>) -> Option<Common<S, M>> {
        let sources = self.sources()?;
        let (model, inputs) = self.merged(&sources)?;
        let mut state = State::neutral(&model);
        for (lane, &source) in sources.iter().enumerate() {
            let mut own = self.members[source].point.state.clone();
            Taken::lane(0, |parts| own.visit(parts)).put(lane, true, |parts| state.visit(parts));
        }
        let setup = setup(&model, settings.method.wide(), settings.projection.map(WideMethod::wide), &inputs);
        let point = setup.given_with_rates(state).fixed(S::Real::splat(settings.h)).ok()?.checkpoint();
        Some(Common { model, inputs, point, sources })
    }

    /// The member of each lane; `None` where no member goes on.
    fn sources(&self) -> Option<Vec<usize>> {
        let goes_on = |k: &usize| self.members.get(*k).is_some_and(|member| member.failure.is_none());
        let first = (0..self.members.len()).find(goes_on)?;
        Some((0..S::Real::LANES).map(|k| if goes_on(&k) { k } else { first }).collect())
    }

    /// Models and inputs of the members of each lane, as one.
    fn merged(&self, sources: &[usize]) -> Option<(S, S::U)> {
        let models: Vec<S::Single> = sources.iter().map(|&source| self.members[source].model.clone()).collect();
        let model = S::abreast(&models)?;
        let mut inputs = S::U::zeros(model.layout().u.len());
        for (lane, &source) in sources.iter().enumerate() {
            put(lane, &self.members[source].inputs, &mut inputs);
        }
        Some((model, inputs))
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn member(&self, k: usize) -> Option<&Member<S, M>> {
        self.members.get(k)
    }

    pub(super) fn state(&self, k: usize) -> Option<State<S::Single>> {
        let member = self.members.get(k)?;
        let mut state = member.point.state.clone();
        if let (Some(common), true, None) = (&self.common, self.together, &member.failure) {
            let mut all = common.point.state.clone();
            Taken::lane(k, |parts| all.visit(parts)).put(0, true, |parts| state.visit(parts));
        }
        Some(state)
    }

    /// Where a member is, with the accelerations of its inputs.
    pub(super) fn checkpoint(&self, settings: &Settings<Lane<S>, M>, k: usize) -> Option<Point<S, M>> {
        let member = self.members.get(k)?;
        let mut point = member.point.clone();
        if let (Some(common), true, None) = (&self.common, self.together, &member.failure) {
            let mut all = common.point.clone();
            let _ = Transposed::of(k, &common.model, &mut all).put(0, true, &member.model, &mut point);
        }
        if member.changed {
            let setup = setup(&member.model, settings.method, settings.projection, &member.inputs);
            let run = setup.resume(point.clone()).fixed(settings.h);
            // What fails here fails again when it advances.
            if let Ok(mut run) = run
                && run.begin_anew(Scalar::ZERO, false).is_ok()
            {
                point = run.checkpoint();
            }
        }
        Some(point)
    }

    pub(super) fn set_inputs(&mut self, k: usize, inputs: &Inputs<S>) -> Result<(), Cause> {
        let Some(member) = self.members.get_mut(k) else { return Ok(()) };
        finite(inputs.as_ref(), Quantity::Input, member.model.layout().u)?;
        member.inputs.clone_from(inputs);
        // One that makes no further step begins anew with them, if it does.
        member.changed = member.failure.is_none();
        if let Some(common) = &mut self.common {
            let lanes = common.sources.iter().enumerate().filter(|&(_, &source)| source == k);
            lanes.for_each(|(lane, _)| put(lane, inputs, &mut common.inputs));
        }
        Ok(())
    }

    /// Lets a member begin anew, at the time of the others and on their grid of steps.
    pub(super) fn restart(
        &mut self,
        settings: &Settings<Lane<S>, M>,
        k: usize,
        state: State<S::Single>,
    ) -> Result<(), StartError> {
        let Some(member) = self.members.get_mut(k) else { return Ok(()) };
        let setup = setup(&member.model, settings.method, settings.projection, &member.inputs).given(state);
        let point = setup.fixed(settings.h)?.checkpoint();
        self.part();
        // What it has counted is the same as that of others.
        let other = self.members.iter().enumerate().find(|(i, other)| *i != k && other.failure.is_none());
        let progress = other.map_or(point.progress, |(_, other)| other.point.progress);
        let member = &mut self.members[k];
        (member.point, member.failure, member.changed) = (point, None, false);
        member.point.progress = progress;
        Ok(())
    }

    /// Lets all that go on reach `time`: together as far as that is possible, and alone.
    pub(super) fn advance(&mut self, settings: &Settings<Lane<S>, M>, time: Lane<S>) {
        let one_by_one = self.members.first().is_some_and(|member| goes_alone::<S>(&member.model));
        while self.members.iter().any(|member| member.failure.is_none()) {
            if self.common.is_none() && !one_by_one {
                self.common = self.begin(settings);
            }
            if self.join() && self.run(settings, time) {
                return;
            }
            self.part();
            let most = if one_by_one { u32::MAX } else { APART };
            for member in self.members.iter_mut().filter(|member| member.failure.is_none()) {
                self.alone += member.steps(settings, most, time);
            }
            let mut rest = self.members.iter().filter(|member| member.failure.is_none());
            if rest.all(|member| !(member.time() < time)) {
                return;
            }
        }
    }

    /// Steps together; whether `time` was reached.
    fn run(&mut self, settings: &Settings<Lane<S>, M>, time: Lane<S>) -> bool {
        let Some(Common { model, inputs, point, sources }) = &mut self.common else { return false };
        let setup = setup(model, settings.method.wide(), settings.projection.map(WideMethod::wide), inputs);
        let Ok(mut run) = setup.resume(point.clone()).fixed(S::Real::splat(settings.h)) else { return false };
        if self.members.iter().any(|member| member.changed) {
            if run.begin_anew(Scalar::ZERO, false).is_err() {
                return false;
            }
            // The others go on as they were.
            let mut begun = run.checkpoint();
            let mut others = sources.iter().enumerate().filter(|&(_, &source)| !self.members[source].changed);
            if !others.all(|(lane, _)| Transposed::of(lane, model, point).put(lane, false, model, &mut begun))
                || run.restore(begun).is_err()
            {
                return false;
            }
            self.members.iter_mut().for_each(|member| member.changed = false);
        }
        let reached = run.advance_to(S::Real::splat(time)).is_ok();
        *point = run.checkpoint();
        reached && point.state.t == S::Real::splat(time)
    }

    /// Lets the common run continue where the members are; whether there is one.
    fn join(&mut self) -> bool {
        let (Some(sources), false) = (self.sources(), self.together) else { return self.together };
        let changed = self.common.as_ref().is_some_and(|common| common.sources != sources);
        let merged = if changed { self.merged(&sources) } else { None };
        let Some(common) = &mut self.common else { return false };
        if let Some((model, inputs)) = merged {
            (common.model, common.inputs) = (model, inputs);
        }
        let members = &mut self.members;
        self.together = sources.iter().enumerate().all(|(lane, &source)| {
            let Member { model, point, .. } = &mut members[source];
            Transposed::of(0, model, point).put(lane, lane == 0, &common.model, &mut common.point)
        });
        common.sources = sources;
        self.together
    }

    /// Lets the members continue where the common run is.
    fn part(&mut self) {
        if let (Some(common), true) = (&mut self.common, self.together) {
            for (k, member) in self.members.iter_mut().enumerate().filter(|(_, member)| member.failure.is_none()) {
                let Member { model, point, .. } = member;
                let _ = Transposed::of(k, &common.model, &mut common.point).put(0, true, model, point);
            }
        }
        self.together = false;
    }
}

/// Whether members cannot be one run, whatever their states: [`one_by_one`].
fn goes_alone<S: WideModel>(model: &S::Single) -> bool {
    S::abreast(core::slice::from_ref(model)).is_none_or(|model| one_by_one(&model).is_err())
}

/// Writes a lane of a block.
fn put<T: Wide>(lane: usize, from: &impl AsRef<[T::Lane]>, to: &mut impl AsMut<[T]>) {
    for (to, &from) in to.as_mut().iter_mut().zip(from.as_ref()) {
        to.set_lane(lane, from);
    }
}
