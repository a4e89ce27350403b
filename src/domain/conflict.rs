//! Conflicts of interest (events 23.3): the sides of a case, and how sure a conflict is.

use super::{Reason, TaxId};

/// Maximum number of names or numbers of one check.
pub const MOST: usize = 200;

/// A side of a case, from the office's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The office acts for the person.
    #[default]
    Customer,
    /// The office acts against the person.
    Opposing,
}

impl Side {
    /// The words of the API.
    pub const WORDS: [&str; 2] = ["customer", "opposing"];

    /// Parses one of [`Side::WORDS`].
    pub fn parse(text: &str) -> Result<Side, Reason> {
        match text {
            "customer" => Ok(Side::Customer),
            "opposing" => Ok(Side::Opposing),
            _ => Err(Reason::NotSide),
        }
    }

    /// Returns the word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Customer => "customer",
            Side::Opposing => "opposing",
        }
    }

    /// Returns the side on which this person must not be found.
    pub fn other(self) -> Side {
        match self {
            Side::Customer => Side::Opposing,
            Side::Opposing => Side::Customer,
        }
    }
}

/// The strongest sign that two entries are the same person or company, from the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchedBy {
    /// Both are the same customer of the office.
    Customer,
    /// The CPF or CNPJ.
    Identification,
    /// The first eight characters of a CNPJ, which the branches of a company share.
    CnpjRoot,
    /// The name only.
    Name,
}

impl MatchedBy {
    const ALL: [MatchedBy; 4] =
        [MatchedBy::Customer, MatchedBy::Identification, MatchedBy::CnpjRoot, MatchedBy::Name];

    /// Returns the word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            MatchedBy::Customer => "customer",
            MatchedBy::Identification => "identification",
            MatchedBy::CnpjRoot => "cnpj_root",
            MatchedBy::Name => "name",
        }
    }

    /// Returns the sign with this name.
    pub fn from_stored(text: &str) -> MatchedBy {
        MatchedBy::ALL.into_iter().find(|by| by.as_str() == text).unwrap_or(MatchedBy::Name)
    }

    /// Returns the result of a check whose gravest conflict has this sign.
    pub fn outcome(self) -> Outcome {
        if self == MatchedBy::Name { Outcome::Possible } else { Outcome::Certain }
    }
}

/// The result of a check, from the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// A record, a CPF or CNPJ, or the root of a CNPJ is on the other side.
    Certain,
    /// A similar name is on the other side.
    Possible,
    /// Nothing was found.
    None,
}

impl Outcome {
    /// Returns the word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Certain => "certain",
            Outcome::Possible => "possible",
            Outcome::None => "none",
        }
    }

    /// Returns the outcome with this name.
    pub fn from_stored(text: &str) -> Outcome {
        let all = [Outcome::Certain, Outcome::Possible];
        all.into_iter().find(|outcome| outcome.as_str() == text).unwrap_or(Outcome::None)
    }
}

/// The least score of a conflict by name, from 0.5 to 1, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConflictThreshold(u16);

impl Default for ConflictThreshold {
    fn default() -> ConflictThreshold {
        ConflictThreshold(800)
    }
}

impl ConflictThreshold {
    /// Parses a number from 0.5 to 1, with at most three decimal places and a point or a comma.
    pub fn parse(text: &str) -> Result<ConflictThreshold, Reason> {
        let text = text.trim().replace(',', ".");
        let is_plain = text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = text.parse::<f64>().ok().filter(|number| is_plain && (0.5..=1.0).contains(number));
        number.map(|number| ConflictThreshold((number * 1000.0).round() as u16)).ok_or(Reason::NotThreshold)
    }

    /// Wraps a number of thousandths that the store wrote.
    pub fn from_stored(thousandths: u16) -> ConflictThreshold {
        ConflictThreshold(thousandths)
    }

    /// Returns the threshold in thousandths, from 500 to 1000.
    pub fn thousandths(self) -> u16 {
        self.0
    }
}

impl TaxId {
    /// Returns the first eight characters of a CNPJ, which the branches of a company share.
    pub fn root(&self) -> Option<String> {
        match self {
            TaxId::Cpf(_) => None,
            TaxId::Cnpj(cnpj) => Some(cnpj.compact().chars().take(8).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_from_a_half_to_one() {
        for (text, thousandths) in [("0.5", 500), ("1", 1000), ("1.0", 1000), ("0,85", 850), (" 0.999 ", 999), (".5", 500)] {
            assert_eq!(ConflictThreshold::parse(text).map(ConflictThreshold::thousandths), Ok(thousandths), "{text}");
        }
        for text in ["0.49", "0.499", "1.01", "1.001", "", "-0.8", "8e-1", "NaN", "0.8.1", "0.80000000001"] {
            assert_eq!(ConflictThreshold::parse(text), Err(Reason::NotThreshold), "{text}");
        }
    }

    #[test]
    fn branches_share_a_root() {
        let root = |text: &str| TaxId::parse(text).unwrap().root();
        assert_eq!(root("11.222.333/0001-81").as_deref(), Some("11222333"));
        assert_eq!(root("11.222.333/0002-62"), root("11222333000181"));
        assert_eq!(root("12.ABC.345/01DE-35").as_deref(), Some("12ABC345"));
        assert_eq!(root("529.982.247-25"), None);
    }
}
