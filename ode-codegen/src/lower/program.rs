//! Straight-line programs: emitting them only means spelling them.

use crate::expr::{Function, Origin, Partial, Symbol};

/// A fused call: inputs to outputs, in pieces small enough for rustc.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// name of the call
    pub name: &'static str,
    /// names and lengths of the arrays it writes
    pub outputs: Vec<(&'static str, usize)>,
    /// the kinds of input arrays some piece reads, in a fixed order
    pub inputs: Vec<Input>,
    /// the external functions it calls, in a fixed order
    pub calls: Vec<Called>,
    /// functions to emit, called in order
    pub pieces: Vec<Piece>,
    /// what it costs
    pub ops: Ops,
}

impl Kernel {
    /// Length of an output array; zero where there is none of this name.
    pub fn len(&self, array: &str) -> usize {
        self.outputs.iter().find(|(name, _)| *name == array).map_or(0, |(_, len)| *len)
    }

    /// The temporary that an output array gets at each entry, where it is one: entries of the same are equal.
    pub fn written(&self, array: &str) -> Vec<Option<u32>> {
        let mut written = vec![None; self.len(array)];
        for Statement { kind, value, .. } in self.pieces.iter().flat_map(|piece| &piece.statements) {
            if let (Kind::Write(name, entry), Expr::Temp(temp)) = (kind, value)
                && *name == array
            {
                written[*entry] = Some(*temp);
            }
        }
        written
    }
}

/// A function of at most 500 operations.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// values of earlier pieces it reads
    pub restores: Vec<Restore>,
    /// its statements
    pub statements: Vec<Statement>,
    /// temporaries that later pieces read, in the order it hands them on
    pub hands_on: Vec<u32>,
}

/// A value that an earlier piece has handed on.
#[derive(Clone, Copy, Debug)]
pub struct Restore {
    /// the temporary
    pub temp: u32,
    /// the piece it was made in
    pub piece: usize,
    /// its index among the values that the piece passes on
    pub slot: usize,
}

/// One statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// what it does
    pub kind: Kind,
    /// the value
    pub value: Expr,
    /// the user's expression it comes from
    pub origin: Option<Origin>,
}

/// The destination of a statement's value.
#[derive(Clone, Debug)]
pub enum Kind {
    /// names it
    Let(u32),
    /// names the sine and the cosine of each angle, where it is needed; all are evaluated together
    Sines(Vec<[Option<u32>; 2]>),
    /// writes it to an output array
    Write(&'static str, usize),
}

impl Kind {
    /// Shows each temporary that it names.
    pub fn each_temp(&self, mut see: impl FnMut(u32)) {
        match self {
            Kind::Let(temp) => see(*temp),
            Kind::Sines(pairs) => pairs.iter().flatten().flatten().for_each(|temp| see(*temp)),
            Kind::Write(..) => {}
        }
    }
}

/// An expression of temporaries and loads.
#[derive(Clone, Debug)]
pub enum Expr {
    /// a number
    Constant(f64),
    /// an input
    Load(Symbol),
    /// a temporary
    Temp(u32),
    /// a primitive of one argument; the argument of `Square` is a load or a temporary
    Unary(Function, Box<Expr>),
    /// a primitive of two arguments
    Binary(Function, Box<Expr>, Box<Expr>),
    /// a / b
    Divide(Box<Expr>, Box<Expr>),
    /// condition
    Less(Box<Expr>, Box<Expr>),
    /// condition
    LessEq(Box<Expr>, Box<Expr>),
    /// condition
    And(Box<Expr>, Box<Expr>),
    /// condition
    Or(Box<Expr>, Box<Expr>),
    /// condition
    Not(Box<Expr>),
    /// a choice; the blocks hold what only their branch needs
    Choice(Box<Expr>, Block, Block),
    /// an external function
    Call(Called, Vec<Expr>),
    /// the angles of `Kind::Sines`
    Angles(Vec<Expr>),
}

/// ±a b ± c, which is one operation where the target has it.
#[derive(Clone, Copy, Debug)]
pub struct Fused<'a> {
    /// a and b
    pub factors: [&'a Expr; 2],
    /// c
    pub addend: &'a Expr,
    /// whether a b and c are subtracted
    pub negative: [bool; 2],
}

impl Expr {
    /// The expression as a product and a term, if it is such a sum; of two products the second.
    pub fn fused(&self) -> Option<Fused<'_>> {
        let Expr::Binary(f @ (Function::Add | Function::Sub), x, y) = self else { return None };
        let minus = *f == Function::Sub;
        let (factors, addend, negative) = match (x.factors(), y.factors()) {
            (_, Some(factors)) => (factors, x, [minus, false]),
            (Some(factors), None) => (factors, y, [false, minus]),
            (None, None) => return None,
        };
        Some(Fused { factors, addend, negative })
    }

