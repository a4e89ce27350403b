//! Holidays: the days of courts' calendars that the office enters (resources 20).

use super::console_pages::{Column, InPages, Presentation, View};
use super::record::{Changeable, MadeOut, WrittenOut, edit, new_record, refuse_taken_external_id, update};
use crate::domain::{Bilingual, DeadlineReason, Lang};
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::requests::route::MaxPageSize;
use crate::http::{Call, Create, Draft, IfMatch, InAnswers, Problem, Update};
use crate::records::{FieldType as _, Holiday, HolidayId, Record as _};
use crate::store::{Db, Tx, records, trash};

/// Maximum page sizes of holiday lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 1000, live: 1000 };

/// Explains GET /holidays in the API description.
pub const SEARCHING: Bilingual = (
    "Os do escritório, por id. Sem filtros: todos. Os que a lei fixa para todo o país e para a Justiça Federal não são \
     cadastrados: `GET /deadlines` já os conta.",
    "The office's own days, by id. Without filters, all of them. The days that the law names for the whole country \
     and for federal justice are not entered: `GET /deadlines` counts them anyway.",
);

/// Explains POST /holidays in the API description.
pub const CREATING: Bilingual = (
    "Um segundo com o mesmo `day` e a mesma `scope` é recusado como `duplicate`, com o `holiday_id` do primeiro.",
    "A second one with the same `day` and `scope` is refused as `duplicate`, with the `holiday_id` of the first one.",
);

impl InAnswers for Holiday {}

impl Changeable for Holiday {
    type Changed = WrittenOut<Holiday>;

    fn changed(_: Db<'_>, id: HolidayId) -> Result<WrittenOut<Holiday>, Problem> {
        Ok(id.into())
    }
}

/// Refuses a holiday with the day and the scope of another one, which may be in the trash.
fn refuse_second(tx: Tx<'_>, holiday: &Holiday, own: Option<HolidayId>) -> Result<(), Problem> {
    let Some(scope) = Holiday::TABLE.field("scope") else { return Ok(()) };
    let value = holiday.scope.to_value();
    let day = holiday.day.to_value();
    let holders = records::holders(*tx, Holiday::TABLE, scope, &value, Some(&day), 1)?;
    match holders.first().map(|holder| holder.id) {
        Some(holder) if Some(holder) != own.map(HolidayId::get) => {
            let deletion = trash::find(*tx, Holiday::TABLE, holder)?;
            let taken = Problem::duplicate(DeadlineReason::HolidayTaken.into(), "holiday_id", Some(holder));
            Err(taken.of_deleted(deletion))
        }
        _ => Ok(()),
    }
}

impl InPages for Holiday {
    type Made = MadeOut<Holiday>;
    const PRESENTATION: Presentation = Presentation {
        new: ("Novo feriado ou suspensão", "New holiday or suspension"),
        duplicates: ("Já há outros iguais:", "There are others like it:"),
        placeholder: ("Nome ou abrangência", "Name or scope"),
        meanings: |_| vec!["name", "scope"],
        heading,
        columns: &[
            Column::Of("day"),
            Column::Of("name"),
            Column::Of("scope"),
            Column::Of("effect"),
            Column::Of("must_be_proven"),
            Column::Of("proof"),
        ],
    };

    /// Creates a holiday (resources 20).
    fn create(call: &Call<'_>, new: New<Draft<Holiday>>) -> Result<Create<MadeOut<Holiday>>, Problem> {
        let holiday = new_record(call, new)?;
        let now = call.app().now();
        Ok(Create::new(move |tx| {
            refuse_second(tx, &holiday, None)?;
            refuse_taken_external_id(*tx, &holiday, None)?;
            Ok(records::insert(tx, &holiday, now)?.into())
        }))
    }

    /// Changes some members of a holiday (resources 20).
    fn change(
        call: &Call<'_>,
        id: HolidayId,
        body: Edit<Draft<Holiday>>,
        if_match: IfMatch,
    ) -> Result<Update<WrittenOut<Holiday>>, Problem> {
        let (draft, _, wrong) = edit(call, id, body)?;
        ensure_valid(wrong)?;
        Ok(update(call, id, if_match, move |tx, present| {
            let holiday = draft.change(present)?;
            refuse_second(tx, &holiday, Some(id))?;
            Ok(holiday)
        }))
    }
}

fn heading(holiday: &View, lang: Lang) -> String {
    let parts = [holiday.day("day", lang), holiday.text("name").to_owned(), holiday.text("scope").to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}
