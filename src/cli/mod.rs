//! The command line: parses arguments into commands, runs them, and prints their output.
//!
//! `tree` defines all commands and options. Results go to standard output, everything else to standard error. Exit
//! codes: 0 done, 1 failed, 2 wrong usage (product 1).

mod clap_errors;
mod command;
pub mod commands;
mod confirmation;
mod fresh_office;
mod manual;
mod output;
mod progress;
mod rerun_hint;
mod run;
mod secret;
#[cfg(windows)]
mod terminal;
mod tree;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;

pub use command::{Command, CommandLine, ServiceCommand};
pub use output::CommandOutput;

use rerun_hint::RerunHint;

use crate::config::folders::is_closed;
use crate::config::{Config, Environment, Flags};
use crate::domain::lang::Lang;
use crate::machine::is_administrator;
use crate::supervisor::promotion::refuse_elsewhere;
use crate::supervisor::{Fatal, RuntimeFolder};
use crate::transfer::{READ_SHEETS, read_sheets};

/// Exit code of `pleito serve` if the office is not here any more. The units of systemd do not restart it then
/// (`RestartPreventExitStatus`).
const OFFICE_ELSEWHERE: u8 = 3;

/// Runs the program with the arguments and environment of the process.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == READ_SHEETS) {
        return read_sheets(arguments);
    }
    #[cfg(windows)]
    terminal::take();
    let around = Environment::of_process();
    let lang = around.lang();
    let stop = parse(std::env::args_os(), lang).and_then(|command_line| {
        let named = |variable| around.variables.get(variable).filter(|value| !value.is_empty());
        let flags = command_line.flags.clone();
        let named_folder = flags.data_dir.clone().or_else(|| named("PLEITO_DATA_DIR").map(PathBuf::from));
        let names_folder = named_folder.is_some();
        let names_settings = flags.config.is_some() || named("PLEITO_CONFIG").is_some();
        let autostart = commands::autostart::entry(&flags);
        let usual = || around.folders.as_ref().map(|folders| folders.data.clone());
        let data = named_folder.or_else(usual);
        let closed = data.clone().filter(|folder| is_closed(folder));
        let load = move || Config::load(flags.clone(), around.clone());
        let config = load();
        for warning in config.iter().flat_map(|config| &config.warnings) {
            commands::serve::warn(warning.message(lang), command_line.json, lang);
        }
        let loaded = config.as_ref().ok();
        let folder = loaded.filter(|_| names_folder).map(|config| config.folders.data.clone());
        let settings = loaded.filter(|_| names_settings).map(|config| config.file.clone());
        let is_sudo = std::env::var_os("SUDO_USER").is_some() && is_administrator();
        let hint = RerunHint::new(is_sudo, std::env::args_os().next(), folder, settings);
        let done = match (&command_line.command, config) {
            (Command::Service(ServiceCommand::Status), _) => Ok(commands::service::status(lang)),
            // The icon of the service is each person's own.
            (Command::Autostart { change }, _) if closed.is_some() => {
                commands::autostart::run(*change, &autostart, lang)
            }
            (Command::Desktop, _) if closed.is_some() => {
                let service = Some(RuntimeFolder::of_icon());
                commands::serve::desktop(load, service, autostart, hint.clone(), lang)
            }
            _ if let Some(folder) = closed => Err(Fatal::OnlyAdministrators(folder)),
            (Command::Desktop, _) => commands::serve::desktop(load, None, autostart, hint.clone(), lang),
            (_, Ok(config)) => run::run(&command_line, load, config, &autostart, &hint, lang),
            // A service would start it again for ever.
            (Command::Serve, Err(refused)) => {
                let elsewhere = data.map_or(Ok(()), |data| refuse_elsewhere(&data));
                Err(elsewhere.err().unwrap_or(Fatal::Settings(refused)))
            }
            (_, Err(refused)) => Err(Fatal::Settings(refused)),
        };
        let names_lines = !matches!(
            command_line.command,
            Command::Config | Command::Manual | Command::Completions(_) | Command::Mcp { .. }
        );
        let complete = |output: CommandOutput| match names_lines {
            true => output.with_text(|text| hint.complete(text)),
            false => output,
        };
        done.map_err(|fatal| match command_line.command {
            Command::Mcp { .. } => commands::mcp::refuse(&fatal, lang),
            Command::Serve if fatal.is_office_elsewhere() => {
                let code = OFFICE_ELSEWHERE;
                CommandOutput { code, ..CommandOutput::failed(fatal.code(), &fatal.message(lang)) }
            }
            _ => CommandOutput::failed(fatal.code(), &fatal.message(lang)),
        })
        .map_or_else(|failed| Err(complete(failed)), |done| Ok(complete(done)))
    });
    let output = stop.unwrap_or_else(|stop| stop);
    // Reads the raw arguments, because errors are JSON even if the arguments could not be parsed.
    let is_json = std::env::args_os().any(|argument| argument == "--json");
    if is_json { output.in_json().print() } else { output.print() }
}

