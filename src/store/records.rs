//! Records of every noun: rows in, rows out, by the statements that follow from their tables.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use rusqlite::Statement;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

use super::{Db, Error, Tx, gone};
use crate::domain::fold;
use crate::domain::id::Id;
use crate::records::{Field, Kind, List, Record, Source, TABLES, Table, Type, Value};

/// The statements of a noun. They are put together from constants once.
struct Sql {
    insert: String,
    update: String,
    /// The columns of a record that are stored, of one.
    read: String,
    /// A record as answers show it: its id, and an expression for each row of its table.
    show: String,
    /// Likewise, with what lists look at only, of the records whose ids are in a range.
    search: String,
    /// Of each table that links it to others.
    links: Vec<Links>,
}

struct Links {
    /// The member that is linked.
    column: &'static str,
    /// What it is linked to.
    to: Option<Kind>,
    read: String,
    insert: String,
    clear: String,
    /// The records that are linked to one.
    of_one: String,
    /// The records that are linked to those whose ids are in a range.
    of_range: String,
    /// The folded names of what the records in a range are linked to.
    names: String,
}

static SQL: LazyLock<Vec<(&'static Table, Sql)>> =
    LazyLock::new(|| TABLES.iter().map(|table| (*table, Sql::of(table))).collect());

fn sql(table: &Table) -> Result<&'static Sql, Error> {
    let known = SQL.iter().find(|(known, _)| known.kind == table.kind);
    known.map(|(_, sql)| sql).ok_or_else(|| gone("a table"))
}

fn columns(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    table.fields.iter().filter(|field| field.source == Source::Column)
}

impl Sql {
    fn of(table: &'static Table) -> Sql {
        let name = table.name;
        let stored: Vec<&str> = columns(table).map(|field| field.column).collect();
        let keys: Vec<&str> = columns(table).filter_map(|field| field.key).collect();
        let written: Vec<&str> = [&stored[..], &keys[..]].concat();
        let number = |at: usize| ["?", &at.to_string()].concat();
        let now = number(written.len() + 1);
        let values: Vec<String> = (1..=written.len()).map(number).collect();
        let set = written.iter().zip(&values).map(|(column, value)| [column, " = ", value].concat());
        let linked = table.fields.iter().filter_map(|field| match field.source {
            Source::Links(links, own, other) => Some(Links::of(field, links, own, other)),
            _ => None,
        });
        Sql {
            insert: [
                &["INSERT INTO ", name, " (", &written.join(", "), ", created_at, updated_at)"].concat(),
                &[" VALUES (", &values.join(", "), ", ", &now, ", ", &now, ")"].concat()[..],
            ]
            .concat(),
            update: [
                &["UPDATE ", name, " SET ", &set.collect::<Vec<_>>().join(", "), ", updated_at = ", &now]
                    .concat(),
                &[" WHERE id = ", &number(written.len() + 2)].concat()[..],
            ]
            .concat(),
            read: ["SELECT ", &stored.join(", "), " FROM ", name, " WHERE id = ?1"].concat(),
            show: show(table),
            search: search(table),
            links: linked.collect(),
        }
    }
}

impl Links {
    fn of(field: &'static Field, table: &str, own: &str, other: &str) -> Links {
        let columns = [own, ", position, ", other].concat();
        let to = if let Type::Links(kind) = field.ty { Some(kind) } else { None };
        let named = to.map_or("", |kind| kind.table().name);
        Links {
            column: field.column,
            to,
            of_one: ["SELECT ", own, " FROM ", table, " WHERE ", other, " = ?1 ORDER BY ", own].concat(),
            of_range: ["SELECT ", own, " FROM ", table, " WHERE ", other, " BETWEEN ?1 AND ?2"].concat(),
            names: [
                &["SELECT l.", own, ", n.name_key FROM ", table, " l JOIN ", named, " n ON n.id = l.", other]
                    .concat(),
                &[" WHERE l.", own, " BETWEEN ?1 AND ?2 ORDER BY l.", own, ", l.position"].concat()[..],
            ]
            .concat(),
            read: ["SELECT ", other, " FROM ", table, " WHERE ", own, " = ?1 ORDER BY position"].concat(),
            insert: ["INSERT INTO ", table, " (", &columns, ") VALUES (?1, ?2, ?3)"].concat(),
            clear: ["DELETE FROM ", table, " WHERE ", own, " = ?1"].concat(),
        }
    }
}

