//! Two models that are the same: every block at a point without symmetry.

use ode_model::solve::Projection;
use ode_model::{
    At, Block, Constraint, Differentiable, Dual, Forward, Observable, Outcome, Pattern, Rates, Reset, Residual,
    Simulation, Solvable, State, System, Weights,
};

use crate::erased::{Erased, Shared};

/// A model of which everything is asked.
pub(crate) trait Whole: Solvable<Real = f64> + Differentiable + Observable {}
impl<S: Solvable<Real = f64> + Differentiable + Observable> Whole for S {}

/// Numbers without a pattern.
pub(crate) struct Numbers(f64);

impl Numbers {
    pub(crate) fn new() -> Self {
        Self(0.3)
    }

    pub(crate) fn add(&mut self, block: &mut [f64], scale: f64) {
        for x in block {
            self.0 = (self.0 * 7.31 + 0.173).fract();
            *x += scale * (self.0 - 0.5);
        }
    }
}

/// A state near the guess, with rates and inputs.
pub(crate) fn point<S: Whole>(model: &S) -> (State<S>, S::U) {
    let mut state = State::neutral(model);
    model.guess(&mut state.q, &mut state.v, &mut state.z);
    model.initial_modes(&mut state.modes);
    let mut u = S::U::zeros(model.layout().u.len());
    let mut numbers = Numbers::new();
    state.t = 0.4;
    numbers.add(state.q.as_mut(), 0.2);
    numbers.add(state.v.as_mut(), 2.0);
    numbers.add(state.z.as_mut(), 1.5);
    numbers.add(state.a.as_mut(), 3.0);
    numbers.add(state.zdot.as_mut(), 2.5);
    numbers.add(state.lambda.as_mut(), 4.0);
    numbers.add(u.as_mut(), 1.0);
    (state, u)
}

/// Compares numbers one by one.
#[track_caller]
pub(crate) fn same(what: &str, found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (k, (f, w)) in found.iter().zip(wanted).enumerate() {
        assert!((f - w).abs() < 1e-13 * (1.0 + w.abs()), "{what}[{k}]: {f} {w}");
    }
}

/// A matrix of which the nonzeros are given, row by row.
pub(crate) fn dense(pattern: Pattern<'_>, values: &[f64]) -> Vec<f64> {
    let mut all = vec![0.0; pattern.rows * pattern.cols];
    assert_eq!(pattern.nnz(), values.len());
    for ((row, column), value) in pattern.entries().zip(values) {
        all[row * pattern.cols + column] = *value;
    }
    all
}

