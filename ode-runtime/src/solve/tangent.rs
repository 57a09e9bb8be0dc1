//! Residual and weighted tangent of an implicit step, its factors, and corrections.

use crate::context::{Context, Work};
use crate::error::{Cause, Level, Name, Quantity};
use crate::input::Inputs;
use crate::linalg::{Kkt, Singular};
use crate::scalar::{Real, Scalar};
use crate::solve::certified::Terms;
use crate::solve::factors::{EXACT, size};
use crate::solve::linearization::TangentPoint;
use crate::solve::newton::Newton;
use crate::solve::{Dependence, add, consistent, inertial, norm, undetermined};
use crate::state::{State, copy, finite};
use crate::system::{Block, Constraint, Forward, Layout, Linearize, Residual, RowKind, Solvable, Weights};

/// Storage for the residual, its tangent, and corrections.
#[derive(Debug)]
pub struct Tangent<S: Solvable + Linearize> {
    /// inputs of the last evaluation
    pub(crate) u: S::U,
    /// total step s from qₙ
    pub(crate) step: S::V,
    /// residual, then correction
    pub(crate) residual: Residual<S>,
    /// values of the weighted tangent
    pub(crate) values: S::Tangent,
    pub(crate) kkt: S::Kkt,
    /// where the factors of `kkt` come from, if that may outlive a step
    pub(crate) point: TangentPoint<S>,
    /// whether it may
    pub(super) keeps: bool,
    /// whether inertia stands in the matrix, on whose diagonal pivots then are
    inert: bool,
    /// the first guess of a step, to begin again at
    pub(super) guess: (State<S>, S::V),
    constraint: Constraint<S>,
    /// product of the tangent with a velocity
    drift: Residual<S>,
    /// for what a correction leaves
    pub(super) terms: Terms<S>,
    /// the last correction of q, as a step and as a change of its entries
    pub(super) moved: S::V,
    pub(crate) change: S::Q,
}

impl<S: Solvable + Linearize> Tangent<S> {
    /// Storage in the shape of `system`.
    pub fn new(system: &S) -> Self {
        let layout = system.layout();
        Self {
            u: Block::zeros(layout.u.len()),
            step: Block::zeros(layout.v.len()),
            residual: Residual::zeros(&layout),
            values: Block::zeros(layout.tangent.nnz()),
            kkt: S::Kkt::new(&layout),
            point: TangentPoint::none(system),
            keeps: false,
            inert: true,
            guess: (State::neutral(system), Block::zeros(layout.v.len())),
            constraint: Constraint::zeros(&layout),
            drift: Residual::zeros(&layout),
            terms: Terms::new(&layout),
            moved: Block::zeros(layout.v.len()),
            change: Block::zeros(layout.q.len()),
        }
    }

