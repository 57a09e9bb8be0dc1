//! The terms of the objective: costs and rows of squares of the model, with a weight at each node.

use ode_runtime::{Optimizable, UnknownName};

/// Where a term counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// at the beginning of every interval, times its length: an integral
    Running,
    /// at a node
    Node(usize),
}

/// A cost or a `residual` item by name, with a weight.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    name: String,
    place: Place,
    weight: f64,
}

impl Term {
    /// # Errors
    /// A name that is neither a cost nor a `residual` item of the model.
    pub(super) fn of<S: Optimizable>(system: &S, name: &str, place: Place, weight: f64) -> Result<Self, UnknownName> {
        let names = || system.cost_names().iter().chain(system.square_names()).copied();
        if !names().any(|known| known == name) {
            return Err(UnknownName::new("cost", name, names()));
        }
        Ok(Self { name: name.to_owned(), place, weight })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a cost, not a `residual` item.
    pub(super) fn is_cost<S: Optimizable>(&self, system: &S) -> bool {
        system.cost_names().contains(&self.name.as_str())
    }
}

/// The weight of each cost and of each row of squares at each node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Terms {
    costs: Vec<f64>,
    squares: Vec<f64>,
    nodes: usize,
}

impl Terms {
    pub(super) fn of<S: Optimizable>(system: &S, terms: &[Term], intervals: usize, h: f64) -> Self {
        let nodes = intervals + 1;
        let table = |names: &[&str]| {
            let mut weights = vec![0.0; nodes * names.len()];
            for Term { name, place, weight } in terms {
                let (range, weight) = match *place {
                    Place::Running => (0..intervals, weight * h),
                    Place::Node(k) => (k..k + 1, *weight),
                };
                for node in range {
                    let own = names.iter().enumerate().filter(|(_, known)| **known == name);
                    own.for_each(|(i, _)| weights[node * names.len() + i] += weight);
                }
            }
            weights
        };
        Self { costs: table(system.cost_names()), squares: table(system.square_names()), nodes }
    }

    /// Weights of the costs and of the rows at a node.
    pub(super) fn at(&self, node: usize) -> (&[f64], &[f64]) {
        let of = |all: &'_ [f64]| {
            let each = all.len() / self.nodes;
            node * each..(node + 1) * each
        };
        (&self.costs[of(&self.costs)], &self.squares[of(&self.squares)])
    }
}
