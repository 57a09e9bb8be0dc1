//! The rows of constraints: what they make zero, what holds of their rates, and the forces they give.

use crate::expr::{Node, Symbol};
use crate::model::Hold;

use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

/// Rows in the order of the multipliers.
pub(super) struct Constraints {
    pub(super) laws: Vec<Node>,
    pub(super) phi: Vec<Node>,
    pub(super) phi_t: Vec<Node>,
    pub(super) phi_dot: Vec<Node>,
    pub(super) gamma: Vec<Node>,
    pub(super) jacobian: Sparse,
}

/// A quantity and what it is multiplied with.
type Work = Vec<(Node, Node)>;

impl Mechanics<'_> {
    /// Each row with its level.
    fn rows(&self) -> Vec<(Node, Hold)> {
        self.model.constraints.iter().flat_map(|c| c.rows.iter().map(|&row| (row, c.level))).collect()
    }

    /// Φ and A v + b, with what their time derivatives need.
    pub(super) fn constraints(&mut self) -> Constraints {
        let rows = self.rows();
        let laws: Vec<Node> = rows.iter().map(|(law, _)| *law).collect();
        let (one, zero) = (self.graph.constant(1.0), self.graph.constant(0.0));
        let of = |level: Hold| rows.iter().filter(|(_, l)| *l == level).map(|(row, _)| *row).collect::<Vec<Node>>();
        let (held, rolling) = (of(Hold::Position), of(Hold::Velocity));
        let motion = self.motion(false);
        let mut phi_t = self.graph.jvp(&held, &[(Symbol::Time, one)]);
        let mut phi_dot = self.graph.jvp(&held, &motion);
        phi_dot.extend(&rolling);
        let gamma = self.graph.jvp(&phi_dot, &motion);
        let (q, v) = (self.along(&[Kind::Position]), self.along(&[Kind::Velocity]));
        let mut jacobian = sparse::jacobian(&mut self.graph, &held, &q);
        jacobian.below(sparse::jacobian(&mut self.graph, &rolling, &v));
        phi_t.extend(self.graph.at_zero(&rolling, |s| matches!(s, Symbol::V(_))));
        let phi = [held.as_slice(), &vec![zero; rolling.len()]].concat();
        Constraints { laws, phi, phi_t, phi_dot, gamma, jacobian }
    }

    /// The rows of the tangent that are not π G, by their number among the rows.
    pub(super) fn own_rows(&self, laws: &[Node]) -> Vec<(usize, Node)> {
        let rows = self.rows().into_iter().zip(laws).enumerate();
        rows.filter(|(_, ((_, level), _))| *level == Hold::Velocity).map(|(k, (_, law))| (k, *law)).collect()
    }

    /// Each row with its multiplier: λ does work on the position, or power on the velocity.
    pub(super) fn reactions(&mut self) -> (Work, Work) {
        let (mut held, mut rolling) = (Work::new(), Work::new());
        for (k, (row, level)) in self.rows().into_iter().enumerate() {
            let lambda = self.graph.symbol(Symbol::Lambda(k as u32));
            match level {
                Hold::Position => held.push((row, lambda)),
                Hold::Velocity => rolling.push((row, lambda)),
            }
        }
        (held, rolling)
    }
}
