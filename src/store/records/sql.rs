//! SQL statements of each noun, built once from its table.

mod holders;
mod journal;
mod parameters;
mod trash;

use std::sync::LazyLock;

use crate::records::{Field, Find, Kind, List, Source, TABLES, Table, Type};
use crate::store::nouns::lawsuits::{OPPOSING_NAMES, SIDES};
use crate::store::nouns::tasks::GUESTS;
use crate::store::nouns::transactions::REPEATS;
use crate::store::{Error, gone};

pub(in crate::store) use journal::{JournalSql, PartSql};
use parameters::parameter;
pub(in crate::store) use parameters::parameters;
use trash::TrashSql;

/// The statements of one table.
pub(in crate::store) struct Sql {
    pub(super) insert: String,
    pub(super) update: String,
    /// Selects the stored columns of one live record.
    pub(super) read: String,
    /// Selects the stored columns of one record, deleted ones included.
    pub(super) read_any: String,
    /// Selects one record for API answers: the id, then a value per field; NULL for computed ones that are not shown.
    pub(super) show: String,
    /// Selects one record for pages: the id, then every field.
    pub(super) view: String,
    /// Selects the fields that lists search, for a range of ids.
    pub(super) search: String,
    /// `true` if the table stores when a record was created and last changed.
    pub(in crate::store) has_moments: bool,
    /// One per link table.
    pub(super) links: Vec<Links>,
    /// One per column that refers to another record.
    pub(in crate::store) referring: Vec<Referring>,
    /// One per member that identifies records, with its column.
    pub(super) holders: Vec<(&'static str, String)>,
    /// Set if the table is a list.
    pub(super) list: Option<ListSql>,
    /// Set if records of the table can be deleted.
    trash: Option<TrashSql>,
    pub(in crate::store) journal: JournalSql,
}

/// Statements for lists only.
pub(in crate::store) struct ListSql {
    /// Selects all entries for API answers, in list order.
    pub(super) all: String,
    pub(in crate::store) active: String,
    pub(in crate::store) named: String,
    pub(in crate::store) place: String,
}

pub(super) struct Links {
    /// The member that holds the links.
    pub(super) column: &'static str,
    /// Kind of the linked records.
    pub(super) to: Kind,
    pub(super) read: String,
    /// Selects the records that those in a range link to.
    pub(super) read_range: String,
    pub(super) insert: String,
    pub(super) clear: String,
    /// Selects the position after the last link of a record. Merges and deletions leave gaps.
    pub(super) next: String,
    /// Selects the records that link to one record.
    pub(super) of_one: String,
    /// Selects the records that link to any record of a range.
    pub(super) of_range: String,
    /// Selects the folded names that the records in a range link to.
    pub(super) names: String,
    /// Like `names`, for all records in no order. Reads the linked table in its order, which takes a quarter of the time.
    pub(super) all_names: String,
}

pub(in crate::store) struct Referring {
    pub(in crate::store) column: &'static str,
    /// Kind of the record that the column refers to.
    pub(in crate::store) to: Option<Kind>,
    /// Selects the records that refer to one record.
    pub(super) of_one: String,
    /// Like `of_one`, newest first. Set if the field names a day to order by.
    pub(super) newest_of_one: Option<String>,
    /// Selects the records that refer to any record of a range.
    pub(super) of_range: String,
    /// Selects the records that those in a range refer to. Set if the referenced record shows its referrers.
    pub(super) read_range: Option<String>,
}

static SQL: LazyLock<Vec<(&'static Table, Sql)>> = LazyLock::new(|| {
    let lists = List::ALL.iter().map(|list| list.table());
    let tables = TABLES.iter().copied().chain(lists).enumerate();
    tables.map(|(number, table)| (table, Sql::of(table, number))).collect()
});

/// Returns every table with its statements: nouns first, then lists.
pub(in crate::store) fn all() -> &'static [(&'static Table, Sql)] {
    &SQL
}

pub(super) fn sql(table: &Table) -> Result<&'static Sql, Error> {
    let known = SQL.iter().find(|(known, _)| known.kind == table.kind);
    known.map(|(_, sql)| sql).ok_or_else(|| gone("a table"))
}

