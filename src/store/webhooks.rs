//! Webhooks: who is told of changes, how far, and how that goes (events 21.1).

mod deliveries;
mod place;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

pub use deliveries::{
    Attempt, Delivery, DeliveryStatus, Ended, Event, attempted, dismiss, drop_delivery, due, failed,
    failed_between, find as find_delivery, forget_delivered, has_delivered_before, make, page, retry,
    send_again, wait,
};

pub(super) use place::forget_where;
pub use place::{WebhookPlace, former_place, send_from, sending_place};

use super::{Db, Error, Tx};
use crate::domain::WebhookSecret;
use crate::domain::id::{Noun, Word};

/// Under which name `reserved_ids` has the highest id that was given to a webhook which is gone: whoever kept the id of a
/// deleted webhook must not reach another one by it.
const RESOURCE: &str = "webhooks";

/// How many there may be (events 21.1).
pub const MOST: usize = 20;

/// For how many seconds a secret that was replaced signs along (events 21.1).
const FORMER_SIGNS: i64 = 24 * 60 * 60;

/// A program that is told of changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: u32,
    /// What may be written of it.
    pub settings: WebhookSettings,
    /// Whether its receiver wants nothing any more.
    pub is_stopped: bool,
    /// The last change that was looked at for it.
    pub cursor: u64,
    /// What signs.
    pub secret: WebhookSecret,
    /// What signed before, and until when it signs along, in seconds since 1970.
    pub former: Option<(WebhookSecret, i64)>,
    /// How many attempts have failed since one succeeded.
    pub failures: u32,
    /// When the first of those was, in seconds since 1970.
    pub failing_since: Option<i64>,
    /// When the last attempt was, in milliseconds since 1970.
    pub attempted_at: Option<i64>,
    /// When one last succeeded, in seconds since 1970.
    pub last_success_at: Option<i64>,
    /// When one last failed, in seconds since 1970, and how: the status that was answered, or why nothing was.
    pub last_failure: Option<(i64, String)>,
    /// When it was made, in seconds since 1970.
    pub created_at: i64,
    /// When it was last changed, in seconds since 1970.
    pub updated_at: i64,
}

/// What may be written of a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSettings {
    /// Where its messages go.
    pub url: String,
    /// What it is for.
    pub description: Option<String>,
    /// The types of messages that it wants; `*` for all.
    pub types: Vec<String>,
    /// Whether messages bring the record along.
    pub is_full: bool,
    /// Whether anything is made and sent.
    pub is_active: bool,
}

impl Noun for Webhook {
    const WORD: Word = Word("webhook", "webhook");
}

impl Webhook {
    /// Whether it wants messages of that type.
    pub fn wants(&self, ty: &str) -> bool {
        self.settings.types.iter().any(|own| own == "*" || own == ty)
    }

    /// Whether it has failed for that many seconds, with none that succeeded.
    pub fn is_failing_for(&self, seconds: i64, now: i64) -> bool {
        self.settings.is_active && self.failing_since.is_some_and(|since| now - since >= seconds)
    }

    /// The secrets that sign at that moment, the newest first.
    pub fn secrets(&self, now: i64) -> impl Iterator<Item = &WebhookSecret> {
        let former = self.former.iter().filter(move |(_, until)| now < *until);
        [&self.secret].into_iter().chain(former.map(|(secret, _)| secret))
    }
}

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
        is_stopped: row.get(6)?,
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

/// All of them, by their ids.
///
/// # Errors
/// Why the store cannot be read.
pub fn all(db: Db<'_>) -> Result<Vec<Webhook>, Error> {
    let sql = ["SELECT ", COLUMNS, " FROM webhooks ORDER BY id"].concat();
    let mut statement = db.conn().prepare_cached(&sql)?;
    let all = statement.query_map([], webhook)?;
    Ok(all.collect::<Result<_, _>>()?)
}

/// The one with that id.
///
/// # Errors
/// Why the store cannot be read.
pub fn find(db: Db<'_>, id: u32) -> Result<Option<Webhook>, Error> {
    let sql = ["SELECT ", COLUMNS, " FROM webhooks WHERE id = ?1"].concat();
    Ok(db.conn().prepare_cached(&sql)?.query_row([id], webhook).optional()?)
}

