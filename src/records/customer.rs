//! Customers: contract 4.1.

use super::field::{Find, created, field, name_of, own, updated};
use super::{FieldType, Record, record};
use crate::domain::{
    Day, Email, Gender, Name, Notes, OriginId, Phone, PostalCode, Short, State, TaxId, UserId,
};

record! {
    /// A client of the office: a person or a company.
    Customer, ids of Customer, in "customers" {
        /// Full name, as typed.
        name: Name = field("Nome", "Name").folded_in("name_key").find(Find::Words)
            .rule("1 to 200 characters, with at least one letter or digit.").example("Maria da Conceição");
        /// CPF or CNPJ, always punctuated.
        identification: Option<TaxId> = field("CPF ou CNPJ", "CPF or CNPJ").find(Find::Start)
            .rule("With right check digits, with or without punctuation. No two customers share one.")
            .example("529.982.247-25");
        /// Identity card (RG) or another document.
        document: Option<Short> = field("RG ou outro documento", "Identity card or other document")
            .find(Find::Code).example("1.234.567 SSP/SC");
        /// `M`, `F` or `O`.
        gender: Option<Gender> = field("Gênero", "Gender").example("F");
        /// Civil status.
        civil_status: Option<Short> = field("Estado civil", "Civil status").example("Casada");
        /// What the customer works as.
        occupation: Option<Short> = field("Profissão", "Occupation").find(Find::Words).example("Professora");
        /// Street, number and complement.
        street: Option<Short> = field("Rua, número e complemento", "Street, number and complement")
            .example("Rua das Flores, 100");
        /// District.
        region: Option<Short> = field("Bairro", "District").example("Centro");
        /// City.
        city: Option<Short> = field("Cidade", "City").find(Find::Words).example("Criciúma");
        /// One of the 27 states, two letters.
        state: Option<State> = field("Estado", "State").find(Find::Words).example("SC");
        /// Country.
        country: Option<Short> = field("País", "Country").example("Brasil");
        /// Nationality.
        nationality: Option<Short> = field("Nacionalidade", "Nationality").example("Brasileira");
        /// Postal code (CEP).
        postalcode: Option<PostalCode> = field("CEP", "Postal code").rule("8 digits.").example("88800-000");
        /// Mobile phone.
        cellphone: Option<Phone> = field("Celular", "Mobile phone").find(Find::Ending)
            .rule("National with area code, or foreign in E.164.").example("(48) 98888-0000");
        /// Phone.
        phone: Option<Phone> = field("Telefone", "Phone").find(Find::Ending)
            .rule("National with area code, or foreign in E.164.").example("(48) 3333-0000");
        /// E-mail address.
        email: Option<Email> = field("E-mail", "E-mail").find(Find::Words).example("maria@exemplo.com.br");
        /// Day of birth.
        birthdate: Option<Day> = field("Nascimento", "Date of birth").of_birth().find(Find::Birthday)
            .rule("From 1850 to today: DD/MM/YYYY or YYYY-MM-DD.").example("29/02/1980");
        /// Number of the work card (CTPS).
        number_ctps: Option<Short> = field("CTPS", "Work card (CTPS)").example("1234567");
        /// Number in the social programme (PIS).
        number_pis: Option<Short> = field("PIS", "PIS").example("120.12345.67-8");
        /// Code of a disease (CID).
        number_cid: Option<Short> = field("CID", "CID").example("M54.5");
        /// Free text.
        notes: Option<Notes> = field("Anotações", "Notes").rule("At most 20,000 characters.")
            .example("Prefere contato pela manhã.");
        /// Where the customer came from: the origin's name.
        origin = name_of("origin_id").example("Indicação");
        /// When it was created, in the office's time zone.
        created_at = created();
        /// When it was last changed, in the office's time zone.
        updated_at = updated();
        /// The customer's lawsuits, by id.
        lawsuits = own();
        /// The user who created it: an id of `users` in `GET /settings`.
        user_id: UserId = field("Cadastrado por", "Added by").named("users_id").example("1");
        /// Where the customer came from: an id of `origins` in `GET /settings`.
        origin_id: OriginId = field("Origem", "Origin").named("customers_origins_id")
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
