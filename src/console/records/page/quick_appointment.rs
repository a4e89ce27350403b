//! The form for an appointment on the page of a customer and in the agenda, without what is known there (office 55).

use crate::api::tasks::initial_values::{APPOINTMENT, HELD};
use crate::console::layout::choices::Choices;
use crate::console::layout::control::with_times;
use crate::console::layout::page::key_field;
use crate::console::prelude::*;
use crate::console::records::form::{Form, fields, render_one};
use crate::records::Task;

/// The fields that are always shown, in their order. Those before them are needed and not known.
const TYPED: [&str; 6] = ["start_date", "start_time", "end_time", "type_id", "guests", "notes"];

/// The fields of a new appointment on the page of a customer, or in the agenda. The others are filled in already.
pub(in crate::console) struct QuickForm {
    form: Form,
    choices: Choices,
}

impl QuickForm {
    /// Reads the form for a customer or, in the agenda, for a person. `None` if the caller may add no task.
    pub async fn read(customer: Option<&str>, user: Option<u32>, visit: &Visit) -> Result<Option<QuickForm>> {
        let Some(pages) = pages_of(Kind::Task).filter(|_| visit.may(Access::Create(Kind::Task))) else {
            return Ok(None);
        };
        let customer = customer.map(|id| ("customers_id", id.to_owned()));
        let user = user.map(|id| ("guests", id.to_string()));
        let query = [(APPOINTMENT, "1".to_owned())].into_iter().chain(customer).chain(user);
        let query = query.map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>();
        let mut form = pages.initial_form(&query, visit).await?;
        let lang = visit.lang;
        let read = move |db: Db<'_>| {
            let choices = Choices::of(db)?;
            form.choose_only(&choices);
            form.name_linked(db, lang)?;
            Ok(Some(QuickForm { form, choices }))
        };
        visit.read(read).await
    }

    /// Returns the fields to type: what an appointment is about, and others that are needed and not known.
    fn typed(&self, visit: &Visit) -> Vec<&'static Field> {
        let is_empty = |field: &Field| self.form.value(field.member).is_empty();
        let is_typed = |field: &&Field| match field.column {
            column if TYPED.contains(&column) => true,
            "customer_id" => is_empty(field) && visit.sees(Task::TABLE, field),
            _ => field.required && is_empty(field),
        };
        let mut typed = fields(Task::TABLE).filter(is_typed).collect::<Vec<_>>();
        typed.sort_by_key(|field| TYPED.iter().position(|column| *column == field.column));
        typed
    }

    /// Renders the form, which a click on its heading opens. `is_main` is `true` if it is what the page adds.
    pub fn render(&self, is_main: bool, visit: &Visit) -> Markup {
        let typed = self.typed(visit);
        let is_known = |field: &&'static Field| {
            !typed.iter().any(|own| own.member == field.member) && !self.form.value(field.member).is_empty()
        };
        html! {
            details.quick {
                summary.button data-new[is_main] data-log[!is_main] aria-keyshortcuts=(if is_main { "Alt+N" } else { "Alt+R" }) {
                    (visit.pick("Novo atendimento", "New appointment"))
                }
                form.record method="post" action={ (BASE) "/" (Task::TABLE.path) "/new?" (APPOINTMENT) "=1" } data-guard autocomplete="off" novalidate {
                    (csrf_field(visit))
                    (key_field(visit))
                    input type="hidden" name="version" value=(self.form.version);
                    @for field in fields(Task::TABLE).filter(is_known) { input type="hidden" name=(field.member) value=(self.form.value(field.member)); }
                    fieldset { div.fields { @for group in with_times(Task::TABLE, typed.clone()) {
                        @if let [field] = group.as_slice() { (render_one(field, &self.form, &self.choices, visit)) }
                        @else { div.pair { @for field in group { (render_one(field, &self.form, &self.choices, visit)) } } }
                    } } }
                    div.actions { button.main type="submit" aria-keyshortcuts="Control+Enter" { (visit.pick("Salvar", "Save")) } }
                }
            }
        }
    }
}

/// Renders the link to the form for an appointment that was held.
pub(in crate::console) fn log_button(customer: &str, visit: &Visit) -> Markup {
    html! {
        a.button href={ (BASE) "/" (Task::TABLE.path) "/new?" (HELD) "=1&" (APPOINTMENT) "=1&customers_id=" (customer) } data-log aria-keyshortcuts="Alt+R" {
            (visit.pick("Registrar atendimento", "Log an appointment"))
        }
    }
}
