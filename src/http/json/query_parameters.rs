//! The query of a request as the argument of a handler: reads parameters by name, and the page of a list. Collects
//! invalid and unknown ones.

use std::collections::HashSet;

use super::unknown;
use super::values::FromText;
use crate::app::App;
use crate::config::settings::Compatibility;
use crate::domain::{Day, Invalid, Page, Reason};
use crate::http::answers::negotiation::ListFormat;
use crate::http::answers::problem::Problem;
use crate::http::file_formats::calendar;
use crate::http::openapi::describe::{Parameter, RoutePart};
use crate::http::requests::request::is_named;
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use crate::records::{Field, Input, Value};

/// The parameters of a list and its page, with the problems of both.
pub struct Query<T> {
    /// The parameters. Invalid ones are absent.
    pub parameters: T,
    /// `None` if the page is invalid.
    page: Option<Page>,
    format: ListFormat,
    with_names: bool,
    /// Problems found so far.
    pub wrong: Invalid,
}

pub struct PageRequest {
    /// The page. It is the whole list if the response's format has all records.
    pub page: Page,
    pub(in crate::http) format: ListFormat,
    /// `true` if a calendar has names.
    pub(in crate::http) with_names: bool,
}

impl<T> Query<T> {
    /// Returns the parameters and the page. Fails with all problems, if there are any.
    pub fn into_valid(self) -> Result<(T, PageRequest), Problem> {
        match self.page {
            Some(page) if self.wrong.is_empty() => {
                let Query { parameters, format, with_names, .. } = self;
                Ok((parameters, PageRequest { page, format, with_names }))
            }
            _ => Err(Problem::from(self.wrong)),
        }
    }
}

/// A type that can be read from the parameters of a list.
pub trait Parameters: Sized {
    /// `true` if the list is ordered by id, so that a page may begin `after` an id.
    const BY_ID: bool = false;

    fn read(reader: &mut QueryReader<'_>) -> Self;

    fn parameters() -> Vec<Parameter>;
}

/// Reads query parameters and collects their problems.
pub struct QueryReader<'a> {
    query: &'a [(String, String)],
    /// For each parameter, `true` if it was read.
    known: Vec<bool>,
    app: &'a App,
    /// `true` if a number that is too short to search for finds nothing, as on the live service. Otherwise it
    /// is refused.
    finds_nothing: bool,
    wrong: Invalid,
}

