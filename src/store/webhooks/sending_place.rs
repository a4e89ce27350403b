//! The place that sends webhooks: a data folder on a machine. A copy of the store elsewhere must not repeat the
//! messages of the original, so its webhooks wait until a person confirms that the copy sends them from now on.

use std::path::Path;
use std::time::UNIX_EPOCH;

use rusqlite::{Connection, Row};
use sha2::{Digest, Sha256};

use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::domain::text::hex::hex;
use crate::machine::machine_id;
use crate::store::{Db, Error, Tx};

/// Prefix of the machine id in the hash.
const PURPOSE: &str = "Pleito: the place that sends webhooks";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookPlace {
    /// Hash of the machine id.
    pub machine: String,
    /// Folder with links resolved; empty if unknown.
    pub folder: String,
}

impl WebhookPlace {
    /// Returns the place of a data folder on this machine. On a machine without an id, the creation time of the
    /// folder is used instead.
    pub fn of(data: &Path) -> WebhookPlace {
        let made = || {
            let made = std::fs::metadata(data).and_then(|folder| folder.created()).ok()?;
            Some(made.duration_since(UNIX_EPOCH).ok()?.as_nanos().to_string())
        };
        WebhookPlace::on(&machine_id().or_else(made).unwrap_or_default(), data)
    }

    fn on(machine: &str, data: &Path) -> WebhookPlace {
        let mut hash = Sha256::new();
        hash.update([PURPOSE, machine].concat());
        let machine = hex(&hash.finalize());
        let folder = std::fs::canonicalize(data).unwrap_or_else(|_| data.to_owned());
        WebhookPlace { machine, folder: folder.display().to_string() }
    }

    /// Formats why webhooks wait at the place `here`, as a clause after "because". `self` is the place that
    /// sent them before.
    pub fn message(&self, here: &WebhookPlace, lang: Lang) -> String {
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
pub fn sending_place(db: Db<'_>) -> Result<Option<WebhookPlace>, Error> {
    let place = |row: &Row<'_>| Ok(WebhookPlace { machine: row.get(0)?, folder: row.get(1)? });
    db.first("SELECT machine, folder FROM webhook_place", [], place)
}

/// Returns the place that sent webhooks before, if any webhook is active and waits at the place `here`.
pub fn former_place(db: Db<'_>, here: &WebhookPlace) -> Result<Option<WebhookPlace>, Error> {
    let is_active = db.has_row("SELECT 1 FROM webhooks WHERE is_active", [])?;
    Ok(sending_place(db)?.filter(|place| is_active && place != here))
}

/// Makes `here` the place that sends webhooks. Returns `true` if they were waiting.
pub fn send_from(tx: Tx<'_>, here: &WebhookPlace) -> Result<bool, Error> {
    let waited = former_place(*tx, here)?.is_some();
    let sql = "INSERT INTO webhook_place (one, machine, folder) VALUES (1, ?1, ?2)
        ON CONFLICT (one) DO UPDATE SET machine = excluded.machine, folder = excluded.folder";
    tx.run(sql, (&here.machine, &here.folder))?;
    tx.note_webhooks();
    Ok(waited)
}

/// Makes `here` the place that sends webhooks if none is active and one becomes active. Precedes that write, in its
/// transaction, so that no backup has an active webhook without a place.
pub(super) fn take_if_idle(tx: Tx<'_>, here: &WebhookPlace, becomes_active: bool) -> Result<(), Error> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_identified_by_machine_and_folder() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let here = WebhookPlace::on("m1", one.path());
        assert_eq!(
            here,
            WebhookPlace::on("m1", &one.path().join(".")),
            "the same folder, written differently"
        );
        assert_eq!(WebhookPlace::of(one.path()), WebhookPlace::of(one.path()));
        let elsewhere = WebhookPlace::on("m2", one.path());
        let beside = WebhookPlace::on("m1", other.path());
        assert!(here != elsewhere && here != beside);
        assert!(elsewhere.message(&here, Lang::En).contains("another machine"));
        assert!(beside.message(&here, Lang::En).contains("another folder"));
        let unknown = WebhookPlace { machine: String::new(), folder: String::new() };
        assert!(unknown.message(&here, Lang::En).contains("does not name the machine"));
        assert!(!here.machine.contains("m1"), "the machine's id is stored only as a hash");
    }
}
