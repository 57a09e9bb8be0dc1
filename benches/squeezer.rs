//! The squeezer's generated kernels, beside a calibration of the machine and a library doing the same linear algebra.
//!
//! `cargo bench --bench squeezer` prints nanoseconds a call. The calibration is a chain of dependent additions: four
//! cycles each on the cores this is compared on, so `4 / ns` is the clock in GHz that the other rows were measured at.
//! `cargo bench --profile dev --bench squeezer` prints the same of a debug build.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use ode_model::linalg::{DenseKkt, Kkt, SMatrix, Saddle, dense, symmetric};
use ode_model::{Forward, Linearize, Rates, Residual, Solvable, State, System, Weights};

mod models {
    pub(crate) mod squeezer;
}
use models::squeezer::{AndrewsSqueezer as Squeezer, andrews_squeezer};

/// The least time of one call over many short batches, in nanoseconds: the time on an undisturbed machine.
fn time(mut call: impl FnMut()) -> f64 {
    let (batches, batch) = (2000, 100);
    let sample = |_| {
        let clock = Instant::now();
        for _ in 0..batch {
            call();
        }
        clock.elapsed().as_secs_f64() * 1e9 / f64::from(batch)
    };
    (0..batches).map(sample).fold(f64::INFINITY, f64::min)
}

fn main() {
    let model = Squeezer::default();
    let layout = model.layout();
    let mut state = State::<Squeezer>::neutral(&model);
    model.guess(&mut state.q, &mut state.v, &mut state.z);
    let mut u = andrews_squeezer::U::default();
    model.nominal(&mut u);
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(200) {
        black_box(time(|| ()));
    }

    let chain = time(|| {
        let mut x = black_box(1.0_f64);
        let y = black_box(1e-9_f64);
        for _ in 0..100 {
            x += y;
        }
        black_box(x);
    }) / 100.0;

    let mut forward = Forward::<Squeezer>::zeros(&layout);
    let evaluate = time(|| model.forward(black_box(state.at(&u)), &mut forward));

    let mut saddle = <Squeezer as Solvable>::Saddle::new(&layout);
    let (mut a, mut lambda) = (state.v, state.lambda);
    let accelerate = time(|| {
        model.forward(black_box(state.at(&u)), &mut forward);
        let _ = black_box(saddle.factorize(&layout, &forward.mass, &forward.jacobian));
        a = forward.force;
        for (l, g) in lambda.array_mut().iter_mut().zip(forward.gamma.as_array()) {
            *l = -g;
        }
        saddle.solve(a.array_mut(), lambda.array_mut());
        black_box((&a, &lambda));
    });

    // the same solve by nalgebra's LU of the assembled 13 × 13 matrix
    let mut kkt = SMatrix::<f64, 13, 13>::zeros();
    let g: SMatrix<f64, 6, 7> = dense(andrews_squeezer::JACOBIAN, &forward.jacobian);
    kkt.fixed_view_mut::<7, 7>(0, 0).copy_from(&symmetric(andrews_squeezer::MASS, &forward.mass));
    kkt.fixed_view_mut::<6, 7>(7, 0).copy_from(&g);
    kkt.fixed_view_mut::<7, 6>(0, 7).copy_from(&g.transpose());
    let mut b = SMatrix::<f64, 13, 1>::zeros();
    b.fixed_view_mut::<7, 1>(0, 0).copy_from_slice(forward.force.as_array());
    let library = time(|| {
        black_box(black_box(kkt).lu().solve(&b));
    });

    let weights = Weights { rates: 1.0, velocity: 5e-6, position: 2.5e-11, state: 1.0 };
    let mut residual = Residual::<Squeezer>::zeros(&layout);
    let mut tangent = [0.0; andrews_squeezer::TANGENT.nnz()];
    let rates = Rates::<Squeezer> { a: &a, zdot: &Default::default(), lambda: &lambda };
    let step = andrews_squeezer::V::default();
    let implicit = time(|| {
        model.tangent(black_box(state.at(&u)), rates, weights, &step, &mut residual, &mut tangent);
        black_box(&tangent);
    });

    let mut b = (state.v, [0.0; 0], state.lambda);
    let mut corrected = |kkt: &mut dyn FnMut(&mut [f64], &mut [f64])| {
        b.0.array_mut().fill(1.0);
        b.2.array_mut().fill(1e-9);
        kkt(b.0.array_mut(), b.2.array_mut());
        black_box(&b);
    };
    let mut generated = <Squeezer as Solvable>::Kkt::new(&layout);
    let decompose = time(|| {
        corrected(&mut |v, l| {
            let _ = black_box(generated.factorize(&layout, black_box(&tangent)));
            generated.solve(v, &mut [], l).expect("a solution");
        });
    });
    let mut pivoted = DenseKkt::<f64, 13>::new(&layout);
    let dense_lu = time(|| {
        corrected(&mut |v, l| {
            let _ = black_box(pivoted.factorize(&layout, black_box(&tangent)));
            pivoted.solve(v, &mut [], l).expect("a solution");
        });
    });

    println!("{:<58} {:>9}", "call", "ns");
    println!("{:<58} {chain:>9.3}", "calibration: one dependent f64 addition");
    println!("{:<58} {evaluate:>9.1}", "M, f, G, γ");
    println!("{:<58} {accelerate:>9.1}", "accelerations: M, f, G, γ, generated LDLᵀ, checks, solve");
    println!("{:<58} {:>9.1}", "of which the solve", accelerate - evaluate);
    println!("{:<58} {library:>9.1}", "the same solve by nalgebra's LU");
    println!("{:<58} {implicit:>9.1}", "r, Φ and the weighted tangent");
    println!("{:<58} {decompose:>9.1}", "its solve: generated LDU, checks");
    println!("{:<58} {dense_lu:>9.1}", "its solve: LU of the dense matrix with exchanges");
    println!("{:<58} {:>9.2}", "accelerations / nalgebra's LU alone", accelerate / library);
}
