//! Many runs of one model: states, inputs and parameters differ, method and steps are the same.

mod group;
pub(crate) mod together;
mod transposed;

use core::fmt;
use std::boxed::Box;
use std::vec::Vec;

use crate::error::{Cause, StartError, StepError};
use crate::integrators::method::Method;
use crate::model::layout::Block;
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::{Real, Scalar};
use crate::numbers::wide::Wide;
use crate::run::begin::Begin;
use crate::run::ensemble::group::{Group, Member, Settings};
#[cfg(feature = "rayon")]
use crate::run::ensemble::together::WidePoint;
use crate::run::ensemble::together::{Inputs, Lane, Point, Together};
use crate::run::first::First;
use crate::solve::Projection;
use crate::solve::start::Start;
use crate::solve::wide_model::WideModel;

/// Why a member makes no further step, or could not begin.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberError<E> {
    /// which member, from 0; none if it is the call that makes no sense
    pub member: Option<usize>,
    /// why
    pub error: E,
}

impl<E: fmt::Display> fmt::Display for MemberError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.member {
            Some(member) => write!(f, "member {member}: {}", self.error),
            None => self.error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for MemberError<E> {}

/// An ensemble in preparation: [`Ensemble::of`].
#[allow(clippy::type_complexity, reason = "two closures of a user")]
pub struct Members<'f, S: WideModel, M: Together<S>> {
    models: Vec<S::Single>,
    method: M,
    projection: Option<Projection<Lane<S>>>,
    begin: Box<dyn Fn(usize, &S::Single) -> Begin<S::Single, <M as Method<S::Single>>::Memory> + 'f>,
    inputs: Box<dyn Fn(usize, &mut Inputs<S>) + 'f>,
}

impl<S: WideModel, M: Together<S>> fmt::Debug for Members<'_, S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Members").field("models", &self.models.len()).finish_non_exhaustive()
    }
}

/// Many runs of one model with steps of one size, made side by side: as many at once as the numbers of `S` have lanes.
///
/// `S` is the model over such numbers, `Cart<F64x8>`; each member is a `Cart<f64>` of its own parameters, state and
/// inputs. A member moves as it would alone: to the bit with an explicit method, but for the last digit of a sine of
/// `f32`, or of one that is evaluated without company; within the tolerance of its iterations with an implicit one,
/// because members iterate until all have converged.
///
/// Where members cannot go on together, since a step of one fails or their pivots lie elsewhere, each of them goes on
/// alone for a few steps. One that fails alone stays where it is, and the others continue. Members of a model with
/// events, or with redundant rows, always go alone.
///
/// Of the settings of a run there are the start, inputs that are constant between two calls, and the projection, in the
/// metric of M or of ones. Events are found as by default.
///
/// ```text
/// let mut carts = Ensemble::<Cart<F64x8>, _>::of(models, RungeKutta4).fixed(1e-3)?;
/// carts.advance_to(10.0, |_| {})?;
/// for x in carts.states() { … }
/// ```
pub struct Ensemble<S: WideModel, M: Together<S>> {
    groups: Vec<Group<S, M>>,
    settings: Settings<Lane<S>, M>,
    members: usize,
    time: Lane<S>,
}

impl<S: WideModel, M: Together<S>> fmt::Debug for Ensemble<S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ensemble").field("members", &self.members).field("time", &self.time).finish_non_exhaustive()
    }
}

impl<S: WideModel, M: Together<S>> Ensemble<S, M> {
    /// Prepares runs of these models with `method`. Defaults: consistent starts at t = 0, the models' own inputs, no
    /// projection.
    pub fn of<'f>(models: impl IntoIterator<Item = S::Single>, method: M) -> Members<'f, S, M> {
        Members {
            models: models.into_iter().collect(),
            method,
            projection: None,
            begin: Box::new(|_, _| Begin::Fresh(First::Consistent(Start::default()))),
            inputs: Box::new(|_, _| {}),
        }
    }
}

impl<'f, S: WideModel, M: Together<S>> Members<'f, S, M> {
    /// Begins each member with the consistent start that `start` gives for its index and model.
    pub fn start(mut self, start: impl Fn(usize, &S::Single) -> Start<Lane<S>> + 'f) -> Self {
        self.begin = Box::new(move |k, model| Begin::Fresh(First::Consistent(start(k, model))));
        self
    }

    /// Begins each member at the time, q, v, z and modes that `state` gives for its index and model, as
    /// [`Setup::given`](crate::Setup::given) does.
    pub fn given(mut self, state: impl Fn(usize, &S::Single) -> State<S::Single> + 'f) -> Self {
        self.begin = Box::new(move |k, model| Begin::Fresh(First::Given(state(k, model))));
        self
    }

