//! The `replica` check of `pleito check`, and the `standby` check, which takes its place and that of `backups` in a standby.

use crate::clock::Clock;
use crate::config::Config;
use crate::domain::lang::Lang;
use crate::replica::ReplicaState;
use crate::supervisor::{replica_service, standby_setup};

/// Checks how well a standby follows. `None` for an office.
pub(super) fn check_standby(config: &Config, clock: &Clock, lang: Lang) -> Option<Result<String, String>> {
    // The folder is what it is, even if the settings contradict that.
    let to_begin = standby_setup::target_to_begin(config).unwrap_or_default();
    Some(match standby_setup::state(config, to_begin, clock.now()) {
        Ok(state) => {
            let state = state?;
            if state.is_up_to_date() { Ok(state.message(lang)) } else { Err(state.message(lang)) }
        }
        Err(fatal) => Err(fatal.message(lang)),
    })
}

/// Observes the replica. `None` if the office has none.
pub(super) fn check(config: &Config, lang: Lang) -> Option<Result<String, String>> {
    Some(match replica_service::status(config) {
        Ok(status) => {
            let (replica, observed) = status?;
            let text = format!("{}; {}", replica.target, observed.state.message(lang));
            if observed.state == ReplicaState::UpToDate { Ok(text) } else { Err(text) }
        }
        Err(fatal) => Err(fatal.message(lang)),
    })
}
