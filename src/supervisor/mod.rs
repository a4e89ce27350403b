//! Runs the program: one instance, a fixed order of start, and the reverse order with deadlines to stop.
//!
//! **The rooms.** `owner_channel` takes commands from other processes of the owner, and the locks of a data folder.
//! `periodic` is the work that an office does by itself. `desktop_program` is the server with an icon, with the
//! sentences of `tray_troubles`. `service` installs the service of the machine, `replica_service` and `standby_setup` a
//! replica and a standby (`systemd_units` on Linux), and `promotion` makes a standby the office. `check` says what is
//! not in order, and `fatal` why a command or a start fails.

mod browser;
pub mod check;
mod desktop_program;
mod fatal;
pub mod os_user;
mod owner_channel;
mod periodic;
pub mod promotion;
pub mod replica_service;
pub mod service;
mod signals;
pub mod standby_setup;
mod system_command;
pub mod systemd_units;
mod tray_troubles;

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;

use owner_channel::channel::{self, ChannelListener, Peers};
use owner_channel::command_handler::{CommandHandler, Served};

pub use browser::open_console;
pub use desktop_program::{DesktopOptions, run};
pub use fatal::{Fatal, NewestBackup};
pub use owner_channel::owner_request::{
    EmptiedTrash, KeyStatus, NewTokenMade, OwnerRequest, PastImport, ResourceCounts, TokenStatus,
    TrashRecord, TrashStatus,
};
pub use owner_channel::single_instance::Instance;
pub use owner_channel::store_owner::Owner;
pub use periodic::monthly_transactions::MonthlyTransactions;
pub use periodic::purge::Purge;
pub use periodic::replica::ReplicaWatch;
pub use service::RuntimeFolder;
pub use signals::on_stop;

use crate::app::App;
use crate::auth;
use crate::backup::{BackupThread, Backups, is_store_lost};
use crate::clock::Clock;
use crate::config::folders::Folders;
use crate::config::settings::Format;
use crate::config::{Config, LiveSettings};
use crate::console::{self, Console, SignInLinks, Site};
use crate::domain::{Lang, Token};
use crate::files::private_dir;
use crate::http::Api;
use crate::lan::LanStatus;
use crate::log;
use crate::mcp::Mcp;
use crate::password::Passwords;
use crate::records::{Customer, Record};
use crate::replica::{Replica, ReplicaTarget, Secrets};
use crate::server::{Listener, Server, plain_on_network, reachable};
use crate::store::{self, Store};
use crate::webhooks::WebhookSender;

/// Time that a stop waits for blocking work in progress.
const LAST_WAIT: Duration = Duration::from_secs(3);

pub struct Running {
    address: SocketAddr,
    /// The first token, if the store never had one and a person can read it.
    first_token: Option<Token>,
    stop: watch::Sender<bool>,
    serving: JoinSet<()>,
    runtime: Runtime,
    /// `None` in a standby.
    backups: Option<BackupThread>,
    commands: Arc<CommandHandler>,
    // Dropped in this order after the server has stopped answering.
    app: Arc<App>,
    _instance: Instance,
}

