//! `pleito key`: makes, lists and ends keys (access 25).

use serde_json::json;

use crate::auth::KeyDraft;
use crate::cli::fresh_office;
use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::RerunHint;
use crate::config::Config;
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::http::json::values::moment;
use crate::mcp::connection_lines;
use crate::records::{Level, Nouns, Rights};
use crate::supervisor::{Fatal, Instance, KeyStatus, Owner, OwnerRequest, has_office};
use crate::transfer::{KeyUndo, KeyUndone};

/// Creates a key and writes it alone on standard output, so that a script can take it over. Of an address, writes one line
/// for this machine, and one for each name on the network; of an assistant's key, the lines for its program below it.
pub(in crate::cli) fn new(
    draft: &KeyDraft,
    config: &Config,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if let Some(refused) = fresh_office::refuse(false, config, "token new --new", json, hint, lang) {
        return Ok(refused);
    }
    let lines: Vec<String> = Owner::begin(config)?.ask(OwnerRequest::NewKey(draft.clone()), lang)?;
    let mut text = format!("{}\n", lines.join("\n"));
    if !draft.address.is_empty() {
        return Ok(CommandOutput::result(json!({ "addresses": lines }), text));
    }
    let key = lines.concat();
    if draft.is_for_assistant {
        let paste = |(program, line): (&str, String)| format!("\n{program}:\n{line}\n");
        let folder = &config.folders.data;
        let server = Instance::serving_at(folder).unwrap_or(config.settings.server.listen);
        text += &connection_lines::lines(server, &key, &draft.name, folder).map(paste).concat();
    }
    Ok(CommandOutput::result(json!({ "key": key }), text))
}

pub(in crate::cli) fn list(config: &Config, hint: &RerunHint, lang: Lang) -> Result<CommandOutput, Fatal> {
    let all: Vec<KeyStatus> = Owner::ask_office(config, OwnerRequest::Keys, lang)?;
    let moment = |seconds: i64| moment(seconds, &config.settings.office.time_zone);
    let json = all.iter().map(|key| {
        json!({
            "name": key.name, "level": key.level, "only": key.only, "until": key.until,
            "address": key.address,
            "expired": key.is_expired, "created_at": moment(key.created_at),
            "last_used_at": key.last_used_at.map(moment), "requests_today": key.requests_today,
            "last_four": key.last_four,
        })
    });
    let json = json.collect();
    if all.is_empty() {
        let none = lang.pick("Não há chaves; crie uma com:", "There are no keys; make one with:");
        let words = lang.pick("key new NOME --read", "key new NAME --read");
        return Ok(CommandOutput::result(json, format!("{none} {}\n", hint.line(words))));
    }
    let line = |key: &KeyStatus| {
        let KeyStatus { name, requests_today, last_four, .. } = key;
        let rights = rights(key).message(lang);
        let created = moment(key.created_at);
        let address = key.address.as_ref();
        let address = address.map(|list| localize!(lang, "; endereço de {list}", "; address of {list}"));
        let address = address.unwrap_or_default();
        let never = || lang.pick("nunca", "never").to_owned();
        let used = key.last_used_at.map_or_else(never, moment);
        let until = match (&key.until, key.is_expired) {
            (None, _) => String::new(),
            (Some(day), false) => localize!(lang, "; vale até {day}", "; valid until {day}"),
            (Some(day), true) => localize!(lang, "; venceu em {day}", "; expired on {day}"),
        };
        localize!(
            lang,
            "{name} (····{last_four}): {rights}{address}{until}\n  criada: {created}; último uso: {used}; requisições hoje: {requests_today}\n",
            "{name} (····{last_four}): {rights}{address}{until}\n  created: {created}; last used: {used}; requests today: {requests_today}\n"
        )
    };
    Ok(CommandOutput::result(json, all.iter().map(line).collect()))
}

fn rights(key: &KeyStatus) -> Rights {
    let level = Level::granted(&key.level).unwrap_or(Level::Read);
    let only = key.only.as_ref().map(|names| Nouns::named(names.iter().map(String::as_str)));
    Rights { level, nouns: only.map_or(Nouns::ALL, |nouns| nouns.unwrap_or(Nouns::NONE)) }
}

pub(in crate::cli) fn revoke(name: &str, config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    if !has_office(config)? {
        return Err(Fatal::NoKey(name.to_owned()));
    }
    let name: String = Owner::find(config)?.ask(OwnerRequest::EndKey(name.to_owned()), lang)?;
    let text = localize!(
        lang,
        "Chave encerrada: {name}. O programa que a usa não é mais atendido.\n",
        "Key ended: {name}. The program that uses it is no longer answered.\n"
    );
    Ok(CommandOutput::result(json!({ "revoked": name }), text))
}

pub(in crate::cli) fn undo(
    name: &str,
    day: Option<String>,
    config: &Config,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if !has_office(config)? {
        return Err(Fatal::NoKey(name.to_owned()));
    }
    let undo = KeyUndo { key: name.to_owned(), day, lang };
    let KeyUndone { undone, left } = Owner::find(config)?.ask(OwnerRequest::UndoKey(undo), lang)?;
    let json = json!({ "deleted": undone.deleted, "changed": undone.changed, "deactivated": undone.deactivated, "left": left });
    let heading = lang.pick("Ficaram como estão:", "These stay as they are:");
    let left = if left.is_empty() { String::new() } else { format!("{heading}\n{}\n", left.join("\n")) };
    Ok(CommandOutput::result(json, format!("{}\n{left}", undone.message(lang))))
}
