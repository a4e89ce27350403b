//! The syntax of `pleito trash` and `pleito webhooks`.

use clap::{Arg, ArgAction, Command};

use crate::domain::{Bilingual, Lang};

pub(super) fn trash(lang: Lang, json: Arg) -> Command {
    let command = |name, (pt, en): Bilingual| Command::new(name).about(lang.pick(pt, en));
    let trash = command(
        "trash",
        (
            "O que foi excluído e ainda pode voltar: mostra, ou apaga de vez",
            "What was deleted and can still be brought back: show it, or erase it for good",
        ),
    );
    let yes = Arg::new("yes").long("yes").help(lang.pick("Não pergunta", "Do not ask"));
    trash.subcommand_required(true).subcommands([
        command(
            "list",
            (
                "Mostra o que há na lixeira: quantos registros, e os mil últimos um a um",
                "Show what is in the trash: how many records, and the last thousand one by one",
            ),
        )
        .arg(json.clone()),
        command(
            "empty",
            (
                "Apaga de vez o que há na lixeira, depois de perguntar; com os arquivos que nenhum documento tem mais",
                "Erase what is in the trash for good, once you have said yes; with the files that no document has any more",
            ),
        )
        .arg(yes.action(ArgAction::SetTrue))
        .arg(json)
        .after_help(lang.pick(
            "Não há como desfazer: só um backup feito antes traz de volta. Fica o registro a que outro ainda aponta.",
            "There is no way back but a backup made before. What another record still points to stays.",
        )),
    ])
}

pub(super) fn webhooks(lang: Lang, json: Arg) -> Command {
    let command = |name, (pt, en): Bilingual| Command::new(name).about(lang.pick(pt, en));
    let webhooks = command(
        "webhooks",
        (
            "Os webhooks de dados que vieram de outra pasta ou de outro computador",
            "The webhooks of data that came from another folder or another machine",
        ),
    );
    webhooks.subcommand_required(true).subcommands([command(
        "resume",
        (
            "Envia os webhooks daqui de agora em diante: o escritório trabalha nesta pasta e neste computador",
            "Send webhooks from here from now on: the office works in this folder and on this machine",
        ),
    )
    .arg(json)
    .after_help(lang.pick(
        "Em uma cópia para experimentar, não: os programas do escritório ouviriam de dois lugares.",
        "Not in a copy to try things out: the office's programs would hear from two places.",
    ))])
}
