//! Imports rows of spreadsheets, or a whole export into an empty store.

mod choices;
mod column_mapping;
mod column_names;
mod dates;
pub(super) mod full_export;
mod headings;
mod lookup;
mod refused_rows_file;
mod report;
mod rows;
pub(super) mod sheet;
mod table_choice;
mod values;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::export::LINES;
use super::prelude::*;
use crate::auth::Caller;
use crate::backup::BackupReason;
use crate::domain::Phone;
use crate::http::Api;
use crate::progress::{Progress, ProgressSink};
use crate::store::{imports, journal::Actor};

pub use choices::{DateOrder, LetterEncoding};
use full_export::{ImportedExport, import_full_export, is_export};
pub use report::{
    ColumnReport, FileReport, LettersReport, MemberDefault, NameMeaning, NameReport, PassedOver, RowOutcome,
    RowsReport, ShownRow, UndecidedSheet,
};

/// Progress label of the first step of a preview.
const COPYING: Bilingual = ("copiando os dados para a prévia", "copying the data for the preview");

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    pub files: Vec<PathBuf>,
    /// `true` to store the outcome, `false` for a preview on a scratch copy of the store.
    pub apply: bool,
    /// The tables of the rows, where the headings do not decide: pairs of a sheet and a table. The sheet is the name
    /// of a sheet, or of a file without sheets, or empty for all rows. An empty table leaves the sheet out.
    pub resources: Vec<(String, String)>,
    /// `true` if the values of a row overwrite those of the record that it matches.
    pub update: bool,
    /// `true` if the values of a row fill empty members of the record that it matches.
    pub fill: bool,
    /// `true` to add names that a list lacks, up to 1,000.
    pub create_lists: bool,
    pub refused: Option<PathBuf>,
    /// Pairs of a heading and the member that its column fills in, by its name in requests. An empty member
    /// leaves the column out. A stored import remembers these pairs for later ones.
    pub map: Vec<(String, String)>,
    /// Default values: pairs of a member, by any of its headings, and a text as in a cell. A new record gets
    /// the value if its row has none. With `update` or `fill`, a matched record gets it if its member is empty.
    /// Members that identify records are refused.
    pub set: Vec<(String, String)>,
    /// Meanings of names that a list lacks: pairs of a name, with the prefix `LIST:` if it applies to one list
    /// only, and an entry's name or id. `+` creates the entry; the entry that it belongs to may follow. An
    /// empty text leaves the cell out.
    pub names: Vec<(String, String)>,
    /// `true` to keep refused cells and unknown columns in the notes of the record.
    pub notes: bool,
    pub area_code: Option<String>,
    /// The order of day and month. Without it, a file with a date that can only be month first is refused.
    pub dates: Option<DateOrder>,
    /// The encoding of broken letters. Without it, letters are restored only if nothing looks broken afterwards.
    pub letters: Option<LetterEncoding>,
    /// The line of the headings. By default the first line with two known headings.
    pub heading_line: Option<u64>,
    /// Of messages.
    pub lang: Lang,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Imported {
    Whole(ImportedExport),
    Rows(RowsReport),
}

impl Import {
    /// Runs the import for `caller`. `on_progress` receives the progress. By returning `false`, `on_progress` stops the
    /// import at the next row, and nothing is stored then.
    pub fn run(self, api: &Arc<Api>, caller: &Caller, on_progress: ProgressSink) -> Result<Imported> {
        let apply = self.apply;
        let imported = self.import(api, caller, on_progress).map_err(|error| match error {
            TransferError::Store(store::Error::Full(cause)) if !apply => TransferError::NoRoomForCopy(cause),
            error => error,
        })?;
        if apply {
            api.app().note_import();
        }
        Ok(imported)
    }

    fn import(mut self, api: &Arc<Api>, caller: &Caller, on_progress: ProgressSink) -> Result<Imported> {
        let lang = self.lang;
        self.files.iter_mut().for_each(|file| *file = in_folder(file));
        for file in &self.files {
            refuse_irregular(file, lang)?;
            if is_export(file)? {
                let [file] = &self.files[..] else {
                    let text = lang.pick(
                        "uma exportação inteira se importa sozinha, sem outros arquivos.",
                        "a full export must be imported alone, without other files.",
                    );
                    return Err(TransferError::Refused(text.to_owned()));
                };
                let by = Actor::import(api.app().now()).by(caller.who.clone());
                return import_full_export(api.app().store(), by, file, self.apply, lang, on_progress)
                    .map(Imported::Whole);
            }
        }
        let apply = self.apply;
        let mut report = rows::import(api, caller, self, lang, on_progress.clone())?;
        if apply && report.import.is_some() {
            report.backup = back_up_first(api, on_progress);
        }
        Ok(Imported::Rows(report))
    }
}

/// Makes a backup if this was the office's first import, which is too much work to risk until the nightly
/// backup, unless Pleito is to make none by itself. Returns `true` if a backup was made. A failure is only logged.
fn back_up_first(api: &Api, on_progress: ProgressSink) -> bool {
    let app = api.app();
    let is_first = app.store().read(|db| imports::newest(db, 2)).is_ok_and(|all| all.len() == 1);
    if !is_first || !app.backups().settings().enabled {
        return false;
    }
    match app.backups().with_progress(on_progress).make(BackupReason::Requested) {
        Ok(_) => true,
        Err(failed) => {
            tracing::warn!(
                reason = failed.message(Lang::En),
                cause = failed.detail(),
                "no backup after the first import"
            );
            false
        }
    }
}

/// Reports the progress of an import. Returns `Interrupted` if the receiver has cancelled it.
fn report_progress(on_progress: &ProgressSink, progress: Progress) -> Result<()> {
    if on_progress(progress) { Ok(()) } else { Err(TransferError::Interrupted) }
}

/// Returns a callback that reports how many bytes of the store have been copied for a preview.
fn copying(on_progress: &ProgressSink) -> impl Fn(u64, u64) -> Result<()> + use<> {
    let on_progress = on_progress.clone();
    move |done, all| report_progress(&on_progress, Progress::of_bytes(COPYING, done, all))
}

/// Refuses a pipe or a device: it may have no end, and even opening it may wait for ever.
fn refuse_irregular(path: &Path, lang: Lang) -> Result<()> {
    let is_irregular = path.metadata().is_ok_and(|own| !own.is_file() && !own.is_dir());
    match is_irregular {
        true => Err(TransferError::Refused(format!(
            "{}: {}",
            path.display(),
            lang.pick(
                "não é um arquivo comum; grave os dados em um arquivo e importe-o.",
                "it is no regular file; write the data to a file and import that."
            )
        ))),
        false => Ok(()),
    }
}

/// Returns the JSON Lines file of an export if `path` is its folder, or else `path`.
fn in_folder(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(LINES) } else { path.to_owned() }
}

/// Parses a Brazilian area code, with or without the leading zero. Returns `None` if there is no such code.
pub fn area_code(text: &str) -> Option<String> {
    let code = text.trim().trim_matches(['(', ')']).trim_start_matches('0');
    let is_code = code.len() == 2 && Phone::parse(&[code, "33330000"].concat()).is_ok();
    is_code.then(|| code.to_owned())
}
