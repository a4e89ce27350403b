//! Wire types of GET /conflicts (events 23.3).

use super::search::Conflict;
use crate::domain::{Score, TaxId};
use crate::http::json::answer_members::answer;
use crate::http::json::values::Shown;
use crate::store::conflicts::SidedCase;

answer! {
pub struct ConflictOut as "Conflict" =
    "Uma pessoa ou empresa que está do outro lado.",
    "A person or company on the other side.";

lawsuit_id: Option<u32> [range(min = 1), example = 5] =>
    "O processo; null para um cliente sem processo.",
    "The lawsuit. Null for a customer without lawsuits.";
process_number: Option<String> [example = &"0001234-03.2026.8.26.0100"] =>
    "O número do processo no tribunal.",
    "The lawsuit's process number at the court.";
stage: Option<String> [example = &"Réplica"] => "A fase do processo.", "The lawsuit's stage.";
responsible: Option<String> [example = &"Ana Souza"] => "O responsável.", "The responsible user's name.";
status_closure: Option<String> [example = &"2026-12-10"] =>
    "O dia do encerramento; null se está em andamento.",
    "The day on which the lawsuit was closed. Null if it is open.";
side: &'static str [example = &"opposing"] =>
    "De que lado a pessoa foi encontrada: `opposing` (parte contrária) ou `customer` (cliente).",
    "The side on which the person was found: `opposing` or `customer`.";
name: String [example = &"Banco Exemplo S.A."] => "O nome, como está lá.",
    "The name, as the lawsuit or customer has it.";
identification: Option<String> [example = &"11.222.333/0001-81"] =>
    "O CPF ou CNPJ, como está lá, com pontuação.",
    "The CPF or CNPJ, as the lawsuit or customer has it, punctuated.";
customer_id: Option<u32> [range(min = 1), example = 18] =>
    "O cliente que a pessoa é.",
    "The id of the customer, if the person is a customer.";
#[serde(rename = "match")]
matched_by: &'static str [example = &"identification"] =>
    "O sinal mais forte: `customer` (o mesmo cadastro), `identification` (o mesmo CPF ou CNPJ), `cnpj_root` (outro \
     estabelecimento da mesma empresa) ou `name` (só o nome).",
    "The strongest match: `customer` (the same record), `identification` (the same CPF or CNPJ), `cnpj_root` \
     (a branch of the same company) or `name` (the name only).";
score: Shown<Score> [range(min = 0.5, max = 1.0), example = 1.0] =>
    "A semelhança dos nomes, com duas casas; 1.00 para os demais sinais.",
    "The similarity of the names, with two decimals. 1.00 unless `match` is `name`.";
}

impl ConflictOut {
    pub(super) fn new(conflict: &Conflict, case: Option<&SidedCase>) -> ConflictOut {
        ConflictOut {
            lawsuit_id: conflict.lawsuit,
            process_number: case.and_then(|case| case.process_number.clone()),
            stage: case.map(|case| case.stage.clone()),
            responsible: case.map(|case| case.responsible.clone()),
            status_closure: case.and_then(|case| case.status_closure.clone()),
            side: conflict.side.as_str(),
            name: conflict.name.clone(),
            identification: conflict.identification.as_ref().map(|number| TaxId::as_str(number).to_owned()),
            customer_id: conflict.customer,
            matched_by: conflict.by.as_str(),
            score: Shown(conflict.score),
        }
    }
}

answer! {
pub struct ConflictsOut as "ConflictCheck" =
    "O resultado de uma verificação de conflito de interesses.",
    "The result of a check for conflicts of interest.";

pub(super) conflict: &'static str [example = &"certain"] =>
    "`certain` (certo), `possible` (possível) ou `none` (nenhum).",
    "`certain`, `possible` or `none`.";
pub(super) complete: bool [example = true] =>
    "False se há processos que quem pergunta não pode ver: a verificação não foi sobre tudo.",
    "False if the check did not cover everything, because lawsuits are hidden from the caller.";
pub(super) checked_at: String [example = &"2026-11-21 11:20:00"] =>
    "Quando, no fuso do escritório.",
    "Time of the check, in the office's time zone.";
pub(super) seq: u64 [example = 4715] =>
    "O número da alteração mais nova em que se procurou.",
    "The number of the newest change that the check took into account.";
pub(super) searched: u64 [example = 845] =>
    "Em quantos clientes e processos se procurou.",
    "The number of customers and lawsuits that were searched.";
}