/// Adds one that begins behind `cursor`; its id.
///
/// # Errors
/// Why the store cannot be written.
pub fn insert(
    tx: Tx<'_>,
    settings: &WebhookSettings,
    secret: &WebhookSecret,
    cursor: u64,
    now: i64,
) -> Result<u32, Error> {
    place::forget_if_idle(tx)?;
    let mut statement = tx.conn().prepare_cached(
        "INSERT INTO webhooks (id, url, description, types, is_full, is_active, cursor, secret, created_at, updated_at)
         VALUES (:id, :url, :description, :types, :is_full, :is_active, :cursor, :secret, :now, :now)",
    )?;
    let id = last_id(*tx)? + 1;
    statement.execute(named_params! {
        ":id": id, ":url": settings.url, ":description": settings.description, ":types": settings.types.join(","),
        ":is_full": settings.is_full, ":is_active": settings.is_active, ":cursor": cursor,
        ":secret": secret.as_bytes(), ":now": now,
    })?;
    tx.note_webhooks();
    Ok(id)
}

/// The highest id that was ever given to a webhook; 0 if there was none. The very last one does not count, so that there is one
/// behind it.
///
/// # Errors
/// Why the store cannot be read.
pub(super) fn last_id(db: Db<'_>) -> Result<u32, Error> {
    let sql = "SELECT coalesce(max(id), 0) FROM
        (SELECT id FROM webhooks UNION ALL SELECT id FROM reserved_ids WHERE resource = ?1)
        WHERE id < 4294967295";
    Ok(db.conn().prepare_cached(sql)?.query_row([RESOURCE], |row| row.get(0))?)
}

/// Gives no id up to that one to a webhook any more.
///
/// # Errors
/// Why the store cannot be written.
pub(super) fn reserve_ids(conn: &Connection, last: u32) -> Result<(), Error> {
    let sql =
        "INSERT INTO reserved_ids (resource, id) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET id = max(id, ?2)";
    conn.prepare_cached(sql)?.execute((RESOURCE, last))?;
    Ok(())
}

/// Writes what may be written; with a cursor, it begins behind that, and whatever its receiver said before is forgotten.
///
/// # Errors
/// Why the store cannot be written.
pub fn update(
    tx: Tx<'_>,
    id: u32,
    settings: &WebhookSettings,
    cursor: Option<u64>,
    now: i64,
) -> Result<(), Error> {
    place::forget_if_idle(tx)?;
    let mut statement = tx.conn().prepare_cached(
        "UPDATE webhooks SET url = :url, description = :description, types = :types, is_full = :is_full,
             is_active = :is_active, cursor = coalesce(:cursor, cursor),
             is_stopped = iif(:cursor IS NULL, is_stopped, 0), failures = iif(:cursor IS NULL, failures, 0),
             failing_since = iif(:cursor IS NULL, failing_since, NULL), updated_at = :now
         WHERE id = :id",
    )?;
    statement.execute(named_params! {
        ":url": settings.url, ":description": settings.description, ":types": settings.types.join(","),
        ":is_full": settings.is_full, ":is_active": settings.is_active, ":cursor": cursor, ":now": now, ":id": id,
    })?;
    tx.note_webhooks();
    Ok(())
}

/// Has another secret sign; the one before signs along for a day.
///
/// # Errors
/// Why the store cannot be written.
pub fn replace_secret(tx: Tx<'_>, id: u32, secret: &WebhookSecret, now: i64) -> Result<(), Error> {
    let mut statement = tx.conn().prepare_cached(
        "UPDATE webhooks SET former = secret, former_until = :until, secret = :secret, updated_at = :now WHERE id = :id",
    )?;
    let until = now + FORMER_SIGNS;
    statement.execute(named_params! {
        ":secret": secret.as_bytes(), ":until": until, ":now": now, ":id": id,
    })?;
    tx.note_webhooks();
    Ok(())
}

/// Removes one with all that was to be told to it; whether it was there.
///
/// # Errors
/// Why the store cannot be written.
pub fn delete(tx: Tx<'_>, id: u32) -> Result<bool, Error> {
    let is_removed = tx.conn().prepare_cached("DELETE FROM webhooks WHERE id = ?1")?.execute([id])? > 0;
    if is_removed {
        reserve_ids(tx.conn(), id)?;
    }
    tx.note_webhooks();
    Ok(is_removed)
}

/// Moves the cursor of one from where it was, where nobody has moved it meanwhile; whether it did.
///
/// # Errors
/// Why the store cannot be written.
pub fn move_cursor(tx: Tx<'_>, id: u32, from: u64, to: u64) -> Result<bool, Error> {
    let sql = "UPDATE webhooks SET cursor = ?3 WHERE id = ?1 AND cursor = ?2 AND is_active";
    Ok(tx.conn().prepare_cached(sql)?.execute((id, from, to))? > 0)
}

/// What stands in a column where only few things may.
fn out_of_range(column: usize) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, String::new(), Type::Integer)
}
