//! What forms and records of customers and lawsuits consist of: one table each, which form, record and change follow.

use serde_json::Value;

use super::choices::List;
use crate::config::keys::Words;
use crate::domain::Lang;

/// Fields under one heading.
pub(super) struct Group {
    pub name: Words,
    pub fields: &'static [Field],
}

/// A field of a form.
pub(super) struct Field {
    /// As the API calls it when it is written.
    pub name: &'static str,
    /// As the API calls it when it is read.
    pub from: &'static str,
    pub label: Words,
    pub kind: Kind,
    pub required: bool,
    /// Whether it takes a whole row.
    pub wide: bool,
}

/// How a field is filled in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Line,
    /// Several lines.
    Long,
    Email,
    /// Digits in a form of their own, which a script puts in while they are typed.
    Formed(&'static str),
    Day,
    Money,
    /// One of a few words, as the API has them and as people read them.
    Word(&'static [(&'static str, Words)]),
    /// An entry of a reference list.
    Entry(List),
    /// The customers of a lawsuit.
    Customers,
}

const fn field(name: &'static str, label: Words, kind: Kind) -> Field {
    Field { name, from: name, label, kind, required: false, wide: false }
}

impl Field {
    const fn required(self) -> Field {
        Field { required: true, ..self }
    }

    const fn wide(self) -> Field {
        Field { wide: true, ..self }
    }

    const fn from(self, from: &'static str) -> Field {
        Field { from, ..self }
    }

    /// What a record holds, as the form has it.
    pub fn of(&self, record: &Value, lang: Lang) -> String {
        let value = record.get(self.from);
        match (self.kind, value) {
            (Kind::Customers, Some(Value::Array(all))) => {
                let ids = all.iter().filter_map(|one| one.get("customer_id")?.as_u64());
                ids.map(|id| id.to_string()).collect::<Vec<_>>().join(",")
            }
            (Kind::Day, Some(Value::String(text))) => day(text, lang),
            (Kind::Money, Some(Value::Number(amount))) => money(amount.as_f64().unwrap_or_default(), lang),
            (_, Some(Value::String(text))) => text.clone(),
            (_, Some(Value::Number(number))) => number.to_string(),
            _ => String::new(),
        }
    }
}

/// A day as the reader writes it: `29/02/1980`, or as in ISO 8601.
pub(super) fn day(text: &str, lang: Lang) -> String {
    let slashed = text.split('/').collect::<Vec<_>>();
    let dashed = text.split('-').collect::<Vec<_>>();
    match (lang, slashed.as_slice(), dashed.as_slice()) {
        (Lang::Pt, _, [year, month, day]) => format!("{day}/{month}/{year}"),
        (Lang::En, [day, month, year], _) => format!("{year}-{month}-{day}"),
        _ => text.to_owned(),
    }
}

/// An amount in reais: `1.500,50` or `1500.50`.
fn money(amount: f64, lang: Lang) -> String {
    let text = format!("{amount:.2}");
    match text.split_once('.') {
        Some((whole, cents)) if lang == Lang::Pt => {
            let whole = super::numbers::count(whole.parse().unwrap_or_default(), lang);
            format!("{whole},{cents}")
        }
        _ => text,
    }
}

