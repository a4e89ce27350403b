//! The deadline that the text of a publication names: `no prazo de 15 (quinze) dias`, `em 5 dias úteis` (deadlines 31.10).

use super::numbers::{Number, TextWord, words};
use super::{Counting, DeadlineDays, TypedDeadline};

/// The deadline that a text names, and the words that do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDeadline {
    pub typed: TypedDeadline,
    pub quote: String,
}

impl NamedDeadline {
    /// Returns the deadline of a text, if the text names a single number of days. Numbers that cannot be read surely, such as
    /// `10 a 15 dias`, and deadlines in hours, months or years are further ones.
    pub fn in_text(text: &str) -> Option<NamedDeadline> {
        let words = words(text);
        let mut mentions = (0..words.len()).filter_map(|at| Mention::at(text, &words, at));
        let mut single = mentions.next()?;
        for mention in mentions {
            single = single.and(mention)?;
        }
        let quote = single.quote.filter(|quote| !quote.is_empty())?;
        Some(NamedDeadline { typed: single.typed?, quote })
    }
}

/// A place at which a text names a number of days, or a deadline in another unit.
struct Mention {
    /// `None` if it is no number of days that can be read surely.
    typed: Option<TypedDeadline>,
    /// The words, if they name a deadline and not another period.
    quote: Option<String>,
}

/// Number of words before a number among which `prazo` makes it that of a deadline.
const MAX_WORDS_TO_CUE: usize = 6;
/// Number of words in a quote before those that name the deadline.
const MAX_WORDS_BEFORE: usize = 6;

/// The words directly before a number that make it that of a deadline.
const CUES: &[&[&str]] =
    &[&["em"], &["em", "ate"], &["dentro", "de"], &["dentro", "em"], &["no", "maximo", "em"]];

const OTHER_UNITS: &[&str] = &["hora", "horas", "mes", "meses", "ano", "anos"];

impl Mention {
    /// Reads the mention whose unit is the word `at`.
    fn at(text: &str, words: &[TextWord], at: usize) -> Option<Mention> {
        let unit = words.get(at)?;
        let is_days = ["dia", "dias"].contains(&&*unit.folded);
        if !is_days && !OTHER_UNITS.contains(&&*unit.folded) {
            return None;
        }
        let after = words.get(at + 1);
        // A fine, counted in daily incomes.
        if after.is_some_and(|word| word.folded == "multa") {
            return None;
        }
        let before = words.get(..at)?;
        let number = Number::before(text, before, unit.begin)?;
        let cue = cue(words.get(..number.at)?);
        if !is_days && cue.is_none() {
            return None;
        }
        let counting = after.and_then(|word| match &*word.folded {
            "util" | "uteis" => Some(Counting::Working),
            "corrido" | "corridos" | "consecutivo" | "consecutivos" => Some(Counting::Calendar),
            _ => None,
        });
        let days = number.value.filter(|_| is_days).and_then(|days| DeadlineDays::new(days.into()));
        let end = after.filter(|_| counting.is_some()).map_or(unit.end, |word| word.end);
        let begin = |cue: usize| words.get(cue.saturating_sub(MAX_WORDS_BEFORE)).map_or(0, |word| word.begin);
        let quote = cue.and_then(|cue| text.get(begin(cue)..end)).map(|quote| {
            let words = quote.split_whitespace().collect::<Vec<_>>();
            words.join(" ")
        });
        Some(Mention { typed: days.map(|days| TypedDeadline { days, counting }), quote })
    }

    /// Returns the mention that both are, or `None` if they differ. One of them may leave the kind of days open.
    fn and(self, other: Mention) -> Option<Mention> {
        let (one, two) = (self.typed?, other.typed?);
        let agrees = one.counting.is_none() || two.counting.is_none() || one.counting == two.counting;
        let typed = TypedDeadline { days: one.days, counting: one.counting.or(two.counting) };
        (one.days == two.days && agrees)
            .then(|| Mention { typed: Some(typed), quote: self.quote.or(other.quote) })
    }
}

