//! What is known of the other server's routes: the live service answers one that it does not have like a bad token.

use std::collections::{HashMap, HashSet};

/// A route that was denied so often, and never answered, is taken as one that the server does not have.
const DENIALS: u32 = 3;

/// The routes of the other server, as far as they were asked.
#[derive(Default)]
pub(super) struct Routes {
    answered: HashSet<String>,
    /// How often in a row a route that never answered was denied.
    denied: HashMap<String, u32>,
}

impl Routes {
    pub(super) fn answer(&mut self, path: &str) {
        let route = route_of(path);
        self.denied.remove(&route);
        self.answered.insert(route);
    }

    pub(super) fn deny(&mut self, path: &str) {
        *self.denied.entry(route_of(path)).or_default() += 1;
    }

    /// Whether the route has answered.
    pub(super) fn is_there(&self, path: &str) -> bool {
        self.answered.contains(&route_of(path))
    }

    /// Whether the server seems not to have the route.
    pub(super) fn is_missing(&self, path: &str) -> bool {
        self.denied.get(&route_of(path)).is_some_and(|times| *times >= DENIALS)
    }
}

/// A path without its parameters, and with `{id}` for ids.
fn route_of(path: &str) -> String {
    let path = path.split('?').next().unwrap_or(path);
    let is_id = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = path.split('/').map(|part| if is_id(part) { "{id}" } else { part }).collect();
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
