//! The best inputs of a stage between bounds: a small quadratic problem in a box, by a projected Newton's method.
//!
//! Y. Tassa, N. Mansard, E. Todorov, Control-limited differential dynamic programming, ICRA 2014, §III and its box-QP.

use ode_runtime::linalg::{SMatrix, SVector};

use crate::stages::{Factor, negate};

/// Iterations of one problem.
const ITERATIONS: usize = 50;
/// Shortest part of a Newton step.
const SHORTEST: f64 = 1e-10;
/// Share of the expected decrease that is asked for.
const ARMIJO: f64 = 0.1;

/// The minimum of ½ uᵀH u + gᵀu between bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxed<const U: usize> {
    pub(super) u: SVector<f64, U>,
    /// which entries no bound holds
    pub(super) free: [bool; U],
    /// of H over the free entries; those that are held solve to zero
    factor: Factor<f64, U>,
}

impl<const U: usize> Boxed<U> {
    /// The minimum between `low` and `high`, where zero is allowed. `None` where H is not positive definite over the
    /// entries that no bound holds, or not finite.
    pub(super) fn of(
        h: &SMatrix<f64, U, U>,
        g: &SVector<f64, U>,
        (low, high): (&SVector<f64, U>, &SVector<f64, U>),
    ) -> Option<Self> {
        let all = [true; U];
        let mut begin = SVector::zeros();
        if let Some(factor) = Factor::of(h) {
            let u = -factor.solve(*g);
            if (0..U).all(|i| low[i] < u[i] && u[i] < high[i]) {
                return Some(Self { u, free: all, factor });
            }
            begin = clamp(&u, low, high);
        }
        let mut found = Self { u: begin, free: [false; U], factor: Factor::none() };
        let mut factored = None;
        for _ in 0..ITERATIONS {
            let slope = g + h * found.u;
            found.free = core::array::from_fn(|i| {
                !(found.u[i] <= low[i] && slope[i] >= 0.0 || found.u[i] >= high[i] && slope[i] <= 0.0)
            });
            if factored != Some(found.free) {
                found.factor = Factor::of(&over(h, &found.free))?;
                factored = Some(found.free);
            }
            let step = -found.factor.solve(only(slope, &found.free));
            if !step.iter().all(|x| x.is_finite()) {
                return None;
            }
            let (next, whole) = shortened(h, g, (low, high), &found.u, (&step, &slope));
            let moved = next - found.u;
            found.u = next;
            // a whole Newton step inside the box ends at the minimum over the free entries
            if moved.amax() == 0.0 || whole && found.is_best(&(g + h * found.u), (low, high)) {
                break;
            }
        }
        found.u.iter().all(|x| x.is_finite()).then_some(found)
    }

    /// Whether no held entry wants to leave its bound.
    fn is_best(&self, slope: &SVector<f64, U>, (low, high): (&SVector<f64, U>, &SVector<f64, U>)) -> bool {
        let held = |i: usize| self.u[i] <= low[i] && slope[i] >= 0.0 || self.u[i] >= high[i] && slope[i] <= 0.0;
        (0..U).all(|i| self.free[i] || held(i))
    }

    /// Makes the second derivatives by the state and the entries, in rows of the state, Kᵀ of the feedback of the free
    /// entries.
    pub(super) fn gain<const N: usize>(&self, rows: &mut SMatrix<f64, N, U>) {
        (0..U).filter(|&i| !self.free[i]).for_each(|i| rows.column_mut(i).fill(0.0));
        self.factor.solve_rows(rows);
        negate(rows);
    }
}

/// As much of a step, projected onto the box, as reduces the objective; whether it is the whole step inside of it.
fn shortened<const U: usize>(
    h: &SMatrix<f64, U, U>,
    g: &SVector<f64, U>,
    (low, high): (&SVector<f64, U>, &SVector<f64, U>),
    from: &SVector<f64, U>,
    (step, slope): (&SVector<f64, U>, &SVector<f64, U>),
) -> (SVector<f64, U>, bool) {
    let value = |u: &SVector<f64, U>| 0.5 * u.dot(&(h * u)) + g.dot(u);
    let (begin, expected) = (value(from), slope.dot(step));
    // a decrease below round-off cannot be measured
    let noise = 1e-15 * (begin.abs() + g.abs().dot(&from.abs()));
    let mut part = 1.0;
    while part > SHORTEST {
        let whole = from + step * part;
        let next = clamp(&whole, low, high);
        if value(&next) - begin <= ARMIJO * part * expected + noise {
            return (next, part == 1.0 && next == whole);
        }
        part *= 0.6;
    }
    (*from, false)
}

/// The nearest point of the box.
pub(super) fn clamp<const U: usize>(
    u: &SVector<f64, U>,
    low: &SVector<f64, U>,
    high: &SVector<f64, U>,
) -> SVector<f64, U> {
    SVector::from_fn(|i, _| u[i].max(low[i]).min(high[i]))
}

/// H over the free entries, the identity over the others.
fn over<const U: usize>(h: &SMatrix<f64, U, U>, free: &[bool; U]) -> SMatrix<f64, U, U> {
    SMatrix::from_fn(|r, c| match free[r] && free[c] {
        true => h[(r, c)],
        false => f64::from(u8::from(r == c)),
    })
}

/// The free entries, the others zero.
fn only<const U: usize>(x: SVector<f64, U>, free: &[bool; U]) -> SVector<f64, U> {
    SVector::from_fn(|i, _| if free[i] { x[i] } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use ode_runtime::linalg::{SMatrix, SVector};

    use super::Boxed;

    #[test]
    fn the_minimum_in_a_box_satisfies_its_conditions() {
        let (low, high) = (SVector::<f64, 4>::repeat(-0.5), SVector::from([0.3, 0.4, 2.0, 0.1]));
        for case in 0..200 {
            let x = |i: usize| (f64::from(case) * 0.37 + 1.3 * i as f64).sin();
            let j = SMatrix::<f64, 4, 4>::from_fn(|r, c| x(4 * r + c * c));
            let h = j * j.transpose() + SMatrix::identity() * 0.01;
            let g = SVector::from_fn(|i, _| 3.0 * x(20 + i * i));
            let found = Boxed::of(&h, &g, (&low, &high)).expect("convex");
            let slope = g + h * found.u;
            for i in 0..4 {
                assert!(low[i] <= found.u[i] && found.u[i] <= high[i]);
                let right = match found.free[i] {
                    true => slope[i].abs() < 1e-9,
                    false => found.u[i] == low[i] && slope[i] >= 0.0 || found.u[i] == high[i] && slope[i] <= 0.0,
                };
                assert!(right, "{case}: {} with the slope {}", found.u[i], slope[i]);
            }
        }
    }

    #[test]
    fn held_entries_need_no_convexity() {
        let bounds = (&SVector::<f64, 2>::repeat(-1.0), &SVector::repeat(0.0));
        let h = SMatrix::from_diagonal(&SVector::from([-1.0, 2.0]));
        let found = Boxed::of(&h, &SVector::from([-3.0, 1.0]), bounds).expect("convex where it is free");
        assert!(found.u[0] == 0.0 && (found.u[1] + 0.5).abs() < 1e-12 && found.free == [false, true], "{found:?}");
        assert!(Boxed::of(&h, &SVector::from([0.5, 1.0]), bounds).is_none());
        assert!(Boxed::of(&(h * f64::NAN), &SVector::from([0.5, 1.0]), bounds).is_none());
    }
}
