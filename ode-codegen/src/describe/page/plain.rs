//! Equations as text.

use std::fmt::Write as _;

use crate::expr::{Applied, Notation, Sign, Term};

use super::super::sheet::Left;
use super::Page;

/// Text.
#[derive(Default)]
pub(crate) struct Plain {
    out: String,
}

impl Notation for Plain {
    fn is_set(&self) -> bool {
        false
    }

    fn sign(&self, sign: Sign) -> &'static str {
        match sign {
            Sign::Plus => " + ",
            Sign::Minus => " - ",
            Sign::Negative => "-",
            Sign::Less => " < ",
            Sign::LessEq => " <= ",
            Sign::And => " && ",
            Sign::Or => " || ",
            Sign::Not => "!",
        }
    }

    fn number(&self, digits: &str) -> String {
        digits.to_owned()
    }

    fn name(&self, shown: &str) -> String {
        shown.to_owned()
    }

    fn group(&self, inner: &str) -> String {
        format!("({inner})")
    }

    fn product(&self, factors: &[String]) -> String {
        factors.join("*")
    }

    fn fraction(&self, over: &[String], under: &[String]) -> String {
        let mut out = if over.is_empty() { "1".to_owned() } else { self.product(over) };
        for divisor in under {
            out.push('/');
            out.push_str(divisor);
        }
        out
    }

    fn power(&self, base: &str, exponent: &str) -> String {
        format!("{base}^{exponent}")
    }

    fn root(&self, inner: &str) -> String {
        format!("sqrt({inner})")
    }

    fn call(&self, applied: &Applied<'_>) -> String {
        format!("{}({})", applied.function, applied.arguments.join(", "))
    }

    fn choice(&self, condition: &str, yes: &str, no: &str) -> String {
        format!("if {condition} {{ {yes} }} else {{ {no} }}")
    }
}

impl Plain {
    fn left(left: &Left) -> String {
        match left {
            Left::Symbol(symbol) => symbol.clone(),
            Left::Rate(name) => format!("der({name})"),
            Left::Law(label) => format!("0[{label}]"),
            Left::After(event, name) => format!("{event}[{name}]"),
            Left::Entry(symbol, indices) => {
                let indices: Vec<&str> = indices.iter().map(|index| index.text()).collect();
                format!("{symbol}[{}]", indices.join(", "))
            }
        }
    }
}

impl Page for Plain {
    fn open(&mut self, name: &str, form: &[String]) {
        let _ = writeln!(self.out, "{name}: {}", form.join(", "));
    }

    fn section(&mut self, title: &str, formula: Option<&str>) {
        let formula = formula.map(|formula| format!(" {formula}")).unwrap_or_default();
        let _ = writeln!(self.out, "\n{title}{formula}");
    }

    fn lone(&mut self, left: &Left) {
        let _ = writeln!(self.out, "  {}", Self::left(left));
    }

    fn line(&mut self, left: &Left, right: &[Term]) {
        let _ = write!(self.out, "  {} = ", Self::left(left));
        for Term { sign, text } in right {
            self.out.push_str(sign);
            self.out.push_str(text);
        }
        self.out.push('\n');
    }

    fn remark(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    fn finish(self) -> String {
        self.out
    }
}
