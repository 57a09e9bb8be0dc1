//! `fix x[i];`: members that are held where they start.

use ode_model::integrators::{BackwardEuler, DormandPrince, GeneralizedAlpha};
use ode_model::{System, model};

use crate::alike::alike;

model! {
    /// A net of which some nodes stay where they start, or on a line through there.
    pub struct Net {
        set nodes;
        set springs: (nodes, nodes);
        set wall: nodes;
        set rails: nodes;
        set tops: nodes;
        param p[nodes]: Vec3 [m];
        param lift[nodes]: Real [m];
        param k: Real [N/m] = 20.0;
        param up: Vec3 [m] = vec3(0.0, 0.0, 1.0);
        param n: Vec3 = vec3(0.6, 0.0, 0.8);
        for i in tops {
            // what is said of all members stands behind, and is read as if it were
            fix x[i].z;
            output pull: Vec3 [N] = x[i].reaction;
        }
        coord (x, v)[nodes]: Vec3 [m];
        coord s[nodes]: Real [m];
        for e @ (i, j) in springs {
            potential = k * sq(norm(x[j] - x[i]) - 0.1m);
        }
        for k in nodes {
            let raised = lift[k] / 1.0m;
            let place = p[k] + raised * up;
            mass x[k] = 0.2kg;
            mass s[k] = 0.1kg;
            potential = 2.0N * x[k].z;
            guess x[k] = place;
            guess x[k].y = 2.0 * p[k].y;
        }
        for w @ i in wall {
            fix x[i];
            output load: Vec3 [N] = x[i].reaction;
        }
        for i in rails {
            fix x[i] along n;
            guess s[i] = lift[i];
            fix s[i];
        }
    }
}

model! {
    /// The same without sets.
    #[model(storage = sparse)]
    pub struct Written {
        param p: [Vec3; 4] [m];
        param lift: [Real; 4] [m];
        param k: Real [N/m] = 20.0;
        param up: Vec3 [m] = vec3(0.0, 0.0, 1.0);
        param n: Vec3 = vec3(0.6, 0.0, 0.8);
        coord (x, v): [Vec3; 4] [m];
        coord s: [Real; 4] [m];
        potential = k * sq(norm(x[1] - x[0]) - 0.1m);
        potential = k * sq(norm(x[2] - x[1]) - 0.1m);
        potential = k * sq(norm(x[3] - x[2]) - 0.1m);
        for k in 0..4 {
            mass x[k] = 0.2kg;
            mass s[k] = 0.1kg;
            potential = 2.0N * x[k].z;
            guess x[k] = p[k] + lift[k] / 1.0m * up;
            guess x[k].y = 2.0 * p[k].y;
        }
        fix x[1].z;
        fix x[0];
        fix x[3];
        fix x[2] along n;
        guess s[0] = 0.0;
        guess s[1] = 0.0;
        guess s[2] = lift[2];
        guess s[3] = 0.0;
        fix s[2];
        output pull: Vec3 [N] = x[1].reaction;
        output load_0: Vec3 [N] = x[0].reaction;
        output load_1: Vec3 [N] = x[3].reaction;
    }
}

const PLACES: [[f64; 3]; 4] = [[0.0, 0.1, 0.0], [0.2, 0.0, 0.1], [0.3, 0.2, -0.1], [0.5, 0.1, 0.05]];
const LIFTS: [f64; 4] = [0.1, 0.2, -0.1, 0.05];

fn net() -> Net {
    let net = Net::builder().nodes(4).springs([[0, 1], [1, 2], [2, 3]]);
    net.wall([0, 3]).rails([2]).tops([1]).p(PLACES).lift(LIFTS).build().expect("a net")
}

#[test]
fn held_members_are_held_as_if_written_out() {
    let (net, written) = (net(), Written::builder().p(PLACES).lift(LIFTS).build().expect("a net"));
    assert_eq!(net.layout().constraints, written.layout().constraints);
    assert_eq!(net.layout().multipliers, written.layout().multipliers);
    alike(&net, &written);
    moves_alike!(&net, &written, [
        "backward Euler" BackwardEuler::default(), false;
        "generalised-α" GeneralizedAlpha::with_spectral_radius(0.8), false;
        "Dormand–Prince" DormandPrince, true;
    ]);
}