/// Every block of a model, with its name.
fn blocks<S: Whole>(model: &S, at: At<'_, S>, rates: Rates<'_, S>) -> Vec<(&'static str, Vec<f64>)> {
    let (layout, of) = (model.layout(), model.derivatives());
    let mut forward = Forward::zeros(&layout);
    model.forward(at, &mut forward);
    let mut residual = Residual::zeros(&layout);
    model.residual(at, rates, &mut residual);
    let mut constraint = Constraint::zeros(&layout);
    model.constraint(at, &mut constraint);
    let mut found = vec![
        ("M", dense(layout.mass, forward.mass.as_ref())),
        ("f", forward.force.as_ref().to_vec()),
        ("g", forward.zdot.as_ref().to_vec()),
        ("G", dense(layout.jacobian, forward.jacobian.as_ref())),
        ("gamma", forward.gamma.as_ref().to_vec()),
        ("r", residual.r.as_ref().to_vec()),
        ("s", residual.s.as_ref().to_vec()),
        ("row", residual.phi.as_ref().to_vec()),
        ("phi", constraint.phi.as_ref().to_vec()),
        ("rate", constraint.rate.as_ref().to_vec()),
        ("G of phi", dense(layout.jacobian, constraint.jacobian.as_ref())),
    ];
    let mut step = S::V::zeros(layout.v.len());
    Numbers(0.7).add(step.as_mut(), 0.1);
    for (name, rates_by, velocity, position, state) in [
        ("tangent", 1.3, 0.7, 0.4, 0.9),
        ("tangent by rates", 1.0, 0.0, 0.0, 0.0),
        ("tangent by states", 0.0, 0.0, 0.0, 1.0),
    ] {
        let weights = Weights { rates: rates_by, velocity, position, state };
        let mut tangent = S::Tangent::zeros(layout.tangent.nnz());
        // what was there before is not read
        tangent.as_mut().fill(f64::NAN);
        model.tangent(at, rates, weights, &step, &mut residual, &mut tangent);
        found.push((name, dense(layout.tangent, tangent.as_ref())));
        found.push(("r of the tangent", residual.r.as_ref().to_vec()));
        found.push(("s of the tangent", residual.s.as_ref().to_vec()));
        found.push(("row of the tangent", residual.phi.as_ref().to_vec()));
    }
    let mut rate = S::V::zeros(layout.v.len());
    model.momentum_rate(at, &mut rate);
    found.push(("momentum rate", rate.as_ref().to_vec()));
    let energy = model.energy(at);
    found.push(("energies", vec![energy.kinetic, energy.potential, energy.dissipation]));
    let mut b = S::ForceByInput::zeros(of.force_by_input.nnz());
    model.force_by_input(at, rates, &mut b);
    found.push(("B", dense(of.force_by_input, b.as_ref())));
    let mut r = S::ResidualByParameter::zeros(of.residual_by_parameter.nnz());
    let mut phi = S::ConstraintByParameter::zeros(of.constraint_by_parameter.nnz());
    model.residual_by_parameter(at, rates, &mut r, &mut phi);
    found.push(("P", dense(of.residual_by_parameter, r.as_ref())));
    found.push(("P of phi", dense(of.constraint_by_parameter, phi.as_ref())));
    let mut y = S::Y::zeros(layout.outputs.len());
    model.outputs(at, rates, &mut y);
    found.push(("y", y.as_ref().to_vec()));
    let mut jacobian = S::OutputJacobian::zeros(of.output_jacobian.nnz());
    model.output_jacobian(at, rates, &mut jacobian);
    found.push(("Jacobian of y", dense(of.output_jacobian, jacobian.as_ref())));
    let mut start = State::neutral(model);
    model.guess(&mut start.q, &mut start.v, &mut start.z);
    found.extend([
        ("start of q", start.q.as_ref().to_vec()),
        ("start of v", start.v.as_ref().to_vec()),
        ("start of z", start.z.as_ref().to_vec()),
        ("parameters", model.parameter_block().as_ref().to_vec()),
    ]);
    found
}

/// Names, units and every block of both are the same.
#[track_caller]
pub(crate) fn alike<A: Whole, B: Whole>(family: &A, written: &B) {
    alike_named(family, written, str::to_owned);
}

/// The same of a model whose names `called` turns into those of the other.
#[track_caller]
pub(crate) fn alike_named<A: Whole, B: Whole>(family: &A, written: &B, called: impl Fn(&str) -> String) {
    let (one, other) = (family.layout(), written.layout());
    let names = [one.q, one.v, one.z, one.u, one.directions, one.steps];
    let others = [other.q, other.v, other.z, other.u, other.directions, other.steps];
    for (found, wanted) in names.into_iter().zip(others) {
        assert_eq!(found, wanted.iter().map(|name| called(name)).collect::<Vec<_>>());
    }
    assert_eq!(one.kinds, other.kinds);
    assert_eq!((one.order, one.algebraic, one.rheonomic), (other.order, other.algebraic, other.rheonomic));
    assert_eq!(family.rotations(), written.rotations());
    let (units, others) = (family.units(), written.units());
    assert_eq!((units.q, units.v, units.a, units.z), (others.q, others.v, others.a, others.z));
    assert_eq!((units.multipliers, units.y), (others.multipliers, others.y));
    let ((a, u), (b, w)) = (point(family), point(written));
    let found = blocks(family, a.at(&u), a.rates());
    for ((what, found), (_, wanted)) in found.iter().zip(blocks(written, b.at(&w), b.rates())) {
        same(what, found, &wanted);
    }
}

