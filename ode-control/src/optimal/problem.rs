//! The problem: a model over a horizon, what is to be least, where the motion begins and ends.

use core::fmt;

use ode_runtime::{Block, Layout, Name, Nominal, Optimizable, Solvable, Start, State, UnknownName};

use crate::deviation::{Deviation, plus_with};
use crate::follows::follows;
use crate::optimal::error::PlanError;
use crate::optimal::terms::{Place, Term, Terms};

/// An optimal-control problem of a model: the inputs and the motion over a horizon with the least cost,
///
/// ```text
/// min   ∫ c(x, u) dt + Σ c(xₖ)        running costs, and costs at nodes; a `residual` item e costs ½ |e|²
/// with  x(t) a motion of the model
///       x₀ given, x_n as far as it is prescribed
///       low ≤ u ≤ high                the bounds of the model's inputs
///       low ≤ h(x, u) ≤ high          its limits
/// ```
///
/// Costs, bounds and limits are those that the model declares; a limit that depends only on what is given, at the start
/// or at the end, is checked there. The same problem is solved by every solver and every
/// [`Transcription`](crate::Transcription).
///
/// By shooting, xₖ₊₁ = step(xₖ, uₖ) is the step h of a method, with uₖ held, and the integral is Σ h c(xₖ, uₖ). A limit
/// holds at the beginning of each interval, and at the end of the horizon if it does not depend on inputs. Steps are
/// those of the method alone, without a projection: with constraints, take one whose steps keep them, steps so short
/// that they do, or collocation, where constraints, integrals and limits are those of the points of each interval.
pub struct OptimalControl<'a, S: Optimizable> {
    pub(super) system: &'a S,
    /// length of an interval
    pub(super) h: f64,
    pub(super) intervals: usize,
    pub(super) start: Option<State<S>>,
    terms: Vec<Term>,
    pub(super) end: Option<State<S>>,
    /// which directions of the end are prescribed
    fixed: Vec<bool>,
    /// bounds of the horizon, if it is free
    free_horizon: Option<(f64, f64)>,
    /// what a unit of time costs
    duration: f64,
    /// directions of the start that are free, with their bounds
    pub(super) free_start: Vec<(usize, f64, f64)>,
    /// bounds of inputs, then of limits
    bounds: Vec<(f64, f64)>,
    pub(super) guess: Option<Guess<S>>,
}

/// A direction of the start that is free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Freed {
    pub(super) direction: usize,
    /// where the search begins
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// States at the nodes, and inputs.
#[derive(Clone, Debug)]
pub(super) struct Guess<S: Optimizable> {
    pub(super) states: Vec<State<S>>,
    pub(super) inputs: Vec<S::U>,
}

impl<S: Optimizable> fmt::Debug for OptimalControl<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("OptimalControl");
        out.field("h", &self.h).field("intervals", &self.intervals);
        out.field("terms", &self.terms).finish_non_exhaustive()
    }
}

/// A problem as solvers read it: complete and checked.
#[derive(Debug)]
pub(super) struct Posed<S: Optimizable> {
    /// length of an interval
    pub(super) h: f64,
    pub(super) terms: Terms,
    /// what the end is measured from, where it is prescribed
    pub(super) end: Option<State<S>>,
    /// which of its directions are
    pub(super) fixed: Vec<bool>,
    /// bounds of the horizon, if it is free
    pub(super) horizon: Option<(f64, f64)>,
    /// what a unit of time costs
    pub(super) duration: f64,
    /// what is free at the start
    pub(super) free: Vec<Freed>,
    pub(super) input_bounds: Vec<(f64, f64)>,
    pub(super) limit_bounds: Vec<(f64, f64)>,
    pub(super) states: Vec<State<S>>,
    pub(super) inputs: Vec<S::U>,
}

impl<'a, S: Optimizable<Real = f64> + Solvable> OptimalControl<'a, S> {
    /// The problem over `intervals` of the same length, which end at `horizon` after the start. There is no cost yet.
    ///
    /// # Errors
    /// [`PlanError::Setting`] for a horizon that is not positive or has no interval; [`PlanError::NoInputs`].
    pub fn of(system: &'a S, horizon: f64, intervals: usize) -> Result<Self, PlanError> {
        let layout = system.layout();
        if intervals == 0 {
            return Err(PlanError::Setting { setting: "number of intervals", value: 0.0 });
        }
        if !(horizon > 0.0 && horizon.is_finite()) {
            return Err(PlanError::Setting { setting: "horizon", value: horizon });
        }
        if layout.u.is_empty() {
            return Err(PlanError::NoInputs);
        }
        let (inputs, limits) = (system.input_bounds(), system.limit_bounds());
        let bounds = inputs.iter().chain(limits.iter()).map(|(_, low, high)| (low, high)).collect();
        Ok(Self {
            system,
            h: horizon / intervals as f64,
            intervals,
            start: None,
            terms: Vec::new(),
            end: None,
            fixed: vec![false; layout.state_directions()],
            free_horizon: None,
            duration: 0.0,
            free_start: Vec::new(),
            bounds,
            guess: None,
        })
    }

