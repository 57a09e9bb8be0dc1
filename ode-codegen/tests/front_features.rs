//! One valid model a feature, and the numbers its expressions come out as.

use ode_codegen::phases::check::check;
use ode_codegen::phases::expr::{Graph, Node, Symbol};
use ode_codegen::phases::model::{Level, Model, Shape};
use ode_codegen::phases::parse::parse;

#[path = "features/choices.rs"]
mod choices;
#[path = "features/lists.rs"]
mod lists;
#[path = "features/sets.rs"]
mod sets;
#[path = "features/space.rs"]
mod space;

/// The model of some items and a coordinate `x` of unit inertia.
fn model(items: &str) -> Model {
    whole(&format!("pub struct P<T> {{ coord x: Real; kinetic = 0.5 * sq(der(x)); {items} }}"))
}

fn whole(text: &str) -> Model {
    let (ast, mut errors) = parse(text.parse().expect("tokens"));
    let checked = check(&ast, Graph::new(), &mut errors);
    let texts: Vec<String> = errors.messages().iter().map(|m| m.text()).collect();
    assert!(texts.is_empty(), "{text}\n{}", texts.join("\n"));
    checked.expect("a model").0
}

/// q0 = 2, q1 = 0.5, q2 = 0.25; v = 3, −1, 0.5; a = 7, 8, 9; t = 1.5; parameters and inputs 1.25.
fn number(model: &Model, node: Node) -> f64 {
    let pick = |list: [f64; 3], i: u32| list.get(i as usize).copied().unwrap_or(1.0);
    let found = model.graph.evaluate(&[node], &|s| match s {
        Symbol::Q(i) => pick([2.0, 0.5, 0.25], i),
        Symbol::V(i) => pick([3.0, -1.0, 0.5], i),
        Symbol::A(i) => pick([7.0, 8.0, 9.0], i),
        Symbol::Time => 1.5,
        Symbol::Lambda(i) => 10.0 + f64::from(i),
        _ => 1.25,
    });
    found[0]
}

/// The scalars of `output y = e` beside some items.
fn outputs(items: &str, e: &str) -> Vec<f64> {
    let model = model(&format!("{items} output y = {e};"));
    let last = model.observed.outputs.last().expect("an output");
    last.value.iter().map(|n| number(&model, *n)).collect()
}

fn value(items: &str, e: &str) -> f64 {
    outputs(items, e)[0]
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= 1e-12 * wanted.abs().max(1.0), "{found} is not {wanted}");
}

#[test]
fn arithmetic_and_elementary_functions() {
    let cases: [(&str, f64); 30] = [
        ("1 + 2 * x - x / 4", 4.5),
        ("-x", -2.0),
        ("sin(x) + x.cos()", 2f64.sin() + 2f64.cos()),
        ("tan(x)", 2f64.tan()),
        ("asin(x / 4) + acos(x / 4) + atan(x)", std::f64::consts::FRAC_PI_2 + 2f64.atan()),
        ("atan2(x, 3.0) + x.atan2(3.0)", 2.0 * 2f64.atan2(3.0)),
        ("sinh(x) + cosh(x) + tanh(x)", 2f64.sinh() + 2f64.cosh() + 2f64.tanh()),
        ("exp(x) + ln(x)", 2f64.exp() + 2f64.ln()),
        ("sqrt(x) + sq(x) + recip(x)", 2f64.sqrt() + 4.5),
        ("hypot(x, 1.5)", 2.5),
        ("x.powi(3) + x.powi(-1) + powi(x, 0)", 9.5),
        ("x.powf(0.5) + x.powf(2.0)", 2f64.sqrt() + 4.0),
        ("PI + TAU", 3.0 * std::f64::consts::PI),
        ("t", 1.5),
        ("der(x)", 3.0),
        ("der(sq(x)) + der(t)", 13.0),
        ("der2(x)", 7.0),
        ("der2(sq(x))", 2.0 * 9.0 + 4.0 * 7.0),
        ("der(der(sin(x)))", -2f64.sin() * 9.0 + 2f64.cos() * 7.0),
        ("{ let y = x; let z = y * y; z + y }", 6.0),
        ("if x > 1.0 { x } else { -x }", 2.0),
        ("if x < 1.0 { 1.0 } else if x < 3.0 { 5.0 } else { 7.0 }", 5.0),
        ("if x > 1.0 && !(x > 3.0) || x < -1.0 { 1.0 } else { 0.0 }", 1.0),
        ("abs(-x) + signum(-x) + min(x, 1.0) + max(x, 1.0)", 2.0 - 1.0 + 1.0 + 2.0),
        ("clamp(x, 0.0, 1.0) + x.clamp(0.0, 5.0)", 3.0),
        ("smooth_abs(x, 0.1)", 4.01f64.sqrt()),
        ("smooth_max(x, 1.0, 0.1) + smooth_min(x, 1.0, 0.1)", 3.0),
        ("smooth_sign(x, 4.0)", 0.5f64.tanh()),
        ("smooth_step(x, 4.0)", 0.75f64.powi(3) * (10.0 + 0.75 * (6.0 * 0.75 - 15.0))),
        ("softplus(x, 0.5)", 0.5 * 4f64.exp().ln_1p()),
    ];
    for (e, wanted) in cases {
        close(value("", e), wanted);
    }
}

