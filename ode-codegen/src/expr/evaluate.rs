//! The value of expressions at a point, over any algebra of numbers.

use super::external::{Partial, stand_in};
use super::function::Function;
use super::graph::{Graph, Node, Op, Symbol};

/// Numbers an expression can be evaluated in: reals here, dual numbers in the tests that check derivatives.
pub trait Number: Copy {
    /// The number of an f64.
    fn constant(value: f64) -> Self;
    /// A primitive at its arguments (one argument comes twice).
    fn apply(function: Function, x: [Self; 2]) -> Self;
    /// The real part, on which conditions are decided.
    fn real(self) -> f64;
    /// An external function at its arguments: `None`, unless a stand-in replaces it.
    fn external(_partial: &Partial, _x: &[Self]) -> Self {
        Self::constant(f64::NAN)
    }
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }
    fn apply(function: Function, x: [Self; 2]) -> Self {
        (function.rule().value)(x[0], x[1])
    }
    fn real(self) -> f64 {
        self
    }
}

/// Reals for questions about formulas rather than values: external functions have stand-ins.
#[derive(Clone, Copy, Debug)]
pub struct Sampled(pub f64);

impl Number for Sampled {
    fn constant(value: f64) -> Self {
        Self(value)
    }
    fn apply(function: Function, x: [Self; 2]) -> Self {
        Self(f64::apply(function, x.map(|x| x.0)))
    }
    fn real(self) -> f64 {
        self.0
    }
    fn external(partial: &Partial, x: &[Self]) -> Self {
        stand_in(partial, x)
    }
}

/// A real beside a measure of the round-off in it, which tells zero from what is left of it. The measure is a number of
/// units of relative round-off, to first order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    pub(crate) size: f64,
}

impl Measured {
    /// One that is rounded itself.
    pub(crate) fn of(value: f64) -> Self {
        Self { value, size: value.abs() }
    }
}

impl Number for Measured {
    fn constant(value: f64) -> Self {
        Self::of(value)
    }
    fn apply(function: Function, [a, b]: [Self; 2]) -> Self {
        let value = f64::apply(function, [a.value, b.value]);
        let moved = match function {
            Function::Mul => a.value.abs() * b.size + b.value.abs() * a.size,
            Function::Square => 2.0 * a.value.abs() * a.size,
            Function::Recip => a.size * value * value,
            Function::Neg => return Self { value, ..a },
            // slopes of sums are one, and those of the others about that
            function if function.rule().arity == 1 => a.size,
            _ => a.size + b.size,
        };
        let size = value.abs() + moved;
        Self { value, size }
    }
    fn real(self) -> f64 {
        self.value
    }
    fn external(partial: &Partial, x: &[Self]) -> Self {
        stand_in(partial, x)
    }
}

impl Graph {
    /// The values of `outputs` where symbols have the values `at`, with external functions stood in for.
    pub fn sample(&self, outputs: &[Node], at: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
        self.evaluate_in(outputs, &|s| Sampled(at(s))).into_iter().map(|x: Sampled| x.0).collect()
    }

    /// The values of `outputs` where symbols have the values `at`.
    pub fn evaluate(&self, outputs: &[Node], at: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
        self.evaluate_in(outputs, at)
    }

    /// [`Graph::evaluate`] in any algebra. A branch that is not taken has no influence.
    pub fn evaluate_in<N: Number>(&self, outputs: &[Node], at: &dyn Fn(Symbol) -> N) -> Vec<N> {
        let Some(last) = outputs.iter().max() else { return Vec::new() };
        let mut values = vec![N::constant(f64::NAN); last.index() + 1];
        let truth = |condition: bool| N::constant(f64::from(u8::from(condition)));
        for node in self.reach(outputs) {
            let get = |n: Node| values[n.index()];
            let real = |n: Node| values[n.index()].real();
            values[node.index()] = match self.op(node) {
                Op::Constant(bits) => N::constant(f64::from_bits(bits)),
                Op::Symbol(symbol) => at(symbol),
                Op::Unary(f, a) => N::apply(f, [get(a), get(a)]),
                Op::Binary(f, a, b) => N::apply(f, [get(a), get(b)]),
                Op::Less(a, b) => truth(real(a) < real(b)),
                Op::LessEq(a, b) => truth(real(a) <= real(b)),
                Op::And(a, b) => truth(real(a) != 0.0 && real(b) != 0.0),
                Op::Or(a, b) => truth(real(a) != 0.0 || real(b) != 0.0),
                Op::Not(a) => truth(real(a) == 0.0),
                Op::Select(c, a, b) => {
                    if real(c) != 0.0 {
                        get(a)
                    } else {
                        get(b)
                    }
                }
                Op::Call(callee, arguments) => {
                    let x: Vec<N> = self.arguments(arguments).iter().map(|&a| get(a)).collect();
                    N::external(self.partial(callee), &x)
                }
            };
        }
        outputs.iter().map(|o| values[o.index()]).collect()
    }
}
