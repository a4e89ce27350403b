//! What every handler may use, built once and passed on.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use jiff::tz::TimeZone;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use crate::auth::Auth;
use crate::backup::Backups;
use crate::clock::Clock;
use crate::config::{Settings, Watch};
use crate::domain::date::Day;
use crate::index::Index;
use crate::lan::Lan;
use crate::limits::{Limits, QuotaDay};
use crate::progress::{HeardProgress, Progress};
use crate::store::webhooks::WebhookPlace;
use crate::store::{self, Store, counters, journal};

/// How long a list waits for the writer to look whether another program has written.
const PATIENCE: Duration = Duration::from_millis(50);

/// The running office.
pub struct App {
    store: Arc<Store>,
    index: Index,
    auth: Auth,
    limits: Arc<Limits>,
    lan: Lan,
    clock: Clock,
    zone: TimeZone,
    settings: Arc<Watch>,
    backups: Arc<Backups>,
    epoch: u64,
    /// When this run began, on both clocks.
    started: (i64, Duration),
    paused: watch::Sender<bool>,
    address: OnceLock<SocketAddr>,
    place: WebhookPlace,
    webhooks: watch::Sender<WebhookHealth>,
    closing: watch::Sender<bool>,
    restart: watch::Sender<()>,
    /// Held while a move from another server is under way.
    moving: Mutex<()>,
    /// How far that is.
    heard_of_move: Mutex<Option<HeardProgress>>,
}

/// What a person should know of the webhooks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookHealth {
    /// The place that sent them before, if they wait until a person says that they are sent from here.
    pub former_place: Option<WebhookPlace>,
    /// Those that have failed for a day.
    pub failing: Vec<FailingWebhook>,
}

/// A webhook whose receiver has not taken a message for a day (events 21.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingWebhook {
    /// Its id.
    pub id: u32,
    /// The host that its messages go to.
    pub host: String,
}

