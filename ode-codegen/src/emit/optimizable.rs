//! The role `Optimizable`: limits and rows of squares with their derivatives.

use crate::lower::Call;
use crate::model::Model;

use super::Context;
use super::methods::at;
use super::roles::arguments;
use super::sensitive::is_sensitive;

/// The role, of a model that is `Sensitive`.
pub(super) fn optimizable(cx: &Context<'_>) -> String {
    if !is_sensitive(cx) {
        return String::new();
    }
    let (rt, module, at) = (&cx.rt, &cx.module, at(cx));
    let of = |call: Call, array| cx.array(cx.e.program[call].len(array));
    let limits = |o: &str| if o == "out" { "limits.array_mut()" } else { "by" }.to_owned();
    format!(
        "impl{bound} {rt}::Optimizable for {ty} {{
            type LimitPartials = {limit_partials};
            type Squares = {squares};
            type SquarePartials = {square_partials};
            fn limit_pattern(&self) -> {rt}::Pattern<'_> {{ {module}::LIMIT_JACOBIAN }}
            fn limit_partials(&self, {at}, limits: &mut Self::H, by: &mut Self::LimitPartials) {{ {limit_values} }}
            {rows}
        }}\n",
        bound = cx.generics("Scalar"),
        ty = cx.ty(),
        limit_partials = of(Call::Limits, "jacobian"),
        squares = of(Call::Fits, "out"),
        square_partials = of(Call::Fits, "jacobian"),
        limit_values = cx.call(Call::Limits, arguments(limits)),
        rows = squares(cx),
    )
}

/// The name of the `residual` item of each row.
pub(super) fn square_names(model: &Model) -> impl Iterator<Item = String> + '_ {
    model.observed.fits.iter().flat_map(|fit| vec![model.shown(&fit.ident); fit.value.len()])
}

/// Rows of squares, where there are any.
fn squares(cx: &Context<'_>) -> String {
    let fits = &cx.e.model.observed.fits;
    if fits.is_empty() {
        return String::new();
    }
    let (rt, module, at) = (&cx.rt, &cx.module, at(cx));
    let names: Vec<String> = square_names(cx.e.model).collect();
    let values = cx.call(Call::Fits, arguments(|o| if o == "out" { "rows" } else { "by" }.to_owned()));
    format!(
        "fn square_names(&self) -> &[&str] {{ &{names:?} }}
        fn square_pattern(&self) -> {rt}::Pattern<'_> {{ {module}::RESIDUALS_JACOBIAN }}
        fn square_partials(&self, {at}, rows: &mut Self::Squares, by: &mut Self::SquarePartials) {{ {values} }}"
    )
}
