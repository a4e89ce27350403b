//! Points that users earned for completed tasks (resources 12.7).

use crate::domain::{Bilingual, Day, YearMonth};
use crate::http::json::answer_members::answer;
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::values::Shown;
use crate::http::openapi::describe::Parameter;
use crate::http::{Call, Echo, JsonBody, Problem, Query};
use crate::records::UserId;
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
    let month = parameters.month.unwrap_or_else(|| YearMonth::of(call.app().today()));
    let zone = call.app().zone();
    let from = month.first_day().begins(zone);
    let next = Day::from_number(month.last_day().number() + 1);
    let before = next.map_or(i64::MAX, |day| day.begins(zone));
    let earned = tasks::rewards(call.db(), from, before)?;
    let data: Vec<EarnedOut> = earned.into_iter().map(EarnedOut::new).collect();
    Ok(JsonBody(RewardsOut::new(month, data, echo)))
}

/// The parameters of GET /users/rewards.
#[derive(Debug)]
pub struct RewardsParameters {
    month: Option<YearMonth>,
}

impl Parameters for RewardsParameters {
    fn read(reader: &mut QueryReader<'_>) -> RewardsParameters {
        RewardsParameters { month: reader.parameter("date") }
    }

    fn parameters() -> Vec<Parameter> {
        let about = (
            "O mês, como AAAA-MM ou MM/AAAA, ou um dia, do qual vale o mês; se nada é informado, o mês atual.",
            "The month, as YYYY-MM or MM/YYYY, or a day of it. Default: the current month.",
        );
        vec![Parameter::of::<YearMonth>("date", about, "2026-12")]
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
    fn new(month: YearMonth, data: Vec<EarnedOut>, query: Echo<'static>) -> RewardsOut {
        RewardsOut { month: month.iso(), total_count: data.len(), data, query }
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
