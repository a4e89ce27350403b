//! Defines the syntax of all commands and options, with help in both languages, and converts the matches to commands.

mod demo;
mod keys;
mod parts;
mod replica;
mod service;
mod stored;
mod transfer;

use clap::{ArgAction, ArgMatches};
use clap_complete::Shell;
use parts::SyntaxParts;

use super::command::Command;
use super::commands::config;
use crate::config::setting_names::address;
use crate::domain::Lang;

/// Returns the parser of the whole command line.
pub(super) fn tree(lang: Lang) -> clap::Command {
    let parts = SyntaxParts { lang };
    let listen = || {
        let help = (
            "Endereço e porta da API; vale no lugar de server.listen",
            "Address and port of the API; overrides server.listen",
        );
        parts
            .option("listen", ("ENDEREÇO:PORTA", "ADDR:PORT"), help)
            .value_parser(|text: &str| address(text).ok_or("no address"))
    };
    let token = parts.command(
        "token",
        (
            "Cuida do token com que os programas acessam a API",
            "Manage the token that programs use for the API",
        ),
    );
    let token = token.subcommand_required(true).subcommands([
        parts.command(
            "new",
            (
                "Cria um token: o anterior deixa de funcionar e o novo é mostrado só desta vez",
                "Make a new token and show it, only this once; the old one stops working",
            ),
        )
        .args([
            parts.new_office(),
            parts.flag("and-keys", ("Encerra também todas as chaves", "End all keys as well")),
        ]),
        parts.command(
            "status",
            (
                "Mostra quando o token foi criado e usado pela última vez, e seus quatro últimos caracteres",
                "Show when the token was made and last used, and its last four characters",
            ),
        ),
        parts.command(
            "revoke",
            (
                "Revoga o token e encerra todas as chaves; a API recusa qualquer requisição até que um novo seja criado",
                "Revoke the token and end all keys; the API refuses every request until a new one is made",
            ),
        ),
    ]);

    let restore = parts.command(
        "restore",
        (
            "Substitui os dados por um backup e guarda os dados substituídos; o servidor pode estar em execução",
            "Replace the data with a backup, and keep the replaced data; the server may be running",
        ),
    );
    let restore = restore.args([
        parts
            .path("backup", ("ARQUIVO", "FILE"), ("O backup", "The backup"))
            .long(None)
            .required_unless_present("latest")
            .conflicts_with("latest"),
        parts.flag("latest", ("Usa o backup íntegro mais novo", "Use the newest intact backup")),
        parts.flag(
            "with-token",
            (
                "Restaura também o token do backup; o atual deixa de funcionar",
                "Restore the token of the backup too; the current one stops working",
            ),
        ),
    ]);

    let console = parts.command(
        "console",
        (
            "Abre o console no navegador: clientes, processos, token, configurações",
            "Open the console in the browser: customers, lawsuits, token, settings",
        ),
    );
    let console = console
        .arg(parts.flag("link", ("Escreve o link em vez de abri-lo", "Print the link instead of opening it")))
        .after_help(lang.pick(
            "O link funciona uma vez, dentro de um minuto, e só nesta máquina.",
            "The link works once, within a minute, and only on this machine.",
        ));

    let autostart = parts.command(
        "autostart",
        (
            "Define se o Pleito inicia quando você entra no sistema",
            "Choose whether Pleito starts when you sign in",
        ),
    );
    let autostart = autostart.subcommand_required(true).subcommands([
        parts.command(
            "on",
            ("Inicia o Pleito quando este usuário entra no sistema", "Start Pleito when this user signs in"),
        ),
        parts.command(
            "off",
            ("Não inicia mais o Pleito automaticamente", "Do not start Pleito automatically"),
        ),
        parts.command(
            "status",
            ("Mostra se o Pleito inicia automaticamente", "Show whether Pleito starts automatically"),
        ),
    ]);

    let mcp = parts.command(
        "mcp",
        (
            "Liga um assistente ao servidor em execução, por entrada e saída padrão (MCP); o programa do assistente executa este comando",
            "Connect an assistant to the running server, by standard input and output (MCP); the assistant's program runs this command",
        ),
    );
    let key = parts.option(
        "key",
        ("NOME", "NAME"),
        (
            "Age com os direitos da chave deste nome; sem ela, com os do dono",
            "Act with the rights of the key of this name; without it, with those of the owner",
        ),
    );
    let mcp = mcp.arg(key);

    // Used when packages are built, and hidden from the help.
    let completions = parts.command(
        "completions",
        (
            "Escreve o arquivo com que um terminal completa os comandos",
            "Print the file that lets a shell complete commands",
        ),
    );
    let completions = completions.hide(true).subcommand_required(true).subcommands(
        ["bash", "fish", "powershell", "zsh"].map(|shell| {
            parts.command(shell, ("Escreve o arquivo deste terminal", "Print the file for this shell"))
        }),
    );
    let manual = parts.command(
        "manual",
        (
            "Escreve a página do manual; leia-a com `pleito manual | man -l -`",
            "Print the manual page; read it with `pleito manual | man -l -`",
        ),
    );

    let serve = parts.command(
        "serve",
        (
            "Executa o servidor em primeiro plano, sem ícone na bandeja, até que seja parado",
            "Run the server in the foreground, without a tray icon, until it is stopped",
        ),
    );
    let check = parts.command(
        "check",
        (
            "Verifica se está tudo em ordem; termina com 1 se não",
            "Check that everything is in order; exit with 1 if not",
        ),
    );
    let deep = parts.flag(
        "deep",
        ("Lê também todos os arquivos de documentos por inteiro", "Also read every document file completely"),
    );
    let running = parts.flag(
        "running",
        (
            "Considera um problema se nenhum servidor está em execução",
            "Treat it as a problem if no server is running",
        ),
    );
    let config = parts.command(
        "config",
        (
            "Mostra as configurações em vigor e de onde vem cada uma",
            "Show the current settings and where each comes from",
        ),
    );
    let pleito = parts.command(
        "pleito",
        (
            "O servidor do próprio escritório para clientes e processos. Sem comando, executa o servidor com um ícone na bandeja.",
            "The office's own server for customers and lawsuits. Without a command, it runs the server with an icon in the tray.",
        ),
    );
    let version = parts.flag("version", ("Mostra a versão", "Show the version"));
    let version = version.short('V').action(ArgAction::Version);
    let help = parts.flag("help", ("Mostra esta ajuda", "Show this help"));
    let with_json = |command| parts.with_json(command);
    let pleito = pleito
        .version(env!("CARGO_PKG_VERSION"))
        .arg(listen())
        .arg(version)
        .subcommand(serve.args([listen(), replica::follow(parts)]))
        .subcommands([token, keys::key(parts), stored::backup(parts), restore].map(with_json))
        .subcommands([transfer::export(parts), transfer::import(parts)].map(with_json))
        .subcommands(
            [check.args([deep, running]), stored::trash(parts), stored::webhooks(parts)].map(with_json),
        )
        .subcommands([with_json(config.after_help(config::settings(lang))), console, with_json(autostart)])
        .subcommand(with_json(service::service(parts)))
        .subcommands([replica::replica(parts), replica::promote(parts)].map(with_json))
        .subcommands([mcp, demo::demo(parts), completions, manual.hide(true)])
        // Added after the commands, so that these options follow the commands' own ones in each help.
        .arg(parts.path("data-dir", ("PASTA", "DIR"), ("A pasta de dados", "The data folder")).global(true))
        .arg(
            parts
                .path("config", ("ARQUIVO", "FILE"), ("O arquivo de configurações", "The settings file"))
                .global(true),
        )
        .arg(help.short('h').action(ArgAction::Help).global(true));
    in_one_language(pleito, "pleito", lang)
}

