//! The routes of holidays (resources 20).

use crate::api::console_pages::InPages;
use crate::api::holidays;
use crate::api::record::find_or_create::{FINDING, find_or_create};
use crate::api::record::trash::{self, or_restore};
use crate::api::record::{self, read, search};
use crate::http::json::batch;
use crate::http::{Draft, RouteHandler, delete, get, post, put};
use crate::records::Access::{Read, Write};
use crate::records::{Holiday, Kind};

/// Returns the routes.
pub fn routes() -> Vec<RouteHandler> {
    vec![
        get(
            "/holidays",
            "listHolidays",
            Read(Kind::Holiday),
            ("Pesquisar feriados e suspensões", "Search holidays"),
            search::<Holiday>,
        )
        .paged(holidays::MAX_PAGE_SIZE)
        .explained(holidays::SEARCHING),
        post(
            "/holidays",
            "createHoliday",
            Write(Kind::Holiday),
            ("Cadastrar um feriado ou uma suspensão", "Create a holiday"),
            Holiday::create,
        )
        .explained(holidays::CREATING),
        put(
            "/holidays",
            "findOrCreateHoliday",
            Write(Kind::Holiday),
            ("Encontrar ou cadastrar feriados", "Find or create holidays"),
            find_or_create::<Draft<Holiday>>,
        )
        .taking(batch::MAX_BATCH_BYTES)
        .explained(FINDING),
        get(
            "/holidays/{id}",
            "getHoliday",
            Read(Kind::Holiday),
            ("Ler um feriado", "Read a holiday"),
            read::<Holiday>,
        ),
        put(
            "/holidays/{id}",
            "updateHoliday",
            Write(Kind::Holiday),
            ("Alterar um feriado", "Change a holiday"),
            or_restore(Holiday::change),
        )
        .explained(record::CHANGING),
        delete(
            "/holidays/{id}",
            "deleteHoliday",
            Write(Kind::Holiday),
            ("Excluir um feriado", "Delete a holiday"),
            trash::delete::<Holiday>,
        )
        .explained(trash::DELETING),
    ]
}
