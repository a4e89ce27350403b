//! The state of a replica: what Litestream tells on its control socket, compared with the last commit (always 42).
//!
//! Litestream says `replicating` also if nothing arrives, and logs a full disk once. What tells is the time of its last
//! sync: it moves on several times a second, also without writes, and stands still as soon as a sync fails.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Deserialize;

use super::control_socket::request;
use super::program::{OLDEST, is_new_enough};
use super::{MirroredDocuments, Replica};
use crate::domain::text::sentences::sentences;
use crate::files::beside;

/// A commit without a sync for so long counts as behind, or as standing still.
const BEHIND: SignedDuration = SignedDuration::from_secs(10);
const STANDING_STILL: SignedDuration = SignedDuration::from_secs(60);
/// A document without a copy for so long counts as missing. It is usually copied within a second.
const DOCUMENTS_BEHIND: SignedDuration = SignedDuration::from_mins(3);

sentences! {
lang -> String;

/// The codes are those of `/health`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplicaState {
    Following = "replica-following" => "a réplica acompanha", "the replica follows";
    Behind(since: Zoned) = "replica-behind" =>
        "a réplica está atrasada: tem o que foi gravado até {since}",
        "the replica is behind: it has what was written until {since}";
    StandingStill(since: Zoned) = "replica-standing-still" =>
        "a réplica está parada: tem o que foi gravado até {since}. Veja se o destino tem espaço e está ao alcance; o porquê está no log do Litestream",
        "the replica stands still: it has what was written until {since}. See whether the target has room and can be reached; the log of Litestream says why";
    Hung = "replica-hung" =>
        "a réplica está parada: o Litestream não responde. Reinicie-o",
        "the replica stands still: Litestream does not answer. Restart it";
    Gone = "replica-gone" =>
        "a réplica parou: nenhum Litestream em execução replica estes dados. Inicie-o, ou configure de novo: pleito replica set",
        "the replica has ended: no running Litestream replicates this data. Start it, or set it anew: pleito replica set";
    TargetGone(folder: PathBuf) = "replica-target-gone" =>
        "a pasta da réplica, {folder}, não está ao alcance ou não é mais deste escritório. Ligue o disco",
        "the folder of the replica, {folder}, cannot be reached or is no longer this office's. Plug the disk in";
    TooOld(version: String) = "replica-too-old" with (oldest = OLDEST) =>
        "a réplica é feita pelo Litestream {version}, que pode perder dados. Instale o {oldest} ou mais novo e reinicie-o",
        "the replica is made by Litestream {version}, which may lose data. Install {oldest} or newer and restart it";
    DocumentsBehind(missing: u64) = "replica-documents-behind" =>
        "faltam na réplica arquivos de documentos: {missing}. Veja se o destino tem espaço e se o Pleito está em execução",
        "files of documents are missing in the replica: {missing}. See whether the target has room and Pleito is running";
    Unreadable = "replica-unreadable" =>
        "a configuração do Litestream (litestream.json) não pode ser lida. Escreva-a de novo: pleito replica set",
        "the configuration of Litestream (litestream.json) cannot be read. Write it anew: pleito replica set";
}
}

impl ReplicaState {
    /// Returns the stable code for programs.
    pub fn code(&self) -> &'static str {
        self.own_code()
    }
}

/// What was observed of a replica at one moment.
pub struct Observation {
    pub state: ReplicaState,
    /// The version and the process id of the running Litestream.
    pub litestream: Option<(String, u32)>,
    pub last_sync: Option<Timestamp>,
    /// `None` if the target is on another machine, which gets no documents.
    pub documents: Option<MirroredDocuments>,
}

/// The answer to `/info`.
#[derive(Deserialize)]
struct Info {
    version: String,
    pid: u32,
    started_at: Timestamp,
}

/// The answer to `/list`.
#[derive(Deserialize)]
struct List {
    databases: Option<Vec<Database>>,
}

#[derive(Deserialize)]
struct Database {
    path: PathBuf,
    status: String,
    /// Missing before the first sync.
    last_sync_at: Option<Timestamp>,
}

impl Replica {
    /// Observes the replica. Takes up to 10 s if Litestream hangs.
    pub fn observe(&self, now: Timestamp, zone: &TimeZone) -> Observation {
        let mut observed =
            Observation { state: ReplicaState::Gone, litestream: None, last_sync: None, documents: None };
        observed.state = self.state(&mut observed, now, zone);
        if let Some(folder) = self.target.folder().filter(|_| !self.owns_folder()) {
            observed.state = ReplicaState::TargetGone(folder.to_owned());
        } else if let Some(documents) = self.documents() {
            observed.documents = documents.state().ok();
            let late = observed.documents.as_ref().filter(|documents| {
                documents.missing_since.is_some_and(|since| now.duration_since(since) > DOCUMENTS_BEHIND)
            });
            if let (ReplicaState::Following, Some(late)) = (&observed.state, late) {
                observed.state = ReplicaState::DocumentsBehind(late.missing);
            }
        }
        observed
    }

    /// Asks Litestream, and notes what it tells in `observed`.
    fn state(&self, observed: &mut Observation, now: Timestamp, zone: &TimeZone) -> ReplicaState {
        let info = match request::<Info>(&self.socket(), "/info") {
            Ok(info) => info,
            Err(cause) if cause.kind() == ErrorKind::TimedOut => return ReplicaState::Hung,
            Err(_) => return ReplicaState::Gone,
        };
        observed.litestream = Some((info.version.clone(), info.pid));
        if !is_new_enough(&info.version) {
            return ReplicaState::TooOld(info.version);
        }
        let list = request::<List>(&self.socket(), "/list").ok().and_then(|list| list.databases);
        let database = list.into_iter().flatten().find(|database| database.path == self.store);
        let Some(database) = database.filter(|database| self.is_here() && database.status == "replicating")
        else {
            return ReplicaState::Gone;
        };
        observed.last_sync = database.last_sync_at;
        let is_synced = match (database.last_sync_at, self.last_commit()) {
            (Some(sync), Some(commit)) => commit <= sync,
            (Some(_), None) => true,
            (None, _) => false,
        };
        // Before its first sync, a Litestream may have copied everything up to its end.
        let since = database.last_sync_at.unwrap_or(info.started_at);
        match now.duration_since(since) {
            _ if is_synced => ReplicaState::Following,
            waited if waited > STANDING_STILL => ReplicaState::StandingStill(since.to_zoned(zone.clone())),
            waited if waited > BEHIND => ReplicaState::Behind(since.to_zoned(zone.clone())),
            _ => ReplicaState::Following,
        }
    }

    /// `true` if the configuration is about this data folder: a moved office takes it along.
    fn is_here(&self) -> bool {
        fs::canonicalize(&self.data).is_ok_and(|data| self.store.parent() == Some(&*data))
    }

    /// Returns the time of the last commit of any process: that of the last write into the log. `None` if there is no log.
    fn last_commit(&self) -> Option<Timestamp> {
        let log = fs::metadata(beside(&self.store, "-wal")).ok()?;
        Timestamp::try_from(log.modified().ok()?).ok()
    }
}