    /// The state at which the motion begins; without it, the model's consistent start. It has to satisfy the
    /// constraints, at positions and velocities, up to what runs drift by: [`PlanError::Off`]. Where one of its
    /// directions is free, this is not checked.
    #[must_use]
    pub fn start(mut self, x: &State<S>) -> Self {
        self.start = Some(x.clone());
        self
    }

    /// Lets a direction of the start be chosen between bounds, by name: `x`, `der(x)`, a state of first order. The
    /// search begins with that of the start. A state whose rate is 0 is a free parameter of the motion.
    ///
    /// Collocation has it. With constraints only states of first order may be free.
    ///
    /// # Errors
    /// [`PlanError::Unknown`], also for a part of a rotation in space; [`PlanError::Empty`].
    pub fn free_start(mut self, name: &str, low: f64, high: f64) -> Result<Self, PlanError> {
        if is_empty(low, high) {
            return Err(PlanError::Empty { name: Name::new(name), low, high });
        }
        let layout = self.system.layout();
        let mut places = (0..layout.state_directions()).filter(|&place| is_direction(&layout, name, place));
        let place = places.next().filter(|&place| value_of(self.system, &State::neutral(self.system), place).is_some());
        let Some(direction) = place.filter(|_| places.next().is_none()) else {
            return Err(UnknownName::new("direction", name, layout.state_direction_names()).into());
        };
        self.free_start.retain(|(known, ..)| *known != direction);
        self.free_start.push((direction, low, high));
        Ok(self)
    }

    /// Lets the horizon be chosen between bounds, where each unit of time costs `weight` beside the other costs. The
    /// number of intervals stays what it is, and they share what is chosen equally; the search begins with the horizon
    /// of the problem.
    ///
    /// [`Collocation::exact`](crate::Collocation) has it, and `(map, hessian)` where a
    /// [`StepHessian`](ode_runtime::StepHessian) may vary the length of its steps; no cost and no limit may read the
    /// time.
    ///
    /// # Errors
    /// [`PlanError::Empty`] for bounds that are not positive or have no number between them; [`PlanError::Setting`] for
    /// a weight that is not finite.
    pub fn free_horizon(mut self, low: f64, high: f64, weight: f64) -> Result<Self, PlanError> {
        if is_empty(low, high) || low <= 0.0 {
            return Err(PlanError::Empty { name: Name::new("horizon"), low, high });
        }
        if !weight.is_finite() {
            return Err(PlanError::Setting { setting: "cost of a unit of time", value: weight });
        }
        (self.free_horizon, self.duration) = (Some((low, high)), weight);
        Ok(self)
    }

    /// Adds the integral of a cost or `residual` item of the model.
    ///
    /// # Errors
    /// [`PlanError::Unknown`].
    pub fn running(self, cost: &str) -> Result<Self, PlanError> {
        self.term(cost, Place::Running, 1.0)
    }

    /// Adds a cost or `residual` item at a node, times a weight; nodes are numbered from 0, at the start. Where no
    /// inputs are chosen, as at the end by shooting, they are the model's nominal ones.
    ///
    /// # Errors
    /// [`PlanError::Unknown`]; [`PlanError::Setting`] for a node beyond the end, and a weight that is not finite.
    pub fn at_node(self, node: usize, cost: &str, weight: f64) -> Result<Self, PlanError> {
        if node > self.intervals {
            return Err(PlanError::Setting { setting: "number of a node", value: node as f64 });
        }
        if !weight.is_finite() {
            return Err(PlanError::Setting { setting: "weight of a cost", value: weight });
        }
        self.term(cost, Place::Node(node), weight)
    }

    /// Adds a cost or `residual` item of the end.
    ///
    /// # Errors
    /// [`PlanError::Unknown`].
    pub fn at_end(self, cost: &str) -> Result<Self, PlanError> {
        let last = self.intervals;
        self.at_node(last, cost, 1.0)
    }

    fn term(mut self, cost: &str, place: Place, weight: f64) -> Result<Self, PlanError> {
        self.terms.push(Term::of(self.system, cost, place, weight)?);
        Ok(self)
    }

