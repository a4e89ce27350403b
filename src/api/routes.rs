//! The API on one screen: every route of the contract, with the id that generated clients call it by.

mod lists;

use super::of_lawsuit::{PAGE as OF_LAWSUIT, of_lawsuit};
use super::pages::InPages;
use super::record::{read, search};
use super::tasks::{history, rewards};
use super::trash::or_restore;
use super::{changes, customers, documents, lawsuits, movements, publications};
use super::{settings, tasks, transactions, trash, webhooks};
use crate::http::{RouteHandler, batch, delete, get, post, put};
use crate::records::{Customer, Document, Lawsuit, Movement, Publication, Task, Transaction};

/// The whole API.
pub fn routes() -> Vec<RouteHandler> {
    let mut all = vec![
        get("/customers", "listCustomers", ("Pesquisar clientes", "Search customers"), search::<Customer>)
            .paged(customers::PAGE)
            .explained(customers::SEARCHING),
        post("/customers", "createCustomer", ("Cadastrar um cliente", "Create a customer"), Customer::create)
            .explained(customers::CREATING),
        get(
            "/customers/birthdays",
            "listBirthdays",
            ("Aniversariantes do mês", "Customers with a birthday in the month"),
            customers::birthdays,
        )
        .paged(customers::PAGE)
        .explained(customers::BIRTHDAYS),
        get("/customers/{id}", "getCustomer", ("Ler um cliente", "Read a customer"), read::<Customer>),
        put(
            "/customers/{id}",
            "updateCustomer",
            ("Alterar um cliente", "Change a customer"),
            or_restore(Customer::change),
        )
        .explained(customers::CHANGING),
        delete(
            "/customers/{id}",
            "deleteCustomer",
            ("Excluir um cliente", "Delete a customer"),
            trash::delete::<Customer>,
        )
        .explained(trash::DELETING),
        post(
            "/customers/{id}/merge",
            "mergeCustomers",
            ("Unir outro cliente a este", "Merge another customer into this one"),
            customers::merge,
        )
        .explained(customers::MERGING),
        get("/lawsuits", "listLawsuits", ("Pesquisar processos", "Search lawsuits"), search::<Lawsuit>)
            .paged(lawsuits::PAGE)
            .explained(lawsuits::SEARCHING),
        post("/lawsuits", "createLawsuit", ("Cadastrar um processo", "Create a lawsuit"), Lawsuit::create)
            .explained(lawsuits::CREATING),
        get("/lawsuits/{id}", "getLawsuit", ("Ler um processo", "Read a lawsuit"), read::<Lawsuit>),
        put(
            "/lawsuits/{id}",
            "updateLawsuit",
            ("Alterar um processo", "Change a lawsuit"),
            or_restore(Lawsuit::change),
        )
        .explained(customers::CHANGING),
        delete(
            "/lawsuits/{id}",
            "deleteLawsuit",
            ("Excluir um processo", "Delete a lawsuit"),
            trash::delete::<Lawsuit>,
        )
        .explained(trash::DELETING),
        get(
            "/processos",
            "listProcessos",
            ("Pesquisar processos, por outro caminho", "Search lawsuits, by another name"),
            search::<Lawsuit>,
        )
        .paged(lawsuits::PAGE)
        .alias_of("/api/v1/lawsuits"),
        get("/posts", "listTasks", ("Pesquisar tarefas", "Search tasks"), search::<Task>)
            .paged(tasks::PAGE)
            .explained(tasks::SEARCHING),
        post("/posts", "createTask", ("Criar uma tarefa", "Create a task"), Task::create)
            .explained(tasks::CREATING),
        get("/posts/{id}", "getTask", ("Ler uma tarefa", "Read a task"), read::<Task>),
        put("/posts/{id}", "updateTask", ("Alterar uma tarefa", "Change a task"), or_restore(Task::change))
            .explained(tasks::CHANGING),
        delete("/posts/{id}", "deleteTask", ("Excluir uma tarefa", "Delete a task"), trash::delete::<Task>)
            .explained(trash::DELETING),
        put(
            "/posts/{id}/complete",
            "completeTask",
            ("Concluir uma tarefa", "Say that a task is done"),
            tasks::complete,
        )
        .explained(tasks::COMPLETING),
        put(
            "/posts/{id}/reopen",
            "reopenTask",
            ("Reabrir uma tarefa", "Say that a task is not done"),
            tasks::reopen,
        )
        .explained(tasks::REOPENING),
        get(
            "/history/{id}",
            "listTasksOfLawsuit",
            ("As tarefas de um processo", "The tasks of a lawsuit"),
            history::read,
        )
        .paged(history::PAGE),
        get(
            "/users/rewards",
            "getRewards",
            ("O que cada pessoa pontuou em um mês", "What users earned in a month"),
            rewards::read,
        )
        .explained(rewards::READING),
        get("/movements", "listMovements", ("Pesquisar andamentos", "Search movements"), search::<Movement>)
            .paged(movements::PAGE)
            .explained(movements::SEARCHING),
        post(
            "/movements",
            "mergeMovements",
            ("Enviar andamentos capturados", "Merge captured movements"),
            movements::merge,
        )
        .taking(batch::LARGEST)
        .explained(movements::MERGING),
        get(
            "/movements/{id}",
            "listMovementsOfLawsuit",
            ("Os andamentos de um processo", "The movements of a lawsuit"),
            of_lawsuit::<Movement>,
        )
        .paged(OF_LAWSUIT)
        .explained(movements::OF_LAWSUIT),
        get(
            "/last_movements",
            "listLastMovements",
            ("O andamento mais novo de cada processo", "The newest movement of each lawsuit"),
            movements::last,
        )
        .paged(movements::PAGE)
        .explained(movements::LAST),
        post(
            "/lawsuits/movement",
            "createMovement",
            ("Cadastrar um andamento", "Create a movement"),
            Movement::create,
        )
        .explained(movements::CREATING),
        get(
            "/lawsuits/movement/{id}",
            "getMovement",
            ("Ler um andamento", "Read a movement"),
            read::<Movement>,
        ),
        put(
            "/lawsuits/movement/{id}",
            "updateMovement",
            ("Alterar um andamento", "Change a movement"),
            or_restore(Movement::change),
        )
        .explained(customers::CHANGING),
        delete(
            "/lawsuits/movement/{id}",
            "deleteMovement",
            ("Excluir um andamento", "Delete a movement"),
            trash::delete::<Movement>,
        )
        .explained(trash::DELETING),
        get(
            "/publications",
            "listPublications",
            ("Pesquisar publicações", "Search publications"),
            search::<Publication>,
        )
        .paged(publications::PAGE)
        .explained(publications::SEARCHING),
        post(
            "/publications",
            "mergePublications",
            ("Enviar publicações capturadas", "Merge captured publications"),
            publications::merge,
        )
        .taking(batch::LARGEST)
        .explained(publications::MERGING),
        get(
            "/publications/{id}",
            "listPublicationsOfLawsuit",
            ("As publicações de um processo", "The publications of a lawsuit"),
            of_lawsuit::<Publication>,
        )
        .paged(OF_LAWSUIT)
        .explained(movements::OF_LAWSUIT),
        get(
            "/lawsuits/publication/{id}",
            "getPublication",
            ("Ler uma publicação", "Read a publication"),
            read::<Publication>,
        ),
        put(
            "/lawsuits/publication/{id}",
            "updatePublication",
            ("Alterar uma publicação", "Change a publication"),
            or_restore(Publication::change),
        )
        .explained(publications::CHANGING),
        delete(
            "/lawsuits/publication/{id}",
            "deletePublication",
            ("Excluir uma publicação", "Delete a publication"),
            trash::delete::<Publication>,
        )
        .explained(trash::DELETING),
        get(
            "/transactions",
            "listTransactions",
            ("Pesquisar lançamentos", "Search transactions"),
            transactions::search,
        )
        .paged(transactions::PAGE)
        .explained(transactions::SEARCHING),
        post(
            "/transactions",
            "createTransaction",
            ("Cadastrar um lançamento", "Create a transaction"),
            transactions::create,
        )
        .explained(transactions::CREATING),
        get(
            "/transactions/{id}",
            "getTransaction",
            ("Ler um lançamento", "Read a transaction"),
            read::<Transaction>,
        ),
        put(
            "/transactions/{id}",
            "updateTransaction",
            ("Alterar um lançamento", "Change a transaction"),
            or_restore(Transaction::change),
        )
        .explained(transactions::CHANGING),
        delete(
            "/transactions/{id}",
            "deleteTransaction",
            ("Excluir um lançamento", "Delete a transaction"),
            trash::delete::<Transaction>,
        )
        .explained(trash::DELETING),
        get("/documents", "listDocuments", ("Pesquisar documentos", "Search documents"), search::<Document>)
            .paged(documents::PAGE)
            .explained(documents::SEARCHING),
        post("/documents", "uploadDocument", ("Enviar um documento", "Upload a document"), documents::upload)
            .takes_file()
            .explained(documents::UPLOADING),
        get("/documents/{id}", "getDocument", ("Ler um documento", "Read a document"), read::<Document>),
        put(
            "/documents/{id}",
            "updateDocument",
            ("Alterar um documento", "Change a document"),
            or_restore(Document::change),
        )
        .explained(customers::CHANGING),
        delete(
            "/documents/{id}",
            "deleteDocument",
            ("Excluir um documento", "Delete a document"),
            trash::delete::<Document>,
        )
        .explained(trash::DELETING),
        get(
            "/documents/{id}/download",
            "getDocumentAddress",
            ("Obter um endereço do conteúdo de um documento", "Get an address of a document's content"),
            documents::download,
        )
        .explained(documents::DOWNLOADING),
        get(
            "/documents/{id}/content",
            "getDocumentContent",
            ("Obter o conteúdo de um documento", "Get a document's content"),
            documents::content,
        )
        .signed()
        .explained(documents::READING),
        get("/changes", "listChanges", ("Acompanhar o que muda", "Follow what changes"), changes::read)
            .waiting()
            .explained(changes::FOLLOWING),
        get("/webhooks", "listWebhooks", ("Listar os webhooks", "List the webhooks"), webhooks::list),
        post("/webhooks", "createWebhook", ("Criar um webhook", "Create a webhook"), webhooks::create)
            .explained(webhooks::CREATING),
        get("/webhooks/{id}", "getWebhook", ("Ler um webhook", "Read a webhook"), webhooks::read),
        put("/webhooks/{id}", "updateWebhook", ("Alterar um webhook", "Change a webhook"), webhooks::change)
            .explained(webhooks::CHANGING),
        delete(
            "/webhooks/{id}",
            "deleteWebhook",
            ("Excluir um webhook", "Delete a webhook"),
            webhooks::delete,
        ),
        post(
            "/webhooks/{id}/secret",
            "renewWebhookSecret",
            ("Gerar um novo segredo", "Make a new secret"),
            webhooks::renew,
        )
        .explained(webhooks::RENEWING),
        post(
            "/webhooks/{id}/test",
            "testWebhook",
            ("Enviar uma mensagem de teste", "Send a test message"),
            webhooks::test,
        )
        .explained(webhooks::TESTING),
        get(
            "/webhooks/{id}/deliveries",
            "listDeliveries",
            ("As mensagens de um webhook", "The messages of a webhook"),
            webhooks::deliveries,
        )
        .explained(webhooks::DELIVERED),
        post(
            "/webhooks/{id}/deliveries/{message}/retry",
            "retryDelivery",
            ("Reenviar uma mensagem não entregue", "Send a dead letter again"),
            webhooks::retry,
        ),
        post(
            "/webhooks/{id}/deliveries/{message}/dismiss",
            "dismissDelivery",
            ("Dispensar uma mensagem não entregue", "Dismiss a dead letter"),
            webhooks::dismiss,
        ),
        post(
            "/webhooks/{id}/replay",
            "replayWebhook",
            ("Enviar mensagens de novo", "Send messages again"),
            webhooks::replay,
        )
        .explained(webhooks::REPLAYING),
        get(
            "/settings",
            "getSettings",
            ("Ler as tabelas de apoio", "Read the reference lists"),
            settings::read,
        ),
    ];
    all.extend(lists::routes());
    all
}
