//! Forms of records: drawn by their tables with what was typed and what is wrong, and read as fields.
//!
//! A form that changes a record carries what the record held when the form was drawn. So only what somebody changed is
//! sent, and where two people changed the same record, each field tells who did.

use maud::{Markup, html};

use super::alike::Alike;
use super::choices::Choices;
use super::control::{Control, time_of, with_times};
use super::linked::{Picker, RecordNames, ids, kind_of};
use super::meanwhile::{Meanwhile, RecordNow};
use super::page::csrf_field;
use super::plan::PlanForm;
use super::sent::key_field;
use super::suggest::Suggestions;
use super::typing::{Values, day_typed, time_typed};
use super::viewer::too_large;
use super::visit::Visit;
use super::words::first_upper;
use super::wrong::Wrong;
use crate::api::pages::{Pages, View};
use crate::api::pages_of;
use crate::domain::Lang;
use crate::records::{Field, Kind, List, Section, Table, Type};
use crate::store::settings::Entry;
use crate::store::{self, Db};

/// What a form calls the file in it.
const FILE: &str = "file";

/// Everything that a form is drawn from.
pub(super) struct Form {
    table: &'static Table,
    pub values: Values,
    /// What the record held when the form was drawn first; none for a new one.
    before: Option<Values>,
    /// The record's version; for a new one the key by which it is stored once only.
    pub version: String,
    pub wrong: Wrong,
    /// What another person did to the record after the form was drawn.
    pub meanwhile: Meanwhile,
    /// Those that a new record may be the same as.
    pub alike: Alike,
    /// Whether it brings the file that the new record is.
    pub takes_file: bool,
    /// What was typed where a record is meant, and means none.
    pub unclear: Wrong,
    /// Of a new record that may be the first of several.
    pub plan: Option<PlanForm>,
    names: RecordNames,
    suggestions: Suggestions,
}

/// The fields of a form, in their order.
fn fields(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    in_sections(table).into_iter().flat_map(|(_, fields)| fields)
}

/// The same under their headings. What a record has to have stands under the first, and first there, so that nobody looks for
/// it at the end. The time of a day that has to be there stands beside it.
fn in_sections(table: &'static Table) -> Vec<(Section, Vec<&'static Field>)> {
    let mut sections = table.sections();
    let is_required = |field: &Field| {
        let of = |day: &&Field| time_of(table, day) == Some(field.column);
        field.required || table.fields.iter().find(of).is_some_and(|day| day.required)
    };
    let later = sections.iter_mut().skip(1);
    let moved =
        later.flat_map(|(_, fields)| fields.extract_if(.., |field| is_required(field))).collect::<Vec<_>>();
    if let Some((_, first)) = sections.first_mut() {
        first.extend(moved);
        first.sort_by_key(|field| (!is_required(field), matches!(field.ty, Type::Reference(_))));
    }
    // Boxes to tick stand together at the end.
    for (_, fields) in &mut sections {
        fields.sort_by_key(|field| field.ty == Type::Flag);
    }
    sections
}

impl Form {
    /// A form for a new record, with what `begin` fills in.
    pub fn new(table: &'static Table, version: String, begin: impl Fn(&Field) -> String) -> Form {
        let values = fields(table).map(|field| (field.member, begin(field))).collect();
        let (before, meanwhile, names) = (None, Meanwhile::default(), RecordNames::default());
        let (wrong, unclear, alike) = (Wrong::new(), Wrong::new(), Alike::default());
        Form {
            table,
            values,
            before,
            version,
            wrong,
            meanwhile,
            alike,
            takes_file: false,
            unclear,
            plan: None,
            names,
            suggestions: Suggestions::default(),
        }
    }

    /// What a record holds.
    pub fn of(record: &View, version: String, lang: Lang) -> Form {
        let form = Form::new(record.table, version, |field| record.typed(field, lang));
        Form { before: Some(form.values.clone()), ..form }
    }

    /// What was typed.
    pub fn sent(table: &'static Table, visit: &Visit) -> Form {
        let form = Form::new(table, visit.field("version").to_owned(), |field| typed(field, visit));
        let is_change = visit.form.iter().any(|(name, _)| name.starts_with("was-"));
        let before =
            |field: &'static Field| (field.member, plain(visit.field(&format!("was-{}", field.member))));
        Form { before: is_change.then(|| fields(table).map(before).collect()), ..form }
    }

    fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    fn was(&self, name: &str) -> &str {
        self.before.as_ref().and_then(|before| before.get(name)).map_or("", String::as_str)
    }

