//! Lawsuits (contract 5).

mod name;
mod parties;
mod wire;

use schemars::{Schema, SchemaGenerator};

use super::conflicts::warn::ConflictWarner;
use super::console_pages::{
    self, Action, Button, Column, InPages, Presentation, Preset, Pressed, Stage, Status, View,
};
use super::record::{
    Changeable, MadeOut, WrittenOut, check_reference, edit, new_record, refuse_taken_external_id, update_then,
};
use crate::domain::id::Id;
use crate::domain::{Bilingual, Day, Invalid, OpposingParties, Reason};
use crate::http::json::possible_conflicts::PossibleConflicts;
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::requests::route::MaxPageSize;
use crate::http::{Call, Create, Draft, IfMatch, InAnswers, OwnMembers, Problem, Update, Write};
use crate::records::{FieldType, Lawsuit, LawsuitId, Value};
use crate::store::lists::{self, List};
use crate::store::nouns::lawsuits;
use crate::store::records::Row;
use crate::store::{self, Db, Tx, records};

pub use name::case_name;
use wire::{CustomerOfLawsuit, OpposingPartyOut};

/// Maximum number of lawsuits in `possible_duplicates` (contract 5.3).
const DUPLICATES: u32 = 10;

/// Maximum page sizes of lawsuit lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 100, live: 1000 };

/// Explains GET /lawsuits in the API description.
pub const SEARCHING: Bilingual = (
    "Sem filtros: todos. A página traz os registros inteiros.",
    "Without filters, all lawsuits. A page contains the whole records.",
);

/// Explains POST /lawsuits in the API description.
pub const CREATING: Bilingual = (
    "Os ids de pessoa, fase e tipo vêm de `GET /settings`; os clientes são cadastrados antes. Grupo e etapa seguem \
     do tipo e da fase. Processos podem ter o mesmo número, como recursos e incidentes: são cadastrados, e \
     `possible_duplicates` indica os outros.",
    "The ids of user, stage and type come from `GET /settings`. Create the customers first. Group and step \
     follow from type and stage. Lawsuits may share a process number, as appeals and incidents do. They are \
     created, and `possible_duplicates` lists the others.",
);

impl Changeable for Lawsuit {
    type Changed = WrittenOut<Lawsuit>;

    fn changed(_: Db<'_>, id: LawsuitId) -> Result<WrittenOut<Lawsuit>, Problem> {
        Ok(id.into())
    }

    fn warning(changed: WrittenOut<Lawsuit>) -> PossibleConflicts {
        changed.possible_conflicts
    }
}

impl InPages for Lawsuit {
    type Made = MadeOut<Lawsuit>;
    const PRESENTATION: Presentation = Presentation {
        new: ("Novo processo", "New lawsuit"),
        duplicates: (
            "Já há processo com este número; confira se não é o mesmo:",
            "There are others with this number. Check that this is not the same lawsuit:",
        ),
        placeholder: ("Número, nome do cliente ou pasta", "Number, customer's name or folder"),
        meanings,
        heading: |lawsuit, _| case_name(lawsuit),
        columns: &[
            Column::Called("name", ("Processo", "Case"), |lawsuit, _| case_name(lawsuit)),
            Column::As("process_number", |lawsuit, lang| {
                match (lawsuit.text("process_number"), lawsuit.text("folder")) {
                    ("", "") => lang.pick("sem número", "no number").to_owned(),
                    ("", folder) => format!("{} · {folder}", lang.pick("sem número", "no number")),
                    (number, _) => number.to_owned(),
                }
            }),
            Column::Status(status),
            Column::Of("stage"),
            Column::Of("responsible"),
            Column::Called("last_movement", ("Último andamento", "Last movement"), |lawsuit, lang| {
                lawsuit.day("last_movement", lang)
            }),
            Column::Of("process_date"),
        ],
    };

