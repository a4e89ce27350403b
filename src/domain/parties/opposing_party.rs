//! The opposing parties of a lawsuit (events 23.2), in their text form and in their stored form.

use std::borrow::Cow;

use super::named_person::NamedPerson;
use super::named_person::case_part::is_part_in_case;
use super::named_person::tax_numbers::first_number;
use crate::domain::stored_json::{Tokens, quoted};
use crate::domain::text::fold;
use crate::domain::{Name, Reason, TaxId, blank, compact};

/// Maximum number of opposing parties of a lawsuit (events 23.2).
pub const MAX_PARTIES: usize = 200;

/// A party that a lawsuit is against, or that sues a customer of the office.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpposingParty {
    /// Number of the party within its lawsuit; 0 until it gets one.
    pub number: u32,
    /// Id of the customer, if the party is a customer of the office.
    pub customer: Option<u32>,
    /// Name of the party. `None` until the customer's name is filled in.
    pub name: Option<Name>,
    /// CPF or CNPJ of the party.
    pub identification: Option<TaxId>,
    /// Name of the party's lawyer.
    pub lawyer: Option<Name>,
}

/// The opposing parties of a lawsuit, in the order given.
///
/// The text form has one party per line: `Banco Exemplo S.A. (11.222.333/0001-81) [adv. Rui Prado]`. The line
/// of a party that is a customer also contains `[cliente 17]`. The stored form is a JSON array of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpposingParties(Vec<OpposingParty>);

impl OpposingParty {
    /// Parses one line of the text form.
    fn parse(line: &str) -> Result<OpposingParty, Reason> {
        let mut party = OpposingParty::default();
        let mut rest = line.trim();
        while let Some((before, inside)) = rest.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
            let (word, behind) = inside.trim().split_once(char::is_whitespace).unwrap_or((inside.trim(), ""));
            match word.trim_end_matches('.').to_lowercase().as_str() {
                "cliente" | "customer" => {
                    let customer = behind.trim().parse().ok().filter(|id| *id > 0);
                    party.customer = Some(customer.ok_or(Reason::NotId)?);
                }
                "adv" | "advogado" | "advogada" | "lawyer" => party.lawyer = Some(name(behind)?),
                _ => party.lawyer = Some(name(inside)?),
            }
            rest = before.trim_end();
        }
        let without_lawyer = match party.lawyer {
            None => party.take_lawyer(rest),
            Some(_) => rest.into(),
        };
        let mut rest = match without_lawyer.split_once(':') {
            Some((label, behind)) if is_part_in_case(label) && !behind.trim().is_empty() => behind.trim(),
            _ => &*without_lawyer,
        };
        if let Some((before, inside)) = rest.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
            // Text in parentheses that is no number, such as `(espólio)`, belongs to the name.
            let digits = inside.bytes().filter(u8::is_ascii_digit).count();
            let is_number = inside.chars().all(|c| c.is_ascii_alphanumeric() || " .-/".contains(c));
            if digits >= 9 && is_number || TaxId::parse(inside).is_ok() {
                let announced = NamedPerson::parse(inside).number.filter(|_| digits >= 9);
                party.identification =
                    Some(announced.ok_or(Reason::NotTaxId).or_else(|_| TaxId::parse(inside))?);
                rest = before.trim_end();
            }
        }
        let rest = if party.identification.is_none() { party.take_number(rest) } else { rest.into() };
        if !rest.is_empty() || party.customer.is_none() {
            party.name = Some(name(&rest)?);
        }
        Ok(party)
    }

    /// Sets the lawyer to the one that a text names behind a sign (`, adv. Rui Prado`), and returns the text without.
    fn take_lawyer<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let signs = text.char_indices().filter(|(_, c)| ",(|/-–—".contains(*c));
        for (at, sign) in signs {
            let Some((before, behind)) = text.split_at_checked(at) else { continue };
            let behind = behind.trim_start_matches(sign);
            let Some((lawyer, after)) = lawyer_at_start(behind) else { continue };
            let Ok(lawyer) = name(lawyer) else { continue };
            self.lawyer = Some(lawyer);
            let after = if sign == '(' { after.strip_prefix(')').unwrap_or(after) } else { after };
            return [before.trim_end(), after].concat().into();
        }
        text.into()
    }

    /// Sets the identification to the CPF or CNPJ in a text, the first of several, and returns the name beside it. A text that
    /// says more than that is the name as a whole.
    fn take_number<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let person = NamedPerson::parse(text);
        // Leading zeros that a spreadsheet dropped are only certain in a column of numbers.
        let is_complete = |number: &TaxId| compact(text).contains(&*compact(number.as_str()));
        let is_one = person.number.is_some();
        let number = person.number.or_else(|| first_number(text));
        let Some(number) = number.filter(is_complete) else { return text.into() };
        self.identification = Some(number);
        let says_more = person.says_more || person.document.is_some() || person.is_doubtful || !is_one;
        let says_more = says_more || fold(&person.name).split(' ').any(is_lawyer);
        if says_more || person.name.is_empty() { text.into() } else { person.name.into() }
    }

    fn line(&self) -> String {
        let mut line = self.name.as_ref().map(|name| name.as_str().to_owned()).unwrap_or_default();
        let mut add = |text: String| {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&text);
        };
        self.identification.iter().for_each(|number| add(format!("({})", number.as_str())));
        self.customer.iter().for_each(|id| add(format!("[cliente {id}]")));
        self.lawyer.iter().for_each(|lawyer| add(format!("[adv. {lawyer}]")));
        line
    }
}

