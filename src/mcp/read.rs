//! What a tool reads: a page of a list, or one record with what belongs to it.

use std::cmp::Ordering;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::arguments::{Argument, GivenArguments, arguments_of};
use super::refusal::ToolRefusal;
use super::tools::{ID, LIST, OFFSET, PATH_ID, Tool, ToolList, ToolRecord};
use crate::config::settings::Compatibility;
use crate::domain::Lang;
use crate::http::{Api, Author, Problem, Route, RouteTable};
use crate::records::Table;

/// Maximum number of items in an answer.
pub const MAX_ITEMS: usize = 25;

/// Maximum number of items of each list beside a record.
const MAX_RELATED: usize = 10;

/// The member that says that nothing was found by all words, and that the items are only similar.
const ONLY_SIMILAR: &str = "only_similar";

/// The member that says that the items are too many to be sorted by day.
const UNSORTED: &str = "unsorted";

/// A page of a list, or a record, as the API returns it.
pub struct Findings {
    pub items: Vec<Value>,
    /// The number of all matches. `None` for a feed, which says instead whether it goes on.
    pub total: Option<u64>,
    /// The number of items before the page.
    pub offset: usize,
    /// Other members of the API's answer, such as sums.
    pub more: Map<String, Value>,
    /// The table of the items, if they are records.
    pub table: Option<&'static Table>,
    /// Lists of what belongs to the record, each with the name of its table.
    pub related: Vec<(&'static str, Findings)>,
    /// `true` if the items are whole records, whose long texts are wanted.
    pub is_whole: bool,
}

/// Reads for a caller.
pub struct Reader<'a> {
    pub api: &'a Arc<Api>,
    pub author: &'a Author,
    pub lang: Lang,
    /// `true` if the caller gets masked answers.
    pub masks: bool,
}

impl ToolList {
    /// Returns `true` if the list has pages that `offset` selects.
    pub fn has_pages(&self, routes: &RouteTable) -> bool {
        self.is_of_lists || routes.by_id(self.route).is_some_and(|row| row.route.is_list())
    }
}

