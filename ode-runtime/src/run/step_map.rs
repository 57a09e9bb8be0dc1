//! The map of one step with its derivatives, for what calls it in a loop: controllers, estimators, optimisers.

use core::fmt;
use core::ops::Range;

use crate::error::unknown::UnknownName;
use crate::error::{Cause, RunError, StepError};
#[cfg(feature = "std")]
use crate::integrators::Adjoint;
use crate::integrators::method::Proposal;
use crate::integrators::{Attempted, Vary, vary_step};
#[cfg(feature = "std")]
use crate::linalg::Labelled;
use crate::linalg::{SMatrix, of_shape};
use crate::model::input::Lent;
use crate::model::layout::Layout;
use crate::model::rotations::enter;
use crate::model::sensitive::Sensitive;
use crate::model::state::State;
use crate::numbers::scalar::{Real, Scalar};
use crate::run::finite::finite_by;
use crate::solve::context::{Context, Work};
use crate::solve::explain::explain;
use crate::solve::solvable::Solvable;
use crate::solve::{ProjectedBy, Projection, Projector};
#[cfg(feature = "std")]
use crate::variation::Several;
use crate::variation::{Columns, Fixed, ForwardMode, Seed, StateColumns, Varied, column_entry, unit_columns};

/// The map x⁺(x, u, p) of one step of a method, with A = ∂x⁺/∂x, B = ∂x⁺/∂u and P = ∂x⁺/∂p.
///
/// x = (q, v, z): q in tangent coordinates, nv of them, and z without algebraic variables; in first-order models (q,
/// z). These are the entries of a state that may be chosen; the others follow from them. A step begins as a run that is
/// [`given`](crate::Setup::given) the state: a method that remembers earlier steps starts anew, so a `Bdf2` step is one
/// of backward Euler, and generalised-α begins with the a of the equations.
/// [`Simulation::vary`](crate::Simulation::vary) differentiates steps with their memory. The inputs are held during the
/// step. Events are not looked for.
///
/// One value is made from a model and a method, and makes any number of steps.
pub struct StepMap<'a, S: Solvable + Sensitive, M: Vary<S>, K: Columns> {
    system: &'a S,
    method: M,
    projection: Option<Projection<S::Real>>,
    projector: Projector<S>,
    scratch: M::Scratch,
    proposal: Proposal<S>,
    /// before and after projection
    from: State<S>,
    proposed: State<S>,
    chain: ForwardMode<S, K>,
    /// the columns at the beginning of a step
    units: StateColumns<S, K>,
    /// and at its end
    columns: StateColumns<S, K>,
}

impl<S: Solvable + Sensitive, M: Vary<S>, K: Columns> fmt::Debug for StepMap<'_, S, M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepMap").field("method", &self.method.name()).field("by", &self.chain).finish_non_exhaustive()
    }
}

#[cfg(feature = "std")]
impl<'a, S: Solvable + Sensitive, M: Vary<S>> StepMap<'a, S, M, Several> {
    /// The map of a step, with derivatives by the state, the inputs and the parameters of these names; that of an array
    /// or a vector means all its entries.
    ///
    /// # Errors
    /// [`RunError::Name`] for a parameter that does not exist; [`RunError::Evaluation`] for settings of the method out
    /// of range.
    pub fn of(system: &'a S, method: M, parameters: &[&str]) -> Result<Self, RunError> {
        let chosen = UnknownName::places("parameter", parameters, system.derivatives().parameter_names)?;
        let count = Sizes::of(&system.layout(), chosen.clone().count()).all();
        let seeds = std::vec![Seed::STATE; count];
        Self::with(system, method, (Several(count), seeds), chosen)
    }
}

