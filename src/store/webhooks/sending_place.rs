//! The place that sends webhooks: a data folder on a machine. A copy of the store elsewhere must not repeat the
//! messages of the original, so its webhooks wait until a person confirms that the copy sends them from now on.

use rusqlite::{Connection, Row};

use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::store::{DataFolderId, Db, Error, Tx};

impl DataFolderId {
    /// Formats why webhooks wait at the place `here`, as a clause after "because". `self` is the place that
    /// sent them before.
    pub fn message(&self, here: &DataFolderId, lang: Lang) -> String {
        let folder = &self.folder;
        match (folder.is_empty(), self.machine == here.machine) {
            (true, _) => lang
                .pick(
                    "estes dados são de um backup que não diz de onde os enviava",
                    "this data is from a backup that does not name the machine that sent them",
                )
                .to_owned(),
            (_, true) => localize!(
                lang,
                "estes dados os enviavam de outra pasta ({folder})",
                "this data sent them from another folder ({folder})"
            ),
            (_, false) => localize!(
                lang,
                "estes dados os enviavam de outro computador (pasta {folder})",
                "this data sent them from another machine (folder {folder})"
            ),
        }
    }
}

/// Returns the place that sends webhooks, or `None` if none has sent any yet.
pub fn sending_place(db: Db<'_>) -> Result<Option<DataFolderId>, Error> {
    let place = |row: &Row<'_>| Ok(DataFolderId { machine: row.get(0)?, folder: row.get(1)? });
    db.first("SELECT machine, folder FROM webhook_place", [], place)
}

/// Returns the place that sent webhooks before, if any webhook is active and waits at the place `here`.
pub fn former_place(db: Db<'_>, here: &DataFolderId) -> Result<Option<DataFolderId>, Error> {
    let is_active = db.has_row("SELECT 1 FROM webhooks WHERE is_active", [])?;
    Ok(sending_place(db)?.filter(|place| is_active && place != here))
}

/// Makes `here` the place that sends webhooks. Returns `true` if they were waiting.
pub fn send_from(tx: Tx<'_>, here: &DataFolderId) -> Result<bool, Error> {
    let waited = former_place(*tx, here)?.is_some();
    let sql = "INSERT INTO webhook_place (one, machine, folder) VALUES (1, ?1, ?2)
        ON CONFLICT (one) DO UPDATE SET machine = excluded.machine, folder = excluded.folder";
    tx.run(sql, (&here.machine, &here.folder))?;
    tx.note_webhooks();
    Ok(waited)
}

/// Makes `here` the place that sends webhooks if none is active and one becomes active. Precedes that write, in its
/// transaction, so that no backup has an active webhook without a place.
pub(super) fn take_if_idle(tx: Tx<'_>, here: &DataFolderId, becomes_active: bool) -> Result<(), Error> {
    let is_idle = !tx.has_row("SELECT 1 FROM webhooks WHERE is_active", [])?;
    if is_idle && becomes_active {
        send_from(tx, here)?;
    }
    Ok(())
}

/// Sets an unknown place in a copy without one, so that its webhooks wait.
pub(in crate::store) fn forget_where(copy: &Connection) -> Result<(), Error> {
    copy.execute("INSERT OR IGNORE INTO webhook_place (one, machine, folder) VALUES (1, '', '')", [])?;
    Ok(())
}
