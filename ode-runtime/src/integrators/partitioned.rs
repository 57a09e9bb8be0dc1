//! One step of the partitioned methods on (q, p), p = M v: those that treat positions and momenta by turns.
//!
//! With shares α and β of the step h before and after the positions move, α + β = 1, and F = f + Ṁ v:
//!
//! ```text
//! p′ = p + α h F(t, q, vₐ, z′) + G(q, t)ᵀ λ,        M(q, t) vₐ = p′,      z′ = z + α h g(t, q, vₐ, z′)
//! q⁺ = q ⊕ h (α vₐ + β vᵦ),                         M(q⁺, t⁺) vᵦ = p′,    Φ(q⁺, t⁺) = 0
//! p⁺ = p′ + β h F(t⁺, q⁺, vᵦ, z′) + G(q⁺, t⁺)ᵀ μ,   M(q⁺, t⁺) v⁺ = p⁺,    G v⁺ + Φₜ = 0
//! z⁺ = z′ + β h g(t⁺, q⁺, vᵦ, z′)
//! ```
//!
//! λ and μ are impulses. A nonholonomic row A v + b has no Φ: its λ makes A v + b = 0 at the middle,
//! (t + h/2, q ⊕ ½(q⁺ ⊖ q), (q⁺ ⊖ q)/h), and its μ at the end. Compliant rows are forces, within f.
//!
//! (α, β) = (1, 0) and (0, 1) are adjoint to each other, and (½, ½) is their composition, symmetric.
//!
//! The unknowns are w = α vₐ + β vᵦ, z′ and λ; e = vₐ − vᵦ follows from w, and is corrected before it:
//!
//! ```text
//! (α M(q⁺) + β M(q)) δe = M(q⁺) vᵦ − M(q) vₐ
//! K δw − Gᵀ δλ = M(q) v + α h F + Gᵀ λ − α M(q) vₐ − β M(q⁺) vᵦ,   G⁺ δw = −Φ/h
//! ```
//!
//! K is made of tangents of the model. At first it has an error of O(h²); after a coarse correction it is the whole
//! matrix ([`Partitioned::linearize`]). Where a few corrections are enough without it, M(q) takes the place of K and G
//! that of G⁺, because their factors are known already. Broyden's method learns from the corrections what the matrix
//! misses. Iterations go on down to round-off, because any error that is left is a drift of the energy. If M is
//! constant and f does not depend on v, the first guess v + α h a is the solution. Otherwise what the guesses of
//! earlier steps lacked is added to it ([`Foresight`]).

mod equations;
mod matrix;
mod method;
#[cfg(feature = "std")]
mod vary;

pub(crate) use method::partitioned;

use crate::error::{Cause, Quantity};
use crate::integrators::foresight::Foresight;
use crate::model::input::Inputs;
use crate::model::layout::{Block, Layout, RowKind};
use crate::model::linearize::Linearize;
use crate::model::state::{Moment, State, copy};
use crate::model::system::{Constraint, Forward};
use crate::numbers::scalar::{Real, Scalar};
use crate::solve::context::Context;
use crate::solve::solvable::Solvable;
use crate::solve::{Canonical, Change, Correction, Descent, MassFactors, Newton, Secant, Tangent, add};

/// Shares of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares<T> {
    /// of forces at its beginning
    pub(crate) before: T,
    /// of forces at its end
    pub(crate) after: T,
}

/// Scratch of a partitioned step, and the proposal.
#[derive(Debug)]
pub struct Partitioned<S: Solvable + Linearize> {
    pub(crate) next: State<S>,
    /// (t, q, vₐ, z′)
    stage: State<S>,
    /// where nonholonomic rows hold
    middle: State<S>,
    start: Canonical<S>,
    end: Canonical<S>,
    /// residuals, then their correction
    change: Change<S>,
    secant: Secant<S>,
    step: S::V,
    /// h w, and what it changes in the entries of q
    moved: (S::V, S::Q),
    impulse: S::L,
    /// the first guess, and what it lacked
    begun: Change<S>,
    pub(crate) foresight: Foresight<S>,
    /// −Φ/h
    row: S::L,
    u: S::U,
    constraint: Constraint<S>,
    /// α M(q⁺) + β M(q), where M varies
    inertia: Option<MassFactors<S>>,
    /// the matrix of the step's equations
    tangent: Tangent<S>,
    /// values of a second tangent, that at the end of the step
    columns: S::Tangent,
    /// M a little later in the step, for its rate
    near: Forward<S>,
    /// whether this step uses the matrix in `tangent`
    linearized: bool,
    /// G(q⁺, t⁺), of nonholonomic rows A of the middle
    ahead: S::Jacobian,
}

