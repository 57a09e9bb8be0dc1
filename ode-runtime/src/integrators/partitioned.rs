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
//! The equations are solved by iterations with [M Gᵀ; G 0] of the beginning, a ratio of O(h) apart: there is no tangent, as M(q) v, Ṁ v and
//! G at the end would be missing in it anyway. They go on until round-off, for what is left of them is lost energy. Where M is
//! constant and f does not depend on v, the first guess v + α h a is the solution.

use crate::error::{Cause, Quantity};
use crate::input::Inputs;
use crate::linalg::Square;
use crate::method::Context;
use crate::scalar::{Real, Scalar};
use crate::solve::{Acceleration, Canonical, Correction, Descent, Newton, add, norm, undetermined};
use crate::state::{State, copy, finite};
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
pub struct Partitioned<S: Solvable> {
    pub(crate) next: State<S>,
    pub(crate) finish: Acceleration<S>,
    /// (t, q, vₐ, z′)
    stage: State<S>,
    /// where nonholonomic rows hold
    middle: State<S>,
    start: Canonical<S>,
    end: Canonical<S>,
    momentum: S::V,
    /// a residual, then its correction
    velocity: S::V,
    change: S::Z,
    step: S::V,
    impulse: S::L,
    row: S::L,
    u: S::U,
    constraint: Constraint<S>,
    /// M(q⁺) alone, where there are rows and it is another than M(q)
    mass: Option<S::Assembly>,
}

