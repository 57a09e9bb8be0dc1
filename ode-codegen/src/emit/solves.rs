//! The solves of a model: eliminations as straight-line code, and the role `Solvable`.

use std::fmt::Write as _;

use super::Context;
use super::code::{Blocks, Flavour};
use super::roles::arguments;
use crate::lower::{Call, Expr, Kernel, Kind, LANES};

/// The solution for several right-hand sides.
const ABREAST: &str = "solution_abreast";

/// The eliminations and the role that uses them.
pub(super) fn solves(cx: &Context<'_>) -> String {
    let mut out = String::new();
    eliminations(&mut out, cx);
    solvable(&mut out, cx);
    out
}

/// The straight-line solvers, as types for those of the runtime.
fn eliminations(out: &mut String, cx: &Context<'_>) {
    let (factors, solution) = (Call::SaddleFactors, Call::SaddleSolution);
    elimination(out, cx, [factors, solution], ["Saddle", "Elimination"], &["mass", "jacobian"]);
    let (factors, solution) = (Call::KktFactors, Call::KktSolution);
    elimination(out, cx, [factors, solution], ["Kkt", "Decomposition"], &["tangent"]);
}

/// Type `ty` with role `role` of the runtime, from these arrays of nonzeros; nothing where the model has no such code.
fn elimination(out: &mut String, cx: &Context<'_>, calls: [Call; 2], [ty, role]: [&str; 2], arrays: &[&str]) {
    let [Some(factorize), Some(solve)] = calls.map(|call| cx.e.program.get(call)) else { return };
    let (factors, checks, size) = (factorize.len("factor"), factorize.len("checks"), solve.len("x"));
    let mut code = cx.code();
    (code.lengths.factor, code.lengths.unknowns) = (factors, size);
    let (rt, real) = (&cx.rt, cx.real());
    let bound = cx.generics("Scalar");
    let (decl, ty) = match &cx.flavour {
        Flavour::Concrete => (format!("struct {ty};"), ty.to_owned()),
        Flavour::Generic(t) => (format!("struct {ty}<{t}>(::core::marker::PhantomData<{t}>);"), format!("{ty}<{t}>")),
    };
    let _ = writeln!(out, "#[doc(hidden)] #[derive(Clone, Debug)] pub {decl} impl{bound} {ty} {{");
    out.push_str(&code.functions(factorize, false));
    out.push_str(&code.functions(solve, false));
    let abreast = Kernel { name: ABREAST, ..solve.clone() };
    code.lanes = Some(format!("{rt}::linalg::Lanes<{real}>"));
    out.push_str(&code.functions(&abreast, false));
    code.lanes = None;
    let call = |kernel, rename: &dyn Fn(&str) -> String| code.call(kernel, rename).replacen("self.", "Self::", 1);
    let same = |name: &str| name.to_owned();
    let (mut sized, mut slices) = (String::new(), String::new());
    for &name in arrays {
        let len = match name {
            "mass" => code.lengths.mass,
            "jacobian" => code.lengths.jacobian,
            _ => code.lengths.tangent,
        };
        let _ = write!(slices, "{name}: &[{real}], ");
        let _ = writeln!(
            sized,
            "let ::core::result::Result::Ok({name}) = <&[{real}; {len}] as ::core::convert::TryFrom<_>>::try_from({name}) else {{ return }};"
        );
    }
    let _ = writeln!(
        out,
        "}}
        impl{bound} {rt}::linalg::{role}<{real}> for {ty} {{
            type Factor = [{real}; {factors}];
            type Checks = [{real}; {checks}];
            #[inline]
            fn factorize({slices}factor: &mut Self::Factor, checks: &mut Self::Checks) {{
                {sized} {}
            }}
            #[inline]
            fn solve(factor: &Self::Factor, x: &mut [{real}]) {{
                let ::core::result::Result::Ok(x) =
                    <&mut [{real}; {size}] as ::core::convert::TryFrom<_>>::try_from(x) else {{ return }};
                let b = &{{ *x }};
                {}
            }}
            #[inline]
            fn solve_lanes<const N: usize>(factor: &Self::Factor, b: &[{rt}::linalg::Lanes<{real}>; N])
                -> [{rt}::linalg::Lanes<{real}>; N] {{
                let mut found = [{rt}::linalg::Lanes::ZERO; N];
                let ::core::result::Result::Ok(b) =
                    <&[{rt}::linalg::Lanes<{real}>; {size}] as ::core::convert::TryFrom<_>>::try_from(&b[..])
                    else {{ return found }};
                let ::core::result::Result::Ok(x) =
                    <&mut [{rt}::linalg::Lanes<{real}>; {size}] as ::core::convert::TryFrom<_>>::try_from(
                        &mut found[..]
                    ) else {{ return found }};
                {}
                found
            }}
        }}",
        call(factorize, &same),
        call(solve, &same),
        call(&abreast, &same),
    );
}

