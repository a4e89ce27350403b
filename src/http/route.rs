//! The route table: one row a route, and everything that is asked of the whole of them.

use std::borrow::Cow;
use std::sync::Arc;

use http::Method;
use http::header::HeaderValue;
use percent_encoding::percent_decode_str;

use super::answer::{Reply, Work, header_value};
use super::call::Call;
use super::input::Take;
use super::openapi::Operation;
use super::problem::Problem;
use crate::config::settings::Compatibility;
use crate::records;
use crate::store::Lane;

/// The largest page of a list, for each compatibility (contract 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Largest {
    /// By the user's document.
    pub document: u32,
    /// By the live service of today.
    pub live: u32,
}

/// A row of the table.
pub struct Route {
    /// Its method. GET stands for HEAD too.
    pub method: Method,
    /// Its path below the base, such as `/customers/{id}`.
    pub path: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// The path of which it is an alias.
    pub canonical: Option<&'static str>,
    /// What its callers should know beyond that, in Markdown.
    pub explanation: Option<&'static str>,
    key: String,
    /// The path's segments.
    segments: Vec<&'static str>,
    largest: Option<Largest>,
    record: Option<&'static records::Table>,
    run: Run,
    describe: fn(&mut Operation<'_, '_>),
}

type Run = Box<dyn Fn(&Call<'_>) -> Result<Work, Problem> + Send + Sync>;

impl Route {
    fn new<In, H: Handler<In>>(method: Method, path: &'static str, about: &'static str, handler: H) -> Route {
        Route {
            key: format!("{method} {path}"),
            segments: path.split('/').skip(1).collect(),
            record: H::RECORD,
            method,
            path,
            about,
            canonical: None,
            explanation: None,
            largest: None,
            run: Box::new(move |call| handler.run(call)),
            describe: H::describe,
        }
    }

    /// A list, whose pages have at most so many records.
    pub fn paged(mut self, largest: Largest) -> Route {
        self.largest = Some(largest);
        self
    }

    /// Tells its callers what they should know.
    pub fn explained(mut self, explanation: &'static str) -> Route {
        self.explanation = Some(explanation);
        self
    }

    /// An alias of the route at `path`, the base included.
    pub fn alias_of(mut self, path: &'static str) -> Route {
        self.canonical = Some(path);
        self
    }

    /// Under which name its requests are counted, keyed and logged.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What clients generated from the description call it, such as `getCustomersId`.
    pub fn name(&self) -> String {
        let mut name = self.method.as_str().to_lowercase();
        for word in self.path.split(|mark: char| !mark.is_ascii_alphanumeric()) {
            let (first, rest) = word.split_at_checked(1).unwrap_or_default();
            name.push_str(&first.to_uppercase());
            name.push_str(rest);
        }
        name
    }

    /// How many records its pages have at the most; 0 where it has none.
    pub fn largest_page(&self, compatibility: Compatibility) -> u32 {
        self.largest.map_or(0, |largest| match compatibility {
            Compatibility::Document => largest.document,
            Compatibility::Live => largest.live,
        })
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        self.largest.is_some()
    }

    /// What it answers with, where that is one record by its id.
    pub(super) fn record(&self) -> Option<&'static records::Table> {
        self.record
    }

    /// Which threads answer it.
    pub fn lane(&self) -> Lane {
        if self.is_list() { Lane::Long } else { Lane::Point }
    }

    pub(super) fn run(&self, call: &Call<'_>) -> Result<Work, Problem> {
        (self.run)(call)
    }

    pub(super) fn describe(&self, operation: &mut Operation<'_, '_>) {
        (self.describe)(operation);
    }

    /// How many segments of its path are parameters: the fewer, the more specific.
    fn parameters(&self) -> usize {
        self.segments.iter().filter(|segment| is_parameter(segment)).count()
    }

    /// Whether a path of these segments is meant.
    fn fits(&self, segments: &[Cow<'_, str>]) -> bool {
        self.segments.len() == segments.len()
            && self.segments.iter().zip(segments).all(|(own, found)| is_parameter(own) || own == found)
    }

    /// The values of its path's parameters in a path that fits.
    fn values(&self, segments: Vec<Cow<'_, str>>) -> Vec<String> {
        let of_parameters = self.segments.iter().zip(segments).filter(|(own, _)| is_parameter(own));
        of_parameters.map(|(_, found)| found.into_owned()).collect()
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}

/// A route that reads.
pub fn get<In>(path: &'static str, about: &'static str, handler: impl Handler<In>) -> Route {
    Route::new(Method::GET, path, about, handler)
}

/// A route that creates.
pub fn post<In>(path: &'static str, about: &'static str, handler: impl Handler<In>) -> Route {
    Route::new(Method::POST, path, about, handler)
}

/// A route that changes.
pub fn put<In>(path: &'static str, about: &'static str, handler: impl Handler<In>) -> Route {
    Route::new(Method::PUT, path, about, handler)
}

/// A function that answers a route: synchronous, from typed input to something that can be replied.
pub trait Handler<In>: Send + Sync + 'static {
    /// Which record it answers with: [`Reply::RECORD`].
    const RECORD: Option<&'static records::Table>;

    /// Takes its input from the call and answers it.
    ///
    /// # Errors
    /// What is wrong with the request, or with us.
    fn run(&self, call: &Call<'_>) -> Result<Work, Problem>;

    /// Writes its input and its answers into the description.
    fn describe(operation: &mut Operation<'_, '_>);
}

impl<F, R: Reply> Handler<()> for F
where
    F: Fn(&Call<'_>) -> Result<R, Problem> + Send + Sync + 'static,
{
    const RECORD: Option<&'static records::Table> = R::RECORD;

    fn run(&self, call: &Call<'_>) -> Result<Work, Problem> {
        self(call)?.reply(call)
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        R::describe(operation);
    }
}

impl<F, A: Take, R: Reply> Handler<(A,)> for F
where
    F: Fn(&Call<'_>, A) -> Result<R, Problem> + Send + Sync + 'static,
{
    const RECORD: Option<&'static records::Table> = R::RECORD;

    fn run(&self, call: &Call<'_>) -> Result<Work, Problem> {
        self(call, A::take(call)?)?.reply(call)
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        A::describe(operation);
        R::describe(operation);
    }
}

impl<F, A: Take, B: Take, R: Reply> Handler<(A, B)> for F
where
    F: Fn(&Call<'_>, A, B) -> Result<R, Problem> + Send + Sync + 'static,
{
    const RECORD: Option<&'static records::Table> = R::RECORD;

    fn run(&self, call: &Call<'_>) -> Result<Work, Problem> {
        self(call, A::take(call)?, B::take(call)?)?.reply(call)
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        A::describe(operation);
        B::describe(operation);
        R::describe(operation);
    }
}

impl<F, A: Take, B: Take, C: Take, R: Reply> Handler<(A, B, C)> for F
where
    F: Fn(&Call<'_>, A, B, C) -> Result<R, Problem> + Send + Sync + 'static,
{
    const RECORD: Option<&'static records::Table> = R::RECORD;

    fn run(&self, call: &Call<'_>) -> Result<Work, Problem> {
        self(call, A::take(call)?, B::take(call)?, C::take(call)?)?.reply(call)
    }

    fn describe(operation: &mut Operation<'_, '_>) {
        A::describe(operation);
        B::describe(operation);
        C::describe(operation);
        R::describe(operation);
    }
}

/// All routes.
pub struct RouteTable(Vec<Arc<Route>>);

/// What a method and a path lead to.
pub enum Target {
    /// A route, and the values of its path's parameters.
    Route(Arc<Route>, Vec<String>),
    /// The path exists; these are its methods.
    Options(HeaderValue),
    /// The path exists, but not for this method.
    WrongMethod(HeaderValue),
    /// There is no such path.
    Nothing,
}

impl RouteTable {
    /// The table of these rows.
    pub fn new(routes: Vec<Route>) -> RouteTable {
        RouteTable(routes.into_iter().map(Arc::new).collect())
    }

    /// Every row.
    pub fn routes(&self) -> impl Iterator<Item = &Arc<Route>> {
        self.0.iter()
    }

    /// Looks up a path below the base, still percent-encoded. A trailing slash is the same route (contract 1).
    pub fn find(&self, method: &Method, path: &str) -> Target {
        let Some(segments) = segments(path) else { return Target::Nothing };
        let fitting = || self.0.iter().filter(|route| route.fits(&segments));
        // `/customers/birthdays` also fits `/customers/{id}`: the more specific path is meant, for every method.
        let Some(specific) = fitting().map(|route| route.parameters()).min() else { return Target::Nothing };
        let meant = || fitting().filter(|route| route.parameters() == specific);
        let allowed = || allow(meant().map(|route| &route.method));
        if method == Method::OPTIONS {
            return Target::Options(allowed());
        }
        let wanted = if method == Method::HEAD { &Method::GET } else { method };
        match meant().find(|route| route.method == *wanted).cloned() {
            Some(route) => {
                let values = route.values(segments);
                Target::Route(route, values)
            }
            None => Target::WrongMethod(allowed()),
        }
    }
}

/// The decoded segments of a path; none where it is not UTF-8.
fn segments(path: &str) -> Option<Vec<Cow<'_, str>>> {
    let path = path.strip_prefix('/')?;
    let path = path.strip_suffix('/').unwrap_or(path);
    path.split('/').map(|segment| percent_decode_str(segment).decode_utf8().ok()).collect()
}

fn allow<'a>(methods: impl Iterator<Item = &'a Method>) -> HeaderValue {
    let mut names = Vec::new();
    for method in methods {
        names.push(method.as_str());
        if method == Method::GET {
            names.push("HEAD");
        }
    }
    names.push("OPTIONS");
    header_value(&names.join(", "))
}
