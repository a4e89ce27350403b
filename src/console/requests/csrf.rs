//! Protection of forms against cross-site request forgery: a token in each form and a check of the origin.
//! `router` asks for both checks.

use http::{HeaderMap, header};
use maud::{Markup, html};

use crate::console::requests::visit::Visit;

/// The form field that carries the session's CSRF token.
pub(in crate::console) const CSRF_TOKEN: &str = "csrf-token";

/// The form field with the person who worked at the office machine when the form was opened.
pub(in crate::console) const OPENED_FOR: &str = "opened_for";

/// Renders the hidden fields that tell for whom a form was opened: the session's CSRF token, and on the office machine the
/// person who works there.
pub(in crate::console) fn csrf_field(visit: &Visit) -> Markup {
    html! {
        input type="hidden" name=(CSRF_TOKEN) value=(visit.session.csrf_token);
        @if let Some(acting) = visit.chosen() { input type="hidden" name=(OPENED_FOR) value=(acting.id); }
    }
}

/// Returns `true` if the form that was sent has the session's CSRF token.
pub(in crate::console) fn has_csrf_token(visit: &Visit) -> bool {
    visit.session.has_csrf_token(visit.field(CSRF_TOKEN))
}

/// Returns `true` if the form was sent from the origin `own`. Without `Origin` and `Sec-Fetch-Site`, the CSRF token
/// in the form decides.
pub(in crate::console) fn is_same_origin(headers: &HeaderMap, own: &str) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    text(header::ORIGIN.as_str()).is_none_or(|origin| origin == own)
        && text("sec-fetch-site").is_none_or(|site| site == "same-origin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_other_origins_are_refused() {
        let from = |all: &[(&'static str, &'static str)]| {
            let header = |(name, value): &(&'static str, &'static str)| {
                (header::HeaderName::from_static(name), header::HeaderValue::from_static(value))
            };
            is_same_origin(&HeaderMap::from_iter(all.iter().map(header)), "http://localhost:8743")
        };
        assert!(from(&[]) && from(&[("origin", "http://localhost:8743"), ("sec-fetch-site", "same-origin")]));
        for foreign in ["null", "http://evil.example", "http://localhost:9999", "https://localhost:8743"] {
            assert!(!from(&[("origin", foreign)]), "{foreign}");
        }
        for site in ["cross-site", "same-site", "none"] {
            assert!(!from(&[("sec-fetch-site", site)]), "{site}");
        }
    }
}
