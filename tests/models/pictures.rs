//! What models show: figures, and their numbers at a state.

use ode_model::prelude::*;
use ode_model::{At, Block, Figure, Form, Pictured, Rates};

use crate::{begin, close};

model! {
    /// A pendulum on a sliding block, drawn with every form of the plane.
    pub struct Drawn<T> {
        param m: Real [kg] = 2.0;
        param l: Real [m] = 0.5;
        param k: Real [N/m] = 30.0;
        param newtons: Real [N/m] = 100.0;
        coord x: Real [m];
        coord th: Angle;
        input push: Real [N];
        let hinge = vec2(x, 0.0);
        let tip = hinge + l * vec2(sin(th), -cos(th));
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * m * der(tip).dot(der(tip));
        spring pull on (vec2(-1.0m, 0.0), hinge) { k: k }
        force drive on x = push;
        output load: Real [N] = m * der2(x);
        show pivot = point(hinge);
        show rod = line(hinge, tip) with { color: steelblue };
        show path = polyline(hinge, 0.5 * (hinge + tip), tip);
        show roof = polygon([hinge, tip, vec2(0.0, l)]);
        show coil = spring(vec2(-1.0, 0.0), hinge);
        show ring = circle(tip, 0.1m);
        show bob = disc(frame2(tip, th), 0.05);
        show drive = arrow(hinge, vec2(push / newtons, 0.0));
        show slide = box(frame2(hinge, 0.0), vec2(0.2m, 0.1m)) with { color: red };
        show weight = text(tip, load);
        for i in 0..2 { show dot = point(vec2(i * l, 0.0)); }
        init th = 0.3;
        guess x = 0.0;
    }
}
model! {
    /// A body, a spring and a point, of which nobody says how they look.
    #[model(show)]
    pub struct Plain {
        param m: Real [kg] = 2.0;
        param j: Real [kg*m^2] = 0.09;
        coord r: Vec2 [m];
        coord th: Angle;
        coord p: Vec2 [m];
        body plate on frame2(r, th) { mass: m, inertia: j }
        body dot on frame2(p, 0.0) { mass: m, inertia: 0.0 }
        spring s on (r, p) { k: 1.0, rest: 0.1 }
        init th = 0.2;
        init r = vec2(0.0, 1.0);
        init p = vec2(1.0, 1.0);
    }
}
model! {
    /// A block in space, with an antenna.
    #[model(show)]
    pub struct Block3 {
        param m: Real [kg] = 12.0;
        coord r: Vec3 [m];
        coord (q, w): SO3;
        let b = frame(r, q);
        body block on b { mass: m, inertia: m / 12.0 * 1.0m * 1.0m * diag(4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0) }
        init w = vec3(0.1, 0.2, 0.3);
        init r = vec3(0.0, 0.0, 1.0);
    }
}
model! {
    /// Every form of space.
    pub struct Solids {
        sub inner: Block3;
        let b = inner.r;
        show rod = cylinder(vec3(0.0, 0.0, 0.0), b, 0.01m);
        show ball = sphere(b, 0.1m);
        show ring = circle(frame(b, rot_x(0.5)), 0.3m);
        show part = mesh("parts/wheel.glb", frame(b, rot_z(0.0)));
    }
}

