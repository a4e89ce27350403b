//! The routes of movements and publications, which programs capture at courts (resources 14 and 15).

use crate::api::console_pages::InPages;
use crate::api::record::of_lawsuit::{MAX_PAGE_SIZE as OF_LAWSUIT, of_lawsuit};
use crate::api::record::trash::{self, or_restore};
use crate::api::record::{self, read, search};
use crate::api::{movements, publications};
use crate::http::json::batch;
use crate::http::{RouteHandler, delete, get, post, put};
use crate::records::Access::{Read, Write};
use crate::records::{Kind, Movement, Publication};

/// Returns the routes.
pub fn routes() -> Vec<RouteHandler> {
    vec![
        get(
            "/movements",
            "listMovements",
            Read(Kind::Movement),
            ("Pesquisar andamentos", "Search movements"),
            search::<Movement>,
        )
        .paged(movements::MAX_PAGE_SIZE)
        .explained(movements::SEARCHING),
        post(
            "/movements",
            "mergeMovements",
            Write(Kind::Movement),
            ("Enviar andamentos capturados", "Merge captured movements"),
            movements::merge,
        )
        .also(Read(Kind::Lawsuit))
        .taking(batch::MAX_BATCH_BYTES)
        .explained(movements::MERGING),
        get(
            "/movements/{id}",
            "listMovementsOfLawsuit",
            Read(Kind::Movement),
            ("Os andamentos de um processo", "The movements of a lawsuit"),
            of_lawsuit::<Movement>,
        )
        .in_cloud()
        .also(Read(Kind::Lawsuit))
        .paged(OF_LAWSUIT)
        .explained(movements::OF_LAWSUIT),
        get(
            "/last_movements",
            "listLastMovements",
            Read(Kind::Movement),
            ("O andamento mais novo de cada processo", "The newest movement of each lawsuit"),
            movements::last,
        )
        .in_cloud()
        .also(Read(Kind::Lawsuit))
        .paged(movements::MAX_PAGE_SIZE)
        .explained(movements::LAST),
        post(
            "/lawsuits/movement",
            "createMovement",
            Write(Kind::Movement),
            ("Cadastrar um andamento", "Create a movement"),
            Movement::create,
        )
        .in_cloud()
        .explained(movements::CREATING),
        get(
            "/lawsuits/movement/{id}",
            "getMovement",
            Read(Kind::Movement),
            ("Ler um andamento", "Read a movement"),
            read::<Movement>,
        ),
        put(
            "/lawsuits/movement/{id}",
            "updateMovement",
            Write(Kind::Movement),
            ("Alterar um andamento", "Change a movement"),
            or_restore(Movement::change),
        )
        .explained(record::CHANGING),
        delete(
            "/lawsuits/movement/{id}",
            "deleteMovement",
            Write(Kind::Movement),
            ("Excluir um andamento", "Delete a movement"),
            trash::delete::<Movement>,
        )
        .explained(trash::DELETING),
        get(
            "/publications",
            "listPublications",
            Read(Kind::Publication),
            ("Pesquisar publicações", "Search publications"),
            search::<Publication>,
        )
        .paged(publications::MAX_PAGE_SIZE)
        .explained(publications::SEARCHING),
        post(
            "/publications",
            "mergePublications",
            Write(Kind::Publication),
            ("Enviar publicações capturadas", "Merge captured publications"),
            publications::merge,
        )
        .also(Read(Kind::Lawsuit))
        .taking(batch::MAX_BATCH_BYTES)
        .explained(publications::MERGING),
        get(
            "/publications/{id}",
            "listPublicationsOfLawsuit",
            Read(Kind::Publication),
            ("As publicações de um processo", "The publications of a lawsuit"),
            of_lawsuit::<Publication>,
        )
        .in_cloud()
        .also(Read(Kind::Lawsuit))
        .paged(OF_LAWSUIT)
        .explained(movements::OF_LAWSUIT),
        get(
            "/lawsuits/publication/{id}",
            "getPublication",
            Read(Kind::Publication),
            ("Ler uma publicação", "Read a publication"),
            read::<Publication>,
        ),
        put(
            "/lawsuits/publication/{id}",
            "updatePublication",
            Write(Kind::Publication),
            ("Alterar uma publicação", "Change a publication"),
            or_restore(Publication::change),
        )
        .explained(publications::CHANGING),
        delete(
            "/lawsuits/publication/{id}",
            "deletePublication",
            Write(Kind::Publication),
            ("Excluir uma publicação", "Delete a publication"),
            trash::delete::<Publication>,
        )
        .explained(trash::DELETING),
        get(
            "/lawsuits/publication/{id}/proposals",
            "getProposals",
            Read(Kind::Publication),
            ("Os prazos que uma publicação propõe", "Deadlines that a publication proposes"),
            publications::proposals,
        )
        .also(Read(Kind::Holiday))
        .explained(publications::PROPOSING),
    ]
}
