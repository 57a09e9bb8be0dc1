//! Runge–Kutta–Merson with error control and coordinate projection.
//!
//! # Scheme
//! The five stages of Merson on y = (θ, v, z), where q = qₙ ⊕ θ, accelerations from the constraints' second derivative:
//!
//! ```text
//! θ̇ = T(θ)⁻¹ v,   v̇ = a(t, qₙ ⊕ θ, v, z),   ż = g(t, qₙ ⊕ θ, v, z),   θ = 0 at tₙ
//!
//! 0   |
//! 1/3 | 1/3
//! 1/3 | 1/6   1/6
//! 1/2 | 1/8   0     3/8
//! 1   | 1/2   0    −3/2   2
//!     | 1/6   0     0     2/3   1/6
//! ```
//!
//! θ is in a vector space, in which Runge–Kutta's sums make sense: so the attitude of a rotation stays one, and order and estimate
//! are those of the tableau. Where N = 1, T = 1 and θ is q − qₙ. Rotations take steps of less than half a turn.
//!
//! The error estimate is a fifth of the difference between the solution and the last stage, in the largest entry of y, absolute.
//! The derivative at the end of an accepted, projected step is that of the next step's beginning.
//!
//! First-order models, D v = f, have y = (q, z) and the velocities of each stage from the same solve.
//!
//! # Properties
//! Order 4; the estimate behaves as h⁴. Explicit: stable for h |λ| up to about 3. Constraints hold to the tolerance of the projection;
//! without projection they drift as the error does.
//!
//! # Needs
//! `Solvable`.
//!
//! # Reference
//! Simbody's `GeodesicIntegrator` (SimTKmath, `GeodesicIntegrator.h`), step for step with its controller in the driver;
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, table II.4.1; H. Munthe-Kaas, High order Runge–Kutta
//! methods on manifolds, Applied Numerical Mathematics 29 (1999) 115–127, for θ.

use crate::error::{Cause, Name, Quantity};
use crate::input::Inputs;
use crate::integrators::Slopes;
use crate::method::{Context, Estimate, Estimates, Method};
use crate::scalar::{Real, Scalar};
use crate::solve::{Acceleration, add};
use crate::state::{State, copy, finite};
use crate::system::{Layout, Solvable};

/// Stages before the last column: row i gives stage i + 1.
const A: [[f64; 4]; 4] =
    [[1.0 / 3.0, 0.0, 0.0, 0.0], [1.0 / 6.0, 1.0 / 6.0, 0.0, 0.0], [0.125, 0.0, 0.375, 0.0], [0.5, 0.0, -1.5, 2.0]];
const C: [f64; 4] = [1.0 / 3.0, 1.0 / 3.0, 0.5, 1.0];
const B: [f64; 5] = [1.0 / 6.0, 0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0];

// Every row sums to its node, and the weights to one.
const _: () = {
    let mut i = 0;
    while i < 4 {
        assert!(near(A[i][0] + A[i][1] + A[i][2] + A[i][3], C[i]));
        i += 1;
    }
    assert!(near(B[0] + B[1] + B[2] + B[3] + B[4], 1.0));
};

const fn near(a: f64, b: f64) -> bool {
    let d = a - b;
    d < 1e-15 && d > -1e-15
}

/// Runge–Kutta–Merson 4(3) with projection, Simbody's `GeodesicIntegrator`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Geodesic;

impl Estimates for Geodesic {
    const ORDER: u32 = 4;
}

/// Scratch: the proposal, the derivatives of the stages, and the state before the last stage's weights.
pub struct Scratch<S: Solvable> {
    x: State<S>,
    velocities: [S::V; 5],
    slopes: [Slopes<S>; 5],
    step: S::V,
    error: Estimate<S>,
    acceleration: Acceleration<S>,
}

impl<S: Solvable> core::fmt::Debug for Scratch<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scratch").field("x", &self.x).finish_non_exhaustive()
    }
}

impl<S: Solvable> Scratch<S> {
    /// Puts `from` + h Σ wᵢ kᵢ into the proposal.
    fn combine(&mut self, system: &S, from: &State<S>, h: S::Real, weights: &[f64]) {
        self.step.as_mut().fill(S::Real::ZERO);
        copy(&from.v, &mut self.x.v);
        copy(&from.z, &mut self.x.z);
        for ((&weight, v), k) in weights.iter().zip(&self.velocities).zip(&self.slopes) {
            if weight != 0.0 {
                let scale = h * S::Real::from_f64(weight);
                add(self.step.as_mut(), scale, v.as_ref());
                add(self.x.v.as_mut(), scale, k.a.as_ref());
                add(self.x.z.as_mut(), scale, k.zdot.as_ref());
            }
        }
        system.retract(&from.q, &self.step, &mut self.x.q);
    }

