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

/// A weight for each cost, and for each row of squares.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weights {
    costs: Vec<f64>,
    squares: Vec<f64>,
}

impl Weights {
    pub(super) fn zero<S: Optimizable>(system: &S) -> Self {
        Self { costs: vec![0.0; system.cost_names().len()], squares: vec![0.0; system.square_names().len()] }
    }

    /// Makes all of them zero.
    pub(super) fn clear(&mut self) {
        self.costs.fill(0.0);
        self.squares.fill(0.0);
    }

    /// Those of the costs, and those of the rows.
    pub(super) fn both(&self) -> (&[f64], &[f64]) {
        (&self.costs, &self.squares)
    }

    /// Adds a share of others.
    pub(super) fn add(&mut self, share: f64, others: &Self) {
        let own = self.costs.iter_mut().chain(&mut self.squares);
        own.zip(others.costs.iter().chain(&others.squares)).for_each(|(own, other)| *own += share * other);
    }

    fn add_term<S: Optimizable>(&mut self, system: &S, Term { name, weight, .. }: &Term) {
        let costs = system.cost_names().iter().zip(&mut self.costs);
        let all = costs.chain(system.square_names().iter().zip(&mut self.squares));
        all.filter(|(known, _)| *known == name).for_each(|(_, own)| *own += weight);
    }
}

/// The objective: what is weighed in time, and at each node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Terms {
    /// of integrals
    pub(super) running: Weights,
    /// of each node alone
    pub(super) nodes: Vec<Weights>,
    /// of each node with the interval that it begins, as Σ h c(xₖ, uₖ)
    begun: Vec<Weights>,
}

impl Terms {
    pub(super) fn of<S: Optimizable>(system: &S, terms: &[Term], intervals: usize, h: f64) -> Self {
        let mut running = Weights::zero(system);
        let mut nodes = vec![Weights::zero(system); intervals + 1];
        for term in terms {
            match term.place {
                Place::Running => running.add_term(system, term),
                Place::Node(k) => nodes[k].add_term(system, term),
            }
        }
        let mut begun = nodes.clone();
        begun.iter_mut().take(intervals).for_each(|own| own.add(h, &running));
        Self { running, nodes, begun }
    }

    /// Makes `h` the length of the interval that a node begins.
    pub(super) fn begin(&mut self, node: usize, h: f64) {
        let Self { running, nodes, begun } = self;
        begun[node].clone_from(&nodes[node]);
        begun[node].add(h, running);
    }

    /// The number of the last node.
    pub(super) fn last(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Weights at a node, with the interval that it begins.
    pub(super) fn at(&self, node: usize) -> (&[f64], &[f64]) {
        self.begun[node].both()
    }
}