pub(in crate::store) fn list_sql(list: List) -> Result<&'static ListSql, Error> {
    sql(list.table())?.list.as_ref().ok_or_else(|| gone("a list"))
}

pub(in crate::store) fn trash_sql(table: &Table) -> Result<&'static TrashSql, Error> {
    sql(table)?.trash.as_ref().ok_or_else(|| gone("a table with deleted records"))
}

fn columns(table: &'static Table) -> impl Iterator<Item = &'static Field> {
    table.fields.iter().filter(|field| field.source == Source::Column)
}

impl Sql {
    fn of(table: &'static Table, number: usize) -> Sql {
        let name = table.name;
        let stored: Vec<&str> = columns(table).map(|field| field.column).collect();
        let keys: Vec<&str> = columns(table).filter_map(|field| field.key).collect();
        let written: Vec<&str> = [&stored[..], &keys[..]].concat();
        let has = |source| table.fields.iter().any(|field| field.source == source);
        let (has_moments, can_be_deleted) = (has(Source::Created), table.can_be_deleted());
        let live = if can_be_deleted { " AND deleted_at IS NULL" } else { "" };
        let shown = live.replace("deleted_at", "t.deleted_at");
        let values = parameters(table, &written);
        let mut set: Vec<_> =
            written.iter().zip(&values).map(|(column, value)| [column, " = ", value].concat()).collect();
        let mut inserted: Vec<_> = written.iter().copied().zip(values.iter().cloned()).collect();
        let mut next = written.len() + 1;
        if has_moments {
            set.push(["updated_at = ", &parameter(next)].concat());
            inserted.extend(["created_at", "updated_at"].map(|column| (column, parameter(next))));
            next += 1;
        }
        if has(Source::Place) {
            // Entries with equal places are ordered by id.
            let last = ["(SELECT min(coalesce(max(place), 0) + 1, 2147483647) FROM ", name, ")"].concat();
            inserted.push(("place", last));
        }
        // If ids are reserved (see `ids::reserve`), the new id follows them. If not, it is NULL and SQLite
        // picks the next one.
        let reserved = ["(SELECT id + 1 FROM reserved_ids WHERE resource = '", name, "' AND id >= "].concat();
        inserted.push(("id", [&reserved, "(SELECT coalesce(max(id), 0) FROM ", name, "))"].concat()));
        let (into, values): (Vec<_>, Vec<_>) = inserted.into_iter().unzip();
        let linked = table.fields.iter().filter_map(|field| match (field.source, field.ty) {
            (Source::Links(links, own, other), Type::Links(to)) => {
                Some(Links::of(field, to, links, own, other))
            }
            _ => None,
        });
        let read_any = ["SELECT ", &stored.join(", "), " FROM ", name, " WHERE id = ?1"].concat();
        let referring = columns(table).filter_map(|field| Referring::of(table, field));
        Sql {
            insert: ["INSERT INTO ", name, " (", &into.join(", "), ") VALUES (", &values.join(", "), ")"]
                .concat(),
            update: ["UPDATE ", name, " SET ", &set.join(", "), " WHERE id = ", &parameter(next)].concat(),
            read: [&read_any, live].concat(),
            read_any,
            show: [&show(table, Rows::Shown), " WHERE t.id = ?1", &shown].concat(),
            view: [&show(table, Rows::All), " WHERE t.id = ?1", &shown].concat(),
            trash: can_be_deleted.then(|| TrashSql::of(table)),
            journal: JournalSql::of(table, number),
            search: search(table, |_| true),
            has_moments,
            links: linked.collect(),
            referring: referring.collect(),
            holders: holders::holders(table),
            list: has(Source::Place).then(|| ListSql {
                all: [&show(table, Rows::All), " ORDER BY t.place, t.id"].concat(),
                active: ["SELECT active FROM ", name, " WHERE id = ?1"].concat(),
                named: match table.fields.iter().find(|field| field.unique_with_name) {
                    Some(part) => {
                        ["SELECT id FROM ", name, " WHERE name_key = ?1 AND ", part.column, " = ?2"].concat()
                    }
                    None => ["SELECT id FROM ", name, " WHERE name_key = ?1 AND ?2 IS NULL"].concat(),
                },
                place: ["UPDATE ", name, " SET place = ?1 WHERE id = ?2 AND place <> ?1"].concat(),
            }),
        }
    }
}

impl Referring {
    fn of(table: &Table, field: &'static Field) -> Option<Referring> {
        let (name, column) = (table.name, field.column);
        let to = field.record();
        let back = Source::LinkedBy(table.kind, column);
        let shows_back = to.is_some_and(|to| to.table().fields.iter().any(|field| field.source == back));
        let by_day = if let Some(Find::Newest(day)) = field.find { Some(day) } else { None };
        let of_one = ["SELECT id FROM ", name, " WHERE ", column, " = ?1 ORDER BY "].concat();
        (to.is_some() || field.find == Some(Find::Record)).then(|| Referring {
            column,
            to,
            newest_of_one: by_day.map(|day| [&of_one, day, " DESC, id DESC"].concat()),
            of_one: [&of_one, "id"].concat(),
            of_range: ["SELECT id FROM ", name, " WHERE ", column, " BETWEEN ?1 AND ?2"].concat(),
            read_range: shows_back.then(|| {
                let of = [" WHERE id BETWEEN ?1 AND ?2 AND ", column, " IS NOT NULL"].concat();
                ["SELECT ", column, " FROM ", name, &of].concat()
            }),
        })
    }
}

impl Links {
    fn of(field: &'static Field, to: Kind, table: &str, own: &str, other: &str) -> Links {
        let columns = [own, ", position, ", other].concat();
        let named = to.table().name;
        Links {
            column: field.column,
            to,
            of_one: ["SELECT ", own, " FROM ", table, " WHERE ", other, " = ?1 ORDER BY ", own].concat(),
            of_range: ["SELECT ", own, " FROM ", table, " WHERE ", other, " BETWEEN ?1 AND ?2"].concat(),
            names: [
                &["SELECT l.", own, ", n.id, n.name_key FROM ", table, " l JOIN ", named].concat(),
                &[" n ON n.id = l.", other].concat(),
                &[" WHERE l.", own, " BETWEEN ?1 AND ?2 ORDER BY l.", own, ", l.position"].concat()[..],
            ]
            .concat(),
            all_names: [
                &["SELECT l.", own, ", n.id, n.name_key FROM ", named, " n CROSS JOIN ", table].concat(),
                &[" l ON l.", other, " = n.id"].concat()[..],
            ]
            .concat(),
            read: ["SELECT ", other, " FROM ", table, " WHERE ", own, " = ?1 ORDER BY position"].concat(),
            read_range: ["SELECT ", other, " FROM ", table, " WHERE ", own, " BETWEEN ?1 AND ?2"].concat(),
            insert: ["INSERT INTO ", table, " (", &columns, ") VALUES (?1, ?2, ?3)"].concat(),
            clear: ["DELETE FROM ", table, " WHERE ", own, " = ?1"].concat(),
            next: ["SELECT coalesce(max(position) + 1, 0) FROM ", table, " WHERE ", own, " = ?1"].concat(),
        }
    }
}

/// Selection of the records and fields that a statement reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Live records, fields that answers show.
    Shown,
    /// Deleted records, fields that answers show, followed by the reason and the record each was merged into.
    Deleted,
    All,
}

