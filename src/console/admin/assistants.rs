//! Assistants: what each was shown and wrote by day, in words, and the undo of what a key wrote on a day (assistants 50).

mod day;
mod record_panel;

use crate::console::admin::keys;
use crate::console::layout::page::{FlashMessage, flash_message};
use crate::console::prelude::*;
use crate::store::access::assistant_reads;
use crate::store::access::keys::StoredKey;
use crate::store::journal::{Via, Who};
use crate::transfer::{KeyUndo, KeyUndone};
use day::AssistantDay;
pub(in crate::console) use record_panel::AssistantReadsPanel;

/// Days of each assistant on the page, and on the page of a single one.
const DAYS_PER_ASSISTANT: usize = 3;
const DAYS_OF_ONE: usize = 31;

/// The query parameter that names a single assistant, as the journal does.
const WHO: &str = "who";

/// An assistant with its newest days.
struct AssistantDays {
    who: Option<Who>,
    days: Vec<AssistantDay>,
    /// `true` if there are earlier days.
    has_more: bool,
}

/// Renders the page. A form undoes what a key wrote on a day.
pub(in crate::console) async fn answer(posted: bool, visit: &Visit) -> Result<Answer> {
    if !posted {
        return render(None, StatusCode::OK, visit).await;
    }
    let undo = KeyUndo {
        key: visit.field("key").to_owned(),
        day: Some(visit.field("day").to_owned()),
        lang: visit.lang,
    };
    let caller = visit.caller.clone();
    let done = visit.run_blocking(move |console| undo.run(&console.api, Via::Console, caller)).await?;
    let (message, status) = match done {
        Ok(KeyUndone { undone, left }) => {
            let counts = undone.message(visit.lang);
            let done = format!("{}{counts}", visit.pick("Desfeito. ", "Undone. "));
            let left = left.iter().map(|line| first_upper(line)).collect::<Vec<_>>();
            match left.is_empty() {
                true => (Ok(done), StatusCode::OK),
                false => {
                    let heading = visit.pick("Ficaram como estão:", "These stay as they are:");
                    (Err([done, heading.to_owned(), left.join("\n")].join("\n")), StatusCode::OK)
                }
            }
        }
        Err(error) => {
            tracing::warn!(id = visit.id, cause = error.detail(), "the undo of a key's day failed");
            (Err(first_upper(&error.message(visit.lang))), StatusCode::CONFLICT)
        }
    };
    render(Some(message), status, visit).await
}

async fn render(message: FlashMessage, status: StatusCode, visit: &Visit) -> Result<Answer> {
    let only = Some(visit.parameter(WHO).to_owned()).filter(|who| !who.is_empty());
    let most = if only.is_some() { DAYS_OF_ONE } else { DAYS_PER_ASSISTANT };
    let zone = visit.zone().clone();
    let read = move |db: Db<'_>| {
        let authors = assistant_reads::authors(db)?.into_iter();
        let authors =
            authors.filter(|(who, _)| only.as_ref().is_none_or(|only| *only == stored(who.as_ref())));
        let days = authors.map(|(who, _)| {
            let mut days = AssistantDay::newest(db, who.as_ref(), &zone, most + 1)?;
            let has_more = days.len() > most;
            days.truncate(most);
            Ok(AssistantDays { who, days, has_more })
        });
        days.collect::<Result<Vec<_>>>()
    };
    let all = visit.read(read).await?;
    let keys = keys::all(visit).await;
    let heading = visit.pick("Assistentes", "Assistants");
    let main = html! {
        (flash_message(&message))
        header.title {
            h1 { (heading) }
            p.quiet { (visit.pick(
                "O que cada assistente leu e escreveu, por dia. Guardado por cinco anos.",
                "What each assistant read and wrote, by day. Kept for five years.",
            )) }
        }
        @if all.is_empty() { p.quiet { (visit.pick("Nenhum assistente leu um registro.", "No assistant has read a record.")) } }
        @for assistant in &all { (assistant.render(&keys, visit)) }
        p { a href={ (BASE) "/api" } { (visit.pick("Todas as chaves", "All keys")) } }
    };
    Ok(Answer { status, ..page(visit, NavItem::Api, heading, &main) })
}

/// Returns the stored form of an author; empty for the owner.
fn stored(who: Option<&Who>) -> String {
    who.map(Who::to_string).unwrap_or_default()
}

impl AssistantDays {
    fn render(&self, keys: &[StoredKey], visit: &Visit) -> Markup {
        let name = assistant_reads::author_name(self.who.as_ref(), visit.lang);
        let key = match &self.who {
            Some(Who::Key(name)) => Some(name),
            _ => None,
        };
        let in_force = key.and_then(|name| keys.iter().find(|key| key.name == *name));
        html! {
            section.panel {
                h2 { (first_upper(&name)) }
                @match in_force {
                    Some(key) => (keys::end_form(key, visit)),
                    None if key.is_some() => p.quiet { (visit.pick("A chave foi encerrada.", "The key has ended.")) },
                    None => {}
                }
                ul.entries { @for day in &self.days { li { (day.render(key.map(String::as_str), visit)) } } }
                @if self.has_more {
                    @let query = form_urlencoded::Serializer::new(String::new()).append_pair(WHO, &stored(self.who.as_ref())).finish();
                    p { a href={ (BASE) "/assistants?" (query) } { (visit.pick("Mais dias", "More days")) } }
                }
            }
        }
    }
}
