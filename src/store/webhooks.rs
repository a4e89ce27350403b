//! Webhooks: receivers, their cursors and their delivery state (events 21.1).

mod deliveries;
mod sending_place;

use rusqlite::types::Type;
use rusqlite::{Row, named_params};

pub use deliveries::{
    Attempt, Delivery, DeliveryOutcome, DeliveryStatus, Event, attempted, dismiss, drop_delivery, due,
    failed, failed_between, find as find_delivery, forget_delivered, has_delivered_before, make, page, retry,
    send_again, sent_by_hand, wait,
};

pub(super) use sending_place::forget_where;
pub use sending_place::{former_place, send_from, sending_place};

use super::engine::reserved_ids;
use super::{DataFolderId, Db, Error, Tx};
use crate::domain::WebhookSecret;
use crate::domain::id::Noun;
use crate::domain::lang::Word;

/// Key in `reserved_ids` for the highest id of a deleted webhook. Ids are not reused, so a client that kept the
/// id of a deleted webhook does not reach another one.
pub(super) const RESOURCE: &str = "webhooks";

/// Maximum number of webhooks (events 21.1).
pub const MAX_WEBHOOKS: usize = 20;

/// Seconds during which a replaced secret still signs too (events 21.1).
const FORMER_SECRET_LIFETIME_SECONDS: i64 = 24 * 60 * 60;

/// A receiver of change messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    pub id: u32,
    pub settings: WebhookSettings,
    /// `true` if the receiver answered 410 (Gone), and so gets no more messages.
    pub is_gone: bool,
    /// Number of the last change processed for this webhook.
    pub cursor: u64,
    pub secret: WebhookSecret,
    /// The previous secret, and the time until which it signs too, in seconds since 1970.
    pub former: Option<(WebhookSecret, i64)>,
    /// Number of failed attempts since the last success.
    pub failures: u32,
    /// Time of the first of these failures, in seconds since 1970.
    pub failing_since: Option<i64>,
    /// Time of the last attempt, in milliseconds since 1970.
    pub attempted_at: Option<i64>,
    /// Seconds since 1970.
    pub last_success_at: Option<i64>,
    /// Time of the last failure in seconds since 1970, and its HTTP status or error.
    pub last_failure: Option<(i64, String)>,
    /// Seconds since 1970.
    pub created_at: i64,
    /// Seconds since 1970.
    pub updated_at: i64,
}

/// The fields of a webhook that clients can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSettings {
    pub url: String,
    pub description: Option<String>,
    /// Message types to deliver; `*` for all.
    pub types: Vec<String>,
    /// `true` if messages include the record.
    pub is_full: bool,
    /// `true` if messages are created and sent.
    pub is_active: bool,
}

impl Noun for Webhook {
    const WORD: Word = Word("webhook", "webhook");
}

impl Webhook {
    /// Returns `true` if the webhook wants messages of this type.
    pub fn wants(&self, ty: &str) -> bool {
        self.settings.types.iter().any(|own| own == "*" || own == ty)
    }

    /// Returns `true` if the webhook is active and has only failed for at least that many seconds.
    pub fn is_failing_for(&self, seconds: i64, now: i64) -> bool {
        self.settings.is_active && self.failing_since.is_some_and(|since| now - since >= seconds)
    }

    /// Returns the secrets that sign at time `now`, newest first.
    pub fn secrets(&self, now: i64) -> impl Iterator<Item = &WebhookSecret> {
        let former = self.former.iter().filter(move |(_, until)| now < *until);
        [&self.secret].into_iter().chain(former.map(|(secret, _)| secret))
    }
}

/// The columns that [`webhook`] reads, in its order. `is_stopped` is the one of [`Webhook::is_gone`].
const COLUMNS: &str = "id, url, description, types, is_full, is_active, is_stopped, cursor, secret, former, former_until,
    failures, failing_since, attempted_at, last_success_at, last_failure_at, last_failure, created_at, updated_at";

fn webhook(row: &Row<'_>) -> rusqlite::Result<Webhook> {
    let former: Option<[u8; 32]> = row.get(9)?;
    let former_until: Option<i64> = row.get(10)?;
    let last_failure_at: Option<i64> = row.get(15)?;
    let last_failure: Option<String> = row.get(16)?;
    let types: String = row.get(3)?;
    Ok(Webhook {
        id: row.get(0)?,
        settings: WebhookSettings {
            url: row.get(1)?,
            description: row.get(2)?,
            types: types.split(',').map(str::to_owned).collect(),
            is_full: row.get(4)?,
            is_active: row.get(5)?,
        },
        is_gone: row.get(6)?,
        cursor: row.get(7)?,
        secret: WebhookSecret::from_bytes(row.get(8)?),
        former: former.map(WebhookSecret::from_bytes).zip(former_until),
        failures: row.get(11)?,
        failing_since: row.get(12)?,
        attempted_at: row.get(13)?,
        last_success_at: row.get(14)?,
        last_failure: last_failure_at.zip(last_failure),
        created_at: row.get(17)?,
        updated_at: row.get(18)?,
    })
}

