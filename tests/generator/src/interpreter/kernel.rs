//! Kernels, expression by expression, with the functions the generated code calls.

use ode_codegen::phases::expr::{Function as F, Partial, Spelling};
use ode_codegen::phases::lower::{Block, Call, Expr, Fused, Input, Kernel, Kind, Piece, Program, Statement};
use ode_runtime::Scalar;

/// What a kernel may read; an array it does not read may be empty.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "one for each kind of symbol")]
pub struct Inputs {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    pub z: Vec<f64>,
    pub zdot: Vec<f64>,
    pub modes: Vec<f64>,
    pub u: Vec<f64>,
    pub lambda: Vec<f64>,
    pub weights: Vec<f64>,
    pub turns: Vec<f64>,
    pub adjoint: Vec<f64>,
    pub covector: Vec<f64>,
    pub direction: Vec<f64>,
    pub vector: Vec<f64>,
    pub mass: Vec<f64>,
    pub jacobian: Vec<f64>,
    pub tangent: Vec<f64>,
    pub factor: Vec<f64>,
    pub rhs: Vec<f64>,
    pub step: Vec<f64>,
    pub from: Vec<f64>,
    pub to: Vec<f64>,
    pub p: Vec<f64>,
    pub prepared: Vec<f64>,
}

impl Inputs {
    fn array(&self, input: Input) -> &[f64] {
        match input {
            Input::Time => std::slice::from_ref(&self.t),
            Input::Q => &self.q,
            Input::V => &self.v,
            Input::A => &self.a,
            Input::Z => &self.z,
            Input::Zdot => &self.zdot,
            Input::Modes => &self.modes,
            Input::U => &self.u,
            Input::Lambda => &self.lambda,
            Input::Weights => &self.weights,
            Input::Turns => &self.turns,
            Input::Adjoint => &self.adjoint,
            Input::Covector => &self.covector,
            Input::Direction => &self.direction,
            Input::Vector => &self.vector,
            Input::Mass => &self.mass,
            Input::Jacobian => &self.jacobian,
            Input::Tangent => &self.tangent,
            Input::Factor => &self.factor,
            Input::Rhs => &self.rhs,
            Input::Step => &self.step,
            Input::From => &self.from,
            Input::To => &self.to,
            Input::Parameters => &self.p,
            Input::Prepared => &self.prepared,
        }
    }
}

/// The value of an external function, or of one of its partial derivatives.
pub type External<'a> = &'a dyn Fn(&Partial, &[f64]) -> f64;

