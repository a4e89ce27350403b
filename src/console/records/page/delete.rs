//! Deleting and restoring a record: its dependent records and the confirmation (resources 18).

use crate::console::layout::field_errors::{self, FieldErrors, described, invalid, reasons_as_sentence};
use crate::console::layout::numbers::listed;
use crate::console::layout::panel_page::{confirm_or_cancel, panel_page};
use crate::console::prelude::*;
use crate::console::records::duplicates::unmerge::MergeEntry;
use crate::console::records::page::summary::render_owed;
use crate::domain::{Invalid, Reason, Short, blank};
use crate::http::Call;
use crate::records::TABLES;
use crate::store::journal::{self, Op};
use crate::store::nouns::transactions::{Owed, owed};
use crate::store::trash::{self, RecordCounts};

/// Form field with the counts of dependent records that the visitor has seen.
pub(in crate::console) const WITH: &str = "with";

/// Refuses to delete or merge a record that only hidden records hold.
pub(in crate::console::records) fn in_unseen_use(visit: &Visit) -> &'static str {
    visit.pick(
        "Não pode ser excluído nem unido enquanto registros que você não pode ver o usam.",
        "It cannot be deleted or merged while records that you may not see use it.",
    )
}

/// A record with its dependent records.
struct Hanging {
    record: View,
    /// The records that prevent the deletion, of those that the visitor may see.
    holding: Vec<(&'static Table, Vec<View>, Vec<u32>)>,
    /// `true` if other records also prevent it.
    is_held_unseen: bool,
    /// Number of records that would be deleted too, by table.
    going: RecordCounts,
    /// The part of `going` that the visitor must confirm.
    confirmed: RecordCounts,
    /// Sum of the transactions among the records that would be deleted.
    owed: Option<Owed>,
}

impl Pages {
    /// Renders the confirmation of a deletion with the dependent records.
    pub(in crate::console) async fn ask_to_delete(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        self.confirmation(id, None, visit).await
    }

    async fn confirmation(&'static self, id: &str, wrong: Option<&Problem>, visit: &Visit) -> Result<Answer> {
        let path = id.to_owned();
        let today = visit.today;
        let read = move |db: Db<'_>| {
            let record = self.find(db, &path)?;
            let mut holding = Vec::new();
            let mut is_held_unseen = false;
            for (table, ids) in trash::holding(db, self.table, record.id, true)? {
                if !db.nouns().has(table.kind) {
                    is_held_unseen = true;
                    continue;
                }
                let views =
                    if pages_of(table.kind).is_some() { View::read(db, table, &ids)? } else { Vec::new() };
                holding.push((table, views, ids));
            }
            let going = trash::going(db, self.table, record.id, false)?;
            let confirmed = trash::going(db, self.table, record.id, true)?;
            let is_lawsuit = self.table.kind == Kind::Lawsuit && db.nouns().has(Kind::Transaction);
            let owed = is_lawsuit.then(|| owed(db, "lawsuit_id", record.id, today)).transpose()?;
            Ok(Hanging { record, holding, is_held_unseen, going, confirmed, owed })
        };
        let hanging = match visit.read(read).await {
            Ok(hanging) => hanging,
            Err(problem) => return self.in_trash(id, visit).await.ok_or(problem),
        };
        let status = wrong.map_or(StatusCode::OK, Problem::status);
        let noun = visit.lang.pick(self.table.noun.0, self.table.noun.1);
        let title = format!("{} {noun}", visit.pick("Excluir", "Delete"));
        let panel = html! {
            p { strong { (self.name(&hanging.record, visit.lang)) } }
            @if hanging.holding.is_empty() && !hanging.is_held_unseen { (self.question(&hanging, id, wrong, visit)) }
            @else { (self.in_use(&hanging, id, visit)) }
        };
        Ok(Answer { status, ..panel_page(visit, self.nav_item(), &title, Some(id), &panel) })
    }

