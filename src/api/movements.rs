//! Movements (resources 14).

mod captured;
mod wire;

use super::console_pages::{Column, InPages, Presentation, cut};
use super::lawsuits::case_name;
use super::record::batch::{self, Mergeable, MergedOut};
use super::record::of_lawsuit::{COLUMN, OfLawsuit};
use super::record::{Changeable, change, new_record, refuse_taken_external_id};
use crate::http::json::list_filter::{DELETED, deleted, read_some, some_parameters};
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::request_body::{Edit, New};
use crate::http::openapi::describe::Parameter;
use crate::http::requests::route::MaxPageSize;
use crate::http::{Call, Create, Draft, IfMatch, InAnswers, Items, Listed, Merge, Problem, Query, Update};
use crate::index::Filter;
use crate::records::{Lawsuit, LawsuitId, Movement, MovementId, Record, Type};
use crate::store::nouns::movements;
use crate::store::{self, Db, records};

use crate::domain::Bilingual;
use captured::Captured;
use wire::MovementWrittenOut;

/// Maximum page sizes of movement lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 1000, live: 1000 };

/// Explains GET /movements in the API description.
pub const SEARCHING: Bilingual = (
    "Os de todos os processos, por id. Sem filtros: todos.",
    "The movements of all lawsuits, by id. Without filters, all of them.",
);

/// Explains GET /movements/{id} in the API description.
pub const OF_LAWSUIT: Bilingual = (
    "Do mais novo ao mais antigo: por dia, depois por id. Sem `limit`, tudo, até 10.000.",
    "Newest first, by day and then by id. Without `limit`, all of them, up to 10,000.",
);

/// Explains GET /last_movements in the API description.
pub const LAST: Bilingual = (
    "Um de cada processo, o mais novo primeiro. Com dias, o mais novo entre eles; com `origin`, o mais novo dessa \
     origem, dos processos que têm algum. Um processo que recebe um andamento enquanto alguém percorre as páginas \
     passa para a frente e não é encontrado de novo: peça por dias.",
    "Returns one movement for each lawsuit, newest first. With a range of days, it is the newest movement in \
     that range, and with `origin`, the newest of that origin. Lawsuits without one are left out. A lawsuit \
     that gets a movement while you page through the list moves to the front and does not appear again. To \
     avoid this, filter by days.",
);

/// Explains POST /lawsuits/movement in the API description.
pub const CREATING: Bilingual = (
    "Com `header`, é de um tribunal; sem ele, do escritório. Dois iguais são dois: contra o envio repetido há \
     `Idempotency-Key` e `external_ids`.",
    "With `header`, the movement is a court's, otherwise the office's own. Two equal movements are both \
     created. To avoid creating one twice, use `Idempotency-Key` or `external_ids`.",
);

/// Explains POST /movements in the API description.
pub const MERGING: Bilingual = (
    "Enviar todos os dias a lista inteira de um tribunal acrescenta só o que é novo. O que tem em `external_ids` um \
     código conhecido é esse andamento; dos que não têm, depois do envio há tantos iguais (processo, data, hora, \
     tribunal, texto) quantos a requisição traz. O que já existe fica como está. `process_number` pode ficar no \
     lugar de `lawsuit_id`; se nenhum processo o tem, `movement_id` é `null`. Qualquer outro erro: nada é gravado, e \
     `errors` o indica com nomes como `movements.3.date`, contados a partir de 0. O corpo tem no máximo 8 MiB.",
    "You can send a court's whole list every day: only new movements are added, and existing ones stay \
     unchanged. An item with a known id in `external_ids` is the movement that has this id. Items without \
     `external_ids` are matched to equal movements (lawsuit, date, time, header, text), each to a different \
     one, so that as many exist afterwards as the request has. `process_number` may replace `lawsuit_id`. If \
     no lawsuit has it, `movement_id` is `null`. If anything else is wrong, nothing is stored, and `errors` \
     lists the problems under names such as `movements.3.date`, counted from 0. The body has at most 8 MiB.",
);

impl InAnswers for Movement {}

impl OfLawsuit for Movement {
    const FILTERS: &'static [&'static str] = &["date", "origin"];
}

/// The parameters of GET /last_movements: filters on movements and on their lawsuits.
pub struct Last {
    filter: Filter,
    lawsuits: Filter,
}

const BY_MOVEMENT: &[&str] = &[COLUMN, "date", "origin"];
const BY_LAWSUIT: &[&str] = &["process_number", "protocol_number", "user_id"];