    /// Continues each member from a checkpoint of a run of its own or of an ensemble, [`Ensemble::checkpoint`], by its
    /// index. With the same settings this ensemble is the same to the bit. One that was left behind makes no further
    /// step here either: its failure is then that it is in the past. Where checkpoints are those of different runs, the
    /// grid of steps begins at their time.
    pub fn resume(mut self, point: impl Fn(usize) -> Point<S, M> + 'f) -> Self {
        self.begin = Box::new(move |k, _| Begin::Resumed(point(k)));
        self
    }

    /// Lets `inputs` replace the nominal inputs of each member, by its index, until [`Ensemble::set_inputs`] does.
    pub fn inputs(mut self, inputs: impl Fn(usize, &mut Inputs<S>) + 'f) -> Self {
        self.inputs = Box::new(inputs);
        self
    }

    /// Projects after each step that exceeds the constraint tolerance.
    pub fn project(mut self, projection: Projection<Lane<S>>) -> Self {
        self.projection = Some(projection);
        self
    }

    /// The ensemble, with steps of size `h`.
    ///
    /// # Errors
    /// The first member that cannot begin: settings out of range, no consistent start, or an earlier time than that of
    /// others.
    pub fn fixed(self, h: Lane<S>) -> Result<Ensemble<S, M>, MemberError<StartError>> {
        let Self { models, method, projection, begin, inputs } = self;
        let settings = Settings { method, projection, h };
        let mut members = Vec::new();
        for (k, model) in models.into_iter().enumerate() {
            let mut u = Inputs::<S>::zeros(model.layout().u.len());
            model.nominal(&mut u);
            inputs(k, &mut u);
            let begin = begin(k, &model);
            let failed = |error| MemberError { member: Some(k), error };
            members.push(Member::<S, M>::begin(&settings, model, u, begin).map_err(failed)?);
        }
        let latest = members.iter().map(Member::time).reduce(|latest, time| if time > latest { time } else { latest });
        let time = latest.unwrap_or(Scalar::ZERO);
        for (k, member) in members.iter_mut().enumerate().filter(|(_, member)| member.time() != time) {
            let (own, asked) = (member.time().to_f64(), time.to_f64());
            if member.resumed {
                // It had made its last step before.
                member.failure =
                    Some(StepError { time: own, step: 0.0, cause: Cause::Past { asked: own, now: asked } });
                continue;
            }
            let cause = Cause::Invalid { setting: "start of a member before that of others", value: own };
            return Err(MemberError { member: Some(k), error: StartError { time: own, cause } });
        }
        let (count, mut groups) = (members.len(), Vec::new());
        let mut members = members.into_iter().peekable();
        while members.peek().is_some() {
            groups.push(Group::of(members.by_ref().take(S::Real::LANES).collect()));
        }
        Ok(Ensemble { groups, settings, members: count, time })
    }
}

#[allow(clippy::result_large_err, reason = "an error is moved once a call, which makes many steps")]
impl<S: WideModel, M: Together<S>> Ensemble<S, M> {
    /// Number of members.
    pub fn len(&self) -> usize {
        self.members
    }

    /// Whether it has no member.
    pub fn is_empty(&self) -> bool {
        self.members == 0
    }

    /// The time that the members were last advanced to.
    pub fn time(&self) -> Lane<S> {
        self.time
    }

    /// The state of a member; that before its last step if that has failed. `None` beyond the last.
    pub fn state(&self, member: usize) -> Option<State<S::Single>> {
        self.groups.get(member / S::Real::LANES)?.state(member % S::Real::LANES)
    }