    fn question(&self, hanging: &Hanging, id: &str, wrong: Option<&Problem>, visit: &Visit) -> Markup {
        let is_other = wrong.is_some_and(|problem| problem.code() == "in-use");
        let reasons = wrong.map(|problem| field_errors::wrong(problem.wrong(), visit)).unwrap_or_default();
        html! {
            @if is_other {
                div.alert role="alert" { p { (visit.pick(
                    "O que vai junto mudou desde que a pergunta foi feita. Nada foi excluído: confira e confirme de novo.",
                    "The records that are deleted with it have changed since you were asked. Nothing was deleted: check again and confirm.",
                )) } }
            }
            @if !hanging.going.is_empty() {
                p { (visit.pick("Vão junto e, se for restaurado, voltam junto:", "These are deleted, and restored, with it:")) " " strong { (listed(&hanging.going, visit.lang)) } "." }
                @if let Some(owed) = hanging.owed { (render_owed(owed, visit)) }
            }
            p.quiet { (visit.pick(
                "Nada se perde: fica na lixeira, de onde pode ser restaurado como era.",
                "Nothing is lost: it is moved to the trash and can be restored as it was.",
            )) }
            form method="post" action={ (self.at(id)) "/delete" } {
                (csrf_field(visit))
                input type="hidden" name=(WITH) value=(written(&hanging.confirmed));
                (reason_field(&reasons, visit))
                (confirm_or_cancel("danger", visit.pick("Mover para a lixeira", "Move to the trash"), &self.at(id), visit))
            }
        }
    }

    fn in_use(&self, hanging: &Hanging, id: &str, visit: &Visit) -> Markup {
        html! {
            p {
                @if hanging.holding.is_empty() { (in_unseen_use(visit)) } @else { (visit.pick(
                    "Não pode ser excluído enquanto estes registros o usam:",
                    "It cannot be deleted while these records use it:",
                )) }
            }
            @for (table, views, ids) in &hanging.holding {
                h2 { (table.title(visit.lang)) }
                ul.plain {
                    @match pages_of(table.kind) {
                        Some(pages) => { @for view in views {
                            li { a href=(pages.at(&view.id.to_string())) { (pages.name(view, visit.lang)) } " " span.quiet { (numbered(&view.id.to_string(), visit.lang)) } }
                        } }
                        None => { @for id in ids { li { (numbered(&id.to_string(), visit.lang)) } } }
                    }
                }
                @if ids.len() == 10 { p.quiet { (visit.pick("Pode haver mais.", "There may be more.")) } }
            }
            @if hanging.is_held_unseen && !hanging.holding.is_empty() {
                p { (visit.pick("Registros que você não pode ver também o usam.", "Records that you may not see use it too.")) }
            }
            p { a.button href=(self.at(id)) { (visit.pick("Voltar", "Back")) } }
        }
    }

    pub(in crate::console) async fn delete(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        let delete = self.delete;
        let confirmed = confirmed(visit);
        let deleted = match reason(visit) {
            Ok(reason) => {
                let delete = move |call: &Call<'_>, id| delete(call, id, reason, confirmed);
                self.write(id, visit, delete).await
            }
            Err(problem) => Err(problem),
        };
        match deleted {
            Ok(()) => Ok(redirect(&format!("{BASE}/trash?of={}&done=deleted", self.path()))),
            Err(problem) if problem.status() == StatusCode::UNPROCESSABLE_ENTITY => {
                self.confirmation(id, Some(&problem), visit).await
            }
            Err(problem) => Err(problem),
        }
    }

