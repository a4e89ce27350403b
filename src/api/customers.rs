//! Customers (contract 4).

mod merge;
mod similar;
pub mod unmerge;
mod wire;

use schemars::{Schema, SchemaGenerator};

use super::conflicts::warn::ConflictWarner;
use super::console_pages::{Column, InPages, MergeHandlers, Presentation, SimilarHandler, View};
use super::record::{self, Changeable, edit, new_record, update_then};
use crate::config::settings::Compatibility;
use crate::domain::{Bilingual, Lang, Reason, Situation, compact};
use crate::http::json::possible_conflicts::PossibleConflicts;
use crate::http::json::request_body::{Edit, New, ensure_valid};
use crate::http::json::values::Shown;
use crate::http::requests::route::MaxPageSize;
use crate::http::{Call, Create, Draft, IfMatch, InAnswers, Listed, OwnMembers, Problem, Query, Update};
use crate::records::{Customer, CustomerId, Record, Type};
use crate::store::journal::Via;
use crate::store::nouns::customers;
use crate::store::records::Row;
use crate::store::{self, Db, Tx, records, trash};

use merge::merge_keeping;
pub use merge::{MERGING, joined, merge};
pub use similar::{SIMILAR, similar};
pub use unmerge::{UNDOING, undo_merge};
use wire::{Birthdays, ChangedOut, Created, CreatedOut, LawsuitOfCustomer};

/// Maximum page sizes of customer lists.
pub const MAX_PAGE_SIZE: MaxPageSize = MaxPageSize { document: 1000, live: 1000 };

/// Explains GET /customers in the API description.
pub const SEARCHING: Bilingual = (
    "Sem filtros: todos. Pergunte aqui se um cliente já existe antes de cadastrá-lo: por `identification`, se você o \
     tem, que é exato.",
    "Without filters, all customers. To find out whether a customer exists before you create one, search by \
     `identification` if you have it, because it is exact.",
);

/// Explains POST /customers in the API description.
pub const CREATING: Bilingual = (
    "Um segundo cliente com o mesmo `identification` é recusado como `duplicate`, com o `customer_id` do primeiro. \
     Pessoas de mesmo nome são pessoas diferentes: são cadastradas, e `possible_duplicates` indica as outras. Com \
     `api.compatibility = \"live\"`, um segundo cliente de mesmo nome em que nenhum dos dois tem `identification` \
     também é `duplicate`, a não ser que traga `external_ids`.",
    "A second customer with the same `identification` is refused as `duplicate`, with the `customer_id` of the \
     first one. Customers with the same name are different people: they are created, and `possible_duplicates` \
     lists the others. With `api.compatibility = \"live\"`, a second customer with the same name is also \
     refused as `duplicate` if neither has an `identification`, unless it has `external_ids`.",
);

/// Explains GET /customers/birthdays in the API description.
pub const BIRTHDAYS: Bilingual = (
    "Do mês atual no fuso do escritório, ou de outro, por dia e depois por nome. 29 de fevereiro é de fevereiro.",
    "Customers with a birthday in the current month of the office's time zone, or in another month. Sorted by \
     day, then by name. 29 February belongs to February.",
);

/// Lists customers with a birthday in the month (contract 4.6).
pub fn birthdays(call: &Call<'_>, query: Query<Birthdays>) -> Result<Listed<Customer>, Problem> {
    let (parameters, request) = query.into_valid()?;
    let month = parameters.month.map_or_else(|| call.app().today().month(), |month| month.0);
    let found = call.app().index().birthdays(call.db(), month, request.page)?;
    Listed::read(call, found, request)
}

fn refuse_taken_tax_id(tx: Tx<'_>, customer: &Customer, own: Option<CustomerId>) -> Result<(), Problem> {
    let Some(tax_id) = &customer.identification else { return Ok(()) };
    match customers::holder_of(*tx, tax_id)? {
        Some(holder) if Some(holder) != own => {
            let deletion = trash::find(*tx, Customer::TABLE, holder.get())?;
            let taken = Problem::duplicate(Reason::IdentificationTaken, "customer_id", Some(holder.get()));
            Err(taken.of_deleted(deletion))
        }
        _ => Ok(()),
    }
}

/// Refuses a customer with the name of another one if neither has a tax id. Scripts for the live service rely
/// on this (contract 8). They know no external ids, which tell namesakes apart.
fn refuse_namesake(tx: Tx<'_>, customer: &Customer) -> Result<(), Problem> {
    if customer.identification.is_some() || !customer.external_ids.is_empty() {
        return Ok(());
    }
    match customers::namesake_without_tax_id(*tx, &customer.name)? {
        Some(id) => Err(Problem::duplicate(Reason::CustomerNameTaken, "customer_id", Some(id.get()))),
        None => Ok(()),
    }
}

impl Changeable for Customer {
    type Changed = ChangedOut;

    fn changed(_: Db<'_>, id: CustomerId) -> Result<ChangedOut, Problem> {
        Ok(id.into())
    }

    fn warning(changed: ChangedOut) -> PossibleConflicts {
        wire::warning_in(&changed.possible_conflicts, changed.possible_conflicts_complete)
    }
}

