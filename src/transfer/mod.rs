//! Exports, imports, and the move from another server, all driven by the tables of `records`.
//!
//! **The way through.** `export` writes every resource and list as CSV and in one workbook, for people, and as JSON Lines,
//! which an empty store imports unchanged (`import::full_export`). `import` reads spreadsheets: `import::sheet` finds the cells,
//! `import::headings` and `import::column_mapping` what they are, `import::rows` gives each row to the API's handlers.
//! `cloud_import` copies an office from the cloud, and goes on where it stopped.
//!
//! **What holds.** An import is one transaction, previewed before it is stored, and undone as a whole (`undo`). A hostile
//! file is read by a process of its own, with bounds on memory, time and names. Cells that a spreadsheet would take for
//! formulas are guarded (`sheets::formula_guard`).
//!
//! **Deliberately missing.** A second validation of values, and formats that are written but not read again.

mod cloud_import;
mod csv_writer;
mod error;
mod export;
mod import;
mod json_lines;
mod notes;
mod prelude;
mod report_lines;
mod savepoint;
mod undo;

pub use cloud_import::{
    Move, MoveCount, MoveDetail, MoveError, MoveReport, MoveSample, Moved, MovedCompatibility, MovedResource,
    SourceToken,
};
pub use error::TransferError;
pub use export::customer::CustomerExport;
pub use export::list::{ListExport, Spreadsheet, write_table};
pub use export::{Export, Exported};
pub use import::full_export::ImportedExport;
pub use import::sheet::{READ_SHEETS, read_sheets};
pub use import::{
    ColumnReport, DateOrder, FileReport, Import, Imported, LetterEncoding, LettersReport, MemberDefault,
    NameMeaning, NameReport, PassedOver, RowOutcome, RowsReport, ShownRow, area_code,
};
pub use notes::notes_field;
pub use report_lines::{Fact, ReportPart};
pub use undo::{KeyUndo, KeyUndone, Undo, Undone, put_back, put_values_back, value_text};