impl<'a, S: Solvable + Sensitive, M: Vary<S>, const N: usize> StepMap<'a, S, M, Fixed<N>> {
    /// [`StepMap::of`] without a heap. N is the number of columns of (A, B, P), [`Layout::state_directions`] and the
    /// numbers of inputs and of chosen parameters: `pendulum::LAYOUT` of a model `Pendulum` is a constant. Without
    /// parameters it may also be that of A alone, or zero for x⁺ alone; parts that are left out have no columns.
    ///
    /// # Errors
    /// As [`StepMap::of`]; [`Cause::OutOfRange`] with the next larger N that there is, or the largest, for another one.
    pub fn sized(system: &'a S, method: M, parameters: &[&str]) -> Result<Self, RunError> {
        let chosen = UnknownName::places("parameter", parameters, system.derivatives().parameter_names)?;
        let sizes = Sizes::of(&system.layout(), chosen.clone().count());
        let fewer = [0, sizes.states].into_iter().filter(|_| parameters.is_empty());
        let count = fewer.chain([sizes.all()]).find(|&count| count >= N).unwrap_or(sizes.all());
        if count != N {
            let (setting, value, needed) = ("number of columns of a step's derivatives", N as f64, count as f64);
            return Err(Cause::OutOfRange { setting, value, low: needed, high: needed }.into());
        }
        Self::with(system, method, (Fixed, [Seed::STATE; N]), chosen)
    }
}

impl<'a, S: Solvable + Sensitive, M: Vary<S>, K: Columns> StepMap<'a, S, M, K> {
    fn with(
        system: &'a S,
        method: M,
        (columns, mut seeds): (K, K::Of<Seed<S::Real>>),
        parameters: impl Iterator<Item = usize>,
    ) -> Result<Self, RunError> {
        method.check()?;
        let sizes = Sizes::of(&system.layout(), 0);
        let mut others = seeds.as_mut().iter_mut().skip(sizes.states);
        for (i, seed) in others.by_ref().take(sizes.inputs).enumerate() {
            seed.input = Some(i);
        }
        for (seed, parameter) in others.zip(parameters) {
            seed.parameter = Some(parameter);
        }
        let chain = ForwardMode::new(system, columns, seeds);
        let mut units = chain.zeros(system);
        unit_columns::<S, K>(&system.layout(), &mut units);
        Ok(Self {
            projection: None,
            projector: Projector::new(system),
            scratch: method.scratch(system),
            proposal: Proposal::new(system),
            from: State::neutral(system),
            proposed: State::neutral(system),
            columns: units.clone(),
            units,
            chain,
            system,
            method,
        })
    }

    /// Projects the end of each step onto the constraints, if it exceeds the tolerance.
    ///
    /// # Errors
    /// Settings out of range.
    pub fn project(self, how: Projection<S::Real>) -> Result<Self, Cause> {
        let projector = Projector::fit(self.system, Some(&how), None)?;
        Ok(Self { projection: Some(how), projector, ..self })
    }

    /// The same with the weight of a correction of each velocity, for [`Metric::Weights`](crate::solve::Metric).
    ///
    /// # Errors
    /// Settings out of range, a weight that is not positive.
    pub fn project_weighted(self, how: Projection<S::Real>, weights: S::V) -> Result<Self, Cause> {
        let projector = Projector::fit(self.system, Some(&how), Some(weights))?;
        Ok(Self { projection: Some(how), projector, ..self })
    }

