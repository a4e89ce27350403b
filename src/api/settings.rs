//! The reference lists: contract 6. Six lists of the same shape, each with its own names on the wire.

mod wire;

use super::form::check_reference;
use crate::domain::id::{Noun, of};
use crate::domain::{Email, EntryId, GroupId, Invalid, Name, Phone, Reason, StepId};
use crate::http::input::{Edit, Member, Members, Need, New, PathId, Purpose, ensure_valid};
use crate::http::record::MISSING_AFTER_VALIDATION;
use crate::http::typed::{self, FormReader};
use crate::http::wire::{Position, Shown};
use crate::http::{Call, Create, Document, Problem, Update, Write};
use crate::records::{FieldType, Input};
use crate::store::settings::{self, Entry, Fields, List};
use crate::store::{Db, Tx};

use wire::{
    EntryWrittenOut, FinancialOut, GroupOut, OriginOut, SettingsOut, StageOut, StepOut, TypeOut, UserOut,
};
pub use wire::{GroupIn, LawsuitTypeIn, OriginIn, StageIn, StepIn, UserIn};

/// All lists: contract 6.
pub fn read(call: &Call<'_>) -> Result<Document<SettingsOut>, Problem> {
    call.db().snapshot(|db| {
        let [users, origins, groups, types, steps, stages] =
            [List::Users, List::Origins, List::Groups, List::Types, List::Steps, List::Stages]
                .map(|list| settings::all(db, list));
        let (groups, steps) = (groups?, steps?);
        let types = active(types?)
            .map(|entry| TypeOut {
                id: entry_id(entry.id),
                group: name_of(&groups, entry.parent),
                group_id: entry_id(entry.parent.unwrap_or_default()),
                r#type: Shown(entry.name),
            })
            .collect::<Vec<_>>();
        let stages = active(stages?)
            .map(|entry| StageOut {
                id: entry_id(entry.id),
                step: name_of(&steps, entry.parent),
                steps_id: entry_id(entry.parent.unwrap_or_default()),
                stage: Shown(entry.name),
            })
            .collect();
        Ok(Document(SettingsOut {
            users: active(users?)
                .map(|entry| UserOut {
                    id: entry_id(entry.id),
                    name: Shown(entry.name),
                    email: entry.email.map(Shown),
                    cellphone: entry.cellphone.map(Shown),
                })
                .collect(),
            origins: active(origins?)
                .map(|entry| OriginOut { id: entry_id(entry.id), origin: Shown(entry.name) })
                .collect(),
            groups: active(groups)
                .map(|entry| GroupOut { id: entry_id(entry.id), group: Shown(entry.name) })
                .collect(),
            lawsuit_types: types.clone(),
            type_lawsuits: types,
            steps: active(steps)
                .map(|entry| StepOut { id: entry_id(entry.id), step: Shown(entry.name) })
                .collect(),
            stages,
            tasks: [],
            financial: FinancialOut::default(),
        }))
    })
}

fn entry_id(id: u32) -> Shown<EntryId> {
    Shown(EntryId::from_stored(id))
}

fn active(entries: Vec<Entry>) -> impl Iterator<Item = Entry> {
    entries.into_iter().filter(|entry| entry.active)
}

fn name_of(entries: &[Entry], id: Option<u32>) -> String {
    let entry = entries.iter().find(|entry| Some(entry.id) == id);
    entry.map(|entry| entry.name.as_str().to_owned()).unwrap_or_default()
}

/// The body of an entry of one of the lists.
pub trait EntryIn: Members + Send + 'static {
    /// Its list.
    const LIST: List;

    /// Its members, whatever they are called.
    fn parts(self) -> Parts;
}

/// The members of an entry.
pub struct Parts {
    name: Member<Name>,
    parent: Member<u32>,
    email: Member<Email>,
    cellphone: Member<Phone>,
    active: Member<bool>,
    place: Member<Position>,
}

impl Parts {
    fn new(name: Member<Name>, active: Member<bool>, place: Member<Position>) -> Parts {
        Parts {
            name,
            active,
            place,
            parent: Member::Absent,
            email: Member::Absent,
            cellphone: Member::Absent,
        }
    }

    /// What somebody typed, and what is wrong with it.
    fn typed(list: List, fields: &typed::Fields, purpose: Purpose) -> (Parts, Invalid) {
        let mut reader = FormReader::new(fields, purpose);
        let name = reader.read(list.name_member(), Need::Required, Name::read);
        let active = reader.read("active", Need::Optional, bool::read);
        let place = |typed: &Input<'_>| EntryId::read(typed).map_err(|_| Reason::NotPlace);
        let place = reader.read("place", Need::Changeable, place).map(|place| Position(place.get()));
        let mut parts = Parts::new(name, active, place);
        if let Some(parent) = list.parent_member() {
            parts.parent = reader.read(parent, Need::Required, EntryId::read).map(EntryId::get);
        }
        if list == List::Users {
            parts.email = reader.read("email", Need::Optional, Email::read);
            parts.cellphone = reader.read("cellphone", Need::Optional, Phone::read);
        }
        (parts, reader.into_wrong())
    }

    fn overlay(self, fields: &mut Fields) {
        self.name.replace(&mut fields.name);
        self.parent.overlay(&mut fields.parent);
        self.email.overlay(&mut fields.email);
        self.cellphone.overlay(&mut fields.cellphone);
        match self.active {
            // Emptied, it is what it is where nobody says anything.
            Member::Clear => fields.active = true,
            active => active.replace(&mut fields.active),
        }
    }
}

