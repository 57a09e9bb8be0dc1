//! One item's tokens → [`Item`]: the keyword decides which reader takes the rest.

use proc_macro2::{Ident, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, BinOp, Block, Expr, LitStr, Token};

use super::ast::{
    Argument, Assign, Bodied, Constraint, Energy, EnergyRole, Event, Fix, Force, Function, Item, Kind, Let, Limit,
    Require, Role, Start, Tangent, Unit, UnitDeclaration,
};
use super::attributes::{Notes, notes};
use super::input::{
    Parsed, assignment, braces, brackets, eat_word, expected_form, expression, name, next, parentheses, read_all,
    semicolon, unexpected, unwrapped,
};
use super::{declare, external, loops, rates, sets, show, sub, types, unknown};
use crate::diagnostics::{Errors, Id, Message, similar, text, with_article};

/// Reads one item; a line of declarations may be several.
pub(super) fn item(input: ParseStream<'_>, level: usize, errors: &mut Errors) -> Parsed<Vec<Item>> {
    let attrs = input.call(Attribute::parse_outer)?;
    let notes = match notes(&attrs) {
        Ok(notes) => notes,
        Err(message) => {
            errors.report(message);
            Notes::default()
        }
    };
    if !input.peek(Ident::peek_any) {
        return Err(unexpected(input, "an item such as `param`, `coord`, `kinetic` or `constraint`"));
    }
    let keyword = input.call(Ident::parse_any)?;
    let word = keyword.to_string();
    misplaced(&notes, &word, errors);
    if let Some(role) = Role::of(&word) {
        let declared = declare::declarations(input, role, &notes, errors)?;
        let build = |(notes, declare)| finish(notes, &keyword, Kind::Declare(declare));
        return Ok(declared.into_iter().map(build).collect());
    }
    let kind = kind(input, &keyword, &word, level, errors)?;
    Ok(vec![finish(notes, &keyword, kind)])
}

fn finish(notes: Notes, keyword: &Ident, kind: Kind) -> Item {
    let Notes { docs, allows, port, tangent, .. } = notes;
    Item { docs, allows, port: port.is_some(), tangent, keyword: keyword.clone(), kind }
}

/// `#[port]` belongs on outputs, `#[inline]` on subs, `#[tangent(..)]` on what has a stiffness.
fn misplaced(notes: &Notes, word: &str, errors: &mut Errors) {
    for (attribute, name, on) in [(&notes.port, "port", "output"), (&notes.inline, "inline", "sub")] {
        if let Some(attribute) = attribute.as_ref().filter(|_| word != on) {
            let what = format!("`#[{name}]` belongs on {}, not on `{word}`", with_article(&format!("`{on}`")));
            errors.report(Message::new(Id::M0904, attribute, what));
        }
    }
    if let Some(Tangent { word: chosen, .. }) =
        notes.tangent.as_ref().filter(|_| !matches!(word, "potential" | "spring"))
    {
        let what = format!("`#[tangent({chosen})]` belongs on a `potential` or a `spring`, not on `{word}`");
        let message = Message::new(Id::M0904, chosen, what);
        errors.report(
            message.note("it chooses the stiffness of an energy of positions alone; what velocities enter stays exact"),
        );
    }
}

fn kind(input: ParseStream<'_>, keyword: &Ident, word: &str, level: usize, errors: &mut Errors) -> Parsed<Kind> {
    let kind = match word {
        "let" => Kind::Let(binding(input, errors)?),
        "kinetic" => Kind::Energy(energy(input, EnergyRole::Kinetic)?),
        "potential" => Kind::Energy(energy(input, EnergyRole::Potential)?),
        "dissipation" => Kind::Energy(energy(input, EnergyRole::Dissipation)?),
        "cost" => Kind::Energy(energy(input, EnergyRole::Cost)?),
        "residual" => Kind::Energy(energy(input, EnergyRole::Residual)?),
        "mass" => {
            let (target, value) = assignment(input, "mass x = m;")?;
            Kind::Mass(Assign { target, value })
        }
        "force" | "torque" => Kind::Force(force(input, word)?),
        "body" => return bodied(input, "body", "mass: m, inertia: j").map(Kind::Body),
        "spring" => return bodied(input, "spring", "k: k, rest: l").map(Kind::Spring),
        "gravity" => {
            input.parse::<Token![=]>().map_err(|_| unexpected(input, "`=` after `gravity`"))?;
            Kind::Gravity(expression(input, "after `gravity =`")?)
        }
        "constraint" => Kind::Constraint(constraint(input)?),
        "der" => Kind::Rate(rates::rate(input)?),
        "balance" => Kind::Balance(rates::balance(input)?),
        "fix" => Kind::Fix(fix(input)?),
        "init" | "guess" => {
            let (target, value) = assignment(input, &format!("{word} x = 0.0;"))?;
            Kind::Start(Start { exact: word == "init", assign: Assign { target, value } })
        }
        "limit" => Kind::Limit(limit(input)?),
        "show" => Kind::Show(show::read(input)?),
        "require" => Kind::Require(require(input)?),
        "unit" => Kind::Unit(unit(input)?),
        "set" => Kind::Set(sets::set(input)?),
        "sub" => Kind::Sub(sub::sub(input)?),
        "bind" => {
            let (target, value) = assignment(input, "bind motor.v = volt;")?;
            Kind::Bind(Assign { target, value })
        }
        "event" => return event(input).map(Kind::Event),
        "fn" => return function(input, errors).map(Kind::Function),
        "extern" => return external::read(input, errors).map(Kind::External),
        "for" => return loops::read(input, level, errors),
        _ => return Err(unknown::word(input, keyword, word)),
    };
    semicolon(input)?;
    Ok(kind)
}

