//! Reads what a text says about a person: a name, a CPF or CNPJ, and the part in the case, in any order and with any signs
//! between them: `Autor: João da Silva (CPF 111.444.777-35)`, `111.444.777-35 - João da Silva`.

use std::ops::Range;

use super::numbers::tax_id::completed_tax_id;
use super::{Phone, TaxId, fold};

/// What a text about one person says.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedPerson {
    /// The name. Empty if there is a number alone.
    pub name: String,
    /// The CPF or CNPJ.
    pub number: Option<TaxId>,
    /// `true` if the text also says the part in the case, or describes the person: `autor`, `casado`.
    pub says_more: bool,
    /// `true` if the text also has a number that is no CPF or CNPJ, that may be a phone, or that is one of several.
    pub has_unread_number: bool,
}

impl NamedPerson {
    /// Parses a text. One with several numbers, or with a number that may be a phone, is a name as a whole.
    pub fn parse(text: &str) -> NamedPerson {
        let text = text.trim();
        if let Ok(number) = TaxId::parse(&completed_tax_id(text)) {
            let name = String::new();
            return NamedPerson { name, number: Some(number), says_more: false, has_unread_number: false };
        }
        let (at, number) = match numbers(text)[..] {
            [(ref at, ref number)] => (at.clone(), Some(number.clone())),
            _ => (text.len()..text.len(), None),
        };
        let has_unread_number = has_long_number(text.get(..at.start)) || has_long_number(text.get(at.end..));
        let (name, says_more) = name_beside(text, &at);
        let is_name = name.is_empty() && number.is_some()
            || name.chars().any(char::is_alphabetic)
                && name.bytes().filter(u8::is_ascii_digit).count() < CPF_DIGITS;
        match is_name {
            true => NamedPerson { name, number, says_more, has_unread_number },
            false => NamedPerson { name: text.to_owned(), number: None, says_more: false, has_unread_number },
        }
    }
}

const CPF_DIGITS: usize = 11;
/// Fewest digits of a number that may be a CPF without its leading zeros, or a phone.
const LONG_NUMBER: usize = 9;

/// Returns the CPF or CNPJ that stands first in a text, beside the name.
pub fn first_number(text: &str) -> Option<TaxId> {
    numbers(text).into_iter().min_by_key(|(at, _)| at.start).map(|(_, number)| number)
}

fn has_long_number(text: Option<&str>) -> bool {
    let text = text.unwrap_or_default();
    ranges(text, |c| c.is_ascii_digit() || c.is_whitespace() || "./-–()".contains(c))
        .filter_map(|at| text.get(at))
        .any(|run| run.bytes().filter(u8::is_ascii_digit).count() >= LONG_NUMBER)
}

/// Words between a name and its CPF or CNPJ, folded.
const BEFORE_NUMBER: [&str; 9] = ["cnpj", "cpf", "doc", "documento", "mf", "n", "no", "numero", "sob"];

/// Returns each CPF and CNPJ in a text with its place.
fn numbers(text: &str) -> Vec<(Range<usize>, TaxId)> {
    let mut found = Vec::new();
    let is_part = |c: char| c.is_ascii_digit() || c.is_whitespace() || "./-–".contains(c);
    for run in ranges(text, is_part) {
        let whole = trimmed(text, run.clone());
        let mut parts = vec![whole.clone()];
        let pieces = ranges(text.get(run.clone()).unwrap_or_default(), |c| !c.is_whitespace());
        parts.extend(pieces.map(|own| trimmed(text, run.start + own.start..run.start + own.end)));
        for part in parts {
            let is_in_whole = found.iter().any(|(own, _): &(Range<usize>, _)| own.end >= part.end);
            let number = number_at(text, &part).filter(|_| !is_in_whole);
            found.extend(number.map(|number| (part, number)));
        }
    }
    // A CNPJ may have letters.
    for part in ranges(text, |c| c.is_ascii_alphanumeric() || "./-".contains(c)) {
        let digits = text.get(part.clone()).unwrap_or_default();
        let has_letters = digits.contains(|c: char| c.is_ascii_alphabetic());
        if let Ok(number) = TaxId::parse(digits)
            && has_letters
            && digits.starts_with(|c: char| c.is_ascii_digit())
            && !found.iter().any(|(own, _)| part.contains(&own.start))
        {
            found.push((part, number));
        }
    }
    found
}

