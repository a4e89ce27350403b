//! Tests of the command line: parsed commands here, help and errors in their own files.

mod errors;
mod help;

use std::net::SocketAddr;

use clap_complete::Shell;

use super::command::ReplicaCommand;
use super::*;
use crate::auth::KeyDraft;
use crate::config::setting_names;
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
        assert_eq!((parsed.command, (parsed.flags.listen, parsed.json)), (command, options), "{line}");
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
                    (parsed.flags.data_dir, parsed.flags.config),
                    (Some("one".into()), Some("two".into())),
                    "{line}"
                );
            }
        }
    }
}

#[test]
fn settings_flags_are_taken_from_the_command_line() {
    let flags = parsed("serve --listen 127.0.0.1:1 --data-dir one").flags;
    assert_eq!(flags.listen, Some("127.0.0.1:1".parse().unwrap()));
    assert_eq!((flags.data_dir, flags.config), (Some("one".into()), None));
    assert_eq!(parsed("check").flags, Flags::default());
}

#[cfg(unix)]
#[test]
fn a_path_need_not_be_utf8() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(b"escrit\xf3rio".to_vec());
    let line = ["pleito".into(), "--data-dir".into(), odd.clone()];
    assert_eq!(parse(line, Lang::Pt).unwrap().flags.data_dir, Some(odd.into()));
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
