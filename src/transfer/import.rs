//! Imports: of rows of spreadsheets, and of a whole export into an empty store.

mod headings;
mod lookup;
mod mapping;
mod refused;
mod rows;
pub(super) mod sheet;
mod values;
pub(super) mod whole;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::TransferError;
use super::export::LINES;
use crate::domain::{Bilingual, Lang};
use crate::http::Api;
use crate::progress::{Hearing, Progress};
use crate::store::{self, journal::Actor};

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

/// What came of the rows of all files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowsReport {
    /// Of each file, or each of its sheets.
    pub files: Vec<FileReport>,
    /// Sheets and files that have no rows to import.
    #[serde(default)]
    pub passed_over: Vec<PassedOver>,
    /// Names that are in no list: the list, the name, and how many cells have it.
    pub unknown: Vec<(String, String, u64)>,
    /// Names that were added: the list and the name.
    pub made: Vec<(String, String)>,
    /// The number by which it can be taken back; none where nothing was stored.
    #[serde(default)]
    pub import: Option<u32>,
}

/// A sheet or a file that has no rows to import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver {
    /// The file.
    pub file: String,
    /// The sheet; empty where the file has none.
    pub sheet: String,
    /// Why, in a sentence.
    pub why: String,
}

/// What came of the rows of a file, or of one of its sheets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReport {
    /// The file.
    pub file: String,
    /// The sheet; empty where the file has none.
    pub sheet: String,
    /// What its rows are.
    pub resource: String,
    /// The columns that are known: the heading, and what requests call the member.
    pub columns: Vec<(String, String)>,
    /// The headings that are not.
    pub ignored: Vec<String>,
    /// How many records were made.
    pub created: u64,
    /// How many were there, and are as they were.
    pub matched: u64,
    /// How many were there, and were changed.
    pub updated: u64,
    /// How many rows are of records in the trash. Nothing was done with them.
    #[serde(default)]
    pub in_trash: u64,
    /// How many rows are records that their `Id` names.
    #[serde(default)]
    pub by_id: u64,
    /// How many rows have an `Id` that does not count.
    #[serde(default)]
    pub other_ids: u64,
    /// The first of them: the line, and why.
    #[serde(default)]
    pub ids_left_out: Vec<(u64, String)>,
    /// How many rows were refused.
    pub refused: u64,
    /// The first of them: the line, and why.
    pub refusals: Vec<(u64, String)>,
    /// How many were refused for nothing but members that are missing in all rows.
    #[serde(default)]
    pub incomplete: u64,
    /// The members that no column has and every new record needs, and those that were set.
    #[serde(default)]
    pub defaults: Vec<MemberDefault>,
    /// The first rows of each sort.
    #[serde(default)]
    pub rows: Vec<ShownRow>,
}

/// What new records get of a member where their rows say nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberDefault {
    /// What requests call the member.
    pub member: String,
    /// The value, as requests have it; none where it is still to be chosen, and rows are refused for the want of it.
    pub value: Option<String>,
    /// What people read of it: the names of entries. Empty where it is still to be chosen.
    pub shown: String,
    /// Whether nobody has chosen it, as there is no other.
    pub is_only: bool,
    /// The names of what can be chosen; empty where that is no list.
    pub choices: Vec<String>,
    /// How many rows got it, or were refused for the want of it.
    pub rows: u64,
}

impl PassedOver {
    /// Returns it as a line.
    pub fn line(&self) -> String {
        let PassedOver { file, sheet, why } = self;
        if sheet.is_empty() { format!("{file}: {why}") } else { format!("{file} [{sheet}]: {why}") }
    }
}

impl FileReport {
    /// How many rows became that.
    pub fn count(&self, outcome: RowOutcome) -> u64 {
        match outcome {
            RowOutcome::Created => self.created,
            RowOutcome::Matched => self.matched,
            RowOutcome::Updated => self.updated,
            RowOutcome::InTrash => self.in_trash,
            RowOutcome::Refused => self.refused,
        }
    }
}

/// What becomes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOutcome {
    /// A record is made.
    Created,
    /// The record is there, and stays as it is.
    Matched,
    /// It is there, and is changed.
    Updated,
    /// The record is in the trash, and stays there.
    InTrash,
    /// Nothing.
    Refused,
}

impl RowOutcome {
    /// All of them.
    pub const ALL: [RowOutcome; 5] = [
        RowOutcome::Created,
        RowOutcome::Matched,
        RowOutcome::Updated,
        RowOutcome::InTrash,
        RowOutcome::Refused,
    ];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            RowOutcome::Created => "created",
            RowOutcome::Matched => "matched",
            RowOutcome::Updated => "updated",
            RowOutcome::InTrash => "in-trash",
            RowOutcome::Refused => "refused",
        }
    }
}

/// A row, as a person knows it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownRow {
    /// Its line in the file.
    pub line: u64,
    /// What becomes of it.
    pub outcome: RowOutcome,
    /// Its first cells.
    pub text: String,
    /// Why it is refused, which record is in the trash, or what its `Id` is here.
    pub why: String,
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
        rows::import(api, self, lang, hears).map(Imported::Rows)
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