fn binding(input: ParseStream<'_>, errors: &mut Errors) -> Parsed<Let> {
    if let Some(word) = eat_word(input, "mut") {
        return Err(Message::new(Id::M0007, word, "a model has no mutable names").help("a `let` names an expression"));
    }
    let name = name(input, "let")?;
    let mut indices = Vec::new();
    while input.peek(syn::token::Bracket) {
        let (at, form) = (next(input), format!("as in `let {name}[i] = ..;`"));
        let inside = brackets(input)?;
        if inside.is_empty() {
            return Err(Message::new(Id::M0007, at, format!("expected an index, {form}")));
        }
        indices.push(read_all(inside.parse()?, |inside| expression(inside, &form))?);
    }
    let (mut ty, mut unit) = (None, None);
    if input.peek(Token![:]) {
        input.parse::<Token![:]>()?;
        ty = Some(types::of_value(input, errors)?);
        unit = types::unit(input)?;
    }
    input.parse::<Token![=]>().map_err(|_| unexpected(input, &format!("`=` after `let {name}`")))?;
    Ok(Let { name, indices, ty, unit, value: expression(input, "after `=`")? })
}

fn energy(input: ParseStream<'_>, role: EnergyRole) -> Parsed<Energy> {
    let name = if input.peek(Token![=]) { None } else { Some(name(input, role.word())?) };
    let before = format!("`=` in `{} name = e;`", role.word());
    input.parse::<Token![=]>().map_err(|_| unexpected(input, &before))?;
    Ok(Energy { role, name, value: expression(input, "after `=`")? })
}

/// The name of an item, which is easily forgotten before `on` or `:`; `form` is the item with one.
pub(super) fn named(input: ParseStream<'_>, word: &str, form: &str) -> Parsed<Ident> {
    let ahead = input.fork();
    let forgotten = match ahead.call(Ident::parse_any) {
        Ok(first) => ["on", "when"]
            .iter()
            .any(|word| first == word && !matches!(next(&ahead), Some(TokenTree::Ident(second)) if second == word)),
        Err(_) => true,
    };
    if !forgotten {
        return name(input, word);
    }
    let message = unexpected(input, &format!("the name of {}", with_article(word)));
    Err(message.help(format!("write `{form}`")))
}

/// M0002: every force has a target.
fn on(input: ParseStream<'_>, word: &str, name: &Ident, what: &str) -> Parsed<()> {
    if eat_word(input, "on").is_some() {
        return Ok(());
    }
    let help = match word {
        "force" => format!(
            "write `force {name} on x = ...;` where `x` is a coordinate, a point or any position-level expression"
        ),
        "torque" => format!("write `torque {name} on b = ...;` where `b` is a frame or an angle"),
        _ => format!("write `{word} {name} on {what} {{ .. }}`"),
    };
    let message = match next(input) {
        Some(token) => Message::new(Id::M0002, token, format!("expected `on <{what}>` after `{word} {name}`")),
        None => Message::new(Id::M0002, name, format!("expected `on <{what}>` after `{word} {name}`")),
    };
    Err(message.help(help))
}

fn force(input: ParseStream<'_>, word: &str) -> Parsed<Force> {
    let target = if word == "torque" { "b" } else { "x" };
    let name = named(input, word, &format!("{word} f on {target} = ..;"))?;
    on(input, word, &name, "position")?;
    let (on, value) = assignment(input, &format!("{word} {name} on x = e;"))?;
    Ok(Force { torque: word == "torque", name, on, value })
}

