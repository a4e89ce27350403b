//! Runs the parsed commands.

use serde_json::json;

use super::command::{Command, CommandLine, CommandOutput};
use super::commands::serve::heading;
use super::commands::{
    autostart, backup, config, console, demo, keys, moving, serve, service, transfer, trash, webhooks,
};
use super::commands::{fresh_office, imports};
use super::manual;
use super::progress::ProgressDisplay;
use super::rerun_hint::{KEY_REVOKE, RerunHint, TOKEN_NEW, WEBHOOKS_RESUME};
use crate::clock::Clock;
use crate::config::{Config, Refused};
use crate::desktop::Autostart;
use crate::domain::lang::{Lang, localize};
use crate::files::private_dir;
use crate::http::json::wire::moment;
use crate::supervisor::check::{self, CheckWanted};
use crate::supervisor::{Fatal, NewTokenMade, Owner, OwnerRequest, TokenStatus};

/// Runs the command with the settings in `config`. `load` reads the settings again, for restarts of the server.
pub(super) fn run(
    command_line: &CommandLine,
    load: impl Fn() -> Result<Config, Refused>,
    config: Config,
    autostart: &Autostart,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let json = command_line.json;
    match &command_line.command {
        Command::Desktop | Command::Serve => serve::serve(load, config, hint, lang),
        Command::Autostart { change } => autostart::run(*change, json, autostart, lang),
        Command::TokenNew { new, and_keys } => token_new(*new, *and_keys, &config, json, hint, lang),
        Command::TokenStatus => token_status(&config, json, hint, lang),
        Command::TokenRevoke => token_revoke(&config, json, lang),
        Command::KeyNew(draft) => keys::new(draft, &config, json, hint, lang),
        Command::KeyList => keys::list(&config, json, hint, lang),
        Command::KeyRevoke { name } => keys::revoke(name, &config, json, lang),
        Command::Backup { file } => backup::backup(file.as_deref(), &config, json, lang),
        Command::Restore { file, with_token } => {
            backup::restore(file.as_deref(), *with_token, &config, json, hint, lang)
        }
        Command::Export { to, customer: None } => transfer::export(to, &config, json, lang),
        Command::Export { to, customer: Some(id) } => transfer::export_person(to, *id, &config, json, lang),
        Command::Import { import, new } => transfer::import(import, *new, &config, json, hint, lang),
        Command::ImportList => imports::list(&config, json, lang),
        Command::ImportUndo { id } => imports::undo(*id, &config, json, lang),
        Command::Move(command) => moving::move_from_api(command, &config, json, lang),
        Command::MoveReport { report } => moving::report(report, &config, json, lang),
        Command::Check { deep, running } => {
            let wanted = CheckWanted { deep: *deep, running: *running, folder: hint.names_folder() };
            Ok(check(&config, wanted, json, hint, lang))
        }
        Command::TrashList => trash::list(&config, json, lang),
        Command::TrashEmpty { yes } => trash::empty(*yes, &config, json, lang),
        Command::WebhooksResume => webhooks::resume(&config, json, lang),
        Command::Service(command) => service::run(*command, &config, json, hint, lang),
        Command::Config => Ok(CommandOutput::done(match json {
            true => config::json(&config, lang),
            false => config::text(&config, lang),
        })),
        Command::Console { link } => console::run(*link, &config, hint, lang),
        Command::Demo(plan) => demo::run(*plan, &config, lang),
        Command::Completions(shell) => Ok(CommandOutput::done(manual::completions(*shell, lang))),
        Command::Manual => Ok(CommandOutput::done(manual::page(lang))),
    }
}

