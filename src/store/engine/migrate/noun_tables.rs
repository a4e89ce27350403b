//! Compares the tables that the migrations create with those of the records, and writes the missing SQL.

use rusqlite::Connection;

use crate::records::{Field, List, Source, TABLES, Table, Type};
use crate::store::engine::{connection, migrate};

/// The columns of the trash (resources 18).
const TRASH: [(&str, &str); 4] = [
    ("deleted_at", "INTEGER"),
    ("deleted_reason", "TEXT"),
    ("deleted_with", "INTEGER"),
    ("merged_into", "INTEGER"),
];

/// Returns the columns of a noun, each with its declaration in SQL.
fn columns(table: &'static Table) -> Vec<(&'static str, String)> {
    let mut columns = vec![("id", "INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295)".to_owned())];
    for field in table.fields.iter().filter(|field| field.source == Source::Column) {
        columns.push((field.column, declaration(field)));
        columns.extend(field.key.map(|key| (key, "TEXT NOT NULL".to_owned())));
    }
    columns.extend(["created_at", "updated_at"].map(|column| (column, "INTEGER NOT NULL".to_owned())));
    columns.extend(TRASH.map(|(column, ty)| (column, ty.to_owned())));
    columns
}

fn declaration(field: &Field) -> String {
    let is_number = matches!(
        field.ty,
        Type::Flag
            | Type::Id
            | Type::Moment
            | Type::Money
            | Type::Record(_)
            | Type::Reference(_)
            | Type::Whole(..)
    );
    let mut sql = if is_number { "INTEGER" } else { "TEXT" }.to_owned();
    let fallback = match field.fallback() {
        crate::records::Value::Integer(number) => Some(number.to_string()),
        crate::records::Value::Text(text) => Some(format!("'{text}'")),
        _ => None,
    };
    if field.required || !field.default.is_empty() {
        sql.push_str(" NOT NULL");
    }
    sql.extend(fallback.map(|value| format!(" DEFAULT {value}")));
    match field.ty {
        Type::Day => sql.push_str(&format!(
            " CHECK ({} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')",
            field.column
        )),
        Type::Reference(list) => sql.push_str(&format!(" REFERENCES {} (id)", list.table().name)),
        Type::Record(kind) => sql.push_str(&format!(" REFERENCES {} (id)", kind.table().name)),
        _ => {}
    }
    sql
}

/// Returns the indexes of a noun: each one's column, and its SQL.
fn indexes(table: &'static Table) -> Vec<(&'static str, String)> {
    let name = table.name;
    let deleted =
        format!("CREATE INDEX {name}_deleted ON {name} (deleted_at) WHERE deleted_at IS NOT NULL;\n");
    let mut indexes = vec![("deleted_at", deleted)];
    for field in table.stored().filter(|field| field.record().is_some()) {
        let of = field.column.strip_suffix("_id").unwrap_or(field.column);
        let column = field.column;
        indexes.push((
            column,
            format!("CREATE INDEX {name}_of_{of} ON {name} ({column}) WHERE {column} IS NOT NULL;\n"),
        ));
    }
    indexes
}

fn names(conn: &Connection, sql: &str, of: &str) -> Vec<String> {
    let mut statement = conn.prepare(sql).unwrap();
    statement.query_map([of], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Returns the SQL that completes a noun's table. Empty if nothing is missing.
fn missing(conn: &Connection, table: &'static Table) -> String {
    let name = table.name;
    let own = names(conn, "SELECT name FROM pragma_table_xinfo(?1)", name);
    let first_columns =
        "SELECT coalesce(i.name, '') FROM pragma_index_list(?1) l JOIN pragma_index_info(l.name) i
        WHERE i.seqno = 0";
    let indexed = names(conn, first_columns, name);
    let is_missing = |all: &[String], column: &str| !all.iter().any(|own| own == column);
    let mut columns = columns(table);
    columns.retain(|(column, _)| is_missing(&own, column));
    let mut sql = String::new();
    if own.is_empty() {
        let lines: Vec<_> = columns.iter().map(|(column, ty)| format!("    {column} {ty}")).collect();
        sql.push_str(&format!("CREATE TABLE {name} (\n{}\n) STRICT;\n\n", lines.join(",\n")));
    } else {
        sql.extend(
            columns.iter().map(|(column, ty)| format!("ALTER TABLE {name} ADD COLUMN {column} {ty};\n")),
        );
    }
    let indexes = indexes(table).into_iter().filter(|(column, _)| is_missing(&indexed, column));
    sql.extend(indexes.map(|(_, index)| index));
    sql
}

/// Returns an in-memory store created by the migrations.
fn store() -> Connection {
    let mut conn = connection::in_memory().unwrap();
    migrate::make_version(&mut conn, migrate::newest()).unwrap();
    conn
}

#[test]
fn every_noun_has_a_complete_table() {
    let conn = store();
    let all: String = TABLES.iter().map(|table| missing(&conn, table)).collect();
    let file = format!("src/store/migrations/{:04}_WORDS.sql", migrate::newest() + 1);
    assert!(all.is_empty(), "the tables of the store are incomplete: write this SQL into {file}:\n\n{all}");
}

#[test]
fn every_list_has_the_columns_of_its_members() {
    let conn = store();
    for table in List::ALL.map(List::table) {
        let own = names(&conn, "SELECT name FROM pragma_table_xinfo(?1)", table.name);
        for field in table.fields.iter().filter(|field| field.source == Source::Column) {
            let sql =
                format!("ALTER TABLE {} ADD COLUMN {} {};", table.name, field.column, declaration(field));
            assert!(own.iter().any(|own| own == field.column), "a migration has to add a column: {sql}");
        }
    }
}

#[test]
fn missing_columns_and_indexes_are_printed_as_sql() {
    let conn = store();
    let table = TABLES[0];
    conn.execute_batch("DROP INDEX customers_deleted; ALTER TABLE customers DROP COLUMN deleted_with")
        .unwrap();
    let index = "CREATE INDEX customers_deleted ON customers (deleted_at) WHERE deleted_at IS NOT NULL;\n";
    let expected = ["ALTER TABLE customers ADD COLUMN deleted_with INTEGER;\n", index].concat();
    assert_eq!(missing(&conn, table), expected);
    // The SQL of each noun creates a complete table.
    for table in TABLES {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(&missing(&conn, table)).unwrap();
        assert_eq!(missing(&conn, table), "", "{}", table.name);
    }
}
