//! Energies, forces and constraints → M, f, r, Φ, G and γ.

use crate::chart::{self, Block, Direction};
use crate::expr::{Graph, Node, Symbol};
use crate::model::{Level, Model, Order};

use super::sparse::Sparse;

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

/// What a derivative is taken along.
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
}

impl Symbols {
    pub(super) fn of(model: &Model) -> Self {
        let list = |n: usize, kind: fn(u32) -> Symbol| (0..n as u32).map(kind).collect();
        Self {
            blocks: model.blocks(),
            v: list(model.nv(), Symbol::V),
            a: list(model.nv(), Symbol::A),
            z: list(model.nz(), Symbol::Z),
            zdot: list(model.nz(), Symbol::Zdot),
            u: list(model.nu(), Symbol::U),
            p: list(model.np(), Symbol::P),
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

pub(super) struct Dynamics {
    pub(super) mass: Sparse,
    pub(super) force: Vec<Node>,
    pub(super) residual: Vec<Node>,
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
            };
            all.extend(symbols.iter().map(|&s| vec![(s, one)]));
        }
        all
    }

    /// The direction of motion: q̇ = N v and ṫ = 1, and v̇ = a where accelerations are meant.
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

    /// T, V and 2R, the rate at which dissipation takes energy when R is quadratic.
    pub(super) fn energies(&mut self) -> [Node; 3] {
        let t = self.total(|m| &m.kinetic);
        let v = self.total(|m| &m.potential);
        let r = self.total(|m| &m.dissipation);
        [t, v, self.graph.scale(2.0, r)]
    }

    /// e · ṡ of each force.
    pub(super) fn powers(&mut self) -> Vec<Node> {
        let motion = self.motion(false);
        let mut powers = Vec::new();
        for force in &self.model.forces {
            let rates = match force.level {
                Level::Position => self.graph.jvp(&force.on, &motion),
                _ => force.on.clone(),
            };
            let terms: Vec<Node> = rates.iter().zip(&force.value).map(|(&s, &e)| self.graph.mul(s, e)).collect();
            powers.push(self.graph.sum(terms));
        }
        powers
    }

    /// M, f and r; D, f and r = D v − f − Gᵀ λ where the model is of first order.
    pub(super) fn dynamics(&mut self) -> Dynamics {
        if self.first_order() {
            return self.first_order_dynamics();
        }
        let inertia = self.smaller_inertia();
        let [loaded, free] = inertia.rows;
        let mut residual = self.balance(loaded, true, inertia.weighed);
        self.graph.expand(&mut residual);
        let free = self.balance(free, false, inertia.weighed);
        let mut force: Vec<Node> = free.into_iter().map(|n| self.graph.neg(n)).collect();
        self.graph.expand(&mut force);
        let mass = self.mass(&force);
        Dynamics { mass, force, residual }
    }

    pub(super) fn first_order(&self) -> bool {
        self.model.header.options.order == Order::First
    }

    fn first_order_dynamics(&mut self) -> Dynamics {
        let nothing = vec![self.graph.constant(0.0); self.symbols.v.len()];
        let mut residual = self.balance(nothing.clone(), true, false);
        self.graph.expand(&mut residual);
        let moves = |s| matches!(s, Symbol::V(_));
        let free = self.balance(nothing, false, false);
        let free = self.graph.at_zero(&free, moves);
        let mut force: Vec<Node> = free.into_iter().map(|n| self.graph.neg(n)).collect();
        self.graph.expand(&mut force);
        let dissipation = self.total(|m| &m.dissipation);
        let entries = self.second_derivatives(dissipation);
        let mut mass = self.finished(entries);
        let values = self.graph.at_zero(&mass.values(), moves);
        for (entry, value) in mass.entries.iter_mut().zip(values) {
            entry.2 = value;
        }
        Dynamics { mass, force, residual }
    }

    /// Ṁ v, the rate of M v where v stays, of models with momenta: from M, or from ∂T/∂v where that is M v and costs less.
    pub(super) fn momentum_rate(&mut self, mass: &Sparse) -> Vec<Node> {
        let before = self.graph.clone();
        let momenta = self.mass_times_velocity(mass);
        let by_mass = self.rates_of(&momenta);
        let moves = |s| matches!(s, Symbol::V(_));
        let energetic = self.model.mass.is_empty() && !mass.values().iter().any(|&m| self.graph.depends(m, moves));
        if !energetic {
            return by_mass;
        }
        let graph = std::mem::replace(&mut self.graph, before);
        let kinetic = self.total(|m| &m.kinetic);
        let momenta = self.graph.gradient(kinetic, &self.symbols.v);
        // what does not vanish with v is no part of M v
        let resting = self.graph.at_zero(&momenta, moves);
        let momenta: Vec<Node> = momenta.into_iter().zip(resting).map(|(p, rest)| self.graph.sub(p, rest)).collect();
        let by_energy = self.rates_of(&momenta);
        if self.graph.operations(&by_energy) < graph.operations(&by_mass) {
            return by_energy;
        }
        self.graph = graph;
        by_mass
    }

