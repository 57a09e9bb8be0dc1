//! An augmented Lagrangian of limits and of a prescribed end: what a search without them minimises in their place.
//!
//! Of a number c between bounds, with the multiplier y and the weight ρ, it is (y⁺² − y²)/(2 ρ), where
//! y⁺ = ρ (t − t̄), t = c + y/ρ, and t̄ is the number between the bounds that is nearest to t. Its derivative is y⁺ ∂c,
//! and y⁺ is the next multiplier. E. G. Birgin, J. M. Martínez, Practical Augmented Lagrangian Methods for Constrained
//! Optimization, SIAM 2014, ch. 4; ρ begins as in their program ALGENCAN.

use ode_runtime::Optimizable;
use ode_runtime::linalg::SVector;

use crate::optimal::evaluation::{Evaluation, Worst};
use crate::optimal::motion::Motion;
use crate::optimal::node::Node;
use crate::stages::Stage;

/// ρ at the beginning, per cost, and the largest and least of it.
const WEIGHT: (f64, f64, f64) = (10.0, 1e-3, 1e3);
/// By which factor ρ grows, and the largest.
const GROWTH: (f64, f64) = (10.0, 1e12);
/// The share of the violation that may remain without a larger ρ.
const ENOUGH: f64 = 0.1;

/// The multipliers of limits at nodes and of the end, and their weight.
#[derive(Clone, Debug)]
pub(super) struct Lagrangian<const N: usize> {
    /// ρ
    weight: f64,
    bounds: Vec<(f64, f64)>,
    restricted: Vec<Vec<bool>>,
    limits: Vec<Vec<f64>>,
    fixed: [bool; N],
    end: SVector<f64, N>,
    /// what was violated before the last change
    before: f64,
}

/// y⁺ of a number between bounds.
fn next(value: f64, y: f64, weight: f64, (low, high): (f64, f64)) -> f64 {
    let t = value + y / weight;
    weight * (t - nearest(t, (low, high)))
}

impl<const N: usize> Lagrangian<N> {
    /// Without multipliers. `restricted` says of each limit at each node whether it counts.
    pub(super) fn new<S: Optimizable<Real = f64>>(on: &Evaluation<'_, S>, restricted: Vec<Vec<bool>>) -> Self {
        let limits = restricted.iter().map(|node| vec![0.0; node.len()]).collect();
        let (bounds, fixed) = (on.posed.limit_bounds.clone(), on.fixed());
        Self { weight: 1.0, bounds, restricted, limits, fixed, end: SVector::zeros(), before: f64::INFINITY }
    }

    /// ρ that makes violations count as much as costs.
    pub(super) fn begin<S, const U: usize>(&mut self, motion: &Motion<S, N, U>)
    where
        S: Optimizable<Real = f64>,
    {
        let (factor, least, most) = WEIGHT;
        let mut squares = motion.miss.norm_squared();
        for (k, node) in motion.nodes.iter().enumerate() {
            let all = self.at(k, node).map(|(i, _)| node.limits[i] - nearest(node.limits[i], self.bound(i)));
            squares += all.map(|off| off * off).sum::<f64>();
        }
        self.weight = (factor * motion.cost.abs().max(1.0) / (0.5 * squares).max(1.0)).max(least).min(most);
    }

    /// Whether there is anything to meet.
    pub(super) fn any(&self) -> bool {
        self.restricted.iter().flatten().any(|counts| *counts) || self.fixed.contains(&true)
    }

    pub(super) fn weight(&self) -> f64 {
        self.weight
    }

    /// The multipliers of limits, node by node.
    pub(super) fn multipliers(&self) -> &[Vec<f64>] {
        &self.limits
    }

    /// The limits that count at a node: their places, and their multipliers.
    fn at<const U: usize>(&self, k: usize, node: &Node<N, U>) -> impl Iterator<Item = (usize, f64)> {
        let (counts, multipliers) = (self.restricted.get(k), self.limits.get(k));
        let of = move |i: usize| (counts.and_then(|of| of.get(i)), multipliers.and_then(|of| of.get(i)));
        (0..node.limits.len()).filter_map(move |i| match of(i) {
            (Some(true), Some(&y)) => Some((i, y)),
            _ => None,
        })
    }

    /// The bounds of a limit; a node may have each of them several times.
    fn bound(&self, i: usize) -> (f64, f64) {
        self.bounds[i % self.bounds.len()]
    }

