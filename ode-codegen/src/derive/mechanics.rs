//! A derivation in progress: the graph, the model, and the directions that derivatives are taken along.

use crate::chart::{self, Block, Direction};
use crate::expr::{Graph, Node, Symbol};
use crate::model::{Model, Order};

/// The symbols of a model, by kind, and the blocks of its positions.
pub(super) struct Symbols {
    pub(super) blocks: Vec<Block>,
    pub(super) v: Vec<Symbol>,
    pub(super) a: Vec<Symbol>,
    pub(super) z: Vec<Symbol>,
    pub(super) zdot: Vec<Symbol>,
    pub(super) u: Vec<Symbol>,
    pub(super) p: Vec<Symbol>,
    pub(super) lambda: Vec<Symbol>,
}

/// The directions of a derivative.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// ∂/∂q: nv tangent directions, the columns of N
    Position,
    /// ∂/∂v
    Velocity,
    /// ∂/∂z
    State,
    /// ∂/∂a
    Acceleration,
    /// ∂/∂ż
    Rate,
    /// ∂/∂λ
    Multiplier,
    /// ∂/∂u
    Input,
    /// ∂/∂p
    Parameter,
    /// ∂/∂t
    Time,
}

impl Symbols {
    pub(super) fn of(model: &Model) -> Self {
        let list = |n: usize, kind: fn(u32) -> Symbol| (0..n as u32).map(kind).collect::<Vec<Symbol>>();
        let mut p = list(model.np(), Symbol::P);
        // no expression has what stands for a length, so nothing varies by it
        let declared = model.declared.params.iter().map(|param| &param.declared);
        for length in declared.filter(|declared| model.header.counts.contains(&declared.ident)) {
            p.iter_mut().skip(length.first).take(length.shape.len()).for_each(|symbol| *symbol = Symbol::P(u32::MAX));
        }
        Self {
            blocks: model.blocks(),
            v: list(model.nv(), Symbol::V),
            a: list(model.nv(), Symbol::A),
            z: list(model.nz(), Symbol::Z),
            zdot: list(model.nz(), Symbol::Zdot),
            u: list(model.nu(), Symbol::U),
            p,
            lambda: list(model.nc(), Symbol::Lambda),
        }
    }
}

/// A derivation in progress.
pub(super) struct Mechanics<'a> {
    pub(super) graph: Graph,
    pub(super) model: &'a Model,
    pub(super) symbols: Symbols,
}

impl Mechanics<'_> {
    /// The directions of these kinds, one after the other. Those of positions are tangent.
    pub(super) fn along(&mut self, kinds: &[Kind]) -> Vec<Direction> {
        let one = self.graph.constant(1.0);
        let mut all = Vec::new();
        for kind in kinds {
            let symbols = match kind {
                Kind::Position => {
                    all.extend(chart::directions(&mut self.graph, &self.symbols.blocks));
                    continue;
                }
                Kind::Velocity => &self.symbols.v,
                Kind::State => &self.symbols.z,
                Kind::Acceleration => &self.symbols.a,
                Kind::Rate => &self.symbols.zdot,
                Kind::Multiplier => &self.symbols.lambda,
                Kind::Input => &self.symbols.u,
                Kind::Parameter => &self.symbols.p,
                Kind::Time => &vec![Symbol::Time],
            };
            all.extend(symbols.iter().map(|&s| vec![(s, one)]));
        }
        all
    }

    /// The direction of motion: q̇ = N v and ṫ = 1, and v̇ = a if accelerations are included.
    pub(super) fn motion(&mut self, accelerating: bool) -> Direction {
        let one = self.graph.constant(1.0);
        let mut seeds = vec![(Symbol::Time, one)];
        seeds.extend(chart::motion(&mut self.graph, &self.symbols.blocks));
        if accelerating {
            for (&v, &a) in self.symbols.v.iter().zip(&self.symbols.a) {
                seeds.push((v, self.graph.symbol(a)));
            }
        }
        seeds
    }

    pub(super) fn total(&mut self, energies: fn(&Model) -> &Vec<crate::model::Energy>) -> Node {
        let values: Vec<Node> = energies(self.model).iter().map(|e| e.value).collect();
        self.graph.sum(values)
    }

    /// Do the equations of motion determine velocities?
    pub(super) fn first_order(&self) -> bool {
        self.model.header.options.order == Order::First
    }
}
