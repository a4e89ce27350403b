//! What is offered to who fills in a text that many records share, such as a city: whatever else may be typed all the same.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::domain::fold;
use crate::records::{Field, Table};
use crate::store::{self, Db, records};

/// What is offered, by the columns of the fields.
#[derive(Default)]
pub(super) struct Suggestions(BTreeMap<&'static str, Vec<String>>);

impl Suggestions {
    /// What other records have, the most frequent first, then what their noun names.
    pub fn read(db: Db<'_>, table: &'static Table) -> Result<Suggestions, store::Error> {
        let mut all = BTreeMap::new();
        for field in table.fields {
            let Some(named) = field.suggested else { continue };
            let mut values = records::frequent(db, table, field.column)?;
            let is_new = |named: &&&str| !values.iter().any(|value| fold(value) == fold(named));
            let named = named.iter().filter(is_new).map(|named| (*named).to_owned()).collect::<Vec<_>>();
            values.extend(named);
            all.insert(field.column, values);
        }
        Ok(Suggestions(all))
    }

    /// The id of what is offered for a field.
    pub fn id(&self, field: &Field) -> Option<String> {
        self.0.get(field.column).map(|_| format!("s-{}", field.member))
    }

    pub fn draw(&self, field: &Field) -> Markup {
        html! {
            @if let (Some(id), Some(values)) = (self.id(field), self.0.get(field.column)) {
                datalist id=(id) { @for value in values { option value=(value) {} } }
            }
        }
    }
}
