//! What happens at the time of an event.

use crate::error::{Cause, Name};
use crate::events::{Outcome, Watch, assigned, crosses, sign, vanishes};
use crate::input::Inputs;
use crate::method::Context;
use crate::scalar::{Real, Scalar};
use crate::solve::{Acceleration, Projection, Projector};
use crate::state::{State, copy};
use crate::system::{Event, Reset, Solvable};

/// What a reset is completed with.
pub(crate) struct Tools<'a, S: Solvable> {
    pub(crate) projection: &'a Option<Projection<S::Real>>,
    pub(crate) projector: &'a mut Projector<S>,
    pub(crate) acceleration: &'a mut Acceleration<S>,
}

/// The events of one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Happened {
    /// how they end the step
    pub(crate) outcome: Outcome,
    /// how many there were
    pub(crate) count: u64,
}

impl Happened {
    /// Whether the run ends with them.
    pub(crate) fn ends(&self) -> bool {
        matches!(self.outcome, Outcome::Stopped { .. } | Outcome::Zeno { .. })
    }

    /// Those so far and one more.
    fn and(so_far: Option<Self>, event: &Event<'_>, time: f64, too_many: bool) -> Self {
        let name = Name::new(event.name);
        let outcome = match so_far.map(|happened| happened.outcome) {
            Some(outcome @ (Outcome::Stopped { .. } | Outcome::Zeno { .. })) => outcome,
            _ if event.stops => Outcome::Stopped { event: name, time },
            _ if too_many => Outcome::Zeno { event: name, time },
            Some(outcome) => outcome,
            None => Outcome::Event { event: name, time },
        };
        Self { outcome, count: so_far.map_or(0, |happened| happened.count) + 1 }
    }
}

impl<S: Solvable> Watch<S> {
    /// Lets the marked events happen to `x`, in the order of the text, then those whose guards have jumped by them, and so on.
    /// Accelerations and multipliers of `x` are those after the last. Of the run nothing changes before `commit`.
    pub(crate) fn happen<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        tools: &mut Tools<'_, S>,
        x: &mut State<S>,
    ) -> Result<Option<Happened>, Cause> {
        let mut happened: Option<Happened> = None;
        let mut any = self.fired.as_ref().iter().any(|&fired| fired != S::Real::ZERO);
        while any && !happened.is_some_and(|happened| happened.ends()) {
            // Rates before, to tell what rests after.
            copy(&self.rates, &mut self.near);
            for (i, event) in cx.system.layout().events.iter().enumerate() {
                if self.fired.as_ref().get(i).is_some_and(|&fired| fired != S::Real::ZERO) {
                    self.reset(cx, tools, i, x)?;
                    let too_many = self.too_many(x.t);
                    happened = Some(Happened::and(happened, event, x.t.to_f64(), too_many));
                }
            }
            tools.acceleration.settle(cx, x)?;
            any = self.settle(cx, x)?;
        }
        Ok(happened)
    }

    /// Event `i`: the values after it, back on the constraints.
    fn reset<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        tools: &mut Tools<'_, S>,
        i: usize,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let (off, _) = tools.projector.drift(cx, x)?;
        self.sample.copy_from(x);
        cx.input(self.sample.moment(), &mut self.u)?;
        let out = Reset { q: &mut x.q, v: &mut x.v, z: &mut x.z, modes: &mut x.modes };
        cx.system.reset(i, self.sample.at(&self.u), out);
        assigned(cx.system, x)?;
        tools.projector.land(cx, tools.projection.as_ref(), off, x)
    }

    /// Discontinuities have led to `x`: the sides there, and the events whose guards have jumped across zero. Whether there are any.
    pub(crate) fn restart<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<bool, Cause> {
        self.begin();
        self.settle(cx, x)
    }

    /// Sides at `x`, and marks for the guards that have jumped; marks of events that have happened are taken down.
    ///
    /// The guard of one of these has the side of its value. Where that is still zero, a guard that goes on as it crossed is beyond
    /// zero, and one that returns or rests is where it came from: so a body that rests on what it fell on has its event at once,
    /// again and again, instead of falling through.
    fn settle<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<bool, Cause> {
        self.evaluate(cx, x)?;
        let (zero, small, mut any) = (S::Real::ZERO, S::Real::EPSILON.sqrt(), false);
        let guards = self.values.as_ref().iter().zip(self.kept.largest.as_ref());
        let rates = self.rates.as_ref().iter().zip(self.near.as_ref());
        let sides = self.trial.as_mut().iter_mut().zip(self.fired.as_mut());
        let events = cx.system.layout().events.iter();
        for (event, (((&value, &largest), (&rate, &before)), (side, fired))) in events.zip(guards.zip(rates).zip(sides))
        {
            let is_zero = vanishes(value, largest);
            let happened = core::mem::replace(fired, zero) != zero;
            if happened {
                if !is_zero {
                    *side = sign(value);
                } else if -*side * rate > small * before.abs() {
                    *side = -*side;
                }
            } else if !crosses(event.crossing, *side, value) {
                if value != zero {
                    *side = sign(value);
                }
            } else if !is_zero {
                (*fired, any) = (S::Real::ONE, true);
            }
        }
        Ok(any)
    }

    /// Counts an event at `t`; whether there were more than allowed within the resolution.
    fn too_many(&mut self, t: S::Real) -> bool {
        let burst = &mut self.trial_burst;
        if t - burst.first > self.settings.resolution * S::Real::ONE.max(t.abs()) {
            (burst.first, burst.count) = (t, 0);
        }
        burst.count += 1;
        burst.count > u64::from(self.settings.most)
    }
}
