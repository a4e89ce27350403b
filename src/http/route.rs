//! A route: its row in the table, without what answers it.

use std::borrow::Cow;

use http::Method;

use super::body;
use super::describe::RoutePart;
use crate::config::settings::Compatibility;
use crate::domain::Bilingual;
use crate::records;
use crate::store::Lane;

/// Where the API begins (contract 1).
pub const BASE: &str = "/api/v1";

/// The largest page of a list, for each compatibility (contract 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Largest {
    /// By the user's document.
    pub document: u32,
    /// By the live service of today.
    pub live: u32,
}

/// A route.
#[derive(Clone)]
pub struct Route {
    /// Its method. GET stands for HEAD too, and PUT for PATCH.
    pub method: Method,
    /// Its path below the base, such as `/customers/{id}`.
    pub path: &'static str,
    /// What clients that are generated from the description call it, such as `getCustomer`: stable.
    pub id: &'static str,
    /// What it does, in a few words.
    pub about: Bilingual,
    /// The path of which it is an alias.
    pub canonical: Option<&'static str>,
    /// What its callers should know beyond that, in Markdown.
    pub explanation: Option<Bilingual>,
    key: String,
    /// The path's segments.
    segments: Vec<&'static str>,
    /// The largest page, of a list.
    pub(super) largest: Option<Largest>,
    /// How many bytes its body has at the most.
    pub largest_body: usize,
    /// Whether its body is a file, or a form with one.
    pub takes_file: bool,
    /// Whether a signed address opens it without a token.
    pub(super) is_signed: bool,
    /// Whether its answers may wait for what is not there yet.
    pub(super) is_waiting: bool,
    /// What it answers with, where that is one record by its id.
    pub(super) record: Option<&'static records::Table>,
    /// What it answers with a list of, where that is a list of records.
    pub(super) listed: Option<&'static records::Table>,
    /// What it takes and answers.
    pub(super) parts: fn() -> Vec<RoutePart>,
}

impl Route {
    pub(super) fn new(
        method: Method,
        path: &'static str,
        id: &'static str,
        about: Bilingual,
        parts: fn() -> Vec<RoutePart>,
    ) -> Route {
        Route {
            key: format!("{method} {path}"),
            segments: path.split('/').skip(1).collect(),
            record: None,
            listed: None,
            method,
            path,
            id,
            about,
            canonical: None,
            explanation: None,
            largest: None,
            largest_body: body::LARGEST,
            takes_file: false,
            is_signed: false,
            is_waiting: false,
            parts,
        }
    }

    /// Under which name its requests are counted, keyed and logged.
    pub fn key(&self) -> &str {
        &self.key
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

    /// `true` if every parameter of a query is one too many unless its handler reads it. Clients repeat the members of bodies in
    /// the query (contract 1), and signed addresses have parameters of their own.
    pub(super) fn ignores_query(&self) -> bool {
        !self.is_signed && ![Method::POST, Method::PUT].contains(&self.method)
    }

    /// Which threads answer it.
    pub fn lane(&self) -> Lane {
        if self.is_list() { Lane::Long } else { Lane::Point }
    }

    /// How many segments of its path are parameters: the fewer, the more specific.
    pub(super) fn parameters(&self) -> usize {
        self.segments.iter().filter(|segment| is_parameter(segment)).count()
    }

    /// The first segment of its path, such as `customers`.
    pub(super) fn first_segment(&self) -> &'static str {
        self.segments.first().copied().unwrap_or_default()
    }

    /// Whether a path of these segments is meant.
    pub(super) fn fits(&self, segments: &[Cow<'_, str>]) -> bool {
        self.segments.len() == segments.len()
            && self.segments.iter().zip(segments).all(|(own, found)| is_parameter(own) || own == found)
    }

    /// The values of its path's parameters in a path that fits.
    pub(super) fn values(&self, segments: Vec<Cow<'_, str>>) -> Vec<String> {
        let of_parameters = self.segments.iter().zip(segments).filter(|(own, _)| is_parameter(own));
        of_parameters.map(|(_, found)| found.into_owned()).collect()
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}