    /// The model.
    pub fn system(&self) -> &'a S {
        self.system
    }

    /// What projects the ends of steps, if anything does.
    pub fn projected_by(&self) -> Option<ProjectedBy<'_, S>> {
        self.projector.told(self.projection.as_ref())
    }

    /// Makes `x` a state that steps begin at: it is checked, its rotations are normalised, it is projected as ends of
    /// steps are, and a, ż, λ and algebraic variables become those of the equations with the inputs `u`.
    ///
    /// # Errors
    /// [`Cause::NonFinite`] and [`Cause::NotARotation`] by name; why it cannot be projected or evaluated. Then `x` is
    /// not to be used.
    pub fn admit(&mut self, x: &mut State<S>, u: &S::U) -> Result<(), Cause> {
        let Self { system, projection, projector, proposal, .. } = self;
        let mut cx = Context { system: *system, inputs: &Lent(u), work: &mut Work::default() };
        x.fits(&system.layout())?;
        x.check(&system.layout())?;
        enter(*system, x.q.as_mut())?;
        if let Some(how) = projection {
            projector.project(&mut cx, how, x)?;
        }
        proposal.acceleration.settle(&mut cx, x)
    }

    /// The step `h` from `x` with the inputs `u`, a block or numbers in the order of the model's text, and its
    /// derivatives. Without a heap for methods marked `yes` in the guide's table, with [`StepMap::sized`].
    ///
    /// # Errors
    /// Why the step failed, or cannot be linearised; [`Cause::NonFinite`] by what its derivative is not finite, at
    /// least where a column is by that. No smaller step is attempted.
    pub fn step(&mut self, x: &State<S>, u: impl Into<S::U>, h: S::Real) -> Result<LinearStep<'_, S, K>, StepError> {
        self.advance(x, &u.into(), h).map_err(|cause| self.failed(x, h, cause))?;
        Ok(LinearStep { end: &self.proposal.x, jacobians: self.differentiated() })
    }

    /// A, B and P of the step `h` from `x` with the inputs `u`, without its end, which takes less time than
    /// [`StepMap::step`]: nothing is evaluated at the end, and methods that [make the stages](Vary::MAKES_STAGES) when
    /// they are differentiated make them once.
    ///
    /// # Errors
    /// As [`StepMap::step`]; what only the end would show is not found.
    pub fn jacobians(
        &mut self,
        x: &State<S>,
        u: impl Into<S::U>,
        h: S::Real,
    ) -> Result<StepJacobians<'_, S, K>, StepError> {
        let u = u.into();
        let (made, fresh) = (self.makes_end(), self.method.unremembering());
        let memory = match fresh.filter(|_| !made && !self.system.layout().first_order()) {
            Some(memory) => self.enter(x, &u, h).map(|()| memory),
            None if made => self.attempt(x, &u, h),
            None => self.depart(x, &u, h),
        };
        memory.and_then(|memory| self.differentiate(&memory, &u, h)).map_err(|cause| self.failed(x, h, cause))?;
        Ok(self.differentiated())
    }

    /// The derivatives that were written last.
    fn differentiated(&self) -> StepJacobians<'_, S, K> {
        StepJacobians { system: self.system, columns: &self.columns, seeds: self.chain.seeds() }
    }

    /// The end of the step `h` from `x` with the inputs `u`, without derivatives: its q, v and z.
    ///
    /// # Errors
    /// Why the step failed. No smaller step is attempted.
    pub fn end(&mut self, x: &State<S>, u: impl Into<S::U>, h: S::Real) -> Result<&State<S>, StepError> {
        let made = self.attempt(x, &u.into(), h).map(drop);
        made.and_then(|()| self.proposal.x.check(&self.system.layout())).map_err(|cause| self.failed(x, h, cause))?;
        Ok(&self.proposal.x)
    }

    /// Why a step failed.
    pub(crate) fn failed(&self, x: &State<S>, h: S::Real, cause: Cause) -> StepError {
        StepError { time: x.t.to_f64(), step: h.to_f64(), cause: explain(self.system, x, h, cause) }
    }

    /// The derivative by x and u of a number whose derivative by the end x⁺ of the step `h` is known: `adjoint` has
    /// that covector as its state, and then that of x; what it gives by u is added to its totals. wᵀA and wᵀB take a
    /// few times as long as the step, however many columns they have.
    ///
    /// The adjoint is made for all inputs, `Adjoint::new(system, (0..nu).collect(), false)`, or for some.
    ///
    /// # Errors
    /// As [`StepMap::step`], and those of [`Adjoint::back`]. The adjoint is worth nothing then.
    #[cfg(feature = "std")]
    pub fn pull_back(
        &mut self,
        x: &State<S>,
        u: impl Into<S::U>,
        h: S::Real,
        adjoint: &mut Adjoint<S>,
    ) -> Result<(), StepError> {
        let u = u.into();
        self.back(x, &u, h, adjoint).map(drop).map_err(|cause| self.failed(x, h, cause))
    }

    /// The same, with what the method made before its derivative was asked for: the end of the step, q, v and z, unless
    /// the method [makes the stages](Vary::MAKES_STAGES) of an explicit model when it is differentiated.
    #[cfg(feature = "std")]
    pub(crate) fn back(
        &mut self,
        x: &State<S>,
        u: &S::U,
        h: S::Real,
        adjoint: &mut Adjoint<S>,
    ) -> Result<Option<&State<S>>, Cause> {
        let iterates = self.makes_end();
        // what is evaluated at the end needs it: a and λ there, and the velocities of first-order models
        let made = iterates || self.system.layout().first_order() || adjoint.state.by_rates();
        let memory = if made { self.attempt(x, u, h)? } else { self.depart(x, u, h)? };
        let Self { system, method, projection, projector, scratch, proposal, from, proposed, .. } = self;
        let mut cx = Context { system: *system, inputs: &Lent(u), work: &mut Work::default() };
        let projection = projector.told(projection.as_ref());
        let attempted = Attempted { proposed: &*proposed, end: &proposal.x, scratch, projection };
        adjoint.back(method, &mut cx, ((from, &memory), h), attempted)?;
        if adjoint.remembers() {
            adjoint.begin(method, &mut cx, from)?;
        }
        Ok(iterates.then_some(&proposal.x))
    }

    /// Makes `x` where the step begins: checked with its inputs, and with unit rotations.
    fn enter(&mut self, x: &State<S>, u: &S::U, h: S::Real) -> Result<(), Cause> {
        if !(h > S::Real::ZERO && h.is_finite()) {
            return Err(Cause::Invalid { setting: "step size", value: h.to_f64() });
        }
        let Self { system, from, .. } = self;
        let layout = system.layout();
        x.fits(&layout)?;
        layout.fits_inputs(u.as_ref().len())?;
        from.copy_from(x);
        from.check(&layout)?;
        enter(*system, from.q.as_mut())
    }

    /// Makes `x` where the step begins: checked, with the a, ż and λ of the equations. The rest is the method's memory.
    fn depart(&mut self, x: &State<S>, u: &S::U, h: S::Real) -> Result<M::Memory, Cause> {
        self.enter(x, u, h)?;
        let Self { system, method, scratch, proposal, from, .. } = self;
        let mut cx = Context { system: *system, inputs: &Lent(u), work: &mut Work::default() };
        if !M::EVALUATES_START {
            proposal.acceleration.settle(&mut cx, from)?;
        }
        method.restart(&mut cx, from, h, scratch, &mut proposal.acceleration)
    }

    /// Makes the step, without derivatives: from `from` to the end of the proposal, which before projection is
    /// `proposed`. What is remembered is the method's memory at the beginning.
    fn attempt(&mut self, x: &State<S>, u: &S::U, h: S::Real) -> Result<M::Memory, Cause> {
        let memory = self.depart(x, u, h)?;
        let Self { system, method, projection, projector, scratch, proposal, from, proposed, .. } = self;
        let mut cx = Context { system: *system, inputs: &Lent(u), work: &mut Work::default() };
        proposal.attempt(method, &mut cx, (from, &memory), h, scratch)?;
        proposal.x.t = from.t + h;
        proposed.copy_from(&proposal.x);
        if let Some(how) = projection {
            projector.project(&mut cx, how, &mut proposal.x)?;
        }
        Ok(memory)
    }

    /// Whether a step is made before it is differentiated.
    fn makes_end(&self) -> bool {
        !M::MAKES_STAGES || self.system.layout().algebraic > 0 || self.projection.is_some()
    }

    fn advance(&mut self, x: &State<S>, u: &S::U, h: S::Real) -> Result<(), Cause> {
        let memory = self.attempt(x, u, h)?;
        self.differentiate(&memory, u, h)?;
        let Self { system, method, proposal, .. } = self;
        proposal.finish(method, &mut Context { system: *system, inputs: &Lent(u), work: &mut Work::default() })?;
        proposal.x.check(&system.layout())
    }

    /// Writes the columns of the step that was made, or of that which begins at `from`.
    fn differentiate(&mut self, memory: &M::Memory, u: &S::U, h: S::Real) -> Result<(), Cause> {
        let Self { system, method, projection, projector, scratch, proposal, from, proposed, chain, units, columns } =
            self;
        if chain.seeds().is_empty() {
            return Ok(());
        }
        let layout = system.layout();
        let mut cx = Context { system: *system, inputs: &Lent(u), work: &mut Work::default() };
        columns.q.clone_from(&units.q);
        columns.v.clone_from(&units.v);
        columns.z.clone_from(&units.z);
        let varied = method.begin(&mut cx, from, chain, columns)?;
        let projection = projector.told(projection.as_ref());
        let made = Attempted { proposed: &*proposed, end: &proposal.x, scratch, projection };
        let stepped = vary_step(method, &mut cx, ((from, memory), h), made, chain, (columns, &varied))?;
        *columns = stepped.x;
        let Varied { q, v, z } = columns;
        let blocks = q.as_ref().iter().zip(v.as_ref()).zip(z.as_ref());
        for ((k, seed), ((q, v), z)) in chain.seeds().iter().enumerate().zip(blocks) {
            finite_by(&[q.as_ref(), v.as_ref(), z.as_ref()], || {
                column_name(&layout, system.derivatives().parameter_names, k, seed)
            })?;
        }
        Ok(())
    }
}

