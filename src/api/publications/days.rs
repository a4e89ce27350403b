//! The day of publication and the one on which a publication was made available (resources 15.4).

use crate::api::deadlines::{NoticeOfDeadline, office_calendar};
use crate::deadlines::{DeadlineDays, TypedDeadline};
use crate::domain::{Day, DeadlineReason, Invalid, ProcessNumber};
use crate::http::Draft;
use crate::records::{FieldType, LawsuitId, Publication};
use crate::store::nouns::lawsuits;
use crate::store::{self, Db};

/// Fills in the day of publication if a request leaves it open: the first working day after the publication was made available.
/// Adds what is wrong with the days.
pub(super) fn settle_days(
    db: Db<'_>,
    draft: &mut Draft<Publication>,
    present: Option<&Publication>,
    wrong: &mut Invalid,
) -> Result<(), store::Error> {
    if wrong.iter().any(|(field, _)| ["date", "date_available"].contains(&field)) {
        return Ok(());
    }
    let day = |column| draft.value_over(present, column).day();
    match (day("date_available"), day("date")) {
        (Some(available), Some(published)) => {
            ensure_days(Some(available), published).unwrap_or_else(|reasons| wrong.merge(reasons));
        }
        (Some(available), None) => {
            let published = first_working_day(db, draft, present, available)?;
            draft.set("date", published.to_value().into_owned());
        }
        (None, None) => wrong.add("date", DeadlineReason::NoPublicationDay.into()),
        (None, Some(_)) => {}
    }
    Ok(())
}

/// Refuses a publication that was made available after it was published.
pub(super) fn ensure_days(available: Option<Day>, published: Day) -> Result<(), Invalid> {
    match available {
        Some(available) if available > published => {
            Err(Invalid::one("date_available", DeadlineReason::AfterPublication.into()))
        }
        _ => Ok(()),
    }
}

/// Returns the first day after `available` on which the court of the publication works.
fn first_working_day(
    db: Db<'_>,
    draft: &Draft<Publication>,
    present: Option<&Publication>,
    available: Day,
) -> Result<Day, store::Error> {
    let text = |column| draft.value_over(present, column).text().unwrap_or_default().to_owned();
    let number = text("number");
    let lawsuit = match draft.value_over(present, "lawsuit_id").id() {
        None if !number.is_empty() => lawsuits::numbered(db, &ProcessNumber::from_stored(number.clone()))?,
        id => id.map(LawsuitId::from_stored),
    };
    let notice = NoticeOfDeadline {
        available: Some(available),
        published: None,
        court: text("court"),
        lawsuit: lawsuit.map(LawsuitId::get),
        number,
        ..NoticeOfDeadline::default()
    };
    // The day of publication does not depend on the number of days.
    let typed = TypedDeadline { days: DeadlineDays::lowest(), counting: None };
    Ok(office_calendar(db).count(&notice.query_without_city(db, typed, available)?)?.given)
}
