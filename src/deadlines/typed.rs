//! Deadlines as people write them: `15 dias úteis`, `15 du`, `5 dias corridos`, `10 dias`.

use super::numbers::number_in;
use super::{Counting, DeadlineDays};
use crate::domain::text::fold;
use crate::domain::{DeadlineReason, Lang, Reason};

/// Folded units of a deadline, each with the kind of days that it names.
const UNITS: &[(&str, Option<Counting>)] = &[
    ("d", None),
    ("dia", None),
    ("dias", None),
    ("day", None),
    ("days", None),
    ("du", Some(Counting::Working)),
    ("d u", Some(Counting::Working)),
    ("dia util", Some(Counting::Working)),
    ("dias uteis", Some(Counting::Working)),
    ("working day", Some(Counting::Working)),
    ("working days", Some(Counting::Working)),
    ("business day", Some(Counting::Working)),
    ("business days", Some(Counting::Working)),
    ("dc", Some(Counting::Calendar)),
    ("d c", Some(Counting::Calendar)),
    ("dia corrido", Some(Counting::Calendar)),
    ("dias corridos", Some(Counting::Calendar)),
    ("calendar day", Some(Counting::Calendar)),
    ("calendar days", Some(Counting::Calendar)),
];

/// Returns `true` for the folded unit of a deadline that runs from minute to minute.
pub fn is_hours(unit: &str) -> bool {
    ["h", "hs", "hora", "horas", "hour", "hours"].contains(&unit)
}

/// The digits of the largest number of days. A longer number without a unit is a day, such as `27112026`.
const MAX_DIGITS: usize = 3;

/// A deadline as a person wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedDeadline {
    pub days: DeadlineDays,
    /// The kind of days, if the text names it.
    pub counting: Option<Counting>,
}

impl TypedDeadline {
    /// Parses a number and a unit, between which the number may be repeated in words: `15 (quinze) dias`. Returns `None`
    /// for a text that is not a number followed by a word, such as a day.
    ///
    /// # Errors
    ///
    /// The unit is unknown or in hours, or missing behind a number of at most three digits, the number is not from 1 to
    /// 365, or the one in words is another.
    pub fn parse(text: &str) -> Option<Result<TypedDeadline, Reason>> {
        let text = text.trim();
        let unit = text.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let number = text.strip_suffix(unit).filter(|number| !number.is_empty())?;
        let unit = unit.trim_start();
        let (words, unit) = match unit.strip_prefix('(').and_then(|words| words.split_once(')')) {
            Some((words, unit)) => (words, unit.trim_start()),
            None => ("", unit),
        };
        if number_in(words).is_some_and(|repeated| number.parse() != Ok(repeated)) {
            return Some(Err(DeadlineReason::DeadlineNumbersDiffer.into()));
        }
        let is_bare = unit.is_empty() && number.len() <= MAX_DIGITS;
        (is_bare || unit.starts_with(char::is_alphabetic)).then(|| TypedDeadline::of(number, &fold(unit)))
    }

    /// Writes the deadline as [`TypedDeadline::parse`] reads it.
    pub fn text(self, lang: Lang) -> String {
        let [one, many] = match self.counting {
            None => lang.pick(["dia", "dias"], ["day", "days"]),
            Some(Counting::Working) => lang.pick(["dia útil", "dias úteis"], ["working day", "working days"]),
            Some(Counting::Calendar) => {
                lang.pick(["dia corrido", "dias corridos"], ["calendar day", "calendar days"])
            }
        };
        let days = self.days.get();
        format!("{days} {}", if days == 1 { one } else { many })
    }

