//! What derivatives of accelerations and of steps cost.
//!
//! `cargo bench --bench derivatives` prints nanoseconds, the least of many short batches by turns. Accelerations are
//! those of the Franka arm, with all 21 columns by q, v and u; beside them stands Pinocchio's `computeABADerivatives`
//! of the same arm, if `PINOCCHIO` names where it is (`…/site-packages/cmeel.prefix` after `pip install pin==4.1.0`)
//! and clang and Eigen are installed. Both sides are then to be compiled for this machine:
//! `RUSTFLAGS="-C target-cpu=native"`. Steps are those of generalised-α, with their derivative by q, v and u. With
//! `--features second-order` a step of the cart-pole follows, with its first and its second derivatives.

#![allow(clippy::print_stdout, missing_docs, reason = "a benchmark is a program that prints")]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use ode_model::integrators::{GeneralizedAlpha, Vary, settle};
use ode_model::prelude::*;
use ode_model::solve::Acceleration;
use ode_model::variation::{Fixed, ForwardMode, LinearMotion, Seed, Solved, unit_columns};
use ode_model::{Block, Context, Method, Nominal, Proposal, Sensitive, Solvable, Start, Work};

#[allow(dead_code, unreachable_pub, reason = "the model is that of the example; its main is not run")]
#[path = "../examples/franka.rs"]
mod franka;
mod models {
    pub(crate) mod chain;
    pub(crate) mod squeezer;
}
use franka::Franka;

model! {
    /// A pole on a cart.
    pub struct CartPole<T> {
        param: Real { m = 1.0; mp = 0.3; l = 0.5; }
        coord x: Real;
        coord th: Angle;
        input pull: Real = 0.1;
        let tip = vec2(x + l * sin(th), l * cos(th));
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * mp * der(tip).dot(der(tip));
        potential = mp * 9.81 * tip.y;
        force motor on x = pull;
        init x = 0.0;
        init th = 0.3;
    }
}

/// The least nanoseconds of a call of each over many short batches, which take turns.
fn times<const N: usize>(calls: [&mut dyn FnMut(); N], batch: u32) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    let mut calls = calls;
    for _ in 0..2000 {
        for (call, least) in calls.iter_mut().zip(&mut least) {
            let clock = Instant::now();
            (0..batch).for_each(|_| call());
            *least = least.min(clock.elapsed().as_secs_f64() * 1e9 / f64::from(batch));
        }
    }
    least
}

/// Nanoseconds of a dependent addition: four cycles on the cores this is compared on.
fn calibration() -> f64 {
    let mut chain = || {
        let (mut x, y) = (black_box(1.0_f64), black_box(1e-9_f64));
        (0..1000).for_each(|_| x += y);
        black_box(x);
    };
    let [ns] = times([&mut chain], 1);
    ns / 1000.0
}

/// A line of the table.
fn row(what: &str, ns: f64, beside: &str, ratio: f64) {
    println!("{what:<64} {ns:>9.0} {ratio:>7.2} of {beside}");
}

