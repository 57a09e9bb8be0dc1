//! Constraints over sums beside the loops: `constraint volume: sum(faces, |f @ (i, j, k)| ..) == v0;`.
//!
//! Each sum is a loop, and what stands beside the sums is an element too. Each has a constraint with its terms of
//! a − b, and all of them add to the same rows. So a sum stands in a term, with factors, and in no function.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Expr, ExprBinary, UnOp};

use super::Set;
use super::held::mark;
use super::loops::{Loop, Sum};
use super::mentions;
use super::pieces::{Piece, Sums, shared};
use super::sums::{added, first, is_sum};
use crate::diagnostics::Errors;
use crate::identifier::{bare, identifier};
use crate::parse::{self, ast, words};
use ast::Kind;

/// Rows to which the members of sets add.
pub(super) struct Rows {
    /// the constraint of what stands beside the sums, if anything does
    pub(super) beside: Option<TokenStream>,
}

/// The sums of a constraint become loops. `written` is its text with values in place of names of sums.
pub(super) fn taken(
    (piece, written): (&Piece<'_>, Option<TokenStream>),
    number: usize,
    (sets, declared): (&[Set<'_>], bool),
    loops: &mut Vec<Loop>,
    errors: &mut Errors,
) -> Rows {
    let written = written.filter(parse::is_shallow);
    let items = written.clone().map(|written| parse::again(written).items);
    let Some([ast::Item { kind: Kind::Constraint(constraint), .. }]) = items.as_deref() else {
        errors.report(parse::too_deep(piece.tokens));
        return Rows { beside: None };
    };
    if let Some((field, _)) = constraint.with.first() {
        let instead = "a rigid constraint, without `compliance` and `relax`";
        errors.report(words::refuse(field, &field.to_string(), "compliant constraints over sums of sets", instead));
        return Rows { beside: None };
    }
    // what is said of the constraint holds for each of its terms
    let notes = attributes(piece.tokens);
    let item = |term: TokenStream| {
        let name = constraint.name.to_token_stream();
        let redundant = constraint.redundant.as_ref().map(|word| braces(word.to_token_stream()));
        let with = redundant.map(|inside| [word("with", &constraint.name), inside].into_iter().collect());
        let zero = TokenTree::from(Literal::f64_unsuffixed(0.0)).into();
        let parts = [notes.clone(), word("constraint", &constraint.name), name, mark(':'), term, equals(), zero];
        parts.into_iter().chain(with).chain([mark(';')]).collect()
    };
    let mut terms = Terms { number, sets, declared, item: &item, loops, errors, beside: Vec::new() };
    terms.read(&constraint.left, &|term| term);
    terms.read(&constraint.right, &negated);
    let beside = terms.beside.into_iter().reduce(|sum, term| [sum, mark('+'), term].into_iter().collect());
    let beside: Option<TokenStream> = beside.map(item);
    if beside.as_ref().is_some_and(|text| !parse::is_shallow(text)) {
        errors.report(parse::too_deep(written.and_then(|written| first(&written, declared))));
        return Rows { beside: None };
    }
    Rows { beside }
}

/// Multipliers that members share are known where the terms beside the sums are: outputs that read one stand there.
/// `rows` are those of the constraints in the order of the text.
pub(super) fn multipliers(pieces: &[Piece<'_>], rows: &mut [Rows], errors: &mut Errors) {
    let all = shared(pieces);
    let of = |own: &str| pieces.iter().filter(|piece| piece.sums == Sums::Rows).position(|piece| piece.is_called(own));
    // of those beside sums this has been said
    for piece in pieces.iter().filter(|piece| !matches!(piece.sums, Sums::Shown | Sums::Named)) {
        let Some(name) = mentions::multiplier(piece.tokens, &all) else { continue };
        let mut others = all.clone();
        others.remove(&bare(&name));
        let text = of(&bare(&name)).and_then(|of| rows.get_mut(of)).and_then(|rows| rows.beside.as_mut());
        let (what, instead) = match (piece.sums, mentions::multiplier(piece.tokens, &others), text) {
            (Sums::Multiplier, None, Some(text)) => {
                text.extend(piece.tokens.clone());
                continue;
            }
            (Sums::Multiplier, Some(_), _) => ("multipliers of several constraints over sums", "an output of each"),
            (Sums::Multiplier, None, None) => {
                ("multipliers of constraints of nothing but sums", "a term beside the sums, `sum(..) == v0`")
            }
            _ => ("multipliers of constraints over sums of sets outside of outputs", "an output beside the loops"),
        };
        errors.report(words::refuse(&name, "lambda", what, instead));
    }
}

/// The terms of an equation.
struct Terms<'a, 's> {
    number: usize,
    sets: &'a [Set<'s>],
    declared: bool,
    /// the constraint of a term
    item: &'a dyn Fn(TokenStream) -> TokenStream,
    loops: &'a mut Vec<Loop>,
    errors: &'a mut Errors,
    beside: Vec<TokenStream>,
}

impl Terms<'_, '_> {
    /// Reads an expression, of which `within` makes a term. Terms are products, so a factor right of one needs no
    /// parentheses around it: what is read may be nested as deeply as what is written.
    fn read(&mut self, written: &Expr, within: &dyn Fn(TokenStream) -> TokenStream) {
        let tokens = written.to_token_stream();
        let declared = self.declared;
        let Some(sum) = first(&tokens, declared) else {
            self.beside.push(within(parenthesised(tokens)));
            return;
        };
        let has_sums = |e: &Expr| first(&e.to_token_stream(), declared).is_some();
        match written {
            Expr::Paren(inner) => self.read(&inner.expr, within),
            Expr::Group(inner) => self.read(&inner.expr, within),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => self.read(&e.expr, &|term| within(negated(term))),
            Expr::Binary(ExprBinary { left, op: BinOp::Add(_), right, .. }) => {
                self.read(left, within);
                self.read(right, within);
            }
            Expr::Binary(ExprBinary { left, op: BinOp::Sub(_), right, .. }) => {
                self.read(left, within);
                self.read(right, &|term| within(negated(term)));
            }
            Expr::Binary(ExprBinary { left, op: op @ (BinOp::Mul(_) | BinOp::Div(_)), right, .. })
                if !has_sums(right) =>
            {
                let factor = [op.to_token_stream(), parenthesised(right.to_token_stream())];
                self.read(left, &|term| within([term].into_iter().chain(factor.clone()).collect()));
            }
            Expr::Binary(ExprBinary { left, op: op @ BinOp::Mul(_), right, .. }) if !has_sums(left) => {
                let factor = [parenthesised(left.to_token_stream()), op.to_token_stream()];
                self.read(right, &|term| within(factor.clone().into_iter().chain([parenthesised(term)]).collect()));
            }
            Expr::Field(e) => {
                let field = [mark('.'), e.member.to_token_stream()];
                self.read(&e.base, &|term| within([parenthesised(term)].into_iter().chain(field.clone()).collect()));
            }
            Expr::Index(e) if !has_sums(&e.index) => {
                let index = TokenTree::from(Group::new(Delimiter::Bracket, e.index.to_token_stream()));
                self.read(&e.expr, &|term| within([parenthesised(term), index.clone().into()].into_iter().collect()));
            }
            Expr::Call(call) => match is_sum(call, declared) {
                Some(name) => {
                    let item = |body: TokenStream| (self.item)(within(parenthesised(body)));
                    let known = (self.sets, declared);
                    let arguments = call.args.to_token_stream();
                    let sum = Sum::Rows(self.number);
                    self.loops.extend(added(&name, &arguments, (sum, &item), known, self.errors));
                }
                None => self.refuse(&sum),
            },
            _ => self.refuse(&sum),
        }
    }

    fn refuse(&mut self, sum: &Ident) {
        let instead = "a constraint adds sums and other terms, each with factors: `2.0 * sum(..) + q == v0`";
        let what = "sums over sets in functions and products of constraints";
        self.errors.report(words::refuse(sum, "sum", what, instead));
    }
}

/// The attributes of an item.
fn attributes(item: &TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let is_one = |two: &&[TokenTree]| matches!(two, [TokenTree::Punct(hash), _] if hash.as_char() == '#');
    tokens.chunks(2).take_while(is_one).flatten().cloned().collect()
}

/// In parentheses, which are where the first token is, unless it is one name or number, or stands in some.
fn parenthesised(tokens: TokenStream) -> TokenStream {
    let mut each = tokens.clone().into_iter();
    match (each.next(), each.next()) {
        (Some(TokenTree::Ident(_) | TokenTree::Literal(_)), None) => return tokens,
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Parenthesis => return tokens,
        _ => {}
    }
    let span = tokens.clone().into_iter().next().map(|token| token.span());
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    span.into_iter().for_each(|span| group.set_span(span));
    TokenTree::from(group).into()
}

fn braces(tokens: TokenStream) -> TokenStream {
    TokenTree::from(Group::new(Delimiter::Brace, tokens)).into()
}

fn negated(term: TokenStream) -> TokenStream {
    let mut minus = Punct::new('-', Spacing::Alone);
    term.clone().into_iter().next().into_iter().for_each(|token| minus.set_span(token.span()));
    [TokenTree::from(minus).into(), parenthesised(term)].into_iter().collect()
}

fn word(word: &str, at: &Ident) -> TokenStream {
    TokenTree::from(identifier(word, at.span())).into()
}

/// `==`
fn equals() -> TokenStream {
    let marks = [Punct::new('=', Spacing::Joint), Punct::new('=', Spacing::Alone)];
    marks.into_iter().map(TokenTree::from).collect()
}
