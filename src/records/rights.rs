//! Rights: what a key or a person may do, and what a route or a page requires (access 24).

use crate::domain::Lang;

use super::{Field, Kind, Source, TABLES, Table, Type};

/// A level of rights. Each level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Lists, records, documents' contents, history.
    Read,
    /// Also create, change, complete, upload, move to the trash, and restore one's own deletions.
    Write,
    /// Also reference lists, merges, imports, restoring anything, putting a value back, whole exports.
    Manage,
    /// Also token, keys, people, webhooks, settings, backups, purge, moves: the owner and the token only.
    Own,
}

impl Level {
    /// The levels that a key or a person can have.
    pub const GRANTED: [Level; 3] = [Level::Read, Level::Write, Level::Manage];

    /// Returns the name in commands, forms and the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Read => "read",
            Level::Write => "write",
            Level::Manage => "manage",
            Level::Own => "own",
        }
    }

    /// Returns the name for users, in lower case.
    pub fn label(self, lang: Lang) -> &'static str {
        match self {
            Level::Read => lang.pick("só consulta", "reads only"),
            Level::Write => lang.pick("consulta e altera", "reads and changes"),
            Level::Manage => lang.pick("consulta, altera e administra", "reads, changes and manages"),
            Level::Own => lang.pick("pode tudo", "may do everything"),
        }
    }

    /// Describes what the level adds to those before it. Empty for a level that cannot be granted.
    pub fn about(self, lang: Lang) -> &'static str {
        match self {
            Level::Read => lang.pick(
                "vê cadastros, documentos e histórico, sem mudar nada",
                "sees records, documents and history, and changes nothing",
            ),
            Level::Write => lang.pick(
                "inclui, altera, conclui, paga, envia documentos e exclui para a lixeira",
                "adds, changes, completes, pays, uploads documents and deletes into the trash",
            ),
            Level::Manage => lang.pick(
                "cuida das tabelas de apoio, une, importa, exporta tudo e restaura o que outros mudaram",
                "edits lists, merges, imports, exports everything and restores what others changed",
            ),
            Level::Own => "",
        }
    }

    /// Returns the level that can be granted with this name.
    pub fn granted(name: &str) -> Option<Level> {
        Level::GRANTED.into_iter().find(|level| level.as_str() == name)
    }
}

/// A set of nouns. Reference lists are in every set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nouns(u32);

impl Nouns {
    pub const ALL: Nouns = Nouns(u32::MAX);
    pub const NONE: Nouns = Nouns(0);

    /// Returns the set with this noun alone.
    pub fn of(kind: Kind) -> Nouns {
        Nouns(TABLES.iter().position(|table| table.kind == kind).map_or(0, |position| 1 << position))
    }

    pub const fn and(self, others: Nouns) -> Nouns {
        Nouns(self.0 | others.0)
    }

    /// Returns `true` if all of `others` are in this set.
    pub const fn contain(self, others: Nouns) -> bool {
        self.0 & others.0 == others.0
    }

    pub fn is_all(self) -> bool {
        self == Nouns::ALL
    }

    /// Returns `true` if the noun is in this set.
    pub fn has(self, kind: Kind) -> bool {
        self.contain(Nouns::of(kind))
    }

    /// Returns `true` if all nouns that a member's value comes from are in this set.
    pub fn reveal(self, table: &Table, field: &Field) -> bool {
        self.is_all() || self.contain(table.nouns_behind(field))
    }

    /// Returns `true` if a caller who sees these nouns may not see every record of a table.
    pub fn hide_records(self, table: &Table) -> bool {
        let is_hidden = |field: &Field| {
            !self.reveal(table, field) || field.record().is_some_and(|owner| self.hide_records(owner.table()))
        };
        !self.is_all() && table.owners().any(is_hidden)
    }

    /// Returns `true` if a new record can be complete: its required members are visible, and those of a document include
    /// one that it can belong to.
    fn suffice_for(self, table: &Table) -> bool {
        let is_seen = |field: &Field| self.reveal(table, field);
        let mut required = table.stored().filter(|field| field.required);
        required.all(is_seen) && (table.kind != Kind::Document || table.owners().any(is_seen))
    }

