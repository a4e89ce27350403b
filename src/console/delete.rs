//! Deleting a record: what that means for others, the question, and the way back (resources 18).

use std::sync::Arc;

use http::{Method, StatusCode};
use maud::{Markup, html};

use super::enter;
use super::numbers::{counted, moment};
use super::page::{csrf_field, page, redirect};
use super::paths::BASE;
use super::state::Console;
use super::summary::draw_owed;
use super::visit::Visit;
use super::words::{numbered, title};
use crate::api::pages::{Pages, View};
use crate::api::pages_of;
use crate::domain::{Invalid, Lang, Reason, Short, blank};
use crate::http::{Answer, Call, Problem};
use crate::records::{Kind, TABLES, Table};
use crate::store::Db;
use crate::store::transactions::{Owed, owed};
use crate::store::trash::{self, RecordCounts};

/// The field with the records that the visitor was asked about.
pub(super) const WITH: &str = "with";

/// What hangs on a record.
struct Hanging {
    record: View,
    /// The records that keep it from being deleted.
    holding: Vec<(&'static Table, Vec<View>, Vec<u32>)>,
    /// How many would go with it.
    going: RecordCounts,
    /// Those of them that the deletion has to be confirmed for.
    confirmed: RecordCounts,
    /// What the transactions among them come to.
    owed: Option<Owed>,
}

impl Pages {
    /// Asks whether the record shall go, and says what hangs on it.
    pub(super) async fn ask_to_delete(
        &'static self,
        console: &Arc<Console>,
        id: &str,
        visit: &Visit,
    ) -> Answer {
        self.confirmation(console, id, None, visit).await
    }

    async fn confirmation(
        &'static self,
        console: &Arc<Console>,
        id: &str,
        wrong: Option<&Problem>,
        visit: &Visit,
    ) -> Answer {
        let (path, today) = (id.to_owned(), visit.today);
        let read = move |db: Db<'_>| {
            let record = self.find(db, &path)?;
            let mut holding = Vec::new();
            for (table, ids) in trash::holding(db, self.table, record.id, true)? {
                let views =
                    if pages_of(table.kind).is_some() { View::read(db, table, &ids)? } else { Vec::new() };
                holding.push((table, views, ids));
            }
            let going = trash::going(db, self.table, record.id, false)?;
            let confirmed = trash::going(db, self.table, record.id, true)?;
            let is_lawsuit = self.table.kind == Kind::Lawsuit;
            let owed = is_lawsuit.then(|| owed(db, "lawsuit_id", record.id, today)).transpose()?;
            Ok(Hanging { record, holding, going, confirmed, owed })
        };
        let hanging = match console.api.read_inside(&visit.id, read).await {
            Ok(hanging) => hanging,
            Err(problem) => {
                let deleted = self.in_trash(console, id, visit).await;
                return deleted.unwrap_or_else(|| enter::failed(visit, &problem));
            }
        };
        let status = wrong.map_or(StatusCode::OK, Problem::status);
        let noun = visit.lang.pick(self.table.noun.0, self.table.noun.1);
        let title = format!("{} {noun}", visit.say("Excluir", "Delete"));
        let main = html! {
            header.title { h1 { (title) } span.quiet { (numbered(id, visit.lang)) } }
            section.panel.question {
                p { strong { (self.name(&hanging.record, visit.lang)) } }
                @if hanging.holding.is_empty() { (self.question(&hanging, id, wrong, visit)) }
                @else { (self.in_use(&hanging, id, visit)) }
            }
        };
        Answer { status, ..page(visit, self.place(), &title, &main) }
    }

