//! Instants at which rows depend on each other, hit exactly: crossed with the right motion, or refused with rank, rows
//! and time.

use ode_runtime::integrators::{StormerVerlet, SymplecticEuler};
use ode_runtime::solve::Projection;
use ode_runtime::{Cause, Method, Simulation, Solvable, State, StepError};

use crate::common::linkages::{Doubled, Driven, DrivenLevel, FourBar, Gate, LedTwice, Plain};
use crate::common::methods::{Candidate, Each, every_method};
use crate::common::{On, Plant, on};

/// The end of a run from `given`, as it is, or from a consistent start.
pub(crate) fn outcome<S: Solvable<Real = f64>, M: Method<S>>(
    system: &S,
    method: M,
    projected: bool,
    given: Option<State<S>>,
    (h, end): (f64, f64),
) -> Result<State<S>, StepError> {
    let setup = Simulation::of(system, method);
    let setup = if projected { setup.project(Projection::to(1e-12)) } else { setup };
    let setup = match given {
        Some(x) => setup.given(x),
        None => setup,
    };
    let mut run = setup.fixed(h).map_err(|error| StepError { time: error.time, step: 0.0, cause: error.cause })?;
    run.advance_to(end)?;
    Ok(run.state().clone())
}

/// Order of a method by its name in the guide's table.
fn order(name: &str) -> i32 {
    let named = |part: &str| name.contains(part);
    match name {
        _ if named("kahan_li_8") => 8,
        _ if named("kahan_li_6") => 6,
        "DormandPrince" => 5,
        "DormandPrince8" => 8,
        "Verner9" => 9,
        "RungeKutta4" | "Geodesic" | "Fehlberg" => 4,
        _ if named("triple_jump") || named("suzuki") => 4,
        "BogackiShampine" => 3,
        _ if named("Euler") || named("Pair") || named("γ = 0.6") => 1,
        _ => 2,
    }
}

/// The expected error of a method of this order, with steps in which the motion turns by `turn`.
pub(crate) fn bound(name: &str, turn: f64) -> f64 {
    // Coefficients as large as 68 magnify what rows leave that are near each other.
    let least = if name == "Verner9" { 1e-10 } else { 1e-11 };
    turn.powi(order(name)) + least
}

/// The largest difference of two places; NaN is the largest.
pub(crate) fn distance(got: &[f64], want: &[f64]) -> f64 {
    got.iter()
        .zip(want)
        .fold(0.0, |most: f64, (got, want)| if (got - want).abs() <= most { most } else { (got - want).abs() })
}

/// Places of the joints at an angle of the cranks.
pub(crate) fn joints(th: f64) -> [f64; 4] {
    [th.cos(), th.sin(), 1.0 + th.cos(), th.sin()]
}

/// What is to be refused: rank, number of rows, and their names, at a time.
struct Refusal(u16, u16, &'static str, f64);

struct Judge {
    h: f64,
    complaints: Vec<String>,
    crossed: usize,
    refused: Vec<String>,
}

impl Judge {
    fn new(h: f64) -> Self {
        Self { h, complaints: Vec::new(), crossed: 0, refused: Vec::new() }
    }

    /// Correct within `bound`, or this error within two steps of its time, if one is allowed.
    fn hear<S: Solvable<Real = f64>>(
        &mut self,
        what: &str,
        end: Result<State<S>, StepError>,
        (want, bound): (&[f64], f64),
        may: Option<Refusal>,
    ) {
        match (end, may) {
            (Ok(x), _) if distance(x.q.as_ref(), want) <= bound => self.crossed += 1,
            (Ok(x), _) => self.complaints.push(format!("{what}: off by {:e}", distance(x.q.as_ref(), want))),
            (Err(StepError { time, cause: Cause::Dependent { rank, of, rows }, .. }), Some(wanted))
                if (rank, of) == (wanted.0, wanted.1)
                    && rows.as_str().starts_with(wanted.2)
                    && (time - wanted.3).abs() <= 2.0 * self.h =>
            {
                self.refused.push(what.to_owned());
            }
            (Err(error), _) => self.complaints.push(format!("{what}: {error:?}")),
        }
    }

    #[track_caller]
    fn sentence(&self, least: usize) {
        assert!(self.complaints.is_empty(), "{:#?}", self.complaints);
        assert!(self.crossed >= least, "only {} crossed: {:#?}", self.crossed, self.refused);
    }
}

fn given<P: Plant<4, 0, C, 0>, const C: usize>(plant: P) -> Option<State<On<P>>>
where
    On<P>: Solvable<Real = f64, Q = [f64; 4], V = [f64; 4]>,
{
    let mut x = State::neutral(&on(plant));
    (x.q, x.v, _) = plant.guess();
    Some(x)
}

/// Each step is a power of two, and one ends where the guide is the wall.
#[test]
fn a_guide_that_is_a_wall_for_an_instant() {
    struct Gates(Judge);
    impl Each for Gates {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            for (bend, projected) in [(0.0, false), (0.0, true), (1.0, false), (1.0, true)] {
                let end = outcome(&on(Gate { bend }), method, projected, None, (self.0.h, 0.5));
                let (want, refusal) = ([0.0, bend / 8.0], Refusal(1, 2, "`wall`, `guide`", 0.25));
                let what = format!("{name}, bend {bend}, projected {projected}");
                self.0.hear(&what, end, (&want, bound(name, self.0.h)), Some(refusal));
            }
        }
    }
    let mut gates = Gates(Judge::new(1.0 / 64.0));
    every_method(&mut gates);
    // A guide that does not bend has nothing to add.
    gates.0.sentence(50);
}

