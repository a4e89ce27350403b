//! JSON Schemas (2020-12) of field types: for values in bodies, and for values in responses.

use serde_json::{Value, json};

use super::sentence::Sentence;
use crate::domain::choices::calendar_scope;
use crate::domain::id::external_id;
use crate::domain::parties::opposing_party;
use crate::domain::text::web_address;
use crate::domain::{Bilingual, Day, STATES};
use crate::records::{Field, Input, Source, Table, Type};

// The schemas describe one accepted notation of a value. Others are accepted too (ids as text, days as `DD/MM/YYYY`,
// other punctuation, lower case, surrounding spaces) as a convenience for people who type; programs should not rely
// on them. Each schema has a single type, because clients generated from alternatives are unusable or do not compile.
//
// Patterns must work in all dialects (ECMAScript, Go, PCRE with bytes, Python, Ruby, Rust), so they are pure ASCII.
macro_rules! iso_day {
    () => {
        "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    };
}
/// A birth date in bodies, 1850 to 2199: `DD/MM/YYYY` as in responses, or `YYYY-MM-DD`.
const SLASHED_DAY: &str = "^((0[1-9]|[12][0-9]|3[01])/(0[1-9]|1[0-2])/(18[5-9]|19[0-9]|2[01][0-9])[0-9]|\
    (18[5-9]|19[0-9]|2[01][0-9])[0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))$";
const TAX_ID: &str = "^[0-9A-Z./-]{14,18}$";
const TAX_ID_IN: &str = r"^([0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}|[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}/?[0-9A-Z]{4}-?[0-9]{2})$";
const PHONE: &str = r"^(\([1-9]{2}\) [0-9]{4,5}-[0-9]{4}|0[0-9]{3} [0-9]{3} [0-9]{3,4}|[34]00[0-9]-[0-9]{4}|\+[1-9][0-9]{7,14})$";
const PHONE_IN: &str = r"^(\(?[1-9]{2}\)? ?(9[0-9]{4}|[2-9][0-9]{3})-?[0-9]{4}|0[358]00 ?[0-9]{3} ?[0-9]{3,4}|[34]00[0-9]-?[0-9]{4}|\+[1-9][0-9]{7,14})$";
/// A system, a colon and one line that begins with a visible character.
const EXTERNAL_ID: &str = r"^[a-z0-9_-]{1,32}:[^\x00-\x20\x7F][^\x00-\x1F\x7F]{0,199}$";
/// Text that begins with an external id, or with the JSON of an array.
const EXTERNAL_IDS_TEXT: &str = r"^[ \t\r\n]*(\[|[a-z0-9_-]{1,32}:[^\x00-\x20\x7F])";
pub(in crate::http) const YEAR_MONTH: &str =
    concat!("^((0[1-9]|1[0-2])/[0-9]{4}|[0-9]{4}-(0[1-9]|1[0-2])|", iso_day!(), ")$");
/// The country, a state, a court, or a city with its state.
const CALENDAR_SCOPE: &str =
    r"^(br|[A-Z]{2}|TJ[A-Z]{2,3}|TRF[1-6]|TRT[0-9]{1,2}|ST[FJ]|TST|[^\x00-\x1F\x7F/]+/[A-Z]{2})$";
const WEB_ADDRESS: &str = r"^https?://[^\x00-\x20\x7F]+$";
const TIME_IN: &str = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$";
const TIME: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$";
pub const MOMENT: &str = concat!("^", iso_day!(), " ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$");
/// At least four digits.
pub(in crate::http) const FOUR_DIGITS: &str = "([0-9][^0-9]*){4}";
/// One line: no control characters.
pub const LINE: &str = r"^[^\x00-\x1F\x7F]*$";
/// Several lines: no control characters but tabs and line breaks.
const LINES: &str = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$";
/// One line with at least one ASCII letter or digit or one character outside ASCII.
const NAME: &str = r"^[^\x00-\x1F\x7F]*[^\x00-/:-@\[-`{-\x7F][^\x00-\x1F\x7F]*$";
/// Like [`NAME`], but of several lines.
const WORDING: &str =
    r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*[^\x00-/:-@\[-`{-\x7F][^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$";
/// Maximum amount in reais.
const MAX_REAIS: f64 = 999_999_999_999.99;

pub fn id() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX })
}

/// Returns the schema of a value in bodies, without `null`.
pub(in crate::http) fn in_body(ty: Type) -> Value {
    match ty {
        Type::Line(most) => json!({ "type": "string", "maxLength": most, "pattern": LINE }),
        Type::Name => json!({ "type": "string", "minLength": 1, "maxLength": 200, "pattern": NAME }),
        Type::Text(most) => json!({ "type": "string", "maxLength": most, "pattern": LINES }),
        Type::TaxId => json!({ "type": "string", "pattern": TAX_ID_IN }),
        Type::ProcessNumber => json!({ "type": "string", "maxLength": 50, "pattern": LINE }),
        Type::Phone => json!({ "type": "string", "pattern": PHONE_IN }),
        Type::PostalCode => json!({ "type": "string", "pattern": "^[0-9]{5}-?[0-9]{3}$" }),
        Type::Email => json!({ "type": "string", "format": "email", "maxLength": 200, "pattern": LINE }),
        Type::WebAddress => {
            json!({ "type": "string", "maxLength": web_address::MAX_CHARACTERS, "pattern": WEB_ADDRESS })
        }
        Type::State => json!({ "type": "string", "enum": STATES }),
        Type::CalendarScope => {
            json!({ "type": "string", "maxLength": calendar_scope::MAX_CHARACTERS, "pattern": CALENDAR_SCOPE })
        }
        Type::Gender => json!({ "type": "string", "enum": ["M", "F", "O"] }),
        Type::Flow => json!({ "type": "string", "enum": ["CRÉDITO", "DÉBITO", "income", "expense"] }),
        Type::EntryType | Type::Situation | Type::DoubledParty | Type::CalendarEffect => {
            json!({ "type": "string", "enum": ty.words() })
        }
        Type::YearMonth => json!({ "type": "string", "pattern": YEAR_MONTH }),
        // No pattern for 1900 to 2199: Ruby clients match patterns against the parsed date as if it were text.
        Type::Day => in_answer(ty),
        Type::SlashedDay => json!({ "type": "string", "pattern": SLASHED_DAY }),
        Type::Time => json!({ "type": "string", "pattern": TIME_IN }),
        Type::MovementOrigin => json!({ "type": "string", "enum": ty.words() }),
        Type::Flag => json!({ "type": "boolean" }),
        Type::Links(_) => json!({ "type": "array", "items": id(), "minItems": 1, "uniqueItems": true }),
        Type::ExternalIds => json!({ "$ref": format!("#/components/schemas/{EXTERNAL_IDS}") }),
        Type::OpposingParties => opposing_parties(),
        Type::Moment | Type::Own => json!({}),
        Type::DayTime | Type::Money | Type::Whole(..) | Type::Reference(_) | Type::Record(_) | Type::Id => {
            in_answer(ty)
        }
    }
}

/// Returns the schema of a value in responses, without `null`.
pub(in crate::http) fn in_answer(ty: Type) -> Value {
    match ty {
        Type::Line(most) => json!({ "type": "string", "minLength": 1, "maxLength": most }),
        Type::Text(most) => json!({ "type": "string", "minLength": 1, "maxLength": most }),
        Type::ProcessNumber => json!({ "type": "string", "minLength": 1, "maxLength": 50 }),
        Type::TaxId => json!({ "type": "string", "pattern": TAX_ID }),
        Type::Phone => json!({ "type": "string", "pattern": PHONE }),
        Type::PostalCode => json!({ "type": "string", "pattern": "^[0-9]{5}-[0-9]{3}$" }),
        // Addresses may contain letters of any script, which the format `email` does not allow.
        Type::Email => json!({ "type": "string", "format": "idn-email", "maxLength": 200 }),
        Type::Flow => json!({ "type": "string", "enum": ["CRÉDITO", "DÉBITO"] }),
        Type::Day => json!({ "type": "string", "format": "date" }),
        Type::SlashedDay => json!({ "type": "string", "pattern": "^[0-9]{2}/[0-9]{2}/[0-9]{4}$" }),
        Type::Moment | Type::DayTime => json!({ "type": "string", "pattern": MOMENT }),
        Type::Time => json!({ "type": "string", "pattern": TIME }),
        Type::Money => json!({ "type": "number", "minimum": 0, "maximum": MAX_REAIS }),
        Type::Reference(_) | Type::Record(_) | Type::Id => id(),
        // Without the pattern: earlier versions accepted other systems, such as `CRM`.
        Type::ExternalIds => external_ids(
            json!({ "type": "string", "minLength": 3, "maxLength": external_id::MAX_CHARACTERS }),
        ),
        Type::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Type::YearMonth => json!({ "type": "string", "pattern": "^[0-9]{2}/[0-9]{4}$" }),
        Type::Name
        | Type::WebAddress
        | Type::OpposingParties
        | Type::State
        | Type::Gender
        | Type::EntryType
        | Type::Situation
        | Type::DoubledParty
        | Type::CalendarScope
        | Type::CalendarEffect
        | Type::MovementOrigin
        | Type::Flag
        | Type::Links(_)
        | Type::Own => in_body(ty),
    }
}

/// Returns the schema of an external id in bodies and parameters.
pub(in crate::http) fn external_id() -> Value {
    json!({ "type": "string", "maxLength": external_id::MAX_CHARACTERS, "pattern": EXTERNAL_ID })
}

/// Name of the schema of external ids in bodies. Clients have a type for a union only if it has a name.
pub(in crate::http) const EXTERNAL_IDS: &str = "ExternalIds";

/// Returns the schema of external ids in bodies: an array, or a text as cells of imports have it.
pub(in crate::http) fn external_ids_in_body() -> Value {
    json!({
        "description": (
            "Ids do registro em outros sistemas: uma lista, ou um texto com um ou vários.",
            "Ids of the record in other systems: an array, or text with one or several.",
        ),
        "anyOf": [external_ids(external_id()), { "type": "string", "pattern": EXTERNAL_IDS_TEXT }],
    })
}

fn external_ids(item: Value) -> Value {
    json!({ "type": "array", "items": item, "maxItems": external_id::MAX_EXTERNAL_IDS, "uniqueItems": true })
}

/// Returns the schema of a lawsuit's opposing parties in bodies.
fn opposing_parties() -> Value {
    let text = |mut schema: Value, about: Bilingual| {
        allow_null(&mut schema);
        set(&mut schema, "description", json!(about));
        schema
    };
    let party = json!({
        "type": "object",
        "properties": {
            "party_id": text(id(), (
                "O número da parte no processo, como foi mostrado.",
                "The party's number within its lawsuit, as it was shown.",
            )),
            "customer_id": text(id(), (
                "O cliente que ela é.",
                "The id of the customer, if the party is a customer.",
            )),
            "name": text(in_body(Type::Name), (
                "O nome; se há `customer_id`, pode faltar.",
                "The name. May be absent if `customer_id` is given.",
            )),
            "identification": text(in_body(Type::TaxId), ("CPF ou CNPJ.", "CPF or CNPJ.")),
            "lawyer": text(in_body(Type::Name), ("O advogado.", "The lawyer.")),
        },
    });
    json!({ "type": "array", "items": party, "maxItems": opposing_party::MAX_PARTIES })
}

/// Returns a field's example for bodies, as a number if it can be one.
pub(in crate::http) fn example_in(field: &Field) -> Value {
    let number = || serde_json::from_str(field.example).unwrap_or_else(|_| field.example.into());
    match field.ty {
        Type::Reference(_) | Type::Record(_) | Type::Money | Type::Flag | Type::Whole(..) => number(),
        Type::Links(_) => json!([number()]),
        Type::ExternalIds => json!([field.example]),
        Type::OpposingParties => {
            json!([{ "name": "Banco Exemplo S.A.", "identification": "11.222.333/0001-81" }])
        }
        Type::Day => Day::parse(field.example).map_or_else(|_| field.example.into(), |day| day.iso().into()),
        _ => field.example.into(),
    }
}

/// Returns the schema of a field's member in bodies.
pub(in crate::http) fn described_in(field: &Field) -> Value {
    let mut schema = in_body(field.ty);
    match field.ty {
        _ if !field.required => allow_null(&mut schema),
        // A required text needs a letter or digit.
        Type::Line(_) => set(&mut schema, "pattern", NAME),
        Type::Text(_) => set(&mut schema, "pattern", WORDING),
        _ => {}
    }
    if field.ty == Type::Money && field.read(&Input::Number("0".to_owned())).is_err() {
        set(&mut schema, "minimum", 0.01);
    }
    if let Some(most) = field.most {
        set(&mut schema, "maxItems", most);
    }
    // Under the name in responses, linked records are objects.
    let others = field.sent_names().into_iter().skip(1);
    let is_other = |name: &&str| !field.is_own() || *name != field.shown;
    let others = others.filter(|name| !name.is_empty() && is_other(name));
    let others = others.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let joined = |about: &str, rule: &str, alias: &str| {
        let alias = if others.is_empty() { String::new() } else { format!("{alias} {others}.") };
        [about, rule, &alias].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let about = Sentence::new(
        joined(field.about.0, field.rule.0, "Também aceito como"),
        joined(field.about.1, field.rule.1, "Also accepted as"),
    );
    set(&mut schema, "description", json!(about));
    set(&mut schema, "examples", vec![example_in(field)]);
    schema
}

/// Converts a JSON value to input for a field.
pub(in crate::http) fn input(value: &Value) -> Input<'_> {
    match value {
        Value::String(text) => Input::Text(text),
        Value::Number(number) => Input::Number(number.to_string()),
        Value::Bool(flag) => Input::Flag(*flag),
        Value::Array(values) => Input::List(values.iter().map(input).collect()),
        Value::Object(members) => {
            let filled = members.iter().filter(|(_, value)| !value.is_null());
            Input::Members(filled.map(|(name, value)| (name.as_str(), input(value))).collect())
        }
        Value::Null => Input::Other,
    }
}

/// Sets a member, if the value is an object.
pub fn set(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value.into());
    }
}

/// Makes the schema accept `null`.
pub(in crate::http) fn allow_null(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if let Some(kind) = members.get_mut("type") {
        *kind = json!([kind.clone(), "null"]);
    }
    if let Some(Value::Array(of)) = members.get_mut("enum") {
        of.push(Value::Null);
    }
}

/// Reverts [`allow_null`], for queries and forms: they contain only text. External ids, the only reference, become an
/// array: they repeat the name for each.
pub(in crate::http) fn forbid_null(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if members.shift_remove("$ref").is_some()
        && let Value::Object(array) = external_ids(external_id())
    {
        members.extend(array);
    }
    if let Some(kind) = members.get_mut("type")
        && let Some(own) = kind.get(0).cloned()
    {
        *kind = own;
    }
    if let Some(Value::Array(of)) = members.get_mut("enum") {
        of.retain(|word| !word.is_null());
    }
}

/// Returns an example that finds records: for a reference to a list entry, the entry's name.
pub(in crate::http) fn finding(table: &'static Table, field: &Field) -> &'static str {
    let named = table.fields.iter().find(|other| match (other.source, field.source) {
        (Source::NameOf(column), Source::Column) => column == field.column,
        (Source::ParentNameOf(column), Source::ParentOf(of)) => column == of,
        _ => false,
    });
    named.map_or(field.example, |named| named.example)
}
