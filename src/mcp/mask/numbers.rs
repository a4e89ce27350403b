//! Numbers in texts that tell who someone is: CPF, CNPJ, case numbers, phones, documents, postal codes.

use std::ops::Range;

use crate::domain::TaxId;

/// What stands in the place of a number or an address.
pub const MASKED: &str = "•••";

/// A place in a text, and what stands there instead.
pub type Hidden = (Range<usize>, String);

/// Fewest digits of a number that is taken for one of a person. Days, times, amounts and laws are told by their form.
const MIN_DIGITS: usize = 7;

/// Number of characters of a CNPJ, the longest number with check digits that is looked for.
const CNPJ_CHARACTERS: usize = 14;

/// Maximum number of words of one number.
const MAX_WORDS: usize = 24;

/// Maximum number of signs and blanks between the digits of one number.
const MAX_BETWEEN: usize = 12;

/// Signs that end a number, apart from one with check digits.
const ENDS: &str = ",:;\n";

/// Returns the numbers of people among the folded words of a text.
pub fn numbers(text: &str, words: &[(Range<usize>, String)]) -> Vec<Hidden> {
    let mut hidden = Vec::new();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let run = run(text, rest);
        let has_time = |taken: &usize| (1..*taken).any(|at| between(text, run, at - 1) == ":");
        let (taken, replacement) = match harmless(text, run) {
            Some(taken) if has_time(&taken) => (taken, None),
            other => match identification(text, run) {
                Some((taken, number)) => (taken, Some(tax_id(&number).to_owned())),
                None => other.map_or_else(|| long_number(text, run), |taken| (taken, None)),
            },
        };
        let place = rest.first().zip(rest.get(taken.max(1) - 1));
        if let (Some(replacement), Some(((first, _), (last, _)))) = (replacement, place) {
            hidden.push((first.start..last.end, replacement));
        }
        at += taken.max(1);
    }
    hidden
}

/// Returns what stands in the place of a CPF or CNPJ.
pub fn tax_id(number: &TaxId) -> &'static str {
    if number.root().is_some() { "CNPJ •••" } else { "CPF •••" }
}

/// Returns the words at the beginning that may belong to one number.
fn run<'w>(text: &str, words: &'w [(Range<usize>, String)]) -> &'w [(Range<usize>, String)] {
    let words = words.get(..words.len().min(MAX_WORDS)).unwrap_or_default();
    let ends = words.windows(2).position(|pair| !matches!(pair, [one, next] if is_joined(text, one, next)));
    words.get(..ends.map_or(words.len(), |end| end + 1)).unwrap_or_default()
}

fn is_joined(text: &str, (one, _): &(Range<usize>, String), (next, _): &(Range<usize>, String)) -> bool {
    let between = text.get(one.end..next.start).unwrap_or_default();
    !between.is_empty() && between.chars().count() <= MAX_BETWEEN
}

fn between<'t>(text: &'t str, run: &[(Range<usize>, String)], at: usize) -> &'t str {
    let places = run.get(at).zip(run.get(at + 1));
    places.and_then(|((one, _), (next, _))| text.get(one.end..next.start)).unwrap_or_default()
}

/// Returns `true` if all characters are numeric, of any script.
fn is_numeric(word: &str) -> bool {
    !word.is_empty() && word.chars().all(char::is_numeric)
}

/// Returns the CPF or CNPJ that begins a run, and how many words it takes. Only digits may be apart by blanks.
fn identification(text: &str, run: &[(Range<usize>, String)]) -> Option<(usize, TaxId)> {
    let mut number = String::new();
    let mut has_blanks = false;
    for (at, (_, word)) in run.iter().enumerate() {
        number.push_str(word);
        if number.len() > CNPJ_CHARACTERS {
            return None;
        }
        if let Ok(found) = TaxId::parse(&number)
            && (is_numeric(&number) || !has_blanks)
        {
            return Some((at + 1, found));
        }
        has_blanks |= between(text, run, at).contains(char::is_whitespace);
    }
    None
}

