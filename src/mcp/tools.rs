//! The tools of assistants, as rows: each names the routes of the API that it calls, and what it passes on.
//!
//! Schemas, rights and refusals come from these routes. Nothing is checked twice.

pub mod definition;
mod table;
mod writing;

use serde_json::{Map, Value};

use crate::domain::Bilingual;
use crate::http::{Route, RouteTable};
use crate::records::{Kind, Rights};
use table::TOOLS;
use writing::WRITING_TOOLS;

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
    /// What the tool writes. It reads nothing then.
    pub writing: Option<Writing>,
}

/// The writes of a tool.
pub struct Writing {
    /// A call uses the first route whose `by` it gives, or one that has none.
    pub routes: &'static [ToolWrite],
    /// `true` if a call may overwrite or delete something.
    pub is_destructive: bool,
    /// `true` if the same call changes nothing the second time.
    pub is_idempotent: bool,
}

/// A route of the API that a tool writes by.
pub struct ToolWrite {
    /// Operation id of its route.
    pub route: &'static str,
    /// The noun of the written record.
    pub kind: Kind,
    /// The argument that selects it among several: any value or, of [`RESOURCE`], the path of the noun.
    pub by: Option<&'static str>,
    /// The argument that becomes the id in the path.
    pub path_id: Option<&'static str>,
    /// Arguments of the tool, each with the member of the body that it becomes. Empty: all members are arguments.
    pub arguments: &'static [(&'static str, &'static str)],
    /// Members with these values, unless a call has them.
    pub defaults: &'static [(&'static str, &'static str)],
    /// Further arguments that a call must have.
    pub required: &'static [&'static str],
    pub manner: Manner,
}

/// How a tool writes.
pub enum Manner {
    /// At once.
    Plain,
    /// Adds a text below what the member with this name has. The route with this operation id reads the record.
    Appending { to: &'static str, reads: &'static str },
    /// Only in a second call, with the confirmation that the first one gave. The route with this operation id reads the record.
    Confirmed { reads: &'static str },
}

/// Query parameters with their values, for a caller with these rights.
pub type Always = fn(Rights) -> &'static [(&'static str, &'static str)];

/// A list of the API that a tool reads.
pub struct ToolList {
    /// Operation id of its route.
    pub route: &'static str,
    /// The argument that selects it among several, or that it needs.
    pub by: Option<&'static str>,
    /// Arguments of the tool that become the query parameter of the same name.
    pub arguments: &'static [&'static str],
    /// An argument that becomes a query parameter of another name.
    pub renamed: Option<(&'static str, &'static str)>,
    /// Further query parameters.
    pub always: Always,
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

/// The argument that names the kind of a record, by its path.
pub const RESOURCE: &str = "resource";

/// The argument with the confirmation of a call.
pub const CONFIRMATION: &str = "confirmation";

/// The argument with the number of items before the page.
pub const OFFSET: &str = "offset";

/// The argument that names a reference list.
pub const LIST: &str = "list";

impl ToolList {
    const fn of(route: &'static str, arguments: &'static [&'static str]) -> ToolList {
        let always = |_| -> &'static [_] { &[] };
        ToolList { route, by: None, arguments, renamed: None, always, sorted_by: None, is_of_lists: false }
    }

    /// A list of what belongs to a record, whose id becomes this parameter.
    pub const fn of_record(route: &'static str, parameter: &'static str) -> ToolList {
        ToolList::of(route, &[]).renamed(ID, parameter)
    }

    const fn renamed(self, argument: &'static str, parameter: &'static str) -> ToolList {
        ToolList { renamed: Some((argument, parameter)), ..self }
    }

    const fn by(self, argument: &'static str) -> ToolList {
        ToolList { by: Some(argument), ..self }
    }

    const fn always(self, always: Always) -> ToolList {
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
        routes.by_id(self.route).is_some_and(|row| may_use(rights, &row.route))
    }

    /// Returns the arguments, each with the query parameter that it becomes.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let same = self.arguments.iter().map(|name| (*name, *name));
        same.chain(self.renamed)
    }

