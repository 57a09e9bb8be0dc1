//! The texts of a model say what it has, and nothing else.

use ode_codegen::Compiled;
use ode_codegen::phases::describe::Form;

fn compiled(items: &str) -> Compiled {
    let text = format!("pub struct Probe {{ {items} }}");
    ode_codegen::compile(text.parse().expect("tokens")).expect("a model without mistakes")
}

/// The first line of EQUATIONS.
fn form(items: &str) -> String {
    let equations = compiled(items).description().equations;
    equations.lines().next().expect("a line").to_owned()
}

const PLANE: &str = "coord r: Vec2; coord th: Angle; kinetic = 0.5 * dot(der(r), der(r)) + 0.5 * sq(der(th));";

#[test]
fn equations_begin_with_the_terms_that_are_there() {
    for (items, expected) in [
        ("coord x: Real; mass x = 1.0;", "Probe: M a = f"),
        ("coord x: Real; kinetic = 0.5 * (1.0 + sq(x)) * sq(der(x));", "Probe: M(q) a = f"),
        (&format!("{PLANE} constraint rod: r.dot(r) == 1.0; guess r.x = 1.0;"), "Probe: M a = f + G^T lambda, Phi = 0"),
        (&format!("{PLANE} constraint roll: der(r.x) == der(th);"), "Probe: M a = f + G^T lambda, psi = 0"),
        (&format!("{PLANE} constraint edge: r.y == 0.0 with {{ compliance: 0.1 }};"), "Probe: M a = f + G^T lambda"),
        ("state s: Real; der(s) = 1.0;", "Probe: der(z) = g"),
        (
            "coord x: Real; mass x = 1.0; state s: Real; der(s) = x; algebraic y: Real; constraint law: y == 2.0 * s;",
            "Probe: M a = f, der(z) = g, 0 = F",
        ),
    ] {
        assert_eq!(form(items), expected, "{items}");
    }
}

#[test]
fn a_power_has_one_spelling() {
    let text = |potential: &str| {
        let items =
            format!("param k: Real = 2.0; param c: Real = 3.0; coord x: Real; mass x = 1.0; potential = {potential};");
        let equations = compiled(&items).description().equations;
        let line = equations.lines().find(|line| line.starts_with("  V = ")).expect("the potential");
        line["  V = ".len()..].to_owned()
    };
    for (written, shown) in [
        ("x * x", "x^2"),
        ("sq(x)", "x^2"),
        ("x.powi(2)", "x^2"),
        ("x * x * x", "x^3"),
        ("x.powi(3)", "x^3"),
        ("sq(sq(x))", "x^4"),
        ("x.powi(-2)", "1/x^2"),
        ("x.powf(1.5)", "x^1.5"),
        ("k * x * k", "k^2*x"),
        ("sq(k + x)", "(k + x)^2"),
        ("k / (x * x)", "k/x^2"),
        ("k / x / c", "k/c/x"),
        ("-k * x", "-k*x"),
    ] {
        assert_eq!(text(written), shown, "{written}");
    }
}

#[test]
fn factors_stand_in_the_order_of_a_textbook() {
    let declared =
        "param m: Real = 2.0; param l: Real = 3.0; coord x: Real; coord th: Angle; kinetic = 0.5 * sq(der(x));
        mass th = m;";
    for (written, text, latex) in [
        ("l * m * l", "m*l^2", "m l^{2}"),
        ("x * l * 0.5 * m", "0.5*m*l*x", r"\frac{1}{2} m l x"),
        ("cos(th) * (x + l) * m", "m*(l + x)*cos(th)", r"m (l + x) \cos \theta"),
        ("sq(sin(th) * l)", "l^2*sin(th)^2", r"l^{2} \sin^{2} \theta"),
        ("-(x - m * x)", "m*x - x", "m x - x"),
        ("x - (l - (x * x - m))", "x + x^2 - m - l", "x + x^{2} - m - l"),
        ("m * (-x) * l", "-m*l*x", "-m l x"),
        ("0.5 * x / (m * l)", "0.5*x/m/l", r"\frac{x}{2 m l}"),
        ("m / 3.0 * l * x", "0.3333333333333333*m*l*x", r"\frac{1}{3} m l x"),
        ("m * l * (-x - 2.0 * th)", "-m*l*(x + 2*th)", r"-m l (x + 2 \theta)"),
        ("x * sq(m * l * (-x - th))", "m^2*l^2*x*(x + th)^2", r"m^{2} l^{2} x (x + \theta)^{2}"),
        ("sin(-x - th)", "-sin(x + th)", r"-\sin(x + \theta)"),
        ("exp(-x - th)", "exp(-(x + th))", r"\exp\bigl(-(x + \theta)\bigr)"),
        ("l * (m * (x + l) + th)", "l*(th + m*(l + x))", r"l \bigl(\theta + m (l + x)\bigr)"),
        ("sqrt(x * x + m) * l", "l*sqrt(m + x^2)", r"l \sqrt{m + x^{2}}"),
        ("2.5e-7 * x", "2.5e-7*x", r"2.5 \cdot 10^{-7} x"),
        ("x.powf(l) / (m + x)", "x^l/(m + x)", r"\frac{x^{l}}{m + x}"),
    ] {
        let model = compiled(&format!("{declared} potential = {written};"));
        let line = |form, start: &str| {
            let equations = model.spelled(form).text;
            let line = equations.lines().find_map(|line| line.trim().strip_prefix(start)).expect("the potential");
            line.to_owned()
        };
        assert_eq!(line(Form::Text, "V = "), text, "{written}");
        assert_eq!(line(Form::Latex, "V &= "), latex, "{written}");
    }
}

