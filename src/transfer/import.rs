//! Imports: of rows of spreadsheets, and of a whole export into an empty store.

mod also;
mod begin;
mod headings;
mod lookup;
mod mapping;
mod near;
mod refused;
mod report;
mod rows;
pub(super) mod sheet;
mod values;
pub(super) mod whole;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::TransferError;
use super::export::LINES;
use crate::backup::BackupReason;
use crate::domain::{Bilingual, Lang, Phone};
use crate::http::Api;
use crate::progress::{Hearing, Progress};
use crate::store::{self, imports, journal::Actor};

pub use report::{
    ColumnReport, FileReport, MemberDefault, NameMeaning, NameReport, PassedOver, RowOutcome, RowsReport,
    ShownRow,
};
use whole::{TakenIn, is_export, take_in};

/// What a preview does first.
const COPYING: Bilingual = ("copiando os dados para a prévia", "copying the data for the preview");

/// What is to be imported, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Whether its outcome is stored. If not, it is a preview on a scratch copy of the store.
    pub apply: bool,
    /// What the rows are, where their headings do not tell.
    pub resource: Option<String>,
    /// Whether what a row names is written into the record that it matches.
    pub update: bool,
    /// Likewise, where that is empty.
    pub fill: bool,
    /// Whether names that are in no list are added to it.
    pub create_lists: bool,
    /// The new file for the rows that are refused.
    pub refused: Option<PathBuf>,
    /// Headings, each with what requests call the member that its column is; nothing where it is left out. Remembered where
    /// the import is stored.
    #[serde(default)]
    pub map: Vec<(String, String)>,
    /// Members, by any of their headings, each with what a cell would hold: what new records get, and what is filled in where
    /// a record is changed anyway, wherever a row says nothing. Not for what tells records apart.
    #[serde(default)]
    pub set: Vec<(String, String)>,
    /// What names that no list has mean: each, with `LIST:` before it where it is for one list alone, and an entry's name or
    /// id; `+` to create it, with the entry that it belongs to behind it; nothing to leave the cell out.
    #[serde(default)]
    pub names: Vec<(String, String)>,
    /// Whether what no member takes goes to the notes: cells that are refused, and columns that are not known.
    #[serde(default)]
    pub notes: bool,
    /// The area code of phones that have none.
    #[serde(default)]
    pub area_code: Option<String>,
    /// The line of the headings, if it is not the first one with two known headings.
    #[serde(default)]
    pub heading_line: Option<u64>,
    /// Whether what is said of it is Portuguese.
    pub portuguese: bool,
}

/// What came of an import.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Imported {
    /// Of a whole export.
    Whole(TakenIn),
    /// Of rows.
    Rows(RowsReport),
}

impl Import {
    /// Does it. `hears` receives how far it is, and ends it at the next row by returning false.
    ///
    /// # Errors
    /// Why nothing was imported.
    pub fn run(self, api: &Arc<Api>, hears: Hearing) -> Result<Imported, TransferError> {
        let apply = self.apply;
        self.import(api, hears).map_err(|error| match error {
            TransferError::Store(store::Error::Full(cause)) if !apply => TransferError::NoRoomForCopy(cause),
            error => error,
        })
    }

    fn import(mut self, api: &Arc<Api>, hears: Hearing) -> Result<Imported, TransferError> {
        let lang = if self.portuguese { Lang::Pt } else { Lang::En };
        self.files.iter_mut().for_each(|file| *file = in_folder(file));
        for file in &self.files {
            if is_export(file)? {
                let [file] = &self.files[..] else {
                    let text = lang.pick(
                        "uma exportação inteira se importa sozinha, sem outros arquivos.",
                        "a whole export is imported alone, without other files.",
                    );
                    return Err(TransferError::Refused(text.to_owned()));
                };
                let by = Actor::import(api.app().now());
                return take_in(api.app().store(), by, file, self.apply, lang, hears).map(Imported::Whole);
            }
        }
        let apply = self.apply;
        let mut report = rows::import(api, self, lang, hears.clone())?;
        if apply && report.import.is_some() {
            report.backup = back_up_first(api, hears);
        }
        Ok(Imported::Rows(report))
    }
}

/// Makes a backup if this was the first import of the office: so much work is not left to the next night. Returns `true` if
/// there is one; a failure is logged, and what was imported stays.
fn back_up_first(api: &Api, hears: Hearing) -> bool {
    let app = api.app();
    let is_first = app.store().read(|db| imports::newest(db, 2)).is_ok_and(|all| all.len() == 1);
    if !is_first {
        return false;
    }
    match app.backups().heard_by(hears).make(BackupReason::Asked) {
        Ok(_) => true,
        Err(failed) => {
            tracing::warn!(
                reason = failed.say(Lang::En),
                cause = failed.detail(),
                "no backup after the first import"
            );
            false
        }
    }
}

/// Passes on how far an import is.
///
/// # Errors
/// `Interrupted` if nobody waits for it any more.
fn tell(hears: &Hearing, progress: Progress) -> Result<(), TransferError> {
    if hears(progress) { Ok(()) } else { Err(TransferError::Interrupted) }
}

/// Passes on how far the copying of the store is, for a preview.
fn copying(hears: &Hearing) -> impl Fn(u64, u64) -> Result<(), TransferError> + use<> {
    let hears = hears.clone();
    move |done, all| tell(&hears, Progress::of_bytes(COPYING, done, all))
}

/// The file that is meant by the folder of an export.
fn in_folder(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(LINES) } else { path.to_owned() }
}

/// Reads an area code of Brazil, with or without the zero before it. Returns `None` if there is no such code.
pub fn area_code(text: &str) -> Option<String> {
    let code = text.trim().trim_matches(['(', ')']).trim_start_matches('0');
    let is_code = code.len() == 2 && Phone::parse(&[code, "33330000"].concat()).is_ok();
    is_code.then(|| code.to_owned())
}
