//! The states of Brazil.

use super::Reason;

/// The 26 states and the Federal District.
pub const STATES: [&str; 27] = [
    "AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "GO", "MA", "MG", "MS", "MT", "PA", "PB", "PE", "PI",
    "PR", "RJ", "RN", "RO", "RR", "RS", "SC", "SE", "SP", "TO",
];

/// One of the 27 units of the federation, as its two upper-case letters (contract 4.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(String);

text_value!(State);

impl State {
    /// Reads two letters in any case.
    pub fn parse(text: &str) -> Result<State, Reason> {
        let letters = text.trim_matches(' ').to_ascii_uppercase();
        if !STATES.contains(&letters.as_str()) {
            return Err(Reason::NotState);
        }
        Ok(State(letters))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_27_in_any_case() {
        assert!(STATES.is_sorted_by(|a, b| a < b));
        for state in STATES {
            assert_eq!(State::parse(&state.to_lowercase()).unwrap().as_str(), state);
        }
        assert_eq!(State::parse(" sC ").unwrap().to_string(), "SC");
        for text in ["", "S", "SCC", "XX", "Santa Catarina", "S C", "SC\n"] {
            assert!(State::parse(text).is_err(), "{text:?}");
        }
    }
}
