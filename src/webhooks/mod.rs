//! Webhooks: what happened, sent to the office's programs (events 21).
//!
//! Messages are made of the change feed behind a cursor that each webhook has in the store, so a crash may send one twice and
//! never leaves one out. One task looks what there is to do; each attempt has a thread for as long as it takes, and a webhook
//! one attempt at a time: a slow receiver holds up nobody else. What there is to tell, and in what words, says the API.

mod message;
mod place;
mod schedule;
mod target;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

pub use message::{AttemptOutcome, WebhookCourier, WebhookMessage};
pub use target::{OwnAddresses, WebhookTarget};

use crate::app::{App, FailingWebhook, WebhookHealth};
use crate::store::webhooks::{self, Delivery, Ended, Event, Webhook};
use crate::store::{self, Db, Tx};

/// How long a webhook fails before it is named where people look, in seconds (events 21.4).
pub const FAILING: i64 = 24 * 60 * 60;

/// How many changes are looked at in one piece.
const PIECE: u32 = 1000;
/// How many of them before attempts are looked at again.
const PIECES: usize = 20;
/// How far a cursor is moved in memory alone, in changes: one that moves past what nobody wants costs no write of its own.
const UNWRITTEN: u64 = 10_000;
/// How long is waited after a commit.
const PAUSE: Duration = Duration::from_millis(50);
/// How often it is looked at the clock while something waits: a machine that slept wakes to another time of day, which no
/// timer tells.
const LOOK: Duration = Duration::from_secs(1);
/// How often, where nothing waits.
const IDLE: Duration = Duration::from_secs(60 * 60);
/// How long is waited after the store could not be read or written.
const TROUBLE: Duration = Duration::from_secs(5);
/// How long the end of the program waits for attempts under way, so that what was taken is not sent twice.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// How long what was delivered is kept, in seconds (events 21.1), how often that is looked at, and how much goes at once.
const KEPT: i64 = 30 * 24 * 60 * 60;
const FORGETS: i64 = 60 * 60;
const FORGOTTEN: u32 = 1000;

/// What there is to tell, as the API knows it.
#[derive(Clone, Copy)]
pub struct WebhookFeed {
    /// What a webhook wants of so many changes after a number.
    pub events: FindEvents,
    /// What a message says of its event; with the record, where that is wanted. None where there is no such change.
    pub body: WriteBody,
}

