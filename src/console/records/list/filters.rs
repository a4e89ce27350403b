//! The filters of a list, derived from the fields of its table.

use crate::console::layout::choices::{Choices, state_options};
use crate::console::layout::field_errors::FieldErrors;
use crate::console::prelude::*;
use crate::console::records::form::reference_fields::{Picker, RecordNames};
use crate::http::json::list_filter::{BIRTHDAYS, ORDER, days};
use crate::records::Find;

pub(in crate::console) struct Filter {
    pub name: String,
    label: String,
    control: Control,
}

/// The control of a filter. The order of the variants is the order on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Control {
    Text,
    Record(Kind),
    State,
    Entry(List),
    Choice(&'static [(&'static str, Bilingual)]),
    Day,
    Month,
}

const YES: &[(&str, Bilingual)] = &[("true", ("Sim", "Yes"))];
const YES_OR_NO: &[(&str, Bilingual)] = &[("true", ("Sim", "Yes")), ("false", ("Não", "No"))];
const PAYMENT_STATUS: &[(&str, Bilingual)] = &[
    ("paid", ("Pagos", "Paid")),
    ("unpaid", ("Não pagos", "Unpaid")),
    ("overdue", ("Vencidos", "Overdue")),
    ("open", ("A vencer", "Not due yet")),
];
const STATUS: &[(&str, Bilingual)] =
    &[("pending", ("A fazer", "To do")), ("completed", ("Concluídas", "Done")), ("all", ("Todas", "All"))];
const NEWEST: Bilingual = ("Mais novos primeiro", "Newest first");
const OLDEST: Bilingual = ("Mais antigos primeiro", "Oldest first");
/// The console shows the newest records first, in whatever order the API returns them by default.
const ORDERS: &[(&str, Bilingual)] = &[("", NEWEST), ("asc", OLDEST)];

impl Pages {
    /// Returns the filters of the list: one for each field that can be searched and that the visitor may see, and then
    /// the order.
    pub(in crate::console) fn filters(&self, visit: &Visit) -> Vec<Filter> {
        filters(self.table, visit.lang, |field| visit.sees(self.table, field))
    }
}

fn filters(table: &'static Table, lang: Lang, is_seen: impl Fn(&Field) -> bool) -> Vec<Filter> {
    let seen = table.fields.iter().filter(|field| is_seen(field));
    let mut filters = seen.flat_map(|field| of(table, field, lang)).collect::<Vec<_>>();
    filters.sort_by_key(|filter| match filter.control {
        // Reference lists and fixed choices keep the order of their fields.
        Control::Entry(_) => Control::Entry(List::Users),
        Control::Choice(_) => Control::Choice(YES),
        control => control,
    });
    let label = lang.pick("Ordem", "Order").to_owned();
    filters.push(Filter { name: ORDER.to_owned(), label, control: Control::Choice(ORDERS) });
    filters
}

