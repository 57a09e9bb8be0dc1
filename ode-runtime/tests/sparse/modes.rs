//! A few modes of large models: those of dense matrices where these fit, and closed forms where not.

use ode_runtime::analysis::{Begin, Eigenmodes, LinearError, Linearization, Modal, Stability, Statics, Unsuited};
use ode_runtime::{Linearize, Nominal, Solvable, State};

use super::net::{D, Edge, Net, Solvers, Sparse, SparseRedundant, elastic, rope};
use super::ropes::Dense;

const REST: f64 = 1e-7;

/// A chain of rods that hangs straight, or stands.
fn hanging<K: Solvers>(points: usize, net: Net<K>, length: f64, sign: f64) -> (Net<K>, State<Net<K>>) {
    let (mut x, mut z) = (net.start(), 0.0);
    for (i, edge) in net.edges.iter().enumerate() {
        let load: f64 = net.mass[i..].iter().map(|m| 9.81 * m).sum();
        z -= sign * length + edge.spring.map_or(0.0, |(k, _)| load / k);
        x.q[D * i..D * i + D].copy_from_slice(&[0.0, 0.0, z]);
    }
    assert_eq!(net.edges.len(), points);
    let statics = Statics { judge: false, multipliers: Begin::LeastForces, ..Statics::default() };
    let (x, _) = statics.solve(&net, &Nominal, x).expect("at rest");
    (net, x)
}

fn lowest<S: Solvable<Real = f64> + Linearize>(system: &S, x: &State<S>, count: usize) -> Eigenmodes<f64> {
    Eigenmodes::lowest(system, &Nominal, x, REST, count).expect("modes")
}

/// The same modes as those of dense matrices: frequencies, and shapes as far as they are determined.
fn same(few: &Eigenmodes<f64>, all: &Eigenmodes<f64>) {
    assert_eq!(few.names, all.names);
    let scale = all.modes.last().expect("a mode").frequency();
    for (k, mode) in few.modes.iter().enumerate() {
        let (got, want) = (mode.frequency(), all.modes[k].frequency());
        assert!((got - want).abs() <= 1e-9 * want.max(1e-4 * scale), "{k}: {got} is not {want}");
        // the part within the eigenspace
        let near = |other: &f64| (other - want).abs() < 1e-6 * scale;
        let space = all.modes.iter().filter(|other| near(&other.frequency()));
        let length: f64 = mode.shape.iter().map(|x| x.re * x.re).sum();
        let mut rest = mode.shape.map(|x| x.re);
        let mut basis: Vec<ode_runtime::linalg::DVector<f64>> = Vec::new();
        for other in space {
            let mut own = other.shape.map(|x| x.re);
            for b in &basis {
                own -= b * b.dot(&own);
            }
            if own.norm() > 1e-9 {
                let unit = own.normalize();
                rest -= &unit * unit.dot(&rest);
                basis.push(unit);
            }
        }
        assert!(rest.norm() < 1e-8 * length.sqrt(), "{k}: {:e} of the shape is elsewhere", rest.norm());
    }
}

#[test]
fn a_hanging_chain_swings_as_in_dense_matrices() {
    for points in [1, 2, 5, 12] {
        let (net, x) = hanging(points, rope(points, 0.1), 0.1, 1.0);
        let all = Eigenmodes::of(&net, &Nominal, &x, REST).expect("dense");
        for count in [1, 3.min(2 * points), 2 * points] {
            let few = lowest(&net, &x, count);
            assert_eq!(few.modes.len(), count);
            same(&few, &all);
        }
        let more = Eigenmodes::lowest(&net, &Nominal, &x, REST, 2 * points + 1);
        assert_eq!(more, Err(LinearError::TooFew { modes: 2 * points }));
        let endless = Eigenmodes::lowest(&net, &Nominal, &x, REST, usize::MAX);
        assert_eq!(endless, Err(LinearError::TooFew { modes: 2 * points }));
    }
    // dense solvers do not count
    let (net, x) = hanging(10, rope(10, 0.1).with::<Dense<40>>(), 0.1, 1.0);
    same(&lowest(&net, &x, 7), &Eigenmodes::of(&net, &Nominal, &x, REST).expect("dense"));
    let (net, x) = hanging(9, rope(9, 0.1).with::<SparseRedundant>(), 0.1, 1.0);
    same(&lowest(&net, &x, 7), &Eigenmodes::of(&net, &Nominal, &x, REST).expect("dense"));
}

