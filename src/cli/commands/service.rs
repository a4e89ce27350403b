//! `pleito service`: the service of the machine.

use serde_json::json;

use super::fresh_office;
use crate::cli::command::{CommandOutput, ServiceCommand};
use crate::cli::rerun_hint::{RerunHint, quoted};
use crate::config::Config;
use crate::domain::lang::{Lang, localize};
use crate::supervisor::{Fatal, has_office, service};

/// Installs or removes the service, or prints its state.
pub(in crate::cli) fn run(
    command: ServiceCommand,
    config: &Config,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    match command {
        ServiceCommand::Install { new } => install(new, config, json, hint, lang),
        ServiceCommand::Remove => remove(json, lang),
        ServiceCommand::Status => Ok(status(json, lang)),
    }
}

fn install(
    new: bool,
    config: &Config,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if !service::is_administrator() {
        return Err(Fatal::NotAdministrator(as_administrator(config)));
    }
    if let Some(refused) = fresh_office::refuse(new, config, "service install --new", json, hint, lang) {
        return Ok(refused);
    }
    let moved = service::install(config)?;
    let state = service::status();
    if json {
        return Ok(CommandOutput::done(format!("{}\n", json!({ "moved": moved, "data": state.data }))));
    }
    let mut text = sentence(&state, lang);
    let from = &config.folders.data;
    let data = state.data.display();
    if moved {
        let left = quoted(&from.to_string_lossy());
        text += &localize!(
            lang,
            "Em {left} ficou o que havia antes da mudança. Quando tudo estiver em ordem, apague essa pasta.\nQuem iniciava o Pleito ao entrar não precisa mais: pleito autostart off\n",
            "What was there before the move is left in {left}. Once everything is in order, delete that folder.\nWho started Pleito at sign-in need not any more: pleito autostart off\n"
        );
    }
    let backups = config.settings.backup.folder(from);
    if !backups.starts_with(from) {
        let backups = backups.display();
        text += &localize!(
            lang,
            "ATENÇÃO: o serviço grava só em {data}. Para que grave os backups em {backups}, dê essa pasta ao usuário pleito e libere-a: sudo systemctl edit pleito, com [Service] e ReadWritePaths={backups}\n",
            "WARNING: the service writes to {data} only. To let it write backups to {backups}, give that folder to the user pleito and allow it: sudo systemctl edit pleito, with [Service] and ReadWritePaths={backups}\n"
        );
    }
    Ok(CommandOutput::done(text))
}

/// Returns the command line that an administrator types to install the service for this office.
fn as_administrator(config: &Config) -> String {
    let program = std::env::current_exe().unwrap_or_else(|_| "pleito".into());
    let mut line = format!("sudo {} service install", quoted(&program.to_string_lossy()));
    if has_office(config) {
        line += &format!(" --data-dir {}", quoted(&config.folders.data.to_string_lossy()));
        if config.file.exists() {
            line += &format!(" --config {}", quoted(&config.file.to_string_lossy()));
        }
    }
    line
}

fn remove(json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    if !service::is_administrator() {
        return Err(Fatal::NotAdministrator("sudo pleito service remove".to_owned()));
    }
    service::remove()?;
    Ok(status(json, lang))
}

/// Prints the state. Needs no settings, so that everyone may ask.
pub(in crate::cli) fn status(json: bool, lang: Lang) -> CommandOutput {
    let state = service::status();
    CommandOutput::done(match json {
        true => {
            let state = json!({
                "installed": state.installed,
                "running": state.running,
                "data": state.data,
                "interrupted": state.interrupted,
            });
            format!("{state}\n")
        }
        false => sentence(&state, lang),
    })
}

fn sentence(state: &service::ServiceStatus, lang: Lang) -> String {
    let mut text = match (state.installed, state.running) {
        (true, true) => lang.pick(
            "O Pleito roda como serviço desta máquina, também quando ninguém entrou no computador.\n",
            "Pleito runs as a service of this machine, also with nobody signed in.\n",
        ),
        (true, false) => lang.pick(
            "O serviço do Pleito está instalado e inicia com o computador, mas não está em execução. Para ver por quê: journalctl -u pleito\n",
            "The service of Pleito is installed and starts with the machine, but is not running. To see why: journalctl -u pleito\n",
        ),
        (false, true) => lang.pick(
            "O Pleito roda como serviço desta máquina, mas não inicia com ela: pleito service install\n",
            "Pleito runs as a service of this machine, but does not start with it: pleito service install\n",
        ),
        (false, false) => lang.pick(
            "O Pleito não é um serviço desta máquina.\n",
            "Pleito is not a service of this machine.\n",
        ),
    }
    .to_owned();
    if state.data.exists() {
        text +=
            &format!("{} {}\n", lang.pick("Dados do serviço:", "Data of the service:"), state.data.display());
    }
    if state.interrupted {
        text += lang.pick(
            "A mudança dos dados foi interrompida; o escritório continua na pasta de antes. Repita o comando: pleito service install\n",
            "The move of the data was interrupted; the office is still in its former folder. Repeat the command: pleito service install\n",
        );
    }
    text
}
