//! States of members: networks of heat and matter, alone and beside what moves.

use ode_model::integrators::BackwardEuler;
use ode_model::{Differentiable, Dual, System, model};

use crate::alike::{alike, point, tangent_of_duals};

model! {
    /// Warm masses on springs, which conduct heat and grow with it.
    pub struct Warm<T> {
        set nodes;
        set links: (nodes, nodes);
        set heated: nodes;
        param p[nodes]: Vec3 [m];
        param cap[nodes]: Real [J/K] = 2.0;
        param h[links]: Real [W/K] = 0.7;
        param k: Real [N/m] = 40.0;
        param swell: Real [m/K] = 1.0e-3;
        param loss: Real [W/K] = 0.1;
        param air: Real [K] = 290.0;
        param tau: Real [s] = 3.0;
        param slope: Real [K/m] = 10.0;
        param damping: Real [N*s/m] = 0.2;
        param whole: Real [J] = 1.0;
        input power: Real [W] = 5.0;
        state temp[nodes]: Real [K];
        coord (x, v)[nodes]: Vec3 [m];
        state spent: Real [J];
        state mix[heated]: Vec2;
        init spent = 1.0;
        der(spent) = -spent / tau;
        for i in nodes {
            mass x[i] = 0.3kg;
            guess x[i] = p[i];
            init temp[i] = air + slope * norm(p[i]);
            der(temp[i]) = loss * (air - temp[i]) / cap[i];
            force drag on x[i] = -damping * v[i];
        }
        for e @ (i, j) in links {
            let d = x[j] - x[i];
            let pull = k * (norm(d) - 0.3m - swell * (temp[i] + temp[j] - 2.0 * air)) * d / norm(d);
            force one on x[i] = pull;
            force other on x[j] = -pull;
            let flow = h[e] * (temp[j] - temp[i]);
            der(temp[i]) = flow / cap[i];
            der(temp[j]) = -flow / cap[j];
            output through: Real [W] = flow;
        }
        for e @ i in heated {
            der(temp[i]) = power / cap[i];
            der(spent) = power;
            der(mix[e]) = vec2(mix[e].y, -mix[e].x - 0.1 * mix[e].y + spent / whole) / tau;
            guess mix[e] = vec2(0.3, -0.2);
            output warming: Real [K/s] = der(temp[i]);
        }
        output stored: Real [J] = sum(nodes, |i| cap[i] * temp[i]) + spent;
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written {
        param p: [Vec3; 3] [m];
        param cap: [Real; 3] [J/K] = [2.0, 2.0, 2.0];
        param h: [Real; 2] [W/K] = [0.7, 0.7];
        param k: Real [N/m] = 40.0;
        param swell: Real [m/K] = 1.0e-3;
        param loss: Real [W/K] = 0.1;
        param air: Real [K] = 290.0;
        param tau: Real [s] = 3.0;
        param slope: Real [K/m] = 10.0;
        param damping: Real [N*s/m] = 0.2;
        param whole: Real [J] = 1.0;
        input power: Real [W] = 5.0;
        state temp: [Real; 3] [K];
        coord (x, v): [Vec3; 3] [m];
        state spent: Real [J];
        state mix: [Vec2; 2];
        init spent = 1.0;
        for i in 0..3 {
            mass x[i] = 0.3kg;
            guess x[i] = p[i];
            init temp[i] = air + slope * norm(p[i]);
            force drag on x[i] = -damping * v[i];
        }
        let flow_0 = h[0] * (temp[1] - temp[0]);
        let flow_1 = h[1] * (temp[1] - temp[2]);
        let d_0 = x[1] - x[0];
        let d_1 = x[1] - x[2];
        let pull_0 = k * (norm(d_0) - 0.3m - swell * (temp[0] + temp[1] - 2.0 * air)) * d_0 / norm(d_0);
        let pull_1 = k * (norm(d_1) - 0.3m - swell * (temp[2] + temp[1] - 2.0 * air)) * d_1 / norm(d_1);
        force one_0 on x[0] = pull_0;
        force other_0 on x[1] = -pull_0;
        force one_1 on x[2] = pull_1;
        force other_1 on x[1] = -pull_1;
        der(temp[0]) = (loss * (air - temp[0]) + flow_0) / cap[0];
        der(temp[1]) = (loss * (air - temp[1]) - flow_0 - flow_1 + power) / cap[1];
        der(temp[2]) = (loss * (air - temp[2]) + flow_1 + power) / cap[2];
        der(spent) = -spent / tau + 2.0 * power;
        for e in 0..2 {
            der(mix[e]) = vec2(mix[e].y, -mix[e].x - 0.1 * mix[e].y + spent / whole) / tau;
            guess mix[e] = vec2(0.3, -0.2);
        }
        output through: [Real; 2] [W] = [flow_0, flow_1];
        output warming: [Real; 2] [K/s] = [der(temp[2]), der(temp[1])];
        output stored: Real [J] = cap[0] * temp[0] + cap[1] * temp[1] + cap[2] * temp[2] + spent;
    }
}

model! {
    /// Matter that spreads in a net of rooms: a model of states alone.
    pub struct Rooms {
        set rooms;
        set doors: (rooms, rooms);
        param wide[doors]: Real = 1.0;
        param first[rooms]: Real;
        state c[rooms]: Real;
        for i in rooms { init c[i] = first[i]; }
        for e @ (i, j) in doors {
            der(c[i]) = wide[e] * (c[j] - c[i]);
            der(c[j]) = wide[e] * (c[i] - c[j]);
        }
        output all: Real = sum(rooms, |i| c[i]);
    }
}

const PLACES: [[f64; 3]; 3] = [[0.0, 0.1, 0.0], [0.3, 0.0, 0.1], [0.5, 0.3, -0.1]];

fn warm() -> Warm {
    Warm::builder().nodes(3).links([[0, 1], [2, 1]]).heated([2, 1]).p(PLACES).build().expect("a net")
}

#[test]
fn states_of_members_are_those_written_out() {
    let (warm, written) = (warm(), Written::builder().p(PLACES).build().expect("a net"));
    assert_eq!(
        warm.layout().z,
        ["temp[0]", "temp[1]", "temp[2]", "spent", "mix[0].x", "mix[0].y", "mix[1].x", "mix[1].y"]
    );
    alike(&warm, &written);
    moves_alike!(&warm, &written);
    let (mut state, _) = point(&warm);
    warm.temp_mut(&mut state.z)[1] = 3.0;
    assert_eq!((state.z[1], warm.mix(&state.z)[1], warm.spent(&state.z).len()), (3.0, [state.z[6], state.z[7]], 1));
}

/// The weighted tangent, times a direction, is what dual numbers through the residual say.
#[test]
fn tangents_with_states_are_those_of_dual_numbers() {
    let warm = warm();
    let slopes = tangent_of_duals(&warm, &warm.cast::<Dual<f64>>());
    let nv = warm.layout().v.len();
    assert!(slopes[nv..].iter().all(|slope| *slope != 0.0));
    assert_eq!(warm.derivatives().force_by_input.rows, slopes.len());
}

#[test]
fn matter_spreads_and_is_kept() {
    let first = (0..200).map(|room| if room < 100 { 1.0 } else { 0.0 });
    let rooms = Rooms::builder().rooms(200).doors((1..200).map(|i| [i - 1, i])).first(first).build().expect("rooms");
    let mut run = ode_model::Simulation::of(&rooms, BackwardEuler::default()).fixed(0.1).expect("a start");
    run.advance_to(50.0).expect("a run");
    let (state, u) = (run.state(), rooms::U::default());
    let y = rooms.outputs(state.at(&u), state.rates());
    assert!((rooms.all(&y)[0] - 100.0).abs() < 1e-9);
    // the profile is odd about the door in the middle, and has sunk by much at its side
    let c = rooms.c(&state.z);
    assert!((c[99] + c[100] - 1.0).abs() < 1e-9 && c[90] < 0.9 && c[0] > 1.0 - 1e-9);
}
