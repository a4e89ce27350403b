//! Forms of records: drawn with what was typed and what is wrong, and turned into what the API reads.
//!
//! A form that changes a record carries what the record held when the form was drawn. So only what somebody changed is
//! sent, and where two people changed the same record, each field tells who did.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde_json::{Map, Value};

use super::choices::Choices;
use super::fields::{Field, Group, Kind, day, each};
use super::page::own;
use super::said::Wrong;
use super::visit::Visit;
use crate::domain::Lang;

/// What stands in the fields, by their names.
pub(super) type Values = BTreeMap<&'static str, String>;

/// Everything that a form is drawn from.
#[derive(Default)]
pub(super) struct Draft {
    pub values: Values,
    /// What the record held when the form was drawn first; none for a new one.
    pub before: Option<Values>,
    /// The record's version; for a new one the key by which it is stored once only.
    pub version: String,
    pub wrong: Wrong,
    /// What others stored meanwhile in fields that were also changed here.
    pub theirs: Values,
    /// The customers that are chosen, with their names.
    pub customers: Vec<(String, String)>,
}

impl Draft {
    /// What a record holds.
    pub fn of(groups: &'static [Group], record: &Value, version: String, lang: Lang) -> Draft {
        let values = each(groups).map(|field| (field.name, field.of(record, lang))).collect::<Values>();
        Draft { before: Some(values.clone()), values, version, ..Draft::default() }
    }

    /// What was typed.
    pub fn sent(groups: &'static [Group], visit: &Visit) -> Draft {
        let is_change = visit.form.iter().any(|(name, _)| name.starts_with("was-"));
        let before = |field: &Field| (field.name, plain(visit.field(&format!("was-{}", field.name))));
        Draft {
            values: each(groups).map(|field| (field.name, typed(field, visit))).collect(),
            before: is_change.then(|| each(groups).map(before).collect()),
            version: visit.field("version").to_owned(),
            ..Draft::default()
        }
    }

    pub fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    fn was(&self, name: &str) -> &str {
        self.before.as_ref().and_then(|before| before.get(name)).map_or("", String::as_str)
    }

    /// What the API is sent: all that is filled in, or of a change what differs from before. Empty where that is nothing.
    pub fn body(&self) -> Map<String, Value> {
        let differs = |name: &str, value: &str| match &self.before {
            Some(_) => value.trim() != self.was(name).trim(),
            None => !value.trim().is_empty(),
        };
        let changed = self.values.iter().filter(|(name, value)| differs(name, value));
        changed.map(|(name, value)| ((*name).to_owned(), Value::from(value.as_str()))).collect()
    }

    /// Brings the draft up to what the record holds now: what was not changed here is theirs, what was changed on both
    /// sides stays as it was typed, and `theirs` says what stands in the record.
    pub fn meet(&mut self, now: &Draft) {
        for (name, value) in &mut self.values {
            let was = self.before.as_ref().and_then(|before| before.get(name)).map_or("", String::as_str);
            let theirs = now.value(name);
            if value.trim() == was.trim() {
                theirs.clone_into(value);
            } else if theirs.trim() != was.trim() && theirs.trim() != value.trim() {
                self.theirs.insert(name, theirs.to_owned());
            }
        }
        self.before.clone_from(&now.before);
        self.version.clone_from(&now.version);
    }
}

/// A field as it was typed. Of several of the same name, which customers are, all.
fn typed(field: &Field, visit: &Visit) -> String {
    match field.kind {
        Kind::Customers => {
            let all = visit.form.iter().filter(|(name, _)| name == field.name);
            let ids = all.flat_map(|(_, ids)| ids.split([',', ' '])).filter(|id| !id.is_empty());
            ids.collect::<Vec<_>>().join(",")
        }
        _ => plain(visit.field(field.name)),
    }
}

/// Line ends as they are stored: a form's are those of another age.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The whole form. `back` is where who gives up goes.
pub(super) fn draw(
    groups: &'static [Group],
    draft: &Draft,
    choices: &Choices,
    back: &str,
    visit: &Visit,
) -> Markup {
    html! {
        form.record method="post" data-guard autocomplete="off" novalidate {
            (own(visit))
            input type="hidden" name="version" value=(draft.version);
            @if let Some(before) = &draft.before {
                @for (name, value) in before { textarea.gone name={ "was-" (name) } aria-label=(name) hidden { "\n" (value) } }
            }
            (summary(groups, draft, visit))
            @for group in groups {
                fieldset {
                    legend { (visit.lang.pick(group.name.0, group.name.1)) }
                    div.fields { @for field in group.fields { (one(field, draft, choices, visit)) } }
                }
            }
            div.actions {
                button.main type="submit" aria-keyshortcuts="Control+Enter" { (visit.say("Gravar", "Save")) }
                a.button href=(back) { (visit.say("Cancelar", "Cancel")) }
            }
        }
    }
}

