//! Inputs of members, against the same model written out.

use ode_model::integrators::{BackwardEuler, DormandPrince, GeneralizedAlpha};
use ode_model::{Block as _, Dual, Observable, Simulation, System, model};

use crate::alike::{alike, tangent_of_duals};

model! {
    /// Masses on springs that pull as they are told, in a wind.
    pub struct Muscles<T> {
        set nodes;
        set muscles: (nodes, nodes);
        set driven: nodes;
        param p[nodes]: Vec2 [m];
        param k[muscles]: Real [N/m] = 40.0;
        param strength: Real [N] = 5.0;
        param damping: Real [N*s/m] = 0.3;
        param tau: Real [s] = 0.4;
        input gust[nodes]: Vec2 [N] = vec2(0.3, -0.1);
        input calm: Real = 0.5;
        input pull[muscles]: Real in -1.5..=2.0;
        input load[driven]: Real [N] in -strength..=strength = 0.25;
        coord (x, v)[nodes]: Vec2 [m];
        state force_of[muscles]: Real [N];
        for i in nodes {
            mass x[i] = 0.3kg;
            guess x[i] = p[i];
            force wind on x[i] = (1.0 - calm) * gust[i] - damping * v[i];
        }
        for e @ (i, j) in muscles {
            let d = x[j] - x[i];
            let along = d / norm(d);
            potential = 0.5 * k[e] * sq(norm(d) - 0.4m);
            der(force_of[e]) = (strength * pull[e] - force_of[e]) / tau;
            force own on x[i] = force_of[e] * along;
            force other on x[j] = -force_of[e] * along + 0.1 * (gust[i] - gust[j]);
            output work: Real [W] = force_of[e] * dot(along, v[i] - v[j]) * sq(pull[e]);
        }
        for e @ i in driven {
            force drive on x[i] = vec2(load[e], calm * load[e]);
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written {
        param p: [Vec2; 3] [m];
        param k: [Real; 2] [N/m] = [40.0; 2];
        param strength: Real [N] = 5.0;
        param damping: Real [N*s/m] = 0.3;
        param tau: Real [s] = 0.4;
        input gust: [Vec2; 3] [N] = [vec2(0.3, -0.1); 3];
        input calm: Real = 0.5;
        input pull: [Real; 2] in -1.5..=2.0;
        input load: [Real; 2] [N] in -strength..=strength = [0.25; 2];
        coord (x, v): [Vec2; 3] [m];
        state force_of: [Real; 2] [N];
        for i in 0..3 {
            mass x[i] = 0.3kg;
            guess x[i] = p[i];
            force wind on x[i] = (1.0 - calm) * gust[i] - damping * v[i];
        }
        let along_0 = (x[1] - x[0]) / norm(x[1] - x[0]);
        let along_1 = (x[1] - x[2]) / norm(x[1] - x[2]);
        potential = 0.5 * k[0] * sq(norm(x[1] - x[0]) - 0.4m);
        potential = 0.5 * k[1] * sq(norm(x[1] - x[2]) - 0.4m);
        for e in 0..2 {
            der(force_of[e]) = (strength * pull[e] - force_of[e]) / tau;
        }
        force own_0 on x[0] = force_of[0] * along_0;
        force other_0 on x[1] = -force_of[0] * along_0 + 0.1 * (gust[0] - gust[1]);
        force own_1 on x[2] = force_of[1] * along_1;
        force other_1 on x[1] = -force_of[1] * along_1 + 0.1 * (gust[2] - gust[1]);
        force drive_0 on x[2] = vec2(load[0], calm * load[0]);
        force drive_1 on x[0] = vec2(load[1], calm * load[1]);
        output work: [Real; 2] [W] = [
            force_of[0] * dot(along_0, v[0] - v[1]) * sq(pull[0]),
            force_of[1] * dot(along_1, v[2] - v[1]) * sq(pull[1]),
        ];
    }
}

const PLACES: [[f64; 2]; 3] = [[0.0, 0.1], [0.3, 0.0], [0.5, 0.3]];

fn muscles() -> Muscles {
    Muscles::builder().nodes(3).muscles([[0, 1], [2, 1]]).driven([2, 0]).p(PLACES).build().expect("muscles")
}

#[test]
fn inputs_of_members_are_those_written_out() {
    let (muscles, written) = (muscles(), Written::builder().p(PLACES).build().expect("muscles"));
    assert_eq!(
        muscles.layout().u,
        [
            "gust[0].x",
            "gust[0].y",
            "gust[1].x",
            "gust[1].y",
            "gust[2].x",
            "gust[2].y",
            "calm",
            "pull[0]",
            "pull[1]",
            "load[0]",
            "load[1]"
        ]
    );
    alike(&muscles, &written);
    assert_eq!(muscles.units().u, written.units().u);
    let (found, wanted) = (muscles.input_bounds(), written.input_bounds());
    assert!(found.iter::<f64>().eq(wanted.iter::<f64>()));
    assert_eq!(found.of("load[1]").expect("an input"), (-5.0, 5.0));
    let (mut nominal, mut other) = (Vec::new(), <Written as System>::U::zeros(11));
    muscles.nominal(&mut nominal);
    written.nominal(&mut other);
    assert_eq!(nominal, other.as_ref());
    assert_eq!(
        (muscles.gust(&nominal)[2], muscles.calm(&nominal), muscles.load(&nominal)),
        ([0.3, -0.1], &[0.5][..], &[0.25; 2][..])
    );
    muscles.pull_mut(&mut nominal)[1] = 1.5;
    assert_eq!(nominal[8], 1.5);
    let dual = muscles.cast::<Dual<f64>>();
    tangent_of_duals(&muscles, &dual);
}

#[test]
fn runs_with_inputs_of_members_are_those_written_out() {
    let (muscles, written) = (muscles(), Written::builder().p(PLACES).build().expect("muscles"));
    macro_rules! ends {
        ($($method:expr),*) => {$(
            let mut found = Simulation::of(&muscles, $method)
                .input_fn(|now, u| muscles.pull_mut(u)[1] = (3.0 * now.t).sin())
                .fixed(0.01)
                .expect("a start");
            let mut wanted = Simulation::of(&written, $method)
                .input_fn(|now, u| u.set_pull([0.0, (3.0 * now.t).sin()]))
                .fixed(0.01)
                .expect("a start");
            found.advance_to(0.5).expect("steps");
            wanted.advance_to(0.5).expect("steps");
            let (found, wanted) = (found.state(), wanted.state());
            let wanted = wanted.q.as_ref().iter().chain(wanted.z.as_ref());
            for (found, wanted) in found.q.iter().chain(&found.z).zip(wanted) {
                assert!((found - wanted).abs() < 1e-11, "{found} {wanted}");
            }
        )*};
    }
    ends!(DormandPrince, BackwardEuler::default(), GeneralizedAlpha::with_spectral_radius(0.8));
}