fn is_lawyer(word: &str) -> bool {
    matches!(word, "adv" | "advogado" | "advogada")
}

/// Splits a text that begins with a word for a lawyer into the lawyer's name, with the number of the bar, and what is behind it.
/// The word in full takes a colon or a capital letter behind it: `advogada: Rui`, not `advogado em Criciúma`.
fn lawyer_at_start(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let word = text.split(|c: char| !c.is_alphabetic()).next().filter(|word| is_lawyer(&fold(word)))?;
    let behind = text.strip_prefix(word)?;
    let behind = behind.strip_prefix("(a)").unwrap_or(behind);
    let named = behind.trim_start_matches(|c: char| c.is_whitespace() || ".:".contains(c));
    let is_announced = behind.starts_with(':') || word.chars().count() <= "adv".len();
    let is_certain = is_announced || named.starts_with(char::is_uppercase);
    let is_end = |(at, sign): &(usize, &str)| {
        let next = named.get(at + sign.len()..).unwrap_or_default().trim_start();
        !fold(next.get(..3).unwrap_or_default()).starts_with("oab")
    };
    let ends = [",", "|", " - ", " – "].into_iter().flat_map(|sign| named.match_indices(sign));
    let end = ends.filter(is_end).map(|(at, _)| at).chain(closing(named)).min().unwrap_or(named.len());
    let (lawyer, after) = named.split_at_checked(end)?;
    (is_certain && lawyer.contains(char::is_alphabetic)).then_some((lawyer.trim(), after))
}

/// Returns the place of the first closing parenthesis whose opening one is not in the text.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return Some(at),
            ')' => open -= 1,
            _ => {}
        }
    }
    None
}

/// Parses the name of a party or a lawyer. Fails with `NotPartyName` if it contains `;`, `[` or `]`, which
/// separate parties in the text form.
pub fn name(text: &str) -> Result<Name, Reason> {
    let name = Name::parse(text)?;
    if name.as_str().contains([';', '[', ']']) { Err(Reason::NotPartyName) } else { Ok(name) }
}

/// Returns `true` for a CPF or CNPJ behind such a word, without a name.
fn is_number_alone(line: &str) -> bool {
    let person = NamedPerson::parse(line);
    person.number.is_some() && person.name.is_empty() && line.contains(char::is_alphabetic)
}

