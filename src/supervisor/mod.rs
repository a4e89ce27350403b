//! The running program: one instance, the order of start, and the same backwards with deadlines.

mod browser;
mod channel;
pub mod check;
mod clock_pace;
mod command_handler;
mod fatal;
mod hourly;
mod instance;
mod owner;
mod owner_request;
mod program;
mod purge;
mod repeater;
mod second;
mod signals;
mod trouble;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;

use command_handler::CommandHandler;

pub use browser::open_console;
pub use fatal::{Fatal, Newest};
pub use instance::Instance;
pub use owner::Owner;
pub use owner_request::{
    EmptiedTrash, OwnerRequest, PastImport, ResourceCounts, TokenStatus, TrashRecord, TrashStatus,
};
pub use program::{DesktopOptions, run};
pub use purge::Purge;
pub use repeater::Repeater;
pub use signals::on_stop;

use crate::app::App;
use crate::auth;
use crate::backup::{Backups, Keeper};
use crate::clock::Clock;
use crate::config::dirs::Folders;
use crate::config::settings::Format;
use crate::config::{Config, Watch};
use crate::console::{self, Console, LoginLinks, Site};
use crate::domain::{Lang, Token};
use crate::files::private_dir;
use crate::http::Api;
use crate::lan::LanStatus;
use crate::log;
use crate::server::{Listener, Server};
use crate::store::{self, Store};
use crate::webhooks::WebhookSender;

/// What earlier versions kept beside the store, and nothing reads any longer.
const LEFT_BEHIND: [&str; 3] = ["customers.index", "lawsuits.index", "token.generation"];
/// How long the end of the program waits for what is under way.
const LAST_WAIT: Duration = Duration::from_secs(3);

/// A server that answers.
pub struct Running {
    address: SocketAddr,
    /// The first token, where the store never had one and somebody is there to read it.
    first_token: Option<Token>,
    stop: watch::Sender<bool>,
    serving: JoinSet<()>,
    runtime: Runtime,
    keeper: Keeper,
    // Given back in this order once nothing is answered any more.
    app: Arc<App>,
    console: Arc<Console>,
    _instance: Instance,
}

/// Starts everything: one instance, store, app, listener. `wants_token` makes the first token of a
/// store that never had one.
///
/// # Errors
/// The one sentence that says why it cannot start.
pub fn start(config: Config, clock: Clock, wants_token: bool) -> Result<Running, Fatal> {
    let folders = config.folders.clone();
    for warning in &config.warnings {
        tracing::warn!(setting = warning.say(Lang::En), "ignored");
    }
    let listen = config.settings.server.listen;
    private_dir(&folders.data).map_err(|cause| Fatal::Folder(folders.data.clone(), cause))?;
    let instance = Instance::take(&folders.data)?;
    for name in LEFT_BEHIND {
        let _ = std::fs::remove_file(folders.data.join(name));
    }
    let (store, is_looked_through) = open_to_serve(&config, &clock)?;
    let in_store = |cause| Fatal::Store(store.path().to_owned(), cause);
    let monotonic = clock.clone();
    let settings = Watch::new(config, move || monotonic.monotonic());
    let app = Arc::new(App::new(store.clone(), clock.clone(), settings).map_err(in_store)?);
    if !is_looked_through {
        store.look_through_meanwhile();
    }
    let api =
        Api::new(app.clone(), crate::api::routes(), crate::api::RESOURCES, crate::api::webhooks::messages);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("pleito-net")
        .enable_all()
        .build()
        .map_err(Fatal::System)?;
    let listener = runtime.block_on(Listener::bind(listen)).map_err(|cause| Fatal::listen(listen, cause))?;
    let address = listener.address().map_err(Fatal::System)?;
    app.listens_on(address);
    // Before the address: who reads that one makes links by the name.
    let name = console::name(&folders.data, listener.has_loopback());
    instance.note(address);
    // Only now, when nothing can fail any more: a token that nobody was shown would be lost.
    let first_token = match wants_token && store.never_had_a_token().map_err(in_store)? {
        true => Some(make_token(&store, &clock).map_err(in_store)?),
        false => None,
    };
    let keeper = Keeper::start(app.backups().clone()).map_err(Fatal::System)?;
    let (stop, stopped) = watch::channel(false);
    let site = Site { local: check::reachable(address), name, data: folders.data.clone() };
    let console = Console::new(api.clone(), LoginLinks::new(&folders.data, clock.clone()), site);
    let commands = {
        let _runtime = runtime.enter();
        channel::ChannelListener::bind(&folders.data)
    };
    let handler = Arc::new(CommandHandler::of_server(&api, clock));
    let server = Server::new(api, console.clone());
    let mut sharing = server.sharing();
    // Once before anybody is told that the program runs: what is said then of the network holds.
    runtime.block_on(sharing.look());
    let mut serving = JoinSet::new();
    serving.spawn_on(listener.serve(server, stopped.clone()), runtime.handle());
    serving.spawn_on(sharing.run(stopped.clone()), runtime.handle());
    serving.spawn_on(purge::run(app.clone(), stopped.clone()), runtime.handle());
    serving.spawn_on(repeater::run(app.clone(), stopped.clone()), runtime.handle());
    let sender = WebhookSender::new(app.clone(), crate::api::webhooks::FEED);
    serving.spawn_on(sender.run(stopped.clone()), runtime.handle());
    match commands {
        Ok(commands) => _ = serving.spawn_on(channel::serve(commands, handler, stopped), runtime.handle()),
        // Such as on a disk without sockets: everything but the command line works all the same.
        Err(cause) => tracing::warn!(%cause, "no command can ask this server"),
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), %address, "started");
    if let Some(warning) = check::plain_on_network(address, Lang::En) {
        tracing::warn!(%address, "{warning}");
    }
    Ok(Running { address, first_token, stop, serving, runtime, keeper, app, console, _instance: instance })
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where a client of this machine reaches it.
    pub fn reachable(&self) -> SocketAddr {
        check::reachable(self.address)
    }

    /// The running office.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// How the server stands with the office's network now.
    pub fn lan(&self) -> Arc<LanStatus> {
        self.app.lan().standing()
    }

    /// The first token of a new store, to be shown once.
    pub fn first_token(&mut self) -> Option<Token> {
        self.first_token.take()
    }

    /// The pages of this machine.
    pub fn console(&self) -> &Arc<Console> {
        &self.console
    }

    /// Whether there is a token in force.
    pub fn has_token(&self) -> bool {
        self.app.auth().has_token()
    }

    /// Serves until the system or a person asks it to stop, or a person to start again; whether it is the latter.
    pub fn wait(&self) -> bool {
        let mut restarting = self.app.restarting();
        self.runtime.block_on(async {
            tokio::select! {
                () = signals::stop() => false,
                asked = restarting.changed() => asked.is_ok(),
            }
        })
    }

    /// Takes no more requests, answers those under way, and closes the store.
    pub fn stop(self) {
        tracing::info!("stopping");
        // Who waits for the index would wait longer than a stop does.
        self.app.index().stop();
        self.app.close();
        let _ = self.stop.send(true);
        self.runtime.block_on(self.serving.join_all());
        // What a command or the console has under way on a disk, such as a backup, may take longer than a stop.
        self.runtime.shutdown_timeout(LAST_WAIT);
        drop(self.keeper);
        tracing::info!("stopped");
    }
}