/// What is wrong, and where others were faster, before everything else.
fn summary(groups: &'static [Group], draft: &Draft, visit: &Visit) -> Markup {
    let labelled = |names: Vec<&str>| {
        html! {
            ul { @for field in each(groups).filter(|field| names.contains(&field.name)) {
                li { a href={ "#f-" (field.name) } { (visit.lang.pick(field.label.0, field.label.1)) } }
            } }
        }
    };
    html! {
        @if !draft.wrong.is_empty() {
            div.alert role="alert" tabindex="-1" autofocus {
                p { strong { (visit.say("Ainda não foi gravado. Falta corrigir:", "Not stored yet. To be corrected:")) } }
                (labelled(draft.wrong.keys().map(String::as_str).collect()))
            }
        } @else if !draft.theirs.is_empty() {
            div.alert role="alert" tabindex="-1" autofocus {
                p { strong { (visit.say("Outra pessoa alterou este cadastro enquanto você o editava.", "Somebody else changed this record while you edited it.")) } }
                p { (visit.say(
                    "Nestes campos, os dois valores estão lado a lado: fica o que estiver no campo quando você gravar. Os demais já mostram o que a outra pessoa gravou.",
                    "In these fields both values stand side by side: what is in the field when you save will stay. The others already show what the other person stored.",
                )) }
                (labelled(draft.theirs.keys().copied().collect()))
            }
        }
    }
}

fn one(field: &Field, draft: &Draft, choices: &Choices, visit: &Visit) -> Markup {
    let label = visit.lang.pick(field.label.0, field.label.1);
    let id = format!("f-{}", field.name);
    // The API has one more name for what is wrong with an identification: that somebody else has it.
    let wrong = draft.wrong.get(field.name).map(|reasons| reasons.join("; "));
    let theirs = draft.theirs.get(field.name);
    html! {
        div.field.wide[field.wide] {
            @if field.kind == Kind::Customers {
                (customers(field, label, draft, wrong.is_some(), visit))
            } @else {
                label for=(id) { (label) @if field.required { span.required aria-hidden="true" { " *" } } }
                (control(field, &id, draft, choices, visit, wrong.is_some()))
            }
            @if let Some(wrong) = &wrong { p.wrong id={ "e-" (field.name) } { (first_upper(wrong)) } }
            @if let Some(theirs) = theirs {
                p.theirs {
                    (visit.say("Gravado agora: ", "Stored now: "))
                    @if theirs.is_empty() { em { (visit.say("vazio", "empty")) } }
                    @else { strong { (shown(field, theirs, choices)) } }
                    button.slight type="button" data-take=(theirs) data-into=(id) hidden { (visit.say("Usar este", "Use this")) }
                }
            }
        }
    }
}

fn control(
    field: &Field,
    id: &str,
    draft: &Draft,
    choices: &Choices,
    visit: &Visit,
    is_wrong: bool,
) -> Markup {
    let value = draft.value(field.name);
    let described = is_wrong.then(|| format!("e-{}", field.name));
    let invalid = is_wrong.then_some("true");
    let required = field.required.then_some("true");
    let empty = html! { @if !field.required || value.is_empty() { option value="" { (if field.required { visit.say("Escolha…", "Choose…") } else { "" }) } } };
    match field.kind {
        Kind::Long => html! {
            textarea id=(id) name=(field.name) rows="5" aria-invalid=[invalid] aria-describedby=[described] { "\n" (value) }
        },
        Kind::Word(words) => html! {
            select id=(id) name=(field.name) aria-invalid=[invalid] aria-describedby=[described] {
                (empty)
                @for (word, name) in words { option value=(word) selected[*word == value] { (visit.lang.pick(name.0, name.1)) } }
            }
        },
        Kind::Entry(list) => html! {
            select id=(id) name=(field.name) aria-required=[required] aria-invalid=[invalid] aria-describedby=[described] {
                (empty) (choices.options(list, value, visit))
            }
        },
        _ => {
            let mask = match field.kind {
                Kind::Formed(mask) => Some(mask),
                Kind::Day => Some(visit.say("day", "iso-day")),
                Kind::Money => Some("money"),
                _ => None,
            };
            let hint = match field.kind {
                Kind::Day => Some(visit.say("DD/MM/AAAA", "YYYY-MM-DD")),
                Kind::Money => Some(visit.say("0,00", "0.00")),
                _ => None,
            };
            let (kind, mode) = match field.kind {
                Kind::Email => ("email", None),
                Kind::Money => ("text", Some("decimal")),
                Kind::Formed("phone") => ("tel", None),
                Kind::Formed("tax-id") | Kind::Line => ("text", None),
                _ => ("text", Some("numeric")),
            };
            html! {
                input type=(kind) id=(id) name=(field.name) value=(value) data-mask=[mask] placeholder=[hint]
                    inputmode=[mode] autocomplete="off" aria-required=[required] aria-invalid=[invalid] aria-describedby=[described];
            }
        }
    }
}

