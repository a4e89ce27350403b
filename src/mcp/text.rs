//! Answers as text for a person. Texts of records come in quoted (`quoted`) and stay so.

use serde_json::{Map, Value};

use super::read::Findings;
use crate::domain::Lang;
use crate::domain::lang::{first_upper, localize};
use crate::records::Table;

/// Returns the text of an answer, from its structured form.
pub fn answer(found: &Findings, structured: &Value, lang: Lang) -> String {
    let today = structured.get("today").and_then(Value::as_str).unwrap_or_default();
    let mut text = localize!(lang, "Hoje: {today}. ", "Today: {today}. ");
    let Value::Object(members) = structured else { return text };
    page(&mut text, members, found.table, found.is_whole, lang);
    let related = members.get("related").and_then(Value::as_object);
    for (name, list) in related.into_iter().flatten() {
        let table = Table::noun_named(name);
        let Some(list) = list.as_object() else { continue };
        let title = table.map_or(name.clone(), |table| table.title(lang));
        text.push_str(&format!("\n\n{title}: "));
        page(&mut text, list, table, false, lang);
    }
    text
}

fn page(text: &mut String, page: &Map<String, Value>, table: Option<&Table>, is_whole: bool, lang: Lang) {
    let items: &[Value] = page.get("items").and_then(Value::as_array).map_or(&[], Vec::as_slice);
    let shown = items.len();
    match page.get("total").and_then(Value::as_u64) {
        _ if is_whole => {}
        Some(total) => text.push_str(&localize!(
            lang,
            "{total} no total, {shown} a seguir.",
            "{total} in all, {shown} below."
        )),
        None => text.push_str(&localize!(lang, "{shown} a seguir.", "{shown} below.")),
    }
    if let Some(next) = page.get("next_offset") {
        text.push_str(&localize!(lang, " O resto: offset={next}.", " The rest: offset={next}."));
    }
    let of_page = ["today", "total", "next_offset", "items", "related"];
    for (name, value) in page.iter().filter(|(name, _)| !of_page.contains(&name.as_str())) {
        text.push_str(&format!("\n{name}: {}", inline(value, lang)));
    }
    for item in items {
        text.push_str("\n- ");
        let Value::Object(members) = item else {
            text.push_str(&inline(item, lang));
            continue;
        };
        let separator = if is_whole { "\n  " } else { "; " };
        let members = members
            .iter()
            .map(|(name, value)| format!("{}: {}", label(name, table, lang), inline(value, lang)));
        text.push_str(&members.collect::<Vec<_>>().join(separator));
    }
}

/// Returns the label of a member for people, or else its name.
fn label(name: &str, table: Option<&Table>, lang: Lang) -> String {
    let field = table.and_then(|table| table.fields.iter().find(|field| field.shown == name));
    match field.map(|field| lang.pick(field.label.0, field.label.1)).filter(|label| !label.is_empty()) {
        Some(label) => first_upper(label),
        None => name.to_owned(),
    }
}

pub fn inline(value: &Value, lang: Lang) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => lang.pick("sim", "yes").to_owned(),
        Value::Bool(false) => lang.pick("não", "no").to_owned(),
        Value::String(text) => text.clone(),
        // Amounts and scores have two decimals.
        Value::Number(number) if number.is_f64() => format!("{:.2}", number.as_f64().unwrap_or_default()),
        Value::Number(number) => number.to_string(),
        Value::Array(entries) => {
            entries.iter().map(|entry| inline(entry, lang)).collect::<Vec<_>>().join(", ")
        }
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let members = members.map(|(name, value)| format!("{name}: {}", inline(value, lang)));
            format!("({})", members.collect::<Vec<_>>().join(", "))
        }
    }
}
