//! Customers: contract 4.1.

use super::field::row::{created, external_ids, field, linked_by, name_of, updated};
use super::field::{Section, section};
use super::{FieldType, Find, Kind, OriginId, Record, UserId, record};
use crate::domain::{
    Day, DoubledParty, Email, ExternalIds, Gender, Name, Notes, Phone, PostalCode, Short, Situation, State,
    TaxId,
};

const PERSON: Section = section(1, "Pessoa", "Person");
const CONTACT: Section = section(2, "Contato", "Contact");
const ADDRESS: Section = section(3, "Endereço", "Address");
const WORK: Section = section(4, "Trabalho e previdência", "Work and social security");
const OFFICE: Section = section(5, "No escritório", "In the office");

/// Suggestions for the civil status, by Brazilian law. Stored values are in the office's language.
const CIVIL_STATUS: &[&str] =
    &["Solteiro(a)", "Casado(a)", "União estável", "Separado(a)", "Divorciado(a)", "Viúvo(a)"];

record! {
    /// A client of the office: a person or a company.
    #[pt = "Um cliente do escritório: uma pessoa ou uma empresa."]
    Customer, ids CustomerId, kind Kind::Customer, in "customers", one "cliente" / "customer", many "clientes" / "customers" {
        /// Full name, as typed.
        #[pt = "Nome completo, como foi digitado."]
        name: Name = field("Nome", "Name").under(PERSON).folded_in("name_key").find(Find::Words)
            .rule(
                "De 1 a 200 caracteres, com ao menos uma letra ou dígito.",
                "1 to 200 characters, with at least one letter or digit.",
            ).example("Maria da Conceição");
        /// CPF or CNPJ. Always punctuated in responses.
        #[pt = "CPF ou CNPJ; sai sempre com pontuação."]
        identification: Option<TaxId> = field("CPF ou CNPJ", "CPF or CNPJ").under(PERSON).unique().identifies().find(Find::Start)
            .rule(
                "Com dígitos verificadores corretos, com ou sem pontuação. Não se repete entre clientes.",
                "Must have correct check digits, with or without punctuation. Unique among customers.",
            )
            .example("529.982.247-25");
        /// Identity card (RG) or another document.
        #[pt = "RG ou outro documento."]
        document: Option<Short> = field("RG ou outro documento", "Identity card or other document").under(PERSON)
            .find(Find::Code).example("1.234.567 SSP/SC");
        /// `M`, `F` or `O`.
        #[pt = "`M` (masculino), `F` (feminino) ou `O` (outro)."]
        gender: Option<Gender> = field("Gênero", "Gender").under(PERSON).example("F");
        /// Civil status.
        #[pt = "Estado civil."]
        civil_status: Option<Short> = field("Estado civil", "Civil status").under(PERSON).common().suggesting(CIVIL_STATUS)
            .example("Casada");
        /// Occupation.
        #[pt = "Profissão do cliente."]
        occupation: Option<Short> = field("Profissão", "Occupation").under(PERSON).common().find(Find::Words).example("Professora");
        /// Street, number and complement.
        #[pt = "Rua, número e complemento."]
        street: Option<Short> = field("Rua, número e complemento", "Street, number and complement").under(ADDRESS).wide()
            .example("Rua das Flores, 100");
        /// District.
        #[pt = "Bairro."]
        region: Option<Short> = field("Bairro", "District").under(ADDRESS).example("Centro");
        /// City.
        #[pt = "Cidade."]
        city: Option<Short> = field("Cidade", "City").under(ADDRESS).common().suggesting(&[]).find(Find::Words).example("Criciúma");
        /// One of the 27 states, as two letters.
        #[pt = "Estado; uma das 27 siglas."]
        state: Option<State> = field("Estado", "State").under(ADDRESS).find(Find::Words).example("SC");
        /// Country.
        #[pt = "País."]
        country: Option<Short> = field("País", "Country").under(ADDRESS).common().example("Brasil");
        /// Nationality.
        #[pt = "Nacionalidade."]
        nationality: Option<Short> = field("Nacionalidade", "Nationality").under(PERSON).common()
            .suggesting(&["Brasileira"]).example("Brasileira");
        /// Postal code (CEP).
        #[pt = "CEP."]
        postalcode: Option<PostalCode> = field("CEP", "Postal code").under(ADDRESS)
            .rule(
                "8 dígitos.",
                "8 digits.",
            ).example("88800-000");
        /// Mobile phone.
        #[pt = "Telefone celular."]
        cellphone: Option<Phone> = field("Celular", "Mobile phone").under(CONTACT).identifies_on_request().find(Find::Digits)
            .rule(
                "Nacional com DDD, de uma empresa (`0800 123 4567`, `4004-1234`), ou do exterior no formato E.164.",
                "National with area code, that of a company (`0800 123 4567`, `4004-1234`), or foreign in E.164 format.",
            ).example("(48) 98888-0000");
        /// Phone.
        #[pt = "Telefone fixo."]
        phone: Option<Phone> = field("Telefone", "Phone").under(CONTACT).find(Find::Digits)
            .rule(
                "Nacional com DDD, de uma empresa (`0800 123 4567`, `4004-1234`), ou do exterior no formato E.164.",
                "National with area code, that of a company (`0800 123 4567`, `4004-1234`), or foreign in E.164 format.",
            ).example("(48) 3333-0000");
        /// E-mail address.
        #[pt = "Endereço de e-mail."]
        email: Option<Email> = field("E-mail", "E-mail").under(CONTACT).identifies_on_request().find(Find::Words).example("maria@exemplo.com.br");
        /// The date of birth.
        #[pt = "Data de nascimento."]
        birthdate: Option<Day> = field("Nascimento", "Date of birth").under(PERSON).of_birth().find(Find::Birthday)
            .rule(
                "De 1850 até hoje: DD/MM/AAAA ou AAAA-MM-DD.",
                "From 1850 to today: DD/MM/YYYY or YYYY-MM-DD.",
            ).example("29/02/1980");
        /// The number of the work card (CTPS).
        #[pt = "Número da carteira de trabalho (CTPS)."]
        number_ctps: Option<Short> = field("CTPS", "Work card (CTPS)").under(WORK).example("1234567");
        /// The number in the social programme (PIS).
        #[pt = "Número do PIS."]
        number_pis: Option<Short> = field("PIS", "PIS").under(WORK).example("120.12345.67-8");
        /// The code of a disease (CID).
        #[pt = "Código da doença (CID)."]
        number_cid: Option<Short> = field("CID", "CID").under(WORK).common().example("M54.5");
        /// Ids in other systems.
        #[pt = "Os códigos que tem em outros sistemas."]
        external_ids: ExternalIds = external_ids();
        /// Whether the office still works for the customer: `active`, `inactive` or `deceased`.
        #[pt = "Se o escritório ainda atende o cliente: `active` (ativo), `inactive` (inativo) ou `deceased` (falecido)."]
        situation: Situation = field("Situação", "Situation").under(OFFICE).default("active").find(Find::Value)
            .rule(
                "Um falecido não aparece entre os aniversários.",
                "A deceased customer is not among the birthdays.",
            )
            .example("active");
        /// The law that doubles the customer's deadlines: `fazenda`, `mp` or `defensoria`.
        #[pt = "A lei que dobra os prazos do cliente: `fazenda` (Fazenda Pública), `mp` (Ministério Público) ou `defensoria`."]
        double_deadlines: Option<DoubledParty> = field("Prazo em dobro", "Double deadlines").under(OFFICE)
            .hint(
                "Só para a Fazenda Pública, o Ministério Público e a Defensoria, ou quem tem assistência como a dela (CPC, arts. 180, 183 e 186).",
                "Only for public bodies, public prosecution and public defenders, or legal aid like theirs (CPC, arts. 180, 183 and 186).",
            )
            .rule(
                "Os prazos dos seus processos são propostos em dobro.",
                "The deadlines of its lawsuits are proposed doubled.",
            )
            .example("fazenda");
        /// Free text.
        #[pt = "Anotações, texto livre."]
        notes: Option<Notes> = field("Anotações", "Notes").under(OFFICE).searched()
            .rule(
                "No máximo 20.000 caracteres.",
                "At most 20,000 characters.",
            )
            .example("Prefere contato pela manhã.");
        /// Where the customer came from: the origin's name.
        #[pt = "Como o cliente chegou: o nome da origem."]
        origin = name_of("origin_id").example("Indicação");
        /// The time of creation, in the office's time zone.
        #[pt = "Data e hora do cadastro, no fuso do escritório."]
        created_at = created();
        /// The time of the last change, in the office's time zone.
        #[pt = "Data e hora da última alteração, no fuso do escritório."]
        updated_at = updated();
        /// The customer's lawsuits, by id.
        #[pt = "Os processos do cliente, por id."]
        lawsuits = linked_by("Processos", "Lawsuits", Kind::Lawsuit, "customers");
        /// The user who created it: an id of `users` in `GET /settings`.
        #[pt = "Quem cadastrou: um id de `users` em `GET /settings`."]
        user_id: UserId = field("Cadastrado por", "Added by").under(OFFICE).author().rename("users_id").alias("user_id").example("1");
        /// Where the customer came from: an id of `origins` in `GET /settings`.
        #[pt = "Como o cliente chegou: um id de `origins` em `GET /settings`."]
        origin_id: OriginId = field("Origem", "Origin").under(OFFICE).rename("customers_origins_id")
            .alias("customers_origin_id").find(Find::Entry("origin")).example("1");
    }
}

impl Customer {
    /// Creates a customer with the required members only. Never returns `None`.
    pub fn new(user: UserId, origin: OriginId, name: Name) -> Option<Customer> {
        let given =
            [("user_id", user.to_value()), ("origin_id", origin.to_value()), ("name", name.to_value())];
        Customer::with(&given)
    }
}