/// Returns all webhooks, ordered by id.
pub fn all(db: Db<'_>) -> Result<Vec<Webhook>, Error> {
    let sql = ["SELECT ", COLUMNS, " FROM webhooks ORDER BY id"].concat();
    db.all(&sql, [], webhook)
}

pub fn find(db: Db<'_>, id: u32) -> Result<Option<Webhook>, Error> {
    let sql = ["SELECT ", COLUMNS, " FROM webhooks WHERE id = ?1"].concat();
    db.first(&sql, [id], webhook)
}

/// Adds a webhook that starts after `cursor`, and returns its id. If it is active and no other one is, `here` becomes the
/// place that sends webhooks.
pub fn insert(
    tx: Tx<'_>,
    settings: &WebhookSettings,
    secret: &WebhookSecret,
    cursor: u64,
    here: &DataFolderId,
    now: i64,
) -> Result<u32, Error> {
    sending_place::take_if_idle(tx, here, settings.is_active)?;
    let sql = "INSERT INTO webhooks (id, url, description, types, is_full, is_active, cursor, secret, created_at, updated_at)
         VALUES (:id, :url, :description, :types, :is_full, :is_active, :cursor, :secret, :now, :now)";
    let id = last_id(*tx)? + 1;
    tx.run(sql, named_params! {
        ":id": id, ":url": settings.url, ":description": settings.description, ":types": settings.types.join(","),
        ":is_full": settings.is_full, ":is_active": settings.is_active, ":cursor": cursor,
        ":secret": secret.as_bytes(), ":now": now,
    })?;
    tx.note_webhooks();
    Ok(id)
}

/// Returns the highest id ever given to a webhook, or 0. Ignores the largest possible id, so that there is
/// always a next one.
pub(super) fn last_id(db: Db<'_>) -> Result<u32, Error> {
    let sql = "SELECT coalesce(max(id), 0) FROM
        (SELECT id FROM webhooks UNION ALL SELECT id FROM reserved_ids WHERE resource = ?1)
        WHERE id < 4294967295";
    db.value(sql, [RESOURCE])
}

/// Updates the settings. With a cursor, the webhook restarts after it and its failure state is reset. If it is active and
/// no webhook was, `here` becomes the place that sends webhooks.
pub fn update(
    tx: Tx<'_>,
    id: u32,
    settings: &WebhookSettings,
    cursor: Option<u64>,
    here: &DataFolderId,
    now: i64,
) -> Result<(), Error> {
    sending_place::take_if_idle(tx, here, settings.is_active)?;
    let sql =
        "UPDATE webhooks SET url = :url, description = :description, types = :types, is_full = :is_full,
             is_active = :is_active, cursor = coalesce(:cursor, cursor),
             is_stopped = iif(:cursor IS NULL, is_stopped, 0), failures = iif(:cursor IS NULL, failures, 0),
             failing_since = iif(:cursor IS NULL, failing_since, NULL), updated_at = :now
         WHERE id = :id";
    tx.run(sql, named_params! {
        ":url": settings.url, ":description": settings.description, ":types": settings.types.join(","),
        ":is_full": settings.is_full, ":is_active": settings.is_active, ":cursor": cursor, ":now": now, ":id": id,
    })?;
    tx.note_webhooks();
    Ok(())
}

/// Replaces the secret. The old one still signs for a day.
pub fn replace_secret(tx: Tx<'_>, id: u32, secret: &WebhookSecret, now: i64) -> Result<(), Error> {
    let sql = "UPDATE webhooks SET former = secret, former_until = :until, secret = :secret, updated_at = :now WHERE id = :id";
    let until = now + FORMER_SECRET_LIFETIME_SECONDS;
    tx.run(sql, named_params! { ":secret": secret.as_bytes(), ":until": until, ":now": now, ":id": id })?;
    tx.note_webhooks();
    Ok(())
}

/// Deletes a webhook with its deliveries. Returns `true` if it existed.
pub fn delete(tx: Tx<'_>, id: u32) -> Result<bool, Error> {
    let is_removed = tx.changed("DELETE FROM webhooks WHERE id = ?1", [id])? > 0;
    if is_removed {
        reserved_ids::reserve(tx.conn(), RESOURCE, id.into())?;
    }
    tx.note_webhooks();
    Ok(is_removed)
}

/// Moves the cursor of an active webhook from `from` to `to`. Returns `false` if it was moved or deactivated meanwhile.
pub fn move_cursor(tx: Tx<'_>, id: u32, from: u64, to: u64) -> Result<bool, Error> {
    let sql = "UPDATE webhooks SET cursor = ?3 WHERE id = ?1 AND cursor = ?2 AND is_active";
    Ok(tx.changed(sql, (id, from, to))? > 0)
}

/// Returns the error for a value that is not allowed in its column.
fn out_of_range(column: usize) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, String::new(), Type::Integer)
}
