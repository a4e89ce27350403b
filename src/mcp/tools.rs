//! The tools of assistants, as rows: each names the routes of the API that it reads, and the parameters that it passes on.
//!
//! Schemas, rights and refusals come from these routes. Nothing is checked twice.

mod table;

pub use table::TOOLS;

use crate::domain::Bilingual;
use crate::http::{Route, RouteTable};
use crate::records::Rights;

/// A tool, with everything that its definition and its calls need.
pub struct Tool {
    pub name: &'static str,
    pub title: Bilingual,
    /// When to use it, and for what not.
    pub about: Bilingual,
    /// The lists that it reads. A call reads the first one whose `by` it gives, or the last one, which has none.
    pub lists: &'static [ToolList],
    /// The list that is read if that one is empty.
    pub otherwise: Option<&'static ToolList>,
    /// One record, if a call gives an `id`.
    pub record: Option<ToolRecord>,
}

/// A list of the API that a tool reads.
pub struct ToolList {
    /// Operation id of its route.
    pub route: &'static str,
    /// The argument that selects it among several.
    pub by: Option<&'static str>,
    /// Arguments of the tool, each with the query parameter that it becomes.
    pub arguments: &'static [(&'static str, &'static str)],
    /// Further query parameters, for a caller with these rights.
    pub always: fn(Rights) -> &'static [(&'static str, &'static str)],
    /// The member by which the items are sorted. Without it, they have the order of the route.
    pub sorted_by: Option<&'static str>,
    /// `true` if the answer is an object of lists, from which the argument [`LIST`] selects one.
    pub is_of_lists: bool,
}

/// A single record of the API, with what belongs to it.
pub struct ToolRecord {
    /// Operation id of the route that reads it.
    pub route: &'static str,
    /// Lists of other records. The argument `id` is the id of this one.
    pub related: &'static [ToolList],
}

/// The argument with the id of a single record.
pub const ID: &str = "id";

/// The place of an argument that becomes the id in the path, and no query parameter.
pub const PATH_ID: &str = "{id}";

/// The argument with the number of items before the page.
pub const OFFSET: &str = "offset";

/// The argument that names a reference list.
pub const LIST: &str = "list";

impl ToolList {
    const fn of(route: &'static str, arguments: &'static [(&'static str, &'static str)]) -> ToolList {
        let always = |_| -> &'static [_] { &[] };
        ToolList { route, by: None, arguments, always, sorted_by: None, is_of_lists: false }
    }

    const fn by(self, argument: &'static str) -> ToolList {
        ToolList { by: Some(argument), ..self }
    }

    const fn always(self, always: fn(Rights) -> &'static [(&'static str, &'static str)]) -> ToolList {
        ToolList { always, ..self }
    }

    const fn sorted_by(self, member: &'static str) -> ToolList {
        ToolList { sorted_by: Some(member), ..self }
    }

    const fn of_lists(self) -> ToolList {
        ToolList { is_of_lists: true, ..self }
    }

    /// Returns `true` if a caller may read the list.
    pub fn is_for(&self, rights: Rights, routes: &RouteTable) -> bool {
        routes.by_id(self.route).is_some_and(|row| may_read(rights, &row.route))
    }

    /// Returns the query parameter that an argument becomes.
    pub fn parameter(&self, argument: &str) -> Option<&'static str> {
        self.arguments.iter().find(|(name, _)| *name == argument).map(|(_, parameter)| *parameter)
    }
}

impl Tool {
    /// Returns the list that is read without an argument that selects another.
    pub fn usual(&self) -> Option<&'static ToolList> {
        self.lists.last()
    }

    /// Returns `true` if a caller may use the tool: the list that it usually reads.
    pub fn is_for(&self, rights: Rights, routes: &RouteTable) -> bool {
        self.usual().is_some_and(|source| source.is_for(rights, routes))
    }

    /// Returns the lists that a caller may read.
    pub fn lists_for(&self, rights: Rights, routes: &RouteTable) -> impl Iterator<Item = &'static ToolList> {
        self.lists.iter().filter(move |source| source.is_for(rights, routes))
    }
}

/// Returns the tools that a caller may use. All others are nowhere.
pub fn tools_for(rights: Rights, routes: &RouteTable) -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().filter(move |tool| tool.is_for(rights, routes))
}

fn may_read(rights: Rights, route: &Route) -> bool {
    route.requires().all(|access| rights.allow(access))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parameter that a route does not have would be ignored, and find everything.
    #[test]
    fn every_row_names_routes_and_parameters_that_exist() {
        let routes = RouteTable::new(crate::api::routes());
        for tool in TOOLS {
            let related = tool.record.iter().flat_map(|record| record.related);
            for list in tool.lists.iter().chain(tool.otherwise).chain(related) {
                let row =
                    routes.by_id(list.route).unwrap_or_else(|| panic!("{}: no {}", tool.name, list.route));
                let described = row.route.described_parameters();
                let always = (list.always)(Rights::OWN).iter().map(|(name, _)| *name);
                for name in list.arguments.iter().map(|(_, name)| *name).chain(always) {
                    let is_known = match name {
                        PATH_ID => row.route.path.ends_with(PATH_ID),
                        LIST => list.is_of_lists,
                        name => described.iter().any(|parameter| parameter.name == name),
                    };
                    assert!(is_known, "{}: {} has no {name}", tool.name, list.route);
                }
            }
            if let Some(record) = &tool.record {
                let route = &routes.by_id(record.route).unwrap().route;
                assert!(route.table().is_some() && route.path.ends_with(PATH_ID), "{}", tool.name);
            }
        }
    }
}