    /// Stage `i` where the proposal stands.
    fn evaluate<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, i: usize) -> Result<(), Cause> {
        let at = self.x.moment();
        if let (Some(k), Some(velocity)) = (self.slopes.get_mut(i), self.velocities.get_mut(i)) {
            self.acceleration.evaluate(cx, at, &mut k.a, &mut k.zdot, &mut k.lambda)?;
            if cx.system.layout().first_order() {
                cx.system.step_rate(&self.step, &k.a, velocity);
                k.a.as_mut().fill(S::Real::ZERO);
            } else {
                cx.system.step_rate(&self.step, at.v, velocity);
            }
        }
        Ok(())
    }

    /// The stages and the proposal.
    fn solve<U: Inputs<S>>(&mut self, cx: &mut Context<'_, S, U>, from: &State<S>, h: S::Real) -> Result<(), Cause> {
        for (i, (row, &c)) in A.iter().zip(&C).enumerate() {
            self.combine(cx.system, from, h, row);
            self.x.t = from.t + h * S::Real::from_f64(c);
            self.evaluate(cx, i + 1)?;
        }
        self.combine(cx.system, from, h, &B);
        self.x.t = from.t + h;
        let layout = cx.system.layout();
        finite(self.x.q.as_ref(), Quantity::Coordinate, layout.q)?;
        finite(self.x.v.as_ref(), Quantity::Velocity, layout.v)?;
        finite(self.x.z.as_ref(), Quantity::State, layout.z)
    }

    /// The rate of a stage that has none, where steps end before they turn too far.
    fn half_turn(&mut self, layout: &Layout<'_>) -> Option<Cause> {
        let none = |rates: &S::V| rates.as_ref().iter().position(|rate| !(rate.abs() <= S::Real::INFINITY));
        let index = self.velocities.iter().find_map(none)?;
        // The next attempt may fail for another reason before it has come to this stage.
        self.velocities.iter_mut().for_each(|rates| rates.as_mut().fill(S::Real::ZERO));
        Some(Cause::HalfTurn { name: Name::of(layout.v, index) })
    }

    /// The estimate: h Σ (bᵢ − a₅ᵢ)/5 kᵢ.
    fn estimate(&mut self, h: S::Real) {
        let Estimate { q, v, z } = &mut self.error;
        q.as_mut().fill(S::Real::ZERO);
        v.as_mut().fill(S::Real::ZERO);
        z.as_mut().fill(S::Real::ZERO);
        for (i, (velocity, k)) in self.velocities.iter().zip(&self.slopes).enumerate() {
            let last = if i < 4 { A[3][i] } else { 0.0 };
            let weight = h * S::Real::from_f64((B[i] - last) / 5.0);
            add(q.as_mut(), weight, velocity.as_ref());
            add(v.as_mut(), weight, k.a.as_ref());
            add(z.as_mut(), weight, k.zdot.as_ref());
        }
    }
}

impl<S: Solvable> Method<S> for Geodesic {
    type Memory = Slopes<S>;
    type Workspace = Scratch<S>;

    fn name(&self) -> &'static str {
        "Merson 4(3)"
    }

    fn workspace(&self, system: &S) -> Scratch<S> {
        let x = State::zeros(system);
        let slopes = || Slopes::zeros(system);
        Scratch {
            velocities: [(); 5].map(|()| x.v.clone()),
            slopes: [(); 5].map(|()| slopes()),
            step: x.v.clone(),
            error: Estimate::zeros(system),
            x,
            acceleration: Acceleration::new(system),
        }
    }

    fn restart<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        _h: S::Real,
        w: &mut Scratch<S>,
    ) -> Result<Slopes<S>, Cause> {
        w.x.copy_from(x);
        self.finish(cx, w)?;
        let mut slopes = Slopes::zeros(cx.system);
        slopes.take(&w.x);
        Ok(slopes)
    }

    fn attempt<U: Inputs<S>>(
        &self,
        cx: &mut Context<'_, S, U>,
        x: &State<S>,
        m: &Slopes<S>,
        h: S::Real,
        w: &mut Scratch<S>,
    ) -> Result<(), Cause> {
        let [first, ..] = &mut w.slopes;
        copy(&m.a, &mut first.a);
        copy(&m.zdot, &mut first.zdot);
        let [velocity, ..] = &mut w.velocities;
        copy(&x.v, velocity);
        copy(&x.modes, &mut w.x.modes);
        if let Err(cause) = w.solve(cx, x, h) {
            return Err(w.half_turn(&cx.system.layout()).unwrap_or(cause));
        }
        w.estimate(h);
        Ok(())
    }

    fn estimate<'w>(&self, w: &'w mut Scratch<S>) -> Option<&'w mut Estimate<S>> {
        Some(&mut w.error)
    }

    fn proposal<'w>(&self, w: &'w mut Scratch<S>) -> &'w mut State<S> {
        &mut w.x
    }

    fn finish<U: Inputs<S>>(&self, cx: &mut Context<'_, S, U>, w: &mut Scratch<S>) -> Result<(), Cause> {
        w.acceleration.settle(cx, &mut w.x)
    }

    fn commit(&self, x: &mut State<S>, m: &mut Slopes<S>, w: &mut Scratch<S>) {
        x.copy_from(&w.x);
        m.take(&w.x);
    }
}
