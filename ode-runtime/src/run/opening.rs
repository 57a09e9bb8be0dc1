//! The beginning of a run, but for what is its method's own: compiled once for a model.

use crate::error::{Cause, MethodName};
use crate::events::{Events, Watch};
use crate::integrators::method::Proposal;
use crate::keep::checkpoint::{Checkpoint, take_up};
#[cfg(feature = "std")]
use crate::keep::saved::Reader;
use crate::linalg::{Kkt, Saddle};
use crate::model::history::Parts;
use crate::model::input::{AnyInputs, Inputs};
use crate::model::layout::Block;
use crate::model::rotations::{Door, enter};
#[cfg(feature = "std")]
use crate::model::state::State;
use crate::model::state::copy;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::begin::Begin;
use crate::run::first::First;
#[cfg(feature = "std")]
use crate::solve::Acceleration;
use crate::solve::context::{Context, Work};
use crate::solve::solvable::Solvable;
use crate::solve::start::accelerate;
use crate::solve::{Projection, Projector, inertial};
use crate::step_size::{Control, Progress, Stepper, first_step};

/// How steps are chosen, with what the method says of itself.
pub(super) struct Steps<S: Solvable> {
    pub(super) name: MethodName,
    /// of its parameters
    pub(super) checked: Result<(), Cause>,
    pub(super) estimates: bool,
    pub(super) order: u32,
    pub(super) growth: f64,
    pub(super) control: Control<S>,
}

/// A memory in a file. A restart gives it its shape, and changes these, which the file has too.
#[cfg(feature = "std")]
struct Unread<S: Solvable> {
    memory: Reader,
    state: State<S>,
    work: Work,
}

/// What a run begins with. Where it does not resume, the method restarts at the state of the point.
pub(super) struct Opening<S: Solvable> {
    pub(super) projector: Projector<S>,
    pub(super) proposal: Proposal<S>,
    pub(super) watch: Watch<S>,
    pub(super) stepper: Stepper<S>,
    pub(super) first: Option<First<S>>,
    pub(super) point: Checkpoint<S, ()>,
    #[cfg(feature = "std")]
    unread: Option<Unread<S>>,
}

impl<S: Solvable> Opening<S> {
    /// With the settings of a run.
    pub(super) fn of(
        system: &S,
        inputs: &mut dyn Inputs<S>,
        steps: Steps<S>,
        (projection, weights): (Option<&Projection<S::Real>>, Option<S::V>),
        events: Events<S::Real>,
        begin: Begin<S, ()>,
    ) -> Result<Self, Cause> {
        steps.check(system)?;
        inputs.check(S::Real::from_f64(begin.time()))?;
        inputs.fits(&system.layout())?;
        events.check()?;
        let Steps { name, order, growth, control, .. } = steps;
        let projector = Projector::fit(system, projection, weights)?;
        let mut first = None;
        #[cfg(feature = "std")]
        let mut unread = None;
        let point = match begin {
            Begin::Resumed(point) => {
                let point = point.admit(system, name)?;
                take_up(inputs, &point.held)?;
                point
            }
            #[cfg(feature = "std")]
            Begin::Saved(saved) => {
                let (point, memory) = saved.run(system, name, inputs)?;
                unread = Some(Unread { memory, state: point.state.clone(), work: point.statistics.work });
                point
            }
            Begin::Fresh(from) => {
                let mut point = Checkpoint::blank(system, name);
                place(system, inputs, (from.clone(), &control, order), &mut point)?;
                first = Some(from);
                point
            }
        };
        let proposal = Proposal::new(system);
        let mut watch = Watch::new(system, events);
        watch.kept = point.events.clone();
        let stepper = Stepper::new(control, order, growth, point.progress);
        Ok(Self {
            projector,
            proposal,
            watch,
            stepper,
            first,
            point,
            #[cfg(feature = "std")]
            unread,
        })
    }

