//! The types of fields as JSON Schema (2020-12): how a value is written in a body, and how answers show it.

use serde_json::{Value, json};

use super::sentence::Sentence;
use crate::domain::{STATES, external_id};
use crate::records::{Field, Input, Source, Table, Type};

// The schemas describe how to write a value so that it is accepted; what is accepted beyond that (other punctuation,
// lower case, surrounding spaces) is kindness to people who type, and nothing that a program should build on.
pub(super) const DAY: &str = "^([0-9]{2}/[0-9]{2}/[0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2})$";
pub(super) const ID: &str = "^[1-9][0-9]{0,9}$";
const IDS: &str = "^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9})*$";
const AMOUNT: &str = r"^([0-9]+([.,][0-9]{1,2})?|[0-9]{1,3}(\.[0-9]{3})+,[0-9]{1,2})$";
const TAX_ID: &str = "^[0-9A-Z./-]{14,18}$";
const PHONE: &str = r"^(\([1-9]{2}\) [0-9]{4,5}-[0-9]{4}|\+[1-9][0-9]{7,14})$";
pub(super) const EXTERNAL_ID: &str = r#"^[!#-9;-\[\]-~]+:[!#-\[\]-~]+$"#;
pub(super) const YEAR_MONTH: &str = "^([0-9]{2}/[0-9]{4}|[0-9]{4}-[0-9]{2}(-[0-9]{2})?)$";
const TIME: &str = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$";
const MOMENT: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$";
/// The largest amount, in reais.
const MOST: f64 = 999_999_999_999.99;

/// An id, as bodies have it.
fn id_in() -> Value {
    json!({ "anyOf": [id_out(), { "type": "string", "pattern": ID }] })
}

/// An id, as answers and paths have it.
pub(super) fn id_out() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX })
}

/// How a value of that type is written in a body, without `null`.
pub(super) fn in_body(ty: Type) -> Value {
    match ty {
        Type::Line(most) => json!({ "type": "string", "maxLength": most }),
        Type::Name => json!({ "type": "string", "minLength": 1, "maxLength": 200 }),
        Type::Text(most) => json!({ "type": "string", "maxLength": most }),
        Type::TaxId => json!({ "type": "string", "pattern": "^[0-9A-Za-z./-]{11,18}$" }),
        Type::ProcessNumber => json!({ "type": "string", "maxLength": 50 }),
        Type::Phone => json!({ "type": "string", "pattern": "^[0-9 ()+-]{9,20}$" }),
        Type::PostalCode => json!({ "type": "string", "pattern": "^[0-9]{5}-?[0-9]{3}$" }),
        Type::Email => json!({ "type": "string", "format": "email", "maxLength": 200 }),
        Type::State => json!({ "type": "string", "enum": STATES }),
        Type::Gender => json!({ "type": "string", "enum": ["M", "F", "O"] }),
        Type::Flow => json!({ "type": "string", "enum": ["CRÉDITO", "DÉBITO", "income", "expense"] }),
        Type::EntryType => json!({ "type": "string", "enum": ty.words() }),
        Type::YearMonth => json!({ "type": "string", "pattern": YEAR_MONTH }),
        Type::Day | Type::SlashedDay => json!({ "type": "string", "pattern": DAY }),
        Type::Time => json!({ "type": "string", "pattern": TIME }),
        Type::DayTime => in_answer(ty),
        Type::MovementOrigin => json!({ "type": "string", "enum": ty.words() }),
        Type::Money => json!({ "anyOf": [
            { "type": "number", "minimum": 0, "maximum": MOST },
            { "type": "string", "pattern": AMOUNT },
        ]}),
        Type::Flag => json!({ "type": "boolean" }),
        Type::Whole(least, _) => json!({ "anyOf": [
            in_answer(ty),
            { "type": "string", "pattern": if least == 0 { "^[0-9]+$" } else { "^[0-9]*[1-9][0-9]*$" } },
        ]}),
        Type::ExternalIds => {
            json!({ "anyOf": [in_answer(ty), { "type": "string", "pattern": EXTERNAL_ID }] })
        }
        Type::Reference(_) | Type::Record(_) | Type::Id => id_in(),
        Type::Links(_) => json!({ "anyOf": [
            { "type": "array", "items": id_in(), "minItems": 1, "uniqueItems": true },
            id_out(),
            { "type": "string", "pattern": IDS },
        ]}),
        Type::Moment | Type::Own => json!({}),
    }
}

