//! The arguments of a tool: their schemas, out of the parameters and bodies of the routes that the tool calls, and the values
//! of a call.

use std::collections::BTreeSet;

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use super::refusal::{ToolRefusal, shortened};
use super::tools::{CONFIRMATION, ID, LIST, Manner, OFFSET, RESOURCE, Tool, ToolList, ToolWrite};
use crate::domain::Lang;
use crate::domain::lang::{first_upper, localize};
use crate::http::RouteTable;
use crate::http::openapi::describe::{MemberDescription, Need};
use crate::records::{Field, Find, Kind, List, Rights, Table, Type};

/// Members of bodies that are no arguments: a tool sets them itself, or another tool does it.
const NO_ARGUMENTS: [&str; 2] = ["deleted", "existing"];

/// An argument, as the definition of its tool describes it.
pub struct Argument {
    pub name: &'static str,
    pub schema: Value,
    /// The reference list that has its values.
    pub list: Option<List>,
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
    let mut all = Arguments::default();
    let id_of_record =
        lang.pick("Um só registro, com o que lhe pertence.", "One record, with what belongs to it.");
    if tool.record.is_some() {
        all.add(ID, whole_number(1), id_of_record);
    }
    for source in tool.lists_for(rights, routes) {
        let route = routes.by_id(source.route).map(|row| &row.route);
        let described = route.map(|route| route.described_parameters()).unwrap_or_default();
        for (argument, parameter) in source.parameters() {
            match described.iter().find(|described| described.name == parameter) {
                // The route takes no parameters: its answer has all lists.
                None if parameter == LIST => {
                    all.add(LIST, words(lists()), lang.pick("A tabela.", "The list."))
                }
                None => {}
                Some(described) => {
                    let about = first_sentence(described.about.pick(lang)).to_owned();
                    all.add(argument, compact(&described.schema), &about);
                    let table = route.and_then(|route| route.table());
                    all.of_list(argument, table.and_then(|table| list_of_filter(table, parameter)));
                }
            }
        }
    }
    for write in tool.writes_for(rights, routes) {
        all.add_written(write, rights, routes, lang);
    }
    if tool.usual().is_some_and(|source| source.has_pages(routes)) {
        let about =
            lang.pick("O `next_offset` da resposta anterior.", "`next_offset` of the previous answer.");
        all.add(OFFSET, whole_number(0), about);
    }
    all.0
}

/// Returns the arguments that every call of a tool must have.
pub fn required_of(tool: &Tool, rights: Rights, routes: &RouteTable) -> Vec<&'static str> {
    let mut writes = tool.writes_for(rights, routes);
    let Some(mut required) = writes.next().map(|write| write.required_arguments(routes)) else {
        return Vec::new();
    };
    for write in writes {
        let of_write = write.required_arguments(routes);
        required.retain(|argument| of_write.contains(argument));
    }
    required
}

impl ToolWrite {
    /// Returns the arguments that every call of this write must have.
    pub fn required_arguments(&self, routes: &RouteTable) -> Vec<&'static str> {
        let by = self.by.filter(|argument| *argument == RESOURCE);
        let mut required: Vec<_> = by.into_iter().chain(self.path_id).collect();
        required.extend(self.required);
        if self.path_id.is_none() {
            // What only a new record needs is required by the route, which may find one.
            let members = routes.by_id(self.route).map(|row| row.route.described_members());
            let is_needed =
                |member: &&MemberDescription| matches!(member.need, Need::Required | Need::Initial);
            let is_single = self.defaults.is_empty();
            let needed = members.iter().flatten().filter(is_needed).filter(|_| is_single);
            required.extend(needed.filter_map(|member| self.argument(member.name)));
        }
        let mut known = BTreeSet::new();
        required.retain(|argument| known.insert(*argument));
        required
    }
}

/// The arguments of a tool while they are collected. The first one of a name stays.
#[derive(Default)]
struct Arguments(Vec<Argument>);

impl Arguments {
    fn add(&mut self, name: &'static str, mut schema: Map<String, Value>, about: &str) {
        if self.0.iter().all(|argument| argument.name != name) {
            schema.insert("description".to_owned(), json!(about));
            self.0.push(Argument { name, schema: Value::Object(schema), list: None });
        }
    }

