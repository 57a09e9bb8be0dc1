//! Derivatives of a step of every method: exact, and without a heap where the guide says so.

#[allow(
    dead_code,
    unreachable_pub,
    clippy::print_stdout,
    reason = "the model is that of the example; its main is not run"
)]
#[path = "../examples/squeezer.rs"]
mod squeezer;
#[allow(dead_code, unreachable_pub, reason = "the README's table is read elsewhere")]
#[path = "../ode-runtime/tests/every_method/conformance/table.rs"]
mod table;

use std::alloc::System as Heap;

use ode_model::integrators::*;
use ode_model::solve::{Newton, Projection};
use ode_model::variation::{Chain, Columns, Direction, Fixed, ForwardMode, Found, LinearMotion, Seed};
use ode_model::{
    Block, Cause, Context, Differentiable, Nominal, Sensitive, Solvable, Start, State, StepMap, Work, model,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<Heap> = &INSTRUMENTED_SYSTEM;

model! {
    #[model(no_selftest)]
    /// A bob on a rod, with inertia that depends on the place, a drag and a push.
    pub struct Bob {
        param m: Real = 1.2;
        param l: Real = 0.8;
        coord r: Vec2;
        input u: Real = 0.3;
        kinetic = 0.5 * m * (1.0 + 0.1 * sq(r.x)) * der(r).dot(der(r));
        potential = m * 9.81 * r.y;
        dissipation = 0.05 * der(r).dot(der(r));
        force push on r.x = u;
        constraint rod: r.dot(r) == sq(l);
        init r.x = 0.5;
        guess r.y = -0.6;
        init der(r.x) = 0.7;
        guess der(r.y) = 0.1;
    }
}

const STATES: usize = bob::LAYOUT.state_directions();
const COLUMNS: usize = STATES + bob::LAYOUT.u.len() + 2;
const H: f64 = 0.02;

/// Fewest heap calls while `work` runs, of some rounds: the counter sees every thread, and the squeezer tests itself in
/// another.
fn heap(mut work: impl FnMut()) -> usize {
    let mut fewest = usize::MAX;
    for _ in 0..5 {
        let region = Region::new(HEAP);
        work();
        let used = region.change();
        fewest = fewest.min(used.allocations + used.reallocations + used.deallocations);
    }
    fewest
}

/// (q, v) after a step, with one of the columns moved.
fn moved<M: Vary<Bob> + Copy>(method: M, x: &State<Bob>, column: usize, by: f64) -> Result<[f64; STATES], Cause> {
    let (model, mut x, mut u) = (Bob::default(), x.clone(), [0.3]);
    let mut p = model.parameter_block();
    match column {
        0..2 => x.q.as_mut()[column] += by,
        2..STATES => x.v.as_mut()[column - 2] += by,
        STATES => u[0] += by,
        _ => p.as_mut()[column - STATES - 1] += by,
    }
    let model = Bob::with_parameters(&p);
    let mut map = StepMap::<_, _, Fixed<COLUMNS>>::sized(&model, method, &["m", "l"]).expect("a map");
    let end = map.step(&x, u, H).map_err(|error| error.cause)?.end;
    let (q, v) = (end.q.array(), end.v.array());
    Ok([q[0], q[1], v[0], v[1]])
}

/// What the guide's column says of a method.
fn measured<M: Vary<Bob> + Copy>(method: M) -> Result<&'static str, String> {
    let model = Bob::default();
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let mut map = StepMap::<_, _, Fixed<COLUMNS>>::sized(&model, method, &["m", "l"]).expect("a map");
    let step = match map.step(&x, [0.3], H) {
        Ok(step) => step,
        Err(error) => return Err(error.to_string()),
    };
    let (a, b, p) = (step.a(), step.b(), step.p());
    for column in 0..COLUMNS {
        let at = |by: f64| moved(method, &x, column, by).expect("a step");
        let [one, back, two, far] = [1e-3, -1e-3, 2e-3, -2e-3].map(at);
        let wanted: [f64; STATES] =
            std::array::from_fn(|row| (8.0 * (one[row] - back[row]) - (two[row] - far[row])) / 12e-3);
        for row in 0..STATES {
            // those of q, or of v; and what differences make of round-off
            let block = if row < 2 { &wanted[..2] } else { &wanted[2..] };
            let allowed = 1e-7 * block.iter().fold(0.0_f64, |most, x| most.max(x.abs())) + 1e-13 / 1e-3;
            let wanted = wanted[row];
            let found = match column {
                0..STATES => a.entry(row, column),
                STATES => b.entry(row, 0),
                _ => p.entry(row, column - STATES - 1),
            };
            let off = (found - wanted).abs();
            if off > allowed || off.is_nan() {
                return Err(format!("({row}, {column}) is {found}, but differences give {wanted}"));
            }
        }
    }
    let used = heap(|| {
        map.step(&x, [0.3], H).expect("a step");
    });
    Ok(if used == 0 { "yes" } else { "heap" })
}