fn accelerations() -> f64 {
    let arm = black_box(Franka::default());
    let x = Start::default().solve(&arm, &Nominal).expect("a start");
    let x = State { v: [0.3, -0.2, 0.5, 0.1, -0.4, 0.2, 0.7].into(), ..x };
    let mut work = Work::default();
    let (mut a, mut z, mut l) = (x.a, x.zdot, x.lambda);
    let mut acceleration = Acceleration::new(&arm);
    let mut plain = || {
        let mut cx = Context { system: &arm, inputs: &Nominal, work: &mut work };
        acceleration.evaluate(&mut cx, black_box(x.moment()), &mut a, &mut z, &mut l).expect("accelerations");
        black_box(&a);
    };
    let mut nonzeros = <<Franka as Sensitive>::Partials as Block<f64>>::zeros(0);
    let u = franka::franka::U::default();
    let mut partials = || {
        arm.partials(black_box(x.at(&u)), x.rates(), &mut nonzeros);
        black_box(&nonzeros);
    };
    let mut motion = LinearMotion::new(&arm);
    let mut other = LinearMotion::new(&arm);
    let mut work = Work::default();
    let mut cx = Context { system: &arm, inputs: &Nominal, work: &mut work };
    other.evaluate(&mut cx, x.moment(), false).expect("a linearisation");
    let mut evaluate = || motion.evaluate(&mut cx, black_box(x.moment()), false).expect("a linearisation");
    let mut columns = Solved { a: [x.v; 21], zdot: [x.zdot; 21], lambda: [x.lambda; 21] };
    let mut derivatives = || {
        other.derivatives(&arm, &mut columns).expect("columns");
        black_box(&columns);
    };
    let (mut third, mut work) = (LinearMotion::new(&arm), Work::default());
    let mut cx = Context { system: &arm, inputs: &Nominal, work: &mut work };
    let mut room = Solved { a: [x.v; 21], zdot: [x.zdot; 21], lambda: [x.lambda; 21] };
    let mut whole = || {
        third.linearize(&mut cx, black_box(x.moment()), &mut room).expect("columns");
        black_box(&room);
    };
    let [plain, partials, evaluate, derivatives, whole] =
        times([&mut plain, &mut partials, &mut evaluate, &mut derivatives, &mut whole], 30);
    println!("the Franka arm: {:<48} {:>9} ", "", "ns");
    row("accelerations", plain, "the last line", plain / whole);
    row("partial derivatives of all rows", partials, "the last line", partials / whole);
    row("accelerations, and partial derivatives there", evaluate, "the last line", evaluate / whole);
    row("21 columns from these", derivatives, "the last line", derivatives / whole);
    row("accelerations with their derivatives by q, v and u in one call", whole, "itself", 1.0);
    whole
}

