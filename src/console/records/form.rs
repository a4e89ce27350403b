//! Forms of records: rendered from their tables with values and errors, and parsed into fields.
//!
//! A form that changes a record also contains the values at the time it was rendered. So only changed fields
//! are sent, and conflicts between two people are found field by field.

pub(in crate::console) mod appointment;
pub(in crate::console) mod deadline;
pub(in crate::console) mod edit_conflict;
mod file_field;
pub(in crate::console) mod input_types;
pub(in crate::console) mod new_record;
pub(in crate::console) mod reference_fields;
pub(in crate::console) mod suggest;
mod walk_in;
pub(in crate::console) mod warnings;

use crate::console::conflicts::warning::{self, ConflictWarning};
use crate::console::layout::choices::Choices;
use crate::console::layout::control::{Control, time_of, with_times};
use crate::console::layout::field_errors::FieldErrors;
use crate::console::layout::page::key_field;
use crate::console::money::plan::PlanForm;
use crate::console::prelude::*;
use crate::console::records::duplicates::possible_duplicates::{self, PossibleDuplicates};
use crate::console::records::form::appointment::TaskForm;
use crate::console::records::form::deadline::{CountedDeadline, CountedFields, DEADLINE, ProposedDeadline};
use crate::console::records::form::edit_conflict::{EditConflict, RecordNow};
use crate::console::records::form::input_types::{Values, plain, typed};
use crate::console::records::form::reference_fields::{Picker, RecordNames, kind_of};
use crate::console::records::form::suggest::Suggestions;
use crate::console::records::form::walk_in::WalkIn;
use crate::console::records::form::warnings::FormWarnings;
use crate::records::Section;

pub(in crate::console) struct Form {
    table: &'static Table,
    pub values: Values,
    /// The record's values when the form was first rendered; `None` for a new record.
    before: Option<Values>,
    /// The record's version; for a new record, the idempotency key.
    pub version: String,
    pub wrong: FieldErrors,
    /// Changes that another person made after the form was rendered.
    pub edit_conflict: EditConflict,
    pub duplicates: PossibleDuplicates,
    pub conflicts: ConflictWarning,
    pub warnings: FormWarnings,
    /// The deadline, if it was typed as a number of days.
    pub deadline: Option<CountedDeadline>,
    /// What the publication of a new task proposes.
    proposed: ProposedDeadline,
    pub task_form: TaskForm,
    /// `true` if the new record is an uploaded file.
    pub takes_file: bool,
    /// Errors of reference fields whose text does not identify a record.
    pub unclear: FieldErrors,
    /// Instalments or repetition, for a new record that can be the first of several.
    pub plan: Option<PlanForm>,
    /// For a new customer.
    pub walk_in: Option<WalkIn>,
    names: RecordNames,
    suggestions: Suggestions,
}

/// Returns the fields in their order on the form.
pub(in crate::console) fn fields(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    in_sections(table).into_iter().flat_map(|(_, fields)| fields)
}

/// Returns the fields by section. Required fields move to the top of the first section, so that they are not
/// overlooked at the end. The time of day of a required day moves with it.
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
        // The lawsuit or customer of a task comes first too, although it may be empty.
        let is_first = |field: &Field| {
            is_required(field) || matches!(field.record(), Some(Kind::Lawsuit | Kind::Customer))
        };
        first.sort_by_key(|field| (!is_first(field), matches!(field.ty, Type::Reference(_))));
    }
    // Check boxes come last in their section.
    for (_, fields) in &mut sections {
        fields.sort_by_key(|field| field.ty == Type::Flag);
    }
    sections
}

impl Form {
    /// Creates a form for a new record with the values from `initial_value`.
    pub fn new(table: &'static Table, version: String, initial_value: impl Fn(&Field) -> String) -> Form {
        let values = fields(table).map(|field| (field.member, initial_value(field))).collect();
        Form {
            table,
            values,
            before: None,
            version,
            wrong: FieldErrors::new(),
            edit_conflict: EditConflict::default(),
            duplicates: PossibleDuplicates::default(),
            conflicts: ConflictWarning::default(),
            warnings: FormWarnings::default(),
            deadline: None,
            proposed: ProposedDeadline::default(),
            task_form: TaskForm::default(),
            takes_file: false,
            unclear: FieldErrors::new(),
            plan: None,
            walk_in: None,
            names: RecordNames::default(),
            suggestions: Suggestions::default(),
        }
    }

    /// Creates a form with the record's values.
    pub fn of(record: &View, version: String, lang: Lang) -> Form {
        let form = Form::new(record.table, version, |field| record.typed(field, lang));
        Form { before: Some(form.values.clone()), ..form }
    }

