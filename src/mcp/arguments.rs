//! The arguments of a tool: their schemas, out of the parameters of the routes that the tool reads, and the values of a call.

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use super::refusal::{ToolRefusal, shortened};
use super::tools::{ID, LIST, OFFSET, Tool, ToolList};
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::http::{Problem, RouteTable};
use crate::records::{List, Rights};

/// An argument, as the definition of its tool describes it.
pub struct Argument {
    pub name: &'static str,
    pub schema: Value,
}

impl Argument {
    /// Returns the words that the argument accepts. Empty if it accepts others.
    pub fn words(&self) -> Vec<&str> {
        let words = self.schema.get("enum").and_then(Value::as_array);
        words.into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

/// Returns the arguments of a tool for a caller with these rights.
pub fn arguments_of(tool: &Tool, rights: Rights, routes: &RouteTable, lang: Lang) -> Vec<Argument> {
    let mut all: Vec<Argument> = Vec::new();
    let mut add = |name: &'static str, mut schema: Map<String, Value>, about: &str| {
        if all.iter().all(|argument| argument.name != name) {
            schema.insert("description".to_owned(), json!(about));
            all.push(Argument { name, schema: Value::Object(schema) });
        }
    };
    let whole_number =
        |least: u32| Map::from_iter([("type".into(), json!("integer")), ("minimum".into(), json!(least))]);
    if tool.record.is_some() {
        add(
            ID,
            whole_number(1),
            lang.pick("Um só registro, com o que lhe pertence.", "One record, with what belongs to it."),
        );
    }
    for source in tool.lists_for(rights, routes) {
        let described = routes.by_id(source.route).map(|row| row.route.described_parameters());
        let described = described.unwrap_or_default();
        for (argument, parameter) in source.arguments {
            match described.iter().find(|described| described.name == *parameter) {
                // The route takes no parameters: its answer has all lists.
                None if *parameter == LIST => {
                    let words = json!(lists());
                    let schema = Map::from_iter([("type".into(), json!("string")), ("enum".into(), words)]);
                    add(argument, schema, lang.pick("A tabela.", "The list."));
                }
                None => {}
                Some(described) => {
                    add(argument, compact(&described.schema), first_sentence(described.about.pick(lang)));
                }
            }
        }
    }
    if tool.usual().is_some_and(|source| source.has_pages(routes)) {
        let about = lang.pick(
            "Quantos itens vêm antes: o `next_offset` da resposta anterior.",
            "The number of items before: `next_offset` of the previous answer.",
        );
        add(OFFSET, whole_number(0), about);
    }
    all
}

/// Returns the names of the reference lists.
fn lists() -> Vec<&'static str> {
    List::ALL.iter().map(|list| list.table().path).collect()
}

/// Returns what an assistant needs of a parameter's schema: type, words and format. The rest is checked by the route.
fn compact(schema: &Value) -> Map<String, Value> {
    let members = schema.as_object().into_iter().flatten();
    let kept = members.filter(|(name, _)| ["type", "enum", "format"].contains(&name.as_str()));
    let mut kept: Map<_, _> = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    kept.entry("type").or_insert_with(|| json!("string"));
    kept
}

fn first_sentence(about: &str) -> &str {
    let end = about.find(';').into_iter().chain(about.find(". ")).min();
    about.get(..end.unwrap_or(about.len())).unwrap_or(about).trim_end_matches('.')
}

/// The values of a call, as the text of query parameters.
pub struct Arguments(Vec<(&'static str, String)>);

impl Arguments {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// An argument that the tool does not have, or whose value is an array or an object.
    pub fn read(known: &[Argument], given: JsonObject, lang: Lang) -> Result<Arguments, ToolRefusal> {
        let mut read = Vec::new();
        for (name, value) in given {
            let Some(argument) = known.iter().find(|argument| argument.name == name) else {
                let name = shortened(&name);
                let names = known.iter().map(|argument| argument.name);
                let sentence = localize!(
                    lang,
                    "Esta ferramenta não tem o argumento `{name}`.",
                    "This tool does not have the argument `{name}`."
                );
                return Err(ToolRefusal::new("unknown-argument", sentence).with_options(&name, names));
            };
            let text = match value {
                Value::Null => continue,
                Value::String(text) => text,
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                Value::Array(_) | Value::Object(_) => {
                    let ty = argument.schema.get("type").and_then(Value::as_str).unwrap_or_default();
                    let sentence = localize!(
                        lang,
                        "`{name}` deve ser um só valor, do tipo {ty}.",
                        "`{name}` must be a single value of the type {ty}."
                    );
                    return Err(ToolRefusal::new("invalid", sentence));
                }
            };
            // A blank value counts as absent, as in queries (contract 3).
            if !text.trim().is_empty() {
                read.push((argument.name, text));
            }
        }
        Ok(Arguments(read))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, text)| text.as_str())
    }

    /// Returns the query parameters of a list.
    ///
    /// # Errors
    /// An argument that the list does not take, because an ignored one would find everything.
    pub fn parameters(&self, source: &ToolList, lang: Lang) -> Result<Vec<(String, String)>, ToolRefusal> {
        let mut parameters = Vec::new();
        for (name, text) in self.0.iter().filter(|(name, _)| *name != OFFSET) {
            let Some(parameter) = source.parameter(name) else {
                let by = source.by.unwrap_or(ID);
                let sentence = localize!(
                    lang,
                    "`{name}` não pode vir com `{by}`: chame a ferramenta com um dos dois.",
                    "`{name}` cannot be given with `{by}`: call the tool with one of the two."
                );
                return Err(ToolRefusal::new("not-beside", sentence));
            };
            parameters.push((parameter.to_owned(), text.clone()));
        }
        Ok(parameters)
    }
}

/// Returns the refusal of a list's route, with the names of the tool's arguments and the words that the first wrong one
/// accepts.
pub fn refusal_of(problem: &Problem, source: &ToolList, known: &[Argument], lang: Lang) -> ToolRefusal {
    let name_of = |parameter: &str| {
        let own = source.arguments.iter().find(|(_, own)| *own == parameter);
        own.map_or(parameter, |(argument, _)| argument).to_owned()
    };
    let refusal = ToolRefusal::of(problem, lang).renamed(name_of);
    let mut wrong = problem.wrong().iter().map(|(field, _)| name_of(field));
    let argument = wrong.find_map(|name| known.iter().find(|argument| argument.name == name));
    match argument.map(Argument::words).filter(|words| !words.is_empty()) {
        Some(words) => refusal.with_options("", words),
        None => refusal,
    }
}
