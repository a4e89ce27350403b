//! Descriptions of the parameters of lists, by the tables of their nouns.

use std::iter;

use serde_json::json;

use crate::domain::id::Id;
use crate::domain::lang::Word;
use crate::domain::{
    Day, ExternalId, Order, PaymentStatus, PhoneTerm, ProcessNumberTerm, TaskStatus, YearMonth,
};
use crate::http::json::values::{Compact, FromText, IdOrName, Words};
use crate::http::openapi::describe::{Parameter, about, with_aliases};
use crate::http::openapi::schema::{self, set};
use crate::records::{Field, Find, Table, Type};

/// Returns the names of a field's parameter: first the one of its filter or in responses, then those in requests.
pub fn names(field: &Field) -> Vec<&'static str> {
    let Field { shown, member, other_name, parameter, .. } = *field;
    let all = match field.find {
        Some(Find::Entry(name) | Find::EntryOrParent(name)) => [name, shown, member, other_name],
        // Responses show the linked records themselves under their name.
        Some(Find::Linked(name, _)) => [name, member, other_name, ""],
        _ => [parameter, shown, member, other_name],
    };
    let mut names = Vec::with_capacity(all.len());
    for name in all {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the name of a field's parameter in the description.
fn name(field: &Field) -> &'static str {
    names(field).first().copied().unwrap_or_default()
}

/// Names of the parameter for the guest of a task.
pub const GUEST: [&str; 2] = ["user_id", "users_id"];

/// Value of an id parameter that finds records without a reference.
pub const NONE: &str = "none";

/// Parameter for the record's id in another system.
pub const EXTERNAL_ID: &str = "external_id";

/// Parameter that selects only deleted records.
pub const DELETED: &str = "deleted";

pub fn deleted() -> Parameter {
    Parameter::of::<bool>(
        DELETED,
        (
            "`true`: só os excluídos, cada um com `deleted_at`.",
            "`true` returns only deleted records, each with `deleted_at`.",
        ),
        true,
    )
}

pub const ORDER: &str = "order";

/// Describes the parameter [`ORDER`]. `by_itself` is the list's default order.
pub fn order(by_itself: Order) -> Parameter {
    let about = (
        "Por id, `asc`: do primeiro registro em diante, ou `desc`: do mais novo para trás.",
        "The order by id: `asc` starts with the first record, `desc` with the newest.",
    );
    let (own, other) = match by_itself {
        Order::Ascending => ("asc", "desc"),
        Order::Descending => ("desc", "asc"),
    };
    let mut parameter = Parameter::of::<Order>(ORDER, about, other);
    set(&mut parameter.schema, "default", own);
    parameter
}

/// The word for a record of unknown type.
const ANY: Word = Word("registro", "record");

/// Parameter that selects customers born in the current month.
pub const BIRTHDAYS: &str = "birthdays";

/// Returns the names of the parameters for the first and the last day.
pub fn days(name: &str) -> [String; 2] {
    ["_start", "_end"].map(|end| [name, end].concat())
}

/// Describes the parameters that find records by a field, under all of their names.
pub fn describe(table: &'static Table, field: &Field) -> Vec<Parameter> {
    let names = names(field);
    let mut described = with_aliases(describe_each(table, field), &names);
    if field.find == Some(Find::Guests) {
        described = with_aliases(described, &GUEST);
    }
    described
}

