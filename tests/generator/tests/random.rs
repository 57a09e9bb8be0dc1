//! Random models mean what their texts say, and a compiler that does not is noticed.

use std::collections::{BTreeMap, BTreeSet};

use ode_codegen::phases::expr::{Graph, Node, RULES};
use ode_codegen::phases::parse::{item_words, with_parts};
use ode_model_generator::examine::{Outcome, Verdict, confront, examine, examined, shrunk};
use ode_model_generator::random::{Model, kinds};
use proc_macro2::TokenStream;

/// Messages that a generated model may get: something does not move, is over-constrained, or is too large, or a loop
/// reads a sub without what it is bound to.
const REFUSALS: [&str; 17] = [
    "M0201", "M0203", "M0204", "M0225", "M0234", "M0210", "M0212", "M0301", "M0302", "M0303", "M0306", "M0308",
    "M0311", "M0601", "M0801", "M0804", "M0901",
];

#[test]
fn random_models_mean_what_they_say() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut blocks: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..120 {
        let outcome = examined(RULES, seed, 1);
        match &outcome {
            Outcome::Agrees(report) => {
                report.blocks.iter().for_each(|&(block, n)| *blocks.entry(block).or_default() += n);
            }
            Outcome::Refused(message) => {
                let known = REFUSALS.contains(&outcome.kind().as_str());
                assert!(known, "seed {seed}: {message}\n{}", Model::of_seed(seed).text());
            }
            other => {
                let model = shrunk(RULES, seed, 1);
                panic!("seed {seed}: {other:?}\n{}\n{}\n{:?}", model.parts.join("\n"), model.text(), model.sets);
            }
        }
        *counts.entry(outcome.kind()).or_default() += 1;
    }
    assert!(counts["agrees"] >= 72, "{counts:?}");
    // each block had numbers to differ in
    let empty: Vec<_> = blocks.iter().filter(|(_, n)| **n == 0).map(|(block, _)| block).collect();
    assert!(empty.is_empty() && blocks.len() >= 115, "{} blocks, without numbers {empty:?}", blocks.len());
}

#[test]
fn a_seed_gives_one_text() {
    let texts = || (0..20).map(|seed| Model::of_seed(seed).text()).collect::<Vec<_>>();
    assert_eq!(texts(), texts());
}