/// Where a run of a method ends.
fn end<S: Whole>(model: &S, method: &dyn Erased<S>, projected: bool) -> Vec<f64> {
    let mut setup = Simulation::of(model, Shared(method));
    if projected {
        setup = setup.project(Projection::to(1e-12));
    }
    let mut run = setup.fixed(1e-3).expect("a start");
    run.advance_to(0.05).expect("a run");
    let state = run.state();
    let blocks: [&[f64]; 4] = [state.q.as_ref(), state.v.as_ref(), state.z.as_ref(), state.lambda.as_ref()];
    blocks.concat()
}

/// A method moves both alike.
pub(crate) fn moves<A: Whole, B: Whole>(
    name: &str,
    (family, by): (&A, &dyn Erased<A>),
    (written, same): (&B, &dyn Erased<B>),
    projected: bool,
) {
    let (found, wanted) = (end(family, by, projected), end(written, same, projected));
    assert_eq!(found.len(), wanted.len(), "{name}");
    let largest = wanted.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    for (f, w) in found.iter().zip(&wanted) {
        assert!((f - w).abs() < 1e-10 * largest, "{name}: {f} {w}");
    }
}

/// Every method moves both alike.
macro_rules! moves_alike {
    ($family:expr, $written:expr) => {
        moves_alike!($family, $written, [
            "backward Euler" ode_model::integrators::BackwardEuler::default(), false;
            "linearly implicit Euler" ode_model::integrators::BackwardEuler::linearized(), false;
            "BDF2" ode_model::integrators::Bdf2::default(), false;
            "generalised-α" ode_model::integrators::GeneralizedAlpha::with_spectral_radius(0.8), false;
            "Runge–Kutta 4" ode_model::integrators::RungeKutta4, false;
            "Dormand–Prince" ode_model::integrators::DormandPrince, false;
        ])
    };
    ($family:expr, $written:expr, [$($name:literal $method:expr, $projected:literal;)*]) => {$(
        crate::alike::moves($name, ($family, &$method), ($written, &$method), $projected);
    )*};
}

/// The events of a run, and where it ends.
pub(crate) fn fallen<S: Whole>(model: &S, method: &dyn Erased<S>) -> (Vec<String>, Vec<f64>) {
    let mut run = Simulation::of(model, Shared(method)).fixed(2e-3).expect("a start");
    let mut names = Vec::new();
    while run.state().t < 0.6 {
        if let Outcome::Event { event, .. } = run.step_towards(0.6).expect("a step") {
            names.push(event.as_str().to_owned());
        }
    }
    let state = run.state();
    let blocks: [&[f64]; 4] = [state.q.as_ref(), state.v.as_ref(), state.z.as_ref(), state.modes.as_ref()];
    (names, blocks.concat())
}

/// Every number of a run's state.
macro_rules! bits {
    ($state:expr) => {{
        let blocks: [&[f64]; 4] = [$state.q.as_ref(), $state.v.as_ref(), $state.z.as_ref(), $state.modes.as_ref()];
        blocks.concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    }};
}

/// Guards, their slopes, and what each event makes of a state with these modes.
pub(crate) fn events<S: Whole>(model: &S, modes: &[f64]) -> Vec<f64> {
    let (mut state, u) = point(model);
    state.modes.as_mut().copy_from_slice(modes);
    let count = model.layout().events.len();
    let at = At { modes: &state.modes, ..state.at(&u) };
    let (mut guards, mut rates) = (Block::zeros(count), Block::zeros(count));
    model.guards(at, &mut guards);
    model.guard_rates(at, state.rates(), &mut rates);
    let (guards, rates): (&S::Guards, &S::Guards) = (&guards, &rates);
    let mut found = [guards.as_ref(), rates.as_ref()].concat();
    for event in 0..count {
        let (mut q, mut v, mut z, mut modes) = (state.q.clone(), state.v.clone(), state.z.clone(), state.modes.clone());
        model.reset(event, at, Reset { q: &mut q, v: &mut v, z: &mut z, modes: &mut modes });
        found.extend([q.as_ref(), v.as_ref(), z.as_ref(), modes.as_ref()].concat());
    }
    found
}