/// The statement that reads a record as answers show it.
fn show(table: &Table) -> String {
    // The entry that a column refers to is joined under the column's name, and what it belongs to under that with a `p`.
    let entry = |column: &str| ["e_", column].concat();
    let parent = |column: &str| ["p_", column].concat();
    let shown = table.fields.iter().map(|field| match field.source {
        Source::Column => ["t.", field.column].concat(),
        Source::NameOf(column) => [&entry(column), ".name"].concat(),
        Source::ParentOf(column) => [&parent(column), ".id"].concat(),
        Source::ParentNameOf(column) => [&parent(column), ".name"].concat(),
        Source::Created => "t.created_at".to_owned(),
        Source::Updated => "t.updated_at".to_owned(),
        Source::Links(..) | Source::NamesOf(_) | Source::Own => "NULL".to_owned(),
    });
    let joins = table.fields.iter().filter_map(|field| {
        let list = field.list()?;
        let (column, own) = (field.column, entry(field.column));
        let mut join = [" JOIN ", list.table(), " ", &own, " ON ", &own, ".id = t.", column].concat();
        if let (Some(above), Some(up)) = (list.parent(), list.parent_column()) {
            let wider = parent(column);
            join.push_str(
                &[" JOIN ", above.table(), " ", &wider, " ON ", &wider, ".id = ", &own, ".", up].concat(),
            );
        }
        Some(join)
    });
    let (shown, joins) = (shown.collect::<Vec<_>>().join(", "), joins.collect::<String>());
    ["SELECT t.id, ", &shown, " FROM ", table.name, " t", &joins, " WHERE t.id = ?1"].concat()
}

/// The statement that reads what lists look at: the folded form where it is stored.
fn search(table: &Table) -> String {
    let looked_at = table.fields.iter().map(|field| match (field.find, field.source) {
        (None, _) => "NULL",
        (_, Source::Column) => field.key.unwrap_or(field.column),
        (_, Source::Created) => "created_at",
        (_, Source::Updated) => "updated_at",
        _ => "NULL",
    });
    let columns = looked_at.collect::<Vec<_>>().join(", ");
    ["SELECT id, ", &columns, " FROM ", table.name, " WHERE id BETWEEN ?1 AND ?2 ORDER BY id"].concat()
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Value::Text(text) => ToSqlOutput::from(&**text),
            Value::Integer(number) => ToSqlOutput::from(*number),
            Value::Null | Value::Ids(_) => ToSqlOutput::Borrowed(ValueRef::Null),
        })
    }
}

fn value<'r>(row: &'r rusqlite::Row<'_>, at: usize) -> Result<Value<'r>, Error> {
    Ok(match row.get_ref(at)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        other => Value::Text(other.as_str().map_err(rusqlite::Error::from)?.into()),
    })
}

/// A record as answers show it, in its row.
pub struct Row<'r>(&'r rusqlite::Row<'r>);

impl<'r> Row<'r> {
    /// Its id.
    ///
    /// # Errors
    /// Where the row is damaged.
    pub fn id(&self) -> Result<u32, Error> {
        Ok(self.0.get(0)?)
    }

    /// The value of the member that is at that place in its table, counted from 0.
    ///
    /// # Errors
    /// Where the row is damaged.
    pub fn value(&self, at: usize) -> Result<Value<'r>, Error> {
        value(self.0, at + 1)
    }
}