/// Replaces clap's English words in help and usage, for the command and all its subcommands.
fn in_one_language(command: clap::Command, path: &str, lang: Lang) -> clap::Command {
    let usage = format!("{path} {}", usage(&command, lang));
    let list = match command.has_subcommands() {
        true => format!("{}\n{{subcommands}}\n\n", lang.pick("Comandos:", "Commands:")),
        false => String::new(),
    };
    let heading = lang.pick("Uso:", "Usage:");
    let arguments = match command.get_positionals().next() {
        Some(_) => format!("{}\n{{positionals}}\n\n", lang.pick("Argumentos:", "Arguments:")),
        None => String::new(),
    };
    let options = lang.pick("Opções:", "Options:");
    command
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .override_usage(usage)
        .help_template(format!(
            "{{about}}\n\n{heading} {{usage}}\n\n{list}{arguments}{options}\n{{options}}{{after-help}}\n"
        ))
        .mut_subcommands(|below| {
            let path = format!("{path} {}", below.get_name());
            in_one_language(below, &path, lang)
        })
}

fn usage(command: &clap::Command, lang: Lang) -> String {
    let options = lang.pick("[OPÇÕES]", "[OPTIONS]");
    let word = lang.pick("COMANDO", "COMMAND");
    let file = command.get_positionals().next();
    let file = file.and_then(|file| Some((file.get_id(), file.get_value_names()?.first()?)));
    match file {
        Some((id, name)) if id == "files" => format!("{options} <{name}>..."),
        Some((id, name)) if id == "name" => {
            let level = command.get_groups().find(|group| group.get_id() == "level");
            let level = level.map_or("", |_| " <--read|--write|--manage>");
            format!("{options}{level} <{name}>")
        }
        Some((id, name)) if id == "to" || id == "target" => format!("{options} <{name}>"),
        Some((id, name)) if id == "backup" => format!("{options} <{name}|--latest>"),
        Some((_, name)) => format!("{options} [{name}]"),
        None if command.is_subcommand_required_set() => format!("{options} <{word}>"),
        None if command.has_subcommands() => format!("{options} [{word}]"),
        None => options.to_owned(),
    }
}