    /// Returns the tables of the nouns in this set.
    pub fn tables(self) -> impl Iterator<Item = &'static Table> {
        TABLES.iter().copied().filter(move |table| self.has(table.kind))
    }

    /// Returns the set of the nouns with these names, each a name in the store or in URL paths. A caller who sees
    /// lawsuits sees their customers too. Returns the first unknown name as an error.
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Nouns, &'n str> {
        let mut nouns = Nouns::NONE;
        for name in names {
            let table = Table::noun_named(name).ok_or(name)?;
            nouns = nouns.and(Nouns::of(table.kind));
        }
        let customers = if nouns.has(Kind::Lawsuit) { Nouns::of(Kind::Customer) } else { Nouns::NONE };
        let nouns = nouns.and(customers);
        let is_all = TABLES.iter().all(|table| nouns.has(table.kind));
        Ok(if is_all { Nouns::ALL } else { nouns })
    }
}

/// The rights of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rights {
    pub level: Level,
    /// The nouns for which the level holds. All others are hidden.
    pub nouns: Nouns,
}

impl Rights {
    /// The rights of the owner and of the account's token.
    pub const OWN: Rights = Rights { level: Level::Own, nouns: Nouns::ALL };

    pub fn allow(self, access: Access) -> bool {
        match access {
            Access::Anyone => true,
            Access::Read(kind) => self.reach(Level::Read, kind),
            Access::Write(kind) => self.reach(Level::Write, kind),
            Access::Create(kind) => self.reach(Level::Write, kind) && self.nouns.suffice_for(kind.table()),
            Access::Manage(kind) => self.reach(Level::Manage, kind),
            Access::ManageAll => self.level >= Level::Manage && self.nouns.is_all(),
            Access::Owner => self.level == Level::Own,
        }
    }

    /// Returns these rights without what `others` do not allow.
    pub fn at_most(self, others: Rights) -> Rights {
        Rights { level: self.level.min(others.level), nouns: Nouns(self.nouns.0 & others.nouns.0) }
    }

    /// Returns `true` if these rights allow all that `others` do.
    pub fn include(self, others: Rights) -> bool {
        self.level >= others.level && self.nouns.contain(others.nouns)
    }

    /// Describes the rights in plain words, such as `reads: customers, lawsuits`.
    pub fn message(self, lang: Lang) -> String {
        let nouns = match self.nouns.is_all() {
            true => lang.pick("tudo", "everything").to_owned(),
            false => {
                let titles = self.nouns.tables().map(|table| table.title(lang).to_lowercase());
                titles.collect::<Vec<_>>().join(", ")
            }
        };
        format!("{}: {nouns}", self.level.label(lang))
    }

    fn reach(self, level: Level, kind: Kind) -> bool {
        self.level >= level && self.nouns.has(kind)
    }
}

/// The requirement that a route or a page has of its callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Nothing: the answer leaves out what its caller may not see.
    Anyone,
    /// Level `read` for a noun. Reference lists are readable for everyone.
    Read(Kind),
    /// Level `write` for a noun.
    Write(Kind),
    /// Level `write` for a noun, and its required members are visible.
    Create(Kind),
    /// Level `manage` for a noun, or for any noun if it is a reference list.
    Manage(Kind),
    /// Level `manage` for all nouns.
    ManageAll,
    /// Only the owner and the account's token.
    Owner,
}

impl Table {
    /// Returns the nouns other than its own from which a member's value comes. A caller sees the member only if all of
    /// them are visible to the caller.
    pub fn nouns_behind(&self, field: &Field) -> Nouns {
        let own = match field.ty {
            Type::Record(kind) | Type::Links(kind) => Nouns::of(kind),
            _ => Nouns::NONE,
        };
        own.and(self.nouns_of(field.source)).and(field.behind.map_or(Nouns::NONE, Nouns::of))
    }

