//! Derivatives of models with subs of members are those of the same models written out.

use ode_model::integrators::*;
use ode_model::prelude::*;
use ode_model::solve::Projection;
use ode_model::{Observable, Optimizable, Pictured, Sensitive, System};

use super::varied::blocks;
use super::{compare, found};

model! {
    /// A warm bob on a rod, whose end is moved.
    #[model(emit(partials))]
    pub struct Bob {
        param m: Real = 0.5;
        param l: Real = 0.4;
        param w: Real = 3.0;
        input drive: Real;
        coord r: Vec2;
        coord s: Real;
        state heat: Real;
        mass s = 0.3;
        kinetic = 0.5 * m * (1.0 + 0.1 * sq(s)) * dot(der(r), der(r));
        potential = 9.81 * m * r.y + 0.5 * sq(r.x - s);
        constraint rod: dot(r, r) == sq(l) * (1.0 + 0.1 * sin(t));
        fix s = 0.1 * l * sin(w * t);
        force push on r.x = drive - 0.1 * heat;
        der(heat) = sq(drive) - heat / w;
        guess r = vec2(0.8 * l, -0.6 * l);
        init heat = 0.2 * m;
        output place: Vec2 = r + vec2(s, 0.0);
        limit low: r.y in -l..=1.0;
        cost effort = sq(drive) + sq(heat);
        residual slow = 0.3 * der(r);
        show string = line(vec2(0.0, 0.0), r);
    }
}

model! {
    /// Bobs joined by springs.
    #[model(emit(partials))]
    pub struct Bobs {
        set bobs: const 3;
        set springs: (bobs, bobs) = [(0, 1), (2, 1)];
        param gain: Real = 0.7;
        param k[springs]: Real = 3.0;
        input push[bobs]: Real = 0.3;
        sub bob[bobs]: Bob with { w: 2.0 * gain };
        for i in bobs {
            bind bob[i].drive = gain * push[i] + 0.2 * bob[i].heat;
            guess bob[i].r = vec2(0.6, -0.8) * gain;
        }
        for e @ (i, j) in springs {
            potential = 0.5 * k[e] * sq(norm(bob[j].place + vec2(0.5, 0.1) - bob[i].place) - 0.3);
            cost apart = sq(bob[i].heat - bob[j].heat);
        }
        for (i, j) in springs {
            residual stretch = bob[i].heat * (bob[j].s - bob[i].s);
        }
    }
}

model! {
    /// The same bobs without sets and subs.
    #[model(emit(partials), storage = sparse)]
    pub struct WrittenBobs {
        param gain: Real = 0.7;
        param k: [Real; 2] = [3.0, 3.0];
        param m: [Real; 3] = [0.5, 0.5, 0.5];
        param l: [Real; 3] = [0.4, 0.4, 0.4];
        input push: [Real; 3] = [0.3, 0.3, 0.3];
        coord r: [Vec2; 3];
        #[allow(zero_start)]
        coord s: [Real; 3];
        state heat: [Real; 3];
        for i in 0..3 {
            let drive = gain * push[i] + 0.2 * heat[i];
            let place[i] = r[i] + vec2(s[i], 0.0);
            mass s[i] = 0.3;
            kinetic = 0.5 * m[i] * (1.0 + 0.1 * sq(s[i])) * dot(der(r[i]), der(r[i]));
            potential = 9.81 * m[i] * r[i].y + 0.5 * sq(r[i].x - s[i]);
            constraint rod: dot(r[i], r[i]) == sq(l[i]) * (1.0 + 0.1 * sin(t));
            constraint held: s[i] == 0.1 * l[i] * sin(2.0 * gain * t);
            force push on r[i].x = drive - 0.1 * heat[i];
            der(heat[i]) = sq(drive) - heat[i] / (2.0 * gain);
            guess r[i] = vec2(0.6, -0.8) * gain;
            init heat[i] = 0.2 * m[i];
            limit low: r[i].y in -l[i]..=1.0;
            residual slow = 0.3 * der(r[i]);
        }
        cost effort = sq(gain * push[0] + 0.2 * heat[0]) + sq(heat[0])
            + sq(gain * push[1] + 0.2 * heat[1]) + sq(heat[1])
            + sq(gain * push[2] + 0.2 * heat[2]) + sq(heat[2]);
        potential = 0.5 * k[0] * sq(norm(place[1] + vec2(0.5, 0.1) - place[0]) - 0.3)
            + 0.5 * k[1] * sq(norm(place[1] + vec2(0.5, 0.1) - place[2]) - 0.3);
        cost apart = sq(heat[0] - heat[1]) + sq(heat[2] - heat[1]);
        residual stretch_0 = heat[0] * (s[1] - s[0]);
        residual stretch_1 = heat[2] * (s[1] - s[2]);
    }
}

#[test]
fn derivatives_of_subs_of_members_are_those_written_out() {
    let (sets, written) = (Bobs::builder().build().expect("bobs"), WrittenBobs::default());
    compare("bobs", &blocks(&written), &blocks(&sets));
    assert_eq!(sets.limit_bounds().names, ["bob[0].low", "bob[1].low", "bob[2].low"]);
    assert_eq!(sets.cost_names(), ["bob.effort", "apart"]);
    assert_eq!(sets.square_names()[..3], ["bob[0].slow", "bob[0].slow", "bob[1].slow"]);
    let layout = sets.layout();
    assert_eq!(layout.constraints[2..4], ["bob[1].rod", "fix bob[1].s"]);
    assert_eq!(layout.multipliers[2..4], ["bob[1].rod.lambda", "fix_bob_1_s.lambda"]);
    assert_eq!(sets.figures().iter().map(|figure| figure.name).collect::<Vec<_>>()[1], "bob[1].string");
}

#[test]
fn steps_and_runs_with_subs_vary_as_those_written_out() {
    let (sets, written) = (Bobs::builder().build().expect("bobs"), WrittenBobs::default());
    macro_rules! each {
        ($($method:expr, $how:expr;)*) => {$(
            compare(stringify!($method), &found(&written, $method, $how), &found(&sets, $method, $how));
        )*};
    }
    each! {
        RungeKutta4, Some(Projection::to(1e-12));
        BackwardEuler::default(), None;
        GeneralizedAlpha::with_spectral_radius(0.8), None;
    }
}
