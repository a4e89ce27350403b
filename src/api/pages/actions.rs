//! What can be done with a record by a button, and by whom.

use crate::domain::Bilingual;
use crate::records::UserId;

/// Something that is done with a record by a button.
pub struct Action {
    /// What forms call it.
    pub name: &'static str,
    /// What is said once it is done.
    pub done: Bilingual,
    /// What the button says that does it with several records at once.
    pub many: Bilingual,
}

/// A button on a record's page.
pub struct Button {
    /// What it does, by the name of the action.
    pub action: &'static str,
    /// Whose part it is about; it stands beside that person then.
    pub who: Option<u32>,
    /// What it says.
    pub label: Bilingual,
}

/// A button that was pressed.
#[derive(Debug)]
pub struct Pressed {
    /// What it does, by the name of the action.
    pub action: String,
    /// Whose part it is about.
    pub who: Option<UserId>,
}

/// Somebody who is to do what a record says.
#[derive(Clone, Copy, Debug)]
pub struct Participant {
    /// The user.
    pub user: u32,
    /// When they have done it, in seconds since 1970.
    pub done_at: Option<i64>,
}
