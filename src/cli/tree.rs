//! Defines the syntax of all commands and options, with help in both languages, and converts the matches to commands.

mod keys;
mod stored;
mod transfer;

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use clap_complete::Shell;

use super::command::Command;
use super::config;
use crate::config::keys::address;
use crate::demo::{MOST, Plan};
use crate::domain::{Bilingual, Lang};

/// Returns the parser of the whole command line.
pub(super) fn tree(lang: Lang) -> clap::Command {
    let command = |name, (pt, en): Bilingual| clap::Command::new(name).about(lang.pick(pt, en));
    let option = |name, (pt, en): Bilingual| Arg::new(name).long(name).help(lang.pick(pt, en));
    let valued = |arg: Arg, (pt, en): Bilingual| arg.value_name(lang.pick(pt, en));
    let json = || {
        let help = (
            "Escreve o resultado em JSON, e também os erros",
            "Write the result as JSON, and errors as well",
        );
        option("json", help).action(ArgAction::SetTrue)
    };
    let path = |name, value, help| valued(option(name, help), value).value_parser(value_parser!(PathBuf));
    let listen = || {
        let help =
            ("Onde a API atende, em vez de server.listen", "Where the API listens, instead of server.listen");
        valued(option("listen", help), ("ENDEREÇO:PORTA", "ADDR:PORT"))
            .value_parser(|text: &str| address(text).ok_or("no address"))
    };
    let count = |name, help| {
        let count = value_parser!(u64).range(..=u64::from(MOST));
        valued(option(name, help), ("QUANTOS", "COUNT")).value_parser(count).required(true)
    };

    let token = command(
        "token",
        ("O token com que os programas acessam a API", "The token with which programs reach the API"),
    );
    let token = token.subcommand_required(true).subcommands([
        command(
            "new",
            (
                "Cria um token: o anterior deixa de funcionar e o novo é mostrado só desta vez",
                "Make a token: the one before stops working, the new one is shown this once",
            ),
        )
        .args([
            option(
                "new",
                ("Começa um escritório novo onde não há nenhum", "Begin a new office where there is none"),
            )
            .action(ArgAction::SetTrue),
            option("and-keys", ("Encerra também todas as chaves", "End all keys as well"))
                .action(ArgAction::SetTrue),
            json(),
        ]),
        command(
            "status",
            (
                "Diz quando o token foi criado e usado pela última vez, e seus quatro últimos caracteres",
                "Say when the token was made and last used, and its last four characters",
            ),
        )
        .arg(json()),
        command(
            "revoke",
            (
                "Revoga o token e encerra as chaves: a API não aceita mais nenhuma requisição até que um novo seja criado",
                "Revoke the token and end the keys: the API accepts no request until a new one is made",
            ),
        )
        .arg(json()),
    ]);

    let new_file = (
        "O arquivo novo; sem ele, um na pasta dos backups",
        "The new file; without it, one in the folder of the backups",
    );
    let backup = command(
        "backup",
        (
            "Faz uma cópia verificada dos dados, com o servidor em execução ou não",
            "Make a verified copy of the data, whether or not the server runs",
        ),
    );
    let backup = backup.arg(path("file", ("ARQUIVO", "FILE"), new_file).long(None)).arg(json());

    let restore = command(
        "restore",
        (
            "Põe um backup no lugar dos dados, com o servidor em execução ou não; guarda o que é substituído",
            "Put a backup in place of the data, whether or not the server runs; what it replaces is kept",
        ),
    );
    let restore = restore.args([
        path("backup", ("ARQUIVO", "FILE"), ("O backup", "The backup"))
            .long(None)
            .required_unless_present("latest")
            .conflicts_with("latest"),
        option("latest", ("O backup íntegro mais novo", "The newest backup that is sound"))
            .action(ArgAction::SetTrue),
        option(
            "with-token",
            (
                "Volta também ao token da época do backup; o de agora deixa de funcionar",
                "Go back to the token of that time as well; the one of today stops working",
            ),
        )
        .action(ArgAction::SetTrue),
        json(),
    ]);

    let console = command(
        "console",
        (
            "Abre no navegador as páginas desta máquina: clientes, processos, token, configurações",
            "Open this machine's pages in the browser: customers, lawsuits, token, settings",
        ),
    );
    let console = console
        .arg(
            option("link", ("Escreve o link em vez de abri-lo", "Write the link instead of opening it"))
                .action(ArgAction::SetTrue),
        )
        .after_help(lang.pick(
            "O link abre uma vez, dentro de um minuto, e só nesta máquina.",
            "The link opens once, within a minute, and on this machine only.",
        ));

    let autostart = command(
        "autostart",
        ("Inicia o Pleito com o computador, ou não mais", "Start Pleito with the computer, or no longer"),
    );
    let autostart = autostart.subcommand_required(true).subcommands([
        command(
            "on",
            (
                "Quando este usuário entra no sistema, o Pleito inicia",
                "Pleito starts when this user signs in",
            ),
        )
        .arg(json()),
        command("off", ("O Pleito não inicia mais sozinho", "Pleito does not start by itself any more"))
            .arg(json()),
        command(
            "status",
            ("Diz se o Pleito inicia com o computador", "Say whether Pleito starts with the computer"),
        )
        .arg(json()),
    ]);

    let demo = command(
        "demo",
        (
            "Enche uma pasta nova com um escritório inventado, para experimentar e medir",
            "Fill a new folder with an invented office, to look around and to measure",
        ),
    );
    let seed = option(
        "seed",
        ("Com outro número, outro escritório; sem ele, 1", "Another number, another office; without it, 1"),
    );
    let further = [
        (
            "tasks",
            (
                "Quantas tarefas; sem ele, duas por processo",
                "How many tasks; without it, two for each lawsuit",
            ),
        ),
        (
            "movements",
            (
                "Quantos andamentos; sem ele, seis por processo",
                "How many movements; without it, six for each lawsuit",
            ),
        ),
        (
            "publications",
            (
                "Quantas publicações; sem ele, uma por processo",
                "How many publications; without it, one for each lawsuit",
            ),
        ),
        (
            "transactions",
            (
                "Quantos lançamentos; sem ele, dois por processo",
                "How many transactions; without it, two for each lawsuit",
            ),
        ),
    ];
    let demo = demo
        .args([
            count("customers", ("Quantos clientes inventar", "How many customers to invent")),
            count("lawsuits", ("Quantos processos inventar", "How many lawsuits to invent")),
            valued(seed, ("NÚMERO", "NUMBER")).value_parser(value_parser!(u64)),
        ])
        .args(further.map(|(name, help)| count(name, help).required(false)))
        .after_help(lang.pick(
            "--data-dir é obrigatória, e a pasta não pode ter clientes nem processos.",
            "--data-dir has to be given, and the folder must not hold customers or lawsuits.",
        ));

    // Used when packages are built, and hidden from the help.
    let completions = command(
        "completions",
        (
            "O que um terminal lê para completar as palavras dos comandos",
            "What a shell reads to complete the words of commands",
        ),
    );
    let completions =
        completions
            .hide(true)
            .subcommand_required(true)
            .subcommands(["bash", "fish", "powershell", "zsh"].map(|shell| {
                command(shell, ("Escreve o arquivo desse terminal", "Write that shell's file"))
            }));
    let manual = command(
        "manual",
        (
            "A página do manual, para `man`: mostre-a com `pleito manual | man -l -`",
            "The manual page, for `man`: show it with `pleito manual | man -l -`",
        ),
    );

    let serve = command(
        "serve",
        (
            "Atende em primeiro plano, sem ícone, até receber um sinal de parada",
            "Serve in the foreground, without an icon, until told to stop",
        ),
    );
    let check = command(
        "check",
        (
            "Verifica se está tudo em ordem; termina com 1 se não",
            "Check that everything is all right; exit 1 if not",
        ),
    );
    let deep =
        option("deep", ("Lê cada documento até o último byte", "Read every document to its last byte"))
            .action(ArgAction::SetTrue);
    let running = option(
        "running",
        ("É um erro se nenhum servidor está em execução", "It is a fault if no server is running"),
    );
    let running = running.action(ArgAction::SetTrue);
    let config = command(
        "config",
        (
            "Mostra as configurações em vigor e de onde veio cada uma",
            "Show the settings in force and where each came from",
        ),
    );
    let pleito = command(
        "pleito",
        (
            "O servidor do próprio escritório para clientes e processos. Sem comando, atende e mostra um ícone na bandeja.",
            "The office's own server for customers and lawsuits. Without a command it serves and shows an icon in the tray.",
        ),
    );
    let pleito = pleito
        .version(env!("CARGO_PKG_VERSION"))
        .arg(listen())
        .arg(option("version", ("Mostra a versão", "Show the version")).short('V').action(ArgAction::Version))
        .subcommands([serve.arg(listen()), token, keys::key(lang, json()), backup, restore])
        .subcommands([transfer::export(lang, json()), transfer::import(lang, json())])
        .subcommands([
            check.args([deep, running, json()]),
            stored::trash(lang, json()),
            stored::webhooks(lang, json()),
        ])
        .subcommands([config.arg(json()).after_help(config::settings(lang)), console, autostart, demo])
        .subcommands([completions, manual.hide(true)])
        // Added after the commands, so that these options follow the commands' own ones in each help.
        .arg(
            path(
                "data-dir",
                ("PASTA", "DIR"),
                ("Pasta que guarda tudo desta instalação", "Folder that holds everything of this instance"),
            )
            .global(true),
        )
        .arg(path("config", ("ARQUIVO", "FILE"), ("Arquivo de configurações", "Settings file")).global(true))
        .arg(
            option("help", ("Mostra esta ajuda", "Show this help"))
                .short('h')
                .action(ArgAction::Help)
                .global(true),
        );
    in_one_language(pleito, "pleito", lang)
}

