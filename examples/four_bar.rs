//! A parallelogram linkage in maximal coordinates with one row too many: refused by name, run when the row is marked or
//! may yield.

use ode_model::analysis::Redundancy;
use ode_model::prelude::*;
use ode_view::{Film, Plot};

mod gallery;

macro_rules! linkage {
    ($name:ident $($soft:tt)*) => {
        model! {
            /// Two cranks and a coupler; the hinges alone keep the coupler level.
            pub struct $name {
                param m: Real [kg] = 1.0;
                param g: Real [m/s^2] = 9.81;
                param: Real [m] { l = 0.4; d = 1.0; }
                coord a, b, c: Vec2 [m];
                coord ta, tb, tc: Angle;
                let crank = frame2(a, ta);
                let coupler = frame2(b, tb);
                let rocker = frame2(c, tc);
                body k1 on crank { mass: m, inertia: m * sq(l) / 12.0 }
                body k2 on coupler { mass: m, inertia: m * sq(d) / 12.0 }
                body k3 on rocker { mass: m, inertia: m * sq(l) / 12.0 }
                gravity = vec2(0.0, -g);
                let half = vec2(0.5 * l, 0.0);
                let arm = vec2(0.5 * d, 0.0);
                constraint base: crank.at(-half) == vec2(0.0, 0.0);
                constraint joint: crank.at(half) == coupler.at(-arm);
                constraint elbow: coupler.at(arm) == rocker.at(half);
                constraint pivot: rocker.at(-half) == vec2(d, 0.0);
                constraint level: tb == 0.0 $($soft)*;
                show ground = line(vec2(0.0, 0.0), vec2(d, 0.0)) with { color: silver };
                show crank = line(crank.at(-half), crank.at(half));
                show coupler = line(coupler.at(-arm), coupler.at(arm));
                show rocker = line(rocker.at(-half), rocker.at(half));
                init ta = 1.0;
                guess tb = 0.0;
                guess tc = 1.0;
                guess a = 0.5 * l * vec2(cos(1.0), sin(1.0));
                guess b = l * vec2(cos(1.0), sin(1.0)) + arm;
                guess c = vec2(d, 0.0) + 0.5 * l * vec2(cos(1.0), sin(1.0));
            }
        }
    };
}
linkage!(Rigid);
linkage!(Soft with { compliance: 1.0e-8 });
linkage!(Marked with { redundant });

model! {
    /// The same in one angle.
    pub struct Minimal {
        param m: Real [kg] = 1.0;
        param g: Real [m/s^2] = 9.81;
        param l: Real [m] = 0.4;
        coord th: Angle;
        kinetic = 0.5 * (2.0 / 3.0 + 1.0) * m * sq(l * der(th));
        potential = 2.0 * m * g * l * sin(th);
        init th = 1.0;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let refused =
        Simulation::of(&Rigid::default(), Geodesic).fixed(1e-3).err().ok_or("redundant rows were accepted")?;
    println!("{refused}");
    assert!(matches!(refused.cause, Cause::Dependent { rank: 8, of: 9, .. }));

    let marked = Marked::default();
    let mut run = Simulation::of(&marked, Geodesic).fixed(1e-3)?;
    let (mut film, mut table) = (Film::of(&marked), Table::of(&marked));
    run.run(1.0, 1.0 / 60.0, |seen| {
        film.record(seen);
        table.record(seen);
    })?;
    film.svg().speed(0.25).write(gallery::file("four_bar.svg"))?;
    Plot::over_time(&table, &["ta", "tb"])?.write(gallery::file("four_bar_angles.svg"))?;
    let share = Redundancy::at(&marked, run.state())?;
    println!("rank {} of {}; not unique: {}", share.rank, share.rows, share.names(&marked).join(", "));
    assert_eq!((share.rank, share.rows), (8, 9));
    let rigid = run.state().q.ta();

    let (soft, minimal) = (Soft::default(), Minimal::default());
    let mut run = Simulation::of(&soft, GeneralizedAlpha::with_spectral_radius(0.8)).fixed(1e-3)?;
    let mut exact = Simulation::of(&minimal, Geodesic).adaptive(1e-10)?;
    run.advance_to(1.0)?;
    exact.advance_to(1.0)?;
    println!("crank at {:.6}, in one angle {:.6}", run.state().q.ta(), exact.state().q.th());
    assert!((run.state().q.ta() - exact.state().q.th()).abs() < 1e-4);
    assert!((rigid - exact.state().q.th()).abs() < 1e-8);
    assert!(run.state().q.tb().abs() < 1e-6 && (run.state().q.tc() - run.state().q.ta()).abs() < 1e-6);
    Ok(())
}
