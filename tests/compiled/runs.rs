//! A program that is interpreted runs as the compiled model does: through starts, steps, events and their resets, with
//! the same bits at each step.

use std::collections::BTreeSet;

use ode_codegen::phases::lower::Call;
use ode_model_generator::interpreter::{Eliminated, Interpreted, Plant, Text};
use ode_runtime::integrators::{Bdf2, DormandPrince, GeneralizedAlpha, Geodesic, StormerVerlet};
use ode_runtime::linalg::{DenseSquare, StaticKkt, StaticSaddle};
use ode_runtime::{Linearize, Method, Outcome, Simulation, Solvable};

/// A model, compiled by rustc and as a program to interpret.
macro_rules! both {
    ($module:ident: [$q:literal $v:literal $z:literal $u:literal $l:literal $modes:literal],
     saddle $n:literal, kkt $m:literal, assembly $assembly:literal, { $($text:tt)* }) => {
        mod $module {
            use super::{DenseSquare, Eliminated, Plant, StaticKkt, StaticSaddle, Text};

            ode_model::model! { $($text)* }

            #[derive(Clone, Debug)]
            pub(super) struct Program;

            impl Plant for Program {
                type Q = [f64; $q];
                type V = [f64; $v];
                type Z = [f64; $z];
                type U = [f64; $u];
                type L = [f64; $l];
                type Modes = [f64; $modes];
                type Saddle = StaticSaddle<f64, Eliminated<Program>, $n>;
                type Kkt = StaticKkt<f64, Eliminated<Program>, $m>;
                type Assembly = DenseSquare<f64, $assembly>;
                type Algebra = DenseSquare<f64, 0>;
                const DIRECT: bool = true;

                fn text() -> &'static Text {
                    thread_local!(static TEXT: &'static Text = Text::of(stringify!($($text)*)));
                    TEXT.with(|text| *text)
                }
            }
        }
    };
}

both!(ball: [2 2 0 0 0 1], saddle 2, kkt 2, assembly 2, {
    #[model(no_selftest, prepared)]
    pub struct Model {
        param g: Real = 9.81;
        param e: Real = 0.8;
        param drag: Real = 0.02;
        coord x, y: Real;
        mode bounces: Real = 0.0;
        kinetic = 0.5 * sq(der(x)) + 0.5 * (1.0 + 0.1 * sq(x)) * sq(der(y));
        potential = g * y;
        dissipation = 0.5 * drag * (sq(der(x)) + sq(der(y)));
        event impact when y < 0.1 * sin(3.0 * x) {
            der(y) = -e * der(y);
            der(x) = der(x) + 0.1 * der(y);
            bounces = bounces + 1.0;
        }
        event enough when bounces + 0.2 * x > 5.5 { stop; }
        guess y = 1.0;
        guess x = 0.0;
        guess der(x) = 0.3;
    }
});

both!(relay: [1 1 2 0 0 1], saddle 1, kkt 3, assembly 1, {
    #[model(no_selftest)]
    pub struct Model {
        param m: Real = 1.3;
        coord x: Real;
        state warm: Real;
        state slow: Real;
        mode on: Real = 1.0;
        kinetic = 0.5 * m * sq(der(x));
        potential = 0.7 * sq(x);
        force heat on x = 0.4 * warm - 0.3 * der(x);
        der(warm) = 2.0 * on - warm;
        der(slow) = warm * warm - 0.5 * slow + 0.1 * x;
        event off when warm > 1.4 { on = 0.0; slow = 0.9 * slow; }
        event again when warm < 0.6 { on = 1.0; }
        event full when slow == 0.8 { slow = 0.3 * on; }
        guess x = 0.2;
        guess warm = 0.1;
    }
});

both!(body: [7 6 0 0 0 1], saddle 6, kkt 6, assembly 6, {
    #[model(no_selftest)]
    pub struct Model {
        coord r: Vec3;
        coord (q, w): SO3;
        mode hits: Real = 0.0;
        let arm = q.rotate(vec3(0.3, 0.1, 0.0));
        kinetic = 0.5 * der(r).dot(der(r)) + 0.5 * (0.4 * sq(w.x) + 0.6 * sq(w.y) + 0.9 * sq(w.z));
        potential = 9.81 * r.z + 0.3 * arm.z;
        event wall when r.x + arm.x > 1.0 {
            der(r.x) = -0.9 * der(r.x);
            w = -0.5 * w;
            q = rot_x(0.1) * q;
            hits = hits + 1.0;
        }
        event floor when r.z < 0.0 { der(r.z) = -0.7 * der(r.z); }
        guess r = vec3(0.0, 0.1, 1.0);
        guess der(r) = vec3(1.5, 0.0, 0.2);
        guess w = vec3(3.0, 0.4, -2.0);
    }
});

