//! Finds records by a member that identifies them (events 22.2).

use super::sql::sql;
use crate::domain::{ExternalIds, Phone, ProcessNumber, fold};
use crate::records::{Field, FieldType, Table, Type, Value};
use crate::store::{Db, Error};

/// A record with the value that was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    pub id: u32,
    pub is_deleted: bool,
}

/// Returns the live records with this value in a member, at most `limit`, by id. If there are none, returns those in
/// the trash. A phone or case number is found in its other notations too, and a member with a folded form by that. `within`
/// is the value of [`Field::within`]; without it, such a member finds nothing. Each external id belongs to one record, so
/// all records with one of several are returned, also deleted ones, in the order of the ids.
pub fn holders(
    db: Db<'_>,
    table: &Table,
    field: &Field,
    value: &Value<'_>,
    within: Option<&Value<'_>>,
    limit: u32,
) -> Result<Vec<Holder>, Error> {
    let sql = sql(table)?;
    let Some((_, select)) = sql.holders.iter().find(|(column, _)| *column == field.column) else {
        return Ok(Vec::new());
    };
    let mut statement = db.conn().prepare_cached(select)?;
    let holder = |row: &rusqlite::Row<'_>| Ok(Holder { id: row.get(0)?, is_deleted: row.get(1)? });
    let mut all: Vec<Holder> = Vec::new();
    if field.ty == Type::ExternalIds {
        for name in ExternalIds::from_value(value.clone()).unwrap_or_default().iter() {
            for found in statement.query_map([name.as_str()], holder)? {
                let found = found?;
                if !all.contains(&found) {
                    all.push(found);
                }
            }
        }
    } else {
        let folded = field.key.and(value.text()).map(|text| Value::Text(fold(text).into()));
        let value = folded.as_ref().unwrap_or(value);
        let found = match field.ty {
            Type::Phone | Type::ProcessNumber => {
                let [first, second] = other_notations(field, value);
                statement.query_map((value, limit, first, second), holder)?
            }
            _ => match (field.within, within) {
                (None, _) => statement.query_map((value, limit), holder)?,
                (Some(_), Some(within)) => statement.query_map((value, limit, within), holder)?,
                (Some(_), None) => return Ok(Vec::new()),
            },
        };
        for found in found {
            all.push(found?);
        }
        let is_live = all.iter().any(|holder| !holder.is_deleted);
        all.retain(|holder| !is_live || !holder.is_deleted);
    }
    Ok(all)
}

/// Returns the other notations of a number, in which records may have it.
fn other_notations(field: &Field, value: &Value<'_>) -> [Option<String>; 2] {
    let text = value.text().unwrap_or_default().to_owned();
    match field.ty {
        Type::Phone => [Phone::from_stored(text).other_notation(), None],
        Type::ProcessNumber => {
            ProcessNumber::from_stored(text).without_zeros().map_or([None, None], |all| all.map(Some))
        }
        _ => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::TABLES;
    use crate::store::Store;

    #[test]
    fn every_identifying_field_is_looked_up_through_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        for table in TABLES {
            for (column, select) in &sql(table).unwrap().holders {
                let steps = store.read(move |db| {
                    let mut statement = db.conn().prepare(&["EXPLAIN QUERY PLAN ", select].concat())?;
                    let parameters = vec!["1"; statement.parameter_count()];
                    let parameters = rusqlite::params_from_iter(parameters);
                    let steps = statement.query_map(parameters, |row| row.get::<_, String>(3))?;
                    Ok::<_, Error>(steps.collect::<Result<Vec<_>, _>>()?)
                });
                let steps = steps.unwrap();
                assert!(!steps.iter().any(|step| step.starts_with("SCAN")), "{column}: {steps:?}");
            }
        }
    }

    #[test]
    fn every_noun_has_external_ids() {
        for table in TABLES {
            let has_ids = table.stored().any(|field| field.ty == Type::ExternalIds);
            assert!(has_ids, "add `external_ids: ExternalIds = external_ids();` to {}", table.type_name);
        }
    }
}
