//! The roles of the runtime: `System`, `Linearize`, `Differentiable`, and the kernels behind them.

use std::fmt::Write as _;

use super::{Context, Flavour, Purpose};
use crate::lower::Call;

/// The roles that evaluate the model.
pub(super) fn roles(cx: &Context<'_>) -> String {
    let mut out = String::new();
    kernels(&mut out, cx);
    system(&mut out, cx);
    if cx.purpose == Purpose::Field {
        return out;
    }
    linearize(&mut out, cx);
    differentiable(&mut out, cx);
    out
}

/// The private functions.
fn kernels(out: &mut String, cx: &Context<'_>) {
    let code = cx.code();
    let _ = writeln!(out, "impl{} {} {{", cx.generics("Scalar"), cx.ty());
    let of_the_model = |call: Call| call != Call::Prepare && !Call::SOLVERS.contains(&call);
    for &call in Call::ALL.iter().filter(|&&call| cx.has(call) && of_the_model(call)) {
        let kernel = &cx.e.program[call];
        if kernel.outputs.iter().any(|(_, len)| *len > 0) {
            out.push_str(&code.functions(kernel, true));
        }
    }
    out.push_str("}\n");
}

/// The expression of each input array in a method that is given `at`, `rates` and `weights`.
fn argument(array: &str) -> Option<&'static str> {
    Some(match array {
        "t" => "at.t",
        "q" => "at.q.as_array()",
        "v" => "at.v.as_array()",
        "z" => "at.z.as_array()",
        "u" => "at.u.as_array()",
        "a" => "rates.a.as_array()",
        "zdot" => "rates.zdot.as_array()",
        "modes" => "at.modes.as_array()",
        "lambda" => "rates.lambda.as_array()",
        "weights" => "&[weights.rates, weights.velocity, weights.position, weights.state]",
        "turns" => "&turns",
        _ => return None,
    })
}

/// As [`argument`]; output arrays come from `output`.
pub(super) fn arguments<'a>(output: impl Fn(&str) -> String + 'a) -> impl Fn(&str) -> String + 'a {
    move |array| argument(array).map_or_else(|| output(array), str::to_owned)
}

fn system(out: &mut String, cx: &Context<'_>) {
    let (rt, ty, real, module) = (&cx.rt, cx.ty(), cx.real(), &cx.module);
    let program = cx.e.program;
    let [mass, jacobian] = ["mass", "jacobian"].map(|array| cx.array(program[Call::Forward].len(array)));
    let forward = cx.call(
        Call::Forward,
        arguments(|o| match o {
            "mass" | "jacobian" => format!("&mut out.{o}"),
            "g" => "out.zdot.array_mut()".to_owned(),
            o => format!("out.{o}.array_mut()"),
        }),
    );
    let residual = cx.call(Call::Residual, arguments(|o| format!("out.{o}.array_mut()")));
    let constraint = cx.call(
        Call::Constraint,
        arguments(|o| if o == "jacobian" { "&mut out.jacobian".to_owned() } else { format!("out.{o}.array_mut()") }),
    );
    let momentum_rate = if program[Call::MomentumRate].len("out") == 0 {
        format!("let _ = at; out.array_mut().fill({});", cx.number(0.0))
    } else {
        cx.call(Call::MomentumRate, arguments(|o| format!("{o}.array_mut()")))
    };
    let canonical = canonical(cx);
    let check = if cx.is_checked() {
        let floats = floats(cx);
        format!("fn check(&self) -> ::core::result::Result<(), {rt}::BuildError> {floats} {{ Self::check(self) }}")
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "impl{bound} {rt}::System for {ty} {{
            type Real = {real};
            type Q = {module}::Q<{real}>;
            type V = {module}::V<{real}>;
            type Z = {module}::Z<{real}>;
            type U = {module}::U<{real}>;
            type L = {module}::Lambda<{real}>;
            type Modes = {module}::Modes<{real}>;
            type Guards = [{real}; {events}];
            type Mass = {mass};
            type Jacobian = {jacobian};
            fn layout(&self) -> {rt}::Layout<'_> {{ {module}::LAYOUT }}
            {check}
            #[inline]
            fn forward(&self, at: {rt}::At<'_, Self>, out: &mut {rt}::Forward<Self>) {{ {forward} }}
            #[inline]
            fn residual(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut {rt}::Residual<Self>) {{
                {residual} }}
            #[inline]
            fn constraint(&self, at: {rt}::At<'_, Self>, out: &mut {rt}::Constraint<Self>) {{ {constraint} }}
            #[inline]
            fn momentum_rate(&self, at: {rt}::At<'_, Self>, out: &mut Self::V) {{ {momentum_rate} }}
            {canonical}
            {start}
            {happenings}
            {algebraic}
            {steps}
        }}",
        bound = cx.generics("Scalar"),
        start = start(cx),
        events = program.events.len(),
        happenings = super::events::events(cx),
        algebraic = algebraic(cx),
        steps = super::motion::steps(cx),
    );
}

/// M, f + Ṁ v, g, G and Φ by one function, where M moves.
fn canonical(cx: &Context<'_>) -> String {
    let call = cx.call(
        Call::Canonical,
        arguments(|o| match o {
            "mass" | "jacobian" => format!("&mut out.{o}"),
            "g" => "out.zdot.array_mut()".to_owned(),
            "phi" => "constraint.phi.array_mut()".to_owned(),
            o => format!("out.{o}.array_mut()"),
        }),
    );
    if call.is_empty() {
        return String::new();
    }
    let rt = &cx.rt;
    format!(
        "#[inline]
        fn canonical(&self, at: {rt}::At<'_, Self>, _rate: &mut Self::V, out: &mut {rt}::Forward<Self>,
            constraint: &mut {rt}::Constraint<Self>) {{ {call} }}"
    )
}

/// F and ∂F/∂y, where there are algebraic variables.
fn algebraic(cx: &Context<'_>) -> String {
    let (rt, real, na) = (&cx.rt, cx.real(), cx.e.program.layout.algebraic);
    let call = cx.call(Call::Algebraic, arguments(str::to_owned));
    if call.is_empty() {
        return String::new();
    }
    format!(
        "fn algebraic(&self, at: {rt}::At<'_, Self>, values: &mut [{real}], jacobian: &mut [{real}]) {{
            let ::core::result::Result::Ok(values) =
                <&mut [{real}; {na}] as ::core::convert::TryFrom<_>>::try_from(values) else {{ return }};
            let ::core::result::Result::Ok(jacobian) =
                <&mut [{real}; {nonzeros}] as ::core::convert::TryFrom<_>>::try_from(jacobian) else {{ return }};
            {call}
        }}",
        nonzeros = cx.e.program[Call::Algebraic].len("jacobian"),
    )
}

