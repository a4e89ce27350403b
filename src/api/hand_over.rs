//! Deactivates a person and hands the open work over to another one, as one act that can be undone (office 56).

pub mod past_hand_over;

pub use past_hand_over::HandOver;

use crate::api::changes::resource_of;
use crate::api::lists::{EntryWrittenOut, StandingHandOverOut, change};
use crate::api::record::check_reference;
use crate::api::webhooks::Nothing;
use crate::domain::id::Id;
use crate::domain::{Bilingual, Invalid, Reason};
use crate::http::json::answer_members::answer;
use crate::http::json::body_members::body;
use crate::http::json::form::Fields;
use crate::http::json::request_body::{Edit, New, OptionalBody, ensure_valid};
use crate::http::json::values::Shown;
use crate::http::{Call, Draft, Problem, Revert, Update, Versioned, Write};
use crate::records::{Access, AnyEntry, Kind, List, User, UserId};
use crate::store::journal::JournalAct;
use crate::store::nouns::tasks::hand_over::{self, OpenWork};
use crate::store::{Db, lists};

/// Explains POST /settings/users/{id}/hand_over in the API description.
pub const HANDING_OVER: Bilingual = (
    "Desativa a pessoa e passa a `to` as tarefas que ela ainda tem de fazer e os processos em andamento, em uma só gravação. O \
     que já foi concluído ou encerrado continua com ela. É preciso poder alterar tarefas e processos; os de um tipo que a \
     chave não vê ficam como estão. `POST /settings/users/{id}/hand_over/undo` desfaz tudo.",
    "Deactivates the user and gives the open tasks and open lawsuits to `to`, in one write. Completed tasks and closed \
     lawsuits stay. The key must be allowed to change tasks and lawsuits; those of a kind that it may not see stay as they \
     are. `POST /settings/users/{id}/hand_over/undo` undoes everything.",
);

/// Explains POST /settings/users/{id}/hand_over/undo in the API description.
pub const UNDOING: Bilingual = (
    "Reativa a pessoa e lhe devolve aquilo de que quem recebeu ainda é responsável. De várias passagens da mesma pessoa, desfaz-se \
     primeiro a última. O que mudou de responsável ou foi \
     concluído desde então fica como está e é nomeado em `kept`. Se quem recebeu depois passou isso adiante, o 409 \
     `handed-on` diz de quem é a passagem a desfazer antes. Vale também para quem só foi reativado, enquanto algo voltaria e o histórico guarda os valores de antes \
     (`changes.values_keep_days`).",
    "Activates the user again and gives back what the other user is still responsible for. Of several hand-overs of the user, \
     the newest one is undone first. What got another responsible \
     user or was completed since stays, and is named in `kept`. If the other user handed it over later, 409 `handed-on` \
     names the user whose hand-over is undone first. This also works for a user who was only activated, as long as something would go back and the history keeps the \
     earlier values (`changes.values_keep_days`).",
);

body! {
/// The body of POST /settings/users/{id}/hand_over.
#[derive(Debug)]
pub struct HandingOver = "HandOver", "Quem recebe o que a pessoa tem em aberto.",
    "The user who gets the open work of another one.";

to: UserId = Required "to" => "O id de quem recebe, uma pessoa ativa.", "The id of the active user who gets the open work.", 2;
}

answer! {
pub struct HandedOverOut as "HandedOver" = "O que foi passado.", "What was handed over.";

success: bool [example = true] => "Sempre true.", "Always true.";
id: Shown<UserId> [example = 1] => "A pessoa, agora inativa.", "The user, who is inactive now.";
tasks: u64 [example = 7] => "Quantas tarefas foram passadas.", "Number of tasks that were handed over.";
lawsuits: u64 [example = 63] => "Quantos processos foram passados.", "Number of lawsuits that were handed over.";
}

answer! {
pub struct HandOverUndoneOut as "HandOverUndone" = "Uma passagem desfeita.", "A hand-over that was undone.";

success: bool [example = true] => "Sempre true.", "Always true.";
id: Shown<UserId> [example = 1] => "A pessoa, de novo ativa.", "The user, who is active again.";
tasks: u64 [example = 6] => "Quantas tarefas voltaram.", "Number of tasks that went back.";
lawsuits: u64 [example = 63] => "Quantos processos voltaram.", "Number of lawsuits that went back.";
kept: Vec<KeptWorkOut> => "O que mudou de responsável ou foi concluído desde então e fica como está.", "What got another responsible user or was completed since, and stays.";
}

answer! {
pub struct KeptWorkOut as "HandOverKept" = "Um registro que fica com quem o recebeu.", "A record that stays with who got it.";

resource: String [example = &"posts"] => "O recurso.", "The resource.";
id: u32 [range(min = 1), example = 5] => "O id.", "The record's id.";
}

impl Versioned for HandedOverOut {}

impl Versioned for HandOverUndoneOut {}

