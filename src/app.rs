//! The application state that all handlers share.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use jiff::tz::TimeZone;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Notify, watch};

use crate::auth::Auth;
use crate::backup::Backups;
use crate::clock::Clock;
use crate::config::{LiveSettings, Settings};
use crate::domain::time::date::Day;
use crate::index::Index;
use crate::lan::{Lan, LanState};
use crate::limits::{Limits, QuotaDay};
use crate::log::{self, RequestEntry};
use crate::metrics::Metrics;
use crate::progress::{Progress, ProgressState};
use crate::replica::{ReplicaState, Standby, StandbyState};
use crate::store::requests::counters;
use crate::store::{self, DataFolderId, Store};

/// Maximum time that a list waits for the writer's check for writes of other programs.
const CHECK_TIMEOUT: Duration = Duration::from_millis(50);

/// The running office.
pub struct App {
    store: Arc<Store>,
    index: Index,
    auth: Auth,
    limits: Arc<Limits>,
    metrics: Metrics,
    lan: Lan,
    clock: Clock,
    zone: TimeZone,
    settings: Arc<LiveSettings>,
    backups: Arc<Backups>,
    run_id: u64,
    /// The start of this run, in seconds since 1970 and on the monotonic clock.
    started: (i64, Duration),
    paused: watch::Sender<bool>,
    address: OnceLock<SocketAddr>,
    data_folder_id: DataFolderId,
    webhooks: watch::Sender<WebhookHealth>,
    replica: watch::Sender<Option<ReplicaState>>,
    standby: OnceLock<Arc<Standby>>,
    closing: watch::Sender<bool>,
    restart: watch::Sender<()>,
    must_end: AtomicBool,
    /// Locked during a move from another server.
    moving: Mutex<()>,
    /// The progress of the move.
    move_progress: Mutex<Option<ProgressState>>,
    /// Notified at the end of each import.
    imported: Notify,
}

/// Problems of webhooks that users should know of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookHealth {
    /// The place that sent webhooks before. If set, webhooks wait until a user confirms that this program sends them.
    pub former_place: Option<DataFolderId>,
    /// Webhooks that have failed for a day.
    pub failing: Vec<FailingWebhook>,
}

/// A webhook whose receiver has accepted no message for a day (events 21.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingWebhook {
    pub id: u32,
    pub host: String,
}

impl App {
    /// Creates the state for an open store.
    pub fn new(store: Arc<Store>, clock: Clock, settings: LiveSettings) -> Result<App, store::Error> {
        let zone = settings.current().office.time_zone.clone();
        let settings = Arc::new(settings);
        let in_force = settings.clone();
        let data = store.folder().to_owned();
        let backups =
            Backups::new(data, zone.clone(), clock.clone(), move || in_force.current().backup.clone());
        let limits = Arc::new(Limits::new(store.read(counters::all)?));
        store.save_counts(limits.clone());
        let data_folder_id = DataFolderId::of(store.folder());
        let started = (clock.now().as_second(), clock.monotonic());
        Ok(App {
            index: Index::start(&store, &zone),
            auth: Auth::start(store.clone(), clock.clone(), zone.clone())?,
            limits,
            metrics: Metrics::default(),
            lan: Lan::new(store.folder().to_owned()),
            store,
            clock,
            zone,
            settings,
            backups: Arc::new(backups),
            run_id: rand::random(),
            started,
            paused: watch::Sender::new(false),
            address: OnceLock::new(),
            data_folder_id,
            webhooks: watch::Sender::default(),
            replica: watch::Sender::default(),
            standby: OnceLock::new(),
            closing: watch::Sender::new(false),
            restart: watch::Sender::new(()),
            must_end: AtomicBool::new(false),
            moving: Mutex::default(),
            move_progress: Mutex::default(),
            imported: Notify::new(),
        })
    }

    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Returns the index that lists are answered from.
    pub fn index(&self) -> &Index {
        &self.index
    }

