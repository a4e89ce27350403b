//! The query parameters of GET /conflicts (events 23.3).

use serde_json::{Value, json};

use crate::domain::parties::conflict::MAX_PEOPLE;
use crate::domain::{Name, Reason, Side, TaxId, Threshold, blank};
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::values::FromText;
use crate::http::openapi::describe::{Parameter, parameters, with_aliases};
use crate::records::{CustomerId, LawsuitId};

/// The people that a check searches for, and its bounds. Exactly one of `people`, `customer` and `lawsuit` is given.
#[derive(Clone, Debug, Default)]
pub struct ConflictsParameters {
    /// Names and numbers, of which each person has one or both.
    pub people: Vec<(Option<String>, Option<TaxId>)>,
    pub customer: Option<CustomerId>,
    pub lawsuit: Option<LawsuitId>,
    /// The side on which the person would be. Defaults to the side of the customer's origin, or else to
    /// [`Side::Customer`].
    pub side: Option<Side>,
    pub threshold: Threshold,
    /// `true` to leave out closed lawsuits.
    pub is_open: bool,
}

/// Names of the parameters for a customer and for a lawsuit.
const CUSTOMER: [&str; 2] = ["customer_id", "customers_id"];
const LAWSUIT: [&str; 2] = ["lawsuit_id", "lawsuits_id"];

impl Parameters for ConflictsParameters {
    fn read(reader: &mut QueryReader<'_>) -> ConflictsParameters {
        let given = [&["name"][..], &["identification"], &CUSTOMER, &LAWSUIT];
        let given = given.map(|names| names.iter().any(|name| reader.gives(name)));
        let names = reader.parameter::<Names>("name").map(|names| names.0).unwrap_or_default();
        let numbers =
            reader.parameter::<Numbers>("identification").map(|numbers| numbers.0).unwrap_or_default();
        let parameters = ConflictsParameters {
            people: pairs(names, numbers),
            customer: reader.either(CUSTOMER),
            lawsuit: reader.either(LAWSUIT),
            side: reader.parameter("as"),
            threshold: reader.parameter("threshold").unwrap_or_default(),
            is_open: reader.parameter("open").unwrap_or_default(),
        };
        match given {
            [false, false, false, false] => reader.refuse("name", Reason::NobodyNamed),
            [.., true, true] => reader.refuse("lawsuit_id", Reason::NotBeside { other: "customer_id" }),
            [true, _, true, _] | [_, true, true, _] => {
                let other = if given[0] { "name" } else { "identification" };
                reader.refuse("customer_id", Reason::NotBeside { other });
            }
            [true, .., true] | [_, true, _, true] => {
                let other = if given[0] { "name" } else { "identification" };
                reader.refuse("lawsuit_id", Reason::NotBeside { other });
            }
            [.., true] if parameters.side.is_some() => {
                reader.refuse("as", Reason::NotBeside { other: "lawsuit_id" });
            }
            _ => {}
        }
        parameters
    }

    fn parameters() -> Vec<Parameter> {
        let all = parameters! {
            Names: "name" ["banco exemplo"] =>
                "O nome de quem se procura; vários, com `;`, no máximo 200. Com tantos `identification` quantos `name`, \
                 o primeiro é do primeiro, e um lugar pode ficar vazio.",
                "The name of the person to search for. Separate several with `;`, at most 200. If there are as \
                 many `identification` as `name`, they are paired by position, and a position may be empty.";
            Numbers: "identification" ["11.222.333/0001-81"] =>
                "O CPF ou CNPJ de quem se procura; vários, com `;`, no máximo 200. De um CNPJ contam também as filiais.",
                "The CPF or CNPJ of the person to search for. Separate several with `;`, at most 200. Branches \
                 of a CNPJ count too.";
            CustomerId: "customer_id" [1] =>
                "Um cliente cadastrado, em vez de `name` e `identification`. O que não existe é 422: uma lista vazia \
                 pareceria ausência de conflito.",
                "The id of a customer to search for, instead of `name` and `identification`. A customer that \
                 does not exist is 422, because an empty list would read as no conflict.";
            LawsuitId: "lawsuit_id" [1] =>
                "Um processo: todas as suas partes contra todas as outras. Cada uma está do lado que tem nele.",
                "The id of a lawsuit, whose parties are all compared with all others. Each party has the side \
                 that it has in the lawsuit.";
            Side: "as" ["customer"] =>
                "O que a pessoa seria: `customer`, cliente, que se procura entre as partes contrárias; `opposing`, parte \
                 contrária, que se procura entre os clientes. Se nada é informado, `customer`; de um cliente cadastrado, \
                 o lado da sua origem.",
                "The side on which the person would be. A `customer` is searched for among opposing parties, \
                 and an `opposing` party among customers. Default: the side of the customer's origin with \
                 `customer_id`, otherwise `customer`.";
            Threshold: "threshold" [0.8] =>
                "A semelhança mínima de um nome, de 0,5 a 1; se nada é informado, 0,8.",
                "The lowest similarity of a name, 0.5 to 1. Default: 0.8.";
            bool: "open" [true] =>
                "Com `true`, sem os processos encerrados.",
                "`true` leaves out closed lawsuits.";
        };
        with_aliases(with_aliases(all, &CUSTOMER), &LAWSUIT)
    }
}