    /// Prescribes the whole state at the end. Whole turns of an `Angle` do not count.
    #[must_use]
    pub fn end(mut self, x: &State<S>) -> Self {
        self.end = Some(x.clone());
        self.fixed.fill(true);
        self
    }

    /// Prescribes directions of the state at the end by name: `x`, `der(x)`, `att` for all of a rotation. With
    /// constraints these are to be independent ones.
    ///
    /// # Errors
    /// [`PlanError::Unknown`].
    pub fn end_of<W: AsRef<str>>(
        mut self,
        x: &State<S>,
        names: impl IntoIterator<Item = W>,
    ) -> Result<Self, PlanError> {
        let layout = self.system.layout();
        self.fixed.fill(false);
        for name in names {
            let name = name.as_ref();
            let mut found = false;
            for (i, fixed) in self.fixed.iter_mut().enumerate() {
                if is_direction(&layout, name, i) {
                    (*fixed, found) = (true, true);
                }
            }
            if !found {
                return Err(UnknownName::new("direction", name, layout.state_direction_names()).into());
            }
        }
        self.end = Some(x.clone());
        Ok(self)
    }

    /// Narrower or wider bounds of an input or a limit than the model's.
    ///
    /// # Errors
    /// [`PlanError::Unknown`], [`PlanError::Empty`].
    pub fn between(mut self, name: &str, low: f64, high: f64) -> Result<Self, PlanError> {
        let names = || bounded_names(self.system);
        let place = names().position(|known| known == name);
        let place = place.ok_or_else(|| UnknownName::new("input or limit", name, names()))?;
        if is_empty(low, high) {
            return Err(PlanError::Empty { name: Name::new(name), low, high });
        }
        self.bounds[place] = (low, high);
        Ok(self)
    }

    /// Where the search begins: the states at the nodes, one more than there are intervals, and the inputs. The first
    /// state is replaced by the start, and what is prescribed of the last one by the end. Without a guess, states are
    /// on the straight line from the start to the end that is prescribed, and the inputs are the model's nominal
    /// ones.
    ///
    /// # Errors
    /// [`PlanError::Setting`] for other numbers of states or inputs.
    pub fn guess(mut self, states: &[State<S>], inputs: &[S::U]) -> Result<Self, PlanError> {
        let numbers = [
            ("number of states in the guess", states.len(), self.intervals + 1),
            ("number of inputs in the guess", inputs.len(), self.intervals),
        ];
        if let Some(&(setting, found, _)) = numbers.iter().find(|(_, found, needed)| found != needed) {
            return Err(PlanError::Setting { setting, value: found as f64 });
        }
        self.guess = Some(Guess { states: states.to_vec(), inputs: inputs.to_vec() });
        Ok(self)
    }

    /// Refuses costs and limits that read what follows from the state and the inputs: nodes have no such numbers.
    fn chosen(&self) -> Result<(), PlanError> {
        let (system, layout) = (self.system, self.system.layout());
        let counts = |name: &str| self.terms.iter().any(|term| term.name() == name);
        let bounded = |name: &str| {
            let bounds = bounded_names(system).zip(&self.bounds).skip(layout.u.len()).find(|(known, _)| *known == name);
            bounds.is_some_and(|(_, (low, high))| low.is_finite() || high.is_finite())
        };
        let found = follows(&layout, system.cost_names(), system.partial_patterns().costs, counts)
            .or_else(|| follows(&layout, system.square_names(), system.square_pattern(), counts))
            .or_else(|| follows(&layout, system.limit_bounds().names, system.limit_pattern(), bounded));
        found.map_or(Ok(()), |(name, variable)| Err(PlanError::Follows { name, variable }))
    }