    /// Residual and weighted tangent at `x`.
    pub(crate) fn linearize<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        weights: Weights<S::Real>,
        x: &State<S>,
    ) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        self.tabulate(cx.system, level, weights, x, None);
        cx.work.tangents += 1;
        self.finite(&cx.system.layout())
    }

    /// The same with inputs that are known, in a step from qₙ that may be another one.
    fn tabulate(&mut self, system: &S, level: Level, weights: Weights<S::Real>, x: &State<S>, step: Option<&S::V>) {
        let step = step.unwrap_or(&self.step);
        system.tangent(x.at(&self.u), x.rates(), weights, step, &mut self.residual, &mut self.values);
        self.inert = weights.rates != S::Real::ZERO;
        if S::Kkt::REDUNDANT {
            system.constraint(x.at(&self.u), &mut self.constraint);
            self.kkt.tolerate(self.constraint.phi.as_ref(), size(&x.q));
            if !self.inert {
                let layout = system.layout();
                let mut forward = Forward::zeros(&layout);
                system.forward(x.at(&self.u), &mut forward);
                self.kkt.measure(&layout, forward.mass.as_ref());
            }
        }
        self.lower(system, level, x, Some(weights));
    }

    /// Residual at `x`.
    pub(crate) fn evaluate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        x: &State<S>,
    ) -> Result<(), Cause> {
        cx.input(x.moment(), &mut self.u)?;
        cx.system.residual(x.at(&self.u), x.rates(), &mut self.residual);
        cx.work.residuals += 1;
        self.lower(cx.system, level, x, None);
        self.finite(&cx.system.layout())
    }

    /// Takes the matrix of `kept` again, unless its factors are there still.
    pub(super) fn recall<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        level: Level,
        kept: &TangentPoint<S>,
    ) -> Result<(), Cause> {
        if self.point == *kept {
            return Ok(());
        }
        self.point.forget();
        let TangentPoint { x, u, step, weights, .. } = kept;
        copy(u, &mut self.u);
        self.tabulate(cx.system, level, *weights, x, Some(step));
        // Work of a run that was resumed here, and not of one that never stopped: it does not count.
        let work = *cx.work;
        let factorized = self.factorize(cx);
        *cx.work = work;
        factorized?;
        self.point.copy_from(kept);
        Ok(())
    }

    /// Puts Φ̇ in the place of Φ, and its derivative into the matrix where there are `weights`, if the level is that of
    /// velocities.
    fn lower(&mut self, system: &S, level: Level, x: &State<S>, weights: Option<Weights<S::Real>>) {
        let layout = system.layout();
        if level != Level::Velocity || layout.constraints.is_empty() {
            return;
        }
        system.constraint(x.at(&self.u), &mut self.constraint);
        let rows = self.residual.phi.as_mut().iter_mut().zip(self.constraint.rate.as_ref());
        for (_, (phi, &rate)) in rows.enumerate().filter(|(row, _)| layout.kind(*row) == RowKind::Holonomic) {
            *phi = rate;
        }
        if let Some(weights) = weights {
            self.border(system, weights.velocity);
        }
    }

    /// Makes the rows of holonomic constraints Φ = 0 at another point.
    pub(crate) fn hold<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        let layout = cx.system.layout();
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        let rows = self.residual.phi.as_mut().iter_mut().zip(self.constraint.phi.as_ref());
        for (_, (row, &phi)) in rows.enumerate().filter(|(row, _)| layout.kind(*row) == RowKind::Holonomic) {
            *row = phi;
        }
        finite(self.residual.phi.as_ref(), Quantity::Constraint, layout.constraints)
    }

    /// Writes −Gᵀ of another point where the tangent has its own, but for compliant rows.
    pub(crate) fn react(&mut self, system: &S, jacobian: &S::Jacobian) {
        let (layout, values) = (system.layout(), self.values.as_mut());
        let last = layout.v.len() + layout.z.len();
        let (starts, rows) = (layout.tangent.starts, layout.tangent.indices);
        layout.jacobian.visit(jacobian.as_ref(), |r, c, g| {
            let from = starts[last + r];
            if let Some(at) = rows[from..starts[last + r + 1]].iter().position(|&v| v == c) {
                values[from + at] = -g;
            }
        });
    }

    /// Writes ν G where the tangent has π G, in the rows of holonomic constraints.
    pub(crate) fn border(&mut self, system: &S, nu: S::Real) {
        let kinds = system.layout().kinds;
        let held = |row: usize| kinds.get(row).is_none_or(|&kind| kind == RowKind::Holonomic);
        fill(system, &mut self.values, &self.constraint.jacobian, nu, held);
    }

    /// Writes G of other points into the rows of constraints that do not yield.
    pub(crate) fn hold_rows(&mut self, system: &S, jacobian: &S::Jacobian) {
        let kinds = system.layout().kinds;
        let held = |row: usize| kinds.get(row).is_none_or(|&kind| kind != RowKind::Compliant);
        fill(system, &mut self.values, jacobian, S::Real::ONE, held);
    }

    /// Solves with the matrix last factorised, in place.
    pub(crate) fn apply(&self, work: &mut Work, v: &mut S::V, z: &mut S::Z, l: &mut S::L) {
        work.solves += 1;
        self.kkt.solve(v.as_mut(), z.as_mut(), l.as_mut());
    }

    /// Replaces the residual by the correction.
    pub(crate) fn correct<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        self.factorize(cx)?;
        self.solve_for(cx);
        Ok(())
    }

    /// Factorises the matrix.
    pub(crate) fn factorize<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) -> Result<(), Cause> {
        let layout = cx.system.layout();
        cx.work.factorizations += 1;
        let values = self.values.as_ref();
        let factorized = match self.inert {
            true => self.kkt.factorize(&layout, values),
            false => self.kkt.factorize_by_exchange(&layout, values),
        };
        let Err(singular) = factorized else { return Ok(()) };
        let bad = self.values.as_ref().iter().position(|x| !x.is_finite());
        match bad.and_then(|k| layout.tangent.entries().nth(k)) {
            Some((r, _)) => Err(row_not_finite(&layout, r)),
            None => self.cross(&layout, singular),
        }
    }

    /// Factorises where rows depend on each other for an instant, by the −Gᵀ of the matrix: the iterations show whether
    /// they are consistent.
    #[cold]
    fn cross(&mut self, layout: &Layout<'_>, singular: Singular) -> Result<(), Cause> {
        let plain = undetermined(layout, layout.z.len(), singular);
        // Solvers for rows that depend on each other fail for other reasons.
        if S::Kkt::REDUNDANT && !self.inert {
            return Err(plain);
        }
        let (nv, first) = (layout.v.len(), layout.v.len() + layout.z.len());
        let entries = layout.tangent.entries().zip(self.values.as_ref());
        let border = entries.filter(|((r, c), _)| *r < nv && *c >= first);
        let transposed = border.map(|((r, c), &value)| (c - first, r, value));
        let Some(cause) = Dependence::<S>::of(*layout, &[], transposed, EXACT).cause() else { return Err(plain) };
        self.kkt.soften(layout, self.values.as_ref()).map_err(|_| cause)
    }

    /// Takes from the multipliers what corrections have left in them that is not unique.
    pub(super) fn prune(&self, x: &mut State<S>) {
        if S::Kkt::REDUNDANT {
            self.kkt.prune(x.lambda.as_mut());
        }
    }

    /// Factorises the matrix, which is of `x`. M that became negative along a motion shows in the sign of the
    /// determinant, unless what a step weighs it with hides it.
    pub(crate) fn factorize_at<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.factorize(cx)?;
        let layout = cx.system.layout();
        let known = self.inert && !layout.constant_mass && layout.algebraic == 0;
        // Stiffness may be negative as well.
        if known && self.kkt.reversed() { inertial(cx.lend(), x) } else { Ok(()) }
    }

    /// Replaces the residual by the correction of the matrix last factorised.
    pub(crate) fn solve_for<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>) {
        cx.work.solves += 1;
        let Residual { r, s, phi } = &mut self.residual;
        for x in r.as_mut().iter_mut().chain(s.as_mut()).chain(phi.as_mut()) {
            *x = -*x;
        }
        self.kkt.solve(r.as_mut(), s.as_mut(), phi.as_mut());
    }

    /// Applies the correction; its size in q and z against 1 + |value|, and the place of the largest.
    pub(crate) fn update<U: Inputs<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        w: Weights<S::Real>,
        from: &S::Q,
        x: &mut State<S>,
    ) -> (S::Real, Place) {
        let Residual { r: dv, s: dz, phi: dl } = &self.residual;
        add(x.a.as_mut(), w.rates, dv.as_ref());
        add(x.v.as_mut(), w.velocity, dv.as_ref());
        let differential = cx.system.layout().differential();
        add(x.zdot.as_mut().get_mut(..differential).unwrap_or_default(), w.rates, dz.as_ref());
        add(x.z.as_mut(), w.state, dz.as_ref());
        add(x.lambda.as_mut(), S::Real::ONE, dl.as_ref());
        add(self.step.as_mut(), w.position, dv.as_ref());
        cx.system.retract(from, &self.step, &mut x.q);

        // A velocity-level unknown does not move q within the step: measure it by v itself.
        let by_velocity = w.position == S::Real::ZERO;
        let unit = if by_velocity { w.velocity } else { w.position };
        for (moved, &d) in self.moved.as_mut().iter_mut().zip(dv.as_ref()) {
            *moved = unit * d;
        }
        let (mut place, mut size) = if by_velocity {
            let (index, size) = largest(self.moved.as_ref(), x.v.as_ref());
            (Place::Velocity(index), size)
        } else {
            cx.system.qdot(&x.q, &self.moved, &mut self.change);
            let (index, size) = largest(self.change.as_ref(), x.q.as_ref());
            (Place::Coordinate(index), size)
        };
        for (i, (&d, &z)) in dz.as_ref().iter().zip(x.z.as_ref()).enumerate() {
            let own = (w.state * d).abs() / (S::Real::ONE + z.abs());
            if !(own <= size) {
                (size, place) = (own, Place::State(i));
            }
        }
        (size, place)
    }

    /// Keeps the product of the first nv columns of the tangent with `v`.
    pub(crate) fn drift(&mut self, layout: &Layout<'_>, v: &S::V) {
        let Residual { r, s, phi } = &mut self.drift;
        for x in r.as_mut().iter_mut().chain(s.as_mut()).chain(phi.as_mut()) {
            *x = S::Real::ZERO;
        }
        let (nv, nz) = (layout.v.len(), layout.z.len());
        for ((row, col), &value) in layout.tangent.entries().zip(self.values.as_ref()) {
            let Some(&v) = v.as_ref().get(col) else { break };
            let slot = match row {
                row if row < nv => r.as_mut().get_mut(row),
                row if row < nv + nz => s.as_mut().get_mut(row - nv),
                row => phi.as_mut().get_mut(row - nv - nz),
            };
            if let Some(slot) = slot {
                *slot += value * v;
            }
        }
    }

    /// Adds that product to the residual.
    pub(crate) fn add_drift(&mut self) {
        let one = S::Real::ONE;
        add(self.residual.r.as_mut(), one, self.drift.r.as_ref());
        add(self.residual.s.as_mut(), one, self.drift.s.as_ref());
        add(self.residual.phi.as_mut(), one, self.drift.phi.as_ref());
    }

    /// Leaves in the residual, of the violations of holonomic rows at `x`, no more than `most`.
    pub(crate) fn recover<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        most: S::Real,
        x: &State<S>,
    ) -> Result<(), Cause> {
        let layout = cx.system.layout();
        cx.input(x.moment(), &mut self.u)?;
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        let rows = self.residual.phi.as_mut().iter_mut().zip(self.constraint.phi.as_ref()).enumerate();
        for (row, (phi, &off)) in rows {
            if layout.kind(row) == RowKind::Holonomic {
                *phi += off.min(most).max(-most) - off;
            }
        }
        finite(self.residual.phi.as_ref(), Quantity::Constraint, layout.constraints)
    }

    /// Whether the constraints hold at the last iterate.
    pub(super) fn holds<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        level: Level,
        x: &State<S>,
    ) -> Result<bool, Cause> {
        let layout = cx.system.layout();
        if layout.constraints.is_empty() {
            return Ok(true);
        }
        cx.system.constraint(x.at(&self.u), &mut self.constraint);
        let Constraint { phi, rate, .. } = &mut self.constraint;
        for (row, (phi, &rate)) in phi.as_mut().iter_mut().zip(rate.as_ref()).enumerate() {
            if level == Level::Velocity || layout.kind(row) == RowKind::Nonholonomic {
                *phi = rate;
            }
        }
        finite(phi.as_ref(), Quantity::Constraint, layout.constraints)?;
        Ok(norm(phi.as_ref()) <= limits.constraint)
    }

    /// Whether rows that may depend on others agree at the last iterate. Where they contradict each other they have no
    /// part in a correction, which then vanishes before they hold.
    pub(super) fn agrees<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        level: Level,
        x: &State<S>,
    ) -> Result<bool, Cause> {
        Ok(!S::Kkt::REDUNDANT
            || self.holds(cx, limits, level, x)?
            || consistent::<S>(
                cx.system.layout(),
                &self.constraint.jacobian,
                level,
                &self.constraint.phi,
                S::Real::ONE + norm(x.q.as_ref()),
            )
            .is_ok())
    }

    /// Refuses positions at which rows that may depend on others contradict each other.
    pub(crate) fn agree(&mut self, system: &S, x: &State<S>) -> Result<(), Cause> {
        if !S::Kkt::REDUNDANT {
            return Ok(());
        }
        system.constraint(x.at(&self.u), &mut self.constraint);
        let (Constraint { phi, jacobian, .. }, size) = (&self.constraint, S::Real::ONE + norm(x.q.as_ref()));
        consistent::<S>(system.layout(), jacobian, Level::Position, phi, size)
    }

    fn finite(&self, layout: &Layout<'_>) -> Result<(), Cause> {
        finite(self.residual.r.as_ref(), Quantity::Force, layout.directions)?;
        finite(self.residual.s.as_ref(), Quantity::Rate, layout.z)?;
        finite(self.residual.phi.as_ref(), Quantity::Constraint, layout.constraints)
    }
}

