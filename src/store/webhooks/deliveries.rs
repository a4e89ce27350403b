//! Deliveries of webhook messages: pending, delivered and failed (events 21.4).

use rusqlite::{Row, named_params};

use super::{Webhook, move_cursor, out_of_range};
use crate::store::{Db, Error, Tx};

/// Number of attempts kept per delivery: those of the current round and of the one before.
const MAX_KEPT_ATTEMPTS: u32 = 20;

/// A change to be delivered under a message type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    pub seq: u64,
    /// Message type, such as `lawsuit.closed`.
    pub ty: String,
}

impl Event {
    /// Returns the message id. It is equal for every receiver and every attempt.
    pub fn message(&self) -> String {
        format!("msg_{}_{}", self.seq, self.ty.replace('.', "_"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// Waiting for the next attempt.
    Waiting,
    Delivered,
    /// All attempts failed: a dead letter.
    Failed,
}

impl DeliveryStatus {
    /// All values, in the order of their numbers in the table.
    pub const ALL: [DeliveryStatus; 3] =
        [DeliveryStatus::Waiting, DeliveryStatus::Delivered, DeliveryStatus::Failed];

    pub const fn as_str(self) -> &'static str {
        match self {
            DeliveryStatus::Waiting => "waiting",
            DeliveryStatus::Delivered => "delivered",
            DeliveryStatus::Failed => "failed",
        }
    }

    const fn code(self) -> u8 {
        self as u8 + 1
    }
}

/// A message to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Row id in `deliveries`.
    pub number: i64,
    pub event: Event,
    pub status: DeliveryStatus,
    /// Number of failed attempts in the current round.
    pub tries: u32,
    /// Time from which the next attempt is due, in milliseconds since 1970.
    pub due: i64,
    /// Attempts, oldest first. Empty if they were not loaded.
    pub attempts: Vec<Attempt>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Start time, in seconds since 1970.
    pub at: i64,
    /// HTTP status of the response.
    pub status: Option<u16>,
    /// Error, if there was no response, or a redirect that was not followed.
    pub failure: Option<String>,
    /// Duration in milliseconds.
    pub ms: u64,
    /// Beginning of the response body.
    pub answer: Option<String>,
}

impl Attempt {
    /// Returns the error, or else the status of the response.
    pub fn result(&self) -> String {
        let status = || self.status.map(|status| status.to_string());
        self.failure.clone().or_else(status).unwrap_or_default()
    }
}

/// Outcome of an attempt for its delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Delivered,
    /// Retry at this time, in milliseconds since 1970.
    Retry(i64),
    /// Failed for the last time.
    Failed,
    /// The receiver answered 410 (Gone), and so gets no more messages.
    Gone,
}

const COLUMNS: &str = "number, seq, type, status, tries, due";

/// Due time of a message that was sent again by hand. It is tried before all others, also while the webhook waits
/// after failures.
const DUE_FIRST: i64 = 0;

fn delivery(row: &Row<'_>) -> rusqlite::Result<Delivery> {
    let code: u8 = row.get(3)?;
    let status = DeliveryStatus::ALL.get(usize::from(code).wrapping_sub(1));
    Ok(Delivery {
        number: row.get(0)?,
        event: Event { seq: row.get(1)?, ty: row.get(2)? },
        status: *status.ok_or_else(|| out_of_range(3))?,
        tries: row.get(4)?,
        due: row.get(5)?,
        attempts: Vec::new(),
    })
}

/// Creates the messages for the changes up to `to` and moves the webhook's cursor there. Returns `false` and
/// does nothing if the cursor was moved meanwhile. `now` is in milliseconds since 1970.
pub fn make(tx: Tx<'_>, webhook: &Webhook, to: u64, events: &[Event], now: i64) -> Result<bool, Error> {
    if !move_cursor(tx, webhook.id, webhook.cursor, to)? {
        return Ok(false);
    }
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO deliveries (webhook_id, seq, type, status, due) VALUES (?1, ?2, ?3, 1, ?4)
         ON CONFLICT (webhook_id, seq, type) DO NOTHING",
    )?;
    for event in events {
        statement.execute((webhook.id, event.seq, &event.ty, now))?;
    }
    Ok(true)
}

/// Sends messages again, and for the first time if they were never created. The first one is tried at once; its
/// success ends the wait of the others after failures. `now` is in milliseconds since 1970.
pub fn send_again(tx: Tx<'_>, webhook: u32, events: &[Event], now: i64) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO deliveries (webhook_id, seq, type, status, due) VALUES (?1, ?2, ?3, 1, ?4)
         ON CONFLICT (webhook_id, seq, type) DO UPDATE SET status = 1, tries = 0, due = excluded.due, ended_at = NULL",
    )?;
    let dues = [DUE_FIRST].into_iter().chain(std::iter::repeat(now));
    for (event, due) in events.iter().zip(dues) {
        statement.execute((webhook, event.seq, &event.ty, due))?;
    }
    tx.note_webhooks();
    Ok(())
}