    /// Sets the reference list of an argument, unless it has one.
    fn of_list(&mut self, name: &str, list: Option<List>) {
        if let Some(argument) = self.0.iter_mut().find(|argument| argument.name == name) {
            argument.list = argument.list.or(list);
        }
    }

    /// Adds the arguments of a write that the caller may use.
    fn add_written(&mut self, write: &ToolWrite, rights: Rights, routes: &RouteTable, lang: Lang) {
        let table = write.kind.table();
        if write.by == Some(RESOURCE) {
            match self.0.iter_mut().find(|argument| argument.name == RESOURCE) {
                Some(Argument { schema, .. }) => push(&mut schema["enum"], table.path),
                None => self.add(
                    RESOURCE,
                    words(vec![table.path]),
                    lang.pick("O tipo do registro.", "The kind of record."),
                ),
            }
        }
        if let Some(argument) = write.path_id {
            self.add(argument, whole_number(1), lang.pick("O id do registro.", "The record's id."));
        }
        let Some(row) = routes.by_id(write.route) else { return };
        for member in row.route.described_members() {
            let Some(argument) = write.argument(member.name).filter(|name| !NO_ARGUMENTS.contains(name))
            else {
                continue;
            };
            let field = table.fields.iter().find(|field| field.member == member.name);
            if field.is_some_and(|field| !rights.nouns.reveal(table, field)) {
                continue;
            }
            let (schema, about) = written(&member, field, lang);
            self.add(argument, schema, &about);
            self.of_list(argument, field.and_then(list_of));
        }
        for parameter in row.route.described_parameters() {
            if let Some((argument, _)) = write.arguments.iter().find(|(_, member)| *member == parameter.name)
            {
                self.add(argument, compact(&parameter.schema), first_sentence(parameter.about.pick(lang)));
            }
        }
        if matches!(write.manner, Manner::Confirmed { .. }) {
            let about = lang.pick("O que a primeira chamada deu.", "What the first call gave.");
            self.add(CONFIRMATION, Map::from_iter([("type".into(), json!("string"))]), about);
        }
    }
}

fn push(words: &mut Value, word: &str) {
    if let Value::Array(words) = words {
        words.push(json!(word));
    }
}

fn whole_number(least: u32) -> Map<String, Value> {
    Map::from_iter([("type".into(), json!("integer")), ("minimum".into(), json!(least))])
}

fn words(words: Vec<&str>) -> Map<String, Value> {
    Map::from_iter([("type".into(), json!("string")), ("enum".into(), json!(words))])
}

/// Returns the reference list whose entries are the values of a field, alone or several.
fn list_of(field: &Field) -> Option<List> {
    match field.ty {
        Type::Reference(list) | Type::Links(Kind::List(list)) => Some(list),
        _ => None,
    }
}

/// Returns the reference list of the entries that a parameter filters by.
fn list_of_filter(table: &Table, parameter: &str) -> Option<List> {
    let is_of = |field: &&Field| match field.find {
        Some(Find::Entry(name) | Find::EntryOrParent(name)) => name == parameter,
        Some(Find::Guests) => parameter == "user_name",
        _ => false,
    };
    table.fields.iter().find(is_of).and_then(list_of)
}

/// Returns the schema of a member of a body, and its description: the label of its field in forms.
fn written(member: &MemberDescription, field: Option<&Field>, lang: Lang) -> (Map<String, Value>, String) {
    let label = field.map(|field| lang.pick(field.label.0, field.label.1)).filter(|label| !label.is_empty());
    let about = match (label, member.schema.get("description")) {
        (Some(label), _) => first_upper(label),
        (None, Some(Value::Array(texts))) => {
            let text = texts.get(usize::from(lang == Lang::En)).and_then(Value::as_str);
            first_sentence(text.unwrap_or_default()).to_owned()
        }
        _ => member.name.to_owned(),
    };
    match field.and_then(list_of) {
        Some(list) => {
            let path = list.table().path;
            let about = localize!(
                lang,
                "{about}: nome ou id (`lists` {path})",
                "{about}: name or id (`lists` {path})"
            );
            let several = field.is_some_and(|field| matches!(field.ty, Type::Links(_)));
            let one = Map::from_iter([("type".into(), json!("string"))]);
            let all = Map::from_iter([
                ("type".into(), json!("array")),
                ("items".into(), json!({ "type": "string" })),
            ]);
            (if several { all } else { one }, about)
        }
        None => (compact(&member.schema), about),
    }
}

