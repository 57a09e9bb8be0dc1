//! Products over sums multiplied out, so that terms cancel, and factored again: the textbook form of small models.
//!
//! A form is used only if it needs fewer operations together with everything else that is computed, so the result never
//! grows. Squares of sums stay whole: multiplied out they would lose digits to cancellation.

use std::collections::BTreeMap;

use super::function::Function as F;
use super::graph::{Graph, Node, Op};
use super::uses::Uses;

/// Sums of more terms than this stay as they are.
const MAX_TERMS: usize = 24;

/// Powers of atoms, atoms ascending.
type Monomial = Vec<(Node, i32)>;
/// Coefficients of monomials.
type Polynomial = BTreeMap<Monomial, f64>;

impl Graph {
    /// Replaces each of `outputs` by its expanded form if all of them together then need fewer operations.
    pub fn expand(&mut self, outputs: &mut [Node]) {
        let mut uses = Uses::of(self, outputs);
        for output in outputs {
            if self.terms(*output).is_none_or(|n| n < 2) {
                continue;
            }
            let Some(polynomial) = self.polynomial(*output) else { continue };
            let reduced = self.reduce(polynomial);
            let (before, expanded) = (uses.operations(), self.factor(&reduced));
            uses.add(self, expanded);
            uses.remove(self, *output);
            if uses.operations() < before {
                *output = expanded;
            } else {
                uses.add(self, *output);
                uses.remove(self, expanded);
            }
        }
    }

    /// The outputs with like terms of each sum collected, whether or not others use its parts: for those who read it.
    pub fn collected(&mut self, outputs: &[Node]) -> Vec<Node> {
        self.rewritten(outputs, |g, node| {
            let count = if matches!(g.op(node), Op::Binary(F::Add | F::Sub, ..)) { g.terms(node) } else { None };
            let Some(polynomial) = count.and_then(|_| g.polynomial(node)) else { return node };
            let reduced = g.reduce(polynomial);
            if count.is_some_and(|count| reduced.len() >= count) {
                return node;
            }
            let collected = g.factor(&reduced);
            if g.signs(collected) < g.signs(node) { collected } else { node }
        })
    }

    /// Number of signs of a sum of products that is written out.
    fn signs(&self, node: Node) -> usize {
        match self.op(node) {
            Op::Unary(F::Neg, a) => self.signs(a),
            Op::Binary(F::Add | F::Sub | F::Mul, a, b) => 1 + self.signs(a) + self.signs(b),
            _ => 0,
        }
    }

    /// Number of terms before any cancel; `None` where they are too many.
    fn terms(&self, node: Node) -> Option<usize> {
        let count = match self.op(node) {
            Op::Unary(F::Neg, a) => self.terms(a)?,
            Op::Binary(F::Add | F::Sub, a, b) => self.terms(a)? + self.terms(b)?,
            Op::Binary(F::Mul, a, b) => self.terms(a)? * self.terms(b)?,
            _ => 1,
        };
        (count <= MAX_TERMS).then_some(count)
    }

    fn polynomial(&self, node: Node) -> Option<Polynomial> {
        let atom = |n: Node, power: i32| Some(Polynomial::from([(vec![(n, power)], 1.0)]));
        match self.op(node) {
            Op::Constant(bits) => {
                let value = f64::from_bits(bits);
                Some(if value == 0.0 { Polynomial::new() } else { Polynomial::from([(Vec::new(), value)]) })
            }
            Op::Unary(F::Neg, a) => Some(scaled(self.polynomial(a)?, -1.0)),
            Op::Binary(F::Add, a, b) => sum(self.polynomial(a)?, self.polynomial(b)?),
            Op::Binary(F::Sub, a, b) => sum(self.polynomial(a)?, scaled(self.polynomial(b)?, -1.0)),
            Op::Binary(F::Mul, a, b) => product(&self.polynomial(a)?, &self.polynomial(b)?),
            Op::Unary(F::Square, a) => {
                let p = self.polynomial(a)?;
                if p.len() == 1 { product(&p, &p) } else { atom(node, 1) }
            }
            Op::Unary(F::Recip, a) if !matches!(self.op(a), Op::Binary(..) | Op::Unary(F::Square | F::Neg, _)) => {
                atom(a, -1)
            }
            _ => atom(node, 1),
        }
    }

    /// c M sin² + c M cos² = c M, until there is none.
    fn reduce(&self, mut p: Polynomial) -> Polynomial {
        while let Some((with_sin, with_cos, common)) = self.pythagorean_terms(&p) {
            let c = p.remove(&with_sin).unwrap_or(0.0);
            p.remove(&with_cos);
            add_term(&mut p, common, c);
        }
        p
    }

