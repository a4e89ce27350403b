//! The icon in the tray: shows a [`TrayState`], and says what a person asked for.
//!
//! A leaf: it knows neither server nor store. [`menu`] is the menu as data; the file of each system shows it. Linux speaks
//! D-Bus itself (StatusNotifierItem and dbusmenu, through `ksni`): nothing to install, every size of the icon for the host
//! to choose from, word when a host comes or goes, and a look at the state just before the menu opens. `tray-icon`, which
//! the other systems use, wraps the same crate and hides these four.

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
use std::sync::Arc;

use crate::domain::Lang;

/// What a person, or the system, asks of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Open the console in the browser.
    OpenConsole,
    /// The address for programs of this machine, to the clipboard.
    CopyLocal,
    /// The address for programs of the network, to the clipboard.
    CopyNetwork,
    /// Replace the token.
    NewToken,
    /// Share on the local network, or no longer.
    Share(bool),
    /// Make a copy of the store now.
    BackUp,
    /// Start with the computer, or no longer.
    Autostart(bool),
    /// Answer no request of the API until told to.
    Pause,
    /// Answer again.
    Resume,
    /// Try again to start.
    Retry,
    /// Listen on that port of the same address from now on.
    UsePort(u16),
    /// Open the settings file.
    OpenSettings,
    /// Open the data folder.
    OpenData,
    /// Open the folder of the log.
    OpenLog,
    /// Open the description of the API.
    OpenDocs,
    /// Somebody is about to look: say how things are.
    Look,
    /// A place that shows icons has come, or gone.
    Host(bool),
    /// End.
    Quit,
}

/// What the program tells the tray.
#[derive(Debug)]
pub enum Notice {
    /// How things are now.
    State(Box<TrayState>),
    /// The program has ended; so does the tray.
    Quit,
}

/// Everything that icon and menu show. Texts are in the reader's language already; times are the office's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrayState {
    /// What the server does.
    pub server: ServerState,
    /// What is wrong.
    pub trouble: Option<Trouble>,
    /// Where it listens, as people write it: `localhost:8743`.
    pub local: Option<String>,
    /// Where the network reaches it.
    pub network: Option<String>,
    /// The token in force.
    pub token: Option<TokenSummary>,
    /// Whether the network is let in; none where that cannot be said now.
    pub shared: Option<bool>,
    /// How the last backup went; none where there was none.
    pub backup: Option<String>,
    /// Whether one can be asked for now.
    pub can_back_up: bool,
    /// Whether the program starts with the computer; none where the system cannot do that.
    pub autostart: Option<bool>,
    /// What came of the last thing that a person asked for.
    pub outcome: Option<String>,
}

/// What the server does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServerState {
    /// It is on its way.
    #[default]
    Starting,
    /// It answers.
    Running,
    /// It answers that it is paused.
    Paused,
    /// It does not run.
    Stopped,
    /// It ends.
    Stopping,
}

/// What is wrong, and what a person can do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// In one or two sentences.
    pub text: String,
    /// What the menu offers, beside trying again.
    pub remedy: Option<Remedy>,
}

/// Something that a click can do about a trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Take that port, which is free.
    Port(u16),
    /// Open the settings file.
    Settings,
    /// Open the data folder.
    Data,
}

/// What is known of the token in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSummary {
    /// When it was made.
    pub made: String,
    /// When it was last used; none where it never was.
    pub used: Option<String>,
    /// Its last four characters.
    pub last_four: String,
}

/// Which of the three icons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// All is well.
    Running,
    /// Paused by a person.
    Paused,
    /// Somebody should look.
    Trouble,
}

impl TrayState {
    /// The icon that shows it.
    pub fn face(&self) -> Face {
        match (&self.trouble, self.server) {
            (Some(_), _) | (None, ServerState::Stopped) => Face::Trouble,
            (None, ServerState::Paused) => Face::Paused,
            (None, ServerState::Starting | ServerState::Running | ServerState::Stopping) => Face::Running,
        }
    }
}

/// Takes what a person asks for. Called on the tray's thread: it only passes it on.
pub type Ask = Arc<dyn Fn(Intent) + Send + Sync>;

/// Takes what the tray is told, from any thread.
pub struct Notices(Box<dyn Fn(Notice) + Send + Sync>);

impl Notices {
    /// Tells the tray. One that is gone hears nothing.
    pub fn send(&self, notice: Notice) {
        (self.0)(notice);
    }
}

/// Why there is no tray, in the system's words.
#[derive(Debug)]
pub struct Unavailable(String);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Shows the icon and gives this thread, the process's main one, to it until [`Notice::Quit`]. `ready` is called once,
/// as soon as the tray can be told something, and must not wait.
///
/// # Errors
/// Why no icon can be shown; `ready` was not called then.
pub fn run(lang: Lang, ask: Ask, ready: impl FnOnce(Notices) + 'static) -> Result<(), Unavailable> {
    platform::run(lang, ask, ready)
}
