//! Types, units and ranges as written after a name.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, ExprRange, LitInt, RangeLimits, Token};

use super::ast::{Range, Type, TypeKind, Unit};
use super::input::{Parsed, brackets, next, unexpected, unwrapped};
use super::words;
use crate::diagnostics::{Errors, Id, Message, similar, text};
use crate::model::Space;

/// Most scalars in one declaration: a longer one is data, not a model.
const MOST_SCALARS: usize = 1024;

/// Types a user may write, for "did you mean".
const TYPES: [&str; 12] =
    ["Real", "Angle", "Vec2", "Vec3", "Mat2", "Mat3", "SymMat3", "Vec", "SO2", "SO3", "SE3", "S2"];

/// The type of an expression, which may be a frame.
pub(super) fn of_value(input: ParseStream<'_>, errors: &mut Errors) -> Parsed<Type> {
    let frame = match next(input) {
        Some(TokenTree::Ident(ident)) if ident == "Frame2" => TypeKind::Frame2,
        Some(TokenTree::Ident(ident)) if ident == "Frame3" => TypeKind::Frame3,
        _ => return ty(input, errors),
    };
    Ok(Type { kind: frame, tokens: input.parse::<TokenTree>()?.into() })
}

/// A type. One that is not understood is reported and read over, so that its names are known.
pub(super) fn ty(input: ParseStream<'_>, errors: &mut Errors) -> Parsed<Type> {
    let start = input.fork();
    let kind = match kind(input) {
        Ok(kind) => kind,
        Err(message) => {
            errors.report(message);
            skip(input)?;
            TypeKind::Broken
        }
    };
    let mut tokens = TokenStream::new();
    while start.cursor() != input.cursor() && !start.is_empty() {
        tokens.extend([start.parse::<TokenTree>()?]);
    }
    let scalars = scalars(&kind);
    if scalars == 0 || scalars > MOST_SCALARS {
        let what = format!("`{}` has {scalars} elements", text(&tokens).replace(" < ", "<").replace(" >", ">"));
        errors.report(Message::new(Id::M0108, &tokens, what).note(format!("a type has 1 to {MOST_SCALARS} elements")));
        return Ok(Type { kind: TypeKind::Broken, tokens });
    }
    Ok(Type { kind, tokens })
}

/// Number of scalars without overflow, whatever was written.
fn scalars(kind: &TypeKind) -> usize {
    match kind {
        TypeKind::Real | TypeKind::Angle | TypeKind::Frame2 | TypeKind::Frame3 | TypeKind::Broken => 1,
        TypeKind::Vector(n) => *n,
        TypeKind::Matrix(r, c) => r.saturating_mul(*c),
        TypeKind::SymMat3 => 9,
        TypeKind::Space(space) => space.positions().len(),
        TypeKind::Array(n, inner) => n.saturating_mul(scalars(inner)),
    }
}

fn kind(input: ParseStream<'_>) -> Parsed<TypeKind> {
    if input.peek(syn::token::Bracket) {
        return array(input);
    }
    if !input.peek(Ident::peek_any) {
        let message = unexpected(input, "a type such as `Real`, `Angle` or `Vec2`");
        let value = matches!(next(input), Some(TokenTree::Literal(_)));
        return Err(if value { message.help("a value follows `=`: `k: Real = 1.0`") } else { message });
    }
    let ident = input.call(Ident::parse_any)?;
    let word = ident.to_string();
    match word.as_str() {
        "Real" => Ok(TypeKind::Real),
        "Angle" => Ok(TypeKind::Angle),
        "Vec2" => Ok(TypeKind::Vector(2)),
        "Vec3" => Ok(TypeKind::Vector(3)),
        "Mat2" => Ok(TypeKind::Matrix(2, 2)),
        "Mat3" => Ok(TypeKind::Matrix(3, 3)),
        "SymMat3" => Ok(TypeKind::SymMat3),
        "SO2" => Ok(TypeKind::Space(Space::SO2)),
        "SO3" => rotation(input),
        "SE3" => Ok(TypeKind::Space(Space::SE3)),
        "Vec" => {
            input.parse::<Token![<]>().map_err(|_| unexpected(input, "a length, as in `Vec<4>`"))?;
            let n = length(input)?;
            input.parse::<Token![>]>()?;
            Ok(TypeKind::Vector(n))
        }
        "Mat" => {
            input.parse::<Token![<]>().map_err(|_| unexpected(input, "sizes, as in `Mat<2, 4>`"))?;
            let rows = length(input)?;
            input.parse::<Token![,]>()?;
            let columns = length(input)?;
            input.parse::<Token![>]>()?;
            Ok(TypeKind::Matrix(rows, columns))
        }
        "Frame2" | "Frame3" => Err(Message::new(Id::M0107, &ident, "a frame is not a type of a declaration")
            .help("write `let b = frame2(p, th);`, in space `let b = frame(p, rot_z(th));`")),
        "S2" => Ok(TypeKind::Space(Space::S2)),
        "SE2" => Err(words::refuse(&ident, &word, "planar motions", "an `SO2` beside a `Vec2`")),
        word => Err(unknown(&ident, word)),
    }
}

/// `Vec4` and `Mat4`.
fn sized(word: &str) -> Option<String> {
    let size = |digits: &str| digits.parse::<usize>().ok();
    let vector = word.strip_prefix("Vec").and_then(size).map(|n| format!("write `Vec<{n}>`"));
    vector.or_else(|| word.strip_prefix("Mat").and_then(size).map(|n| format!("write `Mat<{n}, {n}>`")))
}

