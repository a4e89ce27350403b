//! Detects routes that the source lacks. The live service answers an unknown route like a bad token.

use std::collections::{HashMap, HashSet};

use crate::domain::is_digits;

/// A route that was denied this many times in a row and has never answered is taken for missing.
const DENIALS: u32 = 3;

#[derive(Default)]
pub(in crate::transfer::cloud_import) struct Routes {
    answered: HashSet<String>,
    denied: HashMap<String, u32>,
}

impl Routes {
    pub(in crate::transfer::cloud_import) fn answer(&mut self, path: &str) {
        let route = route_of(path);
        self.denied.remove(&route);
        self.answered.insert(route);
    }

    pub(in crate::transfer::cloud_import) fn deny(&mut self, path: &str) {
        *self.denied.entry(route_of(path)).or_default() += 1;
    }

    pub(in crate::transfer::cloud_import) fn is_there(&self, path: &str) -> bool {
        self.answered.contains(&route_of(path))
    }

    /// Returns `true` if the source probably lacks the route.
    pub(in crate::transfer::cloud_import) fn is_missing(&self, path: &str) -> bool {
        self.denied.get(&route_of(path)).is_some_and(|times| *times >= DENIALS)
    }
}

/// Returns a path without its query, and with `{id}` in place of ids.
fn route_of(path: &str) -> String {
    let path = path.split('?').next().unwrap_or(path);
    let parts: Vec<&str> = path.split('/').map(|part| if is_digits(part) { "{id}" } else { part }).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_missing_after_three_denials_unless_it_ever_answered() {
        assert_eq!(route_of("/documents/8/download"), "/documents/{id}/download");
        assert_eq!(route_of("/movements/5?offset=25"), "/movements/{id}");
        let mut routes = Routes::default();
        for id in [1, 2] {
            routes.deny(&format!("/movements/{id}"));
            assert!(!routes.is_missing("/movements/3"));
        }
        routes.deny("/movements/3");
        assert!(routes.is_missing("/movements/4") && !routes.is_missing("/movements"));
        routes.answer("/movements/4");
        assert!(!routes.is_missing("/movements/5") && routes.is_there("/movements/5"));
    }
}
