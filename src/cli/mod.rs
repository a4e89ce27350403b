//! The command line: from the arguments to what they ask for, and from an outcome to text and exit code.
//!
//! `texts` is the table of all commands, `options` that of their options. Results go to standard output, everything else to standard error;
//! exit codes are 0 done, 1 failed, 2 wrong usage (product.md 1).

mod again;
mod autostart;
mod backup;
pub mod config;
mod console;
mod demo;
mod manual;
mod options;
mod refusal;
mod run;
mod serve;
#[cfg(windows)]
mod terminal;
mod texts;
mod tree;

use std::ffi::OsString;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap_complete::Shell;

use again::Again;

use crate::config::{Config, Flags, Surroundings};
use crate::demo::Plan;
use crate::domain::lang::Lang;
use crate::supervisor::Fatal;

/// What somebody asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The command.
    pub command: Command,
    /// What every command takes.
    pub common: Common,
}

/// A command and its own options. `json` wants the result as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// No command at all: the desktop program.
    Desktop {
        /// `--listen`, which is over `server.listen`.
        listen: Option<SocketAddr>,
    },
    /// `serve`
    Serve {
        /// `--listen`
        listen: Option<SocketAddr>,
    },
    /// `autostart on`, `off` or `status`
    Autostart {
        /// On, off, or as it is.
        change: Option<bool>,
        /// `--json`
        json: bool,
    },
    /// `token new`
    TokenNew {
        /// `--json`
        json: bool,
    },
    /// `token status`
    TokenStatus {
        /// `--json`
        json: bool,
    },
    /// `token revoke`
    TokenRevoke {
        /// `--json`
        json: bool,
    },
    /// `backup`
    Backup {
        /// The new file; none for one in the folder of the backups.
        file: Option<PathBuf>,
        /// `--json`
        json: bool,
    },
    /// `restore`
    Restore {
        /// The backup; none for `--latest`.
        file: Option<PathBuf>,
        /// `--with-token`: the token of the backup's time comes into force again.
        with_token: bool,
        /// `--json`
        json: bool,
    },
    /// `check`
    Check {
        /// `--json`
        json: bool,
    },
    /// `config`
    Config {
        /// `--json`
        json: bool,
    },
    /// `console`
    Console {
        /// `--link`: writes the link and opens nothing.
        link: bool,
    },
    /// `demo`
    Demo(Plan),
    /// `completions` with a shell's name
    Completions(Shell),
    /// `manual`
    Manual,
}

/// The options of every command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Common {
    /// `--data-dir`
    pub data_dir: Option<PathBuf>,
    /// `--config`
    pub config: Option<PathBuf>,
}

impl Asked {
    /// What the command line says about the settings.
    pub fn flags(&self) -> Flags {
        let listen = match self.command {
            Command::Desktop { listen } | Command::Serve { listen } => listen,
            _ => None,
        };
        Flags { data_dir: self.common.data_dir.clone(), config: self.common.config.clone(), listen }
    }
}

/// The last that a command has to say, and the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    /// What is written, line ends included.
    pub text: String,
    /// Whether it is written to standard error: everything but a result is.
    pub to_stderr: bool,
    /// The exit code.
    pub code: u8,
}

impl CommandOutput {
    /// A result.
    pub fn done(text: String) -> CommandOutput {
        CommandOutput { text, to_stderr: false, code: 0 }
    }

    /// A failure, said in one sentence or more.
    pub fn failed(sentence: &str) -> CommandOutput {
        CommandOutput { text: format!("pleito: {sentence}\n"), to_stderr: true, code: 1 }
    }

    /// Writes the text. A result that cannot be written is a failure: nobody has read it.
    pub fn print(self) -> ExitCode {
        let mut stream: Box<dyn Write> =
            if self.to_stderr { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout()) };
        let written = stream.write_all(self.text.as_bytes()).and_then(|()| stream.flush());
        if written.is_err() && self.code == 0 { ExitCode::FAILURE } else { ExitCode::from(self.code) }
    }
}

/// The whole program: from the process's arguments and environment to its exit code.
pub fn main() -> ExitCode {
    #[cfg(windows)]
    terminal::take();
    let around = Surroundings::of_process();
    let lang = around.lang();
    let stop = parse(std::env::args_os(), lang).and_then(|asked| {
        let variable = around.variables.get("PLEITO_DATA_DIR").is_some_and(|dir| !dir.is_empty());
        let named = variable || asked.common.data_dir.is_some();
        let autostart = autostart::entry(&asked.common);
        let flags = asked.flags();
        let load = move || Config::load(flags.clone(), around.clone());
        let config = load();
        let folder = config.as_ref().ok().filter(|_| named).map(|config| config.folders.data.clone());
        let again = Again::new(std::env::args_os().next(), folder);
        let done = match (asked.command, config) {
            (Command::Desktop { .. }, _) => serve::desktop(load, autostart, again, lang),
            (command, Ok(config)) => run::run(&command, config, &autostart, &again, lang),
            (_, Err(refused)) => Err(Fatal::Settings(refused)),
        };
        done.map_err(|fatal| CommandOutput::failed(&fatal.say(lang)))
    });
    stop.unwrap_or_else(|stop| stop).print()
}

/// Reads the arguments, the program's name first.
///
/// # Errors
/// Not only wrong usage (exit code 2): also the help and the version, which end the program with 0.
pub fn parse(args: impl IntoIterator<Item = OsString>, lang: Lang) -> Result<Asked, CommandOutput> {
    let refuse =
        |error: &clap::Error| CommandOutput { text: refusal::say(error, lang), to_stderr: true, code: 2 };
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
    let common =
        Common { data_dir: matches.get_one("data-dir").cloned(), config: matches.get_one("config").cloned() };
    let (mut entry, mut inner) = (&texts::PLEITO, &matches);
    while let Some((name, below)) = inner.subcommand() {
        let Some(next) = entry.commands.iter().chain(&texts::FOR_PACKAGES).find(|entry| entry.name == name)
        else {
            break;
        };
        (entry, inner) = (next, below);
    }
    let Some(make) = entry.make else {
        return Err(refuse(&parser.error(ErrorKind::MissingSubcommand, "")));
    };
    let command = match (make(inner), matches.get_one("listen").copied()) {
        // The folder that is meant without the option is the office's own: nobody shall fill that one by a slip.
        (Command::Demo(_), None) if common.data_dir.is_none() => {
            return Err(refuse(&missing_folder(parser, lang)));
        }
        (Command::Desktop { listen }, _) => Command::Desktop { listen },
        (Command::Serve { listen }, before) => Command::Serve { listen: listen.or(before) },
        (command, None) => command,
        // `--listen` stands before a command that listens nowhere.
        (_, Some(_)) => return Err(refuse(&misplaced_listen(parser))),
    };
    Ok(Asked { command, common })
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
