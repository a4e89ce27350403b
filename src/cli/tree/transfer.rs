//! `export` and `import` with their options, and what an import is asked for.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::cli::command::Command as Asked;
use crate::domain::{Bilingual, Lang};
use crate::transfer::Import;

fn command(lang: Lang, name: &'static str, (pt, en): Bilingual) -> Command {
    Command::new(name).about(lang.pick(pt, en))
}

fn option(lang: Lang, name: &'static str, (pt, en): Bilingual) -> Arg {
    Arg::new(name).long(name).help(lang.pick(pt, en))
}

fn flag(lang: Lang, name: &'static str, help: Bilingual) -> Arg {
    option(lang, name, help).action(ArgAction::SetTrue)
}

fn path(lang: Lang, name: &'static str, (pt, en): Bilingual, help: Bilingual) -> Arg {
    option(lang, name, help).value_name(lang.pick(pt, en)).value_parser(value_parser!(PathBuf))
}

/// `export`; `json` is the option that commands with a result have.
pub(super) fn export(lang: Lang, json: Arg) -> Command {
    let export = command(
        lang,
        "export",
        (
            "Exporta tudo para uma pasta nova: planilhas, e um arquivo que `pleito import` lê de volta",
            "Export everything into a new folder: spreadsheets, and a file that `pleito import` reads back",
        ),
    );
    let to = path(lang, "to", ("PASTA", "DIR"), ("A pasta nova", "The new folder"));
    export.args([to.long(None).required(true), json])
}

/// `import`, likewise.
pub(super) fn import(lang: Lang, json: Arg) -> Command {
    let import = command(
        lang,
        "import",
        (
            "Importa arquivos; sem --apply só mostra o que mudaria",
            "Import files; without --apply only show what would change",
        ),
    );
    let file = ("ARQUIVO", "FILE");
    let files = (
        "Planilhas (CSV, XLSX, XLS, ODS), ou a pasta de uma exportação do Pleito",
        "Spreadsheets (CSV, XLSX, XLS, ODS), or the folder of an export of Pleito's",
    );
    let resource = (
        "O que são as linhas, se os cabeçalhos não dizem: clientes, processos, tarefas…",
        "What the rows are, where the headings do not tell: customers, lawsuits, tasks…",
    );
    let update = (
        "Grava o que a linha diz no registro que já existe",
        "Write what a row says into the record that is there already",
    );
    let refused = (
        "O arquivo novo para as linhas recusadas, com o motivo de cada uma",
        "The new file for the rows that are refused, with why",
    );
    let from_api = (
        "Traz tudo de outro servidor desta API, como a nuvem; o token vem da entrada padrão ou de PLEITO_SOURCE_TOKEN",
        "Bring everything from another server of this API, such as the cloud; the token comes on standard input or in PLEITO_SOURCE_TOKEN",
    );
    let dry_run = (
        "Só conta o que há lá e diz quanto tempo leva",
        "Only count what is there, and say how long it takes",
    );
    let again = (
        "Depois que tudo veio: traz o que há de novo lá",
        "Once everything has come: bring what is new there",
    );
    import.args([
        path(lang, "files", file, files)
            .long(None)
            .required_unless_present("from-api")
            .conflicts_with("from-api")
            .num_args(1..),
        option(lang, "from-api", from_api).value_name(lang.pick("ENDEREÇO", "URL")).conflicts_with_all([
            "apply",
            "resource",
            "update",
            "fill",
            "create-lists",
            "refused",
        ]),
        flag(lang, "dry-run", dry_run).requires("from-api").conflicts_with("files"),
        flag(lang, "again", again).requires("from-api").conflicts_with_all(["files", "dry-run"]),
        flag(lang, "apply", ("Grava o que foi mostrado", "Store what was shown")),
        option(lang, "resource", resource).value_name(lang.pick("NOME", "NAME")),
        flag(lang, "update", update).conflicts_with("fill"),
        flag(
            lang,
            "fill",
            ("O mesmo, só nos campos que estão vazios", "The same, only where a member is empty"),
        ),
        flag(
            lang,
            "create-lists",
            ("Acrescenta às listas os nomes que faltam", "Add names that are missing to the lists"),
        ),
        path(lang, "refused", file, refused),
        json,
    ])
}

/// What an import is asked for.
pub(super) fn asked(matches: &ArgMatches) -> Asked {
    if let Some(source) = matches.get_one::<String>("from-api") {
        let (dry_run, again) = (matches.get_flag("dry-run"), matches.get_flag("again"));
        return Asked::Move { source: source.clone(), dry_run, again };
    }
    Asked::Import(Import {
        files: matches.get_many("files").map(|files| files.cloned().collect()).unwrap_or_default(),
        apply: matches.get_flag("apply"),
        resource: matches.get_one("resource").cloned(),
        update: matches.get_flag("update"),
        fill: matches.get_flag("fill"),
        create_lists: matches.get_flag("create-lists"),
        refused: matches.get_one("refused").cloned(),
        // The command that asks says in which language.
        portuguese: false,
    })
}
