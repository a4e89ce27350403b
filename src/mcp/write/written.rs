//! The answer of a tool that writes: what became of the record, from the journal, and what the API says beside it.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::confirmations::VALID;
use crate::api::changes::members::members;
use crate::domain::{Bilingual, Lang};
use crate::http::Viewer;
use crate::mcp::mask::Mask;
use crate::mcp::quoted::{quote, quote_record};
use crate::mcp::text::inline;
use crate::mcp::tools::CONFIRMATION;
use crate::records::Table;
use crate::store::journal::{JournalEntry, Op};

/// Maximum number of characters of each text.
const MAX_TEXT_CHARACTERS: usize = 400;

/// Maximum number of other records that are listed.
const MAX_OTHERS: usize = 25;

/// What became of the record: a word for programs, and one for people.
#[derive(Clone, Copy)]
struct Outcome(&'static str, Bilingual);

impl Outcome {
    /// Nothing was written.
    const UNCHANGED: Outcome =
        Outcome("unchanged", ("Nada mudou: já estava assim", "Nothing changed: it was so already"));
    /// Nothing was written: the call has to be confirmed.
    const UNCONFIRMED: Outcome = Outcome(
        "unconfirmed",
        (
            "Nada foi excluído ainda. Pergunte à pessoa e, em dois minutos, chame de novo com os mesmos argumentos e `confirmation`",
            "Nothing was deleted yet. Ask the person and, within two minutes, call again with the same arguments and `confirmation`",
        ),
    );

    const fn of(op: Op) -> Outcome {
        match op {
            Op::Created => Outcome("created", ("Criado", "Created")),
            Op::Updated | Op::Replaced => Outcome("changed", ("Alterado", "Changed")),
            Op::Restored => Outcome("restored", ("De volta da lixeira", "Restored from the trash")),
            Op::Deleted | Op::Purged => Outcome("deleted", ("Na lixeira", "Moved to the trash")),
        }
    }
}

/// The effect of a call.
pub struct ToolWritten {
    outcome: Outcome,
    pub table: &'static Table,
    id: u64,
    /// The members that changed, as answers name them.
    changed: Vec<&'static str>,
    /// Other records that the same call wrote.
    others: Vec<Value>,
    /// What the API says beside it, such as possible conflicts.
    more: Map<String, Value>,
    /// The record that has to be confirmed, and the confirmation.
    unconfirmed: Option<(Value, String)>,
}

/// Returns the schema of all answers of tools that write.
pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "result": { "type": "string" },
            "resource": { "type": "string" },
            "id": { "type": "integer" },
        },
        "required": ["result", "resource", "id"],
    })
}

impl ToolWritten {
    /// Returns what the entries of the journal tell about a call, which changed the record with this id or, without one, that
    /// of the route's answer.
    pub fn new(
        table: &'static Table,
        id: Option<u64>,
        answer: Value,
        entries: &[JournalEntry],
        viewer: &Viewer,
    ) -> ToolWritten {
        // With `api.compatibility = "document"`, a new customer comes alone in an array.
        let answer = match answer {
            Value::Array(mut answers) if answers.len() == 1 => answers.remove(0),
            answer => answer,
        };
        let Value::Object(mut more) = answer else {
            return ToolWritten::unchanged(table, id.unwrap_or_default());
        };
        let names = [table.singular(), table.path].map(|name| [name, "_id"].concat());
        let answered = names.map(|name| more.shift_remove(&name).and_then(|id| id.as_u64()));
        let id = id.or(answered.into_iter().flatten().next()).unwrap_or_default();
        let is_own = |entry: &&JournalEntry| entry.kind == table.name && u64::from(entry.id) == id;
        let mut changed = Vec::new();
        for entry in entries.iter().filter(is_own).filter(|entry| entry.op == Op::Updated) {
            let seen = members(table, &entry.changed).into_iter();
            let seen = seen.filter(|member| member.columns.iter().all(|field| viewer.sees(table, field)));
            changed.extend(seen.map(|member| member.name));
        }
        let other = |entry: &JournalEntry| {
            let table = Table::noun_named(&entry.kind).filter(|table| viewer.nouns.has(table.kind))?;
            Some(json!({ "resource": table.path, "id": entry.id, "result": Outcome::of(entry.op).0 }))
        };
        let others =
            entries.iter().filter(|entry| !is_own(entry)).filter_map(other).take(MAX_OTHERS).collect();
        // The journal says the same.
        for name in ["success", "created", "changed", "restored"] {
            more.shift_remove(name);
        }
        more.retain(|_, value| !value.is_null());
        ToolWritten {
            outcome: entries.iter().find(is_own).map_or(Outcome::UNCHANGED, |entry| Outcome::of(entry.op)),
            changed,
            others,
            more,
            ..ToolWritten::unchanged(table, id)
        }
    }

