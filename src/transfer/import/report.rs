//! The report of an import, for pages, the command line and programs.

mod parts;

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::sheet::LettersRead;
use crate::api::console_pages::cut;
use crate::domain::Choice;
use crate::transfer::prelude::*;

/// Longest broken text that the user is shown, in characters.
const MAX_EXAMPLE_CHARACTERS: usize = 40;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowsReport {
    pub files: Vec<FileReport>,
    pub passed_over: Vec<PassedOver>,
    /// Sheets whose headings fit several tables. Nothing is stored until the user has chosen one for each.
    pub undecided: Vec<UndecidedSheet>,
    /// Names that are in no list or no customer's: the list or `customers`, the name and the number of cells.
    pub unknown: Vec<(String, String, u64)>,
    /// Entries and customers that were created for a name: the list or `customers`, and the name.
    pub made: Vec<(String, String)>,
    /// Names that are no exact name of an entry or a customer, with their interpretation.
    pub names: Vec<NameReport>,
    pub area_code: Option<String>,
    pub letters: Vec<LettersReport>,
    /// `true` if a backup was made afterwards, which happens after the first import.
    pub backup: bool,
    /// The number of the import, for undoing it. `None` if nothing was stored.
    pub import: Option<u32>,
}

/// The cells of a file whose letters were in a wrong encoding and have been restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LettersReport {
    pub file: String,
    pub cells: u64,
    /// A word in the file, and the word that it was read as.
    pub before: String,
    pub after: String,
}

impl LettersReport {
    /// Returns `None` if no letters were restored.
    pub(super) fn of(file: &Path, letters: LettersRead) -> Option<LettersReport> {
        let (before, after) = letters.example?;
        Some(LettersReport { file: file.display().to_string(), cells: letters.restored, before, after })
    }
}

/// Asks for the encoding of letters that look broken. Returns `None` if there are none.
pub(super) fn letters_question(file: &Path, letters: &LettersRead, lang: Lang) -> Option<String> {
    let line = lang.pick("linha", "line");
    let shown = letters
        .broken
        .iter()
        .map(|(number, text)| format!("{} ({line} {number})", cut(text, MAX_EXAMPLE_CHARACTERS)));
    let file = file.display();
    let shown = shown.collect::<Vec<_>>().join(", ");
    (!letters.broken.is_empty()).then(|| {
        localize!(
            lang,
            "{file}: há letras quebradas: {shown}. Diga como ler: --letters 850 (CSV do MS-DOS), --letters utf-8 (corrige só o que foi codificado duas vezes) ou --letters as-is (fica como está).",
            "{file}: there are broken letters: {shown}. Choose how to read them: --letters 850 (CSV of MS-DOS), --letters utf-8 (restores only what was encoded twice) or --letters as-is (keeps them)."
        )
    })
}

/// A name that is no entry's exact name, and its interpretation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameReport {
    pub list: String,
    /// The name as written in the file.
    pub name: String,
    pub cells: u64,
    pub is: NameMeaning,
    /// The id of the entry, if the name was taken for one.
    pub entry: Option<u32>,
    /// The name of that entry, or an empty string.
    pub shown: String,
    /// `true` if the text joins the names of several people. It goes to the notes as a whole.
    pub is_several: bool,
}

/// The interpretation of a name that is no entry's exact name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameMeaning {
    /// Unknown. Its cells are refused, or go to the notes.
    Unknown,
    Near,
    Chosen,
    Created,
    /// Left out, as the user chose. Its cells count as empty.
    Blank,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnReport {
    /// The heading, or the letters of a column without a heading.
    pub heading: String,
    /// The member's name in requests, or an empty string if the column fills in no member.
    pub member: String,
    /// The heading of the column that fits the same member better.
    pub said_by: Option<String>,
    pub is_chosen: bool,
    /// `true` if the heading says that the column has passwords, so that it is not imported unless the user chooses a
    /// member.
    pub is_secret: bool,
    pub samples: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver {
    pub file: String,
    /// The name of the sheet, or an empty string if the file has no sheets.
    pub sheet: String,
    pub why: String,
}

/// A sheet whose headings fit several tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndecidedSheet {
    /// The name by which the user chooses: that of the sheet, or of the file if it has no sheets.
    pub sheet: String,
    /// The tables, the likeliest first.
    pub resources: Vec<String>,
}

