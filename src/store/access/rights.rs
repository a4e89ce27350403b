//! Rights as the tables of keys and of people hold them: a level, and the names of the nouns.

use crate::records::{Level, Nouns, Rights};

/// Returns the names of the nouns, separated by commas, or `None` for all, also those of later versions.
pub(in crate::store) fn nouns_to_stored(nouns: Nouns) -> Option<String> {
    let names = || nouns.tables().map(|table| table.name).collect::<Vec<_>>().join(",");
    (!nouns.is_all()).then(names)
}

/// Parses stored rights. An unknown level, as of another version of the program, gives no rights, and an unknown noun
/// cannot be seen.
pub(in crate::store) fn from_stored(level: &str, nouns: Option<&str>) -> Rights {
    let named = |names: &str| {
        let known = names.split(',').filter(|name| Nouns::named([*name]).is_ok());
        Nouns::named(known).unwrap_or(Nouns::NONE)
    };
    match Level::granted(level) {
        Some(level) => Rights { level, nouns: nouns.map_or(Nouns::ALL, named) },
        None => Rights { level: Level::Read, nouns: Nouns::NONE },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_rights_are_read_back_unchanged() {
        for nouns in [Nouns::ALL, Nouns::NONE, Nouns::named(["lawsuits", "tasks"]).unwrap()] {
            let stored = nouns_to_stored(nouns);
            assert_eq!(from_stored("write", stored.as_deref()), Rights { level: Level::Write, nouns });
        }
    }

    #[test]
    fn unknown_rights_of_another_version_grant_nothing() {
        for (level, nouns) in [("own", None), ("all", None), ("write", Some("secrets")), ("write", Some(""))]
        {
            assert_eq!(from_stored(level, nouns).nouns, Nouns::NONE, "{level} {nouns:?}");
        }
    }
}