fn of(table: &'static Table, field: &'static Field, lang: Lang) -> Vec<Filter> {
    let label = lang.pick(field.label.0, field.label.1);
    let filter =
        |name: &str, label: &str, control| Filter { name: name.to_owned(), label: label.to_owned(), control };
    let record = |name: &str, kind: Kind| {
        let noun = kind.table().noun;
        let label = format!("{} {}", lang.pick("Escolher", "Choose"), lang.pick(noun.0, noun.1));
        filter(name, &label, Control::Record(kind))
    };
    let between = |name: &str, label: &str, control: Control| {
        let ends = days(name).into_iter().zip([lang.pick("de", "from"), lang.pick("até", "to")]);
        ends.map(|(name, end)| filter(&name, &format!("{label}: {end}"), control)).collect::<Vec<_>>()
    };
    match field.find {
        None | Some(Find::Sum(_)) => Vec::new(),
        // Each of these fields searches all of them, so one filter is enough.
        Some(Find::Digits) if last_by_digits(table) != Some(field.column) => Vec::new(),
        Some(Find::Words | Find::WordsOr(_) | Find::Code | Find::Start | Find::Digits) => {
            let control = if field.ty == Type::State { Control::State } else { Control::Text };
            vec![filter(field.shown, label, control)]
        }
        Some(Find::Entry(name) | Find::EntryOrParent(name)) => match field.ty {
            Type::Reference(list) => vec![filter(name, label, Control::Entry(list))],
            _ => vec![filter(name, label, Control::Text)],
        },
        Some(Find::Days(name)) => between(name, label, Control::Day),
        Some(Find::DaysOrNone(name, none)) => {
            let open = filter(none, lang.pick("Em andamento", "Open"), Control::Choice(YES_OR_NO));
            [vec![open], between(name, label, Control::Day)].into_iter().flatten().collect()
        }
        Some(Find::Months(name)) => between(name, label, Control::Month),
        Some(Find::Paid(name, _)) => {
            let status = filter("status", lang.pick("Situação", "Status"), Control::Choice(PAYMENT_STATUS));
            [vec![status], between(name, label, Control::Day)].into_iter().flatten().collect()
        }
        Some(Find::Birthday) => {
            let label = lang.pick("Aniversário neste mês", "Birthday this month");
            vec![filter(BIRTHDAYS, label, Control::Choice(YES))]
        }
        Some(Find::Value) => {
            let choices = match field.ty.names() {
                [] => YES_OR_NO,
                names => names,
            };
            vec![filter(field.shown, label, Control::Choice(choices))]
        }
        Some(Find::RecordOrThrough(..)) => {
            field.record().map(|kind| record(field.parameter, kind)).into_iter().collect()
        }
        Some(Find::Record | Find::Newest(_)) => {
            field.record().map(|kind| record(field.shown, kind)).into_iter().collect()
        }
        Some(Find::Guests) => {
            let done = lang.pick("Concluída", "Done");
            let status = filter("status", lang.pick("Situação", "Status"), Control::Choice(STATUS));
            let own = vec![filter("user_id", label, Control::Entry(List::Users)), status];
            [own, between("completed", done, Control::Day)].into_iter().flatten().collect()
        }
        Some(Find::ExternalId) => vec![filter("external_id", label, Control::Text)],
        Some(Find::Linked(id, by)) => {
            let Type::Links(kind) = field.ty else { return Vec::new() };
            let to = kind.table();
            let of = |what: &str| format!("{}: {what}", first_upper(lang.pick(to.noun.0, to.noun.1)));
            let other = to.field(by).map_or(by, |other| lang.pick(other.label.0, other.label.1));
            vec![filter(by, &of(other), Control::Text), record(id, kind)]
        }
    }
}

fn last_by_digits(table: &Table) -> Option<&'static str> {
    let by_digits = table.fields.iter().rfind(|field| field.find == Some(Find::Digits));
    by_digits.map(|field| field.column)
}

impl Filter {
    pub fn render(
        &self,
        wrong: &FieldErrors,
        choices: &Choices,
        names: &RecordNames,
        visit: &Visit,
    ) -> Markup {
        let id = self.id();
        let value = visit.parameter(&self.name);
        let is_wrong = wrong.contains_key(&self.name);
        let invalid = is_wrong.then_some("true");
        let described = is_wrong.then(|| self.described());
        let is_day = self.control == Control::Day;
        let is_month = self.control == Control::Month;
        let mask = is_day.then(|| visit.pick("day", "iso-day"));
        let hint = match self.control {
            Control::Day => Some(visit.pick("DD/MM/AAAA", "YYYY-MM-DD")),
            Control::Month => Some(visit.pick("MM/AAAA", "MM/YYYY")),
            _ => None,
        };
        let options = match self.control {
            Control::Text | Control::Record(_) | Control::Day | Control::Month => None,
            Control::State => Some(state_options(value)),
            Control::Entry(list) => Some(choices.filter_options(list, value, visit)),
            Control::Choice(choices) => Some(html! {
                @for (choice, (pt, en)) in choices { option value=(choice) selected[value == *choice] { (visit.pick(pt, en)) } }
            }),
        };
        let picker = match self.control {
            Control::Record(kind) => {
                let label = self.label.as_str();
                let name = self.name.as_str();
                let is_one = true;
                let is_required = false;
                let is_first = false;
                let not = "";
                Picker { kind, is_one, label, is_required, id: &id, name, value, is_wrong, is_first, not }
                    .render(names, visit)
            }
            _ => None,
        };
        html! {
            div.field {
                @if let Some(picker) = picker { (picker) }
                @else { label for=(id) { (self.label) } @match options {
                    Some(options) => { select id=(id) name=(self.name) aria-invalid=[invalid] aria-describedby=[described] { @if !self.says_what_holds() { option value="" {} } (options) } }
                    None => { input id=(id) type="text" name=(self.name) value=(value) inputmode=[(is_day || is_month).then_some("numeric")]
                        data-mask=[mask] placeholder=[hint] aria-invalid=[invalid] aria-describedby=[described]; }
                } }
                (self.wrong(wrong))
            }
        }
    }

