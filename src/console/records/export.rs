//! Exports the filtered list as a spreadsheet.

use std::io;

use http::header;

use crate::console::prelude::*;
use crate::console::records::find::find_all;
use crate::console::response::attachment;
use crate::domain::fold;
use crate::http::{Body, FilePart};
use crate::transfer::{ListExport, Spreadsheet, TransferError};

/// Query parameter with the spreadsheet format.
const AS: &str = "as";

impl Pages {
    /// Exports all records that match the visitor's filters.
    pub(in crate::console) async fn export(&'static self, visit: &Visit) -> Result<Answer> {
        let format = Spreadsheet::of_ending(visit.asked(AS)).ok_or_else(Problem::no_route)?;
        self.spreadsheet(find_all(self, visit).await?, format, visit).await
    }

    pub(in crate::console) async fn spreadsheet(
        &'static self,
        ids: Vec<u32>,
        format: Spreadsheet,
        visit: &Visit,
    ) -> Result<Answer> {
        let (lang, table, request) = (visit.lang, self.table, visit.id.clone());
        let nouns = visit.caller.rights.nouns;
        let written = visit.apart(move |console| {
            let (data, zone) = (&*console.site.data, console.api.app().zone());
            // An unnamed temporary file, which disappears when it is closed.
            let write = || -> Result<FilePart, TransferError> {
                let failed = |cause: io::Error| TransferError::File(data.to_owned(), cause);
                let file = tempfile::tempfile_in(data).map_err(failed)?;
                let own = file.try_clone().map_err(failed)?;
                ListExport { data, table, ids: &ids, nouns, zone, lang }.write(format, own)?;
                FilePart::whole(file).map_err(failed)
            };
            let log = |error: &TransferError| {
                let (reason, cause) = (error.message(lang), error.detail());
                tracing::warn!(id = request, reason, cause, "list export failed");
            };
            write().inspect_err(log).ok()
        });
        let Some(file) = written.await? else { return Ok(sign_in::unreadable(visit)) };
        let name = fold(lang.pick(table.many.0, table.many.1)).replace(' ', "-");
        let (name, length) = (format!("{name}.{}", format.ending()), file.length());
        let answer = attachment(Body::File(file), format.media_type(), Some(&name));
        Ok(answer.with(header::CONTENT_LENGTH, length))
    }
}

pub(in crate::console) fn exports(visit: &Visit) -> Markup {
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
        }
    }
}
