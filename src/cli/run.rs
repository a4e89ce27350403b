//! Runs the parsed commands.

use super::command::{Command, CommandLine};
use super::commands::{
    autostart, backup, check, config, console, demo, keys, mcp, promote, replica, serve, service, token,
    transfer, trash, webhooks,
};
use super::manual;
use super::output::CommandOutput;
use super::rerun_hint::RerunHint;
use crate::config::{Config, Refused};
use crate::desktop::Autostart;
use crate::domain::Lang;
use crate::supervisor::Fatal;
use crate::supervisor::check::CheckWanted;

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
        Command::Autostart { change } => autostart::run(*change, autostart, lang),
        Command::TokenNew { new, and_keys } => token::new(*new, *and_keys, &config, json, hint, lang),
        Command::TokenStatus => token::status(&config, hint, lang),
        Command::TokenRevoke => token::revoke(&config, lang),
        Command::KeyNew(draft) => keys::new(draft, &config, json, hint, lang),
        Command::KeyList => keys::list(&config, hint, lang),
        Command::KeyRevoke { name } => keys::revoke(name, &config, lang),
        Command::KeyUndo { name, day } => keys::undo(name, day.clone(), &config, lang),
        Command::Backup { file, passphrase } => backup::backup(file.as_deref(), *passphrase, &config, lang),
        Command::BackupKeyNew => Ok(backup::keys::new(lang)),
        Command::BackupTest => backup::keys::test(&config, lang),
        Command::Restore { file, with_token } => {
            backup::restore(file.as_deref(), *with_token, &config, hint, lang)
        }
        Command::Export { to, customer } => transfer::export(to, *customer, &config, lang),
        Command::Import { import, new } => transfer::import(import, *new, &config, json, hint, lang),
        Command::ImportList => transfer::imports::list(&config, lang),
        Command::ImportUndo { id } => transfer::imports::undo(*id, &config, lang),
        Command::Move { moved, authority, report } => {
            let authority = authority.as_deref();
            transfer::moving::move_from_api(moved, authority, report.as_deref(), &config, json, lang)
        }
        Command::MoveReport { report } => transfer::moving::report(report, &config, json, lang),
        Command::Check { deep, running } => {
            let wanted = CheckWanted { deep: *deep, running: *running, folder: hint.names_folder() };
            Ok(check::run(&config, wanted, hint, lang))
        }
        Command::TrashList => trash::list(&config, lang),
        Command::TrashEmpty { yes } => trash::empty(*yes, &config, lang),
        Command::WebhooksResume => webhooks::resume(&config, lang),
        Command::Service(command) => service::run(*command, &config, hint, lang),
        Command::Replica(command) => replica::run(command, &config, lang),
        Command::Promote { yes } => promote::run(*yes, &config, json, hint, lang),
        Command::Config => Ok(CommandOutput::done(match json {
            true => config::json(&config, lang),
            false => config::text(&config, lang),
        })),
        Command::Console { link } => console::run(*link, &config, hint, lang),
        Command::Mcp { key } => Ok(mcp::run(key.as_deref(), &config, hint, lang)),
        Command::Demo(plan) => demo::run(*plan, &config, lang),
        Command::Completions(shell) => Ok(CommandOutput::done(manual::completions(*shell, lang))),
        Command::Manual => Ok(CommandOutput::done(manual::page(lang))),
    }
}
