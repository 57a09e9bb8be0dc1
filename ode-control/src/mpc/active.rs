//! A plan for the bounds that hold it, and the search for these bounds.

use ode_runtime::linalg::SVector;
use ode_runtime::linalg::nalgebra::{RealField, convert};

use crate::mpc::hold::{Bound, Hold, Little};
use crate::mpc::knot::MpcKnot;
use crate::mpc::limited::Bounds;
use crate::mpc::work::{Indefinite, Work};

/// Recursions of a search, those that only refine included.
const MOST: usize = 60;

/// What counts as round-off in a result of long sums: ε^⅔, and what refinement should come to: ε^⅘.
pub(super) fn little<E: RealField + Copy>() -> (E, E) {
    let epsilon = E::default_epsilon();
    (epsilon.powf(convert(2.0 / 3.0)), epsilon.powf(convert(0.8)))
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> Work<'_, E, N, U, M> {
    /// Seeks the bounds that hold the optimum, beginning with those that hold now, and goes to it; false if they were
    /// not found. A primal-dual active set: all bounds that are exceeded begin to hold, and all whose multiplier has
    /// the wrong sign let go, at once. Where that ends, it is the optimum itself: M. Hintermüller, K. Ito, K. Kunisch,
    /// The primal-dual active set strategy as a semismooth Newton method, SIAM J. Optim. 13 (2002).
    ///
    /// Inputs at bounds are eliminated. Rows that hold are equations, met by multipliers: each step minimises with a
    /// stiff weight of what is unmet, and refines by the same factors. So rows may depend on others.
    pub(super) fn settle(&mut self, (most, share): (usize, f64)) -> Result<bool, Indefinite> {
        let (loose, tight) = little::<E>();
        let half = convert::<f64, E>(0.5);
        let mut before = None;
        let mut changes = 0;
        for _ in 0..MOST {
            self.go_to_holds(before.is_none())?;
            let (misfit, mut unmet) = (self.misfit(), E::zero());
            self.each(|bounds| unmet += bounds.unmet());
            let left = misfit.defect + misfit.slope + unmet;
            if !left.is_finite() {
                return Ok(false);
            }
            let falls = before.is_none_or(|before| left < before * half);
            // signs of multipliers are those of an optimum only if rows are met
            if unmet > loose && falls {
                before = Some(left);
                continue;
            }
            if self.hold_again(misfit.scale, loose, convert(share)) > 0 {
                (before, changes) = (None, changes + 1);
                if changes == most {
                    return Ok(false);
                }
            } else if left <= tight || (left <= loose && !falls) {
                return Ok(true);
            } else if falls {
                before = Some(left);
            } else {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// The step to the optimum of the bounds that hold, and what is true there.
    fn go_to_holds(&mut self, anew: bool) -> Result<(), Indefinite> {
        for knot in self.knots.iter_mut() {
            // those that hold are eliminated
            (knot.inputs.weight, knot.inputs.slope) = (SVector::zeros(), SVector::zeros());
            if M > 0 {
                knot.bounded_rows(self.slacks).aim_at_holds();
            }
        }
        self.last.bounded_rows(self.slacks).aim_at_holds();
        self.newton(anew)?;
        if M > 0 {
            for knot in self.knots.iter_mut() {
                knot.bounded_rows(self.slacks).follow_holds();
            }
            self.last.bounded_rows(self.slacks).follow_holds();
        }
        self.advance(E::one());
        self.knots.iter_mut().for_each(MpcKnot::pin);
        self.sweep();
        for knot in self.knots.iter_mut() {
            for i in 0..U {
                let held = knot.inputs.hold[i] != Hold::Free;
                knot.inputs.multiplier[i] = if held { -knot.slope[i] } else { E::zero() };
            }
        }
        Ok(())
    }

    /// Looks at all bounds again, and counts the changes: of those that are wrong by at least this share of the worst.
    fn hold_again(&mut self, scale: E, little: E, share: E) -> usize {
        let sizes = self.knots.iter().map(|knot| knot.rows.multiplier.amax());
        let rows = sizes.fold(self.last.rows.multiplier.amax(), |most, size| most.max(size));
        let of_inputs = Little { value: little, multiplier: little * scale };
        let of_rows = Little { value: little, multiplier: little * rows };
        let mut worst = E::zero();
        self.each_with(of_inputs, of_rows, |bounds, little| worst = worst.max(bounds.wrong(little)));
        let mut changed = 0;
        if worst > E::zero() {
            self.each_with(of_inputs, of_rows, |bounds, little| changed += bounds.hold_again(little, worst * share));
        }
        changed
    }

    /// Does something with all bounds, by what is little for inputs and for rows.
    fn each_with(
        &mut self,
        of_inputs: Little<E>,
        of_rows: Little<E>,
        mut visit: impl FnMut(&mut dyn Bounds<E>, Little<E>),
    ) {
        for knot in self.knots.iter_mut() {
            visit(&mut knot.bounded_inputs(), of_inputs);
            if M > 0 {
                visit(&mut knot.bounded_rows(self.slacks), of_rows);
            }
        }
        if M > 0 {
            visit(&mut self.last.bounded_rows(self.slacks), of_rows);
        }
    }
}

impl<E: RealField + Copy, const N: usize, const U: usize, const M: usize> MpcKnot<E, N, U, M> {
    /// Puts inputs that are held where they are held.
    fn pin(&mut self) {
        for i in 0..U {
            match self.inputs.hold[i] {
                Hold::At(Bound::Low) => self.inputs.value[i] = self.stage.input_low[i],
                Hold::At(Bound::High) => self.inputs.value[i] = self.stage.input_high[i],
                _ => {}
            }
        }
    }
}
