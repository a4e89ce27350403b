//! A request on its route, from which the arguments of a handler are read. Those in the path are read here.

use std::marker::PhantomData;

use serde_json::json;

use crate::domain::Bilingual;
use crate::domain::id::{Id, Noun};
use crate::http::answers::problem::Problem;
use crate::http::openapi::describe::{Parameter, RoutePart};
use crate::http::requests::call::Call;
use crate::http::requests::request::Request;
use crate::http::requests::route::Route;

/// A request with its route, and the call that its handler gets.
pub struct RoutedRequest<'a> {
    pub(in crate::http) call: Call<'a>,
    pub(in crate::http) request: &'a Request,
    pub(in crate::http) route: &'a Route,
}

impl<'a> RoutedRequest<'a> {
    /// Returns the query parameters as received, in their order.
    pub(in crate::http) fn query(&self) -> &'a [(String, String)] {
        &self.request.parameters
    }

    /// Returns the value of the route's first path parameter.
    pub(in crate::http) fn segment(&self) -> Option<&'a str> {
        self.request.path_parameters.first().map(String::as_str)
    }
}

/// A type that can be an argument of a handler.
pub trait FromRequest: Sized {
    /// `true` if the argument reads the query, and so reports unknown parameters.
    const READS_QUERY: bool = false;

    /// Reads the argument. Fails if the request has no valid one.
    fn from_request(routed: &RoutedRequest<'_>) -> Result<Self, Problem>;

    /// Returns the description of the argument.
    fn parts() -> Vec<RoutePart> {
        Vec::new()
    }
}

impl<K: Noun> FromRequest for Id<K> {
    /// Reads the id in the path. An invalid id is reported as not found, like an unused one (contract 4.4).
    fn from_request(routed: &RoutedRequest<'_>) -> Result<Id<K>, Problem> {
        let id = routed.segment().and_then(|segment| Id::parse(segment).ok());
        id.ok_or_else(|| Problem::not_found(K::WORD))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::PathId(K::WORD)]
    }
}

/// A path parameter that is not an id.
pub trait PathWord: 'static {
    const NAME: &'static str;
    const ABOUT: Bilingual;
    const EXAMPLE: &'static str;
}

/// The last path parameter, as received.
pub struct PathText<W> {
    pub text: String,
    of: PhantomData<fn() -> W>,
}

impl<W: PathWord> PathText<W> {
    pub fn new(text: &str) -> PathText<W> {
        PathText { text: text.to_owned(), of: PhantomData }
    }
}

impl<W: PathWord> FromRequest for PathText<W> {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<PathText<W>, Problem> {
        Ok(PathText::new(routed.request.path_parameters.last().map_or("", String::as_str)))
    }

    fn parts() -> Vec<RoutePart> {
        let schema = json!({ "type": "string", "minLength": 1 });
        let name = W::NAME.to_owned();
        let about = W::ABOUT.into();
        let example = W::EXAMPLE.into();
        vec![RoutePart::PathText(Parameter { name, about, schema, example, is_required: true })]
    }
}
