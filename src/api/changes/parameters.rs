//! The query parameters of GET /changes (events 20.2).

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::{Value, json};

use crate::domain::id::Id;
use crate::domain::{Day, Reason, Whole};
use crate::http::answers::streams::{WAIT, WaitSeconds};
use crate::http::json::query_parameters::{Parameters, QueryReader};
use crate::http::json::values::{FromText, MAX_JSON_INTEGER};
use crate::http::openapi::describe::{Parameter, parameters};
use crate::http::{Problem, Viewer};
use crate::records::{Access, AnyEntry, Kind, List, TABLES, Table};
use crate::store::journal::{CONFLICTS, JournalFilter, Op, STORE};

#[derive(Debug)]
pub struct ChangesParameters {
    pub since: u64,
    pub filter: JournalFilter,
    pub includes_record: bool,
    pub includes_values: bool,
    pub includes_who: bool,
    pub wait: Duration,
    pub limit: u32,
}

impl ChangesParameters {
    /// Leaves out the changes of nouns that are hidden from the viewer. Fails with 403 if one of them is named.
    pub fn for_viewer(mut self, viewer: &Viewer) -> Result<ChangesParameters, Problem> {
        if viewer.sees_all() {
            return Ok(self);
        }
        let hidden = TABLES.iter().filter(|table| !viewer.nouns.has(table.kind));
        if let Some(kinds) = &self.filter.kinds
            && let Some(table) = hidden.clone().find(|table| kinds.contains(table.name))
        {
            return Err(Problem::not_allowed(Access::Read(table.kind)));
        }
        let sees_conflicts = viewer.nouns.has(Kind::Lawsuit);
        if !sees_conflicts && self.filter.kinds.as_ref().is_some_and(|kinds| kinds.contains(CONFLICTS)) {
            return Err(Problem::not_allowed(Access::Read(Kind::Lawsuit)));
        }
        self.filter.kinds.get_or_insert_with(|| seen_kinds(viewer));
        Ok(self)
    }
}

/// Returns the kinds of changes that the viewer may see.
pub fn seen_kinds(viewer: &Viewer) -> BTreeSet<&'static str> {
    let lists = List::ALL.map(List::table);
    let seen = viewer.nouns.tables().chain(lists).map(|table| table.name);
    seen.chain(Some(CONFLICTS).filter(|_| viewer.nouns.has(Kind::Lawsuit))).collect()
}

impl Parameters for ChangesParameters {
    fn read(reader: &mut QueryReader<'_>) -> ChangesParameters {
        let since = reader.parameter::<Since>("since").map_or(0, |since| since.0);
        let kinds = reader.parameter::<Kinds>("resource").map(|kinds| kinds.0);
        let id = reader.parameter::<Id<AnyEntry>>("id").map(Id::get);
        if id.is_some() && kinds.as_ref().is_none_or(|kinds| kinds.len() != 1) {
            reader.refuse("id", Reason::NeedsOneResource);
        }
        let ops = reader.parameter::<Ops>("op").map(|ops| ops.0);
        let from = reader.parameter::<Day>("since_day").map(|day| reader.day_begins(day));
        let include = reader.parameter::<Includes>("include");
        let wait = reader.parameter::<WaitSeconds>(WAIT).map_or(0, Whole::get);
        let limit = reader.parameter::<Whole<1, 1000>>("limit").map_or(1000, Whole::get);
        ChangesParameters {
            since,
            filter: JournalFilter { kinds, id, ops, from },
            includes_record: include.as_ref().is_some_and(|include| include.record),
            includes_values: include.as_ref().is_some_and(|include| include.values),
            includes_who: include.as_ref().is_some_and(|include| include.who),
            wait: Duration::from_secs(wait.into()),
            limit,
        }
    }