#[test]
fn a_long_chain_swings_as_the_zeros_of_a_bessel_function_say() {
    // ω = j₀ₖ/2 √(g/l) of the continuous chain, in two planes; with masses at the ends of rods the chain is half a rod
    // longer
    let points = 1000;
    let (net, x) = hanging(points, rope(points, 0.01), 0.01, 1.0);
    let found = lowest(&net, &x, 6);
    let zeros = [2.404825557695773, 5.520078110286311, 8.653727912911013];
    for (k, pair) in found.frequencies().chunks(2).enumerate() {
        let want = 0.5 * zeros[k] * (9.81f64 / (0.01 * (points as f64 + 0.5))).sqrt();
        assert!((pair[0] / want - 1.0).abs() < 1e-5, "{k}: {} is not {want}", pair[0]);
        assert!((pair[1] / pair[0] - 1.0).abs() < 1e-9);
    }
    // yᵀ M y = 1
    for mode in &found.modes {
        let mass: f64 = mode.shape.iter().map(|x| 0.1 * x.re * x.re).sum();
        assert!((mass - 1.0).abs() < 1e-9, "{mass}");
    }
    let dense = Linearization::of(&net, &Nominal, &x, REST);
    assert_eq!(dense, Err(LinearError::TooLarge { unknowns: 4000, most: 2000 }));
}

#[test]
fn eigenvalues_of_any_multiplicity_are_found() {
    // several chains beside each other: no start shows more than one mode of an eigenvalue
    let (ropes, points) = (5, 40);
    let (alone, x) = hanging(points, rope(points, 0.1), 0.1, 1.0);
    let want = lowest(&alone, &x, 6).frequencies();
    let edge = |i: usize| Edge { from: (i % points).checked_sub(1).map(|_| i - 1), to: i, length: 0.1, spring: None };
    let net = Net::<Sparse>::new(vec![0.1; ropes * points], x.q.repeat(ropes), (0..ropes * points).map(edge).collect());
    let y = State { lambda: x.lambda.repeat(ropes), q: net.q.clone(), ..State::neutral(&net) };
    for count in [4, 10, 13] {
        let found = lowest(&net, &y, count).frequencies();
        for (k, got) in found.iter().enumerate() {
            let want = want[2 * (k / (2 * ropes))];
            assert!((got / want - 1.0).abs() < 1e-9, "{k} of {count}: {got} is not {want}");
        }
    }
}

/// A block of nodes in space on springs to all neighbours, free; no spring is taut.
fn block(n: usize) -> Net<Sparse> {
    let place = |i: usize| [i % n, i / n % n, i / n / n];
    let mut edges = Vec::new();
    for j in 0..n * n * n {
        for i in 0..j {
            let d: Vec<f64> = place(i).iter().zip(place(j)).map(|(&a, b)| (b as f64 - a as f64).powi(2)).collect();
            if d.iter().all(|&d| d <= 1.0) {
                let length = d.iter().sum::<f64>().sqrt();
                edges.push(Edge { from: Some(i), to: j, length, spring: Some((100.0, 0.0)) });
            }
        }
    }
    let q = (0..n * n * n).flat_map(|i| place(i).map(|x| x as f64)).collect();
    let mut net = Net::new(vec![0.1; n * n * n], q, edges);
    net.gravity = [0.0; D];
    net
}