#[test]
fn terms_and_masses_stand_in_the_order_of_a_textbook() {
    let declared =
        "param mu: Real = 0.1; param l: Real [m] = 1.0; param g: Real [m/s^2] = 9.81; param m: Real [kg] = 1.0;
        param j: Real [kg*m^2] = 1.0; param k: Real [N/m] = 1.0; coord r: Vec3 [m]; coord th: Angle;
        kinetic = 0.5 * m * dot(der(r), der(r)) + 0.5 * j * sq(l / 2.0m * der(th));";
    for (written, latex) in [
        ("m * l * g * mu * cos(th)", r"\mu m g l \cos \theta"),
        ("0.5 * sq(l) * k * sq(th)", r"\frac{1}{2} k l^{2} \theta^{2}"),
        ("0.5 * k * dot(r, r)", r"\frac{1}{2} k (r_{x}^{2} + r_{y}^{2} + r_{z}^{2})"),
        (
            "m * g * r.z + 0.5 * k * (sq(r.y) + sq(r.x)) + k * l * r.x",
            r"m g r_{z} + k l r_{x} + \frac{1}{2} k (r_{x}^{2} + r_{y}^{2})",
        ),
        ("k * (r.z + r.x + 2.0 * r.y) * l", r"k l (r_{x} + r_{z} + 2 r_{y})"),
    ] {
        let text = compiled(&format!("{declared} potential = {written};")).spelled(Form::Latex).text;
        let line = text.lines().find_map(|line| line.trim().strip_prefix("V &= ")).expect("the potential");
        assert_eq!(line, latex, "{written}");
    }
}

