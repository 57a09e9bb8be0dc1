//! Cuts a schedule into functions that rustc compiles in linear time, and passes values between them.

use std::collections::BTreeSet;

use super::program::{Block, Called, Expr, Input, Kernel, Kind, Ops, Piece, Restore, Statement};
use super::{MAX_OPS, MAX_STATEMENTS};

/// What all statements shown to it read and cost.
#[derive(Default)]
struct Reads {
    inputs: Vec<Input>,
    /// with repetitions
    temps: Vec<u32>,
    ops: Ops,
    lets: usize,
    calls: BTreeSet<Called>,
}

/// How much a function holds.
#[derive(Clone, Copy, Default)]
struct Size {
    ops: usize,
    statements: usize,
}

/// A statement: its size, and where the temporaries that it reads end among those of all.
struct Own {
    size: Size,
    end: usize,
}

impl Reads {
    fn statement(&mut self, statement: &Statement) {
        self.lets += 1;
        if let Kind::Sines(pairs) = &statement.kind {
            self.ops.call += pairs.iter().flatten().flatten().count();
        }
        self.expr(&statement.value);
    }

    fn size(&self) -> Size {
        Size { ops: self.ops.total(), statements: self.lets + self.temps.len() }
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
    let mut reads = Reads::default();
    let mut own = Vec::with_capacity(statements.len());
    for statement in &statements {
        let before = reads.size();
        reads.statement(statement);
        own.push(Own { size: reads.size().without(before), end: reads.temps.len() });
    }
    let mut pieces = Vec::new();
    if reads.size().is_allowed() {
        // most kernels are one function
        pieces.push(Piece { statements, ..Piece::default() });
    } else {
        let ends = ends(&statements, &own, &reads.temps);
        let (mut statements, mut start) = (statements.into_iter(), 0);
        for &end in &ends {
            pieces.push(Piece { statements: statements.by_ref().take(end - start).collect(), ..Piece::default() });
            start = end;
        }
        let ends: Vec<usize> = ends.iter().map(|end| end.checked_sub(1).map_or(0, |last| own[last].end)).collect();
        hand_on(&mut pieces, &ends, &reads.temps);
    }
    reads.inputs.sort_unstable();
    let calls = reads.calls.into_iter().collect();
    Kernel { name, outputs, inputs: reads.inputs, calls, pieces, ops: reads.ops }
}

/// The end of each piece: in the second half of the allowed size, where the fewest values must be passed on.
fn ends(statements: &[Statement], own: &[Own], temps: &[u32]) -> Vec<usize> {
    let crossing: &[usize] = &crossing(statements, own, temps);
    let (mut ends, mut start) = (Vec::new(), 0);
    loop {
        let (mut held, mut end, mut best) = (Size::default(), start, None);
        while end < own.len() && (end == start || held.with(own[end].size).is_allowed()) {
            held = held.with(own[end].size);
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
fn crossing(statements: &[Statement], own: &[Own], temps: &[u32]) -> Vec<usize> {
    // of each value the statement that reads it last, and one more: zero where none does
    let mut last = vec![0_usize; largest(temps)].into_boxed_slice();
    let mut read = 0;
    for (index, own) in own.iter().enumerate() {
        while read < own.end {
            last[temps[read] as usize] = index + 1;
            read += 1;
        }
    }
    let (mut live, mut dying) = (0_usize, vec![0_usize; statements.len() + 1].into_boxed_slice());
    let mut crossing = vec![0; statements.len() + 1];
    for (index, statement) in statements.iter().enumerate() {
        crossing[index] = live;
        live -= dying[index];
        statement.kind.each_temp(|temp| {
            let end = last.get(temp as usize).map_or(0, |end| *end);
            if end > 0 {
                live += 1;
                dying[end - 1] += 1;
            }
        });
    }
    crossing
}

/// The number of values up to the last one.
fn largest(temps: &[u32]) -> usize {
    let (mut k, mut len) = (0, 0);
    while k < temps.len() {
        if temps[k] >= len {
            len = temps[k] + 1;
        }
        k += 1;
    }
    len as usize
}

impl Size {
    /// Would a function be one that rustc compiles quickly?
    fn is_allowed(self) -> bool {
        self.ops <= MAX_OPS && self.statements <= MAX_STATEMENTS
    }

    /// Is there enough for a function of its own?
    fn is_half_full(self) -> bool {
        2 * self.ops >= MAX_OPS || 2 * self.statements >= MAX_STATEMENTS
    }

    fn with(self, other: Self) -> Self {
        Self { ops: self.ops + other.ops, statements: self.statements + other.statements }
    }

    fn without(self, other: Self) -> Self {
        Self { ops: self.ops - other.ops, statements: self.statements - other.statements }
    }
}

/// The index at which each temporary is passed on, if a later piece reads it. Of the temporaries that are read, those
/// of a piece end at `ends`.
fn hand_on(pieces: &mut [Piece], ends: &[usize], temps: &[u32]) {
    if pieces.len() < 2 {
        return;
    }
    // of each value: the piece that makes it, and its place among those handed on
    let mut made: Vec<(usize, Option<usize>)> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        for statement in &piece.statements {
            statement.kind.each_temp(|temp| {
                if made.len() <= temp as usize {
                    made.resize(temp as usize + 1, (usize::MAX, None));
                }
                made[temp as usize].0 = index;
            });
        }
    }
    let made: &mut [(usize, Option<usize>)] = &mut made;
    let mut next = 0;
    for (index, &end) in ends.iter().enumerate() {
        let mut read = vec![false; made.len()].into_boxed_slice();
        while next < end {
            read[temps[next] as usize] = true;
            next += 1;
        }
        let mut temp = 0;
        while temp < made.len() {
            let (piece, place) = made[temp];
            if read[temp] && piece < index {
                let handed = &mut pieces[piece].hands_on;
                let slot = place.unwrap_or(handed.len());
                if slot == handed.len() {
                    handed.push(temp as u32);
                    made[temp].1 = Some(slot);
                }
                pieces[index].restores.push(Restore { temp: temp as u32, piece, slot });
            }
            temp += 1;
        }
    }
}
