//! The outcome of the last test restore, for the overview (always 44).

use jiff::Timestamp;

use crate::backup::TestOutcome;
use crate::console::prelude::*;

/// Renders the outcome of the last test restore, before a link; empty if there was none.
pub(in crate::console) fn last_test(visit: &Visit) -> Markup {
    let last = visit.app().backups().last_test();
    let date = |at: Timestamp| moment(at.as_second(), visit.zone(), visit.lang);
    html! {
        @match &last {
            Some(TestOutcome { problem: Some(problem), .. }) => {
                span.bad { (visit.pick("a restauração de teste falhou: ", "the test restore failed: ")) (problem.message(visit.lang)) } " · "
            }
            Some(TestOutcome { at, last_opened, .. }) => {
                (visit.pick("testado em ", "tested on ")) (date(*at))
                @if *last_opened != Some(*at) { (visit.pick(", só a soma de verificação", ", only the checksum")) }
                " · "
            }
            None => {}
        }
    }
}
