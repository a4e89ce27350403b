//! The rows of the tools that write.

use super::{ID, Manner, RESOURCE, Tool, ToolWrite, Writing};
use crate::domain::Bilingual;
use crate::records::Kind;

/// All tools that write, in the order in which assistants see them.
pub const WRITING_TOOLS: &[Tool] = &[
    Tool::writing(
        "save_person",
        ("Gravar pessoa", "Save a person"),
        (
            "Altera um cliente por `id` ou `match`; sem eles, encontra um pelo documento, no qual só preenche o vazio, ou o cadastra: com `name`, `users_id` (quem atende) e `customers_origins_id`. Só mudam os \
             campos informados; um texto vazio esvazia. Não para anotações: `add_note`.",
            "Changes a customer by `id` or `match`; without them, finds one by its document, where it only fills what is empty, or creates it: with `name`, `users_id` (who serves it) and `customers_origins_id`. Changes only \
             the members given; an empty text empties one. Not for notes: `add_note`.",
        ),
        Writing {
            routes: &[
                ToolWrite::of("updateCustomer", Kind::Customer).by(ID).at(ID),
                ToolWrite::of("findOrCreateCustomer", Kind::Customer).by("match").defaults(UPDATE),
                ToolWrite::of("findOrCreateCustomer", Kind::Customer).by("identification").defaults(FILL),
                ToolWrite::of("createCustomer", Kind::Customer),
            ],
            is_destructive: true,
            is_idempotent: false,
        },
    ),
    Tool::writing(
        "save_case",
        ("Gravar processo", "Save a case"),
        (
            "Altera um processo por `id` ou `match`; sem eles, encontra um pelo número, no qual só preenche o vazio, ou o cadastra. Só mudam os \
             campos informados; listas são trocadas inteiras. Antes de cadastrar, veja `conflicts`. Não para andamentos: `add_note`.",
            "Changes a case by `id` or `match`; without them, finds one by its number, where it only fills what is empty, or creates it. Changes only the \
             members given; lists are replaced as a whole. See `conflicts` before creating one. Not for movements: `add_note`.",
        ),
        Writing {
            routes: &[
                ToolWrite::of("updateLawsuit", Kind::Lawsuit).by(ID).at(ID),
                ToolWrite::of("findOrCreateLawsuit", Kind::Lawsuit).by("match").defaults(UPDATE),
                ToolWrite::of("findOrCreateLawsuit", Kind::Lawsuit).by("process_number").defaults(FILL),
                ToolWrite::of("createLawsuit", Kind::Lawsuit),
            ],
            is_destructive: true,
            is_idempotent: false,
        },
    ),
    Tool::writing(
        "add_task",
        ("Criar tarefa", "Add a task"),
        (
            "Cria uma tarefa, audiência ou prazo para alguém. Uma igual a outra em aberto é recusada. Não para concluir uma: \
             `complete_task`.",
            "Creates a task, hearing or deadline for a user. One that equals an open one is refused. Not to complete one: \
             `complete_task`.",
        ),
        Writing {
            routes: &[ToolWrite::of("createTask", Kind::Task)],
            is_destructive: false,
            is_idempotent: false,
        },
    ),
    Tool::writing(
        "complete_task",
        ("Concluir tarefa", "Complete a task"),
        (
            "Marca uma tarefa como feita, por todos os responsáveis ou por alguns, quando a pessoa diz que está feita. Não para apagar: `delete`.",
            "Marks a task as done, by everyone it is assigned to or by some. Only when the person says that it is done. Not to \
             remove one: `delete`.",
        ),
        Writing {
            routes: &[ToolWrite::of("completeTask", Kind::Task).at(ID)],
            is_destructive: false,
            is_idempotent: true,
        },
    ),
    Tool::writing(
        "add_note",
        ("Anotar", "Add a note"),
        (
            "Anota: com `lawsuit_id`, um andamento do processo, no dia `date`; com `customer_id`, sem `date`, abaixo das anotações do cliente, \
             que ficam. Não para tarefas: `add_task`.",
            "Adds a note: with `lawsuit_id`, a movement of the case, on the day `date`; with `customer_id`, without `date`, below the customer's \
             notes, which stay. Not for tasks: `add_task`.",
        ),
        Writing {
            routes: &[
                ToolWrite::of("createMovement", Kind::Movement)
                    .by("lawsuit_id")
                    .arguments(&[("lawsuit_id", "lawsuit_id"), ("text", "description"), ("date", "date")])
                    .required(&["text"]),
                ToolWrite::of("updateCustomer", Kind::Customer)
                    .by("customer_id")
                    .at("customer_id")
                    .arguments(&[("text", "notes")])
                    .required(&["text"])
                    .manner(Manner::Appending { to: "notes", reads: "getCustomer" }),
            ],
            is_destructive: false,
            is_idempotent: false,
        },
    ),
    Tool::writing(
        "treat_publication",
        ("Tratar publicação", "Treat a publication"),
        (
            "Marca uma publicação como tratada, ou com `treated: false` de novo a tratar. Depois de criada a tarefa que ela pede: \
             `add_task` com `publications_id`. Não para ler: `publications`.",
            "Marks a publication as treated or, with `treated: false`, as to be treated again. After the task that it demands was \
             created: `add_task` with `publications_id`. Not to read one: `publications`.",
        ),
        Writing {
            routes: &[ToolWrite::of("updatePublication", Kind::Publication)
                .at(ID)
                .arguments(&[("treated", "treated"), ("users_id", "users_id")])
                .defaults(&[("treated", "true")])],
            is_destructive: false,
            is_idempotent: true,
        },
    ),
    Tool::writing(
        "record_payment",
        ("Registrar pagamento", "Record a payment"),
        (
            "Registra que um lançamento foi recebido ou pago, inteiro ou em parte; o que falta fica como resto. Não cria lançamentos.",
            "Records that a transaction was received or paid, in full or in part; what is left becomes a rest. Not to create \
             transactions.",
        ),
        Writing {
            routes: &[ToolWrite::of("payTransaction", Kind::Transaction).at(ID)],
            is_destructive: true,
            is_idempotent: true,
        },
    ),
    Tool::writing(
        "delete",
        ("Excluir", "Delete"),
        (
            "Leva um registro para a lixeira, com o motivo. Duas chamadas: a primeira mostra o registro e dá `confirmation`; a segunda, em dois \
             minutos e com os mesmos argumentos, exclui. Entre elas, pergunte à pessoa. Não para concluir: `complete_task`.",
            "Moves a record to the trash, with the reason. It takes two calls: the first shows the record and gives \
             `confirmation`; the second, within two minutes and with the same arguments, deletes it. Ask the person between \
             them. Not to complete one: `complete_task`.",
        ),
        Writing {
            routes: &[
                ToolWrite::deleting("deleteCustomer", Kind::Customer, "getCustomer"),
                ToolWrite::deleting("deleteLawsuit", Kind::Lawsuit, "getLawsuit"),
                ToolWrite::deleting("deleteTask", Kind::Task, "getTask"),
                ToolWrite::deleting("deletePublication", Kind::Publication, "getPublication"),
                ToolWrite::deleting("deleteMovement", Kind::Movement, "getMovement"),
                ToolWrite::deleting("deleteTransaction", Kind::Transaction, "getTransaction"),
                ToolWrite::deleting("deleteDocument", Kind::Document, "getDocument"),
                ToolWrite::deleting("deleteHoliday", Kind::Holiday, "getHoliday"),
            ],
            is_destructive: true,
            is_idempotent: true,
        },
    ),
];

