//! A record as pages have it, its links included.

use super::{Row, linked_to, links, missing, show_each, view_deleted, view_each};
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
        let mut all = Vec::new();
        view_each(db, table, ids, |row| {
            all.push(View::of(db, table, &row)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// The same of deleted records alone.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn read_deleted(db: Db<'_>, table: &'static Table, ids: &[u32]) -> Result<Vec<View>, Error> {
        let mut all = Vec::new();
        view_deleted(db, table, ids, |row| {
            all.push(View::of(db, table, &row)?);
            Ok(())
        })?;
        Ok(all)
    }

    fn of(db: Db<'_>, table: &'static Table, row: &Row<'_>) -> Result<View, Error> {
        let id = row.id()?;
        let values = table.fields.iter().enumerate().map(|(at, field)| match linked(db, table, field, id)? {
            Some(linked) => Ok(linked),
            None => row.value(at).map(Value::into_owned),
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
    let (table, mut names) = (kind.table(), Vec::new());
    let at = table.fields.iter().position(|field| field.column == "name").unwrap_or_default();
    show_each(db, table, ids, |row| {
        names.extend(row.value(at)?.text().map(str::to_owned));
        Ok(())
    })?;
    Ok(names)
}