/// Differences need all digits.
fn newton() -> Newton<f64> {
    Newton { tolerance: 1e-15, constraint: 1e-15, iterations: 30, ..Newton::default() }
}

/// Steps with their derivatives, by the state, the inputs and one parameter, without and with projection.
fn maps<S: Solvable<Real = f64> + Sensitive, M: Vary<S> + Copy, const N: usize>(
    name: &str,
    system: &S,
    method: M,
    (parameter, h): (&str, f64),
) {
    let x = Start::default().solve(system, &Nominal).expect("consistent");
    let mut u = S::U::zeros(system.layout().u.len());
    system.nominal(&mut u);
    for projection in [None, Some(Projection::to(1e-14))] {
        let used = heap(|| {
            let mut map = StepMap::<_, _, Fixed<N>>::sized(system, method, &[parameter]).expect("a map");
            if let Some(projection) = projection {
                map = map.project(projection).expect("a projection");
            }
            let mut state = x.clone();
            for _ in 0..5 {
                let step = map.step(&state, u.clone(), h).expect("a step");
                std::hint::black_box(step.a().entry(0, 0) + step.b().entry(0, 0) + step.p().entry(0, 0));
                state = step.end.clone();
            }
        });
        assert_eq!(used, 0, "{name} used the heap {used} times in 5 steps with derivatives");
    }
}

/// Derivatives of accelerations, along all directions of positions.
fn motions<S: Solvable<Real = f64> + Sensitive, K: Columns>(system: &S, columns: K) {
    let x = Start::default().solve(system, &Nominal).expect("consistent");
    let mut work = Work::default();
    let mut cx = Context { system, inputs: &Nominal, work: &mut work };
    let used = heap(|| {
        let mut motion = LinearMotion::new(system);
        motion.evaluate(&mut cx, x.moment(), true).expect("a linearisation");
        let mut along = Direction { parameter: Some(0), t: 1.0, ..Direction::zeros(system) };
        along.q.as_mut().fill(1.0);
        let (mut a, mut zdot, mut lambda) = (x.a.clone(), x.zdot.clone(), x.lambda.clone());
        motion.along(system, &mut along, &mut a, &mut zdot, &mut lambda).expect("a variation");
        let mut chain = ForwardMode::new(system, columns.clone(), columns.each(Seed { t: 1.0, ..Seed::STATE }));
        let mut at = chain.zeros(system);
        let found = Found { a: &mut a, zdot: &mut zdot, lambda: &mut lambda };
        chain.motion(&mut cx, x.moment(), &mut at, found).expect("variations");
    });
    assert_eq!(used, 0, "derivatives of accelerations used the heap {used} times");
}

fn every_size<S: Solvable<Real = f64> + Sensitive, const N: usize>(system: &S, chosen: (&str, f64)) {
    maps::<S, _, N>("SemiExplicitEuler, implicit in v", system, SemiExplicitEuler::implicit_velocity(), chosen);
    maps::<S, _, N>("GeneralizedAlpha", system, GeneralizedAlpha::with_spectral_radius(0.8), chosen);
    maps::<S, _, N>("Geodesic", system, Geodesic, chosen);
    motions(system, Fixed::<3>);
}

