//! The handlers of all nouns and lists for rows of files: what they make and change is what requests would.

use super::movements;
use super::pages::{InPages, NewRecord};
use super::record::change;
use super::{LISTS, publications, tasks};
use crate::domain::Invalid;
use crate::http::input::{Edit, New, PathId, Purpose, Take};
use crate::http::typed::Fields;
use crate::http::{Call, Draft, IfMatch, Problem, Write};
use crate::records::{Customer, Kind, Lawsuit, Movement, Publication, Record, Table, Task, Transaction};

/// The handlers of a noun or a list, for what stands in a row.
#[derive(Clone, Copy)]
pub struct RowHandlers {
    /// What its records consist of.
    pub table: &'static Table,
    /// Makes a record, and answers its id.
    pub create: fn(&Call<'_>, &Fields) -> Result<Write<u32>, Problem>,
    /// Changes the one that the path names.
    pub change: fn(&Call<'_>, &Fields) -> Result<Write<()>, Problem>,
}

/// Those of the nouns. Documents have none: a row holds no file.
static NOUNS: &[RowHandlers] = &[
    RowHandlers::of_pages::<Customer>(),
    RowHandlers::of_pages::<Lawsuit>(),
    RowHandlers {
        table: Task::TABLE,
        create: |call, fields| Ok(tasks::create(call, new(fields))?.map(|made| made.id.get())),
        change: |call, fields| {
            Ok(tasks::change(call, PathId::take(call)?, edit(fields), IfMatch::take(call)?)?.map(|_| ()))
        },
    },
    RowHandlers {
        table: Movement::TABLE,
        create: |call, fields| Ok(movements::create(call, new(fields))?.map(|made| made.id())),
        change: |call, fields| {
            Ok(change::<Movement>(call, PathId::take(call)?, edit(fields), IfMatch::take(call)?)?.map(|_| ()))
        },
    },
    RowHandlers {
        table: Publication::TABLE,
        create: |call, fields| publications::create(call, new(fields)),
        change: |call, fields| {
            let (id, if_match) = (PathId::take(call)?, IfMatch::take(call)?);
            Ok(publications::change(call, id, edit(fields), if_match)?.map(|_| ()))
        },
    },
    RowHandlers::of_pages::<Transaction>(),
];

/// The handlers of every table that rows can be of: the lists, then the nouns, what others point to first.
pub fn all() -> impl Iterator<Item = RowHandlers> {
    let lists = LISTS.iter().map(|page| RowHandlers {
        table: Kind::List(page.list).table(),
        create: page.create,
        change: page.alter,
    });
    lists.chain(NOUNS.iter().copied())
}

impl RowHandlers {
    const fn of_pages<R: InPages>() -> RowHandlers {
        RowHandlers {
            table: R::TABLE,
            create: |call, fields| {
                Ok(R::create(call, new(fields))?.map(|made| Into::<NewRecord>::into(made).id))
            },
            change: |call, fields| {
                Ok(R::change(call, PathId::take(call)?, edit(fields), IfMatch::take(call)?)?.map(|_| ()))
            },
        }
    }
}

fn typed<R: Record>(fields: &Fields, purpose: Purpose) -> (Draft<R>, Invalid) {
    Draft::typed(fields, purpose)
}

fn new<R: Record>(fields: &Fields) -> New<Draft<R>> {
    let (body, wrong) = typed(fields, Purpose::Create);
    New { body, wrong }
}

fn edit<R: Record>(fields: &Fields) -> Edit<Draft<R>> {
    let (body, wrong) = typed(fields, Purpose::Change);
    Edit { body, wrong }
}
