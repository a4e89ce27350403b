//! A request on its route, from which the arguments of a handler are read.

use super::call::Call;
use super::describe::RoutePart;
use super::problem::Problem;
use super::request::Request;
use super::route::Route;
use crate::domain::id::{Id, Noun};

/// A request with its route, and the call that its handler gets.
pub struct Routed<'a> {
    pub(super) call: Call<'a>,
    pub(super) request: &'a Request,
    pub(super) route: &'a Route,
}

impl<'a> Routed<'a> {
    /// Returns the query parameters as received, in their order.
    pub(super) fn query(&self) -> &'a [(String, String)] {
        &self.request.parameters
    }

    /// Returns the value of the route's first path parameter.
    pub(super) fn segment(&self) -> Option<&'a str> {
        self.request.path_parameters.first().map(String::as_str)
    }
}

/// A type that can be an argument of a handler.
pub trait FromRequest: Sized {
    /// `true` if the argument reads the query, and so reports unknown parameters.
    const READS_QUERY: bool = false;

    /// Reads the argument. Fails if the request has no valid one.
    fn from_request(routed: &Routed<'_>) -> Result<Self, Problem>;

    /// Returns the description of the argument.
    fn parts() -> Vec<RoutePart> {
        Vec::new()
    }
}

impl<K: Noun> FromRequest for Id<K> {
    /// Reads the id in the path. An invalid id is reported as not found, like an unused one (contract 4.4).
    fn from_request(routed: &Routed<'_>) -> Result<Id<K>, Problem> {
        let id = routed.segment().and_then(|segment| Id::parse(segment).ok());
        id.ok_or_else(|| Problem::not_found(K::WORD))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::PathId(K::WORD)]
    }
}