/// What the column k is by.
fn column_name<'a, T>(layout: &Layout<'a>, parameters: &[&'a str], k: usize, seed: &Seed<T>) -> Option<&'a str> {
    match seed {
        Seed { parameter: Some(i), .. } => parameters.get(*i).copied(),
        Seed { input: Some(i), .. } => layout.u.get(*i).copied(),
        _ => layout.state_direction_names().nth(k),
    }
}

/// How many columns there are of each kind.
#[derive(Clone, Copy)]
struct Sizes {
    states: usize,
    inputs: usize,
    parameters: usize,
}

impl Sizes {
    fn of(layout: &Layout<'_>, parameters: usize) -> Self {
        Self { states: layout.state_directions(), inputs: layout.u.len(), parameters }
    }

    fn all(self) -> usize {
        self.states + self.inputs + self.parameters
    }
}

/// A step with its derivatives: see [`StepMap::step`].
#[derive(Debug)]
pub struct LinearStep<'m, S: Solvable + Sensitive, K: Columns> {
    /// x⁺, with the a, ż and λ that the method shows
    pub end: &'m State<S>,
    jacobians: StepJacobians<'m, S, K>,
}

impl<'m, S: Solvable + Sensitive, K: Columns> LinearStep<'m, S, K> {
    /// A = ∂x⁺/∂x, square.
    pub fn a(&self) -> StepPart<'m, S, K> {
        self.jacobians.a()
    }

    /// B = ∂x⁺/∂u, a column for each input.
    pub fn b(&self) -> StepPart<'m, S, K> {
        self.jacobians.b()
    }

    /// P = ∂x⁺/∂p, a column for each parameter that was chosen.
    pub fn p(&self) -> StepPart<'m, S, K> {
        self.jacobians.p()
    }
}