    /// Returns `true` for a field that something else in the form says: the file its name, and a plan whether it comes again.
    fn hides(&self, field: &Field) -> bool {
        self.takes_file && field.member == "name" || self.plan.is_some() && field.member == "is_recurrent"
    }

    /// Returns `true` if this field has the focus at first: of a new record the first that is empty, else the first. An alert
    /// goes before.
    fn begins_with(&self, field: &Field) -> bool {
        let is_empty = |field: &&Field| self.before.is_none() && self.value(field.member).is_empty();
        let first = fields(self.table).find(is_empty).or_else(|| fields(self.table).next());
        let is_first = first.is_some_and(|first| first.member == field.member);
        let is_alert = !self.wrong.is_empty() || self.meanwhile.is_news() || !self.alike.is_empty();
        is_first && !self.takes_file && !is_alert
    }

    /// The members that are a record each, with what was typed that is no record's number.
    pub fn searched(&self) -> Vec<(&'static str, &'static Pages, String)> {
        let typed = fields(self.table).filter_map(|field| {
            let pages = field.record().and_then(pages_of)?;
            let text = self.value(field.member).trim();
            let is_number = text.parse::<u32>().is_ok();
            (!text.is_empty() && !is_number).then(|| (field.member, pages, text.to_owned()))
        });
        typed.collect()
    }

    /// The fields that are sent: all that are filled in, or of a change those that differ from before.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        let differs = |name: &str, value: &str| match &self.before {
            Some(_) => value.trim() != self.was(name).trim(),
            None => !value.trim().is_empty(),
        };
        let changed = self.values.iter().filter(|(name, value)| differs(name, value));
        changed.map(|(name, value)| (*name, value.clone())).collect()
    }

    /// Brings the form up to what the record holds now: a field that was not changed here takes the stored value, and one
    /// that was changed on both sides keeps what was typed. `meanwhile` has the other value of each.
    pub fn meet(&mut self, now: &Form) {
        for (name, value) in &mut self.values {
            let was = self.before.as_ref().and_then(|before| before.get(name)).map_or("", String::as_str);
            let theirs = now.value(name);
            if theirs.trim() == was.trim() || theirs.trim() == value.trim() {
                continue;
            }
            match value.trim() == was.trim() {
                true => {
                    self.meanwhile.taken.insert(name, was.to_owned());
                    theirs.clone_into(value);
                }
                false => _ = self.meanwhile.theirs.insert(name, theirs.to_owned()),
            }
        }
        self.meanwhile.record = RecordNow::Changed;
        self.meanwhile.last.clone_from(&now.meanwhile.last);
        self.before.clone_from(&now.before);
        self.version.clone_from(&now.version);
    }

    /// Chooses what has to be chosen, wherever there is no choice.
    pub fn choose_only(&mut self, choices: &Choices) {
        for field in fields(self.table).filter(|field| field.required) {
            let Type::Reference(list) = field.ty else { continue };
            let value = self.values.get_mut(field.member);
            // A new record can have no entry that is out of use, even if it was the last one chosen.
            let is_new = self.before.is_none();
            let empty = value.filter(|value| value.is_empty() || is_new && !choices.is_active(list, value));
            if let Some(value) = empty {
                *value = choices.only(list).unwrap_or_default();
            }
        }
    }

    /// Reads what people call the records that stand in the fields, and what is offered for others.
    pub fn name_linked(&mut self, db: Db<'_>, lang: Lang) -> Result<(), store::Error> {
        let linked = fields(self.table).filter_map(|field| Some((kind_of(field)?, field.member)));
        let Meanwhile { theirs, taken, .. } = &self.meanwhile;
        let all = linked
            .flat_map(|(kind, member)| [&self.values, theirs, taken].map(|texts| (kind, texts.get(member))));
        let there = all.filter_map(|(kind, value)| Some((kind, value?.as_str())));
        self.names = RecordNames::read(db, there, lang)?;
        self.suggestions = Suggestions::read(db, self.table)?;
        Ok(())
    }
}

/// A field as it was typed. Of several of the same name, which linked records are, all.
pub(super) fn typed(field: &Field, visit: &Visit) -> String {
    match field.ty {
        Type::Links(_) => {
            let all = visit.form.iter().filter(|(name, _)| name == field.member);
            all.flat_map(|(_, text)| ids(text)).collect::<Vec<_>>().join(",")
        }
        Type::Day | Type::SlashedDay => day_typed(visit.field(field.member), field, visit),
        Type::Time => time_typed(visit.field(field.member)),
        _ => plain(visit.field(field.member)),
    }
}