/// Output arrays by name.
#[derive(Clone, Debug)]
pub struct Outputs(Vec<(&'static str, Vec<f64>)>);

impl Outputs {
    /// The array of this name; empty where there is none.
    pub fn array(&self, name: &str) -> &[f64] {
        self.0.iter().find(|(n, _)| *n == name).map_or(&[], |(_, values)| values)
    }

    /// All arrays with their names.
    pub fn arrays(&self) -> &[(&'static str, Vec<f64>)] {
        &self.0
    }
}

/// Runs a kernel. What it does not write is NaN.
pub fn run(kernel: &Kernel, inputs: &Inputs, external: External<'_>) -> Outputs {
    let outputs = kernel.outputs.iter().map(|&(name, len)| (name, vec![f64::NAN; len])).collect();
    let mut handed: Vec<Vec<f64>> = Vec::new();
    let mut run = Run { outputs, fuses: FUSES, ..Run::new(inputs, external) };
    for piece in &kernel.pieces {
        // each piece knows what it was handed, and nothing else of those before
        run.temps.clear();
        for restore in &piece.restores {
            run.name(restore.temp, handed[restore.piece][restore.slot]);
        }
        run.piece(piece);
        handed.push(piece.hands_on.iter().map(|&t| run.temps[t as usize]).collect());
    }
    Outputs(run.outputs)
}

/// Runs a call of a program, behind what that prepares of parameters.
pub fn call(program: &Program, call: Call, inputs: &Inputs, external: External<'_>) -> Outputs {
    let kernel = &program[call];
    if !kernel.inputs.contains(&Input::Prepared) {
        return run(kernel, inputs, external);
    }
    let prepared = run(&program[Call::Prepare], inputs, external).array("values").to_vec();
    run(kernel, &Inputs { prepared, ..inputs.clone() }, external)
}

/// Whether products that are added are one operation with the addition, in kernels.
const FUSES: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

pub(super) struct Run<'a> {
    fuses: bool,
    inputs: &'a Inputs,
    external: External<'a>,
    temps: Vec<f64>,
    outputs: Vec<(&'static str, Vec<f64>)>,
}

impl<'a> Run<'a> {
    pub(super) fn new(inputs: &'a Inputs, external: External<'a>) -> Self {
        Self { fuses: false, inputs, external, temps: Vec::new(), outputs: Vec::new() }
    }

    pub(super) fn name(&mut self, temp: u32, value: f64) {
        let place = temp as usize;
        if self.temps.len() <= place {
            self.temps.resize(place + 1, f64::NAN);
        }
        self.temps[place] = value;
    }

    fn piece(&mut self, piece: &Piece) {
        piece.statements.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Statement) {
        match (&statement.kind, &statement.value) {
            (Kind::Let(temp), value) => {
                let value = self.value(value);
                self.name(*temp, value);
            }
            (Kind::Sines(pairs), Expr::Angles(angles)) => {
                for (pair, angle) in pairs.iter().zip(angles) {
                    // what stands beside an angle has no effect on it
                    let values = f64::sin_cos_each([self.value(angle)]);
                    pair.iter().zip(values).for_each(|(temp, [value])| temp.iter().for_each(|&t| self.name(t, value)));
                }
            }
            (Kind::Sines(_), other) => unreachable!("{other:?} is no list of angles"),
            (Kind::Write(array, index), value) => {
                let value = self.value(value);
                let array = self.outputs.iter_mut().find(|(name, _)| name == array).expect("a declared array");
                array.1[*index] = value;
            }
        }
    }

    pub(super) fn value(&mut self, expr: &Expr) -> f64 {
        if let Some(Fused { factors: [a, b], addend, negative }) = expr.fused().filter(|_| self.fuses) {
            let [a, b, c] = [a, b, addend].map(|x| self.value(x));
            let sign = |negative: bool, x: f64| if negative { -x } else { x };
            return Scalar::multiply_add(sign(negative[0], a), b, sign(negative[1], c));
        }
        match expr {
            Expr::Constant(value) => *value,
            Expr::Load(symbol) => {
                let (input, index) = Input::of(*symbol);
                self.inputs.array(input)[index]
            }
            Expr::Temp(temp) => self.temps[*temp as usize],
            Expr::Unary(f, a) => {
                let a = self.value(a);
                primitive(*f, a, a)
            }
            Expr::Binary(f, a, b) => {
                // the code has it as a whole number
                let indexed = matches!(f.rule().spelling, Spelling::Indexed(_));
                assert!(!indexed || matches!(**b, Expr::Constant(_)), "the index of {f:?} has a name");
                let (a, b) = (self.value(a), self.value(b));
                primitive(*f, a, b)
            }
            Expr::Divide(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                a / b
            }
            Expr::Choice(condition, then, otherwise) => {
                let branch = if self.holds(condition) { then } else { otherwise };
                self.block(branch)
            }
            Expr::Call(called, arguments) => {
                let x: Vec<f64> = arguments.iter().map(|a| self.value(a)).collect();
                (self.external)(&called.partial, &x)
            }
            Expr::Less(..) | Expr::LessEq(..) | Expr::And(..) | Expr::Or(..) | Expr::Not(_) => {
                unreachable!("a condition is no number")
            }
            Expr::Angles(_) => unreachable!("angles are several numbers"),
        }
    }

    fn block(&mut self, block: &Block) -> f64 {
        block.statements.iter().for_each(|s| self.statement(s));
        self.value(&block.value)
    }

    fn holds(&mut self, condition: &Expr) -> bool {
        match condition {
            Expr::Less(a, b) => self.value(a) < self.value(b),
            Expr::LessEq(a, b) => self.value(a) <= self.value(b),
            Expr::And(a, b) => self.holds(a) && self.holds(b),
            Expr::Or(a, b) => self.holds(a) || self.holds(b),
            Expr::Not(a) => !self.holds(a),
            other => unreachable!("{other:?} is no condition"),
        }
    }
}

/// As the runtime computes it on `f64`.
fn primitive(f: F, a: f64, b: f64) -> f64 {
    match f {
        F::Neg => -a,
        F::Add => a + b,
        F::Sub => a - b,
        F::Mul => a * b,
        F::Square => a * a,
        F::Recip => Scalar::recip(a),
        F::Sqrt => Scalar::sqrt(a),
        F::Root => Scalar::root(a),
        F::RecipOrZero => Scalar::recip_or_zero(a),
        F::Sin => Scalar::sin(a),
        F::Cos => Scalar::cos(a),
        F::Tan => Scalar::tan(a),
        F::Asin => Scalar::asin(a),
        F::Acos => Scalar::acos(a),
        F::Atan => Scalar::atan(a),
        F::Sinh => Scalar::sinh(a),
        F::Cosh => Scalar::cosh(a),
        F::Tanh => Scalar::tanh(a),
        F::Exp => Scalar::exp(a),
        F::Ln => Scalar::ln(a),
        F::Atan2 => Scalar::atan2(a, b),
        F::Hypot => Scalar::hypot(a, b),
        F::Powf => Scalar::powf(a, b),
        F::Stumpff => Scalar::stumpff(a, b as u32),
        F::ArcOverSine => Scalar::arc_over_sine(a, b as u32),
    }
}
