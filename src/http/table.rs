//! The route table: one row a route, and where a method and a path lead.

use std::borrow::Cow;
use std::collections::HashMap;

use http::Method;
use http::header::HeaderValue;
use percent_encoding::percent_decode_str;

use super::handler::RouteHandler;
use super::header::header_value;
use super::route::Route;

/// All routes.
pub struct RouteTable {
    rows: Vec<RouteHandler>,
    /// The same by the first segment of their paths, which is no parameter: only a few fit a request at all.
    by_segment: HashMap<&'static str, Vec<RouteHandler>>,
}

/// What a method and a path lead to.
pub enum Target<'t> {
    /// A route, and the values of its path's parameters.
    Route(&'t RouteHandler, Vec<String>),
    /// The path exists; these are its methods.
    Options(HeaderValue),
    /// The path exists, but not for this method.
    WrongMethod(HeaderValue),
    /// There is no such path.
    Nothing,
}

impl RouteTable {
    /// The table of these rows.
    pub fn new(rows: Vec<RouteHandler>) -> RouteTable {
        let mut by_segment: HashMap<_, Vec<_>> = HashMap::new();
        for row in &rows {
            by_segment.entry(row.route.first_segment()).or_default().push(row.clone());
        }
        RouteTable { rows, by_segment }
    }

    /// Every route.
    pub fn routes(&self) -> impl Iterator<Item = &Route> {
        self.rows.iter().map(|row| &*row.route)
    }

    /// Looks up a path below the base, still percent-encoded. A trailing slash is the same route (contract 1).
    pub fn find(&self, method: &Method, path: &str) -> Target<'_> {
        let Some(segments) = segments(path) else { return Target::Nothing };
        let rows = segments.first().and_then(|first| self.by_segment.get(&**first));
        let fitting = || rows.into_iter().flatten().filter(|row| row.route.fits(&segments));
        // `/customers/birthdays` also fits `/customers/{id}`: the more specific path is meant, for every method.
        let Some(specific) = fitting().map(|row| row.route.parameters()).min() else {
            return Target::Nothing;
        };
        let meant = || fitting().filter(|row| row.route.parameters() == specific);
        let allowed = || allow(meant().map(|row| &row.route.method));
        if method == Method::OPTIONS {
            return Target::Options(allowed());
        }
        let wanted = match *method {
            Method::HEAD => &Method::GET,
            Method::PATCH => &Method::PUT,
            _ => method,
        };
        match meant().find(|row| row.route.method == *wanted) {
            Some(row) => {
                let values = row.route.values(segments);
                Target::Route(row, values)
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
        match *method {
            Method::GET => names.push("HEAD"),
            Method::PUT => names.push("PATCH"),
            _ => {}
        }
    }
    names.push("OPTIONS");
    header_value(&names.join(", "))
}
