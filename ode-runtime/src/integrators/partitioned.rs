//! One step of the partitioned methods on (q, p), p = M v: those that treat positions and momenta by turns.
//!
//! With shares α and β of the step h before and after the positions move, α + β = 1, and F = f + Ṁ v:
//!
//! ```text
//! p′ = p + α h F(t, q, vₐ, z′) + G(q, t)ᵀ λ,        M(q, t) vₐ = p′,      z′ = z + α h g(t, q, vₐ, z′)
//! q⁺ = q ⊕ h (α vₐ + β vᵦ),                         M(q⁺, t⁺) vᵦ = p′,    Φ(q⁺, t⁺) = 0
//! p⁺ = p′ + β h F(t⁺, q⁺, vᵦ, z′) + G(q⁺, t⁺)ᵀ μ,   M(q⁺, t⁺) v⁺ = p⁺,    G v⁺ + Φₜ = 0,   z⁺ = z′ + β h g(t⁺, q⁺, vᵦ, z′)
//! ```
//!
//! λ and μ are impulses. A nonholonomic row A v + b has no Φ: its λ makes A v + b = 0 at the middle, (t + h/2, q ⊕ ½(q⁺ ⊖ q), (q⁺ ⊖ q)/h),
//! and its μ at the end. Compliant rows are forces, within f.
//!
//! (α, β) = (1, 0) and (0, 1) are adjoint to each other, and (½, ½) is their composition, symmetric.
//!
//! They are solved by corrections with M and [M Gᵀ; G 0] of the beginning, which are O(h) off: with the residuals r₁
//! and r₂ of the momenta p′ of vₐ and vᵦ, and w = δq/h,
//!
//! ```text
//! M w = r₁ + β r₂ + Gᵀ δλ,   G w = −Φ/h,   δvₐ = w − β M⁻¹ r₂,   δvᵦ = w + α M⁻¹ r₂
//! ```
//!
//! and what these matrices miss, by what the corrections have shown of it (Broyden's method): there is no tangent, as
//! M(q) v, Ṁ v and G at the end would be missing in it anyway. They go on until round-off, for what is left of them is
//! lost energy. Where M is constant and f does not depend on v, the first guess v + α h a is the solution. Otherwise what the
//! guesses of the steps before lacked completes it ([`Foresight`]).

mod equations;

use crate::error::{Cause, Quantity};
use crate::input::Inputs;
use crate::integrators::foresight::Foresight;
use crate::method::Context;
use crate::scalar::{Real, Scalar};
use crate::solve::{Canonical, Change, Correction, Descent, MassFactors, Newton, Secant, add};
use crate::state::{Moment, State, copy};
use crate::system::{Block, Constraint, Layout, RowKind, Solvable};

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
pub struct Partitioned<S: Solvable> {
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
    /// whether M does
    varies: bool,
    /// M(q) alone, where there are rows and it changes
    inertia: Option<MassFactors<S>>,
    /// G(q⁺, t⁺), of nonholonomic rows A of the middle
    ahead: S::Jacobian,
    /// scratch of corrections
    leaning: (S::V, S::L),
}