/// Describes the parameters that find records by a field, each under its first name.
fn describe_each(table: &'static Table, field: &Field) -> Vec<Parameter> {
    // Text after a semicolon or the first sentence is about responses only.
    let [pt, en] = [field.about.0, field.about.1].map(|about| {
        let (what, _) = about.split_once(';').or_else(|| about.split_once(". ")).unwrap_or((about, ""));
        what.trim_end_matches('.')
    });
    let about = [pt, en];
    match field.find {
        None => Vec::new(),
        Some(Find::Words | Find::Code) => vec![describe_words(table, field, about, None)],
        Some(Find::WordsOr(other)) => vec![describe_words(table, field, about, Some(other))],
        Some(Find::Start) => {
            let about = about!(
                "{pt}, com ou sem pontuação: inteiro ou o começo.",
                "{en}, with or without punctuation. The whole number or its beginning."
            );
            vec![Parameter::of::<Compact>(name(field), about, field.example)]
        }
        Some(Find::Digits) if field.ty == Type::Phone => vec![describe_phone(field)],
        Some(Find::Digits) => {
            let about = about!(
                "{pt}, com ou sem pontuação: inteiro, ou ao menos 4 dígitos seguidos dele.",
                "{en}, with or without punctuation. The whole number, or at least 4 consecutive digits of it."
            );
            vec![Parameter::of::<ProcessNumberTerm>(name(field), about, field.example)]
        }
        Some(Find::Entry(name)) => vec![describe_entry(table, field, name, false)],
        Some(Find::EntryOrParent(name)) => vec![describe_entry(table, field, name, true)],
        Some(Find::Days(name)) => describe_days(name, about).into(),
        Some(Find::DaysOrNone(name, none)) => {
            let shown = field.shown;
            let without = about!(
                "`true`: sem `{shown}`; `false`: com.",
                "`true` returns records without `{shown}`, `false` records with it."
            );
            let none = Parameter::of::<bool>(none, without, true);
            iter::once(none).chain(describe_days(name, about)).collect()
        }
        Some(Find::Months(name)) => describe_months(name, about).into(),
        Some(Find::Paid(name, _)) => {
            iter::once(describe_payment_status()).chain(describe_days(name, about)).collect()
        }
        Some(Find::Sum(name)) => {
            let about = (
                "`true`: também as somas de tudo o que foi encontrado, qualquer que seja a página.",
                "`true` adds the sums of all matching records, whatever the page.",
            );
            vec![Parameter::of::<bool>(name, about, true)]
        }
        Some(Find::Birthday) => {
            let about = (
                "`true`: aniversariantes do mês atual.",
                "`true` returns customers with a birthday in the current month.",
            );
            vec![Parameter::of::<bool>(BIRTHDAYS, about, true)]
        }
        Some(Find::Value) => {
            let name = name(field).to_owned();
            let about = field.about.into();
            let (schema, example) = (schema::in_body(field.ty), schema::example_in(field));
            vec![Parameter { name, about, schema, example, is_required: false }]
        }
        Some(Find::Newest(_)) if !field.required => {
            let about = about!(
                "{pt}, por id; `{NONE}`: os que não têm.",
                "{en}, by its id. `{NONE}` returns records without one."
            );
            let name = name(field).to_owned();
            let schema = json!({ "anyOf": [Id::<()>::schema(), { "type": "string", "enum": [NONE] }] });
            vec![Parameter { name, about, schema, example: schema::example_in(field), is_required: false }]
        }
        Some(Find::Record | Find::Newest(_)) => {
            let about = about!("{pt}, por id.", "{en}, by its id.");
            vec![Parameter::of::<Id<()>>(name(field), about, number(schema::finding(table, field)))]
        }
        Some(Find::RecordOrThrough(through, _)) => {
            let Word(own_pt, own) = table_of(field).map_or(ANY, |table| table.noun);
            let Word(between_pt, between) =
                table.field(through).and_then(table_of).map_or(ANY, |table| table.noun);
            let about = about!(
                "De um {own_pt}, por id: os seus e os de um {between_pt} seu.",
                "Only records of this {own}, by the {own}'s id, and those of the {own}'s {between}s."
            );
            vec![Parameter::of::<Id<()>>(name(field), about, 17)]
        }
        Some(Find::Guests) => describe_guests(),
        Some(Find::ExternalId) => {
            let about = (
                "O que tem este código em outro sistema: o código inteiro.",
                "The record's id in another system, in full.",
            );
            vec![Parameter::of::<ExternalId>(EXTERNAL_ID, about, field.example)]
        }
        Some(Find::Linked(id, by)) => describe_linked(field, id, by).into(),
    }
}

/// Describes the parameter that finds words of a text. `other` is the member that it searches too.
fn describe_words(
    table: &'static Table,
    field: &Field,
    [pt, en]: [&str; 2],
    other: Option<&str>,
) -> Parameter {
    let [or_pt, or] = other.map_or_else(Default::default, |other| {
        [format!(" Ou `{other}`."), format!(" Also searches the {other}.")]
    });
    let about = about!(
        "{pt}, ou partes; todas as palavras têm de ser encontradas, em qualquer ordem; maiúsculas, acentos e \
         pontuação não importam.{or_pt}",
        "{en}. Every word must occur in it, in whole or in part, in any order. Letter case, accents \
         and punctuation do not matter.{or}",
    );
    Parameter::of::<Words>(name(field), about, schema::finding(table, field))
}

fn describe_phone(field: &Field) -> Parameter {
    let about = (
        "Dígitos seguidos de qualquer telefone do registro, ao menos 4; pontuação, +55, 0 \
         inicial, DDD e nono dígito não importam.",
        "At least 4 consecutive digits of any telephone number of the record. Punctuation, +55, a \
         leading 0, the area code and the ninth digit do not matter.",
    );
    Parameter::of::<PhoneTerm>(name(field), about, field.example)
}

