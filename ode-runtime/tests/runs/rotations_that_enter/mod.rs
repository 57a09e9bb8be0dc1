//! A rotation enters as one, or not at all: every door, with every kind of rotation, that of each of several.

mod doors;
mod plants;

use crate::common::{On, on};
use doors::{AFTER, DOORS, given};
use ode_runtime::analysis::{Held, KinematicError, Kinematics};
use ode_runtime::integrators::{Bdf2, Geodesic};
use ode_runtime::{
    Cause, Checkpoint, Name, Nominal, Parts, Quantity, Rayleigh, Saved, Simulation, Solvable, Start, State, System,
};
use plants::{Swivel, TURNS, Three};

/// The state `Three` begins at, with rotation `k` scaled.
fn scaled(k: usize, by: f64) -> State<On<Three>> {
    let mut x = given(&Three::turned());
    let (_, first, count) = TURNS[k];
    x.q[first..first + count].iter_mut().for_each(|x| *x *= by);
    x
}

fn bits(q: &[f64]) -> Vec<u64> {
    q.iter().map(|x| x.to_bits()).collect()
}

fn norm(q: &[f64], (_, first, count): (&str, usize, usize)) -> f64 {
    q[first..first + count].iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(door: &str, outcome: Result<T, Cause>, coordinate: &str, size: f64) {
    match outcome {
        Err(Cause::NotARotation { name, norm }) => {
            assert_eq!(name.as_str(), coordinate, "{door}");
            assert!((norm - size).abs() <= 1e-15 * size, "{door}: {norm} is not {size}");
        }
        other => panic!("{door}, `{coordinate}` of norm {size}: {other:?}"),
    }
}

#[test]
fn zeros_are_refused_at_every_door() {
    for (door, enter) in DOORS {
        for (k, (name, ..)) in TURNS.into_iter().enumerate() {
            refused(door, enter(Three::turned(), scaled(k, 0.0)), name, 0.0);
        }
    }
}

#[test]
fn other_norms_are_refused_at_every_door() {
    for (door, enter) in DOORS {
        for (k, (name, ..)) in TURNS.into_iter().enumerate() {
            for size in [2.0, 0.5, 1e-8, 1e-200, 1e200, 1.0001, 0.9999] {
                refused(door, enter(Three::turned(), scaled(k, size)), name, size);
            }
        }
    }
}

#[test]
fn round_off_is_taken_away_at_every_door() {
    for (door, enter) in DOORS {
        for (k, turn) in TURNS.into_iter().enumerate() {
            // what five and six decimals, numbers of f32, and many products without care are off by
            for off in [9e-6, -9e-6, 1e-6, -1e-7, 6e-8, 1e-12, -1e-14] {
                let left = enter(Three::turned(), scaled(k, 1.0 + off));
                let left = left.unwrap_or_else(|cause| panic!("{door}: {cause}"));
                let clean = enter(Three::turned(), scaled(k, 1.0)).expect("a rotation");
                for (left, clean) in left.iter().zip(&clean) {
                    assert!((left - clean).abs() <= 1e-14, "{door}, {off:e}: {left} is not {clean}");
                }
                if AFTER.contains(&door) {
                    assert!((norm(&left, turn) - 1.0).abs() <= 4.0 * f64::EPSILON, "{door}, {off:e}");
                }
            }
        }
    }
}

#[test]
fn a_rotation_that_is_one_enters_to_the_bit() {
    let x = given(&Three::turned());
    for (door, enter) in DOORS.iter().filter(|(door, _)| AFTER.contains(door)) {
        let q = enter(Three::turned(), x.clone()).expect("a rotation");
        assert_eq!(bits(&q), bits(&x.q), "{door}");
    }
}

#[test]
fn a_number_that_is_not_finite_is_named_itself() {
    for (door, enter) in DOORS {
        for (i, name) in on(Three::turned()).layout().q.iter().enumerate() {
            for worst in [f64::NAN, f64::INFINITY] {
                let mut x = given(&Three::turned());
                x.q[i] = worst;
                let want = Cause::NonFinite { quantity: Quantity::Coordinate, name: Name::new(name) };
                assert_eq!(enter(Three::turned(), x).err(), Some(want), "{door}");
            }
        }
    }
}

#[test]
fn the_neutral_state_is_one_of_identities() {
    fn neutral<S: Solvable<Real = f64, Q = [f64; 13]>>(system: &S) {
        let x = State::neutral(system);
        assert_eq!(x.q, [1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(x.modes.as_ref(), [3.0], "the mode it begins with");
        assert!(x.v.as_ref().iter().chain(x.a.as_ref()).all(|x| *x == 0.0));
        assert_eq!(Start::default().solve_from(system, &Nominal, x.clone()).expect("a start").q, x.q);
    }
    let system = on(Three::turned());
    neutral(&system);
    neutral(&Held::new(system, &["turn"]).expect("held"));
    neutral(&Rayleigh::new(system, 0.1, 0.2).expect("damped"));
}

#[test]
fn adaptors_have_the_doors_of_what_is_inside() {
    fn closed<S: Solvable<Real = f64, Q = [f64; 13]>>(system: &S) {
        let x = State { q: scaled(1, 2.0).q, ..State::neutral(system) };
        let outcome = Simulation::of(system, Geodesic).given(x).fixed(0.01);
        refused("an adaptor", outcome.map(|_| ()).map_err(|error| error.cause), "top", 2.0);
    }
    let system = on(Three::turned());
    closed(&Held::new(system, &["turn"]).expect("held"));
    closed(&Rayleigh::new(system, 0.1, 0.2).expect("damped"));
}

#[test]
fn messages_say_what_to_do() {
    let cause = |norm| Cause::NotARotation { name: Name::new("leg.q"), norm }.to_string();
    assert_eq!(
        cause(0.0),
        "`leg.q` is not a rotation: its entries are zero; begin with the identity of `State::neutral`"
    );
    assert_eq!(cause(2.0), "`leg.q` is not a rotation: divide its entries by their norm, 2e0");
}

/// What a step leaves is let in as it is: or a run resumed would not be the run that was never stopped.
#[test]
fn every_state_of_a_run_enters_to_the_bit() {
    fn lasts<T: ode_runtime::Real>() {
        let system: On<Three, T> = On(Three::turned(), std::marker::PhantomData);
        let mut x = State::neutral(&system);
        x.v = std::array::from_fn(|i| T::from_f64(3.0 - 0.7 * i as f64));
        let mut run = Simulation::of(&system, Geodesic).given(x).fixed(T::from_f64(0.011)).expect("a start");
        for _ in 0..1_000 {
            run.step_towards(T::from_f64(1e6)).expect("a step");
            let x = run.state();
            let again = Start::at(x.t).solve_from(&system, &Nominal, x.clone()).expect("the same");
            assert!(again.q == x.q, "{:?} is not {:?}", again.q, x.q);
        }
    }
    lasts::<f64>();
    lasts::<f32>();
}

#[test]
fn numbers_of_single_precision_enter() {
    let system: On<Three, f32> = On(Three::turned(), std::marker::PhantomData);
    let typed = [0.6_f32, 0.8, 0.182574, 0.365148, 0.547723, 0.730297, 1.0, 2.0, 3.0, 0.6, 0.0, 0.0, 0.8];
    let enter = |q| {
        let x = State { q, ..State::neutral(&system) };
        Simulation::of(&system, Geodesic).given(x).fixed(0.01_f32).map(|run| run.state().q)
    };
    let q = enter(typed).expect("six decimals");
    let length = q[2..6].iter().map(|x| x * x).sum::<f32>().sqrt();
    assert!((length - 1.0).abs() <= 2.0 * f32::EPSILON, "{length}");
    let wrong = enter(typed.map(|x| x.min(0.7))).map_err(|error| error.cause).expect_err("scaled");
    assert!(matches!(wrong, Cause::NotARotation { name, .. } if name.as_str() == "wheel"), "{wrong:?}");
}

#[test]
fn a_change_that_is_refused_changes_nothing() {
    let system = on(Three::turned());
    let mut run = Simulation::of(&system, Geodesic).fixed(0.01).expect("a start");
    run.advance_to(0.02).expect("steps");
    let before = run.state().clone();
    let error = run.change(|x| x.q[0..2].fill(0.0)).expect_err("no rotation");
    refused("change", Err::<(), _>(error.cause), "wheel", 0.0);
    assert_eq!(run.state(), &before);
    run.advance_to(0.04).expect("it goes on");
}

#[test]
fn a_driven_rotation_is_followed_from_one_only() {
    let (system, follow) = (on(Swivel), Kinematics::with_step(0.05));
    let start = follow.start(&system, &Nominal, 0.0).expect("assembled");
    for size in [0.0, 2.0, 1e-8, 1.001] {
        let mut x = State { q: start.q.map(|x| size * x), ..start.clone() };
        let before = x.clone();
        match follow.advance_to(&system, &Nominal, &mut x, 0.5) {
            Err(KinematicError::Step(error)) => refused("kinematics", Err::<(), _>(error.cause), "q", size),
            other => panic!("{other:?}"),
        }
        assert_eq!(x, before);
    }
    for size in [1.0, 1.0 + 1e-7] {
        let mut x = State { q: start.q.map(|x| size * x), ..start.clone() };
        follow.advance_to(&system, &Nominal, &mut x, 0.5).expect("followed");
        let want = [0.25_f64.cos(), 0.0, 0.0, 0.25_f64.sin()];
        assert!(x.q.iter().zip(want).all(|(x, want)| (x - want).abs() < 1e-14), "{:?}", x.q);
    }
}

/// Scales one rotation of the state of this number in a checkpoint.
struct Tamper {
    left: usize,
    turn: (usize, usize),
    by: f64,
}

impl Parts<f64> for Tamper {
    fn numbers(&mut self, name: &'static str, numbers: &mut [f64]) {
        if name == "q" {
            if self.left == 0 {
                let (first, count) = self.turn;
                numbers[first..first + count].iter_mut().for_each(|x| *x *= self.by);
            }
            self.left = self.left.wrapping_sub(1);
        }
    }
    fn count(&mut self, _name: &'static str, _count: &mut u64) {}
}

/// The state, the one before the last event, and that of the step before in the memory of BDF 2.
#[test]
fn no_state_of_a_checkpoint_is_let_in_without_its_rotations() {
    let system = on(Three::turned());
    let mut run = Simulation::of(&system, Bdf2::default()).fixed(0.01).expect("a start");
    run.advance_to(0.08).expect("steps");
    let point = run.checkpoint();
    for number in 0..3 {
        for (name, first, count) in TURNS {
            let mut wrong = point.clone();
            wrong.visit(&system, &mut Tamper { left: number, turn: (first, count), by: 2.0 });
            let before = run.state().clone();
            refused("restore", run.restore(wrong.clone()), name, 2.0);
            assert_eq!(run.state(), &before);
            refused("resume", resumed(&system, wrong), name, 2.0);
            refused("resume_saved", read(&system, run.save(), number, (first, count)), name, 2.0);
        }
    }
    let kept = point.state().clone();
    run.restore(point).expect("as it was");
    assert_eq!(run.state(), &kept);
}

fn resumed<H>(system: &On<Three>, point: Checkpoint<On<Three>, H>) -> Result<(), Cause>
where
    Bdf2<f64>: ode_runtime::Method<On<Three>, Memory = H>,
{
    let run = Simulation::of(system, Bdf2::default()).resume(point).fixed(0.01);
    run.map(|_| ()).map_err(|error| error.cause)
}

fn read(system: &On<Three>, mut saved: Saved, number: usize, (first, count): (usize, usize)) -> Result<(), Cause> {
    let (_, q) = saved.numbers.iter_mut().filter(|(name, _)| name == "q").nth(number).expect("a state");
    q[first..first + count].iter_mut().for_each(|x| *x *= 2.0);
    let run = Simulation::of(system, Bdf2::default()).resume_saved(saved).fixed(0.01);
    run.map(|_| ()).map_err(|error| error.cause)
}