/// Returns the number at a place. Digits that may be a phone are one only in brackets or behind a word such as `CPF`, and those
/// that lack leading zeros only behind such a word.
fn number_at(text: &str, at: &Range<usize>) -> Option<TaxId> {
    let digits = text.get(at.clone())?;
    let number = TaxId::parse(&completed_tax_id(digits)).ok()?;
    let before = text.get(..at.start)?;
    let is_introduced = without_words(before).len() < before.trim_end_matches(is_between).len();
    let is_in_brackets = before.trim_end().ends_with(['(', '[']);
    let is_short = digits.bytes().all(|byte| byte.is_ascii_digit()) && !matches!(digits.len(), 11 | 14);
    let plain: String = digits.chars().filter(char::is_ascii_digit).collect();
    let last = digits.rsplit(|c: char| !c.is_ascii_digit()).next();
    let is_punctuated = digits.contains('.') || last.is_some_and(|last| last.len() == 2);
    let has_nine = plain.len() == CPF_DIGITS && plain.get(2..3) == Some("9");
    let may_be_phone = has_nine && !is_punctuated && Phone::parse(&plain).is_ok();
    let is_certain = !is_short && (!may_be_phone || is_in_brackets);
    (is_certain || is_introduced).then_some(number)
}

/// Returns `true` for signs between a name and what stands beside it.
fn is_between(c: char) -> bool {
    !c.is_alphanumeric() && c != ')' && c != ']'
}

/// Removes the words of [`BEFORE_NUMBER`] from the end of a text, and the signs there.
fn without_words(text: &str) -> &str {
    let mut rest = text.trim_end_matches(is_between);
    loop {
        let dotted = ["C.P.F", "C.N.P.J"].into_iter().find(|word| rest.ends_with(word));
        let last = || rest.rsplit(|c: char| !c.is_alphanumeric()).next();
        let word = dotted.or_else(last).unwrap_or_default();
        let is_word = dotted.is_some() || BEFORE_NUMBER.contains(&&*fold(word));
        match rest.strip_suffix(word).filter(|_| is_word && !word.is_empty()) {
            Some(before) => rest = before.trim_end_matches(is_between),
            None => return rest,
        }
    }
}

/// Returns the name beside a number at this place, and `true` if parts of the text are no name: a part in the case, or a
/// description and all behind it.
fn name_beside(text: &str, number: &Range<usize>) -> (String, bool) {
    let mut name = String::new();
    let mut end = 0;
    let mut says_more = false;
    let mut follows_part = false;
    for at in segments(text, number) {
        let mut segment = text.get(at.clone()).unwrap_or_default().trim();
        if at.end <= number.start && text.get(at.end..number.start).is_some_and(|between| !has_words(between))
        {
            let shorter = without_words(segment);
            segment =
                if shorter.len() < segment.trim_end_matches(is_between).len() { shorter } else { segment };
        }
        let is_word = without_words(segment).is_empty();
        let is_ending = follows_part && segment.len() <= 2;
        follows_part = is_part_in_case(segment) || is_ending;
        if follows_part || is_word {
            says_more |= follows_part;
            continue;
        }
        if !name.is_empty() && is_description(segment) {
            says_more = true;
            break;
        }
        let start = at.start + text.get(at).unwrap_or_default().find(segment).unwrap_or_default();
        match text.get(end..start).filter(|between| !name.is_empty() && !has_words(between)) {
            Some(between) => name += between,
            None if name.is_empty() => {}
            None => name.push(' '),
        }
        name += segment;
        end = start + segment.len();
        if name.matches('(').count() > name.matches(')').count()
            && text.get(end..).is_some_and(|rest| rest.starts_with(')'))
        {
            name.push(')');
            end += 1;
        }
    }
    (trimmed_name(&name).to_owned(), says_more)
}

fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Splits a text at brackets, commas, line breaks, dashes beside white space, and at the number.
fn segments(text: &str, number: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut ends = Vec::new();
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let is_spaced = [last, next].iter().any(|c| c.is_whitespace() || "()[]".contains(*c));
        let beside_number = at + c.len_utf8() == number.start || at == number.end;
        let is_sign = "()[]{},;:|=·•–—\n\r\t".contains(c)
            || "-/".contains(c) && (is_spaced || beside_number && number.start < number.end);
        if is_sign || number.contains(&at) {
            ends.push(at..at + c.len_utf8());
        }
        last = c;
    }
    ends.push(text.len()..text.len());
    let starts = std::iter::once(0).chain(ends.clone().into_iter().map(|own| own.end));
    let segments = starts.zip(ends).map(|(start, end)| start..end.start);
    segments
        .filter(|own| own.start < own.end)
        .filter(|own| has_words(text.get(own.clone()).unwrap_or_default()))
}

/// Removes the signs around a name. A full stop stays behind a short word: `Ltda.`
fn trimmed_name(name: &str) -> &str {
    /// Longest word that is an abbreviation with its full stop.
    const SHORT: usize = "Ltda".len();
    let name = name.trim_matches(|c: char| c.is_whitespace() || "-–—,;:/|=·•".contains(c));
    let sentence = name.trim_end_matches('.');
    let last = sentence.rsplit(char::is_whitespace).next().unwrap_or_default();
    if last.len() > SHORT && !last.contains('.') { sentence } else { name }
}

/// Returns the maximal runs of such characters.
fn ranges(text: &str, is_one: impl Fn(char) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| is_one(*c)) {
        match runs.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end = at + c.len_utf8(),
            None => runs.push(at..at + c.len_utf8()),
        }
    }
    runs.into_iter()
}

/// Returns a place without the signs around its digits.
fn trimmed(text: &str, at: Range<usize>) -> Range<usize> {
    let own = text.get(at.clone()).unwrap_or_default();
    let is_digit = |c: char| c.is_ascii_digit();
    match (own.find(is_digit), own.rfind(is_digit)) {
        (Some(first), Some(last)) => at.start + first..at.start + last + 1,
        _ => at.start..at.start,
    }
}

/// Signs and words between the names of several people.
const AND: [&str; 6] = [",", "/", "+", "&", " e ", " and "];

/// Splits a text at the signs and words by which people join names: `Ana Lima e Bia Reis`.
pub fn joined(text: &str) -> Vec<&str> {
    let mut names = vec![text];
    for between in AND {
        names = names.into_iter().flat_map(|name| name.split(between)).collect();
    }
    names.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// Endings of words for people: `autor`, `autora`.
const ENDINGS: [&str; 8] = ["", "o", "a", "s", "os", "as", "es", "esa"];

/// First words of what the papers of a case say about a person behind the name: `Ana Lima, brasileira, casada`. Folded,
/// without the ending.
const DESCRIPTIONS: [&str; 22] = [
    "aposentad",
    "assistid",
    "brasileir",
    "casad",
    "cpf",
    "desempregad",
    "divorciad",
    "domiciliad",
    "estrangeir",
    "inscrit",
    "maior",
    "menor",
    "nascid",
    "natural",
    "portador",
    "portugues",
    "representad",
    "residente",
    "rg",
    "separad",
    "solteir",
    "viuv",
];

/// Words for a part in a case, folded, without the ending: of those who sue, of those who are sued, and of others.
const SUING: [&str; 13] = [
    "agravante",
    "apelante",
    "autor",
    "demandante",
    "embargante",
    "exequente",
    "impetrante",
    "querelante",
    "reclamante",
    "reconvinte",
    "recorrente",
    "requerente",
    "suplicante",
];
const SUED: [&str; 14] = [
    "agravad",
    "apelad",
    "demandad",
    "denunciad",
    "embargad",
    "executad",
    "impetrad",
    "querelad",
    "re",
    "reclamad",
    "reconvind",
    "recorrid",
    "requerid",
    "reu",
];
const OTHER_PARTS: [&str; 6] =
    ["assistente", "cliente", "interessad", "inventariad", "inventariante", "litisconsorte"];
/// Words beside them, folded.
const BESIDE_PARTS: [&str; 6] = ["ativo", "e", "parte", "passivo", "polo", "principal"];

fn is_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|own| word.strip_prefix(own).is_some_and(|ending| ENDINGS.contains(&ending)))
}

