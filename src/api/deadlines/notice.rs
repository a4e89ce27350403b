//! What the deadline of a record is counted from: the day of its publication and the court of its lawsuit
//! (deadlines 31.8).

use super::count_with_calendar::office_calendar;
use crate::deadlines::{Counting, CourtNotice, DeadlineQuery, PartySource, Rule, TypedDeadline};
use crate::domain::text::fold;
use crate::domain::{Court, CourtCity, Day, DoubledParty, Justice, UncountedCourt, court_of};
use crate::records::{Kind, Lawsuit, Publication, Record as _, Table};
use crate::store::nouns::lawsuits;
use crate::store::records::View;
use crate::store::{self, Db};

/// Folded words and parts of the names of small claims courts.
const SMALL_CLAIMS: [&str; 4] = ["jec", "jecc", "jef", "jefp"];
const SMALL_CLAIMS_PARTS: [&str; 4] = ["juizado", "juiz esp", "turma recursal", "turmas recursais"];

/// Beginnings of folded words in the names of criminal courts, and of those that also judge other cases.
const CRIMINAL: [&str; 4] = ["crim", "penal", "penais", "juri"];
const OF_OTHERS: [&str; 5] = ["civel", "civeis", "civil", "fazenda", "familia"];

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
    /// The body that issued it.
    pub issuer: String,
    pub text: String,
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
            issuer: publication.text("local").to_owned(),
            text: publication.text("publication").to_owned(),
        }
    }

    /// Returns the query that counts a deadline from the day on which the publication was made available, if its day of
    /// publication follows from that day. Otherwise counts from the day of publication, or else from `today`.
    ///
    /// Fails with the court if the first one that is named is one whose deadlines are not counted.
    pub fn query(
        &self,
        db: Db<'_>,
        typed: TypedDeadline,
        today: Day,
    ) -> Result<Result<DeadlineQuery, UncountedCourt>, store::Error> {
        let lawsuit = self.lawsuit(db)?;
        let names = self.court_names(db, lawsuit.as_ref());
        if let Some(court) = uncounted(&names) {
            return Ok(Err(court));
        }
        let query = self.at_court(db, court_in(&names), typed, today)?;
        let (party, party_source) = self.party(db)?;
        let lawsuit = lawsuit.as_ref();
        Ok(Ok(DeadlineQuery {
            city: city_of(lawsuit, query.court),
            rule: self.rule(lawsuit, &query),
            party,
            party_source,
            ..query
        }))
    }

    /// Like [`query`](NoticeOfDeadline::query), at any court, and without the city and the clients, which do not move the day
    /// of publication.
    pub fn query_without_city(
        &self,
        db: Db<'_>,
        typed: TypedDeadline,
        today: Day,
    ) -> Result<DeadlineQuery, store::Error> {
        let lawsuit = self.lawsuit(db)?;
        let names = self.court_names(db, lawsuit.as_ref());
        self.at_court(db, court_in(&names), typed, today)
    }

    /// Returns the court if its deadlines are not counted.
    pub fn uncounted_court(&self, db: Db<'_>) -> Result<Option<UncountedCourt>, store::Error> {
        let lawsuit = self.lawsuit(db)?;
        Ok(uncounted(&self.court_names(db, lawsuit.as_ref())))
    }

    fn at_court(
        &self,
        db: Db<'_>,
        court: Option<Court>,
        typed: TypedDeadline,
        today: Day,
    ) -> Result<DeadlineQuery, store::Error> {
        let query = |from, notice| DeadlineQuery {
            from,
            notice,
            days: typed.days,
            court,
            city: None,
            party: None,
            party_source: PartySource::Caller,
            rule: Rule::of_court(court),
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

    /// Reads the lawsuit. `None` for a caller who may not see lawsuits.
    fn lawsuit(&self, db: Db<'_>) -> Result<Option<View>, store::Error> {
        view(db, Lawsuit::TABLE, self.lawsuit.filter(|_| db.nouns().has(Kind::Lawsuit)))
    }

    /// Returns the party for whom the law doubles the deadline, by the marks of the clients of the lawsuit. `None` if
    /// none is marked, and for a caller who may not see lawsuits. Who may see them may see their customers.
    fn party(&self, db: Db<'_>) -> Result<(Option<DoubledParty>, PartySource), store::Error> {
        let lawsuit = self.lawsuit.filter(|_| db.nouns().has(Kind::Lawsuit));
        let clients = lawsuit.map_or(Ok(Vec::new()), |lawsuit| lawsuits::doubled_parties(db, lawsuit))?;
        let are_all = clients.iter().all(Option::is_some);
        let party = clients.into_iter().flatten().min();
        let source = match are_all {
            // A text is long, and few clients are marked.
            _ if party.is_some() && says_doubled(&self.text) => PartySource::DoubledInText,
            true => PartySource::AllClients,
            false => PartySource::SomeClients,
        };
        Ok((party, source))
    }

    /// Returns the rule of the court, or that of small claims or of criminal procedure if the venue of the lawsuit or the issuer
    /// names them. A deadline that a criminal court gives in working days is not one of criminal procedure.
    fn rule(&self, lawsuit: Option<&View>, query: &DeadlineQuery) -> Rule {
        let venue = lawsuit.map_or("", |lawsuit| lawsuit.text("venue"));
        let places = [venue, &self.issuer].map(fold);
        let has_them =
            query.court.is_some_and(|court| matches!(court.justice(), Justice::State | Justice::Federal));
        let is_criminal_procedure =
            || query.counting != Some(Counting::Working) && places.iter().any(|place| is_criminal(place));
        if has_them && places.iter().any(|place| is_small_claims(place)) {
            Rule::Juizado
        } else if has_them && is_criminal_procedure() {
            Rule::Cpp
        } else {
            Rule::of_court(query.court)
        }
    }

    /// Returns the courts that the publication, its lawsuit and its number name, in this order. A caller who may not see lawsuits
    /// gets only the first one.
    fn court_names<'n>(&'n self, db: Db<'_>, lawsuit: Option<&'n View>) -> Vec<&'n str> {
        let of_lawsuit = lawsuit.into_iter().flat_map(|lawsuit| {
            let by_number = court_of(lawsuit.text("process_number"));
            [Some(lawsuit.text("court")), by_number].into_iter().flatten()
        });
        let by_number = court_of(&self.number).filter(|_| db.nouns().has(Kind::Lawsuit));
        [&*self.court].into_iter().chain(of_lawsuit).chain(by_number).collect()
    }
}

