//! A record as pages have it, its links included.

use super::sql::sql;
use super::{Row, value, view_deleted, view_each};
use crate::domain::Lang;
use crate::records::{Field, Source, Table, Type, Value};
use crate::store::{Db, Error, OfEach};

/// A record as pages have it: the value of each row of its table, what it is linked to included.
pub struct View {
    /// What it consists of.
    pub table: &'static Table,
    /// Its id.
    pub id: u32,
    values: Vec<Value<'static>>,
}

impl View {
    /// The records with those ids, in that order; one that is not there is left out.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn read(db: Db<'_>, table: &'static Table, ids: &[u32]) -> Result<Vec<View>, Error> {
        View::read_with(db, table, ids, false, |_| true)
    }

    /// The same of deleted records alone.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn read_deleted(db: Db<'_>, table: &'static Table, ids: &[u32]) -> Result<Vec<View>, Error> {
        View::read_with(db, table, ids, true, |_| true)
    }

    /// Either of both, with nothing in the members that are not wanted.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn read_with(
        db: Db<'_>,
        table: &'static Table,
        ids: &[u32],
        of_deleted: bool,
        is_wanted: impl Fn(&Field) -> bool,
    ) -> Result<Vec<View>, Error> {
        let linked = Linked::read(db, table, ids, is_wanted)?;
        let mut all = Vec::with_capacity(ids.len());
        let add = |row: Row<'_>| {
            all.push(View::of(table, &row, &linked)?);
            Ok(())
        };
        if of_deleted {
            view_deleted(db, table, ids, add)?;
        } else {
            view_each(db, table, ids, add)?;
        }
        Ok(all)
    }

    fn of(table: &'static Table, row: &Row<'_>, linked: &[Linked]) -> Result<View, Error> {
        let id = row.id()?;
        let values = linked.iter().enumerate().map(|(at, linked)| match linked {
            Linked::Ids(ids) => Ok(Value::Ids(ids.of(id).to_vec())),
            Linked::Names(names) => Ok(Value::Text(names.of(id).join(" · ").into())),
            Linked::Own => row.value(at).map(Value::into_owned),
            Linked::Unread => Ok(Value::Null),
        });
        Ok(View { table, id, values: values.collect::<Result<_, Error>>()? })
    }

    /// The value of the member that is declared under that name.
    pub fn value(&self, column: &str) -> &Value<'static> {
        self.find(|field| field.column == column)
    }

    /// The same, where it is a text; empty where there is none.
    pub fn text(&self, column: &str) -> &str {
        self.value(column).text().unwrap_or_default()
    }

    /// The day that the member holds, as people write it.
    pub fn day(&self, column: &str, lang: Lang) -> String {
        let day = self.value(column).day();
        day.map(|day| match lang {
            Lang::Pt => day.br(),
            Lang::En => day.iso(),
        })
        .unwrap_or_default()
    }

    /// The value of the first member of which that holds.
    pub fn find(&self, is_meant: impl Fn(&Field) -> bool) -> &Value<'static> {
        let found = self.table.fields.iter().zip(&self.values).find(|(field, _)| is_meant(field));
        found.map_or(&Value::Null, |(_, value)| value)
    }
}

/// What a member that links records holds, of each record of a page.
enum Linked {
    Ids(OfEach<u32>),
    Names(OfEach<String>),
    /// Its value stands in the record's own row.
    Own,
    /// Nobody wants it.
    Unread,
}

impl Linked {
    /// Of each member of the table, for these records.
    fn read(
        db: Db<'_>,
        table: &Table,
        ids: &[u32],
        is_wanted: impl Fn(&Field) -> bool,
    ) -> Result<Vec<Linked>, Error> {
        let read =
            |field| if is_wanted(field) { Linked::of(db, table, field, ids) } else { Ok(Linked::Unread) };
        table.fields.iter().map(read).collect()
    }

    fn of(db: Db<'_>, table: &Table, field: &Field, ids: &[u32]) -> Result<Linked, Error> {
        let select = match field.source {
            Source::Links(links, own, other) => links_of(links, own, other),
            Source::LinkedBy(kind, column) => linked_by(kind.table(), column),
            Source::NamesOf(column) => {
                let names = names_of(table, column);
                return names.map_or(Ok(Linked::Own), |select| {
                    Ok(Linked::Names(OfEach::read(db, &select, ids, |cells| cells.next())?))
                });
            }
            _ => return Ok(Linked::Own),
        };
        Ok(Linked::Ids(OfEach::read(db, &select, ids, |cells| cells.next())?))
    }
}

/// The records that rows of a table link these to, in the order given.
fn links_of(links: &str, own: &str, other: &str) -> String {
    ["SELECT ", other, " FROM ", links, " WHERE ", own, " = ?1 ORDER BY position"].concat()
}

/// The records of that table whose member links or refers to these, by id, deleted ones apart.
fn linked_by(table: &Table, column: &str) -> String {
    let live = if table.can_be_deleted() { " AND t.deleted_at IS NULL" } else { "" };
    let linked = match table.field(column).map(|field| field.source) {
        Some(Source::Links(links, own, other)) => {
            [" JOIN ", links, " l ON l.", own, " = t.id WHERE l.", other].concat()
        }
        _ => [" WHERE t.", column].concat(),
    };
    ["SELECT t.id FROM ", table.name, " t", &linked, " = ?1", live, " ORDER BY t.id"].concat()
}

/// The names of the records that the member of that column links these to, in the order given, deleted ones apart.
fn names_of(table: &Table, column: &str) -> Option<String> {
    let field = table.field(column)?;
    let (Source::Links(links, own, other), Type::Links(kind)) = (field.source, field.ty) else { return None };
    let named = kind.table();
    let live = if named.can_be_deleted() { " AND n.deleted_at IS NULL" } else { "" };
    let names = ["SELECT n.name FROM ", links, " l JOIN ", named.name, " n ON n.id = l.", other].concat();
    Some([&names, " WHERE l.", own, " = ?1", live, " ORDER BY l.position"].concat())
}

/// What those columns of a record's own row hold, each by its name; none where the record is not there.
///
/// # Errors
/// Why the store cannot be read.
pub fn stored<const N: usize>(
    db: Db<'_>,
    table: &Table,
    id: u32,
    columns: [&str; N],
) -> Result<Option<[Value<'static>; N]>, Error> {
    let mut statement = db.conn().prepare_cached(&sql(table)?.read)?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let mut values = [const { Value::Null }; N];
    for (held, column) in values.iter_mut().zip(columns) {
        let mut stored = table.fields.iter().filter(|field| field.source == Source::Column);
        if let Some(at) = stored.position(|field| field.column == column) {
            *held = value(row, at)?.into_owned();
        }
    }
    Ok(Some(values))
}
