//! The control of one field of a form: chosen, ticked, typed, or picked in a calendar.

use maud::{Markup, html};

use super::choices::Choices;
use super::suggest::Suggestions;
use super::typing::{Typing, options, typing};
use super::visit::Visit;
use crate::records::{Field, Source, Table, Type};

/// The control of a field with what stands in it.
pub(super) struct Control<'a> {
    pub field: &'a Field,
    pub id: &'a str,
    pub value: &'a str,
    pub is_wrong: bool,
    /// `true` if the form begins with it.
    pub is_first: bool,
    pub suggestions: &'a Suggestions,
}

impl Control<'_> {
    pub fn draw(&self, choices: &Choices, visit: &Visit) -> Markup {
        let Control { field, id, value, is_wrong, is_first, suggestions } = *self;
        let described = is_wrong.then(|| format!("e-{}", field.member));
        let invalid = is_wrong.then_some("true");
        let required = field.required.then_some("true");
        if let Type::Text(_) | Type::OpposingParties = field.ty {
            let is_long = matches!(field.ty, Type::Text(_));
            return html! {
                textarea id=(id) name=(field.member) rows=(if is_long { "5" } else { "2" }) placeholder=[(!is_long).then(|| party_hint(visit))] autofocus[is_first] aria-required=[required] aria-invalid=[invalid] aria-describedby=[&described] { "\n" (value) }
            };
        }
        if let Some(options) = options(field, value, choices, visit) {
            return html! {
                select id=(id) name=(field.member) autofocus[is_first] aria-required=[required] aria-invalid=[invalid] aria-describedby=[&described] {
                    @if !field.required || value.is_empty() { option value="" { (if field.required { visit.say("Escolha…", "Choose…") } else { "" }) } }
                    (options)
                }
            };
        }
        let Typing { kind, mode, mask, hint } = typing(field.ty, visit);
        let input = html! {
            input type=(kind) id=(id) name=(field.member) value=(value) data-mask=[mask] placeholder=[hint]
                list=[suggestions.id(field)] inputmode=[mode] autocomplete="off" autofocus[is_first] aria-required=[required] aria-invalid=[invalid] aria-describedby=[&described];
            (suggestions.draw(field))
        };
        match field.ty {
            Type::Day | Type::SlashedDay => with_calendar(&input, visit),
            _ => input,
        }
    }

    /// A box to tick. A browser sends nothing for a box that is not ticked, so the hidden field says that it was there.
    pub fn draw_tick(&self, label: &str) -> Markup {
        let Control { field, id, value, is_wrong, is_first, .. } = *self;
        let described = is_wrong.then(|| format!("e-{}", field.member));
        html! {
            input type="hidden" name=(field.member) value="false";
            label.tick {
                input type="checkbox" id=(id) name=(field.member) value="true" checked[value == "true"] autofocus[is_first]
                    aria-invalid=[is_wrong.then_some("true")] aria-describedby=[described];
                span { (label) }
            }
        }
    }
}

/// How opposing parties are written.
fn party_hint(visit: &Visit) -> &'static str {
    visit.say(
        "Uma por linha: Banco Exemplo S.A. (CNPJ) [adv. Nome]",
        "One a line: Banco Exemplo S.A. (CNPJ) [adv. Name]",
    )
}

/// A field for a day, with the button that opens the browser's calendar; a script shows it where it works.
pub(super) fn with_calendar(input: &Markup, visit: &Visit) -> Markup {
    html! {
        div.day-of {
            (input)
            button.slight type="button" data-calendar tabindex="-1" hidden aria-label=(visit.say("Escolher no calendário", "Choose in the calendar")) { "▾" }
            input.gone type="date" tabindex="-1" aria-hidden="true" data-iso[visit.lang == crate::domain::Lang::En];
        }
    }
}

/// The fields as they stand: a day and the time of day that belongs to it together.
pub(super) fn with_times(table: &Table, fields: Vec<&'static Field>) -> Vec<Vec<&'static Field>> {
    fields.chunk_by(|one, next| time_of(table, one) == Some(next.column)).map(<[_]>::to_vec).collect()
}

/// The column of the time of day that belongs to a day.
pub(super) fn time_of(table: &Table, day: &Field) -> Option<&'static str> {
    table.fields.iter().find_map(|field| match field.source {
        Source::At(of, time, _) if of == day.column => Some(time),
        _ => None,
    })
}