model! {
    /// A mass of the plane that says how it looks.
    pub struct Drop {
        param m: Real [kg] = 2.0;
        param size: Real [m] = 0.1;
        coord at: Vec2 [m];
        body lump on frame2(at, 0.0) { mass: m, inertia: 0.0 }
        spring band on (vec2(0.0, 0.0), at) { k: 5.0, rest: 0.1 }
        show round = disc(at, size);
        show half = circle(at, 0.5 * size);
        init at = vec2(0.0, 1.0);
    }
}
model! {
    /// The same, and does not say it.
    pub struct Mute {
        param m: Real [kg] = 2.0;
        coord at: Vec2 [m];
        body lump on frame2(at, 0.0) { mass: m, inertia: 0.0 }
        spring band on (vec2(0.0, 0.0), at) { k: 5.0, rest: 0.1 }
        init at = vec2(0.5, 1.0);
    }
}
model! {
    /// Subs of both kinds, some in a list, in a model that says nothing of itself.
    #[model(show)]
    pub struct Mixed {
        sub drops: [Drop; 2] with { size: 0.3m };
        sub mutes: [Mute; 2];
        sub mute: Mute;
        coord end: Vec2 [m];
        body end on frame2(end, 0.0) { mass: 1.0kg, inertia: 0.0 }
        spring tie on (end, drops[1].at) { k: 2.0, rest: 0.1 }
        init end = vec2(3.0, 0.0);
    }
}
model! {
    /// One figure of the whole leaves its subs as they are.
    #[model(show)]
    pub struct Floored {
        sub mute: Mute;
        coord p: Vec2 [m];
        body ball on frame2(p, 0.0) { mass: 1.0kg, inertia: 0.0 }
        show floor = line(vec2(-1.0m, 0.0m), vec2(1.0m, 0.0m));
        init p = vec2(0.0, 1.0);
    }
}
model! {
    /// Frozen parameters, without inertia.
    #[model(order = 1, freeze(l, width))]
    pub struct Creep {
        param c: Real [N*s/m] = 2.0;
        param l: Real [m] = 0.5;
        param width: Real [m] = 0.25;
        coord x: Real [m];
        dissipation = 0.5 * c * sq(der(x));
        force pull on x = 3.0N;
        output speed: Real [m/s] = der(x);
        show slide = box(frame2(vec2(x, l), 0.0), vec2(width, 2.0 * width));
        show fast = arrow(vec2(x, l), vec2(speed * 1.0s, 0.0));
        show label = text(vec2(x, 0.0), speed);
        init x = 0.1;
    }
}
model! {
    /// Points in a model without units.
    #[model(show)]
    pub struct Numbers {
        coord p: Vec2;
        coord pair: Vec2;
        kinetic = 0.5 * (der(p).dot(der(p)) + der(pair).dot(der(pair)));
        init p = vec2(1.0, 2.0);
        init pair = vec2(3.0, 4.0);
    }
}
model! {
    /// Drawn by hand, below.
    pub struct Hand {
        param m: Real [kg] = 2.0;
        coord x: Real [m];
        input push: Real [N] = 4.0;
        kinetic = 0.5 * m * sq(der(x));
        force push on x = push;
        init x = 0.5;
    }
}

impl Pictured for Hand {
    type Picture = Vec<f64>;

    fn figures(&self) -> &[Figure<&str>] {
        const FIGURES: &[Figure<&str>] = &[
            Figure::in_plane("rail", Form::Line, 0, 4),
            Figure::in_plane("push", Form::Arrow, 4, 4).colored([255, 0, 0]),
            Figure::in_plane("load", Form::Text("N"), 8, 3),
        ];
        FIGURES
    }

    fn picture(&self, at: At<'_, Self>, rates: Rates<'_, Self>, out: &mut Vec<f64>) {
        let (x, load) = (at.q.x(), self.m * rates.a.x());
        out.copy_from_slice(&[-1.0, 0.0, 1.0, 0.0, x, 0.0, at.u.push() / 8.0, 0.0, x, 0.25, load]);
    }
}

