//! The routes of the change feed, of checks for conflicts of interest and of counts of deadlines (events 20 and 23,
//! deadlines 31).

use crate::api::{changes, conflicts, deadlines};
use crate::http::{RouteHandler, get};
use crate::records::Access::{Anyone, Read};
use crate::records::Kind;

pub fn routes() -> Vec<RouteHandler> {
    vec![
        get("/changes", "listChanges", Anyone, ("Acompanhar o que muda", "Follow changes"), changes::read)
            .waiting()
            .explained(changes::FOLLOWING),
        get(
            "/conflicts",
            "checkConflicts",
            Read(Kind::Customer),
            ("Verificar conflito de interesses", "Check for conflicts of interest"),
            conflicts::read,
        )
        .paged(conflicts::MAX_PAGE_SIZE)
        .explained(conflicts::CHECKING),
        get(
            "/deadlines",
            "countDeadline",
            Read(Kind::Holiday),
            ("Contar um prazo", "Count a deadline"),
            deadlines::read,
        )
        .explained(deadlines::COUNTING),
    ]
}