impl<S: Solvable> core::fmt::Debug for Partitioned<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Partitioned").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<S: Solvable> Partitioned<S> {
    pub(crate) fn new(system: &S) -> Self {
        let layout = system.layout();
        let next = State::neutral(system);
        Self {
            finish: Acceleration::new(system),
            stage: next.clone(),
            middle: next.clone(),
            start: Canonical::new(system),
            end: Canonical::new(system),
            momentum: next.v.clone(),
            velocity: next.v.clone(),
            change: next.z.clone(),
            step: next.v.clone(),
            impulse: next.lambda.clone(),
            row: next.lambda.clone(),
            u: Block::zeros(layout.u.len()),
            constraint: Constraint::zeros(&layout),
            mass: (!layout.constant_mass && !layout.constraints.is_empty()).then(|| S::Assembly::new(&layout)),
            next,
        }
    }

    /// Refuses models without momenta.
    pub(crate) fn restart<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, x: &State<S>) -> Result<(), Cause> {
        self.start.has_momenta(cx, x, &mut self.end, &mut self.velocity)
    }

    /// The state at x.t + h into `next`, but for a, ż and λ.
    pub(crate) fn attempt<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        limits: &Newton<S::Real>,
        shares: Shares<S::Real>,
        x: &State<S>,
        h: S::Real,
    ) -> Result<(), Cause> {
        let shares = Shares { before: h * shares.before, after: h * shares.after };
        self.guess(cx, x, h, shares.before);
        let mut descent = Descent::new();
        for iteration in 0..limits.iterations {
            if iteration == 0 || shares.before != S::Real::ZERO {
                self.start.evaluate(cx, self.stage.moment())?;
            }
            if iteration == 0 {
                self.start.factorize(cx)?;
                self.momentum.as_mut().fill(S::Real::ZERO);
                self.start.add_momentum(&cx.system.layout(), S::Real::ONE, &x.v, &mut self.momentum);
            }
            let correction = self.iterate(cx, shares, x, h)?;
            if descent.ends(cx.work, limits, correction)? {
                return self.arrive(cx, shares.after);
            }
        }
        Err(descent.failure(cx.work, limits))
    }

    /// The state continued with the rates and multipliers it has.
    fn guess<U: Inputs<S>>(&mut self, cx: &Context<'_, S, U>, x: &State<S>, h: S::Real, before: S::Real) {
        let layout = cx.system.layout();
        self.stage.copy_from(x);
        add(self.stage.v.as_mut(), before, x.a.as_ref());
        add(self.stage.z.as_mut(), before, x.zdot.as_ref());
        self.next.copy_from(x);
        self.next.t += h;
        copy(&self.stage.v, &mut self.next.v);
        copy(&self.stage.z, &mut self.next.z);
        for (row, (impulse, &lambda)) in self.impulse.as_mut().iter_mut().zip(x.lambda.as_ref()).enumerate() {
            *impulse = if layout.kind(row) == RowKind::Compliant { S::Real::ZERO } else { before * lambda };
        }
        self.step.as_mut().fill(S::Real::ZERO);
        add(self.step.as_mut(), h, self.stage.v.as_ref());
        cx.system.retract(&x.q, &self.step, &mut self.next.q);
    }

    /// Corrects vₐ, vᵦ, z′, λ and q⁺.
    fn iterate<U: Inputs<S>>(
        &mut self,
        cx: &mut Context<'_, S, U>,
        shares: Shares<S::Real>,
        x: &State<S>,
        h: S::Real,
    ) -> Result<Correction<S::Real>, Cause> {
        let (layout, one) = (cx.system.layout(), S::Real::ONE);
        copy(&self.momentum, &mut self.velocity);
        add(self.velocity.as_mut(), shares.before, self.start.force());
        self.start.add_reaction(&layout, one, &self.impulse, &mut self.velocity);
        self.start.add_momentum(&layout, -one, &self.stage.v, &mut self.velocity);
        let off = self.hold(cx, &layout, x, h)?;
        self.start.solve(&mut self.velocity, &mut self.row);
        add(self.stage.v.as_mut(), one, self.velocity.as_ref());
        add(self.impulse.as_mut(), one, self.row.as_ref());
        let v = self.stage.v.as_ref();
        let mut correction = Correction::of(off).with(Quantity::Velocity, self.velocity.as_ref(), v, layout.motion());
        if shares.before != S::Real::ZERO {
            self.advance_states(&layout, shares.before, x);
            correction = correction.with(Quantity::State, self.change.as_ref(), self.stage.z.as_ref(), layout.z);
        }
        if layout.constant_mass || shares.after == S::Real::ZERO {
            copy(&self.stage.v, &mut self.next.v);
        } else {
            add(self.next.v.as_mut(), one, self.velocity.as_ref());
            self.place(cx.system, shares, x);
            self.carry(cx, &layout)?;
            correction =
                correction.with(Quantity::Velocity, self.velocity.as_ref(), self.next.v.as_ref(), layout.motion());
        }
        self.place(cx.system, shares, x);
        Ok(correction)
    }

    /// q⁺ with vₐ and vᵦ as they are.
    fn place(&mut self, system: &S, shares: Shares<S::Real>, x: &State<S>) {
        self.step.as_mut().fill(S::Real::ZERO);
        add(self.step.as_mut(), shares.before, self.stage.v.as_ref());
        add(self.step.as_mut(), shares.after, self.next.v.as_ref());
        system.retract(&x.q, &self.step, &mut self.next.q);
    }

    /// What the rows need of G δv into `row`; the largest |Φ| and |A v + b|.
    fn hold<U: Inputs<S>>(
        &mut self,
        cx: &Context<'_, S, U>,
        layout: &Layout<'_>,
        x: &State<S>,
        h: S::Real,
    ) -> Result<S::Real, Cause> {
        if layout.constraints.is_empty() {
            return Ok(S::Real::ZERO);
        }
        let minus = -S::Real::ONE;
        cx.system.constraint(self.next.at(&self.u), &mut self.constraint);
        finite(self.constraint.phi.as_ref(), Quantity::Constraint, layout.constraints)?;
        let mut off = norm(self.constraint.phi.as_ref());
        self.row.as_mut().fill(S::Real::ZERO);
        add(self.row.as_mut(), minus / h, self.constraint.phi.as_ref());
        if layout.kinds.contains(&RowKind::Nonholonomic) {
            let (half, middle) = (S::Real::from_f64(0.5), &mut self.middle);
            middle.t = x.t + half * h;
            for ((v, a), &step) in middle.v.as_mut().iter_mut().zip(middle.a.as_mut()).zip(self.step.as_ref()) {
                (*v, *a) = (step / h, half * step);
            }
            cx.system.retract(&x.q, &middle.a, &mut middle.q);
            cx.system.constraint(middle.at(&self.u), &mut self.constraint);
            let rows = self.row.as_mut().iter_mut().zip(self.constraint.rate.as_ref()).enumerate();
            for (_, (row, &rate)) in rows.filter(|(row, _)| layout.kind(*row) == RowKind::Nonholonomic) {
                *row = -rate;
                off = off.max(rate.abs());
            }
        }
        Ok(off)
    }

    /// z′ = z + α h g, algebraic variables as found; its correction into `change`.
    fn advance_states(&mut self, layout: &Layout<'_>, before: S::Real, x: &State<S>) {
        let rates = self.start.rates(layout).iter().copied().map(Some).chain(core::iter::repeat(None));
        let values = self.stage.z.as_mut().iter_mut().zip(x.z.as_ref()).zip(self.start.states());
        for ((((z, &old), &found), rate), change) in values.zip(rates).zip(self.change.as_mut()) {
            let new = rate.map_or(found, |rate| old + before * rate);
            *change = new - *z;
            *z = new;
        }
        copy(&self.stage.z, &mut self.next.z);
    }

    /// vᵦ = M(q⁺)⁻¹ p′ where q⁺ is; its correction into `velocity`.
    fn carry<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, layout: &Layout<'_>) -> Result<(), Cause> {
        self.end.evaluate(cx, self.next.moment())?;
        self.velocity.as_mut().fill(S::Real::ZERO);
        self.start.add_momentum(layout, S::Real::ONE, &self.stage.v, &mut self.velocity);
        self.end.add_momentum(layout, -S::Real::ONE, &self.next.v, &mut self.velocity);
        if let Some(mass) = &mut self.mass {
            // M alone: the rows hold q⁺ and v⁺, not vᵦ.
            let size = mass.size();
            self.end.spread_mass(layout, size, mass.entries());
            mass.rhs().fill(S::Real::ZERO);
            for (b, &x) in mass.rhs().iter_mut().zip(self.velocity.as_ref()) {
                *b = x;
            }
            cx.work.factorizations += 1;
            mass.solve().map_err(|singular| undetermined(layout, 0, singular))?;
            for (x, &b) in self.velocity.as_mut().iter_mut().zip(mass.rhs().iter()) {
                *x = b;
            }
        } else {
            self.end.factorize(cx)?;
            self.end.solve(&mut self.velocity, &mut self.row);
        }
        add(self.next.v.as_mut(), S::Real::ONE, self.velocity.as_ref());
        Ok(())
    }

    /// v⁺ and z⁺ from vᵦ and z′ where q⁺ is.
    fn arrive<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, after: S::Real) -> Result<(), Cause> {
        let (layout, one) = (cx.system.layout(), S::Real::ONE);
        self.end.evaluate(cx, self.next.moment())?;
        self.velocity.as_mut().fill(S::Real::ZERO);
        self.start.add_momentum(&layout, one, &self.stage.v, &mut self.velocity);
        add(self.velocity.as_mut(), after, self.end.force());
        self.end.land(cx, &mut self.velocity, &mut self.next)?;
        add(self.next.z.as_mut(), after, self.end.rates(&layout));
        Ok(())
    }
}