fn court_in(names: &[&str]) -> Option<Court> {
    names.iter().find_map(|name| Court::parse(name).ok())
}

/// Returns the court whose deadlines are not counted, if the first court that is named is such a one.
fn uncounted(names: &[&str]) -> Option<UncountedCourt> {
    let is_court = |name: &&&str| UncountedCourt::parse(name).is_some() || Court::parse(name).is_ok();
    names.iter().find(is_court).and_then(|name| UncountedCourt::parse(name))
}

/// Returns the city that is the venue of a lawsuit. `None` for other venues, for a city outside the state of the court, and at
/// the superior courts, which no city closes.
fn city_of(lawsuit: Option<&View>, court: Option<Court>) -> Option<CourtCity> {
    let city = CourtCity::parse(lawsuit?.text("venue")).ok()?;
    let is_of_court = court.is_none_or(|court| {
        let is_superior = matches!(court.justice(), Justice::Superior | Justice::Supreme);
        !is_superior && court.state().is_none_or(|state| state == *city.state())
    });
    is_of_court.then_some(city)
}

/// Returns `true` for a folded place of small claims that are no criminal ones: `Juizado Especial`, `JEC`, `Turma Recursal`.
fn is_small_claims(place: &str) -> bool {
    let is_abbreviated = place.split(' ').any(|word| SMALL_CLAIMS.contains(&word));
    (is_abbreviated || SMALL_CLAIMS_PARTS.iter().any(|part| place.contains(part)))
        && !place.contains("criminal")
}

/// Returns `true` for a folded place of criminal justice alone: `Vara Criminal`, `Tribunal do Júri`, `Execuções Penais`.
fn is_criminal(place: &str) -> bool {
    let has = |beginning: &str| place.split(' ').any(|word| word.starts_with(beginning));
    CRIMINAL.iter().any(|beginning| has(beginning)) && !OF_OTHERS.iter().any(|beginning| has(beginning))
}

/// Returns `true` if a text has a word such as `dobro` and `dobrado`.
fn says_doubled(text: &str) -> bool {
    fold(text).split(' ').any(|word| word.starts_with("dobr"))
}

fn view(db: Db<'_>, table: &'static Table, id: Option<u32>) -> Result<Option<View>, store::Error> {
    let Some(id) = id else { return Ok(None) };
    Ok(View::read(db, table, &[id])?.pop())
}