/// Starts the instance, store, app and listeners. `wants_token` creates the first token if the store never had one.
pub fn start(config: Config, clock: Clock, wants_token: bool) -> Result<Running, Fatal> {
    let folders = config.folders.clone();
    for warning in &config.warnings {
        tracing::warn!(setting = warning.message(Lang::En), "ignored");
    }
    let listen = config.settings.server.listen;
    private_dir(&folders.data).map_err(|cause| Fatal::Folder(folders.data.clone(), cause))?;
    let instance = Instance::take_even_standby(&folders.data)?;
    let secrets = |target: &ReplicaTarget| Secrets::of_variables(target, |name| config.secret(name));
    let standby = standby_setup::of(&config, |target| secrets(target).map_err(Fatal::Replica))?.map(Arc::new);
    let (store, is_looked_through) = match &standby {
        Some(standby) => (standby_setup::open(standby, &clock)?, true),
        None => open_to_serve(&config, &clock)?,
    };
    let in_store = |cause| Fatal::Store(store.path().to_owned(), cause);
    let monotonic = clock.clone();
    let settings = LiveSettings::new(config, move || monotonic.monotonic());
    let app = Arc::new(App::new(store.clone(), clock.clone(), settings).map_err(in_store)?);
    if let Some(standby) = &standby {
        app.set_standby(standby.clone());
    }
    let api =
        Api::new(app.clone(), crate::api::routes(), crate::api::RESOURCES, crate::api::webhooks::messages);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("pleito-net")
        .enable_all()
        .build()
        .map_err(Fatal::System)?;
    if !is_looked_through {
        runtime.spawn(check_store(app.clone()));
    }
    let listener = runtime.block_on(Listener::bind(listen)).map_err(|cause| Fatal::listen(listen, cause))?;
    let address = listener.address().map_err(Fatal::System)?;
    app.listens_on(address);
    // Before `note`: a process that reads the address builds links with this name.
    let name = console::name(&folders.data, listener.has_loopback());
    instance.note(address);
    let runtime_folder = RuntimeFolder::of_server(&folders.data);
    if let Some(folder) = &runtime_folder {
        folder.note_address(address);
    }
    let backups = standby.is_none().then(|| BackupThread::start(app.backups().clone()));
    let backups = backups.transpose().map_err(Fatal::System)?;
    let passwords = Passwords::start().map_err(Fatal::System)?;
    // As late as possible: if the start failed after this, the token would be lost without having been shown.
    let first_token = match wants_token && standby.is_none() && store.never_had_a_token().map_err(in_store)? {
        true => {
            let (token, _) = auth::make_token(&store, false, clock.now().as_second()).map_err(in_store)?;
            Some(token)
        }
        false => None,
    };
    let (stop, stopped) = watch::channel(false);
    let site = Site { local: reachable(address), name, data: folders.data.clone() };
    let console = Console::new(api.clone(), SignInLinks::new(&folders.data, clock.clone()), passwords, site);
    let channels = {
        let _runtime = runtime.enter();
        let own = ChannelListener::bind(&folders.data, Peers::Owner);
        [Some(own), runtime_folder.as_ref().map(RuntimeFolder::bind)]
    };
    let mcp = Arc::new(Mcp::new(api.clone()));
    let served = Served { api: api.clone(), mcp: mcp.clone(), console: console.clone() };
    let commands = Arc::new(CommandHandler::of_server(served, clock));
    let server = Server::new(api, mcp, console.clone());
    let mut sharing = server.sharing();
    // Runs once before the start is reported, so that the network state reported then is right.
    runtime.block_on(sharing.poll());
    let mut serving = JoinSet::new();
    serving.spawn_on(listener.serve(server, stopped.clone()), runtime.handle());
    serving.spawn_on(sharing.run(stopped.clone()), runtime.handle());
    if standby.is_some() {
        serving.spawn_on(periodic::standby::run(app.clone(), stopped.clone()), runtime.handle());
    } else {
        work_as_office(&mut serving, &app, &stopped, &runtime);
    }
    serving.spawn_on(service::notify::keep_alive(stopped.clone()), runtime.handle());
    if let Some(folder) = runtime_folder {
        serving.spawn_on(folder.note_network(app.clone(), stopped.clone()), runtime.handle());
    }
    for channel in channels.into_iter().flatten() {
        answer_commands(&mut serving, channel, &commands, &stopped, &runtime);
    }
    service::notify::send("READY=1");
    tracing::info!(version = env!("CARGO_PKG_VERSION"), %address, "started");
    if let Some(warning) = plain_on_network(address, Lang::En) {
        tracing::warn!(%address, "{warning}");
    }
    Ok(Running { address, first_token, stop, serving, runtime, backups, commands, app, _instance: instance })
}

/// Checks the whole file of the store after customers are indexed: the first search needs both processors for a while.
async fn check_store(app: Arc<App>) {
    if let Some(customers) = app.index().begun(Customer::TABLE) {
        customers.await;
    }
    app.store().check_in_background();
}

/// Starts the work that an office does by itself, and no standby.
fn work_as_office(
    serving: &mut JoinSet<()>,
    app: &Arc<App>,
    stopped: &watch::Receiver<bool>,
    runtime: &Runtime,
) {
    serving.spawn_on(periodic::maintain::run(app.clone(), stopped.clone()), runtime.handle());
    serving.spawn_on(periodic::purge::run(app.clone(), stopped.clone()), runtime.handle());
    serving.spawn_on(periodic::monthly_transactions::run(app.clone(), stopped.clone()), runtime.handle());
    serving.spawn_on(periodic::nightly_check::run(app.clone(), stopped.clone()), runtime.handle());
    serving.spawn_on(periodic::replica::run(app.clone(), stopped.clone()), runtime.handle());
    let sender = WebhookSender::new(app.clone(), crate::api::webhooks::FEED);
    serving.spawn_on(sender.run(stopped.clone()), runtime.handle());
}

