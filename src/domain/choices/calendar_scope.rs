//! Where a day of a calendar of the courts holds.

use crate::domain::numbers::court::Court;
use crate::domain::text::fold;
use crate::domain::{DeadlineReason, Line, Reason, State};

/// Longest name of a city in a scope, in characters. The longest one in Brazil has 32.
const MAX_CITY_CHARACTERS: usize = 60;

/// Longest scope, in characters: that of a city, with the slash and the two letters of its state.
pub const MAX_CHARACTERS: usize = MAX_CITY_CHARACTERS + 3;

/// A city with its state, such as `Criciúma/SC`.
#[derive(Clone, Debug)]
pub struct CourtCity {
    name: String,
    state: State,
}

impl CourtCity {
    /// Parses a name and a state: `Criciúma/SC`, `Criciúma - SC`, `Criciúma (Santa Catarina)`.
    pub fn parse(text: &str) -> Result<CourtCity, Reason> {
        let (name, state) = name_and_state(text).ok_or(DeadlineReason::NotCity)?;
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = Line::<MAX_CITY_CHARACTERS>::parse(&name).map_err(|_| DeadlineReason::NotCity)?;
        if is_city_name(name.as_str()) {
            Ok(CourtCity { name: name.into(), state })
        } else {
            Err(DeadlineReason::NotCity.into())
        }
    }

    /// Returns the state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the text as it is shown, such as `Criciúma/SC`.
    pub fn text(&self) -> String {
        [self.name.as_str(), "/", self.state.as_str()].concat()
    }
}

/// Splits a text into a name and the state after it: `Criciúma/SC`, `Criciúma (SC)`, `Criciúma - Santa Catarina`,
/// `Criciúma SC`. A space separates them only before two capital letters, and a dash before a full name only after a
/// space: `Ji-Paraná` is a name.
fn name_and_state(text: &str) -> Option<(&str, State)> {
    let text = text.trim();
    let text = text.strip_suffix(')').unwrap_or(text);
    text.char_indices().rev().find_map(|(at, separator)| {
        let (name, rest) = text.split_at_checked(at)?;
        let letters = rest.trim_start_matches(separator).trim();
        let is_short = State::parse(letters).is_ok();
        let separates = match separator {
            '/' | ',' | '(' => true,
            '-' | '–' | '—' => is_short || name.ends_with(' '),
            ' ' => is_short && letters.chars().all(char::is_uppercase),
            _ => false,
        };
        let state = State::named(letters).filter(|_| separates)?;
        Some((name.trim_end_matches([' ', '-', '–', '—', '/', ',', '(']), state))
    })
}

/// Returns `false` for what stands before a state and is no city: a court (`TRT/SP`), its parts (`Vara/SP`), a state.
/// The shortest names of cities have three letters.
fn is_city_name(text: &str) -> bool {
    const OF_COURTS: [&str; 22] = [
        "brasil", "camara", "cartorio", "comarca", "estado", "foro", "forum", "juizado", "justica", "secao",
        "stf", "stj", "subsecao", "tre", "trf", "tribunal", "trt", "tst", "turma", "vara", "varas", "zona",
    ];
    let name = fold(text);
    let is_of_court = name.split(' ').any(|word| OF_COURTS.contains(&word)) || Court::parse(text).is_ok();
    let letters = name.chars().filter(|letter| letter.is_alphabetic()).count();
    letters >= 3 && !text.contains(['/', ',', '(']) && !is_of_court
}

/// Cities are equal if their names are, ignoring case, accents and punctuation.
impl PartialEq for CourtCity {
    fn eq(&self, other: &CourtCity) -> bool {
        self.state == other.state && fold(&self.name) == fold(&other.name)
    }
}

impl Eq for CourtCity {}

/// Names of states that are also those of cities, folded.
const CITIES_TOO: [&str; 8] =
    ["amapa", "espirito santo", "goias", "mato grosso", "parana", "rio de janeiro", "sao paulo", "tocantins"];

/// Where a calendar's row holds: in the country, a state, a city or at a court (deadlines 31.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CalendarPlace {
    /// `br`.
    Country,
    /// A state, such as `SP`.
    State(State),
    /// A city, such as `Criciúma/SC`.
    City(CourtCity),
    /// A court, such as `TJSP`.
    Court(Court),
}

/// The scope of a calendar's row, as it is stored and shown: `br`, `SP`, `Criciúma/SC` or `TJSP`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarScope(String);

text_value!(CalendarScope);

impl CalendarPlace {
    /// Returns the order of places, of which a narrower one is greater.
    pub fn width(&self) -> u8 {
        match self {
            CalendarPlace::Country => 0,
            CalendarPlace::State(_) => 1,
            CalendarPlace::City(_) => 2,
            CalendarPlace::Court(_) => 3,
        }
    }
}

