//! Derivatives against an oracle that shares nothing with the calculus: dual numbers of another crate, carried through the
//! undifferentiated expressions. A wrong rule must be noticed, whichever row of the table it is in.

use num_dual::{Dual64, DualNum};
use ode_codegen::compile_with;
use ode_codegen::expr::{Function, Graph, Node, Number, RULES, Rules, Symbol};
use ode_codegen::model::Hold;

/// Dual numbers, with the rules of their own crate.
#[derive(Clone, Copy)]
struct Dual(Dual64);

impl Number for Dual {
    fn constant(value: f64) -> Self {
        Self(Dual64::from_re(value))
    }
    fn real(self) -> f64 {
        self.0.re
    }
    fn apply(function: Function, [Self(a), Self(b)]: [Self; 2]) -> Self {
        use Function as F;
        Self(match function {
            F::Neg => -a,
            F::Add => a + b,
            F::Sub => a - b,
            F::Mul => a * b,
            F::Recip => a.recip(),
            F::Square => a * a,
            F::Sqrt | F::Root => a.sqrt(),
            F::RecipOrZero if a.re == 0.0 => Dual64::from_re(0.0),
            F::RecipOrZero => a.recip(),
            F::Sin => a.sin(),
            F::Cos => a.cos(),
            F::Tan => a.tan(),
            F::Asin => a.asin(),
            F::Acos => a.acos(),
            F::Atan => a.atan(),
            F::Sinh => a.sinh(),
            F::Cosh => a.cosh(),
            F::Tanh => a.tanh(),
            F::Exp => a.exp(),
            F::Ln => a.ln(),
            F::Atan2 => a.atan2(b),
            F::Hypot => (a * a + b * b).sqrt(),
            F::Powf => (a.ln() * b).exp(),
            F::Stumpff => stumpff(a, b.re as u32),
        })
    }
}

/// cₙ(s) by its series.
fn stumpff(s: Dual64, n: u32) -> Dual64 {
    let mut term = Dual64::from_re((1..=n).fold(1.0, |p, k| p / f64::from(k)));
    let mut sum = term;
    for k in 1..20 {
        term = term * -s / f64::from((n + 2 * k - 1) * (n + 2 * k));
        sum += term;
    }
    sum
}

