//! In which form an answer is asked for (RFC 9110, 12.5.1), such as a list: as a page of JSON, or as a whole in CSV or in lines
//! of JSON.

use std::iter;

use http::header::{self, HeaderMap, HeaderValue};

use super::answer::Answer;
use super::call::{Call, parameter};
use super::problem::Problem;
use super::request::Request;
use super::route::Route;
use crate::domain::Lang;

/// What a list in several forms depends on.
const VARY: HeaderValue = HeaderValue::from_static("accept, accept-language");

/// A form of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// A page of records, in JSON.
    Json,
    /// Everything that matches, as rows of a spreadsheet.
    Csv,
    /// Everything that matches, a record a line in JSON.
    Ndjson,
}

impl ListFormat {
    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            ListFormat::Json => "application/json",
            ListFormat::Csv => "text/csv",
            ListFormat::Ndjson => "application/x-ndjson",
        }
    }

    /// The ending of a file in it.
    pub(super) const fn ending(self) -> &'static str {
        match self {
            ListFormat::Json => "json",
            ListFormat::Csv => "csv",
            ListFormat::Ndjson => "ndjson",
        }
    }

    /// Whether it has everything that matches, whatever the page.
    pub(super) fn is_whole(self) -> bool {
        self != ListFormat::Json
    }

    /// The one that a call is answered in.
    ///
    /// # Errors
    /// 406 if the client refuses all of them.
    pub(super) fn of(call: &Call<'_>) -> Result<ListFormat, Problem> {
        match call.route.listed {
            Some(_) => {
                let whole = [ListFormat::Csv, ListFormat::Ndjson];
                preferred(&call.request.headers, ListFormat::Json, &whole, ListFormat::media_type)
            }
            None => Ok(ListFormat::Json),
        }
    }
}

/// Returns the form that a client prefers by its `Accept`: the one with the highest weight; of equals the one that is named
/// more exactly, then the first. A client that names none of them gets the usual one, as may be done (RFC 9110, 12.5.1).
///
/// # Errors
/// 406 if it wants none of them and refuses the usual one by a weight of 0.
pub(super) fn preferred<F: Copy>(
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
    // Of equals the last counts: hence backwards.
    match wanted.rev().max_by_key(|(wish, _)| *wish) {
        Some((_, form)) => Ok(form),
        None if wish(usual).is_some() => {
            Err(Problem::not_acceptable(&forms.map(media_type).collect::<Vec<_>>()))
        }
        None => Ok(usual),
    }
}

/// A media range of `Accept` with its weight in thousandths; none where it is no such thing.
fn range(member: &str) -> Option<(&str, u32)> {
    let (range, weight) = weighed(member);
    Some((range, weight?)).filter(|(range, _)| range.contains('/'))
}

/// What a member of such a list names, with its weight in thousandths; without one if that cannot be read.
fn weighed(member: &str) -> (&str, Option<u32>) {
    let mut parts = member.split(';').map(str::trim);
    let named = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let weight = weight.map_or(Some(1.0), |weight| weight.parse::<f32>().ok());
    // Whole numbers, so that one is less than another or the same.
    (
        named,
        weight.filter(|weight| (0.0..=1.0).contains(weight)).map(|weight| (weight * 1000.0).round() as u32),
    )
}

/// How exactly a media range names a media type; none where it does not.
fn fit(range: &str, media_type: &str) -> Option<u8> {
    let (kind, _) = media_type.split_once('/')?;
    match range.split_once('/')? {
        _ if range.eq_ignore_ascii_case(media_type) => Some(2),
        (own, "*") if own.eq_ignore_ascii_case(kind) => Some(1),
        ("*", "*") => Some(0),
        _ => None,
    }
}

/// The language that a client would rather have by its `Accept-Language` (RFC 9110, 12.5.4): Portuguese, of whatever country,
/// if it weighs more than English, or as much and is named first; English otherwise.
pub(super) fn lang(headers: &HeaderMap) -> Lang {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let mut best = (0, Lang::En);
    for member in values.flat_map(|value| value.split(',')) {
        let (tag, weight) = weighed(member);
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

/// The language of what is not told of the office: the one that the query asks for by `lang`, else as [`lang`] has it.
pub(super) fn asked(request: &Request) -> Lang {
    parameter(&request.parameters, "lang")
        .map_or_else(|| lang(&request.headers), |tag| Lang::from_tag(tag.trim()))
}

/// The answer of a route, which says what it depends on where it has several forms.
pub(super) fn varied(route: &Route, answer: Answer) -> Answer {
    if route.listed.is_some() { answer.with(header::VARY, VARY) } else { answer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_what_the_client_would_rather_have() {
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
    fn the_language_is_portuguese_if_that_is_preferred_to_english() {
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
