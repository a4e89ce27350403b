//! Customers: rows in, rows out.

mod record;
mod searchable;

use std::ops::RangeInclusive;

use rusqlite::{OptionalExtension, Statement, named_params};

use super::columns::{Cells, bind};
use super::{Db, Error, Tx, gone};
use crate::domain::date::Day;
use crate::domain::email::Email;
use crate::domain::gender::Gender;
use crate::domain::id::{CustomerId, OriginId, UserId};
use crate::domain::phone::Phone;
use crate::domain::postal_code::PostalCode;
use crate::domain::state::State;
use crate::domain::tax_id::TaxId;
use crate::domain::text::{Name, Notes, Short, fold};

pub use record::{LinkedLawsuit, Record, records};
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

const SELECT_FIELDS: &str = "
    SELECT user_id, origin_id, name, identification, document, gender, civil_status, occupation, street, region, city,
        state, country, nationality, postalcode, cellphone, phone, email, birthdate, number_ctps, number_pis, number_cid,
        notes
    FROM customers WHERE id = ?1";

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

/// What is written of the customer with that id.
///
/// # Errors
/// Why the store cannot be read.
pub fn fields(db: Db<'_>, id: CustomerId) -> Result<Option<Fields>, Error> {
    let mut statement = db.conn().prepare_cached(SELECT_FIELDS)?;
    let fields = statement.query_row([id], |row| {
        let mut cells = Cells::of(row);
        Ok(Fields {
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
        })
    });
    Ok(fields.optional()?)
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

/// The customers of the lawsuits whose ids are in the range, in no order; one of several lawsuits comes several times.
///
/// # Errors
/// Why the store cannot be read.
pub fn of_lawsuits(db: Db<'_>, lawsuits: RangeInclusive<u32>) -> Result<Vec<u32>, Error> {
    let mut statement = db
        .conn()
        .prepare_cached("SELECT customer_id FROM lawsuit_customers WHERE lawsuit_id BETWEEN ?1 AND ?2")?;
    let ids = statement.query_map([lawsuits.start(), lawsuits.end()], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
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