/// Numbers in (0.55, 0.95), in the domain of every function.
fn value(point: u64, symbol: Symbol) -> f64 {
    let (kind, index) = match symbol {
        Symbol::Time => (0, 0),
        Symbol::Q(i) => (1, i),
        Symbol::V(i) => (2, i),
        Symbol::A(i) => (3, i),
        Symbol::U(i) => (4, i),
        Symbol::P(i) => (5, i),
        Symbol::Z(i) => (7, i),
        Symbol::Zdot(i) => (8, i),
        _ => (6, 0),
    };
    let mut x = (point << 40 | kind << 20 | u64::from(index)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    0.55 + 0.4 * ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// The largest difference of K, D, ∂/∂z, B and P to the oracle, relative to the largest entry; over 32 points.
fn worst(rules: Rules, text: &str) -> f64 {
    let compiled = compile_with(rules, text.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let e = &compiled.equations;
    let rows: Vec<Node> = e.residual.iter().chain(&e.rate_residual).copied().collect();
    let mut worst = 0.0_f64;
    for point in 0..32 {
        let columns = |symbols: Vec<Symbol>, sign: f64| -> Vec<Vec<f64>> {
            let column = |&s: &Symbol| {
                let at = |x: Symbol| Dual(Dual64::new(value(point, x), f64::from(u8::from(x == s))));
                e.graph.evaluate_in::<Dual>(&rows, &at).iter().map(|r| sign * r.0.eps).collect()
            };
            symbols.iter().map(column).collect()
        };
        let (n, moving) = (rows.len(), e.residual.len());
        let weighted = |w: u32, columns: std::ops::Range<usize>| {
            let at = move |s| match s {
                Symbol::Weight(i) => f64::from(u8::from(i == w)),
                s => value(point, s),
            };
            let entries = e.tangent.entries.iter().filter(|(r, c, _)| *r < n && columns.contains(c));
            let first = columns.start;
            let (places, nodes): (Vec<_>, Vec<Node>) = entries.map(|&(r, c, node)| ((r, c - first), node)).unzip();
            (places, e.graph.evaluate(&nodes, &at))
        };
        let sparse = |s: &ode_codegen::derive::Sparse| {
            let places: Vec<_> = s.entries.iter().map(|&(r, c, _)| (r, c)).collect();
            (places, e.graph.evaluate(&s.values(), &|s| value(point, s)))
        };
        let list = |count: usize, kind: fn(u32) -> Symbol| (0..count as u32).map(kind).collect::<Vec<_>>();
        let model = &compiled.model;
        let blocks = [
            (weighted(2, 0..moving), columns(list(model.nq(), Symbol::Q), 1.0)),
            (weighted(1, 0..moving), columns(list(model.nv(), Symbol::V), 1.0)),
            (weighted(0, 0..moving), columns(list(model.nv(), Symbol::A), 1.0)),
            (weighted(3, moving..n), columns(list(model.nz(), Symbol::Z), 1.0)),
            (weighted(0, moving..n), columns(list(model.nz(), Symbol::Zdot), 1.0)),
            (sparse(&e.inputs), columns(list(model.nu(), Symbol::U), -1.0)),
            (sparse(&e.parameters), columns(list(model.np(), Symbol::P), 1.0)),
        ];
        for ((places, values), oracle) in blocks {
            let scale = oracle.iter().flatten().chain(&values).fold(0.0_f64, |m, x| m.max(x.abs()));
            for (c, column) in oracle.iter().enumerate() {
                for (r, dual) in column.iter().enumerate() {
                    let generated = places.iter().position(|p| *p == (r, c)).map_or(0.0, |k| values[k]);
                    let difference = (generated - dual).abs() / scale.max(f64::MIN_POSITIVE);
                    // NaN counts as the worst
                    worst = if difference.is_nan() { f64::INFINITY } else { worst.max(difference) };
                }
            }
        }
    }
    worst
}

/// Every row of the table stands in r, where its derivative is K; the gradient of a length brings in the guarded reciprocal.
const EVERY_FUNCTION: &str = "
    pub struct Every {
        param k: Real = 0.7;
        coord x, y: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
        potential = k * norm(vec3(x, y, x * y));
        force f1 on x = sin(x) + cos(x * y) + tan(x) + asin(x) + acos(y) + atan(x);
        force f2 on x = sinh(x) + cosh(y) + tanh(x) + exp(y) + ln(x) + sqrt(x);
        force f3 on y = atan2(x, y) + hypot(x, y) + x.powf(y) + 1.0 / (x + y) + sq(x) - u * y;
        force f4 on y = norm(vec3(x, y, x * y)) * k * z;
        force f5 on x = exp_so3(vec3(x, y, k)).rotate(vec3(1.0, 2.0, y)).x;
        state z: Real;
        der(z) = exp(z) * sin(x) - k * der(y) * sq(z) + u;
    }";

#[test]
fn every_derivative_agrees_with_dual_numbers() {
    let worst = worst(RULES, EVERY_FUNCTION);
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn a_wrong_rule_is_noticed_in_every_row() {
    fn off_by_a_thousandth(
        g: &mut Graph,
        x: [Node; 2],
        y: Node,
        wrt: usize,
        right: fn(&mut Graph, [Node; 2], Node, usize) -> Node,
    ) -> Node {
        let d = right(g, x, y, wrt);
        g.scale(1.001, d)
    }
    // a derivative is a plain function, so each wrong one names its right one
    macro_rules! wrong {
        ($($row:literal)*) => {
            [$((|g: &mut Graph, x: [Node; 2], y: Node, wrt: usize| {
                off_by_a_thousandth(g, x, y, wrt, RULES[$row].derivative)
            }) as fn(&mut Graph, [Node; 2], Node, usize) -> Node),*]
        };
    }
    let wrong = wrong!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);
    assert_eq!(wrong.len(), RULES.len());
    for (row, derivative) in wrong.into_iter().enumerate() {
        let mut rules = RULES;
        rules[row].derivative = derivative;
        let worst = worst(rules, EVERY_FUNCTION);
        assert!(worst > 1e-7, "{:?} is wrong and nothing noticed ({worst:e})", RULES[row].function);
    }
}

/// v · r(a, λ = 0) = d/dt (T + V) + ∂R/∂v · v − Σ power, for T quadratic in v and nothing that depends on t.
///
/// This checks the derivation of the equations of motion itself: its right-hand side knows energies only.
fn energy_balance(text: &str) {
    let compiled = compile_with(RULES, text.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let (e, model) = (&compiled.equations, &compiled.model);
    for point in 0..32 {
        let v = |i: usize| value(point, Symbol::V(i as u32));
        let at = |s: Symbol| if matches!(s, Symbol::Lambda(_)) { 0.0 } else { value(point, s) };
        let moving = |s: Symbol| {
            let rate = match s {
                Symbol::Q(i) => value(point, Symbol::V(i)),
                Symbol::V(i) => value(point, Symbol::A(i)),
                _ => 0.0,
            };
            Dual(Dual64::new(at(s), rate))
        };
        let r = e.graph.evaluate(&e.residual, &at);
        let left: f64 = r.iter().enumerate().map(|(i, r)| v(i) * r).sum();
        let energies = e.graph.evaluate_in::<Dual>(&e.energy[..2], &moving);
        let loss: f64 = e.graph.evaluate(&e.energy[2..], &at)[0];
        let power: f64 = e.graph.evaluate(&e.power, &at).iter().sum();
        let right = energies[0].0.eps + energies[1].0.eps + loss - power;
        let scale = left.abs().max(energies[0].0.eps.abs()).max(energies[1].0.eps.abs()).max(1e-9);
        assert!((left - right).abs() < 1e-11 * scale, "{}: {left} against {right}", model.header.name);
    }
}

#[test]
fn power_balances_energy() {
    energy_balance(
        "pub struct CartPole {
            param m_c: Real = 1.0; param m_p: Real = 0.1; param l: Real = 0.5; param c: Real = 0.2;
            coord x: Real; coord th: Angle; input u: Real;
            let tip = vec2(x + l * sin(th), -l * cos(th));
            kinetic = 0.5 * m_c * sq(der(x)) + 0.5 * m_p * der(tip).dot(der(tip));
            potential = m_p * 9.81 * tip.y;
            dissipation = 0.5 * c * sq(der(x));
            force drive on x = u;
        }",
    );
    // a kinetic energy that is no sum of squares of rates: Euler–Lagrange proper
    energy_balance(
        "pub struct Metric {
            coord x, y: Real;
            kinetic = 0.5 * (1.0 + sq(x)) * sq(der(x)) + x * y * der(x) * der(y) + (2.0 + y) * sq(der(y));
            potential = x * sq(y);
            force f on x * y = 0.3 * x;
        }",
    );
    energy_balance(
        "pub struct Spring {
            param m: Real = 1.0; param k: Real = 3.0;
            coord r, s: Vec2;
            kinetic = 0.5 * m * der(r).dot(der(r)) + 0.5 * m * der(s).dot(der(s));
            spring link on (r, s) { k: k, rest: 0.3, damping: 0.1 }
        }",
    );
}

/// r by Lagrange's equations, every derivative but ∂T/∂v taken by dual numbers, against the r that was derived:
///
/// ```text
/// d/dt(∂T/∂v) − ∂T/∂q + ∂V/∂q + ∂R/∂v − Σ e ∂s/∂q − Σ λ ∂Φ/∂q − Σ λ ∂ψ/∂v + Σ m a
/// ```
fn lagrange(text: &str) {
    let mut compiled = compile_with(RULES, text.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let model = &compiled.model;
    let g = &mut compiled.equations.graph;
    let n = model.nq();
    let rates: Vec<Symbol> = (0..n as u32).map(Symbol::V).collect();
    let kinetic: Vec<Node> = model.kinetic.iter().map(|e| e.value).collect();
    let momenta: Vec<Vec<Node>> = kinetic.iter().map(|&t| g.gradient(t, &rates)).collect();
    for point in 0..8 {
        let at = |s: Symbol| value(point, s);
        let slope = |node: Node, by: Symbol| {
            let seeded = |s: Symbol| Dual(Dual64::new(at(s), f64::from(u8::from(s == by))));
            g.evaluate_in::<Dual>(&[node], &seeded)[0].0.eps
        };
        let rate = |node: Node| {
            let moving = |s: Symbol| {
                let rate = match s {
                    Symbol::Time => 1.0,
                    Symbol::Q(i) => at(Symbol::V(i)),
                    Symbol::V(i) => at(Symbol::A(i)),
                    _ => 0.0,
                };
                Dual(Dual64::new(at(s), rate))
            };
            g.evaluate_in::<Dual>(&[node], &moving)[0].0.eps
        };
        let number = |node: Node| g.evaluate(&[node], &at)[0];
        let derived = g.evaluate(&compiled.equations.residual, &at);
        for i in 0..n {
            let (q, v) = (Symbol::Q(i as u32), Symbol::V(i as u32));
            let mut terms: Vec<f64> = momenta.iter().map(|p| rate(p[i])).collect();
            terms.extend(kinetic.iter().map(|&t| -slope(t, q)));
            terms.extend(model.potential.iter().map(|e| slope(e.value, q)));
            terms.extend(model.dissipation.iter().map(|e| slope(e.value, v)));
            for force in &model.forces {
                terms.extend(force.on.iter().zip(&force.value).map(|(&s, &e)| -number(e) * slope(s, q)));
            }
            for constraint in &model.constraints {
                let lambda = |k: usize| at(Symbol::Lambda((constraint.first + k) as u32));
                let by = if constraint.level == Hold::Position { q } else { v };
                terms.extend(constraint.rows.iter().enumerate().map(|(k, &row)| -lambda(k) * slope(row, by)));
            }
            let entries = model.mass.iter().filter(|m| m.row == i);
            terms.extend(entries.map(|m| number(m.value) * at(Symbol::A(m.col as u32))));
            let (sum, scale) = terms.iter().fold((0.0, 0.0_f64), |(s, m), t| (s + t, m + t.abs()));
            let name = &model.header.name;
            assert!((derived[i] - sum).abs() <= 1e-12 * scale, "{name}, row {i}: {} is not {sum}", derived[i]);
        }
    }
}

#[test]
fn the_equations_of_every_example_are_lagranges() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an example").path();
        if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).expect("an example");
            let file = syn::parse_file(&text).expect("an example");
            for item in file.items {
                if let syn::Item::Macro(item) = item
                    && item.mac.path.is_ident("model")
                {
                    lagrange(&item.mac.tokens.to_string());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen >= 6, "{seen} models");
}

#[test]
fn no_shortcut_is_taken_where_it_does_not_hold() {
    // sin θ φ̇ is the rate of nothing, and a heavy coordinate must not hide that
    lagrange(
        "pub struct Scales {
            coord x: Real; coord th, ph: Angle;
            kinetic planet = 0.5 * 5.97e24 * sq(der(x));
            kinetic toy = 0.5 * sq(der(th)) + 0.5 * sq(sin(th) * der(ph));
        }",
    );
    lagrange(
        "pub struct Everything {
            param m: Real = 1.3; param k: Real = 2.0;
            coord x, y: Real; coord r: Vec2; input u: Real;
            kinetic metric = 0.5 * (1.0 + sq(x) + t) * sq(der(x)) + 0.1 * sq(sq(der(y)));
            kinetic moving = 0.5 * m * sq(der(x + sin(3.0 * t) * y)) + 0.5 * der(r).dot(der(r));
            mass y = 0.3 + sq(x);
            potential = k * x * sq(y) + 0.2 * norm(r);
            dissipation = 0.1 * sq(der(x) * y) + 0.05 * sq(der(y));
            force pull on norm(r - vec2(x, y)) = -k * u;
            constraint rod: r.dot(r) == 1.0 + 0.1 * sin(t) + sq(x);
        }",
    );
}
