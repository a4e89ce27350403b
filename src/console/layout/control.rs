//! The control of one form field: text, select, check box, or day with a calendar.

use crate::console::day_echo;
use crate::console::layout::choices::Choices;
use crate::console::prelude::*;
use crate::console::records::form::deadline::{CountedDeadline, DEADLINE, ProposedDeadline};
use crate::console::records::form::input_types::{Typing, options, typing};
use crate::console::records::form::reference_fields::ids;
use crate::console::records::form::suggest::Suggestions;
use crate::records::{DayRule, Source};
use crate::store::lists::Entry;

pub(in crate::console) struct Control<'a> {
    pub field: &'a Field,
    pub id: &'a str,
    pub value: &'a str,
    /// The days that the form accepts.
    pub days: DayRule,
    /// The count of a deadline that was typed as a number of days.
    pub counted: Option<&'a CountedDeadline>,
    pub proposed: &'a ProposedDeadline,
    pub is_wrong: bool,
    /// `true` if the field gets the focus.
    pub is_first: bool,
    pub suggestions: &'a Suggestions,
}

impl Control<'_> {
    pub fn render(&self, choices: &Choices, visit: &Visit) -> Markup {
        let Control { field, id, value, days, counted, proposed, is_wrong, is_first, suggestions } = *self;
        let described = is_wrong.then(|| format!("e-{}", field.member));
        let invalid = is_wrong.then_some("true");
        let required = field.required.then_some("true");
        if let Type::Text(_) | Type::OpposingParties = field.ty {
            let is_long = matches!(field.ty, Type::Text(_));
            // A script shows fields for each party in place of the text form.
            let party = |pt, en| (!is_long).then(|| visit.pick(pt, en));
            return html! {
                textarea id=(id) name=(field.member) rows=(if is_long { "5" } else { "2" }) placeholder=[(!is_long).then(|| party_hint(visit))]
                    data-party-name=[party("Nome", "Name")] data-party-number=[party("CPF ou CNPJ", "CPF or CNPJ")] data-party-lawyer=[party("Advogado", "Lawyer")] data-party-more=[party("+ outra", "+ another")] data-focus[is_first] aria-required=[required] aria-invalid=[invalid] aria-describedby=[&described] { "\n" (value) }
            };
        }
        if let Some(options) = options(field, value, choices, visit) {
            return html! {
                select id=(id) name=(field.member) data-focus[is_first] aria-required=[required] aria-invalid=[invalid] aria-describedby=[&described] {
                    @if !field.required || value.is_empty() { option value="" { (if field.required { visit.pick("Escolha…", "Choose…") } else { "" }) } }
                    (options)
                }
            };
        }
        let Typing { kind, mode, mask, hint } = typing(field.ty, visit);
        // A deadline may have words, which a keyboard of digits lacks.
        let mode = mode.filter(|_| field.member != DEADLINE);
        let input = html! {
            input type=(kind) id=(id) name=(field.member) value=(value) data-mask=[mask] placeholder=[hint]
                list=[suggestions.id(field)] inputmode=[mode] autocomplete="off" data-focus[is_first] aria-required=[required] aria-invalid=[invalid] aria-describedby=[&described];
            (suggestions.render(field))
        };
        match field.ty {
            Type::Day if field.member == DEADLINE => {
                with_calendar(&input, &day_echo::render_deadline(value, counted, proposed, visit), visit)
            }
            Type::Day | Type::SlashedDay => {
                with_calendar(&input, &day_echo::render(field.member, value, days, visit), visit)
            }
            _ => input,
        }
    }

    /// Renders check boxes for the entries of a list: all active ones, and the inactive ones that the record already has.
    pub fn render_entries(&self, list: List, label: &str, choices: &Choices, visit: &Visit) -> Markup {
        let Control { field, id, value, is_wrong, is_first, .. } = *self;
        let chosen = ids(value).collect::<Vec<_>>();
        let is_chosen = |entry: &Entry| chosen.contains(&entry.id.to_string().as_str());
        let described = is_wrong.then(|| format!("e-{}", field.member));
        html! {
            div.entries-of role="group" id=(id) tabindex="-1" aria-label=(label) aria-describedby=[described] {
                p.legend { (label) @if field.required { span.required aria-hidden="true" { " *" } } }
                @for (at, entry) in choices.entries(list).iter().filter(|entry| entry.active || is_chosen(entry)).enumerate() {
                    label { input type="checkbox" name=(field.member) value=(entry.id) checked[is_chosen(entry)] data-focus[at == 0 && is_first]; span {
                        (entry.name.as_str())
                        @if !entry.active { " " (visit.pick("(inativo)", "(inactive)")) }
                    } }
                }
            }
        }
    }

    /// Renders a check box. Browsers send nothing for an unticked box, so a hidden field sends `false` in its place.
    pub fn render_tick(&self, label: &str) -> Markup {
        let Control { field, id, value, is_wrong, is_first, .. } = *self;
        let described = is_wrong.then(|| format!("e-{}", field.member));
        html! {
            input type="hidden" name=(field.member) value="false";
            label.tick {
                input type="checkbox" id=(id) name=(field.member) value="true" checked[value == "true"] data-focus[is_first]
                    aria-invalid=[is_wrong.then_some("true")] aria-describedby=[described];
                span { (label) }
            }
        }
    }
}

/// Returns the hint on the syntax of opposing parties.
fn party_hint(visit: &Visit) -> &'static str {
    visit.pick(
        "Uma por linha: Banco Exemplo S.A. (CNPJ) [adv. Nome]",
        "One a line: Banco Exemplo S.A. (CNPJ) [adv. Name]",
    )
}

/// Renders a day field with the day that its text means and a button for the browser's calendar. The button is hidden until
/// a script finds a calendar.
pub(in crate::console) fn with_calendar(input: &Markup, echo: &Markup, visit: &Visit) -> Markup {
    html! {
        div.day-of {
            (input)
            button.slight type="button" data-calendar tabindex="-1" hidden aria-label=(visit.pick("Escolher no calendário", "Choose in the calendar")) { "▾" }
            input.gone type="date" tabindex="-1" aria-hidden="true" data-iso[visit.lang == crate::domain::Lang::En];
            (echo)
        }
    }
}

/// Groups the fields by row: a day shares its row with its time of day.
pub(in crate::console) fn with_times(table: &Table, fields: Vec<&'static Field>) -> Vec<Vec<&'static Field>> {
    fields.chunk_by(|one, next| time_of(table, one) == Some(next.column)).map(<[_]>::to_vec).collect()
}

/// Returns the column with the time of day that belongs to a day.
pub(in crate::console) fn time_of(table: &Table, day: &Field) -> Option<&'static str> {
    table.fields.iter().find_map(|field| match field.source {
        Source::MomentOf(of, time, _) if of == day.column => Some(time),
        _ => None,
    })
}