#[test]
fn softplus_does_not_overflow_and_smooth_step_ends() {
    close(value("", "softplus(x, 1.0e-6)"), 2.0);
    close(value("", "softplus(-x, 1.0e-6)"), 0.0);
    close(value("", "smooth_step(x, 1.0)"), 1.0);
    close(value("", "smooth_step(-x, 1.0)"), 0.0);
    close(value("", "smooth_step(0.0 * x, 1.0)"), 0.5);
}

/// The slope of `e` in x where x = 2, by der with a velocity of 3.
fn slope(e: &str) -> f64 {
    value("", &format!("der({e})")) / 3.0
}

#[test]
fn kinks_take_the_right_hand_branch() {
    close(slope("abs(x - 2.0)"), 1.0);
    close(slope("max(x, 2.0)"), 1.0);
    close(slope("max(2.0, x)"), 1.0);
    close(slope("min(x, 2.0)"), 0.0);
    close(slope("min(2.0, x)"), 0.0);
    close(slope("clamp(x, 2.0, 3.0)"), 1.0);
    close(slope("clamp(x, 1.0, 2.0)"), 0.0);
    close(value("", "signum(x - 2.0)"), 1.0);
}

#[test]
fn a_branch_that_is_not_taken_has_no_influence() {
    close(slope("if x < 3.0 { 0.0 } else { (x - 3.0).sqrt() }"), 0.0);
}

#[test]
fn vectors_and_matrices() {
    let items = "coord (r, w): Vec2; mass r = 1.0; param a: Mat2 = [[1.0, 2.0], [3.0, 4.0]]; param b: Vec3 = vec3(1.0, 2.0, 3.0);";
    assert_eq!(outputs(items, "r"), [0.5, 0.25]);
    assert_eq!(outputs(items, "w + 2.0 * r - r / 2.0"), [-1.0 + 0.75, 0.5 + 0.375]);
    close(value(items, "r.dot(w)"), -0.375);
    close(value(items, "r.cross(w)"), 0.5);
    close(value(items, "norm(vec2(3.0 * x, 4.0 * x))"), 10.0);
    close(value(items, "norm(vec2(3.0 * x, 4.0 * x)).powi(2)"), 100.0);
    assert_eq!(outputs(items, "unit(vec2(3.0 * x, 4.0 * x))"), [0.6000000000000001, 0.8]);
    close(value(items, "norm_eps(r, 0.1)"), (0.25f64 + 0.0625 + 0.01).sqrt());
    assert_eq!(outputs(items, "vec3(1.0, x, 0.0).cross(vec3(0.0, 1.0, x))"), [4.0, -2.0, 1.0]);
    assert_eq!(outputs(items, "diag(x, 1.0) * r"), [1.0, 0.25]);
    assert_eq!(outputs(items, "diag(r).transpose()"), [0.5, 0.0, 0.0, 0.25]);
    assert_eq!(outputs("", "diag(1.0, 2.0) * diag(x, x)"), [2.0, 0.0, 0.0, 4.0]);
    assert_eq!(outputs(items, "[r, w]"), [0.5, 0.25, -1.0, 0.5]);
    assert_eq!(outputs(items, "-[x, 1.0]"), [-2.0, -1.0]);
    assert_eq!(outputs(items, "[x; 3]"), [2.0; 3]);
    close(value(items, "(a[0][1] + b.z + b[0]) / 1.25"), 3.0);
    assert_eq!(outputs(items, "der(r)"), [-1.0, 0.5]);
    assert_eq!(outputs("", "if x > 0.0 { vec2(1.0, x) } else { vec2(0.0, 0.0) }"), [1.0, 2.0]);
}