    /// Does it hold such a sum?
    pub(crate) fn fuses(&self) -> bool {
        let within = |b: &Block| b.value.fuses() || b.statements.iter().any(|s| s.value.fuses());
        self.fused().is_some()
            || match self {
                Expr::Constant(_) | Expr::Load(_) | Expr::Temp(_) => false,
                Expr::Unary(_, a) | Expr::Not(a) => a.fuses(),
                Expr::Binary(_, a, b) | Expr::Divide(a, b) | Expr::Less(a, b) | Expr::LessEq(a, b) => {
                    a.fuses() || b.fuses()
                }
                Expr::And(a, b) | Expr::Or(a, b) => a.fuses() || b.fuses(),
                Expr::Choice(c, a, b) => c.fuses() || within(a) || within(b),
                Expr::Call(_, list) | Expr::Angles(list) => list.iter().any(Self::fuses),
            }
    }

    fn factors(&self) -> Option<[&Expr; 2]> {
        match self {
            Expr::Binary(Function::Mul, a, b) => Some([a, b]),
            Expr::Unary(Function::Square, a) => Some([a, a]),
            _ => None,
        }
    }
}

/// An external function, or one of its derivatives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Called {
    /// what it is
    pub partial: Partial,
    /// its name in texts
    pub name: String,
}

/// Statements and a value.
#[derive(Clone, Debug)]
pub struct Block {
    /// `let`s
    pub statements: Vec<Statement>,
    /// value
    pub value: Box<Expr>,
}

/// The arrays a kernel may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "one for each kind of symbol")]
pub enum Input {
    Time,
    Q,
    V,
    A,
    Z,
    Zdot,
    Modes,
    U,
    Lambda,
    Weights,
    Turns,
    Adjoint,
    Covector,
    Direction,
    Vector,
    Mass,
    Jacobian,
    Tangent,
    Factor,
    Rhs,
    Step,
    From,
    To,
    Parameters,
    Prepared,
}

impl Input {
    /// The array a symbol is read from, and the index in it.
    pub fn of(symbol: Symbol) -> (Input, usize) {
        match symbol {
            Symbol::Time => (Input::Time, 0),
            Symbol::Q(i) => (Input::Q, i as usize),
            Symbol::V(i) => (Input::V, i as usize),
            Symbol::A(i) => (Input::A, i as usize),
            Symbol::Z(i) => (Input::Z, i as usize),
            Symbol::Zdot(i) => (Input::Zdot, i as usize),
            Symbol::Mode(i) => (Input::Modes, i as usize),
            Symbol::U(i) => (Input::U, i as usize),
            Symbol::P(i) => (Input::Parameters, i as usize),
            Symbol::Prepared(i) => (Input::Prepared, i as usize),
            Symbol::Lambda(i) => (Input::Lambda, i as usize),
            Symbol::Weight(i) => (Input::Weights, i as usize),
            Symbol::Turn(i) => (Input::Turns, i as usize),
            Symbol::Adjoint(i) => (Input::Adjoint, i as usize),
            Symbol::Covector(i) => (Input::Covector, i as usize),
            Symbol::Direction(i) => (Input::Direction, i as usize),
            Symbol::Vector(i) => (Input::Vector, i as usize),
            Symbol::Mass(i) => (Input::Mass, i as usize),
            Symbol::Jacobian(i) => (Input::Jacobian, i as usize),
            Symbol::Tangent(i) => (Input::Tangent, i as usize),
            Symbol::Factor(i) => (Input::Factor, i as usize),
            Symbol::Rhs(i) => (Input::Rhs, i as usize),
            Symbol::Step(i) => (Input::Step, i as usize),
            Symbol::From(i) => (Input::From, i as usize),
            Symbol::To(i) => (Input::To, i as usize),
        }
    }
}

/// Operation counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ops {
    /// additions, subtractions and negations
    pub add: usize,
    /// multiplications and squares
    pub mul: usize,
    /// divisions and reciprocals
    pub div: usize,
    /// calls of other functions
    pub call: usize,
    /// comparisons and choices
    pub choice: usize,
}

impl Ops {
    /// All of them.
    pub fn total(&self) -> usize {
        self.add + self.mul + self.div + self.call + self.choice
    }

    /// Counts a primitive.
    pub fn count(&mut self, function: Function) {
        use Function as F;
        *match function {
            F::Neg | F::Add | F::Sub => &mut self.add,
            F::Mul | F::Square => &mut self.mul,
            F::Recip => &mut self.div,
            _ => &mut self.call,
        } += 1;
    }
}

impl std::ops::AddAssign for Ops {
    fn add_assign(&mut self, o: Self) {
        self.add += o.add;
        self.mul += o.mul;
        self.div += o.div;
        self.call += o.call;
        self.choice += o.choice;
    }
}
