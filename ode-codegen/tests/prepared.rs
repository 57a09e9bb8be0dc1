//! What depends on parameters alone costs a model with prepared values nothing in its calls.

use std::collections::BTreeSet;
use std::str::FromStr;

use ode_codegen::phases::expr::Symbol;
use ode_codegen::phases::lower::{Block, Call, Expr, Input, Kernel, Kind};
use ode_codegen::{Compiled, compile};
use proc_macro2::TokenStream;

/// The model of a text with these options.
fn compiled(options: &str, text: &str) -> Compiled {
    let text = format!("#[model({options})] {text}");
    compile(TokenStream::from_str(&text).expect("tokens")).unwrap_or_else(|e| panic!("{e}"))
}

/// Links that hang on each other, with absolute angles.
fn chain(n: usize) -> String {
    let list = |first: f64, step: f64| (0..n).map(|i| format!("{:?}, ", first + step * i as f64)).collect::<String>();
    let mut items = format!(
        "param m: [Real; {n}] = [{}]; param l: [Real; {n}] = [{}]; param j: [Real; {n}] = [{}];
        param g: Real = 9.81; param c: Real = 0.02; coord th: [Angle; {n}];
        dissipation = 0.5 * c * sq(der(th[0]));",
        list(0.4, 0.03),
        list(0.5, -0.01),
        list(0.008, 0.0005),
    );
    let mut joint = "vec2(0.0, 0.0)".to_owned();
    for i in 0..n {
        items += &format!(
            "let e{i} = vec2(sin(th[{i}]), -cos(th[{i}]));
            let c{i} = {joint} + 0.5 * l[{i}] * e{i};
            let p{i} = {joint} + l[{i}] * e{i};
            kinetic = 0.5 * m[{i}] * der(c{i}).dot(der(c{i})) + 0.5 * j[{i}] * sq(der(th[{i}]));
            potential = m[{i}] * g * c{i}.y;"
        );
        joint = format!("p{i}");
    }
    format!("pub struct Chain {{ {items} }}")
}

fn operations(compiled: &Compiled, call: Call) -> usize {
    compiled.program[call].ops.total()
}

/// Operations of a chain of five links, and of the same model whose parameters are numbers of its code: what is
/// prepared takes hardly more than these.
#[test]
fn calls_cost_what_they_cost_with_numbers() {
    let [plain, prepared, frozen] = ["units = off", "prepared", "freeze"].map(|option| compiled(option, &chain(5)));
    let calls = [
        (Call::Forward, 0.80),
        (Call::Residual, 0.90),
        (Call::Tangent, 0.80),
        (Call::Partials, 0.67),
        (Call::Accelerations, 0.87),
        (Call::AccelerationPartials, 0.80),
    ];
    for (call, most) in calls {
        let [plain, prepared, frozen] = [&plain, &prepared, &frozen].map(|model| operations(model, call) as f64);
        println!("{}: {prepared}, without {plain}, with numbers {frozen}", call.name());
        assert!(prepared <= most * plain, "{}: {prepared} operations of {plain}", call.name());
        assert!(prepared <= 1.04 * frozen, "{}: {prepared} operations, with numbers {frozen}", call.name());
    }
    assert_eq!(operations(&plain, Call::Prepare), 0);
}

/// Every expression of a kernel.
fn each(kernel: &Kernel, look: &mut dyn FnMut(&Expr)) {
    for statement in kernel.pieces.iter().flat_map(|piece| &piece.statements) {
        expression(&statement.value, look);
    }
}

fn expression(expr: &Expr, look: &mut dyn FnMut(&Expr)) {
    look(expr);
    let block = |block: &Block, look: &mut dyn FnMut(&Expr)| {
        block.statements.iter().for_each(|s| expression(&s.value, look));
        expression(&block.value, look);
    };
    match expr {
        Expr::Constant(_) | Expr::Load(_) | Expr::Temp(_) => {}
        Expr::Unary(_, a) | Expr::Not(a) => expression(a, look),
        Expr::Binary(_, a, b) | Expr::Divide(a, b) | Expr::Less(a, b) | Expr::LessEq(a, b) => {
            expression(a, look);
            expression(b, look);
        }
        Expr::And(a, b) | Expr::Or(a, b) => {
            expression(a, look);
            expression(b, look);
        }
        Expr::Choice(c, a, b) => {
            expression(c, look);
            block(a, look);
            block(b, look);
        }
        Expr::Call(_, list) | Expr::Angles(list) => list.iter().for_each(|e| expression(e, look)),
    }
}

/// Does an expression depend on parameters and numbers alone, without names?
fn is_fixed(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) => true,
        Expr::Load(symbol) => matches!(symbol, Symbol::P(_) | Symbol::Prepared(_)),
        Expr::Unary(_, a) => is_fixed(a),
        Expr::Binary(_, a, b) | Expr::Divide(a, b) => is_fixed(a) && is_fixed(b),
        _ => false,
    }
}