/// A record that is found gets the members of the call.
const UPDATE: &[(&str, &str)] = &[("existing", "update")];

/// A record that is found gets those that are empty: a slip in a number would overwrite another person.
const FILL: &[(&str, &str)] = &[("existing", "fill")];

impl Tool {
    const fn writing(name: &'static str, title: Bilingual, about: Bilingual, writing: Writing) -> Tool {
        Tool { name, title, about, lists: &[], otherwise: None, record: None, writing: Some(writing) }
    }
}

impl ToolWrite {
    const fn of(route: &'static str, kind: Kind) -> ToolWrite {
        let manner = Manner::Plain;
        ToolWrite {
            route,
            kind,
            by: None,
            path_id: None,
            arguments: &[],
            defaults: &[],
            required: &[],
            manner,
        }
    }

    const fn deleting(route: &'static str, kind: Kind, reads: &'static str) -> ToolWrite {
        ToolWrite::of(route, kind)
            .by(RESOURCE)
            .at(ID)
            .arguments(&[("reason", "reason")])
            .required(&["reason"])
            .manner(Manner::Confirmed { reads })
    }

    const fn by(self, argument: &'static str) -> ToolWrite {
        ToolWrite { by: Some(argument), ..self }
    }

    /// Makes an argument the id in the path.
    const fn at(self, argument: &'static str) -> ToolWrite {
        ToolWrite { path_id: Some(argument), ..self }
    }

    const fn arguments(self, arguments: &'static [(&'static str, &'static str)]) -> ToolWrite {
        ToolWrite { arguments, ..self }
    }

    const fn defaults(self, defaults: &'static [(&'static str, &'static str)]) -> ToolWrite {
        ToolWrite { defaults, ..self }
    }

    const fn required(self, required: &'static [&'static str]) -> ToolWrite {
        ToolWrite { required, ..self }
    }

    const fn manner(self, manner: Manner) -> ToolWrite {
        ToolWrite { manner, ..self }
    }
}
