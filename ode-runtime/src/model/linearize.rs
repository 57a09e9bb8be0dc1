//! The model's interface to implicit methods: its weighted tangent.

use crate::model::layout::{Block, Layout};
use crate::model::system::{At, Rates, Residual, System};
use crate::numbers::scalar::{Real, Scalar};

/// Factors of ∂/∂(a, ż), ∂/∂v, ∂/∂q and ∂/∂z in the one weighted tangent.
///
/// K, D and M are its unit weights; an implicit method passes the factors of its history formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights<T> {
    /// of ∂/∂a and ∂/∂ż
    pub rates: T,
    /// of ∂/∂v
    pub velocity: T,
    /// of ∂/∂q (tangent)
    pub position: T,
    /// of ∂/∂z
    pub state: T,
}

impl<T: Scalar> Weights<T> {
    const NONE: Self = Self { rates: T::ZERO, velocity: T::ZERO, position: T::ZERO, state: T::ZERO };
    /// Those of K = ∂r/∂q and the other derivatives by q.
    pub const POSITION: Self = Self { position: T::ONE, ..Self::NONE };
    /// Those of D = ∂r/∂v and the other derivatives by v.
    pub const VELOCITY: Self = Self { velocity: T::ONE, ..Self::NONE };
    /// Those of derivatives by z.
    pub const STATE: Self = Self { state: T::ONE, ..Self::NONE };

    /// The weighted tangent of `system` at `at`, at `step` = 0; values in the order of `Layout::tangent`.
    // inlined, so that nothing is computed for a weight that is zero
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn tangent<S: Linearize<Real = T>>(self, system: &S, at: At<'_, S>, rates: Rates<'_, S>) -> S::Tangent {
        let layout = system.layout();
        let mut residual = Residual::zeros(&layout);
        let mut tangent = Block::zeros(layout.tangent.nnz());
        system.tangent(at, rates, self, &Block::zeros(layout.v.len()), &mut residual, &mut tangent);
        tangent
    }

    /// The same where a, ż and λ are zero: its blocks are −∂f and −∂g. In models of first order v has to be zero too.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn tangent_without_rates<S: Linearize<Real = T>>(self, system: &S, at: At<'_, S>) -> S::Tangent {
        let layout = system.layout();
        let (a, zdot) = (S::V::zeros(layout.v.len()), S::Z::zeros(layout.z.len()));
        let lambda = S::L::zeros(layout.constraints.len());
        self.tangent(system, at, Rates { a: &a, zdot: &zdot, lambda: &lambda })
    }
}

/// What implicit methods need on top.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tangent (`Linearize`)",
    label = "implicit and symplectic methods, statics and linearisations need a tangent",
    note = "models of `model!` have one; a system written by hand implements `Linearize`",
    note = "semi-explicit and Runge–Kutta methods, such as `Leapfrog` and `DormandPrince8`, need none"
)]
pub trait Linearize: System {
    /// nonzeros of the bordered tangent
    type Tangent: Block<Self::Real>;

    /// Whether Newton's iterations have K as it is. If not, they converge linearly.
    const NEWTON_IS_EXACT: bool = true;

    /// The residual and its weighted derivative in one fused call.
    ///
    /// With weights (ρ, ν, π, σ) the matrix is, in the order (v, z, λ) of rows and unknowns,
    ///
    /// ```text
    /// [ ρ ∂r/∂a + ν ∂r/∂v + π ∂r/∂q   σ ∂r/∂z        −Gᵀ ]
    /// [ −ν ∂g/∂v − π ∂g/∂q            ρ 1 − σ ∂g/∂z    0 ]
    /// [ π G                           0               0 ]
    /// ```
    ///
    /// A nonholonomic row has ν A + π ∂ψ/∂q instead of π G; a compliant row has its own derivatives and E on the
    /// diagonal.
    ///
    /// where ∂r is that of the **whole** residual, with ∂(M a)/∂q and −∂(Gᵀλ)/∂q. Values are in the order of
    /// `Layout::tangent`.
    ///
    /// `at.q` is q₀ ⊕ `step`, and the position columns are derivatives with respect to the step: ∂/∂q, of nv columns,
    /// times T(step), in G of the last row too. Where N = 1, T = 1 and `step` is not read.
    fn tangent(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<Self::Real>,
        step: &Self::V,
        residual: &mut Residual<Self>,
        out: &mut Self::Tangent,
    );

    /// [`Linearize::tangent`], and the product of its part with π, its columns of velocities, with the velocity `at.v`:
    ///
    /// ```text
    /// π ∂r/∂q v,   −π ∂g/∂q v,   π G v
    /// ```
    ///
    /// and of other rows what they have with π. A linearised step needs both at the same point. The default calls
    /// `tangent` twice, and multiplies; `#[model(emit(linearized))]` emits a call of its own.
    fn tangent_and_drift(
        &self,
        at: At<'_, Self>,
        rates: Rates<'_, Self>,
        weights: Weights<Self::Real>,
        step: &Self::V,
        (residual, out): (&mut Residual<Self>, &mut Self::Tangent),
        drift: &mut Residual<Self>,
    ) {
        let zero = Self::Real::ZERO;
        let position = Weights { rates: zero, velocity: zero, position: weights.position, state: zero };
        self.tangent(at, rates, position, step, residual, out);
        let layout = self.layout();
        multiply::<Self>(&layout, out.as_ref(), at.v, layout.tangent.rows, drift);
        self.tangent(at, rates, weights, step, residual, out);
    }

    /// Adds π (K̃ − K) to a tangent, where K̃ is the stiffness that Newton's iterations use instead of K, in
    /// implicit steps and in statics. π is `weights.position`. Nothing by default, and nothing where K̃ = K.
    ///
    /// Iterations end where the residual vanishes, whatever their matrix. So a K̃ without negative eigenvalues changes
    /// their way and not their result, and linear solvers for positive definite matrices can solve them. Everything
    /// else has K: linearised steps, derivatives of steps, stability, modes.
    fn newton_stiffness(&self, at: At<'_, Self>, weights: Weights<Self::Real>, out: &mut Self::Tangent)
    where
        Self::Real: Real,
    {
        let _ = (at, weights, out);
    }
}

/// The first `rows` of the product of a tangent's columns of velocities with `v`; zeros below.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn multiply<S: System>(
    layout: &Layout<'_>,
    tangent: &[S::Real],
    v: &S::V,
    rows: usize,
    out: &mut Residual<S>,
) {
    let Residual { r, s, phi } = out;
    let (r, s, phi) = (r.as_mut(), s.as_mut(), phi.as_mut());
    for x in r.iter_mut().chain(s.iter_mut()).chain(phi.iter_mut()) {
        *x = S::Real::ZERO;
    }
    let (nv, nz, pattern) = (layout.v.len(), layout.z.len(), layout.tangent);
    for (own, &v) in pattern.starts.windows(2).zip(v.as_ref()).filter(|(_, v)| **v != S::Real::ZERO) {
        let own = own[0]..own[1];
        let entries = pattern.indices[own.clone()].iter().zip(&tangent[own]);
        for (&row, &value) in entries.take_while(|(row, _)| **row < rows) {
            let slot = match row {
                row if row < nv => r.get_mut(row),
                row if row < nv + nz => s.get_mut(row - nv),
                row => phi.get_mut(row - nv - nz),
            };
            if let Some(slot) = slot {
                *slot += value * v;
            }
        }
    }
}