#[test]
fn no_operation_of_parameters_is_left() {
    let slotted = "pub struct Slotted {
        param: Real { m = 1.3; l = 0.7; g = 9.81; d = 0.05; k = 0.7; tau = 0.4; }
        param tilt: Angle = 0.2;
        coord r: Vec2;
        state lag: Real;
        der(lag) = -lag / tau;
        kinetic = 0.5 * m * der(r).dot(der(r));
        potential = -m * g * r.dot(vec2(sin(tilt), -cos(tilt)));
        dissipation = 0.5 * d * der(r).dot(der(r));
        force push on r.x = lag * (if k > 0.5 * g { m / g } else { k * k });
        constraint rod: sq(l) == r.dot(r);
        output all: Real = (m + d) * g;
    }";
    for text in [chain(3), slotted.to_owned()] {
        let model = compiled("prepared", &text);
        let values = model.program[Call::Prepare].len("values");
        let (mut read, mut made) = (BTreeSet::new(), 0);
        for kernel in model.program.kernels().filter(|k| k.name != "prepare" && k.inputs.contains(&Input::Prepared)) {
            each(kernel, &mut |expr| {
                let operation = !matches!(expr, Expr::Constant(_) | Expr::Load(_));
                assert!(!operation || !is_fixed(expr), "{}: {expr:?}", kernel.name);
                if let Expr::Load(Symbol::Prepared(value)) = expr {
                    read.insert(*value as usize);
                }
            });
        }
        let prepare = &model.program[Call::Prepare];
        for statement in prepare.pieces.iter().flat_map(|piece| &piece.statements) {
            made += usize::from(matches!(statement.kind, Kind::Write("values", _)));
        }
        assert!(values > 5 && made == values);
        assert!(read.into_iter().eq(0..values), "every value is read, and no other");
        assert!(prepare.inputs == [Input::Parameters]);
    }
}

/// An external function of parameters is called where they are given, but not where it stands in a branch.
#[test]
fn calls_in_branches_stay_there() {
    let text = "pub struct Plate {
        param: Real { a = 0.3; b = 2.0; }
        extern fn bend(x: Real) -> Real { value: crate::bend, gradient: crate::bend_by };
        coord x: Real;
        kinetic = 0.5 * bend(a * b) * sq(der(x));
        #[allow(nonsmooth)]
        force push on x = if x > 0.0 { bend(a - b) * x } else { a * b * x };
    }";
    let model = compiled("prepared", text);
    let calls = |call: Call| {
        let mut calls = Vec::new();
        each(&model.program[call], &mut |expr| {
            if let Expr::Call(called, _) = expr {
                calls.push(called.name.clone());
            }
        });
        calls
    };
    // the slope is that of the inertia by its parameters
    assert_eq!(calls(Call::Prepare), ["bend", "bend_x"]);
    assert_eq!(calls(Call::Forward), ["bend"]);
    assert!(model.description().listing.contains("prepared["));
}

#[test]
fn without_the_option_there_is_no_such_call() {
    let model = compiled("units = off", &chain(2));
    assert!(model.program.get(Call::Prepare).is_none());
    let text = model.emit().to_string();
    assert!(!text.contains("Prepare") && !text.contains("ChainParameters"));
}

/// The rest of a user's code finds the parameters' struct and `change` in spite of a mistake.
#[test]
fn a_mistake_keeps_the_struct_of_parameters() {
    let text =
        "#[model(prepared)] pub struct Rod { param m: Real = 1.0; coord x: Real; kinetic = 0.5 * mm * sq(der(x)); }";
    let expansion = ode_codegen::expand(TokenStream::from_str(text).expect("tokens")).to_string();
    assert!(expansion.contains("compile_error"));
    for found in ["pub struct RodParameters {", "pub m : f64", "pub fn change", "Prepare for RodParameters"] {
        assert!(expansion.contains(found), "{found}");
    }
}

/// `s * (s + 2)` keeps the digits of a small s that `(1 + s)^2 - 1` loses, wherever the model writes the other first.
#[test]
fn of_equal_expressions_the_shortest_is_prepared() {
    let forces = ["(sq(1.0 + s) - 1.0) * cos(y)", "s * (s + 2.0) * cos(x)"];
    for [first, second] in [[forces[0], forces[1]], [forces[1], forces[0]]] {
        let text = format!(
            "pub struct Model {{ param s: Real = 1.0e-9; coord x, y: Real; mass x = 1.0; mass y = 1.0;
            force a on x = {first}; force b on y = {second}; }}"
        );
        let model = compiled("prepared", &text);
        // and the derivative by s, 2 (1 + s)
        assert_eq!(operations(&model, Call::Prepare), 2 + 2, "{first}");
    }
}
