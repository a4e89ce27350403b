//! Actions on records that buttons perform, and the users they apply to.

use crate::domain::Bilingual;
use crate::records::UserId;

pub struct Action {
    /// The name in forms.
    pub name: &'static str,
    /// The message after the action.
    pub done: Bilingual,
    /// The label of the button for several records at once.
    pub many: Bilingual,
    /// The message after it, which follows the number of the records.
    pub many_done: Bilingual,
}

/// A button on a record's page.
pub struct Button {
    /// The name of the [`Action`].
    pub action: &'static str,
    /// The user whose part of the record the button is about. The button is shown beside that user.
    pub who: Option<u32>,
    pub label: Bilingual,
}

/// A button that was pressed.
#[derive(Debug)]
pub struct Pressed {
    /// The name of the [`Action`].
    pub action: String,
    /// The user whose part of the record the action is about.
    pub who: Option<UserId>,
    /// Time of a completion, in seconds since 1970, if it is not now.
    pub at: Option<i64>,
    /// The unpaid amount beside the button, in centavos. Another amount is not paid.
    pub amount: Option<i64>,
}

/// A user who is responsible for a record.
#[derive(Clone, Copy, Debug)]
pub struct Participant {
    pub user: u32,
    /// Time of completion, in seconds since 1970.
    pub done_at: Option<i64>,
}
