//! Customers: rows in, rows out.

mod searchable;

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Params, Statement, named_params};

use super::columns::{Cells, bind};
use super::{Db, Error, Tx, gone, id_list};
use crate::domain::date::Day;
use crate::domain::email::Email;
use crate::domain::gender::Gender;
use crate::domain::id::{CustomerId, LawsuitId, OriginId, UserId};
use crate::domain::phone::Phone;
use crate::domain::postal_code::PostalCode;
use crate::domain::process_number::ProcessNumber;
use crate::domain::state::State;
use crate::domain::tax_id::TaxId;
use crate::domain::text::{Name, Notes, ProtocolNumber, Short, fold};

pub use searchable::{Searchable, searchable};

/// What can be written of a customer (contract 4.1).
#[derive(Clone, Debug)]
pub struct Fields {
    /// Who created it.
    pub user: UserId,
    /// Where the customer came from.
    pub origin: OriginId,
    /// Full name.
    pub name: Name,
    /// CPF or CNPJ; no two customers share one.
    pub identification: Option<TaxId>,
    /// Identity card (RG) or another document.
    pub document: Option<Short>,
    /// Gender.
    pub gender: Option<Gender>,
    /// Civil status.
    pub civil_status: Option<Short>,
    /// What the customer works as.
    pub occupation: Option<Short>,
    /// Street, number and complement.
    pub street: Option<Short>,
    /// District.
    pub region: Option<Short>,
    /// City.
    pub city: Option<Short>,
    /// State.
    pub state: Option<State>,
    /// Country.
    pub country: Option<Short>,
    /// Nationality.
    pub nationality: Option<Short>,
    /// Postal code (CEP).
    pub postalcode: Option<PostalCode>,
    /// Mobile phone.
    pub cellphone: Option<Phone>,
    /// Phone.
    pub phone: Option<Phone>,
    /// E-mail address.
    pub email: Option<Email>,
    /// Day of birth.
    pub birthdate: Option<Day>,
    /// Number of the work card (CTPS).
    pub number_ctps: Option<Short>,
    /// Number in the social programme (PIS).
    pub number_pis: Option<Short>,
    /// Code of a disease (CID).
    pub number_cid: Option<Short>,
    /// Free text.
    pub notes: Option<Notes>,
}

impl Fields {
    /// What a customer has at least.
    pub fn new(user: UserId, origin: OriginId, name: Name) -> Fields {
        Fields {
            user,
            origin,
            name,
            identification: None,
            document: None,
            gender: None,
            civil_status: None,
            occupation: None,
            street: None,
            region: None,
            city: None,
            state: None,
            country: None,
            nationality: None,
            postalcode: None,
            cellphone: None,
            phone: None,
            email: None,
            birthdate: None,
            number_ctps: None,
            number_pis: None,
            number_cid: None,
            notes: None,
        }
    }
}

/// A customer as stored.
#[derive(Clone, Debug)]
pub struct Customer {
    /// Its id.
    pub id: CustomerId,
    /// What was written.
    pub fields: Fields,
    /// The origin's name.
    pub origin: String,
    /// Seconds since 1970.
    pub created_at: i64,
    /// Seconds since 1970.
    pub updated_at: i64,
    /// Its lawsuits, by id.
    pub lawsuits: Vec<LinkedLawsuit>,
}

/// A lawsuit of a customer.
#[derive(Clone, Debug)]
pub struct LinkedLawsuit {
    /// Its id.
    pub id: LawsuitId,
    /// Its number at the court.
    pub process_number: Option<ProcessNumber>,
    /// Its protocol number.
    pub protocol_number: Option<ProtocolNumber>,
}

const INSERT: &str = "
    INSERT INTO customers (user_id, origin_id, name, name_key, identification, document, gender, civil_status, occupation,
        street, region, city, state, country, nationality, postalcode, cellphone, phone, email, birthdate, number_ctps,
        number_pis, number_cid, notes, created_at, updated_at)
    VALUES (:user, :origin, :name, :name_key, :identification, :document, :gender, :civil_status, :occupation,
        :street, :region, :city, :state, :country, :nationality, :postalcode, :cellphone, :phone, :email, :birthdate,
        :number_ctps, :number_pis, :number_cid, :notes, :now, :now)";

