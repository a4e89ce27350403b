//! The syntax of `pleito service`.

use clap::{ArgMatches, Command};

use super::parts::SyntaxParts;
use crate::cli::command::ServiceCommand;

pub(super) fn service(parts: SyntaxParts) -> Command {
    let service = parts.command(
        "service",
        (
            "Faz o Pleito atender também quando ninguém entrou no computador",
            "Let Pleito serve also when nobody is signed in",
        ),
    );
    service.subcommand_required(true).subcommands([
        parts.command(
            "install",
            (
                "Instala o serviço e muda o escritório para a pasta dele; precisa de um administrador",
                "Install the service and move the office to its folder; needs an administrator",
            ),
        )
        .arg(parts.new_office())
        .after_help(parts.lang.pick(
            "Sem um administrador, mostra a linha que ele deve digitar. Encerre antes o Pleito que está em execução.",
            "Without an administrator, it shows the line that one has to type. Quit the running Pleito before.",
        )),
        parts.command(
            "remove",
            (
                "Para o serviço, que não inicia mais com o computador; os dados ficam",
                "Stop the service, which no longer starts with the machine; the data stay",
            ),
        ),
        parts.command(
            "status",
            (
                "Mostra se o serviço está instalado e em execução, e onde estão os dados",
                "Show whether the service is installed and running, and where its data are",
            ),
        ),
    ])
}

/// Returns the command for the word after `service`.
pub(super) fn command(word: &str, matches: &ArgMatches) -> Option<ServiceCommand> {
    Some(match word {
        "install" => ServiceCommand::Install { new: matches.get_flag("new") },
        "remove" => ServiceCommand::Remove,
        "status" => ServiceCommand::Status,
        _ => return None,
    })
}
