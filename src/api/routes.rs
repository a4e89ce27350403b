//! The route table of the API: every route of the contract, with the operation id that generated clients use.

pub(super) mod nouns;
pub(super) mod resources;

mod changes_conflicts_deadlines;
mod holidays;
mod lists;
mod movements_and_publications;
mod record_routes;
mod webhooks;

use record_routes::{finding, of_record};

use super::console_pages::InPages;
use super::record::{self, search};
use super::tasks::{history, rewards};
use super::transactions::NewTransactions;
use super::{customers, documents, lawsuits, tasks, transactions};
use crate::http::{Draft, RouteHandler, get, post, put};
use crate::records::Access::{Anyone, Manage, Read, Write};
use crate::records::{Customer, Document, Kind, Lawsuit, Record, Task, Transaction};

pub fn routes() -> Vec<RouteHandler> {
    let mut all = vec![
        get(
            "/customers",
            "listCustomers",
            Read(Kind::Customer),
            ("Pesquisar clientes", "Search customers"),
            search::<Customer>,
        )
        .in_cloud()
        .paged(customers::MAX_PAGE_SIZE)
        .explained(customers::SEARCHING),
        post(
            "/customers",
            "createCustomer",
            Write(Kind::Customer),
            ("Cadastrar um cliente", "Create a customer"),
            Customer::create,
        )
        .in_cloud()
        .explained(customers::CREATING),
        finding::<Draft<Customer>>(
            "/customers",
            "findOrCreateCustomer",
            ("Encontrar ou cadastrar clientes", "Find or create customers"),
        ),
        get(
            "/customers/birthdays",
            "listBirthdays",
            Read(Kind::Customer),
            ("Aniversariantes do mês", "Customers with a birthday in the month"),
            customers::birthdays,
        )
        .in_cloud()
        .paged(customers::MAX_PAGE_SIZE)
        .explained(customers::BIRTHDAYS),
        get(
            "/customers/similar",
            "listSimilarCustomers",
            Read(Kind::Customer),
            ("Clientes de nome parecido", "Customers with a similar name"),
            customers::similar,
        )
        .looking_up(Customer::TABLE)
        .explained(customers::SIMILAR),
    ];
    all.extend(
        of_record!("/customers/{id}" Customer: "um cliente" / "a customer", record::CHANGING, in_cloud),
    );
    all.extend([
        post(
            "/customers/{id}/merge",
            "mergeCustomers",
            Manage(Kind::Customer),
            ("Unir outro cliente a este", "Merge another customer into this one"),
            customers::merge,
        )
        .explained(customers::MERGING),
        post(
            "/customers/{id}/merge/undo",
            "undoMerge",
            Manage(Kind::Customer),
            ("Desfazer a união deste cliente a outro", "Undo the merge of this customer into another one"),
            customers::undo_merge,
        )
        .explained(customers::UNDOING),
        get(
            "/lawsuits",
            "listLawsuits",
            Read(Kind::Lawsuit),
            ("Pesquisar processos", "Search lawsuits"),
            search::<Lawsuit>,
        )
        .in_cloud()
        .paged(lawsuits::MAX_PAGE_SIZE)
        .explained(lawsuits::SEARCHING),
        post(
            "/lawsuits",
            "createLawsuit",
            Write(Kind::Lawsuit),
            ("Cadastrar um processo", "Create a lawsuit"),
            Lawsuit::create,
        )
        .in_cloud()
        .explained(lawsuits::CREATING),
        finding::<Draft<Lawsuit>>(
            "/lawsuits",
            "findOrCreateLawsuit",
            ("Encontrar ou cadastrar processos", "Find or create lawsuits"),
        ),
    ]);
    all.extend(of_record!("/lawsuits/{id}" Lawsuit: "um processo" / "a lawsuit", record::CHANGING, in_cloud));
    all.extend([
        get(
            "/processos",
            "listProcessos",
            Read(Kind::Lawsuit),
            ("Pesquisar processos, por outro caminho", "Search lawsuits, under another path"),
            search::<Lawsuit>,
        )
        .in_cloud()
        .paged(lawsuits::MAX_PAGE_SIZE)
        .alias_of("/api/v1/lawsuits"),
        get("/posts", "listTasks", Read(Kind::Task), ("Pesquisar tarefas", "Search tasks"), search::<Task>)
            .in_cloud()
            .paged(tasks::MAX_PAGE_SIZE)
            .explained(tasks::SEARCHING),
        post("/posts", "createTask", Write(Kind::Task), ("Criar uma tarefa", "Create a task"), Task::create)
            .in_cloud()
            .explained(tasks::CREATING),
        finding::<Draft<Task>>(
            "/posts",
            "findOrCreateTask",
            ("Encontrar ou criar tarefas", "Find or create tasks"),
        ),
    ]);
    all.extend(of_record!("/posts/{id}" Task: "uma tarefa" / "a task", tasks::CHANGING));
    all.extend([
        put(
            "/posts/{id}/complete",
            "completeTask",
            Write(Kind::Task),
            ("Concluir uma tarefa", "Complete a task"),
            tasks::complete,
        )
        .explained(tasks::COMPLETING),
        put(
            "/posts/{id}/reopen",
            "reopenTask",
            Write(Kind::Task),
            ("Reabrir uma tarefa", "Reopen a task"),
            tasks::reopen,
        )
        .explained(tasks::REOPENING),
        get(
            "/history/{id}",
            "listTasksOfLawsuit",
            Read(Kind::Task),
            ("As tarefas de um processo", "The tasks of a lawsuit"),
            history::read,
        )
        .in_cloud()
        .also(Read(Kind::Lawsuit))
        .paged(history::MAX_PAGE_SIZE),
        get(
            "/users/rewards",
            "getRewards",
            Read(Kind::Task),
            ("O que cada pessoa pontuou em um mês", "Read the points that users earned in a month"),
            rewards::read,
        )
        .in_cloud()
        .explained(rewards::READING),
    ]);
    all.extend(movements_and_publications::routes());
    let [reading, changing, deleting] = of_record!(
        "/transactions/{id}" Transaction: "um lançamento" / "a transaction", transactions::CHANGING, in_cloud
    );
    all.extend([
        get(
            "/transactions",
            "listTransactions",
            Read(Kind::Transaction),
            ("Pesquisar lançamentos", "Search transactions"),
            transactions::search,
        )
        .in_cloud()
        .paged(transactions::MAX_PAGE_SIZE)
        .explained(transactions::SEARCHING),
        post(
            "/transactions",
            "createTransaction",
            Write(Kind::Transaction),
            ("Cadastrar um lançamento", "Create a transaction"),
            transactions::create,
        )
        .in_cloud()
        .explained(transactions::CREATING),
        finding::<NewTransactions>(
            "/transactions",
            "findOrCreateTransaction",
            ("Encontrar ou cadastrar lançamentos", "Find or create transactions"),
        ),
        reading,
        changing,
        put(
            "/transactions/{id}/payment",
            "payTransaction",
            Write(Kind::Transaction),
            ("Receber ou pagar um lançamento", "Record the payment of a transaction"),
            transactions::pay,
        )
        .once()
        .explained(transactions::PAYING),
        deleting,
        get(
            "/documents",
            "listDocuments",
            Read(Kind::Document),
            ("Pesquisar documentos", "Search documents"),
            search::<Document>,
        )
        .in_cloud()
        .paged(documents::MAX_PAGE_SIZE)
        .explained(documents::SEARCHING),
        post(
            "/documents",
            "uploadDocument",
            Write(Kind::Document),
            ("Enviar um documento", "Upload a document"),
            documents::upload,
        )
        .takes_file()
        .explained(documents::UPLOADING),
    ]);
    all.extend(of_record!("/documents/{id}" Document: "um documento" / "a document", record::CHANGING));
    all.extend([
        get(
            "/documents/{id}/download",
            "getDocumentAddress",
            Read(Kind::Document),
            ("Obter um endereço do conteúdo de um documento", "Get an address of a document's content"),
            documents::download,
        )
        .in_cloud()
        .explained(documents::DOWNLOADING),
        get(
            "/documents/{id}/content",
            "getDocumentContent",
            Read(Kind::Document),
            ("Obter o conteúdo de um documento", "Get a document's content"),
            documents::content,
        )
        .signed()
        .explained(documents::READING),
    ]);
    all.extend(holidays::routes());
    all.extend(changes_conflicts_deadlines::routes());
    all.extend(webhooks::routes());
    all.extend([get(
        "/settings",
        "getSettings",
        Anyone,
        ("Ler as tabelas de apoio", "Read the reference lists"),
        super::lists::read,
    )
    .in_cloud()]);
    all.extend(lists::routes());
    all
}
