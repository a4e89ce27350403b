//! A route without its handler.

pub(in crate::http) mod extract;
pub(in crate::http) mod handler;
pub(in crate::http) mod table;

use std::borrow::Cow;

use http::Method;

use crate::config::settings::Compatibility;
use crate::domain::Bilingual;
use crate::http::openapi::describe::{BodyDescription, MemberDescription, Parameter, RoutePart};
use crate::http::requests::body;
use crate::records::{self, Access};
use crate::store::Lane;

/// Base path of the API (contract 1).
pub const BASE: &str = "/api/v1";

/// Parameters of a signed URL.
pub(in crate::http) const SIGNATURE: &str = "signature";
pub(in crate::http) const EXPIRES: &str = "expires";

/// Maximum page size of a list, for each compatibility (contract 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxPageSize {
    /// Maximum if `api.compatibility` is `document`.
    pub document: u32,
    /// Maximum if `api.compatibility` is `live`.
    pub live: u32,
}

#[derive(Clone)]
pub struct Route {
    /// Method. GET includes HEAD, and PUT includes PATCH.
    pub method: Method,
    /// Path below the base, such as `/customers/{id}`.
    pub path: &'static str,
    /// Stable operation id, which names the method in generated clients, such as `getCustomer`.
    pub id: &'static str,
    /// The requirement of the route, and a second one, if there is one.
    pub access: Access,
    pub(in crate::http) also: Option<Access>,
    pub about: Bilingual,
    /// `true` if the cloud service has the route too. On any other route, unknown parameters are refused (contract 1).
    pub is_in_cloud: bool,
    /// Path of the original, base included, if the route is an alias.
    pub canonical: Option<&'static str>,
    /// Further explanation in Markdown.
    pub explanation: Option<Bilingual>,
    key: String,
    segments: Vec<&'static str>,
    /// Maximum page size, if the route is a list.
    pub(in crate::http) max_page_size: Option<MaxPageSize>,
    /// Maximum body size, in bytes.
    pub largest_body: usize,
    /// `true` if the body is a file, or a form with one.
    pub takes_file: bool,
    /// `true` if a signed URL opens the route without a token.
    pub(in crate::http) is_signed: bool,
    /// `true` if the route supports long polls.
    pub(in crate::http) is_waiting: bool,
    /// `true` if the route is a change that cannot be repeated.
    pub(in crate::http) is_once: bool,
    /// Table of the record, if the response is a single record by its id.
    pub(in crate::http) record: Option<&'static records::Table>,
    /// Table of the records, if the response is a list of records.
    pub(in crate::http) listed: Option<&'static records::Table>,
    /// Table whose index the handler reads, if the response is no list.
    pub(in crate::http) looked_up: Option<&'static records::Table>,
    /// Returns the descriptions of request and responses.
    pub(in crate::http) parts: fn() -> Vec<RoutePart>,
}

impl Route {
    pub fn new(
        method: Method,
        path: &'static str,
        id: &'static str,
        access: Access,
        about: Bilingual,
        parts: fn() -> Vec<RoutePart>,
    ) -> Route {
        Route {
            key: format!("{method} {path}"),
            segments: path.split('/').skip(1).collect(),
            record: None,
            listed: None,
            looked_up: None,
            method,
            path,
            id,
            access,
            also: None,
            about,
            is_in_cloud: false,
            canonical: None,
            explanation: None,
            max_page_size: None,
            largest_body: body::MAX_BODY_BYTES,
            takes_file: false,
            is_signed: false,
            is_waiting: false,
            is_once: false,
            parts,
        }
    }

    /// Returns the name under which requests are counted and idempotency keys are stored.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the maximum page size, or 0 if the route has no pages.
    pub fn largest_page(&self, compatibility: Compatibility) -> u32 {
        self.max_page_size.map_or(0, |max| match compatibility {
            Compatibility::Document => max.document,
            Compatibility::Live => max.live,
        })
    }

    /// Returns the table of the records in the answer, if there is one.
    pub fn table(&self) -> Option<&'static records::Table> {
        self.listed.or(self.record)
    }

    /// Returns the descriptions of the query parameters, apart from those of the page.
    pub fn described_parameters(&self) -> Vec<Parameter> {
        let parameters = (self.parts)().into_iter().filter_map(|part| match part {
            RoutePart::Parameter(parameter) => Some(parameter),
            _ => None,
        });
        parameters.collect()
    }

    /// Returns the descriptions of the members of the body, of a single record if it can have several.
    pub fn described_members(&self) -> Vec<MemberDescription> {
        let members = (self.parts)().into_iter().filter_map(|part| match part {
            RoutePart::Body(body) | RoutePart::OneOrMany(_, _, body) => Some(body),
            _ => None,
        });
        members.flat_map(BodyDescription::into_known).collect()
    }

    /// Returns everything that the route requires of its callers.
    pub fn requires(&self) -> impl Iterator<Item = Access> {
        [self.access].into_iter().chain(self.also)
    }

    pub fn is_list(&self) -> bool {
        self.max_page_size.is_some()
    }

    /// Returns `true` if query parameters that the handler does not read are unknown. POST and PUT of the cloud are
    /// excepted, since its clients repeat members of the body in the query (contract 1). An upload reads all of them.
    pub(in crate::http) fn has_unknown_parameters(&self) -> bool {
        let takes_copies = self.is_in_cloud && [Method::POST, Method::PUT].contains(&self.method);
        !takes_copies && !self.takes_file
    }

    /// Returns `true` if a request may have an `Idempotency-Key`, because it may create records: a POST, a PUT to a
    /// collection (events 22.2), or a payment, which may leave a rest.
    pub(in crate::http) fn takes_key(&self) -> bool {
        self.method == Method::POST || self.method == Method::PUT && self.parameters() == 0 || self.is_once
    }

    /// Returns the store threads that run the handler.
    pub fn lane(&self) -> Lane {
        if self.is_list() || self.looked_up.is_some() { Lane::Long } else { Lane::Point }
    }

    /// Returns the number of path parameters. A route with fewer is more specific.
    pub(in crate::http) fn parameters(&self) -> usize {
        self.segments.iter().filter(|segment| is_parameter(segment)).count()
    }

    /// Returns the first segment of the path, such as `customers`.
    pub(in crate::http) fn first_segment(&self) -> &'static str {
        self.segments.first().copied().unwrap_or_default()
    }

    /// Returns `true` if a path with these segments matches.
    pub(in crate::http) fn fits(&self, segments: &[Cow<'_, str>]) -> bool {
        self.segments.len() == segments.len()
            && self.segments.iter().zip(segments).all(|(own, found)| is_parameter(own) || own == found)
    }

    /// Returns the values of the path parameters in a matching path.
    pub(in crate::http) fn values(&self, segments: Vec<Cow<'_, str>>) -> Vec<String> {
        let of_parameters = self.segments.iter().zip(segments).filter(|(own, _)| is_parameter(own));
        of_parameters.map(|(_, found)| found.into_owned()).collect()
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}
