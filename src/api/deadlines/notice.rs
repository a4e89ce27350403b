//! What the deadline of a record is counted from: the day of its publication and the court of its lawsuit
//! (deadlines 31.8).

use super::counted::office_calendar;
use crate::deadlines::{CourtNotice, DeadlineQuery, Rule, TypedDeadline};
use crate::domain::{Court, CourtCity, Day, Justice, UncountedCourt, court_of};
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
        let query = self.query_without_city(db, typed, today)?;
        Ok(DeadlineQuery { city: self.city(db, query.court)?, ..query })
    }

    /// Like [`query`](NoticeOfDeadline::query), without the city, whose holidays do not move the day of publication.
    pub fn query_without_city(
        &self,
        db: Db<'_>,
        typed: TypedDeadline,
        today: Day,
    ) -> Result<DeadlineQuery, store::Error> {
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

    /// Returns the court whose deadlines are not counted, if the first court that is named is such a one.
    pub fn uncounted_court(&self, db: Db<'_>) -> Result<Option<UncountedCourt>, store::Error> {
        let names = self.court_names(db)?;
        Ok(names
            .iter()
            .find_map(|name| match UncountedCourt::parse(name) {
                Some(court) => Some(Some(court)),
                None => Court::parse(name).ok().map(|_| None),
            })
            .flatten())
    }

    fn court(&self, db: Db<'_>) -> Result<Option<Court>, store::Error> {
        Ok(self.court_names(db)?.iter().find_map(|name| Court::parse(name).ok()))
    }

    /// Returns the courts that the publication, its lawsuit and its number name, in this order. A caller who may not see lawsuits
    /// gets only the first one.
    fn court_names(&self, db: Db<'_>) -> Result<Vec<String>, store::Error> {
        let mut names = vec![self.court.clone()];
        if db.nouns().has(Kind::Lawsuit) {
            let lawsuit = view(db, Lawsuit::TABLE, self.lawsuit)?;
            names.extend(lawsuit.iter().map(|lawsuit| lawsuit.text("court").to_owned()));
            let of_lawsuit = lawsuit.as_ref().and_then(|lawsuit| court_of(lawsuit.text("process_number")));
            names.extend(of_lawsuit.into_iter().chain(court_of(&self.number)).map(str::to_owned));
        }
        Ok(names)
    }

    /// Returns the city that is the venue of the lawsuit. `None` for other venues, for a city outside the state of the court, at the
    /// superior courts, which no city closes, and for a caller who may not see lawsuits.
    fn city(&self, db: Db<'_>, court: Option<Court>) -> Result<Option<CourtCity>, store::Error> {
        if !db.nouns().has(Kind::Lawsuit) {
            return Ok(None);
        }
        let lawsuit = view(db, Lawsuit::TABLE, self.lawsuit)?;
        let city = lawsuit.and_then(|lawsuit| CourtCity::parse(lawsuit.text("venue")).ok());
        Ok(city.filter(|city| {
            court.is_none_or(|court| {
                let is_superior = matches!(court.justice(), Justice::Superior | Justice::Supreme);
                !is_superior && court.state().is_none_or(|state| state == *city.state())
            })
        }))
    }
}

fn view(db: Db<'_>, table: &'static Table, id: Option<u32>) -> Result<Option<View>, store::Error> {
    let Some(id) = id else { return Ok(None) };
    Ok(View::read(db, table, &[id])?.pop())
}
