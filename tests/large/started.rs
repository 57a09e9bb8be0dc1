//! Exact starts of members vary as those of the same model written out.

use ode_model::Sensitive as _;
use ode_model::integrators::{BackwardEuler, RungeKutta4};
use ode_model::prelude::*;
use ode_model::solve::Projection;

use super::varied::blocks;
use super::{compare, found};

model! {
    /// Bobs on rods that lean as far as is said, and points of a sphere.
    #[model(emit(partials))]
    pub struct Hung<T> {
        set bobs: const 3;
        set rods: (bobs, bobs) = chain;
        set thrown: bobs = [2, 0];
        set told: bobs = [1];
        param p[bobs]: Vec2 = vec2(0.3, -0.4);
        param lean[rods]: Real = 0.1;
        param l: Real = 0.5;
        param speed: Real = 0.7;
        param height: Real = 0.2;
        coord (x, v)[bobs]: Vec2;
        coord (q, w)[thrown]: SO3;
        coord s: Real;
        mass s = 0.4;
        init s * (1.0 + speed * x_0) = height;
        param x_0: Real = 0.3;
        for i in bobs {
            mass x[i] = 0.3;
            potential = 3.0 * x[i].y + 0.5 * sq(x[i].x - s);
            guess x[i] = p[i];
        }
        for (i, j) in rods {
            constraint rod: dot(x[j] - x[i], x[j] - x[i]) == l * l;
        }
        for e @ (i, j) in rods {
            init norm(x[j] - x[i]) * (x[j].x - x[i].x) = l * lean[e];
            init dot(v[j] - v[i], x[j]) = speed * l * lean[e];
        }
        for e @ i in thrown {
            kinetic = 0.5 * (0.3 * sq(w[e].x) + 0.35 * sq(w[e].y) + 0.2 * sq(w[e].z));
            init q[e] = rot_x(0.4 * p[i].x);
            init w[e] = vec3(speed, -0.4, p[i].y);
        }
        for e @ i in thrown {
            // an exact start of the same numbers holds
            guess w[e] = 3.0 * vec3(p[i].x, speed, l);
        }
        for i in told {
            init s * x[i].x = height * p[i].x;
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written<T> {
        param p: [Vec2; 3] = [vec2(0.3, -0.4), vec2(0.4, -0.8), vec2(0.5, -1.2)];
        param lean: [Real; 2] = [0.1; 2];
        param l: Real = 0.5;
        param speed: Real = 0.7;
        param height: Real = 0.2;
        coord (x, v): [Vec2; 3];
        coord (q, w): [SO3; 2];
        coord s: Real;
        mass s = 0.4;
        init s * (1.0 + speed * x_0) = height;
        param x_0: Real = 0.3;
        for i in 0..3 {
            mass x[i] = 0.3;
            potential = 3.0 * x[i].y + 0.5 * sq(x[i].x - s);
            guess x[i] = p[i];
        }
        for e in 0..2 {
            constraint rod: dot(x[e + 1] - x[e], x[e + 1] - x[e]) == l * l;
            init norm(x[e + 1] - x[e]) * (x[e + 1].x - x[e].x) = l * lean[e];
            init dot(v[e + 1] - v[e], x[e + 1]) = speed * l * lean[e];
            kinetic = 0.5 * (0.3 * sq(w[e].x) + 0.35 * sq(w[e].y) + 0.2 * sq(w[e].z));
        }
        init q[0] = rot_x(0.4 * p[2].x);
        init w[0] = vec3(speed, -0.4, p[2].y);
        init q[1] = rot_x(0.4 * p[0].x);
        init w[1] = vec3(speed, -0.4, p[0].y);
        init s * x[1].x = height * p[1].x;
    }
}

#[test]
fn exact_starts_of_members_vary_as_those_written_out() {
    let places = [[0.3, -0.4], [0.41, -0.88], [0.35, -1.37]];
    let hung = Hung::builder().p(places).lean([0.1, -0.05]).build().expect("bobs");
    let written = Written::builder().p(places).lean([0.1, -0.05]).build().expect("bobs");
    compare("bobs", &blocks(&written), &blocks(&hung));
    let patterns = hung.partial_patterns();
    assert!(patterns.starts.nnz() > 40 && patterns.starts_by_parameter.nnz() > 30);
    let projected = Some(Projection::to(1e-12));
    compare("runs", &found(&written, RungeKutta4, projected), &found(&hung, RungeKutta4, projected));
    let method = BackwardEuler::default;
    compare("implicit runs", &found(&written, method(), None), &found(&hung, method(), None));
}