impl<S: Solvable + Linearize> Partitioned<S> {
    pub(crate) fn new(system: &S) -> Self {
        let layout = system.layout();
        let next = State::neutral(system);
        Self {
            stage: next.clone(),
            middle: next.clone(),
            start: Canonical::new(system),
            end: Canonical::new(system),
            change: Change::zeros(&layout),
            ahead: Block::zeros(layout.jacobian.nnz()),
            secant: Secant::new(&layout),
            step: next.v.clone(),
            moved: (next.v.clone(), next.q.clone()),
            begun: Change::zeros(&layout),
            foresight: Foresight::none(system),
            impulse: next.lambda.clone(),
            row: next.lambda.clone(),
            u: Block::zeros(layout.u.len()),
            constraint: Constraint::zeros(&layout),
            inertia: (!layout.constant_mass).then(|| MassFactors::new(&layout)),
            tangent: Tangent::new(system),
            columns: Block::zeros(layout.tangent.nnz()),
            near: Forward::zeros(&layout),
            linearized: false,
            next,
        }
    }

    /// Forgets the factors of earlier points, and refuses models without momenta.
    pub(crate) fn restart<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.start.forget();
        self.end.forget();
        self.start.has_momenta(cx, x, &mut self.end, &mut self.step)
    }

    /// The state at x.t + h into `next`, but for a, ż and λ. If corrections do not converge, it tries once more, with
    /// the matrix of this step and without what the last guess lacked: where steps resolve little, that does not help.
    pub(crate) fn attempt<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        shares: Shares<S::Real>,
        x: &State<S>,
        m: &Foresight<S>,
        h: S::Real,
    ) -> Result<(), Cause> {
        let known = Some(m).filter(|m| m.serves(h));
        let linearize = known.map_or(self.inertia.is_some(), |m| m.linearize);
        let outcome = self.descend(cx, limits, shares, x, (known, m.arrived), linearize, h);
        if outcome.is_err() && (known.is_some() || !linearize) {
            return self.descend(cx, limits, shares, x, (None, m.arrived), true, h);
        }
        outcome
    }

    #[expect(clippy::too_many_arguments, reason = "the equations of a step")]
    fn descend<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        shares: Shares<S::Real>,
        x: &State<S>,
        (m, arrived): (Option<&Foresight<S>>, Option<S::Real>),
        linearize: bool,
        h: S::Real,
    ) -> Result<(), Cause> {
        let shares = Shares { before: h * shares.before, after: h * shares.after };
        self.guess(&cx.system.layout(), shares.before, x, h);
        self.begin(cx, x, arrived)?;
        self.turn(cx, shares.before, x, m, h)?;
        self.foresee(m, h);
        self.place(cx.system, shares, x);
        self.secant.forget();
        self.linearized = false;
        let mut descent = Descent::expecting(m.filter(|m| m.linearized == linearize).and_then(|m| m.ratio(h)));
        for count in 0..limits.iterations {
            let anew = linearize && (count == 0 || descent.coarse());
            if anew {
                self.secant.forget();
            }
            let correction = self.iterate(cx, shares, x, h, (count == 0, anew))?;
            if descent.ends(cx.work, limits, correction)? {
                self.gather();
                self.foresight.learn(m, h, descent.first(), &self.begun, &self.change);
                self.foresight.linearized = linearize;
                self.foresight.linearize = if linearize { count > 0 } else { count > 1 };
                return self.arrive(cx, shares, h);
            }
            self.secant.remember(cx.system, &self.start, &self.change);
        }
        Err(descent.failure(cx.work, limits))
    }

    /// M and G of the beginning, with their factors: those of the end of the step before, where it ended here.
    fn begin<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        arrived: Option<S::Real>,
    ) -> Result<(), Cause> {
        let at = Moment { t: arrived.unwrap_or(x.t), ..x.moment() };
        if self.end.is_factorized_at(&at) {
            core::mem::swap(&mut self.start, &mut self.end);
        }
        if !self.start.is_factorized_at(&at) {
            let work = *cx.work;
            self.start.evaluate(cx, at)?;
            // Whether rows that depend on each other are consistent, the iterations show.
            let _ = self.start.factorize(cx, at)?;
            if arrived.is_some() {
                // Work of a run that was resumed here, and not of one that never stopped: it does not count.
                *cx.work = work;
            }
        }
        Ok(())
    }

    /// The state continued with the rates and multipliers it has.
    fn guess(&mut self, layout: &Layout<'_>, before: S::Real, x: &State<S>, h: S::Real) {
        self.stage.copy_from(x);
        add(self.stage.v.as_mut(), before, x.a.as_ref());
        add(self.stage.z.as_mut(), before, x.zdot.as_ref());
        self.next.copy_from(x);
        self.next.t += h;
        copy(&self.stage.v, &mut self.next.v);
        for (row, (impulse, &lambda)) in self.impulse.as_mut().iter_mut().zip(x.lambda.as_ref()).enumerate() {
            *impulse = if layout.kind(row) == RowKind::Compliant { S::Real::ZERO } else { before * lambda };
        }
    }

    /// Adds to the guess the effect of a varying M, d = M⁻¹ Ṁ v, or the d of the last step if that was as large:
    /// vₐ = v + α h (a + d) and vᵦ = vₐ − h d.
    fn turn<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        before: S::Real,
        x: &State<S>,
        m: Option<&Foresight<S>>,
        h: S::Real,
    ) -> Result<(), Cause> {
        let Some(inertia) = &mut self.inertia else { return Ok(()) };
        let d = &mut self.moved.0;
        match m.filter(|m| m.continues(h)) {
            Some(m) => copy(&m.turn, d),
            // It cancels in their mean, which is all that the first iterate takes of them.
            None if before + before == h => return Ok(()),
            None => {
                cx.system.momentum_rate(x.at(&self.u), d);
                let layout = cx.system.layout();
                inertia.factorize(cx, (S::Real::ONE, &self.start), (S::Real::ZERO, &self.end));
                cx.work.solves += 1;
                inertia.solve(&layout, d)?;
            }
        }
        add(self.stage.v.as_mut(), before, d.as_ref());
        add(self.next.v.as_mut(), before - h, d.as_ref());
        Ok(())
    }

    /// Adds to the guess what that of the last step lacked.
    fn foresee(&mut self, m: Option<&Foresight<S>>, h: S::Real) {
        self.gather();
        self.begun.copy_from(&self.change);
        if let Some(m) = m {
            m.complete(h, &mut self.change);
        }
        copy(&self.change.v[0], &mut self.stage.v);
        copy(&self.change.v[1], &mut self.next.v);
        copy(&self.change.z, &mut self.stage.z);
        copy(&self.change.z, &mut self.next.z);
        copy(&self.change.impulse, &mut self.impulse);
    }

    /// The unknowns as they are into `change`.
    fn gather(&mut self) {
        copy(&self.stage.v, &mut self.change.v[0]);
        copy(&self.next.v, &mut self.change.v[1]);
        copy(&self.stage.z, &mut self.change.z);
        copy(&self.impulse, &mut self.change.impulse);
    }

    /// Corrects vₐ, vᵦ, z′, λ and q⁺.
    fn iterate<'a, U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'a, S, U>,
        shares: Shares<S::Real>,
        x: &State<S>,
        h: S::Real,
        (first, linearize): (bool, bool),
    ) -> Result<Correction<'a, S::Real>, Cause> {
        let (layout, one, zero) = (cx.system.layout(), S::Real::ONE, S::Real::ZERO);
        let ahead = self.inertia.is_some() && shares.after != zero;
        if ahead {
            self.end.weigh(cx, self.next.moment())?;
            if shares.before != zero {
                self.separate(cx, &layout, shares, h, first || linearize)?;
            }
        }
        if shares.before != zero {
            self.start.evaluate(cx, self.stage.moment())?;
        }
        self.residuals(cx.system, shares, x, h);
        let off = self.hold(cx, &layout, x, h, ahead)?;
        if linearize {
            self.linearized = self.linearize(cx, shares, h, first).is_ok();
        }
        let held = self.correct(cx, h)?;
        let bent = self.secant.improve(&mut self.change);
        let Change { v: [w, _], z, impulse } = &self.change;
        add(self.stage.v.as_mut(), one, w.as_ref());
        add(self.next.v.as_mut(), one, w.as_ref());
        add(self.impulse.as_mut(), one, impulse.as_ref());
        let mut correction = Correction::of(off).bent(bent).moving(held, self.moved.1.as_ref(), self.next.q.as_ref());
        correction = correction.with(Quantity::Velocity, w.as_ref(), self.stage.v.as_ref(), layout.directions);
        if shares.before != zero {
            add(self.stage.z.as_mut(), one, z.as_ref());
            copy(&self.stage.z, &mut self.next.z);
            correction = correction.with(Quantity::State, z.as_ref(), self.stage.z.as_ref(), layout.z);
        }
        self.place(cx.system, shares, x);
        Ok(correction)
    }

    /// Takes into the memory what the step to `next` leaves.
    pub(crate) fn remember(&self, next: &State<S>, m: &mut Foresight<S>) {
        m.copy_from(&self.foresight);
        // The driver has rounded the time of its end.
        let slack = S::Real::from_f64(4.0) * S::Real::EPSILON * next.t.abs();
        m.arrived = self.end.time_of_factors(&next.moment(), slack);
    }

    /// v⁺ and z⁺ from vᵦ and z′ where q⁺ is.
    fn arrive<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        shares: Shares<S::Real>,
        h: S::Real,
    ) -> Result<(), Cause> {
        let (layout, one) = (cx.system.layout(), S::Real::ONE);
        self.end.evaluate(cx, self.next.moment())?;
        let Self { step: momentum, start, end, stage, next, inertia, .. } = self;
        momentum.as_mut().fill(S::Real::ZERO);
        // What vₐ − vᵦ lacks has no weight in this mean.
        let (before, after) =
            if inertia.is_some() { (shares.before / h, shares.after / h) } else { (one, S::Real::ZERO) };
        for (share, of, v) in [(before, &*start, &stage.v), (after, &*end, &next.v)] {
            if share != S::Real::ZERO {
                of.add_momentum(cx.system, share, v, momentum);
            }
        }
        add(momentum.as_mut(), shares.after, end.force());
        end.take_momentum(cx, momentum, next)?;
        add(self.next.z.as_mut(), shares.after, self.end.rates(&layout));
        Ok(())
    }
}