/// Finds what a webhook wants of so many changes after a number.
pub type FindEvents = fn(Db<'_>, &Webhook, u64, u32) -> Result<FeedPiece, store::Error>;

/// Writes what a message says of its event, with the record or without it.
pub type WriteBody = fn(Db<'_>, &Event, bool, &TimeZone) -> Result<Option<String>, store::Error>;

/// What a webhook wants of a piece of the feed.
pub struct FeedPiece {
    /// Its events, in the order of changes.
    pub events: Vec<Event>,
    /// The last change that was looked at.
    pub to: u64,
    /// Whether there are more changes.
    pub more: bool,
}

/// What makes messages and sends them.
pub struct WebhookSender {
    app: Arc<App>,
    feed: WebhookFeed,
    /// What the last message was sent with.
    courier: Mutex<Option<Arc<WebhookCourier>>>,
}

/// What is remembered from one look to the next.
#[derive(Default)]
struct Memory {
    /// The webhooks to which an attempt is under way.
    busy: BTreeSet<u32>,
    /// Where cursors stood in the store, and up to where nothing behind them is wanted.
    looked: BTreeMap<u32, (u64, u64)>,
    /// Whether it is time to write the latter down.
    writes_cursors: bool,
    /// When it was last looked for what may be forgotten, in seconds since 1970.
    forgot_at: i64,
}

/// What there is to do.
#[derive(Default)]
struct Found {
    /// Attempts whose time has come.
    due: Vec<(Webhook, Delivery, Option<String>)>,
    /// When something is next to be done, in milliseconds since 1970.
    next: Option<i64>,
    /// Whether there is more at once.
    more: bool,
}

/// An attempt that is over; without an outcome where there is no change of which it could tell.
type Finished = (u32, Delivery, Option<AttemptOutcome>);

impl WebhookSender {
    /// That of the running office.
    pub fn new(app: Arc<App>, feed: WebhookFeed) -> WebhookSender {
        WebhookSender { app, feed, courier: Mutex::default() }
    }

    /// What messages are sent with, made once and again where the office has another authority.
    fn courier(&self) -> Arc<WebhookCourier> {
        let mut courier = self.courier.lock();
        let current = courier.take().filter(|courier| courier.is_current(&self.app));
        courier.insert(current.unwrap_or_else(|| Arc::new(WebhookCourier::of(&self.app)))).clone()
    }

    /// Makes and sends until the server stops.
    pub async fn run(self, mut stopped: watch::Receiver<bool>) {
        let sender = Arc::new(self);
        let mut newest = sender.app.store().newest_change();
        let (mut memory, mut attempts) = (Memory::default(), JoinSet::new());
        loop {
            // What is committed from here on wakes.
            newest.borrow_and_update();
            let found;
            (memory, found) = sender.clone().look_apart(memory).await;
            let pause = match &found {
                Ok(found) if found.more => Duration::ZERO,
                Ok(found) if found.next.is_some() || memory.is_ahead() => LOOK,
                Ok(_) => IDLE,
                Err(cause) => {
                    tracing::warn!(%cause, "webhooks wait: the store cannot be read or written");
                    TROUBLE
                }
            };
            let Found { due, next, .. } = found.unwrap_or_default();
            for (webhook, delivery, body) in due {
                memory.busy.insert(webhook.id);
                attempts.spawn(sender.clone().attempt(webhook, delivery, body));
            }
            // A busy office is not looked at once a commit; nobody's next attempt waits for that.
            let mut has_changed = false;
            let woken = loop {
                tokio::select! {
                    biased;
                    _ = stopped.wait_for(|stopped| *stopped) => break Woken::Stopped,
                    Some(Ok(finished)) = attempts.join_next() => break Woken::Finished(finished),
                    Ok(()) = newest.changed(), if !has_changed => has_changed = true,
                    () = sleep(PAUSE), if has_changed => break Woken::Changed,
                    () = sleep(pause), if !has_changed => {
                        let now = sender.now();
                        let is_due = next.is_none_or(|next| next <= now || next > now + schedule::BEYOND);
                        if is_due || memory.is_ahead() || pause != LOOK {
                            break Woken::Time;
                        }
                    }
                }
            };
            match woken {
                Woken::Stopped => break,
                Woken::Finished((webhook, delivery, outcome)) => {
                    memory.busy.remove(&webhook);
                    sender.clone().finish_apart(webhook, delivery, outcome).await;
                }
                Woken::Changed => {}
                Woken::Time => memory.writes_cursors = true,
            }
        }
        let rest = async {
            while let Some(Ok((webhook, delivery, outcome))) = attempts.join_next().await {
                sender.clone().finish_apart(webhook, delivery, outcome).await;
            }
        };
        let _ = timeout(LAST_WAIT, rest).await;
    }

    /// Now, in milliseconds since 1970.
    fn now(&self) -> i64 {
        self.app.clock().now().as_millisecond()
    }

    /// [`WebhookSender::look`] where waiting for the store holds nobody up.
    async fn look_apart(self: Arc<Self>, mut memory: Memory) -> (Memory, Result<Found, store::Error>) {
        let looks = spawn_blocking(move || {
            let found = self.look(&mut memory);
            (memory, found)
        });
        let lost =
            |_| (Memory::default(), Err(store::Error::Defect("a look at webhooks panicked".to_owned())));
        looks.await.unwrap_or_else(lost)
    }

    /// Makes the messages that are not made yet, and looks which attempts are due.
    fn look(&self, memory: &mut Memory) -> Result<Found, store::Error> {
        let (store, now) = (self.app.store(), self.now());
        self.forget(memory, now)?;
        let mut active = store.read(webhooks::all)?;
        active.retain(|webhook| webhook.settings.is_active);
        if !active.is_empty() && place::waits(&self.app)? {
            return Ok(Found::default());
        }
        let mut found = Found::default();
        for webhook in &mut active {
            found.more |= self.make(webhook, memory)?;
        }
        memory.looked.retain(|id, _| active.iter().any(|webhook| webhook.id == *id));
        memory.writes_cursors = false;
        let failing = active.iter().filter(|webhook| webhook.is_failing_for(FAILING, now.div_euclid(1000)));
        let failing = failing.map(failing_webhook).collect();
        self.app.set_webhook_health(WebhookHealth { former_place: None, failing });
        for webhook in active {
            let soon = webhook.failing_since.map(|since| (since + FAILING) * 1000).filter(|soon| *soon > now);
            if !memory.busy.contains(&webhook.id) {
                self.find_due(webhook, now, &mut found)?;
            }
            found.next = found.next.into_iter().chain(soon).min();
        }
        Ok(found)
    }

    /// Makes the messages of a webhook behind its cursor, and moves that; whether there is more.
    fn make(&self, webhook: &mut Webhook, memory: &mut Memory) -> Result<bool, store::Error> {
        let store = self.app.store();
        for _ in 0..PIECES {
            let looked = memory.looked.get(&webhook.id).filter(|(cursor, _)| *cursor == webhook.cursor);
            let since = looked.map_or(webhook.cursor, |(_, to)| *to);
            let FeedPiece { events, to, more } = self.events(webhook.clone(), since)?;
            let is_far = to.saturating_sub(webhook.cursor) >= UNWRITTEN;
            let writes = !events.is_empty() || is_far || memory.writes_cursors && to > webhook.cursor;
            match writes {
                true => {
                    let (now, made) = (self.now(), webhook.clone());
                    if !store.write(move |tx: Tx<'_>| webhooks::make(tx, &made, to, &events, now))? {
                        // Somebody has set it anew; the next look sees how.
                        return Ok(true);
                    }
                    webhook.cursor = to;
                    memory.looked.remove(&webhook.id);
                }
                false => _ = memory.looked.insert(webhook.id, (webhook.cursor, to)),
            }
            if !more {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn events(&self, webhook: Webhook, since: u64) -> Result<FeedPiece, store::Error> {
        let events = self.feed.events;
        self.app.store().read(move |db| db.snapshot(|db| events(db, &webhook, since, PIECE)))
    }

    /// Finds the attempt of a webhook whose time has come, or when that of the next one comes.
    fn find_due(&self, webhook: Webhook, now: i64, found: &mut Found) -> Result<(), store::Error> {
        let held = schedule::held_until(webhook.failures, webhook.attempted_at);
        // What lies ahead of the clock was written down while it was wrong.
        let held = held.filter(|until| *until > now && webhook.attempted_at.is_some_and(|at| at <= now));
        let (zone, body) = (self.app.zone().clone(), self.feed.body);
        let (id, is_full, is_held) = (webhook.id, webhook.settings.is_full, held.is_some());
        let (delivery, body, next) = self.app.store().read(move |db| {
            let delivery = match is_held {
                true => None,
                false => webhooks::due(db, id, now, now + schedule::BEYOND)?,
            };
            let body = |delivery: &Delivery| db.snapshot(|db| body(db, &delivery.event, is_full, &zone));
            let body = delivery.as_ref().map(body).transpose()?.flatten();
            Ok::<_, store::Error>((delivery, body, webhooks::wait(db, id)?))
        })?;
        match delivery {
            Some(delivery) => found.due.push((webhook, delivery, body)),
            None => {
                let next = next.map(|next| held.map_or(next, |held| held.max(next)));
                found.next = found.next.into_iter().chain(next).min();
            }
        }
        Ok(())
    }

    /// Makes an attempt on a thread of its own.
    async fn attempt(
        self: Arc<Self>,
        webhook: Webhook,
        delivery: Delivery,
        body: Option<String>,
    ) -> Finished {
        let (webhook_id, at) = (webhook.id, self.app.now());
        let Some(body) = body else { return (webhook_id, delivery, None) };
        let message = WebhookMessage { id: delivery.event.message(), body };
        let sent = spawn_blocking(move || self.courier().send(&webhook, &message)).await;
        (webhook_id, delivery, Some(sent.unwrap_or_else(|_| AttemptOutcome::lost(at))))
    }

    /// [`WebhookSender::finish`], likewise; waits a while where it cannot be written down, since the message would be sent
    /// again at once.
    async fn finish_apart(
        self: Arc<Self>,
        webhook: u32,
        delivery: Delivery,
        outcome: Option<AttemptOutcome>,
    ) {
        let done = spawn_blocking(move || self.finish(webhook, &delivery, outcome)).await;
        if let Err(cause) = done.unwrap_or(Err(store::Error::Closed)) {
            tracing::warn!(webhook, %cause, "an attempt cannot be written down");
            sleep(TROUBLE).await;
        }
    }

    /// Writes down an attempt, and what becomes of its delivery.
    fn finish(
        &self,
        webhook: u32,
        delivery: &Delivery,
        outcome: Option<AttemptOutcome>,
    ) -> Result<(), store::Error> {
        let now = self.now();
        let Some(outcome) = outcome else {
            let number = delivery.number;
            tracing::warn!(webhook, seq = delivery.event.seq, "a message of no change is dropped");
            return self.app.store().write(move |tx| webhooks::drop_delivery(tx, number));
        };
        let wait = schedule::wait(delivery.tries, outcome.retry_after, rand::random());
        let ended = match wait {
            _ if outcome.is_success() => Ended::Delivered,
            _ if outcome.is_gone() => Ended::Stopped,
            Some(wait) => Ended::Again(now + wait),
            None => Ended::Failed,
        };
        if ended != Ended::Delivered {
            let failure = outcome.attempt.failure.as_deref().and_then(|failure| failure.split(':').next());
            let (seq, status) = (delivery.event.seq, outcome.attempt.status);
            tracing::info!(webhook, seq, status, failure, ?ended, "a webhook did not take a message");
        }
        let (delivery, attempt) = (delivery.clone(), outcome.attempt);
        self.app.store().write(move |tx| webhooks::attempted(tx, webhook, &delivery, &attempt, ended, now))
    }

    /// Forgets what was delivered long ago, once an hour.
    fn forget(&self, memory: &mut Memory, now: i64) -> Result<(), store::Error> {
        let now = now.div_euclid(1000);
        if (memory.forgot_at..memory.forgot_at + FORGETS).contains(&now) {
            return Ok(());
        }
        memory.forgot_at = now;
        if self.app.store().read(move |db| webhooks::has_delivered_before(db, now - KEPT))? {
            let forget = move |tx: Tx<'_>| webhooks::forget_delivered(tx, now - KEPT, FORGOTTEN);
            // There may be more: the next look goes on.
            if self.app.store().write(forget)? == FORGOTTEN as usize {
                memory.forgot_at = i64::MIN / 2;
            }
        }
        Ok(())
    }
}

/// What ended a wait.
enum Woken {
    Stopped,
    Finished(Finished),
    Changed,
    Time,
}

impl Memory {
    /// Whether a cursor is further in memory than in the store.
    fn is_ahead(&self) -> bool {
        self.looked.values().any(|(cursor, to)| to > cursor)
    }
}

/// A webhook as it is named to people.
pub fn failing_webhook(webhook: &Webhook) -> FailingWebhook {
    let target = WebhookTarget::parse(&webhook.settings.url);
    FailingWebhook { id: webhook.id, host: target.map(|target| target.host().to_owned()).unwrap_or_default() }
}
