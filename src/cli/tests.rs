//! Tests of the command line: parsed commands, and help and errors in both languages.

use std::net::SocketAddr;

use clap_complete::Shell;

use super::command::ReplicaCommand;
use super::*;
use crate::auth::KeyDraft;
use crate::config::{Flags, setting_names};
use crate::demo::Plan;
use crate::transfer::Import;

fn args(line: &str) -> Vec<OsString> {
    std::iter::once("pleito").chain(line.split_whitespace()).map(OsString::from).collect()
}

fn parsed(line: &str) -> CommandLine {
    parse(args(line), Lang::En).unwrap()
}

fn stopped(line: &str, lang: Lang) -> CommandOutput {
    parse(args(line), lang).unwrap_err()
}

/// Returns every visible command with its path, beginning with the program itself.
fn every_command() -> Vec<(String, clap::Command)> {
    fn below(path: String, command: clap::Command, all: &mut Vec<(String, clap::Command)>) {
        all.push((path.clone(), command.clone()));
        for next in command.get_subcommands().filter(|next| !next.is_hide_set()) {
            below(format!("{path} {}", next.get_name()), next.clone(), all);
        }
    }
    let mut all = Vec::new();
    below(String::new(), tree::tree(Lang::En), &mut all);
    all
}

#[test]
fn command_lines_are_parsed_into_commands() {
    let listening = |text: &str| (Some(text.parse::<SocketAddr>().unwrap()), false);
    let plain = (None, false);
    let json = (None, true);
    for (line, command, options) in [
        ("", Command::Desktop, plain),
        ("serve", Command::Serve, plain),
        ("--listen 127.0.0.1:1", Command::Desktop, listening("127.0.0.1:1")),
        ("serve --listen localhost:3", Command::Serve, listening("127.0.0.1:3")),
        ("serve --listen=[::1]:2", Command::Serve, listening("[::1]:2")),
        ("--listen 127.0.0.1:1 serve", Command::Serve, listening("127.0.0.1:1")),
        ("--listen 127.0.0.1:1 serve --listen 127.0.0.1:2", Command::Serve, listening("127.0.0.1:2")),
        ("trash list --json", Command::TrashList, json),
        ("webhooks resume --json", Command::WebhooksResume, json),
        ("trash empty", Command::TrashEmpty { yes: false }, plain),
        ("trash empty --yes --json", Command::TrashEmpty { yes: true }, json),
        ("autostart on", Command::Autostart { change: Some(true) }, plain),
        ("autostart off --json", Command::Autostart { change: Some(false) }, json),
        ("service install", Command::Service(ServiceCommand::Install { new: false }), plain),
        ("service install --new --json", Command::Service(ServiceCommand::Install { new: true }), json),
        ("service remove", Command::Service(ServiceCommand::Remove), plain),
        ("service status --json", Command::Service(ServiceCommand::Status), json),
        (
            "replica set /media/usb",
            Command::Replica(ReplicaCommand::Set { target: "/media/usb".into() }),
            plain,
        ),
        ("replica status --json", Command::Replica(ReplicaCommand::Status), json),
        ("replica off", Command::Replica(ReplicaCommand::Off), plain),
        ("autostart status", Command::Autostart { change: None }, plain),
        ("token new", Command::TokenNew { new: false, and_keys: false }, plain),
        ("token new --json", Command::TokenNew { new: false, and_keys: false }, json),
        ("token new --new", Command::TokenNew { new: true, and_keys: false }, plain),
        ("token status --json", Command::TokenStatus, json),
        ("backup", Command::Backup { file: None, passphrase: false }, plain),
        ("backup --passphrase", Command::Backup { file: None, passphrase: true }, plain),
        ("backup key new --json", Command::BackupKeyNew, json),
        ("backup test", Command::BackupTest, plain),
        ("backup a.zst --json", Command::Backup { file: Some("a.zst".into()), passphrase: false }, json),
        ("restore --latest", Command::Restore { file: None, with_token: false }, plain),
        (
            "restore a.zst --with-token",
            Command::Restore { file: Some("a.zst".into()), with_token: true },
            plain,
        ),
        ("token revoke", Command::TokenRevoke, plain),
        ("token new --and-keys", Command::TokenNew { new: false, and_keys: true }, plain),
        ("key list --json", Command::KeyList, json),
        ("key revoke n8n", Command::KeyRevoke { name: "n8n".to_owned() }, plain),
        ("key undo n8n", Command::KeyUndo { name: "n8n".to_owned(), day: None }, plain),
        (
            "key undo n8n --day 2026-11-20 --json",
            Command::KeyUndo { name: "n8n".to_owned(), day: Some("2026-11-20".to_owned()) },
            json,
        ),
        (
            "key new n8n --write --only customers,tasks --until 2027-01-31",
            Command::KeyNew(KeyDraft {
                name: "n8n".to_owned(),
                level: "write".to_owned(),
                only: Some(vec!["customers".to_owned(), "tasks".to_owned()]),
                until: "2027-01-31".to_owned(),
                ..KeyDraft::default()
            }),
            plain,
        ),
        (
            "key new claude --assistant",
            Command::KeyNew(KeyDraft {
                name: "claude".to_owned(),
                is_for_assistant: true,
                ..KeyDraft::default()
            }),
            plain,
        ),
        ("export out --json", Command::Export { to: "out".into(), customer: None }, json),
        ("export out --customer 17", Command::Export { to: "out".into(), customer: Some(17) }, plain),
        (
            "import a.csv --apply --resource clientes --fill --create-lists --refused b.csv c.xlsx",
            Command::Import {
                import: Import {
                    files: vec!["a.csv".into(), "c.xlsx".into()],
                    apply: true,
                    resources: vec![(String::new(), "clientes".to_owned())],
                    fill: true,
                    create_lists: true,
                    refused: Some("b.csv".into()),
                    ..Import::default()
                },
                new: false,
            },
            plain,
        ),
        (
            "import --new --map Fone=cellphone --map a=b= a.csv",
            Command::Import {
                import: Import {
                    files: vec!["a.csv".into()],
                    map: vec![("Fone".to_owned(), "cellphone".to_owned()), ("a=b".to_owned(), String::new())],
                    ..Import::default()
                },
                new: true,
            },
            plain,
        ),
        ("import --list --json", Command::ImportList, json),
        ("import --undo 3", Command::ImportUndo { id: 3 }, plain),
        ("check --json", Command::Check { deep: false, running: false }, json),
        ("check --deep", Command::Check { deep: true, running: false }, plain),
        ("check --running", Command::Check { deep: false, running: true }, plain),
        ("config", Command::Config, plain),
        ("console", Command::Console { link: false }, plain),
        ("mcp", Command::Mcp { key: None }, plain),
        ("mcp --key Ana", Command::Mcp { key: Some("Ana".into()) }, plain),
        ("console --link", Command::Console { link: true }, plain),
        (
            "demo --customers 3 --lawsuits=2 --data-dir x",
            Command::Demo(Plan {
                customers: 3,
                lawsuits: 2,
                tasks: 4,
                movements: 12,
                publications: 2,
                transactions: 4,
                seed: 1,
            }),
            plain,
        ),
        (
            "--data-dir x demo --lawsuits 0 --customers 50000000 --tasks 6 --movements 8 --publications 9 --transactions 7 --seed 18446744073709551615",
            Command::Demo(Plan {
                customers: 50_000_000,
                lawsuits: 0,
                tasks: 6,
                movements: 8,
                publications: 9,
                transactions: 7,
                seed: u64::MAX,
            }),
            plain,
        ),
        ("completions zsh", Command::Completions(Shell::Zsh), plain),
        ("manual", Command::Manual, plain),
    ] {
        let parsed = parsed(line);
        assert_eq!((parsed.command, (parsed.listen, parsed.json)), (command, options), "{line}");
    }
}

