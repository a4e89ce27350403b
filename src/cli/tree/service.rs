//! The syntax of `pleito service`.

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::cli::command::ServiceCommand;
use crate::domain::{Bilingual, Lang};

pub(super) fn service(lang: Lang, json: Arg) -> Command {
    let command = |name, (pt, en): Bilingual| Command::new(name).about(lang.pick(pt, en));
    let service = command(
        "service",
        (
            "Faz o Pleito atender também quando ninguém entrou no computador",
            "Let Pleito serve also when nobody is signed in",
        ),
    );
    let new = Arg::new("new").long("new").action(ArgAction::SetTrue).help(lang.pick(
        "Cria um escritório novo se a pasta de dados não tem nenhum",
        "Create a new office if the data folder has none",
    ));
    service.subcommand_required(true).subcommands([
        command(
            "install",
            (
                "Instala o serviço e muda o escritório para a pasta dele; precisa de um administrador",
                "Install the service and move the office to its folder; needs an administrator",
            ),
        )
        .args([new, json.clone()])
        .after_help(lang.pick(
            "Sem um administrador, mostra a linha que ele deve digitar. Encerre antes o Pleito que está em execução.",
            "Without an administrator, it shows the line that one has to type. Quit the running Pleito before.",
        )),
        command(
            "remove",
            (
                "Para o serviço, que não inicia mais com o computador; os dados ficam",
                "Stop the service, which no longer starts with the machine; the data stay",
            ),
        )
        .arg(json.clone()),
        command(
            "status",
            (
                "Mostra se o serviço está instalado e em execução, e onde estão os dados",
                "Show whether the service is installed and running, and where its data are",
            ),
        )
        .arg(json),
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
