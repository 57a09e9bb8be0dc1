//! Rotations and frames in composed models: starts of elements, written types of ports, and rows that hold them.

use ode_codegen::check::check;
use ode_codegen::expr::{Graph, Symbol};
use ode_codegen::model::Model;
use ode_codegen::parse::parse;

fn read(text: &str) -> Result<Model, Vec<String>> {
    let (ast, mut errors) = parse(text.parse().expect("tokens"));
    let checked = check(&ast, Graph::new(), &mut errors);
    match checked {
        Some((model, _)) if errors.is_empty() => Ok(model),
        _ => Err(errors.messages().iter().map(|m| m.text()).collect()),
    }
}

fn model(text: &str) -> Model {
    read(text).unwrap_or_else(|said| panic!("{said:#?}: {text}"))
}

/// Where each position starts, `init` over `guess`, and how many rows are exact.
fn begin(model: &Model) -> (Vec<Option<f64>>, usize) {
    let mut q = vec![None; model.nq()];
    let mut rows = 0;
    for exact in [false, true] {
        for start in model.starts.iter().filter(|s| s.exact == exact) {
            rows += if exact { start.rows.len() } else { 0 };
            let values = model.graph.evaluate(&start.value, &|_| f64::NAN);
            for (on, value) in start.on.iter().zip(values) {
                if let Some(Symbol::Q(i)) = model.graph.as_symbol(*on) {
                    q[i as usize] = Some(value);
                }
            }
        }
    }
    (q, rows)
}

const ARMS: &str = "pub struct Arms<T> {
    coord (a, w): [SO3; 3];
    coord (turn, omega): [SO2; 2];
    coord pose: SE3;
    kinetic = dot(w[0], w[0]) + dot(w[1], w[1]) + dot(w[2], w[2]) + sq(omega[0]) + sq(omega[1])
        + dot(der(pose.origin), der(pose.origin)) + dot(pose.rate, pose.rate);
    init a = [rot_x(0.1), rot_x(0.2), rot_x(0.3)];
    for i in 0..2 { init turn[i] = 0.5; }
    init pose = frame(vec3(1.0, 2.0, 3.0), rot_z(0.4));
}";

fn with_arms(items: &str) -> Model {
    model(&format!("@compose {{ pub struct P<T> {{ sub kid: Arms<T>; {items} }} }} {{ {ARMS} }}"))
}

/// cos and sin of half the angle.
fn about(axis: usize, angle: f64) -> Vec<f64> {
    let mut q = vec![(0.5 * angle).cos(), 0.0, 0.0, 0.0];
    q[1 + axis] = (0.5 * angle).sin();
    q
}

#[test]
fn a_start_of_one_rotation_keeps_those_of_the_others() {
    let arms = |one: f64, two: f64, three: f64| [about(0, one), about(0, two), about(0, three)].concat();
    let circle = |angle: f64| [angle.cos(), angle.sin()];
    let pose = |r: [f64; 3], angle: f64| [r.to_vec(), about(2, angle)].concat();
    let rest = [&circle(0.5)[..], &circle(0.5), &pose([1.0, 2.0, 3.0], 0.4)].concat();
    for (items, wanted) in [
        ("", [arms(0.1, 0.2, 0.3), rest.clone()].concat()),
        ("init kid.a[1] = rot_x(0.7);", [arms(0.1, 0.7, 0.3), rest.clone()].concat()),
        ("guess kid.a[0] = rot_x(0.7);", [arms(0.7, 0.2, 0.3), rest].concat()),
        (
            "init kid.turn[1] = 0.9; init kid.pose.rotation = rot_z(0.8);",
            [arms(0.1, 0.2, 0.3), circle(0.5).to_vec(), circle(0.9).to_vec(), pose([1.0, 2.0, 3.0], 0.8)].concat(),
        ),
        (
            "init kid.pose.origin = vec3(4.0, 5.0, 6.0);",
            [arms(0.1, 0.2, 0.3), circle(0.5).to_vec(), circle(0.5).to_vec(), pose([4.0, 5.0, 6.0], 0.4)].concat(),
        ),
    ] {
        let (found, rows) = begin(&with_arms(items));
        let exact = if items.starts_with("guess") { 14 } else { 17 };
        assert_eq!(rows, exact, "{items}");
        assert_eq!(found.len(), wanted.len());
        for (i, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
            let found = found.unwrap_or_else(|| panic!("position {i} has no start after `{items}`"));
            assert!((found - wanted).abs() < 1e-15, "position {i} starts at {found}, not {wanted}, after `{items}`");
        }
    }
}

