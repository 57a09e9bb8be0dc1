//! When numbers agree: measured by the largest of their block.

use ode_model::{Sensitive, Solvable, State};

/// The largest of numbers.
pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// How far the numbers of a block may be from those that are wanted: by a share of the largest of these, and by what
/// round-off leaves of what they are derivatives of.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    pub share: f64,
    /// per unit of what is differentiated
    pub round_off: f64,
}

impl Near {
    /// Of numbers that are found in two ways with the same digits.
    pub const fn to(share: f64) -> Self {
        Self { share, round_off: 0.0 }
    }

    /// Of derivatives and differences by steps of `h`.
    pub const fn differences(h: f64) -> Self {
        Self { share: 1e-7, round_off: 1e-13 / h }
    }

    /// The first number of a block that is further off. The block is the derivative of `x`, whose entries are sums of
    /// numbers of order one where they are small themselves.
    pub fn mistake(self, x: &[f64], found: &[f64], wanted: &[f64]) -> Option<String> {
        assert_eq!(found.len(), wanted.len());
        let allowed = self.share * largest(wanted) + self.round_off * (1.0 + largest(x));
        let mut pairs = found.iter().zip(wanted).enumerate();
        // NaN is near to nothing
        let near = |found: &f64, wanted: &f64| (found - wanted).abs() <= allowed;
        let (i, (found, wanted)) = pairs.find(|(_, (found, wanted))| !near(found, wanted))?;
        Some(format!("[{i}]: {found} instead of {wanted}, within {allowed}"))
    }

    /// The first number of a column of a state that is further off, each part of the state for itself.
    pub fn mistake_of<S: Solvable<Real = f64> + Sensitive>(
        self,
        model: &S,
        x: &State<S>,
        found: &[f64],
        wanted: &[f64],
    ) -> Option<String> {
        assert_eq!(found.len(), wanted.len());
        let mut first = 0;
        groups(model, x).into_iter().find_map(|(group, count, x)| {
            let own = first..first + count;
            first += count;
            // methods find accelerations, rates and multipliers from differences over their steps
            let near =
                if ["q", "v", "z"].contains(&group) { self } else { Self { round_off: 10.0 * self.round_off, ..self } };
            let mistake = near.mistake(x, &found[own.clone()], &wanted[own]);
            mistake.map(|mistake| format!("{} {group}{mistake}", model.layout().name))
        })
    }
}

/// The parts of a state: their names, how many directions they have, and their numbers.
pub fn groups<'a, S: Solvable + Sensitive>(model: &S, x: &'a State<S>) -> [(&'static str, usize, &'a [S::Real]); 6] {
    let l = model.layout();
    let (nv, nz) = (l.v.len(), l.z.len());
    [
        ("q", nv, x.q.as_ref()),
        ("v", nv, x.v.as_ref()),
        ("z", nz, x.z.as_ref()),
        ("a", nv, x.a.as_ref()),
        ("zdot", nz, x.zdot.as_ref()),
        ("lambda", l.constraints.len(), x.lambda.as_ref()),
    ]
}
