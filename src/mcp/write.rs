//! What a tool writes: one call of a route, whose effect is read from the journal.

pub mod confirmations;
pub mod written;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use self::confirmations::{Confirmations, ConfirmedCall, ShownDeletion, Unconfirmed};
use self::written::ToolWritten;
use super::arguments::{Argument, arguments_of, known_argument, not_beside};
use super::mask::has_mask;
use super::read::Reader;
use super::refusal::ToolRefusal;
use super::tools::{CONFIRMATION, Manner, RESOURCE, Tool, ToolWrite, is_filled};
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::http::{Problem, RouteAnswer, RouteCall, Viewer};
use crate::store::{Db, journal, trash};

/// Writes for a caller.
pub struct ToolWriter<'a> {
    pub reader: Reader<'a>,
    pub confirmations: &'a Arc<Confirmations>,
}

impl ToolWriter<'_> {
    /// Calls a tool that writes.
    ///
    /// # Errors
    /// Wrong arguments, a confirmation that is not valid, and whatever the routes refuse.
    pub async fn call(&self, tool: &Tool, mut given: Map<String, Value>) -> Result<ToolWritten, ToolRefusal> {
        let Reader { api, author, lang, masks } = self.reader;
        // Many programs send null for every argument that they leave out. The API would empty the member.
        given.retain(|_, value| !value.is_null());
        if masks {
            refuse_masks(&given, lang)?;
        }
        let rights = author.caller.rights;
        let known = arguments_of(tool, rights, api.table(), lang);
        for name in given.keys() {
            known_argument(&known, name, lang)?;
        }
        let Some(write) = tool.write_for(rights, api.table(), &given) else {
            return Err(self.unselected(tool, &known));
        };
        let is_absent = |argument: &&&str| !given.get(**argument).is_some_and(is_filled);
        if let Some(missing) = write.path_id.iter().chain(write.required).find(is_absent) {
            return Err(self.missing(missing));
        }
        self.write(write, given, &known).await
    }

    async fn write(
        &self,
        write: &ToolWrite,
        mut given: Map<String, Value>,
        known: &[Argument],
    ) -> Result<ToolWritten, ToolRefusal> {
        let Reader { api, author, lang, .. } = self.reader;
        let token = given.shift_remove(CONFIRMATION).filter(is_filled);
        let confirmed = ConfirmedCall::new(author.caller.who.clone(), &given);
        given.shift_remove(RESOURCE);
        let path_id = write.path_id.map(|argument| text(&given.shift_remove(argument).unwrap_or_default()));
        let mut call = self.route_call(write, given, path_id, known).await?;
        match &write.manner {
            Manner::Plain => {}
            Manner::Appending { to, reads } => {
                let standing = self.read(reads, &call).await?;
                let before = standing.json.get(*to).and_then(Value::as_str).unwrap_or_default();
                let note = call.body.as_mut().and_then(|body| body.get_mut(*to));
                if let Some(note) =
                    note.filter(|note| !note.is_object() && !note.is_array() && !before.is_empty())
                {
                    *note = json!(format!("{before}\n\n{}", text(note)));
                }
                call.if_match = standing.version;
            }
            Manner::Confirmed { reads } => match token {
                None => {
                    let record = self.read(reads, &call).await?;
                    let along = self.deleted_along(write, &call).await?;
                    let shown = ShownDeletion { version: record.version, along: along.clone() };
                    let token = self.confirmations.give(confirmed, shown, api.app().monotonic());
                    return Ok(ToolWritten::unconfirmed(write.kind.table(), record.json, &along, token));
                }
                Some(token) => {
                    let shown = self.confirmed(&text(&token), &confirmed)?;
                    if self.deleted_along(write, &call).await? != shown.along {
                        return Err(unconfirmed(Unconfirmed::CHANGED, lang));
                    }
                    call.if_match = shown.version;
                }
            },
        }
        let id = call.path_id.as_deref().and_then(|id| id.parse().ok());
        let refuse = |problem: Problem| ToolRefusal::of(&problem, lang);
        let since = api.read_internally(&author.id, |db| Ok(journal::latest(db)?)).await.map_err(refuse)?;
        let answer = match api.call_route(author, write.route, call).await {
            Ok(answer) => answer.json,
            Err(problem) => {
                let argument_of = |member: &str| write.argument(member).unwrap_or(member).to_owned();
                return Err(self.reader.refusal(&problem, argument_of, known).await);
            }
        };
        let viewer = Viewer { zone: api.app().zone().clone(), nouns: author.caller.rights.nouns };
        let who = author.caller.who.clone();
        let request_id = author.id.clone();
        let entries = move |db: Db<'_>| Ok(journal::of_assistant(db, since, &who, &request_id)?);
        let entries = api.read_internally(&author.id, entries).await.map_err(refuse)?;
        Ok(ToolWritten::new(write.kind.table(), id, answer, &entries, &viewer))
    }

    /// Builds the call of the route from the arguments, apart from the id in the path.
    async fn route_call(
        &self,
        write: &ToolWrite,
        given: Map<String, Value>,
        path_id: Option<String>,
        known: &[Argument],
    ) -> Result<RouteCall, ToolRefusal> {
        let Reader { api, lang, .. } = self.reader;
        let row = api.table().by_id(write.route);
        let row = row.ok_or_else(|| ToolRefusal::of(&Problem::internal("no route"), lang))?;
        let members = row.route.described_members();
        let mut body = Map::new();
        let mut parameters = Vec::new();
        for (name, value) in given {
            let argument = known_argument(known, &name, lang)?;
            let member = write.member(argument.name).to_owned();
            if members.iter().any(|own| own.name == member && write.argument(own.name).is_some()) {
                body.insert(member, self.reader.with_ids(argument, value).await?);
            } else if row.route.described_parameters().iter().any(|parameter| parameter.name == member) {
                parameters.push((member, text(&value)));
            } else if is_filled(&value) {
                return Err(match write.by.or(write.path_id) {
                    Some(by) => not_beside(&name, by, lang),
                    None => not_of_new(&name, lang),
                });
            }
        }
        for (member, value) in write.defaults {
            if !body.get(*member).is_some_and(is_filled) {
                body.insert((*member).to_owned(), json!(value));
            }
        }
        let body = (!members.is_empty()).then_some(Value::Object(body));
        Ok(RouteCall { path_id, parameters, body, if_match: None })
    }

    async fn read(&self, route: &str, call: &RouteCall) -> Result<RouteAnswer, ToolRefusal> {
        let Reader { api, author, lang, .. } = self.reader;
        let call = RouteCall { path_id: call.path_id.clone(), ..RouteCall::default() };
        api.call_route(author, route, call).await.map_err(|problem| ToolRefusal::of(&problem, lang))
    }

    fn confirmed(&self, token: &str, call: &ConfirmedCall) -> Result<ShownDeletion, ToolRefusal> {
        let Reader { api, lang, .. } = self.reader;
        let now = api.app().monotonic();
        self.confirmations.take(token, call, now).map_err(|cause| unconfirmed(cause, lang))
    }

    /// Counts what would be deleted along with the record, of what the caller may see.
    async fn deleted_along(
        &self,
        write: &ToolWrite,
        call: &RouteCall,
    ) -> Result<Vec<(&'static str, u64)>, ToolRefusal> {
        let Reader { api, author, lang, .. } = self.reader;
        let table = write.kind.table();
        let nouns = author.caller.rights.nouns;
        let Some(id) = call.path_id.as_deref().and_then(|id| id.parse().ok()) else { return Ok(Vec::new()) };
        let count = move |db: Db<'_>| {
            let along = trash::going(db.seen_by(nouns), table, id, false)?;
            Ok(along.into_iter().map(|(table, count)| (table.path, count)).collect())
        };
        api.read_internally(&author.id, count).await.map_err(|problem| ToolRefusal::of(&problem, lang))
    }

    /// Returns the refusal of a call that selects none of the tool's writes.
    fn unselected(&self, tool: &Tool, known: &[Argument]) -> ToolRefusal {
        let Reader { api, author, .. } = self.reader;
        let selecting = tool.writes_for(author.caller.rights, api.table()).filter_map(|write| write.by);
        let mut names: Vec<_> = selecting.collect();
        names.dedup();
        let words = known.iter().find(|argument| argument.name == RESOURCE).map(Argument::words);
        let refusal = self.missing(&names.join("` / `"));
        match words.filter(|_| names == [RESOURCE]) {
            Some(words) => refusal.with_options("", words),
            None => refusal,
        }
    }

    fn missing(&self, argument: &str) -> ToolRefusal {
        let sentence = localize!(
            self.reader.lang,
            "Falta o argumento `{argument}`, ou ele não tem um valor aceito. Nada foi gravado.",
            "The argument `{argument}` is missing, or has no accepted value. Nothing was written."
        );
        ToolRefusal::new("invalid", sentence)
    }
}

