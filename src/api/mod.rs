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
mod resources;
pub mod rows;
pub mod settings;
pub mod tasks;
pub mod transactions;
pub mod trash;
pub mod webhooks;

use crate::http::{RouteHandler, batch, delete, get, post, put};
use crate::records::{
    Bank, Category, CostCenter, Customer, Department, Document, Group, Kind, Lawsuit, LawsuitType, Movement,
    Origin, Publication, Stage, Step, Task, TaskType, Transaction, User,
};
use of_lawsuit::{PAGE as OF_LAWSUIT, of_lawsuit};
use pages::{InPages, Pages};
use record::{read, search};
pub use resources::RESOURCES;
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

/// The whole API.
pub fn routes() -> Vec<RouteHandler> {
    vec![
        get("/customers", ("Pesquisar clientes", "Search customers"), search::<Customer>)
            .paged(customers::PAGE)
            .explained(customers::SEARCHING),
        post("/customers", ("Cadastrar um cliente", "Create a customer"), Customer::create)
            .explained(customers::CREATING),
        get(
            "/customers/birthdays",
            ("Aniversariantes do mês", "Customers with a birthday in the month"),
            customers::birthdays,
        )
        .paged(customers::PAGE)
        .explained(customers::BIRTHDAYS),
        get("/customers/{id}", ("Ler um cliente", "Read a customer"), read::<Customer>),
        put("/customers/{id}", ("Alterar um cliente", "Change a customer"), or_restore(Customer::change))
            .explained(customers::CHANGING),
        delete("/customers/{id}", ("Excluir um cliente", "Delete a customer"), trash::delete::<Customer>)
            .explained(trash::DELETING),
        post(
            "/customers/{id}/merge",
            ("Unir outro cliente a este", "Merge another customer into this one"),
            customers::merge,
        )
        .explained(customers::MERGING),
        get("/lawsuits", ("Pesquisar processos", "Search lawsuits"), search::<Lawsuit>)
            .paged(lawsuits::PAGE)
            .explained(lawsuits::SEARCHING),
        post("/lawsuits", ("Cadastrar um processo", "Create a lawsuit"), Lawsuit::create)
            .explained(lawsuits::CREATING),
        get("/lawsuits/{id}", ("Ler um processo", "Read a lawsuit"), read::<Lawsuit>),
        put("/lawsuits/{id}", ("Alterar um processo", "Change a lawsuit"), or_restore(Lawsuit::change))
            .explained(customers::CHANGING),
        delete("/lawsuits/{id}", ("Excluir um processo", "Delete a lawsuit"), trash::delete::<Lawsuit>)
            .explained(trash::DELETING),
        get(
            "/processos",
            ("Pesquisar processos, por outro caminho", "Search lawsuits, by another name"),
            search::<Lawsuit>,
        )
        .paged(lawsuits::PAGE)
        .alias_of("/api/v1/lawsuits"),
        get("/posts", ("Pesquisar tarefas", "Search tasks"), search::<Task>)
            .paged(tasks::PAGE)
            .explained(tasks::SEARCHING),
        post("/posts", ("Criar uma tarefa", "Create a task"), Task::create).explained(tasks::CREATING),
        get("/posts/{id}", ("Ler uma tarefa", "Read a task"), read::<Task>),
        put("/posts/{id}", ("Alterar uma tarefa", "Change a task"), or_restore(Task::change))
            .explained(tasks::CHANGING),
        delete("/posts/{id}", ("Excluir uma tarefa", "Delete a task"), trash::delete::<Task>)
            .explained(trash::DELETING),
        put("/posts/{id}/complete", ("Concluir uma tarefa", "Say that a task is done"), tasks::complete)
            .explained(tasks::COMPLETING),
        put("/posts/{id}/reopen", ("Reabrir uma tarefa", "Say that a task is not done"), tasks::reopen)
            .explained(tasks::REOPENING),
        get("/history/{id}", ("As tarefas de um processo", "The tasks of a lawsuit"), history::read)
            .paged(history::PAGE),
        get(
            "/users/rewards",
            ("O que cada pessoa pontuou em um mês", "What users earned in a month"),
            rewards::read,
        )
        .explained(rewards::READING),
        get("/movements", ("Pesquisar andamentos", "Search movements"), search::<Movement>)
            .paged(movements::PAGE)
            .explained(movements::SEARCHING),
        post("/movements", ("Enviar andamentos capturados", "Merge captured movements"), movements::merge)
            .taking(batch::LARGEST)
            .explained(movements::MERGING),
        get(
            "/movements/{id}",
            ("Os andamentos de um processo", "The movements of a lawsuit"),
            of_lawsuit::<Movement>,
        )
        .paged(OF_LAWSUIT)
        .explained(movements::OF_LAWSUIT),
        get(
            "/last_movements",
            ("O andamento mais novo de cada processo", "The newest movement of each lawsuit"),
            movements::last,
        )
        .paged(movements::PAGE)
        .explained(movements::LAST),
        post("/lawsuits/movement", ("Cadastrar um andamento", "Create a movement"), Movement::create)
            .explained(movements::CREATING),
        get("/lawsuits/movement/{id}", ("Ler um andamento", "Read a movement"), read::<Movement>),
        put(
            "/lawsuits/movement/{id}",
            ("Alterar um andamento", "Change a movement"),
            or_restore(Movement::change),
        )
        .explained(customers::CHANGING),
        delete(
            "/lawsuits/movement/{id}",
            ("Excluir um andamento", "Delete a movement"),
            trash::delete::<Movement>,
        )
        .explained(trash::DELETING),
        get("/publications", ("Pesquisar publicações", "Search publications"), search::<Publication>)
            .paged(publications::PAGE)
            .explained(publications::SEARCHING),
        post(
            "/publications",
            ("Enviar publicações capturadas", "Merge captured publications"),
            publications::merge,
        )
        .taking(batch::LARGEST)
        .explained(publications::MERGING),
        get(
            "/publications/{id}",
            ("As publicações de um processo", "The publications of a lawsuit"),
            of_lawsuit::<Publication>,
        )
        .paged(OF_LAWSUIT)
        .explained(movements::OF_LAWSUIT),
        get("/lawsuits/publication/{id}", ("Ler uma publicação", "Read a publication"), read::<Publication>),
        put(
            "/lawsuits/publication/{id}",
            ("Alterar uma publicação", "Change a publication"),
            or_restore(Publication::change),
        )
        .explained(publications::CHANGING),
        delete(
            "/lawsuits/publication/{id}",
            ("Excluir uma publicação", "Delete a publication"),
            trash::delete::<Publication>,
        )
        .explained(trash::DELETING),
        get("/transactions", ("Pesquisar lançamentos", "Search transactions"), transactions::search)
            .paged(transactions::PAGE)
            .explained(transactions::SEARCHING),
        post("/transactions", ("Cadastrar um lançamento", "Create a transaction"), Transaction::create)
            .explained(transactions::CREATING),
        get("/transactions/{id}", ("Ler um lançamento", "Read a transaction"), read::<Transaction>),
        put(
            "/transactions/{id}",
            ("Alterar um lançamento", "Change a transaction"),
            or_restore(Transaction::change),
        )
        .explained(transactions::CHANGING),
        delete(
            "/transactions/{id}",
            ("Excluir um lançamento", "Delete a transaction"),
            trash::delete::<Transaction>,
        )
        .explained(trash::DELETING),
        get("/documents", ("Pesquisar documentos", "Search documents"), search::<Document>)
            .paged(documents::PAGE)
            .explained(documents::SEARCHING),
        post("/documents", ("Enviar um documento", "Upload a document"), documents::upload)
            .takes_file()
            .explained(documents::UPLOADING),
        get("/documents/{id}", ("Ler um documento", "Read a document"), read::<Document>),
        put("/documents/{id}", ("Alterar um documento", "Change a document"), or_restore(Document::change))
            .explained(customers::CHANGING),
        delete("/documents/{id}", ("Excluir um documento", "Delete a document"), trash::delete::<Document>)
            .explained(trash::DELETING),
        get(
            "/documents/{id}/download",
            ("Obter um endereço do conteúdo de um documento", "Get an address of a document's content"),
            documents::download,
        )
        .explained(documents::DOWNLOADING),
        get(
            "/documents/{id}/content",
            ("Obter o conteúdo de um documento", "Get a document's content"),
            documents::content,
        )
        .signed()
        .explained(documents::READING),
        get("/changes", ("Acompanhar o que muda", "Follow what changes"), changes::read)
            .waiting()
            .explained(changes::FOLLOWING),
        get("/webhooks", ("Listar os webhooks", "List the webhooks"), webhooks::list),
        post("/webhooks", ("Criar um webhook", "Create a webhook"), webhooks::create)
            .explained(webhooks::CREATING),
        get("/webhooks/{id}", ("Ler um webhook", "Read a webhook"), webhooks::read),
        put("/webhooks/{id}", ("Alterar um webhook", "Change a webhook"), webhooks::change)
            .explained(webhooks::CHANGING),
        delete("/webhooks/{id}", ("Excluir um webhook", "Delete a webhook"), webhooks::delete),
        post("/webhooks/{id}/secret", ("Gerar um novo segredo", "Make a new secret"), webhooks::renew)
            .explained(webhooks::RENEWING),
        post("/webhooks/{id}/test", ("Enviar uma mensagem de teste", "Send a test message"), webhooks::test)
            .explained(webhooks::TESTING),
        get(
            "/webhooks/{id}/deliveries",
            ("As mensagens de um webhook", "The messages of a webhook"),
            webhooks::deliveries,
        )
        .explained(webhooks::DELIVERED),
        post(
            "/webhooks/{id}/deliveries/{message}/retry",
            ("Reenviar uma mensagem não entregue", "Send a dead letter again"),
            webhooks::retry,
        ),
        post(
            "/webhooks/{id}/deliveries/{message}/dismiss",
            ("Dispensar uma mensagem não entregue", "Dismiss a dead letter"),
            webhooks::dismiss,
        ),
        post("/webhooks/{id}/replay", ("Enviar mensagens de novo", "Send messages again"), webhooks::replay)
            .explained(webhooks::REPLAYING),
        get("/settings", ("Ler as tabelas de apoio", "Read the reference lists"), settings::read),
        post("/settings/users", ("Incluir uma pessoa na equipe", "Add a user"), settings::create::<User>),
        put(
            "/settings/users/{id}",
            ("Alterar uma pessoa da equipe", "Change a user"),
            settings::change::<User>,
        ),
        post(
            "/settings/origins",
            ("Incluir uma origem de clientes", "Add an origin of customers"),
            settings::create::<Origin>,
        ),
        put("/settings/origins/{id}", ("Alterar uma origem", "Change an origin"), settings::change::<Origin>),
        post(
            "/settings/groups",
            ("Incluir um grupo de tipos de processo", "Add a group of lawsuit types"),
            settings::create::<Group>,
        ),
        put("/settings/groups/{id}", ("Alterar um grupo", "Change a group"), settings::change::<Group>),
        post(
            "/settings/type_lawsuits",
            ("Incluir um tipo de processo", "Add a lawsuit type"),
            settings::create::<LawsuitType>,
        ),
        put(
            "/settings/type_lawsuits/{id}",
            ("Alterar um tipo de processo", "Change a lawsuit type"),
            settings::change::<LawsuitType>,
        ),
        post("/settings/steps", ("Incluir uma etapa", "Add a step"), settings::create::<Step>),
        put("/settings/steps/{id}", ("Alterar uma etapa", "Change a step"), settings::change::<Step>),
        post("/settings/stages", ("Incluir uma fase", "Add a stage"), settings::create::<Stage>),
        put("/settings/stages/{id}", ("Alterar uma fase", "Change a stage"), settings::change::<Stage>),
        post(
            "/settings/tasks",
            ("Incluir um tipo de tarefa", "Add a task type"),
            settings::create::<TaskType>,
        ),
        put(
            "/settings/tasks/{id}",
            ("Alterar um tipo de tarefa", "Change a task type"),
            settings::change::<TaskType>,
        ),
        post("/settings/banks", ("Incluir uma conta", "Add an account"), settings::create::<Bank>),
        put("/settings/banks/{id}", ("Alterar uma conta", "Change an account"), settings::change::<Bank>),
        post(
            "/settings/categories",
            ("Incluir uma categoria", "Add a category"),
            settings::create::<Category>,
        ),
        put(
            "/settings/categories/{id}",
            ("Alterar uma categoria", "Change a category"),
            settings::change::<Category>,
        ),
        post(
            "/settings/cost_centers",
            ("Incluir um centro de custo", "Add a cost center"),
            settings::create::<CostCenter>,
        ),
        put(
            "/settings/cost_centers/{id}",
            ("Alterar um centro de custo", "Change a cost center"),
            settings::change::<CostCenter>,
        ),
        post(
            "/settings/departments",
            ("Incluir um setor", "Add a department"),
            settings::create::<Department>,
        ),
        put(
            "/settings/departments/{id}",
            ("Alterar um setor", "Change a department"),
            settings::change::<Department>,
        ),
    ]
}