impl<'a> QueryReader<'a> {
    pub fn new(query: &'a [(String, String)], app: &'a App) -> QueryReader<'a> {
        QueryReader {
            query,
            known: vec![false; query.len()],
            app,
            finds_nothing: false,
            wrong: Invalid::new(),
        }
    }

    /// Returns the text of a parameter, and marks the parameter as known. A blank value counts as absent. Refuses a
    /// parameter that is repeated with another value.
    fn text(&mut self, name: &str) -> Option<&'a str> {
        let mut found: Option<&str> = None;
        let mut is_repeated = false;
        for ((key, text), known) in self.query.iter().zip(&mut self.known) {
            if !is_named(key, name) {
                continue;
            }
            // A parameter that is read again was checked before.
            let is_new = !std::mem::replace(known, true);
            match found {
                _ if text.trim().is_empty() => {}
                None => found = Some(text),
                Some(first) => is_repeated |= is_new && first.trim() != text.trim(),
            }
        }
        if is_repeated {
            self.wrong.add(name.to_owned(), Reason::SeveralValues);
        }
        found
    }

    /// Reads a parameter. Returns `None` if it is absent or invalid.
    pub fn parameter<T: FromText>(&mut self, name: &str) -> Option<T> {
        let text = self.utf8(name)?;
        self.wrong.check(name.to_owned(), T::from_text_in(text, self.app.zone()))
    }

    /// Like [`QueryReader::text`], but refuses invalid UTF-8.
    fn utf8(&mut self, name: &str) -> Option<&'a str> {
        let text = self.text(name)?;
        // Invalid UTF-8 was decoded to this character, which real texts do not contain.
        if text.contains(char::REPLACEMENT_CHARACTER) {
            self.wrong.add(name.to_owned(), Reason::NotUtf8);
            return None;
        }
        Some(text)
    }

    /// Reads the parameter under any of these names. Two different values are a problem (resources 10).
    pub fn either<T: FromText + PartialEq>(
        &mut self,
        names: impl IntoIterator<Item = &'static str>,
    ) -> Option<T> {
        let mut found: Option<(&'static str, T)> = None;
        for other in names {
            match (&found, self.parameter(other)) {
                (Some((name, one)), Some(two)) if *one != two => {
                    self.refuse(name, Reason::TwoValues { other })
                }
                (None, Some(one)) => found = Some((other, one)),
                _ => {}
            }
        }
        found.map(|(_, found)| found)
    }

    /// Reads a parameter that must be present. Returns `None` if it is absent or invalid.
    pub fn required<T: FromText>(&mut self, name: &'static str) -> Option<T> {
        if self.text(name).is_none() {
            self.refuse(name, Reason::Required);
        }
        self.parameter(name)
    }

    /// Reads a parameter as a value of a field. Returns `None` if it is absent or invalid. Needs no check of UTF-8,
    /// because such a field has a fixed set of values.
    pub fn value(&mut self, name: &str, field: &Field) -> Option<Value<'static>> {
        let read = field.read_in(&Input::Text(self.text(name)?), self.app.zone());
        self.wrong.check(name.to_owned(), read)
    }

    /// Returns `true` if the parameter is not a valid `T` and therefore finds nothing (contract 8).
    pub fn finds_nothing<T: FromText>(&mut self, name: &str) -> bool {
        self.finds_nothing && self.text(name).is_some_and(|text| T::from_text(text).is_err())
    }

    /// Returns `true` if the parameter is given and not blank.
    pub fn gives(&mut self, name: &str) -> bool {
        self.text(name).is_some_and(|text| !text.trim().is_empty())
    }

    /// Returns `true` if the parameter has exactly this text.
    pub fn is(&mut self, name: &str, word: &str) -> bool {
        self.text(name) == Some(word)
    }

    /// Adds a problem of a parameter.
    pub fn refuse(&mut self, name: &'static str, reason: Reason) {
        self.wrong.add(name, reason);
    }

    /// Reads the page, of at most `largest` records. Returns `None` if it is invalid.
    fn page(&mut self, largest: u32, by_id: bool) -> Option<Page> {
        let [limit, offset] = ["limit", "offset"].map(|name| self.text(name));
        let after = if by_id { self.text("after") } else { None };
        Page::parse_by_id(limit, offset, after, largest).map_err(|wrong| self.wrong.merge(wrong)).ok()
    }

    /// Returns the names of the parameters that were not read, each once. A blank parameter counts as absent.
    fn unknown(&self) -> Vec<String> {
        let given = self
            .query
            .iter()
            .zip(&self.known)
            .filter(|((_, text), known)| !**known && !text.trim().is_empty());
        let mut names = given.map(|((name, _), _)| name.clone()).collect::<Vec<_>>();
        let mut once = HashSet::new();
        names.retain(|name| once.insert(name.clone()));
        names
    }

    /// Returns the current day in the office's time zone.
    pub fn today(&self) -> Day {
        self.app.today()
    }

    /// Returns the first moment of a day in the office's time zone, in seconds since 1970.
    pub fn day_begins(&self, day: Day) -> i64 {
        day.begins(self.app.zone())
    }

    pub fn into_wrong(self) -> Invalid {
        self.wrong
    }

    /// Returns all problems, with those of the parameters that were not read.
    fn finish(self, routed: &RoutedRequest<'_>) -> Invalid {
        let unknown = self.unknown();
        let mut wrong = self.wrong;
        if !unknown.is_empty() {
            unknown::parameters(routed, unknown, &mut wrong);
        }
        wrong
    }

    /// Reads the page and the format of a list.
    fn page_and_format(
        &mut self,
        routed: &RoutedRequest<'_>,
        compatibility: Compatibility,
        by_id: bool,
    ) -> Result<(Option<Page>, ListFormat), Problem> {
        // A route without pages has a single one.
        let page = if routed.route.is_list() {
            self.page(routed.route.largest_page(compatibility), by_id)
        } else {
            Page::parse(None, None, 1).ok()
        };
        let format = ListFormat::of(routed.route, routed.request)?;
        Ok((page.map(|page| if format.is_whole() { page.without_bounds() } else { page }), format))
    }
}

impl<T: Parameters> FromRequest for Query<T> {
    const READS_QUERY: bool = true;

    fn from_request(routed: &RoutedRequest<'_>) -> Result<Query<T>, Problem> {
        let mut reader = QueryReader::new(routed.query(), routed.call.app());
        let compatibility = routed.call.settings().api.compatibility;
        reader.finds_nothing = compatibility == Compatibility::Live;
        let parameters = T::read(&mut reader);
        let (page, format) = reader.page_and_format(routed, compatibility, T::BY_ID)?;
        let has_names = routed.route.listed.is_some_and(calendar::is_of);
        let with_names = has_names && reader.parameter(calendar::NAMES).unwrap_or_default();
        Ok(Query { parameters, page, format, with_names, wrong: reader.finish(routed) })
    }

    fn parts() -> Vec<RoutePart> {
        T::parameters()
            .into_iter()
            .map(RoutePart::Parameter)
            .chain([RoutePart::Page { by_id: T::BY_ID }])
            .collect()
    }
}

/// The parameters of a route that is not a list.
pub struct QueryParameters<T>(pub T);

impl<T: Parameters> FromRequest for QueryParameters<T> {
    const READS_QUERY: bool = true;

    fn from_request(routed: &RoutedRequest<'_>) -> Result<QueryParameters<T>, Problem> {
        let mut reader = QueryReader::new(routed.query(), routed.call.app());
        let parameters = T::read(&mut reader);
        let wrong = reader.finish(routed);
        if wrong.is_empty() { Ok(QueryParameters(parameters)) } else { Err(Problem::from(wrong)) }
    }

    fn parts() -> Vec<RoutePart> {
        T::parameters().into_iter().map(RoutePart::Parameter).collect()
    }
}
