//! The lowest modes of models with sets against closed forms, and against dense matrices where these fit.

use ode_model::analysis::{Criterion, Eigenmodes, LinearError, Stability, Statics};
use ode_model::prelude::*;
use ode_model::{Linearize, Solvable};

model! {
    /// Points on taut springs, some of them held.
    pub struct Sheet {
        set nodes;
        set springs: (nodes, nodes);
        set held: nodes;
        param m: Real [kg] = 0.02;
        param k: Real [N/m] = 50.0;
        param rest: Real [m] = 0.8;
        param p[nodes]: Vec3 [m];
        coord (x, v)[nodes]: Vec3 [m];
        for i in nodes {
            mass x[i] = m;
            guess x[i] = p[i];
        }
        for (i, j) in springs {
            potential = 0.5 * k * sq(norm(x[j] - x[i]) - rest);
        }
        for i in held {
            fix x[i] = p[i];
        }
    }
}

model! {
    /// Rigid links that hang along x, each held to the next by a ball joint.
    pub struct Links {
        set links;
        set joints: (links, links);
        set hooks: links;
        param m: Real [kg] = 0.1;
        param half: Real [m] = 0.05;
        param j: Vec3 [kg*m^2] = vec3(1.0e-5, 8.8e-5, 8.8e-5);
        param p[links]: Vec3 [m];
        coord (r, v)[links]: Vec3 [m];
        coord (att, w)[links]: SO3;
        gravity = vec3(9.81, 0.0, 0.0);
        for i in links {
            body link on frame(r[i], att[i]) { mass: m, inertia: diag(j) }
            guess r[i] = p[i];
        }
        for (a, b) in joints {
            let end = frame(r[a], att[a]).at(vec3(half, 0.0, 0.0));
            constraint ball: end == frame(r[b], att[b]).at(vec3(-half, 0.0, 0.0));
        }
        for i in hooks {
            constraint hook: frame(r[i], att[i]).at(vec3(-half, 0.0, 0.0)) == vec3(0.0, 0.0, 0.0);
        }
    }
}

const REST: f64 = 1e-7;

/// A grid of points one apart, with `a` times `b` of them free between those that are held on its edges.
fn sheet(a: usize, b: usize) -> Sheet {
    let number = |i: usize, j: usize| i * (b + 2) + j;
    let edge = |i: usize, j: usize| i == 0 || j == 0 || i > a || j > b;
    let places = || (0..a + 2).flat_map(|i| (0..b + 2).map(move |j| (i, j)));
    let free = |&[i, j]: &[(usize, usize); 2]| !(edge(i.0, i.1) && edge(j.0, j.1));
    let pairs = places().flat_map(|(i, j)| [[(i, j), (i + 1, j)], [(i, j), (i, j + 1)]]);
    let springs = pairs.filter(|[_, to]| to.0 < a + 2 && to.1 < b + 2).filter(free);
    Sheet::builder()
        .nodes((a + 2) * (b + 2))
        .p(places().map(|(i, j)| [i as f64, j as f64, 0.0]))
        .springs(springs.map(|pair| pair.map(|(i, j)| number(i, j))))
        .held(places().filter(|&(i, j)| edge(i, j)).map(|(i, j)| number(i, j)))
        .build()
        .expect("a sheet")
}

/// √(κₐ/m 4 sin²(i π/2(a + 1)) + κ_b/m 4 sin²(j π/2(b + 1))) in all three directions, ascending.
fn frequencies(sheet: &Sheet, a: usize, b: usize) -> Vec<f64> {
    let across = sheet.k * (1.0 - sheet.rest);
    let sine = |i: usize, n: usize| (i as f64 * std::f64::consts::PI / (2.0 * (n + 1) as f64)).sin().powi(2);
    let each = (1..=a).flat_map(|i| (1..=b).map(move |j| (i, j)));
    let mut all: Vec<f64> = each
        .flat_map(|(i, j)| {
            let of = |k: [f64; 2]| (4.0 / sheet.m * (k[0] * sine(i, a) + k[1] * sine(j, b))).sqrt();
            [[sheet.k, across], [across, sheet.k], [across, across]].map(of)
        })
        .collect();
    all.sort_by(f64::total_cmp);
    all
}

fn equilibrium<S: Solvable<Real = f64> + Linearize>(system: &S) -> State<S> {
    let mut x = State::neutral(system);
    system.guess(&mut x.q, &mut x.v, &mut x.z);
    Statics { judge: false, residual: 1e-10, ..Statics::default() }.solve(system, &Nominal, x).expect("at rest").0
}