/// Answers the commands of a channel. There is none on a file system without sockets, for example. Everything except the
/// command line works all the same.
fn answer_commands(
    serving: &mut JoinSet<()>,
    channel: io::Result<ChannelListener>,
    commands: &Arc<CommandHandler>,
    stopped: &watch::Receiver<bool>,
    runtime: &Runtime,
) {
    match channel {
        Ok(channel) => {
            let answers = channel::serve(channel, commands.clone(), stopped.clone());
            serving.spawn_on(answers, runtime.handle());
        }
        Err(cause) => tracing::warn!(%cause, "commands cannot reach this server"),
    }
}

impl Running {
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address at which a client on this machine reaches the server.
    pub fn reachable(&self) -> SocketAddr {
        reachable(self.address)
    }

    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    pub fn lan(&self) -> Arc<LanStatus> {
        self.app.lan().status()
    }

    /// Takes the first token of a new store, which may be shown only once.
    pub fn first_token(&mut self) -> Option<Token> {
        self.first_token.take()
    }

    pub fn has_token(&self) -> bool {
        self.app.auth().has_token()
    }

    /// Serves until a stop or a restart is requested. Returns `true` for a restart.
    pub fn wait(&self) -> bool {
        let mut restarting = self.app.restarting();
        self.runtime.block_on(async {
            tokio::select! {
                () = signals::stop() => false,
                changed = restarting.changed() => changed.is_ok(),
            }
        })
    }

    /// Refuses new requests, completes those in progress and closes the store.
    pub fn stop(self) {
        tracing::info!("stopping");
        // Requests that wait for the index would outlast the stop.
        self.app.index().stop();
        self.app.close();
        let _ = self.stop.send(true);
        self.runtime.block_on(self.serving.join_all());
        periodic::replica::show_last_change(&self.app);
        // Blocking work of a command or the console, such as a backup, may take longer than a stop may.
        self.runtime.shutdown_timeout(LAST_WAIT);
        drop(self.backups);
        tracing::info!("stopped");
    }
}

/// Opens the store to serve it. Returns `true` with it if the whole file was checked before. If the store is
/// damaged, the error names the newest sound backup.
fn open_to_serve(config: &Config, clock: &Clock) -> Result<(Arc<Store>, bool), Fatal> {
    let data = &config.folders.data;
    ensure_store_not_lost(data)?;
    let opened = Store::check_before_serving(data)
        .and_then(|is_looked_through| Ok((Arc::new(Store::open(data)?), is_looked_through)));
    opened.map_err(|cause| match cause {
        store::Error::Damaged(cause) => {
            let backups = Backups::of(config, clock.clone());
            let newest = backups.newest_sound().map(|about| {
                let zone = config.settings.office.time_zone.clone();
                let made_at = about.made_at.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string();
                NewestBackup { made_at, is_after_now: about.age(clock.now()).is_none() }
            });
            Fatal::Damaged(data.join(store::FILE), cause, newest)
        }
        cause => Fatal::Store(data.join(store::FILE), cause),
    })
}

/// Refuses to begin a new office in the place of one that was lost: it would be taken for it, and Litestream would replace its
/// replica.
fn ensure_store_not_lost(folder: &Path) -> Result<(), Fatal> {
    refuse_lost(folder)?;
    match folder.join(store::FILE).exists() {
        true => Ok(()),
        false => Replica::forget_owner(folder).map_err(|cause| Fatal::Folder(folder.to_owned(), cause)),
    }
}

/// Returns `true` if the data folder has an office. Fails if it had one whose store is missing, if it is to be a standby, or
/// if it is one without a store.
pub fn has_office(config: &Config) -> Result<bool, Fatal> {
    refuse_lost(&config.folders.data)?;
    standby_setup::refuse_office(config)?;
    if config.folders.has_office() {
        return Ok(true);
    }
    standby_setup::refuse_standby(config).map(|()| false)
}

/// Fails if the folder had an office whose store is missing.
pub fn refuse_lost(folder: &Path) -> Result<(), Fatal> {
    if is_store_lost(folder) { Err(Fatal::StoreLost(folder.join(store::FILE))) } else { Ok(()) }
}

pub fn open_store(folder: &Path) -> Result<Arc<Store>, Fatal> {
    ensure_store_not_lost(folder)?;
    let path = folder.join(crate::store::FILE);
    Store::open(folder).map(Arc::new).map_err(|cause| Fatal::Store(path, cause))
}

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
    // Logs only the location of a panic: its message may contain confidential data.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a part of the program panicked");
    }));
    Ok(guard)
}