#[test]
fn planar_frames() {
    let items = "coord th: Angle; mass th = 1.0; let b = frame2(vec2(x, 1.0), th);";
    let (s, c) = 0.5f64.sin_cos();
    let at = outputs(items, "b.at(vec2(1.0, 2.0))");
    close(at[0], 2.0 + c - 2.0 * s);
    close(at[1], 1.0 + s + 2.0 * c);
    let round = outputs(items, "b.inv().at(b.at(vec2(1.0, 2.0)))");
    close(round[0], 1.0);
    close(round[1], 2.0);
    let back = outputs(items, "b.inv().vec(b.vec(vec2(1.0, 2.0)))");
    close(back[0], 1.0);
    close(back[1], 2.0);
    assert_eq!(outputs(items, "b.origin + b.origin()"), [4.0, 2.0]);
    close(value(items, "b.angle"), 0.5);
}

#[test]
fn bodies_springs_gravity_and_torques() {
    let m = model(
        "coord th: Angle; let b = frame2(vec2(x, 0.5 * x), th);
         body hull on b { mass: 2.0, inertia: 3.0 } gravity = vec2(0.0, -10.0);
         spring s on (vec2(0.0, 0.0), b.origin) { k: 4.0, rest: 1.0, damping: 0.5 }
         spring plain on (0.0, x) { k: 1.0 }
         torque tau on b = 5.0; torque tau2 on th = 6.0; force f on b.at(vec2(1.0, 0.0)) = vec2(0.0, 1.0);",
    );
    assert_eq!(m.energies.kinetic.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(), ["kinetic_0", "hull"]);
    close(number(&m, m.energies.kinetic[1].value), 0.5 * 2.0 * (9.0 + 2.25) + 0.5 * 3.0);
    let length = (4.0f64 + 1.0).sqrt();
    close(number(&m, m.energies.potential[0].value), 0.5 * 4.0 * (length - 1.0).powi(2));
    close(number(&m, m.energies.potential[1].value), 2.0);
    assert_eq!(m.energies.potential[2].name, "gravity_hull");
    close(number(&m, m.energies.potential[2].value), 2.0 * 10.0 * 1.0);
    let rate = (2.0 * 3.0 + 1.0 * 1.5) / length;
    close(number(&m, m.energies.dissipation[0].value), 0.25 * rate * rate);
    assert_eq!(m.forces.len(), 3);
    assert_eq!(m.graph.as_symbol(m.forces[0].on[0]), Some(Symbol::Q(1)));
    assert_eq!(m.forces[2].on.len(), 2);
}

#[test]
fn masses_of_coordinates() {
    let m = whole(
        "struct P { param m: Real [kg] = 1.0; coord x: Real [m]; coord th: Angle; coord r: Vec3 [m];
         mass (x, th) = [[m, 0.5m * m * cos(th)], [0.5m * m * cos(th), m * sq(1.0m)]]; mass r = m; }",
    );
    let places: Vec<(usize, usize)> = m.mass.iter().map(|e| (e.row, e.col)).collect();
    assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (3, 3), (4, 4)]);
}

#[test]
fn loops_unroll_with_names_of_their_own() {
    let m = whole(
        "struct Chain { param m: [Real; 3] = [1.0, 2.0, 3.0]; coord y: [Real; 3]; param k: Real = 1.0;
         for i in 0..3 {
             let rate = der(y[i]);
             kinetic inertia = 0.5 * m[i] * sq(rate);
             potential level = if i == 0 { 0.0 } else { k * y[i] };
             force push on y[i] = 1.0 + i;
             limit reach: y[i] in -1.0..=1.0;
         }
         for i in 0..=1 { for j in 0..1 { spring link on (y[i], y[i + 1]) { k: k } } }
         for i in 0..2 { constraint hold: y[i] == 0.5 * t; }
         output first = hold[0].lambda;
         init y = [0.0, 0.0, 0.0]; guess der(y[2]) = 1.0; }",
    );
    let names = |list: &[ode_codegen::phases::model::Energy]| list.iter().map(|e| e.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&m.energies.kinetic), ["inertia_0", "inertia_1", "inertia_2"]);
    assert_eq!(names(&m.energies.potential), ["level_0", "level_1", "level_2", "link_0_0", "link_1_0"]);
    assert_eq!(m.forces.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["push_0", "push_1", "push_2"]);
    assert_eq!(m.graph.value(m.forces[2].value[0]), Some(3.0));
    assert!(m.graph.is_zero(m.energies.potential[0].value));
    assert_eq!(
        m.observed.limits.iter().map(|l| l.ident.to_string()).collect::<Vec<_>>(),
        ["reach_0", "reach_1", "reach_2"]
    );
    assert_eq!(m.constraints.iter().map(|l| l.ident.to_string()).collect::<Vec<_>>(), ["hold_0", "hold_1"]);
    assert_eq!(m.graph.as_symbol(m.observed.outputs[0].value[0]), Some(Symbol::Lambda(0)));
}

