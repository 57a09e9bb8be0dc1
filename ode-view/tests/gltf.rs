//! Films as glTF, read back by another crate.

#![cfg(feature = "gltf")]

use std::f64::consts::FRAC_1_SQRT_2;

use ode_model::Seen;
use ode_model::prelude::*;
use ode_view::{Film, ViewError};

model! {
    /// A heavy top, drawn with every form of space.
    struct Top {
        param m: Real [kg] = 1.0;
        param l: Real [m] = 0.4;
        param g: Real [m/s^2] = 9.81;
        coord (q, w): SO3;
        let b = frame(vec3(0.0, 0.0, 0.0), q);
        let tip = b.at(vec3(0.0, 0.0, l));
        body top on b { mass: m, inertia: diag(0.02, 0.02, 0.01), com: vec3(0.0, 0.0, 0.5 * l) }
        gravity = vec3(0.0, 0.0, -g);
        show foot = point(vec3(0.0, 0.0, 0.0));
        show axle = cylinder(vec3(0.0, 0.0, 0.0), tip, 0.02);
        show wheel = disc(frame(tip, q), 0.2) with { color: red };
        show ring = circle(frame(tip, q), 0.25);
        show cage = box(frame(tip, q), vec3(0.1, 0.2, 0.3));
        show ball = sphere(tip, 0.05);
        show part = mesh("wheel.glb", frame(tip, q));
        show spin = arrow(tip, b.vec(vec3(0.0, 0.0, 0.2m)));
        show path = polyline(vec3(0.0, 0.0, 0.0), 0.5 * tip, tip);
        show sheet = polygon(vec3(0.0, 0.0, 0.0), vec3(0.1, 0.0, 0.0), tip);
        show string = spring(vec3(0.0, 0.0, 1.0), tip);
        show turns = text(tip, w.z);
        init q = rot_x(0.5);
        init w = vec3(0.3, 0.0, 40.0);
    }
}
model! {
    /// A wheel of the plane.
    struct Wheel {
        coord th: Angle;
        kinetic = 0.5 * sq(der(th));
        show wheel = disc(frame2(vec2(1.0, 2.0), th), 0.5);
        show block = box(frame2(vec2(0.0, 0.0), 2.0 * th), vec2(0.4, 0.2));
        init der(th) = 3.0;
    }
}
model! {
    /// A plate, whose moments of inertia add up but for round-off.
    #[model(show)]
    struct Plate {
        param a: Real [kg*m^2] = 0.3;
        param b: Real [kg*m^2] = 0.6;
        param c: Real [kg*m^2] = 0.9;
        coord (q, w): SO3;
        body plate on frame(vec3(0.0, 0.0, 0.0), q) { mass: 1.0kg, inertia: diag(a, b, c) }
        body other on frame(vec3(1.0m, 0.0, 0.0), q) { mass: 1.0kg, inertia: diag(0.3, 0.6, 0.9) }
        init w = vec3(0.0, 0.0, 1.0);
    }
}

/// The values of a channel, and its times.
fn channel(
    document: &gltf::Document,
    bytes: &[u8],
    name: &str,
    what: gltf::animation::Property,
) -> (Vec<f32>, Vec<Vec<f32>>) {
    let mut channels = document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>());
    let wanted =
        |c: &gltf::animation::Channel<'_>| c.target().node().name() == Some(name) && c.target().property() == what;
    let channel = channels.find(wanted).expect("a channel");
    let reader = channel.reader(|_| Some(bytes));
    let times = reader.read_inputs().expect("times").collect();
    let values = match reader.read_outputs().expect("values") {
        gltf::animation::util::ReadOutputs::Translations(all) => all.map(|v| v.to_vec()).collect(),
        gltf::animation::util::ReadOutputs::Rotations(all) => all.into_f32().map(|v| v.to_vec()).collect(),
        gltf::animation::util::ReadOutputs::Scales(all) => all.map(|v| v.to_vec()).collect(),
        gltf::animation::util::ReadOutputs::MorphTargetWeights(_) => panic!("no morphs"),
    };
    (times, values)
}

