//! Cuts a schedule into functions that rustc compiles in linear time, and hands values from one to the next.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::Symbol;

use super::program::{Block, Expr, Input, Kernel, Kind, Ops, Piece, Statement};
use super::{MAX_OPS, MAX_STATEMENTS};

/// What a statement reads and costs.
#[derive(Default)]
struct Reads {
    symbols: BTreeSet<Symbol>,
    temps: BTreeSet<u32>,
    ops: Ops,
    lets: usize,
}

impl Reads {
    fn statement(&mut self, statement: &Statement) {
        self.lets += 1;
        self.expr(&statement.value);
    }

    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
        self.expr(&block.value);
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(_) => {}
            Expr::Load(symbol) => {
                self.symbols.insert(*symbol);
            }
            Expr::Temp(temp) => {
                self.temps.insert(*temp);
            }
            Expr::Unary(f, a) => {
                self.ops.count(*f);
                self.expr(a);
            }
            Expr::Binary(f, a, b) => {
                self.ops.count(*f);
                self.expr(a);
                self.expr(b);
            }
            Expr::Divide(a, b) => {
                self.ops.div += 1;
                self.expr(a);
                self.expr(b);
            }
            Expr::Less(a, b) | Expr::LessEq(a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
                self.ops.choice += 1;
                self.expr(a);
                self.expr(b);
            }
            Expr::Not(a) => {
                self.ops.choice += 1;
                self.expr(a);
            }
            Expr::Choice(c, a, b) => {
                self.ops.choice += 1;
                self.expr(c);
                self.block(a);
                self.block(b);
            }
        }
    }
}

/// The kernel of a schedule.
pub(super) fn cut(name: &'static str, outputs: Vec<(&'static str, usize)>, statements: Vec<Statement>) -> Kernel {
    let mut kernel = Kernel { name, outputs, inputs: Vec::new(), pieces: Vec::new(), spills: 0, ops: Ops::default() };
    let mut inputs = BTreeSet::new();
    // the piece each temporary is made in, and those it is read in
    let mut made: BTreeMap<u32, usize> = BTreeMap::new();
    let mut piece = Piece::default();
    let (mut loads, mut temps, mut ops, mut lets) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
    let mut read: Vec<BTreeSet<u32>> = Vec::new();
    let finish = |piece: &mut Piece, loads: &mut BTreeSet<Symbol>, temps: &mut BTreeSet<u32>, kernel: &mut Kernel| {
        piece.loads = std::mem::take(loads).into_iter().collect();
        kernel.pieces.push(std::mem::take(piece));
        std::mem::take(temps)
    };
    for statement in statements {
        let mut reads = Reads::default();
        reads.statement(&statement);
        let own = reads.ops.total();
        let statements_so_far = lets + reads.lets + loads.len() + reads.symbols.len() + temps.len() + reads.temps.len();
        if !piece.statements.is_empty() && (ops + own > MAX_OPS || statements_so_far > MAX_STATEMENTS) {
            read.push(finish(&mut piece, &mut loads, &mut temps, &mut kernel));
            (ops, lets) = (0, 0);
        }
        ops += own;
        lets += reads.lets;
        kernel.ops += reads.ops;
        inputs.extend(reads.symbols.iter().map(|s| Input::of(*s).0));
        loads.extend(reads.symbols);
        temps.extend(reads.temps);
        if let Kind::Let(temp, _) = statement.kind {
            made.insert(temp, kernel.pieces.len());
        }
        piece.statements.push(statement);
    }
    read.push(finish(&mut piece, &mut loads, &mut temps, &mut kernel));
    kernel.inputs = inputs.into_iter().collect();
    spill(&mut kernel, &made, &read);
    kernel
}

/// Gives a slot to each temporary that a later piece reads.
fn spill(kernel: &mut Kernel, made: &BTreeMap<u32, usize>, read: &[BTreeSet<u32>]) {
    let mut slots: BTreeMap<u32, usize> = BTreeMap::new();
    for (index, temps) in read.iter().enumerate() {
        for temp in temps {
            if made.get(temp).is_some_and(|&m| m < index) {
                let next = slots.len();
                let slot = *slots.entry(*temp).or_insert(next);
                kernel.pieces[index].restores.push((*temp, slot));
            }
        }
    }
    for statement in kernel.pieces.iter_mut().flat_map(|p| &mut p.statements) {
        if let Kind::Let(temp, slot) = &mut statement.kind {
            *slot = slots.get(temp).copied();
        }
    }
    kernel.spills = slots.len();
}