/// Stores a new record. The caller has made sure that its references exist.
///
/// # Errors
/// Why the store cannot be written.
pub fn insert<R: Record>(tx: Tx<'_>, record: &R, now: i64) -> Result<Id<R::Kind>, Error> {
    let sql = sql(R::TABLE)?;
    let values = record.values();
    write::<R>(&mut *tx.conn().prepare_cached(&sql.insert)?, &values, now, None)?;
    let id = u64::try_from(tx.conn().last_insert_rowid()).ok().and_then(Id::new);
    let id: Id<R::Kind> = id.ok_or_else(|| gone("a record"))?;
    link(tx, sql, id.get(), &values)?;
    Ok(id)
}

/// Stores a record anew, its links included.
///
/// # Errors
/// Why the store cannot be written.
pub fn update<R: Record>(tx: Tx<'_>, id: Id<R::Kind>, record: &R, now: i64) -> Result<(), Error> {
    let sql = sql(R::TABLE)?;
    let values = record.values();
    write::<R>(&mut *tx.conn().prepare_cached(&sql.update)?, &values, now, Some(id.get()))?;
    for links in &sql.links {
        tx.conn().prepare_cached(&links.clear)?.execute([id.get()])?;
    }
    link(tx, sql, id.get(), &values)
}

/// Binds a record's values, the folded forms that have columns of their own, the moment and the id, in this order.
fn write<R: Record>(
    statement: &mut Statement<'_>,
    values: &[Value<'_>],
    now: i64,
    id: Option<u32>,
) -> Result<(), Error> {
    let mut at = 0;
    let mut bind = |statement: &mut Statement<'_>, value: &dyn ToSql| {
        at += 1;
        statement.raw_bind_parameter(at, value)
    };
    let columns = || R::TABLE.stored().zip(values).filter(|(field, _)| field.source == Source::Column);
    for (_, value) in columns() {
        bind(statement, value)?;
    }
    for (_, value) in columns().filter(|(field, _)| field.key.is_some()) {
        bind(statement, &value.text().map(fold))?;
    }
    bind(statement, &now)?;
    if let Some(id) = id {
        bind(statement, &id)?;
    }
    statement.raw_execute()?;
    Ok(())
}

/// Stores what a record is linked to.
fn link(tx: Tx<'_>, sql: &Sql, id: u32, values: &[Value<'_>]) -> Result<(), Error> {
    let linked = values.iter().filter_map(|value| if let Value::Ids(ids) = value { Some(ids) } else { None });
    for (links, ids) in sql.links.iter().zip(linked) {
        let mut statement = tx.conn().prepare_cached(&links.insert)?;
        for (position, other) in (0u32..).zip(ids) {
            statement.execute([id, position, *other])?;
        }
    }
    Ok(())
}

