//! `pleito service`: the service of the machine.

use serde_json::json;

use crate::cli::command::ServiceCommand;
use crate::cli::fresh_office;
use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::RerunHint;
use crate::config::folders::machine;
use crate::config::{Config, program_path};
use crate::domain::lang::{Lang, localize};
use crate::domain::text::shell::quoted_path;
use crate::machine::is_administrator;
use crate::supervisor::service::{BackupAccess, Installed};
use crate::supervisor::{Fatal, replica_service, service, systemd_units};

/// Installs or removes the service, or prints its state.
pub(in crate::cli) fn run(
    command: ServiceCommand,
    config: &Config,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    match command {
        ServiceCommand::Install { new } => install(new, config, hint, lang),
        ServiceCommand::Remove => remove(lang),
        ServiceCommand::Status => Ok(status(lang)),
    }
}

fn install(new: bool, config: &Config, hint: &RerunHint, lang: Lang) -> Result<CommandOutput, Fatal> {
    if !is_administrator() {
        return Err(Fatal::NotAdministrator(as_administrator(&install_words(config), lang)));
    }
    if let Some(refused) = fresh_office::refuse_always(new, config, "service install --new", hint, lang) {
        let own = lang.pick(
            "; para que o escritório de uma pessoa desta máquina seja o serviço, ela digita sem sudo: pleito service install",
            "; to make the office of a person of this machine the service, that person types without sudo: pleito service install",
        );
        let with_own = |text: &str| match text.strip_suffix('\n') {
            Some(line) => format!("{line}{own}\n"),
            None => format!("{text}{own}"),
        };
        return Ok(if cfg!(unix) { refused.with_text(with_own) } else { refused });
    }
    let Installed { moved, backups: backups_access } = service::install(config)?;
    let state = service::status();
    let json = json!({ "moved": moved, "data": state.data });
    let mut text = sentence(&state, lang);
    let from = &config.folders.data;
    if moved {
        let left = quoted_path(from);
        text += &localize!(
            lang,
            "Em {left} ficou o que havia antes da mudança. Quando tudo estiver em ordem, apague essa pasta.\nQuem iniciava o Pleito ao entrar vê agora o ícone do serviço. Para não vê-lo: pleito autostart off\n",
            "What was there before the move is left in {left}. Once everything is in order, delete that folder.\nWhoever started Pleito at sign-in now sees the icon of the service. Not to see it: pleito autostart off\n"
        );
    }
    if cfg!(windows) {
        text += lang.pick(
            "Quem é do grupo Pleito do Windows cuida do serviço pelo ícone. Você entra nele na próxima vez que entrar no Windows.\n",
            "The people of the Windows group Pleito manage the service from the icon. You are one from your next sign-in to Windows on.\n",
        );
    }
    let backups = config.settings.backup.folder(from);
    let backups = backups.display();
    match backups_access {
        Some(BackupAccess::Needs(allow)) => {
            text += &localize!(
                lang,
                "ATENÇÃO: o serviço ainda não grava backups em {backups}. Para permitir: {allow}\n",
                "WARNING: the service does not write backups to {backups} yet. To allow it: {allow}\n"
            );
        }
        Some(BackupAccess::Hidden) => {
            let settings = state.data.join("pleito.toml");
            let settings = settings.display();
            text += &localize!(
                lang,
                "ATENÇÃO: o serviço não tem acesso a {backups}, e não faz backups. Escolha outra pasta em {settings}, na seção [backup]: dir\n",
                "WARNING: the service has no access to {backups}, and makes no backups. Choose another folder in {settings}, section [backup]: dir\n"
            );
        }
        Some(BackupAccess::Granted) | None => {}
    }
    Ok(CommandOutput::result(json, text))
}

/// Returns the words that install the service for the office of this person.
fn install_words(config: &Config) -> String {
    let mut words = "service install".to_owned();
    if !config.folders.has_office() && config.folders.data != machine() {
        words += " --new";
    } else if config.folders.has_office() {
        words += &format!(" --data-dir {}", quoted_path(&config.folders.data));
        if config.file.exists() {
            words += &format!(" --config {}", quoted_path(&config.file));
        }
    }
    words
}

/// Returns the command line with these words that an administrator types.
pub(super) fn as_administrator(words: &str, lang: Lang) -> String {
    let program = program_path();
    let line = format!("{} {words}", quoted_path(&program));
    match cfg!(windows) {
        true => localize!(
            lang,
            "{line} (em um Prompt de Comando aberto com “Executar como administrador”)",
            "{line} (in a Command Prompt opened with “Run as administrator”)"
        ),
        false => format!("sudo {line}"),
    }
}

fn remove(lang: Lang) -> Result<CommandOutput, Fatal> {
    let was_installed = service::status().installed;
    if was_installed && !is_administrator() {
        return Err(Fatal::NotAdministrator(as_administrator("service remove", lang)));
    }
    service::remove()?;
    let status = status(lang);
    let removed = lang.pick("O serviço foi removido.", "The service was removed.");
    let replica = match systemd_units::file(&replica_service::unit(&machine())).exists() {
        true => lang.pick(
            "A réplica dele continua; para encerrá-la: sudo pleito replica off\n",
            "Its replica goes on; to end it: sudo pleito replica off\n",
        ),
        false => "",
    };
    Ok(match was_installed {
        true => CommandOutput { text: format!("{removed} {}{replica}", status.text), ..status },
        false => status,
    })
}

/// Prints the state. Needs no settings, so that everyone may ask.
pub(in crate::cli) fn status(lang: Lang) -> CommandOutput {
    let state = service::status();
    let json = json!({
        "installed": state.installed,
        "running": state.running,
        "data": state.data.exists().then_some(&state.data),
        "interrupted": state.interrupted,
        "fault": state.fault.as_ref().map(|fault| fault.message(lang)),
    });
    let code = u8::from(state.fault.is_some());
    CommandOutput { code, ..CommandOutput::result(json, sentence(&state, lang)) }
}

fn sentence(state: &service::ServiceStatus, lang: Lang) -> String {
    let log = service::LOG;
    let not_running = localize!(
        lang,
        "O serviço do Pleito está instalado e inicia com o computador, mas não está em execução. Para ver por quê: {log}\n",
        "The service of Pleito is installed and starts with the machine, but is not running. To see why: {log}\n"
    );
    let unknown = state.fault.as_ref().map(|fault| {
        let fault = fault.message(lang);
        localize!(
            lang,
            "Não se pode saber se o Pleito é um serviço desta máquina; repita o comando com sudo. {fault}\n",
            "Whether Pleito is a service of this machine cannot be told; repeat the command with sudo. {fault}\n"
        )
    });
    let text = match (state.installed, state.running) {
        (true, true) => lang.pick(
            "O Pleito roda como serviço desta máquina, também quando ninguém entrou no computador.\n",
            "Pleito runs as a service of this machine, also with nobody signed in.\n",
        ),
        (true, false) => not_running.as_str(),
        (false, true) => lang.pick(
            "O Pleito roda como serviço desta máquina, mas não inicia com ela: pleito service install\n",
            "Pleito runs as a service of this machine, but does not start with it: pleito service install\n",
        ),
        (false, false) if let Some(unknown) = &unknown => unknown.as_str(),
        (false, false) => lang
            .pick("O Pleito não é um serviço desta máquina.\n", "Pleito is not a service of this machine.\n"),
    };
    let mut text = text.to_owned();
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
