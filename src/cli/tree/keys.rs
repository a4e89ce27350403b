//! The syntax of `pleito key`.

use clap::{ArgGroup, ArgMatches, Command};

use super::parts::SyntaxParts;
use crate::auth::{KeyDraft, RESOURCE_NAMES};
use crate::domain::Bilingual;
use crate::records::Level;

pub(super) fn key(parts: SyntaxParts) -> Command {
    let name = |help: Bilingual| parts.argument("name", ("NOME", "NAME"), help).required(true);
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
    let levels = levels.map(|(name, help)| parts.flag(name, help));
    let address = parts.option(
        "address",
        ("LISTA", "LIST"),
        (
            "Em vez da chave, um endereço secreto que abre esta lista com seus filtros, só para consulta: para planilhas e agendas, que não enviam cabeçalhos",
            "Instead of a key, a secret address that opens this list with its filters, only to read: for spreadsheets and calendars, which send no header",
        ),
    );
    let assistant = parts.flag(
        "assistant",
        (
            "Consultar, sem lançamentos; mostra também as linhas que se colam no programa do assistente",
            "Read, without transactions; also show the lines to paste into the assistant's program",
        ),
    );
    let only = parts.option(
        "only",
        ("RECURSOS", "RESOURCES"),
        (
            "Limita a chave a estes recursos, separados por vírgulas",
            "Limit the key to these resources, separated by commas",
        ),
    );
    let until = parts.option(
        "until",
        ("DATA", "DAY"),
        (
            "Último dia em que a chave vale [padrão: até ser encerrada]",
            "Last day on which the key is valid [default: until it is revoked]",
        ),
    );
    let new = parts.command(
        "new",
        ("Cria uma chave e a mostra, só desta vez", "Make a key and show it, only this once"),
    );
    let new = new
        .args([name(("O programa para o qual ela é, como n8n", "The program that it is for, such as n8n"))])
        .args(levels)
        .args([address, assistant])
        .group(
            ArgGroup::new("level")
                .args(Level::GRANTED.map(Level::as_str))
                .args(["address", "assistant"])
                .required(true),
        )
        .args([only.value_delimiter(','), until])
        .after_help(format!("{} {}.", parts.pick(("Recursos:", "Resources:")), RESOURCE_NAMES.join(", ")));
    let key = parts.command(
        "key",
        (
            "Cuida das chaves: como o token, mas para um só programa e só com os direitos de que ele precisa",
            "Manage keys: like the token, but for one program and only with the rights it needs",
        ),
    );
    key.subcommand_required(true).subcommands([
        new,
        parts.command(
            "list",
            (
                "Mostra as chaves: direitos, último dia, último uso, requisições de hoje",
                "Show the keys: rights, last day, last use, requests today",
            ),
        ),
        parts
            .command("revoke", ("Encerra uma chave na mesma hora", "End a key at once"))
            .arg(name(("O nome da chave", "The name of the key"))),
        parts
            .command(
                "undo",
                (
                    "Desfaz o que uma chave escreveu em um dia; o que alguém alterou depois fica e é listado",
                    "Undo what a key wrote on a day; records that were changed since stay, and are listed",
                ),
            )
            .arg(name((
                "O nome da chave, também de uma encerrada",
                "The name of the key, which may have ended",
            )))
            .arg(parts.option("day", ("DATA", "DAY"), ("O dia [padrão: hoje]", "The day [default: today]"))),
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
