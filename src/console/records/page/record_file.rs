//! A record as a file: a document, a task for calendars, a customer for address books (deadlines 32, 33).

use bytes::Bytes;

use crate::console::prelude::*;
use crate::console::requests::response::attachment;
use crate::http::json::record::as_json;
use crate::http::{FileContext, RecordFile};
use crate::records::{Customer, Task};

/// Number of hexadecimal digits that make the ids of events unique, as in addresses of lists.
const ID_DIGITS: usize = 16;

/// Renders the link to the file of a record, of which `at` is the path. Empty if it has none.
pub(in crate::console) fn file_link(kind: Kind, at: &str, visit: &Visit) -> Markup {
    let (path, pt, en) = match kind {
        Kind::Document => ("content", "Baixar", "Download"),
        Kind::Task => ("file", "Para a agenda (.ics)", "For a calendar (.ics)"),
        Kind::Customer => ("file", "Contato (.vcf)", "Contact (.vcf)"),
        _ => return html! {},
    };
    html! { a.button href={ (at) "/" (path) } { (visit.pick(pt, en)) } }
}

/// Returns `true` if [`send_file`] sends records of this kind.
pub(in crate::console) fn has_file(kind: Kind) -> bool {
    matches!(kind, Kind::Task | Kind::Customer)
}

/// Sends a task as a calendar, or a customer as a contact.
pub(in crate::console) async fn send_file(table: &'static Table, id: &str, visit: &Visit) -> Result<Answer> {
    let not_found = || Problem::not_found(table.noun);
    let id = id.parse::<u32>().map_err(|_| not_found())?;
    let viewer = visit.viewer();
    let read = move |db: Db<'_>| -> StoreResult<Option<Bytes>> {
        match table.kind {
            Kind::Task => as_json::<Task>(db, id, &viewer),
            _ => as_json::<Customer>(db, id, &viewer),
        }
    };
    let json = visit.read(move |db| Ok(read(db)?)).await?.ok_or_else(not_found)?;
    // Ids of events stay the same until the token is replaced, and tell nothing about it.
    let mut ids = visit.app().auth().sign(&visit.caller, "calendar").unwrap_or_default();
    ids.truncate(ID_DIGITS);
    let context = FileContext { zone: visit.zone().clone(), lang: visit.lang, id: ids };
    let RecordFile { content, media_type, name } = RecordFile::of(table, id, &json, context)?;
    Ok(attachment(content.into(), media_type, Some(&name)))
}