/// How answers show a value of that type, without `null`.
pub(super) fn in_answer(ty: Type) -> Value {
    match ty {
        Type::Line(most) => json!({ "type": "string", "minLength": 1, "maxLength": most }),
        Type::Text(most) => json!({ "type": "string", "minLength": 1, "maxLength": most }),
        Type::ProcessNumber => json!({ "type": "string", "minLength": 1, "maxLength": 50 }),
        Type::TaxId => json!({ "type": "string", "pattern": TAX_ID }),
        Type::Phone => json!({ "type": "string", "pattern": PHONE }),
        Type::PostalCode => json!({ "type": "string", "pattern": "^[0-9]{5}-[0-9]{3}$" }),
        // Addresses may have letters of any script, which `email` does not allow.
        Type::Email => json!({ "type": "string", "format": "idn-email", "maxLength": 200 }),
        Type::Flow => json!({ "type": "string", "enum": ["CRÉDITO", "DÉBITO"] }),
        Type::Day => json!({ "type": "string", "format": "date" }),
        Type::SlashedDay => json!({ "type": "string", "pattern": "^[0-9]{2}/[0-9]{2}/[0-9]{4}$" }),
        Type::Moment | Type::DayTime => json!({ "type": "string", "pattern": MOMENT }),
        Type::Time => json!({ "type": "string", "format": "partial-time" }),
        Type::Money => json!({ "type": "number", "minimum": 0, "maximum": MOST }),
        Type::Reference(_) | Type::Record(_) | Type::Id => id_out(),
        Type::ExternalIds => {
            let item = json!({ "type": "string", "pattern": EXTERNAL_ID });
            json!({ "type": "array", "items": item, "maxItems": external_id::MOST, "uniqueItems": true })
        }
        Type::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Type::YearMonth => json!({ "type": "string", "pattern": "^[0-9]{2}/[0-9]{4}$" }),
        Type::Name
        | Type::State
        | Type::Gender
        | Type::EntryType
        | Type::MovementOrigin
        | Type::Flag
        | Type::Links(_)
        | Type::Own => in_body(ty),
    }
}

/// The field's example as a body has it: a number where it can be one.
pub(super) fn example_in(field: &Field) -> Value {
    let number = || serde_json::from_str(field.example).unwrap_or_else(|_| field.example.into());
    match field.ty {
        Type::Reference(_) | Type::Record(_) | Type::Money | Type::Flag | Type::Whole(..) => number(),
        Type::Links(_) => json!([number()]),
        Type::ExternalIds => json!([field.example]),
        _ => field.example.into(),
    }
}

/// The member of a body that the field is.
pub(super) fn described_in(field: &Field) -> Value {
    let mut schema = in_body(field.ty);
    if !field.required {
        allow_null(&mut schema);
    }
    let joined = |about: &str, rule: &str| [about, rule].join(" ").trim().to_owned();
    let about = Sentence::new(joined(field.about.0, field.rule.0), joined(field.about.1, field.rule.1));
    set(&mut schema, "description", json!(about));
    set(&mut schema, "examples", vec![example_in(field)]);
    schema
}

/// A JSON value as it came, for a field to read.
pub(super) fn input(value: &Value) -> Input<'_> {
    match value {
        Value::String(text) => Input::Text(text),
        Value::Number(number) => Input::Number(number.to_string()),
        Value::Bool(flag) => Input::Flag(*flag),
        Value::Array(values) => Input::List(values.iter().map(input).collect()),
        Value::Null | Value::Object(_) => Input::Other,
    }
}

/// Sets a member of an object.
pub(super) fn set(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value.into());
    }
}

/// Lets what the schema describes be absent as `null`.
pub(super) fn allow_null(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if let Some(kind) = members.get_mut("type") {
        *kind = json!([kind.clone(), "null"]);
    }
    if let Some(Value::Array(of)) = members.get_mut("anyOf") {
        of.push(json!({ "type": "null" }));
    }
    if let Some(Value::Array(of)) = members.get_mut("enum") {
        of.push(Value::Null);
    }
}

/// An example that finds something: of an entry its name.
pub(super) fn finding(table: &'static Table, field: &Field) -> &'static str {
    let named = table.fields.iter().find(|other| match (other.source, field.source) {
        (Source::NameOf(column), Source::Column) => column == field.column,
        (Source::ParentNameOf(column), Source::ParentOf(of)) => column == of,
        _ => false,
    });
    named.map_or(field.example, |named| named.example)
}