/// `name on target { field: value, … }`
fn bodied(input: ParseStream<'_>, word: &str, fields: &str) -> Parsed<Bodied> {
    let (first, target) = if word == "body" { ("b", "frame2(r, th)") } else { ("s", "(a, b)") };
    let name = named(input, word, &format!("{word} {first} on {target} {{ {fields} }}"))?;
    on(input, word, &name, if word == "body" { "frame" } else { "(point, point)" })?;
    let on = input.call(Expr::parse_without_eager_brace)?;
    if !input.peek(syn::token::Brace) {
        return Err(unexpected(input, &format!("`{{ {fields} }}`")));
    }
    Ok(Bodied { name, on, fields: self::fields(input)? })
}

/// Names and values between braces.
pub(super) type Fields = Vec<(Ident, Expr)>;

/// `{ field: value, … }`
pub(super) fn fields(input: ParseStream<'_>) -> Parsed<Fields> {
    fields_or(input, "").map(|(fields, _)| fields)
}

/// The same, where `word` may have no value.
fn fields_or(input: ParseStream<'_>, word: &str) -> Parsed<(Fields, Option<Ident>)> {
    let content = braces(input)?;
    let (mut all, mut found) = (Vec::new(), None);
    while !content.is_empty() {
        let field = content.call(Ident::parse_any)?;
        if field == word && found.is_none() && (content.is_empty() || content.peek(Token![,])) {
            found = Some(field);
            content.parse::<Option<Token![,]>>()?;
            continue;
        }
        content.parse::<Token![:]>().map_err(|_| {
            let near = similar(&field.to_string(), [word]).map(|word| format!("did you mean `{word}`?"));
            unexpected(&content, &format!("`:` after `{field}`")).maybe_help(near)
        })?;
        all.push((field, expression(&content, "after `:`")?));
        if !content.is_empty() {
            content.parse::<Token![,]>().map_err(|_| unexpected(&content, "`,`"))?;
        }
    }
    Ok((all, found))
}

fn constraint(input: ParseStream<'_>) -> Parsed<Constraint> {
    let form = "constraint c: <lhs> == <rhs>;";
    let name = named(input, "constraint", form)?;
    input.parse::<Token![:]>().map_err(|_| {
        unexpected(input, &format!("`:` after `constraint {name}`")).help(format!("a constraint has a name: `{form}`"))
    })?;
    let equation = unwrapped(expression(input, "as in `a == b`")?);
    let (mut with, mut redundant) = (Vec::new(), None);
    if eat_word(input, "with").is_some() {
        if !input.peek(syn::token::Brace) {
            return Err(unexpected(input, "`{ compliance: e, relax: tau }` or `{ redundant }` after `with`"));
        }
        (with, redundant) = fields_or(input, "redundant")?;
    }
    match equation {
        Expr::Binary(ref binary) if matches!(binary.op, BinOp::Eq(_)) => Ok(Constraint {
            name,
            left: (*binary.left).clone(),
            right: (*binary.right).clone(),
            equation,
            with,
            redundant,
        }),
        Expr::Assign(assign) => Err(Message::new(
            Id::M0003,
            assign.eq_token,
            format!("constraint `{name}` uses `=`, but a constraint is an equation"),
        )
        .help(format!("use `==`: `constraint {name}: <lhs> == <rhs>;`"))),
        other => Err(Message::new(Id::M0004, other, format!("constraint `{name}` is not an equation"))
            .help("write `<lhs> == <rhs>`; use `limit` for inequalities")),
    }
}

fn fix(input: ParseStream<'_>) -> Parsed<Fix> {
    let form = "`fix x;`, `fix x.y = e;` or `fix x along n;`";
    let sides = |written: Expr| match written {
        Expr::Assign(assign) => (*assign.left, Some(*assign.right)),
        other => (other, None),
    };
    let (target, value) = sides(expression(input, &format!("as in {form}"))?);
    if value.is_some() || eat_word(input, "along").is_none() {
        return Ok(Fix { target, along: None, value });
    }
    let (along, value) = sides(expression(input, "after `along`")?);
    Ok(Fix { target, along: Some(along), value })
}

