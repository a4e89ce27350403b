//! The cells of a row as members of a record: `read_cells` goes through them, `cell_value` reads one, `several_values` those that
//! stand together for a member, and `values_for_notes` keeps what no member accepts. `row_cells` is what was read.

mod cell_value;
pub(super) mod read_cells;
pub(super) mod row_cells;
pub(super) mod several_values;
pub(super) mod values_for_notes;
