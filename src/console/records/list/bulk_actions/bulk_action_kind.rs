//! The kinds of bulk actions and their form fields.

use crate::api::console_pages::Action;
use crate::console::prelude::*;
use crate::domain::lang::localize;

/// Form and query field with the id of a chosen record.
pub(in crate::console) const CHOSEN: &str = "chosen";
/// Form and query field for choosing all records that the list finds.
pub(in crate::console) const ALL: &str = "everything";
/// Form and query field with the name of the action.
pub(super) const ACT: &str = "act";
/// Form and query field with the member to change.
pub(super) const MEMBER: &str = "member";
/// The action that restores records from the trash.
pub(in crate::console) const RESTORE: &str = "restore";
/// Id of the form that the check boxes in the rows belong to.
pub(in crate::console) const FORM: &str = "chosen";
/// Maximum number of records in one bulk action.
pub(super) const MAX_CHOSEN: usize = 10_000;

#[derive(Clone, Copy)]
pub(super) enum BulkActionKind {
    Press(&'static Action, Bilingual),
    Change,
    Delete,
}

impl BulkActionKind {
    pub fn name(self) -> &'static str {
        match self {
            BulkActionKind::Press(action, _) => action.name,
            BulkActionKind::Change => "change",
            BulkActionKind::Delete => "delete",
        }
    }

    pub fn label(self) -> Bilingual {
        match self {
            BulkActionKind::Press(_, label) => label,
            BulkActionKind::Change => ("Alterar", "Change"),
            BulkActionKind::Delete => ("Excluir", "Delete"),
        }
    }
}

/// Says how many records already were as an action makes them, to follow the number of changed ones. Empty for none.
pub(super) fn already(unchanged: u64, visit: &Visit) -> String {
    match unchanged {
        0 => String::new(),
        1 => visit.pick("; 1 já estava assim", "; 1 was so already").to_owned(),
        many => {
            let many = count(many, visit.lang);
            localize!(visit.lang, "; {many} já estavam assim", "; {many} were so already")
        }
    }
}
