//! The deadline that the text of a publication proposes (deadlines 31.10).

use super::count_with_calendar::office_calendar;
use super::notice::NoticeOfDeadline;
use super::parameters::query_of;
use crate::app::App;
use crate::deadlines::{Deadline, DeadlineQuery, NamedDeadline, TypedDeadline};
use crate::domain::UncountedCourt;
use crate::store::records::View;
use crate::store::{self, Db};

/// A deadline that a publication proposes, counted. Nothing of it is stored.
pub struct DeadlineProposal {
    /// The words of the text that name the deadline. `None` if it is the deadline that a person confirmed for the publication.
    pub quote: Option<String>,
    pub query: DeadlineQuery,
    pub deadline: Deadline,
}

impl DeadlineProposal {
    /// Counts the deadline of a publication: if it has one of its own, that one, as long as its count leads there, and
    /// otherwise the one that its text names. Returns `None` if the text names none, or several.
    ///
    /// Fails with the court if its deadlines are not counted, whatever the text says.
    pub fn of_publication(
        db: Db<'_>,
        app: &App,
        publication: &View,
    ) -> Result<Result<Option<DeadlineProposal>, UncountedCourt>, store::Error> {
        let notice = NoticeOfDeadline::of(publication);
        let confirmed = publication.value("date_deadline").day();
        let named = match confirmed {
            Some(_) => query_of(publication.text("deadline_query"), app)
                .map(|DeadlineQuery { days, counting, .. }| (TypedDeadline { days, counting }, None)),
            None => NamedDeadline::in_text(publication.text("publication"))
                .map(|NamedDeadline { typed, quote }| (typed, Some(quote))),
        };
        let Some((typed, quote)) = named else {
            return Ok(notice.uncounted_court(db)?.map_or(Ok(None), Err));
        };
        let query = match notice.query(db, typed, app.today())? {
            Ok(query) => query,
            Err(court) => return Ok(Err(court)),
        };
        let deadline = office_calendar(db).count(&query)?;
        let leads_there = confirmed.is_none_or(|confirmed| deadline.day == confirmed);
        Ok(Ok(leads_there.then_some(DeadlineProposal { quote, query, deadline })))
    }
}
