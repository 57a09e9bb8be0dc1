//! What the stiffness of Newton's iterations has more than K, for energies that choose another one.
//!
//! *Gauss and Newton*: of w s² the part 2 w ∇s ∇sᵀ remains, so the difference is −2 w s ∇²s. *Semidefinite*: the
//! difference is the negative part of the energy's ∇²V, which is known at run time. Both are sums of w ∇²s, w held.
//!
//! Unknowns whose derivatives are multiples of each other are one: a spring knows d = x[j] − x[i] alone. With ∂V/∂qₐ =
//! cₐ ∂V/∂d, ∇²V = Sᵀ B S where S has the entries cₐ, and S Sᵀ = D is diagonal, with Σ cₐ². So the eigenvalues of ∇²V
//! are those of D^½ B D^½, and zeros.

use crate::chart;
use crate::expr::{Node, Squares};
use crate::model::Stiffness;

use super::mechanics::{Kind, Mechanics};

/// The difference of both stiffnesses.
#[derive(Default)]
pub struct NewtonStiffness {
    /// lower triangles, row by row, of matrices of which the negative part is needed, and then numbers
    pub values: Vec<Node>,
    /// the sizes of these matrices
    pub projected: Vec<usize>,
    /// where values go
    pub shares: Vec<NewtonShare>,
}

/// A value, or that of a negative part, in the tangent.
#[derive(Clone, Copy, Debug)]
pub struct NewtonShare {
    /// row of the tangent
    pub row: usize,
    /// column of the tangent
    pub col: usize,
    /// number of the value
    pub value: usize,
    /// its factor
    pub factor: f64,
}

/// Unknowns whose derivatives are multiples of each other.
struct Group {
    /// the multiples
    members: Vec<(usize, f64)>,
    /// what they are multiples of
    of: Vec<(f64, Node)>,
}

impl Group {
    /// Σ cₐ²
    fn square(&self) -> f64 {
        self.members.iter().map(|(_, c)| c * c).sum()
    }
}

/// Σ w ∇²s, its weights held.
struct Curved {
    groups: Vec<Group>,
    /// the lower triangle of B, row by row
    values: Vec<Node>,
}

impl Mechanics<'_> {
    /// Of all energies.
    pub(super) fn newton_stiffness(&mut self) -> NewtonStiffness {
        let mut all = NewtonStiffness::default();
        for stiffness in [Stiffness::Semidefinite, Stiffness::GaussNewton] {
            let energies = self.model.energies.potential.iter().filter(|e| e.stiffness == stiffness);
            for value in energies.map(|e| e.value).collect::<Vec<_>>() {
                let weighted = match stiffness {
                    Stiffness::GaussNewton => self.bent(value),
                    _ => vec![(self.graph.constant(1.0), value)],
                };
                let curved = self.curved(&weighted);
                match stiffness {
                    Stiffness::GaussNewton => all.add(self, &curved),
                    _ => all.project(self, &curved),
                }
            }
        }
        self.graph.expand(&mut all.values);
        all
    }

    /// s with the weight −2 w s of each w s².
    fn bent(&mut self, value: Node) -> Vec<(Node, Node)> {
        let g = &mut self.graph;
        let terms = Squares::OF_POSITIONS.split(g, value).unwrap_or_default();
        terms
            .into_iter()
            .map(|term| {
                let product = g.mul(term.coefficient, term.root);
                (g.scale(-2.0, product), term.root)
            })
            .collect()
    }

    fn curved(&mut self, weighted: &[(Node, Node)]) -> Curved {
        let along = self.along(&[Kind::Position]);
        let g = &mut self.graph;
        let slopes: Vec<Vec<Node>> = weighted.iter().map(|(_, s)| chart::gradient(g, *s, &along)).collect();
        let mut groups: Vec<Group> = Vec::new();
        for a in 0..along.len() {
            let stripped = slopes.iter().map(|slope| g.stripped(slope[a]));
            let slope: Vec<(f64, Node)> = stripped.map(|(c, x)| if g.is_zero(x) { (0.0, x) } else { (c, x) }).collect();
            let Some(&(first, _)) = slope.iter().find(|(c, _)| *c != 0.0) else { continue };
            let of: Vec<(f64, Node)> = slope.into_iter().map(|(c, x)| (c / first, x)).collect();
            match groups.iter_mut().find(|group| group.of == of) {
                Some(group) => group.members.push((a, first)),
                None => groups.push(Group { members: vec![(a, first)], of }),
            }
        }
        let mut values = Vec::new();
        for (k, row) in groups.iter().enumerate() {
            let Some(&(a, c)) = row.members.first() else { continue };
            let bends: Vec<Vec<Node>> = slopes.iter().map(|slope| chart::gradient(g, slope[a], &along)).collect();
            for column in groups.iter().take(k + 1) {
                let Some(&(b, d)) = column.members.first() else { continue };
                let terms: Vec<Node> = bends.iter().zip(weighted).map(|(bend, (w, _))| g.mul(*w, bend[b])).collect();
                let sum = g.sum(terms);
                values.push(g.scale(1.0 / (c * d), sum));
            }
        }
        Curved { groups, values }
    }
}

impl NewtonStiffness {
    /// The values themselves.
    fn add(&mut self, m: &Mechanics<'_>, curved: &Curved) {
        for (k, row) in curved.groups.iter().enumerate() {
            for (l, column) in curved.groups.iter().take(k + 1).enumerate() {
                let value = curved.values[triangle(k, l)];
                if !m.graph.is_zero(value) {
                    self.share((k == l, row, column), self.values.len(), 1.0);
                    self.values.push(value);
                }
            }
        }
    }

    /// Of each block of unknowns that are coupled, the negative part.
    fn project(&mut self, m: &mut Mechanics<'_>, curved: &Curved) {
        let Curved { groups, values } = curved;
        let value = |k: usize, l: usize| values[triangle(k.max(l), k.min(l))];
        let mut left: Vec<usize> = (0..groups.len()).collect();
        while let Some(first) = left.first().copied() {
            let mut block = vec![first];
            let mut reached = 0;
            while let Some(&k) = block.get(reached) {
                let coupled = |l: &usize| !m.graph.is_zero(value(k, *l)) && !block.contains(l);
                let more: Vec<usize> = left.iter().copied().filter(coupled).collect();
                block.extend(more);
                reached += 1;
            }
            left.retain(|k| !block.contains(k));
            block.sort_unstable();
            if let [k] = *block.as_slice()
                && m.graph.is_zero(value(k, k))
            {
                continue;
            }
            let at = self.values.len();
            self.projected.push(block.len());
            for (i, &k) in block.iter().enumerate() {
                for (j, &l) in block.iter().take(i + 1).enumerate() {
                    let size = (groups[k].square() * groups[l].square()).sqrt();
                    self.share((k == l, &groups[k], &groups[l]), at + triangle(i, j), 1.0 / size);
                    self.values.push(m.graph.scale(size, value(k, l)));
                }
            }
        }
    }

    /// Where an entry of B goes, and of the diagonal: once.
    fn share(&mut self, (diagonal, row, column): (bool, &Group, &Group), value: usize, factor: f64) {
        for &(a, c) in &row.members {
            for &(b, d) in &column.members {
                let share = NewtonShare { row: a, col: b, value, factor: factor * c * d };
                self.shares.push(share);
                if !diagonal {
                    self.shares.push(NewtonShare { row: b, col: a, ..share });
                }
            }
        }
    }
}

/// The place of (k, l), l ≤ k, in a lower triangle.
fn triangle(k: usize, l: usize) -> usize {
    k * (k + 1) / 2 + l
}
