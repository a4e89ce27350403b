//! Records that a new one may be the same as: shown before it is stored, which a second click does all the same.

use maud::{Markup, html};

use super::visit::Visit;
use super::words::numbered;
use crate::api::pages::{Pages, View};
use crate::records::Table;
use crate::store::{self, Db};

/// What a form calls those that were shown.
const SEEN: &str = "alike";

/// Records that a new one may be the same as.
#[derive(Default)]
pub(super) struct Alike {
    ids: Vec<u32>,
    /// Those of them that were not deleted.
    records: Vec<View>,
}

impl Alike {
    /// Those with these ids, of which nothing is read yet.
    pub fn of(ids: Vec<u32>) -> Alike {
        Alike { ids, records: Vec::new() }
    }

    /// The ids of those that the form was sent with.
    pub fn seen(visit: &Visit) -> Vec<u32> {
        visit.field(SEEN).split(',').filter_map(|id| id.parse().ok()).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Reads what is shown of them.
    pub fn read(&mut self, db: Db<'_>, table: &'static Table) -> Result<(), store::Error> {
        self.records = View::read(db, table, &self.ids)?;
        Ok(())
    }

    /// What tells each from the record that is filled in, with the way there. `is_refused`: something else is wrong as well, which
    /// a second click does not help with.
    pub fn draw(&self, pages: &Pages, is_refused: bool, visit: &Visit) -> Markup {
        let link = |id: u32, text: &str| {
            // What was typed stays in this tab.
            html! { a href=(pages.at(&id.to_string())) target="_blank" { (text) } }
        };
        let record = |id: u32| match self.records.iter().find(|record| record.id == id) {
            Some(record) => html! {
                (link(id, &(pages.presentation.heading)(record, visit.lang)))
                " " span.quiet { (numbered(&id.to_string(), visit.lang)) @for told in pages.told(record, visit) { " · " (told) } }
            },
            None => html! {
                (link(id, &numbered(&id.to_string(), visit.lang))) " "
                span.quiet { (visit.say("na lixeira", "in the trash")) }
            },
        };
        let seen = self.ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        html! {
            @if !self.is_empty() {
                div.alert.alike role="alert" tabindex="-1" autofocus[!is_refused] {
                    @if is_refused { p { (visit.say("Cadastro que já existe:", "The record there is:")) } }
                    @else { p { strong { (visit.lang.pick(pages.presentation.alike.0, pages.presentation.alike.1)) } } }
                    ul { @for id in &self.ids { li { (record(*id)) } } }
                    @if !is_refused { p { (visit.say("Nada foi salvo ainda.", "Nothing is saved yet.")) } }
                }
                @if !is_refused { input type="hidden" name=(SEEN) value=(seen); }
            }
        }
    }
}
