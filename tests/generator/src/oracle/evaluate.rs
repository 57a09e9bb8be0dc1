//! The value of an expression as it is written, at a point.

use std::rc::Rc;

use ode_codegen::phases::model::Space;
use ode_codegen::phases::parse::ast::TypeKind;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{BinOp, Block, Expr, Lit, Member, Pat, Stmt, UnOp};

use super::declare::bare;
use super::value::{Planar, Quaternion};
use super::{Entry, Env, Local, Oracle, Point, Value, Written};
use crate::jet::Jet;

impl<'a> Oracle<'a> {
    /// The value of a text where it stands.
    pub(super) fn value(&self, text: &Written<'a>, at: &Point) -> Value {
        self.eval(text.text, &text.env, at)
    }

    /// The value of an expression.
    pub(super) fn eval(&self, expr: &'a Expr, env: &Rc<Env<'a>>, at: &Point) -> Value {
        match expr {
            Expr::Lit(e) => Value::Scalar(Jet::of(self.literal(&e.lit, env))),
            Expr::Path(e) => self.named(&self.word(last(&e.path)), env, at),
            Expr::Paren(e) => self.eval(&e.expr, env, at),
            Expr::Group(e) => self.eval(&e.expr, env, at),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => self.eval(&e.expr, env, at).map(&|x| -x.clone()),
            Expr::Binary(e) => binary(&e.op, self.eval(&e.left, env, at), self.eval(&e.right, env, at)),
            Expr::Call(e) => {
                let Expr::Path(function) = &*e.func else { panic!("no function: {}", e.func.to_token_stream()) };
                let name = self.word(last(&function.path));
                self.call(&name, &e.args.iter().collect::<Vec<_>>(), env, at)
            }
            Expr::MethodCall(e) => {
                let arguments: Vec<&Expr> = std::iter::once(&*e.receiver).chain(&e.args).collect();
                self.call(&self.word(&e.method), &arguments, env, at)
            }
            Expr::Field(e) => self.field(&e.base, &e.member, env, at),
            Expr::Index(e) => match (self.member(&e.expr, env), self.listed(expr, env, at)) {
                (Some(Entry::Subs(_)), _) => panic!("a sub is no value"),
                (_, Some(value)) => value,
                _ => element(&self.eval(&e.expr, env, at), self.index(&e.index, env)),
            },
            Expr::If(e) => {
                if self.holds(&e.cond, env, at) {
                    self.block(&e.then_branch, env, at)
                } else {
                    self.eval(&e.else_branch.as_ref().expect("an else").1, env, at)
                }
            }
            Expr::Match(e) => self.eval(self.arm(e, env, at), env, at),
            Expr::Block(e) => self.block(&e.block, env, at),
            Expr::Array(e) => Value::List(e.elems.iter().map(|e| self.eval(e, env, at)).collect()),
            Expr::Repeat(e) => {
                let item = self.eval(&e.expr, env, at);
                Value::List(vec![item; self.index(&e.len, env) as usize])
            }
            other => panic!("no expression of a model: {}", other.to_token_stream()),
        }
    }

    /// A name without `r#`, spelled once.
    pub(super) fn word(&self, name: &'a Ident) -> Rc<str> {
        let place = std::ptr::from_ref(name) as usize;
        self.words.borrow_mut().entry(place).or_insert_with(|| bare(name).into()).clone()
    }

    fn literal(&self, literal: &Lit, env: &Env<'a>) -> f64 {
        let (digits, suffix) = match literal {
            Lit::Int(n) => (n.base10_digits(), n.suffix()),
            Lit::Float(n) => (n.base10_digits(), n.suffix()),
            other => panic!("{} is no number", other.to_token_stream()),
        };
        let scale = self.scopes[env.scope].units.get(suffix).copied().unwrap_or(1.0);
        digits.parse::<f64>().expect("a number") * scale
    }

    /// The value of a name.
    fn named(&self, name: &str, env: &Rc<Env<'a>>, at: &Point) -> Value {
        if let Some((_, local)) = env.locals.iter().rev().find(|(n, _)| n == name) {
            return match local {
                Local::Index(i) => Value::Scalar(Jet::of(*i as f64)),
                Local::Text(text) => self.value(text, at),
            };
        }
        match self.scopes[env.scope].names.get(name) {
            Some(entry) => self.entry(name, entry, at),
            None => Value::Scalar(match name {
                "t" => at.at.t[0].clone(),
                "PI" => Jet::of(std::f64::consts::PI),
                "TAU" => Jet::of(std::f64::consts::TAU),
                _ => panic!("{name} is not known"),
            }),
        }
    }

