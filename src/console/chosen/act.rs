//! What can be done with chosen records, and what forms call it.

use crate::api::pages::Action;
use crate::domain::Bilingual;

/// What forms and addresses call the id of a chosen record.
pub(in crate::console) const CHOSEN: &str = "chosen";
/// What they call the choice of everything that the list finds.
pub(in crate::console) const ALL: &str = "everything";
/// What they call what is to be done.
pub(super) const ACT: &str = "act";
/// What they call the member that is to be changed.
pub(super) const MEMBER: &str = "member";
/// What is done with records in the trash.
pub(in crate::console) const RESTORE: &str = "restore";
/// The form whose boxes stand in the rows.
pub(in crate::console) const FORM: &str = "chosen";
/// So many records can be chosen at once.
pub(super) const MOST: usize = 10_000;

/// Something that is done with chosen records.
#[derive(Clone, Copy)]
pub(super) enum Act {
    Press(&'static Action, Bilingual),
    Change,
    Delete,
}

impl Act {
    pub fn name(self) -> &'static str {
        match self {
            Act::Press(action, _) => action.name,
            Act::Change => "change",
            Act::Delete => "delete",
        }
    }

    pub fn label(self) -> Bilingual {
        match self {
            Act::Press(_, label) => label,
            Act::Change => ("Alterar", "Change"),
            Act::Delete => ("Excluir", "Delete"),
        }
    }
}