/// Returns how many words a day, time, amount or law at the beginning takes, unless more digits follow without a blank, as in a
/// case number.
fn harmless(text: &str, run: &[(Range<usize>, String)]) -> Option<usize> {
    let taken = harmless_form(text, run)?;
    let rest = run.get(taken..).unwrap_or_default();
    let ends =
        rest.is_empty() || has_end(between(text, run, taken - 1)) || harmless_form(text, rest).is_some();
    ends.then_some(taken)
}

fn has_end(between: &str) -> bool {
    between.contains(|c: char| c.is_whitespace() || ENDS.contains(c))
}

fn harmless_form(text: &str, run: &[(Range<usize>, String)]) -> Option<usize> {
    let word = |at: usize| run.get(at).map(|(_, word)| word.as_str()).filter(|word| is_numeric(word));
    let long = |at: usize| word(at).map_or(0, str::len);
    let number = |at: usize| word(at).and_then(|word| word.parse::<u32>().ok()).unwrap_or(u32::MAX);
    let is_year = |at: usize| long(at) == 4 && (1800..2200).contains(&number(at));
    let is_day = |day: usize, month: usize| {
        (1..=31).contains(&number(day))
            && (1..=12).contains(&number(month))
            && long(day).max(long(month)) <= 2
    };
    let signs =
        |first: usize, sign: &str, last: usize| (first..last).all(|at| between(text, run, at) == sign);
    let is_apart = |at: usize| matches!(between(text, run, at), "-" | "/" | ".");
    let is_date = (is_year(0) && is_day(2, 1) || is_day(0, 1) && is_year(2)) && is_apart(0) && is_apart(1);
    let time_from = if is_date { 3 } else { 0 };
    let is_time = |at: usize| {
        number(at) < 24 && number(at + 1) < 60 && long(at + 1) == 2 && between(text, run, at) == ":"
    };
    if is_time(time_from) && (!is_date || between(text, run, 2) == " ") {
        let has_seconds = long(time_from + 2) == 2 && between(text, run, time_from + 1) == ":";
        return Some(time_from + if has_seconds { 3 } else { 2 });
    }
    if is_date {
        return Some(3);
    }
    // An amount has points between its thousands, and a comma before its cents.
    let thousands = (1..run.len()).take_while(|at| long(*at) == 3 && signs(at - 1, ".", *at)).count();
    if long(0) <= 3 && long(0) > 0 && long(thousands + 1) == 2 && between(text, run, thousands) == "," {
        return Some(thousands + 2);
    }
    // A law has the year behind its number.
    match (long(0), long(1)) {
        (1..=5, _) if is_year(1) && between(text, run, 0) == "/" => Some(2),
        (1..=3, 3) if is_year(2) && signs(0, ".", 1) && between(text, run, 1) == "/" => Some(3),
        _ => None,
    }
}

/// Returns how many words a number takes, and what stands in its place if it is long.
fn long_number(text: &str, run: &[(Range<usize>, String)]) -> (usize, Option<String>) {
    let is_part = |at: &usize| {
        let rest = run.get(*at..).unwrap_or_default();
        let goes_on = || {
            let between = between(text, run, at - 1);
            let ends = between.contains(". ") || between.contains(|c| ENDS.contains(c));
            // A hyphen at the end of a line goes on in the next.
            (!ends || matches!(between, "-\n" | "-\r\n"))
                && (!has_end(between) || harmless(text, rest).is_none())
        };
        rest.first().is_some_and(|(_, word)| is_numeric(word)) && (*at == 0 || goes_on())
    };
    let taken = (0..run.len()).take_while(is_part).count();
    let digits: usize = run.iter().take(taken).map(|(_, word)| word.chars().count()).sum();
    (taken, (digits >= MIN_DIGITS).then(|| MASKED.to_owned()))
}
