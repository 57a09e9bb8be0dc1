//! Descents end where it is stable, whatever is nearer.

use crate::common::equilibria::{Lagged, Linkage, Planar, Strut, Ziegler};
use crate::common::linkages::{FourBar, Plain};
use crate::common::mechanisms::{Funicular, Hinged, SliderCrank, Solenoid};
use crate::common::plants::{Oscillator, Pendulum};
use crate::common::rigid::{Hung, Rod};
use crate::common::{numbers, on};
use ode_runtime::analysis::{Assembly, Equilibrium, Levels, Nominal, Stability, StaticError, Statics, Unsettled};
use ode_runtime::{Cause, Linearize, Name, Quantity, Solvable, State, so3};

fn descend<S: Solvable<Real = f64> + Linearize>(system: &S, q: S::Q) -> (State<S>, Equilibrium<f64>) {
    let x = State { q, ..State::neutral(system) };
    let statics = Statics { iterations: 200, ..Statics::default() };
    let (x, found) = statics.descend(system, &Nominal, x).expect("a stable equilibrium");
    assert_ne!(found.stability, Stability::Unstable);
    assert!(found.residual < 1e-8, "{found:?}");
    (x, found)
}

fn refused<S: Solvable<Real = f64> + Linearize>(system: &S) -> StaticError {
    let mut x = State::neutral(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    Statics::default().descend(system, &Nominal, x).expect_err("none")
}

#[test]
fn a_slider_crank_goes_down_to_its_stable_equilibrium() {
    // V falls from 0.43019 and from 2.83126 on both sides, to 0.57620 and to −0.98180.
    let system = on(SliderCrank);
    let (mut most, steps) = (0, 60);
    for i in 0..steps {
        let th = -3.0 + 5.8 * f64::from(i) / f64::from(steps);
        let (x, found) = descend(&system, SliderCrank::closed(th));
        let want = if th > 0.430_19 { 0.576_20 } else { -0.981_80 };
        assert!((x.q[0] - want).abs() < 1e-4, "{th}: {:?}", x.q);
        assert_eq!(found.stability, Stability::Stable);
        most = most.max(found.iterations);
    }
    assert!(most <= 40, "{most}");
    let (x, found) = descend(&system, SliderCrank::closed(0.5));
    assert!((x.q[0] - 0.576_20).abs() < 1e-5 && found.iterations <= 10, "{found:?}");
    // begun at the unstable one itself
    let start = State { q: SliderCrank::closed(0.5), ..State::neutral(&system) };
    let (top, _) = Statics::default().solve(&system, &Nominal, start).expect("an equilibrium");
    assert!((top.q[0] - 0.430_19).abs() < 1e-5);
    let (x, _) = descend(&system, top.q);
    assert!([0.576_20, -0.981_80].iter().any(|want| (x.q[0] - want).abs() < 1e-4), "{:?}", x.q);
}

#[test]
fn a_bob_on_its_head_falls_over() {
    let system = on(Pendulum::standard());
    for q in [[0.0, 1.0], [1e-9, 1.0], [0.6, 0.8], [-1.0, 0.0], [0.7, 0.5]] {
        let (x, found) = descend(&system, q);
        assert!(x.q[0].abs() < 1e-10 && (x.q[1] + 1.0).abs() < 1e-10, "{q:?} {:?}", x.q);
        assert!((x.lambda[0] + 9.81).abs() < 1e-9 && found.stability == Stability::Stable);
    }
}

#[test]
fn a_column_beyond_eulers_load_bends() {
    for share in [1.001, 1.5, 4.0] {
        let load = share * Strut::critical();
        let (x, found) = descend(&on(Strut::straight(load)), [0.0; 3]);
        assert_eq!(found.stability, Stability::Stable);
        // moments of the links' equilibrium, and angles that grow upwards
        let [a, b, c] = x.q.map(f64::abs);
        for moment in [2.0 * a - b - load * a.sin(), 2.0 * b - a - c - load * b.sin(), c - b - load * c.sin()] {
            assert!(moment.abs() < 1e-10, "{moment}");
        }
        assert!(0.0 < a && a < b && b < c, "{:?}", x.q);
    }
    let (x, _) = descend(&on(Strut::straight(0.99 * Strut::critical())), [0.3, 0.4, 0.2]);
    assert!(x.q.iter().all(|q| q.abs() < 1e-9), "{:?}", x.q);
}

#[test]
fn what_nothing_holds_stays_where_it_is() {
    let (x, found) = descend(&on(Planar::springs(2.0, 0.0)), [1.0, 1.0]);
    assert!(x.q[0].abs() < 1e-12 && x.q[1] == 1.0, "{:?}", x.q);
    assert_eq!(found.stability, Stability::Indifferent);
    // a body hangs from its hook however it is turned about the vertical
    let [w, i, j, k] = so3::exp(&[2.0, 1.0, 0.5]);
    let (x, found) = descend(&on(Hung), [0.1, 0.2, -0.5, w, i, j, k]);
    assert_eq!(found.stability, Stability::Indifferent);
    let arm = so3::rotate(&[x.q[3], x.q[4], x.q[5], x.q[6]], &[0.3, -0.1, 0.2]);
    for (got, want) in [(x.q[0] + arm[0], 0.0), (x.q[1] + arm[1], 0.0), (x.q[2] + arm[2], -2.0 * 9.81 / 40.0)] {
        assert!((got - want).abs() < 1e-8, "{:?}", x.q);
    }
    assert!((arm[2] - 0.14f64.sqrt()).abs() < 1e-8, "{arm:?}");
}

#[test]
fn bodies_on_joints_come_to_hang() {
    // the centre of mass below its joint
    let [w, i, j, k] = so3::exp(&[0.0, 1e-3, 0.0]);
    let centre = so3::rotate(&[w, i, j, k], &[0.0, 0.0, 0.5]);
    let (x, found) = descend(&on(Rod), [centre[0], centre[1], centre[2], w, i, j, k]);
    assert!((x.q[2] + 0.5).abs() < 1e-9 && found.stability == Stability::Indifferent, "{:?} {found:?}", x.q);
    let (x, found) = descend(&on(Hinged), Hinged::placed());
    let half = 0.5f64.sqrt();
    for (got, want) in [(x.q[0], 1.0), (x.q[1], 2.0 + 2.0 * half), (x.q[2], 3.0 - 2.0 * half)] {
        assert!((got - want).abs() < 1e-9, "{:?}", x.q);
    }
    assert_eq!(found.stability, Stability::Stable);
}

#[test]
fn an_arch_of_links_falls_into_its_funicular() {
    let plant = Funicular { tension: 1.0 };
    let mut arch = plant.joints();
    (0..3).for_each(|i| arch[2 * i + 1] = -arch[2 * i + 1]);
    let (x, found) = descend(&on(plant), arch);
    assert_eq!(found.stability, Stability::Stable);
    for (got, want) in x.q.iter().zip(plant.joints()) {
        assert!((got - want).abs() < 1e-8, "{:?}", x.q);
    }
}

#[test]
fn states_follow_on_the_way_down() {
    let (x, found) = {
        let system = on(Solenoid);
        let x = State { z: [0.5], ..State::neutral(&system) };
        Statics::default().descend(&system, &Nominal, x).expect("held by its spring")
    };
    assert!((x.z[0] - 4.0).abs() < 1e-12 && (x.q[0] - 2.0).abs() < 1e-10, "{x:?}");
    assert_eq!(found.stability, Stability::Stable);
    // alone it would fall; its controller holds it
    let (x, found) = descend(&on(Lagged { stiffness: 1.0, pull: 1.0, rate: 2.0, leak: 1.0 }), [0.7]);
    assert!(x.q[0].abs() < 1e-10 && found.stability == Stability::Stable, "{x:?}");
}

#[test]
fn where_there_is_nothing_stable_it_says_so() {
    let falls = refused(&on(Oscillator { m: 1.0, k: 0.0, c: 0.0, w: 1.0, x: 0.0, v: 0.0 }));
    assert!(matches!(falls.cause, Unsettled::Iterations { .. }), "{falls}");
    let rises = refused(&on(Planar { start: [0.1, 0.1], ..Planar::springs(2.0, -1.0) }));
    assert!(matches!(rises.cause, Unsettled::Iterations { name, .. } if name.as_str() == "y"), "{rises}");
    let flutters = refused(&on(Ziegler { load: 2.2, damping: 0.0 }));
    assert!(matches!(flutters.cause, Unsettled::Unstable { .. }), "{flutters}");
    let fed = refused(&on(Oscillator { m: 2.0, k: 50.0, c: -1.0, w: 0.0, x: 0.0, v: 0.0 }));
    assert!(matches!(fed.cause, Unsettled::Unstable { name, .. } if name.as_str() == "x"), "{fed}");
    assert!(fed.to_string().contains("`x` leaves"), "{fed}");
}

/// How many eigenvalues of a symmetric matrix are negative, by Jacobi's rotations.
fn negative<const N: usize>(mut a: [[f64; N]; N]) -> usize {
    for _ in 0..40 {
        for p in 0..N {
            for q in p + 1..N {
                if a[p][q] == 0.0 {
                    continue;
                }
                let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
                let (s, c) = angle.sin_cos();
                for k in 0..N {
                    let (x, y) = (a[k][p], a[k][q]);
                    (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..N {
                    let (x, y) = (a[p][k], a[q][k]);
                    (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    (0..N).filter(|&i| a[i][i] < 0.0).count()
}

/// The negative eigenvalues of the stiffness along the rods: those of [H Gᵀ; G 0] beyond its rows (Gould), H of V − λ·Φ
/// by differences.
fn falls(plant: &Linkage, q: &[f64; 8], lambda: &[f64; 3]) -> usize {
    let lagrangian =
        |q: &[f64; 8]| plant.potential(q) - Linkage::rods(q).iter().zip(lambda).map(|(phi, l)| phi * l).sum::<f64>();
    let moved = |i: usize, a: f64, j: usize, b: f64| {
        let mut q = *q;
        q[i] += a;
        q[j] += b;
        q
    };
    let h = 1e-4;
    let entry = |r: usize, c: usize| match (r, c) {
        (r, c) if r < 8 && c < 8 => {
            let at = |a: f64, b: f64| lagrangian(&moved(r, a, c, b));
            (at(h, h) - at(h, -h) - at(-h, h) + at(-h, -h)) / (4.0 * h * h)
        }
        (r, c) if r < 8 || c < 8 => {
            let (coordinate, row) = (r.min(c), r.max(c) - 8);
            (Linkage::rods(&moved(coordinate, h, 0, 0.0))[row] - Linkage::rods(&moved(coordinate, -h, 0, 0.0))[row])
                / (2.0 * h)
        }
        _ => 0.0,
    };
    negative::<11>(std::array::from_fn(|r| std::array::from_fn(|c| entry(r, c)))) - 3
}

#[test]
fn any_linkage_is_judged_as_its_bordered_hessian_and_descends() {
    let mut next = numbers(3);
    let (mut solved, mut unstable) = (0, 0);
    for _ in 0..25 {
        let plant = Linkage {
            weights: std::array::from_fn(|_| 1.0 + 2.0 * next()),
            soft: std::array::from_fn(|_| 1.05 + next()),
            places: std::array::from_fn(|_| 2.0 * next()),
            spring: 20.0 * (1.0 + next()),
        };
        let system = on(plant);
        let x = State { q: std::array::from_fn(|_| 1.5 * next()), ..State::neutral(&system) };
        let Ok((x, _)) = Assembly::of(Levels::POSITION).solve(&system, &Nominal, x) else { continue };
        if let Ok((end, found)) = Statics::default().solve(&system, &Nominal, x.clone()) {
            let want = falls(&plant, &end.q, &end.lambda);
            assert_eq!(found.evidence.expect("judged").negative, want, "{plant:?} {:?}", end.q);
            (solved, unstable) = (solved + 1, unstable + usize::from(want > 0));
        }
        let start = plant.potential(&x.q);
        let (end, found) = descend(&system, x.q);
        assert_eq!(
            (found.stability, falls(&plant, &end.q, &end.lambda)),
            (Stability::Stable, 0),
            "{plant:?} {:?}",
            end.q
        );
        assert!(plant.potential(&end.q) <= start, "{plant:?} {:?}", end.q);
    }
    assert!(solved > 8 && unstable > 2, "{solved} {unstable}");
}

/// How often Newton's method finds an equilibrium from assembled random starts; a descent always does.
fn from_afar<S: Solvable<Real = f64> + Linearize>(system: &S, range: f64) -> usize {
    let mut next = numbers(7);
    let mut solved = 0;
    for _ in 0..16 {
        let mut x = State::neutral(system);
        x.q.as_mut().iter_mut().for_each(|q| *q = range * next());
        let (x, _) = Assembly::of(Levels::POSITION).solve(system, &Nominal, x).expect("a position");
        descend(system, x.q.clone());
        match Statics::default().solve(system, &Nominal, x) {
            Ok(_) => solved += 1,
            Err(error @ StaticError { cause: Unsettled::LineSearch { .. }, .. }) => {
                assert!(error.to_string().contains("`Statics::descend`"), "{error}");
            }
            Err(other) => panic!("{other}"),
        }
    }
    solved
}

#[test]
fn a_descent_arrives_from_afar_where_newtons_method_says_what_to_do() {
    let linkage = Linkage { weights: [1.0, 2.0, 1.0, 3.0], soft: [0.0; 4], places: [0.0; 8], spring: 50.0 };
    let solved = [from_afar(&on(Strut { load: 5.0, start: [0.0; 3] }), 3.0), from_afar(&on(linkage), 3.0)];
    assert!(solved.iter().all(|&n| n > 4 && n < 16), "{solved:?}");
}

/// Its cranks level, a linkage has a row too many on its way down.
#[test]
fn a_descent_through_a_line_names_all_rows_that_depend_there() {
    let system = on(Plain(FourBar { th: 0.3, w: 0.0 }));
    let x = State { q: [1.0, 0.0, 1.912_776_230_354_542_8, 0.408_459_977_598_480_2], ..State::neutral(&system) };
    let error = Statics::default().descend(&system, &Nominal, x).expect_err("a line");
    let Unsettled::Evaluation(Cause::Dependent { rank: 2, of: 3, rows }) = error.cause else { panic!("{error}") };
    assert_eq!(rows.as_str(), "`left`, `right`, `coupler`");
}

#[test]
fn no_setting_and_no_start_makes_a_descent_panic() {
    let system = on(SliderCrank);
    let start = State { q: SliderCrank::closed(0.5), ..State::neutral(&system) };
    let cause = |how: Statics<f64>, x: State<_>| how.descend(&system, &Nominal, x).expect_err("refused").cause;
    let invalid = |how| matches!(cause(how, start.clone()), Unsettled::Evaluation(Cause::Invalid { .. }));
    assert!(invalid(Statics { iterations: 0, ..Statics::default() }));
    for bad in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
        assert!(invalid(Statics { tolerance: bad, ..Statics::default() }));
    }
    let few = Statics { iterations: 1, halvings: 0, ..Statics::default() };
    assert!(matches!(cause(few, start.clone()), Unsettled::LineSearch { .. } | Unsettled::Iterations { .. }));
    for (i, name) in ["theta", "phi", "x"].into_iter().enumerate() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut x = start.clone();
            x.q[i] = bad;
            let named = Cause::NonFinite { quantity: Quantity::Coordinate, name: Name::new(name) };
            assert_eq!(cause(Statics::default(), x), Unsettled::Evaluation(named));
        }
        for far in [1e9, -1e155, 1e300] {
            let mut x = start.clone();
            x.q[i] = far;
            // found or refused, but told
            if let Ok((x, _)) = Statics::default().descend(&system, &Nominal, x) {
                assert!(x.q.iter().all(|q| q.is_finite()));
            }
        }
    }
}