    fn parameters() -> Vec<Parameter> {
        parameters! {
            Since: "since" [4710] =>
                "O último número já tratado, o `next` da página anterior; 0 ou nada: desde o começo. Um \
                 número acima de `latest` é de outros dados: a resposta começa com um `replaced` de `store` \
                 e vem desde o começo.",
                "The last number that you have processed: `next` of the previous page. Without it, or with 0, \
                 the feed starts from the beginning. A number above `latest` belongs to other data: the \
                 response starts with a `replaced` of `store`, and continues from the beginning.";
            Day: "since_day" ["2026-11-21"] =>
                "Só o que mudou deste dia em diante, DD/MM/AAAA ou AAAA-MM-DD.",
                "Only changes on this day or later: DD/MM/YYYY or YYYY-MM-DD.";
            Kinds: "resource" ["lawsuits,posts"] =>
                "Um ou vários, com vírgulas; `settings` são todas as tabelas de apoio. As alterações de \
                 `store` vêm sempre, seja qual for o filtro.",
                "One or several resources, separated by commas. `settings` stands for all reference lists. \
                 Changes of `store` are included whatever the filter.";
            Id<AnyEntry>: "id" [5] =>
                "Com um só recurso: as alterações desse registro.",
                "The id of a record, whose changes are returned. Requires exactly one resource.";
            Ops: "op" ["created,updated"] => "Uma ou várias, com vírgulas.",
                "One or several operations, separated by commas.";
            Includes: "include" ["values"] =>
                "`record`: o registro como está agora, null se não existe mais. `values`: os campos \
                 alterados, cada um com o valor de antes e o de depois. `who`: quem alterou, para o token e \
                 chaves com `manage` em tudo. Vários, com vírgulas.",
                "`record` adds the record as it is now, or null if it no longer exists. `values` adds each \
                 changed member with its values before and after. `who` adds the author, for the token and \
                 keys with `manage` for everything. For several, separate them with commas.";
            WaitSeconds: WAIT [0] =>
                "Por quantos segundos a resposta pode esperar até haver algo. A partir de 1, a requisição \
                 não é contada no limite de GET, e o que vem logo em seguida chega junto: depois de um \
                 quarto de segundo sem nada novo, ou de um segundo. Uma página cheia não espera.",
                "Number of seconds for which the response may wait for a change. From 1 on, the request is not \
                 counted against the GET limit, and changes that follow closely are included: the response is \
                 sent after a quarter of a second without a new change, or after one second. A full page is sent \
                 at once.";
            Whole<1, 1000>: "limit" [1000] =>
                "Quantas alterações a página tem, no máximo.",
                "Maximum number of changes in the page.";
        }
    }
}

/// The value of `since`.
struct Since(u64);

impl FromText for Since {
    fn from_text(text: &str) -> Result<Since, Reason> {
        let text = text.trim();
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| is_number && *number <= MAX_JSON_INTEGER);
        number.map(Since).ok_or(Reason::OutOfRange { least: 0, most: MAX_JSON_INTEGER })
    }

    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 0, "maximum": MAX_JSON_INTEGER, "default": 0 })
    }
}

/// Returns the resource name of a table, such as `lawsuits` or `settings/users`.
pub fn resource(table: &Table) -> String {
    match table.can_be_deleted() {
        true => table.path.to_owned(),
        false => [SETTINGS, "/", table.path].concat(),
    }
}

/// Selects all reference lists.
const SETTINGS: &str = "settings";

static RESOURCES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let lists = List::ALL.map(List::table);
    let tables = TABLES.iter().copied().chain(lists).map(resource);
    tables.chain([CONFLICTS, SETTINGS, STORE].map(str::to_owned)).collect()
});

/// The value of `resource`, as table names.
struct Kinds(BTreeSet<&'static str>);

impl FromText for Kinds {
    fn from_text(text: &str) -> Result<Kinds, Reason> {
        let lists = List::ALL.map(List::table);
        let mut kinds = BTreeSet::new();
        for word in words(text, &RESOURCES)? {
            match word {
                SETTINGS => kinds.extend(lists.iter().map(|list| list.name)),
                STORE => _ = kinds.insert(STORE),
                CONFLICTS => _ = kinds.insert(CONFLICTS),
                word => {
                    let of_word = TABLES.iter().chain(&lists).filter(|table| resource(table) == word);
                    kinds.extend(of_word.map(|table| table.name));
                }
            }
        }
        Ok(Kinds(kinds))
    }

    fn schema() -> Value {
        several(&RESOURCES)
    }
}

static OPS: LazyLock<Vec<String>> = LazyLock::new(|| Op::ALL.map(|op| op.as_str().to_owned()).into());

struct Ops(BTreeSet<Op>);

impl FromText for Ops {
    fn from_text(text: &str) -> Result<Ops, Reason> {
        let words = words(text, &OPS)?;
        Ok(Ops(Op::ALL.into_iter().filter(|op| words.contains(&op.as_str())).collect()))
    }

    fn schema() -> Value {
        several(&OPS)
    }
}

static INCLUDES: LazyLock<Vec<String>> =
    LazyLock::new(|| ["record", "values", "who"].map(str::to_owned).into());

struct Includes {
    record: bool,
    values: bool,
    who: bool,
}

impl FromText for Includes {
    fn from_text(text: &str) -> Result<Includes, Reason> {
        let words = words(text, &INCLUDES)?;
        let has = |word| words.contains(&word);
        Ok(Includes { record: has("record"), values: has("values"), who: has("who") })
    }

    fn schema() -> Value {
        several(&INCLUDES)
    }
}

/// Splits a comma-separated value. Fails if a word is not one of `among`.
fn words<'t>(text: &'t str, among: &'static LazyLock<Vec<String>>) -> Result<Vec<&'t str>, Reason> {
    let words: Vec<_> = text.split(',').map(str::trim).collect();
    match words.iter().all(|word| among.iter().any(|known| known == word)) {
        true => Ok(words),
        false => Err(Reason::NotAmong { words: among.as_slice() }),
    }
}

/// Returns the schema of a comma-separated list of these words.
fn several(among: &[String]) -> Value {
    let one = among.join("|");
    json!({ "type": "string", "pattern": format!("^({one})(,({one}))*$") })
}
