//! The deadline that the text of a publication proposes (deadlines 31.10).

use super::counted::office_calendar;
use super::notice::NoticeOfDeadline;
use crate::deadlines::{Deadline, DeadlineQuery, NamedDeadline};
use crate::domain::Day;
use crate::store::records::View;
use crate::store::{self, Db};

/// A deadline that the text of a publication names, counted. Nothing of it is stored.
pub struct DeadlineProposal {
    /// The words of the text that name the deadline.
    pub quote: String,
    pub query: DeadlineQuery,
    pub deadline: Deadline,
}

impl DeadlineProposal {
    /// Counts the deadline of a publication. Returns `None` if its text names none, or several, and at an
    /// electoral or a military court.
    pub fn of_publication(
        db: Db<'_>,
        publication: &View,
        today: Day,
    ) -> Result<Option<DeadlineProposal>, store::Error> {
        let Some(NamedDeadline { typed, quote }) = NamedDeadline::in_text(publication.text("publication"))
        else {
            return Ok(None);
        };
        let notice = NoticeOfDeadline::of(publication);
        let Ok(query) = notice.query(db, typed, today)? else { return Ok(None) };
        let deadline = office_calendar(db).count(&query)?;
        Ok(Some(DeadlineProposal { quote, query, deadline }))
    }
}