/// Parses the arguments, which begin with the program's name. Returns the output as `Err` for wrong usage (exit
/// code 2), and also for help and version (exit code 0).
pub fn parse(args: impl IntoIterator<Item = OsString>, lang: Lang) -> Result<CommandLine, CommandOutput> {
    let refuse = |error: &clap::Error| clap_errors::output(error, lang);
    let mut args: Vec<OsString> = args.into_iter().collect();
    // `help token new` asks for the help of `token new`.
    if args.get(1).is_some_and(|word| word == "help") {
        args.remove(1);
        args.push("--help".into());
    }
    let mut parser = tree::tree(lang);
    let matches = match parser.try_get_matches_from_mut(args) {
        Ok(matches) => matches,
        Err(error) => {
            return Err(match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => CommandOutput::done(error.to_string()),
                _ => refuse(&error),
            });
        }
    };
    let mut words = Vec::new();
    let mut inner = &matches;
    while let Some((word, below)) = inner.subcommand() {
        words.push(word);
        inner = below;
    }
    let Some(command) = tree::command(&words, inner) else {
        return Err(refuse(&parser.error(ErrorKind::MissingSubcommand, "")));
    };
    // Only some commands define `--listen`, `--json` and a target to follow; `try_get_one` fails for all others.
    let of_command = inner.try_get_one("listen").ok().flatten();
    let flags = Flags {
        data_dir: matches.get_one("data-dir").cloned(),
        config: matches.get_one("config").cloned(),
        listen: of_command.or_else(|| matches.get_one("listen")).copied(),
        follow: inner.try_get_one("follow").ok().flatten().cloned(),
    };
    let json = inner.try_get_one("json").ok().flatten().is_some_and(|json| *json);
    match command {
        // The default folder is that of the real office, which must not be filled by mistake.
        Command::Demo(_) if flags.data_dir.is_none() && flags.listen.is_none() => {
            Err(refuse(&missing_folder(parser, lang)))
        }
        Command::Desktop | Command::Serve => Ok(CommandLine { command, flags, json }),
        // `--listen` was given before a command that does not listen.
        _ if flags.listen.is_some() => Err(refuse(&misplaced_listen(parser))),
        _ => Ok(CommandLine { command, flags, json }),
    }
}

fn missing_folder(mut parser: clap::Command, lang: Lang) -> clap::Error {
    let mut error = parser.error(ErrorKind::MissingRequiredArgument, "");
    let argument = format!("--data-dir <{}>", lang.pick("PASTA", "DIR"));
    error.insert(clap::error::ContextKind::InvalidArg, clap::error::ContextValue::String(argument));
    error
}

fn misplaced_listen(mut parser: clap::Command) -> clap::Error {
    let mut error = parser.error(ErrorKind::UnknownArgument, "");
    let argument = clap::error::ContextValue::String("--listen".to_owned());
    error.insert(clap::error::ContextKind::InvalidArg, argument);
    error
}

#[cfg(test)]
mod tests;
