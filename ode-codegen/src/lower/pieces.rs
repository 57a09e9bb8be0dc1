//! Cuts a schedule into functions that rustc compiles in linear time, and passes values between them.

use std::collections::BTreeSet;

use super::program::{Block, Called, Expr, Input, Kernel, Kind, Ops, Piece, Restore, Statement};
use super::{MAX_OPS, MAX_STATEMENTS};

/// The inputs and the cost of a statement.
#[derive(Default)]
struct Reads {
    inputs: Vec<Input>,
    /// with repetitions
    temps: Vec<u32>,
    ops: Ops,
    lets: usize,
    calls: BTreeSet<Called>,
}

impl Reads {
    fn statement(&mut self, statement: &Statement) {
        self.lets += 1;
        if let Kind::Sines(pairs) = &statement.kind {
            self.ops.call += pairs.iter().flatten().flatten().count();
        }
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
            Expr::Call(called, arguments) => {
                self.ops.call += 1;
                self.calls.insert(called.clone());
                arguments.iter().for_each(|a| self.expr(a));
            }
            Expr::Angles(angles) => angles.iter().for_each(|a| self.expr(a)),
        }
    }
}

/// The kernel of a schedule.
pub(super) fn cut(name: &'static str, outputs: Vec<(&'static str, usize)>, statements: Vec<Statement>) -> Kernel {
    let (mut inputs, mut calls) = (BTreeSet::new(), BTreeSet::new());
    let mut total = Ops::default();
    let mut own = Vec::with_capacity(statements.len());
    for statement in &statements {
        let mut reads = Reads::default();
        reads.statement(statement);
        inputs.extend(reads.inputs.iter().copied());
        calls.append(&mut reads.calls);
        total += reads.ops;
        own.push(reads);
    }
    let ends = ends(&statements, &own);
    let (mut statements, mut own) = (statements.into_iter(), own.into_iter());
    let (mut pieces, mut reads, mut start) = (Vec::new(), Vec::new(), 0);
    for end in ends {
        let mut all = Reads::default();
        own.by_ref().take(end - start).for_each(|r| all.count(&r));
        pieces.push(Piece { statements: statements.by_ref().take(end - start).collect(), ..Piece::default() });
        reads.push(all);
        start = end;
    }
    hand_on(&mut pieces, &reads);
    let (inputs, calls) = (inputs.into_iter().collect(), calls.into_iter().collect());
    Kernel { name, outputs, inputs, calls, pieces, ops: total }
}

/// The end of each piece: in the second half of the allowed size, where the fewest values must be passed on.
fn ends(statements: &[Statement], own: &[Reads]) -> Vec<usize> {
    let crossing = crossing(statements, own);
    let (mut ends, mut start) = (Vec::new(), 0);
    loop {
        let (mut held, mut end, mut best) = (Reads::default(), start, None);
        while end < own.len() && (end == start || held.has_room_for(&own[end])) {
            held.count(&own[end]);
            end += 1;
            if held.is_half_full() && best.is_none_or(|b: usize| crossing[end] <= crossing[b]) {
                best = Some(end);
            }
        }
        if end == own.len() {
            ends.push(end);
            return ends;
        }
        start = best.unwrap_or(end);
        ends.push(start);
    }
}

/// For each statement, the number of values made before it that it or a later one reads.
fn crossing(statements: &[Statement], own: &[Reads]) -> Vec<usize> {
    let temps = own.iter().flat_map(|reads| &reads.temps).max().map_or(0, |last| *last as usize + 1);
    let mut last: Vec<Option<usize>> = vec![None; temps];
    for (index, reads) in own.iter().enumerate() {
        for &temp in &reads.temps {
            last[temp as usize] = Some(index);
        }
    }
    let (mut live, mut dying) = (0_usize, vec![0_usize; statements.len() + 1]);
    let mut crossing = vec![0; statements.len() + 1];
    for (index, statement) in statements.iter().enumerate() {
        crossing[index] = live;
        live -= dying[index];
        for temp in statement.kind.temps() {
            if let Some(&Some(end)) = last.get(temp as usize) {
                live += 1;
                dying[end] += 1;
            }
        }
    }
    crossing
}

impl Reads {
    /// Would a function with both still be one that rustc compiles quickly?
    fn has_room_for(&self, other: &Reads) -> bool {
        let statements = |r: &Reads| r.lets + r.temps.len();
        self.ops.total() + other.ops.total() <= MAX_OPS && statements(self) + statements(other) <= MAX_STATEMENTS
    }

    /// Is there enough for a function of its own?
    fn is_half_full(&self) -> bool {
        2 * self.ops.total() >= MAX_OPS || 2 * (self.lets + self.temps.len()) >= MAX_STATEMENTS
    }

    fn count(&mut self, other: &Reads) {
        self.temps.extend(&other.temps);
        self.ops += other.ops;
        self.lets += other.lets;
    }
}

/// The index at which each temporary is passed on, if a later piece reads it.
fn hand_on(pieces: &mut [Piece], reads: &[Reads]) {
    if pieces.len() < 2 {
        return;
    }
    // of each value: the piece that makes it, and its place among those handed on
    let values = pieces.iter().flat_map(|piece| &piece.statements).flat_map(|statement| statement.kind.temps());
    let mut made: Vec<(usize, Option<usize>)> =
        vec![(usize::MAX, None); values.max().map_or(0, |last| last as usize + 1)];
    for (index, piece) in pieces.iter().enumerate() {
        for temp in piece.statements.iter().flat_map(|statement| statement.kind.temps()) {
            made[temp as usize].0 = index;
        }
    }
    for (index, reads) in reads.iter().enumerate() {
        let mut read = vec![false; made.len()];
        for &temp in &reads.temps {
            read[temp as usize] = true;
        }
        for temp in 0..made.len() {
            let (piece, place) = &mut made[temp];
            if !read[temp] || *piece >= index {
                continue;
            }
            let handed = &mut pieces[*piece].hands_on;
            let slot = *place.get_or_insert(handed.len());
            if slot == handed.len() {
                handed.push(temp as u32);
            }
            let piece = *piece;
            pieces[index].restores.push(Restore { temp: temp as u32, piece, slot });
        }
    }
}
