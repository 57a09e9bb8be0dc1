//! A readable name for every scalar of a model.

use std::collections::BTreeMap;

use crate::expr::Symbol;
use crate::model::Model;

/// The names of a model's scalars.
pub struct Names {
    shown: BTreeMap<Symbol, String>,
    /// coordinates
    pub q: Vec<String>,
    /// velocities: their own name, or `der(x)` of their coordinate's
    pub v: Vec<String>,
    /// first-order states
    pub z: Vec<String>,
    /// modes
    pub modes: Vec<String>,
    /// directions of motion: the coordinate, or the velocity where that is the rate of none
    pub directions: Vec<String>,
    /// entries of a step q ⊕ step: unlike directions, none has the name of a velocity
    pub steps: Vec<String>,
    /// constraint rows
    pub constraints: Vec<String>,
    /// their multipliers: `rod.lambda.x`
    pub multipliers: Vec<String>,
    /// inputs
    pub u: Vec<String>,
    /// parameters
    pub p: Vec<String>,
    /// outputs
    pub y: Vec<String>,
    /// path constraints
    pub limits: Vec<String>,
    /// exact conditions on positions
    pub init_position: Vec<String>,
    /// exact conditions on velocities
    pub init_velocity: Vec<String>,
}

impl Names {
    /// Names everything a model declares.
    pub fn of(model: &Model) -> Self {
        let directions = (0..model.nv()).map(|i| model.declared.direction_name(i)).collect();
        let steps = (0..model.nv()).map(|i| model.declared.step_name(i)).collect();
        let v = (0..model.nv()).map(|i| model.declared.velocity_name(i)).collect();
        let (mut constraints, mut multipliers) = (Vec::new(), Vec::new());
        for c in &model.constraints {
            // that of `fix x` is read as `fix_x.lambda`
            let read = if c.label.contains(' ') { model.shown(&c.ident) } else { c.label.clone() };
            for suffix in c.shape.suffixes() {
                constraints.push(format!("{}{suffix}", c.label));
                multipliers.push(format!("{read}.lambda{suffix}"));
            }
        }
        let declared = |list: Vec<&crate::model::Declared>| -> Vec<String> {
            list.into_iter()
                .flat_map(|d| d.shape.suffixes().into_iter().map(move |s| format!("{}{s}", model.shown(&d.ident))))
                .collect()
        };
        let q = declared(model.declared.coordinates.iter().map(|c| &c.declared).collect());
        let z = declared(model.declared.states.iter().map(|s| &s.declared).collect());
        let modes = declared(model.declared.modes.iter().map(|m| &m.declared).collect());
        let u = declared(model.declared.inputs.iter().map(|i| &i.declared).collect());
        let p = declared(model.declared.params.iter().map(|i| &i.declared).collect());
        let y = declared(model.observed.outputs.iter().map(|i| &i.declared).collect());
        let of_limit = |l: &crate::model::Limit| {
            let name = model.shown(&l.ident);
            l.shape.suffixes().into_iter().map(move |suffix| format!("{name}{suffix}")).collect::<Vec<_>>()
        };
        let limits = model.observed.limits.iter().flat_map(of_limit).collect();
        let init = |level| {
            let exact = model.starts.iter().filter(|s| s.exact && s.level == level);
            exact
                .flat_map(|s| {
                    let n = s.rows.len();
                    (0..n).map(move |i| if n == 1 { s.label.clone() } else { format!("{}[{i}]", s.label) })
                })
                .collect()
        };
        let mut names = Self {
            shown: BTreeMap::new(),
            init_position: init(crate::model::Level::Position),
            init_velocity: init(crate::model::Level::Velocity),
            q,
            v,
            z,
            modes,
            directions,
            steps,
            constraints,
            multipliers,
            u,
            p,
            y,
            limits,
        };
        names.fill();
        names
    }

    fn fill(&mut self) {
        let mut all = vec![(Symbol::Time, "t".to_owned())];
        let number = |list: &[String], kind: fn(u32) -> Symbol| -> Vec<(Symbol, String)> {
            list.iter().enumerate().map(|(i, n)| (kind(i as u32), n.clone())).collect()
        };
        let rates = |names: &[String]| -> Vec<String> { names.iter().map(|name| format!("der({name})")).collect() };
        all.extend(number(&self.q, Symbol::Q));
        all.extend(number(&self.v, Symbol::V));
        all.extend(number(&rates(&self.v), Symbol::A));
        all.extend(number(&self.z, Symbol::Z));
        all.extend(number(&self.modes, Symbol::Mode));
        all.extend(number(&rates(&self.z), Symbol::Zdot));
        all.extend(number(&self.u, Symbol::U));
        all.extend(number(&self.p, Symbol::P));
        all.extend(number(&self.multipliers, Symbol::Lambda));
        for (i, weight) in ["w_a", "w_v", "w_q", "w_z"].into_iter().enumerate() {
            all.push((Symbol::Weight(i as u32), weight.to_owned()));
        }
        self.shown = all.into_iter().collect();
    }

    /// The symbols of the equations with their names in text.
    pub(super) fn symbols(&self) -> impl Iterator<Item = (Symbol, &String)> {
        self.shown.iter().map(|(&symbol, name)| (symbol, name))
    }

    /// The name of a symbol in text.
    pub fn shown(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Turn(i) => format!("T{i}"),
            Symbol::Prepared(i) => format!("prepared[{i}]"),
            Symbol::Mass(i) => format!("M{i}"),
            Symbol::Jacobian(i) => format!("G{i}"),
            Symbol::Tangent(i) => format!("A{i}"),
            Symbol::Factor(i) => format!("L{i}"),
            Symbol::Rhs(i) => format!("b{i}"),
            Symbol::Adjoint(i) | Symbol::Covector(i) => format!("y{i}"),
            Symbol::Direction(i) | Symbol::Vector(i) => format!("d{i}"),
            _ => self.shown.get(&symbol).cloned().unwrap_or_default(),
        }
    }
}
