//! The rows of the tools.

use super::{Always, LIST, PATH_ID, Tool, ToolList, ToolRecord};
use crate::records::Access;

/// Also finds names of which a search has only some words, if the whole name was not found.
const PARTS_OF_NAMES: Always = |_| &[("threshold", "0.5")];
const NEWEST_FIRST: Always = |_| &[("order", "desc")];
const NEWEST_FIRST_WITH_SUMS: Always = |_| &[("sums", "true"), ("order", "desc")];

/// All tools, in the order in which assistants see them.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "people",
        title: ("Pessoas", "People"),
        about: (
            "Encontra clientes por nome, mesmo escrito errado, documento, telefone, e-mail, cidade, profissão ou mês de aniversário, mas \
             não pelas anotações (`only_similar`: ninguém tem todas as palavras); com `id`, uma pessoa com seus processos, tarefas, dinheiro e \
             nomes de documentos. Não para conflitos de interesses: `conflicts`.",
            "Finds customers by name, also misspelt, document, phone, e-mail, city, occupation or month of birth, but not by notes \
             (`only_similar`: no one has all words); with `id`, one person with cases, tasks, money and names of documents. Not to check for \
             a conflict of interest: `conflicts`.",
        ),
        lists: &[
            ToolList::of("listBirthdays", &[]).renamed("birth_month", "month").by("birth_month"),
            ToolList::of(
                "listCustomers",
                &["name", "identification", "phone", "email", "city", "occupation", "situation", "origin"],
            ),
        ],
        otherwise: Some(
            &ToolList::of("listSimilarCustomers", &["name", "identification", "phone", "email"])
                .by("name")
                .always(PARTS_OF_NAMES),
        ),
        record: Some(ToolRecord {
            route: "getCustomer",
            related: &[
                ToolList::of_record("listLawsuits", "customer_id").always(NEWEST_FIRST),
                ToolList::of_record("listTasks", "customer_id").sorted_by("date"),
                ToolList::of_record("listTransactions", "customer_id").always(NEWEST_FIRST_WITH_SUMS),
                ToolList::of_record("listDocuments", "customer_id").always(NEWEST_FIRST),
            ],
        }),
        ..Tool::READING
    },
    Tool {
        name: "cases",
        title: ("Processos", "Cases"),
        about: (
            "Encontra processos por número, cliente, parte contrária, tipo, fase ou responsável; com `id`, um processo com \
             andamentos, publicações, tarefas, dinheiro e nomes de documentos. Não para prazos de vários processos: `agenda`.",
            "Finds cases by number, customer, opposing party, type, stage or responsible user; with `id`, one case with \
             movements, publications, tasks, money and names of documents. Not for deadlines of several cases: `agenda`.",
        ),
        lists: &[
            ToolList::of("checkConflicts", &["open"])
                .renamed("opposing_party", "name")
                .by("opposing_party")
                .always(|_| &[("as", "customer")]),
            ToolList::of(
                "listLawsuits",
                &[
                    "process_number",
                    "name",
                    "customer_id",
                    "identification",
                    "type",
                    "group",
                    "stage",
                    "step",
                    "responsible",
                    "open",
                ],
            ),
        ],
        otherwise: Some(
            &ToolList::of("checkConflicts", &["open"])
                .renamed("opposing_party", "name")
                .by("opposing_party")
                .always(|_| &[("as", "customer"), ("threshold", "0.5")]),
        ),
        record: Some(ToolRecord {
            route: "getLawsuit",
            related: &[
                ToolList::of_record("listMovementsOfLawsuit", PATH_ID),
                ToolList::of_record("listPublicationsOfLawsuit", PATH_ID),
                ToolList::of_record("listTasks", "lawsuit_id").sorted_by("date"),
                ToolList::of_record("listTransactions", "lawsuit_id").always(NEWEST_FIRST_WITH_SUMS),
                ToolList::of_record("listDocuments", "lawsuit_id").always(NEWEST_FIRST),
            ],
        }),
        ..Tool::READING
    },
    Tool {
        name: "agenda",
        title: ("Agenda e prazos", "Agenda and deadlines"),
        about: (
            "Tarefas, audiências e prazos por dia e pessoa; só o que falta fazer, se `status` não diz outra coisa. O que venceu: \
             `deadline_end` de ontem. Não para andamentos do tribunal: `cases`.",
            "Tasks, hearings and deadlines by day and person; only what is still to be done, unless `status` says otherwise. \
             Overdue: `deadline_end` of yesterday. Not for movements at court: `cases`.",
        ),
        lists: &[ToolList::of(
            "listTasks",
            &[
                "date_start",
                "date_end",
                "deadline_start",
                "deadline_end",
                "user_name",
                "status",
                "lawsuit_id",
                "customer_id",
            ],
        )
        .renamed("task_type", "task_id")
        .sorted_by("date")],
        record: Some(ToolRecord { route: "getTask", related: &[] }),
        ..Tool::READING
    },
    Tool {
        name: "publications",
        title: ("Publicações", "Publications"),
        about: (
            "Publicações dos diários por dia, texto ou processo; `treated: false` são as que falta tratar. Com `id`, o texto de \
             uma. Não para andamentos: `cases`.",
            "Publications of the courts' gazettes by day, text or case; `treated: false` are those still to be dealt with. With \
             `id`, the text of one. Not for movements: `cases`.",
        ),
        lists: &[ToolList::of(
            "listPublications",
            &[
                "treated",
                "date_start",
                "date_end",
                "deadline_start",
                "deadline_end",
                "publication",
                "process_number",
                "lawsuit_id",
                "responsible",
            ],
        )
        .always(NEWEST_FIRST)],
        record: Some(ToolRecord {
            route: "getPublication",
            related: &[ToolList::of_record("listDocuments", "publication_id")],
        }),
        ..Tool::READING
    },
    Tool {
        name: "money",
        title: ("Dinheiro", "Money"),
        about: (
            "Lançamentos a receber e a pagar, com as somas de todos os encontrados, por período, situação, processo ou pessoa. `unpaid` é tudo o \
             que falta: `overdue` já venceu, `open` ainda não. Não para honorários combinados no processo: `cases`.",
            "Income and expenses, with the sums of all that match, by period, status, case or person. `unpaid` is all that is owed: \
             `overdue` is past its day, `open` is not. Not for the fees agreed in a case: `cases`.",
        ),
        lists: &[ToolList::of(
            "listTransactions",
            &[
                "entry_type",
                "status",
                "date_due_start",
                "date_due_end",
                "date_payment_start",
                "date_payment_end",
                "customer_id",
                "customer_name",
                "lawsuit_id",
                "category",
                "description",
            ],
        )
        .always(|_| &[("sums", "true")])
        .sorted_by("date_due")],
        record: Some(ToolRecord { route: "getTransaction", related: &[] }),
        ..Tool::READING
    },
    Tool {
        name: "conflicts",
        title: ("Conflito de interesses", "Conflicts of interest"),
        about: (
            "Diz se alguém está do outro lado de um processo do escritório, antes de aceitar um caso: `as: customer` procura um futuro cliente entre \
             as partes contrárias; `opposing`, uma parte contrária entre os clientes. `possible`: só o nome parece. `complete: false`: não foi \
             sobre tudo. Não para cadastros: `people`.",
            "Says whether someone is on the other side of one of the office's cases, before a case is accepted: `as: customer` looks for a future \
             customer among opposing parties; `opposing`, for an opposing party among customers. `possible`: only the name is similar. \
             `complete: false`: it was not over everything. Not for records: `people`.",
        ),
        lists: &[ToolList::of(
            "checkConflicts",
            &["name", "identification", "customer_id", "lawsuit_id", "as", "open"],
        )],
        otherwise: Some(
            &ToolList::of("checkConflicts", &["name", "as", "open"]).by("name").always(PARTS_OF_NAMES),
        ),
        ..Tool::READING
    },
    Tool {
        name: "lists",
        title: ("Tabelas de apoio", "Reference lists"),
        about: (
            "Os valores que o escritório usa, com seus ids: pessoas da equipe (`users`), tipos, fases, categorias e outros; com \
             `points_month`, os pontos de cada pessoa em um mês. Não para clientes: `people`.",
            "The values that the office uses, with their ids: its team (`users`), types, stages, categories and others; with \
             `points_month`, the points of each user in a month. Not for customers: `people`.",
        ),
        lists: &[
            ToolList::of("getRewards", &[]).renamed("points_month", "date").by("points_month"),
            ToolList::of("getSettings", &[LIST]).of_lists(),
        ],
        ..Tool::READING
    },
    Tool {
        name: "changes",
        title: ("Alterações", "Changes"),
        about: (
            "O que mudou no escritório desde um dia, com os valores de antes e de depois e, para quem administra tudo, por quem. \
             Sem `since_day`, desde o começo; segue com `since` igual a `next`. Não para andamentos de processos: `cases`.",
            "What changed in the office since a day, with the values before and after and, for callers who manage everything, by \
             whom. Without `since_day`, from the beginning; goes on with `since` equal to `next`. Not for movements of cases: `cases`.",
        ),
        lists: &[ToolList::of("listChanges", &["since_day", "since", "resource", "op"])
            .renamed("record_id", "id")
            .always(|rights| match rights.allow(Access::ManageAll) {
                true => &[("include", "values,who"), ("limit", "25")],
                false => &[("include", "values"), ("limit", "25")],
            })],
        ..Tool::READING
    },
];

impl Tool {
    /// A tool that reads, without its rows.
    const READING: Tool = Tool {
        name: "",
        title: ("", ""),
        about: ("", ""),
        lists: &[],
        otherwise: None,
        record: None,
        writing: None,
    };
}
