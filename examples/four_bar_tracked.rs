//! A four-bar linkage whose crank turns evenly: linearised in motion along its constraints, and kept on that motion by
//! the gains of a time-varying LQR.

use ode_control::{Linearizer, Lqr, Tracking};
use ode_model::prelude::*;
use ode_model::{StepMap, integrators::RungeKutta4, linalg::DMatrix};
use ode_view::{Film, Plot};

mod gallery;

model! {
    /// Crank, coupler and rocker, each with its angle; two rows close the loop.
    pub struct FourBar {
        param base: Real [m] = 0.8;
        param: Real [m] { a = 0.25; b = 0.7; c = 0.5; }
        /// mass of a bar by its length, of a weight at the rocker's end, and friction of the bearings
        param rho: Real [kg/m] = 2.0;
        param weight: Real [kg] = 3.0;
        param friction: Real [N*m*s/rad] = 0.02;
        param g: Real [m/s^2] = 9.81;
        /// where it starts
        param start: Angle = 0.0;
        param speed: Real [rad/s] = 6.0;
        coord ta, tb, tc: Angle;
        input torque: Real [N*m];
        let pin = a * vec2(cos(ta), sin(ta));
        let knee = pin + b * vec2(cos(tb), sin(tb));
        let pivot = vec2(base, 0.0);
        let end = pivot + c * vec2(cos(tc), sin(tc));
        body crank on frame2(0.5 * pin, ta) { mass: rho * a, inertia: rho * a * sq(a) / 12.0 }
        body coupler on frame2(0.5 * (pin + knee), tb) { mass: rho * b, inertia: rho * b * sq(b) / 12.0 }
        body rocker on frame2(0.5 * (pivot + end), tc) { mass: rho * c, inertia: rho * c * sq(c) / 12.0 }
        kinetic load = 0.5 * weight * der(end).dot(der(end));
        potential load = weight * g * end.y;
        gravity = vec2(0.0, -g);
        dissipation = 0.5 * friction * (sq(der(ta)) + sq(der(tb) - der(ta)) + sq(der(tc) - der(tb)) + sq(der(tc)));
        constraint closure: knee == end;
        force motor on ta = torque;
        init ta = start;
        init der(ta) = speed;
        guess tb = 0.7;
        guess tc = 1.9;
        show ground = line(vec2(0.0, 0.0), pivot) with { color: silver };
        show crank = line(vec2(0.0, 0.0), pin) with { color: crimson };
        show coupler = line(pin, knee);
        show rocker = line(pivot, end);
        show weight = disc(end, 0.04m);
    }
}

/// 100 Hz, twice around.
const H: f64 = 0.01;
const STEPS: usize = 209;

type Error = Box<dyn std::error::Error>;

/// A motion: the state at which each step begins with the torque during it, and the end.
struct Run {
    steps: Vec<(State<FourBar>, four_bar::U)>,
    end: State<FourBar>,
    film: Film,
}

impl Run {
    /// The motion from a start, with the torque that a controller sets in each step.
    fn of(
        model: &FourBar,
        start: State<FourBar>,
        mut control: impl FnMut(&State<FourBar>, &mut four_bar::U),
    ) -> Result<Self, Error> {
        let (mut steps, mut film) = (Vec::new(), Film::of(model));
        let setup = Simulation::of(model, RungeKutta4).project(Projection::to(1e-13)).given(start);
        let setup = setup.sampled(H, |now, u| {
            control(now, u);
            steps.push((now.clone(), *u));
        });
        let mut run = setup.fixed(H)?;
        run.run(H * STEPS as f64, 2.0 * H, |seen| film.record(seen))?;
        let end = run.state().clone();
        steps.truncate(STEPS);
        Ok(Self { steps, end, film })
    }

    /// By how much the crank's angle, its speed and the torque differ from another motion, in each step.
    fn errors<'r>(&'r self, from: &'r [(State<FourBar>, four_bar::U)]) -> impl Iterator<Item = [f64; 3]> + 'r {
        let pairs = self.steps.iter().zip(from);
        pairs.map(|((x, u), (y, w))| [x.q.ta() - y.q.ta(), x.v.ta() - y.v.ta(), u.torque() - w.torque()])
    }
}

/// A start beside that of the model, on the constraints.
fn beside(model: &FourBar, angle: f64, speed: f64) -> Result<State<FourBar>, Error> {
    let other = FourBar { start: model.start + angle, speed: model.speed + speed, ..*model };
    Ok(Start::default().solve(&other, &Nominal)?)
}

