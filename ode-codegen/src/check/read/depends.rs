//! Dependencies of expressions, in the user's names, and the rules that many items share.

use syn::Expr;

use super::reader::Reader;
use crate::diagnostics::{Id, Message, text};
use crate::expr::{Node, Symbol};

impl Reader<'_> {
    /// The symbols of all velocities.
    pub(crate) fn velocities(&self) -> Vec<Symbol> {
        (0..self.declared.nv() as u32).map(Symbol::V).collect()
    }

    /// The name of an input the nodes depend on.
    pub(crate) fn input_of(&self, nodes: &[Node]) -> Option<String> {
        let found = self.graph.reach(nodes).into_iter().find_map(|n| match self.graph.as_symbol(n) {
            Some(Symbol::U(i)) => Some(i as usize),
            _ => None,
        })?;
        self.declared.inputs.iter().find(|u| u.declared.holds(found)).map(|u| self.declared.shown(&u.declared.ident))
    }

    /// The name of an algebraic variable the nodes depend on.
    pub(crate) fn algebraic_of(&self, nodes: &[Node]) -> Option<String> {
        self.graph.reach(nodes).into_iter().find_map(|n| match self.graph.as_symbol(n) {
            Some(Symbol::Z(i)) if self.declared.is_algebraic(i as usize) => Some(self.declared.state_name(i as usize)),
            _ => None,
        })
    }

    /// The name of a state the nodes depend on.
    pub(crate) fn state_of(&self, nodes: &[Node]) -> Option<String> {
        self.graph.reach(nodes).into_iter().find_map(|n| match self.graph.as_symbol(n) {
            Some(Symbol::Z(i)) => Some(self.declared.state_name(i as usize)),
            _ => None,
        })
    }

    /// M0404 if an item other than an output depends on an acceleration, a rate or a multiplier, even through a `let`.
    pub(crate) fn without_accelerations(&mut self, nodes: &[Node], at: &dyn quote::ToTokens) -> Option<()> {
        if !self.graph.any_depends(nodes, |s| matches!(s, Symbol::A(_) | Symbol::Zdot(_) | Symbol::Lambda(_))) {
            return Some(());
        }
        let item = self.here.place.item.clone();
        let unknown = match self.graph.any_depends(nodes, |s| matches!(s, Symbol::A(_) | Symbol::Lambda(_))) {
            true => "an acceleration or a multiplier",
            false => "the rate of a state",
        };
        let message = Message::new(Id::M0404, at.to_token_stream(), format!("`{item}` depends on {unknown}"))
            .note("they are unknowns of the model, known in `output` only");
        self.report(message);
        None
    }

    /// The first name, part or `der(..)` in an expression that depends on such a symbol.
    pub(crate) fn culprit<'e>(&mut self, expr: &'e Expr, is: fn(Symbol) -> bool) -> Option<&'e Expr> {
        let known = match expr {
            Expr::Path(e) => {
                let name = e.path.get_ident()?.to_string();
                self.is_declared(&name)
            }
            Expr::Call(e) => matches!(&*e.func, Expr::Path(p) if p.path.is_ident("der")),
            Expr::Field(_) | Expr::Index(_) => true,
            _ => false,
        };
        if known {
            let nodes = self.eval(expr).scalars();
            return self.graph.any_depends(&nodes, is).then_some(expr);
        }
        parts(expr).into_iter().find_map(|part| self.culprit(part, is))
    }

    /// M0403 where a frame depends on an input: its velocity would need the rate of the input.
    pub(crate) fn moves_by_itself(&mut self, nodes: &[Node], at: &dyn quote::ToTokens) -> Option<()> {
        let name = text(at.to_token_stream());
        if let Some(input) = self.input_of(nodes) {
            let what = format!("`{name}` moves with input `{input}`, whose time derivative is not known");
            let message = Message::new(Id::M0403, at.to_token_stream(), what)
                .help("make the input a coordinate held by a constraint");
            self.report(message);
            return None;
        }
        if self.graph.any_depends(nodes, |s| matches!(s, Symbol::V(_) | Symbol::A(_) | Symbol::Lambda(_))) {
            let message = Message::new(Id::M0203, at.to_token_stream(), format!("`{name}` depends on a velocity"))
                .note("a body sits on a frame of positions: its velocity follows from them");
            self.report(message);
            return None;
        }
        Some(())
    }
}

/// The expressions that an expression is made of, where names mean the same.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Paren(e) => vec![&e.expr],
        Expr::Group(e) => vec![&e.expr],
        Expr::Unary(e) => vec![&e.expr],
        Expr::Binary(e) => vec![&e.left, &e.right],
        Expr::Call(e) => e.args.iter().collect(),
        Expr::MethodCall(e) => std::iter::once(&*e.receiver).chain(&e.args).collect(),
        Expr::Array(e) => e.elems.iter().collect(),
        _ => Vec::new(),
    }
}