    /// The states of all members.
    pub fn states(&self) -> impl Iterator<Item = State<S::Single>> + '_ {
        (0..self.members).map_while(|member| self.state(member))
    }

    /// The model of a member.
    pub fn model(&self, member: usize) -> Option<&S::Single> {
        self.groups.get(member / S::Real::LANES)?.member(member % S::Real::LANES).map(|member| &member.model)
    }

    /// The state that each member has at the present time, or why it has none: for a table of a sweep,
    /// [`Sweep::tabulate`](crate::Sweep::tabulate).
    pub fn arrivals(&self) -> impl Iterator<Item = Result<State<S::Single>, &StepError>> + '_ {
        (0..self.members).filter_map(|member| match self.failure(member) {
            Some(failure) => Some(Err(failure)),
            None => self.state(member).map(Ok),
        })
    }

    /// Members that make no further step, and why.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &StepError)> + '_ {
        (0..self.members).filter_map(|member| Some((member, self.failure(member)?)))
    }

    /// The inputs of a member. `None` beyond the last.
    pub fn inputs(&self, member: usize) -> Option<&Inputs<S>> {
        self.groups.get(member / S::Real::LANES)?.member(member % S::Real::LANES).map(|member| &member.inputs)
    }

    /// Why a member makes no further step, if it does not: the failure of its step, or the event that ended its run.
    pub fn failure(&self, member: usize) -> Option<&StepError> {
        self.groups.get(member / S::Real::LANES)?.member(member % S::Real::LANES)?.failure.as_ref()
    }

    /// Where a member is, for a run of its own or another ensemble, which continues from there with its model and
    /// inputs; of one that makes no further step, its last state. What it has counted is the work of the steps made
    /// together. `None` beyond the last.
    pub fn checkpoint(&self, member: usize) -> Option<Point<S, M>> {
        self.groups.get(member / S::Real::LANES)?.checkpoint(&self.settings, member % S::Real::LANES)
    }

    /// How many steps were made one by one, because members could not make them together.
    pub fn steps_alone(&self) -> u64 {
        self.groups.iter().map(|group| group.alone).sum()
    }

    /// Sets the inputs of a member, which it keeps until they are set again. Its accelerations follow when it advances.
    ///
    /// # Errors
    /// An input that is not finite, by name, or that there is no such member; then nothing has changed.
    pub fn set_inputs(&mut self, member: usize, inputs: &Inputs<S>) -> Result<(), MemberError<Cause>> {
        let failed = |error| MemberError { member: Some(member), error };
        let group = self.groups.get_mut(member / S::Real::LANES).filter(|_| member < self.members);
        let Some(group) = group else { return Err(failed(nobody(member))) };
        group.set_inputs(member % S::Real::LANES, inputs).map_err(failed)
    }

    /// Lets a member begin anew at q, v, z and modes of a state, at the present time of the ensemble, with its present
    /// inputs; also one that makes no further step, which nothing else can do.
    ///
    /// # Errors
    /// Why it cannot begin there, or that there is no such member; then nothing has changed.
    pub fn restart(&mut self, member: usize, mut state: State<S::Single>) -> Result<(), MemberError<StartError>> {
        let time = self.time;
        let failed = |error| MemberError { member: Some(member), error };
        let group = self.groups.get_mut(member / S::Real::LANES).filter(|_| member < self.members);
        let Some(group) = group else {
            return Err(failed(StartError { time: time.to_f64(), cause: nobody(member) }));
        };
        state.t = time;
        group.restart(&self.settings, member % S::Real::LANES, state).map_err(failed)
    }

    /// Steps all members until `time`, landing on it exactly; `progress` receives the number of members that are done,
    /// because they have arrived or make no further step. Each call prepares runs, so it allocates; their steps do not.
    ///
    /// # Errors
    /// The first member that makes no further step, in this call and in each after it: [`Ensemble::failures`]. The
    /// others have reached `time` nevertheless. Without a member, that `time` is in the past or none, which changes
    /// nothing.
    pub fn advance_to(&mut self, time: Lane<S>, mut progress: impl FnMut(usize)) -> Result<(), MemberError<StepError>> {
        self.ahead(time)?;
        let (settings, mut done) = (&self.settings, 0);
        for group in &mut self.groups {
            group.advance(settings, time);
            done += group.len();
            progress(done);
        }
        self.arrived(time)
    }

    /// [`Ensemble::advance_to`] on the threads of the current pool of `rayon`; the result is the same to the bit.
    /// Threads call `progress` in any order.
    ///
    /// # Errors
    /// As [`Ensemble::advance_to`].
    #[cfg(feature = "rayon")]
    pub fn advance_parallel(
        &mut self,
        time: Lane<S>,
        progress: impl Fn(usize) + Sync,
    ) -> Result<(), MemberError<StepError>>
    where
        S: Send,
        S::U: Send,
        S::Single: Send,
        Inputs<S>: Send,
        M: Sync,
        Lane<S>: Send + Sync,
        WidePoint<S, M>: Send,
        Point<S, M>: Send,
    {
        use core::sync::atomic::{AtomicUsize, Ordering};
        use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

        self.ahead(time)?;
        let (settings, done) = (&self.settings, AtomicUsize::new(0));
        self.groups.par_iter_mut().for_each(|group| {
            group.advance(settings, time);
            progress(done.fetch_add(group.len(), Ordering::Relaxed) + group.len());
        });
        self.arrived(time)
    }

    /// An error if `time` is in the past or not a number.
    fn ahead(&self, time: Lane<S>) -> Result<(), MemberError<StepError>> {
        if time >= self.time && time.is_finite() {
            return Ok(());
        }
        let (asked, now) = (time.to_f64(), self.time.to_f64());
        let cause = match asked.is_finite() {
            true => Cause::Past { asked, now },
            false => Cause::Invalid { setting: "time to advance to", value: asked },
        };
        Err(MemberError { member: None, error: StepError { time: now, step: 0.0, cause } })
    }

    fn arrived(&mut self, time: Lane<S>) -> Result<(), MemberError<StepError>> {
        self.time = time;
        let failed = (0..self.members).find_map(|member| Some((member, *self.failure(member)?)));
        failed.map_or(Ok(()), |(member, error)| Err(MemberError { member: Some(member), error }))
    }
}

/// There is no such member.
fn nobody(member: usize) -> Cause {
    Cause::Invalid { setting: "member of an ensemble", value: member as f64 }
}
