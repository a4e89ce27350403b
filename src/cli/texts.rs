//! Every command of the command line, once: its name, what it is in both languages, what it asks for.
//!
//! Parser, help and refusals all come from this table, so nothing can be offered in one language only.

use clap::ArgMatches;
use clap_complete::Shell;

use super::Command;
use super::options::{
    BACKUP, CUSTOMERS, JSON, LATEST, LAWSUITS, LINK, LISTEN, NEW_FILE, Opt, SEED, VERSION, WITH_TOKEN,
};
use crate::config::keys::{KEYS, Words};
use crate::demo::Plan;
use crate::domain::lang::Lang;

/// A command, or a word that has commands below it.
pub(super) struct CommandSpec {
    pub name: &'static str,
    pub about: Words,
    pub options: &'static [Opt],
    pub commands: &'static [CommandSpec],
    /// What it asks for; none where a command must follow.
    pub make: Option<fn(&ArgMatches) -> Command>,
    /// What its help ends with.
    pub more: Option<fn(Lang) -> String>,
}

/// The whole command line.
pub(super) static PLEITO: CommandSpec = CommandSpec {
    name: "pleito",
    about: (
        "O servidor do próprio escritório para clientes e processos. Sem comando, atende e mostra um ícone na bandeja.",
        "The office's own server for customers and lawsuits. Without a command it serves and shows an icon in the tray.",
    ),
    options: &[LISTEN, VERSION],
    make: Some(desktop),
    more: None,
    commands: &[
        CommandSpec {
            name: "serve",
            about: (
                "Atende em primeiro plano, sem ícone, até receber um sinal de parada",
                "Serve in the foreground, without an icon, until told to stop",
            ),
            options: &[LISTEN],
            commands: &[],
            make: Some(serve),
            more: None,
        },
        CommandSpec {
            name: "token",
            about: (
                "O token com que os programas acessam a API",
                "The token with which programs reach the API",
            ),
            options: &[],
            make: None,
            more: None,
            commands: &[
                CommandSpec {
                    name: "new",
                    about: (
                        "Cria um token: o anterior deixa de funcionar e o novo é mostrado só desta vez",
                        "Make a token: the one before stops working, the new one is shown this once",
                    ),
                    options: &[JSON],
                    commands: &[],
                    make: Some(|matches| Command::TokenNew { json: matches.get_flag("json") }),
                    more: None,
                },
                CommandSpec {
                    name: "status",
                    about: (
                        "Diz quando o token foi criado e usado pela última vez, e seus quatro últimos caracteres",
                        "Say when the token was made and last used, and its last four characters",
                    ),
                    options: &[JSON],
                    commands: &[],
                    make: Some(|matches| Command::TokenStatus { json: matches.get_flag("json") }),
                    more: None,
                },
                CommandSpec {
                    name: "revoke",
                    about: (
                        "Revoga o token: a API não aceita mais nenhuma requisição até que um novo seja criado",
                        "Revoke the token: the API accepts no request until a new one is made",
                    ),
                    options: &[JSON],
                    commands: &[],
                    make: Some(|matches| Command::TokenRevoke { json: matches.get_flag("json") }),
                    more: None,
                },
            ],
        },
        CommandSpec {
            name: "backup",
            about: (
                "Faz uma cópia verificada dos dados, com o servidor em execução ou não",
                "Make a verified copy of the data, whether or not the server runs",
            ),
            options: &[NEW_FILE, JSON],
            commands: &[],
            make: Some(|matches| Command::Backup {
                file: matches.get_one("file").cloned(),
                json: matches.get_flag("json"),
            }),
            more: None,
        },
        CommandSpec {
            name: "restore",
            about: (
                "Põe um backup no lugar dos dados, com o servidor em execução ou não; guarda o que é substituído",
                "Put a backup in place of the data, whether or not the server runs; what it replaces is kept",
            ),
            options: &[BACKUP, LATEST, WITH_TOKEN, JSON],
            commands: &[],
            make: Some(|matches| Command::Restore {
                file: matches.get_one("backup").cloned(),
                with_token: matches.get_flag("with-token"),
                json: matches.get_flag("json"),
            }),
            more: None,
        },
        CommandSpec {
            name: "check",
            about: (
                "Verifica se está tudo em ordem; termina com 1 se não",
                "Check that everything is all right; exit 1 if not",
            ),
            options: &[JSON],
            commands: &[],
            make: Some(|matches| Command::Check { json: matches.get_flag("json") }),
            more: None,
        },
        CommandSpec {
            name: "config",
            about: (
                "Mostra as configurações em vigor e de onde veio cada uma",
                "Show the settings in force and where each came from",
            ),
            options: &[JSON],
            commands: &[],
            make: Some(|matches| Command::Config { json: matches.get_flag("json") }),
            more: Some(keys),
        },
        CommandSpec {
            name: "console",
            about: (
                "Abre no navegador as páginas desta máquina: clientes, processos, token, configurações",
                "Open this machine's pages in the browser: customers, lawsuits, token, settings",
            ),
            options: &[LINK],
            commands: &[],
            make: Some(|matches| Command::Console { link: matches.get_flag("link") }),
            more: Some(|lang| {
                lang.pick(
                    "O link abre uma vez, dentro de um minuto, e só nesta máquina.",
                    "The link opens once, within a minute, and on this machine only.",
                )
                .to_owned()
            }),
        },
        CommandSpec {
            name: "autostart",
            about: (
                "Inicia o Pleito com o computador, ou não mais",
                "Start Pleito with the computer, or no longer",
            ),
            options: &[],
            make: None,
            more: None,
            commands: &[
                CommandSpec {
                    name: "on",
                    about: (
                        "Quando este usuário entra no sistema, o Pleito inicia",
                        "Pleito starts when this user signs in",
                    ),
                    options: &[JSON],
                    commands: &[],
                    make: Some(|matches| autostart(matches, Some(true))),
                    more: None,
                },
                CommandSpec {
                    name: "off",
                    about: ("O Pleito não inicia mais sozinho", "Pleito does not start by itself any more"),
                    options: &[JSON],
                    commands: &[],
                    make: Some(|matches| autostart(matches, Some(false))),
                    more: None,
                },
                CommandSpec {
                    name: "status",
                    about: (
                        "Diz se o Pleito inicia com o computador",
                        "Say whether Pleito starts with the computer",
                    ),
                    options: &[JSON],
                    commands: &[],
                    make: Some(|matches| autostart(matches, None)),
                    more: None,
                },
            ],
        },
        CommandSpec {
            name: "demo",
            about: (
                "Enche uma pasta nova com um escritório inventado, para experimentar e medir",
                "Fill a new folder with an invented office, to look around and to measure",
            ),
            options: &[CUSTOMERS, LAWSUITS, SEED],
            commands: &[],
            make: Some(demo),
            more: Some(|lang| {
                lang.pick(
                    "--data-dir é obrigatória, e a pasta não pode ter clientes nem processos.",
                    "--data-dir has to be given, and the folder must not hold customers or lawsuits.",
                )
                .to_owned()
            }),
        },
    ],
};

