//! Customers as contacts: vCard 4.0 (RFC 6350), with the district of an address by RFC 9554 (deadlines 33).

use std::borrow::Cow;

use serde::Deserialize;

use super::content_line::{escaped, push_line};
use crate::domain::Day;

/// `Content-Type` of contacts.
pub const CONTACTS: &str = "text/vcard; charset=utf-8";

/// The members of a customer that a contact is made of. Those that the caller may not see are absent.
#[derive(Default, Deserialize)]
struct CustomerMembers<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    gender: Option<Cow<'a, str>>,
    #[serde(borrow)]
    birthdate: Option<Cow<'a, str>>,
    #[serde(borrow)]
    occupation: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cellphone: Option<Cow<'a, str>>,
    #[serde(borrow)]
    phone: Option<Cow<'a, str>>,
    #[serde(borrow)]
    email: Option<Cow<'a, str>>,
    #[serde(borrow)]
    street: Option<Cow<'a, str>>,
    #[serde(borrow)]
    region: Option<Cow<'a, str>>,
    #[serde(borrow)]
    city: Option<Cow<'a, str>>,
    #[serde(borrow)]
    state: Option<Cow<'a, str>>,
    #[serde(borrow)]
    postalcode: Option<Cow<'a, str>>,
    #[serde(borrow)]
    country: Option<Cow<'a, str>>,
}

/// Formats customers from JSON as contacts. Fails if one has no name.
pub fn contacts<'a>(customers: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<u8>, serde_json::Error> {
    let mut contacts = String::new();
    for json in customers {
        push_contact(&mut contacts, &serde_json::from_slice(json)?);
    }
    Ok(contacts.into_bytes())
}

/// Formats a customer from JSON as a contact of the name, phones and e-mail alone. Fails if there is no name.
pub fn brief_contact(json: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let CustomerMembers { name, cellphone, phone, email, .. } = serde_json::from_slice(json)?;
    let mut contact = String::new();
    push_contact(
        &mut contact,
        &CustomerMembers { name, cellphone, phone, email, ..CustomerMembers::default() },
    );
    Ok(contact.into_bytes())
}

fn push_contact(contacts: &mut String, customer: &CustomerMembers<'_>) {
    let birth = customer.birthdate.as_deref().and_then(|day| Day::parse(day).ok());
    push_line(contacts, "BEGIN", "VCARD");
    push_line(contacts, "VERSION", "4.0");
    push_line(contacts, "PRODID", "-//Pleito//Pleito//PT");
    push_line(contacts, "FN", &escaped(&customer.name));
    // Some programs show nothing but the parts of the name.
    let (given, family) = customer.name.rsplit_once(' ').unwrap_or((&customer.name, ""));
    push_line(contacts, "N", &[&*escaped(family), ";", &escaped(given), ";;;"].concat());
    for (property, value) in [
        ("TEL;TYPE=cell", customer.cellphone.as_deref()),
        ("TEL;TYPE=voice", customer.phone.as_deref()),
        ("EMAIL", customer.email.as_deref()),
        ("TITLE", customer.occupation.as_deref()),
        ("GENDER", customer.gender.as_deref()),
    ] {
        if let Some(value) = value {
            push_line(contacts, property, &escaped(value));
        }
    }
    if let Some(day) = birth {
        push_line(contacts, "BDAY", &day.iso().replace('-', ""));
    }
    if let Some(address) = customer.address() {
        push_line(contacts, "ADR", &address);
    }
    push_line(contacts, "END", "VCARD");
}

impl CustomerMembers<'_> {
    /// Returns the components of the address: after the seven of RFC 6350, the district is the ninth of RFC 9554 (2.1).
    fn address(&self) -> Option<String> {
        let part = |value: &Option<Cow<'_, str>>| escaped(value.as_deref().unwrap_or_default());
        let place = [&self.street, &self.city, &self.state, &self.postalcode, &self.country].map(part);
        let district = part(&self.region);
        if district.is_empty() && place.iter().all(String::is_empty) {
            return None;
        }
        let further =
            if district.is_empty() { String::new() } else { [&*";".repeat(9), &district, ";;"].concat() };
        Some([";;", &place.join(";"), &further].concat())
    }
}