    /// Admits the memory that `show` shows, and finds the guards of a new run.
    pub(super) fn finish(
        &mut self,
        system: &S,
        inputs: &dyn Inputs<S>,
        show: &mut dyn FnMut(&mut dyn Parts<S::Real>),
    ) -> Result<(), Cause> {
        #[cfg(feature = "std")]
        if let Some(Unread { mut memory, state, work }) = self.unread.take() {
            show(&mut memory);
            memory.end()?;
            (self.point.state, self.point.statistics.work) = (state, work);
            self.proposal.acceleration = Acceleration::new(system);
        }
        if self.first.is_none() {
            return Door::open(system, |door| show(door));
        }
        let work = &mut self.point.statistics.work;
        self.watch.start(&Context { system, inputs: &AnyInputs(inputs), work }, &self.point.state)
    }
}

impl<S: Solvable> Steps<S> {
    /// Refuses what makes no sense.
    fn check(&self, system: &S) -> Result<(), Cause> {
        one_by_one(system)?;
        self.control.check()?;
        self.checked?;
        if matches!(self.control, Control::Adaptive(_)) && !self.estimates {
            let setting = "the error order of a method without an error estimate";
            return Err(Cause::Invalid { setting, value: f64::from(self.order) });
        }
        Ok(())
    }
}

/// Refuses several models as one whose events happen to each at its own time, or whose rows are judged for each.
pub(crate) fn one_by_one<S: Solvable>(system: &S) -> Result<(), Cause> {
    let redundant = S::Saddle::REDUNDANT || <S::Kkt as Kkt<S::Real>>::REDUNDANT;
    let setting = match system.layout().events {
        [] if redundant => "redundant rows of a model over several numbers",
        [] => return Ok(()),
        _ => "events of a model over several numbers",
    };
    if S::Real::SEVERAL { Err(Cause::Invalid { setting, value: f64::NAN }) } else { Ok(()) }
}

/// The first state of a new run, and its first step.
fn place<S: Solvable>(
    system: &S,
    inputs: &mut dyn Inputs<S>,
    (first, control, order): (First<S>, &Control<S>, u32),
    point: &mut Checkpoint<S, ()>,
) -> Result<(), Cause> {
    let (layout, rates) = (system.layout(), !matches!(first, First::GivenWithRates(_)));
    if let First::Given(given) | First::GivenWithRates(given) = &first {
        given.fits(&layout)?;
    }
    let state = &mut point.state;
    match first {
        First::Consistent(start) => {
            system.guess(&mut state.q, &mut state.v, &mut state.z);
            start.assemble(system, state)?;
        }
        First::Given(given) => {
            state.t = given.t;
            copy(&given.q, &mut state.q);
            copy(&given.v, &mut state.v);
            copy(&given.z, &mut state.z);
            copy(&given.modes, &mut state.modes);
        }
        First::GivenWithRates(given) => *state = given,
    }
    state.check(&layout)?;
    enter(system, state.q.as_mut())?;
    if inputs.next_sample().is_some() {
        inputs.sample(system, state);
        inputs.fits(&layout)?;
    }
    // what a function makes of them is known when it is called
    let mut u = S::U::zeros(layout.u.len());
    inputs.evaluate(system, state.moment(), &mut u);
    layout.fits_inputs(u.as_ref().len())?;
    let inputs = AnyInputs(inputs);
    let mut work = Work::default();
    let cx = Context { system, inputs: &inputs, work: &mut work };
    if rates {
        accelerate(cx, state)?
    } else {
        inertial(cx, state)?
    }
    let mut cx = Context { system, inputs: &inputs, work: &mut point.statistics.work };
    let next = match control {
        Control::Grid(grid) => grid.h,
        Control::Adaptive(adaptive) => match adaptive.steps.first {
            Some(first) => first,
            None => first_step(&mut cx, adaptive, order, state),
        },
    };
    point.progress = Progress::new(next, state.t);
    Ok(())
}
