//! The numbers of a method whose steps are sums of motions, one evaluated after the other.

use std::vec::Vec;

/// A step of a second-order model as sums of the accelerations and rates that it evaluates. Of each evaluation, and of
/// the end as the last row,
///
/// ```text
/// tᵢ = t + cᵢ h,   qᵢ = q ⊕ (cᵢ h v + h² Σ pᵢⱼ aⱼ),   vᵢ = v + h Σ wᵢⱼ aⱼ,   zᵢ = z + h Σ wᵢⱼ żⱼ
/// ```
///
/// where velocities may be added: without rotations in space, or with a single evaluation, at the beginning. It is
/// Nyström's form of a Runge–Kutta method.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplicitForm {
    /// cᵢ
    pub(crate) times: Vec<f64>,
    /// pᵢⱼ
    pub(crate) positions: Vec<Vec<f64>>,
    /// wᵢⱼ
    pub(crate) velocities: Vec<Vec<f64>>,
}

impl ExplicitForm {
    /// That of a Runge–Kutta method.
    pub(crate) fn of_stages(a: &[&[f64]], b: &[f64], c: &[f64]) -> Self {
        let velocities: Vec<Vec<f64>> = a.iter().chain([&b]).map(|row| row.to_vec()).collect();
        // positions go on with the velocities of the evaluations before
        let twice = |row: &Vec<f64>| {
            let product = |j: usize| row.iter().enumerate().map(|(k, w)| w * a[k].get(j).copied().unwrap_or(0.0)).sum();
            (0..row.len()).map(product).collect()
        };
        let positions = velocities.iter().map(twice).collect();
        Self { times: c.iter().copied().chain([1.0]).collect(), positions, velocities }
    }

    /// One evaluation at the beginning, with these weights of its acceleration in the end.
    pub(crate) fn once(position: f64, velocity: f64) -> Self {
        let rows = |weight: f64| std::vec![Vec::new(), std::vec![weight]];
        Self { times: std::vec![0.0, 1.0], positions: rows(position), velocities: rows(velocity) }
    }

    /// Whether an evaluation is at the beginning of the step.
    pub(crate) fn begins(&self, evaluation: usize) -> bool {
        let weights = self.positions[evaluation].iter().chain(&self.velocities[evaluation]);
        weights.chain([&self.times[evaluation]]).all(|&weight| weight == 0.0)
    }

    /// Whether there is no evaluation but that of the beginning.
    pub(crate) fn is_once(&self) -> bool {
        self.evaluations() == 1 && self.times.first() == Some(&0.0)
    }

    /// The number of evaluations.
    pub(crate) fn evaluations(&self) -> usize {
        self.times.len().saturating_sub(1)
    }
}
