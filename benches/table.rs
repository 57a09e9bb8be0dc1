//! A look-up in a table whose slopes are a const, beside one that computes them at each call.
//!
//! `cargo bench --bench table` prints nanoseconds a call, the least of many short batches, for tables of three sizes.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_model::Pchip;

/// The least time of one call over many short batches, in nanoseconds.
fn time(mut call: impl FnMut()) -> f64 {
    let (batches, batch) = (3000, 200);
    let sample = |_| {
        let clock = Instant::now();
        for _ in 0..batch {
            call();
        }
        clock.elapsed().as_secs_f64() * 1e9 / f64::from(batch)
    };
    (0..batches).map(sample).fold(f64::INFINITY, f64::min)
}

const fn points<const N: usize>() -> [[f64; 2]; N] {
    let mut points = [[0.0; 2]; N];
    let mut k = 0;
    while k < N {
        points[k] = [k as f64, (k * k % 7) as f64];
        k += 1;
    }
    points
}

fn table<const N: usize>(curve: &Pchip<N>) {
    let (mut x, points) = (0.3, points::<N>());
    // an abscissa that no branch predictor foresees
    let mut next = move || {
        x += 0.618;
        if x > (N - 1) as f64 {
            x -= (N - 1) as f64;
        }
        black_box(x)
    };
    let idle = time(|| _ = black_box(next()));
    let value = time(|| _ = black_box(curve.derivative(next(), 0)));
    let fresh = time(|| _ = black_box(Pchip::new(black_box(points)).derivative(next(), 0)));
    println!("{N:4} points: look-up {:6.1} ns, with slopes {:6.1} ns", value - idle, fresh - idle);
}

fn main() {
    static SMALL: Pchip<5> = Pchip::new(points());
    static MIDDLE: Pchip<20> = Pchip::new(points());
    static LARGE: Pchip<100> = Pchip::new(points());
    table(&SMALL);
    table(&MIDDLE);
    table(&LARGE);
}
