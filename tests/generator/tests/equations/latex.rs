//! Equations in LaTeX.

use crate::Equation;
use crate::token::Token;

/// The equations of a text, in order.
pub(crate) fn equations(text: &str) -> Vec<Equation> {
    let mut section = String::new();
    let mut found: Vec<(String, String, String)> = Vec::new();
    for line in text.lines() {
        let row = line.trim().trim_end_matches("\\\\").trim_end();
        if let Some(title) = line.strip_prefix("\\noindent ") {
            section = title.to_owned();
        } else if let Some((left, right)) = row.split_once(" &= ") {
            found.push((section.clone(), left.to_owned(), right.to_owned()));
        } else if let Some(more) = row.strip_prefix("&\\quad") {
            found.last_mut().expect("a row before").2.push_str(more);
        }
    }
    let equation = |(section, left, right): (String, String, String)| {
        let mut source = Source { rest: &right };
        let right = source.tokens("");
        assert!(source.rest.is_empty(), "{} is left", source.rest);
        Equation { section, left, right }
    };
    found.into_iter().map(equation).collect()
}

struct Source<'a> {
    rest: &'a str,
}

impl<'a> Source<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// `{ … }`, with what is between them.
    fn braces(&mut self) -> &'a str {
        assert!(self.rest.starts_with('{'), "{}", self.rest);
        let mut depth = 0;
        let closes = |(_, c): &(usize, char)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0
        };
        let end = self.rest.char_indices().find(closes).expect("a closing brace").0;
        let taken = self.take(end + 1);
        &taken[1..end]
    }

    fn group(&mut self) -> Vec<Token> {
        let mut inner = Source { rest: self.braces() };
        inner.tokens("")
    }

    /// A command with its backslash, or a single character.
    fn command(&mut self) -> &'a str {
        let after = &self.rest[1..];
        let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let length = if letters == 0 { after.chars().next().map_or(0, char::len_utf8) } else { letters };
        self.take(1 + length)
    }

    /// What stands up to one of the ends, which is not taken.
    fn tokens(&mut self, end: &str) -> Vec<Token> {
        let mut out = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            if !end.is_empty() && self.rest.starts_with(end) {
                break;
            }
            match c {
                '\\' => self.escaped(&mut out),
                '^' => {
                    self.take(1);
                    out.push(Token::Power(self.group()));
                }
                ' ' => drop(self.take(1)),
                c if c.is_ascii_digit() => {
                    let end = self.rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(self.rest.len());
                    out.push(Token::Number(self.take(end).parse().expect("a number")));
                }
                c if c.is_alphabetic() => {
                    let name = self.take(c.len_utf8()).to_owned();
                    out.push(self.name(name));
                }
                c => {
                    self.take(c.len_utf8());
                    out.push(Token::Sign(c));
                }
            }
        }
        out
    }

    /// A letter or a word, with what stands below it.
    fn name(&mut self, mut name: String) -> Token {
        if let Some(rest) = self.rest.strip_prefix('_') {
            self.rest = rest;
            name = format!("{name}_{{{}}}", self.braces());
        }
        Token::Name(name)
    }

    fn escaped(&mut self, out: &mut Vec<Token>) {
        let command = self.command();
        out.push(match &command[1..] {
            "left" | "right" | "bigl" | "bigr" | "Bigl" | "Bigr" | "," => return,
            "le" => Token::Sign('≤'),
            "land" => Token::Sign('∧'),
            "lor" => Token::Sign('∨'),
            "lnot" => Token::Sign('¬'),
            "cdot" => Token::Sign('*'),
            "frac" => Token::Fraction(self.group(), self.group()),
            "sqrt" => Token::Root(self.group()),
            "begin" => self.cases(),
            "operatorname" => Token::Function(self.braces().replace("\\_", "_")),
            arc if arc.starts_with("arc") => Token::Function(format!("a{}", &arc[3..])),
            f @ ("sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh" | "exp" | "ln") => Token::Function(f.to_owned()),
            "mathit" | "text" | "dot" | "ddot" => {
                let name = format!("{command}{{{}}}", self.braces());
                self.name(name)
            }
            _ => self.name(command.to_owned()),
        });
    }

    fn cases(&mut self) -> Token {
        assert_eq!(self.braces(), "cases");
        let yes = self.tokens("&");
        self.take(1);
        let condition = self.tokens("\\\\");
        self.take(2);
        let no = self.tokens("&");
        let rest = "& \\text{otherwise} \\end{cases}";
        assert_eq!(self.take(rest.len()), rest);
        Token::Cases(condition, yes, no)
    }
}
