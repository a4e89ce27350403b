//! Undoing the merge of two records as a whole: what goes back, what stays because it was changed since, and then the undo
//! (office 53).

use crate::api::console_pages::MergeHandlers;
use crate::api::customers::unmerge::{KeptValue, MergeUndo, PastMerge};
use crate::console::layout::numbers::listed;
use crate::console::layout::panel_page::panel_page;
use crate::console::prelude::*;
use crate::domain::lang::localize;
use crate::records::CustomerId;
use crate::store::records::merges;
use crate::store::trash::{self, RecordCounts};

/// A merge, as the histories of both records name it.
pub(in crate::console) struct MergeEntry {
    merge: PastMerge,
    moved: RecordCounts,
}

impl MergeEntry {
    /// Returns the merges into a record, of those in the journal.
    pub fn into_record(db: Db<'_>, pages: &Pages, id: u32) -> StoreResult<Vec<MergeEntry>> {
        let merged =
            if pages.merge.is_some() { merges::merged_into(db, pages.table, id)? } else { Vec::new() };
        Ok(merged.into_iter().filter_map(|from| MergeEntry::of(db, from)).collect())
    }

    /// Returns the merge of a record into another one.
    pub fn of(db: Db<'_>, from: u32) -> Option<MergeEntry> {
        let merge = PastMerge::find(db, CustomerId::from_stored(from)).ok()?;
        let moved = merge.moved(db.nouns());
        Some(MergeEntry { merge, moved })
    }

    /// Returns `true` for the entry of the merge in the history of the record that stayed.
    pub fn is(&self, seq: u64) -> bool {
        self.merge.is_of_remaining(seq)
    }

    /// Renders what was merged, with the link to undo it.
    pub fn render(&self, pages: &Pages, visit: &Visit) -> Markup {
        let from = self.merge.from.to_string();
        html! {
            (visit.pick("Unido com ", "Merged with ")) a href=(pages.at(&from)) { (numbered(&from, visit.lang)) }
            (self.moved(visit))
            @if visit.may(Access::Manage(pages.table.kind)) { " " (self.undo_link("act", pages, visit)) }
        }
    }

    /// Renders what passed to the record that stayed, behind a colon.
    pub fn moved(&self, visit: &Visit) -> Markup {
        html! { @if !self.moved.is_empty() { ": " (listed(&self.moved, visit.lang)) } }
    }

    /// Renders the link to the page that undoes the merge, in a style of links and buttons.
    pub fn undo_link(&self, style: &str, pages: &Pages, visit: &Visit) -> Markup {
        let from = self.merge.from.to_string();
        html! { a class=(style) href={ (pages.at(&from)) "/merge/undo" } { (visit.pick("Desfazer a união…", "Undo the merge…")) } }
    }
}

impl Pages {
    /// Asks before a merge is undone.
    pub(in crate::console) async fn ask_to_undo_merge(
        &'static self,
        id: &str,
        visit: &Visit,
    ) -> Result<Answer> {
        let from = CustomerId::from_stored(id.parse().map_err(|_| Problem::no_route())?);
        let read = move |db: Db<'_>| MergeUndo::plan(db, from, db.nouns());
        let title = visit.pick("Desfazer a união", "Undo the merge");
        let undo = match visit.read(read).await {
            Ok(undo) => undo,
            Err(problem)
                if [StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY].contains(&problem.status()) =>
            {
                return Ok(self.cannot_undo(id, title, &problem, visit));
            }
            Err(problem) => return Err(problem),
        };
        let into = undo.into.to_string();
        let own = numbered(id, visit.lang);
        let panel = html! {
            p { (localize!(visit.lang, "O cadastro {own} volta, com o que dele passou para ", "Record {own} comes back, with what passed from it to "))
                a href=(self.at(&into)) { (numbered(&into, visit.lang)) } "." }
            @if !undo.restored.is_empty() { p { (visit.pick("Volta a ser dele: ", "Belongs to it again: ")) strong { (listed(&trash::by_table(undo.restored.iter().map(|(table, _)| *table)), visit.lang)) } "." } }
            @if !undo.kept.is_empty() {
                p { (visit.pick("Fica como está, porque foi alterado desde a união:", "Stays as it is, because it was changed since the merge:")) }
                ul.plain { @for kept in &undo.kept { li { (kept_value(kept, visit)) } } }
            }
            form method="post" action={ (self.at(id)) "/merge/undo" } {
                (csrf_field(visit))
                div.choices {
                    button.main type="submit" { (title) }
                    a.button href=(self.at(&into)) { (visit.pick("Cancelar", "Cancel")) }
                }
            }
        };
        Ok(panel_page(visit, self.nav_item(), title, Some(id), &panel))
    }

    fn cannot_undo(&self, id: &str, title: &str, problem: &Problem, visit: &Visit) -> Answer {
        let panel = html! {
            p { (problem.sentence(visit.lang)) }
            @if let Some(stayed) = problem.merged_record() {
                p { a.button href={ (self.at(&stayed.to_string())) "/merge/undo" } { (visit.pick("Desfazer aquela união…", "Undo that merge…")) } }
            }
        };
        Answer { status: problem.status(), ..panel_page(visit, self.nav_item(), title, Some(id), &panel) }
    }

    pub(in crate::console) async fn undo_merge(&'static self, id: &str, visit: &Visit) -> Result<Answer> {
        let MergeHandlers { undo, .. } = self.merge.as_ref().ok_or_else(Problem::no_route)?;
        match self.write(id, visit, *undo).await {
            Ok(()) => Ok(redirect(&format!("{}?done=unmerged", self.at(id)))),
            Err(problem)
                if [StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY].contains(&problem.status()) =>
            {
                Ok(self.cannot_undo(id, visit.pick("Desfazer a união", "Undo the merge"), &problem, visit))
            }
            Err(problem) => Err(problem),
        }
    }
}

/// Renders the record and the member of a value that stays.
fn kept_value(kept: &KeptValue, visit: &Visit) -> Markup {
    let noun = kept.table.noun;
    let id = kept.id.to_string();
    html! {
        a href={ (BASE) "/" (kept.table.path) "/" (id) } { (first_upper(visit.lang.pick(noun.0, noun.1))) " " (numbered(&id, visit.lang)) }
        ": " (visit.lang.pick(kept.field.label.0, kept.field.label.1))
    }
}