/// The fields of all groups.
pub(super) fn each(groups: &'static [Group]) -> impl Iterator<Item = &'static Field> {
    groups.iter().flat_map(|group| group.fields)
}

const GENDERS: [(&str, Words); 3] =
    [("F", ("Feminino", "Female")), ("M", ("Masculino", "Male")), ("O", ("Outro", "Other"))];

/// A customer (contract 4.1).
pub(super) static CUSTOMER: [Group; 5] = [
    Group {
        name: ("Pessoa", "Person"),
        fields: &[
            field("name", ("Nome", "Name"), Kind::Line).required().wide(),
            field("identification", ("CPF ou CNPJ", "CPF or CNPJ"), Kind::Formed("tax-id")),
            field("document", ("RG ou outro documento", "Identity card or other document"), Kind::Line),
            field("birthdate", ("Nascimento", "Birth"), Kind::Day),
            field("gender", ("Gênero", "Gender"), Kind::Word(&GENDERS)),
            field("civil_status", ("Estado civil", "Civil status"), Kind::Line),
            field("occupation", ("Profissão", "Occupation"), Kind::Line),
            field("nationality", ("Nacionalidade", "Nationality"), Kind::Line),
        ],
    },
    Group {
        name: ("Contato", "Contact"),
        fields: &[
            field("cellphone", ("Celular", "Mobile phone"), Kind::Formed("phone")),
            field("phone", ("Telefone", "Phone"), Kind::Formed("phone")),
            field("email", ("E-mail", "E-mail"), Kind::Email).wide(),
        ],
    },
    Group {
        name: ("Endereço", "Address"),
        fields: &[
            field("postalcode", ("CEP", "Postal code"), Kind::Formed("cep")),
            field("street", ("Rua, número e complemento", "Street and number"), Kind::Line).wide(),
            field("region", ("Bairro", "District"), Kind::Line),
            field("city", ("Cidade", "City"), Kind::Line),
            field("state", ("Estado", "State"), Kind::Entry(List::States)),
            field("country", ("País", "Country"), Kind::Line),
        ],
    },
    Group {
        name: ("Trabalho e previdência", "Work and social security"),
        fields: &[
            field("number_ctps", ("CTPS", "Work card (CTPS)"), Kind::Line),
            field("number_pis", ("PIS", "PIS"), Kind::Line),
            field("number_cid", ("CID", "CID"), Kind::Line),
        ],
    },
    Group {
        name: ("No escritório", "In the office"),
        fields: &[
            field("customers_origins_id", ("Origem", "Origin"), Kind::Entry(List::Origins)).required(),
            field("users_id", ("Cadastrado por", "Added by"), Kind::Entry(List::Users)).required(),
            field("notes", ("Anotações", "Notes"), Kind::Long).wide(),
        ],
    },
];

/// A lawsuit (contract 5.1).
pub(super) static LAWSUIT: [Group; 4] = [
    Group {
        name: ("Partes e situação", "Parties and state"),
        fields: &[
            field("customers_id", ("Clientes", "Customers"), Kind::Customers)
                .from("customers")
                .required()
                .wide(),
            field("type_lawsuits_id", ("Tipo", "Type"), Kind::Entry(List::Types))
                .from("type_lawsuit_id")
                .required(),
            field("stages_id", ("Fase", "Stage"), Kind::Entry(List::Stages)).required(),
            field("users_id", ("Responsável", "Responsible"), Kind::Entry(List::Users))
                .from("responsible_id")
                .required(),
        ],
    },
    Group {
        name: ("Números", "Numbers"),
        fields: &[
            field("process_number", ("Número do processo", "Process number"), Kind::Formed("process")).wide(),
            field("protocol_number", ("Protocolo", "Protocol"), Kind::Line),
            field("folder", ("Pasta", "Folder"), Kind::Line),
        ],
    },
    Group {
        name: ("Datas e valores", "Dates and amounts"),
        fields: &[
            field("date", ("Data", "Date"), Kind::Day).from("process_date"),
            field("fees_expec", ("Honorários previstos (R$)", "Fees expected (R$)"), Kind::Money),
            field("fees_money", ("Honorários contratados (R$)", "Fees agreed (R$)"), Kind::Money),
            field("contingency", ("Contingência (R$)", "At stake (R$)"), Kind::Money),
            field("exit_production", ("Saída da produção", "Left production"), Kind::Day),
            field("exit_execution", ("Saída da execução", "Left execution"), Kind::Day),
            field("status_closure", ("Encerramento", "Closed"), Kind::Day),
        ],
    },
    Group {
        name: ("Anotações", "Notes"),
        fields: &[field("notes", ("Anotações", "Notes"), Kind::Long).wide()],
    },
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_stand_in_forms_as_the_language_writes_them() {
        let record = json!({ "process_date": "2026-03-01", "fees_expec": 1500.5, "type_lawsuit_id": 7, "notes": null,
                             "customers": [{ "customer_id": 17 }, { "customer_id": 4 }] });
        let of =
            |name: &str, lang| each(&LAWSUIT).find(|field| field.name == name).unwrap().of(&record, lang);
        assert_eq!((of("date", Lang::Pt), of("date", Lang::En)), ("01/03/2026".into(), "2026-03-01".into()));
        assert_eq!(
            (of("fees_expec", Lang::Pt), of("fees_expec", Lang::En)),
            ("1.500,50".into(), "1500.50".into())
        );
        assert_eq!((of("type_lawsuits_id", Lang::Pt), of("notes", Lang::Pt)), ("7".into(), String::new()));
        assert_eq!(of("customers_id", Lang::Pt), "17,4");
        assert_eq!(day("29/02/1980", Lang::En), "1980-02-29");
        assert_eq!(day("31/2", Lang::En), "31/2");
        assert_eq!(money(999_999_999_999.99, Lang::Pt), "999.999.999.999,99");
    }
}