/// Unknowns of a dense solver up to which it is part of a run; of more it stands apart, on the heap: a square array of
/// so many has 8 kB of f64, and a run has several.
const MOST_INSIDE: usize = 32;

fn solvable(out: &mut String, cx: &Context<'_>) {
    let (rt, real, model) = (&cx.rt, cx.real(), cx.e.model);
    let n = model.nv() + model.nc();
    let conditions = cx.e.names.init_position.len().max(cx.e.names.init_velocity.len());
    let redundant = cx.e.program.layout.redundant;
    let placed = |solver: String, n: usize| match n {
        ..=MOST_INSIDE => solver,
        _ => format!("{rt}::linalg::Apart<{solver}>"),
    };
    let solver = |call: Call, ty: &str, n: usize| match (cx.e.program.get(call), &cx.flavour) {
        (None, _) if cx.is_sparse() => format!("{rt}::linalg::Sparse{ty}<{real}, {redundant}>"),
        (None, _) if redundant => placed(format!("{rt}::linalg::Redundant{ty}<{real}, {n}>"), n),
        (None, _) => placed(format!("{rt}::linalg::Dense{ty}<{real}, {n}>"), n),
        (Some(_), Flavour::Concrete) => placed(format!("{rt}::linalg::Static{ty}<{real}, {ty}, {n}>"), n),
        (Some(_), Flavour::Generic(t)) => placed(format!("{rt}::linalg::Static{ty}<{t}, {ty}<{t}>, {n}>"), n),
    };
    let square = |n: usize| placed(format!("{rt}::linalg::DenseSquare<{real}, {n}>"), n);
    let saddle = solver(Call::SaddleFactors, "Saddle", n);
    let kkt = solver(Call::KktFactors, "Kkt", n + model.nz());
    let assembly = match cx.is_sparse() {
        true => format!("{rt}::linalg::SparseSquare<{real}>"),
        false => square(n + conditions),
    };
    let algebra = match cx.e.program.layout.algebraic {
        1.. if cx.is_sparse() => format!("{rt}::linalg::SparseAlgebra<{real}>"),
        na => square(na),
    };
    let _ = writeln!(
        out,
        "impl{} {rt}::Solvable for {} {{
            type Saddle = {saddle};
            type Kkt = {kkt};
            type Assembly = {assembly};
            type Algebra = {algebra};
            {solutions}
        }}",
        cx.generics("Real"),
        cx.ty(),
        solutions = solutions(cx),
    );
}

/// Solutions straight from the state, if there is code for them.
fn solutions(cx: &Context<'_>) -> String {
    let (rt, zero) = (&cx.rt, cx.number(0.0));
    let checks = format!("let mut checks = [{zero}; {}];", 2 * (cx.e.model.nv() + cx.e.model.nc()));
    let spelled = |call: Call| {
        cx.call(
            call,
            arguments(|o| match o {
                "checks" => "&mut checks".to_owned(),
                "b" => "b.as_array()".to_owned(),
                "g" => "zdot.array_mut()".to_owned(),
                "multipliers" => "lambda.array_mut()".to_owned(),
                "correction" => "step.array_mut()".to_owned(),
                _ => "a.array_mut()".to_owned(),
            }),
        )
    };
    let mut out = String::new();
    if cx.e.program.get(Call::Accelerations).is_some() {
        let _ = writeln!(
            out,
            "const DIRECT: bool = true;
            #[inline]
            fn accelerations(&self, at: {rt}::At<'_, Self>, a: &mut Self::V, zdot: &mut Self::Z,
                lambda: &mut Self::L) -> bool {{
                {checks} {} {rt}::linalg::{}(&checks)
            }}",
            spelled(Call::Accelerations),
            if cx.e.program.certain(Call::Accelerations) { "certain" } else { "definite" },
        );
    }
    out.push_str(&acceleration_partials(cx, &checks));
    if cx.e.program.get(Call::Correction).is_some() {
        let _ = writeln!(
            out,
            "#[inline]
            fn correction(&self, at: {rt}::At<'_, Self>, b: &Self::L, step: &mut Self::V) -> bool {{
                {checks} {} {rt}::linalg::definite(&checks)
            }}",
            spelled(Call::Correction)
        );
    }
    out
}