    pub fn auth(&self) -> &Auth {
        &self.auth
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Logs an answered request, and counts it if the settings say so.
    pub fn note_request(&self, request: &RequestEntry<'_>) {
        log::request(request);
        if self.settings().server.metrics {
            self.metrics.count(request);
        }
    }

    pub fn backups(&self) -> &Arc<Backups> {
        &self.backups
    }

    /// Returns the state of the network's listener and its certificates.
    pub fn lan(&self) -> &Lan {
        &self.lan
    }

    /// Returns a random number that identifies this run of the program. Values derived from another one are not
    /// comparable.
    pub fn run_id(&self) -> u64 {
        self.run_id
    }

    /// Returns the start of this run of the program, in seconds since 1970.
    pub fn started_at(&self) -> i64 {
        self.started.0
    }

    /// Returns the duration of this run of the program, independent of clock changes.
    pub fn uptime(&self) -> Duration {
        self.monotonic().saturating_sub(self.started.1)
    }

    /// Pauses or resumes the API. The program always starts unpaused.
    pub fn pause(&self, on: bool) {
        tracing::info!(on, "paused");
        self.paused.send_replace(on);
    }

    /// Stores the address of the listener for this machine.
    pub fn listens_on(&self, address: SocketAddr) {
        let _ = self.address.set(address);
    }

    /// Returns the address of the listener for this machine, or `None` before it is open.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address.get().copied()
    }

    /// Returns the URLs for other machines. Without a listener for the network, the names in the settings are those of a
    /// proxy with HTTPS (always 45.1).
    pub fn urls(&self) -> Vec<String> {
        let lan = self.lan.status();
        let server = &self.settings().server;
        match lan.state {
            LanState::Off if !server.plain_http_on_lan => {
                server.hosts.iter().map(|name| format!("https://{name}")).collect()
            }
            _ => lan.urls(),
        }
    }

    pub fn data_folder_id(&self) -> &DataFolderId {
        &self.data_folder_id
    }

    pub fn webhook_health(&self) -> watch::Receiver<WebhookHealth> {
        self.webhooks.subscribe()
    }

    /// Publishes the webhooks' health if it has changed.
    pub fn set_webhook_health(&self, health: WebhookHealth) {
        self.webhooks.send_if_modified(|before| {
            let is_news = *before != health;
            *before = health;
            is_news
        });
    }

    /// Returns a receiver of the replica's state. `None` if the office has no replica, or if it was not observed yet.
    pub fn replica(&self) -> watch::Receiver<Option<ReplicaState>> {
        self.replica.subscribe()
    }

    /// Returns the replica's state if someone should see to it.
    pub fn replica_trouble(&self) -> Option<ReplicaState> {
        self.replica.borrow().clone().filter(|state| *state != ReplicaState::UpToDate)
    }

    /// Publishes the replica's state. Returns `true` if it has changed.
    pub fn set_replica(&self, state: Option<ReplicaState>) -> bool {
        self.replica.send_if_modified(|before| {
            let is_news = *before != state;
            *before = state;
            is_news
        })
    }

    /// Makes this the server of a standby.
    pub fn set_standby(&self, standby: Arc<Standby>) {
        let _ = self.standby.set(standby);
    }

    /// Returns the standby that is served. `None` for an office.
    pub fn standby(&self) -> Option<&Arc<Standby>> {
        self.standby.get()
    }

    /// Returns how well a standby follows. `None` for an office.
    pub fn standby_state(&self) -> Option<StandbyState> {
        let standby = self.standby()?;
        Some(StandbyState::new(standby.target(), standby.followed(), self.clock.now(), self.zone()))
    }

    /// Returns the age of a standby's content in seconds. `None` for an office, or if it is not known.
    pub fn standby_age(&self) -> Option<u64> {
        Some(self.standby()?.followed()?.age(self.clock.now()))
    }

    /// Publishes that the server stops, which ends long polls and event streams.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Returns a receiver that changes to `true` when the server stops.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Requests a restart of the server, which reads the settings anew.
    pub fn ask_to_restart(&self) {
        self.restart.send_replace(());
    }

