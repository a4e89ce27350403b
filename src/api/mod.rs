//! The API on one screen: every route of the contract, and everything derived from it.
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
pub mod rows;
pub mod settings;
pub mod tasks;
pub mod transactions;
pub mod trash;
pub mod webhooks;

use crate::http::{Resource, RouteHandler, batch, delete, get, post, put};
use crate::records::{
    Bank, Category, CostCenter, Customer, Department, Document, Group, Kind, Lawsuit, LawsuitType, Movement,
    Origin, Publication, Stage, Step, Task, TaskType, Transaction, User,
};
use of_lawsuit::{PAGE as OF_LAWSUIT, of_lawsuit};
use pages::{InPages, Pages};
use record::{read, search};
use settings::ListPage;
use tasks::{history, rewards};
use trash::or_restore;

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
        segment: "posts",
        name: "Tasks",
        about: "What is to be done for lawsuits, by whom and until when. The cloud calls them posts.",
    },
    Resource {
        segment: "history",
        name: "History",
        about: "The tasks of one lawsuit, as clients of the cloud read them.",
    },
    Resource { segment: "users", name: "Users", about: "What the people of the office have done." },
    Resource {
        segment: "movements",
        name: "Movements",
        about: "What happened in lawsuits: notices of the courts', which automations bring, and entries of the office's.",
    },
    Resource {
        segment: "last_movements",
        name: "Last movements",
        about: "The newest movement of each lawsuit.",
    },
    Resource {
        segment: "publications",
        name: "Publications",
        about: "Notices of official gazettes and courts' systems, which automations bring, of a lawsuit or of none yet.",
    },
    Resource {
        segment: "transactions",
        name: "Transactions",
        about: "Money that comes into the office or leaves it, paid or not yet.",
    },
    Resource {
        segment: "documents",
        name: "Documents",
        about: "Files that the office keeps, and the records that they belong to.",
    },
    Resource {
        segment: "changes",
        name: "Changes",
        about: "What was done to every record, in order: whoever follows it has all of the office, and misses nothing.",
    },
    Resource {
        segment: "webhooks",
        name: "Webhooks",
        about: "Programs of the office's that are told of changes by a signed request, and what each was told.",
    },
    Resource {
        segment: "settings",
        name: "Settings",
        about: "The reference lists that ids of customers and lawsuits point to. An entry is never deleted: one with \
                `\"active\": false` is not listed and cannot be chosen any more, and stays on the records that have it.",
    },
];

