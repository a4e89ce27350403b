//! The buttons of transactions.

use crate::api::console_pages::Action;

pub(super) const ACTIONS: &[Action] = &[
    Action {
        name: "pay",
        done: ("Marcado como pago hoje.", "Marked as paid today."),
        many: ("Marcar como pagos hoje", "Mark as paid today"),
        many_done: ("marcados como pagos hoje", "marked as paid today"),
    },
    Action {
        name: "unpay",
        done: ("Marcado como não pago.", "Marked as not paid."),
        many: ("Marcar como não pagos", "Mark as not paid"),
        many_done: ("marcados como não pagos", "marked as not paid"),
    },
    Action {
        name: "end",
        done: ("A repetição foi encerrada.", "The repetition has ended."),
        many: ("Encerrar a repetição", "End the repetition"),
        many_done: ("com a repetição encerrada", "with the repetition ended"),
    },
];