    /// Returns the names of the members that every caller who sees records of this table gets. A caller who does not see
    /// what a member shows gets the record without the member.
    pub fn always_shown(&self) -> impl Iterator<Item = &'static str> {
        let least = Nouns::named([self.name]).unwrap_or(Nouns::NONE);
        let shown = self.fields.iter().filter(move |field| field.is_shown && least.reveal(self, field));
        shown.map(|field| field.shown)
    }

    fn nouns_of(&self, source: Source) -> Nouns {
        let column = |column: &str| self.field(column).map_or(Nouns::NONE, |field| self.nouns_behind(field));
        let through = |own: &str, member: &str| {
            let there = self.field(own).and_then(Field::record).map(Kind::table);
            let member = there.and_then(|table| Some(table.nouns_behind(table.field(member)?)));
            column(own).and(member.unwrap_or(Nouns::NONE))
        };
        match source {
            Source::LinkedBy(kind, _) | Source::NewestDay(kind, ..) => Nouns::of(kind),
            Source::AliasOf(own)
            | Source::NameOf(own)
            | Source::ParentOf(own)
            | Source::ParentNameOf(own)
            | Source::NamesOf(own)
            | Source::CourtOf(own)
            | Source::OpposingOf(own)
            | Source::Sides(own) => column(own),
            Source::MemberOf(own, member) | Source::NamesThrough(own, member) => through(own, member),
            Source::Coalesce(sources) => {
                sources.iter().fold(Nouns::NONE, |nouns, source| nouns.and(self.nouns_of(*source)))
            }
            Source::MomentOf(day, time, or_day) => column(day).and(column(time)).and(column(or_day)),
            Source::Column
            | Source::Links(..)
            | Source::Created
            | Source::Updated
            | Source::Repeats
            | Source::Generated
            | Source::Place
            | Source::Completions
            | Source::Computed => Nouns::NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_includes_lower_levels_and_applies_to_its_nouns() {
        let nouns = Nouns::named(["customers", "tasks"]).unwrap();
        let rights = Rights { level: Level::Write, nouns };
        assert!(rights.allow(Access::Read(Kind::Customer)) && rights.allow(Access::Write(Kind::Task)));
        assert!(!rights.allow(Access::Manage(Kind::Task)) && !rights.allow(Access::Read(Kind::Lawsuit)));
        let lists = Kind::List(crate::records::List::Users);
        assert!(rights.allow(Access::Read(lists)) && !rights.allow(Access::Manage(lists)));
        assert!(!rights.allow(Access::Owner) && !rights.allow(Access::ManageAll));
        let manager = Rights { level: Level::Manage, ..rights };
        assert!(manager.allow(Access::Manage(lists)) && !manager.allow(Access::ManageAll));
        assert!(Rights { nouns: Nouns::ALL, ..manager }.allow(Access::ManageAll));
        assert!(Rights::OWN.allow(Access::Owner));
        for (names, kind) in
            [(["movements", "customers"], Kind::Movement), (["documents", "movements"], Kind::Document)]
        {
            let few = Rights { nouns: Nouns::named(names).unwrap(), ..rights };
            assert!(few.allow(Access::Write(kind)) && !few.allow(Access::Create(kind)), "{names:?}");
            let more = Rights { nouns: few.nouns.and(Nouns::named(["lawsuits"]).unwrap()), ..few };
            assert!(more.allow(Access::Create(kind)), "{names:?} and lawsuits");
        }
        assert!(manager.include(rights) && !rights.include(manager));
        assert!(!Rights { nouns: Nouns::of(Kind::Task), ..manager }.include(rights));
    }

    #[test]
    fn access_to_lawsuits_includes_access_to_customers() {
        assert!(Nouns::named(["lawsuits"]).unwrap().has(Kind::Customer));
        assert!(!Nouns::named(["customers"]).unwrap().has(Kind::Lawsuit));
        assert_eq!(Nouns::named(["posts"]), Nouns::named(["tasks"]));
        assert_eq!(Nouns::named(["customers", "clients"]), Err("clients"));
        assert!(Nouns::named(TABLES.iter().map(|table| table.name)).unwrap().is_all());
        let names = Nouns::named(["transactions"]).unwrap().tables().map(|table| table.name);
        assert_eq!(names.collect::<Vec<_>>(), ["transactions"]);
    }

    #[test]
    fn a_member_depends_on_the_nouns_whose_data_it_shows() {
        let behind = |kind: Kind, column: &str| {
            let table = kind.table();
            let nouns = table.nouns_behind(table.field(column).unwrap());
            nouns.tables().map(|table| table.name).collect::<Vec<_>>()
        };
        assert_eq!(behind(Kind::Customer, "name"), [""; 0]);
        assert_eq!(behind(Kind::Customer, "lawsuits"), ["lawsuits"]);
        assert_eq!(behind(Kind::Lawsuit, "name"), ["customers"]);
        assert_eq!(behind(Kind::Lawsuit, "last_movement"), ["movements"]);
        assert_eq!(behind(Kind::Task, "lawsuit"), ["lawsuits"]);
        assert_eq!(behind(Kind::Task, "publication_id"), ["publications"]);
        assert_eq!(behind(Kind::Document, "sides"), ["lawsuits"]);
        assert_eq!(behind(Kind::Document, "process_number"), ["lawsuits"]);
    }
}