/// Returns the place of the word that makes a number after these words that of a deadline.
fn cue(before: &[TextWord]) -> Option<usize> {
    let ends = |cue: &&&[&str]| {
        let begin = before.len().checked_sub(cue.len());
        let last = begin.and_then(|begin| before.get(begin..)).unwrap_or_default();
        !last.is_empty() && last.iter().map(|word| &*word.folded).eq(cue.iter().copied())
    };
    let window = before.len().saturating_sub(MAX_WORDS_TO_CUE)..before.len();
    let is_term =
        |at: &usize| before.get(*at).is_some_and(|word| ["prazo", "prazos"].contains(&&*word.folded));
    let term = window.rev().find(is_term);
    term.or_else(|| Some(before.len() - CUES.iter().filter(ends).map(|cue| cue.len()).max()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_one_number_of_days_names_a_deadline() {
        for (text, days, counting, quote) in [
            ("Manifeste-se a parte autora em 15 dias.", 15, None, "Manifeste-se a parte autora em 15 dias"),
            ("no prazo de 15 (quinze) dias", 15, None, "no prazo de 15 (quinze) dias"),
            (
                "no prazo legal de 5 dias úteis, sob pena",
                5,
                Some(Counting::Working),
                "no prazo legal de 5 dias úteis",
            ),
            ("PRAZO: 10 DIAS CORRIDOS.", 10, Some(Counting::Calendar), "PRAZO: 10 DIAS CORRIDOS"),
            ("no prazo comum de quinze (15) dias", 15, None, "no prazo comum de quinze (15) dias"),
            ("prazo de quinze dias", 15, None, "prazo de quinze dias"),
            ("no prazo de 15dias", 15, None, "no prazo de 15dias"),
            ("no prazo de 15(quinze)dias", 15, None, "no prazo de 15(quinze)dias"),
            ("prazo de 45 (quarenta e cinco) dias", 45, None, "prazo de 45 (quarenta e cinco) dias"),
            ("prazo de quarenta e cinco (45) dias", 45, None, "prazo de quarenta e cinco (45) dias"),
            ("prazo de cento e vinte dias", 120, None, "prazo de cento e vinte dias"),
            ("contestar em até 05 (cinco) dias.", 5, None, "contestar em até 05 (cinco) dias"),
            ("pague dentro de 3 dias", 3, None, "pague dentro de 3 dias"),
            ("recorra no prazo de\n  8 (oito)\ndias", 8, None, "recorra no prazo de 8 (oito) dias"),
            // Twice the same.
            (
                "em 15 dias. Após os 15 (quinze) dias úteis, conclusos.",
                15,
                Some(Counting::Working),
                "em 15 dias",
            ),
            ("pena de 10 dias-multa; recorra em 5 dias", 5, None, "pena de 10 dias-multa; recorra em 5 dias"),
            (
                "aos 19 anos de idade; manifeste-se em 5 dias",
                5,
                None,
                "19 anos de idade; manifeste-se em 5 dias",
            ),
            ("todos os dias úteis. Prazo de 365 dias", 365, None, "todos os dias úteis. Prazo de 365 dias"),
        ] {
            let typed = TypedDeadline { days: DeadlineDays::new(days).unwrap(), counting };
            let named = NamedDeadline { typed, quote: quote.to_owned() };
            assert_eq!(NamedDeadline::in_text(text), Some(named), "{text}");
        }
    }

    #[test]
    fn a_text_with_several_or_unclear_numbers_names_none() {
        for text in [
            "",
            "Intimação.",
            "Prazo legal.",
            "nos dias 10 e 11; todos os dias",
            "O réu faltou há 30 dias.",
            "em 15 dias, e depois em 10 dias",
            "em 15 dias úteis, e depois em 15 dias corridos",
            "em 15 dias. Prazo de 48 horas para a caução.",
            "prazo de 2 (dois) meses; contestar em 15 dias",
            "faltou 30 dias; manifeste-se em 15 dias",
            "prazo de 10 a 15 dias",
            "prazo de 10/15 dias",
            "prazo de 5-10 dias",
            "prazo de dez ou quinze dias",
            "em 15 dias, e depois em treze dias",
            "prazo de cinco e quarenta dias",
            "prazo de cento e vinte e cinco dias",
            "prazo de 10, 15 e 20 dias",
            "prazo de 10 (quinze) dias",
            "prazo de 10 ou 15 (quinze) dias",
            "prazo de quarenta e cinco (44) dias",
            "prazo de 1.500 dias",
            "prazo de 0 dias",
            "prazo de 366 dias",
            "prazo de 99999999999999999999 dias",
            "prazo de 48 horas",
            "prazo de 10 dias-multa",
            "em ( ) dias",
            ") dias",
        ] {
            assert_eq!(NamedDeadline::in_text(text), None, "{text}");
        }
    }
}