/// Returns a webhook's first delivery that is due, in the order of changes. A delivery due after `latest` was
/// postponed by a wrong clock and counts as due. Both times are in milliseconds since 1970.
pub fn due(db: Db<'_>, webhook: u32, now: i64, latest: i64) -> Result<Option<Delivery>, Error> {
    let sql = "SELECT number, seq, type, status, tries, due FROM deliveries INDEXED BY deliveries_in_order
        WHERE webhook_id = ?1 AND status = 1 AND (due <= ?2 OR due > ?3) ORDER BY seq, number LIMIT 1";
    db.first(sql, (webhook, now, latest), delivery)
}

/// Returns a webhook's first delivery that was sent again by hand and waits for its first attempt since.
pub fn sent_by_hand(db: Db<'_>, webhook: u32) -> Result<Option<Delivery>, Error> {
    let sql = "SELECT number, seq, type, status, tries, due FROM deliveries INDEXED BY deliveries_due
        WHERE webhook_id = ?1 AND status = 1 AND due = ?2 ORDER BY seq, number LIMIT 1";
    db.first(sql, (webhook, DUE_FIRST), delivery)
}

/// Returns the time of a webhook's next delivery in milliseconds since 1970, or `None` if nothing is pending.
pub fn wait(db: Db<'_>, webhook: u32) -> Result<Option<i64>, Error> {
    let sql =
        "SELECT min(due) FROM deliveries INDEXED BY deliveries_due WHERE webhook_id = ?1 AND status = 1";
    db.value(sql, [webhook])
}