/// `name when condition { … }`
fn event(input: ParseStream<'_>) -> Parsed<Event> {
    let form = "event hit when x < 0.0 { der(x) = -der(x); }";
    let name = named(input, "event", form)?;
    if eat_word(input, "when").is_none() {
        return Err(unexpected(input, &format!("`when` after `event {name}`")).help(format!("write `{form}`")));
    }
    let condition = input.call(Expr::parse_without_eager_brace)?;
    if !input.peek(syn::token::Brace) {
        return Err(unexpected(input, "a block of assignments").help(format!("write `{form}`")));
    }
    Ok(Event { name, condition, body: input.parse()? })
}

fn limit(input: ParseStream<'_>) -> Parsed<Limit> {
    let name = name(input, "limit")?;
    input.parse::<Token![:]>().map_err(|_| {
        unexpected(input, &format!("`:` after `limit {name}`")).help("write `limit rail: x in lo..=hi;`")
    })?;
    let value = expression(input, &format!("as in `limit {name}: x in -1.0..=1.0;`"))?;
    let mut range = None;
    if eat_word(input, "in").is_some() {
        let (bounds, assigned) = types::range(expression(input, "as in `in lo..=hi`")?)?;
        if let Some(assigned) = assigned {
            return Err(Message::new(Id::M0007, assigned, "a limit has no default"));
        }
        range = Some(bounds);
    }
    if let Expr::Binary(binary) = &value
        && matches!(binary.op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_))
    {
        return Err(expected_form(&value, &format!("limit {name}: x in lo..=hi;"))
            .note(format!("`{}` is a condition, not a value", text(&value))));
    }
    Ok(Limit { name, value, range })
}

fn require(input: ParseStream<'_>) -> Parsed<Require> {
    let condition = expression(input, "as in `require m > 0.0, \"why\";`")?;
    let mut message = None;
    if input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        if !input.peek(LitStr) {
            return Err(unexpected(input, "a text in quotes"));
        }
        message = Some(input.parse()?);
    }
    Ok(Require { condition, message })
}

/// `unit rpm = 0.1 [rad/s];`: the last brackets are the unit, what stands before is the scale.
fn unit(input: ParseStream<'_>) -> Parsed<UnitDeclaration> {
    let name = name(input, "unit")?;
    input.parse::<Token![=]>().map_err(|_| unexpected(input, &format!("`=` after `unit {name}`")))?;
    let form = format!("`unit {name} = 1.0e-3 [m];`");
    let mut tokens: Vec<TokenTree> = Vec::new();
    while !input.is_empty() && !input.peek(Token![;]) {
        tokens.push(input.parse()?);
    }
    let unit = match tokens.pop() {
        Some(TokenTree::Group(group)) if group.delimiter() == proc_macro2::Delimiter::Bracket => {
            Unit { tokens: group.stream(), span: group.span() }
        }
        Some(other) => {
            return Err(Message::new(Id::M0007, other, format!("expected a unit in brackets, as in {form}")));
        }
        None => return Err(unexpected(input, &format!("a scale and a unit, as in {form}"))),
    };
    let scale = match tokens.is_empty() {
        true => None,
        false => Some(read_all(tokens.into_iter().collect(), |input| Ok(input.parse::<Expr>()?))?),
    };
    Ok(UnitDeclaration { name, scale, unit })
}

/// `(x: Real [m], y: Real)`
pub(super) fn arguments(input: ParseStream<'_>, name: &Ident, errors: &mut Errors) -> Parsed<Vec<Argument>> {
    if !input.peek(syn::token::Paren) {
        return Err(unexpected(input, &format!("arguments, as in `fn {name}(x: Real) -> Real {{ .. }}`")));
    }
    let content = parentheses(input)?;
    let mut args = Vec::new();
    while !content.is_empty() {
        let name = self::name(&content, "argument")?;
        content.parse::<Token![:]>().map_err(|_| unexpected(&content, &format!("`: Real` after `{name}`")))?;
        let ty = types::ty(&content, errors)?;
        args.push(Argument { name, ty, unit: types::unit(&content)? });
        if !content.is_empty() {
            content.parse::<Token![,]>().map_err(|_| unexpected(&content, "`,`"))?;
        }
    }
    Ok(args)
}

fn function(input: ParseStream<'_>, errors: &mut Errors) -> Parsed<Function> {
    let name = name(input, "fn")?;
    let args = arguments(input, &name, errors)?;
    input.parse::<Token![->]>().map_err(|_| unexpected(input, "`-> Real`, the type of the result"))?;
    let ty = types::ty(input, errors)?;
    let unit = types::unit(input)?;
    if !input.peek(syn::token::Brace) {
        return Err(unexpected(input, "a body `{ .. }`"));
    }
    let body: Block = input.parse()?;
    Ok(Function { name, args, ty, unit, body })
}