/// Builds the SELECT for the rows. The deletion time follows the fields.
fn show(table: &Table, rows: Rows) -> String {
    let more = match rows {
        _ if !table.can_be_deleted() => "",
        Rows::Deleted => ", t.deleted_at, t.deleted_reason, t.merged_into",
        Rows::Shown | Rows::All => ", t.deleted_at",
    };
    let shown = table.fields.iter().map(|field| match rows {
        // Stored columns cost nothing to read; computed ones do.
        Rows::Shown | Rows::Deleted
            if !field.is_shown && !field.is_stored() && field.source != Source::Place =>
        {
            "NULL".to_owned()
        }
        _ => value(table, field, field.source),
    });
    let joins = table.fields.iter().filter_map(|field| {
        let list = field.list()?;
        let (column, own) = (field.column, entry(field.column));
        let joined = if field.required { " JOIN " } else { " LEFT JOIN " };
        let mut join = [joined, list.table().name, " ", &own, " ON ", &own, ".id = t.", column].concat();
        if let Some((above, up)) = list.table().parent() {
            let (above, up, wider) = (above.table().name, up.column, parent(column));
            join.push_str(&[joined, above, " ", &wider, " ON ", &wider, ".id = ", &own, ".", up].concat());
        }
        Some(join)
    });
    let (shown, joins) = (shown.collect::<Vec<_>>().join(", "), joins.collect::<String>());
    ["SELECT t.id, ", &shown, more, " FROM ", table.name, " t", &joins].concat()
}

