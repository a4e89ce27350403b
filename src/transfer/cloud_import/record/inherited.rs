//! Values that a record shows anyway, so that it needs none of its own.

use super::Reading;
use crate::domain::court_of;
use crate::store::imports::moves;
use crate::transfer::prelude::*;

impl Reading<'_, '_> {
    /// Returns `true` if the record inherits the same value from an owner, so that it needs no value of its own.
    pub(super) fn is_inherited(&self, field: &Field, value: &Value<'_>) -> StoreResult<bool> {
        let own = Source::AliasOf(field.column);
        let shown = self.table.fields.iter().find(|other| other.source.alternatives().contains(&own));
        for source in shown.into_iter().flat_map(|shown| shown.source.alternatives()) {
            if let Source::MemberOf(column, of) = source
                && let Some(id) = self.read_so_far(column).and_then(Value::id)
                && let Some(kind) = self.table.field(column).and_then(Field::record)
                && kind.table().field(of).is_some_and(|of| of.source == Source::Column)
                && moves::value_of(self.db, kind.table(), of, id)? == *value
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns `true` if the value is the court that the process number names, which follows the number.
    pub(super) fn is_derived(&self, field: &Field, value: &Value<'_>) -> bool {
        let Some(Source::CourtOf(number)) = field.fallback_source else { return false };
        let number = self.read_so_far(number).and_then(Value::text);
        number.and_then(court_of).is_some_and(|court| value.text() == Some(court))
    }
}
