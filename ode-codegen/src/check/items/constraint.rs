//! `constraint c: a == b;`: rows Φ = a − b, or A v + b where velocities are in them.

use super::super::units::Unit;
use super::super::value::Value;
use super::super::{Checker, Dimension, Multiplier};
use crate::chart::{self, Block};
use crate::diagnostics::{Id, Message, Warning, text};
use crate::expr::{Graph, Node, Symbol};
use crate::model::{self, Hold};
use crate::parse::ast::Constraint;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;

pub(super) fn constraint(c: &mut Checker<'_>, constraint: &Constraint, docs: &[String]) {
    let spelled = c.spelled(&constraint.name);
    super::declare::accessor(c, "constraint", &spelled);
    let label = c.label("constraint", &constraint.name);
    if law(c, constraint, &label) {
        return;
    }
    let found = equation(c, constraint);
    let first = c.draft.constraints.iter().map(|k| k.rows.len()).sum();
    let multiplier = match &found {
        Some(found) => {
            Multiplier { first, shape: found.shape.clone(), unit: found.conjugate(c), broken: false, algebraic: false }
        }
        None => Multiplier { first, shape: model::Shape::Scalar, unit: Unit::Unknown, broken: true, algebraic: false },
    };
    c.constraints.insert(label.clone(), multiplier);
    let Some(Equation { rows, shape, unit, level, soft }) = found else { return };
    let ident = c.labelled(&constraint.name, label);
    let unit = match unit {
        Unit::Known(_) => unit.to_string(),
        Unit::Any | Unit::Unknown => String::new(),
    };
    let label = c.shown(&ident);
    c.draft.constraints.push(model::Constraint {
        ident,
        label,
        rows,
        level,
        soft,
        redundant: constraint.redundant.is_some(),
        first,
        shape,
        unit,
        docs: docs.to_vec(),
    });
}

/// Rows of positions first, in the order of the text otherwise; multipliers are numbered as their rows are.
pub(in crate::check) fn order(constraints: &mut [model::Constraint], graph: &mut Graph) {
    constraints.sort_by_key(|c| c.level);
    let mut number = vec![0; constraints.iter().map(|c| c.rows.len()).sum()];
    let mut first = 0;
    for constraint in constraints {
        for k in 0..constraint.rows.len() {
            number[constraint.first + k] = (first + k) as u32;
        }
        constraint.first = first;
        first += constraint.rows.len();
    }
    graph.rename(|symbol| match symbol {
        Symbol::Lambda(i) => Symbol::Lambda(number.get(i as usize).copied().unwrap_or(i)),
        other => other,
    });
}

/// The rows of an equation with their shape, unit and level, and what lets them yield.
pub(super) struct Equation {
    pub(super) rows: Vec<Node>,
    pub(super) shape: model::Shape,
    pub(super) unit: Unit,
    pub(super) level: Hold,
    pub(super) soft: Vec<model::Soft>,
}

impl Equation {
    /// Unit of the position the multipliers act on: a joule by it is theirs.
    pub(super) fn conjugate(&self, c: &Checker<'_>) -> Unit {
        match self.level {
            Hold::Position => self.unit,
            Hold::Velocity => self.unit.mul(c.unit(Dimension::SECOND)),
        }
    }
}

/// An equation with algebraic variables in it determines them: a row of F, without a multiplier.
fn law(c: &mut Checker<'_>, constraint: &Constraint, label: &str) -> bool {
    if !c.draft.states.iter().any(|z| z.algebraic) {
        return false;
    }
    let mistakes = c.reports.count();
    let (left, right) = (c.eval(&constraint.left), c.eval(&constraint.right));
    let sides = [left.scalars(), right.scalars()].concat();
    if c.reports.count() > mistakes || c.algebraic_of(&sides).is_none() {
        return false;
    }
    let multiplier =
        Multiplier { first: 0, shape: model::Shape::Scalar, unit: Unit::Unknown, broken: false, algebraic: true };
    c.constraints.insert(label.to_owned(), multiplier);
    if agree(c, constraint, &left, &right).is_none() || c.without_accelerations(&sides, &constraint.equation).is_none()
    {
        c.reports.doubts.rates = true;
        return true;
    }
    if c.first_order && c.depends(&sides, |s| matches!(s, Symbol::V(_))) {
        let what = format!(
            "constraint `{}` makes algebraic variables depend on a velocity, which is not known yet",
            constraint.name
        );
        c.of_second_order(&constraint.equation, what, "what is linear in a velocity is a `dissipation`");
        c.reports.doubts.rates = true;
        return true;
    }
    if let Some(field) = constraint.with.first().map(|(field, _)| field).or(constraint.redundant.as_ref()) {
        let what = format!("constraint `{}` determines algebraic variables, and has nothing to yield", constraint.name);
        c.report(Message::new(Id::M0225, field, what).help("drop `with { .. }`"));
        c.reports.doubts.rates = true;
        return true;
    }
    let suffixes = left.shape().map(|shape| shape.suffixes()).unwrap_or_default();
    let pairs: Vec<(Node, Node)> = left.scalars().into_iter().zip(right.scalars()).collect();
    for ((a, b), suffix) in pairs.into_iter().zip(suffixes) {
        let row = c.graph.sub(a, b);
        c.draft.laws.push((format!("{label}{suffix}"), constraint.name.clone(), row));
    }
    true
}

