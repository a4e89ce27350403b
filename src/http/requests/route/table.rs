//! The route table, which finds the route of a method and a path.

use std::borrow::Cow;
use std::collections::HashMap;

use http::Method;
use http::header::HeaderValue;
use percent_encoding::percent_decode_str;

use super::handler::RouteHandler;
use crate::http::answers::header::header_value;
use crate::http::requests::route::Route;

pub struct RouteTable {
    rows: Vec<RouteHandler>,
    /// Routes by their first path segment, which is never a parameter. Few routes remain to compare with a path.
    by_segment: HashMap<&'static str, Vec<RouteHandler>>,
}

/// The result of a look-up by method and path.
pub enum Target<'t> {
    /// A route, with the values of its path parameters.
    Route(&'t RouteHandler, Vec<String>),
    /// The methods of the path, for OPTIONS.
    Options(HeaderValue),
    /// The path exists, but not with this method. Contains the allowed methods.
    WrongMethod(HeaderValue),
    Nothing,
}

impl RouteTable {
    pub fn new(rows: Vec<RouteHandler>) -> RouteTable {
        let mut by_segment: HashMap<_, Vec<_>> = HashMap::new();
        for row in &rows {
            by_segment.entry(row.route.first_segment()).or_default().push(row.clone());
        }
        RouteTable { rows, by_segment }
    }

    pub fn routes(&self) -> impl Iterator<Item = &Route> {
        self.rows.iter().map(|row| &*row.route)
    }

    /// Returns the route with this operation id.
    pub fn by_id(&self, id: &str) -> Option<&RouteHandler> {
        self.rows.iter().find(|row| row.route.id == id)
    }

    /// Finds the route of a path below the base, still percent-encoded. A trailing slash is ignored (contract 1).
    pub fn find(&self, method: &Method, path: &str) -> Target<'_> {
        let Some(segments) = segments(path) else { return Target::Nothing };
        let rows = segments.first().and_then(|first| self.by_segment.get(&**first));
        let fitting: Vec<_> = rows.into_iter().flatten().filter(|row| row.route.fits(&segments)).collect();
        // `/customers/birthdays` also matches `/customers/{id}`. The more specific path wins, for every method.
        let Some(specific) = fitting.iter().map(|row| row.route.parameters()).min() else {
            return Target::Nothing;
        };
        let meant = || fitting.iter().filter(|row| row.route.parameters() == specific);
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

/// Returns the decoded segments of a path, or `None` if it is not UTF-8.
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
