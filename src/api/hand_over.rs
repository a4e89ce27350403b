//! Deactivates a person and hands the open work over to another one, as one act that can be undone (office 56).

use crate::api::changes::chosen::ChosenLinks;
use crate::api::changes::history::{Link, MemberChange, RecordChanges};
use crate::api::changes::{resource_of, table_of};
use crate::api::record::check_reference;
use crate::api::settings::change;
use crate::api::webhooks::Nothing;
use crate::domain::id::Id;
use crate::domain::{Bilingual, Invalid, Reason};
use crate::http::json::answer_members::answer;
use crate::http::json::body_members::body;
use crate::http::json::form::Fields;
use crate::http::json::input::{Edit, New, Perhaps, ensure_valid};
use crate::http::json::wire::Shown;
use crate::http::{Call, Problem, Revert, Versioned, Write};
use crate::records::{Access, Kind, List, Nouns, PersonRole, Table, User, UserId};
use crate::store::journal::{self, JournalAct, JournalEntry};
use crate::store::records::is_hidden;
use crate::store::tasks::hand_over::{self, OpenWork};
use crate::store::{Db, Tx, settings};

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
    "Reativa a pessoa e lhe devolve aquilo de que quem recebeu ainda é responsável. O que mudou de responsável ou foi \
     concluído desde então fica como está e é nomeado em `kept`. Se quem recebeu depois passou isso adiante, o 409 \
     `handed-on` diz de quem é a passagem a desfazer antes. Vale enquanto a pessoa está inativa e o histórico guarda os valores de antes \
     (`changes.values_keep_days`).",
    "Activates the user again and gives back what the other user is still responsible for. What got another responsible \
     user or was completed since stays, and is named in `kept`. If the other user handed it over later, 409 `handed-on` \
     names the user whose hand-over is undone first. This works while the user is inactive, and for as long as the history keeps the earlier \
     values (`changes.values_keep_days`).",
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
        if settings::by_id(*tx, List::Users, from.get())?.is_some_and(|user| !user.active) {
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
    _: Perhaps<Nothing>,
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

/// Newest changes of a person among which the deactivation is looked for.
const NEWEST_CHANGES: u32 = 20;

/// Deactivates user `from`. Gives the open tasks and lawsuits, of those that the caller may see, to user `to` if there is
/// one, and returns how many. Fails with 422 if `to` is not active or is `from`.
pub fn deactivate(call: &Call<'_>, from: u32, to: Option<u32>) -> Result<Write<OpenWork>, Problem> {
    let now = call.app().now();
    let nouns = call.viewer().nouns;
    if let Some(to) = to {
        ensure_may_move(call)?;
        ensure_heir(call.db(), from, to)?;
    }
    let write = set_active(call, from, false)?;
    Ok(Box::new(move |tx| {
        if to.is_some() {
            tx.note_act(JournalAct::HandOver);
        }
        write(tx)?;
        let Some(to) = to else { return Ok(OpenWork::default()) };
        ensure_heir(*tx, from, to)?;
        Ok(hand_over::all(tx, nouns, from, to, now)?)
    }))
}

fn ensure_heir(db: Db<'_>, from: u32, to: u32) -> Result<(), Problem> {
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

/// A record that goes back.
struct Handed {
    table: &'static Table,
    id: u32,
    /// The people responsible for it without the hand-over.
    responsible: Vec<Link>,
}

/// The work that was handed over when a person was deactivated, of what the caller may see.
pub struct HandOver {
    from: u32,
    /// The person who got it.
    pub to: u32,
    /// `true` if that person handed some of it over later, which is undone first.
    pub is_handed_on: bool,
    back: Vec<Handed>,
    /// What was changed or completed since, and stays.
    pub kept: Vec<(&'static Table, u32)>,
}

impl HandOver {
    /// Finds the work that user `from` handed over. `None` if the person is active, or handed nothing over.
    pub fn find(db: Db<'_>, from: u32, nouns: Nouns) -> Result<Option<HandOver>, Problem> {
        if settings::by_id(db, List::Users, from)?.is_none_or(|user| user.active) {
            return Ok(None);
        }
        let seen = db.seen_by(nouns);
        let newest = journal::newest_of(db, List::Users.table().name, from, NEWEST_CHANGES)?;
        let is_end = |entry: &JournalEntry| entry.changed.iter().any(|column| column == "active");
        let Some(first) = newest.into_iter().find(is_end) else { return Ok(None) };
        let entries = journal::of_write(db, first)?;
        let is_heir = |entry: &&JournalEntry| entry.kind == List::Users.table().name && entry.id != from;
        let Some(to) = entries.iter().find(is_heir).map(|entry| entry.id) else { return Ok(None) };
        let mut handed = HandOver { from, to, is_handed_on: false, back: Vec::new(), kept: Vec::new() };
        for entry in entries {
            let table = table_of(&entry.kind).filter(|table| nouns.has(table.kind) && entry.before.is_some());
            if let Some(table) = table.filter(|table| [Kind::Task, Kind::Lawsuit].contains(&table.kind))
                && !is_hidden(seen, table, entry.id)?
            {
                handed.add(db, table, &entry)?;
            }
        }
        Ok(Some(handed).filter(|handed| !handed.back.is_empty() || !handed.kept.is_empty()))
    }

    /// Adds a record of the write that handed the work over, if it took the record from the person.
    fn add(&mut self, db: Db<'_>, table: &'static Table, entry: &JournalEntry) -> Result<(), Problem> {
        let id = entry.id;
        let field = table.stored().find(|field| field.role == Some(PersonRole::Responsible));
        let (Some(field), Some(changes)) = (field, RecordChanges::read(db, table, id)?) else {
            return Ok(());
        };
        let moved = (entry.seq, self.from);
        let chosen =
            ChosenLinks::replay(db, List::Users.table(), moved, &changes.of(field), MemberChange::links)?;
        let Some(chosen) = chosen else { return Ok(()) };
        let is_done = table.kind == Kind::Task && hand_over::is_done(db, id, self.to)?;
        match chosen.without(self.from) {
            Some(_) if chosen.shown_for(self.from) != self.to => self.is_handed_on = true,
            Some(responsible) if !is_done => {
                self.back.push(Handed { table, id, responsible });
                return Ok(());
            }
            _ => {}
        }
        self.kept.push((table, id));
        Ok(())
    }

    /// Counts the tasks and the lawsuits that would go back.
    pub fn going_back(&self) -> OpenWork {
        let of = |kind: Kind| self.back.iter().filter(|one| one.table.kind == kind).count() as u64;
        OpenWork { tasks: of(Kind::Task), lawsuits: of(Kind::Lawsuit) }
    }

    fn write(&self, tx: Tx<'_>, now: i64) -> Result<(), Problem> {
        for Handed { table, id, responsible } in &self.back {
            match table.kind {
                Kind::Task => {
                    let guests = responsible.iter().map(|link| link.id).collect::<Vec<_>>();
                    let stays = responsible.iter().find(|link| link.id == self.to);
                    let done_at = stays.and_then(|link| link.done_at);
                    hand_over::task_back(tx, *id, &guests, (self.to, done_at), now)?;
                }
                _ => hand_over::lawsuit(tx, *id, self.to, self.from, now)?,
            }
        }
        Ok(())
    }
}
