//! M0309: rows of velocities that are rates of positions.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;

use crate::chart::{self, Block};
use crate::check::motion::seeds;
use crate::check::read::Reader;
use crate::check::sampling::equal_everywhere;
use crate::diagnostics::{Id, Warning, text};
use crate::expr::{Node, Symbol};
use crate::parse::ast::Constraint;

/// M0309: A v + b is the rate of a position where d/dt(∂ψ/∂v) − ∂ψ/∂q vanishes, as Lagrange's equations of a total time
/// derivative do.
pub(super) fn integrable(r: &mut Reader<'_>, constraint: &Constraint, rows: &[Node]) {
    if r.allowed("holonomic") {
        return;
    }
    let velocities = r.velocities();
    let (before, blocks) = (r.graph.clone(), r.declared.blocks());
    let motion = seeds(&mut r.graph, &r.declared);
    let along = chart::directions(&mut r.graph, &blocks);
    let (mut exact, mut constant) = (true, true);
    for row in rows {
        let momenta = r.graph.gradient(*row, &velocities);
        let rates = r.graph.jvp(&momenta, &motion);
        let slopes = chart::gradient(&mut r.graph, *row, &along);
        exact &= rates.into_iter().zip(slopes).all(|(a, b)| equal_everywhere(&r.graph, &r.declared, a, b));
        // Body rates are rates of no position.
        let mut turning = blocks.iter().filter(|b| b.chart.is_rotation()).flat_map(Block::velocities);
        exact &= turning.all(|i| r.graph.is_zero(momenta[i]));
        constant &= !r.graph.any_depends(&momenta, |s| !matches!(s, Symbol::P(_)));
    }
    // The arguments of `der(..)` give the position, if all else is constant.
    let still = r.graph.at_zero(rows, |s| matches!(s, Symbol::V(_)));
    constant &= still.iter().all(|b| r.graph.is_zero(*b));
    r.graph = before;
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
    let lines = ["note: only its rate is constrained, so the position drifts", &help];
    r.warn(Warning::new(Id::M0309, name.span(), what, &lines));
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