/// Returns the refusal of an argument that changes records, but is no member of a new one.
fn not_of_new(name: &str, lang: Lang) -> ToolRefusal {
    let sentence = localize!(
        lang,
        "`{name}` não vale para um registro novo: cadastre-o sem ele, e altere-o depois por `id`. Nada foi gravado.",
        "`{name}` is not for a new record: create it without, and change it by `id` then. Nothing was written."
    );
    ToolRefusal::new("not-of-new", sentence)
}

fn unconfirmed(Unconfirmed(code, (pt, en)): Unconfirmed, lang: Lang) -> ToolRefusal {
    let again = lang.pick(
        "Nada foi excluído: chame de novo sem `confirmation`.",
        "Nothing was deleted: call again without `confirmation`.",
    );
    ToolRefusal::new(code, format!("{} {again}", lang.pick(pt, en)))
}

/// Fails if a value of a call is a mask, which would replace what the office knows.
///
/// # Errors
/// Names the argument.
fn refuse_masks(given: &Map<String, Value>, lang: Lang) -> Result<(), ToolRefusal> {
    let Some(name) = given.iter().find(|(_, value)| has_mask(value)).map(|(name, _)| name) else {
        return Ok(());
    };
    let sentence = localize!(
        lang,
        "`{name}` tem iniciais ou `•••` no lugar de um nome ou número (`mcp.mask`), e nada foi gravado. Deixe fora o que não muda, e \
         cite pessoas pelo id, como `cliente 17`.",
        "`{name}` has initials or `•••` in the place of a name or number (`mcp.mask`), and nothing was written. Leave out what does not \
         change, and name people by their id, such as `customer 17`."
    );
    Err(ToolRefusal::new("masked", sentence))
}

/// Returns a value as the text of a parameter.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned())
}