/// The point of a motion is held at its start; its rotation starts as before.
#[test]
fn a_point_that_is_fixed_keeps_the_start_of_its_rotation() {
    let model = with_arms("fix kid.pose.origin;");
    let (found, rows) = begin(&model);
    assert_eq!((rows, model.nc()), (14, 3));
    assert_eq!(found[16..19], [Some(1.0), Some(2.0), Some(3.0)]);
    assert!((found[22].expect("a start") - 0.2f64.sin()).abs() < 1e-15);
}

fn port(output: &str, items: &str) -> Result<Model, Vec<String>> {
    let kid = format!(
        "pub struct Kid<T> {{ coord x: Vec3; coord (r, w): SO3; kinetic = dot(der(x), der(x)) + dot(w, w); coord a: Real; mass a = 1.0; {output} }}"
    );
    read(&format!("@compose {{ pub struct P<T> {{ sub kid: Kid<T>; {items} }} }} {{ {kid} }}"))
}

#[test]
fn a_port_is_a_frame_as_written() {
    for (output, items) in [
        ("#[port] output hub: Frame3 = frame(x, r);", "output y: Vec3 = kid.hub.at(vec3(1.0, 0.0, 0.0));"),
        ("#[port] output hub: SE3 = frame(x, r);", "constraint c: kid.hub.origin == vec3(0.0, 0.0, 0.0);"),
        ("#[port] output hub: Frame2 = frame2(vec2(a, 0.0), a);", "output y = kid.hub.angle;"),
        ("#[port] output hub: SO3 = r;", "output y = kid.hub.rotate(vec3(1.0, 0.0, 0.0));"),
        ("let b: Frame3 = frame(x, r); #[port] output hub = b;", "output y = kid.hub.origin;"),
        ("let b: Frame2 = frame2(vec2(a, 0.0), a); output y = b.origin;", ""),
    ] {
        if let Err(said) = port(output, items) {
            panic!("{said:#?} in {output}");
        }
    }
    for (output, wanted) in [
        ("#[port] output hub: Frame3 = x;", "expected Frame3, found Vec3 [M0509]"),
        ("#[port] output hub: Vec3 = frame(x, r);", "expected Vec3, found Frame3 [M0509]"),
        ("output hub: Frame3 = frame(x, r);", "a Frame3 cannot be an output [M0509]"),
        ("param hub: Frame3 = 1.0;", "a frame is not a type of a declaration [M0107]"),
        ("fn f(b: Frame3) -> Real { 1.0 }", "a frame is not a type of a declaration [M0107]"),
    ] {
        let kid = format!(
            "pub struct Kid<T> {{ coord x: Vec3; coord (r, w): SO3; kinetic = dot(der(x), der(x)) + dot(w, w); {output} }}"
        );
        let said = read(&kid).err().unwrap_or_default();
        assert!(said.len() == 1 && said[0].starts_with(wanted), "{said:#?} in {output}");
    }
}

/// What is said to be written instead of `fix` on a rotation is a model.
#[test]
fn a_rotation_that_is_to_be_fixed_is_told_how() {
    for name in ["r", "s", "b", "many"] {
        let whole = |items: &str| {
            format!(
                "pub struct P<T> {{ coord (r, w): SO3; coord (s, o): SO2; coord b: SE3; coord (many, v): [SO3; 2];
                kinetic = dot(w, w) + sq(o) + dot(der(b.origin), der(b.origin)) + dot(b.rate, b.rate)
                    + dot(v[0], v[0]) + dot(v[1], v[1]);
                guess b.origin = vec3(0.0, 0.0, 0.0); {items} }}"
            )
        };
        let said = read(&whole(&format!("fix {name};"))).err().unwrap_or_default();
        assert!(said.len() == 1 && said[0].contains("a rotation cannot be fixed [M0310]"), "{said:#?}");
        let advice =
            said[0].split("constrain its rotation: `").nth(1).and_then(|rest| rest.strip_suffix('`')).expect("advice");
        model(&whole(&advice.replace("` and `", " ")));
    }
}
