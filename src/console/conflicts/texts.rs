//! Words and addresses of conflicts of interest.

use std::collections::BTreeMap;

use crate::console::prelude::*;
use crate::domain::{ConflictOutcome, MatchedBy, Score, Side};
use crate::records::Lawsuit;

/// Returns the address of a kept check.
pub(in crate::console) fn check_page(id: u32) -> String {
    format!("{BASE}/conflicts/{id}")
}

/// Returns the words for lawsuits, by id: the process number or, without one, the names of both sides.
pub(in crate::console) fn case_words(db: Db<'_>, ids: &[u32]) -> StoreResult<BTreeMap<u32, String>> {
    let Some(pages) = pages_of(Kind::Lawsuit) else { return Ok(BTreeMap::new()) };
    let is_wanted = |field: &Field| ["sides", "process_number"].contains(&field.column);
    let cases = View::read_with(db, Lawsuit::TABLE, ids, false, is_wanted)?.into_iter();
    let word = |case: &View| match case.text("process_number") {
        "" => (pages.presentation.heading)(case, Lang::Pt),
        number => number.to_owned(),
    };
    Ok(cases.map(|case| (case.id, word(&case))).collect())
}

pub(in crate::console) fn side_word(side: Side, visit: &Visit) -> &'static str {
    match side {
        Side::Customer => visit.pick("cliente", "customer"),
        Side::Opposing => visit.pick("parte contrária", "opposing party"),
    }
}

/// Returns the words for what matches in a conflict. Only a similar name has a score that says more.
pub(in crate::console) fn match_word(by: MatchedBy, score: Score, visit: &Visit) -> &'static str {
    match by {
        MatchedBy::Customer => visit.pick("mesmo cadastro", "same record"),
        MatchedBy::Identification => visit.pick("mesmo CPF ou CNPJ", "same CPF or CNPJ"),
        MatchedBy::CnpjRoot => visit.pick("mesma empresa, outra filial", "same company, another branch"),
        MatchedBy::Name if score == Score::SAME => visit.pick("mesmo nome", "same name"),
        MatchedBy::Name => visit.pick("nome parecido", "similar name"),
    }
}

pub(in crate::console) fn outcome_word(outcome: ConflictOutcome, visit: &Visit) -> Markup {
    match outcome {
        ConflictOutcome::Certain => {
            html! { span.stage.late { (visit.pick("conflito certo", "certain conflict")) } }
        }
        ConflictOutcome::Possible => {
            html! { span.stage.due { (visit.pick("conflito possível", "possible conflict")) } }
        }
        ConflictOutcome::None => {
            html! { span.stage.over { (visit.pick("nada encontrado", "nothing found")) } }
        }
    }
}
