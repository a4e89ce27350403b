//! The syntax of `pleito trash`, `pleito backup` and `pleito webhooks`.

use clap::{Arg, ArgAction, Command};

use crate::domain::{Bilingual, Lang};

/// Help of the argument of `pleito backup`.
pub(super) const NEW_FILE: Bilingual =
    ("O arquivo novo [sem ele: um na pasta dos backups]", "The new file [default: one in the backup folder]");

pub(super) fn backup(new_file: Arg, lang: Lang, json: Arg) -> Command {
    let command = |name, (pt, en): Bilingual| Command::new(name).about(lang.pick(pt, en));
    let backup = command(
        "backup",
        (
            "Faz uma cópia verificada dos dados; o servidor pode estar em execução",
            "Make a verified copy of the data; the server may be running",
        ),
    );
    let passphrase = Arg::new("passphrase").long("passphrase").action(ArgAction::SetTrue).help(lang.pick(
        "Criptografa o backup com uma frase secreta, pedida no terminal ou lida da entrada padrão",
        "Encrypt the backup to a passphrase, asked for in the terminal or read from standard input",
    ));
    let new = command(
        "new",
        (
            "Cria um par de chaves e o mostra só desta vez: a privada, para guardar em papel, e a pública, para backup.encrypt_to",
            "Make a pair of keys and show it, only this once: the private one to keep on paper, and the public one for backup.encrypt_to",
        ),
    );
    let key = command(
        "key",
        ("Cuida das chaves dos backups criptografados", "Manage the keys of encrypted backups"),
    );
    let test = command(
        "test",
        (
            "Abre ao lado dos dados o backup mais novo, e a réplica se há uma, confere e conta o que há neles; nada é alterado",
            "Open the newest backup beside the data, and the replica if there is one, and check and count their contents; nothing is changed",
        ),
    );
    backup
        .args([new_file, json.clone(), passphrase])
        .args_conflicts_with_subcommands(true)
        .subcommands([key.subcommand_required(true).subcommand(new.arg(json.clone())), test.arg(json)])
}

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
