//! Possible duplicates of a new record. They are shown before it is stored; a second click stores it anyway.

use crate::console::prelude::*;

/// Form field with the ids of the duplicates that the visitor has seen.
const SEEN: &str = "alike";

#[derive(Default)]
pub(in crate::console) struct Alike {
    ids: Vec<u32>,
    /// The records that are not deleted.
    records: Vec<View>,
}

impl Alike {
    /// Creates the list from ids only; [`Alike::read`] reads the records.
    pub fn of(ids: Vec<u32>) -> Alike {
        Alike { ids, records: Vec::new() }
    }

    /// Returns the ids of the duplicates that the form already showed.
    pub fn seen(visit: &Visit) -> Vec<u32> {
        visit.field(SEEN).split(',').filter_map(|id| id.parse().ok()).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub fn read(&mut self, db: Db<'_>, table: &'static Table) -> StoreResult<()> {
        self.records = View::read(db, table, &self.ids)?;
        Ok(())
    }

    /// Renders the duplicates as links, each with the details that distinguish it. `is_refused` is `true` if
    /// the form was refused, so that a second click would not help.
    pub fn draw(&self, pages: &Pages, is_refused: bool, visit: &Visit) -> Markup {
        let link = |id: u32, text: &str| {
            // Opens in another tab, so that the filled-in form is kept.
            html! { a href=(pages.at(&id.to_string())) target="_blank" { (text) } }
        };
        let record = |id: u32| match self.records.iter().find(|record| record.id == id) {
            Some(record) => html! {
                (link(id, &(pages.presentation.heading)(record, visit.lang)))
                " " span.quiet { (numbered(&id.to_string(), visit.lang)) @for told in pages.cells(record, visit) { " · " (told) } }
            },
            None => html! {
                (link(id, &numbered(&id.to_string(), visit.lang))) " "
                span.quiet { (visit.pick("na lixeira", "in the trash")) }
            },
        };
        let seen = self.ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        html! {
            @if !self.is_empty() {
                div.alert.alike role="alert" tabindex="-1" data-focus[!is_refused] {
                    @if is_refused { p { (visit.pick("Cadastro que já existe:", "The record there is:")) } }
                    @else { p { strong { (visit.lang.pick(pages.presentation.alike.0, pages.presentation.alike.1)) } } }
                    ul { @for id in &self.ids { li { (record(*id)) } } }
                    @if !is_refused { p { (visit.pick("Nada foi salvo ainda.", "Nothing is saved yet.")) } }
                }
                @if !is_refused { input type="hidden" name=(SEEN) value=(seen); }
            }
        }
    }
}