    /// Renders the page of a record in the trash. Returns `None` if the record is not there.
    pub(in crate::console) async fn in_trash(&'static self, id: &str, visit: &Visit) -> Option<Answer> {
        let number = id.parse().ok()?;
        let read = move |db: Db<'_>| {
            let record = View::read_deleted(db, self.table, &[number])?.pop();
            let entry = journal::newest_of_op(db, self.table.name, number, Op::Deleted)?;
            let deletion = trash::find(db, self.table, number)?;
            let is_merged = deletion.is_some_and(|deletion| deletion.merged_into.is_some());
            let merge = if is_merged { MergeEntry::of(db, number) } else { None };
            Ok(record.zip(deletion).map(|(record, deletion)| (record, deletion, entry, merge)))
        };
        let (record, deletion, entry, merge) = visit.read(read).await.ok()??;
        let title = self.name(&record, visit.lang);
        let panel = html! {
            p { (visit.pick("Está na lixeira desde ", "In the trash since ")) (moment(deletion.at, visit.zone(), visit.lang)) "." }
            @if let Some(into) = deletion.merged_into {
                @let into = into.to_string();
                p { (visit.pick("Foi unido ao cadastro ", "It was merged into ")) a href=(self.at(&into)) { (numbered(&into, visit.lang)) } @if let Some(merge) = &merge { (merge.moved(visit)) } "." }
            }
            @let undone = merge.filter(|_| visit.may(Access::Manage(self.table.kind)));
            @if let Some(merge) = &undone { div.choices { (merge.undo_link("button main", self, visit)) } }
            @if visit.caller.may_restore(self.table.kind, entry.as_ref()) {
                form method="post" action={ (self.at(id)) "/restore" } {
                    (csrf_field(visit))
                    @if undone.is_some() { p.quiet { (visit.pick(
                        "Restaurar traz só o cadastro de volta; o que passou para o outro fica com ele, e a união não pode mais ser desfeita.",
                        "Restoring brings back the record alone. What passed to the other one stays there, and the merge can no longer be undone.",
                    )) } }
                    div.choices { button.main[undone.is_none()] type="submit" { (visit.pick("Restaurar", "Restore")) } }
                }
            }
        };
        Some(Answer {
            status: StatusCode::NOT_FOUND,
            ..panel_page(visit, self.nav_item(), &title, Some(id), &panel)
        })
    }

    pub(in crate::console) async fn restore(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        match self.write(id, visit, self.restore).await {
            Ok(()) => Ok(redirect(&format!("{}?done=restored", self.at(id)))),
            Err(problem) if problem.code() == "invalid" => {
                let title = visit.pick("Não foi possível restaurar", "It could not be restored");
                let panel = html! {
                    p { (visit.pick("Antes é preciso restaurar:", "Restore these first:")) }
                    ul.plain { @for (_, reason) in problem.wrong().iter() { li { (missing(reason, visit.lang)) } } }
                    p { a.button href={ (BASE) "/trash" } { (visit.pick("Voltar à lixeira", "Back to the trash")) } }
                };
                Ok(Answer {
                    status: problem.status(),
                    ..panel_page(visit, self.nav_item(), title, None, &panel)
                })
            }
            Err(problem) => Err(problem),
        }
    }
}

/// Renders the field for the reason of a deletion.
pub(in crate::console) fn reason_field(wrong: &FieldErrors, visit: &Visit) -> Markup {
    html! {
        div.field {
            label for="reason" { (visit.pick("Motivo (opcional)", "Reason (optional)")) }
            input #reason type="text" name="reason" value=(visit.field("reason")) maxlength="200" autocomplete="off" data-focus
                aria-invalid=[invalid("reason", wrong)] aria-describedby=[described("reason", wrong)];
            (reasons_as_sentence("reason", wrong))
        }
    }
}

/// Returns the reason of a deletion, as typed in its confirmation.
pub(in crate::console) fn reason(visit: &Visit) -> Result<Option<Short>> {
    let typed = visit.field("reason");
    let reason = if blank(typed) { Ok(None) } else { Short::parse(typed).map(Some) };
    reason.map_err(|reason| Problem::from(Invalid::one("reason", reason)))
}

/// Encodes counts for the confirmation form, such as `lawsuits:2 tasks:5`.
pub(in crate::console) fn written(counts: &RecordCounts) -> String {
    counts.iter().map(|(table, count)| format!("{}:{count}", table.path)).collect::<Vec<_>>().join(" ")
}

/// Decodes the counts that the confirmation form has sent back.
pub(in crate::console) fn confirmed(visit: &Visit) -> RecordCounts {
    let counts = visit.field(WITH).split(' ').filter_map(|one| one.split_once(':'));
    let counts = counts.filter_map(|(path, count)| {
        let table = TABLES.iter().find(|table| table.path == path)?;
        Some((*table, count.parse().ok()?))
    });
    counts.collect()
}

/// Formats a reason. For a missing record, returns the record's name and id.
pub(in crate::console) fn missing(reason: &Reason, lang: Lang) -> String {
    match reason {
        Reason::UnknownRecord { noun, id } | Reason::DeletedRecord { noun, id } => {
            format!("{} {}", lang.pick(noun.0, noun.1), numbered(&id.to_string(), lang))
        }
        reason => reason.message(lang).into_owned(),
    }
}