    fn question(&self, hanging: &Hanging, id: &str, wrong: Option<&Problem>, visit: &Visit) -> Markup {
        let is_other = wrong.is_some_and(|problem| problem.code() == "in-use");
        let reasons = wrong.filter(|_| !is_other).map(|problem| {
            problem
                .wrong()
                .iter()
                .map(|(_, reason)| reason.say(visit.lang).into_owned())
                .collect::<Vec<_>>()
                .join("; ")
        });
        html! {
            @if is_other {
                div.alert role="alert" { p { (visit.say(
                    "O que vai junto mudou desde que a pergunta foi feita. Nada foi excluído: confira e confirme de novo.",
                    "What goes with it has changed since you were asked. Nothing was deleted: look it over and confirm again.",
                )) } }
            }
            @if !hanging.going.is_empty() {
                p { (visit.say("Vão junto e voltam junto:", "These go with it and come back with it:")) " " strong { (listed(&hanging.going, visit.lang)) } "." }
                @if let Some(owed) = hanging.owed { (draw_owed(owed, visit)) }
            }
            p.quiet { (visit.say(
                "Nada se perde: fica na lixeira, de onde pode ser restaurado como era.",
                "Nothing is lost: it stays in the trash, from where it can be restored as it was.",
            )) }
            form method="post" action={ (self.at(id)) "/delete" } {
                (csrf_field(visit))
                input type="hidden" name=(WITH) value=(written(&hanging.confirmed));
                div.field {
                    label for="reason" { (visit.say("Motivo (opcional)", "Reason (optional)")) }
                    input #reason type="text" name="reason" value=(visit.field("reason")) maxlength="200" autocomplete="off" autofocus
                        aria-invalid=[reasons.as_ref().map(|_| "true")] aria-describedby=[reasons.as_ref().map(|_| "e-reason")];
                    @if let Some(reasons) = &reasons { p.wrong #e-reason { (reasons) } }
                }
                div.choices {
                    button.danger type="submit" { (visit.say("Mover para a lixeira", "Move to the trash")) }
                    a.button href=(self.at(id)) { (visit.say("Cancelar", "Cancel")) }
                }
            }
        }
    }

    fn in_use(&self, hanging: &Hanging, id: &str, visit: &Visit) -> Markup {
        html! {
            p { (visit.say(
                "Não pode ser excluído enquanto estes registros o usam:",
                "It cannot be deleted while these records use it:",
            )) }
            @for (table, views, ids) in &hanging.holding {
                h2 { (title(table, visit.lang)) }
                ul.plain {
                    @match pages_of(table.kind) {
                        Some(pages) => { @for view in views {
                            li { a href=(pages.at(&view.id.to_string())) { (pages.name(view, visit.lang)) } " " span.quiet { (numbered(&view.id.to_string(), visit.lang)) } }
                        } }
                        None => { @for id in ids { li { (numbered(&id.to_string(), visit.lang)) } } }
                    }
                }
                @if ids.len() == 10 { p.quiet { (visit.say("Pode haver mais.", "There may be more.")) } }
            }
            p { a.button href=(self.at(id)) { (visit.say("Voltar", "Back")) } }
        }
    }

    /// Deletes the record.
    pub(super) async fn delete(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        let typed = visit.field("reason");
        let reason = match blank(typed) {
            true => Ok(None),
            false => Short::parse(typed).map(Some),
        };
        let (delete, confirmed) = (self.delete, confirmed(visit));
        let deleted = match reason {
            Ok(reason) => {
                let delete = move |call: &Call<'_>| delete(call, reason, confirmed);
                self.write(console, Method::DELETE, id, visit, delete).await
            }
            Err(reason) => Err(Problem::from(Invalid::one("reason", reason))),
        };
        match deleted {
            Ok(()) => redirect(&format!("{BASE}/trash?of={}&done=deleted", self.path())),
            Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
                self.confirmation(console, id, Some(&problem), visit).await
            }
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    /// The page of a record that is in the trash; none where it is not.
    pub(super) async fn in_trash(
        &'static self,
        console: &Arc<Console>,
        id: &str,
        visit: &Visit,
    ) -> Option<Answer> {
        let number = id.parse().ok()?;
        let read = move |db: Db<'_>| {
            let record = View::read_deleted(db, self.table, &[number])?.pop();
            Ok(record.zip(trash::find(db, self.table, number)?))
        };
        let (record, deletion) = console.api.read_inside(&visit.id, read).await.ok()??;
        let title = self.name(&record, visit.lang);
        let main = html! {
            header.title { h1 { (title) } span.quiet { (numbered(id, visit.lang)) } }
            section.panel.question {
                p { (visit.say("Está na lixeira desde ", "In the trash since ")) (moment(deletion.at, &visit.zone, visit.lang)) "." }
                @if let Some(into) = deletion.merged_into {
                    @let into = into.to_string();
                    p { (visit.say("Foi unido ao cadastro ", "It was merged into ")) a href=(self.at(&into)) { (numbered(&into, visit.lang)) } "." }
                }
                form method="post" action={ (self.at(id)) "/restore" } {
                    (csrf_field(visit))
                    div.choices { button.main type="submit" { (visit.say("Restaurar", "Restore")) } }
                }
            }
        };
        Some(Answer { status: StatusCode::NOT_FOUND, ..page(visit, self.place(), &title, &main) })
    }

    /// Brings a deleted record back.
    pub(super) async fn restore(&'static self, console: &Arc<Console>, id: &str, visit: &Visit) -> Answer {
        match self.write(console, Method::PUT, id, visit, self.restore).await {
            Ok(()) => redirect(&format!("{}?done=restored", self.at(id))),
            Err(problem) if problem.code() == "invalid" => {
                let title = visit.say("Não foi possível restaurar", "It could not be restored");
                let main = html! {
                    header.title { h1 { (title) } }
                    section.panel.question {
                        p { (visit.say("Antes é preciso restaurar:", "Before, these have to be restored:")) }
                        ul.plain { @for (_, reason) in problem.wrong().iter() { li { (missing(reason, visit.lang)) } } }
                        p { a.button href={ (BASE) "/trash" } { (visit.say("Voltar à lixeira", "Back to the trash")) } }
                    }
                };
                Answer { status: problem.status(), ..page(visit, self.place(), title, &main) }
            }
            Err(problem) => enter::failed(visit, &problem),
        }
    }
}

/// The records that go along, as the form that asks says them.
pub(super) fn written(counts: &RecordCounts) -> String {
    counts.iter().map(|(table, count)| format!("{}:{count}", table.path)).collect::<Vec<_>>().join(" ")
}

/// The records that the visitor was asked about, as the form has sent them back.
pub(super) fn confirmed(visit: &Visit) -> RecordCounts {
    let counts = visit.field(WITH).split(' ').filter_map(|one| one.split_once(':'));
    let counts = counts.filter_map(|(path, count)| {
        let table = TABLES.iter().find(|table| table.path == path)?;
        Some((*table, count.parse().ok()?))
    });
    counts.collect()
}

/// So many records of each table, as part of a sentence.
pub(super) fn listed(counts: &RecordCounts, lang: Lang) -> String {
    counts.iter().map(|(table, count)| counted(*count, table, lang)).collect::<Vec<_>>().join(", ")
}

/// What has to be there before.
pub(super) fn missing(reason: &Reason, lang: Lang) -> String {
    match reason {
        Reason::UnknownRecord { noun, id } | Reason::DeletedRecord { noun, id } => {
            format!("{} {}", lang.pick(noun.0, noun.1), numbered(&id.to_string(), lang))
        }
        reason => reason.say(lang).into_owned(),
    }
}
