//! The nouns and reference lists with pages in the console. Change feed, webhooks and imports follow from them.

use crate::api::console_pages::Pages;
use crate::api::lists::ListPage;
use crate::records::{
    Bank, Category, CostCenter, Customer, Department, Document, Group, Holiday, Kind, Lawsuit, LawsuitType,
    List, Movement, Origin, Publication, Stage, Step, TABLES, Task, TaskType, Transaction, User,
};

/// The nouns that have pages in the console, in the order of its navigation.
pub static PAGES: &[Pages] = &[
    Pages::of::<Customer>(),
    Pages::of::<Lawsuit>(),
    Pages::of::<Task>(),
    Pages::of::<Publication>(),
    Pages::of::<Movement>(),
    Pages::of::<Transaction>(),
    Pages::of::<Document>(),
    Pages::of::<Holiday>(),
];

const _: () = assert!(
    PAGES.len() == TABLES.len(),
    "each noun has pages, and with them its import: add `Pages::of::<Noun>()` to `PAGES` in `src/api/routes/nouns.rs`",
);

/// Returns the pages of a kind of record. Entries of reference lists have none.
pub fn pages_of(kind: Kind) -> Option<&'static Pages> {
    PAGES.iter().find(|pages| pages.table.kind == kind)
}

/// The reference lists that have pages in the console, in the order of its navigation.
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

const _: () = assert!(
    LISTS.len() == List::ALL.len(),
    "each reference list has a page, and with it its import: add `ListPage::of::<Entry>()` to `LISTS` in `src/api/routes/nouns.rs`",
);
