//! Data in and out: exports that spreadsheets and other programs read, imports of them, and the move from another server,
//! all by the tables of `records`.
//!
//! An export has every resource and list as CSV and in one workbook, for people, and as JSON Lines, which an empty store
//! takes in again as they are. What rows of spreadsheets become is made by the handlers of the API, in one transaction.

mod error;
mod export;
mod import;
mod lines;
mod list;
mod moving;
mod notes;
mod person;
mod undo;

pub use error::TransferError;
pub use export::{Export, Exported};
pub use import::sheet::{READ_SHEETS, read_sheets};
pub use import::whole::TakenIn;
pub use import::{
    ColumnReport, FileReport, Import, Imported, MemberDefault, NameMeaning, NameReport, PassedOver,
    RowOutcome, RowsReport, ShownRow, area_code,
};
pub use list::{ListExport, Spreadsheet};
pub use moving::{
    Move, MoveCount, MoveDetail, MoveError, MoveReport, MoveSample, Moved, MovedCompatibility, MovedResource,
    SourceToken,
};
pub use person::{PersonExport, PersonExported};
pub use undo::{Undo, Undone};
