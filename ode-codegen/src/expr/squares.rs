//! Sums of squares with weights.

use super::{Function as F, Graph, Node, Op, Symbol};

/// c s²
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squared {
    /// c
    pub(crate) coefficient: Node,
    /// s
    pub(crate) root: Node,
}

/// What may stand where in a sum of squares.
#[derive(Clone, Copy)]
pub(crate) struct Squares {
    /// no weight depends on these
    pub(crate) varies: fn(Symbol) -> bool,
    /// every square depends on some of these
    pub(crate) of: fn(Symbol) -> bool,
}

impl Squares {
    /// Squares of functions of positions, with weights that are free of them.
    pub(crate) const OF_POSITIONS: Self =
        Self { varies: |s| matches!(s, Symbol::Q(_)), of: |s| matches!(s, Symbol::Q(_)) };
    /// Squares of rates with constant weights.
    pub(crate) const OF_RATES: Self =
        Self { varies: |s| !matches!(s, Symbol::P(_)), of: |s| matches!(s, Symbol::V(_)) };

    /// Splits an expression into terms c s²; `None` if it has another form.
    pub(crate) fn split(self, g: &mut Graph, node: Node) -> Option<Vec<Squared>> {
        let (one, mut terms) = (g.constant(1.0), Vec::new());
        self.terms(g, node, one, &mut terms).then_some(terms)
    }

    /// Splits `coefficient · node`.
    fn terms(self, g: &mut Graph, node: Node, coefficient: Node, terms: &mut Vec<Squared>) -> bool {
        match g.op(node) {
            Op::Unary(F::Square, root) if g.depends(root, self.of) => {
                terms.push(Squared { coefficient, root });
                true
            }
            Op::Unary(F::Neg, a) => {
                let negative = g.neg(coefficient);
                self.terms(g, a, negative, terms)
            }
            Op::Binary(F::Add, a, b) => self.terms(g, a, coefficient, terms) && self.terms(g, b, coefficient, terms),
            Op::Binary(F::Sub, a, b) => {
                let negative = g.neg(coefficient);
                self.terms(g, a, coefficient, terms) && self.terms(g, b, negative, terms)
            }
            Op::Binary(F::Mul, a, b) => {
                let (constant, rest) = if !g.depends(a, self.varies) {
                    (a, b)
                } else if !g.depends(b, self.varies) {
                    (b, a)
                } else {
                    return false;
                };
                let scaled = g.mul(coefficient, constant);
                self.terms(g, rest, scaled, terms)
            }
            _ => g.is_zero(node),
        }
    }
}

impl Graph {
    /// c and x of c·x, where c is a number and x has no such factor.
    pub(crate) fn stripped(&self, mut node: Node) -> (f64, Node) {
        let mut factor = 1.0;
        loop {
            (factor, node) = match (self.op(node), self.coefficient(node)) {
                (Op::Unary(F::Neg, x), _) => (-factor, x),
                (_, Some((c, x))) => (c * factor, x),
                _ => return (factor, node),
            };
        }
    }
}
