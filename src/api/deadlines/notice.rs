//! What the deadline of a record is counted from: the day of its publication and the court of its lawsuit
//! (deadlines 31.8).

use super::counted::office_calendar;
use crate::deadlines::{CourtNotice, DeadlineQuery, Rule, TypedDeadline};
use crate::domain::{Court, Day, Justice, court_of};
use crate::records::{Kind, Lawsuit, Publication, Record as _, Table};
use crate::store::records::View;
use crate::store::{self, Db};

/// A publication as far as a deadline needs it. Each part may be missing.
#[derive(Clone, Debug, Default)]
pub struct NoticeOfDeadline {
    /// The day on which the publication was made available.
    pub available: Option<Day>,
    /// The day of publication.
    pub published: Option<Day>,
    /// The court that published it.
    pub court: String,
    pub lawsuit: Option<u32>,
    /// The number of the case, whose digits name the court if the lawsuit does not.
    pub number: String,
}

impl NoticeOfDeadline {
    /// Reads a publication. `lawsuit` is the lawsuit of the task that responds to it, if that is another one.
    pub fn of_publication(
        db: Db<'_>,
        id: u32,
        lawsuit: Option<u32>,
    ) -> Result<NoticeOfDeadline, store::Error> {
        let publication = view(db, Publication::TABLE, Some(id))?;
        let notice = publication.as_ref().map(NoticeOfDeadline::of).unwrap_or_default();
        Ok(NoticeOfDeadline { lawsuit: lawsuit.or(notice.lawsuit), ..notice })
    }

    /// Returns what counts of a publication.
    pub fn of(publication: &View) -> NoticeOfDeadline {
        NoticeOfDeadline {
            available: publication.value("date_available").day(),
            published: publication.value("date").day(),
            court: publication.text("court").to_owned(),
            lawsuit: publication.value("lawsuit_id").id(),
            number: publication.text("process_number").to_owned(),
        }
    }

    /// Returns the query that counts a deadline from the day on which the publication was made available, if its day of
    /// publication follows from that day. Otherwise counts from the day of publication, or else from `today`. Labour courts count
    /// by the CLT, all others by the CPC.
    pub fn query(&self, db: Db<'_>, typed: TypedDeadline, today: Day) -> Result<DeadlineQuery, store::Error> {
        let court = self.court(db)?;
        let is_labour =
            court.is_some_and(|court| court.justice() == Justice::Labour || court.as_str() == "TST");
        let query = |from, notice| DeadlineQuery {
            from,
            notice,
            days: typed.days,
            court,
            city: None,
            party: None,
            rule: if is_labour { Rule::Clt } else { Rule::Cpc },
            counting: typed.counting,
            custody: false,
        };
        if let Some(available) = self.available {
            let of_available = query(available, CourtNotice::Djen);
            let follows = |published| {
                Ok::<_, store::Error>(office_calendar(db).count(&of_available)?.given == published)
            };
            if self.published.map_or(Ok(true), follows)? {
                return Ok(of_available);
            }
        }
        Ok(match self.published {
            Some(published) => query(published, CourtNotice::Published),
            None => query(today, CourtNotice::Day),
        })
    }

    /// Returns the first of the courts that the publication, its lawsuit and its number name. A caller who may not see lawsuits
    /// gets only the first one.
    fn court(&self, db: Db<'_>) -> Result<Option<Court>, store::Error> {
        if !db.nouns().has(Kind::Lawsuit) {
            return Ok(Court::parse(&self.court).ok());
        }
        let lawsuit = view(db, Lawsuit::TABLE, self.lawsuit)?;
        let of_lawsuit = lawsuit.iter().flat_map(|lawsuit| {
            let by_number = court_of(lawsuit.text("process_number"));
            [Some(lawsuit.text("court")), by_number].into_iter().flatten()
        });
        let mut names = [&*self.court].into_iter().chain(of_lawsuit).chain(court_of(&self.number));
        Ok(names.find_map(|name| Court::parse(name).ok()))
    }
}

fn view(db: Db<'_>, table: &'static Table, id: Option<u32>) -> Result<Option<View>, store::Error> {
    let Some(id) = id else { return Ok(None) };
    Ok(View::read(db, table, &[id])?.pop())
}
