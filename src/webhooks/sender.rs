//! The task that sends messages: looks for events and due attempts, runs the attempts, and ends a webhook whose receiver
//! is gone (410).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use super::attempt::{AttemptOutcome, WebhookClient, WebhookMessage};
use super::failing::{FAILING_SECONDS, failing_webhook};
use super::{schedule, sending_place};
use crate::app::{App, WebhookHealth};
use crate::store::webhooks::{self, Delivery, DeliveryOutcome, Event, Webhook};
use crate::store::{self, Db, Tx};

/// Number of changes read at a time.
const CHANGES_PER_READ: u32 = 1000;
/// Number of reads before due attempts are looked up again.
const MAX_READS: usize = 20;
/// Maximum number of changes that a cursor in memory may be ahead of the store. Skipping unwanted changes then
/// needs no write of its own.
const MAX_UNSAVED_CHANGES: u64 = 10_000;
/// Pause after a commit, so that several commits are handled together.
const COMMIT_PAUSE: Duration = Duration::from_millis(50);
/// Interval of clock checks while an attempt is waiting. Timers do not notice the time that a machine has slept.
const CLOCK_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Interval of rounds while nothing is waiting.
const IDLE_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// Pause after the store could not be read or written.
const STORE_RETRY_PAUSE: Duration = Duration::from_secs(5);
/// Maximum wait for attempts in progress when the program ends, so that accepted messages are not sent twice.
const LAST_WAIT: Duration = Duration::from_secs(2);
/// Time for which delivered messages are kept, in seconds (events 21.1).
const DELIVERED_LIFETIME_SECONDS: i64 = 30 * 24 * 60 * 60;
/// Interval of the clean-up of delivered messages, in seconds.
const CLEANUP_INTERVAL_SECONDS: i64 = 60 * 60;
/// Maximum number of messages that one clean-up deletes.
const CLEANUP_BATCH: u32 = 1000;

/// Functions of the API that find events and write messages.
#[derive(Clone, Copy)]
pub struct WebhookFeed {
    pub events: FindEvents,
    pub body: WriteBody,
}