#[test]
fn names_are_letters_with_subscripts() {
    let items = "param m_c: Real = 1.0; param l1: Real = 1.0; param omega_max: Real = 1.0; param hub: [Vec2; 2] =
            [vec2(1.0, 1.0), vec2(1.0, 1.0)]; param spin: Real = 1.0; param eps: Real = 1.0; param alpha: Real = 1.0;
        param a: Real = 1.0; param a_1: Real = 1.0; param a1: Real = 1.0;
        coord r: Vec2; coord th: Angle; coord theta: Angle; coord φ: Angle;
        kinetic = 0.5 * dot(der(r), der(r)) + 0.5 * sq(der(th)) + 0.5 * sq(der(theta)) + 0.5 * sq(der(φ));
        constraint rod: r.dot(r) == 1.0; guess r.x = 1.0;";
    let model = compiled(items);
    let [plain, latex, mathml] = [Form::Text, Form::Latex, Form::MathMl].map(|form| model.spelled(form).names);
    for (shown, in_latex, in_mathml) in [
        ("m_c", "m_{c}", "<msub><mi>m</mi><mi>c</mi></msub>"),
        ("l1", "l_{1}", "<msub><mi>l</mi><mn>1</mn></msub>"),
        ("omega_max", r"\omega_{\mathrm{max}}", "<msub><mi>ω</mi><mi>max</mi></msub>"),
        ("hub[0].x", r"\mathit{hub}_{0,x}", "<msub><mi>hub</mi><mrow><mn>0</mn><mo>,</mo><mi>x</mi></mrow></msub>"),
        ("spin", r"\mathit{spin}", "<mi>spin</mi>"),
        ("eps", r"\varepsilon", "<mi>ε</mi>"),
        ("alpha", r"\alpha", "<mi>α</mi>"),
        ("a", "a", "<mi>a</mi>"),
        ("r.x", "r_{x}", "<msub><mi>r</mi><mi>x</mi></msub>"),
        ("φ", r"\varphi", "<mi>φ</mi>"),
        ("rod.lambda", r"\lambda_{\mathrm{rod}}", "<msub><mi>λ</mi><mi>rod</mi></msub>"),
        // no two names look the same
        ("th", r"\theta", "<mi>θ</mi>"),
        ("theta", r"\mathit{theta}", "<mi>theta</mi>"),
        ("a1", "a_{1}", "<msub><mi>a</mi><mn>1</mn></msub>"),
        ("a_1", r"\mathit{a\_1}", "<mi>a_1</mi>"),
    ] {
        let place = plain.iter().position(|(_, name)| name == shown).expect("a symbol");
        assert_eq!((&*latex[place].1, &*mathml[place].1), (in_latex, in_mathml), "{shown}");
    }
    let dotted = |shown: &str| &latex[plain.iter().position(|(_, name)| name == shown).expect("a symbol")].1;
    assert_eq!(dotted("der(r.y)"), r"\dot{r}_{y}");
    assert_eq!(dotted("der(der(φ))"), r"\ddot{\varphi}");
}

#[test]
fn a_page_names_each_call_once() {
    let items = format!("{PLANE} potential = cos(th); constraint rod: r.dot(r) == 1.0; guess r.x = 1.0;");
    let page = compiled(&items).description().documentation;
    let page = [page.before, page.after].concat();
    let calls: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    for name in ["forward", "saddle_factors", "saddle_solution", "tangent_factors", "tangent_solution"] {
        assert_eq!(calls.iter().filter(|call| **call == name).count(), 1, "{name} in {page}");
    }
    assert!(page.contains("LDLᵀ of \\[M Gᵀ; G 0\\], for accelerations"), "{page}");
    for absent in ["# Inputs", "# Parameters", "# Outputs", "# States"] {
        assert!(!page.contains(absent), "{absent} in {page}");
    }
}

/// The names of public functions in the code of a model.
fn public(items: &str) -> Vec<String> {
    let source = ode_codegen::expand_source(&format!("model! {{ pub struct Probe {{ {items} }} }}")).expect("a model");
    let names = source.lines().filter_map(|line| line.trim().strip_prefix("pub fn ")?.split(['(', '<']).next());
    names.map(str::to_owned).collect()
}

#[test]
fn methods_that_would_return_nothing_are_not_there() {
    let bare = public("coord x: Real; mass x = 1.0;");
    for absent in [
        "force_by_input",
        "rate_by_input",
        "residual_by_parameter",
        "constraint_by_parameter",
        "constraint_values",
        "outputs",
        "limits",
        "limit_bounds",
        "input_bounds",
        "costs",
        "residuals",
        "power",
        "state_rates",
    ] {
        assert!(!bare.iter().any(|name| name == absent), "{absent} of {bare:?}");
    }
    assert!(["mass", "force", "stiffness", "energy"].iter().all(|there| bare.iter().any(|name| name == there)));
    let clock = public("state s: Real; der(s) = 1.0;");
    assert!(!clock.iter().any(|name| name == "energy" || name == "mass" || name == "force_by_input"), "{clock:?}");
    let given = public("param k: Real = 1.0; coord x: Real; mass x = k; input u: Real; force f on x = u;");
    let wanted = ["force_by_input", "residual_by_parameter", "input_bounds", "power"];
    assert!(wanted.iter().all(|there| given.iter().any(|name| name == there)), "{given:?}");
}

#[test]
fn code_under_review_has_no_self_test() {
    let text = "model! { pub struct Probe { param k: Real = 2.0; coord x: Real; mass x = k; } }";
    let source = ode_codegen::expand_source(text).expect("a model");
    assert!(!source.contains("cfg(test)") && !source.contains("Twin"), "{source}");
    let expansion = compiled("param k: Real = 2.0; coord x: Real; mass x = k;").emit().to_string();
    assert!(expansion.contains("__ProbeTwin"), "the model itself has one");
}