    /// The problem with its start and guess, checked. Where second derivatives of costs are not known, these are to be
    /// sums of squares.
    pub(super) fn posed(&self, curved: bool) -> Result<Posed<S>, PlanError> {
        let system = self.system;
        if self.terms.is_empty() && self.duration == 0.0 {
            return Err(PlanError::NoCost);
        }
        let names = bounded_names(system);
        if let Some((name, &(low, high))) = names.zip(&self.bounds).find(|(_, (low, high))| is_empty(*low, *high)) {
            return Err(PlanError::Empty { name: Name::new(name), low, high });
        }
        self.chosen()?;
        self.sized()?;
        if let Some(term) = self.terms.iter().find(|term| !curved && term.is_cost(system)) {
            return Err(PlanError::NoCurvature { cost: Name::new(term.name()) });
        }
        let start = match &self.start {
            Some(start) => {
                self.consistent(start)?;
                start.clone()
            }
            None => Start::default().solve(system, &Nominal)?,
        };
        let Guess { mut states, inputs } = match &self.guess {
            Some(guess) => guess.clone(),
            None => self.line(&start),
        };
        states[0] = start.clone();
        if let Some((end, last)) = self.end.as_ref().zip(states.last_mut()) {
            let from = last.clone();
            self.toward(&from, end, 1.0, last);
        }
        for (k, x) in states.iter_mut().enumerate() {
            x.t = start.t + k as f64 * self.h;
            x.modes = start.modes.clone();
        }
        self.finite(&states, &inputs)?;
        let layout = system.layout();
        let (input_bounds, limit_bounds) = self.bounds.split_at(layout.u.len());
        let free = self.free_start.iter().filter_map(|&(direction, low, high)| {
            Some(Freed { direction, value: value_of(system, &states[0], direction)?, low, high })
        });
        Ok(Posed {
            h: self.h,
            fixed: self.fixed.clone(),
            horizon: self.free_horizon,
            duration: self.duration,
            free: free.collect(),
            terms: Terms::of(system, &self.terms, self.intervals, self.h),
            end: self.end.clone(),
            input_bounds: input_bounds.to_vec(),
            limit_bounds: limit_bounds.to_vec(),
            states,
            inputs,
        })
    }

    /// The straight line from the start to the end, with nominal inputs.
    fn line(&self, start: &State<S>) -> Guess<S> {
        let system = self.system;
        let mut nominal = S::U::zeros(system.layout().u.len());
        system.nominal(&mut nominal);
        let states = (0..=self.intervals).map(|k| {
            let mut x = start.clone();
            if let Some(end) = &self.end {
                self.toward(start, end, k as f64 / self.intervals as f64, &mut x);
            }
            x
        });
        Guess { states: states.collect(), inputs: vec![nominal; self.intervals] }
    }

    /// A share of the way to the end, in the directions that are prescribed.
    fn toward(&self, from: &State<S>, end: &State<S>, share: f64, out: &mut State<S>) {
        let way = Deviation::of(self.system, end, from);
        plus_with(self.system, from, |i| if self.fixed[i] { share * way.entry(i) } else { 0.0 }, out);
    }

    fn finite(&self, states: &[State<S>], inputs: &[S::U]) -> Result<(), PlanError> {
        let layout = self.system.layout();
        let bad = |node, names: &[&str], values: &[f64]| {
            let i = values.iter().position(|x| !x.is_finite())?;
            Some(PlanError::Guess { node, name: Name::new(names.get(i).copied().unwrap_or("")) })
        };
        for (k, x) in states.iter().enumerate() {
            let blocks = [(layout.q, x.q.as_ref()), (layout.v, x.v.as_ref()), (layout.z, x.z.as_ref())];
            if let Some(error) = blocks.into_iter().find_map(|(names, values)| bad(k, names, values)) {
                return Err(error);
            }
        }
        inputs.iter().enumerate().find_map(|(k, u)| bad(k, layout.u, u.as_ref())).map_or(Ok(()), Err)
    }
}

/// Whether there is no number between bounds; there is none beside NaN.
fn is_empty(low: f64, high: f64) -> bool {
    low.is_nan() || high.is_nan() || low > high || low == f64::INFINITY || high == f64::NEG_INFINITY
}

/// The names of inputs, then those of limits.
fn bounded_names<S: Optimizable<Real = f64>>(system: &S) -> impl Iterator<Item = &'static str> {
    system.input_bounds().names.iter().chain(system.limit_bounds().names).copied()
}

/// Whether a name means a direction of the state.
fn is_direction(layout: &Layout<'_>, name: &str, place: usize) -> bool {
    let nv = layout.v.len();
    let own = layout.state_direction_names().nth(place) == Some(name);
    let moving = layout.state_directions() >= 2 * nv && layout.order == ode_runtime::Order::Second;
    own || place < nv && layout.names_step(name, place)
        || moving && place >= nv && layout.names_velocity(name, place - nv)
}

/// The number of a state that grows by as much as it moves in a direction; those of a rotation in space have none.
pub(super) fn value_of<S: Optimizable<Real = f64>>(system: &S, x: &State<S>, direction: usize) -> Option<f64> {
    let layout = system.layout();
    let moving = if layout.order == ode_runtime::Order::Second { layout.v.len() } else { 0 };
    match direction.checked_sub(layout.v.len()) {
        None => {
            let name = layout.state_direction_names().nth(direction)?;
            x.q.as_ref().get(layout.q.iter().position(|known| *known == name)?).copied()
        }
        Some(v) if v < moving => x.v.as_ref().get(v).copied(),
        Some(z) => x.z.as_ref().get(z - moving).copied(),
    }
}
