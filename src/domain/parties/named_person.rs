//! Reads what a text says about a person: a name, a CPF or CNPJ, and the part in the case, in any order and with any signs
//! between them: `Autor: João da Silva (CPF 111.444.777-35)`, `111.444.777-35 - João da Silva`.

pub mod case_part;
mod identity_document;
mod representative;
mod segments;
pub mod several;
pub mod tax_numbers;

use std::ops::Range;

use self::case_part::{is_description, is_part_in_case};
use self::identity_document::documents;
use self::representative::{is_representative, represented};
use self::segments::{has_words, is_between, outside, segments};
use self::tax_numbers::{CPF_DIGITS, has_long_number, numbers, without_words};
use crate::domain::TaxId;
use crate::domain::numbers::tax_id::completed_tax_id;

/// What a text about one person says.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedPerson {
    /// The name. Empty if there is a number alone.
    pub name: String,
    /// The CPF or CNPJ.
    pub number: Option<TaxId>,
    /// The identity card and other documents, each with its number: `RG 12.345.678-9 SSP/SP`.
    pub document: Option<String>,
    /// `true` if the text also says the part in the case, who acts for the person, or describes the person: `autor`, `casado`.
    pub says_more: bool,
    /// `true` if the name takes a decision: the text also has a number that is no CPF or CNPJ, that may be a phone, or
    /// that is one of several, or the person acts for another one.
    pub is_doubtful: bool,
}

impl NamedPerson {
    /// Parses a text. One with several numbers, with a number that may be a phone, or about a person who acts for
    /// another one, is a name as a whole.
    pub fn parse(text: &str) -> NamedPerson {
        let text = text.trim();
        let whole = NamedPerson {
            name: text.to_owned(),
            number: None,
            document: None,
            says_more: false,
            is_doubtful: true,
        };
        if let Ok(number) = TaxId::parse(&completed_tax_id(text)) {
            return NamedPerson { name: String::new(), number: Some(number), is_doubtful: false, ..whole };
        }
        if is_representative(text) {
            return whole;
        }
        let own = represented(text);
        let documents = documents(own);
        let (at, number) = match numbers(own)[..] {
            [(ref at, ref number)] => (Some(at.clone()), Some(number.clone())),
            _ => (None, None),
        };
        let mut places: Vec<_> = documents.iter().cloned().chain(at.clone()).collect();
        places.sort_unstable_by_key(|place| place.start);
        let is_doubtful = outside(own, &places).any(has_long_number);
        let (name, says_more) = name_beside(own, at.as_ref(), &places);
        let is_name = name.is_empty() && number.is_some()
            || name.chars().any(char::is_alphabetic)
                && name.bytes().filter(u8::is_ascii_digit).count() < CPF_DIGITS;
        if !is_name {
            return NamedPerson { is_doubtful, ..whole };
        }
        let says_more = says_more || own.len() < text.len();
        let documents = documents.into_iter().filter_map(|at| own.get(at)).collect::<Vec<_>>();
        let document = Some(documents.join(", ")).filter(|text| !text.is_empty());
        NamedPerson { name, number, document, says_more, is_doubtful }
    }

    /// Returns `true` if the text gives a number of the person: a CPF, a CNPJ or that of a document.
    pub fn has_number(&self) -> bool {
        self.number.is_some() || self.document.is_some()
    }
}

/// Returns the name beside a CPF or CNPJ and the places of all numbers, and `true` if parts of the text are no name: a
/// part in the case, or a description and all behind it.
fn name_beside(text: &str, number: Option<&Range<usize>>, places: &[Range<usize>]) -> (String, bool) {
    let mut name = String::new();
    let mut end = 0;
    let mut says_more = false;
    let mut follows_part = false;
    for at in segments(text, places) {
        let mut segment = text.get(at.clone()).unwrap_or_default().trim();
        let is_before = |number: &Range<usize>| {
            at.end <= number.start
                && text.get(at.end..number.start).is_some_and(|between| !has_words(between))
        };
        if number.is_some_and(is_before) {
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

/// Removes the signs around a name. A full stop stays behind a short word: `Ltda.`
fn trimmed_name(name: &str) -> &str {
    /// Longest word that is an abbreviation with its full stop.
    const SHORT: usize = "Ltda".len();
    let name = name.trim_matches(|c: char| c.is_whitespace() || "-–—,;:/|=·•".contains(c));
    let sentence = name.trim_end_matches('.');
    let last = sentence.rsplit(char::is_whitespace).next().unwrap_or_default();
    if last.len() > SHORT && !last.contains('.') { sentence } else { name }
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
            "Ana Lima, filha de Dora Melo e de Rui Luz, CPF 529.982.247-25",
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
    fn a_name_that_takes_a_decision_is_known() {
        for (text, is_so) in [
            ("Ana Lima 52998224725", false),
            ("Ana Lima (529.982.247-25) 2ª vara", false),
            ("529.982.247-25", false),
            ("Ana Lima 52998224726", true),
            ("Ana Lima (CPF 529.982.247-26)", true),
            ("Ana Lima 48998887754", true),
            ("Ana Lima (48) 98888-0000", true),
            ("Ana (529.982.247-25) e Bia (111.444.777-35)", true),
            ("Ana (529.982.247-25), RG 1.234.567-890", false),
            ("Ana (529.982.247-25), 1.234.567-890", true),
            ("Dora Melo (529.982.247-25), mãe do menor A. B.", true),
            ("Posto 2000 Ltda", false),
        ] {
            assert_eq!(NamedPerson::parse(text).is_doubtful, is_so, "{text}");
        }
    }
}
