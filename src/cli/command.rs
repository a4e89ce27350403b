//! Parsed commands and their output.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap_complete::Shell;

use crate::auth::KeyDraft;
use crate::config::Flags;
use crate::config::settings::Compatibility;
use crate::demo::Plan;
use crate::transfer::Import;

/// A parsed command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub command: Command,
    pub data_dir: Option<PathBuf>,
    pub config: Option<PathBuf>,
    /// `--listen`, which overrides `server.listen`.
    pub listen: Option<SocketAddr>,
    /// `--follow`, or the target of `promote`: overrides `replica.target`.
    pub follow: Option<String>,
    /// `--json`: writes the result as JSON.
    pub json: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// No command: the desktop program.
    Desktop,
    Serve,
    /// `autostart on`, `off` or `status`
    Autostart {
        /// `None` for `status`.
        change: Option<bool>,
    },
    TokenNew {
        /// `--new`: creates a new office if the folder has none.
        new: bool,
        /// `--and-keys`: ends all keys too.
        and_keys: bool,
    },
    TokenStatus,
    TokenRevoke,
    KeyNew(KeyDraft),
    KeyList,
    KeyRevoke {
        name: String,
    },
    KeyUndo {
        name: String,
        /// `--day`; `None` for today.
        day: Option<String>,
    },
    Backup {
        /// The new file. `None` for a file in the folder of the backups.
        file: Option<PathBuf>,
        /// `--passphrase`: encrypts it to a passphrase.
        passphrase: bool,
    },
    BackupKeyNew,
    BackupTest,
    Restore {
        /// The backup. `None` for `--latest`.
        file: Option<PathBuf>,
        /// `--with-token`: restores the token too.
        with_token: bool,
    },
    Export {
        to: PathBuf,
        /// `--customer`: exports only the data of this customer.
        customer: Option<u32>,
    },
    Import {
        import: Import,
        /// `--new`: creates a new office if the folder has none.
        new: bool,
    },
    ImportList,
    ImportUndo {
        id: u32,
    },
    /// `import --from-api`
    Move(MoveCommand),
    MoveReport {
        /// The new file, or `-` for standard output.
        report: PathBuf,
    },
    Check {
        /// `--deep`: reads every byte of the documents.
        deep: bool,
        /// `--running`: fails if no server is running.
        running: bool,
    },
    TrashList,
    TrashEmpty {
        /// `--yes`: does not ask for confirmation.
        yes: bool,
    },
    WebhooksResume,
    Service(ServiceCommand),
    Replica(ReplicaCommand),
    Promote {
        /// `--yes`: does not ask for confirmation.
        yes: bool,
    },
    Config,
    Console {
        /// `--link`: prints the link instead of opening it.
        link: bool,
    },
    Mcp {
        /// `--key`: acts with the key of this name. `None` for the owner.
        key: Option<String>,
    },
    Demo(Plan),
    /// `completions` with a shell's name
    Completions(Shell),
    Manual,
}

impl CommandLine {
    /// Returns the options that concern the settings.
    pub fn flags(&self) -> Flags {
        Flags {
            data_dir: self.data_dir.clone(),
            config: self.config.clone(),
            listen: self.listen,
            follow: self.follow.clone(),
        }
    }
}

/// A command of `pleito service`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceCommand {
    Install {
        /// `--new`: creates a new office if the data folder has none.
        new: bool,
    },
    Remove,
    Status,
}

/// A command of `pleito replica`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplicaCommand {
    Set {
        /// A folder or an address, without secrets.
        target: String,
    },
    Status,
    Off,
}

/// The options of `import --from-api`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveCommand {
    /// The URL of the other server.
    pub source: String,
    /// `--dry-run`: only counts the records.
    pub dry_run: bool,
    /// `--again`: brings only what is new since an earlier move.
    pub again: bool,
    /// `--authority`: a certificate authority to trust in addition to the system's.
    pub authority: Option<PathBuf>,
    /// `--compatibility`: the value that `api.compatibility` gets at the end.
    pub compatibility: Option<Compatibility>,
    /// `--insecure`: allows plain HTTP to a public address.
    pub insecure: bool,
    /// `--report`: the new file for the full report, or `-` for standard output.
    pub report: Option<PathBuf>,
}
