//! GET /deadlines (deadlines 31.5).

mod count_with_calendar;
mod notice;
mod parameters;
mod proposal;
mod stored_count;

use crate::deadlines::{CountStep, Deadline};
use crate::domain::{Bilingual, Day, Invalid, Lang, Reason};
use crate::http::json::answer_members::answer;
use crate::http::json::query_parameters::QueryParameters;
use crate::http::{Call, Echo, JsonBody, Problem};

pub use count_with_calendar::{office_calendar, query_parameters, query_text};
pub use notice::NoticeOfDeadline;
pub use parameters::{DeadlineParameters, query_of};
pub use proposal::DeadlineProposal;
pub use stored_count::{KeepsCount, count_before, count_fields};

/// Explains GET /deadlines in the API description.
pub const COUNTING: Bilingual = (
    "Conta um prazo e mostra a conta: o último dia, cada passo com a sua lei, e o que a conta não sabe. É uma proposta, \
     que uma pessoa confirma. Contam os feriados nacionais e, na Justiça Federal, os da Lei 5.010/1966, art. 62; os \
     do estado, da cidade e os atos do tribunal contam se estão em `/holidays`, e `unknown` diz de que ano ou lugar \
     faltam. Os textos vêm na língua de `Accept-Language`.",
    "Counts a deadline and shows how: the last day, each step with its law, and what the count does not know. It is a \
     proposal that a person confirms. National holidays count and, in federal justice, those of Lei 5.010/1966, \
     art. 62. Holidays of states and cities and acts of courts count if they are in `/holidays`, and \
     `unknown` names the years and places without them. Texts are in the language of `Accept-Language`.",
);

/// Counts a deadline.
pub fn read(
    call: &Call<'_>,
    QueryParameters(DeadlineParameters(query)): QueryParameters<DeadlineParameters>,
    echo: Echo<'static>,
    lang: Lang,
) -> Result<JsonBody<DeadlineOut>, Problem> {
    // A query without a deadline was refused with its parameters.
    let query = query.ok_or_else(|| Problem::from(Invalid::one("from", Reason::Required)))?;
    let deadline = office_calendar(call.db()).count(&query)?;
    let echo = echo.with_default("rule", query.rule.as_str());
    Ok(JsonBody(DeadlineOut::new(&deadline, echo, lang)))
}

answer! {
pub struct DeadlineOut as "Deadline" =
    "Um prazo e a sua conta.",
    "A deadline and how it was counted.";

deadline: String [example = &"2027-02-08"] => "O último dia.", "The last day.";
internal_deadline: String [example = &"2027-02-04"] =>
    "O prazo interno: dois dias úteis antes, mas não antes do primeiro dia do prazo.",
    "The day on which the office is to have done it: two working days before, but not before the first day of the deadline.";
certain: bool [example = false] =>
    "False se há algo que a conta não sabe.",
    "False if there is something that the count does not know.";
memory: Vec<CountStepOut> => "A conta, na ordem dos dias.", "The steps of the count, in the order of their days.";
unknown: Vec<String> [example = ["no calendar of TJSP for 2026 is entered"]] =>
    "O que a conta não sabe; o prazo pode ser outro.",
    "What the count does not know, so that the deadline may be another day.";
if_proven: Option<String> [example = &"2027-02-09"] =>
    "O último dia se o que deve ser comprovado for (CPC, art. 1.003, §6); null se não muda nada.",
    "The last day if all days that must be proven are (CPC, art. 1.003, §6). Null if it is the same.";
query: Echo<'static> =>
    "Os parâmetros da consulta, como chegaram, e a lei que contou (`rule`).",
    "The query parameters as received, and the law that counted (`rule`).";
}

answer! {
pub struct CountStepOut as "DeadlineStep" =
    "Um passo da conta de um prazo.",
    "A step in the count of a deadline.";

day: String [example = &"2026-12-16"] => "O dia.", "The day.";
what: String [example = &"publication"] => "O que acontece nesse dia.", "What happens on the day.";
law: Option<String> [example = &"Lei 11.419/2006, art. 4, §3"] =>
    "A lei ou o ato; null para um fato.",
    "The law or the act. Null for a fact.";
}

impl DeadlineOut {
    /// Creates the answer. `query` is that of the count.
    pub fn new(deadline: &Deadline, query: Echo<'static>, lang: Lang) -> DeadlineOut {
        DeadlineOut {
            deadline: deadline.day.iso(),
            internal_deadline: deadline.internal.iso(),
            certain: deadline.is_certain(),
            memory: deadline.steps.iter().map(|step| CountStepOut::new(step, lang)).collect(),
            unknown: deadline.unknown.iter().map(|unknown| unknown.message(lang).into_owned()).collect(),
            if_proven: deadline.if_proven.map(Day::iso),
            query,
        }
    }
}

impl CountStepOut {
    fn new(step: &CountStep, lang: Lang) -> CountStepOut {
        CountStepOut {
            day: step.day.iso(),
            what: step.kind.message(lang).into_owned(),
            law: step.law.as_deref().map(str::to_owned),
        }
    }
}