/// Nominal inputs, guesses and exact conditions, where they differ from the role's defaults.
fn start(cx: &Context<'_>) -> String {
    let mut out = String::new();
    if cx.e.program.record("U").is_some_and(|inputs| inputs.origin.iter().any(|x| *x != 0.0)) {
        let _ = writeln!(out, "fn nominal(&self, u: &mut Self::U) {{ *u = [{}].into(); }}", cx.origin("U"));
    }
    // the guess may read parameters only
    let guess = cx.call(Call::Guess, |array| format!("{array}.array_mut()"));
    if !guess.is_empty() {
        let _ = writeln!(out, "fn guess(&self, q: &mut Self::Q, v: &mut Self::V, z: &mut Self::Z) {{ {guess} }}");
    }
    out + &conditions(cx)
}

fn conditions(cx: &Context<'_>) -> String {
    let (rt, real) = (&cx.rt, cx.real());
    let call = cx.call(Call::Conditions, arguments(|o| format!("&mut {o}")));
    if call.is_empty() {
        return String::new();
    }
    let (mut body, mut arrays) = (String::new(), String::new());
    for (array, len) in &cx.e.program[Call::Conditions].outputs {
        let _ = writeln!(body, "let mut {array} = [{}; {len}];", cx.number(0.0));
        let _ = write!(arrays, "{array}: &mut {array}, ");
    }
    let _ = writeln!(body, "{call} out.put({rt}::Conditions {{ {arrays} }});");
    format!("fn conditions(&self, at: {rt}::At<'_, Self>, out: {rt}::Conditions<'_, {real}>) {{ {body} }}")
}

fn linearize(out: &mut String, cx: &Context<'_>) {
    let (rt, real) = (&cx.rt, cx.real());
    let call = cx.call(
        Call::Tangent,
        arguments(|o| if o == "tangent" { "out".to_owned() } else { format!("residual.{o}.array_mut()") }),
    );
    let _ = writeln!(
        out,
        "impl{} {rt}::Linearize for {} {{
            type Tangent = {};
            #[inline]
            fn tangent(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, weights: {rt}::Weights<{real}>,
                step: &Self::V, residual: &mut {rt}::Residual<Self>, out: &mut Self::Tangent) {{ {turns} {call} }}
            {drift}
            {newton}
        }}",
        cx.generics("Scalar"),
        cx.ty(),
        cx.array(cx.e.program[Call::Tangent].len("tangent")),
        turns = super::motion::turns(cx),
        drift = tangent_and_drift(cx),
        newton = newton_stiffness(cx),
    );
}

/// What a linearised step takes, where it is asked for in one call.
fn tangent_and_drift(cx: &Context<'_>) -> String {
    if cx.e.program.get(Call::TangentAndDrift).is_none() {
        return String::new();
    }
    let (rt, real) = (&cx.rt, cx.real());
    let call = cx.call(
        Call::TangentAndDrift,
        arguments(|o| match o.strip_prefix("drift_") {
            Some(rows) => format!("drift.{rows}.array_mut()"),
            None if o == "tangent" => "out".to_owned(),
            None => format!("residual.{o}.array_mut()"),
        }),
    );
    format!(
        "#[inline]
        fn tangent_and_drift(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>,
            weights: {rt}::Weights<{real}>, step: &Self::V, (residual, out): (&mut {rt}::Residual<Self>,
            &mut Self::Tangent), drift: &mut {rt}::Residual<Self>) {{ {turns} {call} }}",
        turns = super::motion::turns(cx),
    )
}

