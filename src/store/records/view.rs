//! A record as pages have it, its links included.

use super::sql::sql;
use super::{Row, linked_to, links, missing, value, view_deleted, view_each};
use crate::domain::Lang;
use crate::records::{Field, Kind, Source, Table, Type, Value};
use crate::store::{Db, Error};

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
        let mut all = Vec::with_capacity(ids.len());
        let wanted: Vec<_> = table.fields.iter().map(|field| (field, is_wanted(field))).collect();
        let add = |row: Row<'_>| {
            let id = row.id()?;
            let values = wanted.iter().enumerate().map(|(at, (field, is_wanted))| match is_wanted {
                false => Ok(Value::Null),
                true => match linked(db, table, field, id)? {
                    Some(linked) => Ok(linked),
                    None => row.value(at).map(Value::into_owned),
                },
            });
            all.push(View { table, id, values: values.collect::<Result<_, Error>>()? });
            Ok(())
        };
        if of_deleted {
            view_deleted(db, table, ids, add)?
        } else {
            view_each(db, table, ids, add)?
        }
        Ok(all)
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

/// What a member that links records holds of that one; none where it links none.
fn linked(db: Db<'_>, table: &Table, field: &Field, id: u32) -> Result<Option<Value<'static>>, Error> {
    Ok(match field.source {
        Source::Links(..) => Some(Value::Ids(links(db, table, field.column, id)?)),
        Source::LinkedBy(kind, column) => {
            let mut ids = linked_to(db, kind.table(), column, id)?;
            let deleted = missing(db, kind.table(), &ids)?;
            ids.retain(|id| !deleted.contains(id));
            Some(Value::Ids(ids))
        }
        Source::NamesOf(column) => {
            let Some(Type::Links(kind)) = table.field(column).map(|field| field.ty) else { return Ok(None) };
            let named = names(db, kind, &links(db, table, column, id)?)?;
            Some(Value::Text(named.join(" · ").into()))
        }
        _ => None,
    })
}

/// What the member `name` of those records holds.
fn names(db: Db<'_>, kind: Kind, ids: &[u32]) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for id in ids {
        let stored = stored(db, kind.table(), *id, ["name"])?;
        names.extend(stored.and_then(|[name]| name.text().map(str::to_owned)));
    }
    Ok(names)
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
