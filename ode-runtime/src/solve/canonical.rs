//! The canonical equations of a point: p = M v, ṗ = f + Ṁ v + Gᵀ λ, ż = g.

use crate::error::{Cause, Level, Name, Quantity};
use crate::linalg::Saddle;
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::state::{Moment, State, copy, finite};
use crate::model::system::{At, Constraint, Forward};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::acceleration::check;
use crate::solve::add;
use crate::solve::algebraic::Algebraic;
use crate::solve::context::{Context, Work};
use crate::solve::factors::{consistent, cross, size, slack, solves, tolerate};
use crate::solve::refinement::undefined;
use crate::solve::solvable::Solvable;

/// M, G, f + Ṁ v and g of one evaluation, and the factors of [M Gᵀ; G 0].
#[derive(Debug)]
pub(crate) struct Canonical<S: Solvable> {
    u: S::U,
    forward: Forward<S>,
    rate: S::V,
    saddle: S::Saddle,
    algebraic: Algebraic<S>,
    constraint: Constraint<S>,
    row: S::L,
    /// the point of the factors: time, coordinates and modes
    place: (S::Real, S::Q, S::Modes),
    /// whether there are factors
    factorized: bool,
}

impl<S: Solvable> Canonical<S> {
    pub(crate) fn new(system: &S) -> Self {
        let layout = system.layout();
        let State { q, modes, .. } = State::neutral(system);
        Self {
            u: Block::zeros(layout.u.len()),
            forward: Forward::zeros(&layout),
            rate: Block::zeros(layout.v.len()),
            saddle: S::Saddle::new(&layout),
            algebraic: Algebraic::new(&layout),
            constraint: Constraint::zeros(&layout),
            row: Block::zeros(layout.constraints.len()),
            place: (S::Real::ZERO, q, modes),
            factorized: false,
        }
    }

    /// The factors are of no point.
    pub(crate) fn forget(&mut self) {
        self.factorized = false;
    }

    /// Whether M, G and their factors are those of `at`.
    pub(crate) fn is_factorized_at(&self, at: &Moment<'_, S>) -> bool {
        self.time_of_factors(at, S::Real::ZERO).is_some()
    }

    /// The time of M, G and their factors, if it equals that of `at` up to `slack`.
    pub(crate) fn time_of_factors(&self, at: &Moment<'_, S>, slack: S::Real) -> Option<S::Real> {
        let (t, q, modes) = &self.place;
        (self.factorized && (*t - at.t).abs() <= slack && q == at.q && modes == at.modes).then_some(*t)
    }

    /// Goes to the point of the next evaluation, and drops factors of another one.
    fn move_to(&mut self, to: &Moment<'_, S>) {
        if !self.is_factorized_at(to) {
            self.factorized = false;
        }
    }