/// Returns the join alias of the entry that a column refers to.
fn entry(column: &str) -> String {
    ["e_", column].concat()
}

/// Returns the join alias of the parent of that entry.
fn parent(column: &str) -> String {
    ["p_", column].concat()
}

/// Returns the SQL expression for a member with this source.
fn value(table: &Table, field: &Field, source: Source) -> String {
    match source {
        Source::Column | Source::Generated => {
            let own = ["t.", field.column].concat();
            let fallback_source = field.fallback_source.map(|other| value(table, field, other));
            fallback_source
                .map_or_else(|| own.clone(), |other| ["coalesce(", &own, ", ", &other, ")"].concat())
        }
        Source::OpposingOf(column) => ["(t.", column, " IN ", OPPOSING_NAMES, ")"].concat(),
        Source::NewestDay(kind, column, day) => newest_day(kind, column, day),
        Source::Sides(column) => SIDES.replace('?', &["t.", column].concat()),
        Source::Repeats => REPEATS.to_owned(),
        Source::CourtOf(column) => ["court_of(t.", column, ")"].concat(),
        Source::NameOf(column) => [&entry(column), ".name"].concat(),
        Source::ParentOf(column) => [&parent(column), ".id"].concat(),
        Source::ParentNameOf(column) => [&parent(column), ".name"].concat(),
        Source::Created => "t.created_at".to_owned(),
        Source::Updated => "t.updated_at".to_owned(),
        Source::Place => "t.place".to_owned(),
        Source::AliasOf(column) => ["t.", column].concat(),
        Source::MomentOf(day, time, or_day) => at(day, time, or_day),
        Source::MemberOf(column, of) => value_of(table, column, of),
        Source::NamesThrough(column, links) => names_by(table, column, links),
        Source::Coalesce(sources) => {
            let values = sources.iter().map(|source| value(table, field, *source));
            ["coalesce(", &values.collect::<Vec<_>>().join(", "), ")"].concat()
        }
        Source::Completions => GUESTS.to_owned(),
        Source::Links(..) | Source::LinkedBy(..) | Source::NamesOf(_) | Source::Computed => "NULL".to_owned(),
    }
}

/// Returns the expression for the member `of` of the record in `column`: one of its columns, or the name of an
/// entry that it refers to.
fn value_of(table: &Table, column: &str, of: &str) -> String {
    let Some(there) = table.field(column).and_then(Field::record).map(Kind::table) else {
        return "NULL".to_owned();
    };
    let named = there.field(of).and_then(|field| match field.source {
        Source::NameOf(refers) => Some((refers, there.field(refers)?.list()?.table().name)),
        _ => None,
    });
    let (value, entry) = match named {
        Some((refers, list)) => ("e.name", [" JOIN ", list, " e ON e.id = r.", refers].concat()),
        None => (&*["r.", of].concat(), String::new()),
    };
    ["(SELECT ", value, " FROM ", there.name, " r", &entry, " WHERE r.id = t.", column, ")"].concat()
}

/// Returns the expression for the names, joined, of the records that another record links to: for a task, those of the
/// customers (`links`) of the lawsuit in `column`.
fn names_by(table: &Table, column: &str, links: &str) -> String {
    let to = table.field(column).and_then(Field::record).and_then(|kind| kind.table().field(links));
    let Some((Source::Links(link, own, other), Type::Links(named))) =
        to.map(|field| (field.source, field.ty))
    else {
        return "NULL".to_owned();
    };
    let names = ["SELECT group_concat(n.name, ', ' ORDER BY l.position) FROM ", link, " l JOIN "].concat();
    let joined = [named.table().name, " n ON n.id = l.", other, " WHERE l.", own, " = t.", column].concat();
    ["coalesce((", &names, &joined, "), '')"].concat()
}