    /// The value of what a name of a model means.
    pub(super) fn entry(&self, name: &str, entry: &Entry<'a>, at: &Point) -> Value {
        match entry {
            Entry::Position(q, kind) => position(kind, &at.at.q, &mut q.clone()),
            Entry::Velocity(v, kind) if *kind.innermost() == TypeKind::Space(Space::S2) => {
                let q = at.places.iter().find(|place| place.v == *v).expect("a place").q;
                let (depth, moving) = (at.depth, at.moving());
                position(kind, &moving.at.q, &mut q.clone()).map(&|x| x.slope(depth))
            }
            Entry::Velocity(v, kind) => velocity(kind, &at.at.v, &mut v.clone()),
            Entry::Parameter(p, kind) => velocity(kind, &at.at.p, &mut p.clone()),
            Entry::Frozen(preset, kind) => velocity(kind, &self.preset(preset, at), &mut 0),
            Entry::State(z, kind) => velocity(kind, &at.at.z, &mut z.clone()),
            Entry::Input(u, kind) => velocity(kind, &at.at.u, &mut u.clone()),
            Entry::Mode(m, kind) => velocity(kind, &at.at.modes, &mut m.clone()),
            Entry::Text(text) => {
                let key = (Rc::as_ptr(&text.env) as usize, std::ptr::from_ref(text.text) as usize);
                if let Some(known) = at.known.borrow().get(&key) {
                    return known.clone();
                }
                let value = self.value(text, at);
                at.known.borrow_mut().insert(key, value.clone());
                value
            }
            Entry::Members(all) => self.gathered(all, &[], at),
            Entry::Function(_) | Entry::External(_) | Entry::Subs(_) => panic!("{name} is no value"),
        }
    }

