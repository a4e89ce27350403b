//! Content negotiation (RFC 9110, 12.5.1): a list is sent as a page of JSON, or whole as CSV or JSON lines. Tasks are
//! also sent as a calendar, and customers as contacts, in lists and alone.

use std::iter;

use http::header::{self, HeaderMap, HeaderValue};

use super::answer::Answer;
use super::header_weight::weighted;
use super::problem::Problem;
use crate::domain::Lang;
use crate::http::requests::request::{Request, parameter};
use crate::http::requests::route::Route;
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use crate::records::{Kind, Table};

/// Value of `Vary` for responses that exist in several formats.
const VARY: HeaderValue = HeaderValue::from_static("accept, accept-language");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// A page of records as JSON.
    Json,
    /// All matching records as rows of a spreadsheet.
    Csv,
    /// All matching records as JSON, one per line.
    Ndjson,
    /// The matching tasks as events (RFC 5545).
    Calendar,
    /// The matching customers as contacts (RFC 6350).
    Contacts,
}

impl ListFormat {
    pub const fn media_type(self) -> &'static str {
        match self {
            ListFormat::Json => "application/json",
            ListFormat::Csv => "text/csv",
            ListFormat::Ndjson => "application/x-ndjson",
            ListFormat::Calendar => "text/calendar",
            ListFormat::Contacts => "text/vcard",
        }
    }

    /// Returns the file name extension.
    pub(in crate::http) const fn ending(self) -> &'static str {
        match self {
            ListFormat::Json => "json",
            ListFormat::Csv => "csv",
            ListFormat::Ndjson => "ndjson",
            ListFormat::Calendar => "ics",
            ListFormat::Contacts => "vcf",
        }
    }

    /// Returns the formats besides JSON of a single record of this table: one at most.
    pub(in crate::http) fn of_one(table: &Table) -> &'static [ListFormat] {
        match table.kind {
            Kind::Task => &[ListFormat::Calendar],
            Kind::Customer => &[ListFormat::Contacts],
            _ => &[],
        }
    }

    /// Returns the formats besides JSON of a route's response: of a whole list, or of a single record.
    pub(in crate::http) fn others(route: &Route) -> &'static [ListFormat] {
        match (route.listed, route.record) {
            (Some(table), _) => match ListFormat::of_one(table) {
                [ListFormat::Calendar] => &[ListFormat::Csv, ListFormat::Ndjson, ListFormat::Calendar],
                [ListFormat::Contacts] => &[ListFormat::Csv, ListFormat::Ndjson, ListFormat::Contacts],
                _ => &[ListFormat::Csv, ListFormat::Ndjson],
            },
            (None, Some(table)) => ListFormat::of_one(table),
            (None, None) => &[],
        }
    }

    /// Returns `true` if the format contains all matching records and not only a page.
    pub(in crate::http) fn is_whole(self) -> bool {
        self != ListFormat::Json
    }

    /// Returns the format for the response to a request. Fails with 406 if the client refuses every format.
    pub(in crate::http) fn of(route: &Route, request: &Request) -> Result<ListFormat, Problem> {
        match ListFormat::others(route) {
            [] => Ok(ListFormat::Json),
            others => preferred(&request.headers, ListFormat::Json, others, ListFormat::media_type),
        }
    }
}

/// Returns `true` if the response to a request is JSON.
pub(in crate::http) fn takes_json(route: &Route, request: &Request) -> bool {
    ListFormat::of(route, request).is_ok_and(|format| format == ListFormat::Json)
}

/// Returns the format that the client prefers by its `Accept`: the one with the highest weight. Of equal
/// weights, the more specific media range wins, then the first format. If the client names no available
/// format, returns `usual`, as RFC 9110 (12.5.1) allows. Fails with 406 if the client accepts no format and
/// refuses `usual` with a weight of 0.
pub(in crate::http) fn preferred<F: Copy>(
    headers: &HeaderMap,
    usual: F,
    others: &[F],
    media_type: impl Fn(F) -> &'static str,
) -> Result<F, Problem> {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges = values.flat_map(|value| value.split(',')).filter_map(range).collect::<Vec<_>>();
    let wish = |form: F| {
        let fitting =
            ranges.iter().filter_map(|(range, weight)| Some((fit(range, media_type(form))?, *weight)));
        fitting.max_by_key(|(exactness, _)| *exactness).map(|(exactness, weight)| (weight, exactness))
    };
    let forms = iter::once(usual).chain(others.iter().copied());
    let wishes = forms.clone().filter_map(|form| Some((wish(form)?, form)));
    let wanted = wishes.filter(|((weight, _), _)| *weight > 0);
    // `max_by_key` returns the last of equal elements, but the first is wanted.
    match wanted.rev().max_by_key(|(wish, _)| *wish) {
        Some((_, form)) => Ok(form),
        None if wish(usual).is_some() => {
            Err(Problem::not_acceptable(&forms.map(media_type).collect::<Vec<_>>()))
        }
        None => Ok(usual),
    }
}

/// Parses a media range of `Accept` and its weight in thousandths. Returns `None` if the range is invalid.
fn range(member: &str) -> Option<(&str, u32)> {
    let (range, weight) = weighted(member);
    Some((range, weight?)).filter(|(range, _)| range.contains('/'))
}

