//! Forces and the weighted tangent of springs in space, from a thousand to a million: nanoseconds a spring.
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p ode-model-large --bench springs
//! ```

use std::hint::black_box;
use std::time::Instant;

use ode_model::{Linearize, Residual, State, System, Weights, model};

model! {
    /// A lattice of springs.
    #[model(no_selftest)]
    pub struct Lattice {
        set nodes;
        set springs: (nodes, nodes);
        param m[nodes]: Real [kg] = 0.1;
        param p[nodes]: Vec3 [m];
        param k[springs]: Real [N/m] = 100.0;
        param rest[springs]: Real [m] = 1.0;
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            mass x[i] = m[i];
            guess x[i] = p[i];
        }
        for e @ (i, j) in springs {
            potential = 0.5 * k[e] * sq(norm(x[j] - x[i]) - rest[e]);
        }
    }
}

/// A cube of nodes, each joined to its 26 neighbours.
fn lattice(n: usize) -> Lattice {
    let number = |[a, b, c]: [usize; 3]| (a * n + b) * n + c;
    let places: Vec<[usize; 3]> = (0..n * n * n).map(|i| [i / (n * n), i / n % n, i % n]).collect();
    let mut springs = Vec::new();
    for &[a, b, c] in &places {
        for k in 14..27_usize {
            let to = [a + k / 9, b + k / 3 % 3, c + k % 3].map(|x| x.wrapping_sub(1));
            if to.iter().all(|&x| x < n) {
                springs.push([number([a, b, c]), number(to)]);
            }
        }
    }
    Lattice::builder()
        .nodes(places.len())
        .p(places.iter().map(|p| p.map(|x| x as f64)))
        .springs(springs)
        .build()
        .expect("a lattice")
}

/// Least time of a call, of as many as fit in a while.
fn least(mut call: impl FnMut()) -> f64 {
    let begin = Instant::now();
    let mut least = f64::INFINITY;
    while begin.elapsed().as_secs_f64() < 0.7 {
        let clock = Instant::now();
        call();
        least = least.min(clock.elapsed().as_secs_f64());
    }
    least
}

fn main() {
    println!(
        "{:>9} {:>9} {:>9} {:>10} {:>10} {:>8}",
        "nodes", "springs", "nonzeros", "force, ns", "tangent", "build, s"
    );
    for n in [5, 8, 20, 43] {
        let clock = Instant::now();
        let lattice = lattice(n);
        let built = clock.elapsed().as_secs_f64();
        let layout = lattice.layout();
        let mut x = State::neutral(&lattice);
        lattice.guess(&mut x.q, &mut x.v, &mut x.z);
        x.q.iter_mut().enumerate().for_each(|(k, q)| *q += 0.1 * (k as f64).sin());
        let u = ode_model::Block::zeros(0);
        let mut residual = Residual::zeros(&layout);
        let mut tangent = vec![0.0; layout.tangent.nnz()];
        let weights = Weights { rates: 1.0, velocity: 0.01, position: 1e-4, state: 0.0 };
        let count = lattice.springs().len();
        let force = least(|| lattice.residual(black_box(x.at(&u)), x.rates(), &mut residual));
        let step = vec![0.0; layout.v.len()];
        let whole = least(|| {
            lattice.tangent(black_box(x.at(&u)), x.rates(), weights, &step, &mut residual, &mut tangent);
        });
        let each = 1e9 / count as f64;
        println!(
            "{:>9} {count:>9} {:>9} {:>10.1} {:>10.1} {built:>8.2}",
            n * n * n,
            layout.tangent.nnz(),
            force * each,
            whole * each
        );
    }
}
