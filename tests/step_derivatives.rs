//! Derivatives of a step of every method: exact, and without a heap where the guide says so.

#[allow(dead_code, unreachable_pub, reason = "shared with other tests")]
#[path = "variation/blocks.rs"]
mod blocks;
#[path = "../ode-runtime/tests/common/heap.rs"]
mod heap;
#[allow(dead_code, unreachable_pub, reason = "shared with other tests")]
#[path = "variation/perturb.rs"]
mod perturb;
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

use blocks::Near;
use ode_model::integrators::*;
use ode_model::solve::{Newton, Projection};
use ode_model::variation::{Chain, Columns, Direction, Fixed, ForwardMode, Found, LinearMotion, Seed};
use ode_model::{Block, Context, Nominal, Order, Sensitive, Simulation, Solvable, Start, StepMap, Work, model};
use perturb::{Entry, Given, derivative, entries, tangent};

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

model! {
    #[model(no_selftest)]
    /// A rotor on a drive, and a wheel.
    pub struct Rotor {
        param j: Real = 0.3;
        param c: Real = 0.8;
        coord (q, w): SO3;
        coord th: Angle;
        state i: Real;
        input u: Real = 0.4;
        kinetic = 0.5 * (0.3 * sq(w.x) + 0.35 * sq(w.y) + 0.2 * sq(w.z)) + 0.5 * j * sq(der(th));
        potential = 0.4 * q.rotate(vec3(0.3 * sin(th), 0.2, 1.0)).z;
        dissipation = 0.02 * sq(der(th));
        torque drive on q = vec3(0.1 * i, 0.0, c * i);
        force load on th = 0.2 * i;
        der(i) = u - c * i - 0.3 * der(th);
        init q = rot_x(0.4);
        init w = vec3(0.6, -0.4, 1.1);
        init th = 0.3;
        init der(th) = 0.7;
        init i = 0.2;
    }
}
model! {
    #[model(no_selftest, order = 1)]
    /// A creeping pair with a row and a state.
    pub struct Creep {
        param k: Real = 1.3;
        param tau: Real = 0.4;
        coord x, y: Real;
        coord s: Real;
        state lag: Real;
        input u: Real = 0.2;
        mass (x, y) = [[2.0 + sq(x), 0.3], [0.3, 1.0]];
        dissipation = 0.1 * (1.0 + sq(x)) * sq(der(s));
        potential = 0.5 * k * (sq(x - y) + sq(y)) + 0.2 * sq(s);
        force pull on x = 0.1 * u + 0.2 * lag;
        constraint bar: s - 0.2 * x == 0.1 * sq(y);
        der(lag) = (x - lag) / tau;
        init x = 0.8;
        init y = -0.4;
        init lag = 0.1;
        guess s = 0.1;
    }
}

/// States, inputs and parameters of each.
const OF_BOB: usize = bob::LAYOUT.state_directions() + bob::LAYOUT.u.len() + 2;
const OF_ROTOR: usize = rotor::LAYOUT.state_directions() + rotor::LAYOUT.u.len() + 2;
const OF_CREEP: usize = creep::LAYOUT.state_directions() + creep::LAYOUT.u.len() + 2;
const H: f64 = 0.02;

/// What the guide's column says of a method, by steps of a model; none of those of models that it does not take.
fn measured<S, M, const N: usize>(method: M) -> Result<Option<&'static str>, String>
where
    S: Solvable<Real = f64> + Sensitive + Default,
    M: Vary<S> + Copy,
{
    let (model, mut own) = (S::default(), S::U::zeros(S::default().layout().u.len()));
    let (layout, names) = (model.layout(), model.derivatives().parameter_names);
    model.nominal(&mut own);
    let x = Start::default().solve(&model, &Nominal).expect("a start");
    let plain = Simulation::of(&model, method).given(x.clone()).fixed(H).map(|mut run| run.step_towards(H).is_ok());
    let takes = plain == Ok(true);
    let mut map = match StepMap::<_, _, Fixed<N>>::sized(&model, method, names) {
        Ok(map) => map,
        Err(_) if !takes => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let step = match map.step(&x, own.clone(), H) {
        Ok(step) => step,
        Err(_) if !takes => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if !takes {
        return Err(format!("{} has derivatives of steps that it refuses", layout.name));
    }
    let (a, b, p, end) = (step.a(), step.b(), step.p(), step.end.clone());
    let (nv, nz) = (layout.v.len(), layout.z.len());
    let moving = if layout.order == Order::First { 0 } else { nv };
    // rows of the matrices, entries of the tangent, and the numbers they belong to
    let blocks = [
        (0, 0..nv, end.q.as_ref()),
        (nv, nv..nv + moving, end.v.as_ref()),
        (nv + moving, 2 * nv..2 * nv + nz, end.z.as_ref()),
    ];
    let inputs = Given { own: own.clone(), gain: 0.0 };
    for (column, entry) in entries(&model).into_iter().enumerate() {
        let wanted = derivative(entry.step(&model), |by| {
            let (moved, x, inputs) = entry.moved(&model, &x, &inputs, by);
            let mut map = StepMap::<_, _, Fixed<N>>::sized(&moved, method, names).expect("a map");
            tangent(&model, &end, map.step(&x, inputs.own, H).expect("a step").end)
        });
        for (first, places, x) in &blocks {
            let found = |i: usize| match entry {
                Entry::Input(k) => b.entry(first + i, k),
                Entry::Parameter(k) => p.entry(first + i, k),
                _ => a.entry(first + i, column),
            };
            let found: Vec<f64> = (0..places.len()).map(found).collect();
            let mistake = Near::differences(entry.step(&model)).mistake(x, &found, &wanted[places.clone()]);
            if let Some(mistake) = mistake.filter(|_| !matches!(entry, Entry::Time)) {
                return Err(format!("{} {entry:?}, row {first} + {mistake}", layout.name));
            }
        }
    }
    let used = heap::calls(|| {
        map.step(&x, own.clone(), H).expect("a step");
    });
    Ok(Some(if used == 0 { "yes" } else { "heap" }))
}

/// The same of a model of each kind: with constraints; with rotations and states; of first order.
fn of_each_kind<M: Vary<Bob> + Vary<Rotor> + Vary<Creep> + Copy>(method: M) -> Result<&'static str, String> {
    let found = [
        measured::<Bob, M, OF_BOB>(method)?,
        measured::<Rotor, M, OF_ROTOR>(method)?,
        measured::<Creep, M, OF_CREEP>(method)?,
    ];
    match found {
        [Some(of), Some(turning), creeping] if of == turning && creeping.is_none_or(|creeping| of == creeping) => {
            Ok(of)
        }
        other => Err(format!("{other:?}")),
    }
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
        let used = heap::calls(|| {
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
    let used = heap::calls(|| {
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

#[test]
fn every_method_has_those_of_the_guide() {
    every_size::<_, { OF_BOB - 1 }>(&Bob::default(), ("l", 1e-3));
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
        ($($name:literal => $method:expr),* $(,)?) => {$( row($name, of_each_kind($method)); )*};
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
        "Chebyshev, N = 6" => Chebyshev::<6>,
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