#[test]
fn groups_defaults_and_shapes() {
    let m = model(
        "/// lengths
         param: Real { a = 1.0; /** its own */ b, c = 2.0; }
         param v: Vec<4> = [1.0, 2.0, 3.0, 4.0]; param j: SymMat3 = diag(1.0, 2.0, 3.0);
         param g: Mat<2, 3> = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]; param n: [Vec2; 2] = [vec2(1.0, 2.0), vec2(3.0, 4.0)];
         input: Real { p; q = 0.5; } input w: Real in -1.0..=1.0 = 0.25; input z: Vec2;",
    );
    assert_eq!(m.declared.params.len(), 7);
    assert_eq!(m.declared.params[0].declared.docs, ["lengths"]);
    assert_eq!(m.declared.params[1].declared.docs, ["its own"]);
    assert_eq!(m.declared.params[3].declared.shape, Shape::Vector(4));
    assert!(m.declared.params[4].symmetric);
    assert_eq!(m.declared.params[4].default.as_deref(), Some([1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0].as_slice()));
    assert_eq!(m.declared.params[5].default.as_deref(), Some([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].as_slice()));
    assert_eq!(m.declared.params[6].declared.first, 3 + 4 + 9 + 6);
    assert_eq!(
        m.declared.inputs.iter().map(|u| u.default.clone()).collect::<Vec<_>>(),
        [vec![0.0], vec![0.5], vec![0.25], vec![0.0; 2]]
    );
    assert!(m.declared.inputs[2].range.is_some());
}

#[test]
fn units_scale_defaults_only() {
    let m = whole(
        "struct Rotor { unit rpm = 0.1 [rad/s]; unit mm = 1.0e-3 [m];
         param w: Real [rpm] = 30.0; param a: Real [mm] = 2.0; param b: Real [m] = 5.0mm; param c: Real [mm] = 0.5m;
         param m: Real [kg] = 1.0; param s: Real [m^(1/2)] = 1.0;
         coord x: Real [m]; kinetic = 0.5 * m * sq(der(x));
         output y: Real [m/s] = w * (a + b + c) + sq(s) * 1Hz; }",
    );
    let defaults: Vec<f64> = m.declared.params.iter().filter_map(|p| p.default.as_ref().map(|d| d[0])).collect();
    for (found, wanted) in defaults.into_iter().zip([3.0, 2.0e-3, 5.0e-3, 0.5, 1.0, 1.0]) {
        close(found, wanted);
    }
    assert_eq!(m.declared.params[0].declared.unit, "rpm");
}

#[test]
fn units_can_be_switched_off() {
    let m = whole(
        "#[model(units = off)] struct P { param m: Real [kg] = 1.0; coord x: Real [furlong]; kinetic = m * x * der(x).powi(2); }",
    );
    assert_eq!(m.declared.coordinates[0].declared.unit, "furlong");
}

#[test]
fn functions_are_inlined() {
    close(
        value(
            "fn f(a: Real, b: Real) -> Real { let s = a + b; s * s } fn g(a: Real) -> Real { f(a, 1.0) + x }",
            "g(x)",
        ),
        11.0,
    );
    assert_eq!(outputs("fn turn(v: Vec2) -> Vec2 { vec2(-v.y, v.x) }", "turn(vec2(1.0, x))"), [-2.0, 1.0]);
}

#[test]
fn starts_of_positions_and_velocities() {
    let m = model(
        "coord (r, w): Vec2; mass r = 1.0; init r = vec2(1.0, 2.0); init w = vec2(0.0, 0.0); guess der(x) = 1.0; init x - r.x = 0.5;",
    );
    let levels: Vec<(bool, Level)> = m.starts.iter().map(|s| (s.exact, s.level)).collect();
    assert_eq!(
        levels,
        [(true, Level::Position), (true, Level::Velocity), (false, Level::Velocity), (true, Level::Position)]
    );
    assert_eq!(m.starts[2].label, "guess der(x)");
}

