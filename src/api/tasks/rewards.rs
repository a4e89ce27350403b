//! Points that users earned for completed tasks (resources 12.7).

use jiff::tz::TimeZone;
use serde_json::json;

use crate::domain::{Bilingual, Day, Reason};
use crate::http::json::answer_members::answer;
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::values::{FromText, Shown, local};
use crate::http::openapi::describe::Parameter;
use crate::http::{Call, Echo, JsonBody, Problem, Query};
use crate::records::{Type, UserId};
use crate::store::nouns::tasks::{self, Reward};

/// Explains GET /users/rewards in the API description.
pub const READING: Bilingual = (
    "De cada pessoa que fez alguma tarefa no mês: os pontos dessas tarefas e quantas são. Quem tem mais pontos vem \
     primeiro.",
    "For each user who completed a task in the month: the points of those tasks, and their number. Most points \
     first.",
);

/// Returns the points that users earned in a month (resources 12.7).
pub fn read(
    call: &Call<'_>,
    query: Query<RewardsParameters>,
    echo: Echo<'static>,
) -> Result<JsonBody<RewardsOut>, Problem> {
    let (parameters, _) = query.into_valid()?;
    let month = parameters.month_of(call.app().today());
    let (from, before) = month.moments(call.app().zone());
    let earned = tasks::rewards(call.db(), from, before)?;
    let data: Vec<EarnedOut> = earned.into_iter().map(EarnedOut::new).collect();
    Ok(JsonBody(RewardsOut::new(month, data, echo)))
}

/// The parameters of GET /users/rewards.
#[derive(Debug)]
pub struct RewardsParameters {
    month: Option<RewardMonth>,
}

impl RewardsParameters {
    /// Returns the requested month; defaults to the month of `today`.
    fn month_of(&self, today: Day) -> RewardMonth {
        self.month.unwrap_or(RewardMonth::of(today))
    }
}

impl Parameters for RewardsParameters {
    fn read(reader: &mut QueryReader<'_>) -> RewardsParameters {
        RewardsParameters { month: reader.parameter("date") }
    }

    fn parameters() -> Vec<Parameter> {
        let about = (
            "O mês, como AAAA-MM, ou um dia, do qual vale o mês; se nada é informado, o mês atual.",
            "The month, as YYYY-MM or as a day of it. Default: the current month.",
        );
        vec![Parameter::of::<RewardMonth>("date", about, "2026-12")]
    }
}

/// A month of a year.
#[derive(Clone, Copy, Debug)]
pub struct RewardMonth {
    year: i16,
    month: u8,
}

impl RewardMonth {
    fn of(day: Day) -> RewardMonth {
        RewardMonth { year: day.year(), month: day.month() }
    }

    /// Returns the first moment of the month and of the next month, in seconds since 1970.
    fn moments(self, zone: &TimeZone) -> (i64, i64) {
        let first = |year, month| Day::from_ymd(year, month, 1).map_or(i64::MAX, |day| day.begins(zone));
        let next = if self.month == 12 { (self.year + 1, 1) } else { (self.year, self.month + 1) };
        (first(self.year, self.month), first(next.0, next.1))
    }
}

impl FromText for RewardMonth {
    fn from_text(text: &str) -> Result<RewardMonth, Reason> {
        let text = text.trim();
        let first = [text, "-01"].concat();
        let day = Day::parse(if text.len() == "2026-12".len() { &first } else { text });
        day.map(RewardMonth::of).map_err(|_| Reason::NotMonthOrDay)
    }

    fn from_text_in(text: &str, zone: &TimeZone) -> Result<RewardMonth, Reason> {
        RewardMonth::from_text(&local(Type::Day, text, zone))
    }

    fn schema() -> serde_json::Value {
        json!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$" })
    }
}

answer! {
pub struct RewardsOut as "Rewards" =
    "O que cada pessoa pontuou em um mês.",
    "The points that users earned in a month.";

data: Vec<EarnedOut> =>
    "As pessoas que fizeram alguma tarefa, com mais pontos primeiro.",
    "The users who have completed a task, most points first.";
month: String [example = &"2026-12"] => "O mês.", "The month.";
#[serde(rename = "totalCount")]
total_count: usize [example = 1] => "Quantas pessoas.", "The number of users.";
query: Echo<'static> => "Os parâmetros da consulta, como chegaram.", "The query parameters as received.";
}

impl RewardsOut {
    fn new(month: RewardMonth, data: Vec<EarnedOut>, query: Echo<'static>) -> RewardsOut {
        let named = format!("{:04}-{:02}", month.year, month.month);
        RewardsOut { month: named, total_count: data.len(), data, query }
    }
}

answer! {
pub struct EarnedOut as "Reward" =
    "O que uma pessoa pontuou em um mês.",
    "The points that a user earned in a month.";

user_id: Shown<UserId> [example = 2] =>
    "Quem: um id de `users` em `GET /settings`.",
    "The user's id, from `users` in `GET /settings`.";
name: String [example = &"Ana Souza"] => "O nome dessa pessoa.", "The user's name.";
reward: u64 [example = 10] => "Os pontos.", "The points.";
tasks: u64 [example = 1] => "Quantas tarefas.", "The number of tasks.";
}

impl EarnedOut {
    fn new(earned: Reward) -> EarnedOut {
        let Reward { user, name, reward, tasks } = earned;
        EarnedOut { user_id: Shown(user), name, reward, tasks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_read_from_a_month_or_a_day() {
        let month = |text| RewardMonth::from_text(text).map(|month| (month.year, month.month));
        for text in ["2026-12", "2026-12-10", "10/12/2026", " 2026-12 ", "2026-12-10T10:00:00"] {
            assert_eq!(month(text), Ok((2026, 12)), "{text}");
        }
        for text in ["2026", "12", "12/2026", "2026-13", "2026-00", "2026-12-32", "0000-01", "dezembro"] {
            assert_eq!(month(text), Err(Reason::NotMonthOrDay), "{text}");
        }
        let moments = |text| RewardMonth::from_text(text).unwrap().moments(&TimeZone::UTC);
        assert_eq!(moments("1970-01"), (0, 31 * 86_400));
        assert_eq!(moments("1969-12"), (-31 * 86_400, 0));
        assert_eq!(moments("9999-12").1, i64::MAX);
    }
}