/// The name of a sub in a model with sets, of that in the model written out: `leg_p[1].x` is `leg[1].p.x`. Longer ones
/// of these subs come first.
pub(crate) fn called(subs: &[&str], name: &str) -> String {
    let Some((written, at)) = subs.iter().find_map(|sub| Some((*sub, name.find(sub)?))) else {
        return name.to_owned();
    };
    let rest = &name[at + written.len()..];
    let (member, rest) = rest.split_at(rest.find(']').map_or(0, |end| end + 1));
    let (sub, inner) = written.split_once('_').expect("a name of a sub");
    format!("{}{sub}{member}.{}{rest}", &name[..at], inner.replace('_', "."))
}

/// The same of an event: `leg_motor_hot_1` is `leg[1].motor.hot`.
pub(crate) fn called_event(name: &str) -> String {
    let (name, member) = match name.rsplit_once('_') {
        Some((name, number)) if number.parse::<usize>().is_ok() => (name, format!("[{number}]")),
        _ => (name, String::new()),
    };
    match name.split_once('_') {
        Some((sub, inner)) => format!("{sub}{member}.{}", inner.replace('_', ".")),
        None => format!("{name}{member}"),
    }
}

type Duals = Vec<Dual<f64>>;

/// The weighted tangent, times a direction, is what dual numbers through the residual of `dual`, the same model, say.
/// Returns the slope of each row.
pub(crate) fn tangent_of_duals<S, D>(model: &S, dual: &D) -> Vec<f64>
where
    S: Whole + System<Q = Vec<f64>, V = Vec<f64>, Z = Vec<f64>, L = Vec<f64>>,
    D: System<Real = Dual<f64>, Q = Duals, V = Duals, Z = Duals, L = Duals>,
{
    let (state, u) = point(model);
    let layout = model.layout();
    let (nv, nz, width) = (layout.v.len(), layout.z.len(), layout.tangent.cols);
    let weights = Weights { rates: 1.3, velocity: 0.7, position: 0.4, state: 0.9 };
    let mut residual = Residual::zeros(&layout);
    let mut tangent = S::Tangent::zeros(layout.tangent.nnz());
    model.tangent(state.at(&u), state.rates(), weights, &vec![0.0; nv], &mut residual, &mut tangent);
    let matrix = dense(layout.tangent, tangent.as_ref());
    let mut along = vec![0.0; nv + nz];
    Numbers::new().add(&mut along, 1.0);
    let (of_v, of_z) = along.split_at(nv);
    let moved = |from: &[f64], along: &[f64], by: f64| -> Duals {
        from.iter().zip(along).map(|(&re, &slope)| Dual { re, eps: by * slope }).collect()
    };
    let still = |from: &[f64]| -> Duals { from.iter().map(|&re| Dual { re, eps: 0.0 }).collect() };
    let mut x = State::neutral(dual);
    x.t = Dual { re: state.t, eps: 0.0 };
    x.q = moved(&state.q, of_v, weights.position);
    x.v = moved(&state.v, of_v, weights.velocity);
    x.a = moved(&state.a, of_v, weights.rates);
    x.z = moved(&state.z, of_z, weights.state);
    x.zdot = moved(&state.zdot, of_z, weights.rates);
    x.lambda = still(&state.lambda);
    let mut w = D::U::zeros(layout.u.len());
    w.as_mut().copy_from_slice(&still(u.as_ref()));
    let mut out = Residual::zeros(&dual.layout());
    dual.residual(x.at(&w), x.rates(), &mut out);
    let slopes: Vec<f64> = out.r.iter().chain(&out.s).map(|row| row.eps).collect();
    for (row, wanted) in slopes.iter().enumerate() {
        let found: f64 = along.iter().zip(&matrix[row * width..]).map(|(d, m)| d * m).sum();
        assert!((found - wanted).abs() < 1e-12 * (1.0 + wanted.abs()), "{row}: {found} {wanted}");
    }
    slopes
}
