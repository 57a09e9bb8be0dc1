//! Equations in text, LaTeX and MathML have the values of the model's mathematics: each form is read from what a user
//! sees, and evaluated.

mod latex;
mod mathml;
mod plain;
mod token;

use std::collections::HashMap;
use std::path::Path;

use ode_codegen::phases::derive::Sparse;
use ode_codegen::phases::describe::Form;
use ode_codegen::phases::expr::{Function, Graph, Node, Number, Op, Partial, Symbol};
use ode_codegen::phases::model::Order;
use ode_codegen::phases::parse::with_parts;
use ode_codegen::{Compiled, compile};
use ode_model_generator::random::Model;
use ode_model_generator::texts;
use proc_macro2::TokenStream;

use token::{Called, Meaning, Token};

/// An equation, as it is read.
pub(crate) struct Equation {
    pub section: String,
    pub left: String,
    pub right: Vec<Token>,
}

/// Reads the equations of a text.
type Reader = fn(&str) -> Vec<Equation>;

const FORMS: [(Form, Reader); 3] =
    [(Form::Text, plain::equations), (Form::Latex, latex::equations), (Form::MathMl, mathml::equations)];

/// A number for each symbol. One weight may be one, the others are zero; no rotation has turned.
fn number(symbol: Symbol, weight: Option<u32>) -> f64 {
    let (kind, i) = match symbol {
        Symbol::Time => (0, 0),
        Symbol::Q(i) => (1, i),
        Symbol::V(i) => (2, i),
        Symbol::A(i) => (3, i),
        Symbol::Z(i) => (4, i),
        Symbol::Zdot(i) => (5, i),
        Symbol::Mode(i) => (6, i),
        Symbol::U(i) => (7, i),
        Symbol::P(i) => (8, i),
        Symbol::Lambda(i) => (9, i),
        // the tangent that generated code has is then K or D
        Symbol::Weight(i) => return f64::from(u8::from(weight == Some(i))),
        Symbol::Turn(i) => return f64::from(u8::from(i % 9 % 4 == 0)),
        other => panic!("{other:?} in an equation"),
    };
    0.15 + (f64::from(i * 11 + kind) * 0.618_033_988_75).fract()
}

/// What is said: a left side in text, and what it stands for.
struct Entry {
    left: String,
    node: Node,
    weight: Option<u32>,
}

/// The entries of K and of D, which are typeset alone, in order: with the values that generated code has.
fn linearised(compiled: &Compiled, about: &str) -> Vec<Entry> {
    let (e, n, derived) = (&compiled.equations, &compiled.names.directions, compiled.linearised());
    let all = |symbol: &str, derived: &Sparse, pattern: &[(usize, usize)], weight: u32| -> Vec<Entry> {
        let entry = |r: usize, c: usize| {
            let node = e.tangent.matrix.get(r, c);
            let left = format!("{symbol}[{}, {}]", n[r], n[c]);
            Entry { node: node.unwrap_or_else(|| panic!("{about}: {left} is zero")), left, weight: Some(weight) }
        };
        for &(r, c) in pattern.iter().filter(|(r, c)| derived.get(*r, *c).is_none()) {
            let Entry { left, node, weight } = entry(r, c);
            let value = e.graph.evaluate_in(&[node], &|symbol| Real(number(symbol, weight)))[0].0;
            assert!(value.abs() < 1e-12, "{about}: {left} = {value} is left out");
        }
        derived.entries.iter().map(|&(r, c, _)| entry(r, c)).collect()
    };
    let mut entries = all("K", &derived.stiffness, &e.tangent.stiffness, 2);
    if compiled.model.header.options.order == Order::Second {
        entries.extend(all("D", &derived.damping, &e.tangent.damping, 1));
    }
    entries
}

