//! Ids of records in other systems (resources 10).

use crate::domain::stored_json::{Tokens, quoted};
use crate::domain::{Reason, blank};

/// Maximum length of the name of a system, in characters.
const MAX_SYSTEM_LENGTH: usize = 32;
/// Maximum length of an id within its system, in characters.
const MAX_ID_LENGTH: usize = 200;
/// Maximum length of an external id, in characters.
pub const MAX_CHARACTERS: usize = MAX_SYSTEM_LENGTH + 1 + MAX_ID_LENGTH;
/// Maximum number of external ids of a record (resources 10).
pub const MAX_EXTERNAL_IDS: usize = 20;

/// The id of a record in another system, such as `asaas:pay_81` or `planilha:A 12`: the name of the system, a colon,
/// and the id, which is compared as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExternalId(String);

text_value!(ExternalId);

impl ExternalId {
    /// Parses an external id, after trimming it.
    pub fn parse(text: &str) -> Result<ExternalId, Reason> {
        let text = text.trim();
        if is_external_id(text) { Ok(ExternalId(text.to_owned())) } else { Err(Reason::NotExternalId) }
    }
}

/// Returns `true` for 1 to 32 characters `a-z 0-9 - _`, a colon, and 1 to 200 characters without control characters.
/// One of the latter must be visible.
fn is_external_id(text: &str) -> bool {
    let Some((system, id)) = text.split_once(':') else { return false };
    let is_plain = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    let is_system = (1..=MAX_SYSTEM_LENGTH).contains(&system.len()) && system.bytes().all(is_plain);
    is_system && !blank(id) && id.chars().count() <= MAX_ID_LENGTH && !id.contains(char::is_control)
}

/// Formats ids as a JSON array.
fn json<'t>(ids: impl Iterator<Item = &'t str>) -> String {
    format!("[{}]", ids.map(quoted).collect::<Vec<_>>().join(","))
}

/// Splits a text that names several external ids, without checking them. See [`ExternalIds::parse`].
pub fn split(text: &str) -> Vec<String> {
    if text.trim_start().starts_with('[') {
        let ids: Vec<String> = Tokens(text.trim()).collect();
        if json(ids.iter().map(String::as_str)) == text.trim() {
            return ids;
        }
    }
    let mut ids = Vec::new();
    for line in text.split(['\n', '\r']) {
        let mut id = String::new();
        for word in line.split_inclusive(char::is_whitespace) {
            if is_external_id(word.trim_end()) {
                ids.push(std::mem::take(&mut id));
            }
            id.push_str(word);
        }
        ids.push(id);
    }
    ids.retain(|id| !id.trim().is_empty());
    ids
}

/// Up to 20 distinct external ids, in the order given. The store keeps them as a JSON array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalIds(Vec<ExternalId>);

impl ExternalIds {
    /// Wraps a list of ids. Fails with `ExternalIdTwice` if an id occurs twice, and with `TooManyExternalIds`
    /// above [`MAX_EXTERNAL_IDS`].
    pub fn of(ids: Vec<ExternalId>) -> Result<ExternalIds, Reason> {
        let mut once = std::collections::HashSet::new();
        if !ids.iter().all(|id| once.insert(id)) {
            return Err(Reason::ExternalIdTwice);
        }
        if ids.len() > MAX_EXTERNAL_IDS {
            Err(Reason::TooManyExternalIds { most: MAX_EXTERNAL_IDS })
        } else {
            Ok(ExternalIds(ids))
        }
    }

    /// Parses ids separated by white space, or a JSON array as [`ExternalIds::to_json`] writes it. A new id begins in
    /// each line, and at each word that is an external id by itself. Other words belong to the id before them, with the
    /// white space as written.
    pub fn parse(text: &str) -> Result<ExternalIds, Reason> {
        ExternalIds::of(split(text).iter().map(|id| ExternalId::parse(id)).collect::<Result<_, _>>()?)
    }

