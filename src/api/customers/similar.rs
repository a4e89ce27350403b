//! Customers that may be a given person or company (events 23.1).

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::console_pages::SimilarRecord;
use crate::domain::parties::similar_names::NameWords;
use crate::domain::parties::similar_names::similarity::similarity;
use crate::domain::{Bilingual, Day, Email, Name, Phone, Score, TaxId, Threshold, Whole};
use crate::http::json::answer_members::answer;
use crate::http::json::form::Fields;
use crate::http::json::query_parameters::{Parameters, QueryParameters, QueryReader};
use crate::http::json::values::{BornOn, Entered, Shown};
use crate::http::openapi::describe::{Parameter, parameters};
use crate::http::{Call, Echo, JsonBody, Problem};
use crate::index::Index;
use crate::records::{Customer, CustomerId};
use crate::store::Db;
use crate::store::records::by_id;

/// Default of `limit`.
const LIMIT: u32 = 10;

/// Explains GET /customers/similar in the API description.
pub const SIMILAR: Bilingual = (
    "Os clientes que podem ser esta pessoa ou empresa, os mais parecidos primeiro; depois, por id. A ordem das palavras, \
     acentos, maiúsculas, partículas (`de`, `da`, `dos`, `e`) e tipos societários (`Ltda`, `S.A.`) não contam. Um \
     deslize em uma palavra, uma inicial ou um nome do meio a menos baixam o `score`. Com o mesmo `identification` ele \
     é 1, seja qual for o nome; com outro, no máximo 0,5. Não altera nada: quem decide é quem pergunta.",
    "Returns the customers that may be this person or company, most similar first, then by id. The order of \
     the words, accents, case, particles (`de`, `da`, `dos`, `e`) and legal forms (`Ltda`, `S.A.`) do not \
     count. A typo in a word, an initial or a missing middle name lowers the `score`. With the same \
     `identification`, the `score` is 1, whatever the name. With a different one, it is at most 0.5. Nothing \
     is changed: the caller decides.",
);

/// A person or company for which similar customers are searched.
#[derive(Debug, Default)]
struct SimilarTo {
    name: NameWords,
    identification: Option<TaxId>,
    birthdate: Option<Day>,
    phones: Vec<Phone>,
    email: Option<Email>,
}

/// The parameters of GET /customers/similar.
#[derive(Debug)]
pub struct SimilarParameters {
    to: SimilarTo,
    threshold: Threshold,
    limit: u32,
}

impl Parameters for SimilarParameters {
    fn read(reader: &mut QueryReader<'_>) -> SimilarParameters {
        let name = reader.required::<Entered<Name>>("name");
        let to = SimilarTo {
            name: name.map(|name| NameWords::parse(name.0.as_str())).unwrap_or_default(),
            identification: reader.parameter("identification").map(|Entered(tax_id)| tax_id),
            birthdate: reader.parameter("birthdate").map(|Entered(day)| day),
            phones: reader.parameter("phone").map(|Entered(phone)| phone).into_iter().collect(),
            email: reader.parameter("email").map(|Entered(email)| email),
        };
        let threshold = reader.parameter("threshold").unwrap_or_default();
        let limit = reader.parameter::<Whole<1, 50>>("limit").map_or(LIMIT, Whole::get);
        SimilarParameters { to, threshold, limit }
    }

    fn parameters() -> Vec<Parameter> {
        let name = ("O nome, como foi digitado.", "The name as typed.");
        let name = Parameter::of::<Entered<Name>>("name", name, "Maria da Conceição").required();
        let others = parameters! {
            Entered<TaxId>: "identification" ["529.982.247-25"] =>
                "CPF ou CNPJ: o mesmo leva o `score` a 1, outro a 0,5 no máximo. Matriz e filiais de uma empresa são \
                 comparadas pelo nome.",
                "CPF or CNPJ. The same one raises the `score` to 1, a different one limits it to 0.5. Head \
                 office and branches of a company are compared by name.";
            Entered<Day>: "birthdate" ["1980-02-29"] =>
                "A data de nascimento; igual, está em `because`.",
                "The date of birth. `because` lists it if it is the same.";
            Entered<Phone>: "phone" ["(48) 98888-0000"] =>
                "Um telefone; se é o celular ou o fixo do cliente, está em `because`.",
                "A phone number. `because` lists it if it is one of the customer's.";
            Entered<Email>: "email" ["maria@exemplo.com.br"] =>
                "O e-mail; igual, está em `because`.",
                "The e-mail address. `because` lists it if it is the same.";
            Threshold: "threshold" [0.8] =>
                "O menor `score` que interessa, de 0.5 a 1.",
                "The lowest `score` to return, 0.5 to 1.";
            Whole<1, 50>: "limit" [10] =>
                "Quantos clientes, no máximo.",
                "The maximum number of customers.";
        };
        [name].into_iter().chain(others).collect()
    }
}

/// Lists customers that may be a given person or company (events 23.1).
pub fn similar(
    call: &Call<'_>,
    QueryParameters(parameters): QueryParameters<SimilarParameters>,
    query: Echo<'static>,
) -> Result<JsonBody<SimilarOut>, Problem> {
    let data =
        similar_to(call.app().index(), call.db(), &parameters.to, parameters.threshold, parameters.limit)?;
    Ok(JsonBody(SimilarOut { total_count: data.len(), data, query }))
}