#[test]
fn every_item_of_the_language_is_generated() {
    let models: Vec<Model> = (0..600).map(Model::of_seed).collect();
    let found: BTreeSet<&str> = models.iter().flat_map(kinds::of).collect();
    let missing: Vec<&str> = kinds::all().difference(&found).copied().collect();
    assert!(missing.is_empty(), "{missing:?}");
    let found: BTreeSet<&str> = models.iter().flat_map(kinds::of_family).collect();
    let missing: Vec<&str> = kinds::all_of_families().difference(&found).copied().collect();
    assert!(missing.is_empty(), "of families {missing:?}");
    let texts: Vec<String> = models.iter().flat_map(|m| [m.parts.join("\n"), m.text()]).collect();
    let stands = |word: &str| texts.iter().any(|text| text.lines().any(|line| line.trim().starts_with(word)));
    let missing: Vec<&str> = item_words().filter(|word| !stands(word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The text, and what a faulty compiler would have read: in addition, and instead.
const MISREAD: [(&str, &str, &str); 16] = [
    ("a reaction has the other sign", "output hold = x.reaction;", "output hold = -x.reaction;"),
    ("a reaction has one row of two", "output pull = r.reaction;", "output pull = vec2(r.reaction.x, 0.0 * k * l);"),
    ("the scale of an own unit is another", "unit span = 0.37 [m];", "unit span = 0.73 [m];"),
    ("an own unit is divided by", "unit pace = 2.0 [span/s];", "unit pace = 0.5 [span/s];"),
    ("a default is in SI", "param l: Real [span] = 2.0;", "param l: Real [m] = 2.0;"),
    ("a parent's init is ignored", "init kid.a = 0.3;", ""),
    ("a child's init holds beside its parent's guess", "guess kid.b = 0.4;", "init kid.b = 0.4;"),
    ("a frozen parameter is in its unit, not in SI", "param f: Real [span] = 1.5;", "param f: Real [m] = 1.5;"),
    ("a rotation of an array is another", "q[0].rotate(e)", "q[1].rotate(e)"),
    ("a frame of a sub is inverted", "kid.hub.origin", "kid.hub.inv().origin"),
    ("a residual of a sub is lost", "residual gap = a - b;", ""),
    ("an event resets another way", "der(x) = -0.6 * der(x);", "der(x) = 0.6 * der(x);"),
    ("assignments of an event follow each other", "der(r.x) = der(x);", "der(r.x) = -0.6 * der(x);"),
    ("a guard crosses the other way", "when x < 0.05span", "when x > 0.05span"),
    ("a guard has the other sign", "when x < 0.05span", "when 0.05span > x"),
    ("an event does not end a run", "stop; }", "}"),
];

const CHILD: &str = "
    pub struct Child {
        coord a, b: Real;
        coord th: Angle;
        kinetic = 0.5 * sq(der(a)) + 0.5 * sq(der(b)) + 0.5 * sq(der(th));
        init a = 0.1;
        init b = 0.2;
        guess th = 0.7;
        residual gap = a - b;
        let e = frame(vec3(a, b, 0.5), rot_z(th) * rot_x(0.3));
        #[port] output hub: Frame3 = e;
    }";

const PARENT: &str = "
    #[model(freeze(f))]
    pub struct Parent {
        unit span = 0.37 [m];
        unit pace = 2.0 [span/s];
        param l: Real [span] = 2.0;
        param f: Real [span] = 1.5;
        param quick: Real [pace] = 1.2;
        param m: Real [kg] = 1.1;
        param k: Real [N/m] = 2.1;
        sub kid: Child;
        init kid.a = 0.3;
        guess kid.b = 0.4;
        coord x: Real [m];
        coord r: Vec2 [m];
        coord (q, w): [SO3; 2];
        let e = vec3(0.2, 0.5, -0.8);
        let p = q[0].rotate(e);
        kinetic = 0.5 * m * sq(der(x)) + 0.5 * m * der(r).dot(der(r));
        for i in 0..2 { kinetic = 0.5 * m * sq(f) * w[i].dot(w[i]); }
        potential = 0.5 * k * sq(l * p.x + x) + 0.5 * k * sq(f) * kid.hub.origin.x;
        fix x = 0.1span;
        guess r = vec2(0.1, 0.2);
        fix r;
        event hit when x < 0.05span { der(x) = -0.6 * der(x); der(r.x) = der(x); stop; }
        output hold = x.reaction;
        output pull = r.reaction;
        output speed: Real [m/s] = quick;
    }";

#[test]
fn what_is_misread_is_noticed() {
    let read = |change: &dyn Fn(&str) -> String| -> TokenStream {
        let tokens = |text: &str| change(text).parse::<TokenStream>().expect("tokens");
        with_parts(&tokens(PARENT), &[tokens(CHILD)])
    };
    let said = || read(&str::to_owned);
    let differences = |read| match confront(RULES, read, said(), 2, 1) {
        Verdict::Compiled(report) => report.differences.len(),
        Verdict::Refused(message) => panic!("{message}"),
        Verdict::Named(_) => 1,
    };
    assert_eq!(differences(said()), 0);
    for (what, right, wrong) in MISREAD {
        assert!(PARENT.contains(right) || CHILD.contains(right), "{right}");
        assert!(differences(read(&|text| text.replace(right, wrong))) > 0, "{what}, and nothing noticed");
    }
}

/// A coordinate that is held starts where its `init` says, whatever is guessed of it below.
#[test]
fn what_is_held_starts_where_it_is_held() {
    let text = "
        pub struct Held {
            coord r: Vec2;
            kinetic = 0.5 * der(r).dot(der(r));
            init r.x = 0.9;
            fix r.x;
            guess r = vec2(0.5, 0.2);
        }";
    match examine(RULES, &text.parse().expect("tokens"), &[], 1, 1) {
        Verdict::Compiled(report) => assert!(report.differences.is_empty(), "{:?}", report.differences),
        other => panic!("{other:?}"),
    }
}

/// T is a form of velocities alone in one branch, and moves with time in the other. No point need lie in both.
#[test]
fn inertia_of_each_branch_is_its_own() {
    let choices = ["min(p, t)", "max(p, t)", "(if t < p { t } else { p })"];
    for choice in choices {
        let text = format!(
            "pub struct Chosen {{
                param p: Real = 0.6;
                coord x: Real;
                let r = vec2(x * {choice}, x);
                kinetic = 0.5 * der(r).dot(der(r));
            }}"
        );
        match examine(RULES, &text.parse().expect("tokens"), &[], 40, 1) {
            Verdict::Compiled(report) => assert!(report.differences.is_empty(), "{choice}: {:?}", report.differences),
            other => panic!("{other:?}"),
        }
    }
}

/// Masses without units have reciprocals that are numbers, as are the indices of functions.
#[test]
fn indices_of_functions_are_numbers() {
    let text = "pub struct Turned {
        param k: Real = 0.6;
        coord (q, w): SO3;
        coord x: Real;
        kinetic = 0.5 * w.dot(w) + 0.5 * sq(der(x));
        potential = k * log_so3(q).y * x;
    }";
    match examine(RULES, &text.parse().expect("tokens"), &[], 2, 1) {
        Verdict::Compiled(report) => assert!(report.differences.is_empty(), "{:?}", report.differences),
        other => panic!("{other:?}"),
    }
}

