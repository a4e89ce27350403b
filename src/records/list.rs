//! The reference lists, whose entries records point to (contract 6).

use super::field::Type;
use crate::domain::id::{Noun, of};

/// A reference list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// The people of the office.
    Users,
    /// Where customers come from.
    Origins,
    /// Groups of lawsuit types.
    Groups,
    /// Lawsuit types, each of a group.
    Types,
    /// Steps, the wider phases of a lawsuit.
    Steps,
    /// Stages, each of a step.
    Stages,
}

impl List {
    /// All of them.
    pub const ALL: [List; 6] =
        [List::Users, List::Origins, List::Groups, List::Types, List::Steps, List::Stages];

    /// Its name in GET /settings.
    pub const fn name(self) -> &'static str {
        match self {
            List::Types => "type_lawsuits",
            list => list.table(),
        }
    }

    /// Its table.
    pub const fn table(self) -> &'static str {
        match self {
            List::Users => "users",
            List::Origins => "origins",
            List::Groups => "groups",
            List::Types => "types",
            List::Steps => "steps",
            List::Stages => "stages",
        }
    }

    /// What requests call an entry's name.
    pub const fn name_member(self) -> &'static str {
        match self {
            List::Users => "name",
            List::Origins => "origin",
            List::Groups => "group",
            List::Types => "type",
            List::Steps => "step",
            List::Stages => "stage",
        }
    }

    /// What requests call the id of the entry of [`List::parent`] that an entry belongs to.
    pub const fn parent_member(self) -> Option<&'static str> {
        match self {
            List::Types => Some("group_id"),
            List::Stages => Some("steps_id"),
            List::Users | List::Origins | List::Groups | List::Steps => None,
        }
    }

    /// The list that this one's entries belong to.
    pub const fn parent(self) -> Option<List> {
        match self {
            List::Types => Some(List::Groups),
            List::Stages => Some(List::Steps),
            List::Users | List::Origins | List::Groups | List::Steps => None,
        }
    }

    /// The column that says to which entry of [`List::parent`] an entry belongs.
    pub const fn parent_column(self) -> Option<&'static str> {
        match self {
            List::Types => Some("group_id"),
            List::Stages => Some("step_id"),
            List::Users | List::Origins | List::Groups | List::Steps => None,
        }
    }
}

/// What ids can be of, so that a field can point there.
pub trait Refers: Noun {
    /// What kind of values its ids are.
    const TYPE: Type;
}

/// An entry of whichever list the context says.
impl Refers for of::Entry {
    const TYPE: Type = Type::Id;
}

macro_rules! refers {
    ($($kind:ident to $list:ident,)+) => {$(
        impl Refers for of::$kind {
            const TYPE: Type = Type::Reference(List::$list);
        }
    )+};
}

refers! {
    User to Users,
    Origin to Origins,
    Group to Groups,
    Type to Types,
    Step to Steps,
    Stage to Stages,
}