/// Writes ν G into the rows that are held, and zeros beside it; both patterns run down the columns.
fn fill<S: Linearize>(
    system: &S,
    values: &mut S::Tangent,
    jacobian: &S::Jacobian,
    nu: S::Real,
    held: impl Fn(usize) -> bool,
) {
    let Layout { tangent, jacobian: pattern, v, z, .. } = system.layout();
    let (values, jacobian, last) = (values.as_mut(), jacobian.as_ref(), v.len() + z.len());
    for c in 0..v.len() {
        let (mut k, end) = (pattern.starts[c], pattern.starts[c + 1]);
        for t in tangent.starts[c]..tangent.starts[c + 1] {
            let Some(row) = tangent.indices[t].checked_sub(last).filter(|&row| held(row)) else { continue };
            while k < end && pattern.indices[k] < row {
                k += 1;
            }
            let own = k < end && pattern.indices[k] == row;
            values[t] = if own { nu * jacobian[k] } else { S::Real::ZERO };
        }
    }
}

/// The entry a correction was largest in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Coordinate(usize),
    Velocity(usize),
    State(usize),
}

impl Place {
    /// Its name in the model.
    pub(super) fn name(self, layout: &Layout<'_>) -> Name {
        match self {
            Self::Coordinate(index) => Name::of(layout.q, index),
            Self::Velocity(index) => Name::of(layout.directions, index),
            Self::State(index) => Name::of(layout.z, index),
        }
    }
}

/// Index and size of the largest change, each against 1 + |value|; NaN is the largest.
pub(crate) fn largest<T: Real>(changes: &[T], values: &[T]) -> (usize, T) {
    let mut largest = (0, T::ZERO);
    for (i, (&change, &value)) in changes.iter().zip(values).enumerate() {
        let size = change.abs() / (T::ONE + value.abs());
        if !(size <= largest.1) {
            largest = (i, size);
        }
    }
    largest
}

/// A tangent entry of this row, ordered (v, z, λ), is not finite.
fn row_not_finite(layout: &Layout<'_>, row: usize) -> Cause {
    let (nv, nz) = (layout.v.len(), layout.z.len());
    let (quantity, name) = if row < nv {
        (Quantity::Force, Name::of(layout.directions, row))
    } else if row < nv + nz {
        (Quantity::Rate, Name::of(layout.z, row - nv))
    } else {
        (Quantity::Constraint, Name::of(layout.constraints, row - nv - nz))
    };
    Cause::NonFinite { quantity, name }
}