/// Returns the events that a webhook wants, from at most the given number of changes after the given one.
pub type FindEvents = fn(Db<'_>, &Webhook, u64, u32) -> Result<FeedPiece, store::Error>;

/// Writes the body of an event's message, with or without the record. Returns `None` if the change does not exist.
pub type WriteBody = fn(Db<'_>, &Event, bool, &TimeZone) -> Result<Option<String>, store::Error>;

/// The events that a webhook wants, from a part of the change feed.
pub struct FeedPiece {
    /// In the order of changes.
    pub events: Vec<Event>,
    /// The number of the last change that was read.
    pub to: u64,
    /// `true` if there are more changes.
    pub more: bool,
}

/// The task that creates messages and sends them.
pub struct WebhookSender {
    app: Arc<App>,
    feed: WebhookFeed,
    /// The client that sent the last message.
    client: Mutex<Option<Arc<WebhookClient>>>,
}

/// The state that is kept from one round to the next.
#[derive(Default)]
struct RoundState {
    /// For each webhook, the stored cursor, and the position up to which no change after the cursor is wanted.
    skipped: BTreeMap<u32, (u64, u64)>,
    /// `true` if the next round stores the positions of `skipped` as cursors.
    stores_cursors: bool,
    /// Time of the last clean-up, in seconds since 1970.
    cleaned_up_at: i64,
}

#[derive(Default)]
struct RoundWork {
    /// Attempts that are due, each with the message's body.
    due: Vec<(Webhook, Delivery, Option<String>)>,
    /// Time of the next work, in milliseconds since 1970.
    next: Option<i64>,
    /// `true` if more changes can be processed immediately.
    more: bool,
}

/// A finished attempt, without an outcome if the change that the message is about does not exist.
type Finished = (u32, Delivery, Option<AttemptOutcome>);

impl WebhookSender {
    pub fn new(app: Arc<App>, feed: WebhookFeed) -> WebhookSender {
        WebhookSender { app, feed, client: Mutex::default() }
    }

    /// Returns the client, or a new one if the office's authority has changed.
    fn client(&self) -> Arc<WebhookClient> {
        let mut client = self.client.lock();
        let current = client.take().filter(|client| client.is_current(&self.app));
        client.insert(current.unwrap_or_else(|| Arc::new(WebhookClient::of(&self.app)))).clone()
    }

    /// Creates and sends messages until the server stops.
    pub async fn run(self, mut stopped: watch::Receiver<bool>) {
        let sender = Arc::new(self);
        let mut newest = sender.app.store().newest_change();
        let mut state = RoundState::default();
        // Webhooks with an attempt in progress. No part of the state: a round that panics must not forget them.
        let mut busy = BTreeSet::new();
        let mut attempts = JoinSet::new();
        loop {
            // Commits from here on wake the loop.
            newest.borrow_and_update();
            let found;
            (state, found) = sender.clone().run_round_blocking(state, busy.clone()).await;
            let pause = match &found {
                Ok(found) if found.more => Duration::ZERO,
                Ok(found) if found.next.is_some() || state.is_ahead() => CLOCK_CHECK_INTERVAL,
                Ok(_) => IDLE_INTERVAL,
                Err(cause) => {
                    tracing::warn!(%cause, "webhooks wait: the store cannot be read or written");
                    STORE_RETRY_PAUSE
                }
            };
            let RoundWork { due, next, .. } = found.unwrap_or_default();
            for (webhook, delivery, body) in due {
                busy.insert(webhook.id);
                attempts.spawn(sender.clone().attempt(webhook, delivery, body));
            }
            // Waits a moment after a commit, so that a busy office does not start a round for each. Finished
            // attempts are handled at once.
            let mut has_changed = false;
            let woken = loop {
                tokio::select! {
                    biased;
                    _ = stopped.wait_for(|stopped| *stopped) => break Woken::Stopped,
                    Some(Ok(finished)) = attempts.join_next() => break Woken::Finished(finished),
                    Ok(()) = newest.changed(), if !has_changed => has_changed = true,
                    () = sleep(COMMIT_PAUSE), if has_changed => break Woken::Changed,
                    () = sleep(pause), if !has_changed => {
                        let now = sender.now();
                        let is_due = next.is_none_or(|next| next <= now || next > now + schedule::MAX_DELAY_MS);
                        if is_due || state.is_ahead() || pause != CLOCK_CHECK_INTERVAL {
                            break Woken::Time;
                        }
                    }
                }
            };
            match woken {
                Woken::Stopped => break,
                Woken::Finished((webhook, delivery, outcome)) => {
                    busy.remove(&webhook);
                    sender.clone().finish_blocking(webhook, delivery, outcome).await;
                }
                Woken::Changed => {}
                Woken::Time => state.stores_cursors = true,
            }
        }
        let rest = async {
            while let Some(Ok((webhook, delivery, outcome))) = attempts.join_next().await {
                sender.clone().finish_blocking(webhook, delivery, outcome).await;
            }
        };
        let _ = timeout(LAST_WAIT, rest).await;
    }

    /// Now, in milliseconds since 1970.
    fn now(&self) -> i64 {
        self.app.clock().now().as_millisecond()
    }

    /// Runs [`WebhookSender::run_round`] on a blocking thread.
    async fn run_round_blocking(
        self: Arc<Self>,
        mut state: RoundState,
        busy: BTreeSet<u32>,
    ) -> (RoundState, Result<RoundWork, store::Error>) {
        let round = spawn_blocking(move || {
            let found = self.run_round(&mut state, &busy);
            (state, found)
        });
        let panicked = |_| {
            let cause = store::Error::Defect("a round of webhooks panicked".to_owned());
            (RoundState::default(), Err(cause))
        };
        round.await.unwrap_or_else(panicked)
    }

    /// Creates the messages of new changes, and finds the attempts that are due.
    fn run_round(&self, state: &mut RoundState, busy: &BTreeSet<u32>) -> Result<RoundWork, store::Error> {
        let store = self.app.store();
        let now = self.now();
        self.clean_up(state, now)?;
        let mut active = store.read(webhooks::all)?;
        active.retain(|webhook| webhook.settings.is_active);
        if !active.is_empty() && sending_place::waits(&self.app)? {
            // A position ahead of its cursor would start a round each second.
            state.skipped.clear();
            return Ok(RoundWork::default());
        }
        let mut found = RoundWork::default();
        for webhook in &mut active {
            found.more |= self.queue_messages(webhook, state)?;
        }
        state.skipped.retain(|id, _| active.iter().any(|webhook| webhook.id == *id));
        state.stores_cursors = false;
        let seconds = now.div_euclid(1000);
        let failing = active.iter().filter(|webhook| webhook.is_failing_for(FAILING_SECONDS, seconds));
        let failing = failing.map(failing_webhook).collect();
        self.app.set_webhook_health(WebhookHealth { former_place: None, failing });
        for webhook in active {
            let failing_at = webhook.failing_since.map(|since| (since + FAILING_SECONDS) * 1000);
            let soon = failing_at.filter(|moment| *moment > now);
            if !busy.contains(&webhook.id) {
                self.find_due(webhook, now, &mut found)?;
            }
            found.next = found.next.into_iter().chain(soon).min();
        }
        Ok(found)
    }

    /// Creates the messages of changes after a webhook's cursor, and moves the cursor. Returns `true` if there
    /// are more changes.
    fn queue_messages(&self, webhook: &mut Webhook, state: &mut RoundState) -> Result<bool, store::Error> {
        let store = self.app.store();
        for _ in 0..MAX_READS {
            let skipped = state.skipped.get(&webhook.id).filter(|(cursor, _)| *cursor == webhook.cursor);
            let since = skipped.map_or(webhook.cursor, |(_, to)| *to);
            let FeedPiece { events, to, more } = self.events(webhook.clone(), since)?;
            let is_far = to.saturating_sub(webhook.cursor) >= MAX_UNSAVED_CHANGES;
            let writes = !events.is_empty() || is_far || state.stores_cursors && to > webhook.cursor;
            match writes {
                true => {
                    let now = self.now();
                    let made = webhook.clone();
                    if !store.write(move |tx: Tx<'_>| webhooks::make(tx, &made, to, &events, now))? {
                        // The cursor was changed meanwhile. The next round reads the new one.
                        return Ok(true);
                    }
                    webhook.cursor = to;
                    state.skipped.remove(&webhook.id);
                }
                false => _ = state.skipped.insert(webhook.id, (webhook.cursor, to)),
            }
            if !more {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn events(&self, webhook: Webhook, since: u64) -> Result<FeedPiece, store::Error> {
        let events = self.feed.events;
        self.app.store().read(move |db| db.snapshot(|db| events(db, &webhook, since, CHANGES_PER_READ)))
    }

    /// Finds the attempt of a webhook that is due, or else the time of its next one.
    fn find_due(&self, webhook: Webhook, now: i64, found: &mut RoundWork) -> Result<(), store::Error> {
        let held = schedule::held_until(webhook.failures, webhook.attempted_at);
        // A last attempt in the future was recorded while the clock was wrong.
        let held = held.filter(|until| *until > now && webhook.attempted_at.is_some_and(|at| at <= now));
        let zone = self.app.zone().clone();
        let body = self.feed.body;
        let id = webhook.id;
        let is_full = webhook.settings.is_full;
        let is_held = held.is_some();
        let (delivery, body, next) = self.app.store().read(move |db| {
            let delivery = match webhooks::sent_by_hand(db, id)? {
                None if !is_held => webhooks::due(db, id, now, now + schedule::MAX_DELAY_MS)?,
                delivery => delivery,
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

    /// Makes an attempt on a blocking thread.
    async fn attempt(
        self: Arc<Self>,
        webhook: Webhook,
        delivery: Delivery,
        body: Option<String>,
    ) -> Finished {
        let webhook_id = webhook.id;
        let at = self.app.now();
        let Some(body) = body else { return (webhook_id, delivery, None) };
        let message = WebhookMessage { id: delivery.event.message(), body };
        let sent = spawn_blocking(move || self.client().send(&webhook, &message)).await;
        (webhook_id, delivery, Some(sent.unwrap_or_else(|_| AttemptOutcome::lost(at))))
    }

    /// Runs [`WebhookSender::finish`] on a blocking thread. If that fails, waits a while, because the message
    /// would be sent again at once.
    async fn finish_blocking(
        self: Arc<Self>,
        webhook: u32,
        delivery: Delivery,
        outcome: Option<AttemptOutcome>,
    ) {
        let done = spawn_blocking(move || self.finish(webhook, &delivery, outcome)).await;
        if let Err(cause) = done.unwrap_or(Err(store::Error::Closed)) {
            tracing::warn!(webhook, %cause, "the outcome of a webhook attempt cannot be stored");
            sleep(STORE_RETRY_PAUSE).await;
        }
    }

    /// Stores an attempt and the new state of its delivery.
    fn finish(
        &self,
        webhook: u32,
        delivery: &Delivery,
        outcome: Option<AttemptOutcome>,
    ) -> Result<(), store::Error> {
        let now = self.now();
        let Some(outcome) = outcome else {
            let number = delivery.number;
            tracing::warn!(webhook, seq = delivery.event.seq, "a message without a change is dropped");
            return self.app.store().write(move |tx| webhooks::drop_delivery(tx, number));
        };
        let wait = schedule::wait(delivery.tries, outcome.retry_after, rand::random());
        let ended = match wait {
            _ if outcome.is_success => DeliveryOutcome::Delivered,
            _ if outcome.is_gone() => DeliveryOutcome::Gone,
            Some(wait) => DeliveryOutcome::Retry(now + wait),
            None => DeliveryOutcome::Failed,
        };
        if ended != DeliveryOutcome::Delivered {
            let failure = outcome.attempt.failure.as_deref().and_then(|failure| failure.split(':').next());
            let seq = delivery.event.seq;
            let status = outcome.attempt.status;
            tracing::info!(webhook, seq, status, failure, ?ended, "a webhook did not take a message");
        }
        let delivery = delivery.clone();
        let attempt = outcome.attempt;
        self.app.store().write(move |tx| webhooks::attempted(tx, webhook, &delivery, &attempt, ended, now))
    }

    /// Deletes messages that were delivered long ago, once an hour.
    fn clean_up(&self, state: &mut RoundState, now: i64) -> Result<(), store::Error> {
        let now = now.div_euclid(1000);
        if (state.cleaned_up_at..state.cleaned_up_at + CLEANUP_INTERVAL_SECONDS).contains(&now) {
            return Ok(());
        }
        state.cleaned_up_at = now;
        if self
            .app
            .store()
            .read(move |db| webhooks::has_delivered_before(db, now - DELIVERED_LIFETIME_SECONDS))?
        {
            let forget = move |tx: Tx<'_>| {
                webhooks::forget_delivered(tx, now - DELIVERED_LIFETIME_SECONDS, CLEANUP_BATCH)
            };
            // There may be more, which the next round deletes.
            if self.app.store().write(forget)? == CLEANUP_BATCH as usize {
                state.cleaned_up_at = i64::MIN / 2;
            }
        }
        Ok(())
    }
}

/// The event that ended a wait.
enum Woken {
    Stopped,
    Finished(Finished),
    Changed,
    Time,
}

impl RoundState {
    /// Returns `true` if a cursor in memory is ahead of the store.
    fn is_ahead(&self) -> bool {
        self.skipped.values().any(|(cursor, to)| to > cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::config::{Config, Environment, Flags, LiveSettings};
    use crate::domain::WebhookSecret;
    use crate::store::webhooks::WebhookSettings;
    use crate::store::{DataFolderId, Store};

    /// After a restore, webhooks wait for a confirmation and do not run a round every second.
    #[test]
    fn a_paused_place_resets_positions_ahead_of_the_cursor() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let flags = Flags { data_dir: Some(folder.path().to_owned()), ..Flags::default() };
        let config = Config::load(flags, Environment::default()).unwrap();
        let store = Arc::new(Store::open(folder.path()).unwrap());
        let settings = WebhookSettings {
            url: "https://ana.example/".to_owned(),
            description: None,
            types: vec!["*".to_owned()],
            is_full: false,
            is_active: true,
        };
        let secret = WebhookSecret::from_bytes([1; 32]);
        let place = DataFolderId::of(other.path());
        let written = store.write(move |tx: Tx<'_>| webhooks::insert(tx, &settings, &secret, 0, &place, 0));
        assert_eq!(written.unwrap(), 1);
        let clock = Clock::set_to(jiff::Timestamp::UNIX_EPOCH);
        let app =
            App::new(store, clock.clone(), LiveSettings::new(config, move || clock.monotonic())).unwrap();
        let events: FindEvents = |_, _, _, _| unreachable!();
        let sender = WebhookSender::new(Arc::new(app), WebhookFeed { events, body: |_, _, _, _| Ok(None) });
        let mut state = RoundState { skipped: BTreeMap::from([(1, (0, 5))]), ..RoundState::default() };
        assert!(state.is_ahead());
        assert!(sender.run_round(&mut state, &BTreeSet::new()).unwrap().next.is_none() && !state.is_ahead());
    }
}
