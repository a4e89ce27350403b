//! The syntax of `pleito trash`, `pleito backup` and `pleito webhooks`.

use clap::Command;

use super::parts::SyntaxParts;

pub(super) fn backup(parts: SyntaxParts) -> Command {
    let backup = parts.command(
        "backup",
        (
            "Faz uma cópia verificada dos dados; o servidor pode estar em execução",
            "Make a verified copy of the data; the server may be running",
        ),
    );
    let file = (
        "O arquivo novo [sem ele: um na pasta dos backups]",
        "The new file [default: one in the backup folder]",
    );
    let passphrase = (
        "Criptografa o backup com uma frase secreta, pedida no terminal ou lida da entrada padrão",
        "Encrypt the backup to a passphrase, asked for in the terminal or read from standard input",
    );
    let new = parts.command(
        "new",
        (
            "Cria um par de chaves e o mostra só desta vez: a privada, para guardar em papel, e a pública, para backup.encrypt_to",
            "Make a pair of keys and show it, only this once: the private one to keep on paper, and the public one for backup.encrypt_to",
        ),
    );
    let key = parts.command(
        "key",
        ("Cuida das chaves dos backups criptografados", "Manage the keys of encrypted backups"),
    );
    let test = parts.command(
        "test",
        (
            "Abre ao lado dos dados o backup mais novo, e a réplica se há uma, confere e conta o que há neles; nada é alterado",
            "Open the newest backup beside the data, and the replica if there is one, and check and count their contents; nothing is changed",
        ),
    );
    backup
        .arg(parts.path("file", ("ARQUIVO", "FILE"), file).long(None))
        .arg(parts.flag("passphrase", passphrase))
        .args_conflicts_with_subcommands(true)
        .subcommands([key.subcommand_required(true).subcommand(new), test])
}

pub(super) fn trash(parts: SyntaxParts) -> Command {
    let trash = parts.command(
        "trash",
        ("Mostra a lixeira, ou apaga de vez seus registros", "Show the trash, or erase its records for good"),
    );
    trash.subcommand_required(true).subcommands([
        parts.command(
            "list",
            (
                "Mostra o número de registros na lixeira, e os mil últimos deles",
                "Show the number of records in the trash, and the last thousand of them",
            ),
        ),
        parts.command(
            "empty",
            (
                "Apaga de vez todos os registros da lixeira, depois de perguntar, e os arquivos que nenhum documento usa mais",
                "Erase all records in the trash for good, after asking, and the files that documents no longer use",
            ),
        )
        .arg(parts.yes())
        .after_help(parts.lang.pick(
            "Não há como desfazer, a não ser restaurando um backup feito antes. Registros a que outros ainda se referem ficam.",
            "This cannot be undone except by restoring a backup made before. Records that others still refer to are kept.",
        )),
    ])
}

pub(super) fn webhooks(parts: SyntaxParts) -> Command {
    let webhooks = parts.command(
        "webhooks",
        (
            "Retoma os webhooks de dados copiados de outra pasta ou de outro computador",
            "Resume webhooks of data that was copied from another folder or machine",
        ),
    );
    webhooks.subcommand_required(true).subcommands([parts.command(
        "resume",
        (
            "Envia os webhooks desta cópia, porque o escritório agora trabalha aqui",
            "Send webhooks from this copy, because the office now works here",
        ),
    )
    .after_help(parts.lang.pick(
        "Não use em uma cópia para experimentar: os programas do escritório receberiam mensagens das duas.",
        "Do not use it in a copy for trying things out: the office's programs would receive messages from both.",
    ))])
}