impl EntryIn for UserIn {
    const LIST: List = List::Users;

    fn parts(self) -> Parts {
        Parts {
            email: self.email,
            cellphone: self.cellphone,
            ..Parts::new(self.name, self.active, self.place)
        }
    }
}

impl EntryIn for OriginIn {
    const LIST: List = List::Origins;

    fn parts(self) -> Parts {
        Parts::new(self.origin, self.active, self.place)
    }
}

impl EntryIn for GroupIn {
    const LIST: List = List::Groups;

    fn parts(self) -> Parts {
        Parts::new(self.group, self.active, self.place)
    }
}

impl EntryIn for LawsuitTypeIn {
    const LIST: List = List::Types;

    fn parts(self) -> Parts {
        Parts { parent: self.group_id.map(GroupId::get), ..Parts::new(self.r#type, self.active, self.place) }
    }
}

impl EntryIn for StepIn {
    const LIST: List = List::Steps;

    fn parts(self) -> Parts {
        Parts::new(self.step, self.active, self.place)
    }
}

impl EntryIn for StageIn {
    const LIST: List = List::Stages;

    fn parts(self) -> Parts {
        Parts { parent: self.steps_id.map(StepId::get), ..Parts::new(self.stage, self.active, self.place) }
    }
}

/// A new entry: contract 6.
pub fn create<T: EntryIn>(call: &Call<'_>, new: New<T>) -> Result<Create<EntryWrittenOut>, Problem> {
    add(call, T::LIST, new.body.parts(), new.wrong)
}

/// A new entry of what somebody typed, and its id.
///
/// # Errors
/// Everything that is wrong.
pub fn create_typed(call: &Call<'_>, list: List, fields: &typed::Fields) -> Result<Write<u32>, Problem> {
    let (parts, wrong) = Parts::typed(list, fields, Purpose::Create);
    Ok(add(call, list, parts, wrong)?.map(|written| written.id.0.get()))
}

fn add(
    call: &Call<'_>,
    list: List,
    mut parts: Parts,
    mut wrong: Invalid,
) -> Result<Create<EntryWrittenOut>, Problem> {
    check(call.db(), list, &parts, None, &mut wrong)?;
    ensure_valid(wrong)?;
    let mut fields =
        Fields::new(parts.name.take().ok_or_else(|| Problem::internal(MISSING_AFTER_VALIDATION))?);
    parts.overlay(&mut fields);
    Ok(Create::new(move |tx| {
        refuse_taken(tx, list, &fields, None)?;
        Ok(EntryWrittenOut { success: true, id: entry_id(settings::insert(tx, list, &fields)?) })
    }))
}

/// A change of some members of an entry: contract 6.
pub fn change<T: EntryIn>(
    call: &Call<'_>,
    id: PathId<of::Entry>,
    edit: Edit<T>,
) -> Result<Update<EntryWrittenOut>, Problem> {
    alter(call, T::LIST, id, edit.body.parts(), edit.wrong)
}

/// A change of an entry to what somebody typed, and its id.
///
/// # Errors
/// Everything that is wrong; 404 where there is no such entry.
pub fn change_typed(
    call: &Call<'_>,
    list: List,
    id: PathId<of::Entry>,
    fields: &typed::Fields,
) -> Result<Write<u32>, Problem> {
    let (parts, wrong) = Parts::typed(list, fields, Purpose::Change);
    Ok(alter(call, list, id, parts, wrong)?.map(|written| written.id.0.get()))
}

fn alter(
    call: &Call<'_>,
    list: List,
    PathId(id): PathId<of::Entry>,
    parts: Parts,
    mut wrong: Invalid,
) -> Result<Update<EntryWrittenOut>, Problem> {
    let id = id.get();
    let present = settings::by_id(call.db(), list, id)?.ok_or_else(not_found)?;
    check(call.db(), list, &parts, present.parent, &mut wrong)?;
    ensure_valid(wrong)?;
    Ok(Update::new(move |tx| {
        let present = settings::by_id(*tx, list, id)?.ok_or_else(not_found)?;
        let mut fields = Fields::from(&present);
        let place = parts.place.get().copied();
        parts.overlay(&mut fields);
        refuse_taken(tx, list, &fields, Some(id))?;
        settings::update(tx, list, id, &fields)?;
        if let Some(Position(place)) = place {
            settings::place(tx, list, id, place)?;
        }
        Ok(EntryWrittenOut { success: true, id: entry_id(id) })
    }))
}

fn not_found() -> Problem {
    Problem::not_found(&of::Entry::WORD.title())
}

fn check(
    db: Db<'_>,
    list: List,
    parts: &Parts,
    kept: Option<u32>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    match (list.parent(), list.parent_member()) {
        (Some(parent), Some(member)) => {
            check_reference(db, wrong, member, parent, parts.parent.get().copied(), kept)
        }
        _ => Ok(()),
    }
}

/// Names are unique within a list when folded (contract 6).
fn refuse_taken(tx: Tx<'_>, list: List, fields: &Fields, own: Option<u32>) -> Result<(), Problem> {
    match settings::named(*tx, list, &fields.name)? {
        Some(by) if Some(by) != own => {
            Err(Problem::from(Invalid::one(list.name_member(), Reason::NameTaken { by })))
        }
        _ => Ok(()),
    }
}