/// Returns the expression for the newest day among the live records that refer to this one by `column`.
pub(super) fn newest_day(kind: Kind, column: &str, day: &str) -> String {
    let of = [" FROM ", kind.table().name, " o WHERE o.", column, " = t.id AND o.deleted_at IS NULL)"];
    ["(SELECT max(o.", day, ")", &of.concat()].concat()
}

/// Returns the expression for a day and time as text, or NULL without a day.
fn at(day: &str, time: &str, or_day: &str) -> String {
    let day = match or_day {
        "" => ["t.", day].concat(),
        or_day => format!("coalesce(t.{day}, CASE WHEN t.{time} IS NOT NULL THEN t.{or_day} END)"),
    };
    format!("{day} || ' ' || coalesce(t.{time}, '00:00:00')")
}

/// Builds the SELECT for list searches: the wanted fields, in the folded form if that is stored.
pub(super) fn search(table: &Table, is_wanted: impl Fn(usize) -> bool) -> String {
    let looked_at = table.fields.iter().enumerate().map(|(at, field)| match (field.find, field.source) {
        _ if !is_wanted(at) || field.find.is_none() && !field.searched => "NULL".to_owned(),
        (None, source) => value(table, field, source),
        (Some(Find::Guests), _) => GUESTS.to_owned(),
        (_, Source::Column) => ["t.", field.key.unwrap_or(field.column)].concat(),
        (_, Source::MemberOf(column, member)) => value_of(table, column, field.key.unwrap_or(member)),
        (_, source @ (Source::Generated | Source::Coalesce(_) | Source::Created | Source::Updated)) => {
            value(table, field, source)
        }
        _ => "NULL".to_owned(),
    });
    let deleted = table.can_be_deleted().then(|| "t.deleted_at".into());
    let columns = looked_at.chain(deleted).collect::<Vec<_>>().join(", ");
    ["SELECT t.id, ", &columns, " FROM ", table.name, " t WHERE t.id BETWEEN ?1 AND ?2 ORDER BY t.id"]
        .concat()
}

/// The list whose entries a column refers to, which `show` joins.
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
    use crate::records::{Customer, Lawsuit, Record, Transaction};

    #[test]
    fn values_of_another_record_are_read_by_a_subquery() {
        let sql = sql(Transaction::TABLE).unwrap();
        for (statement, member) in [(&sql.show, "name"), (&sql.search, "name_key")] {
            let read = ["(SELECT r.", member, " FROM customers r WHERE r.id = t.customer_id)"].concat();
            assert!(statement.contains(&read), "{statement}");
        }
    }

    #[test]
    fn a_search_reads_only_the_wanted_fields() {
        let at = Customer::TABLE.fields.iter().position(|field| field.column == "city").unwrap();
        let read = search(Customer::TABLE, |other| other == at);
        let mut columns = vec!["NULL"; Customer::TABLE.fields.len()];
        columns[at] = "t.city";
        let columns = columns.join(", ");
        assert!(read.starts_with(&["SELECT t.id, ", &columns, ", t.deleted_at FROM"].concat()), "{read}");
    }

    #[test]
    fn a_record_is_read_by_one_statement() {
        let sql = sql(Lawsuit::TABLE).unwrap();
        assert!(sql.show.contains(
            "JOIN types e_type_id ON e_type_id.id = t.type_id JOIN groups p_type_id ON p_type_id.id = e_type_id.group_id"
        ), "{}", sql.show);
        let values = "created_at, updated_at, id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, nullif(?17 COLLATE NOCASE, court_of(?1)), ?18, ?19, ?20, ?21, ?21, (SELECT id + 1";
        assert!(sql.insert.contains(values), "{}", sql.insert);
        assert_eq!(sql.links.len(), 1);
    }
}