    fn pythagorean_terms(&self, p: &Polynomial) -> Option<(Monomial, Monomial, Monomial)> {
        for (monomial, c) in p {
            for &(atom, _) in monomial.iter().filter(|(_, power)| *power >= 2) {
                let Op::Unary(F::Sin, x) = self.op(atom) else { continue };
                let Some(cos) = self.find(Op::Unary(F::Cos, x)) else { continue };
                let common = times(monomial, &[(atom, -2)]);
                let partner = times(&common, &[(cos, 2)]);
                if p.get(&partner) == Some(c) {
                    return Some((monomial.clone(), partner, common));
                }
            }
        }
        None
    }

    /// The polynomial as an expression, the most frequent factor taken out first.
    fn factor(&mut self, p: &Polynomial) -> Node {
        if p.len() > 1
            && let Some((atom, power)) = most_frequent(p)
        {
            let (mut with, mut without) = (Polynomial::new(), Polynomial::new());
            for (monomial, c) in p {
                if monomial.iter().any(|&(a, n)| a == atom && n.signum() == power.signum()) {
                    with.insert(times(monomial, &[(atom, -power)]), *c);
                } else {
                    without.insert(monomial.clone(), *c);
                }
            }
            let inner = self.factor(&with);
            let outer = self.powi(atom, power);
            let product = self.mul(outer, inner);
            let rest = self.factor(&without);
            return self.add(product, rest);
        }
        let terms: Vec<Node> = p.iter().map(|(monomial, c)| self.term_of(monomial, *c)).collect();
        self.sum(terms)
    }

    fn term_of(&mut self, monomial: &Monomial, c: f64) -> Node {
        let mut product = self.constant(1.0);
        for &(atom, power) in monomial {
            let factor = self.powi(atom, power);
            product = self.mul(product, factor);
        }
        self.scale(c, product)
    }
}

/// A factor of at least two terms: the one of most terms, the first of equals, with unit power.
fn most_frequent(p: &Polynomial) -> Option<(Node, i32)> {
    let mut count: BTreeMap<(Node, i32), usize> = BTreeMap::new();
    for monomial in p.keys() {
        for &(atom, power) in monomial {
            *count.entry((atom, power.signum())).or_default() += 1;
        }
    }
    let best = count.values().copied().max().filter(|n| *n > 1)?;
    count.into_iter().find(|(_, n)| *n == best).map(|(factor, _)| factor)
}

fn scaled(mut p: Polynomial, c: f64) -> Polynomial {
    for value in p.values_mut() {
        *value *= c;
    }
    p
}

fn add_term(p: &mut Polynomial, monomial: Monomial, c: f64) {
    let sum = p.get(&monomial).copied().unwrap_or(0.0) + c;
    if sum == 0.0 {
        p.remove(&monomial);
    } else {
        p.insert(monomial, sum);
    }
}

fn sum(mut a: Polynomial, b: Polynomial) -> Option<Polynomial> {
    for (monomial, c) in b {
        add_term(&mut a, monomial, c);
    }
    (a.len() <= MAX_TERMS).then_some(a)
}

fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    if a.len() * b.len() > 4 * MAX_TERMS {
        return None;
    }
    let mut out = Polynomial::new();
    for (x, c) in a {
        for (y, d) in b {
            add_term(&mut out, times(x, y), c * d);
        }
    }
    (out.len() <= MAX_TERMS).then_some(out)
}

/// The product of two monomials.
fn times(a: &[(Node, i32)], b: &[(Node, i32)]) -> Monomial {
    let mut powers: BTreeMap<Node, i32> = a.iter().copied().collect();
    for &(atom, power) in b {
        *powers.entry(atom).or_default() += power;
    }
    powers.into_iter().filter(|(_, power)| *power != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Symbol;

    #[test]
    fn what_cancels_is_gone() {
        let mut g = Graph::new();
        let [m, l, th, w] = [0, 1, 2, 3].map(|i| g.symbol(Symbol::P(i)));
        let (s, c) = (g.apply(F::Sin, &[th]), g.apply(F::Cos, &[th]));
        // s (m l (s w + c)) + c (m l (c w − s)) = m l w
        let (sw, cw) = (g.mul(s, w), g.mul(c, w));
        let ml = g.mul(m, l);
        let (a, b) = (g.add(sw, c), g.sub(cw, s));
        let (a, b) = (g.mul(ml, a), g.mul(ml, b));
        let (a, b) = (g.mul(s, a), g.mul(c, b));
        let mut out = [g.add(a, b)];
        g.expand(&mut out);
        assert_eq!(out[0], g.mul(ml, w));
    }
}