impl Parameters for Last {
    fn read(reader: &mut QueryReader<'_>) -> Last {
        Last {
            filter: read_some(Movement::TABLE, BY_MOVEMENT, reader)
                .of_deleted(reader.parameter(DELETED).unwrap_or_default()),
            lawsuits: read_some(Lawsuit::TABLE, BY_LAWSUIT, reader),
        }
    }

    fn parameters() -> Vec<Parameter> {
        let of_movement = some_parameters(Movement::TABLE, BY_MOVEMENT);
        of_movement
            .into_iter()
            .chain(some_parameters(Lawsuit::TABLE, BY_LAWSUIT))
            .chain([deleted()])
            .collect()
    }
}

/// Lists the newest movement of each lawsuit (resources 14.3).
pub fn last(call: &Call<'_>, query: Query<Last>) -> Result<Listed<Movement>, Problem> {
    let (Last { filter, lawsuits }, request) = query.into_valid()?;
    let index = call.app().index();
    let found = index.newest(call.db(), Movement::TABLE, COLUMN, &filter, &lawsuits, request.page)?;
    Listed::read(call, found, request)
}

impl InPages for Movement {
    type Made = MovementWrittenOut;
    const PRESENTATION: Presentation = Presentation {
        new: ("Novo andamento", "New movement"),
        duplicates: ("Já há outros iguais:", "There are others like it:"),
        placeholder: ("Palavras do andamento, ou o tribunal", "Words of the movement, or the court"),
        meanings: |_| vec!["title", "header"],
        heading: |movement, lang| {
            format!("{} · {}", movement.day("date", lang), cut(movement.text("title"), HEADING))
        },
        columns: &[
            Column::Of("title"),
            Column::Of("date"),
            Column::Called("customers", ("Processo", "Case"), |movement, _| case_name(movement)),
            Column::Of("process_number"),
            Column::Made(("Origem", "Origin"), Type::Name, |movement, lang| match movement.text("header") {
                "" => lang.pick("Escritório", "Office").to_owned(),
                court => court.to_owned(),
            }),
        ],
    };
    const PATH: &'static str = "lawsuits/movement";
    const FACTS: &'static [Column] = &[Column::Of("origin")];

    /// Creates a movement (resources 14.5).
    fn create(call: &Call<'_>, new: New<Draft<Movement>>) -> Result<Create<MovementWrittenOut>, Problem> {
        let movement = new_record(call, new)?;
        let now = call.app().now();
        Ok(Create::new(move |tx| {
            refuse_taken_external_id(*tx, &movement, None)?;
            let id = records::insert(tx, &movement, now)?;
            Ok(MovementWrittenOut::new(id, movement.lawsuit_id))
        }))
    }

    /// Changes some members of a movement (resources 14.7).
    fn change(
        call: &Call<'_>,
        id: MovementId,
        body: Edit<Draft<Movement>>,
        if_match: IfMatch,
    ) -> Result<Update<MovementWrittenOut>, Problem> {
        change(call, id, body, if_match)
    }
}

/// Maximum length of the text in a heading, in characters.
const HEADING: usize = 60;

/// Creates the captured movements that are new and leaves existing ones unchanged (resources 14.6).
pub fn merge(call: &Call<'_>, batch: Items<Captured>) -> Result<Merge<MergedOut<Movement>>, Problem> {
    let captured = batch.into_valid(|item, wrong| item.check(call, wrong))?;
    let now = call.app().now();
    Ok(Merge::new(move |tx| {
        let sent = captured.into_iter().map(|item| item.sent(*tx)).collect::<Result<_, _>>()?;
        Ok(MergedOut(batch::merge(tx, sent, now)?))
    }))
}

impl Mergeable for Movement {
    fn equal(&self, db: Db<'_>) -> Result<Vec<MovementId>, store::Error> {
        movements::equal(db, self)
    }

    fn lawsuit(&self) -> Option<LawsuitId> {
        Some(self.lawsuit_id)
    }
}

impl Changeable for Movement {
    type Changed = MovementWrittenOut;

    fn changed(db: Db<'_>, id: MovementId) -> Result<MovementWrittenOut, Problem> {
        let movement = records::by_id_even_deleted(db, id)?;
        let movement: Movement = movement.ok_or_else(|| Problem::no_record(db, Movement::TABLE, id.get()))?;
        Ok(MovementWrittenOut::new(id, movement.lawsuit_id))
    }
}
