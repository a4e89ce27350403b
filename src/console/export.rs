//! A list as it is filtered, as a spreadsheet to keep.

use std::io;
use std::sync::Arc;

use http::{StatusCode, header};
use maud::{Markup, html};

use super::enter;
use super::find::find_all;
use super::page::value;
use super::state::Console;
use super::visit::Visit;
use crate::api::pages::Pages;
use crate::domain::fold;
use crate::http::{Answer, Body, FilePart};
use crate::transfer::{ListExport, Spreadsheet, TransferError};

/// The parameter that says as which kind of spreadsheet a list is exported.
const AS: &str = "as";

impl Pages {
    /// All that the visitor's filters find, as a spreadsheet.
    pub(super) async fn export(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let Some(format) = Spreadsheet::of_ending(visit.asked(AS)) else { return enter::not_found(visit) };
        match find_all(console, self, visit).await {
            Ok(ids) => self.spreadsheet(console, ids, format, visit).await,
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    /// These records, as a spreadsheet.
    pub(super) async fn spreadsheet(
        &'static self,
        console: &Arc<Console>,
        ids: Vec<u32>,
        format: Spreadsheet,
        visit: &Visit,
    ) -> Answer {
        let (lang, table, request) = (visit.lang, self.table, visit.id.clone());
        let written = console.apart(move |console| {
            let (data, zone) = (&*console.site.data, console.api.app().zone());
            // Of no name: it is gone once it was sent.
            let write = || -> Result<FilePart, TransferError> {
                let failed = |cause: io::Error| TransferError::File(data.to_owned(), cause);
                let file = tempfile::tempfile_in(data).map_err(failed)?;
                let own = file.try_clone().map_err(failed)?;
                ListExport { data, table, ids: &ids, zone, lang }.write(format, own)?;
                FilePart::whole(file).map_err(failed)
            };
            let written = write();
            if let Err(error) = &written {
                tracing::warn!(
                    id = request,
                    reason = error.say(lang),
                    cause = error.detail(),
                    "a list was not exported"
                );
            }
            written.ok()
        });
        let Some(file) = written.await else { return enter::unreadable(visit) };
        let name = fold(lang.pick(table.many.0, table.many.1)).replace(' ', "-");
        let disposition = format!("attachment; filename=\"{name}.{}\"", format.ending());
        let length = file.length();
        Answer { body: Body::File(file), ..Answer::empty(StatusCode::OK) }
            .with(header::CONTENT_TYPE, value(format.media_type()))
            .with(header::CONTENT_DISPOSITION, value(&disposition))
            .with(header::CONTENT_LENGTH, length)
    }
}

/// The links below a list that lead to it as a spreadsheet.
pub(super) fn exports(visit: &Visit) -> Markup {
    let link = |format: Spreadsheet| {
        let list = visit.url_anew(AS, format.ending());
        let (path, query) = list.split_once('?').unwrap_or((&list, ""));
        format!("{path}/export?{query}")
    };
    html! {
        p.quiet.export {
            (visit.say("Exportar estes resultados: ", "Export these results: "))
            a href=(link(Spreadsheet::Xlsx)) download { "Excel (XLSX)" } " · "
            a href=(link(Spreadsheet::Csv)) download { "CSV" }
        }
    }
}
