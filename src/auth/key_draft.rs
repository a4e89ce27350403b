//! The settings of a new key as people type them, in a form or a command (access 25).

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::domain::text::KeyName;
use crate::domain::{Day, Invalid, Reason, blank};
use crate::records::{Kind, Level, Nouns, Rights, TABLES};
use crate::store::access::keys::NewKey;

/// The names of the resources that a key can be limited to.
pub static RESOURCE_NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| TABLES.iter().map(|table| table.name.to_owned()).collect());

/// The typed settings of a new key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyDraft {
    pub name: String,
    /// `read`, `write` or `manage`. Without effect beside an address, which only reads.
    pub level: String,
    /// The names of the resources; `None` for all.
    pub only: Option<Vec<String>>,
    /// The last day; blank for none.
    pub until: String,
    /// A list with its filters, for a key that is part of an address; blank for none.
    pub address: String,
    /// `true` for an assistant: only to read, and without transactions.
    #[serde(default)]
    pub is_for_assistant: bool,
}

impl KeyDraft {
    /// Checks the settings. Returns all that is wrong. The list of an address is checked by the API
    /// (`http/requests/list_address.rs`).
    pub fn check(&self, today: Day) -> Result<NewKey, Invalid> {
        let mut wrong = Invalid::new();
        let name = match blank(&self.name) {
            true => Err(Reason::Required),
            false => KeyName::parse(&self.name),
        };
        let until = match blank(&self.until) {
            true => Ok(None),
            false => Day::parse(&self.until).and_then(Day::as_recorded).and_then(|day| match day < today {
                true => Err(Reason::BeforeToday),
                false => Ok(Some(day)),
            }),
        };
        let name = wrong.check("name", name);
        let address = Some(self.address.trim().to_owned()).filter(|address| !address.is_empty());
        let only_reads = address.is_some() || self.is_for_assistant;
        let level = if only_reads { Some(Level::Read) } else { Level::granted(&self.level) };
        let level = wrong.check("level", level.ok_or(Reason::Required));
        let nouns = wrong.check("only", self.nouns());
        let until = wrong.check("until", until);
        match (name, level, nouns, until) {
            (Some(name), Some(level), Some(nouns), Some(until)) => {
                Ok(NewKey { name, rights: Rights { level, nouns }, until, address })
            }
            _ => Err(wrong),
        }
    }

    fn nouns(&self) -> Result<Nouns, Reason> {
        let only = match (&self.only, self.is_for_assistant) {
            (None, false) => return Ok(Nouns::ALL),
            (None, true) => &*RESOURCE_NAMES,
            (Some(only), _) => only,
        };
        let is_left_out = |name: &str| self.is_for_assistant && name == Kind::Transaction.table().name;
        let names = only.iter().map(|name| name.trim());
        let names = names.filter(|name| !name.is_empty() && !is_left_out(name));
        match Nouns::named(names) {
            Ok(nouns) if nouns != Nouns::NONE => Ok(nouns),
            _ => Err(Reason::NotAmong { words: &RESOURCE_NAMES }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> KeyDraft {
        KeyDraft { name: "n8n".to_owned(), level: "read".to_owned(), ..KeyDraft::default() }
    }

    fn today() -> Day {
        Day::from_ymd(2026, 6, 17).unwrap()
    }

    #[test]
    fn a_key_for_an_assistant_only_reads_and_sees_no_transactions() {
        let rights = |only: Option<Vec<String>>| {
            let draft = KeyDraft { level: "manage".to_owned(), only, is_for_assistant: true, ..draft() };
            draft.check(today()).unwrap().rights
        };
        let all = rights(None);
        assert_eq!(all.level, Level::Read);
        let seen = TABLES.iter().filter(|table| all.nouns.has(table.kind)).map(|table| table.name);
        assert!(seen.eq(RESOURCE_NAMES.iter().map(String::as_str).filter(|name| *name != "transactions")));
        let some = rights(Some(vec!["customers".to_owned(), "transactions".to_owned()]));
        assert_eq!(some.nouns, Nouns::named(["customers"]).unwrap());
    }

    fn wrong(draft: KeyDraft) -> Vec<(String, Reason)> {
        let wrong = draft.check(today()).err().unwrap_or_default();
        wrong.iter().map(|(field, reason)| (field.to_owned(), *reason)).collect()
    }

    #[test]
    fn a_name_has_one_to_sixty_characters() {
        let named = |name: String| wrong(KeyDraft { name, ..draft() });
        assert_eq!(named(String::new()), [("name".to_owned(), Reason::Required)]);
        assert_eq!(named("é".to_owned()), []);
        assert_eq!(named("é".repeat(60)), []);
        assert_eq!(named("é".repeat(61)), [("name".to_owned(), Reason::TooLong { most: 60 })]);
        assert_eq!(named("—".to_owned()), [("name".to_owned(), Reason::NoLetterOrDigit)]);
        assert_eq!(named("a\0b".to_owned()), [("name".to_owned(), Reason::ControlCharacters)]);
    }

    #[test]
    fn the_expiry_day_is_today_or_later() {
        let until = |until: &str| wrong(KeyDraft { until: until.to_owned(), ..draft() });
        assert_eq!(until("16/06/2026"), [("until".to_owned(), Reason::BeforeToday)]);
        assert_eq!(until("17/06/2026"), []);
        assert_eq!(until("2199-12-31"), []);
        assert_eq!(until("2200-01-01"), [("until".to_owned(), Reason::NotDayOfRecord)]);
        assert_eq!(until("31/02/2027"), [("until".to_owned(), Reason::NotDay)]);
    }

    #[test]
    fn resources_are_given_by_name_and_all_errors_are_reported_at_once() {
        let only = |names: &[&str]| {
            let only = Some(names.iter().map(|name| (*name).to_owned()).collect());
            KeyDraft { only, ..draft() }
        };
        let made = only(&["lawsuits", " tasks"]).check(today()).unwrap();
        let nouns = Nouns::named(["customers", "lawsuits", "tasks"]).unwrap();
        assert_eq!(made.rights, Rights { level: Level::Read, nouns });
        assert_eq!(draft().check(today()).unwrap().rights.nouns, Nouns::ALL);
        let reason = Reason::NotAmong { words: &RESOURCE_NAMES };
        for names in [&["clients"][..], &["customers", "users"], &[], &[""]] {
            assert_eq!(wrong(only(names)), [("only".to_owned(), reason)], "{names:?}");
        }
        let fields = wrong(KeyDraft { until: "x".to_owned(), only: Some(Vec::new()), ..KeyDraft::default() });
        let fields = fields.into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        assert_eq!(fields, ["name", "level", "only", "until"]);
        assert_eq!(wrong(KeyDraft { level: "own".to_owned(), ..draft() })[0].1, Reason::Required);
    }
}