    /// Returns the label with the chosen value as the page shows them, or `None` if the filter is empty.
    pub fn in_words(&self, choices: &Choices, names: &RecordNames, visit: &Visit) -> Option<String> {
        let value = Some(visit.parameter(&self.name).trim()).filter(|value| !value.is_empty())?;
        let shown = match self.control {
            Control::Record(kind) => names.get(kind, value),
            Control::Entry(list) => Some(choices.named(list, value).0).filter(|name| !name.is_empty()),
            Control::Choice(all) => {
                let chosen = all.iter().find(|(choice, _)| *choice == value);
                chosen.map(|(_, (pt, en))| visit.pick(pt, en))
            }
            Control::Text | Control::State | Control::Day | Control::Month => None,
        };
        let label = match self.control {
            Control::Record(kind) => first_upper(visit.pick(kind.table().noun.0, kind.table().noun.1)),
            _ => self.label.clone(),
        };
        Some(format!("{label}: {}", shown.unwrap_or(value)))
    }

    /// Renders the errors of the filter. A script that receives only this puts it beside the field.
    pub fn wrong(&self, wrong: &FieldErrors) -> Markup {
        let reasons = wrong.get(&self.name).map(|reasons| first_upper(&reasons.join("; ")));
        html! { @if let Some(reasons) = reasons { p.wrong id=(self.described()) data-beside=(self.id()) { (reasons) } } }
    }

    /// Returns the kind and the ids of the records in the filter, if it is one for records.
    pub fn record<'v>(&self, visit: &'v Visit) -> Option<(Kind, &'v str)> {
        match self.control {
            Control::Record(kind) => Some((kind, visit.parameter(&self.name))),
            _ => None,
        }
    }

    /// Returns `true` for a choice among the entries of a list, which most searches use.
    pub fn is_usual(&self) -> bool {
        matches!(self.control, Control::Entry(_))
    }

    /// Returns the place among the usual filters: people, stages, then the others in the order of their fields.
    pub fn rank(&self) -> u8 {
        match self.control {
            Control::Entry(List::Users) => 0,
            Control::Entry(List::Stages) => 1,
            _ => 2,
        }
    }

    /// Returns `true` if the first choice is the default, which applies without a parameter.
    fn says_what_holds(&self) -> bool {
        matches!(self.control, Control::Choice([("", _), ..]))
    }

    fn id(&self) -> String {
        format!("q-{}", self.name)
    }

    fn described(&self) -> String {
        format!("e-{}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Customer, Lawsuit, Record, TABLES};

    #[test]
    fn every_searchable_field_has_a_labelled_filter() {
        for table in TABLES {
            for lang in [Lang::Pt, Lang::En] {
                let filters = filters(table, lang, |_| true);
                for field in table.fields.iter().filter(|field| field.find.is_some()) {
                    let own = of(table, field, lang);
                    let elsewhere = matches!(field.find, Some(Find::Digits | Find::Sum(_)));
                    assert!(!own.is_empty() || elsewhere, "{}", field.column);
                }
                let mut names = filters.iter().map(|filter| filter.name.as_str()).collect::<Vec<_>>();
                let mut labels = filters.iter().map(|filter| filter.label.as_str()).collect::<Vec<_>>();
                assert!(
                    labels.iter().all(|label| !label.is_empty() && !label.starts_with(':')),
                    "{labels:?}"
                );
                names.sort_unstable();
                labels.sort_unstable();
                assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
                assert!(labels.windows(2).all(|two| two[0] != two[1]), "{labels:?}");
            }
        }
    }

    #[test]
    fn filters_are_in_order_and_have_their_labels() {
        let named = |table, lang| {
            let filters = filters(table, lang, |_| true).into_iter();
            filters.map(|filter| (filter.name, filter.label)).collect::<Vec<_>>()
        };
        let has = |all: &[(String, String)], name: &str, label: &str| {
            assert!(all.contains(&(name.to_owned(), label.to_owned())), "{name}, {label}: {all:?}");
        };
        let customers = named(Customer::TABLE, Lang::Pt);
        assert_eq!(customers.first().map(|(name, _)| name.as_str()), Some("name"));
        let last_two = customers.iter().rev().take(2).map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        assert_eq!(last_two, ["order", "updated_end"]);
        has(&customers, "phone", "Telefone");
        has(&customers, "birthdays", "Aniversário neste mês");
        let lawsuits = named(Lawsuit::TABLE, Lang::En);
        has(&lawsuits, "name", "Customer or folder");
        has(&lawsuits, "identification", "Customer: CPF or CNPJ");
        has(&lawsuits, "step", "Step");
        has(&lawsuits, "status_closure_start", "Closed: from");
        has(&lawsuits, "open", "Open");
    }
}
