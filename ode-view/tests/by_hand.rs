//! Pictures that are written by hand: names and numbers that no `show` item would give.

use std::f64::consts::FRAC_PI_2;

use ode_model::prelude::*;
use ode_model::{At, Figure, Form, Pictured, Rates, Seen};
use ode_view::{Film, View, ViewError};

model! {
    /// Nothing to see but what is written below.
    struct Bare {
        coord x: Real [m];
        kinetic = 0.5kg * sq(der(x));
    }
}
model! {
    /// Another one, with as many numbers.
    struct Other {
        coord x: Real [m];
        kinetic = 0.5kg * sq(der(x));
        show other = line(vec2(x, 0.0), vec2(x, 1.0m));
    }
}
model! {
    struct One {
        coord x: Real [m];
        kinetic = 0.5kg * sq(der(x));
        show one = line(vec2(x, 0.0), vec2(x, 1.0m));
    }
}
model! {
    /// A bolt that grows.
    struct Bolt {
        coord x: Real [m];
        kinetic = 0.5kg * sq(der(x));
        init der(x) = 0.1;
        show bolt = cylinder(vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), 0.1m + x);
        show still = cylinder(vec3(1.0, 0.0, 0.0), vec3(1.0, 0.0, 1.0), 0.1m);
    }
}

/// Figures and numbers of the next picture.
#[derive(Clone, Default)]
struct Picture {
    figures: &'static [Figure<&'static str>],
    numbers: Vec<f64>,
}

thread_local! {
    static PICTURE: std::cell::RefCell<Picture> = std::cell::RefCell::default();
}

impl Pictured for Bare {
    type Picture = Vec<f64>;

    fn figures(&self) -> &[Figure<&str>] {
        PICTURE.with_borrow(|picture| picture.figures)
    }

    fn picture(&self, _: At<'_, Self>, _: Rates<'_, Self>, out: &mut Vec<f64>) {
        PICTURE.with_borrow(|picture| out.clone_from(&picture.numbers));
    }
}

const fn figure(name: &'static str, form: Form<&'static str>, first: usize, len: usize) -> Figure<&'static str> {
    Figure::in_space(name, form, first, len)
}

