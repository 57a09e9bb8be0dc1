//! Ten four-bars with a row too many in each, against the same in one angle.

use ode_model::Simulation;
use ode_model::integrators::Geodesic;
use ode_model::prelude::*;
use ode_model::solve::Projection;

macro_rules! four_bars {
    ($(#[$option:meta])? $name:ident { $($cranks:tt)* } { $($loops:tt)* }) => {
        model! {
            $(#[$option])?
            /// IFToMM's N-four-bar with N = 10 in points: a row for the length of each of its 11 cranks and 10
            /// couplers, one redundant row per loop.
            pub struct $name {
                param m: Real [kg] = 1.0;
                param l: Real [m] = 1.0;
                param g: Real [m/s^2] = 9.81;
                coord p: [Vec2; 11] [m];
                for i in 0..11 {
                    kinetic = m * der(p[i]).dot(der(p[i])) / 6.0;
                    potential = 0.5 * m * g * p[i].y;
                    $($cranks)*
                    init p[i].x = i * l;
                    guess p[i].y = l;
                    guess der(p[i].x) = 1.0;
                }
                for i in 0..10 {
                    kinetic = m * (der(p[i]).dot(der(p[i])) + der(p[i]).dot(der(p[i + 1]))
                        + der(p[i + 1]).dot(der(p[i + 1]))) / 6.0;
                    potential = 0.5 * m * g * (p[i].y + p[i + 1].y);
                    $($loops)*
                }
            }
        }
    };
}
four_bars!(FourBars { constraint crank: norm(p[i] - vec2(i * l, 0.0)) == l; } {
    constraint coupler: norm(p[i + 1] - p[i]) == l with { redundant };
    constraint level: p[i].y == p[i + 1].y with { redundant };
});
four_bars!(#[model(no_selftest)] MarkedLevels { constraint crank: norm(p[i] - vec2(i * l, 0.0)) == l; } {
    constraint level: p[i + 1].y - p[i].y == 0.0 with { redundant };
    constraint coupler: norm(p[i + 1] - p[i]) == l;
});
four_bars!(#[model(no_selftest)] MarkedCranks {
    constraint crank: norm(p[i] - vec2(i * l, 0.0)) == l with { redundant };
} {
    constraint level: p[i].y == p[i + 1].y;
    constraint coupler: norm(p[i + 1] - p[i]) == l with { redundant };
});
four_bars!(#[model(no_selftest)] OtherUnits {
    constraint crank: 1.0e3 * norm(p[i] - vec2(i * l, 0.0)) == 1.0e3 * l with { redundant };
} {
    constraint coupler: 1.0e-3 * norm(p[i] - p[i + 1]) == 1.0e-3 * l with { redundant };
    constraint level: 1.0e3 * p[i].y == 1.0e3 * p[i + 1].y with { redundant };
});
model! {
    /// The same in the angle of its cranks.
    pub struct Crank {
        param l: Real [m] = 1.0;
        param m: Real [kg] = 1.0;
        param g: Real [m/s^2] = 9.81;
        coord th: Angle;
        kinetic = 0.5 * (11.0 / 3.0 + 10.0) * m * sq(l * der(th));
        potential = (11.0 / 2.0 + 10.0) * m * g * l * sin(th);
        init th = 1.5707963267948966;
        init der(th) = -1.0;
    }
}

/// The largest difference from the angle of the cranks within this many tenths of a second, and how often they lie
/// flat.
macro_rules! off {
    ($bars:expr, $tenths:expr) => {{
        let (bars, crank) = ($bars, Crank::default());
        let mut run = Simulation::of(&bars, Geodesic).project(Projection::to(1e-11)).adaptive(1e-9).unwrap();
        let mut exact = Simulation::of(&crank, Geodesic).adaptive(1e-12).unwrap();
        let (mut worst, mut flat, mut before) = (0.0_f64, 0, 1.0);
        for k in 1..=$tenths {
            let t = 0.1 * f64::from(k);
            run.advance_to(t).unwrap();
            exact.advance_to(t).unwrap();
            let th = exact.state().q.th();
            for (i, [x, y]) in run.state().q.p().into_iter().enumerate() {
                worst = worst.max((x - i as f64 - th.cos()).abs()).max((y - th.sin()).abs());
            }
            flat += i32::from(before * th.sin() < 0.0);
            before = th.sin();
        }
        println!("{worst:e} {flat} {:?}", run.statistics());
        (worst, flat)
    }};
}

#[test]
fn ten_four_bars_go_through_their_flat_positions() {
    let (worst, flat) = off!(FourBars::default(), 100);
    assert!(flat >= 4 && worst < 1e-7, "{worst:e} after {flat} flat positions");
}

#[test]
fn ten_four_bars_with_their_levels_marked_do_so_too() {
    let (worst, flat) = off!(MarkedLevels::default(), 15);
    assert!(flat >= 1 && worst < 1e-7, "{worst:e} after {flat} flat positions");
}

#[test]
fn ten_four_bars_with_their_cranks_marked_do_so_too() {
    let (worst, flat) = off!(MarkedCranks::default(), 15);
    assert!(flat >= 1 && worst < 1e-7, "{worst:e} after {flat} flat positions");
}

#[test]
fn ten_four_bars_in_other_units_do_so_too() {
    let (worst, flat) = off!(OtherUnits::default(), 15);
    assert!(flat >= 1 && worst < 1e-7, "{worst:e} after {flat} flat positions");
}
