//! The buttons on a record, and the people who have a part in it.

use crate::api::console_pages::{Button, FollowUp, Pressed};
use crate::console::layout::choices::Choices;
use crate::console::prelude::*;
use crate::console::requests::paths::is_id;
use crate::console::requests::response::own_page;
use crate::domain::id::Id;
use crate::http::{Call, Write};
use crate::records::AnyEntry;

/// Query parameter with the action that was just done.
const DONE: &str = "done";

impl Pages {
    /// Renders the buttons for the whole record, without the action `except`.
    pub(in crate::console) fn tools(&self, record: &View, except: &str, visit: &Visit) -> Markup {
        let buttons = (self.buttons)(record, visit.today);
        let is_shown = |button: &&Button| button.who.is_none() && button.action != except;
        html! {
            @for button in buttons.iter().filter(is_shown) { (self.button(button, record, None, visit)) }
            (self.follow_up_link(record, visit))
        }
    }

    /// Renders the link to the form for a follow-up record that refers to this one.
    fn follow_up_link(&self, record: &View, visit: &Visit) -> Markup {
        let follow_up = (self.follow_up)(record).and_then(|next| Some((pages_of(next.kind)?, next)));
        html! {
            @if let Some((pages, FollowUp { label, member, .. })) = follow_up.filter(|(pages, _)| visit.may(Access::Create(pages.table.kind))) {
                a.button href={ (BASE) "/" (pages.path()) "/new?" (member) "=" (record.id) } { (visit.lang.pick(label.0, label.1)) }
            }
        }
    }

    /// Renders the buttons of a record in a list row. They lead back to the list.
    pub(in crate::console) fn tools_in_row(&self, record: &View, visit: &Visit) -> Markup {
        if !visit.may(Access::Write(self.table.kind)) {
            return html! {};
        }
        let buttons = (self.buttons)(record, visit.today);
        let offered = |button: &&Button| button.who.is_none() && self.in_rows.contains(&button.action);
        html! {
            @for button in buttons.iter().filter(offered) {
                @let back = visit.url_with(DONE, &format!("{}.{}", button.action, record.id));
                (self.button(button, record, Some(&back), visit))
            }
            (self.follow_up_link(record, visit))
        }
    }

    /// Renders the confirmation of the last action on this record.
    pub(in crate::console) fn done(&self, visit: &Visit) -> Markup {
        let text = match visit.parameter("done") {
            "created" if self.file.is_some() => visit.pick("Enviado.", "Uploaded."),
            "created" => visit.pick("Cadastrado.", "Added."),
            "existing" => visit.pick(
                "Este arquivo já estava aqui; nada foi duplicado.",
                "This file was already here; nothing was duplicated.",
            ),
            "changed" => visit.pick("Alterações salvas.", "Changes saved."),
            "restored" => visit.pick("Restaurado.", "Restored."),
            "unmerged" => visit.pick("União desfeita.", "Merge undone."),
            "merged" => visit.pick("Cadastros unidos.", "Records merged."),
            "payment" => visit.pick("Pagamento registrado.", "Payment recorded."),
            name => match self.actions.iter().find(|action| action.name == name) {
                Some(action) => visit.lang.pick(action.done.0, action.done.1),
                None => return html! {},
            },
        };
        html! { p.done role="status" data-done { (text) } }
    }

    /// Renders the confirmation of the last action in a row of this list.
    pub(in crate::console) fn done_in_row(&self, visit: &Visit) -> Markup {
        let done = visit.parameter(DONE).split_once('.').filter(|(_, id)| is_id(id));
        let done =
            done.and_then(|(name, id)| Some((self.actions.iter().find(|action| action.name == name)?, id)));
        html! {
            @if let Some((action, id)) = done {
                p.done role="status" data-done {
                    (visit.lang.pick(action.done.0, action.done.1)) " " a href=(self.at(id)) { (numbered(id, visit.lang)) }
                }
            }
        }
    }

    /// Renders the people who are responsible for the record and when each was done; empty if the record has no
    /// such people.
    pub(in crate::console) fn people(&self, record: &View, choices: &Choices, visit: &Visit) -> Markup {
        let people = (self.people)(record);
        let buttons = (self.buttons)(record, visit.today);
        let of = |who: u32| buttons.iter().find(move |button| button.who == Some(who));
        html! {
            @if !people.is_empty() {
                section.below {
                    h2 { (visit.pick("Responsáveis", "Assigned to")) }
                    ul.people { @for person in &people {
                        li {
                            span.name { (choices.named(List::Users, &person.user.to_string()).0) }
                            @match person.done_at {
                                Some(at) => span.stage.over { (visit.pick("Concluiu em ", "Done ")) (moment(at, visit.zone(), visit.lang)) }
                                None => span.quiet { (visit.pick("Ainda não concluiu", "Not done yet")) }
                            }
                            @if let Some(button) = of(person.user).filter(|_| visit.may(Access::Write(self.table.kind))) { (self.button(button, record, None, visit)) }
                        }
                    } }
                }
            }
        }
    }

    fn button(&self, button: &Button, record: &View, back: Option<&str>, visit: &Visit) -> Markup {
        let label = visit.lang.pick(button.label.0, button.label.1);
        let id = record.id.to_string();
        html! {
            form method="post" action={ (self.at(&id)) "/do" } {
                (csrf_field(visit))
                input type="hidden" name="action" value=(button.action);
                @if let Some(back) = back {
                    input type="hidden" name="back" value=(back);
                    @if let Value::Integer(centavos) = record.value("amount") { input type="hidden" name="amount" value=(centavos); }
                }
                @if let Some(who) = button.who { input type="hidden" name="who" value=(who); }
                button.slight[button.who.is_some() || back.is_some()] type="submit" { (label) }
            }
        }
    }

    /// Runs the action of a button, and redirects to the page that contains the button.
    pub(in crate::console) async fn act(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        let typed = visit.field("who");
        let who = typed.parse::<u64>().ok().and_then(Id::new);
        if who.is_none() && !typed.is_empty() {
            return Err(Problem::no_route());
        }
        let amount = visit.field("amount").parse().ok();
        let pressed = Pressed { action: visit.field("action").to_owned(), who, at: None, amount };
        let act = self.act;
        let action = pressed.action.clone();
        self.write(id, visit, move |call, id| act(call, id, &pressed)).await?;
        let here = format!("{}?{DONE}={action}", self.at(id));
        Ok(redirect(own_page(visit.field("back")).unwrap_or(&here)))
    }

    /// Runs a handler that writes the record with this id. Fails with 404 if the text is not an id.
    pub(in crate::console) async fn write(
        &self,
        id: &str,
        visit: &Visit,
        handler: impl FnOnce(&Call<'_>, u32) -> Result<Write<()>> + Send + 'static,
    ) -> Result<()> {
        let id = Id::<AnyEntry>::parse(id).map_err(|_| Problem::not_found(self.table.noun))?.get();
        visit
            .console
            .api
            .write_internally(&visit.id, &visit.caller, None, move |call| handler(call, id))
            .await
    }
}