/// Returns the names of the reference lists.
fn lists() -> Vec<&'static str> {
    List::ALL.iter().map(|list| list.table().path).collect()
}

/// Returns what an assistant needs of a schema: type, words, format and parts. The rest is checked by the route.
fn compact(schema: &Value) -> Map<String, Value> {
    let mut kept = Map::new();
    let ty = schema.get("type").and_then(|ty| if ty.is_array() { ty.get(0) } else { Some(ty) });
    let is_list = schema.get("$ref").is_some();
    // The only schema that others refer to is that of ids in other systems.
    kept.insert(
        "type".into(),
        ty.cloned().unwrap_or_else(|| json!(if is_list { "array" } else { "string" })),
    );
    for name in ["enum", "format"] {
        kept.extend(schema.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    match schema.get("items") {
        Some(items) => _ = kept.insert("items".into(), Value::Object(compact(items))),
        None if is_list => _ = kept.insert("items".into(), json!({ "type": "string" })),
        None => {}
    }
    if let Some(Value::Object(parts)) = schema.get("properties") {
        let parts = parts.iter().map(|(name, part)| (name.clone(), Value::Object(compact(part))));
        kept.insert("properties".into(), parts.collect());
    }
    kept
}

fn first_sentence(about: &str) -> &str {
    let end = about.find(';').into_iter().chain(about.find(". ")).min();
    about.get(..end.unwrap_or(about.len())).unwrap_or(about).trim_end_matches('.')
}

/// The values of a call, as the text of query parameters.
pub struct GivenArguments(Vec<(&'static str, String)>);

/// Returns the argument of a tool with this name.
///
/// # Errors
/// The tool does not have it.
pub fn known_argument<'a>(
    known: &'a [Argument],
    name: &str,
    lang: Lang,
) -> Result<&'a Argument, ToolRefusal> {
    known.iter().find(|argument| argument.name == name).ok_or_else(|| {
        let name = shortened(name);
        let names = known.iter().map(|argument| argument.name);
        let sentence = localize!(
            lang,
            "Esta ferramenta não tem o argumento `{name}`.",
            "This tool does not have the argument `{name}`."
        );
        ToolRefusal::new("unknown-argument", sentence).with_options(&name, names)
    })
}

/// Returns the refusal of an argument that the list or write selected by the argument `by` does not take.
pub fn not_beside(name: &str, by: &str, lang: Lang) -> ToolRefusal {
    let sentence = localize!(
        lang,
        "`{name}` não pode vir com `{by}`: chame a ferramenta com um dos dois.",
        "`{name}` cannot be given with `{by}`: call the tool with one of the two."
    );
    ToolRefusal::new("not-beside", sentence)
}

impl GivenArguments {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// An argument that the tool does not have, or whose value is an array, an object or a blank text. An ignored filter would find
    /// everything.
    pub fn read(known: &[Argument], given: JsonObject, lang: Lang) -> Result<GivenArguments, ToolRefusal> {
        let mut read = Vec::new();
        for (name, value) in given {
            let argument = known_argument(known, &name, lang)?;
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
            if text.trim().is_empty() {
                let sentence = localize!(
                    lang,
                    "`{name}` está em branco: dê um valor, ou deixe o argumento de fora para não filtrar.",
                    "`{name}` is blank: give a value, or leave the argument out in order not to filter."
                );
                return Err(ToolRefusal::new("blank", sentence));
            }
            read.push((argument.name, text));
        }
        Ok(GivenArguments(read))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, text)| text.as_str())
    }

    /// Replaces the value of an argument.
    pub fn set(&mut self, name: &str, text: String) {
        self.0.iter_mut().filter(|(given, _)| *given == name).for_each(|(_, value)| value.clone_from(&text));
    }

    /// Returns the query parameters of a list.
    ///
    /// # Errors
    /// An argument that the list does not take, because an ignored one would find everything.
    pub fn parameters(&self, source: &ToolList, lang: Lang) -> Result<Vec<(String, String)>, ToolRefusal> {
        let mut parameters = Vec::new();
        for (name, text) in self.0.iter().filter(|(name, _)| *name != OFFSET) {
            let Some(parameter) = source.parameter(name) else {
                return Err(not_beside(name, source.by.unwrap_or(ID), lang));
            };
            parameters.push((parameter.to_owned(), text.clone()));
        }
        Ok(parameters)
    }
}
