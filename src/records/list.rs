//! The reference lists, whose entries other records refer to (contract 6).

use crate::domain::Reason;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// The people of the office.
    Users,
    /// Sources of customers.
    Origins,
    /// Groups of lawsuit types.
    Groups,
    /// Lawsuit types, each in a group.
    Types,
    /// Steps: the main phases of a lawsuit.
    Steps,
    /// Stages, each in a step.
    Stages,
    /// Types of tasks.
    Tasks,
    /// The office's accounts.
    Banks,
    /// Purposes for which money comes in or goes out.
    Categories,
    CostCenters,
    Departments,
}

impl List {
    /// Returns the list to whose entries the entries of this list belong.
    pub fn parent(self) -> Option<List> {
        self.table().parent().map(|(list, _)| list)
    }

    /// Returns the reason for refusing an id that no entry has.
    pub fn unknown_entry(self, id: u32) -> Reason {
        let table = self.table();
        Reason::UnknownEntry { list: table.path, many: table.many.0, id }
    }
}
