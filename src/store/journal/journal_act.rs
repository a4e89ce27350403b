//! Acts that change several records or members, which the journal names in the place of a reason.

use crate::domain::Bilingual;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalAct {
    Merge,
    MergeUndone,
    /// Hand-over of a person's work.
    HandOver,
    HandOverUndone,
    PaymentUndone,
    /// The undo of [`JournalAct::PaymentUndone`].
    PaymentRestored,
}

impl JournalAct {
    const ALL: [JournalAct; 6] = [
        JournalAct::Merge,
        JournalAct::MergeUndone,
        JournalAct::HandOver,
        JournalAct::HandOverUndone,
        JournalAct::PaymentUndone,
        JournalAct::PaymentRestored,
    ];

    /// Returns the name in the journal and in the change feed.
    pub const fn as_str(self) -> &'static str {
        match self {
            JournalAct::Merge => "merge",
            JournalAct::MergeUndone => "merge-undone",
            JournalAct::HandOver => "hand-over",
            JournalAct::HandOverUndone => "hand-over-undone",
            JournalAct::PaymentUndone => "payment-undone",
            JournalAct::PaymentRestored => "payment-restored",
        }
    }

    /// Returns the act that the reason of a journal entry names.
    pub fn of_reason(reason: &str) -> Option<JournalAct> {
        JournalAct::ALL.into_iter().find(|act| act.as_str() == reason)
    }

    pub const fn label(self) -> Bilingual {
        match self {
            JournalAct::Merge => ("União de clientes", "Merge of customers"),
            JournalAct::MergeUndone => ("União desfeita", "Merge undone"),
            JournalAct::HandOver => ("Passagem do trabalho", "Work handed over"),
            JournalAct::HandOverUndone => ("Passagem desfeita", "Hand-over undone"),
            JournalAct::PaymentUndone => ("Pagamento desfeito", "Payment undone"),
            JournalAct::PaymentRestored => ("Pagamento refeito", "Payment restored"),
        }
    }
}