    /// Returns the argument that becomes a query parameter.
    pub fn argument<'a>(&self, parameter: &'a str) -> &'a str {
        self.parameters().find(|(_, own)| *own == parameter).map_or(parameter, |(name, _)| name)
    }

    /// Returns the query parameter that an argument becomes.
    pub fn parameter(&self, argument: &str) -> Option<&'static str> {
        self.parameters().find(|(name, _)| *name == argument).map(|(_, parameter)| parameter)
    }
}

impl Tool {
    /// Returns the list that is read without an argument that selects another.
    pub fn usual(&self) -> Option<&'static ToolList> {
        self.lists.last()
    }

    /// Returns `true` if a caller may use the tool: the list that it usually reads, or one of its writes.
    pub fn is_for(&self, rights: Rights, routes: &RouteTable) -> bool {
        let is_written = self.writes_for(rights, routes).next().is_some();
        is_written || self.usual().is_some_and(|source| source.is_for(rights, routes))
    }

    /// Returns the writes that a caller may use.
    pub fn writes_for(
        &self,
        rights: Rights,
        routes: &RouteTable,
    ) -> impl Iterator<Item = &'static ToolWrite> {
        let all = self.writing.as_ref().map_or(&[][..], |writing| writing.routes).iter();
        all.filter(move |write| routes.by_id(write.route).is_some_and(|row| may_use(rights, &row.route)))
    }

    /// Returns the write that a call selects.
    pub fn write_for(
        &self,
        rights: Rights,
        routes: &RouteTable,
        given: &Map<String, Value>,
    ) -> Option<&'static ToolWrite> {
        self.writes_for(rights, routes).find(|write| match write.by {
            None => true,
            Some(RESOURCE) => given.get(RESOURCE).and_then(Value::as_str) == Some(write.kind.table().path),
            Some(argument) => given.get(argument).is_some_and(is_filled),
        })
    }

    /// Returns the lists that a caller may read.
    pub fn lists_for(&self, rights: Rights, routes: &RouteTable) -> impl Iterator<Item = &'static ToolList> {
        self.lists.iter().filter(move |source| source.is_for(rights, routes))
    }
}

impl ToolWrite {
    /// Returns the member of the body that an argument becomes.
    pub fn member<'a>(&self, argument: &'a str) -> &'a str {
        self.arguments.iter().find(|(name, _)| *name == argument).map_or(argument, |(_, member)| member)
    }

    /// Returns the argument that becomes a member of the body.
    pub fn argument<'a>(&self, member: &'a str) -> Option<&'a str> {
        match self.arguments.is_empty() {
            true => Some(member),
            false => self.arguments.iter().find(|(_, own)| *own == member).map(|(name, _)| *name),
        }
    }
}

/// Returns the tools that a caller may use, without those that write unless `may_write`. All others are nowhere.
pub fn tools_for(
    rights: Rights,
    routes: &RouteTable,
    may_write: bool,
) -> impl Iterator<Item = &'static Tool> {
    let writing = WRITING_TOOLS.iter().filter(move |_| may_write);
    TOOLS.iter().chain(writing).filter(move |tool| tool.is_for(rights, routes))
}

/// Returns `true` unless a value is null or blank, and counts as absent (contract 3).
pub fn is_filled(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    }
}

fn may_use(rights: Rights, route: &Route) -> bool {
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
                for name in list.parameters().map(|(_, name)| name).chain(always) {
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
        for tool in WRITING_TOOLS {
            for write in tool.writing.iter().flat_map(|writing| writing.routes) {
                let row = routes.by_id(write.route);
                let row = row.unwrap_or_else(|| panic!("{}: no {}", tool.name, write.route));
                let members = row.route.described_members();
                let parameters = row.route.described_parameters();
                let named = write.arguments.iter().map(|(_, member)| *member);
                for name in named.chain(write.defaults.iter().map(|(member, _)| *member)) {
                    let is_known = members.iter().any(|member| member.name == name)
                        || parameters.iter().any(|parameter| parameter.name == name);
                    assert!(is_known, "{}: {} has no {name}", tool.name, write.route);
                }
                assert_eq!(write.path_id.is_some(), row.route.path.contains(PATH_ID), "{}", write.route);
                if let Manner::Appending { reads, .. } | Manner::Confirmed { reads } = write.manner {
                    assert_eq!(routes.by_id(reads).unwrap().route.path, row.route.path);
                }
            }
        }
    }
}
