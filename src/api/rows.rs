//! The handlers of all nouns and lists for rows of files: what they make and change is what requests would.

use super::pages::Pages;
use super::settings::ListPage;
use super::{LISTS, PAGES};
use crate::http::typed::Fields;
use crate::http::{Call, Problem, Write};
use crate::records::{Kind, Table};

/// The handlers of a noun or a list, for what stands in a row.
#[derive(Clone, Copy)]
pub enum RowHandlers {
    /// Of a noun.
    Noun(&'static Pages),
    /// Of a list.
    List(&'static ListPage),
}

/// The handlers of every table that rows can be of. Documents have none: a row holds no file.
pub fn all() -> impl Iterator<Item = RowHandlers> {
    let nouns = PAGES.iter().filter(|pages| pages.table.kind != Kind::Document);
    LISTS.iter().map(RowHandlers::List).chain(nouns.map(RowHandlers::Noun))
}

impl RowHandlers {
    /// What its records consist of.
    pub fn table(self) -> &'static Table {
        match self {
            RowHandlers::Noun(pages) => pages.table,
            RowHandlers::List(page) => page.list.table(),
        }
    }

    /// Makes a record, and answers its id.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn create(self, call: &Call<'_>, fields: &Fields) -> Result<Write<u32>, Problem> {
        match self {
            RowHandlers::Noun(pages) => {
                let write = (pages.create)(call, fields)?;
                Ok(Box::new(move |tx| write(tx).map(|made| made.id)))
            }
            RowHandlers::List(page) => (page.create)(call, fields),
        }
    }

    /// Brings the one that the path names back from the trash; an entry of a list is in none.
    ///
    /// # Errors
    /// Why it cannot come back; 404 where there is no such record.
    pub fn restore(self, call: &Call<'_>) -> Result<Write<()>, Problem> {
        match self {
            RowHandlers::Noun(pages) => (pages.restore)(call),
            RowHandlers::List(_) => Ok(Box::new(|_| Ok(()))),
        }
    }

    /// Changes the one that the path names.
    ///
    /// # Errors
    /// Everything that is wrong; 404 where there is no such record.
    pub fn change(self, call: &Call<'_>, fields: &Fields) -> Result<Write<()>, Problem> {
        match self {
            RowHandlers::Noun(pages) => (pages.change)(call, fields),
            RowHandlers::List(page) => {
                let write = (page.change)(call, fields)?;
                Ok(Box::new(move |tx| write(tx).map(|_| ())))
            }
        }
    }
}