    /// Evaluates at `at` with u(t, x); algebraic variables satisfy their equations.
    ///
    /// # Errors
    /// [`Cause::NonFinite`], [`Cause::Singular`] and [`Cause::Algebraic`] of algebraic variables.
    pub(crate) fn evaluate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
    ) -> Result<(), Cause> {
        self.move_to(&at);
        cx.input(at, &mut self.u)?;
        self.algebraic.solve(cx.system, at, &self.u, cx.work)?;
        let Moment { t, q, v, modes, .. } = at;
        let at = At { t, q, v, z: &self.algebraic.z, u: &self.u, modes };
        tabulate(cx.system, at, &mut self.rate, &mut self.forward, &mut self.constraint);
        cx.work.evaluations += 1;
        let _ = tolerate(cx.system, At { t, q, v, z: &self.algebraic.z, u: &self.u, modes }, &mut self.saddle);
        check(&self.forward, cx.system)
    }

    /// Evaluates M, G and Φ alone at `at`; the inputs, which they do not depend on, are those of the last evaluation.
    ///
    /// # Errors
    /// [`Cause::NonFinite`].
    pub(crate) fn weigh<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, at: Moment<'_, S>) -> Result<(), Cause> {
        self.move_to(&at);
        let Moment { t, q, v, z, modes } = at;
        let at = At { t, q, v, z, u: &self.u, modes };
        tabulate(cx.system, at, &mut self.rate, &mut self.forward, &mut self.constraint);
        cx.work.evaluations += 1;
        undefined(&cx.system.layout(), self.forward.mass.as_ref(), self.forward.jacobian.as_ref())
    }

    /// Refuses systems without momenta M v: models of first order, M that depends on v, and velocities held at nonzero
    /// values. Uses `other` as output and `v`.
    ///
    /// # Errors
    /// [`Cause::NoMomenta`], [`Cause::MomentumOfVelocity`], [`Cause::HeldMomentum`].
    pub(crate) fn has_momenta<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        other: &mut Self,
        v: &mut S::V,
    ) -> Result<(), Cause> {
        let layout = cx.system.layout();
        if layout.first_order() {
            return Err(Cause::NoMomenta { model: Name::new(layout.name) });
        }
        if layout.constant_mass {
            return Ok(());
        }
        if let Some(index) = cx.system.foreign_momentum(&x.v) {
            return Err(Cause::HeldMomentum { name: Name::of(layout.directions, index) });
        }
        self.evaluate(cx, x.moment())?;
        // For another velocity M must be the same to the bit, or it depends on velocities. It comes from the same call:
        // another one may multiply its factors in another order.
        for (v, &at) in v.as_mut().iter_mut().zip(x.v.as_ref()) {
            *v = S::Real::from_f64(0.75) * at + S::Real::from_f64(0.125);
        }
        other.factorized = false;
        let at = At { v, ..x.at(&self.u) };
        tabulate(cx.system, at, &mut other.rate, &mut other.forward, &mut other.constraint);
        cx.work.evaluations += 1;
        let masses = self.forward.mass.as_ref().iter().zip(other.forward.mass.as_ref());
        match layout.mass.entries().zip(masses).find(|(_, (one, two))| one != two) {
            Some(((row, _), _)) => Err(Cause::MomentumOfVelocity { name: Name::of(layout.directions, row) }),
            None => Ok(()),
        }
    }

    /// Factorises [M Gᵀ; G 0] of the last evaluation, at `at`. Returns the error for dependent rows, in case they prove
    /// inconsistent.
    ///
    /// # Errors
    /// [`Cause::Singular`], [`Cause::Inertia`], [`Cause::NonFinite`].
    pub(crate) fn factorize<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        at: Moment<'_, S>,
    ) -> Result<Option<Cause>, Cause> {
        cx.work.factorizations += 1;
        self.factorized = false;
        let (mass, jacobian) = (&self.forward.mass, &self.forward.jacobian);
        let crossed = cross(cx.system, mass, jacobian, &mut self.saddle)?;
        let (t, q, modes) = &mut self.place;
        *t = at.t;
        copy(at.q, q);
        copy(at.modes, modes);
        self.factorized = true;
        Ok(crossed)
    }

    /// Solves M x − Gᵀ y = x, G x = y in place.
    pub(crate) fn solve(&self, work: &mut Work, x: &mut S::V, y: &mut S::L) {
        work.solves += 1;
        self.saddle.solve(x.as_mut(), y.as_mut());
    }

    /// v of `x`, where the last evaluation was, from the momentum `p`, with the least impulse Gᵀ μ for which G v + Φₜ =
    /// 0; overwrites `p`.
    pub(crate) fn take_momentum<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        p: &mut S::V,
        x: &mut State<S>,
    ) -> Result<(), Cause> {
        let (layout, one) = (cx.system.layout(), S::Real::ONE);
        let crossed = self.factorize(cx, x.moment())?;
        self.add_momentum(cx.system, -one, &x.v, p);
        self.rate_of_rows(cx.system, &layout, x)?;
        self.row.as_mut().fill(S::Real::ZERO);
        add(self.row.as_mut(), -one, self.constraint.rate.as_ref());
        cx.work.solves += 1;
        self.saddle.solve(p.as_mut(), self.row.as_mut());
        if let Some(cause) = crossed
            && !solves::<S>(&layout, &self.forward.jacobian, &self.constraint.rate, p, slack(S::Real::ZERO))
        {
            return Err(cause);
        }
        add(x.v.as_mut(), one, p.as_ref());
        self.agree(cx.system, layout, x)
    }

    /// Refuses contradictions of redundant rows at the end of a step. Corrections do not contain them, and only the
    /// size of corrections ended the iterations.
    fn agree(&mut self, system: &S, layout: Layout<'_>, x: &State<S>) -> Result<(), Cause> {
        if !S::Saddle::REDUNDANT {
            return Ok(());
        }
        system.constraint(x.at(&self.u), &mut self.constraint);
        let Constraint { phi, rate, jacobian } = &self.constraint;
        consistent::<S>(layout, jacobian, Level::Position, phi, size(&x.q))?;
        consistent::<S>(layout, jacobian, Level::Velocity, rate, size(&x.v))
    }

    /// G v + Φₜ of `x`; G v for rows that depend on neither time nor velocities, since G is known.
    fn rate_of_rows(&mut self, system: &S, layout: &Layout<'_>, x: &State<S>) -> Result<(), Cause> {
        if layout.rheonomic || layout.kinds.contains(&RowKind::Nonholonomic) {
            system.constraint(x.at(&self.u), &mut self.constraint);
        } else {
            let (sums, v) = (self.constraint.rate.as_mut(), x.v.as_ref());
            sums.fill(S::Real::ZERO);
            layout.jacobian.visit(self.forward.jacobian.as_ref(), |r, c, g| share(sums, r, g, v, c));
        }
        finite(self.constraint.rate.as_ref(), Quantity::Constraint, layout.constraints)
    }

    /// μ, after [`Canonical::take_momentum`]
    #[cfg(feature = "std")]
    pub(crate) fn impulse(&self) -> &S::L {
        &self.row
    }

    /// M
    pub(crate) fn mass(&self) -> &[S::Real] {
        self.forward.mass.as_ref()
    }

    /// Φ
    pub(crate) fn positions(&self) -> &S::L {
        &self.constraint.phi
    }

    /// G
    pub(crate) fn jacobian(&self) -> &S::Jacobian {
        &self.forward.jacobian
    }

    /// f + Ṁ v
    pub(crate) fn force(&self) -> &[S::Real] {
        self.forward.force.as_ref()
    }

    /// g, with no rates of algebraic variables
    pub(crate) fn rates(&self, layout: &Layout<'_>) -> &[S::Real] {
        self.forward.zdot.as_ref().get(..layout.differential()).unwrap_or_default()
    }

    /// z, with the algebraic variables found
    pub(crate) fn states(&self) -> &[S::Real] {
        self.algebraic.z.as_ref()
    }

    /// out += s M v; the patterns of `system` are constants where they come from it.
    pub(crate) fn add_momentum(&self, system: &S, s: S::Real, v: &S::V, out: &mut S::V) {
        let (v, out) = (v.as_ref(), out.as_mut());
        system.layout().mass.visit(self.forward.mass.as_ref(), |r, c, m| {
            share(out, r, s * m, v, c);
            if r != c {
                share(out, c, s * m, v, r);
            }
        });
    }

    /// out += s Gᵀ λ
    pub(crate) fn add_reaction(&self, system: &S, s: S::Real, lambda: &S::L, out: &mut S::V) {
        let (lambda, out) = (lambda.as_ref(), out.as_mut());
        let jacobian = system.layout().jacobian;
        jacobian.visit(self.forward.jacobian.as_ref(), |r, c, g| share(out, c, s * g, lambda, r));
    }
}

/// M, f + Ṁ v, g and G, and Φ where M varies.
fn tabulate<S: Solvable>(
    system: &S,
    at: At<'_, S>,
    rate: &mut S::V,
    forward: &mut Forward<S>,
    constraint: &mut Constraint<S>,
) {
    if system.layout().constant_mass {
        system.forward(at, forward);
    } else {
        system.canonical(at, rate, forward, constraint);
    }
}

/// out\[to\] += m x\[from\]
#[cfg_attr(not(debug_assertions), inline(always))]
fn share<T: Scalar>(out: &mut [T], to: usize, m: T, x: &[T], from: usize) {
    if let (Some(out), Some(&x)) = (out.get_mut(to), x.get(from)) {
        *out += m * x;
    }
}