/// The stiffness of Newton's iterations, where an energy chooses another one than its own.
fn newton_stiffness(cx: &Context<'_>) -> String {
    let (rt, real, zero) = (&cx.rt, cx.real(), cx.number(0.0));
    let call = cx.call(Call::NewtonStiffness, arguments(|o| format!("&mut {o}")));
    if call.is_empty() {
        return String::new();
    }
    let newton = &cx.e.program.newton;
    let (mut parts, mut first) = (String::new(), 0);
    for &size in &newton.projected {
        let end = first + size * (size + 1) / 2;
        let _ = writeln!(parts, "{rt}::linalg::negative_part::<{real}, {size}>(&mut stiffness[{first}..{end}]);");
        first = end;
    }
    let shares = newton.shares.iter().map(|s| format!("({}, {}, {:?}), ", s.place, s.value, s.factor));
    format!(
        "const NEWTON_IS_EXACT: bool = false;
        fn newton_stiffness(&self, at: {rt}::At<'_, Self>, weights: {rt}::Weights<{real}>, out: &mut Self::Tangent)
            {floats} {{
            let mut stiffness = [{zero}; {len}];
            {call}
            {parts}
            {rt}::linalg::add_shares(weights.position, &stiffness, &[{shares}], out.as_mut());
        }}",
        len = cx.e.program[Call::NewtonStiffness].len("stiffness"),
        floats = floats(cx),
        shares = shares.collect::<String>(),
    )
}

/// What methods ask for that compare numbers: `f64: Real` would be a bound that depends on nothing.
fn floats(cx: &Context<'_>) -> String {
    if cx.flavour == Flavour::Concrete { String::new() } else { format!("where {}: {}::Real", cx.real(), cx.rt) }
}

fn differentiable(out: &mut String, cx: &Context<'_>) {
    let (rt, real, module) = (&cx.rt, cx.real(), &cx.module);
    let program = cx.e.program;
    let by_parameters = &program[Call::ResidualByParameter];
    let own = |o: &str| o.to_owned();
    let inputs = cx.call(Call::ForceByInput, arguments(own));
    let parameters = cx.call(Call::ResidualByParameter, arguments(own));
    let outputs = cx.call(Call::Outputs, arguments(|_| "out.array_mut()".to_owned()));
    let output_jacobian = cx.call(Call::OutputJacobian, arguments(own));
    let _ = writeln!(
        out,
        "impl{bound} {rt}::Differentiable for {ty} {{
            type P = [{real}; {np}];
            type Y = {module}::Y<{real}>;
            type ForceByInput = {nb};
            type ResidualByParameter = {npj};
            type ConstraintByParameter = {ncp};
            type OutputJacobian = {nyj};
            fn derivatives(&self) -> {rt}::Derivatives<'_> {{
                {rt}::Derivatives {{
                    force_by_input: {module}::FORCE_BY_INPUT,
                    residual_by_parameter: {module}::RESIDUAL_BY_PARAMETER,
                    constraint_by_parameter: {module}::CONSTRAINT_BY_PARAMETER,
                    output_jacobian: {module}::OUTPUT_JACOBIAN,
                    parameter_names: &[{pnames}],
                }}
            }}
            fn parameter_block(&self) -> Self::P {{ self.parameters() }}
            fn with_parameters(&self, p: &Self::P) -> Self {{ Self::from_parameters(p) }}
            fn force_by_input(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>,
                out: &mut Self::ForceByInput) {{ {inputs} }}
            fn residual_by_parameter(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>,
                r: &mut Self::ResidualByParameter, phi: &mut Self::ConstraintByParameter) {{ {parameters} }}
            fn outputs(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut Self::Y) {{ {outputs} }}
            fn output_jacobian(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>,
                out: &mut Self::OutputJacobian) {{ {output_jacobian} }}
        }}
        impl{bound} {rt}::FromParameters for {ty} {{
            fn from_parameters(p: &Self::P) -> Self {{ Self::from_parameters(p) }}
        }}",
        bound = cx.generics("Scalar"),
        ty = cx.ty(),
        np = cx.e.model.np(),
        nb = cx.array(program[Call::ForceByInput].len("out")),
        npj = cx.array(by_parameters.len("r")),
        ncp = cx.array(by_parameters.len("phi")),
        nyj = cx.array(program[Call::OutputJacobian].len("out")),
        pnames = quoted(&cx.e.names.p),
    );
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|n| format!("{n:?}")).collect::<Vec<_>>().join(", ")
}
