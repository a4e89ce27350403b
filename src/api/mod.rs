//! The API on one screen: every route of the contract, and everything derived from it.
//!
//! A file a resource: its wire types, its handlers. No SQL, no status but through `http`.

pub mod customers;
mod form;
pub mod lawsuits;
pub mod settings;

pub use form::{InForms, NewRecord};

use crate::http::{Resource, Route, get, post, put};
use settings::{GroupIn, LawsuitTypeIn, OriginIn, StageIn, StepIn, UserIn};

/// What the routes are about, in the order in which somebody new reads of it.
pub const RESOURCES: &[Resource] = &[
    Resource {
        segment: "customers",
        name: "Customers",
        about: "The clients of the office: people and companies.",
    },
    Resource {
        segment: "lawsuits",
        name: "Lawsuits",
        about: "The office's cases, in court or not, and the customers they are about.",
    },
    Resource {
        segment: "settings",
        name: "Settings",
        about: "The reference lists that ids of customers and lawsuits point to. An entry is never deleted: one with \
                `\"active\": false` is not listed and cannot be chosen any more, and stays on the records that have it.",
    },
];

/// The whole API.
pub fn routes() -> Vec<Route> {
    vec![
        get("/customers", "Search customers", customers::search)
            .paged(customers::PAGE)
            .explained(customers::SEARCHING),
        post("/customers", "Create a customer", customers::create).explained(customers::CREATING),
        get("/customers/birthdays", "Customers with a birthday in the month", customers::birthdays)
            .paged(customers::PAGE)
            .explained(customers::BIRTHDAYS),
        get("/customers/{id}", "Read a customer", customers::read),
        put("/customers/{id}", "Change a customer", customers::change).explained(customers::CHANGING),
        get("/lawsuits", "Search lawsuits", lawsuits::search)
            .paged(lawsuits::PAGE)
            .explained(lawsuits::SEARCHING),
        post("/lawsuits", "Create a lawsuit", lawsuits::create).explained(lawsuits::CREATING),
        get("/lawsuits/{id}", "Read a lawsuit", lawsuits::read),
        put("/lawsuits/{id}", "Change a lawsuit", lawsuits::change).explained(customers::CHANGING),
        get("/processos", "Search lawsuits, by another name", lawsuits::search)
            .paged(lawsuits::PAGE)
            .alias_of("/api/v1/lawsuits"),
        get("/settings", "Read the reference lists", settings::read),
        post("/settings/users", "Add a user", settings::create::<UserIn>),
        put("/settings/users/{id}", "Change a user", settings::change::<UserIn>),
        post("/settings/origins", "Add an origin of customers", settings::create::<OriginIn>),
        put("/settings/origins/{id}", "Change an origin", settings::change::<OriginIn>),
        post("/settings/groups", "Add a group of lawsuit types", settings::create::<GroupIn>),
        put("/settings/groups/{id}", "Change a group", settings::change::<GroupIn>),
        post("/settings/type_lawsuits", "Add a lawsuit type", settings::create::<LawsuitTypeIn>),
        put("/settings/type_lawsuits/{id}", "Change a lawsuit type", settings::change::<LawsuitTypeIn>),
        post("/settings/steps", "Add a step", settings::create::<StepIn>),
        put("/settings/steps/{id}", "Change a step", settings::change::<StepIn>),
        post("/settings/stages", "Add a stage", settings::create::<StageIn>),
        put("/settings/stages/{id}", "Change a stage", settings::change::<StageIn>),
    ]
}