    const IDLE: Option<&'static str> = Some("last_movement");
    const PRESET: Option<Preset> = Some(Preset {
        parameter: "open",
        value: "",
        everything: "",
        choices: &[
            ("", ("Todos", "All")),
            ("true", ("Em andamento", "Open")),
            ("false", ("Encerrados", "Closed")),
        ],
        none_left: ("Ainda não há processos.", "There are no lawsuits yet."),
    });
    const ACTIONS: &'static [Action] = &[
        Action {
            name: "close",
            done: ("Processo encerrado hoje.", "Lawsuit closed today."),
            many: ("Encerrar", "Close"),
            many_done: ("encerrados", "closed"),
        },
        Action {
            name: "reopen",
            done: ("Processo reaberto.", "Lawsuit reopened."),
            many: ("Reabrir", "Reopen"),
            many_done: ("reabertos", "reopened"),
        },
    ];

    fn buttons(lawsuit: &View, _: Day) -> Vec<Button> {
        let close = Button { action: "close", who: None, label: ("Encerrar", "Close") };
        let reopen = Button { action: "reopen", who: None, label: ("Reabrir", "Reopen") };
        vec![if is_closed(lawsuit) { reopen } else { close }]
    }

    fn act(call: &Call<'_>, id: LawsuitId, Pressed { action, .. }: &Pressed) -> Result<Write<()>, Problem> {
        let closed = match action.as_str() {
            "close" => call.app().today().iso(),
            "reopen" => String::new(),
            _ => return Err(Problem::no_route()),
        };
        console_pages::change(call, id, &[("status_closure", closed)], IfMatch::default())
    }

    /// Creates a lawsuit (contract 5.3).
    fn create(call: &Call<'_>, new: New<Draft<Lawsuit>>) -> Result<Create<MadeOut<Lawsuit>>, Problem> {
        let New { body, mut wrong } = new;
        parties::check(call.db(), &body, None, &mut wrong)?;
        let mut lawsuit = new_record(call, New { body, wrong })?;
        let now = call.app().now();
        let warner = ConflictWarner::new(call);
        Ok(Create::new(move |tx| {
            parties::settle(*tx, &mut lawsuit, None)?;
            refuse_taken_external_id(*tx, &lawsuit, None)?;
            let number = lawsuit.process_number.as_ref();
            let others = number
                .map(|number| lawsuits::of_number(*tx, number, DUPLICATES))
                .transpose()?
                .unwrap_or_default();
            let possible_duplicates = others.into_iter().map(Id::get).collect();
            let possible_conflicts = warner.of_lawsuit(*tx, &lawsuit, None)?;
            Ok(MadeOut { id: records::insert(tx, &lawsuit, now)?, possible_duplicates, possible_conflicts })
        }))
    }

    /// Changes some members of a lawsuit (contract 5.4).
    fn change(
        call: &Call<'_>,
        id: LawsuitId,
        body: Edit<Draft<Lawsuit>>,
        if_match: IfMatch,
    ) -> Result<Update<WrittenOut<Lawsuit>>, Problem> {
        let (mut draft, standing, mut wrong) = edit(call, id, body)?;
        check_step(call.db(), &draft, &standing, &mut wrong)?;
        parties::check(call.db(), &draft, Some(&standing), &mut wrong)?;
        ensure_valid(wrong)?;
        let warner = ConflictWarner::new(call);
        let change = move |tx: Tx<'_>, standing: &Lawsuit| {
            move_to_step(tx, &mut draft, standing)?;
            let mut changed = draft.change(standing)?;
            parties::settle(*tx, &mut changed, Some(standing))?;
            Ok(changed)
        };
        Ok(update_then(call, id, if_match, change, move |db, lawsuit, before| {
            Ok(WrittenOut { id, possible_conflicts: warner.of_lawsuit(db, lawsuit, Some(before))? })
        }))
    }
}

fn is_closed(lawsuit: &View) -> bool {
    lawsuit.value("status_closure").day().is_some()
}

