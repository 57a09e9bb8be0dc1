//! A small least-squares solver: whether conditions can be met at all.

use crate::chart::{self, Block};
use crate::expr::{Graph, Node, Symbol};

/// Most unknowns worth trying while a model is compiled.
const MOST_UNKNOWNS: usize = 120;
/// Most iterations.
const ITERATIONS: usize = 60;
/// Residual below which a condition holds.
pub(super) const TOLERANCE: f64 = 1e-9;

/// Values of the state and parameters at the start.
#[derive(Clone)]
pub(super) struct Values {
    /// defaults; NaN where there is none
    pub(super) p: Vec<f64>,
    /// positions
    pub(super) q: Vec<f64>,
    /// velocities
    pub(super) v: Vec<f64>,
    /// first-order states
    pub(super) z: Vec<f64>,
}

impl Values {
    /// The value of a symbol at the start, at t = 0.
    pub(super) fn at(&self, symbol: Symbol) -> f64 {
        let get = |values: &[f64], i: u32| values.get(i as usize).copied().unwrap_or(f64::NAN);
        match symbol {
            Symbol::P(i) => get(&self.p, i),
            Symbol::Q(i) => get(&self.q, i),
            Symbol::V(i) => get(&self.v, i),
            Symbol::Z(i) => get(&self.z, i),
            Symbol::Time | Symbol::U(_) | Symbol::A(_) | Symbol::Zdot(_) | Symbol::Lambda(_) => 0.0,
            _ => f64::NAN,
        }
    }
}

/// Which part of the state is free.
#[derive(Clone, Copy)]
pub(super) enum Unknown {
    /// positions
    Position,
    /// velocities
    Velocity,
}

/// Moves the unknowns by damped Gauss–Newton until the residuals vanish. `Some(false)` if they do not, `None` if it
/// cannot be decided: a parameter without default, or a formula without value.
pub(super) fn solve(
    blocks: &[Block],
    graph: &mut Graph,
    residuals: &[Node],
    unknown: Unknown,
    values: &mut Values,
) -> Option<bool> {
    let n = values.v.len();
    if n > MOST_UNKNOWNS || residuals.len() > 2 * MOST_UNKNOWNS {
        return None;
    }
    let along = match unknown {
        Unknown::Position => chart::directions(graph, blocks),
        Unknown::Velocity => {
            let one = graph.constant(1.0);
            (0..n as u32).map(|i| vec![(Symbol::V(i), one)]).collect()
        }
    };
    let mut all = residuals.to_vec();
    all.extend(chart::gradients(graph, residuals, &along).concat());
    let m = residuals.len();
    let mut damping = 1e-6;
    let (mut r, mut jacobian) = evaluate(graph, &all, m, values)?;
    for _ in 0..ITERATIONS {
        if largest(&r) <= TOLERANCE {
            return Some(true);
        }
        let Some(step) = step(&r, &jacobian, n, damping) else { return Some(false) };
        let mut trial = values.clone();
        match unknown {
            Unknown::Position => blocks.iter().for_each(|b| b.retract(&mut trial.q, &step)),
            Unknown::Velocity => trial.v.iter_mut().zip(&step).for_each(|(v, dv)| *v += dv),
        }
        match evaluate(graph, &all, m, &trial) {
            Some((next, slopes)) if square(&next) < square(&r) => {
                (r, jacobian, *values) = (next, slopes, trial);
                damping = (damping * 0.1).max(1e-14);
            }
            _ if damping > 1e8 => break,
            _ => damping *= 10.0,
        }
    }
    Some(largest(&r) <= TOLERANCE)
}

fn evaluate(graph: &Graph, all: &[Node], m: usize, values: &Values) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut found = graph.evaluate(all, &|s| values.at(s));
    if found.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let slopes = found.split_off(m);
    Some((found, slopes))
}

fn square(r: &[f64]) -> f64 {
    r.iter().map(|x| x * x).sum()
}

fn largest(r: &[f64]) -> f64 {
    r.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// −(JᵀJ + damping·diag)⁻¹ Jᵀ r by Cholesky; `None` at a stationary point.
fn step(r: &[f64], jacobian: &[f64], n: usize, damping: f64) -> Option<Vec<f64>> {
    let mut gradient = vec![0.0; n];
    let mut normal = vec![0.0; n * n];
    for (row, residual) in jacobian.chunks(n.max(1)).zip(r) {
        let held: Vec<usize> = (0..n).filter(|i| row[*i] != 0.0).collect();
        for &i in &held {
            gradient[i] -= row[i] * residual;
            for &j in &held {
                normal[i * n + j] += row[i] * row[j];
            }
        }
    }
    let trace = (0..n).fold(0.0_f64, |t, i| t.max(normal[i * n + i]));
    if trace == 0.0 || largest(&gradient) <= 1e-14 * trace.sqrt() * largest(r) {
        return None;
    }
    for i in 0..n {
        normal[i * n + i] += damping * trace;
    }
    cholesky(&mut normal, n)?;
    for i in 0..n {
        let sum: f64 = (0..i).map(|j| normal[i * n + j] * gradient[j]).sum();
        gradient[i] = (gradient[i] - sum) / normal[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| normal[j * n + i] * gradient[j]).sum();
        gradient[i] = (gradient[i] - sum) / normal[i * n + i];
    }
    Some(gradient)
}

/// The lower factor in place. What stands before the first entry of a row stays zero, and is passed over.
fn cholesky(a: &mut [f64], n: usize) -> Option<()> {
    let first: Vec<usize> = (0..n).map(|i| (0..i).find(|j| a[i * n + j] != 0.0).unwrap_or(i)).collect();
    for j in 0..n {
        for i in j..n {
            let mut sum = a[i * n + j];
            let mut k = first[i].max(first[j]);
            while k < j {
                sum -= a[i * n + k] * a[j * n + k];
                k += 1;
            }
            if i > j {
                a[i * n + j] = sum / a[j * n + j];
            } else if sum > 0.0 {
                a[j * n + j] = sum.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(())
}
