//! Random models mean what their texts say, and a compiler that does not is noticed.

use std::collections::BTreeMap;

use ode_codegen::expr::{Graph, Node, RULES};
use ode_model_generator::examine::{Outcome, Verdict, examine, examined, shrunk};
use ode_model_generator::random::Model;

/// Messages that a generated model may end in: what it says does not move, or is held too often, or is too large.
const REFUSALS: [&str; 14] = [
    "M0201", "M0203", "M0204", "M0225", "M0234", "M0210", "M0212", "M0301", "M0302", "M0303", "M0306", "M0308",
    "M0601", "M0901",
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
                panic!("seed {seed}: {other:?}\n{}\n{}", model.parts.join("\n"), model.text());
            }
        }
        *counts.entry(outcome.kind()).or_default() += 1;
    }
    assert!(counts["agrees"] >= 72, "{counts:?}");
    // each block had numbers to differ in
    let empty: Vec<_> = blocks.iter().filter(|(_, n)| **n == 0).map(|(block, _)| block).collect();
    assert!(empty.is_empty() && blocks.len() >= 35, "{} blocks, without numbers {empty:?}", blocks.len());
}

#[test]
fn a_seed_gives_one_text() {
    let texts = || (0..20).map(|seed| Model::of_seed(seed).text()).collect::<Vec<_>>();
    assert_eq!(texts(), texts());
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
