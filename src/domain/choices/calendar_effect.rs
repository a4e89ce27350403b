//! What a day of a calendar of the courts changes.

use crate::domain::text::fold;
use crate::domain::{Bilingual, DeadlineReason, Reason};

/// The effect of a calendar's day on deadlines (deadlines 31.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CalendarEffect {
    /// `open`: the court works, although a wider row or a law closes it.
    Open,
    /// `partial`: the court works fewer hours, which moves the first and the last day of a deadline.
    Partial,
    /// `closed`: the court is closed.
    Closed,
}

impl CalendarEffect {
    /// The words, as they are stored and shown.
    pub const WORDS: [&str; 3] = ["closed", "partial", "open"];

    /// The words with their names for people.
    pub const NAMES: [(&str, Bilingual); 3] = [
        ("closed", ("Fechado", "Closed")),
        ("partial", ("Expediente reduzido", "Fewer hours")),
        ("open", ("Aberto", "Open")),
    ];

    /// Parses one of [`CalendarEffect::WORDS`] or a name of it, ignoring case and accents.
    pub fn parse(text: &str) -> Result<CalendarEffect, Reason> {
        match fold(text).as_str() {
            "closed"
            | "fechado"
            | "sem expediente"
            | "feriado"
            | "holiday"
            | "recesso"
            | "suspenso"
            | "suspensao"
            | "suspensao de prazos"
            | "suspensao do expediente"
            | "suspension" => Ok(CalendarEffect::Closed),
            "partial"
            | "parcial"
            | "expediente reduzido"
            | "expediente parcial"
            | "meio expediente"
            | "fewer hours"
            | "half day" => Ok(CalendarEffect::Partial),
            "open" | "aberto" | "com expediente" | "expediente normal" => Ok(CalendarEffect::Open),
            _ => Err(DeadlineReason::NotCalendarEffect.into()),
        }
    }

    /// Returns the word as it is stored and shown.
    pub fn as_str(self) -> &'static str {
        let [closed, partial, open] = CalendarEffect::WORDS;
        match self {
            CalendarEffect::Closed => closed,
            CalendarEffect::Partial => partial,
            CalendarEffect::Open => open,
        }
    }

    /// Converts a stored word. Any other text counts as `Closed`.
    pub fn from_stored(text: String) -> CalendarEffect {
        CalendarEffect::parse(&text).unwrap_or(CalendarEffect::Closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_read_in_both_languages_and_stored_as_one_word() {
        for word in CalendarEffect::WORDS {
            assert_eq!(CalendarEffect::parse(word).unwrap().as_str(), word);
            assert_eq!(CalendarEffect::from_stored(word.to_owned()).as_str(), word);
        }
        for (word, (pt, en)) in CalendarEffect::NAMES {
            for name in [pt, en] {
                assert_eq!(CalendarEffect::parse(name).map(CalendarEffect::as_str), Ok(word), "{name}");
            }
        }
        assert_eq!(CalendarEffect::parse(" FERIADO "), Ok(CalendarEffect::Closed));
        for text in ["", "sim", "true", "half"] {
            assert_eq!(
                CalendarEffect::parse(text),
                Err(DeadlineReason::NotCalendarEffect.into()),
                "{text:?}"
            );
        }
    }
}
