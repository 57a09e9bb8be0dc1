//! Derivatives with algebraic variables of members are those of the same model written out.

use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, RungeKutta4, StormerVerlet};
use ode_model::model;

use super::varied::blocks;
use super::{compare, found};

model! {
    /// Masses that currents pull together, which leak out of nodes.
    #[model(emit(partials))]
    pub struct Coils<T> {
        set nodes: const 3;
        set coils: (nodes, nodes) = [(0, 1), (2, 1)];
        param p[nodes]: Vec2 = vec2(0.3, -0.2);
        param r[coils]: Real = 1.5;
        param leak[nodes]: Real = 0.2;
        param pull: Real = 4.0;
        input feed: Real = 0.7;
        algebraic current[coils]: Real;
        algebraic press[nodes]: Vec2;
        state heat[coils]: Real;
        coord (x, v)[nodes]: Vec2;
        algebraic level: Real;
        for e @ (i, j) in coils {
            let drop = dot(x[j] - x[i], press[j] - press[i]);
            constraint law: r[e] * current[e] + exp(0.3 * current[e]) == drop + heat[e] + feed;
            force own on x[i] = pull * current[e] * (x[j] - x[i]);
            force other on x[j] = pull * current[e] * (x[i] - x[j]);
            der(heat[e]) = sq(current[e]) - 0.5 * heat[e];
            der(heat[e]) += 0.1 * press[i].x;
            balance level += 0.1 * leak[j] * sq(current[e]);
            init heat[e] = 0.4 * r[e];
            guess current[e] = 0.2 * norm(p[j] - p[i]);
        }
        for i in nodes {
            mass x[i] = 0.3;
            guess x[i] = p[i];
            constraint pressure: press[i] + leak[i] * vec2(sq(press[i].y), press[i].x * level)
                == x[i] + 0.1 * level * v[i];
            force push on x[i] = -0.3 * press[i] - 0.3 * v[i];
            balance level -= leak[i] * press[i].x;
        }
        balance level += level + 0.3 * level * level * level - feed;
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written<T> {
        param p: [Vec2; 3] = [vec2(0.3, -0.2); 3];
        param r: [Real; 2] = [1.5; 2];
        param leak: [Real; 3] = [0.2; 3];
        param pull: Real = 4.0;
        input feed: Real = 0.7;
        algebraic current: [Real; 2];
        algebraic press: [Vec2; 3];
        state heat: [Real; 2];
        coord (x, v): [Vec2; 3];
        algebraic level: Real;
        constraint law_0: r[0] * current[0] + exp(0.3 * current[0])
            == dot(x[1] - x[0], press[1] - press[0]) + heat[0] + feed;
        constraint law_1: r[1] * current[1] + exp(0.3 * current[1])
            == dot(x[1] - x[2], press[1] - press[2]) + heat[1] + feed;
        force own_0 on x[0] = pull * current[0] * (x[1] - x[0]);
        force other_0 on x[1] = pull * current[0] * (x[0] - x[1]);
        force own_1 on x[2] = pull * current[1] * (x[1] - x[2]);
        force other_1 on x[1] = pull * current[1] * (x[2] - x[1]);
        der(heat[0]) = sq(current[0]) - 0.5 * heat[0] + 0.1 * press[0].x;
        der(heat[1]) = sq(current[1]) - 0.5 * heat[1] + 0.1 * press[2].x;
        init heat[0] = 0.4 * r[0];
        init heat[1] = 0.4 * r[1];
        guess current[0] = 0.2 * norm(p[1] - p[0]);
        guess current[1] = 0.2 * norm(p[1] - p[2]);
        for i in 0..3 {
            mass x[i] = 0.3;
            guess x[i] = p[i];
            constraint pressure: press[i] + leak[i] * vec2(sq(press[i].y), press[i].x * level)
                == x[i] + 0.1 * level * v[i];
            force push on x[i] = -0.3 * press[i] - 0.3 * v[i];
        }
        constraint balance: level + 0.3 * level * level * level
            + 0.1 * leak[1] * (sq(current[0]) + sq(current[1]))
            == feed + leak[0] * press[0].x + leak[1] * press[1].x + leak[2] * press[2].x;
    }
}

#[test]
fn derivatives_with_algebraic_variables_of_members_are_those_written_out() {
    let places = [[0.0, 0.1], [0.6, 0.3], [0.5, -0.4]];
    let coils = Coils::builder().p(places).r([1.5, 2.0]).build().expect("coils");
    let written = Written::builder().p(places).r([1.5, 2.0]).build().expect("coils");
    compare("coils", &blocks(&written), &blocks(&coils));
    macro_rules! each {
        ($($method:expr;)*) => {$(
            compare(stringify!($method), &found(&written, $method, None), &found(&coils, $method, None));
        )*};
    }
    each! {
        RungeKutta4;
        BackwardEuler::default();
        BackwardEuler::linearized();
        GeneralizedAlpha::with_spectral_radius(0.8);
        StormerVerlet::default();
    }
}
