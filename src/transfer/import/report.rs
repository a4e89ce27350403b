//! What an import came to, as pages, the command line and programs show it.

use serde::{Deserialize, Serialize};

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
    /// Names that are no entry's, and what they were taken for.
    #[serde(default)]
    pub names: Vec<NameReport>,
    /// The most common area code of the phones.
    #[serde(default)]
    pub area_code: Option<String>,
    /// Whether a backup was made afterwards, as after the first import.
    #[serde(default)]
    pub backup: bool,
    /// The number by which it can be taken back; none where nothing was stored.
    #[serde(default)]
    pub import: Option<u32>,
}

/// A name that is no entry's, and what it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameReport {
    /// The list.
    pub list: String,
    /// The name, as the file has it.
    pub name: String,
    /// How many cells have it.
    pub cells: u64,
    /// What it was taken for.
    pub is: NameMeaning,
    /// That entry.
    pub entry: Option<u32>,
    /// The entry's name.
    pub shown: String,
}

/// What a name that is no entry's was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameMeaning {
    /// Nothing: its cells are refused, or go to the notes.
    Unknown,
    /// The entry whose name is like it.
    Near,
    /// The entry that a person chose.
    Chosen,
    /// A new entry, as a person wanted.
    Created,
    /// Nothing, as a person wanted: its cells count as empty.
    Blank,
}

/// A column of a file, in its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnReport {
    /// Its heading, or its letter if it has none.
    pub heading: String,
    /// What requests call the member; empty if it fills in none.
    pub member: String,
    /// The heading of the column that says its member better.
    pub said_by: Option<String>,
    /// Whether a person chose what it is.
    pub is_chosen: bool,
    /// The first values.
    pub samples: Vec<String>,
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
    /// The line of the headings; 0 if the file has none.
    #[serde(default)]
    pub heading_line: u64,
    /// All columns.
    #[serde(default)]
    pub layout: Vec<ColumnReport>,
    /// How many rows are a record that another row of the files is already.
    #[serde(default)]
    pub repeated: u64,
    /// The first of them: the line, and that of the other row.
    #[serde(default)]
    pub repetitions: Vec<(u64, u64)>,
    /// How many rows have something in the notes that no other member took.
    #[serde(default)]
    pub noted: u64,
    /// How many phones had no area code.
    #[serde(default)]
    pub without_area: u64,
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
    /// Whether a column has it, and only some rows lack it.
    #[serde(default)]
    pub has_column: bool,
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
    /// Why it is refused, which record is in the trash, which other row is the same record, or what its `Id` is here.
    pub why: String,
    /// The record.
    #[serde(default)]
    pub id: Option<u32>,
}