/// Nanoseconds of Pinocchio's derivatives of the same accelerations, if it is there.
fn pinocchio() -> Option<f64> {
    let place = std::env::var("PINOCCHIO").ok()?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/franka/aba_derivatives.cpp");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("aba_derivatives");
    if !program.exists() {
        println!("compiling {}", source.display());
        let mut compile = Command::new(std::env::var("CXX").unwrap_or_else(|_| "clang++".into()));
        compile.args(["-O3", "-march=native", "-fno-math-errno", "-ffp-contract=fast", "-DNDEBUG", "-w", "-std=c++17"]);
        compile.args(["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]);
        compile.args(["-DBOOST_FUSION_INVOKE_MAX_ARITY=12", "-I/usr/include/eigen3"]).arg(format!("-I{place}/include"));
        compile.arg(source).arg("-o").arg(&program).status().ok().filter(|status| status.success())?;
    }
    let done = Command::new(&program).output().ok().filter(|done| done.status.success())?;
    String::from_utf8(done.stdout).ok()?.trim().parse().ok()
}

/// A step of generalised-α, and its derivative by the N numbers q, v and u.
fn step<S: Solvable<Real = f64> + Sensitive, const N: usize>(name: &str, system: &S, h: f64) {
    let method = GeneralizedAlpha::with_spectral_radius(0.8);
    let system = black_box(system);
    let nv = system.layout().v.len();
    let mut x = Start::default().solve(system, &Nominal).expect("a start");
    let mut work = Work::default();
    let mut cx = Context { system, inputs: &Nominal, work: &mut work };
    let (mut scratch, mut next) = (method.scratch(system), Proposal::new(system));
    let mut memory = method.restart(&mut cx, &mut x, h, &mut scratch, &mut next.acceleration).expect("a start");
    let seeds = std::array::from_fn(|k| Seed { input: k.checked_sub(2 * nv), ..Seed::STATE });
    let mut chain = ForwardMode::new(system, Fixed::<N>, seeds);
    let mut at = chain.zeros(system);
    unit_columns::<S, Fixed<N>>(&system.layout(), &mut at);
    let varied = method.begin(&mut cx, &x, &mut chain, &mut at).expect("a start");
    // a step from a motion, not from rest
    for _ in 0..3 {
        next.attempt(&method, &mut cx, (&x, &memory), h, &mut scratch).expect("a step");
        next.finish(&method, &mut cx).expect("an end");
        next.commit(&method, (&mut x, &mut memory), &mut scratch);
    }
    let (mut own, mut made) = (Work::default(), Proposal::new(system));
    let mut other = method.scratch(system);
    made.attempt(&method, &mut cx, (&x, &memory), h, &mut other).expect("a step");
    let end = made.x.clone();
    let mut whole = || {
        let mut cx = Context { system, inputs: &Nominal, work: &mut own };
        next.attempt(&method, &mut cx, (black_box(&x), &memory), h, &mut scratch).expect("a step");
        next.finish(&method, &mut cx).expect("an end");
        black_box(&next.x);
    };
    let mut derivative = |rates: bool| {
        let from = (black_box(&x), &memory);
        let mut stepped =
            method.vary(&mut cx, from, h, (&end, &mut other), &mut chain, (&at, &varied)).expect("a variation");
        if rates {
            black_box(settle(&mut cx, &end, &mut chain, &mut stepped.x).expect("rates"));
        }
        black_box(&stepped);
    };
    let derivative = std::cell::RefCell::new(&mut derivative);
    let [whole, map, all] =
        times([&mut whole, &mut || derivative.borrow_mut()(false), &mut || derivative.borrow_mut()(true)], 4);
    println!("{name:<48} {N:>3} {whole:>9.0} {map:>9.0} {:>5.2} {all:>9.0} {:>5.2}", map / whole, all / whole);
}

/// A step of RungeKutta4, the same with A and B, and with the Hessian of its Lagrangian, of the cart-pole.
#[cfg(feature = "second-order")]
fn second_derivatives() {
    use ode_model::integrators::RungeKutta4;
    use ode_model::{Dual, StepHessian, StepMap};
    let (model, h) = (black_box(CartPole::<f64>::default()), 5e-3);
    let dual = model.cast::<Dual<f64>>();
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let mut alone = StepMap::<_, _, Fixed<0>>::sized(&model, RungeKutta4, &[]).expect("a map");
    let mut first = StepMap::<_, _, Fixed<5>>::sized(&model, RungeKutta4, &[]).expect("a map");
    let mut second = StepHessian::of(&dual, RungeKutta4).expect("a model without points of the sphere");
    let mut step = || _ = black_box(alone.step(black_box(&x), [0.1], h).expect("a step").end);
    let mut map = || _ = black_box(first.step(black_box(&x), [0.1], h).expect("a step").a());
    let costate = [0.2, -0.4, 0.6, 1.0];
    let mut hessian = || _ = black_box(second.hessian(black_box(&x), [0.1], h, &costate).expect("a Hessian"));
    let [step, map, hessian] = times([&mut step, &mut map, &mut hessian], 30);
    println!("a step of RungeKutta4, ns; with A and B; with the Hessian by the same 5 numbers; ratios to the step");
    let ratios = (map / step, hessian / step);
    println!("{:<48} {step:>9.0} {map:>9.0} {:>5.2} {hessian:>9.0} {:>5.2}", "cart-pole", ratios.0, ratios.1);
}

#[cfg(not(feature = "second-order"))]
fn second_derivatives() {
    println!("second derivatives of a step are left out: they need `--features second-order`");
}

fn main() {
    println!("calibration: one dependent f64 addition {:.3} ns", calibration());
    let (mut own, mut theirs) = (f64::INFINITY, None::<f64>);
    for _ in 0..5 {
        own = own.min(accelerations());
        theirs = pinocchio().into_iter().chain(theirs).reduce(f64::min);
    }
    match theirs {
        Some(theirs) => row("the same by Pinocchio, whose ratio is ours to it", theirs, "it", own / theirs),
        None => println!("Pinocchio is not installed: left out"),
    }
    println!(
        "a step of generalised-α, ns; its derivative by N numbers, and with that of a and λ at its end, ns and ratio"
    );
    step::<_, 5>("cart-pole", &CartPole::<f64>::default(), 5e-3);
    step::<_, 15>("the squeezer", &models::squeezer::AndrewsSqueezer::default(), 1e-5);
    step::<_, 21>("the Franka arm", &Franka::default(), 2e-3);
    step::<_, 40>("a chain of 20 links", &models::chain::Chain::default(), 1e-3);
    second_derivatives();
}
