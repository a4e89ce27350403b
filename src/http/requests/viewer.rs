//! The viewer of records, on whom their encoding depends.

use jiff::tz::TimeZone;

use crate::http::answers::problem::Problem;
use crate::records::{Access, Field, Nouns, Table};

/// The office's time zone, and the nouns that the caller may see.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub zone: TimeZone,
    pub nouns: Nouns,
}

impl Viewer {
    /// Creates a viewer who may see everything.
    pub fn of_all(zone: &TimeZone) -> Viewer {
        Viewer { zone: zone.clone(), nouns: Nouns::ALL }
    }

    /// Returns `true` if nothing is hidden from the viewer.
    pub fn sees_all(&self) -> bool {
        self.nouns.is_all()
    }

    /// Returns the problem of a request that names something of these nouns, of which some are hidden.
    pub fn lacks(&self, nouns: Nouns) -> Problem {
        let hidden = nouns.tables().find(|table| !self.nouns.has(table.kind));
        Problem::not_allowed(hidden.map_or(Access::ManageAll, |table| Access::Read(table.kind)))
    }

    /// Returns `true` if the viewer may see a member: all nouns that its value comes from.
    pub fn sees(&self, table: &Table, field: &Field) -> bool {
        self.nouns.reveal(table, field)
    }

    /// Fails with 403 if one of the fields is hidden from the viewer.
    pub fn ensure_sees(
        &self,
        table: &Table,
        mut fields: impl Iterator<Item = &'static Field>,
    ) -> Result<(), Problem> {
        match fields.find(|field| !self.sees(table, field)) {
            Some(field) => Err(self.lacks(table.nouns_behind(field))),
            None => Ok(()),
        }
    }
}
