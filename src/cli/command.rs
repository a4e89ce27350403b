//! Parsed commands and their output.

use std::path::PathBuf;

use clap_complete::Shell;

use crate::auth::KeyDraft;
use crate::config::Flags;
use crate::demo::Plan;
use crate::transfer::{Import, Move};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub command: Command,
    /// `follow` is also the target of `promote`.
    pub flags: Flags,
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
    Move {
        /// Without its token and its authority, which are read when the command runs.
        moved: Move,
        /// `--authority`: the file of a certificate authority to trust in addition to the system's.
        authority: Option<PathBuf>,
        /// `--report`: the new file for the full report, or `-` for standard output.
        report: Option<PathBuf>,
    },
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
