//! The reference lists, whose entries records point to (contract 6).

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
    /// Types of tasks.
    Tasks,
    /// The office's accounts.
    Banks,
    /// What money comes in or goes out for.
    Categories,
    /// Cost centers.
    CostCenters,
    /// Departments.
    Departments,
}

impl List {
    /// All of them, in the order in which pages show them.
    pub const ALL: [List; 11] = [
        List::Users,
        List::Origins,
        List::Groups,
        List::Types,
        List::Steps,
        List::Stages,
        List::Tasks,
        List::Banks,
        List::Categories,
        List::CostCenters,
        List::Departments,
    ];

    /// The list that this one's entries belong to.
    pub fn parent(self) -> Option<List> {
        self.table().parent().map(|(list, _)| list)
    }
}