impl App {
    /// Takes up an open store.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub fn new(store: Arc<Store>, clock: Clock, settings: Watch) -> Result<App, store::Error> {
        let folder = store.path().parent().unwrap_or(Path::new(".")).to_owned();
        let zone = settings.current().office.time_zone.clone();
        let settings = Arc::new(settings);
        let in_force = settings.clone();
        let data = store.path().parent().unwrap_or(Path::new("")).to_owned();
        let backups =
            Backups::new(data, zone.clone(), clock.clone(), move || in_force.current().backup.clone());
        let limits = Arc::new(Limits::new(store.read(counters::all)?));
        store.count(limits.clone());
        let place = WebhookPlace::of(store.folder());
        let started = (clock.now().as_second(), clock.monotonic());
        Ok(App {
            index: Index::start(&store, &zone),
            auth: Auth::start(store.clone(), clock.clone())?,
            limits,
            lan: Lan::new(folder),
            store,
            clock,
            zone,
            settings,
            backups: Arc::new(backups),
            epoch: rand::random(),
            started,
            paused: watch::Sender::new(false),
            address: OnceLock::new(),
            place,
            webhooks: watch::Sender::default(),
            closing: watch::Sender::new(false),
            restart: watch::Sender::new(()),
            moving: Mutex::default(),
            heard_of_move: Mutex::default(),
        })
    }

    /// The office's data.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// What lists are answered from.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Who may come in.
    pub fn auth(&self) -> &Auth {
        &self.auth
    }

    /// Who may ask how often.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The copies of the office's data.
    pub fn backups(&self) -> &Arc<Backups> {
        &self.backups
    }

    /// How the server stands with the network.
    pub fn lan(&self) -> &Lan {
        &self.lan
    }

    /// A number of this run of the program: what was numbered in another run is not comparable.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// When this run of the program began, in seconds since 1970.
    pub fn started_at(&self) -> i64 {
        self.started.0
    }

    /// How long this run of the program has lasted, whatever was done to the clock.
    pub fn uptime(&self) -> Duration {
        self.monotonic().saturating_sub(self.started.1)
    }

    /// Has the API answer nobody, or everybody again. A new start of the program is never paused.
    pub fn pause(&self, on: bool) {
        tracing::info!(on, "paused");
        self.paused.send_replace(on);
    }

    /// Has what records were before be forgotten where the settings keep it no longer. Nobody waits for it. `now` is in
    /// seconds since 1970.
    pub fn forget_old_values(&self, now: i64) {
        let days = i64::from(self.settings().changes.values_keep_days);
        let before = now - days * 24 * 3600;
        if days > 0 {
            self.store.submit(
                move |tx| journal::forget_values(tx, before).map(|_| ()),
                // The next day tries again.
                |done: Result<(), store::Error>| {
                    _ = done.inspect_err(|cause| tracing::warn!(%cause, "old values stay"))
                },
            );
        }
    }

    /// Says where the listener of this machine answers.
    pub fn listens_on(&self, address: SocketAddr) {
        let _ = self.address.set(address);
    }

    /// Where the listener of this machine answers; none before it does.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address.get().copied()
    }

    /// The place from which this program sends webhooks.
    pub fn place(&self) -> &WebhookPlace {
        &self.place
    }

    /// How the webhooks are, to look at or to wait for.
    pub fn webhook_health(&self) -> watch::Receiver<WebhookHealth> {
        self.webhooks.subscribe()
    }

    /// Publishes how the webhooks are, if that has changed.
    pub fn set_webhook_health(&self, health: WebhookHealth) {
        self.webhooks.send_if_modified(|before| {
            let is_news = *before != health;
            *before = health;
            is_news
        });
    }

    /// Has whoever waits for what is not there yet be answered: the server stops.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Whether the server stops, to wait for.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Has the server stop and start again, with the settings as they are written then.
    pub fn ask_to_restart(&self) {
        self.restart.send_replace(());
    }

    /// Changes when somebody asks for that.
    pub fn restarting(&self) -> watch::Receiver<()> {
        self.restart.subscribe()
    }

    /// Lets nobody else move from another server as long as what is answered lives; none where somebody goes on doing so for
    /// all of `patience`.
    pub fn move_alone(&self, patience: Duration) -> Option<MutexGuard<'_, ()>> {
        let alone = self.moving.try_lock_for(patience)?;
        *self.heard_of_move.lock() = None;
        Some(alone)
    }

    /// Notes how far the move is that is under way.
    pub fn hear_of_move(&self, progress: Progress) {
        HeardProgress::hear_of(&mut self.heard_of_move.lock(), progress, self.monotonic());
    }

    /// What was heard last of the move that is under way, whoever began it.
    pub fn heard_of_move(&self) -> Option<HeardProgress> {
        self.heard_of_move.lock().clone()
    }

    /// Whether somebody moves from another server at this moment.
    pub fn is_moving(&self) -> bool {
        self.moving.is_locked()
    }

    /// Whether a person has paused the API.
    pub fn is_paused(&self) -> bool {
        *self.paused.borrow()
    }

    /// The same, to follow.
    pub fn pausing(&self) -> watch::Receiver<bool> {
        self.paused.subscribe()
    }

    /// The settings in force now.
    pub fn settings(&self) -> Arc<Settings> {
        self.settings.current()
    }

    /// The settings, to follow or to change them.
    pub fn watch(&self) -> &Watch {
        &self.settings
    }

    /// The office's time zone.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Now, in seconds since 1970.
    pub fn now(&self) -> i64 {
        self.clock.now().as_second()
    }

    /// The office's day.
    pub fn today(&self) -> Day {
        self.clock.today(&self.zone)
    }

    /// Time that no clock change moves.
    pub fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }

    /// Sees to it that what another program writes into the store's file is noticed within a second. `wait`: before anything
    /// else, but for a writer that has much to do, who looks by himself then.
    pub fn see_others(&self, wait: bool) {
        let looked = self.store.look_for_others(self.monotonic());
        if let Some(looked) = looked.filter(|_| wait) {
            let _ = looked.recv_timeout(PATIENCE);
        }
    }

    /// Now, as the limits by day see it.
    pub fn moment(&self) -> QuotaDay {
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