/// Describes the parameter that finds an entry of a list, or of the list of its parents too.
fn describe_entry(table: &'static Table, field: &Field, name: &'static str, or_parent: bool) -> Parameter {
    let (or_pt, or) = match or_parent {
        true => (
            " O que não é conhecido como fase é procurado entre as etapas, e vice-versa.",
            " A name that is not a stage is looked up among the steps, and vice versa.",
        ),
        false => ("", ""),
    };
    let (label, label_en) = field.label;
    let about = about!(
        "{label}: o nome, parte dele ou o id.{or_pt}",
        "{label_en}: the name, a part of it, or the id.{or}"
    );
    Parameter::of::<IdOrName>(name, about, schema::finding(table, field))
}

fn describe_months(name: &str, [pt, en]: [&str; 2]) -> [Parameter; 2] {
    let [first, last] = days(name);
    let from = about!(
        "{pt}: deste mês em diante, MM/AAAA, AAAA-MM ou um dia, do qual vale o mês.",
        "{en}. This month or later: MM/YYYY, YYYY-MM, or a day of the month."
    );
    let to = about!("{pt}: até este mês.", "{en}. This month or earlier.");
    [Parameter::of::<YearMonth>(first, from, "01/2026"), Parameter::of::<YearMonth>(last, to, "12/2026")]
}

fn describe_payment_status() -> Parameter {
    let about = (
        "`paid` (pago); `unpaid` (não pago); `overdue` (vencido): não pago, com vencimento antes de hoje; `open` \
         (a vencer): não pago, com vencimento hoje ou depois.",
        "`paid`, `unpaid`, `overdue` (unpaid, and due before today) or `open` (unpaid, and due today \
         or later).",
    );
    Parameter::of::<PaymentStatus>("status", about, "unpaid")
}

/// Describes the parameters that find tasks by a guest and by what the guests have completed.
fn describe_guests() -> Vec<Parameter> {
    let [first, last] = days("completed");
    vec![
        Parameter::of::<Id<()>>(
            "user_id",
            (
                "Um responsável, por id. A situação e os dias são então os dessa pessoa.",
                "The id of a guest of the task. `status` and the days are then those of this user.",
            ),
            2,
        ),
        Parameter::of::<IdOrName>(
            "user_name",
            (
                "Parte do nome de um responsável; vale o mesmo.",
                "A part of the name of a guest of the task, with the same effect.",
            ),
            "Ana",
        ),
        Parameter::of::<TaskStatus>(
            "status",
            (
                "A situação. Se nada é informado: o que alguém ainda tem de fazer; com `id` ou `completed_*`: tudo.",
                "The status. Default: tasks that at least one guest has not completed. With `id` or \
                 `completed_*`: all.",
            ),
            "all",
        ),
        Parameter::of::<Day>(
            first,
            (
                "Feita por alguém deste dia em diante, mesmo que outros ainda tenham de fazer.",
                "Completed by at least one guest on this day or later.",
            ),
            "2026-01-01",
        ),
        Parameter::of::<Day>(
            last,
            ("Feita por alguém até este dia.", "Completed by at least one guest on this day or earlier."),
            "2026-12-31",
        ),
        Parameter::of::<Id<()>>("id", ("Esse registro.", "The record with this id."), 9),
    ]
}

/// Describes the parameters that find records by a linked one, by its id and by its member `by`.
fn describe_linked(field: &Field, id: &'static str, by: &'static str) -> [Parameter; 2] {
    let Word(word_pt, word) = table_of(field).map_or(ANY, |table| table.noun);
    let other = table_of(field).and_then(|table| table.field(by));
    let (by_pt, by_en) = other.map_or((by, by), |other| other.label);
    let about = about!(
        "Ligados ao {word_pt} com este {by_pt}, com ou sem pontuação.",
        "Linked to the {word} with this {by_en}, with or without punctuation."
    );
    let linked = about!("Ligados a este {word_pt}, por id.", "Linked to this {word}.");
    [
        Parameter::of::<Id<()>>(id, linked, 1),
        Parameter::of::<Compact>(by, about, other.map_or("", |other| other.example)),
    ]
}

fn describe_days(name: &str, [pt, en]: [&str; 2]) -> [Parameter; 2] {
    let [first, last] = days(name);
    let from = about!(
        "{pt}: deste dia em diante, DD/MM/AAAA ou AAAA-MM-DD.",
        "{en}. On this day or later: DD/MM/YYYY or YYYY-MM-DD."
    );
    let to = about!("{pt}: até este dia.", "{en}. On this day or earlier.");
    [Parameter::of::<Day>(first, from, "2026-01-01"), Parameter::of::<Day>(last, to, "2026-12-31")]
}

/// Returns the example as a number if it is one.
fn number(example: &'static str) -> serde_json::Value {
    example.parse::<u32>().map_or_else(|_| example.into(), serde_json::Value::from)
}

/// Returns the table of the records that a field refers or links to.
pub fn table_of(field: &Field) -> Option<&'static Table> {
    match field.ty {
        Type::Links(kind) | Type::Record(kind) => Some(kind.table()),
        _ => None,
    }
}
