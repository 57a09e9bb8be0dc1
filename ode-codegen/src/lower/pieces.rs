//! Cuts a schedule into functions that rustc compiles in linear time, and hands values from one to the next.

use std::collections::{BTreeMap, BTreeSet};

use super::program::{Block, Expr, Input, Kernel, Kind, Ops, Piece, Restore, Statement};
use super::{MAX_OPS, MAX_STATEMENTS};

/// What a statement reads and costs.
#[derive(Default)]
struct Reads {
    inputs: Vec<Input>,
    /// with repetitions
    temps: Vec<u32>,
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
                let (input, _) = Input::of(*symbol);
                if !self.inputs.contains(&input) {
                    self.inputs.push(input);
                }
            }
            Expr::Temp(temp) => {
                self.temps.push(*temp);
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
    let mut inputs = BTreeSet::new();
    let mut total = Ops::default();
    // the piece in the making: its statements, what they read, and what they cost
    let mut pieces = vec![Piece::default()];
    let mut reads = vec![Reads::default()];
    for statement in statements {
        let mut own = Reads::default();
        own.statement(&statement);
        let last = pieces.len() - 1;
        if !pieces[last].statements.is_empty() && !reads[last].has_room_for(&own) {
            pieces.push(Piece::default());
            reads.push(Reads::default());
        }
        inputs.extend(own.inputs.iter().copied());
        total += own.ops;
        let last = pieces.len() - 1;
        reads[last].take(own);
        pieces[last].statements.push(statement);
    }
    hand_on(&mut pieces, &reads);
    Kernel { name, outputs, inputs: inputs.into_iter().collect(), pieces, ops: total }
}

impl Reads {
    /// Would a function with both still be one that rustc compiles quickly?
    fn has_room_for(&self, other: &Reads) -> bool {
        let statements = |r: &Reads| r.lets + r.temps.len();
        self.ops.total() + other.ops.total() <= MAX_OPS && statements(self) + statements(other) <= MAX_STATEMENTS
    }

    fn take(&mut self, other: Reads) {
        self.temps.extend(other.temps);
        self.ops += other.ops;
        self.lets += other.lets;
    }
}

/// Says of each temporary that a later piece reads where it is handed on.
fn hand_on(pieces: &mut [Piece], reads: &[Reads]) {
    let mut made: BTreeMap<u32, usize> = BTreeMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        for statement in &piece.statements {
            if let Kind::Let(temp) = statement.kind {
                made.insert(temp, index);
            }
        }
    }
    for index in 0..pieces.len() {
        let temps: BTreeSet<u32> = reads[index].temps.iter().copied().collect();
        for temp in temps {
            let Some(&piece) = made.get(&temp).filter(|&&piece| piece < index) else { continue };
            let handed = &mut pieces[piece].hands_on;
            let slot = handed.iter().position(|t| *t == temp).unwrap_or_else(|| {
                handed.push(temp);
                handed.len() - 1
            });
            pieces[index].restores.push(Restore { temp, piece, slot });
        }
    }
}
