//! The resources of the API, for the API description: texts for those that are no noun, and for nouns whose
//! table says too little.

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
            "What is to be done for lawsuits, by whom and until when. The cloud calls them posts.",
        ),
    },
    Resource {
        segment: "history",
        name: ("Histórico", "History"),
        about: (
            "As tarefas de um processo, como as leem os programas feitos para o serviço em nuvem.",
            "The tasks of one lawsuit, as clients of the cloud read them.",
        ),
    },
    Resource {
        segment: "users",
        name: ("Equipe", "Users"),
        about: ("O que as pessoas da equipe fizeram.", "The work that the people of the office have done."),
    },
    Resource {
        segment: "movements",
        name: ("Andamentos", "Movements"),
        about: (
            "O que aconteceu nos processos: avisos dos tribunais, trazidos por automações, e anotações do escritório.",
            "What happened in lawsuits: notices of the courts', which automations bring, and entries of the office's.",
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
            "Notices of official gazettes and courts' systems, which automations bring, of a lawsuit or of none yet.",
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
            "Whether a person or company is on the other side of a case of the office, or is its client.",
        ),
    },
    Resource {
        segment: "webhooks",
        name: ("Webhooks", "Webhooks"),
        about: (
            "Programas do escritório que são avisados das alterações por uma requisição assinada e o que foi dito a cada um.",
            "Programs of the office that receive changes by signed requests, and their deliveries.",
        ),
    },
    Resource {
        segment: "settings",
        name: ("Tabelas de apoio", "Settings"),
        about: (
            "As tabelas a que apontam os ids de clientes, processos e outros registros. Um item nunca é excluído: com \
             `\"active\": false` não é mais listado nem pode ser escolhido, e continua nos registros que o têm.",
            "The reference lists that ids of customers and lawsuits point to. An entry is never deleted: one with \
             `\"active\": false` is not listed and cannot be chosen any more, and stays on the records that have it.",
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
                "{path}: add the resource `{segment}` to `RESOURCES` in `src/api/resources.rs`"
            );
        }
    }
}