impl OpposingParties {
    /// Wraps a list of parties. Fails with `TooManyParties` above [`MAX_PARTIES`].
    pub fn of(parties: Vec<OpposingParty>) -> Result<OpposingParties, Reason> {
        if parties.len() > MAX_PARTIES {
            Err(Reason::TooManyParties { most: MAX_PARTIES })
        } else {
            Ok(OpposingParties(parties))
        }
    }

    /// Parses the text form, in which line breaks or semicolons separate the parties.
    pub fn parse(text: &str) -> Result<OpposingParties, Reason> {
        let mut parties: Vec<OpposingParty> = Vec::new();
        for line in text.split(['\n', ';']).filter(|line| !blank(line)) {
            let party = OpposingParty::parse(line)?;
            match parties.last_mut() {
                Some(last) if last.identification.is_none() && is_number_alone(line) => {
                    last.identification = party.identification;
                }
                _ => parties.push(party),
            }
        }
        OpposingParties::of(parties)
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the parties in the order given.
    pub fn iter(&self) -> impl Iterator<Item = &OpposingParty> {
        self.0.iter()
    }

    /// Iterates over the parties mutably, so that the caller can fill in names and numbers.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut OpposingParty> {
        self.0.iter_mut()
    }

    /// Returns `true` if the parties are those of a lawsuit, in its order. Names and tax ids that the lawsuit has from its
    /// customers may be missing here, and numbers too.
    pub fn is_contained_in(&self, stored: &OpposingParties) -> bool {
        let fits = |(own, stored): (&OpposingParty, &OpposingParty)| {
            own.customer == stored.customer
                && own.lawyer == stored.lawyer
                && (own.name == stored.name || own.name.is_none() && own.customer.is_some())
                && (own.identification == stored.identification
                    || own.name.is_none() && own.identification.is_none())
        };
        self.0.len() == stored.0.len() && self.0.iter().zip(&stored.0).all(fits)
    }

    /// Formats the text form, with `between` as the separator.
    pub fn text(&self, between: &str) -> String {
        self.0.iter().map(OpposingParty::line).collect::<Vec<_>>().join(between)
    }

    /// Numbers the parties; `earlier` are the previous parties of the lawsuit. A party keeps the number of
    /// the earlier party that has its number or equals it. Any other party gets the next number.
    pub fn number(&mut self, earlier: &OpposingParties) {
        let key = |party: &OpposingParty| (party.customer, party.name.clone(), party.identification.clone());
        let mut left = earlier.0.iter().map(|party| (party.number, key(party))).collect::<Vec<_>>();
        let mut last = left.iter().map(|(number, _)| *number).max().unwrap_or(0);
        for party in &mut self.0 {
            let own = left.iter().position(|(number, _)| *number == party.number);
            let same = || left.iter().position(|(_, other)| *other == key(party));
            party.number = match own.or_else(same) {
                Some(at) => left.swap_remove(at).0,
                None => {
                    last = last.saturating_add(1);
                    last
                }
            };
        }
    }

    /// Formats the stored form, a JSON array.
    pub fn to_json(&self) -> String {
        let party = |party: &OpposingParty| {
            let mut json = format!("{{\"party_id\":{}", party.number);
            party.customer.iter().for_each(|id| json.push_str(&format!(",\"customer_id\":{id}")));
            let texts = [
                ("name", party.name.as_ref().map(Name::as_str)),
                ("identification", party.identification.as_ref().map(TaxId::as_str)),
                ("lawyer", party.lawyer.as_ref().map(Name::as_str)),
            ];
            for (member, text) in texts {
                let Some(text) = text else { continue };
                json.push_str(&format!(",\"{member}\":{}", quoted(text)));
            }
            json + "}"
        };
        format!("[{}]", self.0.iter().map(party).collect::<Vec<_>>().join(","))
    }

