//! Unknown names in a request that the server ignored. The response lists them, and the log warns about them
//! at intervals (contract 1).

use std::collections::HashMap;
use std::time::Duration;

use http::HeaderMap;
use http::header::HeaderName;
#[cfg(test)]
use http::header::HeaderValue;
use parking_lot::Mutex;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::http::answers::header::header_value;

const PARAMETERS: HeaderName = HeaderName::from_static("x-ignored-parameters");
const MEMBERS: HeaderName = HeaderName::from_static("x-ignored-members");

/// Maximum number of listed names, and of characters of each. Clients accept only a few kilobytes of headers.
const MAX_NAMES: usize = 10;
const MAX_NAME_CHARACTERS: usize = 40;

/// Interval between two warnings about one route.
const WARNING_INTERVAL: Duration = Duration::from_secs(60);

/// Characters to percent-encode in a comma-separated header: all but the unreserved ones (RFC 3986, 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

#[derive(Default)]
pub(in crate::http) struct Ignored {
    pub parameters: Vec<String>,
    pub members: Vec<String>,
}

impl Ignored {
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.members.is_empty()
    }

    /// Adds the headers that list the ignored names.
    pub fn add_to(&self, headers: &mut HeaderMap) {
        for (header, names) in [(PARAMETERS, &self.parameters), (MEMBERS, &self.members)] {
            if !names.is_empty() {
                headers.insert(header, header_value(&list(names)));
            }
        }
    }
}

/// Joins the names, percent-encoded, with commas.
fn list(names: &[String]) -> String {
    let encoded = |name: &String| utf8_percent_encode(&cut(name), ESCAPED).to_string();
    names.iter().take(MAX_NAMES).map(encoded).collect::<Vec<_>>().join(", ")
}

pub(in crate::http) fn in_sentence(names: &[String]) -> String {
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    names.iter().take(MAX_NAMES).map(|name| cut(name)).collect::<Vec<_>>().join(", ") + more
}

fn cut(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARACTERS).collect()
}

/// The time of the last warning about each route.
#[derive(Default)]
pub(in crate::http) struct WarningTimes(Mutex<HashMap<&'static str, Duration>>);

impl WarningTimes {
    /// Warns about a route with ignored names, at most once a minute. Does not log the names: a client may
    /// have put a person's name or a tax id in the place of a parameter's name.
    pub fn warn(&self, id: &str, route: &'static str, now: Duration) {
        if self.is_due(route, now) {
            tracing::warn!(
                id,
                route,
                "unknown names were ignored; the response lists them in {PARAMETERS} or {MEMBERS}"
            );
        }
    }

    fn is_due(&self, route: &'static str, now: Duration) -> bool {
        let mut logged = self.0.lock();
        let is_due = logged.get(route).is_none_or(|last| now.saturating_sub(*last) >= WARNING_INTERVAL);
        if is_due {
            logged.insert(route, now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_name_is_encoded_for_a_header() {
        let named = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
            HeaderValue::from_str(&list(&names)).unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(named(&["search", "_page-2.x~"]), "search, _page-2.x~");
        assert_eq!(named(&["a b", "é,", "\r\nx: y", ""]), "a%20b, %C3%A9%2C, %0D%0Ax%3A%20y, ");
        assert_eq!(named(&["x"; 12]).matches('x').count(), MAX_NAMES);
        assert_eq!(named(&[&"x".repeat(MAX_NAME_CHARACTERS + 1)]).len(), MAX_NAME_CHARACTERS);
    }

    #[test]
    fn a_sentence_marks_omitted_names_with_an_ellipsis() {
        let names = |count: usize| vec!["x".to_owned(); count];
        assert_eq!(
            (in_sentence(&names(2)).as_str(), in_sentence(&names(11)).ends_with("x, …")),
            ("x, x", true)
        );
    }

    #[test]
    fn warnings_are_logged_once_a_minute_per_route() {
        let times = WarningTimes::default();
        let due = |route, millis| times.is_due(route, Duration::from_millis(millis));
        assert!(due("/customers", 5));
        assert!(!due("/customers", 5) && !due("/customers", 60_004));
        assert!(due("/lawsuits", 59_000), "each route is limited separately");
        assert!(due("/customers", 60_005));
        assert!(!due("/customers", 120_004));
    }
}