/// The whole API.
pub fn routes() -> Vec<RouteHandler> {
    vec![
        get("/customers", "Search customers", search::<Customer>)
            .paged(customers::PAGE)
            .explained(customers::SEARCHING),
        post("/customers", "Create a customer", Customer::create).explained(customers::CREATING),
        get("/customers/birthdays", "Customers with a birthday in the month", customers::birthdays)
            .paged(customers::PAGE)
            .explained(customers::BIRTHDAYS),
        get("/customers/{id}", "Read a customer", read::<Customer>),
        put("/customers/{id}", "Change a customer", or_restore(Customer::change))
            .explained(customers::CHANGING),
        delete("/customers/{id}", "Delete a customer", trash::delete::<Customer>).explained(trash::DELETING),
        post("/customers/{id}/merge", "Merge another customer into this one", customers::merge)
            .explained(customers::MERGING),
        get("/lawsuits", "Search lawsuits", search::<Lawsuit>)
            .paged(lawsuits::PAGE)
            .explained(lawsuits::SEARCHING),
        post("/lawsuits", "Create a lawsuit", Lawsuit::create).explained(lawsuits::CREATING),
        get("/lawsuits/{id}", "Read a lawsuit", read::<Lawsuit>),
        put("/lawsuits/{id}", "Change a lawsuit", or_restore(Lawsuit::change)).explained(customers::CHANGING),
        delete("/lawsuits/{id}", "Delete a lawsuit", trash::delete::<Lawsuit>).explained(trash::DELETING),
        get("/processos", "Search lawsuits, by another name", search::<Lawsuit>)
            .paged(lawsuits::PAGE)
            .alias_of("/api/v1/lawsuits"),
        get("/posts", "Search tasks", search::<Task>).paged(tasks::PAGE).explained(tasks::SEARCHING),
        post("/posts", "Create a task", Task::create).explained(tasks::CREATING),
        get("/posts/{id}", "Read a task", read::<Task>),
        put("/posts/{id}", "Change a task", or_restore(Task::change)).explained(tasks::CHANGING),
        delete("/posts/{id}", "Delete a task", trash::delete::<Task>).explained(trash::DELETING),
        put("/posts/{id}/complete", "Say that a task is done", tasks::complete).explained(tasks::COMPLETING),
        put("/posts/{id}/reopen", "Say that a task is not done", tasks::reopen).explained(tasks::REOPENING),
        get("/history/{id}", "The tasks of a lawsuit", history::read).paged(history::PAGE),
        get("/users/rewards", "What users earned in a month", rewards::read).explained(rewards::READING),
        get("/movements", "Search movements", search::<Movement>)
            .paged(movements::PAGE)
            .explained(movements::SEARCHING),
        post("/movements", "Merge captured movements", movements::merge)
            .taking(batch::LARGEST)
            .explained(movements::MERGING),
        get("/movements/{id}", "The movements of a lawsuit", of_lawsuit::<Movement>)
            .paged(OF_LAWSUIT)
            .explained(movements::OF_LAWSUIT),
        get("/last_movements", "The newest movement of each lawsuit", movements::last)
            .paged(movements::PAGE)
            .explained(movements::LAST),
        post("/lawsuits/movement", "Create a movement", Movement::create).explained(movements::CREATING),
        get("/lawsuits/movement/{id}", "Read a movement", read::<Movement>),
        put("/lawsuits/movement/{id}", "Change a movement", or_restore(Movement::change))
            .explained(customers::CHANGING),
        delete("/lawsuits/movement/{id}", "Delete a movement", trash::delete::<Movement>)
            .explained(trash::DELETING),
        get("/publications", "Search publications", search::<Publication>)
            .paged(publications::PAGE)
            .explained(publications::SEARCHING),
        post("/publications", "Merge captured publications", publications::merge)
            .taking(batch::LARGEST)
            .explained(publications::MERGING),
        get("/publications/{id}", "The publications of a lawsuit", of_lawsuit::<Publication>)
            .paged(OF_LAWSUIT)
            .explained(movements::OF_LAWSUIT),
        get("/lawsuits/publication/{id}", "Read a publication", read::<Publication>),
        put("/lawsuits/publication/{id}", "Change a publication", or_restore(Publication::change))
            .explained(publications::CHANGING),
        delete("/lawsuits/publication/{id}", "Delete a publication", trash::delete::<Publication>)
            .explained(trash::DELETING),
        get("/transactions", "Search transactions", transactions::search)
            .paged(transactions::PAGE)
            .explained(transactions::SEARCHING),
        post("/transactions", "Create a transaction", Transaction::create).explained(transactions::CREATING),
        get("/transactions/{id}", "Read a transaction", read::<Transaction>),
        put("/transactions/{id}", "Change a transaction", or_restore(Transaction::change))
            .explained(transactions::CHANGING),
        delete("/transactions/{id}", "Delete a transaction", trash::delete::<Transaction>)
            .explained(trash::DELETING),
        get("/documents", "Search documents", search::<Document>)
            .paged(documents::PAGE)
            .explained(documents::SEARCHING),
        post("/documents", "Upload a document", documents::upload)
            .takes_file()
            .explained(documents::UPLOADING),
        get("/documents/{id}", "Read a document", read::<Document>),
        put("/documents/{id}", "Change a document", or_restore(Document::change))
            .explained(customers::CHANGING),
        delete("/documents/{id}", "Delete a document", trash::delete::<Document>).explained(trash::DELETING),
        get("/documents/{id}/download", "Get an address of a document's content", documents::download)
            .explained(documents::DOWNLOADING),
        get("/documents/{id}/content", "Get a document's content", documents::content)
            .signed()
            .explained(documents::READING),
        get("/changes", "Follow what changes", changes::read).explained(changes::FOLLOWING),
        get("/webhooks", "List the webhooks", webhooks::list),
        post("/webhooks", "Create a webhook", webhooks::create).explained(webhooks::CREATING),
        get("/webhooks/{id}", "Read a webhook", webhooks::read),
        put("/webhooks/{id}", "Change a webhook", webhooks::change).explained(webhooks::CHANGING),
        delete("/webhooks/{id}", "Delete a webhook", webhooks::delete),
        post("/webhooks/{id}/secret", "Make a new secret", webhooks::renew).explained(webhooks::RENEWING),
        post("/webhooks/{id}/test", "Send a test message", webhooks::test).explained(webhooks::TESTING),
        get("/webhooks/{id}/deliveries", "The messages of a webhook", webhooks::deliveries)
            .explained(webhooks::DELIVERED),
        post("/webhooks/{id}/deliveries/{message}/retry", "Send a dead letter again", webhooks::retry),
        post("/webhooks/{id}/deliveries/{message}/dismiss", "Dismiss a dead letter", webhooks::dismiss),
        post("/webhooks/{id}/replay", "Send messages again", webhooks::replay).explained(webhooks::REPLAYING),
        get("/settings", "Read the reference lists", settings::read),
        post("/settings/users", "Add a user", settings::create::<User>),
        put("/settings/users/{id}", "Change a user", settings::change::<User>),
        post("/settings/origins", "Add an origin of customers", settings::create::<Origin>),
        put("/settings/origins/{id}", "Change an origin", settings::change::<Origin>),
        post("/settings/groups", "Add a group of lawsuit types", settings::create::<Group>),
        put("/settings/groups/{id}", "Change a group", settings::change::<Group>),
        post("/settings/type_lawsuits", "Add a lawsuit type", settings::create::<LawsuitType>),
        put("/settings/type_lawsuits/{id}", "Change a lawsuit type", settings::change::<LawsuitType>),
        post("/settings/steps", "Add a step", settings::create::<Step>),
        put("/settings/steps/{id}", "Change a step", settings::change::<Step>),
        post("/settings/stages", "Add a stage", settings::create::<Stage>),
        put("/settings/stages/{id}", "Change a stage", settings::change::<Stage>),
        post("/settings/tasks", "Add a task type", settings::create::<TaskType>),
        put("/settings/tasks/{id}", "Change a task type", settings::change::<TaskType>),
        post("/settings/banks", "Add an account", settings::create::<Bank>),
        put("/settings/banks/{id}", "Change an account", settings::change::<Bank>),
        post("/settings/categories", "Add a category", settings::create::<Category>),
        put("/settings/categories/{id}", "Change a category", settings::change::<Category>),
        post("/settings/cost_centers", "Add a cost center", settings::create::<CostCenter>),
        put("/settings/cost_centers/{id}", "Change a cost center", settings::change::<CostCenter>),
        post("/settings/departments", "Add a department", settings::create::<Department>),
        put("/settings/departments/{id}", "Change a department", settings::change::<Department>),
    ]
}
