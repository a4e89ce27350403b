//! The standby of an office on another machine: how a data folder becomes one (always 43). `promotion`
//! makes it the office.

use std::sync::Arc;

use super::Fatal;
use crate::clock::Clock;
use crate::config::Config;
use crate::replica::{Litestream, ReplicaTarget, Secrets, Standby};
use crate::store::{self, Store};

/// Returns the standby that the data folder is, or is to become by the setting `replica.target`. `None` for an office. The
/// caller has the lock of the folder, or a standby of this folder runs.
pub fn of(
    config: &Config,
    secrets: impl FnOnce(&ReplicaTarget) -> Result<Secrets, Fatal>,
) -> Result<Option<Standby>, Fatal> {
    let data = &config.folders.data;
    let wanted = match config.settings.replica.target.as_str() {
        "" => None,
        text => Some(ReplicaTarget::parse(text).map_err(Fatal::Replica)?),
    };
    let standby = Standby::of(data, Litestream::find).map_err(Fatal::Replica)?;
    match (standby, wanted) {
        (Some(standby), Some(target)) if !standby.follows(&target) => {
            Err(Fatal::FollowsAnother(data.clone(), standby.target().to_string()))
        }
        (Some(standby), _) => Ok(Some(standby)),
        (None, None) => Ok(None),
        // A setting or a service may still say so after the promotion.
        (None, Some(_)) if config.folders.has_office() => match Standby::was_in(data) {
            true => Ok(None),
            false => Err(Fatal::HasOffice(data.clone())),
        },
        (None, Some(target)) => {
            let secrets = secrets(&target)?;
            let litestream = Litestream::find().map_err(Fatal::Replica)?;
            Ok(Some(Standby::new(data, target, secrets, litestream)))
        }
    }
}

/// Opens the store of a standby. Brings its first copy if it has none. The caller has the lock of the folder.
pub fn open(standby: &Standby, clock: &Clock) -> Result<Arc<Store>, Fatal> {
    standby.begin(|| clock.now()).map_err(Fatal::Replica)?;
    let data = standby.data();
    let store = Store::open_standby(data).map_err(|cause| Fatal::Store(data.join(store::FILE), cause))?;
    Ok(Arc::new(store))
}
