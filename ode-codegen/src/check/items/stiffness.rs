//! `#[tangent(..)]`: the stiffness of an energy in Newton's iterations.

use crate::chart::Block;
use crate::check::read::Reader;
use crate::diagnostics::{Id, Message};
use crate::expr::{Node, Squares, Symbol};
use crate::model::Stiffness;
use crate::parse::ast::Tangent;
use crate::parse::words::refuse;

/// The most coordinates of a stiffness whose eigenvalues are computed at each iteration.
const MOST: usize = 24;

/// What is asked for the energy `value`, if it has that.
pub(super) fn chosen(r: &mut Reader<'_>, tangent: Option<&Tangent>, value: Node) -> Option<Stiffness> {
    let Some(Tangent { word, stiffness }) = tangent.filter(|t| t.stiffness != Stiffness::Exact) else {
        return Some(Stiffness::Exact);
    };
    let blocks = r.declared.blocks();
    let read =
        |b: &&Block| r.graph.depends(value, |s| matches!(s, Symbol::Q(i) if b.positions().contains(&(i as usize))));
    let read: Vec<&Block> = blocks.iter().filter(read).collect();
    let (name, count) = (word.to_string(), read.iter().map(|b| b.chart.velocities()).sum::<usize>());
    if read.iter().any(|b| b.chart.turns()) {
        let message =
            refuse(word, &name, "other stiffnesses of energies that read rotations", "`exact`, or points alone");
        r.report(message.note("a stiffness by rotations is not symmetric, so it has no nearest one of that kind"));
        return None;
    }
    if *stiffness == Stiffness::Semidefinite && count > MOST {
        let what = format!("projected stiffnesses of more than {MOST} coordinates");
        r.report(refuse(word, &name, &what, "energies of fewer coordinates each, or `gauss_newton`"));
        return None;
    }
    if *stiffness == Stiffness::GaussNewton {
        // What it is split into is looked at and thrown away.
        let graph = r.graph.clone();
        let terms = Squares::OF_POSITIONS.split(&mut r.graph, value);
        let negative = terms.iter().flatten().any(|term| {
            let (factor, rest) = r.graph.stripped(term.coefficient);
            factor * r.graph.value(rest).unwrap_or(1.0) < 0.0
        });
        r.graph = graph;
        let what = match terms {
            None => "`gauss_newton` needs a sum of squares, whose weights depend on no coordinate",
            Some(_) if negative => "`gauss_newton` needs squares that are added, and one of these is subtracted",
            Some(_) => return Some(*stiffness),
        };
        let message = Message::new(Id::M0214, word, what).help("write `0.5 * k * sq(e)` or `0.5 * k * dot(e, e)`");
        r.report(message.help("`#[tangent(psd)]` takes any energy"));
        return None;
    }
    Some(*stiffness)
}