/// Changes a user. The answer to one that activates the user names the hand-over that can be undone.
pub fn change_user(
    call: &Call<'_>,
    id: Id<AnyEntry>,
    body: Edit<Draft<User>>,
) -> Result<Update<EntryWrittenOut>, Problem> {
    let nouns = call.viewer().nouns;
    let write = change::<User>(call, id, body)?.map(|written| written);
    let is_active = move |db: Db<'_>| {
        let user = lists::by_id(db, List::Users, id.get())?;
        Ok::<_, Problem>(user.is_some_and(|user| user.active))
    };
    Ok(Update::new(move |tx| {
        let was_active = is_active(*tx)?;
        let mut written = write(tx)?;
        if !was_active && is_active(*tx)? {
            let handed = HandOver::find(*tx, id.get(), nouns)?;
            written.hand_over = handed
                .map(|handed| StandingHandOverOut::new(Id::from_stored(handed.to), handed.going_back()));
        }
        Ok(written)
    }))
}

/// Deactivates a user and hands the open work over to another one. Fails with 409 if the user is not active.
pub fn hand_over(
    call: &Call<'_>,
    from: UserId,
    New { body, wrong }: New<HandingOver>,
) -> Result<Revert<HandedOverOut>, Problem> {
    ensure_valid(wrong)?;
    let to = body.to.into_value().ok_or_else(|| Problem::from(Invalid::one("to", Reason::Required)))?;
    let write = deactivate(call, from.get(), Some(to.get()))?;
    Ok(Revert::new(move |tx| {
        if lists::by_id(*tx, List::Users, from.get())?.is_some_and(|user| !user.active) {
            return Err(Problem::already_inactive());
        }
        let OpenWork { tasks, lawsuits } = write(tx)?;
        Ok(HandedOverOut { success: true, id: Shown(from), tasks, lawsuits })
    }))
}

/// Undoes the hand-over of a user. Fails with 409 if there is none, or if it was handed on.
pub fn undo_hand_over(
    call: &Call<'_>,
    from: UserId,
    _: OptionalBody<Nothing>,
) -> Result<Revert<HandOverUndoneOut>, Problem> {
    let write = undo(call, from.get())?;
    Ok(Revert::new(move |tx| {
        let handed = write(tx)?;
        let OpenWork { tasks, lawsuits } = handed.going_back();
        let kept =
            handed.kept.iter().map(|(table, id)| KeptWorkOut { resource: resource_of(table), id: *id });
        Ok(HandOverUndoneOut { success: true, id: Shown(from), tasks, lawsuits, kept: kept.collect() })
    }))
}

/// Deactivates user `from`. Gives the open tasks and lawsuits, of those that the caller may see, to user `to` if there is
/// one, and returns how many. Fails with 422 if `to` is not active or is `from`.
pub fn deactivate(call: &Call<'_>, from: u32, to: Option<u32>) -> Result<Write<OpenWork>, Problem> {
    let now = call.app().now();
    let nouns = call.viewer().nouns;
    if let Some(to) = to {
        ensure_may_move(call)?;
        ensure_recipient(call.db(), from, to)?;
    }
    let write = set_active(call, from, false)?;
    Ok(Box::new(move |tx| {
        if to.is_some() {
            tx.note_act(JournalAct::HandOver);
        }
        write(tx)?;
        let Some(to) = to else { return Ok(OpenWork::default()) };
        ensure_recipient(*tx, from, to)?;
        Ok(hand_over::all(tx, nouns, from, to, now)?)
    }))
}

fn ensure_recipient(db: Db<'_>, from: u32, to: u32) -> Result<(), Problem> {
    let mut wrong = Invalid::new();
    match to == from {
        true => wrong.add("to", Reason::SameUser),
        false => check_reference(db, &mut wrong, "to", List::Users, Some(to), None)?,
    }
    ensure_valid(wrong)
}

/// Activates user `from` again and gives back what is still with the person who got it. Fails with 409 if nothing was
/// handed over, or if it was handed on.
pub fn undo(call: &Call<'_>, from: u32) -> Result<Write<HandOver>, Problem> {
    let write = set_active(call, from, true)?;
    let now = call.app().now();
    let nouns = call.viewer().nouns;
    ensure_may_move(call)?;
    Ok(Box::new(move |tx| {
        let handed = HandOver::find(*tx, from, nouns)?.ok_or_else(Problem::not_handed_over)?;
        if handed.is_handed_on {
            return Err(Problem::handed_on(handed.to));
        }
        tx.note_act(JournalAct::HandOverUndone);
        // The entry of the person ends the hand-over in the journal.
        if lists::by_id(*tx, List::Users, from)?.is_some_and(|user| user.active) {
            hand_over::note_user(tx, from)?;
        }
        write(tx)?;
        handed.write(tx, now)?;
        Ok(handed)
    }))
}

fn set_active(call: &Call<'_>, user: u32, is_active: bool) -> Result<Write<()>, Problem> {
    let fields: &Fields = &[("active", is_active.to_string())];
    let changed = change::<User>(call, Id::from_stored(user), Edit::typed(fields, call.app().zone()))?;
    Ok(changed.map(|_| ()))
}

fn ensure_may_move(call: &Call<'_>) -> Result<(), Problem> {
    let rights = call.caller().rights;
    let kinds = [Kind::Task, Kind::Lawsuit].into_iter().filter(|kind| rights.nouns.has(*kind));
    match kinds.map(Access::Write).find(|access| !rights.allow(*access)) {
        Some(access) => Err(Problem::not_allowed(access)),
        None => Ok(()),
    }
}
