//! GET /deadlines (deadlines 31.5).

mod counted;
mod kept;
mod notice;
mod proposal;

use serde_json::{Value, json};

use crate::app::App;
use crate::deadlines::{
    Counting, CourtNotice, Deadline, DeadlineDays, DeadlineQuery, MemoryLine, NoticeKind, Party, Rule,
};
use crate::domain::{Bilingual, Court, CourtCity, Day, DeadlineReason, Invalid, Lang, Reason};
use crate::http::json::answer_members::answer;
use crate::http::json::query::{Parameters, QueryParameters, QueryReader};
use crate::http::json::wire::FromText;
use crate::http::openapi::describe::{Parameter, parameters};
use crate::http::{Call, Echo, JsonBody, Problem};

pub use counted::{office_calendar, query_parameters, query_text};
pub use kept::{KeepsCount, count_before, count_fields};
pub use notice::NoticeOfDeadline;
pub use proposal::DeadlineProposal;

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

/// The deadline of a request. `None` if a parameter is wrong, which its reader then refuses.
pub struct DeadlineParameters(Option<DeadlineQuery>);

/// The days of a deadline, of which hours are refused with their own sentence.
struct Days(DeadlineDays);

impl FromText for Days {
    fn from_text(text: &str) -> Result<Days, Reason> {
        let text = text.trim().to_lowercase();
        let unit = text.trim_start_matches(|sign: char| sign.is_ascii_digit()).trim_start();
        let is_hours = unit != text && ["h", "hs", "hora", "horas", "hour", "hours"].contains(&unit);
        if is_hours {
            Err(DeadlineReason::DeadlineInHours.into())
        } else {
            DeadlineDays::parse(&text).map(Days)
        }
    }

    fn schema() -> Value {
        DeadlineDays::schema()
    }
}

macro_rules! words_in_text {
    ($($type:ty),+) => {$(
        impl FromText for $type {
            fn from_text(text: &str) -> Result<$type, Reason> {
                <$type>::parse(text)
            }

            fn schema() -> Value {
                json!({ "type": "string", "enum": <$type>::WORDS })
            }
        }
    )+};
}

words_in_text!(NoticeKind, Party, Rule, Counting);