/// Opens the store to serve it, and whether all of it was looked through before; with a backup to offer where it is damaged.
fn open_to_serve(config: &Config, clock: &Clock) -> Result<(Arc<Store>, bool), Fatal> {
    let data = &config.folders.data;
    let opened = Store::look_through(data)
        .and_then(|is_looked_through| Ok((Arc::new(Store::open(data)?), is_looked_through)));
    opened.map_err(|cause| match cause {
        store::Error::Damaged(cause) => {
            let backups = Backups::of(config, clock.clone());
            let newest = backups.newest_sound().map(|about| {
                let zone = config.settings.office.time_zone.clone();
                let made_at = about.made_at.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string();
                Newest { made_at, is_after_now: about.age(clock.now()).is_none() }
            });
            Fatal::Damaged(data.join(store::FILE), cause, newest)
        }
        cause => Fatal::Store(data.join(store::FILE), cause),
    })
}

/// Opens the store of a data folder.
///
/// # Errors
/// What the file is instead of a store, or why it cannot be reached.
pub fn open_store(folder: &Path) -> Result<Arc<Store>, Fatal> {
    let path = folder.join(crate::store::FILE);
    Store::open(folder).map(Arc::new).map_err(|cause| Fatal::Store(path, cause))
}

/// Makes a token and puts it in force; the one before is dead.
///
/// # Errors
/// Why the store cannot be written; the one before stays in force then.
pub fn make_token(store: &Arc<Store>, clock: &Clock) -> Result<Token, crate::store::Error> {
    let token = auth::new_token()?;
    store.replace_token(&token, clock.now().as_second())?;
    Ok(token)
}

/// Begins the log of a program that serves.
///
/// # Errors
/// Why it cannot be written.
pub fn start_log(config: &Config, folders: &Folders, on_stderr: bool) -> Result<log::Guard, Fatal> {
    let settings = &config.settings.log;
    let style = log::Style {
        level: settings.level,
        json: settings.format == Format::Json,
        keep_days: settings.keep_days,
        on_stderr,
    };
    let in_logs = |cause| Fatal::Log(folders.logs.clone(), cause);
    private_dir(&folders.logs).map_err(in_logs)?;
    let guard = log::start(&folders.logs, style).map_err(in_logs)?;
    // A panic is a defect: its place belongs into the log, what it was about may be anybody's secret.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a part of the program panicked");
    }));
    Ok(guard)
}