impl InPages for Customer {
    type Made = CreatedOut;
    const PRESENTATION: Presentation = Presentation {
        new: ("Novo cliente", "New customer"),
        duplicates: (
            "Já há cadastro parecido; confira se não é a mesma pessoa:",
            "There are similar customers. Check that this is not the same person:",
        ),
        placeholder: ("Nome, CPF/CNPJ, telefone ou e-mail", "Name, CPF/CNPJ, phone or e-mail"),
        meanings,
        heading: |customer, _| customer.text("name").to_owned(),
        columns: &[
            Column::Of("name"),
            Column::Of("identification"),
            Column::Made(("Telefone", "Phone"), Type::Phone, |customer, _| number(customer).to_owned()),
            Column::As("city", |customer, _| city_and_state(customer)),
            Column::Of("origin"),
            Column::As("situation", departed),
            Column::Of("lawsuits"),
        ],
    };
    const REMARK: Option<fn(&View, Lang) -> String> = Some(departed);
    const SIMILAR: Option<SimilarHandler> = Some(similar::similar_to_form);
    const MERGE: Option<MergeHandlers> = Some(MergeHandlers {
        merge: |call, into, from, kept| {
            let [into, from] = [into, from].map(CustomerId::from_stored);
            Ok(merge_keeping(call, into, from, kept).map(|_| ()))
        },
        undo: |call, from| Ok(unmerge::undo(call, CustomerId::from_stored(from)).map(|_| ())),
    });

    /// Creates a customer (contract 4.3).
    fn create(call: &Call<'_>, new: New<Draft<Customer>>) -> Result<Create<CreatedOut>, Problem> {
        let customer = new_record(call, new)?;
        let now = call.app().now();
        let compatibility = call.settings().api.compatibility;
        // The console and imports show namesakes and let the user decide.
        let warner = ConflictWarner::new(call);
        let refuses_namesakes = compatibility == Compatibility::Live && call.via() == Via::Api;
        Ok(Create::new(move |tx| {
            refuse_taken_tax_id(tx, &customer, None)?;
            record::refuse_taken_external_id(*tx, &customer, None)?;
            if refuses_namesakes {
                refuse_namesake(tx, &customer)?;
            }
            let possible_duplicates =
                customers::namesakes(*tx, &customer.name)?.into_iter().map(Shown).collect();
            let id = records::insert(tx, &customer, now)?;
            let (possible_conflicts, possible_conflicts_complete) =
                wire::warning_out(warner.of_customer(*tx, &customer, None)?);
            let created = Created {
                success: true,
                customer_id: Shown(id),
                customers_id: Shown(id),
                possible_duplicates,
                possible_conflicts,
                possible_conflicts_complete,
            };
            Ok(match compatibility {
                Compatibility::Document => CreatedOut::Document([created]),
                Compatibility::Live => CreatedOut::Live(created),
            })
        }))
    }

    /// Changes some members of a customer (contract 4.5).
    fn change(
        call: &Call<'_>,
        id: CustomerId,
        body: Edit<Draft<Customer>>,
        if_match: IfMatch,
    ) -> Result<Update<ChangedOut>, Problem> {
        let (draft, _, wrong) = edit(call, id, body)?;
        ensure_valid(wrong)?;
        let warner = ConflictWarner::new(call);
        let change = move |tx: Tx<'_>, present: &Customer| {
            let customer = draft.change(present)?;
            refuse_taken_tax_id(tx, &customer, Some(id))?;
            Ok(customer)
        };
        Ok(update_then(call, id, if_match, change, move |db, customer, before| {
            let conflicts = warner.of_customer(db, customer, Some((id, before)))?;
            let (possible_conflicts, possible_conflicts_complete) = wire::warning_out(conflicts);
            Ok(ChangedOut { possible_conflicts, possible_conflicts_complete, ..id.into() })
        }))
    }
}

/// Guesses the members that a search text is meant for, likeliest first.
fn meanings(text: &str) -> Vec<&'static str> {
    let digits = compact(text).len();
    let is_number = digits > 0 && text.chars().all(|c| c.is_ascii_digit() || " .-/()+".contains(c));
    match (is_number, text.contains('@')) {
        (true, _) if digits >= 4 => vec!["identification", "phone"],
        (true, _) => vec!["identification"],
        (_, true) => vec!["email"],
        // The new CNPJ contains letters.
        _ if digits >= 8 && text.chars().any(|c| c.is_ascii_digit()) => vec!["name", "identification"],
        _ => vec!["name"],
    }
}

/// Returns the customer's cell phone number, or the other phone number.
pub fn number(customer: &View) -> &str {
    let [cellphone, phone] = ["cellphone", "phone"].map(|column| customer.text(column));
    if cellphone.is_empty() { phone } else { cellphone }
}

/// Returns the situation of a customer who is not active.
fn departed(customer: &View, lang: Lang) -> String {
    let word = customer.text("situation");
    let name = Situation::NAMES.iter().find(|(own, _)| *own == word && *own != Situation::Active.as_str());
    name.map_or(String::new(), |(_, name)| lang.pick(name.0, name.1).to_owned())
}

fn city_and_state(customer: &View) -> String {
    let both = [customer.text("city"), customer.text("state")];
    both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("/")
}

impl InAnswers for Customer {
    fn own(db: Db<'_>, row: &Row<'_>, members: &mut OwnMembers<'_>) -> Result<(), store::Error> {
        let id = row.id()?;
        let lawsuits = customers::lawsuits(db, id)?;
        members.add(&lawsuits.iter().map(LawsuitOfCustomer::new).collect::<Vec<_>>());
        Ok(())
    }

    fn own_schema(_: &str, generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Vec<LawsuitOfCustomer<'_>>>()
    }
}

#[cfg(test)]
mod tests {
    use super::meanings;

    #[test]
    fn a_search_text_selects_the_fields_it_can_match() {
        assert_eq!(meanings("joão da silva"), ["name"]);
        assert_eq!(meanings("529.982"), ["identification", "phone"]);
        assert_eq!(meanings("52"), ["identification"]);
        assert_eq!(meanings("(48) 98888-0000"), ["identification", "phone"]);
        assert_eq!(meanings("ana@"), ["email"]);
        assert_eq!(meanings("12.ABC.345/01DE"), ["name", "identification"]);
        assert_eq!(meanings("Rua 7"), ["name"]);
    }
}