impl FromText for Court {
    fn from_text(text: &str) -> Result<Court, Reason> {
        Court::parse(text)
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl FromText for CourtCity {
    fn from_text(text: &str) -> Result<CourtCity, Reason> {
        CourtCity::parse(text)
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl Parameters for DeadlineParameters {
    fn read(reader: &mut QueryReader<'_>) -> DeadlineParameters {
        let from = reader.required("from").and_then(|day| recorded(reader, "from", day));
        let days = reader.required::<Days>("days");
        let court = reader.parameter::<Court>("court");
        let kind = reader.parameter("notice").unwrap_or(NoticeKind::Djen);
        let opened = reader.parameter("opened").and_then(|day| recorded(reader, "opened", day));
        let city = reader.parameter::<CourtCity>("city");
        let party = reader.parameter("party");
        let rule = reader.parameter("rule").unwrap_or(Rule::of_court(court));
        let counting = reader.parameter("counting");
        let custody = reader.parameter("custody").unwrap_or_default();

        let takes_opened = matches!(kind, NoticeKind::Portal | NoticeKind::Domicilio);
        if opened.is_some() && !takes_opened {
            reader.refuse("opened", DeadlineReason::OnlyWithNotice.into());
        }
        if kind == NoticeKind::Domicilio && !reader.gives("opened") {
            reader.refuse("opened", Reason::Required);
        }
        if from.zip(opened).is_some_and(|(from, opened)| opened < from) {
            reader.refuse("opened", DeadlineReason::BeforeNotice.into());
        }
        if custody && rule != Rule::Cpp {
            reader.refuse("custody", DeadlineReason::OnlyWithCpp.into());
        }
        if (rule, counting) == (Rule::Cpp, Some(Counting::Working)) {
            reader.refuse("counting", DeadlineReason::CppCountsCalendarDays.into());
        }
        let state = court.and_then(Court::state);
        if city.as_ref().zip(state).is_some_and(|(city, state)| *city.state() != state) {
            reader.refuse("city", DeadlineReason::NotCityOfCourt.into());
        }

        let notice = match (kind, opened) {
            (NoticeKind::Djen, _) => Some(CourtNotice::Djen),
            (NoticeKind::Published, _) => Some(CourtNotice::Published),
            (NoticeKind::Day, _) => Some(CourtNotice::Day),
            (NoticeKind::Personal, _) => Some(CourtNotice::Personal),
            (NoticeKind::Portal, opened) => Some(CourtNotice::Portal(opened)),
            (NoticeKind::Domicilio, opened) => opened.map(CourtNotice::Domicilio),
        };
        let query = |from, notice, Days(days)| DeadlineQuery {
            from,
            notice,
            days,
            court,
            city,
            party,
            rule,
            counting,
            custody,
        };
        DeadlineParameters(match (from, notice, days) {
            (Some(from), Some(notice), Some(days)) => Some(query(from, notice, days)),
            _ => None,
        })
    }

    fn parameters() -> Vec<Parameter> {
        let mut all = parameters! {
            Day: "from" ["2026-12-15"] =>
                "O dia da disponibilização no DJEN, da publicação, da intimação pessoal ou do envio ao portal ou ao \
                 domicílio, de 01/01/1900 a 31/12/2199.",
                "The day on which the notice was made available in the DJEN, published, given in person, or sent to the \
                 portal or the domicílio, from 1900-01-01 to 2199-12-31.";
            Days: "days" [15] =>
                "Quantos dias, de 1 a 365, antes de dobrar. Prazos em horas são recusados.",
                "The number of days, 1 to 365, before doubling. Deadlines in hours are refused.";
            Court: "court" ["TJSP"] =>
                "A sigla do tribunal: STF, STJ, TST ou um da Justiça estadual, federal ou do Trabalho. Sem ela, só contam os \
                 feriados nacionais e, com `city`, os da cidade e do seu estado; `unknown` o diz.",
                "The short name of the court: STF, STJ, TST, or one of state, federal or labour justice. Without it, only \
                 national holidays count and, with `city`, those of the city and its state, which `unknown` says.";
            NoticeKind: "notice" ["djen"] =>
                "Como se soube: `djen`, disponível no diário (se nada é informado); `published`, publicada em `from`; `personal`, \
                 em pessoa; `portal`, no sistema do tribunal, lida em `opened` ou não; `domicilio`, citação confirmada em \
                 `opened`; `day`, sem intimação: conta a partir de `from`.",
                "The kind of notice: `djen`, made available in the diary (the default); `published`, published on `from`; \
                 `personal`, in person; `portal`, in the court's system, opened on `opened` or unread; `domicilio`, a \
                 summons confirmed on `opened`; `day`, none: the deadline follows `from`.";
            Day: "opened" ["2026-12-16"] =>
                "O dia da consulta no portal ou da confirmação no domicílio.",
                "The day on which the notice was opened in the portal or confirmed in the domicílio.";
            CourtCity: "city" ["São Paulo/SP"] =>
                "A comarca, como cidade e estado.",
                "The city of the court, with its state.";
            Party: "party" ["fazenda"] =>
                "Quem tem prazo em dobro; fica de fora onde a lei dá um prazo próprio (CPC, art. 183, §2).",
                "A party with double deadlines. Leave it out where a law gives a term of its own (CPC, art. 183, §2).";
            Rule: "rule" ["cpc"] =>
                "A lei que conta: `cpc`, `clt`, `cpp` ou `juizado`. Se nada é informado, `clt` nos TRTs e no TST, e `cpc` nos \
                 outros; `query` diz qual.",
                "The law that counts: `cpc`, `clt`, `cpp` or `juizado`. The default is `clt` at the TRTs and the TST, and \
                 `cpc` elsewhere, which `query` says.";
            Counting: "counting" ["calendar"] =>
                "`working`, dias úteis, ou `calendar`, dias corridos; se nada é informado, os da lei.",
                "`working` or `calendar` days. Default: those of the law.";
            bool: "custody" [true] =>
                "Com `true`, de quem está preso, que o recesso não suspende (CPP, art. 798-A, I).",
                "`true` for a person in custody, whose deadlines the recess does not stop (CPP, art. 798-A, I).";
        };
        for parameter in all.iter_mut().filter(|parameter| ["from", "days"].contains(&&*parameter.name)) {
            parameter.is_required = true;
        }
        all
    }
}

/// Reads a query that [`query_text`] wrote. Returns `None` for any other text.
pub fn query_of(text: &str, app: &App) -> Option<DeadlineQuery> {
    let parameters = form_urlencoded::parse(text.as_bytes()).into_owned().collect::<Vec<_>>();
    let mut reader = QueryReader::new(&parameters, app);
    let DeadlineParameters(query) = DeadlineParameters::read(&mut reader);
    query.filter(|_| reader.into_wrong().is_empty())
}

fn recorded(reader: &mut QueryReader<'_>, name: &'static str, day: Day) -> Option<Day> {
    day.as_recorded().map_err(|reason| reader.refuse(name, reason)).ok()
}

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
memory: Vec<MemoryLineOut> => "A conta, na ordem dos dias.", "The steps of the count, in the order of their days.";
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
pub struct MemoryLineOut as "DeadlineStep" =
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
            memory: deadline.memory.iter().map(|line| MemoryLineOut::new(line, lang)).collect(),
            unknown: deadline.unknown.iter().map(|unknown| unknown.message(lang).into_owned()).collect(),
            if_proven: deadline.if_proven.map(Day::iso),
            query,
        }
    }
}

impl MemoryLineOut {
    fn new(line: &MemoryLine, lang: Lang) -> MemoryLineOut {
        MemoryLineOut {
            day: line.day.iso(),
            what: line.what.message(lang).into_owned(),
            law: line.law.as_deref().map(str::to_owned),
        }
    }
}