fn unknown(ident: &Ident, word: &str) -> Message {
    let help = match word {
        "f64" | "f32" | "T" | "Scalar" => Some("write `Real`; the struct's parameter decides its type".to_owned()),
        "float" | "double" | "number" | "int" | "i32" | "usize" | "bool" => Some("numbers are `Real`".to_owned()),
        word => sized(word).or_else(|| similar(word, TYPES).map(|t| format!("did you mean `{t}`?"))),
    };
    Message::new(Id::M0107, ident, format!("unknown type `{word}`")).maybe_help(help).help(
        "types are `Real`, `Angle`, `Vec2`, `Vec3`, `Vec<n>`, `Mat2`, `Mat3`, `Mat<r, c>`, `SymMat3` and `[X; n]`; a unit follows: `Real [m/s]`",
    )
}

fn array(input: ParseStream<'_>) -> Parsed<TypeKind> {
    let bracket = next(input);
    let content = brackets(input)?;
    let read = elements(&content, bracket);
    // After a mistake the rest means nothing.
    let _: TokenStream = content.parse()?;
    read
}

/// The inside of the brackets of an array.
fn elements(content: ParseStream<'_>, bracket: Option<TokenTree>) -> Parsed<TypeKind> {
    let inner = kind(content)?;
    if !content.peek(Token![;]) {
        return Err(Message::new(Id::M0107, bracket, "an array type needs a length")
            .help("write `[Real; 4]`; a unit stands after the type: `Real [m]`"));
    }
    content.parse::<Token![;]>()?;
    let n = length(content)?;
    if !content.is_empty() {
        return Err(unexpected(content, "`]`"));
    }
    Ok(TypeKind::Array(n, Box::new(inner)))
}

/// What follows `SO3`: `<World>` for spatial rates, `<Body>` or nothing for body rates.
fn rotation(input: ParseStream<'_>) -> Parsed<TypeKind> {
    if !input.peek(Token![<]) {
        return Ok(TypeKind::Space(Space::SO3));
    }
    input.parse::<Token![<]>()?;
    let rate: Ident = input.call(Ident::parse_any)?;
    input.parse::<Token![>]>()?;
    match rate.to_string().as_str() {
        "World" => Ok(TypeKind::Space(Space::SO3World)),
        "Body" => Ok(TypeKind::Space(Space::SO3)),
        other => Err(Message::new(Id::M0107, &rate, format!("unknown kind of rate `{other}`"))
            .help("write `SO3` for the rate along the body's axes, `SO3<World>` for that along the world's")),
    }
}

/// A literal length. A name is a const generic, whose value a macro cannot see.
fn length(input: ParseStream<'_>) -> Parsed<usize> {
    if input.peek(LitInt) {
        let literal: LitInt = input.parse()?;
        return literal.base10_parse().map_err(Message::from);
    }
    match next(input) {
        Some(TokenTree::Ident(ident)) => {
            let _: TokenStream = input.parse()?;
            Err(const_generic(&ident))
        }
        _ => Err(unexpected(input, "a literal length")),
    }
}

/// M0704: the value of a const generic is not known here.
pub(super) fn const_generic(ident: &impl ToTokens) -> Message {
    let name = text(ident);
    Message::new(Id::M0704, ident, format!("length `{name}` is a name; the macro cannot see its value"))
        .help("write the number: `[Real; 4]`, `for i in 0..4`; one for each member of a set is `param k[nodes]: Real`")
}

/// Skips what is left of a type that was not understood.
fn skip(input: ParseStream<'_>) -> Parsed<()> {
    while let Some(token) = next(input) {
        let stop = match &token {
            TokenTree::Punct(p) => matches!(p.as_char(), ',' | ';' | '='),
            TokenTree::Group(g) => g.delimiter() != Delimiter::Parenthesis,
            TokenTree::Ident(ident) => ident == "in",
            TokenTree::Literal(_) => false,
        };
        if stop {
            break;
        }
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// `[kg*m^2]` if it comes next.
pub(super) fn unit(input: ParseStream<'_>) -> Parsed<Option<Unit>> {
    match next(input) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
            input.parse::<TokenTree>()?;
            Ok(Some(Unit { tokens: group.stream(), span: group.span() }))
        }
        _ => Ok(None),
    }
}

/// `lo..=hi`, and what is assigned to it when a default follows.
pub(super) fn range(expr: Expr) -> Parsed<(Range, Option<Expr>)> {
    match unwrapped(expr) {
        Expr::Assign(assign) => {
            let (range, _) = range(*assign.left)?;
            Ok((range, Some(*assign.right)))
        }
        Expr::Range(ExprRange { start: Some(low), limits, end: Some(high), .. }) => match limits {
            // `lo..=hi = default` binds the default to the upper bound.
            RangeLimits::Closed(_) => match *high {
                Expr::Assign(assign) => Ok((Range { low: *low, high: *assign.left }, Some(*assign.right))),
                high => Ok((Range { low: *low, high }, None)),
            },
            RangeLimits::HalfOpen(dots) => Err(Message::new(Id::M0007, dots, "a range of reals has both of its ends")
                .help(format!("write `{}..={}`", text(&low), text(&high)))),
        },
        Expr::Array(ends) if ends.elems.len() == 2 => {
            let written: Vec<String> = ends.elems.iter().map(text).collect();
            Err(Message::new(Id::M0007, ends, "expected a range `lo..=hi`")
                .help(format!("write `{}`", written.join("..="))))
        }
        other => Err(Message::new(Id::M0007, other, "expected a range `lo..=hi`")),
    }
}
