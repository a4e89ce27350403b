//! What somebody asked the program for, and the last that it has to say.

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap_complete::Shell;
use serde_json::json;

use crate::config::Flags;
use crate::config::settings::Compatibility;
use crate::demo::Plan;
use crate::transfer::Import;

/// What somebody asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The command.
    pub command: Command,
    /// `--data-dir`
    pub data_dir: Option<PathBuf>,
    /// `--config`
    pub config: Option<PathBuf>,
    /// `--listen`, which is over `server.listen`.
    pub listen: Option<SocketAddr>,
    /// `--json`: the result is written as JSON.
    pub json: bool,
}

/// A command and its own options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// No command at all: the desktop program.
    Desktop,
    /// `serve`
    Serve,
    /// `autostart on`, `off` or `status`
    Autostart {
        /// On, off, or as it is.
        change: Option<bool>,
    },
    /// `token new`
    TokenNew {
        /// `--new`: also where that takes a new office.
        new: bool,
    },
    /// `token status`
    TokenStatus,
    /// `token revoke`
    TokenRevoke,
    /// `backup`
    Backup {
        /// The new file; none for one in the folder of the backups.
        file: Option<PathBuf>,
    },
    /// `restore`
    Restore {
        /// The backup; none for `--latest`.
        file: Option<PathBuf>,
        /// `--with-token`: the token of the backup's time comes into force again.
        with_token: bool,
    },
    /// `export`
    Export {
        /// The new folder.
        to: PathBuf,
        /// `--customer`: of whom alone.
        customer: Option<u32>,
    },
    /// `import`
    Import {
        /// What, and how.
        import: Import,
        /// `--new`: also where that takes a new office.
        new: bool,
    },
    /// `import --list`
    ImportList,
    /// `import --undo`
    ImportUndo {
        /// The import's number.
        id: u32,
    },
    /// `import --from-api`
    Move(AskedMove),
    /// `import --report`
    MoveReport {
        /// The new file; standard output if it is `-`.
        report: PathBuf,
    },
    /// `check`
    Check {
        /// `--deep`: every byte of the documents is read.
        deep: bool,
        /// `--running`: it is a fault if no server runs.
        running: bool,
    },
    /// `trash list`
    TrashList,
    /// `trash empty`
    TrashEmpty {
        /// `--yes`: nobody is asked again.
        yes: bool,
    },
    /// `webhooks resume`
    WebhooksResume,
    /// `config`
    Config,
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

impl Asked {
    /// What the command line says about the settings.
    pub fn flags(&self) -> Flags {
        Flags { data_dir: self.data_dir.clone(), config: self.config.clone(), listen: self.listen }
    }
}

/// `import --from-api`, as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedMove {
    /// The address of the other server.
    pub source: String,
    /// `--dry-run`: it is only counted what there is.
    pub dry_run: bool,
    /// `--again`: what is new there is brought.
    pub again: bool,
    /// `--authority`: the certificate of an authority that is trusted beside those of the system.
    pub authority: Option<PathBuf>,
    /// `--compatibility`: what `api.compatibility` becomes.
    pub compatibility: Option<Compatibility>,
    /// `--insecure`: the source may be at a public address without encryption.
    pub insecure: bool,
    /// `--report`: the new file for the whole report.
    pub report: Option<PathBuf>,
}

/// The last that a command has to say, and the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    /// Why it failed: a stable code and the sentence, as `--json` writes them. `None` for a result.
    pub error: Option<(String, String)>,
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
        CommandOutput { error: None, text, to_stderr: false, code: 0 }
    }

    /// A failure, said in one sentence or more; `code` is what programs test.
    pub fn failed(code: &str, sentence: &str) -> CommandOutput {
        let error = Some((code.to_owned(), sentence.to_owned()));
        CommandOutput { error, text: format!("pleito: {sentence}\n"), to_stderr: true, code: 1 }
    }

    /// The same for a program that asked for JSON: a failure is an object on one line.
    pub fn in_json(self) -> CommandOutput {
        match &self.error {
            Some((code, sentence)) => {
                let text = format!("{}\n", json!({ "error": sentence, "code": code }));
                CommandOutput { text, ..self }
            }
            None => self,
        }
    }

    /// Writes the text. A result that cannot be written is a failure: nobody has read it.
    pub fn print(self) -> ExitCode {
        let mut stream: Box<dyn Write> =
            if self.to_stderr { Box::new(std::io::stderr()) } else { Box::new(std::io::stdout()) };
        let written = stream.write_all(self.text.as_bytes()).and_then(|()| stream.flush());
        if written.is_err() && self.code == 0 { ExitCode::FAILURE } else { ExitCode::from(self.code) }
    }
}