    /// Returns the answer of a call that has to be confirmed: the confirmation, the record, and the numbers of records that go
    /// along with it.
    pub fn unconfirmed(
        table: &'static Table,
        record: Value,
        along: &[(&'static str, u64)],
        token: String,
    ) -> ToolWritten {
        let id = record.get("id").and_then(Value::as_u64).unwrap_or_default();
        let along = along.iter().map(|(path, count)| ((*path).to_owned(), json!(count)));
        let more = Map::from_iter([("deleted_along".to_owned(), Value::Object(along.collect()))]);
        let unconfirmed = Some((record, token));
        ToolWritten { outcome: Outcome::UNCONFIRMED, more, unconfirmed, ..ToolWritten::unchanged(table, id) }
    }

    /// Returns what became of the record, without what the API says beside it.
    pub fn outcome_alone(&self) -> ToolWritten {
        let changed = self.changed.clone();
        ToolWritten { outcome: self.outcome, changed, ..ToolWritten::unchanged(self.table, self.id) }
    }

    fn unchanged(table: &'static Table, id: u64) -> ToolWritten {
        let outcome = Outcome::UNCHANGED;
        let more = Map::new();
        ToolWritten { outcome, table, id, changed: Vec::new(), others: Vec::new(), more, unconfirmed: None }
    }

    /// Masks the people whom the answer shows.
    pub fn mask(&mut self, mask: &mut Mask<'_>) {
        mask.members(&mut self.more);
        if let Some((record, _)) = &mut self.unconfirmed {
            mask.note(record, Some(self.table));
            mask.value(record, Some(self.table));
        }
    }

    /// Builds the answer: structured, and as text for a person.
    pub fn answer(&self, lang: Lang) -> CallToolResult {
        let ToolWritten { outcome, table, id, changed, others, more, unconfirmed } = self;
        let mut rest = Map::new();
        rest.extend((!changed.is_empty()).then(|| ("changed".to_owned(), json!(changed))));
        rest.extend((!others.is_empty()).then(|| ("also".to_owned(), json!(others))));
        rest.extend(
            more.iter().map(|(name, value)| (name.clone(), quote(value.clone(), MAX_TEXT_CHARACTERS))),
        );
        if let Some((record, token)) = unconfirmed {
            rest.insert(CONFIRMATION.to_owned(), json!(token));
            rest.insert("valid_seconds".to_owned(), json!(VALID.as_secs()));
            rest.insert("record".to_owned(), quote_record(record.clone(), Some(table), MAX_TEXT_CHARACTERS));
        }
        let Outcome(word, (pt, en)) = *outcome;
        let noun = lang.pick(table.noun.0, table.noun.1);
        let mut text = format!("{}: {noun} {id}.", lang.pick(pt, en));
        for (name, value) in &rest {
            text.push_str(&format!("\n{name}: {}", inline(value, lang)));
        }
        let mut structured = Map::from_iter([
            ("result".to_owned(), json!(word)),
            ("resource".to_owned(), json!(table.path)),
            ("id".to_owned(), json!(id)),
        ]);
        structured.extend(rest);
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(Value::Object(structured));
        result
    }
}