/// Outcome of the rows of a file, or of one of its sheets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReport {
    pub file: String,
    /// The name of the sheet, or an empty string if the file has no sheets.
    pub sheet: String,
    pub resource: String,
    /// The known columns: the heading and the member's name in requests.
    pub columns: Vec<(String, String)>,
    /// The columns that the import does not use: the heading, or the letters of a column without a heading.
    pub ignored: Vec<String>,
    /// The line of the headings, or 0 if the file has no such line, as JSON Lines.
    pub heading_line: u64,
    pub layout: Vec<ColumnReport>,
    /// Number of rows for a record that an earlier row already stands for.
    pub repeated: u64,
    /// The first repeated rows: their line, and the line of the earlier row.
    pub repetitions: Vec<(u64, u64)>,
    /// Number of rows with values that went to the notes.
    pub noted: u64,
    /// The first of these rows: the line, and what goes to the notes.
    pub notes: Vec<(u64, String)>,
    pub without_area: u64,
    pub created: u64,
    /// Number of existing records that stayed unchanged.
    pub matched: u64,
    /// Number of existing records that were changed.
    pub updated: u64,
    /// Number of rows for records in the trash, which stay there unchanged.
    pub in_trash: u64,
    /// Number of rows that are no records: totals, titles and footers.
    pub skipped: u64,
    /// Number of rows matched to a record by their `Id`.
    pub by_id: u64,
    /// Number of rows whose `Id` was ignored.
    pub other_ids: u64,
    /// The first rows whose `Id` was ignored: the line and the reason.
    pub ids_left_out: Vec<(u64, String)>,
    pub refused: u64,
    /// The first refused rows: the line and the reason.
    pub refusals: Vec<(u64, String)>,
    /// Number of rows refused only because of members that are missing in all rows.
    pub incomplete: u64,
    /// The required members without a column, and the members with a default set by the user.
    pub defaults: Vec<MemberDefault>,
    pub rows: Vec<ShownRow>,
}

/// Default value of a member for new records whose rows have no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberDefault {
    pub member: String,
    /// The value as in requests. `None` if the user must still choose it; until then, rows are refused.
    pub value: Option<String>,
    /// The value as people read it, with the names of entries. Empty if the user must still choose it.
    pub shown: String,
    /// `true` if the value was taken because its list has no other entry.
    pub is_only: bool,
    /// `true` if the file has a column for the member, so that only some rows lack it.
    pub has_column: bool,
    /// The names of the entries to choose from. Empty if the member does not refer to a list.
    pub choices: Vec<String>,
    /// Number of rows that got the value, or were refused because it was missing.
    pub rows: u64,
}

impl PassedOver {
    pub fn line(&self) -> String {
        let PassedOver { file, sheet, why } = self;
        if sheet.is_empty() { format!("{file}: {why}") } else { format!("{file} [{sheet}]: {why}") }
    }
}

impl UndecidedSheet {
    /// Returns the question for the command line, with the option that answers it.
    pub fn line(&self, lang: Lang) -> String {
        let named = |name: &String| tables().find(|table| table.name == *name);
        let many = self.resources.iter().filter_map(named).map(|table| lang.pick(table.many.0, table.many.1));
        let many: Vec<_> = many.collect();
        let sheet = &self.sheet;
        let first = many.first().copied().unwrap_or_default();
        let many = many.join(", ");
        localize!(
            lang,
            "{sheet}: os cabeçalhos servem para {many}; diga o que as linhas são, como em --resource \"{sheet}={first}\"",
            "{sheet}: the headings fit {many}; say what the rows are, as in --resource \"{sheet}={first}\""
        )
    }
}

impl FileReport {
    pub fn count(&self, outcome: RowOutcome) -> u64 {
        match outcome {
            RowOutcome::Created => self.created,
            RowOutcome::Matched => self.matched,
            RowOutcome::Updated => self.updated,
            RowOutcome::InTrash => self.in_trash,
            RowOutcome::Skipped => self.skipped,
            RowOutcome::Refused => self.refused,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOutcome {
    Created,
    /// An existing record, which stays unchanged.
    Matched,
    /// An existing record, which is changed.
    Updated,
    /// A record in the trash, which stays there.
    InTrash,
    /// A total, a title or a footer, which is no record.
    Skipped,
    Refused,
}

impl Choice for RowOutcome {
    const CHOICES: &[(&'static str, RowOutcome, Bilingual)] = &[
        ("created", RowOutcome::Created, ("nova", "created")),
        ("matched", RowOutcome::Matched, ("já existe", "matched")),
        ("updated", RowOutcome::Updated, ("alterada", "updated")),
        ("in-trash", RowOutcome::InTrash, ("na lixeira", "in the trash")),
        ("skipped", RowOutcome::Skipped, ("não é registro", "no record")),
        ("refused", RowOutcome::Refused, ("recusada", "refused")),
    ];
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownRow {
    pub line: u64,
    pub outcome: RowOutcome,
    pub text: String,
    /// The reason for refusing the row, the record in the trash, the earlier row of the record, or the meaning
    /// of its `Id`.
    pub why: String,
    pub id: Option<u32>,
}