#[test]
fn every_command_takes_the_common_options_before_and_after_its_words() {
    for (path, command) in every_command() {
        if !command.is_subcommand_required_set() {
            for line in
                [format!("--data-dir one --config two{path}"), format!("{path} --data-dir one --config=two")]
            {
                let needed = match path.as_str() {
                    " demo" => " --customers 1 --lawsuits 1",
                    " restore" => " --latest",
                    " export" | " import" | " key revoke" | " key undo" | " replica set" => " x",
                    " key new" => " x --read",
                    _ => "",
                };
                let parsed = parsed(&format!("{line}{needed}"));
                assert_eq!(
                    (parsed.data_dir, parsed.config),
                    (Some("one".into()), Some("two".into())),
                    "{line}"
                );
            }
        }
    }
}

#[test]
fn settings_flags_are_taken_from_the_command_line() {
    let flags = parsed("serve --listen 127.0.0.1:1 --data-dir one").flags();
    assert_eq!(flags.listen, Some("127.0.0.1:1".parse().unwrap()));
    assert_eq!((flags.data_dir, flags.config), (Some("one".into()), None));
    assert_eq!(parsed("check").flags(), Flags::default());
}

#[cfg(unix)]
#[test]
fn a_path_need_not_be_utf8() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(b"escrit\xf3rio".to_vec());
    let line = ["pleito".into(), "--data-dir".into(), odd.clone()];
    assert_eq!(parse(line, Lang::Pt).unwrap().data_dir, Some(odd.into()));
}