const UPDATE: &str = "
    UPDATE customers SET user_id = :user, origin_id = :origin, name = :name, name_key = :name_key,
        identification = :identification, document = :document, gender = :gender, civil_status = :civil_status,
        occupation = :occupation, street = :street, region = :region, city = :city, state = :state, country = :country,
        nationality = :nationality, postalcode = :postalcode, cellphone = :cellphone, phone = :phone, email = :email,
        birthdate = :birthdate, number_ctps = :number_ctps, number_pis = :number_pis, number_cid = :number_cid,
        notes = :notes, updated_at = :now
    WHERE id = :id";

/// The statements that read customers, and what is linked to them, of the ids that fit.
macro_rules! select {
    ($fits:literal) => {
        [
            concat!("
    SELECT c.id, c.user_id, c.origin_id, c.name, c.identification, c.document, c.gender, c.civil_status, c.occupation,
        c.street, c.region, c.city, c.state, c.country, c.nationality, c.postalcode, c.cellphone, c.phone, c.email,
        c.birthdate, c.number_ctps, c.number_pis, c.number_cid, c.notes, o.name, c.created_at, c.updated_at
    FROM customers c JOIN origins o ON o.id = c.origin_id
    WHERE c.id ", $fits),
            concat!("
    SELECT l.customer_id, s.id, s.process_number, s.protocol_number
    FROM lawsuit_customers l JOIN lawsuits s ON s.id = l.lawsuit_id
    WHERE l.customer_id ", $fits, " ORDER BY l.customer_id, l.lawsuit_id"),
        ]
    };
}

const SELECT_ONE: [&str; 2] = select!("= ?1");
const SELECT_MANY: [&str; 2] = select!("IN rarray(?1)");

/// Stores a new customer. The caller has made sure that its references exist and its tax id is free.
///
/// # Errors
/// Why the store cannot be written.
pub fn insert(tx: Tx<'_>, fields: &Fields, now: i64) -> Result<CustomerId, Error> {
    write(&mut *tx.conn().prepare_cached(INSERT)?, fields, now)?;
    let id = u64::try_from(tx.conn().last_insert_rowid()).ok().and_then(CustomerId::new);
    id.ok_or_else(|| gone("a customer"))
}

/// Stores a customer anew.
///
/// # Errors
/// Why the store cannot be written.
pub fn update(tx: Tx<'_>, id: CustomerId, fields: &Fields, now: i64) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(UPDATE)?;
    bind(&mut statement, &[(":id", &id)])?;
    write(&mut statement, fields, now)
}

fn write(statement: &mut Statement<'_>, fields: &Fields, now: i64) -> Result<(), Error> {
    bind(
        statement,
        &[
            (":user", &fields.user),
            (":origin", &fields.origin),
            (":name", &fields.name),
            (":name_key", &fold(fields.name.as_str())),
            (":identification", &fields.identification),
            (":document", &fields.document),
            (":gender", &fields.gender),
            (":civil_status", &fields.civil_status),
            (":occupation", &fields.occupation),
            (":street", &fields.street),
            (":region", &fields.region),
            (":city", &fields.city),
            (":state", &fields.state),
            (":country", &fields.country),
            (":nationality", &fields.nationality),
            (":postalcode", &fields.postalcode),
            (":cellphone", &fields.cellphone),
            (":phone", &fields.phone),
            (":email", &fields.email),
            (":birthdate", &fields.birthdate),
            (":number_ctps", &fields.number_ctps),
            (":number_pis", &fields.number_pis),
            (":number_cid", &fields.number_cid),
            (":notes", &fields.notes),
            (":now", &now),
        ],
    )?;
    statement.raw_execute()?;
    Ok(())
}

/// The customer with that id.
///
/// # Errors
/// Why the store cannot be read.
pub fn by_id(db: Db<'_>, id: CustomerId) -> Result<Option<Customer>, Error> {
    Ok(read(db, SELECT_ONE, [id.get()])?.remove(&id.get()))
}

/// The customers with those ids, in that order, their lawsuits included. Two statements, however many there are; an id
/// that is not there is left out. The caller opens a snapshot where the two shall see the same state.
///
/// # Errors
/// Why the store cannot be read.
pub fn by_ids(db: Db<'_>, ids: &[u32]) -> Result<Vec<Customer>, Error> {
    let wanted = id_list(ids);
    let mut found = read(db, SELECT_MANY, [&wanted])?;
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

fn read(
    db: Db<'_>,
    [records, links]: [&'static str; 2],
    ids: impl Params + Copy,
) -> Result<HashMap<u32, Customer>, Error> {
    let mut statement = db.conn().prepare_cached(records)?;
    let mut rows = statement.query(ids)?;
    let mut found = HashMap::new();
    while let Some(row) = rows.next()? {
        let customer = customer(Cells::of(row))?;
        found.insert(customer.id.get(), customer);
    }
    let mut statement = db.conn().prepare_cached(links)?;
    let mut rows = statement.query(ids)?;
    while let Some(row) = rows.next()? {
        let mut cells = Cells::of(row);
        if let Some(customer) = found.get_mut(&cells.next()?) {
            customer.lawsuits.push(LinkedLawsuit {
                id: cells.next()?,
                process_number: cells.next()?,
                protocol_number: cells.next()?,
            });
        }
    }
    Ok(found)
}

fn customer(mut cells: Cells<'_>) -> Result<Customer, rusqlite::Error> {
    Ok(Customer {
        id: cells.next()?,
        fields: Fields {
            user: cells.next()?,
            origin: cells.next()?,
            name: cells.next()?,
            identification: cells.next()?,
            document: cells.next()?,
            gender: cells.next()?,
            civil_status: cells.next()?,
            occupation: cells.next()?,
            street: cells.next()?,
            region: cells.next()?,
            city: cells.next()?,
            state: cells.next()?,
            country: cells.next()?,
            nationality: cells.next()?,
            postalcode: cells.next()?,
            cellphone: cells.next()?,
            phone: cells.next()?,
            email: cells.next()?,
            birthdate: cells.next()?,
            number_ctps: cells.next()?,
            number_pis: cells.next()?,
            number_cid: cells.next()?,
            notes: cells.next()?,
        },
        origin: cells.next()?,
        created_at: cells.next()?,
        updated_at: cells.next()?,
        lawsuits: Vec::new(),
    })
}

/// Who holds a tax id.
///
/// # Errors
/// Why the store cannot be read.
pub fn holder_of(db: Db<'_>, tax_id: &TaxId) -> Result<Option<CustomerId>, Error> {
    let mut statement = db.conn().prepare_cached("SELECT id FROM customers WHERE identification = ?1")?;
    Ok(statement.query_row([tax_id], |row| row.get(0)).optional()?)
}

/// The first ten customers of the same name, however it is written.
///
/// # Errors
/// Why the store cannot be read.
pub fn namesakes(db: Db<'_>, name: &Name) -> Result<Vec<CustomerId>, Error> {
    let mut statement =
        db.conn().prepare_cached("SELECT id FROM customers WHERE name_key = ?1 ORDER BY id LIMIT 10")?;
    let ids = statement.query_map([fold(name.as_str())], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Which of those customers are not there.
///
/// # Errors
/// Why the store cannot be read.
pub fn missing(db: Db<'_>, ids: &[CustomerId]) -> Result<Vec<CustomerId>, Error> {
    let mut statement = db.conn().prepare_cached("SELECT 1 FROM customers WHERE id = ?1")?;
    let mut missing = Vec::new();
    for id in ids {
        if !statement.exists([id])? {
            missing.push(*id);
        }
    }
    Ok(missing)
}

/// The ids of those who were born on that day of any year, by name, then id.
///
/// # Errors
/// Why the store cannot be read.
pub fn born_on(db: Db<'_>, month: u8, day: u8, skip: u64, limit: u64) -> Result<Vec<u32>, Error> {
    let mut statement = db.conn().prepare_cached(
        "SELECT id FROM customers WHERE substr(birthdate, 6) = :day AND birthdate IS NOT NULL
         ORDER BY name_key, id LIMIT :limit OFFSET :skip",
    )?;
    let day = format!("{month:02}-{day:02}");
    let ids = statement
        .query_map(named_params! { ":day": day, ":limit": limit, ":skip": skip }, |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}
