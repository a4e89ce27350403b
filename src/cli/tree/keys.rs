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
        ("read", ("Consultar", "Read")),
        (
            "write",
            (
                "Consultar, criar, alterar e mover para a lixeira",
                "Read, create, change, and move to the trash",
            ),
        ),
        (
            "manage",
            (
                "Tudo isso, e editar tabelas de apoio, unir registros e restaurar o que outros excluíram",
                "All that, and edit lists, merge records, and restore what others deleted",
            ),
        ),
    ];
    let levels = levels.map(|(name, help)| option(name, help).action(ArgAction::SetTrue));
    let address = option(
        "address",
        (
            "Em vez da chave, um endereço secreto que abre esta lista com seus filtros, só para consulta: para planilhas e agendas, que não enviam cabeçalhos",
            "Instead of a key, a secret address that opens this list with its filters, only to read: for spreadsheets and calendars, which send no header",
        ),
    );
    let assistant = option(
        "assistant",
        (
            "Consultar, sem lançamentos; mostra também as linhas que se colam no programa do assistente",
            "Read, without transactions; also show the lines to paste into the assistant's program",
        ),
    );
    let only = option(
        "only",
        (
            "Limita a chave a estes recursos, separados por vírgulas",
            "Limit the key to these resources, separated by commas",
        ),
    );
    let until = option(
        "until",
        (
            "Último dia em que a chave vale [padrão: até ser encerrada]",
            "Last day on which the key is valid [default: until it is revoked]",
        ),
    );
    let new =
        command("new", ("Cria uma chave e a mostra, só desta vez", "Make a key and show it, only this once"));
    let new = new
        .args([name(("O programa para o qual ela é, como n8n", "The program that it is for, such as n8n"))])
        .args(levels)
        .args([address.value_name(lang.pick("LISTA", "LIST")), assistant.action(ArgAction::SetTrue)])
        .group(
            ArgGroup::new("level")
                .args(Level::GRANTED.map(Level::as_str))
                .args(["address", "assistant"])
                .required(true),
        )
        .args([
            only.value_name(lang.pick("RECURSOS", "RESOURCES")).value_delimiter(','),
            until.value_name(lang.pick("DATA", "DAY")),
            json.clone(),
        ])
        .after_help(format!("{} {}.", lang.pick("Recursos:", "Resources:"), RESOURCE_NAMES.join(", ")));
    let key = command(
        "key",
        (
            "Cuida das chaves: como o token, mas para um só programa e só com os direitos de que ele precisa",
            "Manage keys: like the token, but for one program and only with the rights it needs",
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
            .arg(json.clone()),
        command(
            "undo",
            (
                "Desfaz o que uma chave escreveu em um dia; o que alguém alterou depois fica e é listado",
                "Undo what a key wrote on a day; records that were changed since stay, and are listed",
            ),
        )
        .arg(name(("O nome da chave, também de uma encerrada", "The name of the key, which may have ended")))
        .arg(
            option("day", ("O dia [padrão: hoje]", "The day [default: today]"))
                .value_name(lang.pick("DATA", "DAY")),
        )
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
        address: text("address"),
        is_for_assistant: matches.get_flag("assistant"),
    }
}