/// Returns the specificity of a media range for a media type (0 to 2), or `None` if the range does not match.
fn fit(range: &str, media_type: &str) -> Option<u8> {
    let (kind, _) = media_type.split_once('/')?;
    match range.split_once('/')? {
        _ if range.eq_ignore_ascii_case(media_type) => Some(2),
        (own, "*") if own.eq_ignore_ascii_case(kind) => Some(1),
        ("*", "*") => Some(0),
        _ => None,
    }
}

/// Returns the language that the client prefers by its `Accept-Language` (RFC 9110, 12.5.4). Portuguese of any
/// country wins if its weight is higher than that of English, or equal and named first. The default is English.
pub(in crate::http) fn lang(headers: &HeaderMap) -> Lang {
    lang_or(headers, Lang::En)
}

/// Returns the language that the client prefers, or `default` if it names none of both.
pub fn lang_or(headers: &HeaderMap, default: Lang) -> Lang {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let mut best = (0, default);
    for member in values.flat_map(|value| value.split(',')) {
        let (tag, weight) = weighted(member);
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        let lang = match language {
            _ if language.eq_ignore_ascii_case("pt") => Lang::Pt,
            _ if language.eq_ignore_ascii_case("en") => Lang::En,
            _ => continue,
        };
        if weight.is_some_and(|weight| weight > best.0) {
            best = (weight.unwrap_or_default(), lang);
        }
    }
    best.1
}

impl FromRequest for Lang {
    /// Reads the language that the client prefers for texts of an answer.
    fn from_request(routed: &RoutedRequest<'_>) -> Result<Lang, Problem> {
        Ok(lang(&routed.request.headers))
    }
}

/// Returns the language of the query's `lang` parameter, or else the one that the headers prefer by [`lang`].
pub(in crate::http) fn requested_language(request: &Request) -> Lang {
    parameter(&request.parameters, "lang")
        .map_or_else(|| lang(&request.headers), |tag| Lang::from_tag(tag.trim()))
}

/// Adds `Vary` to the response if the route has several formats.
pub(in crate::http) fn varied(route: &Route, answer: Answer) -> Answer {
    if ListFormat::others(route).is_empty() { answer } else { answer.with(header::VARY, VARY) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_the_one_the_client_prefers() {
        let preferred = |headers: &HeaderMap| {
            let whole = [ListFormat::Csv, ListFormat::Ndjson];
            preferred(headers, ListFormat::Json, &whole, ListFormat::media_type)
        };
        for (accept, format) in [
            ("text/csv", ListFormat::Csv),
            ("TEXT/CSV; header=present", ListFormat::Csv),
            ("application/x-ndjson", ListFormat::Ndjson),
            ("application/json", ListFormat::Json),
            ("*/*", ListFormat::Json),
            ("text/*", ListFormat::Csv),
            ("application/*", ListFormat::Json),
            ("text/csv, */*", ListFormat::Csv),
            ("text/csv, application/json", ListFormat::Json),
            ("text/csv;q=0.9, application/json;q=0.8", ListFormat::Csv),
            ("text/csv;q=0.8, application/json;q=0.9, application/x-ndjson;q=0.85", ListFormat::Json),
            ("text/csv;q=0, text/*", ListFormat::Json),
            ("application/json;q=0, */*;q=0.1", ListFormat::Csv),
            ("application/x-ndjson;q=0.001, text/csv;q=0", ListFormat::Ndjson),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ListFormat::Json),
            ("text/html", ListFormat::Json),
            ("text/csv;q=0", ListFormat::Json),
            ("application/json; q=0.0, text/*;q=0.2", ListFormat::Csv),
            ("text/csv;q=2", ListFormat::Json),
            ("text/csv;q=x", ListFormat::Json),
            ("csv", ListFormat::Json),
            ("", ListFormat::Json),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
            assert_eq!(preferred(&headers).unwrap(), format, "{accept:?}");
        }
        for accept in ["application/json;q=0", "*/*;q=0", "application/json;q=0, text/csv;q=0.000, text/html"]
        {
            let headers = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
            assert_eq!(preferred(&headers).unwrap_err().code(), "not-acceptable", "{accept:?}");
        }
        assert_eq!(preferred(&HeaderMap::new()).unwrap(), ListFormat::Json);
    }

    #[test]
    fn the_language_is_portuguese_if_the_client_prefers_it_to_english() {
        let twenty = "de,fr,es,it,nl,sv,da,fi,nb,pl,cs,sk,hu,ro,bg,el,tr,ru,ja,pt-PT;q=0.1";
        for (accept, language) in [
            ("pt-BR,pt;q=0.9,en;q=0.8", Lang::Pt),
            ("pt-PT", Lang::Pt),
            ("PT", Lang::Pt),
            ("en-US,pt;q=0.9", Lang::En),
            ("en;q=0.3, pt;q=0.8", Lang::Pt),
            ("pt, en", Lang::Pt),
            ("en, pt", Lang::En),
            ("de, pt;q=0.5, en;q=0.4", Lang::Pt),
            (twenty, Lang::Pt),
            ("pt;q=0", Lang::En),
            ("pt;q=x, en;q=0.1", Lang::En),
            ("de", Lang::En),
            ("*", Lang::En),
            ("ptx", Lang::En),
            ("", Lang::En),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, accept.parse().unwrap())]);
            assert_eq!(lang(&headers), language, "{accept}");
        }
        assert_eq!(lang(&HeaderMap::new()), Lang::En);
    }
}
