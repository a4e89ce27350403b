//! Persons and companies in cases: what a text says about them, how similar their names are, opposing parties, conflicts of
//! interest.

pub mod conflict;
pub mod named_person;
pub mod opposing_party;
pub mod similar_names;