    fn of(number: &str, unit: &str) -> Result<TypedDeadline, Reason> {
        if is_hours(unit) {
            return Err(DeadlineReason::DeadlineInHours.into());
        }
        let (_, counting) = UNITS
            .iter()
            .find(|(own, _)| *own == unit)
            .ok_or(Reason::Deadline(DeadlineReason::NotTypedDeadline))?;
        let days = DeadlineDays::parse(number).map_err(|_| DeadlineReason::NotDeadlineDays)?;
        Ok(TypedDeadline { days, counting: *counting })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_read_as_people_write_it() {
        for (text, days, counting) in [
            ("15 dias úteis", 15, Some(Counting::Working)),
            ("15 dias utéis", 15, Some(Counting::Working)),
            (" 15 DIAS UTEIS ", 15, Some(Counting::Working)),
            ("15du", 15, Some(Counting::Working)),
            ("15 d.u.", 15, Some(Counting::Working)),
            ("15 (quinze) dias úteis", 15, Some(Counting::Working)),
            ("025 (vinte e cinco) dias úteis", 25, Some(Counting::Working)),
            ("15 (prorrogado) dias úteis", 15, Some(Counting::Working)),
            ("1 dia útil", 1, Some(Counting::Working)),
            ("15 working days", 15, Some(Counting::Working)),
            ("5 dias corridos", 5, Some(Counting::Calendar)),
            ("5 dc", 5, Some(Counting::Calendar)),
            ("365 calendar days", 365, Some(Counting::Calendar)),
            ("10 dias", 10, None),
            ("10d", 10, None),
            ("010 days", 10, None),
        ] {
            let days = DeadlineDays::new(days).unwrap();
            assert_eq!(TypedDeadline::parse(text), Some(Ok(TypedDeadline { days, counting })), "{text}");
        }
    }

    #[test]
    fn a_deadline_is_written_as_it_is_read() {
        for (days, counting) in [
            (1, None),
            (15, None),
            (1, Some(Counting::Working)),
            (5, Some(Counting::Working)),
            (2, Some(Counting::Calendar)),
        ] {
            let typed = TypedDeadline { days: DeadlineDays::new(days).unwrap(), counting };
            for lang in [Lang::Pt, Lang::En] {
                assert_eq!(TypedDeadline::parse(&typed.text(lang)), Some(Ok(typed)), "{}", typed.text(lang));
            }
        }
    }

    #[test]
    fn a_wrong_deadline_is_refused_with_its_reason() {
        let not_days = Reason::Deadline(DeadlineReason::NotDeadlineDays);
        for (text, reason) in [
            ("0 dias", not_days),
            ("366 dias úteis", not_days),
            ("400du", not_days),
            ("99999999999999999999 dias", not_days),
            ("15 dias útels", DeadlineReason::NotTypedDeadline.into()),
            ("15 dais", DeadlineReason::NotTypedDeadline.into()),
            (" 15 ", DeadlineReason::NotTypedDeadline.into()),
            ("120", DeadlineReason::NotTypedDeadline.into()),
            ("15 (quinze)", DeadlineReason::NotTypedDeadline.into()),
            ("15 meses", DeadlineReason::NotTypedDeadline.into()),
            ("15 de novembro", DeadlineReason::NotTypedDeadline.into()),
            ("48 horas", DeadlineReason::DeadlineInHours.into()),
            ("48h", DeadlineReason::DeadlineInHours.into()),
            ("15 (vinte) dias", DeadlineReason::DeadlineNumbersDiffer.into()),
            ("15 (cinco) dias úteis", DeadlineReason::DeadlineNumbersDiffer.into()),
            ("20 (vinte e cinco) dias", DeadlineReason::DeadlineNumbersDiffer.into()),
            ("15 (10) dias", DeadlineReason::DeadlineNumbersDiffer.into()),
        ] {
            assert_eq!(TypedDeadline::parse(text), Some(Err(reason)), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_deadlines() {
        for text in [
            "",
            "2711",
            "27112026",
            "27/11",
            "2026-11-27",
            "14:30",
            "+15",
            "-15 dias",
            "amanhã",
            "dias",
            "15 (",
            "em 15 dias",
        ] {
            assert_eq!(TypedDeadline::parse(text), None, "{text:?}");
        }
    }
}