    /// Formats the ids as a text that [`ExternalIds::parse`] reads: separated by spaces, or as a JSON array if an id
    /// has a word that is an external id by itself.
    pub fn text(&self) -> String {
        let text = self.0.iter().map(ExternalId::as_str).collect::<Vec<_>>().join(" ");
        if ExternalIds::parse(&text).as_ref() == Ok(self) { text } else { self.to_json() }
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the ids in the order given.
    pub fn iter(&self) -> impl Iterator<Item = &ExternalId> {
        self.0.iter()
    }

    /// Formats the ids as a JSON array.
    pub fn to_json(&self) -> String {
        json(self.0.iter().map(ExternalId::as_str))
    }

    /// Joins lists of ids, each id once, also if they are more than one request may name.
    pub fn joined(lists: &[ExternalIds]) -> ExternalIds {
        let mut all: Vec<ExternalId> = Vec::new();
        for id in lists.iter().flat_map(ExternalIds::iter) {
            if !all.contains(id) {
                all.push(id.clone());
            }
        }
        ExternalIds(all)
    }

    /// Returns those for which `is_first` is true, and the others.
    pub fn partition(&self, is_first: impl Fn(&ExternalId) -> bool) -> (ExternalIds, ExternalIds) {
        let (first, others) = self.iter().cloned().partition(|id| is_first(id));
        (ExternalIds(first), ExternalIds(others))
    }

    /// Parses the output of [`ExternalIds::to_json`], without checking the ids.
    pub fn from_json(json: &str) -> ExternalIds {
        let all: Vec<String> = if json.contains('\\') {
            Tokens(json).collect()
        } else {
            // Nearly all ids contain nothing that is escaped, so quotes stand only between them.
            let inner = json.strip_prefix("[\"").and_then(|rest| rest.strip_suffix("\"]"));
            inner.into_iter().flat_map(|inner| inner.split("\",\"")).map(str::to_owned).collect()
        };
        ExternalIds(all.into_iter().map(ExternalId::from_stored).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_id_consists_of_a_system_and_an_id() {
        let system = "a".repeat(MAX_SYSTEM_LENGTH);
        let id = "é".repeat(MAX_ID_LENGTH);
        for text in [
            "asaas:pay_81",
            " a:b ",
            "a-1_z:B",
            "drive:a:b,c",
            "crm:é",
            "planilha:São 12 \"A\"",
            r"drive:C:\a",
            "a: b",
            "a:b  c",
            "a:\u{200b}b",
            &format!("{system}:1"),
            &format!("crm:{id}"),
            &format!("{system}:{id}"),
        ] {
            assert_eq!(ExternalId::parse(text).unwrap().as_str(), text.trim());
        }
        for text in [
            "",
            ":",
            "a:",
            "a: ",
            "a:\u{a0}",
            "a:\u{200b}",
            ":b",
            "ab",
            "CRM:1",
            "A.B:1",
            "a b:1",
            "é:1",
            "a:\n",
            "a:b\nc",
            "a:b\tc",
            "a:b\u{7f}c",
            "a:b\u{85}c",
            &format!("{system}a:1"),
            &format!("crm:{id}b"),
        ] {
            assert_eq!(ExternalId::parse(text), Err(Reason::NotExternalId), "{text:?}");
        }
    }

    #[test]
    fn a_text_is_split_where_another_id_begins() {
        for (text, ids) in [
            ("", &[][..]),
            (" \n ", &[]),
            ("[]", &[]),
            (" a:1 ", &["a:1"]),
            ("a:1 b:2", &["a:1", "b:2"]),
            ("a:1\tb:2\r\n\r\nc:3", &["a:1", "b:2", "c:3"]),
            ("a:1  x  2 b:2", &["a:1  x  2", "b:2"]),
            ("planilha:São 12 \"A\"", &["planilha:São 12 \"A\""]),
            ("a:1 CRM:2 b: :c é:3", &["a:1 CRM:2 b: :c é:3"]),
            ("a:1 10:30", &["a:1", "10:30"]),
            ("a:1 x\nb: 2 y", &["a:1 x", "b: 2 y"]),
            (r#"["a:1 10:30","b:2"]"#, &["a:1 10:30", "b:2"]),
        ] {
            let read = ExternalIds::parse(text).unwrap();
            assert_eq!(read.iter().map(ExternalId::as_str).collect::<Vec<_>>(), ids, "{text:?}");
            assert_eq!(ExternalIds::parse(&read.text()), Ok(read), "{text:?}");
        }
        for text in ["x", "x a:1", "a:1\nx", "a:1\n2", "a:1\tx", "[a:1]", "[1]", r#"["x"]"#, "a:1 b:\u{1}"] {
            assert_eq!(ExternalIds::parse(text), Err(Reason::NotExternalId), "{text:?}");
        }
        let all = ExternalIds::parse("a:1 x b:2").unwrap();
        assert_eq!(all.text(), "a:1 x b:2");
        let all = ExternalIds::of(vec![ExternalId::parse("a:1 10:30").unwrap()]).unwrap();
        assert_eq!(all.text(), r#"["a:1 10:30"]"#);
    }

    #[test]
    fn at_most_twenty_distinct_external_ids_are_accepted() {
        let ids =
            |count| (0..count).map(|n| ExternalId::parse(&format!("a:{n}")).unwrap()).collect::<Vec<_>>();
        for count in [0, 1, 2, 20] {
            let all = ExternalIds::of(ids(count)).unwrap();
            assert_eq!(ExternalIds::from_json(&all.to_json()), all);
        }
        assert_eq!(ExternalIds::of(ids(21)), Err(Reason::TooManyExternalIds { most: 20 }));
        assert_eq!(ExternalIds::of([ids(1), ids(1)].concat()), Err(Reason::ExternalIdTwice));
        assert_eq!(ExternalIds::of(ids(2)).unwrap().to_json(), r#"["a:0","a:1"]"#);
    }

    #[test]
    fn stored_ids_are_read_as_they_were_written() {
        for (ids, json) in [
            (&["crm:é 1", "a:b,c"][..], r#"["crm:é 1","a:b,c"]"#),
            (&["a:\"", "a:\",\"b", r"a:\", r#"a:\""#], r#"["a:\"","a:\",\"b","a:\\","a:\\\""]"#),
            // An earlier version accepted such systems.
            (&["CRM:1", "A.B:1"], r#"["CRM:1","A.B:1"]"#),
        ] {
            let all = ExternalIds(ids.iter().map(|id| ExternalId::from_stored((*id).to_owned())).collect());
            assert_eq!((all.to_json().as_str(), ExternalIds::from_json(json)), (json, all));
        }
    }
}