/// Stores an attempt and its outcome. `at` is the end of the attempt, in milliseconds since 1970.
pub fn attempted(
    tx: Tx<'_>,
    webhook: u32,
    delivery: &Delivery,
    attempt: &Attempt,
    outcome: DeliveryOutcome,
    at: i64,
) -> Result<(), Error> {
    let seconds = at.div_euclid(1000);
    let (status, due) = match outcome {
        DeliveryOutcome::Delivered => (DeliveryStatus::Delivered, None),
        DeliveryOutcome::Failed => (DeliveryStatus::Failed, None),
        DeliveryOutcome::Retry(due) => (DeliveryStatus::Waiting, Some(due)),
        DeliveryOutcome::Gone => (DeliveryStatus::Waiting, Some(at)),
    };
    let is_over = status != DeliveryStatus::Waiting;
    // The delivery may have been dismissed or deleted meanwhile, and its number reused.
    let sql = "UPDATE deliveries SET status = :status, tries = tries + 1, due = coalesce(:due, due),
             ended_at = :ended_at
         WHERE number = :number AND webhook_id = :webhook AND seq = :seq AND type = :type AND tries = :tries";
    let is_there = tx.changed(sql, named_params! {
        ":status": status.code(), ":due": due, ":ended_at": is_over.then_some(seconds),
        ":number": delivery.number, ":webhook": webhook, ":seq": delivery.event.seq, ":type": delivery.event.ty,
        ":tries": delivery.tries,
    })?;
    if is_there > 0 {
        let mut insert = tx.conn().prepare_cached(
            "INSERT INTO attempts (delivery, at, status, failure, ms, answer) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        let Attempt { at, status, failure, ms, answer } = attempt;
        insert.execute((delivery.number, at, status, failure, ms, answer))?;
        let mut forget = tx.conn().prepare_cached(
            "DELETE FROM attempts WHERE delivery = ?1 AND rowid NOT IN
                 (SELECT rowid FROM attempts WHERE delivery = ?1 ORDER BY rowid DESC LIMIT ?2)",
        )?;
        forget.execute((delivery.number, MAX_KEPT_ATTEMPTS))?;
    }
    record_outcome(tx, webhook, attempt, outcome, at)
}

/// Stores the outcome of an attempt in the state of the webhook.
fn record_outcome(
    tx: Tx<'_>,
    webhook: u32,
    attempt: &Attempt,
    outcome: DeliveryOutcome,
    at: i64,
) -> Result<(), Error> {
    let seconds = at.div_euclid(1000);
    if outcome == DeliveryOutcome::Delivered {
        let sql = "UPDATE webhooks SET failures = 0, failing_since = NULL, attempted_at = :at, last_success_at = :seconds
             WHERE id = :id";
        tx.run(sql, named_params! { ":at": at, ":seconds": seconds, ":id": webhook })?;
        return Ok(());
    }
    let sql =
        "UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, :seconds),
             attempted_at = :at, last_failure_at = :seconds, last_failure = :result,
             is_active = iif(:is_gone, 0, is_active), is_stopped = iif(:is_gone, 1, is_stopped)
         WHERE id = :id";
    tx.run(sql, named_params! {
        ":at": at, ":seconds": seconds, ":result": attempt.result(), ":is_gone": outcome == DeliveryOutcome::Gone,
        ":id": webhook,
    })
}

/// Returns a page of a webhook's deliveries, optionally of one status, with their attempts, and the total
/// count. Newest change first.
pub fn page(
    db: Db<'_>,
    webhook: u32,
    status: Option<DeliveryStatus>,
    limit: u32,
    offset: u64,
) -> Result<(Vec<Delivery>, u64), Error> {
    let status = status.map(DeliveryStatus::code);
    let mut count = db.conn().prepare_cached(
        "SELECT count(*) FROM deliveries WHERE webhook_id = ?1 AND (?2 IS NULL OR status = ?2)",
    )?;
    let total = count.query_row((webhook, status), |row| row.get(0))?;
    let sql = [
        "SELECT ",
        COLUMNS,
        " FROM deliveries WHERE webhook_id = ?1 AND (?2 IS NULL OR status = ?2)
          ORDER BY seq DESC, number DESC LIMIT ?3 OFFSET ?4",
    ];
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    let mut found = db.all(&sql.concat(), (webhook, status, limit, offset), delivery)?;
    for one in &mut found {
        one.attempts = attempts(db, one.number)?;
    }
    Ok((found, total))
}

fn attempts(db: Db<'_>, number: i64) -> Result<Vec<Attempt>, Error> {
    let sql = "SELECT at, status, failure, ms, answer FROM attempts WHERE delivery = ?1 ORDER BY rowid";
    db.all(sql, [number], |row| {
        Ok(Attempt {
            at: row.get(0)?,
            status: row.get(1)?,
            failure: row.get(2)?,
            ms: row.get(3)?,
            answer: row.get(4)?,
        })
    })
}

/// Returns the delivery of a message to a webhook, with its attempts.
pub fn find(db: Db<'_>, webhook: u32, message: &str) -> Result<Option<Delivery>, Error> {
    let seq = message.strip_prefix("msg_").and_then(|rest| rest.split('_').next());
    let Some(seq) = seq.and_then(|seq| seq.parse::<i64>().ok()) else { return Ok(None) };
    let sql = ["SELECT ", COLUMNS, " FROM deliveries WHERE webhook_id = ?1 AND seq = ?2"].concat();
    let found = db.all(&sql, (webhook, seq), delivery)?;
    let mut found = found.into_iter().find(|one| one.event.message() == message);
    if let Some(one) = &mut found {
        one.attempts = attempts(db, one.number)?;
    }
    Ok(found)
}

/// Counts the dead letters of a webhook.
pub fn failed(db: Db<'_>, webhook: u32) -> Result<u64, Error> {
    let sql = "SELECT count(*) FROM deliveries WHERE webhook_id = ?1 AND status = 3";
    db.value(sql, [webhook])
}

/// Returns up to `limit` dead letters of a webhook for the changes after `since` up to `until`.
pub fn failed_between(
    db: Db<'_>,
    webhook: u32,
    since: u64,
    until: u64,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    let [since, until] = [since, until].map(|seq| i64::try_from(seq).unwrap_or(i64::MAX));
    let event = |row: &Row<'_>| Ok(Event { seq: row.get(0)?, ty: row.get(1)? });
    db.all(
        "SELECT seq, type FROM deliveries WHERE webhook_id = ?1 AND status = 3 AND seq > ?2 AND seq <= ?3
         ORDER BY seq, number LIMIT ?4",
        (webhook, since, until, limit),
        event,
    )
}

/// Sends a dead letter again, at once. Returns `true` if the delivery was one.
pub fn retry(tx: Tx<'_>, number: i64) -> Result<bool, Error> {
    let sql = "UPDATE deliveries SET status = 1, tries = 0, due = ?2, ended_at = NULL WHERE number = ?1 AND status = 3";
    let retried = tx.changed(sql, (number, DUE_FIRST))?;
    tx.note_webhooks();
    Ok(retried > 0)
}

/// Deletes a dead letter. Returns `true` if the delivery was one.
pub fn dismiss(tx: Tx<'_>, number: i64) -> Result<bool, Error> {
    let sql = "DELETE FROM deliveries WHERE number = ?1 AND status = 3";
    Ok(tx.changed(sql, [number])? > 0)
}

/// Deletes up to `most` messages delivered before a time in seconds since 1970, and returns their number.
pub fn forget_delivered(tx: Tx<'_>, before: i64, most: u32) -> Result<usize, Error> {
    let sql = "DELETE FROM deliveries WHERE number IN
        (SELECT number FROM deliveries WHERE status = 2 AND ended_at < ?1 LIMIT ?2)";
    tx.changed(sql, (before, most))
}

/// Returns `true` if any message was delivered before a time in seconds since 1970.
pub fn has_delivered_before(db: Db<'_>, before: i64) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT 1 FROM deliveries WHERE status = 2 AND ended_at < ?1)";
    db.value(sql, [before])
}

pub fn drop_delivery(tx: Tx<'_>, number: i64) -> Result<(), Error> {
    tx.run("DELETE FROM deliveries WHERE number = ?1", [number])
}
