//! The error of a step of generalised-α.
//!
//! With j = v̈ and s = d²v̇/dt² at tₙ, the recursion of the auxiliary is solved by aₙ = v̇ₙ + σ h j + κ h² s up to
//! O(h³), σ = αm − αf and κ = σ (αm − ½). Put into the formulas of q⁺ and v⁺ and compared with Taylor's,
//!
//! ```text
//! q⁺ − q(tₙ₊₁) = (β + σ/2 − 1/6) h³ j
//! v⁺ − v(tₙ₊₁) = (γ + σ − ½) h² j + (κ + γ (½ + σ) − 1/6) h³ s
//! ```
//!
//! If the order is 2, the term in h² j vanishes, and the last bracket is 1/12 − σ (½ − αf).

use crate::integrators::method::Estimates;
use crate::integrators::{GeneralizedAlpha, slope};
use crate::model::linearize::Linearize;
use crate::model::state::State;
use crate::model::system::System;
use crate::numbers::scalar::Real;
use crate::solve::context::Estimate;
use crate::solve::solvable::Solvable;

/// A step and the v̇ and ż at its beginning.
type Past<'a, S> = (Option<<S as System>::Real>, &'a (<S as System>::V, <S as System>::Z));

impl<T: Real> Estimates for GeneralizedAlpha<T> {
    const ERROR_ORDER: u32 = 3;

    /// 2 unless h² j vanishes.
    fn error_order(&self) -> u32 {
        let [first, _] = self.velocity_error();
        if first.abs() <= T::from_f64(8.0) * T::EPSILON { Self::ERROR_ORDER } else { 2 }
    }
}

impl<T: Real> GeneralizedAlpha<T> {
    /// The factor of h³ j in q⁺.
    pub(super) fn position_error(&self) -> T {
        self.beta + T::from_f64(0.5) * (self.alpha_m - self.alpha_f) - T::from_f64(1.0 / 6.0)
    }

    /// The factors of h² j and h³ s in v⁺.
    pub(super) fn velocity_error(&self) -> [T; 2] {
        let (half, shift) = (T::from_f64(0.5), self.alpha_m - self.alpha_f);
        let second = shift * (self.alpha_m - half) + self.gamma * (half + shift) - T::from_f64(1.0 / 6.0);
        [self.gamma + shift - half, second]
    }

    /// The errors of `next` from the steps behind it: the last but one, if there was one, and the last.
    pub(super) fn errors<S: Solvable<Real = T> + Linearize>(
        &self,
        system: &S,
        [(before, oldest), (last, old)]: [Past<'_, S>; 2],
        next: &State<S>,
        out: &mut Estimate<S>,
    ) {
        let h = last.unwrap_or(T::ZERO);
        let [first, second] = self.velocity_error();
        // h² j from a difference, h³ s from the difference of two; where there is only one, h² j stands for both.
        let velocity = |oldest: &[T], old: &[T], new: &[T], out: &mut [T]| {
            for (((out, &oldest), &old), &new) in out.iter_mut().zip(oldest).zip(old).zip(new) {
                let (difference, two) = (h * (new - old), T::from_f64(2.0));
                let bend = before.map_or(difference, |before| {
                    two * h * h / (h + before) * ((new - old) - (old - oldest) * (h / before))
                });
                *out = first * difference + second * bend;
            }
        };
        let Estimate { q, v, z } = out;
        let new = slope(system, next).as_ref();
        velocity(oldest.1.as_ref(), old.1.as_ref(), next.zdot.as_ref(), z.as_mut());
        if system.layout().first_order() {
            // q moves with v as v does with v̇
            velocity(oldest.0.as_ref(), old.0.as_ref(), new, q.as_mut());
            v.as_mut().fill(T::ZERO);
            return;
        }
        velocity(oldest.0.as_ref(), old.0.as_ref(), new, v.as_mut());
        let factor = self.position_error() * h * h;
        for ((out, &old), &new) in q.as_mut().iter_mut().zip(old.0.as_ref()).zip(new) {
            *out = factor * (new - old);
        }
    }
}