/// A model has the last word on where the states of its subs start.
#[test]
fn a_state_of_a_sub_starts_where_its_parent_says() {
    let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
    let coil = tokens("pub struct Coil { state i: Real; init i = 0.2; der(i) = -i; }");
    let motor = tokens("pub struct Motor { sub coil: Coil; state h: Real; init h = 0.1; der(h) = coil.i - h; }");
    let drive = tokens(
        "pub struct Drive { param p: Real; sub motor: Motor; init motor.h = 0.7 * p; init motor.coil.i = 0.4 * p; }",
    );
    match examine(RULES, &drive, &[motor, coil], 2, 1) {
        Verdict::Compiled(report) => assert!(report.differences.is_empty(), "{:?}", report.differences),
        other => panic!("{other:?}"),
    }
}

/// Every row of the table stands in r, and its derivative in the tangent.
const EVERY_FUNCTION: &str = "
    pub struct Every {
        param k: Real = 0.7;
        coord x, y: Real;
        input u: Real;
        kinetic = 0.5 * sq(der(x)) + 0.5 * sq(der(y));
        potential = k * norm(vec3(x, y, x * y));
        force f1 on x = sin(x) + cos(x * y) + tan(0.7 * sin(x)) + asin(0.5 * sin(x)) + acos(0.5 * cos(y)) + atan(x);
        force f2 on x = sinh(x) + cosh(y) + tanh(x) + exp(y) + ln(1.5 + sq(x)) + sqrt(1.5 + x * y * x * y);
        force f3 on y = atan2(x, y) + hypot(x, y) + (1.5 + sq(x)).powf(y) + 1.0 / (2.0 + x * y) - u * y;
        force f4 on y = norm(vec3(x, y, x * y)) * k * z;
        force f5 on x = exp_so3(vec3(x, y, k)).rotate(vec3(1.0, 2.0, y)).x;
        force f6 on y = log_so3(exp_so3(vec3(x, y, k)) * rot_x(x)).y;
        state z: Real;
        der(z) = exp(z) * sin(x) - k * der(y) * sq(z) + u;
    }";

#[test]
fn a_wrong_rule_is_noticed_in_every_row() {
    let text = EVERY_FUNCTION.parse().expect("tokens");
    let differences = |rules| match examine(rules, &text, &[], 2, 1) {
        Verdict::Compiled(report) => report.differences.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(differences(RULES), 0);
    macro_rules! wrong {
        ($($row:literal)*) => {
            [$((|g: &mut Graph, x: [Node; 2], y: Node, wrt: usize| {
                let right = (RULES[$row].derivative)(g, x, y, wrt);
                g.scale(1.001, right)
            }) as fn(&mut Graph, [Node; 2], Node, usize) -> Node),*]
        };
    }
    let wrong = wrong!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
    assert_eq!(wrong.len(), RULES.len());
    for (row, derivative) in wrong.into_iter().enumerate() {
        let mut rules = RULES;
        rules[row].derivative = derivative;
        assert!(differences(rules) > 0, "{:?} is wrong and nothing noticed", RULES[row].function);
    }
}