impl<S: Solvable> Partitioned<S> {
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
            leaning: (next.v.clone(), next.lambda.clone()),
            secant: Secant::new(&layout),
            step: next.v.clone(),
            moved: (next.v.clone(), next.q.clone()),
            begun: Change::zeros(&layout),
            foresight: Foresight::none(system),
            impulse: next.lambda.clone(),
            row: next.lambda.clone(),
            u: Block::zeros(layout.u.len()),
            constraint: Constraint::zeros(&layout),
            varies: !layout.constant_mass,
            inertia: (!layout.constant_mass && !layout.constraints.is_empty()).then(|| MassFactors::new(&layout)),
            next,
        }
    }

    /// Refuses models without momenta.
    pub(crate) fn restart<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.start.has_momenta(cx, x, &mut self.end, &mut self.step)
    }

    /// The state at x.t + h into `next`, but for a, ż and λ. Where steps resolve little the last guess says nothing of
    /// this one.
    pub(crate) fn attempt<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        shares: Shares<S::Real>,
        x: &State<S>,
        m: &Foresight<S>,
        h: S::Real,
    ) -> Result<(), Cause> {
        match self.descend(cx, limits, shares, x, Some(m), h) {
            Err(Cause::Newton { .. }) if m.serves(h) => self.descend(cx, limits, shares, x, None, h),
            outcome => outcome,
        }
    }

    fn descend<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        shares: Shares<S::Real>,
        x: &State<S>,
        m: Option<&Foresight<S>>,
        h: S::Real,
    ) -> Result<(), Cause> {
        let shares = Shares { before: h * shares.before, after: h * shares.after };
        let m = m.filter(|m| m.serves(h));
        self.guess(&cx.system.layout(), shares.before, x, h);
        self.begin(cx, x, m)?;
        self.turn(cx, shares.before, x, m, h)?;
        self.foresee(m, h);
        self.place(cx.system, shares, x);
        self.secant.forget();
        let mut descent = Descent::expecting(m.and_then(|m| m.ratio(h)));
        for _ in 0..limits.iterations {
            if shares.before != S::Real::ZERO {
                self.start.evaluate(cx, self.stage.moment())?;
            }
            let correction = self.iterate(cx, shares, x, h)?;
            if descent.ends(cx.work, limits, correction)? {
                self.gather();
                self.foresight.learn(m, h, descent.first(), &self.begun, &self.change);
                return self.arrive(cx, shares.after);
            }
            self.secant.remember(&cx.system.layout(), &self.start, &self.change);
        }
        Err(descent.failure(cx.work, limits))
    }

    /// M and G of the beginning, with their factors: those of the end of the step before, where it ended here.
    fn begin<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: Option<&Foresight<S>>,
    ) -> Result<(), Cause> {
        let arrived = m.and_then(|m| m.arrived);
        let at = Moment { t: arrived.unwrap_or(x.t), ..x.moment() };
        if self.end.stands_at(&at) {
            core::mem::swap(&mut self.start, &mut self.end);
        }
        if !self.start.stands_at(&at) {
            let work = *cx.work;
            self.start.evaluate(cx, at)?;
            // Whether rows that depend on each other are consistent, the iterations show.
            let _ = self.start.factorize(cx, at)?;
            if arrived.is_some() {
                // Work of a run that was resumed here, and not of one that never stopped: it does not count.
                *cx.work = work;
            }
        }
        if let Some(inertia) = &mut self.inertia {
            inertia.factorize(cx.work, &cx.system.layout(), &self.start);
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

    /// Adds to it what M does as it changes, d = M⁻¹ Ṁ v, or did in a last step as large: vₐ = v + α h (a + d) and vᵦ = vₐ − h d.
    fn turn<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        before: S::Real,
        x: &State<S>,
        m: Option<&Foresight<S>>,
        h: S::Real,
    ) -> Result<(), Cause> {
        if !self.varies {
            return Ok(());
        }
        let d = &mut self.moved.0;
        match m.filter(|m| m.continues(h)) {
            Some(m) => copy(&m.turn, d),
            None => {
                cx.system.momentum_rate(x.at(&self.u), d);
                match &mut self.inertia {
                    Some(inertia) => inertia.solve(cx.work, &cx.system.layout(), d)?,
                    None => self.start.solve(cx.work, d, &mut self.row),
                }
            }
        }
        add(self.stage.v.as_mut(), before, d.as_ref());
        add(self.next.v.as_mut(), before - h, d.as_ref());
        Ok(())
    }

    /// Adds to it what the last guess lacked.
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
    ) -> Result<Correction<'a, S::Real>, Cause> {
        let (layout, one) = (cx.system.layout(), S::Real::ONE);
        let two = self.varies && shares.after != S::Real::ZERO;
        self.residuals(cx, &layout, shares, x, two)?;
        let off = self.hold(cx, &layout, x, h)?;
        let held = self.correct(cx, &layout, shares, h, two)?;
        self.secant.improve(&mut self.change);
        let Change { v: [va, vb], z, impulse } = &self.change;
        add(self.stage.v.as_mut(), one, va.as_ref());
        add(self.impulse.as_mut(), one, impulse.as_ref());
        let mut correction = Correction::of(off).holding(held, self.moved.1.as_ref(), self.next.q.as_ref());
        correction = correction.with(Quantity::Velocity, va.as_ref(), self.stage.v.as_ref(), layout.motion());
        if shares.before != S::Real::ZERO {
            add(self.stage.z.as_mut(), one, z.as_ref());
            copy(&self.stage.z, &mut self.next.z);
            correction = correction.with(Quantity::State, z.as_ref(), self.stage.z.as_ref(), layout.z);
        }
        if two {
            add(self.next.v.as_mut(), one, vb.as_ref());
            correction = correction.with(Quantity::Velocity, vb.as_ref(), self.next.v.as_ref(), layout.motion());
        } else {
            copy(&self.stage.v, &mut self.next.v);
        }
        self.place(cx.system, shares, x);
        Ok(correction)
    }

    /// Takes into the memory what the step to `next` leaves.
    pub(crate) fn remember(&self, next: &State<S>, m: &mut Foresight<S>) {
        m.copy_from(&self.foresight);
        // The driver has rounded the time of its end.
        let slack = S::Real::from_f64(4.0) * S::Real::EPSILON * next.t.abs();
        m.arrived = self.end.stands_by(&next.moment(), slack);
    }

    /// v⁺ and z⁺ from vᵦ and z′ where q⁺ is.
    fn arrive<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, after: S::Real) -> Result<(), Cause> {
        let (layout, one) = (cx.system.layout(), S::Real::ONE);
        self.end.evaluate(cx, self.next.moment())?;
        let Self { step: momentum, start, end, stage, next, .. } = self;
        momentum.as_mut().fill(S::Real::ZERO);
        start.add_momentum(&layout, one, &stage.v, momentum);
        add(momentum.as_mut(), after, end.force());
        end.land(cx, momentum, next)?;
        add(self.next.z.as_mut(), after, self.end.rates(&layout));
        Ok(())
    }
}