/// The derivatives of a step: see [`StepMap::jacobians`].
#[derive(Debug)]
pub struct StepJacobians<'m, S: Solvable + Sensitive, K: Columns> {
    system: &'m S,
    columns: &'m StateColumns<S, K>,
    seeds: &'m [Seed<S::Real>],
}

impl<'m, S: Solvable + Sensitive, K: Columns> StepJacobians<'m, S, K> {
    /// A = ∂x⁺/∂x, square.
    pub fn a(&self) -> StepPart<'m, S, K> {
        self.part(|sizes| 0..sizes.states)
    }

    /// B = ∂x⁺/∂u, a column for each input.
    pub fn b(&self) -> StepPart<'m, S, K> {
        self.part(|sizes| sizes.states..sizes.states + sizes.inputs)
    }

    /// P = ∂x⁺/∂p, a column for each parameter that was chosen.
    pub fn p(&self) -> StepPart<'m, S, K> {
        self.part(|sizes| sizes.states + sizes.inputs..self.seeds.len())
    }

    fn part(&self, range: impl Fn(Sizes) -> Range<usize>) -> StepPart<'m, S, K> {
        let Self { system, columns, seeds, .. } = *self;
        let Range { start, end } = range(Sizes::of(&system.layout(), 0));
        let range = start.min(seeds.len())..end.min(seeds.len());
        StepPart { system, columns, seeds, range }
    }
}

