//! Query parameters of lists that no rule names: told in the answer, and now and then in the log (contract 3).

use std::collections::HashMap;
use std::time::Duration;

use http::header::{HeaderName, HeaderValue};
use parking_lot::Mutex;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::answer::Answer;
use super::header::header_value;

/// Names them in an answer.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-ignored-parameters");

/// How many of them are named, and how many characters of each: clients take headers of some kilobytes only.
const NAMED: usize = 10;
const SHOWN: usize = 40;

/// How often the log says that a route is asked with such.
const EVERY: Duration = Duration::from_secs(60);

/// What stands as it is in a header of names that are parted by commas (RFC 3986, 2.3: unreserved).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The header's value.
fn named(names: &[String]) -> HeaderValue {
    let named = names.iter().take(NAMED).map(|name| {
        let shown = name.chars().take(SHOWN).collect::<String>();
        utf8_percent_encode(&shown, ESCAPED).to_string()
    });
    header_value(&named.collect::<Vec<_>>().join(", "))
}

/// An answer that names them.
pub(super) fn told(answer: Answer, names: &[String]) -> Answer {
    if names.is_empty() { answer } else { answer.with(HEADER, named(names)) }
}

/// When the log was told of each route.
#[derive(Default)]
pub(super) struct Told(Mutex<HashMap<&'static str, Duration>>);

impl Told {
    /// Tells the log that a request of `route` had such parameters. Not which: whoever puts a name or a tax id where a
    /// parameter's name belongs would have it there.
    pub fn tell(&self, id: &str, route: &'static str, now: Duration) {
        if self.is_due(route, now) {
            tracing::warn!(
                id,
                route,
                "parameters that no rule names were ignored; {HEADER} of the answer names them"
            );
        }
    }

    fn is_due(&self, route: &'static str, now: Duration) -> bool {
        let mut told = self.0.lock();
        let is_due = told.get(route).is_none_or(|last| now.saturating_sub(*last) >= EVERY);
        if is_due {
            told.insert(route, now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_name_is_it_stands_in_a_header() {
        let named = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
            named(&names).to_str().unwrap().to_owned()
        };
        assert_eq!(named(&["search", "_page-2.x~"]), "search, _page-2.x~");
        assert_eq!(named(&["a b", "é,", "\r\nx: y", ""]), "a%20b, %C3%A9%2C, %0D%0Ax%3A%20y, ");
        assert_eq!(named(&["x"; 12]).matches('x').count(), NAMED);
        assert_eq!(named(&[&"x".repeat(SHOWN + 1)]).len(), SHOWN);
    }

    #[test]
    fn the_log_is_told_once_a_minute_of_each_route() {
        let told = Told::default();
        let due = |route, millis| told.is_due(route, Duration::from_millis(millis));
        assert!(due("/customers", 5));
        assert!(!due("/customers", 5) && !due("/customers", 60_004));
        assert!(due("/lawsuits", 59_000), "another route is another client's, as a rule");
        assert!(due("/customers", 60_005));
        assert!(!due("/customers", 120_004));
    }
}