#[test]
fn every_text_is_available_in_both_languages() {
    fn compare(pt: &clap::Command, en: &clap::Command) {
        let differ = |pt: Option<&clap::builder::StyledStr>, en: Option<&clap::builder::StyledStr>| {
            let pt = pt.unwrap().to_string();
            let en = en.unwrap().to_string();
            assert!(!pt.is_empty() && !en.is_empty() && pt != en, "{pt:?}, {en:?}");
        };
        differ(pt.get_about(), en.get_about());
        if pt.get_after_help().is_some() {
            differ(pt.get_after_help(), en.get_after_help());
        }
        for (pt, en) in pt.get_arguments().zip(en.get_arguments()) {
            assert_eq!(pt.get_id(), en.get_id());
            differ(pt.get_help(), en.get_help());
            if pt.get_action().takes_values() {
                assert_ne!(pt.get_value_names(), en.get_value_names(), "{}", pt.get_id());
            }
        }
        assert_eq!(pt.get_subcommands().count(), en.get_subcommands().count());
        pt.get_subcommands().zip(en.get_subcommands()).for_each(|(pt, en)| compare(pt, en));
    }
    let pt = tree::tree(Lang::Pt);
    let en = tree::tree(Lang::En);
    compare(&pt, &en);
    pt.debug_assert();
    en.debug_assert();
}

/// Words that must not occur in Portuguese texts: clap's own, and the English headings.
const FOREIGN_IN_PT: [&str; 10] = [
    "Usage",
    "Commands",
    "Arguments",
    "Options",
    "OPTIONS",
    "COMMAND",
    "Print ",
    "default",
    "possible",
    "help for",
];
const FOREIGN_IN_EN: [&str; 7] = ["Uso:", "Comandos", "Argumentos", "Opções", "OPÇÕES", "COMANDO", "padrão"];

#[test]
fn help_and_errors_are_in_one_language() {
    let mut lines: Vec<_> = every_command().into_iter().map(|(path, _)| format!("{path} --help")).collect();
    lines.extend(WRONG.iter().map(|(line, _, _)| (*line).to_owned()));
    for line in lines {
        let pt = stopped(&line, Lang::Pt).text;
        let en = stopped(&line, Lang::En).text;
        assert!(FOREIGN_IN_PT.iter().all(|word| !pt.contains(word)), "{line}: {pt}");
        assert!(FOREIGN_IN_EN.iter().all(|word| !en.contains(word)), "{line}: {en}");
    }
}

