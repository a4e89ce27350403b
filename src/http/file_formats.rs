//! The files that records are also given as: sheets (CSV), calendars (iCalendar) and contacts (vCard). They are written out
//! of the JSON of each record, so that a caller's rights hold for them too.

pub mod calendar;
pub(in crate::http) mod content_line;
pub mod csv_rows;
pub mod vcard;