/// The customers of a lawsuit: those that are chosen, and a field for more, which a script makes a search.
fn customers(field: &Field, label: &str, draft: &Draft, is_wrong: bool, visit: &Visit) -> Markup {
    let described = is_wrong.then(|| format!("e-{}", field.name));
    html! {
        div.picker data-picker={ (super::BASE) "/customers/pick" } data-remove=(visit.say("Retirar", "Remove")) {
            label for={ "f-" (field.name) } { (label) span.required aria-hidden="true" { " *" } }
            ul.chips {
                @for (id, name) in &draft.customers {
                    li { label { input type="checkbox" name=(field.name) value=(id) checked; span { (name) } } }
                }
            }
            input type="text" id={ "f-" (field.name) } name=(field.name) autocomplete="off" aria-invalid=[is_wrong.then_some("true")] aria-describedby=[described]
                data-placeholder=(visit.say("Nome, CPF/CNPJ ou telefone", "Name, CPF/CNPJ or phone"))
                placeholder=(visit.say("Números dos clientes, separados por vírgula", "The customers' numbers, separated by commas"));
        }
    }
}

/// A value as a record shows it.
pub(super) fn shown(field: &Field, value: &str, choices: &Choices) -> String {
    match field.kind {
        Kind::Entry(list) => choices.name(list, value),
        _ => value.to_owned(),
    }
}

/// A value as a record shows it, with the words of its choice.
pub(super) fn told(field: &Field, record: &Value, choices: &Choices, lang: Lang) -> String {
    let value = field.of(record, lang);
    match field.kind {
        Kind::Word(words) => {
            let word = words.iter().find(|(word, _)| *word == value);
            word.map(|(_, name)| lang.pick(name.0, name.1).to_owned()).unwrap_or(value)
        }
        Kind::Day => day(&value, lang),
        _ => shown(field, &value, choices),
    }
}

fn first_upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(values: [(&'static str, &str); 3]) -> Draft {
        let values: Values = values.map(|(name, value)| (name, value.to_owned())).into();
        Draft { before: Some(values.clone()), values, ..Draft::default() }
    }

    #[test]
    fn only_what_was_changed_is_sent() {
        let mut mine = draft([("name", "Ana"), ("city", "Criciúma"), ("email", "")]);
        assert!(mine.body().is_empty());
        mine.values.insert("city", " ".to_owned());
        mine.values.insert("email", "ana@exemplo.com.br".to_owned());
        assert_eq!(
            Value::Object(mine.body()),
            serde_json::json!({ "city": " ", "email": "ana@exemplo.com.br" })
        );
        let new = Draft { before: None, ..mine };
        assert_eq!(new.body().keys().collect::<Vec<_>>(), ["email", "name"]);
    }

    #[test]
    fn of_two_who_change_a_record_each_field_tells_who_did() {
        let mut mine = draft([("name", "Ana"), ("city", "Criciúma"), ("email", "a@exemplo.com.br")]);
        mine.values.insert("city", "Içara".to_owned());
        mine.values.insert("email", "b@exemplo.com.br".to_owned());
        let theirs = draft([("name", "Ana Maria"), ("city", "Criciúma"), ("email", "c@exemplo.com.br")]);
        mine.meet(&theirs);
        assert_eq!(
            (mine.value("name"), mine.value("city"), mine.value("email")),
            ("Ana Maria", "Içara", "b@exemplo.com.br")
        );
        assert_eq!(mine.theirs, Values::from([("email", "c@exemplo.com.br".to_owned())]));
        assert_eq!(mine.body().keys().collect::<Vec<_>>(), ["city", "email"]);
    }
}