fn is_description(segment: &str) -> bool {
    is_of(&DESCRIPTIONS, fold(segment).split(' ').next().unwrap_or_default())
}

/// Returns `true` if a text says nothing but a part in the case: `autor`, `1º réu`, `polo ativo`.
pub fn is_part_in_case(segment: &str) -> bool {
    let folded = fold(segment);
    let is_part = |word: &str| [&SUING[..], &SUED, &OTHER_PARTS].iter().any(|own| is_of(own, word));
    let is_beside = |word: &str| {
        BESIDE_PARTS.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit()) && word.len() <= 3
    };
    folded.split(' ').any(|word| is_part(word) || word == "polo")
        && folded.split(' ').all(|word| is_part(word) || is_beside(word))
}

/// Returns `true` if a text says of parties that they sue and of others that they are sued: `Autor: Ana Lima; Réu: Banco Alfa`.
pub fn has_both_sides(text: &str) -> bool {
    let no_number = text.len()..text.len();
    let parts = segments(text, &no_number).filter_map(|at| text.get(at));
    let parts = parts.filter(|segment| is_part_in_case(segment)).map(fold).collect::<Vec<_>>();
    let is_named = |words: &[&str], pole: &str| {
        let mut all = parts.iter().flat_map(|part| part.split(' '));
        all.any(|word| word == pole || is_of(words, word))
    };
    is_named(&SUING, "ativo") && is_named(&SUED, "passivo")
}

/// Returns `true` if a word such as `versus` stands between two names.
pub fn is_versus(text: &str) -> bool {
    let mut words = text.split_whitespace().map(fold).skip(1);
    words.any(|word| ["contra", "versus", "vs", "x"].contains(&&*word))
}

/// Returns the names that a text joins, without what it says about a person behind the name.
pub fn people(text: &str) -> Vec<&str> {
    let parts = joined(text).into_iter().enumerate();
    parts.take_while(|(at, part)| *at == 0 || !is_description(part)).map(|(_, part)| part).collect()
}

/// Splits a text into those for each customer. A name and a number on lines of their own, or a number behind `CPF` after a
/// semicolon, are one customer.
pub fn customers_in(text: &str) -> Vec<&str> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for at in ranges(text, |c| !";\n\r·".contains(c)) {
        let own = text.get(at.clone()).unwrap_or_default();
        if own.trim().is_empty() {
            continue;
        }
        let joins = parts.last().is_some_and(|last| {
            let before = text.get(last.clone()).unwrap_or_default();
            let between = text.get(last.end..at.start).unwrap_or_default();
            let is_line = !between.contains([';', '·']);
            completes(before, own, is_line) || is_line && completes(own, before, is_line)
        });
        match parts.last_mut().filter(|_| joins) {
            Some(last) => last.end = at.end,
            None => parts.push(at),
        }
    }
    parts.into_iter().filter_map(|at| text.get(at)).map(str::trim).collect()
}

