//! The tray icon: shows a [`TrayState`] and reports the person's actions as [`Intent`]s.
//!
//! This module depends on neither server nor store. [`menu`] builds the menu as data, and a file for each
//! system shows it. On Linux the program itself implements the D-Bus interfaces (StatusNotifierItem and
//! dbusmenu) with `ksni`: there is nothing to install, the host can choose from all icon sizes, the program
//! notices when a host comes or goes, and it updates the state just before the menu opens. `tray-icon`, used on
//! the other systems, wraps the same crate but does not offer these four.

mod icon;
pub mod menu;

#[cfg(any(windows, target_os = "macos"))]
mod native;
#[cfg(all(unix, not(target_os = "macos")))]
#[path = "linux.rs"]
mod platform;
#[cfg(target_os = "macos")]
#[path = "macos.rs"]
mod platform;
#[cfg(windows)]
#[path = "windows.rs"]
mod platform;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::Lang;

/// An action of the person or the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    OpenConsole,
    /// Copy the address for programs of this machine.
    CopyLocal,
    /// Copy the address for programs of the network.
    CopyNetwork,
    NewToken,
    Share(bool),
    BackUp,
    Autostart(bool),
    /// Pause the API until it is resumed.
    Pause,
    Resume,
    /// Try again to start the server.
    Retry,
    /// Change the port and keep the address.
    UsePort(u16),
    OpenSettings,
    OpenData,
    OpenLog,
    OpenDocs,
    /// The person is about to open the menu: refresh the state.
    Look,
    /// A desktop host that shows icons has appeared (`true`) or disappeared.
    Host(bool),
    Quit,
}

/// A message from the program to the tray.
#[derive(Debug)]
pub enum Notice {
    State(Box<TrayState>),
    /// The program has ended; the tray closes.
    Quit,
}

/// Contents of icon and menu. Texts are in the reader's language, times in the office's time zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
// The service may be of a newer version than an icon over it.
#[serde(default)]
pub struct TrayState {
    pub server: ServerState,
    pub access: TrayAccess,
    pub trouble: Option<Trouble>,
    /// What a standby says about itself. `None` for an office.
    pub standby: Option<String>,
    /// Address for programs of this machine.
    pub local: Option<SocketAddr>,
    /// Address for programs of the network.
    pub network: Option<String>,
    pub token: Option<TokenSummary>,
    /// Number of keys.
    pub keys: usize,
    /// `true` if the network is shared; `None` if that is unknown now.
    pub shared: Option<bool>,
    /// Result of the last backup; `None` before the first one.
    pub backup: Option<String>,
    /// `true` if a backup can be started now.
    pub can_back_up: bool,
    /// `true` if the program starts with the computer; `None` if the system does not support it.
    pub autostart: Option<bool>,
    /// Result of the person's last action.
    pub outcome: Option<String>,
}

/// What the person may do with the office of the icon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrayAccess {
    /// The program of the icon serves the office.
    #[default]
    Own,
    /// The service of the machine serves it, and the person may manage it.
    Service,
    /// The service of the machine serves it, and the person may only see that it runs.
    Visitor,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ServerState {
    #[default]
    Starting,
    Running,
    /// Running, with the API paused.
    Paused,
    Stopped,
    /// It runs, and does not answer.
    Unresponsive,
    Stopping,
}

/// A problem and its remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// Description in one or two sentences.
    pub text: String,
    /// Action that the menu offers besides trying again.
    pub remedy: Option<Remedy>,
}

/// An action that can solve a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Remedy {
    /// Use this port, which is free.
    Port(u16),
    Settings,
    Data,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenSummary {
    pub made: String,
    /// Time of the last use; `None` if it was never used.
    pub used: Option<String>,
    pub last_four: String,
}

/// Receives the person's actions. It is called on the tray's thread, so it must only pass them on.
pub type Ask = Arc<dyn Fn(Intent) + Send + Sync>;

/// Sends messages to the tray, from any thread.
pub struct Notices(Box<dyn Fn(Notice) + Send + Sync>);

impl Notices {
    /// Sends a message. Does nothing if the tray is gone.
    pub fn send(&self, notice: Notice) {
        (self.0)(notice);
    }
}

/// The reason why there is no tray, in the system's words.
#[derive(Debug)]
pub struct Unavailable(String);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Shows the icon, and runs the tray on this thread, the process's main one, until [`Notice::Quit`]. `ready` is
/// called once, as soon as the tray can receive messages, and must not block.
///
/// # Errors
/// Fails if no icon can be shown; `ready` is not called then.
pub fn run(lang: Lang, ask: Ask, ready: impl FnOnce(Notices) + 'static) -> Result<(), Unavailable> {
    platform::run(lang, ask, ready)
}
