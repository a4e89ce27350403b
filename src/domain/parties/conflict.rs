//! Conflicts of interest (events 23.3): the sides of a case, and how sure a conflict is.

use crate::domain::Reason;

/// Maximum number of names or numbers of one check.
pub const MAX_PEOPLE: usize = 200;

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

    /// Returns [`Side::Opposing`] if `is_opposing`, else [`Side::Customer`].
    pub fn opposing_if(is_opposing: bool) -> Side {
        if is_opposing { Side::Opposing } else { Side::Customer }
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
    pub fn outcome(self) -> ConflictOutcome {
        if self == MatchedBy::Name { ConflictOutcome::Possible } else { ConflictOutcome::Certain }
    }
}

/// The result of a check, from the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConflictOutcome {
    /// A record, a CPF or CNPJ, or the root of a CNPJ is on the other side.
    Certain,
    /// A similar name is on the other side.
    Possible,
    /// Nothing was found.
    None,
}

impl ConflictOutcome {
    /// Returns the word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            ConflictOutcome::Certain => "certain",
            ConflictOutcome::Possible => "possible",
            ConflictOutcome::None => "none",
        }
    }

    /// Returns the outcome with this name.
    pub fn from_stored(text: &str) -> ConflictOutcome {
        let all = [ConflictOutcome::Certain, ConflictOutcome::Possible];
        all.into_iter().find(|outcome| outcome.as_str() == text).unwrap_or(ConflictOutcome::None)
    }
}