/// Returns the customers that are most similar to a person or company: at most `limit`, each with a score of at least
/// `threshold`.
fn similar_to(
    index: &Index,
    db: Db<'_>,
    to: &SimilarTo,
    threshold: Threshold,
    limit: u32,
) -> Result<Vec<Similar>, Problem> {
    let tax_id = to.identification.as_ref();
    let limit = limit as usize;
    let found = index.similar_customers(db, &to.name, tax_id, threshold, limit)?;
    let mut similar = Vec::with_capacity(found.len());
    for (id, score) in found {
        let id = CustomerId::from_stored(id);
        let customer: Option<Customer> = by_id(db, id)?;
        similar.extend(customer.map(|customer| Similar::new(id, customer, score, to, threshold)));
    }
    Ok(similar)
}

/// Returns the customers that may be the one whose form has these fields. Invalid fields are ignored.
pub fn similar_to_form(index: &Index, db: Db<'_>, fields: &Fields) -> Result<Vec<SimilarRecord>, Problem> {
    let typed = |name: &str| fields.iter().find(|(field, _)| *field == name).map_or("", |(_, text)| text);
    let to = SimilarTo {
        name: NameWords::parse(typed("name")),
        identification: TaxId::parse(typed("identification")).ok(),
        birthdate: Day::parse(typed("birthdate")).ok(),
        phones: ["cellphone", "phone"].iter().filter_map(|name| Phone::parse(typed(name)).ok()).collect(),
        email: Email::parse(typed("email")).ok(),
    };
    let similar = similar_to(index, db, &to, Threshold::default(), LIMIT)?;
    let record = |similar: Similar| SimilarRecord {
        id: similar.customer_id.0.get(),
        reasons: similar.reasons.into_iter().map(MatchReason::label).collect(),
    };
    Ok(similar.into_iter().map(record).collect())
}

answer! {
pub struct SimilarOut as "SimilarCustomers" =
    "Os clientes que podem ser uma pessoa ou empresa.",
    "The customers that may be a person or company.";

data: Vec<Similar> => "Os mais parecidos primeiro; depois, por id.", "The most similar first, then by id.";
#[serde(rename = "totalCount")]
total_count: usize [example = 1] => "Quantos clientes.", "The number of customers.";
query: Echo<'static> => "Os parâmetros da consulta, como chegaram.", "The query parameters as received.";
}

answer! {
pub struct Similar as "SimilarCustomer" =
    "Um cliente que pode ser a pessoa ou empresa.",
    "A customer that may be the person or company.";

pub customer_id: Shown<CustomerId> [example = 17] => "O id do cliente.", "The customer's id.";
pub name: Shown<Name> [example = &"Maria da Conceição"] => "Nome completo, como foi digitado.", "Full name, as typed.";
pub identification: Option<Shown<TaxId>> [example = &"529.982.247-25"] => "CPF ou CNPJ.", "CPF or CNPJ.";
pub birthdate: Option<Shown<BornOn>> [example = &"29/02/1980"] => "Data de nascimento.", "Day of birth.";
pub score: Shown<Score> [example = 0.92] =>
    "De 0 a 1: quanto o cliente se parece com o que foi perguntado.",
    "The similarity to the requested person or company, 0 to 1.";
#[serde(rename = "because")]
pub reasons: Vec<MatchReason> [length(min = 1)] =>
    "O que coincide. `name`: só o nome já alcança `threshold`. Os outros: o mesmo valor.",
    "What agrees. `name` means that the name alone reaches the `threshold`. The other values mean that this \
     member is the same.";
}

// A member in which a customer agrees with the requested person or company. Doc comments would become descriptions of
// the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum MatchReason {
    // The score of the names reaches the threshold.
    Name,
    Identification,
    Birthdate,
    // The mobile phone or the phone.
    Phone,
    // Compared without case.
    Email,
}

impl MatchReason {
    fn label(self) -> Bilingual {
        match self {
            MatchReason::Name => ("nome", "name"),
            MatchReason::Identification => ("CPF ou CNPJ", "CPF or CNPJ"),
            MatchReason::Birthdate => ("nascimento", "date of birth"),
            MatchReason::Phone => ("telefone", "phone"),
            MatchReason::Email => ("e-mail", "e-mail"),
        }
    }
}

impl Similar {
    fn new(
        id: CustomerId,
        customer: Customer,
        score: Score,
        to: &SimilarTo,
        threshold: Threshold,
    ) -> Similar {
        let names = similarity(&to.name, &NameWords::parse(customer.name.as_str()));
        let lower = |email: &Email| email.as_str().to_lowercase();
        let own_phones = [&customer.cellphone, &customer.phone];
        let is_own = |phone: &Phone| own_phones.into_iter().flatten().any(|own| own.key() == phone.key());
        let agrees = [
            (MatchReason::Name, names >= threshold.score()),
            (MatchReason::Identification, is_equal(&to.identification, &customer.identification)),
            (MatchReason::Birthdate, is_equal(&to.birthdate, &customer.birthdate)),
            (MatchReason::Phone, to.phones.iter().any(is_own)),
            (
                MatchReason::Email,
                is_equal(&to.email.as_ref().map(lower), &customer.email.as_ref().map(lower)),
            ),
        ];
        let reasons = agrees.into_iter().filter_map(|(reason, agrees)| agrees.then_some(reason)).collect();
        Similar {
            customer_id: Shown(id),
            name: Shown(customer.name),
            identification: customer.identification.map(Shown),
            birthdate: customer.birthdate.map(|day| Shown(BornOn(day))),
            score: Shown(score),
            reasons,
        }
    }
}

/// Returns `true` if both values are known and equal.
fn is_equal<T: PartialEq>(requested: &Option<T>, own: &Option<T>) -> bool {
    requested.is_some() && requested == own
}