/// Pairs names and numbers by position if there are as many names as numbers. Otherwise, each is a separate person.
fn pairs(names: Vec<Option<String>>, numbers: Vec<Option<TaxId>>) -> Vec<(Option<String>, Option<TaxId>)> {
    let pairs: Vec<_> = match names.len() == numbers.len() {
        true => names.into_iter().zip(numbers).collect(),
        false => {
            let names = names.into_iter().map(|name| (name, None));
            names.chain(numbers.into_iter().map(|number| (None, number))).collect()
        }
    };
    pairs.into_iter().filter(|(name, number)| name.is_some() || number.is_some()).collect()
}

/// Splits a text at semicolons. A blank position is `None`. Fails if all are blank, or if there are too many.
fn several<T>(text: &str, parse: impl Fn(&str) -> Result<T, Reason>) -> Result<Vec<Option<T>>, Reason> {
    let all = text.split(';').map(|one| if blank(one) { Ok(None) } else { parse(one).map(Some) });
    let all = all.collect::<Result<Vec<_>, _>>()?;
    match all.len() {
        count if count > MAX_PEOPLE => Err(Reason::TooManyPeople { most: MAX_PEOPLE }),
        _ if all.iter().all(Option::is_none) => Err(Reason::Blank),
        _ => Ok(all),
    }
}

struct Names(Vec<Option<String>>);

impl FromText for Names {
    fn from_text(text: &str) -> Result<Names, Reason> {
        several(text, |name| Ok(Name::parse(name)?.as_str().to_owned())).map(Names)
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

struct Numbers(Vec<Option<TaxId>>);

impl FromText for Numbers {
    fn from_text(text: &str) -> Result<Numbers, Reason> {
        several(text, TaxId::parse).map(Numbers)
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl FromText for Side {
    fn from_text(text: &str) -> Result<Side, Reason> {
        Side::parse(text.trim())
    }

    fn schema() -> Value {
        json!({ "type": "string", "enum": Side::WORDS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tax_ids_are_paired_if_their_counts_are_equal() {
        let pairs = |names: &str, numbers: &str| {
            let names = several(names, |name| Ok(name.to_owned())).unwrap_or_default();
            let numbers = several(numbers, TaxId::parse).unwrap_or_default();
            let people = pairs(names, numbers).into_iter();
            people
                .map(|(name, number)| {
                    format!("{}={}", name.unwrap_or_default(), number.map(String::from).unwrap_or_default())
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(pairs("Ana", "52998224725"), ["Ana=529.982.247-25"]);
        assert_eq!(pairs("Ana;Bia", "52998224725"), ["Ana=", "Bia=", "=529.982.247-25"]);
        assert_eq!(pairs("Ana;;Caio", ";11144477735;"), ["Ana=", "=111.444.777-35", "Caio="]);
        assert_eq!(pairs("Ana", ""), ["Ana="]);
        assert_eq!(several("", TaxId::parse), Err(Reason::Blank));
        assert_eq!(several(" ; ", TaxId::parse), Err(Reason::Blank));
        let many = |count| several(&vec!["Ana"; count].join(";"), |name| Ok(name.to_owned()));
        assert!(many(MAX_PEOPLE).is_ok());
        assert_eq!(many(MAX_PEOPLE + 1), Err(Reason::TooManyPeople { most: MAX_PEOPLE }));
    }
}
