//! What the reference lists are on the wire: contract 6.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::config::settings::Compatibility;
use crate::domain::{Email, EntryId, GroupId, Name, Phone, StepId};
use crate::http::Made;
use crate::http::input::body;
use crate::http::wire::{Position, Shown};

/// The lists, with their active entries.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Settings")]
pub struct SettingsOut {
    /// The people of the office, who create customers and answer for lawsuits: `users_id`.
    pub(super) users: Vec<UserOut>,
    /// Where customers come from: `customers_origins_id`.
    pub(super) origins: Vec<OriginOut>,
    /// The groups of lawsuit types.
    pub(super) groups: Vec<GroupOut>,
    /// What kinds of lawsuits there are: `type_lawsuits_id`.
    pub(super) type_lawsuits: Vec<TypeOut>,
    /// The same as `type_lawsuits`: clients read one or the other.
    pub(super) lawsuit_types: Vec<TypeOut>,
    /// The steps, which stages belong to: `steps_id`.
    pub(super) steps: Vec<StepOut>,
    /// Where lawsuits stand: `stages_id`.
    pub(super) stages: Vec<StageOut>,
    /// Always empty here.
    pub(super) tasks: [(); 0],
    /// Always empty here.
    pub(super) financial: FinancialOut,
}

/// A person of the office.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "User")]
pub struct UserOut {
    /// Its id.
    #[schemars(example = 1)]
    pub(super) id: Shown<EntryId>,
    /// Full name.
    #[schemars(example = &"Ana Souza")]
    pub(super) name: Shown<Name>,
    /// E-mail address.
    #[schemars(example = &"ana@exemplo.com.br")]
    pub(super) email: Option<Shown<Email>>,
    /// Mobile phone.
    #[schemars(example = &"(48) 98888-0000")]
    pub(super) cellphone: Option<Shown<Phone>>,
}

/// Where customers come from.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Origin")]
pub struct OriginOut {
    /// Its id.
    #[schemars(example = 1)]
    pub(super) id: Shown<EntryId>,
    /// Its name.
    #[schemars(example = &"Indicação")]
    pub(super) origin: Shown<Name>,
}

/// A group of lawsuit types.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Group")]
pub struct GroupOut {
    /// Its id.
    #[schemars(example = 1)]
    pub(super) id: Shown<EntryId>,
    /// Its name.
    #[schemars(example = &"Cível")]
    pub(super) group: Shown<Name>,
}

/// A lawsuit type and its group.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "LawsuitType")]
pub struct TypeOut {
    /// Its id.
    #[schemars(example = 1)]
    pub(super) id: Shown<EntryId>,
    /// Its name.
    #[schemars(example = &"Ação de cobrança")]
    pub(super) r#type: Shown<Name>,
    /// The name of its group.
    #[schemars(example = &"Cível")]
    pub(super) group: String,
    /// The id of its group.
    #[schemars(example = 1)]
    pub(super) group_id: Shown<EntryId>,
}

/// A step.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Step")]
pub struct StepOut {
    /// Its id.
    #[schemars(example = 4)]
    pub(super) id: Shown<EntryId>,
    /// Its name.
    #[schemars(example = &"Judicial")]
    pub(super) step: Shown<Name>,
}

/// A stage and its step.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Stage")]
pub struct StageOut {
    /// Its id.
    #[schemars(example = 12)]
    pub(super) id: Shown<EntryId>,
    /// Its name.
    #[schemars(example = &"Petição inicial")]
    pub(super) stage: Shown<Name>,
    /// The name of its step.
    #[schemars(example = &"Judicial")]
    pub(super) step: String,
    /// The id of its step.
    #[schemars(example = 4)]
    pub(super) steps_id: Shown<EntryId>,
}

/// What an office's finances would need; this server keeps none of it.
#[derive(Default, Serialize, JsonSchema)]
#[schemars(rename = "Financial")]
pub struct FinancialOut {
    /// Always empty here.
    banks: [(); 0],
    /// Always empty here.
    categories: [(); 0],
    /// Always empty here.
    cost_centers: [(); 0],
    /// Always empty here.
    departments: [(); 0],
}

/// The id of a written entry.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EntryWritten")]
pub struct EntryWrittenOut {
    /// Always true.
    #[schemars(example = true)]
    pub(super) success: bool,
    /// The entry's id.
    #[schemars(example = 10)]
    pub(super) id: Shown<EntryId>,
}

impl Made for EntryWrittenOut {
    fn schema(generator: &mut SchemaGenerator, _: Compatibility) -> Schema {
        generator.subschema_for::<EntryWrittenOut>()
    }

    fn id(_: Compatibility) -> &'static str {
        "/id"
    }
}

body! {
    /// A user's members that can be written.
    pub struct UserIn {
        /// Full name, unique among users.
        Required name: Name = "Ana Souza",
        /// E-mail address.
        Optional email: Email = "ana@exemplo.com.br",
        /// Mobile phone.
        Optional cellphone: Phone = "(48) 98888-0000",
        /// Whether the user can be chosen.
        Optional active: bool = true,
        /// Its place in its list, or among those of the same group or step: 1 is the first. The others make room.
        Changeable place: Position = 2,
    }
}

body! {
    /// An origin's members that can be written.
    pub struct OriginIn {
        /// Its name, unique among origins.
        Required origin: Name = "Panfleto",
        /// Whether it can be chosen.
        Optional active: bool = true,
        /// Its place in its list, or among those of the same group or step: 1 is the first. The others make room.
        Changeable place: Position = 2,
    }
}

body! {
    /// A group's members that can be written.
    pub struct GroupIn {
        /// Its name, unique among groups.
        Required group: Name = "Ambiental",
        /// Whether it can be chosen.
        Optional active: bool = true,
        /// Its place in its list, or among those of the same group or step: 1 is the first. The others make room.
        Changeable place: Position = 2,
    }
}

body! {
    /// A lawsuit type's members that can be written.
    pub struct LawsuitTypeIn {
        /// Its name, unique among types.
        Required r#type: Name = "Ação popular",
        /// The group that it belongs to.
        Required group_id: GroupId = 1,
        /// Whether it can be chosen.
        Optional active: bool = true,
        /// Its place in its list, or among those of the same group or step: 1 is the first. The others make room.
        Changeable place: Position = 2,
    }
}

body! {
    /// A step's members that can be written.
    pub struct StepIn {
        /// Its name, unique among steps.
        Required step: Name = "Mediação",
        /// Whether it can be chosen.
        Optional active: bool = true,
        /// Its place in its list, or among those of the same group or step: 1 is the first. The others make room.
        Changeable place: Position = 2,
    }
}

body! {
    /// A stage's members that can be written.
    pub struct StageIn {
        /// Its name, unique among stages.
        Required stage: Name = "Sessão marcada",
        /// The step that it belongs to.
        Required steps_id: StepId = 1,
        /// Whether it can be chosen.
        Optional active: bool = true,
        /// Its place in its list, or among those of the same group or step: 1 is the first. The others make room.
        Changeable place: Position = 2,
    }
}