/// One of the matrices of a [`LinearStep`] or of [`StepJacobians`].
#[derive(Debug)]
pub struct StepPart<'m, S: Solvable + Sensitive, K: Columns> {
    system: &'m S,
    columns: &'m StateColumns<S, K>,
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "names of columns need a heap"))]
    seeds: &'m [Seed<S::Real>],
    range: Range<usize>,
}

impl<S: Solvable + Sensitive, K: Columns> StepPart<'_, S, K> {
    /// Numbers of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.system.layout().state_directions(), self.range.len())
    }

    /// An entry; zero outside of the matrix.
    pub fn entry(&self, row: usize, column: usize) -> S::Real {
        let k = self.range.start.checked_add(column).filter(|k| self.range.contains(k));
        let entry = k.and_then(|k| column_entry::<S, K>(&self.system.layout(), self.columns, row, k));
        entry.unwrap_or(S::Real::ZERO)
    }

    /// Copies a column, from the first row on; nothing outside of the matrix.
    pub fn read(&self, column: usize, out: &mut [S::Real]) {
        let k = self.range.start.checked_add(column).filter(|k| self.range.contains(k));
        let Varied { q, v, z } = self.columns;
        let column = |k: usize| Some((q.as_ref().get(k)?, v.as_ref().get(k)?, z.as_ref().get(k)?));
        let Some((q, v, z)) = k.and_then(column) else { return };
        let layout = self.system.layout();
        let v = if layout.first_order() { &[] } else { v.as_ref() };
        let z = z.as_ref().get(..layout.differential()).unwrap_or_default();
        let mut rest = out;
        for part in [q.as_ref(), v, z] {
            let (own, after) = rest.split_at_mut(part.len().min(rest.len()));
            own.iter_mut().zip(part).for_each(|(to, &entry)| *to = entry);
            rest = after;
        }
    }

    /// The matrix, without a heap.
    ///
    /// # Errors
    /// [`Cause::OutOfRange`] if it has another shape.
    pub fn fixed<const R: usize, const C: usize>(&self) -> Result<SMatrix<S::Real, R, C>, Cause> {
        of_shape(self.shape(), |r, c| self.entry(r, c))
    }

    /// The matrix with the names of its rows and columns.
    #[cfg(feature = "std")]
    pub fn labelled(&self) -> Labelled<S::Real> {
        let (layout, parameters) = (self.system.layout(), self.system.derivatives().parameter_names);
        let names = self.seeds.iter().enumerate().filter_map(|(k, seed)| column_name(&layout, parameters, k, seed));
        let columns = names.skip(self.range.start).take(self.range.len());
        Labelled::new(layout.state_direction_names(), columns, |r, c| self.entry(r, c))
    }
}
