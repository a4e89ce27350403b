//! Captured movements, which refer to their lawsuit by id or by process number (resources 14.6).

use crate::api::record::batch::Sent;
use crate::api::record::check;
use crate::domain::{ExternalIds, Invalid, ProcessNumber};
use crate::http::json::batch::Item;
use crate::http::json::record::{described, read_value};
use crate::http::json::request_body::{BodyReader, Member, MemberDescription, Members, Need};
use crate::http::openapi::describe::Sentence;
use crate::http::{Call, Draft, Problem};
use crate::records::{FieldType, Lawsuit, Movement, Record, Value};
use crate::store::Db;
use crate::store::nouns::lawsuits;

const LAWSUIT: &str = "lawsuit_id";
const NUMBER: &str = "process_number";

/// An item of POST /movements.
pub struct Captured {
    draft: Draft<Movement>,
    number: Option<ProcessNumber>,
}

impl Members for Captured {
    fn name() -> String {
        "MovementOfCapture".to_owned()
    }

    fn about() -> Sentence {
        let pt = "Os campos de um andamento, cujo processo pode ser indicado pelo número.";
        (pt, "The members of a movement. `process_number` may identify the lawsuit.").into()
    }

    fn read(reader: &mut BodyReader<'_>) -> Captured {
        let number = match Lawsuit::TABLE.member(NUMBER) {
            Some(field) => reader.read(NUMBER, Need::Optional, |value| read_value(field, value)),
            None => Member::Absent,
        };
        let is_numbered = !matches!(number, Member::Clear) && reader.names(NUMBER);
        let draft = Draft::read_with(reader, |field| {
            (field.member == LAWSUIT && is_numbered).then_some(Need::Optional)
        });
        Captured { draft, number: number.get().cloned().and_then(ProcessNumber::from_value) }
    }

    fn members() -> Vec<MemberDescription> {
        let mut members = <Draft<Movement> as Members>::members();
        members
            .iter_mut()
            .filter(|member| member.name == LAWSUIT)
            .for_each(|member| member.need = Need::Optional);
        members.extend(
            Lawsuit::TABLE
                .member(NUMBER)
                .map(|field| MemberDescription { need: Need::Optional, ..described(field) }),
        );
        members
    }
}

impl Item for Captured {
    const ITEMS: &'static str = "movements";
}

impl Captured {
    /// Checks values that need the store or the calendar.
    pub(super) fn check(&mut self, call: &Call<'_>, wrong: &mut Invalid) -> Result<(), Problem> {
        self.number = self.number.take().map(|number| number.completed(call.app().today()));
        check(call, &mut self.draft, None, wrong)
    }

    /// Converts the item for merging. The record is `None` if no lawsuit has the process number.
    pub(super) fn sent(self, db: Db<'_>) -> Result<Sent<Movement>, Problem> {
        let Captured { mut draft, number } = self;
        let names = draft.get("external_ids").cloned().and_then(ExternalIds::from_value).unwrap_or_default();
        if draft.get(LAWSUIT).is_none() {
            let lawsuit = number.map(|number| lawsuits::numbered(db, &number)).transpose()?.flatten();
            let Some(lawsuit) = lawsuit else { return Ok(Sent { names, record: None }) };
            draft.set(LAWSUIT, Value::Integer(lawsuit.get().into()));
        }
        Ok(Sent { names, record: Some(draft.build()?) })
    }
}
