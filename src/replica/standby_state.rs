//! How well a standby follows, as its data folder tells (always 43).

use std::path::Path;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use super::{Replica, ReplicaError, ReplicaTarget, json_file};
use crate::domain::text::sentences::sentences;

/// The file that makes a data folder a standby: the configuration with which Litestream reads the replica.
pub const MARKER: &str = "pleito.standby";
/// The file with [`StandbyContent`].
pub(super) const STATE: &str = "pleito.followed";
/// A standby brings the newest state each minute.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(120);

/// What a standby knows about its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandbyContent {
    /// The office's state at this moment is served.
    pub as_of: Timestamp,
    /// The URL of the office, if it is known.
    pub office: Option<String>,
}

impl StandbyContent {
    /// Returns the age in whole seconds. 0 if the content dates from the future.
    pub fn age(&self, now: Timestamp) -> u64 {
        now.duration_since(self.as_of).as_secs().try_into().unwrap_or_default()
    }

    /// `true` if it is older than a standby that follows lets it become. Also if it dates from the future, because the clock
    /// was set back: its age cannot be known.
    pub fn is_behind(&self, now: Timestamp) -> bool {
        now.duration_since(self.as_of).abs() > MAX_AGE
    }
}

sentences! {
lang -> String;

/// The codes are those of `/health`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StandbyState {
    UpToDate(target: String, as_of: Zoned) = "standby-following" =>
        "reserva que acompanha {target}; tem o estado de {as_of}",
        "a standby that follows {target}; it has the state of {as_of}";
    Behind(target: String, as_of: Zoned) = "standby-behind" =>
        "reserva de {target} atrasada: só tem o estado de {as_of}. Veja se o Pleito está em execução aqui e se o destino está ao alcance; o porquê está no log",
        "a standby of {target} that is behind: it only has the state of {as_of}. See whether Pleito is running here and the target can be reached; the log says why";
    Empty(target: String) = "standby-behind" =>
        "reserva de {target} que ainda não tem nada dele. Inicie o Pleito aqui, se não está em execução; se está, o porquê está no log",
        "a standby of {target} that has nothing of it yet. Start Pleito here if it does not run; if it does, the log says why";
}
}

impl StandbyState {
    /// Reads the state of the standby in a data folder. `None` if the folder is not one.
    pub fn of(data: &Path, now: Timestamp, zone: &TimeZone) -> Result<Option<StandbyState>, ReplicaError> {
        let Some(replica) = Replica::read(data, MARKER)? else { return Ok(None) };
        Ok(Some(StandbyState::new(&replica.target, json_file::read(&data.join(STATE)), now, zone)))
    }

    /// Returns the state of a standby of `target` with this content.
    pub fn new(
        target: &ReplicaTarget,
        content: Option<StandbyContent>,
        now: Timestamp,
        zone: &TimeZone,
    ) -> StandbyState {
        let target = target.to_string();
        let Some(content) = content else { return StandbyState::Empty(target) };
        let as_of = content.as_of.to_zoned(zone.clone());
        match content.is_behind(now) {
            true => StandbyState::Behind(target, as_of),
            false => StandbyState::UpToDate(target, as_of),
        }
    }

    /// Returns the stable code for programs.
    pub fn code(&self) -> &'static str {
        self.own_code()
    }

    /// Returns the moment whose state the standby has. `None` if it has nothing yet.
    pub fn as_of(&self) -> Option<&Zoned> {
        match self {
            StandbyState::UpToDate(_, as_of) | StandbyState::Behind(_, as_of) => Some(as_of),
            StandbyState::Empty(_) => None,
        }
    }

    pub fn is_up_to_date(&self) -> bool {
        matches!(self, StandbyState::UpToDate(..))
    }
}
