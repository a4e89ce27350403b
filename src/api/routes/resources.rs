//! The resources of the API, for the API description: texts for resources that are not nouns, and for nouns whose
//! table does not say enough.

use crate::http::Resource;

/// The resources by the first segment of their paths. The API description presents them in the order of the routes.
pub const RESOURCES: &[Resource] = &[
    Resource {
        segment: "customers",
        name: ("Clientes", "Customers"),
        about: (
            "Os clientes do escritório: pessoas e empresas.",
            "The clients of the office: people and companies.",
        ),
    },
    Resource {
        segment: "lawsuits",
        name: ("Processos", "Lawsuits"),
        about: (
            "Os casos do escritório, judiciais ou não, e os clientes de que tratam.",
            "The office's cases, in court or not, and the customers they are about.",
        ),
    },
    Resource {
        segment: "posts",
        name: ("Tarefas", "Tasks"),
        about: (
            "O que há para fazer nos processos, por quem e até quando. O serviço em nuvem as chama de posts.",
            "Work to be done for lawsuits: by whom and until when. The cloud service calls tasks posts.",
        ),
    },
    Resource {
        segment: "history",
        name: ("Histórico", "History"),
        about: (
            "As tarefas de um processo, como as leem os programas feitos para o serviço em nuvem.",
            "The tasks of one lawsuit, in the format that clients of the cloud service read.",
        ),
    },
    Resource {
        segment: "users",
        name: ("Equipe", "Users"),
        about: ("O que as pessoas da equipe fizeram.", "The work that the office's users have done."),
    },
    Resource {
        segment: "movements",
        name: ("Andamentos", "Movements"),
        about: (
            "O que aconteceu nos processos: avisos dos tribunais, trazidos por automações, e anotações do escritório.",
            "Events in lawsuits: notices from courts, which automations send, and entries by the office.",
        ),
    },
    Resource {
        segment: "last_movements",
        name: ("Últimos andamentos", "Last movements"),
        about: ("O andamento mais novo de cada processo.", "The newest movement of each lawsuit."),
    },
    Resource {
        segment: "publications",
        name: ("Publicações", "Publications"),
        about: (
            "Avisos de diários oficiais e de sistemas dos tribunais, trazidos por automações, de um processo ou ainda de \
             nenhum.",
            "Notices from official gazettes and court systems, which automations send. A notice belongs to a \
             lawsuit, or to none yet.",
        ),
    },
    Resource {
        segment: "transactions",
        name: ("Lançamentos", "Transactions"),
        about: (
            "Dinheiro que entra no escritório ou sai dele, já pago ou não.",
            "The office's income and expenses, paid or not yet paid.",
        ),
    },
    Resource {
        segment: "documents",
        name: ("Documentos", "Documents"),
        about: (
            "Arquivos que o escritório guarda e os registros a que pertencem.",
            "Files that the office keeps, and the records that they belong to.",
        ),
    },
    Resource {
        segment: "changes",
        name: ("Alterações", "Changes"),
        about: (
            "O que se fez com cada registro, em ordem: quem acompanha tem o escritório inteiro e não perde nada.",
            "Every change to every record, in order. A program that follows this feed has a complete copy of the office.",
        ),
    },
    Resource {
        segment: "conflicts",
        name: ("Conflito de interesses", "Conflicts of interest"),
        about: (
            "Se uma pessoa ou empresa está do outro lado de um processo do escritório, ou é cliente dele.",
            "Checks whether a person or company is on the other side of one of the office's cases, or is a \
             client of the office.",
        ),
    },
    Resource {
        segment: "deadlines",
        name: ("Prazos", "Deadlines"),
        about: (
            "O último dia de um prazo, com cada passo da conta, a sua lei e o que a conta não sabe.",
            "The last day of a deadline, with each step of the count, its law, and what the count does not know.",
        ),
    },
    Resource {
        segment: "webhooks",
        name: ("Webhooks", "Webhooks"),
        about: (
            "Programas do escritório que são avisados das alterações por uma requisição assinada e o que foi dito a cada um.",
            "Programs of the office that receive changes as signed requests, and their deliveries.",
        ),
    },
    Resource {
        segment: "settings",
        name: ("Tabelas de apoio", "Settings"),
        about: (
            "As tabelas a que apontam os ids de clientes, processos e outros registros. Um item nunca é excluído: com \
             `\"active\": false` não é mais listado nem pode ser escolhido, e continua nos registros que o têm.",
            "The reference lists that ids in customers, lawsuits and other records point to. An entry is never \
             deleted. An entry with `\"active\": false` is no longer listed and can no longer be chosen, but \
             stays on the records that have it.",
        ),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::TABLES;

    #[test]
    fn every_route_belongs_to_a_resource() {
        for row in crate::api::routes() {
            let path = row.route.canonical.unwrap_or(row.route.path);
            let segment = path.trim_start_matches(crate::http::BASE).split('/').nth(1).unwrap();
            let is_known = RESOURCES.iter().any(|own| own.segment == segment)
                || TABLES.iter().any(|table| table.path == segment);
            assert!(
                is_known,
                "{path}: add the resource `{segment}` to `RESOURCES` in `src/api/routes/resources.rs`"
            );
        }
    }
}
