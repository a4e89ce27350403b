//! The routes of holidays (resources 20).

use super::record_routes::{finding, of_record};
use crate::api::console_pages::InPages;
use crate::api::holidays;
use crate::api::record::{self, search};
use crate::http::{Draft, RouteHandler, get, post};
use crate::records::Access::{Read, Write};
use crate::records::{Holiday, Kind, Record};

pub fn routes() -> Vec<RouteHandler> {
    let mut all = vec![
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
        finding::<Draft<Holiday>>(
            "/holidays",
            "findOrCreateHoliday",
            ("Encontrar ou cadastrar feriados", "Find or create holidays"),
        ),
    ];
    all.extend(of_record!("/holidays/{id}" Holiday: "um feriado" / "a holiday", record::CHANGING));
    all
}
