//! Exports the filtered list as a spreadsheet.

use std::io;

use http::header;

use crate::console::admin::keys;
use crate::console::prelude::*;
use crate::console::records::list::find::{SearchFor, find_all};
use crate::console::requests::response::attachment;
use crate::domain::text::fold;
use crate::http::json::list_filter::ORDER;
use crate::http::{Body, FilePart};
use crate::transfer::{ListExport, Spreadsheet, TransferError};

/// Query parameter with the spreadsheet format.
const AS: &str = "as";

impl Pages {
    /// Exports all records that match the visitor's filters.
    pub(in crate::console) async fn export(&'static self, visit: &Visit) -> Result<Answer> {
        let format = Spreadsheet::of_ending(visit.parameter(AS)).ok_or_else(Problem::no_route)?;
        let ids = find_all(self, visit).await?;
        let about = self.described(visit).await?;
        self.spreadsheet(ids, about, format, visit).await
    }

    /// Writes these records as a spreadsheet. `about` says which they are.
    pub(in crate::console) async fn spreadsheet(
        &'static self,
        ids: Vec<u32>,
        about: String,
        format: Spreadsheet,
        visit: &Visit,
    ) -> Result<Answer> {
        let lang = visit.lang;
        let table = self.table;
        let request = visit.id.clone();
        let nouns = visit.caller.rights.nouns;
        let written = visit.run_blocking(move |console| {
            let data = &*console.site.data;
            let zone = console.api.app().zone();
            // An unnamed temporary file, which disappears when it is closed.
            let write = || -> Result<FilePart, TransferError> {
                let failed = |cause: io::Error| TransferError::File(data.to_owned(), cause);
                let file = tempfile::tempfile_in(data).map_err(failed)?;
                let own = file.try_clone().map_err(failed)?;
                ListExport { data, table, ids: &ids, about: &about, nouns, zone, lang }.write(format, own)?;
                FilePart::whole(file).map_err(failed)
            };
            let log = |error: &TransferError| {
                let reason = error.message(lang);
                let cause = error.detail();
                tracing::warn!(id = request, reason, cause, "list export failed");
            };
            write().inspect_err(log).ok()
        });
        let Some(file) = written.await? else { return Ok(error_pages::store_unavailable(visit)) };
        let name = fold(lang.pick(table.many.0, table.many.1)).replace(' ', "-");
        let name = format!("{name}.{}", format.ending());
        let length = file.length();
        let answer = attachment(Body::File(file), format.media_type(), Some(&name));
        Ok(answer.with(header::CONTENT_LENGTH, length))
    }
}

impl Pages {
    /// Returns the link to the form for an address of this list, for the owner. The API has no text over all members, and no
    /// order but that of ids.
    fn address_form(&self, visit: &Visit) -> Option<String> {
        let SearchFor { text, filters, idle, sort, .. } = self.search_for(&self.filters(visit), visit);
        let is_in_api = text.trim().is_empty() && idle.is_none() && sort.is_none();
        visit.may(Access::Owner).then_some(()).filter(|()| is_in_api)?;
        let given = |(name, value): &(String, String)| {
            !value.is_empty() && (name != ORDER || !visit.parameter(ORDER).is_empty())
        };
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(filters.iter().filter(|filter| given(filter)));
        let query = query.finish();
        let mark = if query.is_empty() { "" } else { "?" };
        let list = format!("/{}{mark}{query}", self.table.path);
        Some(keys::address_form(&list))
    }
}

pub(in crate::console) fn exports(pages: &Pages, visit: &Visit) -> Markup {
    let link = |format: Spreadsheet| {
        let list = visit.url_anew(AS, format.ending());
        let (path, query) = list.split_once('?').unwrap_or((&list, ""));
        format!("{path}/export?{query}")
    };
    html! {
        p.quiet.export {
            (visit.pick("Exportar estes resultados: ", "Export these results: "))
            a href=(link(Spreadsheet::Xlsx)) download { "Excel (XLSX)" } " · "
            a href=(link(Spreadsheet::Csv)) download { "CSV" }
            @if let Some(form) = pages.address_form(visit) {
                " · " a href=(form) {
                    @if pages.table.kind == Kind::Task { (visit.pick("Endereço para planilhas e agendas", "Address for spreadsheets and calendars")) }
                    @else { (visit.pick("Endereço para planilhas", "Address for spreadsheets")) }
                }
            }
        }
    }
}