fn desktop(matches: &ArgMatches) -> Command {
    Command::Desktop { listen: matches.get_one("listen").copied() }
}

/// What packages ask for when they are built; the help leaves it out.
pub(super) static FOR_PACKAGES: [CommandSpec; 2] = [
    CommandSpec {
        name: "completions",
        about: (
            "O que um terminal lê para completar as palavras dos comandos",
            "What a shell reads to complete the words of commands",
        ),
        options: &[],
        make: None,
        more: None,
        commands: &[
            shell("bash", |_| Command::Completions(Shell::Bash)),
            shell("fish", |_| Command::Completions(Shell::Fish)),
            shell("powershell", |_| Command::Completions(Shell::PowerShell)),
            shell("zsh", |_| Command::Completions(Shell::Zsh)),
        ],
    },
    CommandSpec {
        name: "manual",
        about: (
            "A página do manual, para `man`: mostre-a com `pleito manual | man -l -`",
            "The manual page, for `man`: show it with `pleito manual | man -l -`",
        ),
        options: &[],
        commands: &[],
        make: Some(|_| Command::Manual),
        more: None,
    },
];

const fn shell(name: &'static str, make: fn(&ArgMatches) -> Command) -> CommandSpec {
    let about = ("Escreve o arquivo desse terminal", "Write that shell's file");
    CommandSpec { name, about, options: &[], commands: &[], make: Some(make), more: None }
}

fn serve(matches: &ArgMatches) -> Command {
    Command::Serve { listen: matches.get_one("listen").copied() }
}

fn autostart(matches: &ArgMatches, change: Option<bool>) -> Command {
    Command::Autostart { change, json: matches.get_flag("json") }
}

fn demo(matches: &ArgMatches) -> Command {
    let number = |name| matches.get_one(name).copied();
    let count = |name| number(name).and_then(|count| u32::try_from(count).ok()).unwrap_or_default();
    let seed = number("seed").unwrap_or(1);
    Command::Demo(Plan { customers: count("customers"), lawsuits: count("lawsuits"), seed })
}

/// Every setting, for those who write `pleito.toml`.
fn keys(lang: Lang) -> String {
    let heading = lang.pick(
        "Chaves de pleito.toml (uma variável de ambiente vale mais que o arquivo):",
        "Keys of pleito.toml (an environment variable overrides the file):",
    );
    KEYS.iter().fold(heading.to_owned(), |text, key| {
        let default = lang.pick("padrão", "default");
        let at_once = if key.at_once {
            lang.pick("; vale sem reiniciar o programa", "; effective without a restart")
        } else {
            ""
        };
        let (name, meaning, value, variable) =
            (key.name, key.meaning(lang), key.default_text(lang), key.variable());
        format!("{text}\n  {name}\n      {meaning}\n      {default}: {value}; {variable}{at_once}")
    })
}
