//! The syntax of `pleito replica` and `pleito promote`.

use clap::{Arg, ArgMatches, Command};

use super::parts::SyntaxParts;
use crate::cli::command::ReplicaCommand;
use crate::domain::Bilingual;

const TARGET: Bilingual = ("DESTINO", "TARGET");

pub(super) fn replica(parts: SyntaxParts) -> Command {
    let replica = parts.command(
        "replica",
        (
            "Mantém uma réplica dos dados em outro disco ou máquina, com o Litestream",
            "Keep a replica of the data on another disk or machine, with Litestream",
        ),
    );
    let target = (
        "Uma pasta, sftp://usuário@máquina/pasta, s3://bucket/pasta?endpoint=…&region=… ou webdavs://usuário@máquina/pasta",
        "A folder, sftp://user@host/folder, s3://bucket/folder?endpoint=…&region=… or webdavs://user@host/folder",
    );
    replica.subcommand_required(true).subcommands([
        parts.command(
            "set",
            (
                "Verifica o destino, configura o Litestream e o inicia",
                "Check the target, configure Litestream and start it",
            ),
        )
        .arg(parts.argument("target", TARGET, target).required(true))
        .after_help(parts.lang.pick(
            "Os segredos do destino são perguntados no terminal, ou lidos da entrada padrão (um por linha) ou do ambiente: PLEITO_REPLICA_PASSWORD (sftp, webdav), AWS_ACCESS_KEY_ID e AWS_SECRET_ACCESS_KEY (s3).",
            "Secrets of the target are asked on the terminal, or read from standard input (one a line) or from the environment: PLEITO_REPLICA_PASSWORD (sftp, webdav), AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (s3).",
        )),
        parts.command(
            "status",
            (
                "Mostra se a réplica acompanha os dados; termina com 1 se não",
                "Show whether the replica follows the data; exit with 1 if not",
            ),
        ),
        parts.command(
            "off",
            (
                "Para o Litestream e apaga a configuração; o que está no destino fica",
                "Stop Litestream and remove its configuration; what is at the target stays",
            ),
        ),
    ])
}

/// Returns the option with which `pleito serve` follows a replica.
pub(super) fn follow(parts: SyntaxParts) -> Arg {
    let help = (
        "Só responde consultas, como reserva que acompanha a réplica de outra máquina; vale no lugar de replica.target",
        "Only answer reads, as a standby that follows the replica of another machine; overrides replica.target",
    );
    parts.option("follow", TARGET, help)
}

pub(super) fn promote(parts: SyntaxParts) -> Command {
    let promote = parts.command(
        "promote",
        (
            "Faz desta reserva o escritório, com o que a réplica tem agora",
            "Make this standby the office, with what the replica has now",
        ),
    );
    let target = (
        "O destino da réplica, se esta pasta de dados ainda não a acompanha",
        "The target of the replica, if this data folder does not follow it yet",
    );
    promote.args([parts.argument("follow", TARGET, target), parts.yes()]).after_help(parts.lang.pick(
        "O primeiro servidor deixa de atender assim que vê a promoção na pasta da réplica. Webhooks esperam: pleito webhooks resume.",
        "The first server stops serving as soon as it sees the promotion in the replica's folder. Webhooks wait: pleito webhooks resume.",
    ))
}

/// Returns the command for the word after `replica`.
pub(super) fn command(word: &str, matches: &ArgMatches) -> Option<ReplicaCommand> {
    Some(match word {
        "set" => ReplicaCommand::Set { target: matches.get_one::<String>("target").cloned()? },
        "status" => ReplicaCommand::Status,
        "off" => ReplicaCommand::Off,
        _ => return None,
    })
}
