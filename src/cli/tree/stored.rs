//! The syntax of `pleito trash` and `pleito webhooks`.

use clap::{Arg, ArgAction, Command};

use crate::domain::{Bilingual, Lang};

pub(super) fn trash(lang: Lang, json: Arg) -> Command {
    let command = |name, (pt, en): Bilingual| Command::new(name).about(lang.pick(pt, en));
    let trash = command(
        "trash",
        ("Mostra a lixeira, ou apaga de vez seus registros", "Show the trash, or erase its records for good"),
    );
    let yes = Arg::new("yes").long("yes").help(lang.pick("Não pergunta", "Do not ask"));
    trash.subcommand_required(true).subcommands([
        command(
            "list",
            (
                "Mostra o número de registros na lixeira, e os mil últimos deles",
                "Show the number of records in the trash, and the last thousand of them",
            ),
        )
        .arg(json.clone()),
        command(
            "empty",
            (
                "Apaga de vez todos os registros da lixeira, depois de perguntar, e os arquivos que nenhum documento usa mais",
                "Erase all records in the trash for good, after asking, and the files that documents no longer use",
            ),
        )
        .arg(yes.action(ArgAction::SetTrue))
        .arg(json)
        .after_help(lang.pick(
            "Não há como desfazer, a não ser restaurando um backup feito antes. Registros a que outros ainda se referem ficam.",
            "This cannot be undone except by restoring a backup made before. Records that others still refer to are kept.",
        )),
    ])
}

pub(super) fn webhooks(lang: Lang, json: Arg) -> Command {
    let command = |name, (pt, en): Bilingual| Command::new(name).about(lang.pick(pt, en));
    let webhooks = command(
        "webhooks",
        (
            "Retoma os webhooks de dados copiados de outra pasta ou de outro computador",
            "Resume webhooks of data that was copied from another folder or machine",
        ),
    );
    webhooks.subcommand_required(true).subcommands([command(
        "resume",
        (
            "Envia os webhooks desta cópia, porque o escritório agora trabalha aqui",
            "Send webhooks from this copy, because the office now works here",
        ),
    )
    .arg(json)
    .after_help(lang.pick(
        "Não use em uma cópia para experimentar: os programas do escritório receberiam mensagens das duas.",
        "Do not use it in a copy for trying things out: the office's programs would receive messages from both.",
    ))])
}