    /// Reads a form that was sent.
    pub fn sent(table: &'static Table, visit: &Visit) -> Form {
        let task_form = TaskForm::of(table, &|name| visit.parameter(name));
        let version = visit.field("version").to_owned();
        let form = Form::new(table, version, |field| typed(field, task_form.days(field), visit));
        let is_change = visit.form.iter().any(|(name, _)| name.starts_with("was-"));
        let before =
            |field: &'static Field| (field.member, plain(visit.field(&format!("was-{}", field.member))));
        let before = is_change.then(|| fields(table).map(before).collect());
        Form { before, task_form, ..form }
    }

    pub fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// Returns `true` if a required field is empty, so that the record cannot be stored.
    fn is_incomplete(&self) -> bool {
        fields(self.table).any(|field| field.required && self.value(field.member).is_empty())
    }

    fn was(&self, name: &str) -> &str {
        self.before.as_ref().and_then(|before| before.get(name)).map_or("", String::as_str)
    }

    /// Returns `true` if a change cannot set the field.
    fn is_fixed(&self, field: &Field) -> bool {
        self.before.is_some() && field.create_only
    }

    /// Returns `true` if the form does not set the field, or another part of it does: the file sets the name, and the plan
    /// sets the recurrence.
    fn hides(&self, field: &Field) -> bool {
        self.takes_file && field.member == "name"
            || self.plan.is_some() && field.member == "is_recurrent"
            || self.task_form.hides(field)
            || self.is_fixed(field)
    }

    /// Returns `true` if the field gets the focus: in a new record the first empty field, otherwise the first
    /// one. An alert takes precedence.
    fn begins_with(&self, field: &Field) -> bool {
        // The task of a customer needs no lawsuit.
        let is_beside =
            |field: &Field| field.column == "lawsuit_id" && !self.value("customers_id").is_empty();
        let is_empty = |field: &&Field| {
            self.before.is_none() && self.value(field.member).is_empty() && !is_beside(field)
        };
        let shown = || fields(self.table).filter(|field| !self.hides(field));
        let first =
            self.task_form.first(self.table).or_else(|| shown().find(is_empty)).or_else(|| shown().next());
        let is_first = first.is_some_and(|first| first.member == field.member);
        let is_warned = !self.duplicates.is_empty() || self.conflicts.asks_why();
        let is_alert = !self.wrong.is_empty() || self.edit_conflict.is_news() || is_warned;
        is_first && !self.takes_file && !is_alert
    }

    /// Returns the reference fields that contain a text other than an id.
    pub fn searched(&self) -> Vec<(&'static str, &'static Pages, String)> {
        let typed = fields(self.table).filter_map(|field| {
            let pages = field.record().and_then(pages_of)?;
            let text = self.value(field.member).trim();
            let is_number = text.parse::<u32>().is_ok();
            (!text.is_empty() && !is_number).then(|| (field.member, pages, text.to_owned()))
        });
        typed.collect()
    }

    /// Returns the fields to send: the filled-in ones, or for a change the ones that differ from before. A counted deadline
    /// is sent as its day and how it was counted.
    pub fn changed(&self) -> Vec<(&'static str, String)> {
        let differs = |name: &str, value: &str| match &self.before {
            Some(_) => value.trim() != self.was(name).trim(),
            None => !value.trim().is_empty(),
        };
        let is_sent = |name: &str| self.table.member(name).is_none_or(|field| !self.is_fixed(field));
        let is_counted = |name: &str| name == DEADLINE && self.deadline.is_some();
        let changed = self.values.iter().filter(|(name, value)| is_sent(name) && differs(name, value));
        let typed = changed.filter(|(name, _)| !is_counted(name)).map(|(name, value)| (*name, value.clone()));
        typed.chain(self.deadline.iter().flat_map(CountedDeadline::fields)).collect()
    }

    /// Merges the current state of the record into the form. A field that was not changed here takes the stored value.
    /// A field that was changed on both sides keeps the typed value. `edit_conflict` keeps the other value of each.
    pub fn meet(&mut self, now: &Form) {
        for (name, value) in &mut self.values {
            let was = self.before.as_ref().and_then(|before| before.get(name)).map_or("", String::as_str);
            let theirs = now.value(name);
            if theirs.trim() == was.trim() || theirs.trim() == value.trim() {
                continue;
            }
            match value.trim() == was.trim() {
                true => {
                    self.edit_conflict.taken.insert(name, was.to_owned());
                    theirs.clone_into(value);
                }
                false => _ = self.edit_conflict.theirs.insert(name, theirs.to_owned()),
            }
        }
        self.edit_conflict.record = RecordNow::Changed;
        self.edit_conflict.last.clone_from(&now.edit_conflict.last);
        self.before.clone_from(&now.before);
        self.version.clone_from(&now.version);
    }

