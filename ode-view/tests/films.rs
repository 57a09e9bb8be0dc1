//! Films of models, as SVG.

use std::f64::consts::FRAC_PI_2;

use ode_model::Seen;
use ode_model::prelude::*;
use ode_view::{Film, Plot, View, ViewError};

model! {
    /// A pendulum that is driven at its hinge.
    struct Swing {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 0.7;
        param g: Real [m/s^2] = 9.81;
        param newtons: Real [N/m] = 20.0;
        coord th: Angle;
        coord x: Real [m];
        input push: Real [N] = 3.0;
        let hinge = vec2(x, 0.0);
        let tip = hinge + l * vec2(sin(th), -cos(th));
        kinetic = 0.5 * m * der(tip).dot(der(tip)) + 0.5 * m * sq(der(x));
        potential = m * g * tip.y + 10.0N/1.0m * 0.5 * sq(x);
        force push on x = push;
        output load: Real [N] = push;
        show spring = spring(vec2(-1.0, 0.0), hinge);
        show slide = box(frame2(hinge, 0.0), vec2(0.2, 0.1));
        show rod = line(hinge, tip);
        show bob = disc(frame2(tip, th), 0.08) with { color: crimson };
        show pull = arrow(hinge, vec2(push / newtons, 0.0));
        show load = text(tip, load);
        init th = 1.2;
        guess x = 0.0;
    }
}

model! {
    /// A top, drawn with every form of space.
    struct Solids {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 0.4;
        coord (q, w): SO3;
        let b = frame(vec3(0.0, 0.0, 0.0), q);
        let tip = b.at(vec3(0.0, 0.0, l));
        body top on b { mass: m, inertia: diag(0.02, 0.02, 0.01), com: vec3(0.0, 0.0, 0.5 * l) }
        show foot = point(vec3(0.0, 0.0, 0.0));
        show axle = cylinder(vec3(0.0, 0.0, 0.0), tip, 0.02);
        show wheel = disc(frame(tip, q), 0.2);
        show cage = box(frame(tip, q), vec3(0.1, 0.1, 0.1));
        show ball = sphere(tip, 0.05);
        show part = mesh("wheel.glb", frame(tip, q));
        show spin = arrow(tip, b.vec(vec3(0.0, 0.0, 0.2m)));
        show turns = text(tip, w.z);
        init q = rot_x(0.5);
        init w = vec3(0.3, 0.0, 8.0);
    }
}

const FRAMES: usize = 150;

fn filmed() -> Film {
    let swing = Swing::default();
    let mut film = Film::of(&swing);
    let mut run = Simulation::of(&swing, DormandPrince8).adaptive(1e-8).expect("a start");
    run.run(5.0, 5.0 / FRAMES as f64, |seen| film.record(seen)).expect("a run");
    film
}

/// The path of a figure, and its values if it moves.
fn path<'a>(svg: &'a str, name: &str) -> (&'a str, Vec<&'a str>) {
    let title = format!("<title>{name}</title>");
    let line = svg.lines().find(|line| line.contains(&title)).expect("a figure");
    let part = |before: &str| line.split(before).nth(1).and_then(|rest| rest.split('"').next());
    (part("d=\"").expect("a path"), part("values=\"").map_or(Vec::new(), |list| list.split(';').collect()))
}

/// The numbers of path data.
fn numbers(data: &str) -> Vec<f64> {
    let numbers = data.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).filter(|text| !text.is_empty());
    numbers.map(|text| text.parse().expect("a number")).collect()
}

#[test]
fn a_film_moves_its_figures_as_the_model_moves() {
    let film = filmed();
    assert_eq!(film.len(), FRAMES + 1);
    let svg = film.svg().trace("bob").expect("a figure").text().expect("a film");
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    assert!(svg.contains("dur=\"5s\" repeatCount=\"indefinite\"") && !svg.contains("keyTimes=\"0;0.00"));
    let swing = Swing::default();
    let mut run = Simulation::of(&swing, DormandPrince8).adaptive(1e-8).expect("a start");
    let (_, rods) = path(&svg, "rod");
    let (first, _) = path(&svg, "rod");
    assert_eq!((rods.len(), rods[0]), (FRAMES + 1, first));
    // one scale and one origin for all frames, y upward: found from the first, and the length of the rod in all others
    let scale = {
        let p = numbers(rods[0]);
        (p[2] - p[0]).hypot(p[3] - p[1]) / swing.l
    };
    let origin = { numbers(rods[0])[0] - scale * run.state().q.x() };
    for (k, rod) in rods.iter().enumerate().skip(1).step_by(30) {
        run.advance_to(5.0 / FRAMES as f64 * k as f64).expect("steps");
        let (p, q) = (numbers(rod), &run.state().q);
        for (found, wanted) in [
            (p[0], origin + scale * q.x()),
            (p[2] - p[0], scale * swing.l * q.th().sin()),
            (p[3] - p[1], scale * swing.l * q.th().cos()),
        ] {
            assert!((found - wanted).abs() < 0.4, "frame {k}: {found} is not {wanted}");
        }
    }
    // a figure that stands still has no animation: the arrow is as long as the constant force
    assert!(!path(&svg, "bob").1.is_empty() && svg.contains("#dc143c"));
    assert!(svg.contains("load = 3.00 ") && svg.contains("t = 0.00 s") && svg.contains("0.2 m</text>"));
}

