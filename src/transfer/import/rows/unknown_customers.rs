//! Settles the customers that a row names and the office does not know: creates them if the user chose so, or reports
//! them (office 59).

use super::cells::row_cells::RowCells;
use super::existing_record::KnownRecord;
use super::links::parts;
use super::{RowFields, RowsImport};
use crate::api::record::rows;
use crate::domain::parties::named_person::NamedPerson;
use crate::domain::parties::named_person::case_part::{has_both_sides, is_versus};
use crate::domain::parties::named_person::several::{joined, may_be_several, people};
use crate::domain::parties::similar_names::words::is_whole;
use crate::domain::{Name, TaxId};
use crate::records::Customer;
use crate::store::lists;
use crate::transfer::import::column_mapping::{MappedColumn, Mapping};
use crate::transfer::import::headings::{Meaning, linked_kind};
use crate::transfer::import::sheet::SheetRow;
use crate::transfer::prelude::*;

/// Words of names of companies, folded, in which `e` joins no people.
const COMPANIES: [&str; 8] =
    ["advogados", "associados", "cia", "comercio", "eireli", "epp", "filhos", "ltda"];

impl RowsImport<'_> {
    /// Creates or reports the unknown customers in the cells of a link. Returns `true` if it created any. `fields` are
    /// the row's own members.
    pub(super) fn settle_customers(
        &mut self,
        field: &'static Field,
        columns: &[MappedColumn],
        row: &SheetRow,
        fields: &RowFields,
    ) -> Result<bool> {
        if linked_kind(field) != Some(Kind::Customer) {
            return Ok(false);
        }
        let texts = texts_of(columns, row);
        let (numbers, texts): (Vec<_>, Vec<_>) = texts.partition(|text| number(text).is_some());
        let mut names = Vec::new();
        for text in texts {
            let parts = parts(field, text).into_iter().filter(|part| !self.lookup.is_left_out(part));
            let parts: Vec<_> = parts.collect();
            let is_of_both_sides = has_both_sides(&parts.join("\n"));
            for part in parts {
                for name in self.unknown_customers(part)? {
                    // One word beside a name may be anything: `Ana Lima, professora`.
                    let is_name = name == part || is_whole(name);
                    let is_doubtful = is_of_both_sides || is_versus(name) || is_doubtful(name);
                    // What may be no customer, or more than a name, takes a choice of its own.
                    let is_certain = is_name && !is_doubtful || self.lookup.has_choice(name);
                    if !names.contains(&(name, is_certain)) {
                        names.push((name, is_certain));
                    }
                }
            }
        }
        let of_row = if names.len() == 1 { numbers.first().copied() } else { None };
        let mut is_created = false;
        for (name, is_certain) in names {
            match is_certain && self.lookup.creates_customer(name) {
                true => is_created |= self.create_customer(name, of_row, fields)?,
                false => self.lookup.note_unknown(Kind::Customer, name),
            }
        }
        Ok(is_created)
    }

    /// Reports the names for which the user chose a customer.
    pub(super) fn note_chosen_customers(
        &mut self,
        field: &'static Field,
        columns: &[MappedColumn],
        row: &SheetRow,
    ) -> Result<()> {
        if linked_kind(field) != Some(Kind::Customer) || self.import.names.is_empty() {
            return Ok(());
        }
        for part in texts_of(columns, row).flat_map(|text| parts(field, text)) {
            let mut names = people(part);
            names.push(part);
            names.dedup();
            for name in names.into_iter().filter(|name| self.lookup.has_choice(name)).collect::<Vec<_>>() {
                if let Some(id) = self.lookup.customer_chosen(*self.with.tx, name)? {
                    self.lookup.note_customer(name, id);
                }
            }
        }
        Ok(())
    }

    /// Returns the names in a part of a cell that mean no customer, or may mean several. A part that joins names is split
    /// if one of them is known, or if each is a whole name: `Ana Lima e Bia Reis`, not `Panificadora Pão e Mel`.
    fn unknown_customers<'t>(&self, part: &'t str) -> Result<Vec<&'t str>> {
        let is_known = |name: &str| {
            Ok::<_, TransferError>(self.lookup.record(*self.with.tx, Kind::Customer, name, true)?.is_ok())
        };
        let is_name = |name: &str| Name::parse(name).is_ok() && name.chars().any(char::is_alphabetic);
        if !is_name(part) || is_known(part)? {
            return Ok(Vec::new());
        }
        let person = NamedPerson::parse(part);
        let is_company = is_company(part);
        if person.has_number() && (is_company || !may_be_several(&person.name)) {
            return Ok(vec![part]);
        }
        let people = people(part);
        let is_described = people != joined(part);
        let names: Vec<&str> = people.into_iter().filter(|name| is_name(name)).collect();
        let mut unknown = Vec::new();
        for name in &names {
            if !is_known(name)? {
                unknown.push(*name);
            }
        }
        let is_split = match names.len() {
            0 | 1 => is_described && !names.is_empty(),
            _ => {
                let is_each_whole = !is_company && names.iter().all(|name| is_whole(name));
                is_described || unknown.len() < names.len() || !person.has_number() && is_each_whole
            }
        };
        Ok(if is_split && !self.lookup.has_choice(part) { unknown } else { vec![part] })
    }

    /// Creates a customer. Returns `false` if the values are refused: then the row is too.
    fn create_customer(&mut self, text: &str, of_row: Option<&str>, fields: &RowFields) -> Result<bool> {
        let NamedPerson { name, number: own_number, document, .. } = NamedPerson::parse(text);
        let Some(handlers) = rows::all().find(|handlers| handlers.table().kind == Kind::Customer) else {
            return Err(TransferError::Defect("customers have no handlers".to_owned()));
        };
        let member = |column: &str| Customer::TABLE.field(column).map(|field| field.member);
        // Who is responsible for the record that names the customer.
        let user = member("user_id").and_then(|member| fields.iter().find(|(own, _)| *own == member));
        let user = user.map(|(_, id)| id.clone()).or_else(|| self.default_of("user_id").map(str::to_owned));
        let user = user.map_or_else(|| self.usual(List::Users), |user| Ok(Some(user)))?;
        let values = [
            ("name", Some(name)),
            ("identification", own_number.map(String::from).or_else(|| of_row.and_then(number))),
            ("document", document),
            ("user_id", user),
            ("origin_id", self.usual(List::Origins)?),
        ];
        let values = values.into_iter().filter_map(|(column, value)| Some((member(column)?, value?)));
        let values: Vec<_> = values.collect();
        let holder = self.lookup.match_of(*self.with.tx, handlers.table(), &values)?;
        let created = match holder.map(|id| self.current(handlers.table(), id)).transpose()?.flatten() {
            Some(KnownRecord::TakenBack(id)) => self.restore(handlers, id, &values).map(|()| id),
            _ => self.with.handle(|call| handlers.create(call, &values)),
        };
        match created {
            Ok(id) => {
                self.lookup.settle_customer(text, id);
                Ok(true)
            }
            Err(problem) if problem.is_ours() => Err(problem.into()),
            Err(_) => {
                self.lookup.note_unknown(Kind::Customer, text);
                Ok(false)
            }
        }
    }

    /// Parts what is no name from the name of a row of customers: the CPF or CNPJ, unless the row has another one, and
    /// a document. The notes get the rest.
    pub(super) fn part_name(&self, mapping: &Mapping, cells: &mut RowCells) {
        let table = mapping.handlers.table();
        let [Some(name), Some(identification), Some(document)] = ["name", "identification", "document"]
            .map(|column| table.field(column).map(|field| field.member))
        else {
            return;
        };
        let text = |member: &str| cells.fields.iter().find(|(own, _)| *own == member).map(|(_, text)| text);
        let Some(typed) = text(name).filter(|_| table.kind == Kind::Customer).cloned() else { return };
        let person = NamedPerson::parse(&typed);
        let is_more = person.has_number() || person.says_more;
        let own_number = text(identification).map(|own| TaxId::parse(own).ok());
        let is_other = person.number.is_some() && own_number.is_some_and(|own| own != person.number);
        if !is_more || is_other || person.name.is_empty() {
            return;
        }
        let is_noted = person.says_more || person.document.is_some() && cells.has_member(document);
        let parted = [(identification, person.number.map(String::from)), (document, person.document)];
        for (member, value) in parted.into_iter().filter_map(|(member, value)| Some((member, value?))) {
            if !cells.has_member(member) {
                cells.fields.push((member, value));
            }
        }
        for (_, text) in cells.fields.iter_mut().filter(|(member, _)| *member == name) {
            text.clone_from(&person.name);
        }
        if is_noted {
            cells.note(mapping.heading(name), &typed);
        }
    }

    /// Returns the active entry of a list that stands for others, such as the origin `Outra`, or else the first one.
    fn usual(&self, list: List) -> Result<Option<String>> {
        let entries: Vec<_> =
            lists::all(*self.with.tx, list)?.into_iter().filter(|entry| entry.active).collect();
        let other = entries.iter().find(|entry| entry.name_key.starts_with("outr"));
        Ok(other.or(entries.first()).map(|entry| entry.id.to_string()))
    }
}

fn is_company(name: &str) -> bool {
    fold(name).split(' ').any(|word| COMPANIES.contains(&word))
}

/// Returns `true` if what a text names, and how many, takes a decision.
fn is_doubtful(text: &str) -> bool {
    let person = NamedPerson::parse(text);
    let is_joined = || may_be_several(&person.name) && !is_company(text);
    person.is_doubtful || person.has_number() && is_joined()
}

/// Returns the texts of the cells that say a link in words.
fn texts_of<'r>(columns: &'r [MappedColumn], row: &'r SheetRow) -> impl Iterator<Item = &'r str> {
    let mapped = columns.iter().filter(|own| matches!(own.meaning, Meaning::Member(_)));
    let cells = mapped.filter_map(|own| row.cells.get(own.at)).filter(|cell| !cell.is_error);
    cells.map(|cell| cell.text.trim()).filter(|text| !text.is_empty())
}

/// Returns the CPF or CNPJ that a text is, also as `CPF 529.982.247-25`.
fn number(text: &str) -> Option<String> {
    let cell = NamedPerson::parse(text);
    cell.number.filter(|_| cell.name.is_empty()).map(String::from)
}
