//! The versions of Litestream that may be used.

/// The oldest version without the fault in SQLite's log that may corrupt a replica.
pub(in crate::replica) const OLDEST: &str = "0.5.17";

/// `true` if a version is [`OLDEST`] or newer.
pub(in crate::replica) fn is_new_enough(version: &str) -> bool {
    let numbers = |version: &str| {
        let numbers = version.trim_start_matches('v').split(['-', '+']).next().unwrap_or_default().split('.');
        numbers.map(|number| number.parse::<u32>().ok()).collect::<Option<Vec<_>>>()
    };
    numbers(version).is_some_and(|found| numbers(OLDEST).is_some_and(|oldest| found >= oldest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_versions_are_new_enough() {
        for version in ["0.5.17", "v0.5.17", "0.5.18", "0.6.0", "1.0.0", "0.5.17+1"] {
            assert!(is_new_enough(version), "{version}");
        }
        for version in ["0.5.16", "0.3.13", "v0.5.9", "", "(development build)", "0.5"] {
            assert!(!is_new_enough(version), "{version}");
        }
    }
}