/// Returns the command for a path of words, with its options. Returns `None` if a subcommand is missing.
pub(super) fn command(words: &[&str], matches: &ArgMatches) -> Option<Command> {
    Some(match words {
        [] => Command::Desktop,
        ["serve"] => Command::Serve,
        ["token", "new"] => {
            Command::TokenNew { new: matches.get_flag("new"), and_keys: matches.get_flag("and-keys") }
        }
        ["token", "status"] => Command::TokenStatus,
        ["token", "revoke"] => Command::TokenRevoke,
        ["key", "new"] => Command::KeyNew(keys::draft(matches)),
        ["key", "list"] => Command::KeyList,
        ["key", "revoke"] => Command::KeyRevoke { name: matches.get_one("name").cloned()? },
        ["key", "undo"] => {
            Command::KeyUndo { name: matches.get_one("name").cloned()?, day: matches.get_one("day").cloned() }
        }
        ["backup"] => Command::Backup {
            file: matches.get_one("file").cloned(),
            passphrase: matches.get_flag("passphrase"),
        },
        ["backup", "key", "new"] => Command::BackupKeyNew,
        ["backup", "test"] => Command::BackupTest,
        ["restore"] => Command::Restore {
            file: matches.get_one("backup").cloned(),
            with_token: matches.get_flag("with-token"),
        },
        ["export"] => transfer::exported(matches)?,
        ["import"] => transfer::import_command(matches),
        ["check"] => Command::Check { deep: matches.get_flag("deep"), running: matches.get_flag("running") },
        ["trash", "list"] => Command::TrashList,
        ["trash", "empty"] => Command::TrashEmpty { yes: matches.get_flag("yes") },
        ["webhooks", "resume"] => Command::WebhooksResume,
        ["config"] => Command::Config,
        ["console"] => Command::Console { link: matches.get_flag("link") },
        ["autostart", "on"] => Command::Autostart { change: Some(true) },
        ["autostart", "off"] => Command::Autostart { change: Some(false) },
        ["autostart", "status"] => Command::Autostart { change: None },
        ["service", word] => Command::Service(service::command(word, matches)?),
        ["replica", word] => Command::Replica(replica::command(word, matches)?),
        ["promote"] => Command::Promote { yes: matches.get_flag("yes") },
        ["mcp"] => Command::Mcp { key: matches.get_one("key").cloned() },
        ["demo"] => Command::Demo(demo::plan(matches)),
        ["completions", "bash"] => Command::Completions(Shell::Bash),
        ["completions", "fish"] => Command::Completions(Shell::Fish),
        ["completions", "powershell"] => Command::Completions(Shell::PowerShell),
        ["completions", "zsh"] => Command::Completions(Shell::Zsh),
        ["manual"] => Command::Manual,
        _ => return None,
    })
}
