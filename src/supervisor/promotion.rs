//! The promotion of a standby: makes it the office, and keeps the former one from serving (always 43).

use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::Fatal;
use super::fatal::{Doubts, HeldChanges};
use crate::clock::{Clock, within};
use crate::config::folders::moved_to;
use crate::domain::Lang;
use crate::replica::{Replica, Standby, Superseded};
use crate::store::{self, Store, journal};

/// Time that the target of a replica has to tell whether a standby was promoted. If it is on a machine that is off, the
/// system may block for minutes.
const MAX_LOOK_TIME: Duration = Duration::from_secs(5);

/// The outcome of a promotion.
#[derive(Debug, Serialize, Deserialize)]
pub struct Promoted {
    /// The moment whose state the office has, in seconds since 1970.
    pub as_of: i64,
    pub epoch: u64,
    /// Where this office is to replicate to.
    pub target: String,
}

/// Makes a standby the office, in steps that can be repeated until the last one. The next start of the server serves the
/// office. Fails with `Doubtful` if something speaks against it, unless `yes` is set, and with `Superseded` if another
/// standby was promoted meanwhile.
pub fn promote(
    standby: &Standby,
    store: &Store,
    yes: bool,
    clock: &Clock,
    zone: &TimeZone,
) -> Result<Promoted, Fatal> {
    let fetched = standby.fetch(|| clock.now()).map_err(Fatal::Replica)?;
    standby.refuse_other_store(&fetched, store).map_err(Fatal::Replica)?;
    let here = standby.change(store).map_err(Fatal::Replica)?;
    let doubts = standby.doubts(&fetched, here, clock.now(), zone);
    if !yes && !doubts.is_empty() {
        return Err(Fatal::Doubtful(Doubts(doubts)));
    }
    if fetched.contents.change >= here {
        standby.take(&fetched, store).map_err(Fatal::Replica)?;
    }
    let as_of = standby.followed().map_or(fetched.as_of, |followed| followed.as_of);
    let change = fetched.contents.change.max(here);
    let (epoch, replica) = standby.claim(&fetched, change).map_err(Fatal::Replica)?;
    replica.write(standby.secrets()).map_err(Fatal::Replica)?;
    standby.end().map_err(Fatal::Replica)?;
    // Another machine may have been promoted at the same moment.
    refuse_superseded_at(&replica)?;
    tracing::warn!(epoch, "the standby was promoted: the office is here");
    Ok(Promoted { as_of: as_of.as_second(), epoch, target: replica.target.to_string() })
}

/// Fails with `Superseded` if a standby was promoted in place of the office in a data folder, as far as its replica tells
/// or has ever told. Returns `false` if its target does not tell it, or not in time, or if the configuration that names
/// the target cannot be read.
pub fn refuse_superseded(data: &Path) -> Result<bool, Fatal> {
    match Replica::of(data) {
        Ok(Some(replica)) => refuse_superseded_at(&replica),
        other => refuse(data, Superseded::noted(data)).map(|()| other.is_ok()),
    }
}

/// Fails if the office of a data folder is elsewhere now: with `Moved` or `Superseded`.
pub fn refuse_elsewhere(data: &Path) -> Result<(), Fatal> {
    match moved_to(data) {
        Some(to) => Err(Fatal::Moved(data.to_owned(), to)),
        None => refuse_superseded(data).map(|_| ()),
    }
}

/// Like [`refuse_superseded`], by the target of this replica.
pub fn refuse_superseded_at(replica: &Replica) -> Result<bool, Fatal> {
    let looking = replica.clone();
    match within(MAX_LOOK_TIME, move || looking.superseded()) {
        Some(Ok(later)) => refuse(replica.data(), later).map(|()| true),
        Some(Err(cause)) => {
            let reason = cause.message(Lang::En);
            tracing::warn!(code = cause.code(), reason, "whether a standby was promoted cannot be read");
            Ok(false)
        }
        None => {
            tracing::warn!("the target of the replica does not tell whether a standby was promoted");
            refuse(replica.data(), Superseded::noted(replica.data())).map(|()| false)
        }
    }
}

/// Fails if there is a later office.
pub(super) fn refuse(data: &Path, later: Option<Superseded>) -> Result<(), Fatal> {
    let Some(later) = later else { return Ok(()) };
    let held = later.change.and_then(|change| {
        let held = Store::read_once(data, |db| journal::affected_records::count_after(db, change));
        held.inspect_err(|cause: &store::Error| tracing::warn!(%cause, "changes cannot be counted")).ok()
    });
    let held = if later.is_of_other { HeldChanges::OfOther } else { HeldChanges::Count(held) };
    // A claim that cannot be read does not tell it.
    let folder = if later.folder.is_empty() { "?".to_owned() } else { later.folder };
    let office = later.machine.map_or(folder.clone(), |machine| format!("{machine}: {folder}"));
    Err(Fatal::Superseded(data.to_owned(), later.epoch, office, held))
}