/// The record with that id, its links included. The caller opens a snapshot, in which all of it is of the same state.
///
/// # Errors
/// Why the store cannot be read.
pub fn by_id<R: Record>(db: Db<'_>, id: Id<R::Kind>) -> Result<Option<R>, Error> {
    let sql = sql(R::TABLE)?;
    let mut linked = Vec::new();
    for links in &sql.links {
        let mut statement = db.conn().prepare_cached(&links.read)?;
        linked.push(statement.query_map([id.get()], |row| row.get(0))?.collect::<Result<_, _>>()?);
    }
    let mut linked = linked.into_iter();
    let mut statement = db.conn().prepare_cached(&sql.read)?;
    let mut rows = statement.query([id.get()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (mut values, mut at) = (Vec::new(), 0);
    for field in R::TABLE.stored() {
        values.push(match field.source {
            Source::Links(..) => Value::Ids(linked.next().unwrap_or_default()),
            _ => {
                at += 1;
                value(row, at - 1)?
            }
        });
    }
    R::build(values).map(Some).ok_or_else(|| Error::Defect("a row does not hold what it should".to_owned()))
}

/// Shows `see` the records with those ids, in that order; an id that is not there is left out. The caller opens a
/// snapshot, in which all of them are of the same state.
///
/// A statement that is run again for each id: one that gets all ids at once has to sort them first and to find out
/// afterwards which row belongs where, which takes longer.
///
/// # Errors
/// Why the store cannot be read, or what `see` answers.
pub fn show_each(
    db: Db<'_>,
    table: &Table,
    ids: &[u32],
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(&sql(table)?.show)?;
    for id in ids {
        let mut rows = statement.query([id])?;
        if let Some(row) = rows.next()? {
            see(Row(row))?;
        }
    }
    Ok(())
}

/// Shows `see` what lists look at, of the records whose ids are in the range, by id.
///
/// # Errors
/// Why the store cannot be read, or what `see` answers.
pub fn search_each(
    db: Db<'_>,
    table: &Table,
    ids: RangeInclusive<u32>,
    mut see: impl FnMut(Row<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut statement = db.conn().prepare_cached(&sql(table)?.search)?;
    let mut rows = statement.query([ids.start(), ids.end()])?;
    while let Some(row) = rows.next()? {
        see(Row(row))?;
    }
    Ok(())
}

/// Shows `see` the folded names of what the member `column` links the records in the range to, by record.
///
/// # Errors
/// Why the store cannot be read, or what `see` answers.
pub fn linked_names(
    db: Db<'_>,
    table: &Table,
    column: &str,
    ids: RangeInclusive<u32>,
    mut see: impl FnMut(u32, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    let Some(links) = sql(table)?.links.iter().find(|links| links.column == column) else { return Ok(()) };
    let mut statement = db.conn().prepare_cached(&links.names)?;
    let mut rows = statement.query([ids.start(), ids.end()])?;
    while let Some(row) = rows.next()? {
        see(row.get(0)?, row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?)?;
    }
    Ok(())
}

/// The records that the member `column` links to that other one, ascending.
///
/// # Errors
/// Why the store cannot be read.
pub fn linked_to(db: Db<'_>, table: &Table, column: &str, other: u32) -> Result<Vec<u32>, Error> {
    let Some(links) = sql(table)?.links.iter().find(|links| links.column == column) else {
        return Ok(Vec::new());
    };
    let mut statement = db.conn().prepare_cached(&links.of_one)?;
    let ids = statement.query_map([other], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// The records that show the names of those of `kind` whose ids are in the range, in no order; one may come several times.
///
/// # Errors
/// Why the store cannot be read.
pub fn naming(db: Db<'_>, table: &Table, kind: Kind, others: RangeInclusive<u32>) -> Result<Vec<u32>, Error> {
    let mut naming = Vec::new();
    for links in sql(table)?.links.iter().filter(|links| links.to == Some(kind)) {
        let mut statement = db.conn().prepare_cached(&links.of_range)?;
        let ids = statement.query_map([others.start(), others.end()], |row| row.get(0))?;
        naming.extend(ids.collect::<Result<Vec<u32>, _>>()?);
    }
    Ok(naming)
}

/// Which of those records are not there.
///
/// # Errors
/// Why the store cannot be read.
pub fn missing(db: Db<'_>, table: &Table, ids: &[u32]) -> Result<Vec<u32>, Error> {
    let read = &sql(table)?.read;
    let mut statement = db.conn().prepare_cached(read)?;
    let mut missing = Vec::new();
    for id in ids {
        if !statement.exists([id])? {
            missing.push(*id);
        }
    }
    Ok(missing)
}

/// The list that a name's entry is of: what `show` joins.
impl Field {
    fn list(&self) -> Option<List> {
        match (self.source, self.ty) {
            (Source::Column, Type::Reference(list)) => Some(list),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Lawsuit;

    #[test]
    fn a_record_is_shown_by_one_statement() {
        let sql = sql(Lawsuit::TABLE).unwrap();
        assert!(sql.show.contains(
            "JOIN types e_type_id ON e_type_id.id = t.type_id JOIN groups p_type_id ON p_type_id.id = e_type_id.group_id"
        ), "{}", sql.show);
        assert!(sql.insert.ends_with("created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15)"), "{}", sql.insert);
        assert_eq!(sql.links.len(), 1);
    }
}