#[test]
fn the_help_of_the_program_has_the_expected_text() {
    let help = stopped("--help", Lang::Pt);
    assert_eq!((help.to_stderr, help.code), (false, 0));
    let expected = "\
O servidor do próprio escritório para clientes e processos. Sem comando, executa o servidor com um ícone na bandeja.

Uso: pleito [OPÇÕES] [COMANDO]

Comandos:
  serve      Executa o servidor em primeiro plano, sem ícone na bandeja, até que seja parado
  token      Cuida do token com que os programas acessam a API
  key        Cuida das chaves: como o token, mas para um só programa e só com os direitos de que ele precisa
  backup     Faz uma cópia verificada dos dados; o servidor pode estar em execução
  restore    Substitui os dados por um backup e guarda os dados substituídos; o servidor pode estar em execução
  export     Exporta tudo para uma pasta nova, como planilhas e como um arquivo para `pleito import`
  import     Importa arquivos; sem --apply, só mostra o que mudaria
  check      Verifica se está tudo em ordem; termina com 1 se não
  trash      Mostra a lixeira, ou apaga de vez seus registros
  webhooks   Retoma os webhooks de dados copiados de outra pasta ou de outro computador
  config     Mostra as configurações em vigor e de onde vem cada uma
  console    Abre o console no navegador: clientes, processos, token, configurações
  autostart  Define se o Pleito inicia quando você entra no sistema
  service    Faz o Pleito atender também quando ninguém entrou no computador
  replica    Mantém uma réplica dos dados em outro disco ou máquina, com o Litestream
  promote    Faz desta reserva o escritório, com o que a réplica tem agora
  mcp        Liga um assistente ao servidor em execução, por entrada e saída padrão (MCP); o programa do assistente executa este comando
  demo       Cria em uma pasta nova um escritório inventado, para experimentar ou medir o Pleito

Opções:
      --listen <ENDEREÇO:PORTA>  Endereço e porta da API; vale no lugar de server.listen
  -V, --version                  Mostra a versão
      --data-dir <PASTA>         A pasta de dados
      --config <ARQUIVO>         O arquivo de configurações
  -h, --help                     Mostra esta ajuda
";
    assert_eq!(help.text, expected);
    assert_eq!(stopped("-h", Lang::Pt), help);
    assert_eq!(stopped("help", Lang::Pt), help);
}

#[test]
fn the_help_of_a_command_explains_its_arguments() {
    let mut count = 0;
    for (path, command) in every_command() {
        let help = stopped(&format!("{path} --help"), Lang::En).text;
        for argument in command.get_positionals() {
            let explained = argument.get_help().unwrap().to_string();
            assert!(help.contains(&format!("  {explained}\n")), "{path}: {explained}\n{help}");
            count += 1;
        }
    }
    assert!(count > 7, "{count}");
}

#[test]
fn help_is_also_a_command() {
    for command in ["token", "token new", "backup"] {
        let help = stopped(&format!("help {command}"), Lang::En);
        assert_eq!(help, stopped(&format!("{command} --help"), Lang::En));
        assert_eq!(help.code, 0);
    }
    let refused = stopped("help tokn", Lang::En);
    assert_eq!(refused.text, stopped("tokn", Lang::En).text);
}

#[test]
fn the_help_of_config_explains_every_setting() {
    for lang in [Lang::Pt, Lang::En] {
        let help = stopped("config --help", lang).text;
        for key in setting_names::KEYS {
            for part in [key.name, &key.variable(), key.meaning(lang), &key.default_text(lang)] {
                assert!(help.contains(part), "{part}");
            }
        }
    }
}