/// A point beside its guide when the guide is the wall: no position is wrong, and every velocity is.
#[test]
fn velocities_that_rows_ask_for_in_vain_are_refused() {
    fn beside<M: Method<On<Gate>>>(method: M) {
        let (gate, h) = (on(Gate { bend: 0.0 }), 1.0 / 64.0);
        let mut x = State::neutral(&gate);
        (x.t, x.q) = (0.25 - h, [0.0, 1e-3]);
        let cause = outcome(&gate, method, false, Some(x), (h, 0.25)).expect_err("two velocities").cause;
        let Cause::Dependent { rank: 1, of: 2, rows } = cause else { panic!("{cause:?}") };
        assert_eq!(rows.as_str(), "`wall`, `guide`");
    }
    beside(StormerVerlet::default());
    beside(SymplecticEuler::momenta_first());
    beside(SymplecticEuler::positions_first());
}

/// Led through the line in which the coupler holds nothing: with the row that keeps it level always, without it where
/// the load allows.
#[test]
fn a_linkage_is_led_through_its_line() {
    struct Leads {
        bare: Judge,
        level: Judge,
    }
    impl Each for Leads {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            let (led, h, want) = (FourBar { th: -0.5, w: 2.0 }, self.bare.h, joints(0.5));
            let good = (&want[..], bound(name, 2.0 * h));
            for projected in [false, true] {
                let what = format!("{name}, projected {projected}");
                let refusal = Refusal(3, 4, "`left`, `right`, `coupler`", 0.25);
                let end = outcome(&on(Driven(led)), method, projected, None, (h, 0.5));
                self.bare.hear(&what, end, good, Some(refusal));
                self.level.hear(&what, outcome(&on(DrivenLevel(led)), method, projected, None, (h, 0.5)), good, None);
            }
        }
    }
    let mut leads = Leads { bare: Judge::new(1.0 / 64.0), level: Judge::new(1.0 / 64.0) };
    every_method(&mut leads);
    leads.bare.sentence(5);
    leads.level.sentence(60);
}

/// From the line itself, and through it.
#[test]
fn a_linkage_that_moves_freely_leaves_its_line() {
    struct Leaves {
        from: Judge,
        through: Judge,
    }
    impl Each for Leaves {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            let (h, turn) = (self.from.h, 5.0 * self.from.h);
            let (flat, above) = (FourBar { th: 0.0, w: -5.0 }, FourBar { th: 0.1, w: -5.0 });
            let want = [flat, above].map(|bar| joints(super::angle(bar, 0.05)));
            for projected in [false, true] {
                let what = |which: &str| format!("{name}, {which}, projected {projected}");
                let good = [0, 1].map(|k| (&want[k][..], bound(name, turn)));
                let plain = || Some(Refusal(2, 3, "`left`, `right`, `coupler`", 0.0));
                let twice = |time| Some(Refusal(2, 4, "`left`, `right`, `coupler`, `again`", time));
                let run = (h, 0.05);
                let end = outcome(&on(Plain(flat)), method, projected, given(Plain(flat)), run);
                self.from.hear(&what("bare"), end, good[0], plain());
                let end = outcome(&on(Doubled(flat)), method, projected, given(Doubled(flat)), run);
                self.from.hear(&what("doubled"), end, good[0], twice(0.0));
                let end = outcome(&on(Plain(above)), method, projected, None, run);
                let refusal = Refusal(2, 3, "`left`, `right`, `coupler`", 0.02);
                self.through.hear(&what("bare"), end, good[1], Some(refusal));
                let end = outcome(&on(Doubled(above)), method, projected, None, run);
                self.through.hear(&what("doubled"), end, good[1], twice(0.02));
            }
        }
    }
    let mut leaves = Leaves { from: Judge::new(1.0 / 512.0), through: Judge::new(1.0 / 512.0) };
    every_method(&mut leaves);
    leaves.from.sentence(50);
    leaves.through.sentence(90);
}

/// At x = 1 the circle, written twice, and its drive have one direction, and none goes on.
#[test]
fn a_marked_mechanism_that_locks_says_so_in_every_method() {
    struct Locks(Vec<String>);
    impl Each for Locks {
        fn method<M: Candidate>(&mut self, name: &'static str, method: M) {
            for projected in [false, true] {
                match outcome(&on(LedTwice), method, projected, None, (1e-3, 0.5)) {
                    Err(StepError { time, cause: Cause::Dependent { rank: 1, of: 3, rows }, .. })
                        if rows.as_str() == "`circle`, `drive`, `again`"
                            && (time - 0.1).abs() < if projected { 3e-3 } else { 0.3 } => {}
                    other => self.0.push(format!("{name}, projected {projected}: {other:?}")),
                }
            }
        }
    }
    let mut locks = Locks(Vec::new());
    every_method(&mut locks);
    assert!(locks.0.is_empty(), "{:#?}", locks.0);
}
