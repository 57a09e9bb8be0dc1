//! The guide's table of methods, cell by cell: every claim there is measured here.

mod columns;
mod flow;
mod table;

use crate::common::methods::{Candidate, Each, every_method};
use columns::Strut;
use table::Table;

/// Measures one column.
struct Measured<C> {
    column: C,
    table: Table,
    wrong: Vec<String>,
}

impl<C: Strut> Each for Measured<C> {
    fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
        let claim = self.table.cell(name, C::NAME);
        if let Err(found) = self.column.check(method, claim) {
            self.wrong.push(format!("{name}: `{claim}` is claimed, but {found}"));
        }
    }
}

#[track_caller]
fn measure<C: Strut>(column: C) {
    let mut measured = Measured { column, table: Table::of_the_guide(), wrong: Vec::new() };
    every_method(&mut measured);
    assert!(measured.wrong.is_empty(), "column `{}`:\n{}", C::NAME, measured.wrong.join("\n"));
}

#[test]
fn order() {
    measure(columns::Order::new());
}

#[test]
fn multipliers() {
    measure(columns::Multipliers::new());
}

#[test]
fn drift() {
    measure(columns::Drift);
}

#[test]
fn energy() {
    measure(columns::Energy);
}

#[test]
fn symplecticity() {
    measure(columns::Symplectic);
}

#[test]
fn reversibility() {
    measure(columns::Reversible);
}

#[test]
fn polynomials() {
    measure(columns::Polynomial);
}

#[test]
fn oscillations() {
    measure(columns::Oscillation);
}

#[test]
fn dampers() {
    measure(columns::Damper);
}

#[test]
fn estimates() {
    measure(columns::Estimated);
}

#[test]
fn every_method_is_a_row_and_every_row_a_method() {
    struct Names(Vec<&'static str>);
    impl Each for Names {
        fn method<M: Candidate>(&mut self, name: &'static str, _method: M) {
            self.0.push(name);
        }
    }
    let mut names = Names(Vec::new());
    every_method(&mut names);
    assert_eq!(Table::of_the_guide().names(), names.0);
}

#[test]
fn the_readme_says_the_same() {
    let (readme, guide) = (Table::of_the_readme(), Table::of_the_guide());
    let columns: Vec<_> = readme.columns().skip(1).filter(|&column| column != "for").collect();
    assert_eq!(columns, ["order", "Φ", "h ω <"]);
    for name in readme.names() {
        for column in &columns {
            assert_eq!(readme.cell(name, column), guide.cell(name, column), "{name}, {column}");
        }
    }
    let rows = guide.names().len();
    assert_eq!((rows, readme.names().len()), (33, 9), "the README counts them");
}