#[test]
fn the_version_is_printed_to_standard_output() {
    for line in ["--version", "-V"] {
        let text = format!("pleito {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(stopped(line, Lang::Pt), CommandOutput::done(text));
    }
}

/// Invalid command lines, with the Portuguese and the English error.
const WRONG: [(&str, &str, &str); 38] = [
    (
        "tokn",
        "o comando tokn não existe; você quis dizer token?",
        "there is no command tokn; did you mean token?",
    ),
    (
        "xyz",
        "o comando xyz não existe; há: serve, token, key, backup, restore, export, import, check, trash, webhooks, config, console, autostart, service, replica, promote, mcp, demo",
        "there is no command xyz; there are: serve, token, key, backup, restore, export, import, check, trash, webhooks, config, console, autostart, service, replica, promote, mcp, demo",
    ),
    (
        "token xyz",
        "o comando xyz não existe; há: new, status, revoke",
        "there is no command xyz; there are: new, status, revoke",
    ),
    (
        "token",
        "falta um comando depois de pleito token; há: new, status, revoke",
        "a command is missing after pleito token; there are: new, status, revoke",
    ),
    (
        "key new n8n",
        "falta <--read|--write|--manage|--address <LISTA>|--assistant>",
        "missing: <--read|--write|--manage|--address <LIST>|--assistant>",
    ),
    ("key new n8n --read --write", "use --read ou --write, não os dois", "use --read or --write, not both"),
    (
        "token new --jsn",
        "a opção --jsn não existe aqui; você quis dizer --json?",
        "there is no option --jsn here; did you mean --json?",
    ),
    ("-x", "a opção -x não existe aqui", "there is no option -x here"),
    ("--json", "a opção --json não existe aqui", "there is no option --json here"),
    ("check --listen 127.0.0.1:1", "a opção --listen é só de serve", "the option --listen is for serve only"),
    ("token new --listen=x", "a opção --listen é só de serve", "the option --listen is for serve only"),
    (
        "serve --port 1",
        "a opção --port não existe aqui; você quis dizer --listen?",
        "there is no option --port here; did you mean --listen?",
    ),
    ("check --port 1", "a opção --port não existe aqui", "there is no option --port here"),
    (
        "token nw",
        "o comando nw não existe; você quis dizer new?",
        "there is no command nw; did you mean new?",
    ),
    ("--listen 127.0.0.1:1 check", "a opção --listen é só de serve", "the option --listen is for serve only"),
    ("serve extra", "o argumento extra está a mais", "the argument extra is one too many"),
    ("-- serve", "o argumento serve está a mais", "the argument serve is one too many"),
    (
        "serve --listen",
        "falta o valor de --listen <ENDEREÇO:PORTA>",
        "the value of --listen <ADDR:PORT> is missing",
    ),
    ("check --data-dir=", "falta o valor de --data-dir <PASTA>", "the value of --data-dir <DIR> is missing"),
    (
        "serve --listen localhost",
        "valor inválido para --listen <ENDEREÇO:PORTA>: localhost; deve ser endereço e porta, como 127.0.0.1:8743 ou [::1]:8743",
        "invalid value for --listen <ADDR:PORT>: localhost; it must be an address and a port, such as 127.0.0.1:8743 or [::1]:8743",
    ),
    (
        "--listen=",
        "valor inválido para --listen <ENDEREÇO:PORTA>: \"\"; deve ser endereço e porta, como 127.0.0.1:8743 ou [::1]:8743",
        "invalid value for --listen <ADDR:PORT>: \"\"; it must be an address and a port, such as 127.0.0.1:8743 or [::1]:8743",
    ),
    ("demo --customers 1 --lawsuits 1", "falta --data-dir <PASTA>", "missing: --data-dir <DIR>"),
    ("demo --data-dir x --lawsuits 1", "falta --customers <QUANTOS>", "missing: --customers <COUNT>"),
    (
        "demo --customers 50000001 --lawsuits 1 --data-dir x",
        "valor inválido para --customers <QUANTOS>: 50000001; deve ser um número de 0 a 50000000",
        "invalid value for --customers <COUNT>: 50000001; it must be a number from 0 to 50000000",
    ),
    (
        "demo --customers 1 --lawsuits -1 --data-dir x",
        "a opção -1 não existe aqui",
        "there is no option -1 here",
    ),
    (
        "demo --customers 1 --lawsuits 1 --seed x --data-dir x",
        "valor inválido para --seed <NÚMERO>: x; deve ser um número inteiro",
        "invalid value for --seed <NUMBER>: x; it must be a whole number",
    ),
    (
        "import --from-api x --compatibility cloud",
        "valor inválido para --compatibility <MODO>: cloud; deve ser document ou live",
        "invalid value for --compatibility <MODE>: cloud; it must be document or live",
    ),
    (
        "import x.csv --dates ymd",
        "valor inválido para --dates <ORDEM>: ymd; deve ser dmy ou mdy",
        "invalid value for --dates <ORDER>: ymd; it must be dmy or mdy",
    ),
    (
        "import --area-code 5 a.csv",
        "valor inválido para --area-code <DDD>: 5; deve ser um DDD do Brasil, como 48",
        "invalid value for --area-code <CODE>: 5; it must be an area code of Brazil, such as 48",
    ),
    (
        "import --headings-line 0 a.csv",
        "valor inválido para --headings-line <NÚMERO>: 0; deve ser um número inteiro a partir de 1",
        "invalid value for --headings-line <NUMBER>: 0; it must be a whole number of 1 or more",
    ),
    (
        "import --undo x",
        "valor inválido para --undo <NÚMERO>: x; deve ser um número inteiro a partir de 1",
        "invalid value for --undo <NUMBER>: x; it must be a whole number of 1 or more",
    ),
    (
        "export --customer 0 a",
        "valor inválido para --customer <NÚMERO>: 0; deve ser um número inteiro a partir de 1",
        "invalid value for --customer <NUMBER>: 0; it must be a whole number of 1 or more",
    ),
    (
        "import --map Telefone a.csv",
        "valor inválido para --map <CABEÇALHO=MEMBRO>: Telefone; deve ter a forma CABEÇALHO=MEMBRO",
        "invalid value for --map <HEADING=MEMBER>: Telefone; it must have the form HEADING=MEMBER",
    ),
    (
        "import --set Origem a.csv",
        "valor inválido para --set <MEMBRO=VALOR>: Origem; deve ter a forma MEMBRO=VALOR",
        "invalid value for --set <MEMBER=VALUE>: Origem; it must have the form MEMBER=VALUE",
    ),
    ("token new --json=1", "--json não leva valor, e recebeu 1", "--json takes no value, and was given 1"),
    ("restore a.zst --latest", "use <ARQUIVO> ou --latest, não os dois", "use <FILE> or --latest, not both"),
    ("restore", "falta <ARQUIVO>", "missing: <FILE>"),
    (
        "--config a --config b",
        "--config <ARQUIVO> só pode aparecer uma vez",
        "--config <FILE> may be given only once",
    ),
];

#[test]
fn invalid_command_lines_are_refused_with_a_suggestion() {
    for (line, pt, en) in WRONG {
        for (lang, sentence) in [(Lang::Pt, pt), (Lang::En, en)] {
            let stop = stopped(line, lang);
            let sentence =
                if cfg!(target_os = "linux") { sentence } else { &sentence.replace(" service,", "") };
            assert_eq!(stop.text.lines().next(), Some(format!("pleito: {sentence}").as_str()), "{line}");
            assert!(stop.text.ends_with("--help.\n"), "{line}");
            assert_eq!((stop.to_stderr, stop.code), (true, 2), "{line}");
        }
    }
}

#[test]
fn an_error_shows_the_usage_of_its_command() {
    let expected = "pleito: falta um comando depois de pleito token; há: new, status, revoke\n\
                    Uso: pleito token [OPÇÕES] <COMANDO>\nPara saber mais, acrescente --help.\n";
    assert_eq!(stopped("token", Lang::Pt).text, expected);
}