fn equation(c: &mut Checker<'_>, constraint: &Constraint) -> Option<Equation> {
    let (left, right) = (c.eval(&constraint.left), c.eval(&constraint.right));
    if left.is_poison() || right.is_poison() {
        return None;
    }
    let unit = agree(c, constraint, &left, &right)?;
    let shape = left.shape()?;
    let pairs = left.scalars().into_iter().zip(right.scalars());
    let rows: Vec<Node> = pairs.map(|(a, b)| c.graph.sub(a, b)).collect();
    let level = level(c, constraint, &rows)?;
    if level == Hold::Velocity && constraint.with.is_empty() {
        integrable(c, constraint, &rows);
    }
    super::soft::yielding(c, constraint, Equation { rows, shape, unit, level, soft: Vec::new() })
}

/// M0508 and M0505: both sides are of one shape and unit.
fn agree(c: &mut Checker<'_>, constraint: &Constraint, left: &Value, right: &Value) -> Option<Unit> {
    let name = &constraint.name;
    if left.shape().is_none() || left.shape() != right.shape() {
        let what =
            format!("both sides of constraint `{name}` must have the same shape: {} and {}", left.name(), right.name());
        let message = Message::new(Id::M0508, &constraint.equation, what);
        let vector = |v: &Value| matches!(v.shape(), Some(model::Shape::Vector(_)));
        let message = match (vector(left), vector(right)) {
            (true, false) => {
                message.help(format!("did you mean `norm({}) == {}`?", text(&constraint.left), text(&constraint.right)))
            }
            (false, true) => {
                message.help(format!("did you mean `{} == norm({})`?", text(&constraint.left), text(&constraint.right)))
            }
            _ => message,
        };
        c.report(message);
        return None;
    }
    let mut unit = Unit::Any;
    for ((_, a), (_, b)) in left.measured().into_iter().zip(right.measured()) {
        let Some(both) = a.unify(b) else {
            let what = format!("both sides of constraint `{name}` must have the same unit: `{a}` and `{b}`");
            let message = Message::new(Id::M0505, &constraint.equation, what)
                .help(format!("they differ by a factor of [{}]", a.div(b)));
            c.report(message);
            return None;
        };
        unit = unit.unify(both).unwrap_or(Unit::Unknown);
    }
    Some(unit)
}

