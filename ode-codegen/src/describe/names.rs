//! A readable name for every scalar of a model.

use std::collections::HashMap;

use crate::expr::Symbol;
use crate::model::{Model, Space};

/// The names of a model's scalars.
pub struct Names {
    shown: HashMap<Symbol, String>,
    /// coordinates
    pub q: Vec<String>,
    /// velocities: their own name, or that of the coordinate with a prime
    pub v: Vec<String>,
    /// first-order states
    pub z: Vec<String>,
    /// directions of motion: the coordinate, or the velocity where that is the rate of none
    pub directions: Vec<String>,
    /// constraint rows
    pub constraints: Vec<String>,
    /// inputs
    pub u: Vec<String>,
    /// parameters
    pub p: Vec<String>,
    /// outputs
    pub y: Vec<String>,
    /// exact conditions on positions
    pub init_position: Vec<String>,
    /// exact conditions on velocities
    pub init_velocity: Vec<String>,
}

impl Names {
    /// Names everything a model declares.
    pub fn of(model: &Model) -> Self {
        let mut q = Vec::new();
        let (mut v, mut directions) = (Vec::new(), Vec::new());
        for c in &model.coordinates {
            let name = text(&c.declared.ident);
            let own: Vec<String> = c.declared.shape.suffixes().iter().map(|s| format!("{name}{s}")).collect();
            let rates: Vec<String> = (c.rate.suffixes().iter())
                .map(|suffix| match &c.velocity {
                    Some(velocity) => format!("{}{suffix}", text(velocity)),
                    None => format!("{name}{suffix}'"),
                })
                .collect();
            directions.extend(if c.space == Space::Flat { own.clone() } else { rates.clone() });
            q.extend(own);
            v.extend(rates);
        }
        let constraints: Vec<String> = model
            .constraints
            .iter()
            .flat_map(|c| c.shape.suffixes().into_iter().map(move |s| format!("{}{s}", c.label)))
            .collect();
        let declared = |list: Vec<&crate::model::Declared>| -> Vec<String> {
            list.into_iter()
                .flat_map(|d| d.shape.suffixes().into_iter().map(move |s| format!("{}{s}", text(&d.ident))))
                .collect()
        };
        let z = declared(model.states.iter().map(|s| &s.declared).collect());
        let u = declared(model.inputs.iter().map(|i| &i.declared).collect());
        let p = declared(model.params.iter().map(|i| &i.declared).collect());
        let y = declared(model.outputs.iter().map(|i| &i.declared).collect());
        let init = |level| {
            let exact = model.starts.iter().filter(|s| s.exact && s.level == level);
            exact
                .flat_map(|s| {
                    let n = s.on.len();
                    (0..n).map(move |i| if n == 1 { s.label.clone() } else { format!("{}[{i}]", s.label) })
                })
                .collect()
        };
        let mut names = Self {
            shown: HashMap::new(),
            init_position: init(crate::model::Level::Position),
            init_velocity: init(crate::model::Level::Velocity),
            q,
            v,
            z,
            directions,
            constraints,
            u,
            p,
            y,
        };
        names.fill();
        names
    }

    fn fill(&mut self) {
        let mut all = vec![(Symbol::Time, "t".to_owned())];
        let number = |list: &[String], kind: fn(u32) -> Symbol| -> Vec<(Symbol, String)> {
            list.iter().enumerate().map(|(i, n)| (kind(i as u32), n.clone())).collect()
        };
        let accelerations: Vec<String> = self.v.iter().map(|v| format!("{v}'")).collect();
        let multipliers: Vec<String> = self.constraints.iter().map(|c| lambda(c)).collect();
        all.extend(number(&self.q, Symbol::Q));
        all.extend(number(&self.v, Symbol::V));
        all.extend(number(&accelerations, Symbol::A));
        let rates: Vec<String> = self.z.iter().map(|z| format!("{z}'")).collect();
        all.extend(number(&self.z, Symbol::Z));
        all.extend(number(&rates, Symbol::Zdot));
        all.extend(number(&self.u, Symbol::U));
        all.extend(number(&self.p, Symbol::P));
        all.extend(number(&multipliers, Symbol::Lambda));
        for (i, weight) in ["w_a", "w_v", "w_q", "w_z"].into_iter().enumerate() {
            all.push((Symbol::Weight(i as u32), weight.to_owned()));
        }
        self.shown = all.into_iter().collect();
    }

    /// The name of a symbol in text.
    pub fn shown(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Turn(i) => format!("T{i}"),
            Symbol::Mass(i) => format!("M{i}"),
            Symbol::Jacobian(i) => format!("G{i}"),
            Symbol::Factor(i) => format!("L{i}"),
            Symbol::Rhs(i) => format!("b{i}"),
            _ => self.shown.get(&symbol).cloned().unwrap_or_default(),
        }
    }
}

/// An identifier's text, without `r#`.
pub(crate) fn text(ident: &proc_macro2::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

/// `rod` → `rod.lambda`, `loop.x` → `loop.lambda.x`.
fn lambda(row: &str) -> String {
    let end = row.find(['.', '[']).unwrap_or(row.len());
    format!("{}.lambda{}", &row[..end], &row[end..])
}

/// A shown name with `_` for what no identifier has.
pub(crate) fn letters(shown: &str) -> String {
    let mut ident = String::new();
    for c in shown.chars() {
        match c {
            '\'' => ident.push_str("_dot"),
            ']' => {}
            c if c.is_alphanumeric() || c == '_' => ident.push(c),
            _ => ident.push('_'),
        }
    }
    ident
}