pub(crate) fn main() -> Result<(), Error> {
    let model = FourBar::default();
    let mut map = StepMap::of(&model, RungeKutta4, &[])?.project(Projection::to(1e-13))?;
    // three angles, three speeds, and two rows: one angle and one speed are free
    let linearizer = Linearizer::of(&model).independent(["ta", "der(ta)"])?;

    // by Newton's method on the step, the torque after which the crank has its speed; and the step, linear
    let (mut x, mut torque) = (beside(&model, 0.0, 0.0)?, 0.0);
    let (mut motion, mut linear, mut poles) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..STEPS {
        for _ in 0..4 {
            let by = linearizer.step(&mut map, &x, [torque], H)?.system.b.at("der(ta)", "torque")?;
            torque += (model.speed - map.step(&x, [torque], H)?.end.v.ta()) / by;
        }
        linear.push(linearizer.step(&mut map, &x, [torque], H)?.system);
        poles.extend(linearizer.at(&x, [torque])?.system.poles()?.iter().map(|pole| (x.t, pole.value)));
        motion.push((x.clone(), four_bar::U::from([torque])));
        x = map.step(&x, [torque], H)?.end.clone();
        assert!((x.v.ta() - model.speed).abs() < 1e-9);
    }
    Plot::new()
        .across("t [s]")
        .upward("poles of the moment [1/s]")
        .points("real part", poles.iter().map(|(t, pole)| (*t, pole.re)))
        .points("imaginary part", poles.iter().map(|(t, pole)| (*t, pole.im)))
        .write(gallery::file("four_bar_tracked_poles.svg"))?;

    // what the end varies by, by the start and by the first torque: the linear steps in a row, and differences of runs
    let played = |now: &State<FourBar>| (now.t / H).round().min(STEPS as f64 - 1.0) as usize;
    let product = |first: &DMatrix<f64>| linear[1..].iter().fold(first.clone(), |product, step| &*step.a * product);
    let (by_start, by_torque) = (product(&linear[0].a), product(&linear[0].b));
    for (k, found) in [by_start.column(0), by_start.column(1), by_torque.column(0)].into_iter().enumerate() {
        let end = |by: f64| {
            let [angle, speed, more] = [0, 1, 2].map(|i| if i == k { by } else { 0.0 });
            let run = Run::of(&model, beside(&model, angle, speed)?, |now, u| {
                let step = played(now);
                u.set_torque(motion[step].1.torque() + if step == 0 { more } else { 0.0 });
            })?;
            Ok::<_, Error>([run.end.q.ta(), run.end.v.ta()])
        };
        let d = 3e-5;
        let (far, near) = ([end(2.0 * d)?, end(-2.0 * d)?], [end(d)?, end(-d)?]);
        for r in 0..2 {
            let wanted = (8.0 * (near[0][r] - near[1][r]) - (far[0][r] - far[1][r])) / (12.0 * d);
            println!("{:.7} by the linear steps, {wanted:.7} by differences", found[r]);
            assert!((found[r] - wanted).abs() < 1e-6 * found.amax());
        }
    }

    // the gains of each step
    let lqr = Lqr::of(&linear[0]).state("ta", 100.0)?.state("der(ta)", 1.0)?.input("torque", 0.01)?;
    let horizon = lqr.along(&linear, DMatrix::identity(2, 2))?;
    let tracking = Tracking::of(&model, &motion, H, &horizon)?;
    let tracked = |by: f64| Run::of(&model, beside(&model, by, 0.0)?, |now, u| tracking.apply(now, u));

    // of a small deviation x the cost is xᵀP x: the regulator's own prediction, and the run of the model
    let small = 1e-4;
    let run = tracked(small)?;
    let spent: f64 = run.errors(&motion).map(|[a, v, u]| 100.0 * a * a + v * v + 0.01 * u * u).sum();
    let left = (run.end.q.ta() - x.q.ta()).powi(2) + (run.end.v.ta() - x.v.ta()).powi(2);
    let predicted = horizon.costs[0][(0, 0)] * small * small;
    println!("cost {:.6e}, predicted {predicted:.6e}", spent + left);
    assert!((spent + left - predicted).abs() < 1e-3 * predicted);

    // of a large one the crank returns to its motion, which it leaves without the gains
    let (held, free) =
        (tracked(0.2)?, Run::of(&model, beside(&model, 0.2, 0.0)?, |now, u| *u = motion[played(now)].1)?);
    let plot = Plot::new().across("t [s]").upward("error of the crank's angle [rad]");
    let plot = [("with the gains", &held), ("without", &free)].into_iter().fold(plot, |plot, (name, run)| {
        plot.curve(name, motion.iter().map(|(x, _)| x.t).zip(run.errors(&motion).map(|error| error[0])))
    });
    plot.write(gallery::file("four_bar_tracked_error.svg"))?;
    held.film.svg().speed(0.5).width(480.0).write(gallery::file("four_bar_tracked.svg"))?;
    let [held, free] = [held, free].map(|run| (run.end.q.ta() - x.q.ta()).abs());
    println!("off by {held:.1e} rad at the end, without the gains by {free:.1e} rad");
    assert!(held < 1e-4 && free > 0.2);
    Ok(())
}
