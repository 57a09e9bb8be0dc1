//! A sample of random models as rustc compiles them: each passes its own test, and gives the interpreter's bits.

#[rustfmt::skip]
#[allow(warnings, reason = "generated models")]
mod models;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ode_codegen::phases::lower::{Call, Program};
use ode_codegen::phases::model::Crossing;
use ode_codegen::phases::parse::with_parts;
use ode_codegen::{Compiled, compile};
use ode_model_generator::external;
use ode_model_generator::interpreter::{
    self, After, Inputs, Outputs, after, local, qdot, retract, step_rate, turns, velocity_rate,
};
use ode_model_generator::random::{Model, Random, kinds};
use ode_runtime::linalg::{certain, definite};
use ode_runtime::{
    At, Block, Conditions, Constraint, Forward, Linearize, Pattern, Rates, Reset, Residual, Solvable, System, Weights,
};
use proc_macro2::TokenStream;

/// The files of `models/`: one for each seed, with its parts from the innermost outward, and `mod.rs`.
fn sample() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut modules = String::from(
        "//! Random models, as `ode_model_generator::random` writes them:\n//! `BLESS=1 cargo test -p ode-model-compiled --test \
         sample`.\n\n",
    );
    for seed in models_of() {
        let model = Model::of_seed(seed);
        let own = model.text();
        let texts = model.parts.iter().rev().chain([&own]);
        let blocks = texts.map(|text| format!("ode_model::model! {{\n{text}\n}}\n")).collect();
        files.insert(format!("seed_{seed}.rs"), blocks);
        modules.push_str(&format!("pub mod seed_{seed};\n"));
    }
    files.insert("mod.rs".into(), modules);
    files
}

#[test]
fn the_sample_is_what_the_generator_writes() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/models"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::remove_dir_all(folder).expect("a folder");
        std::fs::create_dir(folder).expect("a folder");
        for (name, text) in sample() {
            std::fs::write(folder.join(name), text).expect("a file");
        }
    }
    let found = std::fs::read_dir(folder).expect("a folder").map(|entry| {
        let entry = entry.expect("an entry");
        let text = std::fs::read_to_string(entry.path()).expect("a text");
        (entry.file_name().into_string().expect("a name"), text)
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), sample());
}