/// A film of pictures at 0 s, 1 s, …
fn film(figures: &[Figure<&'static str>], frames: &[&[f64]]) -> Film {
    let figures: &'static [_] = figures.to_vec().leak();
    PICTURE.set(Picture { figures, numbers: Vec::new() });
    let bare = Bare::default();
    let mut film = Film::of(&bare);
    for (k, numbers) in frames.iter().enumerate() {
        PICTURE.set(Picture { figures, numbers: numbers.to_vec() });
        let mut state = State::neutral(&bare);
        state.t = k as f64;
        film.record(&Seen::of(&bare, &state, bare::U::default()));
    }
    film
}

/// What every kind of file says of a film.
fn refusals(film: &Film) -> Vec<ViewError> {
    let svg = film.svg().text().expect_err("no film");
    #[cfg(feature = "gltf")]
    return vec![svg, film.gltf().bytes().expect_err("no film")];
    #[cfg(not(feature = "gltf"))]
    vec![svg]
}

#[test]
fn another_model_with_as_many_figures_is_refused() {
    let (one, other) = (One::default(), Other::default());
    let mut film = Film::of(&one);
    film.record(&Seen::of(&one, &State::neutral(&one), one::U::default()));
    assert!(film.svg().text().is_ok());
    film.record(&Seen::of(&other, &State::neutral(&other), other::U::default()));
    assert!(matches!(film.table(), Err(ViewError::OtherModel)));
    assert!(refusals(&film).iter().all(|error| matches!(error, ViewError::OtherModel)));
}

#[test]
fn counts_that_are_wrong_are_refused() {
    const LARGE: usize = 3 << 40;
    let cases: [&[Figure<&'static str>]; 6] = [
        &[figure("wrong", Form::Point, usize::MAX - 1, 3)],
        &[figure("wrong", Form::Point, LARGE, 3)],
        &[figure("wrong", Form::Polyline, 0, LARGE)],
        &[figure("right", Form::Point, 0, 3), figure("wrong", Form::Line, 0, 5)],
        &[figure("wrong", Form::Line, 3, 6), figure("right", Form::Point, 0, 3)],
        &[figure("wrong", Form::Point, 4, 3)],
    ];
    for figures in cases {
        let film = film(figures, &[&[0.0; 6], &[0.0; 6]]);
        for error in refusals(&film).into_iter().chain(film.table().err()) {
            assert_eq!(error.to_string(), "figure `wrong` has not the numbers that its form is drawn from");
        }
    }
    for (first, len) in [(usize::MAX - 1, 3), (LARGE, 3), (0, LARGE), (4, 3)] {
        assert_eq!(figure("wrong", Form::Polyline, first, len).numbers(&[0.0; 6]), None);
    }
    assert_eq!(figure("end", Form::Point, 3, 3).numbers(&[0, 1, 2, 3, 4, 5]), Some(&[3, 4, 5][..]));
    // numbers that no figure has are of no consequence
    let one = film(&[figure("right", Form::Point, 1, 3)], &[&[9.0, 1.0, 2.0, 3.0, 9.0]]);
    let table = one.table().expect("a frame");
    assert_eq!(table.rows().collect::<Vec<_>>(), [[0.0, 1.0, 2.0, 3.0]]);
}

#[test]
fn what_grows_is_drawn_so() {
    let bolt = Bolt::default();
    let mut film = Film::of(&bolt);
    let mut run = Simulation::of(&bolt, RungeKutta4).fixed(1e-2).expect("a start");
    run.run(1.0, 0.5, |seen| film.record(seen)).expect("a run");
    let svg = film.svg().view(View { azimuth: 0.0, elevation: 0.5 }).text().expect("a film");
    let line = |name| svg.lines().find(|line| line.contains(&format!("<title>{name}</title>"))).expect("a figure");
    let values = line("bolt").split(" values=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("frames");
    let frames: Vec<Vec<f64>> = values.split(';').map(numbers).collect();
    // its sides, (0, 1) and (6, 7), upright, at 1 m apart upward
    let scale = (frames[0][3] - frames[0][1]).abs() / 0.5_f64.cos();
    for (k, x) in frames.iter().enumerate() {
        let radius = scale * (0.1 + 0.05 * k as f64);
        assert!((x[0] - x[2]).abs() < 0.11 && ((x[0] - x[14]).abs() - 2.0 * radius).abs() < 0.3, "{k}: {x:?}");
        // the nearest and the farthest point of an end, seen from above: lower and higher than its middle
        let (low, high) = (x[1].max(x[3]), x[1].min(x[3]));
        let deep = radius * 0.5_f64.sin();
        let (lowest, highest) = x.chunks(2).fold((0.0_f64, 1e9_f64), |(l, h), p| (l.max(p[1]), h.min(p[1])));
        assert!((lowest - low - deep).abs() < 0.3 && (high - highest - deep).abs() < 0.3, "{k}: {x:?}");
    }
    assert!(!line("still").contains("<animate"));
    // from its end it is a disc, and the picture has room for the thickest
    let end = film.svg().view(View { azimuth: -FRAC_PI_2, elevation: FRAC_PI_2 }).text().expect("a film");
    let x = path(&end);
    let [left, right] = [x[0].min(x[14]), x[0].max(x[14])];
    assert!((right - left) > 20.0 && (x[1] - x[3]).abs() < 0.11 && !end.contains("NaN"), "{x:?}");
    let last = end.split(" values=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("frames");
    let last = numbers(last.split(';').next_back().expect("a frame"));
    assert!(last.chunks(2).all(|p| p[0] > 23.0 && p[0] < 640.0 - 23.0), "{last:?}");
    const FLAT: &[Figure<&str>] = &[figure("flat", Form::Cylinder, 0, 7)];
    let flat = self::film(FLAT, &[&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]]).svg().text().expect("a picture");
    assert!(path(&flat).len() == 70 && !flat.contains("NaN"), "{flat}");
}

/// The numbers of the first path.
fn path(svg: &str) -> Vec<f64> {
    numbers(svg.split(" d=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a path"))
}

fn numbers(data: &str) -> Vec<f64> {
    let numbers = data.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).filter(|text| !text.is_empty());
    numbers.map(|text| text.parse().expect("a number")).collect()
}

#[test]
fn circles_are_round() {
    const ROUND: &[Figure<&str>] =
        &[Figure::in_plane("round", Form::Circle { turns: false }, 0, 3), Figure::in_plane("wide", Form::Line, 3, 4)];
    for radius in (1..200).map(|k| 0.0123 * f64::from(k)) {
        let svg = film(ROUND, &[&[0.0, 0.0, radius, -3.0, 0.0, 3.0, 0.0]]).svg().text().expect("a picture");
        // M x y, a r r 0 1 0 across 0, and back
        let x = path(&svg);
        assert!((x[7] - 2.0 * x[2]).abs() < 1e-9 && x[2] == x[3] && x[14] == -x[7], "{radius}: {x:?}");
    }
    // from above, the z axis leaning: an ellipse
    let lean = 0.8_f64;
    let wheel = [0.0, 0.0, 0.0, (0.5 * lean).cos(), (0.5 * lean).sin(), 0.0, 0.0, 0.5];
    let above = View { azimuth: -FRAC_PI_2, elevation: FRAC_PI_2 };
    let svg = film(POSE, &[&wheel]).svg().view(above).text().expect("a picture");
    let x = path(&svg);
    let (x, spoke) = x.split_at(22);
    assert_eq!(spoke[2..], x[..2], "the spoke ends on the rim");
    let at = |k: usize| [x[2 * k] - spoke[0], x[2 * k + 1] - spoke[1]];
    let radius = at(0)[0];
    let mut begin = (at(0), at(1));
    for (handle, end) in [(2, 3), (4, 5), (7, 8), (9, 10)].map(|(handle, end)| (at(handle), at(end))) {
        for t in (0..=10).map(|k| 0.1 * f64::from(k)) {
            let weights = [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
            let [x, y] = [0, 1].map(|i| {
                [begin.0[i], begin.1[i], handle[i], end[i]].iter().zip(weights).map(|(p, w)| p * w).sum::<f64>()
            });
            assert!((x.hypot(y / lean.cos()) - radius).abs() < 0.3, "{x} {y} is not on the ellipse of {radius}");
        }
        begin = (end, [2.0 * end[0] - handle[0], 2.0 * end[1] - handle[1]]);
    }
    // it fills the width but for the margin
    assert!((radius - (320.0 - 24.0)).abs() < 0.2, "{radius}");
}

const POSE: &[Figure<&str>] = &[figure("wheel", Form::Disc { turns: true }, 0, 8)];

#[test]
fn a_pose_is_turned_by_a_rotation() {
    let turned = |q: [f64; 4]| film(POSE, &[&[[0.0; 3].as_slice(), &q, &[0.5]].concat()]);
    for (q, length) in [([2.0, 0.0, 0.0, 0.0], "2"), ([0.0; 4], "0"), ([0.0, 0.0, 0.0, -0.5], "0.5")] {
        for error in refusals(&turned(q)) {
            assert_eq!(
                error.to_string(),
                format!("`wheel` has a direction of length {length} at t = 0, not of length 1")
            );
        }
    }
    assert!(turned([0.0, 0.6, 0.8, 0.0]).svg().text().is_ok());
    const FLAT: &[Figure<&str>] = &[Figure::in_plane("flat", Form::Box, 0, 6)];
    let flat = film(FLAT, &[&[0.0, 0.0, 0.0, 0.0, 1.0, 1.0]]);
    assert!(refusals(&flat).iter().all(|error| matches!(error, ViewError::NotUnit { .. })));
    assert!(film(FLAT, &[&[0.0, 0.0, 0.6, 0.8, 1.0, 1.0]]).svg().text().is_ok());
}

#[test]
fn what_has_no_place_in_single_precision_is_refused() {
    const POINTS: &[Figure<&str>] = &[figure("here", Form::Point, 0, 3), figure("there", Form::Point, 3, 3)];
    let large = film(POINTS, &[&[0.0; 6], &[0.0, 0.0, 0.0, 0.0, -1e39, 0.0]]);
    for error in refusals(&large) {
        assert_eq!(error.to_string(), "`there` cannot be drawn at t = 1: -1e39 is larger than 1e30");
    }
    // the largest numbers that there can be have pictures
    let most = film(POINTS, &[&[-1e30; 6], &[1e30; 6]]);
    let svg = most.svg().text().expect("a film");
    assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.len() < 10_000, "{svg}");
    assert!(matches!(most.svg().speed(1e-40).text(), Err(ViewError::Invalid { value: 1e40, .. })));
    // what moves by less than round-off stands still
    let still = film(POINTS, &[&[1.0; 6], &[1.0, 1.0, 1.0 + 1e-15, 1.0, 1.0, 1.0]]).svg().text().expect("a film");
    assert!(!still.contains("attributeName=\"d\"") && !still.contains("NaN"), "{still}");
    let least = film(POINTS, &[&[0.0; 6], &[0.0, 0.0, 0.0, 0.0, 1e-310, 0.0]]).svg().text().expect("a film");
    assert!(!least.contains("NaN") && !least.contains("inf"), "{least}");
}

#[test]
fn names_may_have_any_letters() {
    const NAMES: &[Figure<&str>] =
        &[figure("a<b & \"c\"", Form::Point, 0, 3), figure("<&\u{1}>", Form::Text("<m> & \"s\""), 0, 4)];
    let named = film(NAMES, &[&[0.0, 0.0, 0.0, 2.0], &[1.0, 0.0, 0.0, 3.0]]);
    let svg = named.svg().trace("a<b & \"c\"").expect("a figure").text().expect("a film");
    assert!(svg.contains("<title>a&lt;b &amp; &quot;c&quot;</title>"), "{svg}");
    assert!(svg.contains(">&lt;&amp;\u{fffd}&gt; = 2.00 &lt;m&gt; &amp; &quot;s&quot;<"), "{svg}");
    // nothing else begins with these, and nothing is left of what may not stand in a file
    let begins = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '/');
    assert!(svg.split('<').skip(1).all(begins) && !svg.contains('\u{1}'));
    assert!(
        svg.split('&').skip(1).all(|rest| ["amp;", "lt;", "gt;", "quot;"].iter().any(|name| rest.starts_with(name)))
    );
}

#[cfg(feature = "gltf")]
#[test]
fn a_gltf_film_has_unit_quaternions_and_finite_numbers() {
    // as far from unit length as a run in single precision may be
    let q = |angle: f64, by: f64| [by * angle.cos(), 0.0, by * angle.sin(), 0.0];
    let frame = |q: [f64; 4], far: f64| [[far; 3].as_slice(), &q, &[far]].concat();
    let (first, second) = (frame(q(0.1, 1.0 + 1e-4), 1e30), frame(q(0.5, 1.0 - 1e-4), -1e30));
    let file = film(POSE, &[&first, &second]).gltf().bytes().expect("a film");
    let read = gltf::Gltf::from_slice(&file).expect("a valid file");
    let bytes = read.blob.as_deref().expect("numbers");
    for node in read.nodes() {
        let (translation, rotation, scale) = node.transform().decomposed();
        let length = rotation.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-6, "{rotation:?}");
        assert!(translation.iter().chain(&scale).all(|x| x.is_finite()));
    }
    let mut seen = 0;
    for channel in read.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
        match channel.reader(|_| Some(bytes)).read_outputs().expect("values") {
            gltf::animation::util::ReadOutputs::Rotations(all) => all.into_f32().for_each(|q| {
                let length = q.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
                assert!((length - 1.0).abs() < 1e-6, "{q:?}");
                seen += 1;
            }),
            gltf::animation::util::ReadOutputs::Translations(all) | gltf::animation::util::ReadOutputs::Scales(all) => {
                all.for_each(|row| assert!(row.iter().all(|x| x.is_finite()), "{row:?}"));
            }
            gltf::animation::util::ReadOutputs::MorphTargetWeights(_) => panic!("no morphs"),
        }
    }
    assert!(seen >= 2);
}

#[test]
fn members_of_a_set_have_one_color() {
    let names = ["rod[0]", "rod[1]", "bob", "rod[2]", "rod", "drops[0].round", "drops[0].half"];
    let figures: Vec<_> = (0..).zip(names).map(|(k, name)| figure(name, Form::Point, 3 * k, 3)).collect();
    let svg = film(&figures, &[&[0.5; 21]]).svg().text().expect("a film");
    let color = |name: &str| {
        let line = svg.lines().find(|line| line.contains(&format!("<title>{name}</title>"))).expect("a figure");
        line.split("stroke=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a color").to_owned()
    };
    let [first, second, bob, third, alone, round, half] = names.map(color);
    assert_eq!([&second, &third, &alone], [&first; 3]);
    assert_ne!(bob, first);
    assert_ne!(round, half);
}
