//! The API: the table of its routes (`routes`), and everything derived from it.
//!
//! A file a resource: its wire types, its handlers. No SQL, no status but through `http`.

pub mod changes;
pub mod customers;
pub mod documents;
pub mod lawsuits;
pub mod merge;
pub mod movements;
pub mod of_lawsuit;
pub mod pages;
pub mod publications;
pub mod record;
mod resources;
mod routes;
pub mod rows;
pub mod settings;
pub mod tasks;
pub mod transactions;
pub mod trash;
pub mod webhooks;

use crate::records::{
    Bank, Category, CostCenter, Customer, Department, Document, Group, Kind, Lawsuit, LawsuitType, Movement,
    Origin, Publication, Stage, Step, Task, TaskType, Transaction, User,
};
use pages::Pages;
pub use resources::RESOURCES;
pub use routes::routes;
use settings::ListPage;

/// The nouns that have pages, in the order in which the navigation shows them.
pub static PAGES: &[Pages] = &[
    Pages::of::<Customer>(),
    Pages::of::<Lawsuit>(),
    Pages::of::<Task>(),
    Pages::of::<Publication>(),
    Pages::of::<Movement>(),
    Pages::of::<Transaction>(),
    Pages::of::<Document>(),
];

/// The pages of the records of a kind, if it has any.
pub fn pages_of(kind: Kind) -> Option<&'static Pages> {
    PAGES.iter().find(|pages| pages.table.kind == kind)
}

/// The lists that have pages, likewise.
pub static LISTS: &[ListPage] = &[
    ListPage::of::<User>(),
    ListPage::of::<Origin>(),
    ListPage::of::<Group>(),
    ListPage::of::<LawsuitType>(),
    ListPage::of::<Step>(),
    ListPage::of::<Stage>(),
    ListPage::of::<TaskType>(),
    ListPage::of::<Bank>(),
    ListPage::of::<Category>(),
    ListPage::of::<CostCenter>(),
    ListPage::of::<Department>(),
];