impl Reader<'_> {
    /// Calls a tool.
    ///
    /// # Errors
    /// Wrong arguments, whatever the routes refuse, and a record that does not exist.
    pub async fn call(&self, tool: &Tool, given: Map<String, Value>) -> Result<Findings, ToolRefusal> {
        let known = arguments_of(tool, self.author.caller.rights, self.api.table(), self.lang);
        let mut arguments = GivenArguments::read(&known, given, self.lang)?;
        if self.masks {
            arguments.ensure_whole(self.lang)?;
        }
        self.with_user_ids(&mut arguments, &known).await?;
        if let (Some(record), Some(id)) = (&tool.record, arguments.get(ID)) {
            arguments.parameters(&ToolList::BY_ID, self.lang)?;
            return self.record(record, id).await;
        }
        let selects = |source: &&ToolList| source.by.is_none_or(|by| arguments.get(by).is_some());
        let Some(source) = tool.lists.iter().find(selects) else {
            return Err(ToolRefusal::of(&Problem::no_route(), self.lang));
        };
        let found = self.list(source, &arguments, &known).await?;
        let found = match tool.otherwise {
            // A search by what the other list does not take has no other result.
            Some(other) if found.total == Some(0) && self.takes(other, &arguments) => {
                let mut similar = self.list(other, &arguments, &known).await?;
                if !similar.items.is_empty() {
                    similar.more.insert(ONLY_SIMILAR.to_owned(), json!(true));
                }
                similar
            }
            _ => found,
        };
        if found.total == Some(0) {
            self.ensure_named(&arguments, &known).await?;
        }
        Ok(found)
    }

    /// Returns `true` if a list takes all arguments, one of which it needs.
    fn takes(&self, source: &ToolList, arguments: &GivenArguments) -> bool {
        let has_needed = source.by.is_none_or(|by| arguments.get(by).is_some());
        has_needed && arguments.parameters(source, self.lang).is_ok()
    }

    /// Reads a record and what belongs to it, apart from what the caller may not see.
    ///
    /// # Errors
    /// A record that does not exist.
    pub async fn record(&self, record: &ToolRecord, id: &str) -> Result<Findings, ToolRefusal> {
        let item = self.api.read_route(self.author, record.route, Some(id), Vec::new()).await;
        let item = item.map_err(|problem| ToolRefusal::of(&problem, self.lang))?;
        let routes = self.api.table();
        let mut related = Vec::new();
        for source in record.related.iter().filter(|source| source.is_for(self.author.caller.rights, routes))
        {
            let parameters = source.parameters().map(|(_, parameter)| (parameter.to_owned(), id.to_owned()));
            let found = self.page(source, parameters.collect(), 0, MAX_RELATED).await;
            let found = found.map_err(|problem| ToolRefusal::of(&problem, self.lang))?;
            related.push((found.table.map_or("", |table| table.name), found));
        }
        let table = routes.by_id(record.route).and_then(|row| row.route.table());
        let items = vec![item];
        Ok(Findings { items, total: Some(1), offset: 0, more: Map::new(), table, related, is_whole: true })
    }

    async fn list(
        &self,
        source: &ToolList,
        arguments: &GivenArguments,
        known: &[Argument],
    ) -> Result<Findings, ToolRefusal> {
        let parameters = arguments.parameters(source, self.lang)?;
        let offset = match arguments.get(OFFSET).map(str::parse::<usize>) {
            None => 0,
            Some(Ok(offset)) => offset,
            Some(Err(_)) => {
                let sentence = self.lang.pick(
                    "`offset` deve ser um número inteiro, a partir de 0.",
                    "`offset` must be a whole number, 0 or more.",
                );
                return Err(ToolRefusal::new("invalid", sentence.to_owned()));
            }
        };
        if source.is_of_lists && arguments.get(LIST).is_none_or(|list| !is_word(known, list)) {
            let sentence =
                self.lang.pick("`list` deve ser uma das tabelas.", "`list` must be one of the lists.");
            let words = known.iter().find(|argument| argument.name == LIST).map(Argument::words);
            let refusal = ToolRefusal::new("invalid", sentence.to_owned());
            return Err(
                refusal.with_options(arguments.get(LIST).unwrap_or_default(), words.unwrap_or_default())
            );
        }
        let found = self.page(source, parameters, offset, MAX_ITEMS).await;
        match found {
            Ok(found) => Ok(found),
            Err(problem) => Err(self.refusal(&problem, |name| source.argument(name).to_owned(), known).await),
        }
    }

    /// Reads a page of at most `limit` items. A list that is sorted here and too long for one page of the API stays in
    /// the order of the API, and says so.
    async fn page(
        &self,
        source: &ToolList,
        parameters: Vec<(String, String)>,
        offset: usize,
        limit: usize,
    ) -> Result<Findings, Problem> {
        let mut found =
            self.page_sorted(source, source.sorted_by, parameters.clone(), (offset, limit)).await?;
        let largest = self.api.table().by_id(source.route).map_or(0, |row| largest_page(&row.route));
        if source.sorted_by.is_some() && found.total.is_some_and(|total| total > u64::from(largest)) {
            found = self.page_sorted(source, None, parameters, (offset, limit)).await?;
            found.more.insert(UNSORTED.to_owned(), json!(true));
        }
        Ok(found)
    }

    async fn page_sorted(
        &self,
        source: &ToolList,
        sorted_by: Option<&str>,
        parameters: Vec<(String, String)>,
        (offset, limit): (usize, usize),
    ) -> Result<Findings, Problem> {
        let row = self.api.table().by_id(source.route);
        let route = &row.ok_or_else(|| Problem::internal(format!("no route `{}`", source.route)))?.route;
        let (list, parameters): (Vec<_>, Vec<_>) = parameters.into_iter().partition(|(name, _)| name == LIST);
        let (path_id, mut parameters): (Vec<_>, Vec<_>) =
            parameters.into_iter().partition(|(name, _)| name == PATH_ID);
        let always = (source.always)(self.author.caller.rights).iter();
        parameters.extend(always.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        // A list that is sorted here is read from its beginning. So is one without pages.
        let is_paged_there = route.is_list() && sorted_by.is_none();
        if route.is_list() {
            let largest = largest_page(route) as usize;
            let (limit, offset) = if is_paged_there { (limit, offset) } else { (largest, 0) };
            parameters.push(("limit".to_owned(), limit.to_string()));
            parameters.push(("offset".to_owned(), offset.to_string()));
        }
        let path_id = path_id.first().map(|(_, id)| id.as_str());
        let mut answer = self.api.read_route(self.author, source.route, path_id, parameters).await?;
        let (mut items, more) = match list.first() {
            Some((_, list)) => (entries(&mut answer, list), Map::new()),
            None => items_and_more(answer),
        };
        let total = match (more.get("totalCount").and_then(Value::as_u64), more.contains_key("more")) {
            (None, true) => None,
            (total, _) => Some(total.unwrap_or(items.len() as u64)),
        };
        if let Some(member) = sorted_by {
            items.sort_by(|one, other| by_text(one.get(member), other.get(member)));
        }
        if !is_paged_there {
            items = items.into_iter().skip(offset).take(limit).collect();
        }
        let is_of_page = |name: &str| ["totalCount", "limit", "offset", "query"].contains(&name);
        let more = more.into_iter().filter(|(name, value)| !is_of_page(name) && !value.is_null()).collect();
        Ok(Findings {
            items,
            total,
            offset,
            more,
            table: route.table(),
            related: Vec::new(),
            is_whole: false,
        })
    }
}

impl ToolList {
    /// Takes an id alone.
    const BY_ID: ToolList = ToolList::of_record("", PATH_ID);
}

fn largest_page(route: &Route) -> u32 {
    route.largest_page(Compatibility::Document)
}

fn is_word(known: &[Argument], word: &str) -> bool {
    known.iter().any(|argument| argument.name == LIST && argument.words().contains(&word))
}

/// Splits the answer of a list into its items and its other members.
fn items_and_more(answer: Value) -> (Vec<Value>, Map<String, Value>) {
    let Value::Object(mut members) = answer else { return Default::default() };
    match members.shift_remove("data") {
        Some(Value::Array(items)) => (items, members),
        _ => (Vec::new(), members),
    }
}

/// Takes the entries of a reference list out of the answer of `GET /settings`. Lists about money are one level deeper.
pub fn entries(answer: &mut Value, list: &str) -> Vec<Value> {
    let deeper = answer.get("financial").is_some_and(|financial| financial.get(list).is_some());
    let lists = if deeper { answer.get_mut("financial") } else { Some(answer) };
    match lists.and_then(|lists| lists.get_mut(list)).map(Value::take) {
        Some(Value::Array(entries)) => entries,
        _ => Vec::new(),
    }
}

/// Compares two members as text. An absent one comes last.
fn by_text(one: Option<&Value>, other: Option<&Value>) -> Ordering {
    let [one, other] = [one, other].map(|value| value.and_then(Value::as_str));
    match (one, other) {
        (Some(one), Some(other)) => one.cmp(other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}