#[test]
fn a_free_block_has_six_rigid_motions() {
    let net = block(3);
    let (x, all) = (net.start(), Eigenmodes::of(&net, &Nominal, &net.start(), REST).expect("dense"));
    for count in [4, 6, 12] {
        let found = lowest(&net, &x, count);
        let rigid = found.modes.iter().filter(|mode| mode.frequency() == 0.0).count();
        assert_eq!((found.modes.len(), rigid), (count, count.min(6)));
        same(&found, &all);
    }
    // it has the symmetries of a cube: eigenvalues are double and triple
    let squares: Vec<f64> = all.frequencies().iter().map(|w| w * w).collect();
    let shift = 0.5 * (squares[30] + squares[36]) + 0.01;
    let few = Eigenmodes::near(&net, &Nominal, &x, REST, shift, 9).expect("modes");
    let mut want: Vec<f64> = squares.clone();
    want.sort_by(|a, b| (a - shift).abs().total_cmp(&(b - shift).abs()));
    let mut want: Vec<f64> = want[..9].iter().map(|x| x.sqrt()).collect();
    want.sort_by(f64::total_cmp);
    for (got, want) in few.frequencies().iter().zip(&want) {
        assert!((got / want - 1.0).abs() < 1e-9, "{got} is not {want}");
    }
    let hit = Eigenmodes::near(&net, &Nominal, &x, REST, squares[20], 3);
    assert!(matches!(hit, Err(LinearError::Shift { .. })), "{hit:?}");
    let zero = Eigenmodes::near(&net, &Nominal, &x, REST, 0.0, 3);
    assert!(matches!(zero, Err(LinearError::Shift { .. })), "{zero:?}");
}

#[test]
fn a_chain_that_stands_falls() {
    for points in [6, 300] {
        let (net, x) = hanging(points, rope(points, 0.1), 0.1, -1.0);
        let found = lowest(&net, &x, 3);
        // each with its twin, and the fastest with both of its signs
        assert_eq!(found.modes.len(), 6);
        assert!(found.modes.iter().all(|mode| mode.eigenvalue.im == 0.0));
        if points == 6 {
            let all = Eigenmodes::of(&net, &Nominal, &x, REST).expect("dense");
            assert!((found.growth() / all.growth() - 1.0).abs() < 1e-9);
        }
        let (_, judged) = Statics::default().solve(&net, &Nominal, x).expect("at rest");
        assert_eq!(judged.stability, Stability::Unstable);
        assert_eq!(judged.evidence.map(|of| (of.positive, of.negative, of.zero)), Some((0, 2 * points, 0)));
    }
}

#[test]
fn what_is_no_undamped_mode_is_named() {
    let springs = |damping: f64| {
        let net = elastic(40, 0.1, 500.0, damping);
        let (net, x) = hanging(40, net, 0.1, 1.0);
        (net, x)
    };
    let (net, x) = springs(0.5);
    let refused = Eigenmodes::lowest(&net, &Nominal, &x, REST, 4);
    assert!(matches!(refused, Err(LinearError::Unsuited { because: Unsuited::Damping, .. })), "{refused:?}");
    let found = Modal { count: 4, near: None, undamped: true }.solve(&net, &Nominal, &x, REST).expect("undamped");
    let (without, y) = springs(0.0);
    same(&found, &Eigenmodes::of(&without, &Nominal, &y, REST).expect("dense"));
    let (mut net, x) = springs(0.0);
    net.spin = 0.1;
    let refused = Eigenmodes::lowest(&net, &Nominal, &x, REST, 4);
    assert!(matches!(refused, Err(LinearError::Unsuited { because: Unsuited::Gyroscopic, .. })), "{refused:?}");
    let mut moving = hanging(40, rope(40, 0.1), 0.1, 1.0);
    moving.1.v[3] = 1.0;
    let refused = Eigenmodes::lowest(&moving.0, &Nominal, &moving.1, REST, 4);
    assert!(matches!(refused, Err(LinearError::Moving { .. })), "{refused:?}");
}

#[test]
fn a_hanging_chain_is_stable_whatever_its_size() {
    for points in [6, 400] {
        for stands in [rope(points, 0.1), elastic(points, 0.1, 5000.0, 0.1)] {
            let (net, x) = hanging(points, stands, 0.1, 1.0);
            let (_, judged) = Statics::default().solve(&net, &Nominal, x).expect("at rest");
            assert_eq!(judged.stability, Stability::Stable, "{points}: {:?}", judged.evidence);
        }
    }
    // nothing holds it
    let mut net = block(6);
    net.spin = 0.0;
    let x = net.start();
    let (_, judged) = Statics { residual: 1e-9, ..Statics::default() }.solve(&net, &Nominal, x).expect("at rest");
    assert_eq!(judged.stability, Stability::Indifferent, "{:?}", judged.evidence);
    assert_eq!(judged.evidence.map(|of| (of.positive, of.negative, of.zero)), Some((3 * 216 - 6, 0, 6)));
}
