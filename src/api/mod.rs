//! The API on one screen: every route of the contract, and everything derived from it.
//!
//! A file a resource: its wire types, its handlers. No SQL, no status but through `http`.

pub mod customers;
mod form;
pub mod lawsuits;
pub mod settings;

use crate::http::{Route, get, post, put};
use settings::{GroupIn, LawsuitTypeIn, OriginIn, StageIn, StepIn, UserIn};

/// The whole API.
pub fn routes() -> Vec<Route> {
    vec![
        get("/customers", "Customers that match, by id", customers::search).paged(customers::PAGE),
        post("/customers", "Create a customer", customers::create),
        get("/customers/birthdays", "Customers with a birthday in the month", customers::birthdays)
            .paged(customers::PAGE),
        get("/customers/{id}", "Read a customer", customers::read),
        put("/customers/{id}", "Change a customer", customers::change),
        get("/lawsuits", "Lawsuits that match, by id", lawsuits::search).paged(lawsuits::PAGE),
        post("/lawsuits", "Create a lawsuit", lawsuits::create),
        get("/lawsuits/{id}", "Read a lawsuit", lawsuits::read),
        put("/lawsuits/{id}", "Change a lawsuit", lawsuits::change),
        get("/processos", "Lawsuits that match, by id", lawsuits::search)
            .paged(lawsuits::PAGE)
            .alias_of("/api/v1/lawsuits"),
        get("/settings", "The reference lists that ids point to", settings::read),
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