/// Implements [`Method`](crate::Method) under a name by a partitioned step with the shares `self.shares()`.
macro_rules! partitioned {
    ($method:ident, $name:literal) => {
        impl<S: Solvable> Method<S> for $method<S::Real> {
            type Memory = ();
            type Workspace = Partitioned<S>;

            fn name(&self) -> &'static str {
                $name
            }

            fn workspace(&self, system: &S) -> Partitioned<S> {
                Partitioned::new(system)
            }

            fn check(&self) -> Result<(), Cause> {
                self.newton.check()
            }

            fn restart<U: Inputs<S>>(
                &self,
                cx: &mut Context<'_, S, U>,
                x: &State<S>,
                _h: S::Real,
                w: &mut Partitioned<S>,
            ) -> Result<(), Cause> {
                w.restart(cx, x)
            }

            fn attempt<U: Inputs<S>>(
                &self,
                cx: &mut Context<'_, S, U>,
                x: &State<S>,
                (): &(),
                h: S::Real,
                w: &mut Partitioned<S>,
            ) -> Result<(), Cause> {
                w.attempt(cx, &self.newton, self.shares(), x, h)
            }

            fn proposal<'w>(&self, w: &'w mut Partitioned<S>) -> &'w mut State<S> {
                &mut w.next
            }

            fn finish<U: Inputs<S>>(&self, cx: &mut Context<'_, S, U>, w: &mut Partitioned<S>) -> Result<(), Cause> {
                w.finish.settle(cx, &mut w.next)
            }

            fn commit(&self, x: &mut State<S>, (): &mut (), w: &mut Partitioned<S>) {
                x.copy_from(&w.next);
            }
        }
    };
}
pub(crate) use partitioned;