#[test]
fn multipliers_limits_costs_and_requirements() {
    let m = model(
        "coord (r, w): Vec2; mass r = 1.0; param l: Real = 1.0; require l > 0.0 && l < 10.0, \"a length\"; require !(l <= 0.1);
         constraint rod: x == 0.5 * t; constraint pin: r == vec2(sin(t), 0.0);
         output f: Real = 2.0 * rod.lambda; output p: Vec2 = pin.lambda;
         limit a: der(x) in -l..=l; limit b: r; cost stage = sq(x) + sq(l);",
    );
    assert_eq!(
        m.observed.outputs[1].value.iter().map(|n| m.graph.as_symbol(*n)).collect::<Vec<_>>(),
        [Some(Symbol::Lambda(1)), Some(Symbol::Lambda(2))]
    );
    close(number(&m, m.observed.outputs[0].value[0]), 20.0);
    assert_eq!(m.requires[0].message, "a length");
    assert_eq!(m.requires[1].message, "!(l <= 0.1)");
    let length = m.declared.params.iter().find(|p| p.declared.ident == "l").map(|p| p.declared.first);
    assert!(length.is_some() && m.requires[0].first == length);
    assert!(m.observed.limits[0].range.is_some() && m.observed.limits[1].range.is_none());
    assert_eq!(m.observed.costs.len(), 1);
}

#[test]
fn header_and_options() {
    let m = whole(
        "/// Doc.
         #[model(derive(Clone, Debug), crate = my::facade, max_ops = 99, no_selftest)]
         #[allow(nonsmooth, dead_code)] #[repr(C)]
         pub(crate) struct P<R> { coord x: Real; kinetic = 0.5 * sq(der(x)); force f on x = abs(x); }",
    );
    assert_eq!(m.header.docs, ["Doc."]);
    assert_eq!(m.header.name, "P");
    assert_eq!(m.header.scalar.as_ref().map(|s| s.to_string()).as_deref(), Some("R"));
    assert_eq!((m.header.options.derives.len(), m.header.options.max_ops, m.header.options.selftest), (2, 99, false));
    assert_eq!(m.header.attrs.len(), 2);
}

#[test]
fn derives_of_the_struct_are_options() {
    let m = whole(
        "#[model(derive(PartialEq))] #[derive(Clone, Debug, PartialEq)] #[derive(Copy)] #[repr(C)]
         struct P { coord x: Real; kinetic = 0.5 * sq(der(x)); }",
    );
    let derives: Vec<String> = m.header.options.derives.iter().map(ode_codegen::phases::diagnostics::text).collect();
    assert_eq!(derives, ["PartialEq", "Clone", "Debug", "Copy"]);
    assert_eq!(m.header.attrs.len(), 1);
}

#[test]
fn the_shape_is_known_in_spite_of_mistakes() {
    let (ast, errors) = parse(
        "pub struct P<T> { param a: Real = 1.0; param b: [Vec2; 2]; nonsense 3; param c: Reel; kinetic = ; }"
            .parse()
            .expect("tokens"),
    );
    assert_eq!(errors.len(), 3);
    let fields: Vec<(String, Option<Shape>)> = ast.params().map(|f| (f.ident.to_string(), f.shape)).collect();
    assert_eq!(fields.len(), 3);
    assert_eq!(fields[1], ("b".to_owned(), Some(Shape::Array(2, Box::new(Shape::Vector(2))))));
    assert_eq!(fields[2].1, None);
}

/// M0902; and a sum of many terms is a deep expression, which no phase may descend into on the stack of a test.
#[test]
fn a_large_model_says_what_it_costs() {
    let text = "#[model(no_selftest)] pub struct P {
        coord x: [Real; 24];
        for i in 0..24 {
            kinetic = 0.5 * sq(der(x[i]));
            for j in 0..24 { potential = sin(x[i] * x[j] + i) * cos(x[j]); }
        }
    }";
    let compiled = ode_codegen::compile(text.parse().expect("tokens")).unwrap_or_else(|e| panic!("{e}"));
    let ops = compiled.program.ops().total();
    assert!(ops > 20_000, "{ops} operations");
    let said: Vec<&str> = compiled.warnings.iter().map(|w| w.text.as_str()).collect();
    assert!(said.iter().any(|t| t.contains(&format!("{ops} operations; expect")) && t.contains("[M0902]")), "{said:?}");
}
