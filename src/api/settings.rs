//! The reference lists: contract 6. Six lists of the same shape, each with its own names on the wire.

mod wire;

use super::form::check_reference;
use crate::domain::id::{Noun, of};
use crate::domain::{Email, EntryId, GroupId, Invalid, Name, Phone, Reason, StepId};
use crate::http::input::{Edit, Member, Members, New, PathId, ensure_valid};
use crate::http::record::MISSING_AFTER_VALIDATION;
use crate::http::wire::{Place, Shown};
use crate::http::{Call, Change, Create, Document, Problem};
use crate::store::settings::{self, Entry, Fields, List};
use crate::store::{Db, Tx};

use wire::{FinancialOut, GroupOut, OriginOut, SettingsOut, StageOut, StepOut, TypeOut, UserOut, WrittenOut};
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
    /// The member that is its name.
    const NAME_MEMBER: &'static str;
    /// The member that names the entry it belongs to; empty where it belongs to none.
    const PARENT_MEMBER: &'static str = "";

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
    place: Member<Place>,
}

impl Parts {
    fn new(name: Member<Name>, active: Member<bool>, place: Member<Place>) -> Parts {
        Parts {
            name,
            active,
            place,
            parent: Member::Absent,
            email: Member::Absent,
            cellphone: Member::Absent,
        }
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
    const NAME_MEMBER: &'static str = "name";

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
    const NAME_MEMBER: &'static str = "origin";

    fn parts(self) -> Parts {
        Parts::new(self.origin, self.active, self.place)
    }
}

impl EntryIn for GroupIn {
    const LIST: List = List::Groups;
    const NAME_MEMBER: &'static str = "group";

    fn parts(self) -> Parts {
        Parts::new(self.group, self.active, self.place)
    }
}

impl EntryIn for LawsuitTypeIn {
    const LIST: List = List::Types;
    const NAME_MEMBER: &'static str = "type";
    const PARENT_MEMBER: &'static str = "group_id";

    fn parts(self) -> Parts {
        Parts { parent: self.group_id.map(GroupId::get), ..Parts::new(self.r#type, self.active, self.place) }
    }
}

impl EntryIn for StepIn {
    const LIST: List = List::Steps;
    const NAME_MEMBER: &'static str = "step";

    fn parts(self) -> Parts {
        Parts::new(self.step, self.active, self.place)
    }
}

impl EntryIn for StageIn {
    const LIST: List = List::Stages;
    const NAME_MEMBER: &'static str = "stage";
    const PARENT_MEMBER: &'static str = "steps_id";

    fn parts(self) -> Parts {
        Parts { parent: self.steps_id.map(StepId::get), ..Parts::new(self.stage, self.active, self.place) }
    }
}

/// A new entry: contract 6.
pub fn create<T: EntryIn>(call: &Call<'_>, new: New<T>) -> Result<Create<WrittenOut>, Problem> {
    let New { body, mut wrong } = new;
    let mut parts = body.parts();
    check::<T>(call.db(), &parts, None, &mut wrong)?;
    ensure_valid(wrong)?;
    let mut fields =
        Fields::new(parts.name.take().ok_or_else(|| Problem::internal(MISSING_AFTER_VALIDATION))?);
    parts.overlay(&mut fields);
    Ok(Create::new(move |tx| {
        refuse_taken::<T>(tx, &fields, None)?;
        Ok(WrittenOut { success: true, id: entry_id(settings::insert(tx, T::LIST, &fields)?) })
    }))
}

/// A change of some members of an entry: contract 6.
pub fn change<T: EntryIn>(
    call: &Call<'_>,
    PathId(id): PathId<of::Entry>,
    edit: Edit<T>,
) -> Result<Change<WrittenOut>, Problem> {
    let (id, Edit { body, mut wrong }) = (id.get(), edit);
    let present = settings::by_id(call.db(), T::LIST, id)?.ok_or_else(not_found)?;
    let parts = body.parts();
    check::<T>(call.db(), &parts, present.parent, &mut wrong)?;
    ensure_valid(wrong)?;
    Ok(Change::new(move |tx| {
        let present = settings::by_id(*tx, T::LIST, id)?.ok_or_else(not_found)?;
        let mut fields = Fields::from(&present);
        let place = parts.place.get().copied();
        parts.overlay(&mut fields);
        refuse_taken::<T>(tx, &fields, Some(id))?;
        settings::update(tx, T::LIST, id, &fields)?;
        if let Some(Place(place)) = place {
            settings::place(tx, T::LIST, id, place)?;
        }
        Ok(WrittenOut { success: true, id: entry_id(id) })
    }))
}

fn not_found() -> Problem {
    Problem::not_found(&of::Entry::WORD.title())
}

fn check<T: EntryIn>(
    db: Db<'_>,
    parts: &Parts,
    kept: Option<u32>,
    wrong: &mut Invalid,
) -> Result<(), Problem> {
    match T::LIST.parent() {
        Some(parent) => {
            check_reference(db, wrong, T::PARENT_MEMBER, parent, parts.parent.get().copied(), kept)
        }
        None => Ok(()),
    }
}

/// Names are unique within a list when folded (contract 6).
fn refuse_taken<T: EntryIn>(tx: Tx<'_>, fields: &Fields, own: Option<u32>) -> Result<(), Problem> {
    match settings::named(*tx, T::LIST, &fields.name)? {
        Some(by) if Some(by) != own => {
            Err(Problem::from(Invalid::one(T::NAME_MEMBER, Reason::NameTaken { by })))
        }
        _ => Ok(()),
    }
}
