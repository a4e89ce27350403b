//! Finds the record that a text means.

use super::{CellRefused, Lookup};
use crate::domain::parties::named_person::NamedPerson;
use crate::domain::parties::named_person::several::may_be_several;
use crate::domain::parties::similar_names::similarity::similarity;
use crate::domain::{ExternalId, Name, NameWords, ProcessNumber, Threshold};
use crate::store::nouns::{customers, lawsuits};
use crate::store::records;
use crate::store::records::external_ids;
use crate::transfer::import::values::can_be_number;
use crate::transfer::prelude::*;
use crate::transfer::undo::standing;

impl Lookup {
    /// Finds the record that a text means, by the first that matches: the user's choice for a customer's name; CPF, CNPJ
    /// or process number; external id; id, if `by_id`; a customer's name that no other customer has.
    pub(in crate::transfer::import) fn record(
        &self,
        db: Db<'_>,
        kind: Kind,
        text: &str,
        by_id: bool,
    ) -> Result<Result<u32, CellRefused>> {
        if kind == Kind::Customer
            && let Some(id) = self.customer_chosen(db, text)?
        {
            return Ok(Ok(id));
        }
        self.record_called(db, kind, text, by_id)
    }

    pub(super) fn record_called(
        &self,
        db: Db<'_>,
        kind: Kind,
        text: &str,
        by_id: bool,
    ) -> Result<Result<u32, CellRefused>> {
        let text = text.trim();
        let table = kind.table();
        let cell = (kind == Kind::Customer).then(|| NamedPerson::parse(text));
        if let Some(NamedPerson { number: Some(number), name, .. }) = &cell
            && let Some(id) = customers::holder_of(db, number)?
            && let Some(id) = standing(db, table, id.get())?
            && is_one_person(name, customers::name_and_tax_id(db, id)?.iter().map(|(own, _)| own.as_str()))
        {
            return Ok(Ok(id));
        }
        if kind == Kind::Lawsuit
            && can_be_number(text)
            && let Ok(number) = ProcessNumber::parse(text)
        {
            match &lawsuits::of_number(db, &number.completed(self.today), 2)?[..] {
                [one] => return Ok(Ok(one.get())),
                [_, _, ..] => return Ok(Err(self.several(text))),
                [] => {}
            }
        }
        if let Ok(name) = ExternalId::parse(text)
            && let Some(id) = external_ids::holder(db, table, &name)?
            && let Some(id) = standing(db, table, id)?
        {
            return Ok(Ok(id));
        }
        if let Ok(id) = text.parse::<u32>()
            && id > 0
            && by_id
            && records::missing(db, table, &[id])?.is_empty()
        {
            return Ok(Ok(id));
        }
        let whole = cell.as_ref().map(|_| text);
        let name = cell.as_ref().filter(|cell| cell.number.is_none()).map(|cell| &*cell.name);
        for name in whole.into_iter().chain(name).filter_map(|name| Name::parse(name).ok()) {
            match &customers::namesakes(db, &name)?[..] {
                [one] => return Ok(Ok(one.get())),
                [_, _, ..] => return Ok(Err(self.several(text))),
                [] => {}
            }
        }
        let noun = self.lang.pick(table.noun.0, table.noun.1);
        Ok(Err(localize!(self.lang, "não há {noun} {text}", "there is no {noun} {text}")))
    }

    fn several(&self, text: &str) -> CellRefused {
        localize!(
            self.lang,
            "{text} pode ser mais de um; diga o CPF, o CNPJ ou o número",
            "{text} may be several; say the CPF, the CNPJ or the id"
        )
    }
}

/// Returns `false` if the name beside a customer's number may join the names of several people, and is unlike the customer's own
/// names: `Ana Lima e Bia Reis (CPF …)`.
pub(in crate::transfer::import) fn is_one_person<'n>(
    name: &str,
    own: impl IntoIterator<Item = &'n str>,
) -> bool {
    let words = NameWords::parse(name);
    let is_like = |own| similarity(&words, &NameWords::parse(own)) >= Threshold::default().score();
    !may_be_several(name) || own.into_iter().any(is_like)
}
