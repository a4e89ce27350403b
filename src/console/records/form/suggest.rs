//! Suggestions for text fields whose values often repeat, such as a city. Other texts are accepted too.

use std::collections::BTreeMap;

use crate::console::prelude::*;
use crate::domain::text::fold;
use crate::store::records;

#[derive(Default)]
pub(in crate::console) struct Suggestions(BTreeMap<&'static str, Vec<String>>);

impl Suggestions {
    /// Reads the suggestions: values of other records, most frequent first, then the fixed ones of the field.
    pub fn read(db: Db<'_>, table: &'static Table) -> StoreResult<Suggestions> {
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

    /// Returns the HTML id of a field's suggestions.
    pub fn id(&self, field: &Field) -> Option<String> {
        self.0.get(field.column).map(|_| format!("s-{}", field.member))
    }

    pub fn render(&self, field: &Field) -> Markup {
        html! {
            @if let (Some(id), Some(values)) = (self.id(field), self.0.get(field.column)) {
                datalist id=(id) { @for value in values { option value=(value) {} } }
            }
        }
    }
}
