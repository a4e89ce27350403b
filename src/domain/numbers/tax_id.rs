//! The content of the member `identification`: the tax number of a person or a company.

use std::fmt;

use super::punctuation::is_digits;
use crate::domain::{Cnpj, Cpf, Reason};

/// Returns the search key for a whole tax id or its beginning, with or without punctuation, in any case.
pub use super::punctuation::compact as compact_tax_id;

/// A CPF or a CNPJ with valid check digits (contract 4.3).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TaxId {
    /// Tax number of a person.
    Cpf(Cpf),
    /// Tax number of a company.
    Cnpj(Cnpj),
}

impl TaxId {
    /// Parses either kind, with or without punctuation and in any case. The length decides which kind it is.
    pub fn parse(text: &str) -> Result<TaxId, Reason> {
        let cpf = Cpf::parse(text).map(TaxId::Cpf);
        cpf.or_else(|_| Cnpj::parse(text).map(TaxId::Cnpj)).map_err(|_| Reason::NotTaxId)
    }

    /// Returns the punctuated form, as it is stored and shown.
    pub fn as_str(&self) -> &str {
        match self {
            TaxId::Cpf(cpf) => cpf.as_str(),
            TaxId::Cnpj(cnpj) => cnpj.as_str(),
        }
    }

    /// Returns the search key, the form without punctuation: eleven digits or fourteen characters.
    pub fn compact(&self) -> String {
        compact_tax_id(self.as_str())
    }

    /// Returns the first eight characters of a CNPJ, which a company's head office and branches share. `None` for a CPF.
    pub fn root(&self) -> Option<String> {
        match self {
            TaxId::Cpf(_) => None,
            TaxId::Cnpj(_) => self.compact().get(..8).map(str::to_owned),
        }
    }

    /// Returns `true` for the CNPJs of one company's head office and branches.
    pub fn is_same_company(&self, other: &TaxId) -> bool {
        self.root().is_some_and(|root| Some(root) == other.root())
    }

    /// Wraps a text that the store wrote, without checking it.
    pub fn from_stored(text: String) -> TaxId {
        const CPF_LENGTH: usize = "529.982.247-25".len();
        if text.len() == CPF_LENGTH {
            TaxId::Cpf(Cpf::from_stored(text))
        } else {
            TaxId::Cnpj(Cnpj::from_stored(text))
        }
    }
}

impl From<TaxId> for String {
    fn from(tax_id: TaxId) -> String {
        match tax_id {
            TaxId::Cpf(cpf) => cpf.into(),
            TaxId::Cnpj(cnpj) => cnpj.into(),
        }
    }
}

impl fmt::Display for TaxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Restores the leading zeros of a CPF or CNPJ that a spreadsheet dropped, if the result has valid check digits.
pub fn completed_tax_id(text: &str) -> String {
    if !is_digits(text) || TaxId::parse(text).is_ok() {
        return text.to_owned();
    }
    let padded = [format!("{text:0>11}"), format!("{text:0>14}")];
    let right = padded.into_iter().find(|padded| TaxId::parse(padded).is_ok());
    right.unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_people_from_companies() {
        let cpf = TaxId::parse("52998224725").unwrap();
        assert!(matches!(cpf, TaxId::Cpf(_)));
        assert_eq!((cpf.as_str(), cpf.compact().as_str()), ("529.982.247-25", "52998224725"));

        let cnpj = TaxId::parse("12abc34501de35").unwrap();
        assert!(matches!(cnpj, TaxId::Cnpj(_)));
        assert_eq!((cnpj.as_str(), cnpj.compact().as_str()), ("12.ABC.345/01DE-35", "12ABC34501DE35"));

        for id in [cpf, cnpj] {
            assert_eq!(TaxId::from_stored(id.to_string()), id);
        }
    }

    #[test]
    fn refuses_other_texts() {
        for text in ["", "abc", "52998224724", "00000000000", "00000000000000", "11222333000180"] {
            assert_eq!(TaxId::parse(text), Err(Reason::NotTaxId));
        }
    }

    #[test]
    fn branches_belong_to_the_same_company() {
        let ids = ["11.222.333/0001-81", "11.222.333/0002-62", "12.ABC.345/01DE-35", "529.982.247-25"];
        let ids = ids.map(|id| TaxId::parse(id).unwrap());
        let same = |one: usize, other: usize| ids[one].is_same_company(&ids[other]);
        assert_eq!(
            [same(0, 1), same(0, 0), same(0, 2), same(0, 3), same(3, 3)],
            [true, true, false, false, false]
        );
    }

    #[test]
    fn a_term_is_reduced_to_its_key() {
        assert_eq!(compact_tax_id(" 12.abc.3"), "12ABC3");
        assert_eq!(compact_tax_id("529.98"), "52998");
    }
}
