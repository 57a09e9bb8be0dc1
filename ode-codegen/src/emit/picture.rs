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
    format!(
        "impl{bound} {rt}::Pictured for {ty} {{
            type Picture = [{real}; {len}];
            fn figures(&self) -> &[{rt}::Figure<&str>] {list}
            #[inline]
            fn picture(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut Self::Picture) {{
                {call} }}
        }}\n",
        bound = cx.generics("Scalar"),
        ty = cx.ty(),
        len = numbers(figures),
        list = list(rt, figures, &|name| name.to_owned()),
    )
}

/// The method of an element of a model with sets that has figures.
pub(super) fn of_element(cx: &Context<'_>) -> String {
    let Some(figures) = &cx.e.model.observed.picture else { return String::new() };
    let (rt, real, len) = (&cx.rt, cx.real(), numbers(figures));
    let call = cx.call(Call::Picture, arguments(str::to_owned));
    format!(
        "fn picture(&self, at: {rt}::At<'_, Self>, rates: {rt}::Rates<'_, Self>, out: &mut [{real}]) {{
            let ::core::option::Option::Some(out) = out.first_chunk_mut::<{len}>() else {{ return }};
            {call} }}"
    )
}

/// How many numbers figures have.
fn numbers(figures: &[Figure]) -> usize {
    figures.iter().map(|figure| figure.value.len()).sum()
}

/// A block of `&[Figure::in_plane("rod", Form::Line, 0, 4)]`, each by the name that `named` gives it.
pub(super) fn list(rt: &str, figures: &[Figure], named: &dyn Fn(&str) -> String) -> String {
    let mut first = 0;
    let spelled = figures.iter().map(|figure| {
        let of = spelled(rt, figure, &named(&figure.name), first);
        first += figure.value.len();
        of
    });
    let list: String = spelled.collect();
    format!("{{ const FIGURES: &[{rt}::Figure<&str>] = &[{list}]; FIGURES }}")
}

/// A form is spelled as it is there.
fn spelled(rt: &str, figure: &Figure, name: &str, first: usize) -> String {
    let Figure { form, space, color, value, .. } = figure;
    let place = if *space { "in_space" } else { "in_plane" };
    let color = color.map_or_else(String::new, |color| format!(".colored({color:?})"));
    format!("{rt}::Figure::{place}({name:?}, {rt}::Form::{form:?}, {first}, {len}){color},", len = value.len())
}
