//! The routes of movements and publications, which programs capture at courts (resources 14 and 15).

use super::record_routes::of_record;
use crate::api::console_pages::InPages;
use crate::api::record::of_lawsuit::{MAX_PAGE_SIZE as OF_LAWSUIT, of_lawsuit};
use crate::api::record::{self, search};
use crate::api::{movements, publications};
use crate::http::json::batch;
use crate::http::{RouteHandler, get, post};
use crate::records::Access::{Read, Write};
use crate::records::{Kind, Movement, Publication, Record};

pub fn routes() -> Vec<RouteHandler> {
    let mut all = vec![
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
    ];
    all.extend(
        of_record!("/lawsuits/movement/{id}" Movement: "um andamento" / "a movement", record::CHANGING),
    );
    all.extend([
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
    ]);
    all.extend(of_record!("/lawsuits/publication/{id}" Publication: "uma publicação" / "a publication", publications::CHANGING));
    all.extend([get(
        "/lawsuits/publication/{id}/proposals",
        "getProposals",
        Read(Kind::Publication),
        ("Os prazos que uma publicação propõe", "Deadlines that a publication proposes"),
        publications::proposals,
    )
    .also(Read(Kind::Holiday))
    .explained(publications::PROPOSING)]);
    all
}