/// Implements [`Method`](crate::Method) under a name by a partitioned step with the shares `self.shares()`.
macro_rules! partitioned {
    ($method:ident, $name:literal) => {
        impl<S: Solvable> Method<S> for $method<S::Real> {
            type Memory = $crate::integrators::foresight::Foresight<S>;
            type Scratch = Partitioned<S>;

            fn name(&self) -> &'static str {
                $name
            }

            fn scratch(&self, system: &S) -> Partitioned<S> {
                Partitioned::new(system)
            }

            fn check(&self) -> Result<(), Cause> {
                self.newton.check()
            }

            fn restart<U: Inputs<S>>(
                &self,
                cx: &mut Context<'_, S, U>,
                x: &mut State<S>,
                _h: S::Real,
                w: &mut Partitioned<S>,
                _acceleration: &mut Acceleration<S>,
            ) -> Result<Self::Memory, Cause> {
                w.restart(cx, x)?;
                Ok($crate::integrators::foresight::Foresight::none(cx.system))
            }

            fn attempt<U: Inputs<S>>(
                &self,
                cx: &mut Context<'_, S, U>,
                x: &State<S>,
                m: &Self::Memory,
                h: S::Real,
                w: &mut Partitioned<S>,
                next: &mut Proposal<S>,
            ) -> Result<(), Cause> {
                w.attempt(cx, &self.newton, self.shares(), x, m, h)?;
                next.x.copy_from(&w.next);
                Ok(())
            }

            fn remember(&self, _x: &State<S>, next: &State<S>, m: &mut Self::Memory, w: &mut Partitioned<S>) {
                w.remember(next, m);
            }
        }
    };
}
pub(crate) use partitioned;
