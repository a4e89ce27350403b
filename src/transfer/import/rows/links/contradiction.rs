//! Finds cells of a row that name different customers, such as a name beside the CPF of somebody else (office 59).

use super::{LinkCell, LinkCells, RecordWithNames, parts};
use crate::domain::numbers::tax_id::completed_tax_id;
use crate::domain::parties::named_person::NamedPerson;
use crate::domain::parties::similar_names::similarity::similarity;
use crate::domain::{NameWords, Score, TaxId};
use crate::http::json::form::Fields;
use crate::records::{Customer, CustomerId};
use crate::store::nouns::customers;
use crate::transfer::import::lookup::sent_value;
use crate::transfer::import::rows::RowsImport;
use crate::transfer::prelude::*;
use crate::transfer::undo::standing;

impl RowsImport<'_> {
    /// Returns the first cell of a row that says another customer than the one found, and why: a CPF or CNPJ of somebody
    /// else, or a name that has nothing in common with that of the CPF. Companies have trade names. A cell for which the
    /// user chose a customer contradicts nothing.
    pub(super) fn contradiction<'c>(
        &self,
        field: &Field,
        cells: &LinkCells<'c>,
        ids: &[u32],
    ) -> Result<Option<(LinkCell<'c>, String)>> {
        let db = *self.with.tx;
        let all =
            || cells.words.iter().flat_map(|cell| parts(field, cell.1).into_iter().map(|part| (*cell, part)));
        for (_, part) in all() {
            if self.is_chosen(part)? {
                return Ok(None);
            }
        }
        let only = match ids {
            [only] => customers::name_and_tax_id(db, *only)?.map(|(name, number)| (*only, name, number)),
            _ => None,
        };
        for (cell, part) in all() {
            let NamedPerson { name, number, .. } = NamedPerson::parse(part);
            if let Some(number) = number {
                let holder = customers::holder_of(db, &number)?.map(CustomerId::get);
                let holder = holder.map(|id| standing(db, Customer::TABLE, id)).transpose()?.flatten();
                let is_another = match (holder, &only) {
                    (Some(holder), _) => !ids.contains(&holder),
                    (None, Some((.., Some(own)))) => *own != number && !own.is_same_company(&number),
                    _ => false,
                };
                if is_another {
                    let holder = holder.map(|holder| self.called(Kind::Customer, holder)).transpose()?;
                    return Ok(Some((cell, self.other_number(&number, holder.as_ref()))));
                }
            }
            if let Some((id, _, Some(TaxId::Cpf(_)))) = &only
                && !name.is_empty()
                && TaxId::parse(&completed_tax_id(&name)).is_err()
                && let Some(why) = self.other_name(*id, &name)?
            {
                return Ok(Some((cell, why)));
            }
        }
        Ok(None)
    }

    /// Returns why a row of customers is not that of the customer with its CPF: its name has nothing in common with those
    /// of the customer.
    pub(in crate::transfer::import::rows) fn other_person(
        &self,
        table: &'static Table,
        id: u32,
        fields: &Fields,
    ) -> Result<Option<String>> {
        let name = sent_value(table, fields, "name").filter(|_| table.kind == Kind::Customer);
        let number = sent_value(table, fields, "identification").and_then(|number| TaxId::parse(number).ok());
        let (Some(name), Some(number @ TaxId::Cpf(_))) = (name, number) else { return Ok(None) };
        let own = customers::name_and_tax_id(*self.with.tx, id)?.and_then(|(_, own)| own);
        if own.as_ref() == Some(&number) { self.other_name(id, name) } else { Ok(None) }
    }

    /// Returns why a name is not that of the customer with the row's CPF: it has nothing in common with the customer's
    /// names.
    fn other_name(&self, id: u32, name: &str) -> Result<Option<String>> {
        let words = NameWords::parse(name);
        let RecordWithNames { names, exported: customer, .. } = self.called(Kind::Customer, id)?;
        let best = names.iter().map(|own| similarity(&words, &NameWords::parse(own))).max();
        let is_other = name.chars().any(char::is_alphabetic) && best < Some(Score::HALF);
        Ok(is_other.then(|| {
            localize!(
                self.lang,
                "o CPF da linha é de {customer}, e não de {name}; corrija o nome ou o CPF",
                "the CPF of the line is that of {customer}, not of {name}; correct the name or the CPF"
            )
        }))
    }

    /// Puts the cells for which the user chose a customer first: the choice comes before a number beside it.
    pub(super) fn put_chosen_first(&self, field: &Field, cells: &mut LinkCells<'_>) -> Result<()> {
        let mut chosen = Vec::new();
        let mut others = Vec::new();
        for cell in &cells.words {
            let mut is_chosen = false;
            for part in parts(field, cell.1) {
                is_chosen |= self.is_chosen(part)?;
            }
            if is_chosen { &mut chosen } else { &mut others }.push(*cell);
        }
        chosen.append(&mut others);
        cells.words = chosen;
        Ok(())
    }

    /// Returns `true` if the user chose which customer a name means.
    fn is_chosen(&self, name: &str) -> Result<bool> {
        Ok(self.lookup.has_choice(name) && self.lookup.customer_chosen(*self.with.tx, name)?.is_some())
    }

    fn other_number(&self, number: &TaxId, holder: Option<&RecordWithNames>) -> String {
        match holder {
            Some(RecordWithNames { exported, .. }) => localize!(
                self.lang,
                "{number} é de {exported}; corrija o nome ou o número",
                "{number} belongs to {exported}; correct the name or the number"
            ),
            None => localize!(
                self.lang,
                "{number} não é o CPF ou CNPJ do cliente com este nome; corrija o nome ou o número",
                "{number} is not the CPF or CNPJ of the customer with this name; correct the name or the number"
            ),
        }
    }
}