/// Line ends as they are stored: a form's are those of another age.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The whole form. `back` is where who gives up goes.
pub(super) fn draw(form: &Form, pages: &Pages, choices: &Choices, back: &str, visit: &Visit) -> Markup {
    html! {
        form.record method="post" enctype=[form.takes_file.then_some("multipart/form-data")] data-guard autocomplete="off" novalidate {
            (csrf_field(visit))
            (key_field(visit))
            input type="hidden" name="version" value=(form.version);
            @if let Some(before) = &form.before {
                @for (name, value) in before { textarea.gone name={ "was-" (name) } aria-label=(name) hidden { "\n" (value) } }
            }
            (summary(form, visit))
            (form.alike.draw(pages, !form.wrong.is_empty(), visit))
            @if form.takes_file { (file(form, visit)) }
            @for (at, (section, mut fields)) in in_sections(form.table).into_iter().enumerate() {
                @let () = fields.retain(|field| !form.hides(field));
                @if !fields.is_empty() {
                    fieldset {
                        legend { (visit.lang.pick(section.label.0, section.label.1)) }
                        div.fields { @for group in with_times(form.table, fields) {
                            @if let [field] = group.as_slice() {
                                (draw_one(field, form, choices, visit))
                                @if let (Some(plan), "date_due") = (&form.plan, field.member) { (plan.draw_number(&form.wrong, visit)) }
                            } @else { div.pair { @for field in group { (draw_one(field, form, choices, visit)) } } }
                        } }
                    }
                }
                @if let (Some(plan), 0) = (&form.plan, at) { (plan.draw(&form.values, &form.wrong, visit)) }
            }
            div.actions {
                @let is_asked = !form.alike.is_empty() && form.wrong.is_empty();
                button.main type="submit" aria-keyshortcuts="Control+Enter" {
                    (if is_asked { visit.say("Salvar assim mesmo", "Save all the same") } else { visit.say("Salvar", "Save") })
                }
                a.button href=(back) { (visit.say("Cancelar", "Cancel")) }
            }
        }
    }
}

