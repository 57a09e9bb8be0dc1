//! External functions: called by name, differentiated by number.
//!
//! The graph cannot look into such a function. Its partial derivatives are functions of their own, identified by the
//! number of differentiations with respect to each argument. Whether they are available is checked once the needed ones
//! are known. A function known on f64 only reaches other scalars through `Scalar::extend`, which needs one order more
//! for each level of dual numbers.

use rustc_hash::FxHashMap;

use super::evaluate::Number;
use super::function::Function as F;
use super::graph::{Graph, Node, Op};

/// An external function; the number is its place among those declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct External(pub(crate) u32);

impl External {
    /// Place among those declared.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An external function or one of its partial derivatives, in the table of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Callee(u32);

/// The arguments of a call, in the table of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arguments(u32);

/// What a call calls.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Partial {
    /// the function
    pub external: External,
    /// how often it is differentiated by each argument; all zero is its value
    pub orders: Vec<u8>,
}

impl Partial {
    /// How often it is differentiated altogether.
    pub fn order(&self) -> usize {
        self.orders.iter().map(|&n| usize::from(n)).sum()
    }
}

/// The functions a graph calls, their derivatives and argument lists. The maps are only ever looked up.
#[derive(Clone, Default)]
pub(super) struct Externals {
    /// name and names of the arguments
    functions: Vec<(String, Vec<String>)>,
    partials: Vec<Partial>,
    partial_ids: FxHashMap<Partial, Callee>,
    lists: Vec<Vec<Node>>,
    list_ids: FxHashMap<Vec<Node>, Arguments>,
}

impl Externals {
    /// The functions, without calls.
    pub(super) fn declared(&self) -> Self {
        Self { functions: self.functions.clone(), ..Self::default() }
    }
}

impl Graph {
    /// Makes a function known by its name and those of its arguments.
    pub fn declare(&mut self, name: String, arguments: Vec<String>) -> External {
        self.externals.functions.push((name, arguments));
        External(self.externals.functions.len() as u32 - 1)
    }

    /// The value of an external function.
    pub fn invoke(&mut self, external: External, arguments: &[Node]) -> Node {
        self.invoke_partial(Partial { external, orders: vec![0; arguments.len()] }, arguments.to_vec())
    }

    /// The partial derivative of a call by its argument `wrt`.
    pub(super) fn partial_of_call(&mut self, callee: Callee, arguments: Arguments, wrt: usize) -> Node {
        let mut partial = self.partial(callee).clone();
        partial.orders[wrt] += 1;
        let arguments = self.arguments(arguments).to_vec();
        self.invoke_partial(partial, arguments)
    }

    /// The same call with other arguments.
    pub(super) fn recall(&mut self, callee: Callee, arguments: Vec<Node>) -> Node {
        let partial = self.partial(callee).clone();
        self.invoke_partial(partial, arguments)
    }

    pub(super) fn invoke_partial(&mut self, partial: Partial, arguments: Vec<Node>) -> Node {
        let o = &mut self.externals;
        let callee = *o.partial_ids.entry(partial.clone()).or_insert_with(|| {
            o.partials.push(partial);
            Callee(o.partials.len() as u32 - 1)
        });
        let list = *o.list_ids.entry(arguments.clone()).or_insert_with(|| {
            o.lists.push(arguments);
            Arguments(o.lists.len() as u32 - 1)
        });
        self.intern(Op::Call(callee, list))
    }

    /// What a call calls.
    pub fn partial(&self, callee: Callee) -> &Partial {
        &self.externals.partials[callee.0 as usize]
    }

    /// The arguments of a call.
    pub fn arguments(&self, arguments: Arguments) -> &[Node] {
        &self.externals.lists[arguments.0 as usize]
    }

    /// The name of what a call calls: `mu`, and `mu_slip` for its derivative by the argument of that name.
    pub fn callee_name(&self, partial: &Partial) -> String {
        let (mut name, arguments) = self.externals.functions[partial.external.index()].clone();
        for (argument, &order) in arguments.iter().zip(&partial.orders) {
            for _ in 0..order {
                name.push('_');
                name.push_str(crate::identifier::unraw(argument));
            }
        }
        name
    }

    /// Does the value of some node depend on an external function?
    pub fn leaves(&self, nodes: &[Node]) -> bool {
        self.reach(nodes).into_iter().any(|n| matches!(self.op(n), Op::Call(..)))
    }
}

/// A smooth stand-in for an external function, with consistent partial derivatives: an identity between formulas
/// that holds for this function holds for all.
///
/// 2 + sin(φ + Σ cₖ xₖ), with φ and cₖ of its own for each function.
pub fn stand_in<N: Number>(partial: &Partial, x: &[N]) -> N {
    let pair = |f: F, a: N, b: N| N::apply(f, [a, b]);
    let own = f64::from(partial.external.0 % 16);
    let quarter_turns = std::f64::consts::FRAC_PI_2 * partial.order() as f64;
    let mut angle = N::constant(0.4 + 0.37 * own + quarter_turns);
    let mut scale = 1.0;
    for (k, (&x, &order)) in x.iter().zip(&partial.orders).enumerate() {
        let c = 0.5 + 0.23 * k as f64 + 0.07 * own;
        angle = pair(F::Add, angle, pair(F::Mul, N::constant(c), x));
        scale *= c.powi(i32::from(order));
    }
    let sine = N::apply(F::Sin, [angle, angle]);
    let wave = pair(F::Mul, N::constant(scale), sine);
    if partial.order() == 0 { pair(F::Add, N::constant(2.0), wave) } else { wave }
}