/// Outputs that kernels write in blocks: columns that are solved side by side, and columns of rates.
pub(super) fn blocks(cx: &Context<'_>) -> Vec<Blocks> {
    let (rt, real) = (&cx.rt, cx.real());
    let lanes = Blocks { array: "right", ty: format!("{rt}::linalg::Lanes<{real}>"), len: LANES, entries: "0" };
    let columns = columns(cx).map(|(array, _, ty, len)| {
        let ty = format!("<Self as {rt}::System>::{ty}");
        Blocks { array, ty, len, entries: "array_mut()" }
    });
    columns.into_iter().chain([lanes]).collect()
}

/// The outputs that are columns of a motion's derivatives: the array of the kernel, the field of the runtime, and the
/// type and length of a column.
fn columns(cx: &Context<'_>) -> [(&'static str, &'static str, &'static str, usize); 3] {
    let model = cx.e.model;
    [
        ("acceleration_columns", "a", "V", model.nv()),
        ("multiplier_columns", "lambda", "L", model.nc()),
        ("rates", "zdot", "Z", model.nz()),
    ]
}

/// Accelerations with the derivatives of all columns, if there is code for them.
fn acceleration_partials(cx: &Context<'_>, checks: &str) -> String {
    let call = Call::AccelerationPartials;
    let Some(kernel) = cx.e.program.get(call) else { return String::new() };
    let (rt, real, zero) = (&cx.rt, cx.real(), cx.number(0.0));
    let n = cx.e.model.nv() + cx.e.model.nc();
    let ty = match &cx.flavour {
        Flavour::Concrete => "Saddle".to_owned(),
        Flavour::Generic(t) => format!("Saddle<{t}>"),
    };
    let factor = match kernel.len("factor") {
        0 => String::new(),
        len => format!("let mut factor = [{zero}; {len}];"),
    };
    let right = match kernel.len("right") / LANES {
        0 => String::new(),
        len => format!("let mut right = [{rt}::linalg::Lanes::<{real}>::ZERO; {len}];"),
    };
    let columns: String = columns(cx)
        .into_iter()
        .filter(|(array, ..)| kernel.len(array) > 0)
        .map(|(array, field, ty, len)| {
            let count = kernel.len(array) / len;
            format!(
                "let ::core::result::Result::Ok({array}) =
                    <&mut [Self::{ty}; {count}] as ::core::convert::TryFrom<_>>::try_from(columns.{field})
                    else {{ return false }};
                *{array} = [<Self::{ty} as {rt}::Block<{real}>>::zeros({len}); {count}];"
            )
        })
        .collect();
    let solve = match n {
        _ if kernel.len("right") == 0 => String::new(),
        n => format!(
            "&& {rt}::linalg::solve_columns::<{real}, {ty}, _, _, {n}>(&factor, &right, columns.a, columns.lambda)"
        ),
    };
    let finite = finite(cx, kernel);
    let evaluate = cx.call(
        call,
        arguments(|o| match o {
            "accelerations" => "a.array_mut()".to_owned(),
            "multipliers" => "lambda.array_mut()".to_owned(),
            "g" => "zdot.array_mut()".to_owned(),
            own @ ("factor" | "right" | "checks") => format!("&mut {own}"),
            columns => columns.to_owned(),
        }),
    );
    format!(
        "#[inline]
        fn acceleration_partials(&self, at: {rt}::At<'_, Self>, a: &mut Self::V, zdot: &mut Self::Z,
            lambda: &mut Self::L, columns: {rt}::variation::SolvedColumns<'_, Self>) -> bool {{
            const {{ assert!({rt}::linalg::LANES == {LANES}) }};
            {checks} {factor} {right} {columns}
            {evaluate}
            {rt}::linalg::{}(&checks) {finite} {solve}
        }}",
        if cx.e.program.certain(call) { "certain" } else { "definite" },
    )
}

/// Whether all columns that are written are finite: entry by entry, since whole blocks are not yet where they are read.
fn finite(cx: &Context<'_>, kernel: &Kernel) -> String {
    let columns = columns(cx);
    let entries: Vec<String> = kernel
        .pieces
        .iter()
        .flat_map(|piece| &piece.statements)
        .filter(|statement| !matches!(statement.value, Expr::Constant(_)))
        .filter_map(|statement| {
            let Kind::Write(to, index) = &statement.kind else { return None };
            let (array, .., len) = columns.iter().find(|(array, ..)| array == to)?;
            Some(format!("{array}[{}].as_array()[{}]", index / len, index % len))
        })
        .collect();
    if entries.is_empty() {
        return String::new();
    }
    format!("&& {}::linalg::finite(&[{}])", cx.rt, entries.join(", "))
}
