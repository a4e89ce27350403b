//! The handlers of all record types and lists, applied to rows of files.

use crate::api::console_pages::Pages;
use crate::api::lists::ListPage;
use crate::api::{LISTS, PAGES};
use crate::http::json::form::Fields;
use crate::http::{Call, IfMatch, Problem, Write};
use crate::records::{Kind, Table};

/// The handlers of a record type or a list.
#[derive(Clone, Copy)]
pub enum RowHandlers {
    Noun(&'static Pages),
    List(&'static ListPage),
}

/// Returns the handlers of every table that can be imported. Documents cannot, because a row holds no file.
pub fn all() -> impl Iterator<Item = RowHandlers> {
    let nouns = PAGES.iter().filter(|pages| pages.table.kind != Kind::Document);
    LISTS.iter().map(RowHandlers::List).chain(nouns.map(RowHandlers::Noun))
}

impl RowHandlers {
    pub fn table(self) -> &'static Table {
        match self {
            RowHandlers::Noun(pages) => pages.table,
            RowHandlers::List(page) => page.list.table(),
        }
    }

    /// Creates a record and returns its id.
    pub fn create(self, call: &Call<'_>, fields: &Fields) -> Result<Write<u32>, Problem> {
        match self {
            RowHandlers::Noun(pages) => {
                let write = (pages.create)(call, fields, None)?;
                Ok(Box::new(move |tx| write(tx).map(|made| made.id)))
            }
            RowHandlers::List(page) => (page.create)(call, fields),
        }
    }

    /// Restores a record from the trash. Does nothing for lists, which have no trash.
    pub fn restore(self, call: &Call<'_>, id: u32) -> Result<Write<()>, Problem> {
        match self {
            RowHandlers::Noun(pages) => (pages.restore)(call, id),
            RowHandlers::List(_) => Ok(Box::new(|_| Ok(()))),
        }
    }

    /// Changes a record. Fails with 404 if it does not exist.
    pub fn change(self, call: &Call<'_>, id: u32, fields: &Fields) -> Result<Write<()>, Problem> {
        match self {
            RowHandlers::Noun(pages) => (pages.change)(call, id, fields, IfMatch::default()),
            RowHandlers::List(page) => {
                let write = (page.change)(call, id, fields)?;
                Ok(Box::new(move |tx| write(tx).map(|_| ())))
            }
        }
    }
}