    /// The same with y⁺.
    fn next_at<const U: usize>(&self, k: usize, node: &Node<N, U>) -> impl Iterator<Item = (usize, f64, f64)> {
        self.at(k, node).map(|(i, y)| (i, y, next(node.limits[i], y, self.weight, self.bound(i))))
    }

    /// y⁺ of the end.
    fn next_end(&self, miss: &SVector<f64, N>) -> SVector<f64, N> {
        self.end + miss * self.weight
    }

    /// The cost with what is violated.
    pub(super) fn merit<S, const U: usize>(&self, motion: &Motion<S, N, U>) -> f64
    where
        S: Optimizable<Real = f64>,
    {
        if !self.any() {
            return motion.cost;
        }
        let mut sum = self.next_end(&motion.miss).norm_squared() - self.end.norm_squared();
        for (k, node) in motion.nodes.iter().enumerate() {
            sum += self.next_at(k, node).map(|(_, y, new)| new * new - y * y).sum::<f64>();
        }
        motion.cost + 0.5 * sum / self.weight
    }

    /// Writes the weight of the curvature of each limit at a node.
    pub(super) fn curvature<const U: usize>(&self, k: usize, node: &Node<N, U>, weights: &mut Vec<f64>) {
        weights.clear();
        weights.resize(node.limits.len(), 0.0);
        self.next_at(k, node).for_each(|(i, _, new)| weights[i] = new);
    }

    /// Adds first and second derivatives of the limits at a node.
    pub(super) fn add<const U: usize>(&self, k: usize, node: &Node<N, U>, stage: &mut Stage<f64, N, U>) {
        for (i, _, new) in self.next_at(k, node).filter(|(.., new)| *new != 0.0) {
            stage.x += node.limit_x[i] * new;
            stage.u += node.limit_u[i] * new;
            node.stiffen(i, self.weight, stage);
        }
    }

    /// The same of the end.
    pub(super) fn add_end<const U: usize>(&self, miss: &SVector<f64, N>, stage: &mut Stage<f64, N, U>) {
        stage.x += self.next_end(miss);
        (0..N).filter(|&i| self.fixed[i]).for_each(|i| stage.xx[(i, i)] += self.weight);
    }

    /// Compares what limits exceed.
    pub(super) fn see<S, const U: usize>(&self, motion: &Motion<S, N, U>, names: &[&str], worst: &mut Worst)
    where
        S: Optimizable<Real = f64>,
    {
        for (k, node) in motion.nodes.iter().enumerate() {
            for (i, _) in self.at(k, node) {
                let value = node.limits[i];
                worst.see(names.get(i % names.len()).copied().unwrap_or(""), k, value - nearest(value, self.bound(i)));
            }
        }
    }

    /// The largest |y⁺ − y|/ρ: of what is violated, and of what is held without need.
    pub(super) fn unmet<S, const U: usize>(&self, motion: &Motion<S, N, U>) -> f64
    where
        S: Optimizable<Real = f64>,
    {
        let nodes = motion.nodes.iter().enumerate();
        let limits = nodes.flat_map(|(k, node)| self.next_at(k, node)).map(|(_, y, new)| (new - y).abs());
        motion.miss.amax().max(limits.fold(0.0, f64::max) / self.weight)
    }

    /// Takes y⁺ for y.
    pub(super) fn adopt<S, const U: usize>(&mut self, motion: &Motion<S, N, U>)
    where
        S: Optimizable<Real = f64>,
    {
        for (k, node) in motion.nodes.iter().enumerate() {
            let new = self.next_at(k, node).map(|(i, _, new)| (i, new)).collect::<Vec<_>>();
            new.into_iter().for_each(|(i, new)| self.limits[k][i] = new);
        }
        self.end = self.next_end(&motion.miss);
    }

    /// The same with a larger ρ if too much is still violated. Returns false if it is as large as it may be.
    pub(super) fn advance<S, const U: usize>(&mut self, motion: &Motion<S, N, U>) -> bool
    where
        S: Optimizable<Real = f64>,
    {
        let unmet = self.unmet(motion);
        self.adopt(motion);
        if unmet > ENOUGH * self.before {
            self.weight *= GROWTH.0;
        }
        self.before = unmet;
        self.weight <= GROWTH.1
    }
}

/// The number between bounds that is nearest to a value; NaN stays.
fn nearest(value: f64, (low, high): (f64, f64)) -> f64 {
    if value < low {
        low
    } else if value > high {
        high
    } else {
        value
    }
}
