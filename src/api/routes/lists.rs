//! The routes of the reference lists (contract 6).

use crate::api::{hand_over, lists};
use crate::http::{RouteHandler, post, put};
use crate::records::{
    Access, Bank, Category, CostCenter, Department, Group, LawsuitType, Origin, Record, Stage, Step,
    TaskType, User,
};

/// Returns two routes for each list, which add and change an entry. Takes the list's path, the type of its entries,
/// the handler of changes and the objects of the two titles.
macro_rules! routes {
    ($($path:literal $entry:ident $change:path: $new_pt:literal / $new:literal, $pt:literal / $en:literal;)+) => {
        vec![$(
            post(
                concat!("/settings/", $path),
                concat!("create", stringify!($entry)),
                Access::Manage($entry::KIND),
                (concat!("Incluir ", $new_pt), concat!("Add ", $new)),
                lists::create::<$entry>,
            ),
            put(
                concat!("/settings/", $path, "/{id}"),
                concat!("update", stringify!($entry)),
                Access::Manage($entry::KIND),
                (concat!("Alterar ", $pt), concat!("Change ", $en)),
                $change,
            ),
        )+]
    };
}

/// Returns the routes that add and change list entries. Entries are read by `GET /settings`.
pub fn routes() -> Vec<RouteHandler> {
    let hand_over = [
        post(
            "/settings/users/{id}/hand_over",
            "handOver",
            Access::Manage(User::KIND),
            (
                "Desativar uma pessoa e passar o que ela tem em aberto",
                "Deactivate a user and hand the open work over",
            ),
            hand_over::hand_over,
        )
        .explained(hand_over::HANDING_OVER),
        post(
            "/settings/users/{id}/hand_over/undo",
            "undoHandOver",
            Access::Manage(User::KIND),
            ("Desfazer a passagem de uma pessoa", "Undo the hand-over of a user"),
            hand_over::undo_hand_over,
        )
        .explained(hand_over::UNDOING),
    ];
    let mut all = routes! {
        "users" User hand_over::change_user: "uma pessoa na equipe" / "a user", "uma pessoa da equipe" / "a user";
        "origins" Origin lists::change::<Origin>: "uma origem de clientes" / "an origin of customers", "uma origem" / "an origin";
        "groups" Group lists::change::<Group>: "um grupo de tipos de processo" / "a group of lawsuit types", "um grupo" / "a group";
        "type_lawsuits" LawsuitType lists::change::<LawsuitType>: "um tipo de processo" / "a lawsuit type", "um tipo de processo" / "a lawsuit type";
        "steps" Step lists::change::<Step>: "uma etapa" / "a step", "uma etapa" / "a step";
        "stages" Stage lists::change::<Stage>: "uma fase" / "a stage", "uma fase" / "a stage";
        "tasks" TaskType lists::change::<TaskType>: "um tipo de tarefa" / "a task type", "um tipo de tarefa" / "a task type";
        "banks" Bank lists::change::<Bank>: "uma conta" / "an account", "uma conta" / "an account";
        "categories" Category lists::change::<Category>: "uma categoria" / "a category", "uma categoria" / "a category";
        "cost_centers" CostCenter lists::change::<CostCenter>: "um centro de custo" / "a cost center", "um centro de custo" / "a cost center";
        "departments" Department lists::change::<Department>: "um setor" / "a department", "um setor" / "a department";
    };
    all.extend(hand_over);
    all
}
