//! The role `Pictured` of a model that is shown.

use crate::lower::Call;
use crate::model::Figure;

use super::Context;
use super::roles::arguments;

/// The role; nothing where nobody asks for a picture.
pub(super) fn pictured(cx: &Context<'_>) -> String {
    let Some(figures) = &cx.e.model.observed.picture else { return String::new() };
    let (rt, real) = (&cx.rt, cx.real());
    let call = cx.call(Call::Picture, arguments(str::to_owned));
    let mut first = 0;
    let mut list = String::new();
    for figure in figures {
        list.push_str(&spelled(rt, figure, first));
        first += figure.value.len();
    }
    format!(
        "impl{bound} {rt}::Pictured for {ty} {{
            type Picture = [{real}; {first}];
            fn figures(&self) -> &[{rt}::Figure<&str>] {{
                const FIGURES: &[{rt}::Figure<&str>] = &[{list}];
                FIGURES }}
            #[inline]
            fn picture(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut Self::Picture) {{
                {call} }}
        }}\n",
        bound = cx.generics("Scalar"),
        ty = cx.ty(),
    )
}

/// A form is spelled as it is there.
fn spelled(rt: &str, figure: &Figure, first: usize) -> String {
    let Figure { name, form, space, color, value } = figure;
    let place = if *space { "in_space" } else { "in_plane" };
    let color = color.map_or_else(String::new, |color| format!(".colored({color:?})"));
    format!("{rt}::Figure::{place}({name:?}, {rt}::Form::{form:?}, {first}, {len}){color},", len = value.len())
}