#[test]
fn a_film_in_space_has_lines_for_every_form() {
    let solids = Solids::default();
    let mut film = Film::of(&solids);
    let mut run = Simulation::of(&solids, RungeKutta4).fixed(1e-3).expect("a start");
    run.run(0.5, 1.0 / 30.0, |seen| film.record(seen)).expect("a run");
    let svg = film.svg().speed(0.5).text().expect("a film");
    assert!(svg.contains("dur=\"1s\"") && svg.contains("0.5× as fast"));
    let slow = film.svg().speed(1.0 / 300.0).text().expect("a film");
    assert!(slow.contains(" s, 0.00333× as fast"));
    for (name, count) in
        [("foot", 16), ("axle", 70), ("wheel", 26), ("cage", 32), ("ball", 16), ("part", 12), ("spin", 10)]
    {
        assert_eq!(numbers(path(&svg, name).0).len(), count, "{name}: {}", path(&svg, name).0);
    }
    assert!(path(&svg, "foot").1.is_empty() && path(&svg, "axle").1.len() == film.len());
    // from above, the axle leans along −y, and z is not seen
    let above = film.svg().view(View { azimuth: -FRAC_PI_2, elevation: FRAC_PI_2 }).text().expect("a film");
    let axle = numbers(path(&above, "axle").0);
    assert!((axle[2] - axle[0]).abs() < 0.11 && axle[3] > axle[1] + 10.0, "{axle:?}");
}

#[test]
fn uneven_frames_keep_their_times() {
    let swing = Swing::default();
    let mut film = Film::of(&swing);
    let mut run = Simulation::of(&swing, DormandPrince8).adaptive(1e-8).expect("a start");
    for t in [0.0, 0.1, 0.4, 1.0] {
        run.advance_to(t).expect("steps");
        film.record(&run.now());
    }
    let svg = film.svg().text().expect("a film");
    assert!(svg.contains("keyTimes=\"0;0.1;0.4;1\" dur=\"1s\""), "{svg}");
    // two states at one time, as at an event
    let mut jump = Film::of(&swing);
    jump.record(&run.now());
    let mut after = run.state().clone();
    after.q.set_th(0.0);
    jump.record(&Seen::of(&swing, &after, swing::U::default()));
    let svg = jump.svg().text().expect("a film");
    assert!(svg.contains("<animate") && !svg.contains("NaN"), "{svg}");
    // one frame is a picture
    let mut still = Film::of(&swing);
    still.record(&run.now());
    let svg = still.svg().text().expect("a picture");
    assert!(!svg.contains("<animate") && svg.contains("t = 1.00 s"), "{svg}");
}

#[test]
fn what_cannot_be_shown_is_named() {
    let (swing, solids) = (Swing::default(), Solids::default());
    let u = swing::U::default();
    let film = filmed();
    let mut broken = State::neutral(&swing);
    broken.q.set_th(f64::NAN);
    broken.t = 6.0;
    let mut torn = film.clone();
    torn.record(&Seen::of(&swing, &broken, u));
    assert_eq!(torn.svg().text().expect_err("not a number").to_string(), "`rod` has no finite number at t = 6");
    let mut mixed = film.clone();
    mixed.record(&Seen::of(&solids, &State::neutral(&solids), solids::U::default()));
    assert!(matches!(mixed.svg().text(), Err(ViewError::OtherModel)));
    let error = film.svg().trace("bop").expect_err("no such figure");
    assert_eq!(error.to_string(), "there is no figure `bop`; did you mean `bob`?");
    assert_eq!(Film::of(&swing).svg().text().expect_err("no frames").to_string(), "the film is empty");
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = film.svg().speed(speed).text().expect_err("no such speed");
        assert_eq!(error.to_string(), format!("the speed of a film cannot be {speed}"));
    }
    for width in [40.0, f64::NAN, f64::INFINITY] {
        let error = film.svg().width(width).text().expect_err("no room");
        assert_eq!(error.to_string(), format!("the width of a film cannot be {width}"));
    }
    let nowhere = View { azimuth: f64::NAN, ..View::default() };
    assert!(matches!(film.svg().view(nowhere).text(), Err(ViewError::Invalid { .. })));
    // a film plays forward
    let mut again = film.clone();
    again.record(&Seen::of(&swing, &State::neutral(&swing), u));
    assert_eq!(again.svg().text().expect_err("back at 0").to_string(), "the time of the next frame cannot be 0");
    assert!(matches!(mixed.table(), Err(ViewError::OtherModel)));
    let path = std::env::temp_dir().join(format!("ode-view-films-{}", std::process::id()));
    std::fs::write(&path, "a file").expect("a file");
    assert!(matches!(film.svg().write(path.join("film.svg")), Err(ViewError::File { .. })));
    let error = film.svg().write("film.gif").expect_err("no such film");
    assert_eq!(error.to_string(), "cannot write `film.gif`: its name must end with `.svg`");
    std::fs::remove_file(path).expect("the file");
}

