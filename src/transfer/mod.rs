//! Exports, imports, and the move from another server, all driven by the tables of `records`.
//!
//! An export holds every resource and list as CSV and in one workbook, for people, and as JSON Lines, which an
//! empty store imports unchanged. Rows of spreadsheets are imported by the API's handlers, in one transaction.

mod cloud_import;
mod error;
mod export;
mod import;
mod lines;
mod list;
mod notes;
mod person;
mod prelude;
mod undo;

pub use cloud_import::{
    Move, MoveCount, MoveDetail, MoveError, MoveReport, MoveSample, Moved, MovedCompatibility, MovedResource,
    SourceToken, member_label,
};
pub use error::TransferError;
pub use export::{Export, Exported};
pub use import::sheet::{READ_SHEETS, read_sheets};
pub use import::whole::TakenIn;
pub use import::{
    ColumnReport, DateOrder, FileReport, Import, Imported, LetterEncoding, LettersReport, MemberDefault,
    NameMeaning, NameReport, PassedOver, RowOutcome, RowsReport, ShownRow, area_code,
};
pub use list::{ListExport, Spreadsheet, write_table};
pub use notes::notes_field;
pub use person::{PersonExport, PersonExported};
pub use undo::{Undo, Undone};
