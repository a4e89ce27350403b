//! The parameters of GET /deadlines, which are also the text of a query that a record keeps.

use serde_json::{Value, json};

use crate::app::App;
use crate::deadlines::{
    Counting, CourtNotice, DeadlineDays, DeadlineQuery, NoticeKind, PartySource, Rule, is_hours,
};
use crate::domain::{Court, CourtCity, Day, DeadlineReason, DoubledParty, Reason};
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::values::{FromText, parsed_text};
use crate::http::openapi::describe::{Parameter, parameters};

/// The deadline of a request. `None` if a parameter is wrong, which its reader then refuses.
pub struct DeadlineParameters(pub(super) Option<DeadlineQuery>);

/// The days of a deadline, of which hours are refused with their own sentence.
struct Days(DeadlineDays);

impl FromText for Days {
    fn from_text(text: &str) -> Result<Days, Reason> {
        let text = text.trim().to_lowercase();
        let unit = text.trim_start_matches(|sign: char| sign.is_ascii_digit()).trim_start();
        if unit != text && is_hours(unit) {
            Err(DeadlineReason::DeadlineInHours.into())
        } else {
            DeadlineDays::parse(&text).map(Days)
        }
    }

    fn schema() -> Value {
        DeadlineDays::schema()
    }
}

parsed_text! {
    Court => json!({ "type": "string" });
    CourtCity => json!({ "type": "string" });
    NoticeKind => json!({ "type": "string", "enum": NoticeKind::WORDS });
    DoubledParty => json!({ "type": "string", "enum": DoubledParty::WORDS });
    Rule => json!({ "type": "string", "enum": Rule::WORDS });
    Counting => json!({ "type": "string", "enum": Counting::WORDS });
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
            party_source: PartySource::Caller,
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
            DoubledParty: "party" ["fazenda"] =>
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

/// Reads a query that [`query_text`](super::count_with_calendar::query_text) wrote. Returns `None` for any other text.
pub fn query_of(text: &str, app: &App) -> Option<DeadlineQuery> {
    let parameters = form_urlencoded::parse(text.as_bytes()).into_owned().collect::<Vec<_>>();
    let mut reader = QueryReader::new(&parameters, app);
    let DeadlineParameters(query) = DeadlineParameters::read(&mut reader);
    query.filter(|_| reader.into_wrong().is_empty())
}

fn recorded(reader: &mut QueryReader<'_>, name: &'static str, day: Day) -> Option<Day> {
    day.as_recorded().map_err(|reason| reader.refuse(name, reason)).ok()
}