fn agree(got: &[f64], want: &[f64]) {
    for (k, (got, want)) in got.iter().zip(want).enumerate() {
        assert!((got / want - 1.0).abs() < 1e-9, "{k}: {got} is not {want}");
    }
}

#[test]
fn a_string_sounds_as_its_closed_form() {
    // a row of points: springs across it hold it in its own plane and out of it
    let sheet = sheet(60, 1);
    let x = equilibrium(&sheet);
    let want = frequencies(&sheet, 60, 1);
    for count in [1, 5, 24] {
        let found = Eigenmodes::lowest(&sheet, &Nominal, &x, REST, count).expect("modes");
        assert_eq!(found.modes.len(), count);
        agree(&found.frequencies(), &want);
    }
    let (_, judged) = Statics { residual: 1e-10, ..Statics::default() }.solve(&sheet, &Nominal, x).expect("at rest");
    assert_eq!(judged.stability, Stability::Stable);
}

#[test]
fn a_square_sheet_has_pairs_of_equal_frequencies() {
    // just too large for dense matrices
    let n = 24;
    let sheet = sheet(n, n);
    let x = equilibrium(&sheet);
    let want = frequencies(&sheet, n, n);
    for count in [2, 3, 6, 20] {
        let found = Eigenmodes::lowest(&sheet, &Nominal, &x, REST, count).expect("modes").frequencies();
        agree(&found, &want[..count]);
        if count > 2 {
            assert!((found[1] / found[2] - 1.0).abs() < 1e-11 && found[1] > 1.2 * found[0]);
        }
    }
    // in the midst
    let gap = (200..).find(|&k| want[k + 1] > (1.0 + 1e-4) * want[k]).expect("a gap");
    let shift = 0.4 * want[gap].powi(2) + 0.6 * want[gap + 1].powi(2);
    let hit = Eigenmodes::near(&sheet, &Nominal, &x, REST, want[2].powi(2), 4);
    assert!(matches!(hit, Err(LinearError::Shift { .. })), "{hit:?}");
    let found = Eigenmodes::near(&sheet, &Nominal, &x, REST, shift, 12).expect("modes");
    let mut near = want.clone();
    near.sort_by(|a, b| (a * a - shift).abs().total_cmp(&(b * b - shift).abs()));
    near.truncate(12);
    near.sort_by(f64::total_cmp);
    agree(&found.frequencies(), &near);
    // and yet judged
    assert!(matches!(Eigenmodes::of(&sheet, &Nominal, &x, REST), Err(LinearError::TooLarge { .. })));
    let judge = Statics { residual: 1e-10, ..Statics::default() };
    let (_, judged) = judge.solve(&sheet, &Nominal, x.clone()).expect("at rest");
    let evidence = judged.evidence.expect("judged");
    assert_eq!((judged.stability, evidence.by), (Stability::Stable, Criterion::Stiffness));
    assert_eq!((evidence.positive, evidence.negative, evidence.zero), (3 * n * n, 0, 0));
    // springs that push buckle it
    let pressed = Sheet { rest: 1.2, ..sheet };
    let (_, judged) = judge.solve(&pressed, &Nominal, x).expect("at rest");
    assert_eq!(judged.stability, Stability::Unstable);
    let evidence = judged.evidence.expect("judged");
    assert!(
        evidence.negative >= n * n && evidence.least < 0.0 && evidence.moves.as_str().contains(".z"),
        "{evidence:?}"
    );
}

#[test]
fn links_with_rotations_swing_as_in_dense_matrices() {
    let n = 7;
    let middles = (0..n).map(|i| [0.05 + 0.1 * i as f64, 0.0, 0.0]);
    let links = Links::builder().links(n).joints((1..n).map(|i| [i - 1, i])).hooks([0]).p(middles).build();
    let links = links.expect("a chain");
    // nothing holds a link that turns about its axis
    let mut x = State::neutral(&links);
    links.guess(&mut x.q, &mut x.v, &mut x.z);
    ode_model::analysis::least_forces(&links, &Nominal, &mut x).expect("multipliers");
    x.a.fill(0.0);
    let all = Eigenmodes::of(&links, &Nominal, &x, REST).expect("dense").frequencies();
    assert_eq!(all.len(), 3 * n);
    for count in [n, n + 1, n + 6, 3 * n] {
        let found = Eigenmodes::lowest(&links, &Nominal, &x, REST, count).expect("modes").frequencies();
        assert_eq!(found.len(), count);
        assert!(found[..n].iter().all(|&w| w == 0.0), "{found:?}");
        agree(&found[n..], &all[n..]);
    }
}
