//! Entries of reference lists in arguments: an assistant may name one, and learns which there are if there is no such one.

use serde_json::{Value, json};

use super::arguments::{Argument, GivenArguments};
use super::quoted::quoted;
use super::read::{Reader, entries};
use super::refusal::{ToolRefusal, shortened};
use crate::domain::fold;
use crate::domain::lang::localize;
use crate::http::Problem;
use crate::records::List;

/// Maximum number of entries that a refusal lists.
const MAX_OPTIONS: usize = 100;

/// Maximum number of characters of an entry's name in a refusal.
const MAX_NAME_CHARACTERS: usize = 80;

/// An active entry of a list.
struct Entry {
    id: u64,
    name: String,
}

impl Reader<'_> {
    /// Returns the refusal of a route with the names of the tool's arguments, and with the values that the first wrong one
    /// accepts. `argument_of` returns the argument that became a parameter or member.
    pub async fn refusal(
        &self,
        problem: &Problem,
        argument_of: impl Fn(&str) -> String,
        known: &[Argument],
    ) -> ToolRefusal {
        let refusal = ToolRefusal::of(problem, self.lang).renamed(&argument_of);
        let mut wrong = problem.wrong().iter().map(|(field, _)| argument_of(field));
        let argument = wrong.find_map(|name| known.iter().find(|argument| argument.name == name));
        let words = argument.map(Argument::words).unwrap_or_default();
        match argument.and_then(|argument| argument.list) {
            Some(list) => match self.entries(list).await {
                Ok(entries) => with_names(refusal, "", &entries),
                Err(_) => refusal,
            },
            None if !words.is_empty() => refusal.with_options("", words),
            None => refusal,
        }
    }

    /// Returns a value in which names of entries are replaced by their ids.
    ///
    /// # Errors
    /// A name that no entry has, or more than one.
    pub async fn with_ids(&self, argument: &Argument, value: Value) -> Result<Value, ToolRefusal> {
        let is_name = |value: &Value| value.as_str().is_some_and(|text| text.contains(char::is_alphabetic));
        let is_named = is_name(&value) || value.as_array().is_some_and(|values| values.iter().any(is_name));
        let Some(list) = argument.list.filter(|_| is_named) else { return Ok(value) };
        let entries = self.entries(list).await?;
        let id = |value: Value| match &value {
            Value::String(name) if is_name(&value) => self.id_of(name, argument, &entries),
            _ => Ok(value),
        };
        match value {
            Value::Array(values) => {
                values.into_iter().map(id).collect::<Result<Vec<_>, _>>().map(Value::Array)
            }
            one => id(one),
        }
    }

    /// Fails if nothing was found because an argument names no entry of its list.
    pub async fn ensure_named(&self, given: &GivenArguments, known: &[Argument]) -> Result<(), ToolRefusal> {
        for argument in known {
            let (Some(list), Some(text)) = (argument.list, given.get(argument.name)) else { continue };
            // Ids may be those of inactive entries, and `none` finds records without an entry.
            if !text.contains(char::is_alphabetic) || text == "none" {
                continue;
            }
            let entries = self.entries(list).await?;
            let wanted = fold(text);
            if !entries.iter().any(|entry| fold(&entry.name).contains(&wanted)) {
                return Err(self.no_entry(text, argument, &entries));
            }
        }
        Ok(())
    }

    /// Replaces the name of a user by the id, since the filters of the API also find `Ana` in `Mariana`. A name that no
    /// active user has stays.
    ///
    /// # Errors
    /// A name that several users have.
    pub async fn with_user_ids(
        &self,
        given: &mut GivenArguments,
        known: &[Argument],
    ) -> Result<(), ToolRefusal> {
        for argument in known.iter().filter(|argument| argument.list == Some(List::Users)) {
            let Some(text) = given.get(argument.name).filter(|text| text.contains(char::is_alphabetic))
            else {
                continue;
            };
            let entries = self.entries(List::Users).await?;
            let wanted = fold(text);
            let has_words = |entry: &&Entry| {
                let name = fold(&entry.name);
                wanted.split(' ').all(|word| name.split(' ').any(|own| own == word))
            };
            let users: Vec<_> = entries.into_iter().filter(|entry| has_words(&entry)).collect();
            let is_named = |entry: &&Entry| fold(&entry.name) == wanted;
            let mut exact = users.iter().filter(is_named);
            match (users.as_slice(), exact.next(), exact.next()) {
                ([], ..) => {}
                ([user], ..) | (_, Some(user), None) => given.set(argument.name, user.id.to_string()),
                _ => return Err(with_names(self.ambiguous(argument), "", &users)),
            }
        }
        Ok(())
    }

    fn id_of(&self, name: &str, argument: &Argument, entries: &[Entry]) -> Result<Value, ToolRefusal> {
        let wanted = fold(name);
        let mut named = entries.iter().filter(|entry| fold(&entry.name) == wanted);
        match (named.next(), named.next()) {
            (Some(one), None) => Ok(json!(one.id)),
            (None, _) => Err(self.no_entry(name, argument, entries)),
            (Some(_), Some(_)) => Err(self.ambiguous(argument)),
        }
    }

    fn ambiguous(&self, argument: &Argument) -> ToolRefusal {
        let argument = argument.name;
        let sentence = localize!(
            self.lang,
            "Há mais de um com esse nome: `{argument}` deve ser o nome inteiro ou o id.",
            "There are several with this name: `{argument}` must be the whole name or the id."
        );
        ToolRefusal::new("ambiguous", sentence)
    }

    fn no_entry(&self, name: &str, argument: &Argument, entries: &[Entry]) -> ToolRefusal {
        let list = argument.list.map_or("", |list| list.table().path);
        let argument = argument.name;
        let given = quoted(&shortened(name), MAX_NAME_CHARACTERS);
        let sentence = localize!(
            self.lang,
            "`{argument}`: não há {given} na tabela `{list}`.",
            "`{argument}`: there is no {given} in the list `{list}`."
        );
        with_names(ToolRefusal::new("unknown-entry", sentence), name, entries)
    }

    /// Reads the active entries of a list that the caller may see.
    async fn entries(&self, list: List) -> Result<Vec<Entry>, ToolRefusal> {
        let lists = self.api.read_route(self.author, "getSettings", None, Vec::new()).await;
        let mut lists = lists.map_err(|problem| ToolRefusal::of(&problem, self.lang))?;
        let member = list.table().field("name").map_or("name", |field| field.member);
        let entry = |entry: Value| {
            let name = entry.get(member)?.as_str()?.to_owned();
            Some(Entry { id: entry.get("id")?.as_u64()?, name })
        };
        Ok(entries(&mut lists, list.table().path).into_iter().filter_map(entry).collect())
    }
}

fn with_names(refusal: ToolRefusal, wrong: &str, entries: &[Entry]) -> ToolRefusal {
    let names: Vec<_> =
        entries.iter().take(MAX_OPTIONS).map(|entry| quoted(&entry.name, MAX_NAME_CHARACTERS)).collect();
    refusal.with_options(&quoted(&shortened(wrong), MAX_NAME_CHARACTERS), names.iter().map(String::as_str))
}
