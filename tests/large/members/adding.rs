//! Equations that add over members, against the same model written out.

use nalgebra::{DMatrix, DVector};
use ode_model::integrators::{BackwardEuler, DormandPrince, GeneralizedAlpha};
use ode_model::{Cause, Differentiable, Dual, Nominal, Simulation, Start, System, model};

use crate::algebraic::laws;
use crate::alike::{alike, point, same, tangent_of_duals};

model! {
    /// Wires between nodes that warm them and pull them together, fed and grounded at some.
    pub struct Grid<T> {
        set nodes;
        set wires: (nodes, nodes);
        set grounds: nodes;
        set fed: nodes;
        param p[nodes]: Vec2 [m];
        param g[wires]: Real [A/V] = 2.0;
        param leak: Real [A/V] = 0.7;
        param bend: Real [1/V^2] = 0.3;
        param cap[nodes]: Real [J/K] = 1.5;
        param conduct: Real [W/K] = 0.4;
        param air: Real [K] = 1.0;
        param pull: Real [N/A/m] = 0.6;
        param far: Real [1/m^2] = 0.1;
        param lag: Real [s] = 0.1;
        param tau: Real [s] = 2.0;
        input feed: Real [A] = 0.9;
        algebraic volt[nodes]: Real [V];
        algebraic drift[nodes]: Vec2 [m];
        algebraic through[wires]: Real [A];
        algebraic bus: Real [V];
        state temp[nodes]: Real [K];
        state spent: Real [J];
        coord (x, v)[nodes]: Vec2 [m];
        balance bus += leak * bus;
        der(spent) += bus * bus * leak;
        der(spent) -= spent / tau;
        for e @ (i, j) in wires {
            let drop = volt[i] - volt[j];
            let current = g[e] * drop * (1.0 + bend * sq(drop)) * (1.0 + far * dot(x[j] - x[i], x[j] - x[i]));
            constraint law: through[e] + 0.2 * through[e] == current;
            balance volt[i] += current;
            balance volt[j] -= current;
            balance drift[i] += drift[i] - drift[j];
            balance drift[j] += drift[j] - drift[i] + lag * v[i];
            let flow = conduct * (temp[j] - temp[i]);
            der(temp[i]) += flow / cap[i];
            der(temp[j]) -= flow / cap[j];
            der(temp[j]) += 0.5 * current * drop / cap[j];
            force one on x[i] = pull * through[e] * (x[j] - x[i]);
            force other on x[j] = pull * through[e] * (x[i] - x[j]);
        }
        for i in nodes {
            balance drift[i] += drift[i] - x[i];
            der(temp[i]) = conduct * (air - temp[i]) / cap[i];
            init temp[i] = air;
            mass x[i] = 0.3kg;
            guess x[i] = p[i];
            guess volt[i] = 0.3V;
        }
        for i in grounds {
            balance volt[i] -= leak * (bus - volt[i]);
            balance bus += leak * (bus - volt[i]);
        }
        for i in fed {
            balance volt[i] -= feed;
        }
        output all: Real [A] = sum(wires, |e| through[e]);
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written<T> {
        param p: [Vec2; 3] [m];
        param g: [Real; 2] [A/V] = [2.0, 2.0];
        param leak: Real [A/V] = 0.7;
        param bend: Real [1/V^2] = 0.3;
        param cap: [Real; 3] [J/K] = [1.5, 1.5, 1.5];
        param conduct: Real [W/K] = 0.4;
        param air: Real [K] = 1.0;
        param pull: Real [N/A/m] = 0.6;
        param far: Real [1/m^2] = 0.1;
        param lag: Real [s] = 0.1;
        param tau: Real [s] = 2.0;
        input feed: Real [A] = 0.9;
        algebraic volt: [Real; 3] [V];
        algebraic drift: [Vec2; 3] [m];
        algebraic through: [Real; 2] [A];
        algebraic bus: Real [V];
        state temp: [Real; 3] [K];
        state spent: Real [J];
        coord (x, v): [Vec2; 3] [m];
        let drop_0 = volt[0] - volt[1];
        let drop_1 = volt[2] - volt[1];
        let flow_0 = conduct * (temp[1] - temp[0]);
        let flow_1 = conduct * (temp[1] - temp[2]);
        let current_0 = g[0] * drop_0 * (1.0 + bend * sq(drop_0)) * (1.0 + far * dot(x[1] - x[0], x[1] - x[0]));
        let current_1 = g[1] * drop_1 * (1.0 + bend * sq(drop_1)) * (1.0 + far * dot(x[1] - x[2], x[1] - x[2]));
        constraint at_0: current_0 == feed;
        constraint at_1: -current_0 - current_1 == 0.0;
        constraint at_2: current_1 - leak * (bus - volt[2]) == feed;
        constraint drift_0: drift[0] - drift[1] + drift[0] - x[0] == vec2(0.0, 0.0);
        constraint drift_1: 3.0 * drift[1] - drift[0] - drift[2] + lag * v[0] + lag * v[2] == x[1];
        constraint drift_2: drift[2] - drift[1] + drift[2] == x[2];
        constraint law_0: through[0] + 0.2 * through[0] == current_0;
        constraint law_1: through[1] + 0.2 * through[1] == current_1;
        constraint ground: leak * bus + leak * (bus - volt[2]) == 0.0;
        der(spent) = bus * bus * leak - spent / tau;
        der(temp[0]) = (flow_0 + conduct * (air - temp[0])) / cap[0];
        der(temp[1]) = (-flow_0 - flow_1 + 0.5 * current_0 * drop_0 + 0.5 * current_1 * drop_1
            + conduct * (air - temp[1])) / cap[1];
        der(temp[2]) = (flow_1 + conduct * (air - temp[2])) / cap[2];
        force one_0 on x[0] = pull * through[0] * (x[1] - x[0]);
        force other_0 on x[1] = pull * through[0] * (x[0] - x[1]);
        force one_1 on x[2] = pull * through[1] * (x[1] - x[2]);
        force other_1 on x[1] = pull * through[1] * (x[2] - x[1]);
        for i in 0..3 {
            init temp[i] = air;
            mass x[i] = 0.3kg;
            guess x[i] = p[i];
            guess volt[i] = 0.3V;
        }
        output all: Real [A] = through[0] + through[1];
    }
}

model! {
    /// Resistors between nodes, which are fed.
    pub struct Resistors {
        set nodes;
        set wires: (nodes, nodes);
        set ground: nodes;
        param g[wires]: Real [A/V];
        param supply[nodes]: Real [A];
        param leak: Real [A/V] = 0.2;
        algebraic volt[nodes]: Real [V];
        for i in nodes {
            balance volt[i] -= supply[i];
        }
        for e @ (i, j) in wires {
            balance volt[i] += g[e] * (volt[i] - volt[j]);
            balance volt[j] += g[e] * (volt[j] - volt[i]);
        }
        for i in ground {
            balance volt[i] += leak * volt[i];
        }
    }
}

model! {
    /// Heat on a graph: shares alone.
    pub struct Heat {
        set nodes;
        set links: (nodes, nodes);
        param k[links]: Real [W/K];
        param c[nodes]: Real [J/K];
        param first[nodes]: Real [K];
        state temp[nodes]: Real [K];
        for i in nodes {
            init temp[i] = first[i];
        }
        for e @ (i, j) in links {
            der(temp[i]) += k[e] * (temp[j] - temp[i]) / c[i];
            der(temp[j]) += k[e] * (temp[i] - temp[j]) / c[j];
        }
    }
}

model! {
    /// The same of six nodes.
    #[model(storage = sparse)]
    pub struct HeatOfSix {
        param k: [Real; 7] [W/K];
        param c: [Real; 6] [J/K];
        param first: [Real; 6] [K];
        state temp: [Real; 6] [K];
        init temp = first;
        der(temp[0]) = k[0] * (temp[1] - temp[0]) / c[0] + k[6] * (temp[3] - temp[0]) / c[0];
        der(temp[1]) = (k[0] * (temp[0] - temp[1]) + k[1] * (temp[2] - temp[1])) / c[1];
        der(temp[2]) = (k[1] * (temp[1] - temp[2]) + k[2] * (temp[3] - temp[2])) / c[2];
        der(temp[3]) = k[2] * (temp[2] - temp[3]) / c[3];
        der(temp[3]) += k[3] * (temp[4] - temp[3]) / c[3];
        der(temp[3]) -= (k[5] * (temp[3] - temp[5]) + k[6] * (temp[3] - temp[0])) / c[3];
        der(temp[4]) = (k[3] * (temp[3] - temp[4]) + k[4] * (temp[5] - temp[4])) / c[4];
        der(temp[5]) -= k[4] * (temp[5] - temp[4]) / c[5];
        der(temp[5]) -= k[5] * (temp[5] - temp[3]) / c[5];
    }
}

model! {
    /// A balance in a model without sets.
    pub struct Divider {
        param r: Real [ohm] = 2.0;
        algebraic volt: Real [V];
        state charge: Real [A*s];
        balance volt += (volt - 6.0V) / r;
        balance volt -= 1.0A;
        balance volt += volt / (2.0 * r);
        der(charge) += volt / r;
    }
}

const PLACES: [[f64; 2]; 3] = [[0.0, 0.1], [0.6, 0.3], [0.5, -0.4]];
const WIRES: [[usize; 2]; 2] = [[0, 1], [2, 1]];

fn grid() -> Grid {
    let builder = Grid::builder().nodes(3).wires(WIRES).grounds([2]).fed([0, 2]).p(PLACES);
    builder.g([2.0, 2.6]).cap([1.5, 1.2, 0.8]).build().expect("a grid")
}

#[test]
fn shares_of_members_are_those_written_out() {
    let written = Written::builder().p(PLACES).g([2.0, 2.6]).cap([1.5, 1.2, 0.8]).build().expect("a grid");
    let grid = grid();
    alike(&grid, &written);
    let ((x, u), (y, w)) = (point(&grid), point(&written));
    let (found, wanted) = (laws(&grid, &x, &u), laws(&written, &y, &w));
    same("F", &found.0, &wanted.0);
    same("its Jacobian", &found.1, &wanted.1);
    moves_alike!(&grid, &written);
}

/// The weighted tangent, times a direction, is what dual numbers through the residual say.
#[test]
fn tangents_of_shares_are_those_of_dual_numbers() {
    let grid = grid();
    let slopes = tangent_of_duals(&grid, &grid.cast::<Dual<f64>>());
    let nv = grid.layout().v.len();
    assert!(slopes[nv..].iter().all(|slope| *slope != 0.0));
    assert_eq!(grid.derivatives().force_by_input.rows, slopes.len());
}

/// A net without a pattern.
fn net(n: usize) -> (Vec<[usize; 2]>, Vec<f64>) {
    let pairs = (1..n).map(|i| [i - 1, i]).chain((0..n / 3).map(|i| [i, n - 1 - i]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    let values = (0..pairs.len()).map(|e| 1.0 + 0.5 * (1.7 * e as f64).sin()).collect();
    (pairs, values)
}

#[test]
fn resistors_have_the_voltages_of_their_laplacian() {
    let n = 60;
    let (wires, g) = net(n);
    let supply: Vec<f64> = (0..n).map(|i| (0.9 * i as f64).cos()).collect();
    let builder = Resistors::builder().nodes(n).wires(wires.iter().copied()).ground([17]).g(g.iter().copied());
    let mut resistors = builder.supply(supply.iter().copied()).build().expect("a net");
    let start = Start::default().solve(&resistors, &Nominal).expect("voltages");

    let mut laplacian = DMatrix::<f64>::zeros(n, n);
    for (&[i, j], &g) in wires.iter().zip(&g) {
        for (a, b) in [(i, j), (j, i)] {
            laplacian[(a, a)] += g;
            laplacian[(a, b)] -= g;
        }
    }
    laplacian[(17, 17)] += 0.2;
    let wanted = laplacian.lu().solve(&DVector::from_vec(supply)).expect("a ground");
    for (i, (found, wanted)) in resistors.volt(&start.z).iter().zip(wanted.iter()).enumerate() {
        assert!((found - wanted).abs() < 1e-10 * (1.0 + wanted.abs()), "{i}: {found} {wanted}");
    }

    // without a ground nothing says what they are
    resistors.leak = 0.0;
    let error = Start::default().solve(&resistors, &Nominal).expect_err("no ground");
    assert!(matches!(error.cause, Cause::Algebraic { .. } | Cause::Singular { .. }), "{error}");
}

#[test]
fn heat_on_a_graph_is_that_of_its_nodes() {
    let links = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 3], [0, 3]];
    let (k, c) = ([1.0, 0.7, 1.3, 0.4, 0.9, 1.1, 0.3], [2.0, 1.0, 1.5, 0.8, 1.2, 0.6]);
    let first = [400.0, 300.0, 310.0, 290.0, 350.0, 280.0];
    let builder = Heat::builder().nodes(6).links(links).k(k).c(c).first(first);
    let (heat, written) = (builder.build().expect("a graph"), HeatOfSix::builder().k(k).c(c).first(first).build());
    let written = written.expect("a graph");
    alike(&heat, &written);
    moves_alike!(&heat, &written, [
        "backward Euler" BackwardEuler::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Dormand–Prince" DormandPrince, false;
    ]);
    // heat is kept, and spreads
    let mut run = Simulation::of(&heat, BackwardEuler::default()).fixed(0.1).expect("a start");
    let stored = |temp: &[f64]| temp.iter().zip(&c).map(|(t, c)| t * c).sum::<f64>();
    let before = stored(heat.temp(&run.state().z));
    run.advance_to(200.0).expect("a run");
    let temp = heat.temp(&run.state().z);
    assert!((stored(temp) - before).abs() < 1e-9 * before);
    assert!(temp.iter().all(|t| (t - before / stored(&[1.0; 6])).abs() < 1e-6), "{temp:?}");
}

#[test]
fn shares_add_in_a_model_without_sets() {
    let divider = Divider::builder().build().expect("a divider");
    let start = Start::default().solve(&divider, &Nominal).expect("a voltage");
    // (V − 6)/2 − 1 + V/4 = 0
    assert!((start.z.volt() - 16.0 / 3.0).abs() < 1e-12, "{:?}", start.z);
    assert!((start.zdot.charge() - 8.0 / 3.0).abs() < 1e-12, "{:?}", start.zdot);
}
