//! Customers: contract 4.1.

use super::field::{Section, section};
use super::row::{created, field, linked_by, name_of, updated};
use super::{FieldType, Find, Kind, OriginId, Record, UserId, record};
use crate::domain::{Day, Email, Gender, Name, Notes, Phone, PostalCode, Short, State, TaxId};

const PERSON: Section = section(1, "Pessoa", "Person");
const CONTACT: Section = section(2, "Contato", "Contact");
const ADDRESS: Section = section(3, "Endereço", "Address");
const WORK: Section = section(4, "Trabalho e previdência", "Work and social security");
const OFFICE: Section = section(5, "No escritório", "In the office");

/// As Brazilian law tells them apart; the language of what is stored is the office's.
const CIVIL_STATUS: &[&str] =
    &["Solteiro(a)", "Casado(a)", "União estável", "Separado(a)", "Divorciado(a)", "Viúvo(a)"];

record! {
    /// A client of the office: a person or a company.
    Customer, ids CustomerId, kind Kind::Customer, in "customers", one "cliente" / "customer", many "clientes" / "customers" {
        /// Full name, as typed.
        name: Name = field("Nome", "Name").under(PERSON).folded_in("name_key").find(Find::Words)
            .rule("1 to 200 characters, with at least one letter or digit.").example("Maria da Conceição");
        /// CPF or CNPJ, always punctuated.
        identification: Option<TaxId> = field("CPF ou CNPJ", "CPF or CNPJ").under(PERSON).unique().find(Find::Start)
            .rule("With right check digits, with or without punctuation. No two customers share one.")
            .example("529.982.247-25");
        /// Identity card (RG) or another document.
        document: Option<Short> = field("RG ou outro documento", "Identity card or other document").under(PERSON)
            .find(Find::Code).example("1.234.567 SSP/SC");
        /// `M`, `F` or `O`.
        gender: Option<Gender> = field("Gênero", "Gender").under(PERSON).example("F");
        /// Civil status.
        civil_status: Option<Short> = field("Estado civil", "Civil status").under(PERSON).suggesting(CIVIL_STATUS)
            .example("Casada");
        /// What the customer works as.
        occupation: Option<Short> = field("Profissão", "Occupation").under(PERSON).find(Find::Words).example("Professora");
        /// Street, number and complement.
        street: Option<Short> = field("Rua, número e complemento", "Street, number and complement").under(ADDRESS).wide()
            .example("Rua das Flores, 100");
        /// District.
        region: Option<Short> = field("Bairro", "District").under(ADDRESS).example("Centro");
        /// City.
        city: Option<Short> = field("Cidade", "City").under(ADDRESS).suggesting(&[]).find(Find::Words).example("Criciúma");
        /// One of the 27 states, two letters.
        state: Option<State> = field("Estado", "State").under(ADDRESS).find(Find::Words).example("SC");
        /// Country.
        country: Option<Short> = field("País", "Country").under(ADDRESS).example("Brasil");
        /// Nationality.
        nationality: Option<Short> = field("Nacionalidade", "Nationality").under(PERSON)
            .suggesting(&["Brasileira"]).example("Brasileira");
        /// Postal code (CEP).
        postalcode: Option<PostalCode> = field("CEP", "Postal code").under(ADDRESS).rule("8 digits.").example("88800-000");
        /// Mobile phone.
        cellphone: Option<Phone> = field("Celular", "Mobile phone").under(CONTACT).find(Find::Digits)
            .rule("National with area code, or foreign in E.164.").example("(48) 98888-0000");
        /// Phone.
        phone: Option<Phone> = field("Telefone", "Phone").under(CONTACT).find(Find::Digits)
            .rule("National with area code, or foreign in E.164.").example("(48) 3333-0000");
        /// E-mail address.
        email: Option<Email> = field("E-mail", "E-mail").under(CONTACT).find(Find::Words).example("maria@exemplo.com.br");
        /// Day of birth.
        birthdate: Option<Day> = field("Nascimento", "Date of birth").under(PERSON).of_birth().find(Find::Birthday)
            .rule("From 1850 to today: DD/MM/YYYY or YYYY-MM-DD.").example("29/02/1980");
        /// Number of the work card (CTPS).
        number_ctps: Option<Short> = field("CTPS", "Work card (CTPS)").under(WORK).example("1234567");
        /// Number in the social programme (PIS).
        number_pis: Option<Short> = field("PIS", "PIS").under(WORK).example("120.12345.67-8");
        /// Code of a disease (CID).
        number_cid: Option<Short> = field("CID", "CID").under(WORK).example("M54.5");
        /// Free text.
        notes: Option<Notes> = field("Anotações", "Notes").under(OFFICE).rule("At most 20,000 characters.")
            .example("Prefere contato pela manhã.");
        /// Where the customer came from: the origin's name.
        origin = name_of("origin_id").example("Indicação");
        /// When it was created, in the office's time zone.
        created_at = created();
        /// When it was last changed, in the office's time zone.
        updated_at = updated();
        /// The customer's lawsuits, by id.
        lawsuits = linked_by("Processos", "Lawsuits", Kind::Lawsuit, "customers");
        /// The user who created it: an id of `users` in `GET /settings`.
        user_id: UserId = field("Cadastrado por", "Added by").under(OFFICE).named("users_id").example("1");
        /// Where the customer came from: an id of `origins` in `GET /settings`.
        origin_id: OriginId = field("Origem", "Origin").under(OFFICE).named("customers_origins_id")
            .find(Find::Entry("origin")).example("1");
    }
}

impl Customer {
    /// A customer of whom nothing else is known; there always is one.
    pub fn new(user: UserId, origin: OriginId, name: Name) -> Option<Customer> {
        let given =
            [("user_id", user.to_value()), ("origin_id", origin.to_value()), ("name", name.to_value())];
        Customer::with(&given)
    }
}