/// A figure's form and numbers.
fn figure<'m, M>(model: &'m M, x: &State<M>, u: &M::U, name: &str) -> (Form<&'m str>, Vec<f64>)
where
    M: Pictured<Real = f64>,
{
    let mut out = M::Picture::zeros(model.figures().last().map_or(0, |f| f.first + f.len));
    model.picture(x.at(u), x.rates(), &mut out);
    let figure = model.figures().iter().find(|f| f.name == name).expect("a figure");
    (figure.form, figure.numbers(out.as_ref()).expect("its numbers").to_vec())
}

#[test]
fn figures_follow_the_motion() {
    let model = Drawn::<f64>::default();
    let mut x = begin(&model);
    x.q.set_x(0.2);
    x.q.set_th(0.4);
    x.a.set_x(3.0);
    let u = drawn::U::from([50.0]);
    let tip = [0.2 + 0.5 * 0.4_f64.sin(), -0.5 * 0.4_f64.cos()];
    let expect = |name: &str, wanted: &[f64]| {
        let (_, found) = figure(&model, &x, &u, name);
        assert_eq!(found.len(), wanted.len(), "{name}");
        found.iter().zip(wanted).for_each(|(a, b)| close(*a, *b));
    };
    expect("pivot", &[0.2, 0.0]);
    expect("rod", &[0.2, 0.0, tip[0], tip[1]]);
    expect("path", &[0.2, 0.0, 0.1 + tip[0] / 2.0, tip[1] / 2.0, tip[0], tip[1]]);
    expect("roof", &[0.2, 0.0, tip[0], tip[1], 0.0, 0.5]);
    expect("coil", &[-1.0, 0.0, 0.2, 0.0]);
    expect("ring", &[tip[0], tip[1], 0.1]);
    expect("bob", &[tip[0], tip[1], 0.4_f64.cos(), 0.4_f64.sin(), 0.05]);
    expect("drive", &[0.2, 0.0, 0.5, 0.0]);
    expect("slide", &[0.2, 0.0, 1.0, 0.0, 0.2, 0.1]);
    expect("weight", &[tip[0], tip[1], 6.0]);
    expect("dot_1", &[0.5, 0.0]);
    let figures = model.figures();
    let named = |name| figures.iter().find(|f: &&Figure<&str>| f.name == name).expect("a figure");
    assert_eq!((named("rod").form, named("rod").color), (Form::Line, Some([70, 130, 180])));
    assert_eq!((named("slide").color, named("bob").color), (Some([255, 0, 0]), None));
    assert_eq!(named("bob").form, Form::Disc { turns: true });
    assert_eq!(named("weight").form, Form::Text("N"));
    assert!(figures.iter().all(|f| !f.space));
}

#[test]
fn bodies_springs_and_points_have_a_plain_look() {
    let model = Plain::default();
    let x = begin(&model);
    let u = plain::U::default();
    let names: Vec<&str> = model.figures().iter().map(|f| f.name).collect();
    assert_eq!(names, ["plate", "dot", "s", "r", "p"]);
    // ½ m r² = J
    let (form, found) = figure(&model, &x, &u, "plate");
    assert_eq!(form, Form::Disc { turns: true });
    close(found[4], 0.3);
    assert_eq!(figure(&model, &x, &u, "dot"), (Form::Point, vec![1.0, 1.0]));
    assert_eq!(figure(&model, &x, &u, "s"), (Form::Spring, vec![0.0, 1.0, 1.0, 1.0]));
    let block = Block3::default();
    let x = begin(&block);
    let (form, found) = figure(&block, &x, &block3::U::default(), "block");
    assert_eq!(form, Form::Box);
    // the edges of a homogeneous block with this inertia
    for (found, wanted) in found.iter().zip([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]) {
        close(*found, wanted);
    }
}

/// The names of what is shown.
fn names<M: Pictured>(model: &M) -> Vec<&str> {
    model.figures().iter().map(|figure| figure.name).collect()
}

#[test]
fn a_sub_that_shows_something_speaks_for_itself_alone() {
    let model = Mixed::default();
    let shown = ["drops[0].round", "drops[0].half", "drops[1].round", "drops[1].half"];
    let bodies = ["mutes[0].lump", "mutes[1].lump", "mute.lump", "end"];
    let springs = ["mutes[0].band", "mutes[1].band", "mute.band", "tie"];
    // the point `end` is where the body `end` is
    let points = ["mutes[0].at", "mutes[1].at", "mute.at"];
    assert_eq!(names(&model), [shown.as_slice(), &bodies, &springs, &points].concat());
    assert_eq!(names(&Floored::default()), ["floor", "mute.lump", "mute.band", "mute.at"]);
    assert_eq!(names(&Numbers::default()), ["p", "pair"]);
    assert_eq!(names(&Solids::default()), ["rod", "ball", "ring", "part"]);
}

#[test]
fn figures_of_lists_have_the_numbers_of_their_own_place() {
    let model = Mixed::default();
    let x = begin(&model);
    let numbers = |name: &str| figure(&model, &x, &mixed::U::default(), name).1;
    assert_eq!(numbers("drops[1].half"), [0.0, 1.0, 0.15]);
    assert_eq!(numbers("mutes[1].lump"), [0.5, 1.0]);
    assert_eq!(numbers("mute.band"), [0.0, 0.0, 0.5, 1.0]);
    assert_eq!(numbers("tie"), [3.0, 0.0, 0.0, 1.0]);
    assert_eq!(numbers("mutes[0].at"), [0.5, 1.0]);
}

#[test]
fn frozen_models_and_those_without_inertia_are_shown() {
    let model = Creep::default();
    let u = creep::U::default();
    let run = Simulation::of(&model, ForwardEuler).fixed(0.1).expect("a start");
    let numbers = |name: &str| figure(&model, run.state(), &u, name).1;
    assert_eq!(numbers("slide"), [0.1, 0.5, 1.0, 0.0, 0.25, 0.5]);
    numbers("fast").iter().zip([0.1, 0.5, 1.5, 0.0]).for_each(|(a, b)| close(*a, b));
    numbers("label").iter().zip([0.1, 0.0, 1.5]).for_each(|(a, b)| close(*a, b));
    assert_eq!(figure(&model, run.state(), &u, "label").0, Form::Text("m/s"));
}

#[test]
fn a_picture_by_hand_has_a_block_of_any_kind() {
    let model = Hand::default();
    let mut film = ode_view::Film::of(&model);
    let mut run = Simulation::of(&model, RungeKutta4).fixed(0.125).expect("a start");
    run.run(0.25, 0.125, |seen| film.record(seen)).expect("a run");
    let table = film.table().expect("figures of these numbers");
    let column = |name: &str| -> Vec<f64> { table.column(name).expect("a column").collect() };
    for (found, t) in column("push[0]").into_iter().zip([0.0_f64, 0.125, 0.25]) {
        close(found, 0.5 + t * t);
    }
    assert_eq!((column("rail[2]"), column("push[2]"), column("load[2]")), (vec![1.0; 3], vec![0.5; 3], vec![4.0; 3]));
    assert!(film.svg().text().expect("a film").contains("<animate"));
    // numbers that are not there
    let figure = model.figures()[1];
    assert_eq!((figure.numbers(&[0.0; 8]), figure.numbers(&[0.0; 7])), (Some(&[0.0; 4][..]), None));
    assert!(Figure::in_space("ball", Form::Sphere, usize::MAX, 4).numbers(&[0.0; 8]).is_none());
}

#[test]
fn figures_of_space_have_quaternions() {
    let model = Solids::default();
    let mut x = begin(&model);
    x.q.set_inner_r([1.0, 2.0, 3.0]);
    let u = solids::U::default();
    assert_eq!(figure(&model, &x, &u, "rod").1, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.01]);
    assert_eq!(figure(&model, &x, &u, "ball").1, [1.0, 2.0, 3.0, 0.1]);
    let (form, found) = figure(&model, &x, &u, "ring");
    assert_eq!(form, Form::Circle { turns: true });
    for (found, wanted) in found.iter().zip([1.0, 2.0, 3.0, 0.25_f64.cos(), 0.25_f64.sin(), 0.0, 0.0, 0.3]) {
        close(*found, wanted);
    }
    assert_eq!(
        figure(&model, &x, &u, "part"),
        (Form::Mesh("parts/wheel.glb"), vec![1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0])
    );
}
