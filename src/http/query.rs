//! The parameters of a list, read by their names: what is wrong with any of them, and which no rule names.

use std::collections::HashSet;

use super::accept::ListFormat;
use super::call::{Call, parameter};
use super::describe::{Parameter, RoutePart};
use super::input::Take;
use super::problem::Problem;
use super::unknown;
use super::wire::FromText;
use crate::app::App;
use crate::config::settings::Compatibility;
use crate::domain::{Day, Invalid, Page, Reason};
use crate::records::{Field, Input, Value};

/// The parameters of a list, and its page. Whatever is wrong with any of them is in `wrong`.
pub struct Query<T> {
    /// The parameters; one that is wrong is absent.
    pub ask: T,
    /// The page; none where it is wrong.
    page: Option<Page>,
    /// In which form it is answered.
    format: ListFormat,
    /// What is wrong so far.
    pub wrong: Invalid,
}

/// The page of a list that a request asks for.
pub struct PageRequest {
    /// The page; all of the list where that is what its form has.
    pub page: Page,
    /// In which form it is answered.
    pub(super) format: ListFormat,
}

impl<T> Query<T> {
    /// The parameters and the page, once nothing is wrong.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn into_valid(self) -> Result<(T, PageRequest), Problem> {
        match self.page {
            Some(page) if self.wrong.is_empty() => Ok((self.ask, PageRequest { page, format: self.format })),
            _ => Err(Problem::from(self.wrong)),
        }
    }
}

/// What the parameters of a list can be read as.
pub trait Parameters: Sized {
    /// Whether the list comes by id, so that a page may also begin `after` one.
    const BY_ID: bool = false;

    /// Reads it.
    fn read(reader: &mut QueryReader<'_>) -> Self;

    /// Which there are.
    fn parameters() -> Vec<Parameter>;
}

/// Reads query parameters and collects what is wrong with them.
pub struct QueryReader<'a> {
    query: &'a [(String, String)],
    /// Which of them were asked for.
    known: Vec<bool>,
    app: &'a App,
    /// Whether a number that cannot be searched finds nothing, as on the live service, where it is refused otherwise.
    finds_nothing: bool,
    wrong: Invalid,
}

impl<'a> QueryReader<'a> {
    /// A reader of those parameters.
    pub fn new(query: &'a [(String, String)], app: &'a App) -> QueryReader<'a> {
        QueryReader {
            query,
            known: vec![false; query.len()],
            app,
            finds_nothing: false,
            wrong: Invalid::new(),
        }
    }

    /// The text of the parameter of that name.
    fn text(&mut self, name: &str) -> Option<&'a str> {
        self.query.iter().zip(&mut self.known).for_each(|((key, _), known)| *known |= key == name);
        parameter(self.query, name)
    }

    /// The parameter of that name; absent where it is wrong.
    pub fn parameter<T: FromText>(&mut self, name: &str) -> Option<T> {
        let text = self.text(name)?;
        // What is no UTF-8 was decoded to this character; nobody types it.
        if text.contains(char::REPLACEMENT_CHARACTER) {
            self.wrong.add(name.to_owned(), Reason::NotUtf8);
            return None;
        }
        self.wrong.check(name.to_owned(), T::from_text(text))
    }

    /// The parameter of that name as a value of that field; absent where it is wrong.
    pub fn value(&mut self, name: &str, field: &Field) -> Option<Value<'static>> {
        let read = field.read(&Input::Text(self.text(name)?));
        self.wrong.check(name.to_owned(), read)
    }

    /// `true` if the parameter of that name is no `T`, and finds nothing by that (contract 8).
    pub fn finds_nothing<T: FromText>(&mut self, name: &str) -> bool {
        self.finds_nothing && self.text(name).is_some_and(|text| T::from_text(text).is_err())
    }

    /// Whether the parameter of that name is that word.
    pub fn is(&mut self, name: &str, word: &str) -> bool {
        self.text(name) == Some(word)
    }

    /// Notes what is wrong with the parameter of that name.
    pub fn refuse(&mut self, name: &'static str, reason: Reason) {
        self.wrong.add(name, reason);
    }

    /// The page, of at most `largest` records; absent where it is wrong.
    fn page(&mut self, largest: u32, by_id: bool) -> Option<Page> {
        let [limit, offset] = ["limit", "offset"].map(|name| self.text(name));
        let after = if by_id { self.text("after") } else { None };
        Page::parse_by_id(limit, offset, after, largest).map_err(|wrong| self.wrong.merge(wrong)).ok()
    }

    /// The names of the parameters that nobody asked for, each once; empty ones count as absent.
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

    /// The office's day.
    pub fn today(&self) -> Day {
        self.app.today()
    }

    /// What is wrong.
    pub fn into_wrong(self) -> Invalid {
        self.wrong
    }
}

impl<T: Parameters> Take for Query<T> {
    const READS_QUERY: bool = true;

    fn take(call: &Call<'_>) -> Result<Query<T>, Problem> {
        let mut reader = QueryReader::new(call.query(), call.app());
        reader.finds_nothing = call.settings().api.compatibility == Compatibility::Live;
        let ask = T::read(&mut reader);
        // A route without pages has one page, of whatever there is.
        let page = if call.route.is_list() {
            reader.page(call.largest_page(), T::BY_ID)
        } else {
            Page::parse(None, None, 1).ok()
        };
        let format = ListFormat::of(call)?;
        let page = page.map(|page| if format.is_whole() { page.without_bounds() } else { page });
        let unknown = reader.unknown();
        let mut wrong = reader.into_wrong();
        if !unknown.is_empty() {
            unknown::parameters(call, unknown, &mut wrong);
        }
        Ok(Query { ask, page, format, wrong })
    }

    fn parts() -> Vec<RoutePart> {
        T::parameters()
            .into_iter()
            .map(RoutePart::Parameter)
            .chain([RoutePart::Page { by_id: T::BY_ID }])
            .collect()
    }
}

/// The parameters of a route that is no list.
pub struct QueryParameters<T>(pub T);

impl<T: Parameters> Take for QueryParameters<T> {
    const READS_QUERY: bool = true;

    fn take(call: &Call<'_>) -> Result<QueryParameters<T>, Problem> {
        let mut reader = QueryReader::new(call.query(), call.app());
        let asked = T::read(&mut reader);
        let unknown = reader.unknown();
        let mut wrong = reader.into_wrong();
        if !unknown.is_empty() {
            unknown::parameters(call, unknown, &mut wrong);
        }
        if wrong.is_empty() { Ok(QueryParameters(asked)) } else { Err(Problem::from(wrong)) }
    }

    fn parts() -> Vec<RoutePart> {
        T::parameters().into_iter().map(RoutePart::Parameter).collect()
    }
}