const OF_SQUEEZER: usize =
    squeezer::andrews_squeezer::LAYOUT.state_directions() + squeezer::andrews_squeezer::LAYOUT.u.len() + 1;

// One test, for the counter sees every thread.
#[test]
fn every_method_has_those_of_the_guide() {
    let one = heap(|| drop(std::hint::black_box(Box::new(1.0))));
    assert_eq!(one, 2, "the counter counts");
    every_size::<_, { STATES + 2 }>(&Bob::default(), ("l", 1e-3));
    every_size::<_, OF_SQUEEZER>(&squeezer::AndrewsSqueezer::<f64>::default(), ("m[0]", 1e-6));

    let (guide, newton) = (table::Table::of_the_guide(), newton());
    let (mut names, mut wrong) = (Vec::new(), Vec::new());
    let mut row = |name: &'static str, found: Result<&'static str, String>| {
        let claim = guide.cell(name, "derivatives");
        names.push(name);
        if found != Ok(claim) {
            wrong.push(format!("{name}: `{claim}` is claimed, but {found:?}"));
        }
    };
    macro_rules! rows {
        ($($name:literal => $method:expr),* $(,)?) => {$( row($name, measured($method)); )*};
    }
    let alpha = |method: GeneralizedAlpha<f64>| GeneralizedAlpha { newton, ..method };
    let verlet = StormerVerlet { newton };
    rows!(
        "SemiExplicitEuler::explicit" => SemiExplicitEuler::explicit(),
        "SemiExplicitEuler::implicit_position" => SemiExplicitEuler::implicit_position(),
        "SemiExplicitEuler::implicit_velocity" => SemiExplicitEuler { form: ImplicitVelocity { newton } },
        "SymplecticEuler::momenta_first" => SymplecticEuler { newton, ..SymplecticEuler::momenta_first() },
        "SymplecticEuler::positions_first" => SymplecticEuler { newton, ..SymplecticEuler::positions_first() },
        "Leapfrog" => Leapfrog::default(),
        "SemiExplicitPair" => SemiExplicitPair,
        "StormerVerlet, or Rattle" => verlet,
        "ImplicitMidpoint" => ImplicitMidpoint { newton },
        "Composition::triple_jump of StormerVerlet" => Composition::triple_jump(verlet),
        "Composition::suzuki of StormerVerlet" => Composition::suzuki(verlet),
        "Composition::kahan_li_6 of StormerVerlet" => Composition::kahan_li_6(verlet),
        "Composition::kahan_li_8 of StormerVerlet" => Composition::kahan_li_8(verlet),
        "ForwardEuler" => ForwardEuler,
        "Heun" => Heun,
        "ExplicitMidpoint" => ExplicitMidpoint,
        "BogackiShampine" => BogackiShampine,
        "RungeKutta4" => RungeKutta4,
        "Geodesic" => Geodesic,
        "Fehlberg" => Fehlberg,
        "DormandPrince" => DormandPrince,
        "DormandPrince8" => DormandPrince8,
        "Verner9" => Verner9,
        "BackwardEuler" => BackwardEuler { solve: Implicit::Newton(newton), ..BackwardEuler::default() },
        "BackwardEuler::linearized" => BackwardEuler::linearized(),
        "Bdf2" => Bdf2 { newton, ..Bdf2::default() },
        "GeneralizedAlpha::trapezoidal" => alpha(GeneralizedAlpha::trapezoidal()),
        "GeneralizedAlpha::newmark, γ = 0.6, β = 0.3" => alpha(GeneralizedAlpha::newmark(0.6, 0.3)),
        "GeneralizedAlpha::hht, α = −0.2" => alpha(GeneralizedAlpha::hht(-0.2)),
        "GeneralizedAlpha::with_spectral_radius, ρ = 1" => alpha(GeneralizedAlpha::with_spectral_radius(1.0)),
        "GeneralizedAlpha::with_spectral_radius, ρ = 0.8" => alpha(GeneralizedAlpha::with_spectral_radius(0.8)),
        "GeneralizedAlpha::with_spectral_radius, ρ = 0" => alpha(GeneralizedAlpha::with_spectral_radius(0.0)),
    );
    assert_eq!(names, guide.names());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