impl CalendarScope {
    /// Parses a scope in any case and in its usual spellings. `Brasil` and `Nacional` count as `br`. The name of a
    /// state that is also that of a city is refused.
    pub fn parse(text: &str) -> Result<CalendarScope, Reason> {
        let reason = match CITIES_TOO.contains(&&*fold(text)) {
            true => DeadlineReason::StateOrCity,
            false => DeadlineReason::NotCalendarScope,
        };
        place(text).map(|place| CalendarScope(shown(&place))).ok_or(reason.into())
    }

    /// Returns the place, or `None` if the store has a text that is no scope.
    pub fn place(&self) -> Option<CalendarPlace> {
        place(&self.0)
    }
}

fn place(text: &str) -> Option<CalendarPlace> {
    let country = matches!(fold(text).as_str(), "br" | "brasil" | "brazil" | "nacional")
        .then_some(CalendarPlace::Country);
    country
        .or_else(|| state(text).map(CalendarPlace::State))
        .or_else(|| Court::parse(text).ok().map(CalendarPlace::Court))
        .or_else(|| CourtCity::parse(text).ok().map(CalendarPlace::City))
}

/// Returns the state that a text names: `SC`, `Santa Catarina`, `Estado de São Paulo`.
fn state(text: &str) -> Option<State> {
    let folded = fold(text);
    let mut words = ["estado de ", "estado da ", "estado do "].into_iter();
    match words.find_map(|words| folded.strip_prefix(words)) {
        Some(name) => State::named(name),
        None => State::named(text).filter(|_| !CITIES_TOO.contains(&&*folded)),
    }
}

fn shown(place: &CalendarPlace) -> String {
    match place {
        CalendarPlace::Country => "br".to_owned(),
        CalendarPlace::State(state) => state.as_str().to_owned(),
        CalendarPlace::City(city) => city.text(),
        CalendarPlace::Court(court) => court.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_stored_in_one_notation() {
        for (text, scope) in [
            ("br", "br"),
            (" Brasil ", "br"),
            ("Nacional", "br"),
            ("sp", "SP"),
            ("Criciúma/sc", "Criciúma/SC"),
            ("  São  Paulo / SP ", "São Paulo/SP"),
            ("tjsp", "TJSP"),
            ("TRT-2", "TRT2"),
            ("Criciúma - SC", "Criciúma/SC"),
            ("Criciúma-sc", "Criciúma/SC"),
            ("CRICIUMA SC", "CRICIUMA/SC"),
            ("Criciúma (SC)", "Criciúma/SC"),
            ("Criciúma, Santa Catarina", "Criciúma/SC"),
            ("Ji-Paraná – RO", "Ji-Paraná/RO"),
            ("São Paulo, São Paulo", "São Paulo/SP"),
            ("Santa Catarina", "SC"),
            ("Estado de São Paulo", "SP"),
            ("estado de sc", "SC"),
            ("TJ SC", "TJSC"),
            ("TJ - SC", "TJSC"),
            ("TRT da 12ª Região", "TRT12"),
            ("Tribunal de Justiça de São Paulo", "TJSP"),
        ] {
            let parsed = CalendarScope::parse(text).unwrap();
            assert_eq!(parsed.as_str(), scope, "{text}");
            assert_eq!(CalendarScope::parse(scope).unwrap(), parsed, "{text}");
        }
        for text in [
            "",
            "Criciúma",
            "Criciúma/XX",
            "/SC",
            "A/B/SC",
            "XX",
            "TRE-SC",
            "A\u{7}B/SC",
            "Ji-Paraná",
            "Tribunal SC",
        ] {
            assert_eq!(CalendarScope::parse(text), Err(DeadlineReason::NotCalendarScope.into()), "{text:?}");
        }
        for text in ["São Paulo", "RIO DE JANEIRO", "Goiás"] {
            assert_eq!(CalendarScope::parse(text), Err(DeadlineReason::StateOrCity.into()), "{text}");
        }
        assert_eq!(
            CourtCity::parse(&["a".repeat(61).as_str(), "/SC"].concat()),
            Err(DeadlineReason::NotCity.into())
        );
    }

    #[test]
    fn a_court_or_a_state_is_no_city() {
        assert_eq!(CalendarScope::parse("TJ/GO").unwrap().as_str(), "TJGO");
        assert_eq!(CalendarScope::parse("trf/3").unwrap().as_str(), "TRF3");
        for text in [
            "TRT/SP",
            "TJSP/SP",
            "SC/SC",
            "BR/SP",
            "Brasil/SP",
            "Vara/SP",
            "1ª Vara/SP",
            "Juizado Especial - SP",
            "123/SP",
            "A/SC",
        ] {
            assert_eq!(CalendarScope::parse(text), Err(DeadlineReason::NotCalendarScope.into()), "{text}");
        }
        assert!(CalendarScope::parse("Itá/SC").is_ok() && CalendarScope::parse("Varginha/MG").is_ok());
    }

    #[test]
    fn cities_are_compared_without_case_and_accents() {
        let city = |text| CourtCity::parse(text).unwrap();
        assert_eq!(city("São Paulo/SP"), city("SAO PAULO/sp"));
        assert_ne!(city("Bom Jesus/SC"), city("Bom Jesus/RS"));
    }
}