#[test]
fn axes_have_the_units_of_a_recording() {
    let mut table = Table::of(&Swing::default());
    let swing = Swing::default();
    let mut run = Simulation::of(&swing, DormandPrince8).adaptive(1e-8).expect("a start");
    run.run(1.0, 0.1, |seen| table.record(seen)).expect("a run");
    let plot = |columns: &[&str]| Plot::over_time(&table, columns).and_then(|plot| plot.svg()).expect("a plot");
    let has = |svg: &str, texts: &[&str]| texts.iter().all(|text| svg.contains(&format!("\n{text}\n")));
    assert!(has(&plot(&["th"]), &["t [s]", "th [rad]"]));
    assert!(has(&plot(&["energy.kinetic", "energy.potential"]), &["[J]", "energy.kinetic", "energy.potential"]));
    assert!(has(&plot(&["th", "load"]), &["th [rad]", "load [N]"]));
    let phase = Plot::phase(&table, "th", "der(th)").and_then(|plot| plot.svg()).expect("a plot");
    assert!(has(&phase, &["th [rad]", "der(th) [rad/s]"]));
}

#[test]
fn frames_are_a_table_for_whoever_draws() {
    let film = filmed();
    let table = film.table().expect("frames");
    assert_eq!(table.len(), film.len());
    assert_eq!(table.names().take(3).collect::<Vec<_>>(), ["t", "spring[0]", "spring[1]"]);
    let column = |name| -> Vec<f64> { table.column(name).expect("a column").collect() };
    let (x, y) = (column("rod[2]"), column("rod[3]"));
    let (cos, sin) = (column("bob[2]"), column("bob[3]"));
    for k in 0..film.len() {
        // the bob hangs at the end of the rod, turned by its angle
        assert!((column("bob[0]")[k] - x[k]).abs() < 1e-15 && (column("bob[1]")[k] - y[k]).abs() < 1e-15);
        assert!((y[k] + 0.7 * cos[k]).abs() < 1e-15 && (x[k] - column("rod[0]")[k] - 0.7 * sin[k]).abs() < 1e-15);
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_film_is_kept_as_json() {
    let film = filmed();
    let text = serde_json::to_string(&film).expect("JSON");
    let read: Film = serde_json::from_str(&text).expect("a film");
    // a file may say anything
    for (from, to) in [
        ("\"len\":4,", "\"len\":3,"),
        ("\"len\":4}", "\"len\":3}"),
        ("\"Spring\"", "\"Sphere\""),
        ("\"first\":0,", "\"first\":18446744073709551615,"),
        ("\"space\":false", "\"space\":true"),
    ] {
        let broken: Film = serde_json::from_str(&text.replace(from, to)).expect("a film");
        assert!(broken == film || broken.svg().text().is_err(), "{from} as {to}");
    }
    assert_eq!((&read, read.svg().text().ok()), (&film, film.svg().text().ok()));
    // figures may share numbers
    let shared = r#"{"figures":[{"name":"a","form":"Line","space":false,"color":null,"first":0,"len":4},
        {"name":"b","form":"Line","space":false,"color":null,"first":2,"len":4}],
        "times":[0.0],"numbers":[1.0,2.0,3.0,4.0,5.0,6.0],"foreign":false}"#;
    let table = serde_json::from_str::<Film>(shared).expect("a film").table().expect("frames");
    assert_eq!(table.rows().collect::<Vec<_>>(), [[0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 4.0, 5.0, 6.0]]);
    let endless = shared.replace("\"first\":2,\"len\":4", "\"first\":2,\"len\":9000000000000000000");
    assert!(serde_json::from_str::<Film>(&endless).expect("a film").table().is_err());
}