fn token_new(
    new: bool,
    and_keys: bool,
    config: &Config,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let data = &config.folders.data;
    if let Some(refused) = fresh_office::refuse(new, config, "token new --new", json, hint, lang) {
        return Ok(refused);
    }
    private_dir(data).map_err(|cause| Fatal::Folder(data.clone(), cause))?;
    let made: NewTokenMade = Owner::find(config)?.ask(OwnerRequest::NewToken { and_keys }, lang)?;
    let NewTokenMade { token, keys_ended } = made;
    Ok(CommandOutput::done(match json {
        true if and_keys => format!("{}\n", json!({ "token": token, "keys_ended": keys_ended })),
        true => format!("{}\n", json!({ "token": token })),
        false => format!("{token}\n"),
    }))
}

fn token_status(config: &Config, json: bool, hint: &RerunHint, lang: Lang) -> Result<CommandOutput, Fatal> {
    let token: Option<TokenStatus> = Owner::ask_office(config, OwnerRequest::TokenStatus, lang)?;
    let moment = |seconds: i64| moment(seconds, &config.settings.office.time_zone);
    let text = match (&token, json) {
        (None, true) => json!({ "active": false }).to_string(),
        (Some(token), true) => json!({
            "active": true,
            "created_at": moment(token.created_at),
            "last_used_at": token.last_used_at.map(moment),
            "last_four": token.last_four,
        })
        .to_string(),
        (None, false) => {
            let text = lang.pick("Não há token; crie um com:", "There is no token; make one with:");
            format!("{text} {}", hint.line(TOKEN_NEW))
        }
        (Some(token), false) => {
            let never = || lang.pick("nunca", "never").to_owned();
            format!(
                "{} {}\n{} {}\n{} {}",
                lang.pick("Criado em:", "Made:"),
                moment(token.created_at),
                lang.pick("Último uso:", "Last used:"),
                token.last_used_at.map_or_else(never, moment),
                lang.pick("Últimos quatro caracteres:", "Last four characters:"),
                token.last_four
            )
        }
    };
    Ok(CommandOutput::done(text + "\n"))
}

fn token_revoke(config: &Config, json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    let (revoked, keys): (bool, u32) = Owner::ask_office(config, OwnerRequest::RevokeToken, lang)?;
    let text = match (json, revoked) {
        (true, _) if keys > 0 => json!({ "revoked": revoked, "keys_ended": keys }).to_string(),
        (true, _) => json!({ "revoked": revoked }).to_string(),
        (false, _) if keys > 0 => localize!(
            lang,
            "Token revogado; chaves encerradas: {keys}. A API não aceita mais nenhuma requisição até que um novo token seja criado.",
            "Token revoked; keys ended: {keys}. The API accepts no request until a new token is made."
        ),
        (false, true) => lang
            .pick(
                "Token revogado. A API não aceita mais nenhuma requisição até que um novo token seja criado.",
                "Token revoked. The API accepts no request until a new token is made.",
            )
            .to_owned(),
        (false, false) => lang.pick("Não havia token.", "There was no token.").to_owned(),
    };
    Ok(CommandOutput::done(text + "\n"))
}

fn check(config: &Config, wanted: CheckWanted, json: bool, hint: &RerunHint, lang: Lang) -> CommandOutput {
    let shown = ProgressDisplay::begin(lang);
    let clock = Clock::system();
    let token_new = hint.line(TOKEN_NEW);
    let resume = hint.line(WEBHOOKS_RESUME);
    let key_revoke = hint.line(KEY_REVOKE);
    let lines =
        check::CheckLines { token_new: &token_new, webhooks_resume: &resume, key_revoke: &key_revoke };
    let findings = check::check(config, &clock, &lines, wanted, &shown.progress_sink(), lang);
    let ok = findings.iter().all(|finding| finding.ok);
    let text = match json {
        true => json!({ "ok": ok, "findings": findings }).to_string() + "\n",
        false => findings.iter().fold(heading(&config.settings.office.name) + "\n", |text, finding| {
            let mark = if finding.ok { "ok" } else { lang.pick("ERRO", "FAIL") };
            format!("{text}{mark:<4}  {:<13}  {}\n", check::name(finding.point, lang), finding.text)
        }),
    };
    CommandOutput { code: u8::from(!ok), ..CommandOutput::done(text) }
}
