//! One record as a file of another format than JSON: a task for calendars, a customer for address books (deadlines 32, 33).

use bytes::Bytes;
use http::StatusCode;
use http::header::{self, HeaderValue};
use jiff::tz::TimeZone;

use super::answer::Answer;
use super::etag;
use super::negotiation::ListFormat;
use super::problem::Problem;
use crate::domain::Lang;
use crate::http::answers::header::header_value;
use crate::http::file_formats::calendar::{CALENDAR, CalendarForm};
use crate::http::file_formats::vcard::{CONTACTS, contacts};
use crate::records::Table;

/// A file with its media type and name.
pub struct RecordFile {
    pub content: Bytes,
    pub media_type: &'static str,
    /// The name, such as `posts-17.ics`, of ASCII characters.
    pub name: String,
}

/// The parts of a file that do not come from the record.
pub struct FileContext {
    pub zone: TimeZone,
    pub lang: Lang,
    /// Makes the ids of events unique among all calendars.
    pub id: String,
}

impl RecordFile {
    /// Creates the file of a record in the format of its table. Fails with 404 if the table has none.
    pub fn of(table: &Table, id: u32, json: &[u8], context: FileContext) -> Result<RecordFile, Problem> {
        let failed = |cause| Problem::internal(format!("a record is no file: {cause}"));
        let [format] = ListFormat::of_one(table) else { return Err(Problem::no_route()) };
        let FileContext { zone, lang, id: ids } = context;
        let (content, media_type) = match format {
            ListFormat::Calendar => (CalendarForm::of_task(json, zone, lang, ids), CALENDAR),
            _ => (contacts([json]), CONTACTS),
        };
        let name = format!("{}-{id}.{}", table.path, format.ending());
        Ok(RecordFile { content: content.map_err(failed)?.into(), media_type, name })
    }

    /// Returns the answer that downloads the file.
    pub(super) fn answer(self) -> Answer {
        let tag = header_value(&etag::tag(&self.content));
        let name = header_value(&format!("attachment; filename=\"{}\"", self.name));
        Answer { body: self.content.into(), ..Answer::empty(StatusCode::OK) }
            .with(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type))
            .with(header::CONTENT_DISPOSITION, name)
            .with(header::ETAG, tag)
    }
}
