//! Forces and the weighted tangent of springs in space, from a thousand to a million: nanoseconds a spring, beside the
//! same numbers by a loop that is written by hand. Both take turns; the least of several rounds counts.
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo bench -p ode-model-large --bench springs
//! ```

#[path = "peers/by_hand.rs"]
mod by_hand;

use std::hint::black_box;
use std::time::Instant;

use by_hand::ByHand;
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

/// The least nanoseconds of each call, in turns.
fn least<const N: usize>(calls: [&mut dyn FnMut(); N]) -> [f64; N] {
    let (begin, mut least) = (Instant::now(), [f64::INFINITY; N]);
    let mut calls = calls;
    while begin.elapsed().as_secs_f64() < 3.0 {
        for (call, least) in calls.iter_mut().zip(&mut least) {
            let clock = Instant::now();
            call();
            *least = least.min(clock.elapsed().as_secs_f64() * 1e9);
        }
    }
    least
}

/// Both compute the same numbers.
fn agree(ours: &[f64], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len());
    for (k, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "entry {k}: {a} beside {b}");
    }
}

fn main() {
    println!(
        "{:>9} {:>9} {:>9} {:>10} {:>10} {:>10} {:>8} {:>8}",
        "nodes", "springs", "nonzeros", "force, ns", "tangent", "by hand", "ratio", "build, s"
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
        let [mut forces, mut residual] = [Residual::zeros(&layout), Residual::zeros(&layout)];
        let mut tangent = vec![0.0; layout.tangent.nnz()];
        let weights = Weights { rates: 1.0, velocity: 0.01, position: 1e-4, state: 0.0 };
        let step = vec![0.0; layout.v.len()];

        let springs = lattice.springs();
        let (m, k, rest) = (vec![0.1; n * n * n], vec![100.0; springs.len()], vec![1.0; springs.len()]);
        let by_hand = ByHand::new(n * n * n, springs);
        let places: Vec<[f64; 3]> = x.q.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect();
        let (mut r, mut columns) = (vec![[0.0; 3]; n * n * n], vec![0.0; layout.tangent.nnz()]);

        let [force, whole, peer] = least([
            &mut || lattice.residual(black_box(x.at(&u)), x.rates(), &mut forces),
            &mut || {
                lattice.tangent(black_box(x.at(&u)), x.rates(), weights, &step, &mut residual, &mut tangent);
                black_box(&mut tangent);
            },
            &mut || {
                let weights = [weights.rates, weights.position];
                by_hand.tangent(black_box(&places), (&m, &k, &rest), weights, &mut r, &mut columns);
                black_box(&mut columns);
            },
        ]);
        agree(&tangent, &columns);
        agree(&residual.r, r.as_flattened());
        let [force, whole, peer] = [force, whole, peer].map(|time| time / springs.len() as f64);
        println!(
            "{:>9} {:>9} {:>9} {force:>10.1} {whole:>10.1} {peer:>10.1} {:>8.2} {built:>8.2}",
            n * n * n,
            springs.len(),
            layout.tangent.nnz(),
            whole / peer
        );
    }
}
