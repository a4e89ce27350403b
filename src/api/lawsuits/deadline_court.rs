//! The court and the city of a lawsuit, as far as the count of its deadlines needs them (deadlines 31.8).

use crate::api::pages::View;
use crate::domain::{Court, CourtCity, Justice, UncountedCourt, court_of};

/// Returns the court whose deadlines are not counted, if the first court that is named is such a one: by the lawsuit, by its number, or
/// by the number of a publication.
pub fn uncounted_court(lawsuit: Option<&View>, number: &str) -> Option<UncountedCourt> {
    let of_lawsuit = lawsuit.into_iter().flat_map(|lawsuit| {
        let by_number = court_of(lawsuit.text("process_number"));
        [Some(lawsuit.text("court")), by_number].into_iter().flatten()
    });
    let mut names = of_lawsuit.chain(court_of(number));
    names.find_map(|name| match UncountedCourt::parse(name) {
        Some(court) => Some(Some(court)),
        None => Court::parse(name).ok().map(|_| None),
    })?
}

/// Returns the city that is the venue of a lawsuit. `None` for other venues, for a city outside the state of the court, and at the
/// superior courts, which no city closes.
pub fn court_city(lawsuit: &View, court: Option<Court>) -> Option<CourtCity> {
    let city = CourtCity::parse(lawsuit.text("venue")).ok()?;
    let is_of_court = court.is_none_or(|court| {
        let is_superior = matches!(court.justice(), Justice::Superior | Justice::Supreme);
        !is_superior && court.state().is_none_or(|state| state == *city.state())
    });
    is_of_court.then_some(city)
}