    /// M v
    fn mass_times_velocity(&mut self, mass: &Sparse) -> Vec<Node> {
        let mut momenta = vec![self.graph.constant(0.0); self.symbols.v.len()];
        let mut share = |row: usize, col: usize, entry: Node| {
            let v = self.graph.symbol(self.symbols.v[col]);
            let product = self.graph.mul(entry, v);
            momenta[row] = self.graph.add(momenta[row], product);
        };
        for &(row, col, entry) in &mass.entries {
            share(row, col, entry);
            if row != col {
                share(col, row, entry);
            }
        }
        momenta
    }

    /// The rates of values along the motion while v stays.
    fn rates_of(&mut self, values: &[Node]) -> Vec<Node> {
        let motion = self.motion(false);
        let mut rates = self.graph.jvp(values, &motion);
        self.graph.expand(&mut rates);
        rates
    }

    /// r with its accelerations and multipliers (`loaded`), or −f without.
    /// Bodies whose weight is in their inertia already (`weighed`) have no potential here.
    fn balance(&mut self, inertia: Vec<Node>, loaded: bool, weighed: bool) -> Vec<Node> {
        let first_order = self.first_order();
        let q = self.along(&[Kind::Position]);
        let (held, rolling) = self.reactions(loaded);
        let g = &mut self.graph;
        let one = g.constant(1.0);
        let minus = g.constant(-1.0);
        let weight = |k: usize| weighed && self.model.bodies.iter().any(|b| b.weight == Some(k));
        let potentials = self.model.potential.iter().enumerate().filter(|(k, _)| !weight(*k));
        let mut work: Vec<(Node, Node)> = potentials.map(|(_, e)| (e.value, minus)).collect();
        let mut turning = Vec::new();
        for force in &self.model.forces {
            let list = if force.level == Level::Position { &mut work } else { &mut turning };
            list.extend(force.on.iter().copied().zip(force.value.iter().copied()));
        }
        work.extend(held);
        // one reverse sweep gathers all generalised forces
        let gathered = chart::pull_back(g, &work, &q);
        let mut dissipation: Vec<(Node, Node)> = self.model.dissipation.iter().map(|e| (e.value, one)).collect();
        for (rate, force) in turning.into_iter().chain(rolling) {
            dissipation.push((rate, g.neg(force)));
        }
        let drag = g.vjp(&dissipation, &self.symbols.v);
        let mut rows: Vec<Node> = (0..inertia.len())
            .map(|i| {
                let inertia = g.add(inertia[i], drag[i]);
                g.sub(inertia, gathered[i])
            })
            .collect();
        if loaded {
            for entry in &self.model.mass {
                let rates = if first_order { &self.symbols.v } else { &self.symbols.a };
                let rate = g.symbol(rates[entry.col]);
                let share = g.mul(entry.value, rate);
                rows[entry.row] = g.add(rows[entry.row], share);
            }
        }
        rows
    }

    /// The guards, and their rates along the motion with the inputs held.
    pub(super) fn guards(&mut self) -> (Vec<Node>, Vec<Node>) {
        let guards: Vec<Node> = self.model.events.iter().map(|e| e.guard).collect();
        let mut motion = self.motion(true);
        for (&z, &zdot) in self.symbols.z.iter().zip(&self.symbols.zdot) {
            motion.push((z, self.graph.symbol(zdot)));
        }
        let rates = self.graph.jvp(&guards, &motion);
        (guards, rates)
    }

    /// ż − g, the rows of the first-order states, and −F, those of algebraic variables.
    pub(super) fn rates(&mut self) -> Vec<Node> {
        let differential = self.model.nz() - self.model.na();
        let mut rows = Vec::new();
        for (i, &g) in self.model.rates.iter().enumerate() {
            rows.push(if i < differential {
                let rate = self.graph.symbol(self.symbols.zdot[i]);
                self.graph.sub(rate, g)
            } else {
                self.graph.neg(g)
            });
        }
        rows
    }

    /// F and its dense Jacobian by the algebraic variables.
    pub(super) fn algebraic(&mut self) -> [Vec<Node>; 2] {
        let first = self.model.nz() - self.model.na();
        let laws = self.model.rates.get(first..).unwrap_or_default().to_vec();
        let unknowns = self.symbols.z.get(first..).unwrap_or_default().to_vec();
        let jacobian = laws.iter().flat_map(|&law| self.graph.gradient(law, &unknowns)).collect();
        [laws, jacobian]
    }
}