    /// Fills in each required reference field whose list has only one active entry.
    pub fn choose_only(&mut self, choices: &Choices) {
        for field in fields(self.table).filter(|field| field.required) {
            let Type::Reference(list) = field.ty else { continue };
            let value = self.values.get_mut(field.member);
            // A new record cannot get an inactive entry, even if the visitor chose it last time.
            let is_new = self.before.is_none();
            let empty = value.filter(|value| value.is_empty() || is_new && !choices.is_active(list, value));
            if let Some(value) = empty {
                *value = choices.only(list).unwrap_or_default();
            }
        }
    }

    /// Counts the deadline, if it was typed as a number of days. `unclear` has what is wrong with it.
    pub async fn count_deadline(&mut self, visit: &Visit) -> Result<()> {
        let fields = CountedFields::of(|name| self.value(name), visit);
        match fields.count(visit).await? {
            Some(Ok(counted)) => self.deadline = Some(counted),
            Some(Err(reason)) => drop(self.unclear.insert(DEADLINE.to_owned(), vec![reason])),
            None => {}
        }
        Ok(())
    }

    /// Reads the names of the referenced records and the suggestions for text fields.
    pub fn name_linked(&mut self, db: Db<'_>, lang: Lang) -> StoreResult<()> {
        let linked = fields(self.table).filter_map(|field| Some((kind_of(field)?, field.member)));
        let EditConflict { theirs, taken, .. } = &self.edit_conflict;
        let all = linked
            .flat_map(|(kind, member)| [&self.values, theirs, taken].map(|texts| (kind, texts.get(member))));
        let there = all.filter_map(|(kind, value)| Some((kind, value?.as_str())));
        self.names = RecordNames::read(db, there, lang)?;
        self.suggestions = Suggestions::read(db, self.table)?;
        Ok(())
    }
}

/// Renders the whole form. `back` is the address of the cancel button.
pub(in crate::console) fn render(
    form: &Form,
    pages: &Pages,
    choices: &Choices,
    back: &str,
    visit: &Visit,
) -> Markup {
    html! {
        form.record method="post" enctype=[form.takes_file.then_some("multipart/form-data")] data-guard autocomplete="off" novalidate
            data-draft=(visit.acting.as_ref().map_or(0, |acting| acting.id)) data-typed[!visit.form.is_empty()]
            data-unanswered=(visit.pick("O Pleito não respondeu às #. O que estava digitado está aqui de novo: confira e salve.", "Pleito did not answer at #. Your input is here again: check and save it."))
            data-kept=(visit.pick("Este formulário tem texto não salvo, de #.", "This form has unsaved input of #."))
            data-resume=(visit.pick("Retomar", "Resume")) data-discard=(visit.pick("Descartar", "Discard")) {
            (csrf_field(visit))
            (key_field(visit))
            input type="hidden" name="version" value=(form.version);
            @if let Some(before) = &form.before {
                @for (name, value) in before { textarea.gone name={ "was-" (name) } aria-label=(name) hidden { "\n" (value) } }
            }
            (summary(form, visit))
            (form.duplicates.render(pages, !form.wrong.is_empty(), visit))
            (form.warnings.render(visit))
            @if form.takes_file { (file_field::render(&form.wrong, form.value("name"), visit)) }
            @for (at, (section, mut fields)) in in_sections(form.table).into_iter().enumerate() {
                @let () = fields.retain(|field| !form.hides(field) && visit.sees(form.table, field));
                @if !fields.is_empty() {
                    fieldset {
                        @let label = form.task_form.legend().filter(|_| at == 0).unwrap_or(section.label);
                        legend { (visit.lang.pick(label.0, label.1)) }
                        div.fields { @for group in with_times(form.table, fields) {
                            @if let [field] = group.as_slice() {
                                (render_one(field, form, choices, visit))
                                @if possible_duplicates::is_beside(pages, field, form.before.is_none()) { div.similar role="status" data-found={ (BASE) "/" (pages.path()) "/similar" } data-by=(possible_duplicates::FOUND_BY) {} }
                                @if let (Some(plan), "date_due") = (&form.plan, field.member) { (plan.render_number(&form.wrong, visit)) }
                            } @else { div.pair { @for field in group { (render_one(field, form, choices, visit)) } } }
                        } }
                    }
                }
                @if let (Some(plan), 0) = (&form.plan, at) { (plan.render(&form.values, &form.wrong, visit)) }
            }
            @if let Some(walk_in) = &form.walk_in { (walk_in.render(&form.wrong, choices, visit)) }
            div.actions {
                @let needs_confirmation = (!form.duplicates.is_empty() || form.conflicts.needs_answer() || !form.warnings.is_seen()) && form.wrong.is_empty();
                button.main type="submit" aria-keyshortcuts="Control+Enter" {
                    (if needs_confirmation { visit.pick("Salvar assim mesmo", "Save anyway") } else { visit.pick("Salvar", "Save") })
                }
                a.button href=(back) { (visit.pick("Cancelar", "Cancel")) }
            }
        }
    }
}