#[test]
fn a_top_turns_as_it_ran() {
    let top = Top::default();
    let mut film = Film::of(&top);
    let mut run = Simulation::of(&top, RungeKutta4).fixed(1e-3).expect("a start");
    let mut turns = Vec::new();
    run.run(2.0, 1.0 / 60.0, |x| {
        film.record(x);
        turns.push(x.q.q());
    })
    .expect("a run");
    let file = film.gltf().speed(0.5).bytes().expect("a film");
    // strict: every index, length and bound is checked
    let read = gltf::Gltf::from_slice(&file).expect("a valid file");
    let bytes = read.blob.as_deref().expect("numbers");
    let (times, found) = channel(&read.document, bytes, "cage", gltf::animation::Property::Rotation);
    assert_eq!((times.len(), found.len(), times[0]), (turns.len(), turns.len(), 0.0));
    assert!((times[times.len() - 1] - 4.0).abs() < 1e-6);
    for (found, [w, x, y, z]) in found.iter().zip(&turns) {
        // q and −q are the same
        let sign = if f64::from(found[3]) * w < 0.0 { -1.0 } else { 1.0 };
        for (found, wanted) in found.iter().zip([x, y, z, w]) {
            assert!((f64::from(*found) - sign * wanted).abs() < 1e-6, "{found} is not {wanted}");
        }
    }
    // neighbours never point apart, so that what lies between them is the shorter way
    assert!(found.windows(2).all(|pair| pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum::<f32>() > 0.0));
    // the axle ends where the tip is
    let (_, turns_of_axle) = channel(&read.document, bytes, "axle", gltf::animation::Property::Rotation);
    for (turn, q) in turns_of_axle.iter().zip(&turns) {
        let turn = [turn[3], turn[0], turn[1], turn[2]].map(f64::from);
        let (axis, tip) =
            (ode_model::so3::rotate(&turn, &[0.0, 0.0, 0.4]), ode_model::so3::rotate(q, &[0.0, 0.0, 0.4]));
        assert!(axis.iter().zip(&tip).all(|(a, b)| (a - b).abs() < 1e-6), "{axis:?} is not {tip:?}");
    }
    let names: Vec<&str> = read.nodes().filter_map(|node| node.name()).collect();
    for figure in film.names().chain(["model"]) {
        assert!(names.contains(&figure), "{figure}");
    }
    // z points upward
    let root = read.nodes().find(|node| node.name() == Some("model")).expect("a root");
    let (_, rotation, _) = root.transform().decomposed();
    assert!((f64::from(rotation[0]) + FRAC_1_SQRT_2).abs() < 1e-6);
    let part = read.nodes().find(|node| node.name() == Some("part")).expect("a place");
    assert!(part.extras().as_ref().is_some_and(|extras| extras.get().contains("wheel.glb")));
}

#[test]
fn a_film_of_the_plane_stands_upright() {
    let wheel = Wheel::default();
    let mut film = Film::of(&wheel);
    let mut run = Simulation::of(&wheel, RungeKutta4).fixed(1e-3).expect("a start");
    run.run(1.0, 0.1, |seen| film.record(seen)).expect("a run");
    let file = film.gltf().bytes().expect("a film");
    let read = gltf::Gltf::from_slice(&file).expect("a valid file");
    let bytes = read.blob.as_deref().expect("numbers");
    let (_, turns) = channel(&read.document, bytes, "wheel", gltf::animation::Property::Rotation);
    let [.., last] = turns.as_slice() else { panic!("frames") };
    assert!((last[2] - 1.5_f32.sin()).abs() < 1e-6 && (last[3] - 1.5_f32.cos()).abs() < 1e-6, "{last:?}");
    // times go up, also where two frames have one time
    run.run(2.0, 0.5, |seen| film.record(seen)).expect("a run");
    let file = film.gltf().speed(1e4).bytes().expect("a film");
    let read = gltf::Gltf::from_slice(&file).expect("a valid file");
    let bytes = read.blob.as_deref().expect("numbers");
    let (times, _) = channel(&read.document, bytes, "wheel", gltf::animation::Property::Rotation);
    assert_eq!(times.len(), film.len());
    assert!(times[0] == 0.0 && times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    // one frame stands still
    let mut still = Film::of(&wheel);
    still.record(&run.now());
    let read = gltf::Gltf::from_slice(&still.gltf().bytes().expect("a picture")).expect("a valid file");
    assert_eq!(read.animations().count(), 0);
}

#[test]
fn a_plate_is_as_thick_as_nothing() {
    let plate = Plate::default();
    let mut film = Film::of(&plate);
    film.record(&Seen::of(&plate, &State::neutral(&plate), plate::U::default()));
    let table = film.table().expect("frames");
    for (edge, wanted) in ["plate[7]", "plate[8]", "plate[9]", "other[7]", "other[8]", "other[9]"]
        .into_iter()
        .zip([7.2_f64.sqrt(), 3.6_f64.sqrt(), 0.0].repeat(2))
    {
        let found = table.column(edge).expect("a column").next().expect("a frame");
        assert!((found - wanted).abs() < 1e-7, "{edge}: {found} is not {wanted}");
    }
}

#[test]
fn what_cannot_be_shown_is_named() {
    let wheel = Wheel::default();
    let film = Film::of(&wheel);
    assert!(matches!(film.gltf().bytes(), Err(ViewError::Empty { .. })));
    let error = film.gltf().write("film.gltf").expect_err("it is binary").to_string();
    assert_eq!(error, "cannot write `film.gltf`: its name must end with `.glb`");
    let mut film = film;
    film.record(&Seen::of(&wheel, &State::neutral(&wheel), wheel::U::default()));
    assert!(matches!(film.gltf().speed(f64::NAN).bytes(), Err(ViewError::Invalid { .. })));
}
