//! `#[model(freeze(..))]`: parameters of a model with sets that are constants of its code.

use ode_model::integrators::{BackwardEuler, RungeKutta4};
use ode_model::{Differentiable, State, System, model};

use crate::alike::alike;

model! {
    /// Masses on springs of one kind, and pulled to places of their own.
    #[model(freeze(k, up, g, n))]
    pub struct Net {
        set nodes;
        set springs: (nodes, nodes) = chain;
        set wall: nodes = [0];
        param p[nodes]: Vec2 [m];
        param m[nodes]: Real [kg] = 0.2;
        param k[springs]: Real [N/m] = 20.0;
        param up[nodes]: Vec2 [N] = vec2(0.1, 0.3);
        param g: Real [m/s^2] = 9.81;
        param n: [Real; 2] = [1.0, 2.0];
        coord (x, v)[nodes]: Vec2 [m];
        for e @ (i, j) in springs {
            potential = k[e] * sq(norm(x[j] - x[i]) - 0.1m) + 0.1 * n[1] * up[i].dot(x[j] - x[i]);
            output pull: Real [N] = k[e] * norm(x[j] - x[i]) + m[i] * g;
        }
        for i in nodes {
            mass x[i] = m[i];
            guess x[i] = p[i];
            force lift on x[i] = up[i] - vec2(0.0, m[i] * g * n[0]);
            require m[i] > 0.0, "a mass";
        }
        for i in wall {
            fix x[i];
        }
        output weight: Real [N] = sum(nodes, |i| m[i] * g);
    }
}

model! {
    /// The same without sets.
    #[model(freeze(k, up, g, n), storage = sparse)]
    pub struct Written {
        param p: [Vec2; 3] [m];
        param m: [Real; 3] [kg] = [0.2; 3];
        param k: [Real; 2] [N/m] = [20.0; 2];
        param up: [Vec2; 3] [N] = [vec2(0.1, 0.3); 3];
        param g: Real [m/s^2] = 9.81;
        param n: [Real; 2] = [1.0, 2.0];
        coord (x, v): [Vec2; 3] [m];
        for e in 0..2 {
            potential = k[e] * sq(norm(x[e + 1] - x[e]) - 0.1m) + 0.1 * n[1] * up[e].dot(x[e + 1] - x[e]);
        }
        for i in 0..3 {
            mass x[i] = m[i];
            guess x[i] = p[i];
            force lift on x[i] = up[i] - vec2(0.0, m[i] * g * n[0]);
        }
        fix x[0];
        output pull: [Real; 2] [N] = [k[0] * norm(x[1] - x[0]) + m[0] * g, k[1] * norm(x[2] - x[1]) + m[1] * g];
        output weight: Real [N] = (m[0] + m[1] + m[2]) * g;
    }
}

model! {
    /// A rope of which everything is a constant.
    #[model(freeze)]
    pub struct Rope {
        set nodes: const 4;
        set links: (nodes, nodes) = chain;
        param m[nodes]: Real = 0.1;
        param k: Real = 3.0;
        coord x[nodes]: Real;
        for i in nodes { mass x[i] = m[i]; }
        for (i, j) in links { potential = 0.5 * k * sq(x[j] - x[i] - m[i]); }
        output moment: Real = sum(nodes, |i| m[i] * x[i]);
    }
}

#[test]
fn frozen_parameters_of_members_are_those_written_out() {
    let places = [[0.0, 0.1], [0.15, 0.0], [0.3, 0.05]];
    let (net, written) = (
        Net::builder().nodes(3).p(places).build().expect("a net"),
        Written::builder().p(places).build().expect("a net"),
    );
    assert_eq!(net.derivatives().parameter_names[6..], ["m[0]", "m[1]", "m[2]"]);
    alike(&net, &written);
    moves_alike!(&net, &written, [
        "backward Euler" BackwardEuler::default(), false;
        "Runge–Kutta 4" RungeKutta4, true;
    ]);
    let rope = Rope::builder().build().expect("a rope");
    assert!(rope.derivatives().parameter_names.is_empty() && rope.layout().q.len() == 4);
    let mut state = State::neutral(&rope);
    rope.x_mut(&mut state.q).copy_from_slice(&[1.0, 2.0, 3.0, 4.0]);
    let outputs = rope.outputs(state.at(&rope::U::default()), state.rates());
    assert!((rope.moment(&outputs)[0] - 1.0).abs() < 1e-15);
}