    /// The sub, or what of a sub, an expression names.
    pub(super) fn member(&self, expr: &'a Expr, env: &Env<'a>) -> Option<&Entry<'a>> {
        match expr {
            Expr::Path(e) => {
                let name = self.word(e.path.get_ident()?);
                let local = env.locals.iter().any(|(n, _)| **n == *name);
                self.scopes[env.scope].names.get(&*name).filter(|_| !local)
            }
            _ => None,
        }
    }

    /// The scope of `leg` or `leg[2]` or `leg[2].foot`.
    fn sub_scope(&self, expr: &'a Expr, env: &Env<'a>) -> Option<usize> {
        let (base, i) = match expr {
            Expr::Index(e) => (&*e.expr, self.index(&e.index, env) as usize),
            other => (other, 0),
        };
        let found = match base {
            Expr::Field(e) => {
                let outer = self.sub_scope(&e.base, env)?;
                let Member::Named(name) = &e.member else { return None };
                self.scopes[outer].names.get(&*self.word(name))
            }
            other => self.member(other, env),
        };
        match found {
            Some(Entry::Subs(scopes)) => Some(scopes[i]),
            _ => None,
        }
    }

    fn field(&self, base: &'a Expr, member: &'a Member, env: &Rc<Env<'a>>, at: &Point) -> Value {
        let Member::Named(name) = member else { panic!("no field") };
        let name = &*self.word(name);
        if let Some(scope) = self.sub_scope(base, env) {
            return self.entry(name, &self.scopes[scope].names[name], at);
        }
        if name == "lambda" {
            return self.multiplier(&self.spelled(base, env), env, at);
        }
        if name == "reaction" {
            return self.reaction(base, env, at);
        }
        if name == "rate" {
            return Value::Vector(self.body_rate(base, env, at));
        }
        let value = self.eval(base, env, at);
        let place = ["x", "y", "z"].iter().position(|c| *c == name);
        match (value, name) {
            (Value::Frame3(origin, _), "origin") => Value::Vector(origin),
            (Value::Frame3(_, rotation), "rotation") => Value::Rotation(rotation),
            (Value::Frame2(frame), "origin") => Value::Vector(frame.origin.to_vec()),
            (Value::Frame2(frame), "angle") => Value::Scalar(frame.angle),
            (Value::Vector(v), _) if place.is_some() => Value::Scalar(v[place.unwrap_or(0)].clone()),
            (other, _) => panic!("{other:?} has no {name}"),
        }
    }

    /// ω along the rotated axes, from Ṙ: twice the vector of q* ∘ q̇.
    pub(super) fn body_rate(&self, rotation: &'a Expr, env: &Rc<Env<'a>>, at: &Point) -> Vec<Jet> {
        let moving = at.moving();
        let turning = match self.eval(rotation, env, moving) {
            Value::Rotation(q) | Value::Frame3(_, q) => q,
            other => panic!("{other:?} has no rate"),
        };
        let value = Quaternion(turning.0.each_ref().map(|x| x.value(at.depth)));
        let rate = Quaternion(turning.0.each_ref().map(|x| x.slope(at.depth)));
        let spin = value.conjugate().times(&rate);
        spin.0[1..].iter().map(|x| 2.0 * x).collect()
    }

    /// d/dt of the value.
    pub(super) fn rate(&self, expr: &'a Expr, env: &Rc<Env<'a>>, at: &Point) -> Value {
        let depth = at.depth;
        self.eval(expr, env, at.moving()).map(&|x| x.slope(depth))
    }

    /// `{ let a = ..; b }`
    pub(super) fn block(&self, block: &'a Block, env: &Rc<Env<'a>>, at: &Point) -> Value {
        let mut env = env.clone();
        for statement in &block.stmts {
            match statement {
                Stmt::Local(local) => env = local_let(&env, local),
                Stmt::Expr(expr, _) => return self.eval(expr, &env, at),
                other => panic!("no statement of a model: {}", other.to_token_stream()),
            }
        }
        panic!("a block without a value")
    }

    /// A whole number known from the text.
    pub(super) fn index(&self, expr: &Expr, env: &Env<'a>) -> i64 {
        match expr {
            Expr::Lit(e) => match &e.lit {
                Lit::Int(n) => n.base10_parse().expect("a whole number"),
                other => panic!("{} is no whole number", other.to_token_stream()),
            },
            Expr::Path(e) => match env.locals.iter().rev().find(|(n, _)| e.path.is_ident(n)) {
                Some((_, Local::Index(i))) => *i,
                _ => panic!("{} is no whole number", e.path.to_token_stream()),
            },
            Expr::Paren(e) => self.index(&e.expr, env),
            Expr::Group(e) => self.index(&e.expr, env),
            Expr::Unary(e) => -self.index(&e.expr, env),
            Expr::Binary(e) => {
                let (a, b) = (self.index(&e.left, env), self.index(&e.right, env));
                match e.op {
                    BinOp::Add(_) => a + b,
                    BinOp::Sub(_) => a - b,
                    _ => a * b,
                }
            }
            other => panic!("{} is no whole number", other.to_token_stream()),
        }
    }
}

/// The last word of a path, which is the only one where it names what a model declares.
fn last(path: &syn::Path) -> &Ident {
    &path.segments.last().expect("a word").ident
}

/// A place with one more name.
pub(super) fn local_let<'a>(env: &Rc<Env<'a>>, local: &'a syn::Local) -> Rc<Env<'a>> {
    let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else { panic!("no `let` of a model") };
    let text = Written { env: env.clone(), text: &init.expr };
    let mut inner = (**env).clone();
    inner.locals.push((bare(&name.ident), Local::Text(text)));
    Rc::new(inner)
}

