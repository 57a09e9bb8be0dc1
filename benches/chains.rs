//! Steps of chains of 5 to 40 links: how their time grows with the number of unknowns.
//!
//! `cargo bench --bench chains` prints microseconds a step of fixed size, the least of many short runs that take turns:
//! point masses on rods, three unknowns a link in the solve of a step, by Dormand–Prince and by generalised-α. The
//! exponent is that of the growth from the first row. The same solves without generated elimination, by a dense
//! factorisation, grow with the cube.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::time::Instant;

use ode_model::integrators::{DormandPrince, GeneralizedAlpha};
use ode_model::{Linearize, Method, Simulation, Solvable, State};

mod models {
    pub(crate) mod rods;
}
use models::rods::{Rods5, Rods10, Rods20, Rods40};

/// Microseconds of a step in one short run from a consistent start.
fn step<S, M>(system: &S, method: M, start: &State<S>, h: f64) -> f64
where
    S: Solvable<Real = f64>,
    M: Method<S>,
{
    let mut run = Simulation::of(black_box(system), method).given(start.clone()).fixed(h).expect("a start");
    let clock = Instant::now();
    run.advance_to(50.0 * h).expect("steps");
    clock.elapsed().as_secs_f64() * 1e6 / run.statistics().taken as f64
}

/// A chain whose times are measured in turns with those of others.
trait Chain {
    fn unknowns(&self) -> usize;
    fn times(&self) -> [f64; 2];
}

struct Started<S: Solvable<Real = f64>> {
    system: S,
    start: State<S>,
}

impl<S: Solvable<Real = f64> + Linearize + Default> Started<S> {
    fn boxed() -> Box<dyn Chain>
    where
        S: 'static,
    {
        let system = S::default();
        let start = Simulation::of(&system, DormandPrince).fixed(1e-4).expect("a start").state().clone();
        Box::new(Self { system, start })
    }
}

impl<S: Solvable<Real = f64> + Linearize> Chain for Started<S> {
    fn unknowns(&self) -> usize {
        let layout = self.system.layout();
        layout.v.len() + layout.constraints.len()
    }

    fn times(&self) -> [f64; 2] {
        let explicit = step(&self.system, DormandPrince, &self.start, 2e-4);
        [explicit, step(&self.system, GeneralizedAlpha::with_spectral_radius(0.8), &self.start, 1e-3)]
    }
}

fn main() {
    let chains =
        [Started::<Rods5>::boxed(), Started::<Rods10>::boxed(), Started::<Rods20>::boxed(), Started::<Rods40>::boxed()];
    let mut least = [[f64::INFINITY; 2]; 4];
    for _ in 0..60 {
        for (least, chain) in least.iter_mut().zip(&chains) {
            least.iter_mut().zip(chain.times()).for_each(|(least, time)| *least = least.min(time));
        }
    }
    println!("{:>8} {:>15} {:>9} {:>15} {:>9}", "unknowns", "Dormand–Prince", "exponent", "generalised-α", "exponent");
    let first = (chains[0].unknowns(), least[0]);
    for (chain, times) in chains.iter().zip(least) {
        let ratio = (chain.unknowns() as f64 / first.0 as f64).ln();
        let [a, b] = [0, 1].map(|k| (times[k] / first.1[k]).ln() / ratio);
        let shown = |x: f64| if x.is_finite() { format!("{x:.2}") } else { String::new() };
        println!("{:>8} {:>15.2} {:>9} {:>15.2} {:>9}", chain.unknowns(), times[0], shown(a), times[1], shown(b));
    }
}
