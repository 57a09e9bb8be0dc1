//! Runs over events of members vary as those of the same model written out.

use ode_model::integrators::{BackwardEuler, GeneralizedAlpha, RungeKutta4};
use ode_model::{Sensitive as _, Simulation, model};

use super::varied::blocks;
use super::{compare, found};

model! {
    /// Balls that bounce, pass strings and cool down, and a weight that is pushed.
    #[model(emit(partials))]
    pub struct Balls<T> {
        set balls: const 3;
        set strings: (balls, balls) = chain;
        set warm: balls = [2, 0];
        param p[balls]: Vec2 = vec2(0.1, 0.02);
        param loss[balls]: Real = 0.8;
        param g: Real = 9.81;
        param l: Real = 0.296;
        param late: Real = 0.035;
        param top[warm]: Real = 0.3;
        param gain: Real = 9.0;
        input wind: Real = 0.2;
        coord (x, v)[balls]: Vec2;
        coord s: Real;
        state heat[warm]: Real;
        mode hits[balls]: Real = 0.5;
        mode pulls[strings]: Real = 0.0;
        mode seen: Real = 1.0;
        mass s = 1.0;
        guess s = 0.2;
        event push when t > late {
            der(s) = der(s) + gain * seen * s;
            seen = 2.0 * seen;
        }
        for i in balls {
            mass x[i] = 0.2;
            force weight on x[i].y = -0.2 * g;
            force gust on x[i].x = wind * hits[i] + 0.1 * s * seen;
            guess x[i] = p[i];
            guess v[i] = vec2(p[i].x, -3.0 * p[i].y - 0.4);
            event bounces when x[i].y < 0.0 {
                hits[i] = hits[i] + 1.0;
                v[i] = vec2(loss[i] * v[i].x, -loss[i] * v[i].y);
                x[i].x = x[i].x + 0.01 * v[i].y;
            }
        }
        for e @ (i, j) in strings {
            event taut when norm(x[j] - x[i]) > l + 0.01 * s {
                pulls[e] = pulls[e] + 1.0;
                v[i] = 0.4 * v[j] + 0.6 * v[i];
                v[j] = 0.4 * v[i] + 0.6 * v[j];
            }
            potential = 2.0 * sq(norm(x[j] - x[i]) - l);
        }
        for h @ i in warm {
            der(heat[h]) = gain * hits[i] - heat[h];
            event hot when heat[h] > top[h] {
                heat[h] = loss[i] * 0.5 * heat[h] + 0.1 * x[i].x;
            }
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written<T> {
        param p: [Vec2; 3] = [vec2(0.1, 0.02), vec2(0.4, 0.02), vec2(0.7, 0.02)];
        param loss: [Real; 3] = [0.8; 3];
        param g: Real = 9.81;
        param l: Real = 0.296;
        param late: Real = 0.035;
        param top: [Real; 2] = [0.3; 2];
        param gain: Real = 9.0;
        input wind: Real = 0.2;
        coord (x, v): [Vec2; 3];
        coord s: Real;
        state heat: [Real; 2];
        mode hits: [Real; 3] = [0.5, 0.5, 0.5];
        mode pulls: [Real; 2] = [0.0, 0.0];
        mode seen: Real = 1.0;
        mass s = 1.0;
        guess s = 0.2;
        event push when t > late {
            der(s) = der(s) + gain * seen * s;
            seen = 2.0 * seen;
        }
        for i in 0..3 {
            mass x[i] = 0.2;
            force weight on x[i].y = -0.2 * g;
            force gust on x[i].x = wind * hits[i] + 0.1 * s * seen;
            guess x[i] = p[i];
            guess v[i] = vec2(p[i].x, -3.0 * p[i].y - 0.4);
            event bounces when x[i].y < 0.0 {
                hits[i] = hits[i] + 1.0;
                v[i] = vec2(loss[i] * v[i].x, -loss[i] * v[i].y);
                x[i].x = x[i].x + 0.01 * v[i].y;
            }
        }
        for e in 0..2 {
            event taut when norm(x[e + 1] - x[e]) > l + 0.01 * s {
                pulls[e] = pulls[e] + 1.0;
                v[e] = 0.4 * v[e + 1] + 0.6 * v[e];
                v[e + 1] = 0.4 * v[e] + 0.6 * v[e + 1];
            }
            potential = 2.0 * sq(norm(x[e + 1] - x[e]) - l);
        }
        der(heat[0]) = gain * hits[2] - heat[0];
        der(heat[1]) = gain * hits[0] - heat[1];
        event hot_0 when heat[0] > top[0] {
            heat[0] = loss[2] * 0.5 * heat[0] + 0.1 * x[2].x;
        }
        event hot_1 when heat[1] > top[1] {
            heat[1] = loss[0] * 0.5 * heat[1] + 0.1 * x[0].x;
        }
    }
}

const PLACES: [[f64; 2]; 3] = [[0.0, 0.012], [0.28, 0.02], [0.558, 0.03]];

#[test]
fn runs_over_events_of_members_vary_as_those_written_out() {
    let balls = Balls::builder().p(PLACES).top([0.3, 0.35]).build().expect("balls");
    let written = Written::builder().p(PLACES).top([0.3, 0.35]).build().expect("balls");
    compare("balls", &blocks(&written), &blocks(&balls));
    assert_eq!(balls.changes(), written.changes());
    assert_eq!(balls.changes().len(), 2 + 3 * 4 + 2 * 5 + 2);
    assert!(balls.partial_patterns().events.nnz() > 40 && balls.partial_patterns().events_by_parameter.nnz() > 8);
    macro_rules! each {
        ($($method:expr;)*) => {$(
            // every kind of event is passed
            let mut run = Simulation::of(&balls, $method).fixed(0.01).expect("a start");
            run.advance_to(0.1).expect("a run");
            let state = run.state();
            assert!(balls.seen(&state.modes)[0] == 2.0 && balls.hits(&state.modes).iter().all(|hits| *hits > 0.5));
            assert!(balls.heat(&state.z).iter().all(|heat| *heat < 0.35));
            assert!(balls.pulls(&state.modes).iter().all(|pulls| *pulls > 0.0));
            compare(stringify!($method), &found(&written, $method, None), &found(&balls, $method, None));
        )*};
    }
    each! {
        RungeKutta4;
        BackwardEuler::default();
        GeneralizedAlpha::with_spectral_radius(0.8);
    }
}