/// Of positions, or linear in the velocities; without inputs.
fn level(c: &mut Checker<'_>, constraint: &Constraint, rows: &[Node]) -> Option<Hold> {
    let name = &constraint.name;
    c.without_accelerations(rows, &constraint.equation)?;
    if let Some(input) = c.input_of(rows) {
        let message =
            Message::new(Id::M0305, &constraint.equation, format!("constraint `{name}` depends on input `{input}`"))
                .note(format!("its time derivative would need der({input})"))
                .help("make the motion a param/time function, or a `force`");
        c.report(message);
        return None;
    }
    if c.depends(rows, |s| matches!(s, Symbol::Mode(_))) {
        let message = Message::new(Id::M0305, &constraint.equation, format!("constraint `{name}` depends on a mode"))
            .note("an event that changes the mode would leave the state off the constraint")
            .help("hold it by a `force`, and switch that");
        c.report(message);
        return None;
    }
    if let Some(state) = c.state_of(rows) {
        let message =
            Message::new(Id::M0305, &constraint.equation, format!("constraint `{name}` depends on state `{state}`"))
                .note(format!("its second time derivative would need that of der({state})"))
                .help("make the state a coordinate, or hold it by its rate: `der(z) = ..`");
        c.report(message);
        return None;
    }
    let velocities = velocities(c);
    if c.depends(rows, |s| matches!(s, Symbol::V(_))) {
        for row in rows {
            let slopes = c.graph.gradient(*row, &velocities);
            if c.depends(&slopes, |s| matches!(s, Symbol::V(_))) {
                let message = Message::new(
                    Id::M0304,
                    &constraint.equation,
                    format!("constraint `{name}` is nonlinear in the velocities"),
                )
                .note("only holonomic and Pfaffian (linear) constraints have multipliers that are forces")
                .help("solve for the velocity, or write a `force`");
                c.report(message);
                return None;
            }
        }
        return Some(Hold::Velocity);
    }
    if !c.depends(rows, |s| matches!(s, Symbol::Q(_))) {
        let (left, right) = (text(&constraint.left), text(&constraint.right));
        let message = Message::new(
            Id::M0301,
            &constraint.equation,
            format!("constraint `{name}` does not depend on any coordinate"),
        )
        .note("its Jacobian row would be zero, so the constrained system is always singular");
        let only_params =
            c.depends(rows, |s| matches!(s, Symbol::P(_))) && !c.depends(rows, |s| matches!(s, Symbol::Time));
        let message = match only_params {
            true => {
                message.help(format!("did you mean `require`? it compares parameters: `require {left} <= {right};`"))
            }
            false => message,
        };
        c.report(message);
        return None;
    }
    Some(Hold::Position)
}

fn velocities(c: &Checker<'_>) -> Vec<Symbol> {
    (0..c.freedom() as u32).map(Symbol::V).collect()
}

/// M0309: A v + b is the rate of a position where d/dt(∂ψ/∂v) − ∂ψ/∂q vanishes, as Lagrange's equations of a total time
/// derivative do.
fn integrable(c: &mut Checker<'_>, constraint: &Constraint, rows: &[Node]) {
    if c.allowed("holonomic") {
        return;
    }
    let velocities = velocities(c);
    let (before, blocks) = (c.graph.clone(), c.blocks());
    let motion = super::super::functions::seeds(c);
    let along = chart::directions(&mut c.graph, &blocks);
    let (mut exact, mut constant) = (true, true);
    for row in rows {
        let momenta = c.graph.gradient(*row, &velocities);
        let rates = c.graph.jvp(&momenta, &motion);
        let slopes = chart::gradient(&mut c.graph, *row, &along);
        exact &= rates.into_iter().zip(slopes).all(|(a, b)| c.equal_everywhere(a, b));
        // Body rates are rates of no position.
        let mut turning = blocks.iter().filter(|b| b.chart.is_rotation()).flat_map(Block::velocities);
        exact &= turning.all(|i| c.graph.is_zero(momenta[i]));
        constant &= !c.depends(&momenta, |s| !matches!(s, Symbol::P(_)));
    }
    // What stands in each `der(..)` can be written where all else is constant.
    let still = c.graph.at_zero(rows, |s| matches!(s, Symbol::V(_)));
    constant &= still.iter().all(|b| c.graph.is_zero(*b));
    c.graph = before;
    if !exact {
        return;
    }
    let name = &constraint.name;
    let what = format!("constraint `{name}` is the rate of a position: it is holonomic");
    let help = match constant {
        true => {
            let (left, right) = (integrated(&constraint.left), integrated(&constraint.right));
            format!("help: write `constraint {name}: {left} == {right};`, plus a constant where the start has one")
        }
        false => "help: constrain that position, or `#[allow(holonomic)]`".to_owned(),
    };
    let lines = ["note: only its rate is held, so the position drifts", &help];
    c.warn(Warning::new(Id::M0309, name.span(), what, &lines));
}

/// The expression with `e` for each `der(e)`.
fn integrated(written: &syn::Expr) -> String {
    fn positions(tokens: TokenStream) -> TokenStream {
        let mut out: Vec<TokenTree> = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let inner = positions(group.stream());
                    let mut group = Group::new(group.delimiter(), inner);
                    if matches!(out.last(), Some(TokenTree::Ident(word)) if word == "der") {
                        out.pop();
                        let sum =
                            group.stream().into_iter().any(|t| matches!(t, TokenTree::Punct(p) if p.as_char() != '.'));
                        if !sum {
                            group = Group::new(Delimiter::None, group.stream());
                        }
                    }
                    out.push(group.into());
                }
                other => out.push(other),
            }
        }
        out.into_iter().collect()
    }
    text(positions(written.to_token_stream()))
}
