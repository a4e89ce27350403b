//! A record as a file: a document, a task for calendars, a customer for address books and as a QR code (deadlines 32, 33).

use bytes::Bytes;
use http::header::{self, HeaderValue};

use crate::console::layout::qr::{code_up_to, svg};
use crate::console::prelude::*;
use crate::console::requests::response::attachment;
use crate::http::file_formats::vcard::{brief_contact, contacts};
use crate::http::json::record::as_json;
use crate::http::{FileContext, RecordFile};
use crate::records::{Customer, Task};

/// Number of hexadecimal digits that make the ids of events unique, as in addresses of lists.
const ID_DIGITS: usize = 16;

/// Version of the largest code that the camera of a phone reads well from a screen: 77 modules on each side.
const MAX_WHOLE_VERSION: u8 = 15;
/// The largest version that exists.
const MAX_VERSION: u8 = 40;

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

/// Path segment of the QR code of a customer's contact, behind the path of the record.
const QR: &str = "qr";

/// Returns `true` if [`send`] answers a path that ends in `part` behind that of a record.
pub(in crate::console) fn is_sent(kind: Kind, part: &str) -> bool {
    match part {
        "file" => matches!(kind, Kind::Task | Kind::Customer),
        part => part == QR && kind == Kind::Customer,
    }
}

/// Sends the file of a record, or the QR code of a customer's contact.
pub(in crate::console) async fn send(
    table: &'static Table,
    id: &str,
    part: &str,
    visit: &Visit,
) -> Result<Answer> {
    match part {
        QR => send_contact_code(id, visit).await,
        _ => send_file(table, id, visit).await,
    }
}

/// Reads the record of a file as JSON, with its id.
async fn read(table: &'static Table, id: &str, visit: &Visit) -> Result<(u32, Bytes)> {
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
    Ok((id, json))
}

/// Sends a task as a calendar, or a customer as a contact.
async fn send_file(table: &'static Table, id: &str, visit: &Visit) -> Result<Answer> {
    let (id, json) = read(table, id, visit).await?;
    // Ids of events stay the same until the token is replaced, and tell nothing about it.
    let mut ids = visit.app().auth().sign(&visit.caller, "calendar").unwrap_or_default();
    ids.truncate(ID_DIGITS);
    let context = FileContext { zone: visit.zone().clone(), lang: visit.lang, id: ids };
    let RecordFile { content, media_type, name } = RecordFile::of(table, id, &json, context)?;
    Ok(attachment(content.into(), media_type, Some(&name)))
}

/// Renders the QR code of a customer's contact, of which `at` is the path. The browser loads it when it is opened. Empty for
/// other records.
pub(in crate::console) fn contact_code(kind: Kind, at: &str, visit: &Visit) -> Markup {
    let label = visit.pick("Código QR do contato", "QR code of the contact");
    html! { @if kind == Kind::Customer {
        details.step.contact {
            summary { (label) }
            p.quiet { (visit.pick(
                "Aponte a câmera de um celular para salvar o contato nele.",
                "Point the camera of a phone at it to save the contact there.",
            )) }
            img.qr src={ (at) "/" (QR) } alt=(label) loading="lazy";
        }
    } }
}

/// Sends the QR code of a customer's contact. One that is too long for the camera of a phone has the name, phones and e-mail
/// alone.
async fn send_contact_code(id: &str, visit: &Visit) -> Result<Answer> {
    let (_, json) = read(Customer::TABLE, id, visit).await?;
    let failed = |cause| Problem::internal(format!("a customer is no contact: {cause}"));
    let [whole, brief] = [contacts([&*json]), brief_contact(&json)];
    let [whole, brief] = [whole.map_err(failed)?, brief.map_err(failed)?];
    let code = |contact: &[u8], largest| code_up_to(largest, &String::from_utf8_lossy(contact));
    let code = code(&whole, MAX_WHOLE_VERSION).or_else(|| code(&brief, MAX_VERSION));
    let code = code.ok_or_else(|| Problem::internal("a contact is too long for a QR code".to_owned()))?;
    let image = svg(&code, visit.pick("Código QR do contato", "QR code of the contact"));
    Ok(Answer { body: image.into_string().into(), ..Answer::empty(StatusCode::OK) }
        .with(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")))
}