/// Replaces clap's English words in help and usage, for the command and all its subcommands.
fn in_one_language(command: clap::Command, path: &str, lang: Lang) -> clap::Command {
    let usage = format!("{path} {}", usage(&command, lang));
    let list = match command.has_subcommands() {
        true => format!("{}\n{{subcommands}}\n\n", lang.pick("Comandos:", "Commands:")),
        false => String::new(),
    };
    let (heading, options) = (lang.pick("Uso:", "Usage:"), lang.pick("Opções:", "Options:"));
    command
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .override_usage(usage)
        .help_template(format!(
            "{{about}}\n\n{heading} {{usage}}\n\n{list}{options}\n{{options}}{{after-help}}\n"
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
        Some((id, name)) if id == "to" => format!("{options} <{name}>"),
        Some((id, name)) if id == "backup" => format!("{options} <{name}|--latest>"),
        Some((_, name)) => format!("{options} [{name}]"),
        None if command.is_subcommand_required_set() => format!("{options} <{word}>"),
        None if command.has_subcommands() => format!("{options} [{word}]"),
        None => options.to_owned(),
    }
}

/// Returns the command for a path of words, with its options. Returns `None` if a subcommand is missing.
pub(super) fn command(words: &[&str], matches: &ArgMatches) -> Option<Command> {
    let number = |name| matches.get_one::<u64>(name).copied();
    let count = |name| number(name).and_then(|count| u32::try_from(count).ok());
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
        ["backup"] => Command::Backup { file: matches.get_one("file").cloned() },
        ["restore"] => Command::Restore {
            file: matches.get_one("backup").cloned(),
            with_token: matches.get_flag("with-token"),
        },
        ["export"] => transfer::exported(matches)?,
        ["import"] => transfer::asked(matches),
        ["check"] => Command::Check { deep: matches.get_flag("deep"), running: matches.get_flag("running") },
        ["trash", "list"] => Command::TrashList,
        ["trash", "empty"] => Command::TrashEmpty { yes: matches.get_flag("yes") },
        ["webhooks", "resume"] => Command::WebhooksResume,
        ["config"] => Command::Config,
        ["console"] => Command::Console { link: matches.get_flag("link") },
        ["autostart", "on"] => Command::Autostart { change: Some(true) },
        ["autostart", "off"] => Command::Autostart { change: Some(false) },
        ["autostart", "status"] => Command::Autostart { change: None },
        ["demo"] => {
            let plan =
                Plan::of(count("customers").unwrap_or_default(), count("lawsuits").unwrap_or_default());
            Command::Demo(Plan {
                tasks: count("tasks").unwrap_or(plan.tasks),
                movements: count("movements").unwrap_or(plan.movements),
                publications: count("publications").unwrap_or(plan.publications),
                transactions: count("transactions").unwrap_or(plan.transactions),
                seed: number("seed").unwrap_or(plan.seed),
                ..plan
            })
        }
        ["completions", "bash"] => Command::Completions(Shell::Bash),
        ["completions", "fish"] => Command::Completions(Shell::Fish),
        ["completions", "powershell"] => Command::Completions(Shell::PowerShell),
        ["completions", "zsh"] => Command::Completions(Shell::Zsh),
        ["manual"] => Command::Manual,
        _ => return None,
    })
}
