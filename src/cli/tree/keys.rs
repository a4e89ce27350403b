//! The syntax of `pleito key`.

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};

use crate::auth::{KeyDraft, RESOURCE_NAMES};
use crate::domain::{Bilingual, Lang};
use crate::records::Level;

pub(super) fn key(lang: Lang, json: Arg) -> Command {
    let command = |name, (pt, en): Bilingual| Command::new(name).about(lang.pick(pt, en));
    let option = |name, (pt, en): Bilingual| Arg::new(name).long(name).help(lang.pick(pt, en));
    let name = |help: Bilingual| {
        let name = Arg::new("name").required(true).value_name(lang.pick("NOME", "NAME"));
        name.help(lang.pick(help.0, help.1))
    };
    let levels = [
        ("read", ("Só consulta", "Reads only")),
        (
            "write",
            (
                "Consulta, cria, altera, e exclui para a lixeira",
                "Reads, creates, changes, and deletes into the trash",
            ),
        ),
        (
            "manage",
            (
                "Tudo isso, e listas de apoio, junções e restaurar o que outros excluíram",
                "All that, and lists, merges and restoring what others deleted",
            ),
        ),
    ];
    let levels = levels.map(|(name, help)| option(name, help).action(ArgAction::SetTrue));
    let only = option(
        "only",
        ("Só para estes recursos, separados por vírgulas", "For these resources only, separated by commas"),
    );
    let until = option(
        "until",
        (
            "O último dia em que a chave vale; sem ele, vale até ser encerrada",
            "The last day on which the key is valid; without it, until it is ended",
        ),
    );
    let new = command(
        "new",
        ("Cria uma chave, que é mostrada só desta vez", "Make a key, which is shown this once"),
    );
    let new = new
        .args([name(("Para qual programa ela é, como n8n", "Which program it is for, such as n8n"))])
        .args(levels)
        .group(ArgGroup::new("level").args(Level::GRANTED.map(Level::as_str)).required(true))
        .args([
            only.value_name(lang.pick("RECURSOS", "RESOURCES")).value_delimiter(','),
            until.value_name(lang.pick("DATA", "DAY")),
            json.clone(),
        ])
        .after_help(format!("{} {}.", lang.pick("Recursos:", "Resources:"), RESOURCE_NAMES.join(", ")));
    let key = command(
        "key",
        (
            "Chaves: o que um programa usa no lugar do token, só com os direitos de que precisa",
            "Keys: what a program uses in place of the token, with the rights it needs and no more",
        ),
    );
    key.subcommand_required(true).subcommands([
        new,
        command(
            "list",
            (
                "Mostra as chaves: direitos, último dia, último uso, requisições de hoje",
                "Show the keys: rights, last day, last use, requests today",
            ),
        )
        .arg(json.clone()),
        command("revoke", ("Encerra uma chave na mesma hora", "End a key at once"))
            .arg(name(("O nome da chave", "The name of the key")))
            .arg(json),
    ])
}

/// Returns the settings that the options of `key new` name.
pub(super) fn draft(matches: &ArgMatches) -> KeyDraft {
    let text = |name| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let level = Level::GRANTED.into_iter().find(|level| matches.get_flag(level.as_str()));
    KeyDraft {
        name: text("name"),
        level: level.map_or("", Level::as_str).to_owned(),
        only: matches.get_many("only").map(|names| names.cloned().collect()),
        until: text("until"),
    }
}
