//! Ids of records in other systems (resources 10).

use super::Reason;

/// Maximum length of an external id, in characters.
pub const LONGEST: usize = 200;
/// Maximum number of external ids of a record (resources 10).
pub const MOST: usize = 20;

/// The id of a record in another system, such as `asaas:pay_81`: the name of the system, a colon, and the id.
/// It consists of 3 to 200 visible ASCII characters, without quotation marks and backslashes, and is
/// case-sensitive.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExternalId(String);

text_value!(ExternalId);

impl ExternalId {
    /// Parses an external id, after trimming it.
    pub fn parse(text: &str) -> Result<ExternalId, Reason> {
        let text = text.trim();
        let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
        let has_both = text.split_once(':').is_some_and(|(system, id)| !system.is_empty() && !id.is_empty());
        match has_both && text.len() <= LONGEST && text.bytes().all(is_plain) {
            true => Ok(ExternalId(text.to_owned())),
            false => Err(Reason::NotExternalId),
        }
    }
}

/// Up to 20 distinct external ids, in the order given. The store keeps them as a JSON array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalIds(Vec<ExternalId>);

impl ExternalIds {
    /// Wraps a list of ids. Fails with `ExternalIdTwice` if an id occurs twice, and with `TooManyExternalIds`
    /// above [`MOST`].
    pub fn of(ids: Vec<ExternalId>) -> Result<ExternalIds, Reason> {
        let mut once = std::collections::HashSet::new();
        if !ids.iter().all(|id| once.insert(id)) {
            return Err(Reason::ExternalIdTwice);
        }
        if ids.len() > MOST { Err(Reason::TooManyExternalIds { most: MOST }) } else { Ok(ExternalIds(ids)) }
    }

    /// Parses ids separated by white space.
    pub fn parse(text: &str) -> Result<ExternalIds, Reason> {
        ExternalIds::of(text.split_whitespace().map(ExternalId::parse).collect::<Result<_, _>>()?)
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the ids in the order given.
    pub fn iter(&self) -> impl Iterator<Item = &ExternalId> {
        self.0.iter()
    }

    /// Formats the ids as a JSON array. No character of an external id needs escaping.
    pub fn to_json(&self) -> String {
        let mut json = String::from("[");
        for (at, id) in self.0.iter().enumerate() {
            json.extend([if at == 0 { "\"" } else { ",\"" }, id.as_str(), "\""]);
        }
        json.push(']');
        json
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

    /// Parses the output of [`ExternalIds::to_json`], without checking it.
    pub fn from_json(json: &str) -> ExternalIds {
        let inner = json.strip_prefix("[\"").and_then(|rest| rest.strip_suffix("\"]"));
        let all = inner.into_iter().flat_map(|inner| inner.split("\",\""));
        ExternalIds(all.map(|id| ExternalId::from_stored(id.to_owned())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_id_consists_of_a_system_and_an_id() {
        for text in ["asaas:pay_81", " a:b ", "drive:a:b,c", &format!("a:{}", "b".repeat(198))] {
            assert_eq!(ExternalId::parse(text).unwrap().as_str(), text.trim());
        }
        for text in [
            "",
            ":",
            "a:",
            ":b",
            "ab",
            "a:b c",
            "a:\"",
            "a:\\",
            "a:ç",
            "a:\n",
            &format!("a:{}", "b".repeat(199)),
        ] {
            assert_eq!(ExternalId::parse(text), Err(Reason::NotExternalId), "{text:?}");
        }
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
}