/// What the left sides in text stand for.
fn meant(compiled: &Compiled) -> HashMap<(&'static str, String), Node> {
    let (e, n, model) = (&compiled.equations, &compiled.names, &compiled.model);
    let mut all: HashMap<(&'static str, String), Node> = HashMap::new();
    let mut vector = |section: &'static str, symbol: &str, rows: &[String], nodes: &[Node]| {
        all.extend(rows.iter().zip(nodes).map(|(row, &node)| ((section, format!("{symbol}[{row}]")), node)));
    };
    let differential = model.nz() - model.na();
    let events: Vec<String> = model.events.iter().map(|event| event.label.clone()).collect();
    vector("algebraic equations, 0 = F", "F", &model.flow.laws, &e.states.rates[differential..]);
    vector("forces", "f", &n.directions, &e.dynamics.force);
    vector("constraints", "Phi", &n.constraints, &e.constraints.phi);
    vector("constraints on velocities", "psi", &n.constraints, &e.constraints.laws);
    vector("compliant constraints", "0", &n.constraints, &e.constraints.laws);
    vector("constraints by time", "Phi_t", &n.constraints, &e.constraints.phi_t);
    vector("constraint bias", "gamma", &n.constraints, &e.constraints.gamma);
    vector("guards", "g", &events, &e.events.guards);
    vector("outputs", "y", &n.y, &e.observed.outputs.values);
    let mut matrix = |section: &'static str, symbol: &str, rows: &[String], cols: &[String], m: &Sparse| {
        let entry =
            |&(r, c, node): &(usize, usize, Node)| ((section, format!("{symbol}[{}, {}]", rows[r], cols[c])), node);
        all.extend(m.entries.iter().map(entry));
    };
    let moving: Vec<String> = n.directions.iter().chain(&n.z).cloned().collect();
    matrix("mass matrix (lower triangle)", "M", &n.directions, &n.directions, &e.dynamics.mass);
    matrix("coefficient of the velocities (lower triangle)", "D", &n.directions, &n.directions, &e.dynamics.mass);
    matrix("constraint Jacobian", "G", &n.constraints, &n.directions, &e.constraints.jacobian);
    matrix("forces by inputs", "B", &moving, &n.u, &e.sensitivities.inputs);
    all.insert(("kinetic energy", "T".to_owned()), e.energies.energy[0]);
    all.insert(("potential energy", "V".to_owned()), e.energies.energy[1]);
    let rates = n.z.iter().zip(&e.states.rates[..differential]);
    all.extend(rates.map(|(z, &node)| (("first-order states", format!("der({z})")), node)));
    for event in &model.events {
        let new = |&(target, node): &(Symbol, Node)| {
            (("values after events", format!("{}[{}]", event.label, n.shown(target))), node)
        };
        all.extend(event.resets.iter().map(new));
    }
    all
}

/// Reals, with something in place of external functions: the same for all that have a name, as in a text.
#[derive(Clone, Copy)]
struct Real(f64);

impl Number for Real {
    fn constant(value: f64) -> Self {
        Self(value)
    }
    fn apply(function: Function, x: [Self; 2]) -> Self {
        Self(f64::apply(function, x.map(|x| x.0)))
    }
    fn real(self) -> f64 {
        self.0
    }
    fn external(partial: &Partial, x: &[Self]) -> Self {
        let term = |(k, (x, &order)): (usize, (&Self, &u8))| (x.0 * (1.0 + k as f64) + f64::from(order)).sin();
        Self(x.iter().zip(&partial.orders).enumerate().map(term).sum())
    }
}

/// The external functions that a graph calls, by name.
fn functions(graph: &Graph, nodes: &[Node]) -> HashMap<String, Called<'static>> {
    let mut found: HashMap<String, Called<'static>> = HashMap::new();
    for node in graph.reach(nodes) {
        if let Op::Call(callee, _) = graph.op(node) {
            let partial = graph.partial(callee).clone();
            let value = move |x: &[f64]| Real::external(&partial, &x.iter().map(|&x| Real(x)).collect::<Vec<_>>()).0;
            found.insert(graph.callee_name(graph.partial(callee)), Box::new(value));
        }
    }
    found
}

/// The equations of a model, in the order of its texts; shared terms have no meaning of their own. K and D follow
/// where they are typeset.
fn wanted(compiled: &Compiled, form: Form, about: &str) -> Vec<Option<Entry>> {
    let meant = meant(compiled);
    let entry = |Equation { section, left, .. }: Equation| {
        if section == "shared terms" {
            return None;
        }
        let key = meant.keys().find(|(s, l)| *s == section && *l == left);
        let node = key.map_or_else(|| panic!("{about}: no {left} of {section}"), |key| meant[key]);
        Some(Entry { left, node, weight: None })
    };
    let text = compiled.spelled(Form::Text).text;
    let mut all: Vec<Option<Entry>> = plain::equations(&text).into_iter().map(entry).collect();
    if form != Form::Text {
        all.extend(linearised(compiled, about).into_iter().map(Some));
    }
    all
}