fn status(lawsuit: &View, _: Day) -> Status {
    match is_closed(lawsuit) {
        true => Status { word: ("Encerrado", "Closed"), stage: Stage::Done },
        false => Status { word: ("Em andamento", "Open"), stage: Stage::Open },
    }
}

/// Guesses the members that a search text is meant for, likeliest first. Digits mean a process number first.
fn meanings(text: &str) -> Vec<&'static str> {
    let is_number = text.chars().any(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " .-/".contains(c));
    match is_number {
        true => vec!["process_number", "protocol_number", "identification", "name"],
        false => vec!["name", "protocol_number"],
    }
}

/// Checks the step. With a stage in the draft, the step must be that of the stage. Without a stage, the step must be
/// the lawsuit's current one, or have an active stage to move to.
fn check_step(
    db: Db<'_>,
    draft: &Draft<Lawsuit>,
    standing: &Lawsuit,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    let id_of = |name| draft.get(name).and_then(Value::id);
    let Some(step) = id_of("steps_id") else { return Ok(()) };
    let own = step_of(db, standing.stage_id.get())?;
    check_reference(db, wrong, "steps_id", List::Steps, Some(step), own)?;
    match id_of("stages_id") {
        Some(stage) if step_of(db, stage)? != Some(step) => {
            wrong.add("steps_id", Reason::NotStepOfStage);
        }
        None if own != Some(step) && lists::first_of(db, List::Stages, step)?.is_none() => {
            wrong.add("steps_id", Reason::NoActiveStage);
        }
        _ => {}
    }
    Ok(())
}

/// Moves a lawsuit to the first active stage of the requested step, unless its stage belongs to that step.
fn move_to_step(tx: Tx<'_>, draft: &mut Draft<Lawsuit>, standing: &Lawsuit) -> Result<(), Problem> {
    let Some(step) = draft.get("steps_id").and_then(Value::id) else { return Ok(()) };
    let stage = draft.get("stages_id").and_then(Value::id).unwrap_or(standing.stage_id.get());
    if step_of(*tx, stage)? != Some(step) {
        let first = lists::first_of(*tx, List::Stages, step)?.ok_or_else(Problem::changed_meanwhile)?;
        draft.set("stage_id", Value::Integer(first.into()));
    }
    Ok(())
}

fn step_of(db: Db<'_>, stage: u32) -> Result<Option<u32>, store::Error> {
    Ok(lists::by_id(db, List::Stages, stage)?.and_then(|entry| entry.parent))
}

impl InAnswers for Lawsuit {
    fn own(db: Db<'_>, row: &Row<'_>, members: &mut OwnMembers<'_>) -> Result<(), store::Error> {
        let customers = lawsuits::customers(db, row.id()?)?;
        let names = customers.iter().map(|customer| customer.name.as_str()).collect::<Vec<_>>();
        members.add(&names.join(" · "));
        members.add(&customers.iter().map(CustomerOfLawsuit::new).collect::<Vec<_>>());
        let parties = OpposingParties::from_value(row.value(parties::field_index())?).unwrap_or_default();
        members.add(&OpposingPartyOut::all(&parties, &customers));
        Ok(())
    }

    fn own_schema(member: &str, generator: &mut SchemaGenerator) -> Schema {
        match member {
            "name" => generator.subschema_for::<String>(),
            "opposing_parties" => generator.subschema_for::<Vec<OpposingPartyOut<'_>>>(),
            _ => generator.subschema_for::<Vec<CustomerOfLawsuit<'_>>>(),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_number_is_first_searched_as_a_process_number() {
        let first = |text: &str| super::meanings(text).first().copied();
        assert_eq!(first("0000002-65.2005"), Some("process_number"));
        assert_eq!(first("7"), Some("process_number"));
        assert_eq!(first("A-12"), Some("name"));
        assert_eq!(first("silva"), Some("name"));
    }
}