/// Returns `true` if a name has no number, and the other text is a number, or says a part in the case. If they are not on
/// lines of their own, a word must announce the number.
fn completes(name: &str, other: &str, is_line: bool) -> bool {
    let other_person = NamedPerson::parse(other);
    let is_number = other_person.number.is_some() && other_person.name.is_empty();
    let is_announced = is_line || other.contains(char::is_alphabetic);
    let named = NamedPerson::parse(name);
    let is_name = !named.name.is_empty() && !is_part_in_case(name);
    is_name && (is_number && is_announced && named.number.is_none() || is_line && is_part_in_case(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPF: &str = "529.982.247-25";

    #[test]
    fn a_number_beside_a_name_is_parted_from_it() {
        for (text, name) in [
            ("Ana Lima (529.982.247-25)", "Ana Lima"),
            ("Ana Lima (CPF 529.982.247-25)", "Ana Lima"),
            ("Ana Lima (CPF: 52998224725)", "Ana Lima"),
            ("Ana Lima (52998224725)", "Ana Lima"),
            ("Ana Lima - CPF: 529.982.247-25", "Ana Lima"),
            ("Ana Lima, CPF nº 529.982.247-25.", "Ana Lima"),
            ("Ana Lima 529.982.247-25", "Ana Lima"),
            ("Ana Lima (mãe) CPF/MF nº 529.982.247-25", "Ana Lima (mãe)"),
            ("ANA LIMA – C.P.F. 529.982.247-25", "ANA LIMA"),
            ("CPF 529.982.247-25", ""),
            ("(CPF: 529.982.247-25)", ""),
            ("529.982.247-25", ""),
            // Without a blank, and in front of the name.
            ("Ana Lima(CPF529.982.247-25)", "Ana Lima"),
            ("Ana Lima(529.982.247-25)", "Ana Lima"),
            ("Ana Lima-529.982.247-25", "Ana Lima"),
            ("529.982.247-25 - Ana Lima", "Ana Lima"),
            ("52998224725-2 Ana Lima", "52998224725-2 Ana Lima"),
            ("CPF 529.982.247-25: Ana Lima", "Ana Lima"),
            ("(529.982.247-25) Ana Lima", "Ana Lima"),
            ("529 982 247 25 Ana Lima", "Ana Lima"),
            ("529.982.247 - 25 / Ana Lima", "Ana Lima"),
            ("Ana Lima\nCPF 529.982.247-25", "Ana Lima"),
            ("LIMA, ANA (529.982.247-25)", "LIMA, ANA"),
            ("Ana-Maria Lima | 529.982.247-25", "Ana-Maria Lima"),
            ("Ana Lima e Cia. (529.982.247-25)", "Ana Lima e Cia."),
            // No area code of a phone.
            ("Ana Lima 52998224725", "Ana Lima"),
            // May be a phone.
            ("Ana Lima 48998887754", "Ana Lima 48998887754"),
            ("Ana (529.982.247-25) e Bia (111.444.777-35)", "Ana (529.982.247-25) e Bia (111.444.777-35)"),
            ("Sala 191", "Sala 191"),
        ] {
            let person = NamedPerson::parse(text);
            assert_eq!((&*person.name, person.says_more), (name, false), "{text}");
            assert_eq!(person.number.map(String::from).as_deref(), (name != text).then_some(CPF), "{text}");
        }
        let plain = NamedPerson::parse("João da Silva 11144477735");
        assert_eq!((&*plain.name, plain.number.is_some()), ("João da Silva", true));
        for text in ["Alfa (12.ABC.345/01DE-35)", "12.ABC.345/01DE-35 - Alfa", "CNPJ 12ABC34501DE35 Alfa"] {
            let alfa = NamedPerson::parse(text);
            assert_eq!((&*alfa.name, alfa.number.is_some()), ("Alfa", true), "{text}");
        }
    }

    #[test]
    fn the_part_in_the_case_and_descriptions_are_no_part_of_the_name() {
        for text in [
            "Ana Lima (CPF 529.982.247-25) (autora)",
            "Ana Lima (autora) (CPF 529.982.247-25)",
            "Autora: Ana Lima - CPF 529.982.247-25",
            "529.982.247-25 - Ana Lima - Requerente",
            "Ana Lima, autora, CPF 529.982.247-25",
            "Ana Lima [1ª RÉ] 529.982.247-25",
            "Autor(a): Ana Lima (529.982.247-25)",
            "Ana Lima\nCPF 529.982.247-25\nautora",
            "Ana Lima, brasileira, casada, CPF 529.982.247-25",
            "Ana Lima (529.982.247-25), brasileira, residente na Rua das Flores, 100",
            "Ana Lima, inscrita no CPF sob o nº 529.982.247-25",
            "Polo ativo: Ana Lima (529.982.247-25)",
        ] {
            let person = NamedPerson::parse(text);
            assert_eq!((&*person.name, person.says_more), ("Ana Lima", true), "{text}");
            assert_eq!(person.number.map(String::from).as_deref(), Some(CPF), "{text}");
        }
        for (text, name) in [
            ("Ana Lima (autora)", "Ana Lima"),
            ("Réu: Ana Lima", "Ana Lima"),
            ("Ana Lima - cliente", "Ana Lima"),
            ("Ana Lima (CPF 529.982.247-26)", "Ana Lima"),
        ] {
            assert_eq!(NamedPerson::parse(text).name, name);
        }
        for text in ["Natural Cosméticos Ltda.", "Autora", "Maria Ré", "Silva & Autor Ltda"] {
            let person = NamedPerson::parse(text);
            assert_eq!((&*person.name, person.says_more), (text, false));
        }
    }

    #[test]
    fn a_number_that_is_not_read_is_known() {
        for (text, is_so) in [
            ("Ana Lima 52998224725", false),
            ("Ana Lima (529.982.247-25) 2ª vara", false),
            ("529.982.247-25", false),
            ("Ana Lima 52998224726", true),
            ("Ana Lima (CPF 529.982.247-26)", true),
            ("Ana Lima 48998887754", true),
            ("Ana Lima (48) 98888-0000", true),
            ("Ana (529.982.247-25) e Bia (111.444.777-35)", true),
            ("Ana (529.982.247-25), RG 1.234.567-890", true),
            ("Posto 2000 Ltda", false),
        ] {
            assert_eq!(NamedPerson::parse(text).has_unread_number, is_so, "{text}");
        }
    }

    #[test]
    fn the_sides_of_a_case_are_told_apart() {
        for (text, is_so) in [
            ("AUTOR: Ana; RÉU: Bia", true),
            ("Ana (autora)\nBanco Alfa (ré)", true),
            ("Reclamante: Ana / Reclamada: Alfa Ltda", true),
            ("Polo ativo: Ana; polo passivo: Bia", true),
            ("Ana (autora); Bia (autora)", false),
            ("Ana (autora); Bia (interessada)", false),
            ("Autor Livraria Ltda; Réu", false),
        ] {
            assert_eq!(has_both_sides(text), is_so, "{text}");
        }
        assert!(
            is_versus("Ana Lima x Banco Alfa") && is_versus("Ana VS. Bia") && !is_versus("X Comércio Ltda")
        );
    }

    #[test]
    fn lines_of_one_customer_are_one_part() {
        for (text, parts) in [
            ("Ana Lima\nCPF 529.982.247-25", &["Ana Lima\nCPF 529.982.247-25"][..]),
            ("529.982.247-25\r\nAna Lima", &["529.982.247-25\r\nAna Lima"]),
            ("Ana Lima; CPF 529.982.247-25", &["Ana Lima; CPF 529.982.247-25"]),
            ("Ana Lima; 529.982.247-25", &["Ana Lima", "529.982.247-25"]),
            ("Ana Lima\nautora\nBia Reis", &["Ana Lima\nautora", "Bia Reis"]),
            ("Ana\n529.982.247-25\nBia\n111.444.777-35", &["Ana\n529.982.247-25", "Bia\n111.444.777-35"]),
            ("529.982.247-25\n111.444.777-35", &["529.982.247-25", "111.444.777-35"]),
            ("Ana Lima; Bia Reis\n\n", &["Ana Lima", "Bia Reis"]),
            ("Ana (529.982.247-25); Bia (111.444.777-35)", &["Ana (529.982.247-25)", "Bia (111.444.777-35)"]),
            (" ; ", &[]),
        ] {
            assert_eq!(customers_in(text), parts, "{text}");
        }
    }
}