#[test]
fn the_sample_has_all_kinds_of_items() {
    let found: BTreeSet<&str> = models_of().into_iter().flat_map(|seed| kinds::of(&Model::of_seed(seed))).collect();
    let missing: Vec<&str> = kinds::all().difference(&found).copied().collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn compiled(seed: u64) -> Compiled {
    let model = Model::of_seed(seed);
    let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let parts: Vec<TokenStream> = model.parts.iter().map(|p| tokens(p)).collect();
    compile(with_parts(&tokens(&model.text()), &parts)).expect("a model")
}

fn block<T: Block<f64>>(values: &[f64]) -> T {
    let mut block = T::zeros(values.len());
    block.as_mut().copy_from_slice(values);
    block
}

/// Compares what a compiled model gives with what the interpreter gives, bit by bit, at random points.
fn bits<M: Linearize<Real = f64> + Solvable>(model: &M, seed: u64) -> usize {
    let compiled = compiled(seed);
    let mut random = Random::new(seed);
    let mut count = 0;
    for _ in 0..20 {
        count += point(model, &compiled, &mut random);
    }
    count
}

fn point<M: Linearize<Real = f64> + Solvable>(model: &M, compiled: &Compiled, random: &mut Random) -> usize {
    let (layout, program) = (model.layout(), &compiled.program);
    let mut list = |n: usize| (0..n).map(|_| random.between(-1.3, 1.3)).collect::<Vec<f64>>();
    let (step, other) = (list(layout.v.len()), list(layout.q.len()));
    let inputs = Inputs {
        t: list(1)[0],
        q: list(layout.q.len()),
        v: list(layout.v.len()),
        a: list(layout.v.len()),
        z: list(layout.z.len()),
        zdot: list(layout.z.len()),
        modes: list(layout.modes.len()),
        u: list(layout.u.len()),
        lambda: list(layout.constraints.len()),
        weights: list(4),
        turns: turns(program, &step),
        rhs: list(layout.constraints.len()),
        p: compiled.model.declared.params.iter().flat_map(|p| p.default.clone().expect("a default")).collect(),
        ..Inputs::default()
    };
    let (q, v, z) = (block(&inputs.q), block(&inputs.v), block(&inputs.z));
    let (u, modes) = (block(&inputs.u), block(&inputs.modes));
    let at = At { t: inputs.t, q: &q, v: &v, z: &z, u: &u, modes: &modes };
    let (a, zdot, lambda) = (block(&inputs.a), block(&inputs.zdot), block(&inputs.lambda));
    let rates = Rates { a: &a, zdot: &zdot, lambda: &lambda };
    let kernel = |call: Call| -> Outputs {
        let externals = &compiled.model.externals;
        interpreter::call(program, call, &inputs, &|partial, x| external::value(externals, partial, x))
    };
    let mut count = 0;
    let mut same = |name: &str, found: &[f64], wanted: &[f64]| {
        let to_bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(to_bits(found), to_bits(wanted), "{}: {name}: {found:?} is not {wanted:?}", layout.name);
        count += found.len();
    };
    let mut forward = Forward::zeros(&layout);
    model.forward(at, &mut forward);
    let out = kernel(Call::Forward);
    same("mass", forward.mass.as_ref(), out.array("mass"));
    same("force", forward.force.as_ref(), out.array("force"));
    same("g", forward.zdot.as_ref(), out.array("g"));
    same("jacobian", forward.jacobian.as_ref(), out.array("jacobian"));
    same("gamma", forward.gamma.as_ref(), out.array("gamma"));
    let mut residual = Residual::zeros(&layout);
    model.residual(at, rates, &mut residual);
    let out = kernel(Call::Residual);
    same("r", residual.r.as_ref(), out.array("r"));
    same("s", residual.s.as_ref(), out.array("s"));
    same("law", residual.phi.as_ref(), out.array("phi"));
    let mut constraint = Constraint::zeros(&layout);
    model.constraint(at, &mut constraint);
    let out = kernel(Call::Constraint);
    same("phi", constraint.phi.as_ref(), out.array("phi"));
    same("rate", constraint.rate.as_ref(), out.array("rate"));
    let mut tangent = M::Tangent::zeros(layout.tangent.nnz());
    let [rho, nu, pi, sigma] = [0, 1, 2, 3].map(|i| inputs.weights[i]);
    let weights = Weights { rates: rho, velocity: nu, position: pi, state: sigma };
    model.tangent(at, rates, weights, &block(&step), &mut residual, &mut tangent);
    let out = kernel(Call::Tangent);
    same("tangent", tangent.as_ref(), out.array("tangent"));
    same("tangent r", residual.r.as_ref(), out.array("r"));
    if program.get(Call::TangentAndDrift).is_some() {
        let mut drift = Residual::<M>::zeros(&layout);
        model.tangent_and_drift(at, rates, weights, &block(&step), (&mut residual, &mut tangent), &mut drift);
        let out = kernel(Call::TangentAndDrift);
        same("tangent beside drift", tangent.as_ref(), out.array("tangent"));
        same("r beside drift", residual.r.as_ref(), out.array("r"));
        same("drift of r", drift.r.as_ref(), out.array("drift_r"));
        same("drift of s", drift.s.as_ref(), out.array("drift_s"));
        same("drift of phi", drift.phi.as_ref(), out.array("drift_phi"));
    }
    solves(model, program, at, &kernel, &inputs.rhs, &mut same);
    motions(model, program, &inputs, [&step, &other], &mut same);
    begins(model, program, at, &kernel, &mut same);
    let mut guards = M::Guards::zeros(layout.events.len());
    model.guards(at, &mut guards);
    same("guards", guards.as_ref(), kernel(Call::Guards).array("out"));
    model.guard_rates(at, rates, &mut guards);
    same("guard rates", guards.as_ref(), kernel(Call::GuardRates).array("out"));
    let externals = &compiled.model.externals;
    let external = |partial: &_, x: &[f64]| external::value(externals, partial, x);
    for event in 0..layout.events.len() {
        let (mut q, mut v, mut z, mut modes) = (q.clone(), v.clone(), z.clone(), modes.clone());
        model.reset(event, at, Reset { q: &mut q, v: &mut v, z: &mut z, modes: &mut modes });
        let wanted: After = after(program, event, &inputs, &external);
        same("q after an event", q.as_ref(), &wanted.q);
        same("v after an event", v.as_ref(), &wanted.v);
        same("z after an event", z.as_ref(), &wanted.z);
        same("modes after an event", modes.as_ref(), &wanted.modes);
    }
    if !layout.constant_mass && layout.order == ode_runtime::Order::Second {
        let mut rate = M::V::zeros(layout.v.len());
        model.momentum_rate(at, &mut rate);
        same("momentum rate", rate.as_ref(), kernel(Call::MomentumRate).array("out"));
        let (mut forward, mut constraint) = (Forward::<M>::zeros(&layout), Constraint::<M>::zeros(&layout));
        model.canonical(at, &mut rate, &mut forward, &mut constraint);
        let out = kernel(Call::Canonical);
        same("canonical mass", forward.mass.as_ref(), out.array("mass"));
        same("canonical force", forward.force.as_ref(), out.array("force"));
        same("canonical g", forward.zdot.as_ref(), out.array("g"));
        same("canonical jacobian", forward.jacobian.as_ref(), out.array("jacobian"));
        same("canonical phi", constraint.phi.as_ref(), out.array("phi"));
    }
    count
}

/// Asks, for what has a name, whether both give the same bits.
type Same<'a> = dyn FnMut(&str, &[f64], &[f64]) + 'a;

/// What is solved for straight from the state.
fn solves<M: Solvable<Real = f64>>(
    model: &M,
    program: &Program,
    at: At<'_, M>,
    kernel: &dyn Fn(Call) -> Outputs,
    rhs: &[f64],
    same: &mut Same<'_>,
) {
    let layout = model.layout();
    let (mut a, mut zdot) = (M::V::zeros(layout.v.len()), M::Z::zeros(layout.z.len()));
    let mut lambda = M::L::zeros(layout.constraints.len());
    assert_eq!(M::DIRECT, program.get(Call::Accelerations).is_some());
    let judged = |call, out: &Outputs| {
        let checks = out.array("checks");
        if program.certain(call) { certain(checks) } else { definite(checks) }
    };
    if M::DIRECT {
        let out = kernel(Call::Accelerations);
        let sound = model.accelerations(at, &mut a, &mut zdot, &mut lambda);
        assert_eq!(sound, judged(Call::Accelerations, &out), "{}: accelerations", layout.name);
        same("accelerations", a.as_ref(), out.array("accelerations"));
        same("accelerations g", zdot.as_ref(), out.array("g"));
        same("multipliers", lambda.as_ref(), out.array("multipliers"));
    }
    if program.get(Call::Correction).is_some() {
        let out = kernel(Call::Correction);
        let sound = model.correction(at, &block(rhs), &mut a);
        assert_eq!(sound, judged(Call::Correction, &out), "{}: correction", layout.name);
        same("correction", a.as_ref(), out.array("correction"));
    }
}

/// How positions move, for a step and to another point.
fn motions<M: System<Real = f64>>(
    model: &M,
    program: &Program,
    inputs: &Inputs,
    [step, other]: [&[f64]; 2],
    same: &mut Same<'_>,
) {
    let (q, v) = (block::<M::Q>(&inputs.q), block::<M::V>(&inputs.v));
    let (mut positions, mut velocities) = (q.clone(), v.clone());
    model.qdot(&q, &v, &mut positions);
    same("qdot", positions.as_ref(), &qdot(program, &inputs.q, &inputs.v));
    model.retract(&q, &block(step), &mut positions);
    same("retract", positions.as_ref(), &retract(program, &inputs.q, step));
    model.local(&q, &block(other), &mut velocities);
    same("local", velocities.as_ref(), &local(program, &inputs.q, other));
    model.step_rate(&block(step), &v, &mut velocities);
    same("step rate", velocities.as_ref(), &step_rate(program, step, &inputs.v));
    let mut rates = block::<M::V>(&inputs.a);
    model.velocity_rate(&block(step), &v, &mut rates);
    same("velocity rate", rates.as_ref(), &velocity_rate(program, step, &inputs.v, &inputs.a));
    let rotations: Vec<(usize, usize)> = program.motions.iter().filter_map(|m| m.rotation).collect();
    assert_eq!(model.rotations(), rotations);
}

/// Where a run begins, and what its events are.
fn begins<M: System<Real = f64>>(
    model: &M,
    program: &Program,
    at: At<'_, M>,
    kernel: &dyn Fn(Call) -> Outputs,
    same: &mut Same<'_>,
) {
    let layout = model.layout();
    let origin = |name| program.record(name).map_or(&[][..], |r| &r.origin);
    let (mut u, mut modes) = (M::U::zeros(layout.u.len()), M::Modes::zeros(layout.modes.len()));
    model.nominal(&mut u);
    same("nominal", u.as_ref(), origin("U"));
    model.initial_modes(&mut modes);
    same("initial modes", modes.as_ref(), origin("Modes"));
    let (mut q, mut v, mut z) = (at.q.clone(), at.v.clone(), at.z.clone());
    model.guess(&mut q, &mut v, &mut z);
    let out = kernel(Call::Guess);
    same("guess q", q.as_ref(), out.array("q"));
    same("guess v", v.as_ref(), out.array("v"));
    same("guess z", z.as_ref(), out.array("z"));
    conditions(model, program, at, kernel, same);
    let n = layout.algebraic;
    let (mut values, mut jacobian) = (vec![0.0; n], vec![0.0; layout.algebraic_jacobian.nnz()]);
    model.algebraic(at, &mut values, &mut jacobian);
    let out = kernel(Call::Algebraic);
    same("algebraic", &values, out.array("values"));
    same("algebraic jacobian", &jacobian, out.array("jacobian"));
    let crossing = |crossing| match crossing {
        Crossing::Falling => ode_runtime::Crossing::Falling,
        Crossing::Rising => ode_runtime::Crossing::Rising,
        Crossing::Either => ode_runtime::Crossing::Either,
    };
    let own = program.events.iter();
    let own = own.map(|e| ode_runtime::Event { name: &e.label, crossing: crossing(e.crossing), stops: e.stops });
    assert_eq!(layout.events, own.collect::<Vec<_>>());
}

/// Exact conditions and their Jacobians.
fn conditions<M: System<Real = f64>>(
    model: &M,
    program: &Program,
    at: At<'_, M>,
    kernel: &dyn Fn(Call) -> Outputs,
    same: &mut Same<'_>,
) {
    let layout = model.layout();
    let out = kernel(Call::Conditions);
    let [positions, velocities] = [layout.init_position.len(), layout.init_velocity.len()];
    let [mut position, mut velocity] = [positions, velocities].map(|n| vec![0.0; n]);
    let patterns = [layout.init_position_jacobian, layout.init_velocity_jacobian];
    let [mut of_position, mut of_velocity] = patterns.map(|pattern| vec![0.0; pattern.nnz()]);
    model.conditions(
        at,
        Conditions {
            position: &mut position,
            position_jacobian: &mut of_position,
            velocity: &mut velocity,
            velocity_jacobian: &mut of_velocity,
        },
    );
    same("conditions", &position, out.array("position"));
    same("conditions", &velocity, out.array("velocity"));
    let found =
        [("INIT_POSITION", "position_jacobian", of_position), ("INIT_VELOCITY", "velocity_jacobian", of_velocity)];
    for ((name, array, found), pattern) in found.into_iter().zip(patterns) {
        let p = program.pattern(name).expect("a pattern");
        assert_eq!(pattern, Pattern { rows: p.rows, cols: p.cols, starts: &p.starts, indices: &p.indices });
        same(name, &found, out.array(array));
    }
}

/// Seeds of models small enough for rustc, with everything among them, as `--sample` of the generator finds them; the
/// second list is over any scalar.
macro_rules! seeds {
    ([$($plain:literal $module:ident),*], [$($generic:literal $other:ident),*]) => {
        fn models_of() -> Vec<u64> {
            vec![$($plain,)* $($generic),*]
        }

        #[test]
        fn compiled_models_give_the_interpreters_bits() {
            let mut count = 0;
            $(count += bits(&models::$module::Model::default(), $plain);)*
            $(count += bits(&models::$other::Model::<f64>::default(), $generic);)*
            assert!(count > 9_000, "{count} numbers");
        }
    };
}

seeds!(
    [
        190 seed_190, 258 seed_258, 269 seed_269, 272 seed_272, 328 seed_328, 384 seed_384, 523 seed_523,
        582 seed_582, 650 seed_650, 653 seed_653
    ],
    [99 seed_99, 216 seed_216, 335 seed_335, 363 seed_363, 514 seed_514, 618 seed_618]
);
