//! The oracle of derivatives: dual numbers of another crate, points, and the motion of positions by velocities.
#![allow(dead_code, reason = "shared by test binaries, each of which uses its part")]

use std::path::Path;

use num_dual::{Dual64, DualNum};
use ode_codegen::Compiled;
use ode_codegen::phases::chart::{Block, Chart};
use ode_codegen::phases::derive::Sparse;
use ode_codegen::phases::expr::{Function, Node, Number, Partial, Symbol, stand_in};
use ode_codegen::phases::parse::with_parts;
use proc_macro2::{TokenStream, TokenTree};

/// Dual numbers, with the rules of their own crate.
#[derive(Clone, Copy)]
pub(crate) struct Dual(pub(crate) Dual64);

impl Number for Dual {
    fn constant(value: f64) -> Self {
        Self(Dual64::from_re(value))
    }
    fn real(self) -> f64 {
        self.0.re
    }
    fn external(partial: &Partial, x: &[Self]) -> Self {
        stand_in(partial, x)
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
            F::ArcOverSine if b.re == 0.0 => a.acos() / (Dual64::from_re(1.0) - a * a).sqrt(),
            F::ArcOverSine => Dual64::from_re(f64::NAN),
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
pub(crate) fn value(point: u64, symbol: Symbol) -> f64 {
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

/// As [`value`], with the positions of a rotation on their unit sphere.
pub(crate) fn place(blocks: &[Block], point: u64, symbol: Symbol) -> f64 {
    let holds = |b: &&Block| matches!(symbol, Symbol::Q(i) if b.positions().contains(&(i as usize)));
    let size = blocks
        .iter()
        .find(holds)
        .filter(|b| b.chart != Chart::Line)
        .map_or(1.0, |b| b.positions().map(|i| value(point, Symbol::Q(i as u32)).powi(2)).sum::<f64>().sqrt());
    value(point, symbol) / size
}

/// How a unit of the velocity `k` of a block moves its positions `q`: (−s, c), or half the product of the quaternion
/// and e_k; of a point of the sphere k = 2 is its spin.
pub(crate) fn moved(block: &Block, q: &[f64], k: usize) -> Vec<f64> {
    let vector = [q.get(1), q.get(2), q.get(3)].map(|x| x.copied().unwrap_or_default());
    let mut unit = [0.0; 3];
    unit[k] = 1.0;
    let sign = match block.chart {
        Chart::Line => return vec![1.0],
        Chart::Circle => return vec![-q[1], q[0]],
        Chart::Rotation | Chart::Direction => 1.0,
        Chart::WorldRotation => -1.0,
    };
    let turned = cross(vector, unit);
    let mut half = vec![-0.5 * vector[k]];
    half.extend((0..3).map(|i| 0.5 * (q[0] * unit[i] + sign * turned[i])));
    half
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

/// The largest difference of K, D, ∂/∂z, B and P to the oracle, relative to the largest entry; over 32 points.
pub(crate) fn worst(compiled: &Compiled) -> f64 {
    let e = &compiled.equations;
    let rows: Vec<Node> = e.dynamics.residual.iter().chain(&e.states.residual).copied().collect();
    let mut worst = 0.0_f64;
    for point in 0..32 {
        let columns = |symbols: Vec<Symbol>, sign: f64| -> Vec<Vec<f64>> {
            let column = |&s: &Symbol| {
                let at = |x: Symbol| Dual(Dual64::new(value(point, x), f64::from(u8::from(x == s))));
                e.graph.evaluate_in::<Dual>(&rows, &at).iter().map(|r| sign * r.0.eps).collect()
            };
            symbols.iter().map(column).collect()
        };
        let (n, moving) = (rows.len(), e.dynamics.residual.len());
        let weighted = |w: u32, columns: std::ops::Range<usize>| {
            let at = move |s| match s {
                Symbol::Weight(i) => f64::from(u8::from(i == w)),
                s => value(point, s),
            };
            let entries = e.tangent.matrix.entries.iter().filter(|(r, c, _)| *r < n && columns.contains(c));
            let first = columns.start;
            let (places, nodes): (Vec<_>, Vec<Node>) = entries.map(|&(r, c, node)| ((r, c - first), node)).unzip();
            (places, e.graph.sample(&nodes, &at))
        };
        let sparse = |s: &Sparse| {
            let places: Vec<_> = s.entries.iter().map(|&(r, c, _)| (r, c)).collect();
            (places, e.graph.sample(&s.values(), &|s| value(point, s)))
        };
        let list = |count: usize, kind: fn(u32) -> Symbol| (0..count as u32).map(kind).collect::<Vec<_>>();
        let model = &compiled.model;
        let blocks = [
            (weighted(2, 0..moving), columns(list(model.nq(), Symbol::Q), 1.0)),
            (weighted(1, 0..moving), columns(list(model.nv(), Symbol::V), 1.0)),
            (weighted(0, 0..moving), columns(list(model.nv(), Symbol::A), 1.0)),
            (weighted(3, moving..n), columns(list(model.nz(), Symbol::Z), 1.0)),
            (weighted(0, moving..n), columns(list(model.nz(), Symbol::Zdot), 1.0)),
            (sparse(&e.sensitivities.inputs), columns(list(model.nu(), Symbol::U), -1.0)),
            (sparse(&e.sensitivities.parameters), columns(list(model.np(), Symbol::P), 1.0)),
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

/// The models of a file.
pub(crate) fn models(path: &Path) -> Vec<TokenStream> {
    let text = std::fs::read_to_string(path).expect("a file");
    let file = syn::parse_file(&text).expect("Rust");
    let model = |item| match item {
        syn::Item::Macro(item) if item.mac.path.segments.last().is_some_and(|s| s.ident == "model") => {
            Some(item.mac.tokens)
        }
        _ => None,
    };
    file.items.into_iter().filter_map(model).collect()
}

/// Does an item of the model begin with `set`? It is several programs then, and has tests of its own.
fn declares_sets(model: &TokenStream) -> bool {
    let is_set = |token| matches!(token, TokenTree::Ident(word) if word == "set");
    model.clone().into_iter().any(|token| match token {
        TokenTree::Group(body) => body.stream().into_iter().any(is_set),
        _ => false,
    })
}

/// The models of all examples but those with sets, with those they are made of.
pub(crate) fn examples() -> Vec<TokenStream> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let parts = models(&root.join("tests/parts/src/robot.rs"));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root.join("examples")).expect("the examples") {
        let path = entry.expect("an example").path();
        if path.extension().is_some_and(|e| e == "rs") {
            let own = models(&path);
            let known: Vec<TokenStream> = own.iter().chain(&parts).cloned().collect();
            let alone = own.iter().filter(|model| !declares_sets(model));
            found.extend(alone.map(|model| with_parts(model, &known)));
        }
    }
    found
}