both!(swing: [6 5 1 1 2 1], saddle 7, kkt 8, assembly 8, {
    #[model(no_selftest, prepared)]
    pub struct Model {
        param l: Real = 0.8;
        param k: Real = 0.3;
        coord p: Vec2;
        coord th: Angle;
        coord (c, turn): SO2;
        coord s: Real;
        state z: Real;
        mode side: Real = 1.0;
        input push: Real = 0.3;
        let tip = c.rotate(vec2(0.4, 0.1));
        kinetic = 0.5 * der(p).dot(der(p)) + 0.1 * sq(der(th)) + 0.2 * sq(turn) + 0.3 * sq(der(s));
        potential = 4.0 * p.y + k * tip.y + 0.2 * cos(th) + 0.5 * sq(s - sin(th));
        force f on s = push - 0.1 * der(s) + 0.2 * z;
        constraint rod: p.dot(p) == sq(l);
        constraint follow: s == 0.5 * tip.x + 0.2 * p.x with { compliance: 0.01 };
        der(z) = der(th) - z;
        output force_of: Real = push - 0.1 * der(s) + 0.2 * z;
        output tip_at: Vec2 = p + tip * l;
        event turned when th > 1.2 { th = th - 0.4; der(th) = 2.0 * side; side = -side; }
        event over when p.x < 0.0 { z = z + 1.0; turn = 0.5 * turn; }
        guess p = vec2(0.8, 0.0);
        init der(th) = 2.0;
        guess th = 0.0;
        guess s = 0.0;
        guess turn = 1.5;
    }
});

/// A run step by step: the event that each step ends with, and the bits of the state after it.
fn course<S: Linearize<Real = f64> + Solvable, M: Method<S>>(mut run: Simulation<'_, S, M>, end: f64) -> Vec<Step> {
    let mut course = Vec::new();
    while run.state().t < end {
        let outcome = run.step_towards(end).expect("a step");
        let (event, over) = match outcome {
            Outcome::Reached => (None, false),
            Outcome::Event { event, .. } => (Some(event.to_string()), false),
            Outcome::Stopped { event, .. } | Outcome::Zeno { event, .. } => (Some(event.to_string()), true),
            other => panic!("{other:?}"),
        };
        let s = run.state();
        let blocks = [s.q.as_ref(), s.v.as_ref(), s.a.as_ref(), s.z.as_ref(), s.zdot.as_ref()];
        let rest = [s.lambda.as_ref(), s.modes.as_ref(), std::slice::from_ref(&s.t)];
        course.push((event, blocks.into_iter().chain(rest).flatten().map(|x| x.to_bits()).collect()));
        if over {
            break;
        }
    }
    course
}

type Step = (Option<String>, Vec<u64>);

/// Events of a run, by name.
fn happened(course: &[Step]) -> BTreeSet<&str> {
    course.iter().filter_map(|(event, _)| event.as_deref()).collect()
}

/// Runs both by methods; each run has the same bits at each step, and all events in it.
macro_rules! agree {
    ($test:ident, $module:ident, $events:expr, $($method:expr => $control:ident($h:expr)),+) => {
        #[test]
        fn $test() {
            let (compiled, interpreted) = ($module::Model::default(), Interpreted::<$module::Program>::default());
            $(
                let one = course(Simulation::of(&compiled, $method).$control($h).expect("a start"), 4.0);
                let other = course(Simulation::of(&interpreted, $method).$control($h).expect("a start"), 4.0);
                for (k, (one, other)) in one.iter().zip(&other).enumerate() {
                    assert_eq!(one, other, "step {k} of {}", stringify!($method));
                }
                assert_eq!(one.len(), other.len());
                assert_eq!(happened(&one), BTreeSet::from($events), "{}", stringify!($method));
            )+
        }
    };
}

agree!(a_ball_bounces, ball, ["impact", "enough"], StormerVerlet::default() => fixed(0.01));
agree!(a_relay_switches, relay, ["off", "again", "full"], Bdf2::default() => adaptive(1e-4));
agree!(
    a_spinning_body_hits_walls, body, ["wall", "floor"],
    Geodesic => fixed(0.01), GeneralizedAlpha::trapezoidal() => fixed(0.01)
);
agree!(a_rod_swings, swing, ["turned", "over"], DormandPrince => adaptive(1e-6));

/// What the runs above go through is there to be run.
#[test]
fn programs_solve_by_themselves() {
    for text in [ball::Program::text(), relay::Program::text(), body::Program::text(), swing::Program::text()] {
        let program = &text.compiled().program;
        for call in [Call::Accelerations, Call::SaddleFactors, Call::KktFactors, Call::Reset] {
            assert!(program.get(call).is_some(), "{}: {call:?}", text.compiled().model.header.name);
        }
    }
    assert!(ball::Program::text().compiled().program.get(Call::Canonical).is_some());
    assert!(swing::Program::text().compiled().program.get(Call::Correction).is_some());
}

#[test]
fn outputs_and_parameters_have_their_names() {
    let (mut compiled, interpreted) = (swing::Model::default(), Interpreted::<swing::Program>::default());
    compiled.change(|p| (p.l, p.k) = (0.9, 0.4));
    let interpreted = interpreted.with("l", 0.9).with("k", 0.4);
    let run = Simulation::of(&compiled, Geodesic).fixed(0.01).expect("a start");
    let other = Simulation::of(&interpreted, Geodesic).fixed(0.01).expect("a start");
    let (u, plain) = (swing::model::U::default(), [0.3]);
    let y = compiled.outputs(run.state().at(&u), run.state().rates());
    let found = |name| interpreted.output(name, other.state().at(&plain), other.state().rates());
    assert_eq!((found("tip_at"), found("force_of")), (y.tip_at().to_vec(), vec![y.force_of()]));
    assert_eq!(u.array(), plain);
}