/// The file that a new record is. A browser forgets which it was once a form is sent.
fn file(form: &Form, visit: &Visit) -> Markup {
    let wrong =
        [FILE, "name"].iter().find_map(|name| form.wrong.get(*name)).map(|reasons| reasons.join("; "));
    html! {
        fieldset {
            legend { (visit.say("Arquivo", "File")) }
            div.fields { div.field.wide {
                label for="f-file" { (visit.say("Arquivo deste computador", "File of this computer")) span.required aria-hidden="true" { " *" } }
                input #f-file type="file" name=(FILE) data-most=(visit.largest_file) data-large=(too_large(visit)) aria-required="true" autofocus[form.wrong.is_empty()]
                    aria-invalid=[wrong.is_some().then_some("true")] aria-describedby=[wrong.is_some().then_some("e-file")];
                @if let Some(wrong) = &wrong { p.wrong #e-file { (first_upper(wrong)) } }
                @else if !form.wrong.is_empty() { p.wrong #e-file { (visit.say("Escolha o arquivo outra vez.", "Choose the file again.")) } }
            } }
        }
    }
}

/// What is wrong, and where others were faster, before everything else.
fn summary(form: &Form, visit: &Visit) -> Markup {
    let labelled = |is_meant: &dyn Fn(&str) -> bool| {
        html! {
            ul { @for field in fields(form.table).filter(|field| is_meant(field.member)) {
                li { a href={ "#f-" (field.member) } { (visit.lang.pick(field.label.0, field.label.1)) } }
            } }
        }
    };
    html! {
        @if !form.wrong.is_empty() {
            div.alert role="alert" tabindex="-1" autofocus {
                p { strong { (visit.say("Nada foi salvo. Corrija:", "Nothing was saved. Correct:")) } }
                @if form.takes_file { ul { li { a href="#f-file" { (visit.say("Arquivo", "File")) } } } }
                (labelled(&|name| form.wrong.contains_key(name)))
                @if form.plan.is_some() { (PlanForm::wrong(&form.wrong, visit)) }
            }
        } @else if form.meanwhile.is_news() {
            (form.meanwhile.draw(&fields(form.table).collect::<Vec<_>>(), visit))
        }
    }
}

/// A field of the form.
pub(super) fn draw_one(field: &Field, form: &Form, choices: &Choices, visit: &Visit) -> Markup {
    let label = visit.lang.pick(field.label.0, field.label.1);
    let id = format!("f-{}", field.member);
    let wrong = form.wrong.get(field.member).map(|reasons| reasons.join("; "));
    let picker = kind_of(field).and_then(|kind| {
        let picker = Picker {
            kind,
            is_one: matches!(field.ty, Type::Record(_)),
            label,
            is_required: field.required,
            id: &id,
            name: field.member,
            value: form.value(field.member),
            is_wrong: wrong.is_some(),
            is_first: form.begins_with(field),
            not: "",
        };
        picker.draw(&form.names, visit)
    });
    let control = Control {
        field,
        id: &id,
        value: form.value(field.member),
        is_wrong: wrong.is_some(),
        is_first: form.begins_with(field),
        suggestions: &form.suggestions,
    };
    html! {
        div.field.wide[field.is_wide()] {
            @if let Type::Links(Kind::List(list)) = field.ty {
                (entries(field, list, label, form, choices, visit))
            } @else if let Some(picker) = picker {
                (picker)
            } @else if field.ty == Type::Flag {
                (control.draw_tick(label))
            } @else {
                label for=(id) { (label) @if field.required { span.required aria-hidden="true" { " *" } } }
                (control.draw(choices, visit))
            }
            @let hint = visit.lang.pick(field.hint.0, field.hint.1);
            @if !hint.is_empty() { p.quiet.hint { (hint) } }
            @if let Some(wrong) = &wrong { p.wrong id={ "e-" (field.member) } { (first_upper(wrong)) } }
            (form.meanwhile.beside(field, choices, &form.names, visit))
        }
    }
}

/// The entries of a list that this record is linked to: all that can be chosen, and those that it has already.
fn entries(field: &Field, list: List, label: &str, form: &Form, choices: &Choices, visit: &Visit) -> Markup {
    let chosen = ids(form.value(field.member)).collect::<Vec<_>>();
    let is_chosen = |entry: &Entry| chosen.contains(&entry.id.to_string().as_str());
    let wrong = form.wrong.contains_key(field.member).then(|| format!("e-{}", field.member));
    html! {
        div.entries-of role="group" id={ "f-" (field.member) } tabindex="-1" aria-label=(label) aria-describedby=[wrong] {
            p.legend { (label) @if field.required { span.required aria-hidden="true" { " *" } } }
            @for (at, entry) in choices.entries(list).iter().filter(|entry| entry.active || is_chosen(entry)).enumerate() {
                label { input type="checkbox" name=(field.member) value=(entry.id) checked[is_chosen(entry)] autofocus[at == 0 && form.begins_with(field)]; span {
                    (entry.name.as_str())
                    @if !entry.active { " " (visit.say("(inativo)", "(inactive)")) }
                } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Customer, Record};

    fn form(values: [(&'static str, &str); 3]) -> Form {
        let form = Form::new(Customer::TABLE, String::new(), |_| String::new());
        let values: Values = values.map(|(name, value)| (name, value.to_owned())).into();
        Form { before: Some(values.clone()), values, ..form }
    }

    #[test]
    fn only_what_was_changed_is_sent() {
        let mut mine = form([("name", "Ana"), ("city", "Criciúma"), ("email", "")]);
        assert!(mine.changed().is_empty());
        mine.values.insert("city", " ".to_owned());
        mine.values.insert("email", "ana@exemplo.com.br".to_owned());
        assert_eq!(mine.changed(), [("city", " ".to_owned()), ("email", "ana@exemplo.com.br".to_owned())]);
        let new = Form { before: None, ..mine };
        assert_eq!(new.changed().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["email", "name"]);
    }

    #[test]
    fn of_two_who_change_a_record_each_field_tells_who_did() {
        let mut mine = form([("name", "Ana"), ("city", "Criciúma"), ("email", "a@exemplo.com.br")]);
        mine.values.insert("city", "Içara".to_owned());
        mine.values.insert("email", "b@exemplo.com.br".to_owned());
        let theirs = form([("name", "Ana Maria"), ("city", "Criciúma"), ("email", "c@exemplo.com.br")]);
        mine.meet(&theirs);
        assert_eq!(
            (mine.value("name"), mine.value("city"), mine.value("email")),
            ("Ana Maria", "Içara", "b@exemplo.com.br")
        );
        assert!(mine.meanwhile.is_news());
        assert_eq!(mine.meanwhile.theirs, Values::from([("email", "c@exemplo.com.br".to_owned())]));
        assert_eq!(mine.meanwhile.taken, Values::from([("name", "Ana".to_owned())]));
        assert_eq!(mine.changed().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["city", "email"]);
    }
}
