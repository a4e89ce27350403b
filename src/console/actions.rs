//! What is done with a record by a button, and who has done their part of it.

use std::sync::Arc;

use http::Method;
use jiff::tz::TimeZone;
use maud::{Markup, html};

use super::choices::Choices;
use super::enter;
use super::numbers::moment;
use super::page::{csrf_field, own_page, redirect};
use super::paths::{BASE, is_id};
use super::state::Console;
use super::visit::Visit;
use super::words::numbered;
use crate::api::pages::{Button, FollowUp, Pages, Pressed, View};
use crate::api::pages_of;
use crate::domain::id::Id;
use crate::http::{Answer, Call, Problem, Request, Write};
use crate::records::List;

/// The parameter that says what was just done.
const DONE: &str = "done";

impl Pages {
    /// The buttons that are about the whole record.
    pub(super) fn tools(&self, record: &View, visit: &Visit) -> Markup {
        let buttons = (self.buttons)(record, visit.today);
        html! {
            @for button in buttons.iter().filter(|button| button.who.is_none()) { (self.button(button, record, None, visit)) }
            (self.follow_up_link(record, visit))
        }
    }

    /// The link to the form for another record that deals with this one.
    fn follow_up_link(&self, record: &View, visit: &Visit) -> Markup {
        let follow_up = (self.follow_up)(record).and_then(|next| Some((pages_of(next.kind)?, next)));
        html! {
            @if let Some((pages, FollowUp { label, member, .. })) = follow_up {
                a.button href={ (BASE) "/" (pages.path()) "/new?" (member) "=" (record.id) } { (visit.lang.pick(label.0, label.1)) }
            }
        }
    }

    /// Those of them that stand beside the record in a list, which they lead back to.
    pub(super) fn tools_in_row(&self, record: &View, visit: &Visit) -> Markup {
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

    /// What was just done, once it is done.
    pub(super) fn done(&self, visit: &Visit) -> Markup {
        let text = match visit.asked("done") {
            "created" => visit.say("Cadastrado.", "Added."),
            "existing" => visit.say(
                "Este arquivo já estava aqui; nada foi duplicado.",
                "This file was here already; nothing was doubled.",
            ),
            "changed" => visit.say("Alterações salvas.", "Changes saved."),
            "restored" => visit.say("Restaurado.", "Restored."),
            "merged" => visit.say("Cadastros unidos.", "Records merged."),
            name => match self.actions.iter().find(|action| action.name == name) {
                Some(action) => visit.lang.pick(action.done.0, action.done.1),
                None => return html! {},
            },
        };
        html! { p.done role="status" data-done { (text) } }
    }

    /// What was just done in a row of this list.
    pub(super) fn done_in_row(&self, visit: &Visit) -> Markup {
        let done = visit.asked(DONE).split_once('.').filter(|(_, id)| is_id(id));
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

    /// Who is to do what the record says, and who has; nothing where nobody is.
    pub(super) fn people(&self, record: &View, choices: &Choices, zone: &TimeZone, visit: &Visit) -> Markup {
        let (people, buttons) = ((self.people)(record), (self.buttons)(record, visit.today));
        let of = |who: u32| buttons.iter().find(move |button| button.who == Some(who));
        html! {
            @if !people.is_empty() {
                section.below {
                    h2 { (visit.say("Responsáveis", "Who does it")) }
                    ul.people { @for person in &people {
                        li {
                            span.name { (choices.named(List::Users, &person.user.to_string()).0) }
                            @match person.done_at {
                                Some(at) => span.stage.over { (visit.say("Concluiu em ", "Done ")) (moment(at, zone, visit.lang)) }
                                None => span.quiet { (visit.say("Ainda não concluiu", "Not done yet")) }
                            }
                            @if let Some(button) = of(person.user) { (self.button(button, record, None, visit)) }
                        }
                    } }
                }
            }
        }
    }

    fn button(&self, button: &Button, record: &View, back: Option<&str>, visit: &Visit) -> Markup {
        let (label, id) = (visit.lang.pick(button.label.0, button.label.1), record.id.to_string());
        html! {
            form method="post" action={ (self.at(&id)) "/do" } {
                (csrf_field(visit))
                input type="hidden" name="action" value=(button.action);
                @if let Some(back) = back { input type="hidden" name="back" value=(back); }
                @if let Some(who) = button.who { input type="hidden" name="who" value=(who); }
                button.slight[button.who.is_some() || back.is_some()] type="submit" { (label) }
            }
        }
    }

    /// Does what a button says, and goes back to where it stood.
    pub(super) async fn act(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let typed = visit.field("who");
        let who = typed.parse::<u64>().ok().and_then(Id::new);
        if who.is_none() && !typed.is_empty() {
            return enter::not_found(visit);
        }
        let pressed = Pressed { action: visit.field("action").to_owned(), who };
        let (act, action) = (self.act, pressed.action.clone());
        match self.write(console, Method::PUT, id, visit, move |call| act(call, &pressed)).await {
            Ok(()) => match own_page(visit.field("back")) {
                Some(back) => redirect(back),
                None => redirect(&format!("{}?{DONE}={action}", self.at(id))),
            },
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    /// Has a handler write that record.
    pub(super) async fn write(
        &self,
        console: &Arc<Console>,
        method: Method,
        id: &str,
        visit: &Visit,
        handler: impl FnOnce(&Call<'_>) -> Result<Write<()>, Problem> + Send + 'static,
    ) -> Result<(), Problem> {
        let request = Request::internal(&visit.id, method, format!("/{}/{id}", self.routes[1]));
        console.api.write_inside(request, handler).await
    }
}
