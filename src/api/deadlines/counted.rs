//! Counting with the office's calendar, and a query as a text.

use crate::deadlines::{CourtNotice, Deadline, DeadlineQuery, NoticeKind, Rule, count};
use crate::domain::Day;
use crate::store::{self, Db, holidays};

/// Counts a deadline with the office's rows of the years that it touches. The year after its last one is read too, in which
/// another reading of the law may end.
pub fn counted(db: Db<'_>, query: &DeadlineQuery) -> Result<Deadline, store::Error> {
    let first = query.from.year();
    let mut last = first + 1;
    loop {
        let deadline = count(query, &holidays::calendar(db, first, last)?);
        let end = deadline.if_proven.map_or(deadline.day, |day| day.max(deadline.day)).year();
        if end < last {
            return Ok(deadline);
        }
        last = end + 1;
    }
}

/// Writes a query as a query string of `GET /deadlines`.
pub fn query_text(query: &DeadlineQuery) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(query_parameters(query)).finish()
}

/// Returns a query as the parameters of `GET /deadlines`, without those that are by default.
pub fn query_parameters(query: &DeadlineQuery) -> Vec<(String, String)> {
    let (kind, opened) = match query.notice {
        CourtNotice::Djen => (NoticeKind::Djen, None),
        CourtNotice::Published => (NoticeKind::Published, None),
        CourtNotice::Personal => (NoticeKind::Personal, None),
        CourtNotice::Portal(opened) => (NoticeKind::Portal, opened),
        CourtNotice::Domicilio(confirmed) => (NoticeKind::Domicilio, Some(confirmed)),
        CourtNotice::Day => (NoticeKind::Day, None),
    };
    let parameters = [
        ("from", Some(query.from.iso())),
        ("notice", (kind != NoticeKind::Djen).then(|| kind.as_str().to_owned())),
        ("opened", opened.map(Day::iso)),
        ("days", Some(query.days.get().to_string())),
        ("court", query.court.map(|court| court.as_str().to_owned())),
        ("city", query.city.as_ref().map(|city| city.text())),
        ("party", query.party.map(|party| party.as_str().to_owned())),
        ("rule", (query.rule != Rule::Cpc).then(|| query.rule.as_str().to_owned())),
        ("counting", query.counting.map(|counting| counting.as_str().to_owned())),
        ("custody", query.custody.then(|| true.to_string())),
    ];
    parameters.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}