    /// Parses the output of [`OpposingParties::to_json`], without checking it.
    pub fn from_json(json: &str) -> OpposingParties {
        let mut parties = Vec::new();
        let mut tokens = Tokens(json);
        while let Some(member) = tokens.next() {
            let Some(value) = tokens.next() else { break };
            if member == "party_id" {
                parties
                    .push(OpposingParty { number: value.parse().unwrap_or(0), ..OpposingParty::default() });
            }
            let Some(party) = parties.last_mut() else { continue };
            match member.as_str() {
                "customer_id" => party.customer = value.parse().ok(),
                "name" => party.name = Some(Name::from_stored(value)),
                "identification" => party.identification = Some(TaxId::from_stored(value)),
                "lawyer" => party.lawyer = Some(Name::from_stored(value)),
                _ => {}
            }
        }
        OpposingParties(parties)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_party_is_parsed_from_and_written_to_one_line() {
        for (text, line) in [
            ("Banco Exemplo S.A.", "Banco Exemplo S.A."),
            (" Banco Exemplo (11222333000181) ", "Banco Exemplo (11.222.333/0001-81)"),
            ("José Lima (espólio)", "José Lima (espólio)"),
            ("Ana (529.982.247-25) [Rui Prado]", "Ana (529.982.247-25) [adv. Rui Prado]"),
            ("Ana [Adv. Rui Prado] [cliente 17]", "Ana [cliente 17] [adv. Rui Prado]"),
            ("[customer 17]", "[cliente 17]"),
            ("Alfa Ltda - CNPJ 11.222.333/0001-81", "Alfa Ltda (11.222.333/0001-81)"),
            ("CNPJ 11.222.333/0001-81 Alfa Ltda", "Alfa Ltda (11.222.333/0001-81)"),
            ("11.222.333/0001-81 - Alfa Ltda [adv. Rui]", "Alfa Ltda (11.222.333/0001-81) [adv. Rui]"),
            ("Alfa Ltda, 11222333000181", "Alfa Ltda (11.222.333/0001-81)"),
            ("Alfa Ltda (CNPJ 11.222.333/0001-81)", "Alfa Ltda (11.222.333/0001-81)"),
            (
                "Alfa Ltda, CNPJ nº 11222333000181, adv. Rui Prado",
                "Alfa Ltda (11.222.333/0001-81) [adv. Rui Prado]",
            ),
            (
                "Alfa Ltda, Advogado(a): Rui Prado - OAB/SC 123, CNPJ 11222333000181",
                "Alfa Ltda (11.222.333/0001-81) [adv. Rui Prado - OAB/SC 123]",
            ),
            ("Alfa S/A, advogado: Rui Prado (OAB 123/SP)", "Alfa S/A [adv. Rui Prado (OAB 123/SP)]"),
            ("Alfa (adv. Rui Prado (OAB 1/SP))", "Alfa [adv. Rui Prado (OAB 1/SP)]"),
            ("Réu: Alfa Ltda", "Alfa Ltda"),
            ("1ª Ré: Alfa Ltda (11.222.333/0001-81)", "Alfa Ltda (11.222.333/0001-81)"),
            ("Réu:", "Réu:"),
            ("Projeto Réu: Alfa", "Projeto Réu: Alfa"),
            ("Alfa Ltda (adv. Rui) (11.222.333/0001-81)", "Alfa Ltda (11.222.333/0001-81) [adv. Rui]"),
            ("Alfa Ltda - Advogada Ana Lima", "Alfa Ltda [adv. Ana Lima]"),
            ("João Reis, advogado em Criciúma", "João Reis, advogado em Criciúma"),
            ("João Reis, advogado, OAB/SC 123", "João Reis, advogado, OAB/SC 123"),
            ("Lima & Reis Advogados", "Lima & Reis Advogados"),
            // Of two numbers, the one beside the name.
            (
                "Alfa Ltda, CNPJ 11.222.333/0001-81, sócio CPF 529.982.247-25",
                "Alfa Ltda, CNPJ 11.222.333/0001-81, sócio CPF 529.982.247-25 (11.222.333/0001-81)",
            ),
            (
                "11.222.333/0001-81 Alfa Ltda e 529.982.247-25 Ana",
                "11.222.333/0001-81 Alfa Ltda e 529.982.247-25 Ana (11.222.333/0001-81)",
            ),
            (
                "Alfa Ltda CNPJ 11.222.333/0001-81 fone 48 98888-0000",
                "Alfa Ltda CNPJ 11.222.333/0001-81 fone 48 98888-0000 (11.222.333/0001-81)",
            ),
            ("Alfa CNPJ 11222333000181 (ré)", "Alfa CNPJ 11222333000181 (ré) (11.222.333/0001-81)"),
            ("Advance Ltda - CNPJ 11.222.333/0001-81", "Advance Ltda (11.222.333/0001-81)"),
            ("Alfa Ltda; CNPJ 11.222.333/0001-81; Ana", "Alfa Ltda (11.222.333/0001-81)\nAna"),
            (
                "Alfa Ltda (529.982.247-25); CNPJ 11.222.333/0001-81",
                "Alfa Ltda (529.982.247-25)\nCNPJ 11.222.333/0001-81 (11.222.333/0001-81)",
            ),
            ("529.982.247-25", "529.982.247-25 (529.982.247-25)"),
            // The leading zeros of 001.000.020-80 are missing.
            ("100002080", "100002080"),
            ("Sala 100002080", "Sala 100002080"),
        ] {
            let parties = OpposingParties::parse(text).unwrap();
            assert_eq!(parties.text("\n"), line);
            assert_eq!(OpposingParties::parse(line).unwrap(), parties);
        }
        assert_eq!(OpposingParties::parse("Ana; Bia\nCaio\n\n").unwrap().text("; "), "Ana; Bia; Caio");
    }

    #[test]
    fn invalid_parties_are_refused() {
        for (text, reason) in [
            ("Ana (529.982.247-26)", Reason::NotTaxId),
            ("(529.982.247-25)", Reason::Blank),
            ("--", Reason::NoLetterOrDigit),
            ("Ana [cliente x]", Reason::NotId),
            ("Ana [adv. ]", Reason::Blank),
            ("Ana] Bia", Reason::NotPartyName),
        ] {
            assert_eq!(OpposingParties::parse(text), Err(reason), "{text}");
        }
        let many = |count| OpposingParties::parse(&"Ana\n".repeat(count));
        assert!(many(MAX_PARTIES).is_ok());
        assert_eq!(many(MAX_PARTIES + 1), Err(Reason::TooManyParties { most: MAX_PARTIES }));
    }

    #[test]
    fn a_party_keeps_its_number() {
        let numbered = |text: &str, earlier: &OpposingParties| {
            let mut parties = OpposingParties::parse(text).unwrap();
            parties.number(earlier);
            let numbers = parties.iter().map(|party| party.number).collect::<Vec<_>>();
            (parties, numbers)
        };
        let (first, numbers) = numbered("Ana; Bia; Ana", &OpposingParties::default());
        assert_eq!(numbers, [1, 2, 3]);
        let (second, numbers) = numbered("Caio; Bia", &first);
        assert_eq!(numbers, [4, 2]);
        let mut sent = second.clone();
        sent.iter_mut().for_each(|party| party.lawyer = name("Rui").ok());
        sent.number(&second);
        assert_eq!(sent.iter().map(|party| party.number).collect::<Vec<_>>(), [4, 2]);
    }

    proptest! {
        #[test]
        fn parties_survive_a_json_round_trip(texts in prop::collection::vec("[A-Za-zç\"\\\\{}:, .]{0,9}[a-z]", 0..4)) {
            // Some texts are refused as names, such as the placeholder `{{,}}a`.
            let names = texts.iter().filter_map(|text| name(text).ok());
            let mut parties = OpposingParties::of(names.map(|name| OpposingParty {
                customer: (name.as_str().len() % 2 == 0).then_some(17),
                lawyer: (name.as_str().len() % 3 == 0).then(|| name.clone()),
                name: Some(name),
                ..OpposingParty::default()
            }).collect()).unwrap();
            parties.number(&OpposingParties::default());
            prop_assert_eq!(OpposingParties::from_json(&parties.to_json()), parties);
        }
    }
}