fn binary(op: &BinOp, a: Value, b: Value) -> Value {
    match (op, a, b) {
        (BinOp::Add(_), a, b) => pairwise(&a, &b, &|a, b| a + b),
        (BinOp::Sub(_), a, b) => pairwise(&a, &b, &|a, b| a - b),
        (BinOp::Mul(_), Value::Rotation(a), Value::Rotation(b)) => Value::Rotation(a.times(&b)),
        (BinOp::Mul(_), Value::Frame3(p, a), Value::Rotation(b)) => Value::Frame3(p, a.times(&b)),
        (BinOp::Mul(_), Value::Frame3(p, a), Value::Frame3(q, b)) => {
            let origin = p.iter().zip(a.turn(&q)).map(|(p, q)| p + &q).collect();
            Value::Frame3(origin, a.times(&b))
        }
        (BinOp::Mul(_), Value::Scalar(a), b) => b.map(&|b| &a * b),
        (BinOp::Mul(_), a, Value::Scalar(b)) => a.map(&|a| a * &b),
        (BinOp::Mul(_), Value::Matrix(r, n, a), b @ (Value::Vector(_) | Value::List(_))) => {
            let b = b.vector();
            Value::Vector((0..r).map(|i| super::value::dot(&a[i * n..(i + 1) * n], &b)).collect())
        }
        (BinOp::Mul(_), Value::Matrix(r, n, a), Value::Matrix(_, c, b)) => {
            let column = |j: usize| -> Vec<Jet> { (0..n).map(|k| b[k * c + j].clone()).collect() };
            let entry = |i: usize, j: usize| super::value::dot(&a[i * n..(i + 1) * n], &column(j));
            Value::Matrix(r, c, (0..r * c).map(|k| entry(k / c, k % c)).collect())
        }
        (BinOp::Div(_), a, Value::Scalar(b)) => a.map(&|a| a / &b),
        (op, a, b) => panic!("{} of {a:?} and {b:?}", op.to_token_stream()),
    }
}

/// Number by number, in the shape of the first.
pub(super) fn pairwise(a: &Value, b: &Value, f: &dyn Fn(&Jet, &Jet) -> Jet) -> Value {
    let (x, y) = (a.scalars(), b.scalars());
    assert_eq!(x.len(), y.len(), "{a:?} and {b:?}");
    let pairs = std::cell::RefCell::new(x.iter().zip(&y).map(|(x, y)| f(x, y)));
    a.map(&|_| pairs.borrow_mut().next().expect("as many numbers"))
}

pub(super) fn element(value: &Value, i: i64) -> Value {
    let i = usize::try_from(i).expect("an index");
    match value {
        Value::List(items) => items[i].clone(),
        Value::Vector(x) => Value::Scalar(x[i].clone()),
        Value::Matrix(_, c, x) => Value::Vector(x[i * c..(i + 1) * c].to_vec()),
        other => panic!("{other:?} has no elements"),
    }
}

/// What the positions from `at` on are.
fn position(kind: &TypeKind, q: &[Jet], at: &mut usize) -> Value {
    let quaternion = |at: &mut usize| {
        *at += 4;
        Quaternion([0, 1, 2, 3].map(|i| q[*at - 4 + i].clone()))
    };
    match kind {
        TypeKind::Array(n, inner) => Value::List((0..*n).map(|_| position(inner, q, at)).collect()),
        TypeKind::Space(Space::SO2) => {
            *at += 2;
            let (cos, sin) = (q[*at - 2].clone(), q[*at - 1].clone());
            let angle = Jet::atan2(&sin, &cos);
            Value::Frame2(Planar { origin: [Jet::of(0.0), Jet::of(0.0)], cos, sin, angle })
        }
        TypeKind::Space(Space::SE3) => {
            let origin = q[*at..*at + 3].to_vec();
            *at += 3;
            Value::Frame3(origin, quaternion(at))
        }
        TypeKind::Space(Space::S2) => Value::Vector(quaternion(at).third()),
        TypeKind::Space(_) => Value::Rotation(quaternion(at)),
        flat => velocity(flat, q, at),
    }
}

/// What the numbers from `at` on are, by the type of the coordinate whose velocity they are.
fn velocity(kind: &TypeKind, x: &[Jet], at: &mut usize) -> Value {
    let mut take = |n: usize| {
        *at += n;
        x[*at - n..*at].to_vec()
    };
    match kind {
        TypeKind::Array(n, inner) => Value::List((0..*n).map(|_| velocity(inner, x, at)).collect()),
        TypeKind::Vector(n) => Value::Vector(take(*n)),
        TypeKind::Matrix(r, c) => Value::Matrix(*r, *c, take(r * c)),
        TypeKind::SymMat3 => {
            let entries = take(9);
            let upper = |k: usize| entries[(k / 3).min(k % 3) * 3 + (k / 3).max(k % 3)].clone();
            Value::Matrix(3, 3, (0..9).map(upper).collect())
        }
        TypeKind::Space(Space::SE3) => Value::List(vec![Value::Vector(take(3)), Value::Vector(take(3))]),
        TypeKind::Space(Space::SO3 | Space::SO3World) => Value::Vector(take(3)),
        _ => Value::Scalar(take(1).remove(0)),
    }
}
