//! The states of Brazil.

use crate::domain::Reason;
use crate::domain::text::fold;

/// The 26 states and the Federal District.
pub const STATES: [&str; 27] = [
    "AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "GO", "MA", "MG", "MS", "MT", "PA", "PB", "PE", "PI",
    "PR", "RJ", "RN", "RO", "RR", "RS", "SC", "SE", "SP", "TO",
];

/// The names of [`STATES`], folded.
const NAMES: [&str; 27] = [
    "acre",
    "alagoas",
    "amazonas",
    "amapa",
    "bahia",
    "ceara",
    "distrito federal",
    "espirito santo",
    "goias",
    "maranhao",
    "minas gerais",
    "mato grosso do sul",
    "mato grosso",
    "para",
    "paraiba",
    "pernambuco",
    "piaui",
    "parana",
    "rio de janeiro",
    "rio grande do norte",
    "rondonia",
    "roraima",
    "rio grande do sul",
    "santa catarina",
    "sergipe",
    "sao paulo",
    "tocantins",
];

/// One of the 27 units of the federation, as two upper-case letters (contract 4.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(String);

text_value!(State);

impl State {
    /// Parses two letters in any case.
    pub fn parse(text: &str) -> Result<State, Reason> {
        let letters = text.trim().to_ascii_uppercase();
        if !STATES.contains(&letters.as_str()) {
            return Err(Reason::NotState);
        }
        Ok(State(letters))
    }

    /// Returns the state with this name or these two letters.
    pub fn named(text: &str) -> Option<State> {
        let folded = fold(text);
        let at = NAMES.iter().position(|name| *name == folded);
        let letters = at.and_then(|at| STATES.get(at)).copied().unwrap_or(text);
        State::parse(letters).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_all_27_states_in_any_case() {
        assert!(STATES.is_sorted_by(|a, b| a < b));
        for state in STATES {
            assert_eq!(State::parse(&state.to_lowercase()).unwrap().as_str(), state);
        }
        assert_eq!(State::parse(" sC\t").unwrap().to_string(), "SC");
        for (name, letters) in [("Mato Grosso do Sul", "MS"), ("pará", "PA"), ("Paraná", "PR"), ("to", "TO")]
        {
            assert_eq!(State::named(name).unwrap().as_str(), letters);
        }
        assert_eq!(State::named("Santa"), None);
        for text in ["", "S", "SCC", "XX", "Santa Catarina", "S C", "S\nC"] {
            assert!(State::parse(text).is_err(), "{text:?}");
        }
    }
}
