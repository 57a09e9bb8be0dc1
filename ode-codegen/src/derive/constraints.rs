//! The rows of constraints: their residuals, their rates, and their forces.

use crate::expr::{Node, Symbol};
use crate::model::{Hold, Soft};

use super::mechanics::{Kind, Mechanics};
use super::sparse::{self, Sparse};

/// Rows in the order of the multipliers.
pub struct Constraints {
    /// residual of each row, nc: Φ, A v + b, or Φ + τ Φ̇ + E λ
    pub laws: Vec<Node>,
    /// some law depends on t
    pub rheonomic: bool,
    /// Φ, nc; zero in rows of velocities and compliant rows
    pub phi: Vec<Node>,
    /// Φₜ, nc; b in a row of velocities
    pub phi_t: Vec<Node>,
    /// Φ̇ = G v + Φₜ, nc; A v + b in rows of velocities, zero in compliant rows
    pub phi_dot: Vec<Node>,
    /// γ, nc
    pub gamma: Vec<Node>,
    /// G, nc × nv; A in rows of velocities, empty in compliant rows
    pub jacobian: Sparse,
    /// what each row makes zero where velocities are found, Φ̇, and where accelerations are, Φ̈ (in models of first
    /// order Φ̇ again); ψ and ψ̇ in a row of velocities, the law in a compliant one
    pub(super) levels: [Vec<Node>; 2],
    /// G of all rows, by which their forces act
    pub(super) action: Sparse,
    /// rows of the tangent other than π G, with their row numbers
    pub(super) own: Vec<(usize, Node)>,
    /// rows that yield, with E
    pub(super) compliance: Vec<(usize, Node)>,
}

/// Φ or ψ, and how it yields.
#[derive(Clone, Copy)]
struct Row {
    value: Node,
    level: Hold,
    soft: Option<Soft>,
}

/// A quantity and its factor.
type Work = Vec<(Node, Node)>;

impl Mechanics<'_> {
    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for c in &self.model.constraints {
            let row = |(k, &value): (usize, &Node)| Row { value, level: c.level, soft: c.soft.get(k).copied() };
            rows.extend(c.rows.iter().enumerate().map(row));
        }
        rows
    }

    /// The rate that a row makes zero: Φ̇, or ψ itself.
    fn rate(&mut self, row: Row) -> Node {
        match row.level {
            Hold::Position => {
                let motion = self.motion(false);
                self.graph.jvp(&[row.value], &motion)[0]
            }
            Hold::Velocity => row.value,
        }
    }

    /// −E λ of a compliant row: Φ + τ Φ̇, or ψ.
    fn strain(&mut self, row: Row, soft: Soft) -> Node {
        if row.level == Hold::Velocity || self.graph.is_zero(soft.relax) {
            return row.value;
        }
        let rate = self.rate(row);
        let share = self.graph.mul(soft.relax, rate);
        self.graph.add(row.value, share)
    }

    /// Φ and A v + b, with everything that their time derivatives need.
    pub(super) fn constraints(&mut self) -> Constraints {
        let rows = self.rows();
        let (one, zero) = (self.graph.constant(1.0), self.graph.constant(0.0));
        let motion = self.motion(false);
        let (mut laws, mut phi, mut phi_t, mut phi_dot) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut gamma, mut own, mut compliance) = (Vec::new(), Vec::new(), Vec::new());
        let flight = self.motion(true);
        let mut levels = [Vec::new(), Vec::new()];
        for (k, &row) in rows.iter().enumerate() {
            let rate = self.rate(row);
            if let Some(soft) = row.soft {
                let strain = self.strain(row, soft);
                let lambda = self.graph.symbol(Symbol::Lambda(k as u32));
                let give = self.graph.mul(soft.compliance, lambda);
                laws.push(self.graph.add(strain, give));
                let stiffness = self.graph.recip(soft.compliance);
                gamma.push(self.graph.mul(stiffness, strain));
                compliance.push((k, soft.compliance));
                for list in [&mut phi, &mut phi_t, &mut phi_dot] {
                    list.push(zero);
                }
                levels.iter_mut().for_each(|level| level.push(laws[k]));
            } else {
                laws.push(row.value);
                phi_dot.push(rate);
                // G v + γ = 0 without accelerations
                gamma.push(match self.first_order() {
                    true => self.graph.at_zero(&[rate], |s| matches!(s, Symbol::V(_)))[0],
                    false => self.graph.jvp(&[rate], &motion)[0],
                });
                let (position, by_time) = match row.level {
                    Hold::Position => (row.value, self.graph.jvp(&[row.value], &[(Symbol::Time, one)])[0]),
                    Hold::Velocity => (zero, self.graph.at_zero(&[row.value], |s| matches!(s, Symbol::V(_)))[0]),
                };
                phi.push(position);
                phi_t.push(by_time);
                levels[0].push(rate);
                levels[1].push(match self.first_order() {
                    true => rate,
                    false => self.graph.jvp(&[rate], &flight)[0],
                });
            }
            if row.soft.is_some() || row.level == Hold::Velocity {
                own.push((k, laws[k]));
            }
        }
        let action = self.action(&rows);
        let mut jacobian = action.clone();
        jacobian.entries.retain(|&(row, _, _)| rows[row].soft.is_none());
        let rheonomic = laws.iter().any(|&n| self.graph.depends(n, |s| s == Symbol::Time));
        Constraints { laws, rheonomic, phi, phi_t, phi_dot, gamma, jacobian, levels, action, own, compliance }
    }

    /// ∂Φ/∂q and ∂ψ/∂v, rows of positions before those of velocities.
    fn action(&mut self, rows: &[Row]) -> Sparse {
        let of = |level: Hold| rows.iter().filter(|r| r.level == level).map(|r| r.value).collect::<Vec<Node>>();
        let (held, rolling) = (of(Hold::Position), of(Hold::Velocity));
        let (q, v) = (self.along(&[Kind::Position]), self.along(&[Kind::Velocity]));
        let mut action = sparse::jacobian(&mut self.graph, &held, &q);
        action.below(sparse::jacobian(&mut self.graph, &rolling, &v));
        action
    }

    /// The power of each row with its multiplier: λ does work on a position, or power on a velocity. Without given
    /// multipliers (`loaded`), those of compliant rows follow from the state.
    pub(super) fn reactions(&mut self, loaded: bool) -> (Work, Work) {
        let (mut held, mut rolling) = (Work::new(), Work::new());
        for (k, row) in self.rows().into_iter().enumerate() {
            let lambda = match row.soft {
                _ if loaded => self.graph.symbol(Symbol::Lambda(k as u32)),
                Some(soft) => {
                    let strain = self.strain(row, soft);
                    let stiffness = self.graph.recip(soft.compliance);
                    let pull = self.graph.mul(stiffness, strain);
                    self.graph.neg(pull)
                }
                None => continue,
            };
            match row.level {
                Hold::Position => held.push((row.value, lambda)),
                Hold::Velocity => rolling.push((row.value, lambda)),
            }
        }
        (held, rolling)
    }
}
