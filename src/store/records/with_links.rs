//! Records with their links, as pages show them.

use super::sql::sql;
use super::{Row, is_hidden, linked_to, links, missing, value, view_deleted, view_each};
use crate::domain::Lang;
use crate::records::{Field, Kind, Source, Table, Type, Value};
use crate::store::{Db, Error};

/// A record with the value of every field of its table, links included.
#[derive(Clone)]
pub struct View {
    pub table: &'static Table,
    pub id: u32,
    values: Vec<Value<'static>>,
}

impl View {
    /// Reads the live records of `ids`, in that order. Members that are hidden from the caller are `Null`.
    pub fn read(db: Db<'_>, table: &'static Table, ids: &[u32]) -> Result<Vec<View>, Error> {
        View::read_with(db, table, ids, false, |_| true)
    }

    /// Reads the deleted records of `ids`, in that order.
    pub fn read_deleted(db: Db<'_>, table: &'static Table, ids: &[u32]) -> Result<Vec<View>, Error> {
        View::read_with(db, table, ids, true, |_| true)
    }

    /// Reads live or deleted records; none if the noun is hidden from the caller. Fields that are not wanted or hidden
    /// are `Null`.
    pub fn read_with(
        db: Db<'_>,
        table: &'static Table,
        ids: &[u32],
        of_deleted: bool,
        is_wanted: impl Fn(&Field) -> bool,
    ) -> Result<Vec<View>, Error> {
        let nouns = db.nouns();
        if !nouns.has(table.kind) {
            return Ok(Vec::new());
        }
        let mut all = Vec::with_capacity(ids.len());
        let wanted = table.fields.iter().map(|field| (field, is_wanted(field) && nouns.reveal(table, field)));
        let wanted: Vec<_> = wanted.collect();
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

    /// Returns the value of the member declared with this name.
    pub fn value(&self, column: &str) -> &Value<'static> {
        self.find(|field| field.column == column)
    }

    /// Returns the text of a member, or an empty text.
    pub fn text(&self, column: &str) -> &str {
        self.value(column).text().unwrap_or_default()
    }

    /// Returns the day of a member in the notation of the language, or an empty text.
    pub fn day(&self, column: &str, lang: Lang) -> String {
        let day = self.value(column).day();
        day.map(|day| match lang {
            Lang::Pt => day.br(),
            Lang::En => day.iso(),
        })
        .unwrap_or_default()
    }

    /// Returns the value of the first member that matches.
    pub fn find(&self, is_meant: impl Fn(&Field) -> bool) -> &Value<'static> {
        let found = self.table.fields.iter().zip(&self.values).find(|(field, _)| is_meant(field));
        found.map_or(&Value::Null, |(_, value)| value)
    }
}

/// Returns the value of a member that is computed from links, or `None` for any other member.
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

/// Returns the `name` of each record.
fn names(db: Db<'_>, kind: Kind, ids: &[u32]) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for id in ids {
        let stored = stored(db, kind.table(), *id, ["name"])?;
        names.extend(stored.and_then(|[name]| name.text().map(str::to_owned)));
    }
    Ok(names)
}

/// Returns the values of the named columns from the record's own row, or `None` if the record is not live.
pub fn stored<const N: usize>(
    db: Db<'_>,
    table: &Table,
    id: u32,
    columns: [&str; N],
) -> Result<Option<[Value<'static>; N]>, Error> {
    let mut statement = db.conn().prepare_cached(&sql(table)?.read)?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    if is_hidden(db, table, id)? {
        return Ok(None);
    }
    let mut values = [const { Value::Null }; N];
    for (held, column) in values.iter_mut().zip(columns) {
        let mut stored = table.fields.iter().filter(|field| field.source == Source::Column);
        if let Some(at) = stored.position(|field| field.column == column) {
            *held = value(row, at)?.into_owned();
        }
    }
    Ok(Some(values))
}
