//! `spring`: energies of the distance of two points.

use syn::Expr;

use super::energy::{alone, expect_unit};
use super::fields::{fields, number};
use super::stiffness::chosen;
use crate::check::motion::seeds;
use crate::check::read::Reader;
use crate::check::values::{Dimension, Value};
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Function as F, Node, Symbol};
use crate::model::{Energies, Energy, Figure, Form};
use crate::parse::ast::{Bodied, Tangent};

/// ½ k (|q − p| − rest)², and ½ c (rate of |q − p|)²
pub(super) fn spring(
    r: &mut Reader<'_>,
    energies: &mut Energies,
    figures: &mut Vec<Figure>,
    spring: &Bodied,
    tangent: Option<&Tangent>,
) {
    let name = r.label("potential", &spring.name);
    let ends = ends(r, spring);
    let fields = fields(r, "spring", &spring.name, &spring.fields, &[("k", true), ("rest", false), ("damping", false)]);
    let (Some([p, q]), Some(fields)) = (ends, fields) else { return };
    let stiffness = Dimension::whole([0, 1, -2, 0, 0]);
    let k = number(r, spring, &fields, "k", stiffness);
    let rest = number(r, spring, &fields, "rest", Dimension::METRE);
    let damping = number(r, spring, &fields, "damping", Dimension::whole([0, 1, -1, 0, 0]));
    let (Some(Some(k)), Some(rest), Some(damping)) = (k, rest, damping) else { return };
    let squares: Vec<Node> = difference(r, &p, &q).into_iter().map(|d| r.graph.square(d)).collect();
    let square = r.graph.sum(squares);
    let length = r.graph.apply(F::Root, &[square]);
    let stretch = match rest {
        Some(rest) if !r.graph.is_zero(rest) => {
            let stretch = r.graph.sub(length, rest);
            r.graph.square(stretch)
        }
        _ => square,
    };
    let twice = r.graph.mul(k, stretch);
    let value = r.graph.scale(0.5, twice);
    if alone(r, "spring", value, &spring.on).is_none() {
        return;
    }
    let Some(stiffness) = chosen(r, tangent, value) else { return };
    energies.potential.push(Energy { stiffness, ..Energy::new(name.clone(), value, spring.name.span()) });
    let (space, ends) = (p.len() == 3, [p, q].concat());
    figures.push(Figure { name: name.clone(), form: Form::Spring, space, color: None, value: ends });
    if let Some(damping) = damping {
        let seeds = seeds(&mut r.graph, &r.declared);
        let rates = r.graph.jvp(&[length], &seeds);
        let squares: Vec<Node> = rates.iter().map(|rate| r.graph.square(*rate)).collect();
        let square = r.graph.sum(squares);
        let twice = r.graph.mul(damping, square);
        let value = r.graph.scale(0.5, twice);
        if alone(r, "spring", value, &spring.on).is_none() {
            return;
        }
        energies.dissipation.push(Energy::new(name, value, spring.name.span()));
    }
}

/// q − p
fn difference(r: &mut Reader<'_>, p: &[Node], q: &[Node]) -> Vec<Node> {
    p.iter().zip(q).map(|(a, b)| r.graph.sub(*b, *a)).collect()
}

/// A spring's two ends.
fn ends(r: &mut Reader<'_>, spring: &Bodied) -> Option<[Vec<Node>; 2]> {
    let wrong = |r: &mut Reader<'_>| {
        let message = Message::new(Id::M0509, &spring.on, "a spring has two ends")
            .help(format!("write `spring {} on (p, q) {{ k: .., rest: .. }}`", spring.name));
        r.report(message);
        None
    };
    let Expr::Tuple(pair) = &spring.on else { return wrong(r) };
    let written: Vec<&Expr> = pair.elems.iter().collect();
    let [p, q] = written.as_slice() else { return wrong(r) };
    let (a, b) = (r.eval(p), r.eval(q));
    if a.is_poison() || b.is_poison() {
        return None;
    }
    let points = matches!((&a, &b), (Value::Quantity(_), Value::Quantity(_)));
    if !points || a.shape() != b.shape() || a.scalars().len() != b.scalars().len() {
        let what = format!("the ends of a spring are two points, found {} and {}", a.name(), b.name());
        let help =
            if matches!((&a, &b), (Value::Frame(_) | Value::Frame3(_), _) | (_, Value::Frame(_) | Value::Frame3(_))) {
                Some("the point of a frame is `b.origin`".to_owned())
            } else {
                None
            };
        r.report(Message::new(Id::M0509, &spring.on, what).maybe_help(help));
        return None;
    }
    for (value, at) in [(&a, p), (&b, q)] {
        expect_unit(r, &format!("`{}`", text(at)), value.unit(), Dimension::METRE, at)?;
    }
    let ends = [a.scalars(), b.scalars()];
    let difference = difference(r, &ends[0], &ends[1]);
    if r.graph.any_depends(&difference, |s| matches!(s, Symbol::V(_) | Symbol::A(_) | Symbol::Lambda(_))) {
        r.report(Message::new(
            Id::M0202,
            &spring.on,
            "the ends of a spring are positions, and these depend on a velocity",
        ));
        return None;
    }
    if !r.graph.any_depends(&difference, |s| matches!(s, Symbol::Q(_))) {
        r.report(Message::new(Id::M0212, &spring.on, format!("spring `{}` has ends that do not move", spring.name)));
        return None;
    }
    Some(ends)
}