/// Compares all equations of a model in all forms; returns how many numbers were compared.
fn compare(compiled: &Compiled, about: &str) -> usize {
    let graph = &compiled.equations.graph;
    let mut compared = 0;
    for (form, read) in FORMS {
        let wanted = wanted(compiled, form, about);
        let nodes: Vec<Node> = wanted.iter().flatten().map(|entry| entry.node).collect();
        let spelled = compiled.spelled(form);
        let mut meaning = Meaning { functions: functions(graph, &nodes), ..Meaning::default() };
        for (symbol, name) in spelled.names {
            if !matches!(symbol, Symbol::Weight(_)) {
                let other = meaning.scalars.insert(name.clone(), number(symbol, None));
                assert_eq!(other, None, "{about}: {form:?} has two scalars {name}");
            }
        }
        let mut equations = read(&spelled.text).into_iter().filter_map(|equation| {
            let value = meaning.value(&equation.right);
            if !equation.section.ends_with("shared terms") {
                return Some((equation, value));
            }
            let other = meaning.scalars.insert(equation.left.clone(), value);
            assert_eq!(other, None, "{about}: {form:?} has {} twice", equation.left);
            None
        });
        for Entry { left, node, weight } in wanted.into_iter().flatten() {
            let (equation, value) = equations.next().unwrap_or_else(|| panic!("{about}: {form:?} has no {left}"));
            let symbol = equation.section.split_once(" matrix ").and_then(|(_, symbol)| symbol.chars().next());
            let matrix = weight.and(left.chars().next());
            assert!(matrix.is_none() || symbol == matrix, "{about}: {form:?}: {left} in {}", equation.section);
            let wanted = graph.evaluate_in(&[node], &|symbol| Real(number(symbol, weight)))[0].0;
            let near = (value - wanted).abs() <= 1e-8 * (1.0 + wanted.abs());
            assert!(near || !wanted.is_finite(), "{about}: {form:?}: {left} = {value}, not {wanted}\n{}", spelled.text);
            compared += usize::from(wanted.is_finite());
        }
        assert!(equations.next().is_none(), "{about}: {form:?} has more than is said");
    }
    compared
}

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("tokens")
}

#[test]
fn equations_of_the_projects_models_have_their_values() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &Path| texts::models(&std::fs::read_to_string(path).expect("a file")).expect("Rust");
    let parts = read(&root.join("tests/parts/src/robot.rs"));
    let (mut models, mut compared) = (0, 0);
    for folder in ["examples", "tests/models"] {
        let files = std::fs::read_dir(root.join(folder)).expect("a folder").map(|e| e.expect("a file").path());
        let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
        files.sort();
        for file in files {
            let own = read(&file);
            let known: Vec<TokenStream> = own.iter().chain(&parts).cloned().collect();
            // what `macro_rules!` completes is no model yet, and one with sets has the equations of its members
            let whole = |model: &&TokenStream| !model.to_string().contains('$') && !texts::declares_sets(model);
            for model in own.iter().filter(whole) {
                let about = format!("{}: {}", file.display(), texts::name(model));
                let compiled = compile(with_parts(model, &known)).unwrap_or_else(|e| panic!("{about}: {e}"));
                compared += compare(&compiled, &about);
                models += 1;
            }
        }
    }
    assert!(models > 100 && compared > 5_000, "{models} models, {compared} numbers");
}

#[test]
fn equations_of_random_models_have_their_values() {
    random(0..30);
}

/// On another thread.
#[test]
fn equations_of_more_random_models_have_their_values() {
    random(30..60);
}

fn random(seeds: std::ops::Range<u64>) {
    let (mut models, mut compared) = (0, 0);
    for seed in seeds {
        let model = Model::of_seed(seed).written_out();
        let parts: Vec<TokenStream> = model.parts.iter().map(|part| tokens(part)).collect();
        if let Ok(compiled) = compile(with_parts(&tokens(&model.text()), &parts)) {
            compared += compare(&compiled, &format!("seed {seed}"));
            models += 1;
        }
    }
    assert!(models > 15 && compared > 500, "{models} models, {compared} numbers");
}