/// Renders the summary of errors and conflicts at the top.
fn summary(form: &Form, visit: &Visit) -> Markup {
    // The file field shows what is wrong with the name.
    let is_wrong = |field: &&Field| form.wrong.contains_key(field.member) && !form.hides(field);
    html! {
        @if !form.wrong.is_empty() {
            div.alert role="alert" tabindex="-1" data-focus {
                p { strong { (visit.pick("Nada foi salvo. Corrija:", "Nothing was saved. Correct:")) } }
                ul {
                    @if form.takes_file { li { a href="#f-file" { (visit.pick("Arquivo", "File")) } } }
                    @for field in fields(form.table).filter(is_wrong) {
                        li { a href={ "#f-" (field.member) } { (visit.lang.pick(field.label.0, field.label.1)) } }
                    }
                }
                @if form.plan.is_some() { (PlanForm::wrong(&form.wrong, visit)) }
                @if form.walk_in.is_some() { (WalkIn::wrong(&form.wrong, visit)) }
            }
        } @else if form.edit_conflict.is_news() {
            (form.edit_conflict.render(&fields(form.table).collect::<Vec<_>>(), visit))
        }
    }
}

pub(in crate::console) fn render_one(field: &Field, form: &Form, choices: &Choices, visit: &Visit) -> Markup {
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
        picker.render(&form.names, visit)
    });
    let control = Control {
        field,
        id: &id,
        value: form.value(field.member),
        days: form.task_form.days(field),
        counted: form.deadline.as_ref(),
        proposed: &form.proposed,
        is_wrong: wrong.is_some(),
        is_first: form.begins_with(field),
        suggestions: &form.suggestions,
    };
    html! {
        div.field.wide[field.is_wide()] {
            @if let Type::Links(Kind::List(list)) = field.ty {
                (control.render_entries(list, label, choices, visit))
            } @else if let Some(picker) = picker {
                (picker)
            } @else if field.ty == Type::Flag {
                (control.render_tick(label))
            } @else {
                label for=(id) { (label) @if field.required { span.required aria-hidden="true" { " *" } } }
                (control.render(choices, visit))
            }
            @let hint = visit.lang.pick(field.hint.0, field.hint.1);
            @if !hint.is_empty() && !form.task_form.is_short() { p.quiet.hint { (hint) } }
            @if let Some(wrong) = &wrong { p.wrong id={ "e-" (field.member) } { (first_upper(wrong)) } }
            (form.edit_conflict.beside(field, choices, &form.names, visit))
        }
        @if warning::is_beside(form.table, field) { (form.conflicts.render_beside(form.table, visit)) }
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
    fn only_changed_values_are_sent() {
        let mut mine = form([("name", "Ana"), ("city", "Criciúma"), ("email", "")]);
        assert!(mine.changed().is_empty());
        mine.values.insert("city", " ".to_owned());
        mine.values.insert("email", "ana@exemplo.com.br".to_owned());
        assert_eq!(mine.changed(), [("city", " ".to_owned()), ("email", "ana@exemplo.com.br".to_owned())]);
        let new = Form { before: None, ..mine };
        assert_eq!(new.changed().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["email", "name"]);
    }

    #[test]
    fn concurrent_changes_are_merged_by_field() {
        let mut mine = form([("name", "Ana"), ("city", "Criciúma"), ("email", "a@exemplo.com.br")]);
        mine.values.insert("city", "Içara".to_owned());
        mine.values.insert("email", "b@exemplo.com.br".to_owned());
        let theirs = form([("name", "Ana Maria"), ("city", "Criciúma"), ("email", "c@exemplo.com.br")]);
        mine.meet(&theirs);
        assert_eq!(
            (mine.value("name"), mine.value("city"), mine.value("email")),
            ("Ana Maria", "Içara", "b@exemplo.com.br")
        );
        assert!(mine.edit_conflict.is_news());
        assert_eq!(mine.edit_conflict.theirs, Values::from([("email", "c@exemplo.com.br".to_owned())]));
        assert_eq!(mine.edit_conflict.taken, Values::from([("name", "Ana".to_owned())]));
        assert_eq!(mine.changed().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["city", "email"]);
    }
}