    /// Requests a restart after which the data folder is something else: a standby was promoted, here or in the place of
    /// this office. The server ends even if it cannot start again.
    pub fn end(&self) {
        self.must_end.store(true, Ordering::Relaxed);
        self.ask_to_restart();
    }

    /// Returns `true` if this server must not go on, whatever prevents its restart.
    pub fn must_end(&self) -> bool {
        self.must_end.load(Ordering::Relaxed)
    }

    /// Returns a receiver that changes when a restart is requested.
    pub fn restarting(&self) -> watch::Receiver<()> {
        self.restart.subscribe()
    }

    /// Locks moves from another server until the guard is dropped. Returns `None` if another move holds the
    /// lock for longer than `timeout`.
    pub fn move_alone(&self, timeout: Duration) -> Option<MutexGuard<'_, ()>> {
        let alone = self.moving.try_lock_for(timeout)?;
        *self.move_progress.lock() = None;
        Some(alone)
    }

    /// Records the progress of the current move.
    pub fn set_move_progress(&self, progress: Progress) {
        ProgressState::update_slot(&mut self.move_progress.lock(), progress, self.monotonic());
    }

    /// Returns the last progress of the current move, from wherever it was started.
    pub fn move_progress(&self) -> Option<ProgressState> {
        self.move_progress.lock().clone()
    }

    /// Publishes that an import has ended.
    pub fn note_import(&self) {
        self.imported.notify_one();
    }

    /// Resolves after an import has ended.
    pub async fn imported(&self) {
        self.imported.notified().await;
    }

    /// Returns `true` during a move from another server.
    pub fn is_moving(&self) -> bool {
        self.moving.is_locked()
    }

    /// Returns `true` if the API is paused.
    pub fn is_paused(&self) -> bool {
        *self.paused.borrow()
    }

    /// Returns a receiver that changes when the API is paused or resumed.
    pub fn pausing(&self) -> watch::Receiver<bool> {
        self.paused.subscribe()
    }

    pub fn settings(&self) -> Arc<Settings> {
        self.settings.current()
    }

    /// Returns the settings for following or changing them.
    pub fn live_settings(&self) -> &LiveSettings {
        &self.settings
    }

    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the current time in seconds since 1970.
    pub fn now(&self) -> i64 {
        self.clock.now().as_second()
    }

    /// Returns `Clock` if the clock shows a time before the program was built. No record may be written then, because it
    /// would be dated wrongly (product 8).
    pub fn ensure_clock(&self) -> Result<(), store::Error> {
        if self.clock.is_before_build() { Err(store::Error::Clock) } else { Ok(()) }
    }

    /// Returns the current day in the office's time zone.
    pub fn today(&self) -> Day {
        self.clock.today(&self.zone)
    }

    /// Returns the time of the monotonic clock.
    pub fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }

    /// Requests a check for writes of other programs to the store's file, at most once a second. With `wait`,
    /// waits up to 50 ms for the result; a writer that is busier than that checks by itself.
    pub fn check_external_writes(&self, wait: bool) {
        let looked = self.store.check_external_writes(self.monotonic());
        if let Some(looked) = looked.filter(|_| wait) {
            let _ = looked.recv_timeout(CHECK_TIMEOUT);
        }
    }

    /// Returns the current day and its remaining time, for the daily limits.
    pub fn quota_day(&self) -> QuotaDay {
        let now = self.zone.to_datetime(self.clock.now());
        let midnight =
            now.date().tomorrow().ok().and_then(|tomorrow| tomorrow.to_zoned(self.zone.clone()).ok());
        let left = midnight.map(|midnight| midnight.timestamp().duration_since(self.clock.now()));
        QuotaDay {
            day: Day::on_calendar(now.date()).number(),
            left_of_day: left.and_then(|left| Duration::try_from(left).ok()).unwrap_or_default(),
        }
    }
}
