//! Equations in MathML.

use roxmltree::{Document, Node};

use crate::Equation;
use crate::token::Token;

/// The equations of a text, in order. It is XML.
pub(crate) fn equations(text: &str) -> Vec<Equation> {
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut section = String::new();
    let mut found = Vec::new();
    for node in document.root_element().descendants() {
        match node.tag_name().name() {
            "p" if node.text().is_some() => section = node.text().unwrap_or_default().to_owned(),
            "div" => {
                let formulas: Vec<Node<'_, '_>> = node.children().filter(|n| n.has_tag_name("math")).collect();
                if let [left, right @ ..] = formulas.as_slice()
                    && !right.is_empty()
                {
                    let left = source(*left).replace("<math>", "").replace("<mo>=</mo></math>", "");
                    let right = right.iter().flat_map(|math| row(*math)).collect();
                    found.push(Equation { section: section.clone(), left, right });
                }
            }
            _ => {}
        }
    }
    found
}

fn source(node: Node<'_, '_>) -> String {
    node.document().input_text()[node.range()].to_owned()
}

fn row(node: Node<'_, '_>) -> Vec<Token> {
    node.children().filter(Node::is_element).flat_map(tokens).collect()
}

/// Does the sign that applies a function follow?
fn is_function(node: Node<'_, '_>) -> bool {
    node.next_sibling_element().is_some_and(|next| next.text() == Some("\u{2061}"))
}

fn tokens(node: Node<'_, '_>) -> Vec<Token> {
    let children: Vec<Node<'_, '_>> = node.children().filter(Node::is_element).collect();
    let text = node.text().unwrap_or_default();
    match (node.tag_name().name(), children.as_slice()) {
        ("mn", []) => vec![Token::Number(text.parse().expect("a number"))],
        ("mo", []) => sign(text).into_iter().collect(),
        ("mi", []) if is_function(node) => vec![Token::Function(function(text))],
        ("mi" | "msub" | "mover", _) => vec![Token::Name(source(node))],
        ("msup", [base, exponent]) => {
            let base = match is_function(node) {
                true => vec![Token::Function(base.text().unwrap_or_default().to_owned())],
                false => tokens(*base),
            };
            base.into_iter().chain([Token::Power(tokens(*exponent))]).collect()
        }
        ("msubsup", [base, below, exponent]) => {
            let name = format!("<msub>{}{}</msub>", source(*base), source(*below));
            vec![Token::Name(name), Token::Power(tokens(*exponent))]
        }
        ("mfrac", [over, under]) => vec![Token::Fraction(tokens(*over), tokens(*under))],
        ("msqrt", _) => vec![Token::Root(row(node))],
        ("mrow", [brace, table]) if brace.text() == Some("{") => vec![cases(*table)],
        ("mrow", _) => row(node),
        (other, _) => panic!("{other}: {}", source(node)),
    }
}

/// The name of a function in text.
fn function(name: &str) -> String {
    match name {
        "arcsin" | "arccos" | "arctan" => format!("a{}", &name[3..]),
        other => other.to_owned(),
    }
}

fn sign(text: &str) -> Option<Token> {
    match text {
        "\u{2061}" | "\u{2062}" => None,
        "−" => Some(Token::Sign('-')),
        "⋅" => Some(Token::Sign('*')),
        other => Some(Token::Sign(other.chars().next().expect("a sign"))),
    }
}

fn cases(table: Node<'_, '_>) -> Token {
    let cell = |i: usize, j: usize| row(element(element(table, i), j));
    Token::Cases(cell(0, 1), cell(0, 0), cell(1, 0))
}

fn element<'a, 'b>(node: Node<'a, 'b>, i: usize) -> Node<'a, 'b> {
    node.children().filter(Node::is_element).nth(i).expect("an element")
}
