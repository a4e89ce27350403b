//! The state of a replica: what Litestream tells on its control socket, compared with the last commit (always 42).
//!
//! Litestream says `replicating` also if nothing arrives, and logs a full disk once. What tells is the time of its last
//! sync: it moves on several times a second, also without writes, and stands still as soon as a sync fails.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use super::litestream::control_socket::request;
use super::litestream::version::{OLDEST, is_new_enough};
use super::replica_owner::{LITESTREAM, ReplicaOwner};
use super::{Litestream, MirroredDocuments, Replica, ReplicaTarget, Standby};
use crate::domain::text::sentences::sentences;
use crate::files::beside;

/// A commit without a sync for so long counts as behind, or as standing still.
const BEHIND: SignedDuration = SignedDuration::from_secs(10);
const STANDING_STILL: SignedDuration = SignedDuration::from_secs(60);
/// Time for the first sync of a Litestream, which copies the whole store if the target is new.
const FIRST_COPY: SignedDuration = SignedDuration::from_mins(15);
/// The level of Litestream's snapshots.
const MAX_LEVEL: u32 = 9;
/// A document without a copy for so long counts as missing. It is usually copied within a second.
const DOCUMENTS_BEHIND: SignedDuration = SignedDuration::from_mins(3);

sentences! {
lang -> String;

/// The codes are those of `/health`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplicaState {
    UpToDate = "replica-following" => "a réplica acompanha", "the replica follows";
    FirstCopy(since: Zoned) = "replica-first-copy" =>
        "a réplica começou em {since}, e a primeira cópia ainda não está completa",
        "the replica began at {since}, and its first copy is not complete yet";
    Behind(since: Zoned) = "replica-behind" =>
        "a réplica está atrasada: nada chega a ela desde {since}",
        "the replica is behind: nothing has arrived there since {since}";
    StandingStill(since: Zoned) = "replica-standing-still" =>
        "a réplica está parada: nada chega a ela desde {since}. Veja se o destino está ao alcance, tem espaço e aceita a senha ou a chave; o porquê está no log do Litestream",
        "the replica stands still: nothing has arrived there since {since}. See whether the target can be reached, has room, and takes the password or the key; the log of Litestream says why";
    Hung = "replica-hung" =>
        "a réplica está parada: o Litestream não responde. Veja se o destino está ao alcance e reinicie-o",
        "the replica stands still: Litestream does not answer. See whether the target can be reached, and restart it";
    Gone = "replica-gone" =>
        "a réplica não está em execução: nenhum Litestream replica estes dados. Veja como iniciá-lo: pleito replica status",
        "the replica does not run: no Litestream replicates this data. See how to start it: pleito replica status";
    /// The processes disturb each other, and their checkpoints keep the office from writing.
    ByAnother(process: u32) = "replica-by-another" =>
        "outro Litestream (processo {process}), com outra configuração, também replica estes dados: gravações demoram ou falham, e a réplica se estraga. Tire este escritório da configuração dele, ou encerre-o de vez, e configure a réplica em uma pasta nova (docs/pt/replica.md)",
        "another Litestream (process {process}), with another configuration, replicates this data too: writes wait or fail, and the replica is spoilt. Take this office out of its configuration, or end it for good, and set the replica in a new folder (docs/replica.md)";
    TargetGone(folder: PathBuf) = "replica-target-gone" =>
        "a pasta da réplica, {folder}, não está ao alcance. Ligue o disco",
        "the folder of the replica, {folder}, cannot be reached. Plug the disk in";
    /// The data folder was copied, or moved with its configuration.
    OfAnother(folder: PathBuf, office: String) = "replica-of-another" =>
        "a réplica em {folder} é do escritório de {office}, e este não tem nenhuma: os dados foram copiados ou mudados de pasta. Se aquele ainda atende, encerre um dos dois, pois ambos dariam os mesmos ids; senão, configure a réplica em uma pasta nova",
        "the replica in {folder} is that of the office of {office}, and this one has none: the data were copied or moved to another folder. If that office still serves, stop one of the two, as both would give the same ids; otherwise set the replica in a new folder";
    Incomplete(target: String) = "replica-incomplete" =>
        "em {target} falta uma parte da réplica, que assim não pode ser restaurada: algo foi apagado ali. Configure a réplica em uma pasta nova",
        "a part of the replica is missing in {target}, so it cannot be restored: something was deleted there. Set the replica in a new folder";
    /// An office that was promoted, whose Litestream has never run.
    NotBegun(command: String) = "replica-not-begun" =>
        "este escritório foi promovido e ainda não tem réplica. Configure-a com {command}: se esta máquina morrer, perde-se o que ele gravou",
        "this office was promoted and has no replica yet. Set it with {command}: if this machine dies, what it has written is lost";
    Unfenced(target: String) = "replica-promotion-unknown" =>
        "em {target} não se pode ler se uma reserva foi promovida no lugar deste escritório. Veja se o destino está ao alcance e aceita a senha ou a chave, se o Litestream está em PATH e se todas as máquinas usam a mesma conta do destino; o motivo está no log",
        "whether a standby was promoted in place of this office cannot be read in {target}. See whether the target can be reached and takes the password or the key, Litestream is in PATH, and all machines use the same account of the target; the log says why";
    Shared(folder: PathBuf) = "replica-shared" =>
        "outra máquina com os mesmos dados também atende e replica para {folder}: é um clone desta, e as duas estragam a réplica. Encerre uma, e configure a réplica da outra em uma pasta nova",
        "another machine with the same data also serves and replicates to {folder}: it is a clone of this one, and both spoil the replica. Stop one, and set the replica of the other in a new folder";
    TooOld(version: String) = "replica-too-old" with (oldest = OLDEST) =>
        "a réplica é feita pelo Litestream {version}, que pode perder dados. Instale o {oldest} ou mais novo e reinicie-o",
        "the replica is made by Litestream {version}, which may lose data. Install {oldest} or newer and restart it";
    DocumentsBehind(missing: u64) = "replica-documents-behind" =>
        "faltam na réplica arquivos de documentos: {missing}. Veja se o destino tem espaço e se o Pleito está em execução",
        "files of documents are missing in the replica: {missing}. See whether the target has room and Pleito is running";
    TestFailed(at: Zoned) = "replica-test-failed" =>
        "no teste de {at}, o que está na réplica não pôde ser aberto. Repita-o, para ver o motivo: pleito backup test",
        "in the test of {at}, what is in the replica could not be opened. Repeat it to see the reason: pleito backup test";
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

    /// Returns `Unfenced` in place of `UpToDate`. Any other state is what should be seen to first.
    pub fn unfenced(self, target: &ReplicaTarget) -> ReplicaState {
        match self {
            ReplicaState::UpToDate => ReplicaState::Unfenced(target.to_string()),
            state => state,
        }
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
    /// Observes the replica. Takes up to 15 s if Litestream or the folder of the target hangs, and up to a minute if another
    /// machine does.
    pub fn observe(&self, now: Timestamp, zone: &TimeZone) -> Observation {
        let mut observed =
            Observation { state: ReplicaState::Gone, litestream: None, last_sync: None, documents: None };
        observed.state = self.state(&mut observed, now, zone);
        if let Some(other) = self.other_litestream() {
            observed.state = ReplicaState::ByAnother(other);
            return observed;
        }
        if let Some(folder) = self.target.folder().filter(|_| !self.target.answers()) {
            observed.state = ReplicaState::TargetGone(folder.to_owned());
            return observed;
        }
        if let Some(folder) = self.target.folder().filter(|_| !self.owns_folder()) {
            observed.state = match ReplicaOwner::read(folder).ok().flatten() {
                Some(owner) => ReplicaState::OfAnother(folder.to_owned(), owner.folder),
                None => ReplicaState::TargetGone(folder.to_owned()),
            };
        } else if let Some(documents) = self.documents() {
            observed.documents = documents.state(now).ok();
            let late = observed.documents.as_ref().filter(|documents| {
                documents.missing_since.is_some_and(|since| now.duration_since(since) > DOCUMENTS_BEHIND)
            });
            if let (ReplicaState::UpToDate, Some(late)) = (&observed.state, late) {
                observed.state = ReplicaState::DocumentsBehind(late.missing);
            }
        }
        if observed.state == ReplicaState::UpToDate
            && let Some(ranges) = self.transactions_at_target()
        {
            let is_removed = ranges.is_empty() && !self.transactions_here().is_empty();
            let missing_since = self.missing_since(&ranges);
            let late = missing_since.and_then(|since| late(since, now, zone));
            observed.state = match !is_removed && is_complete(ranges) {
                true => late.unwrap_or(ReplicaState::UpToDate),
                false => ReplicaState::Incomplete(self.target.to_string()),
            };
        }
        let failed = self.last_test().filter(|last| last.problem.is_some());
        if let (ReplicaState::UpToDate, Some(failed)) = (&observed.state, failed) {
            observed.state = ReplicaState::TestFailed(failed.at.to_zoned(zone.clone()));
        }
        observed
    }

    /// Returns the first and the last transaction of each file at the target. `None` if they cannot be listed.
    fn transactions_at_target(&self) -> Option<Vec<(u64, u64)>> {
        if let ReplicaTarget::File { path } = &self.target {
            return transactions_in(path);
        }
        Litestream::find().ok()?.transactions(self, &self.configured_secrets().ok()?).ok()
    }

    /// Returns the time of the oldest transaction that Litestream has read and that is not in these files at the target. A sync
    /// that has ended may have brought only a part, if the target is slower than the writes.
    fn missing_since(&self, at_target: &[(u64, u64)]) -> Option<Timestamp> {
        let newest = at_target.iter().map(|(_, last)| *last).max()?;
        let missing = self.transactions_here().into_iter().filter(|(first, _)| *first > newest);
        let (_, file) = missing.min_by_key(|(first, _)| *first)?;
        Timestamp::try_from(fs::metadata(file).ok()?.modified().ok()?).ok()
    }

    /// Returns the latest transactions that Litestream has read, each with its file beside the store.
    fn transactions_here(&self) -> Vec<(u64, PathBuf)> {
        let files = fs::read_dir(self.data.join(LITESTREAM).join("ltx/0")).into_iter().flatten().flatten();
        let number = |file: &fs::DirEntry| transactions(&file.file_name().to_string_lossy());
        files.filter_map(|file| Some((number(&file)?.0, file.path()))).collect()
    }

    /// Asks Litestream, and notes what it tells in `observed`.
    fn state(&self, observed: &mut Observation, now: Timestamp, zone: &TimeZone) -> ReplicaState {
        let info = match request::<Info>(&self.socket(), "GET /info", "") {
            Ok(info) => info,
            Err(cause) if cause.kind() == ErrorKind::TimedOut => return ReplicaState::Hung,
            Err(_) if Standby::was_in(&self.data) && !self.was_replicated() => {
                return ReplicaState::NotBegun(self.line_to_set());
            }
            // A second one that has ended took the socket along.
            Err(_) if self.own_litestream().is_some() => return ReplicaState::Hung,
            Err(_) => return ReplicaState::Gone,
        };
        observed.litestream = Some((info.version.clone(), info.pid));
        if !is_new_enough(&info.version) {
            return ReplicaState::TooOld(info.version);
        }
        let list = match request::<List>(&self.socket(), "GET /list", "") {
            // It waits for a target that does not answer.
            Err(cause) if cause.kind() == ErrorKind::TimedOut => return ReplicaState::Hung,
            list => list.ok().and_then(|list| list.databases),
        };
        let database = list.into_iter().flatten().find(|database| database.path == self.store);
        let Some(database) = database.filter(|database| self.is_here() && database.status == "replicating")
        else {
            return ReplicaState::Gone;
        };
        observed.last_sync = database.last_sync_at;
        let is_synced = self.last_commit().is_none_or(|commit| Some(commit) <= database.last_sync_at);
        match database.last_sync_at {
            Some(_) if is_synced => ReplicaState::UpToDate,
            Some(since) => late(since, now, zone).unwrap_or(ReplicaState::UpToDate),
            None => {
                let since = info.started_at.to_zoned(zone.clone());
                match now.duration_since(info.started_at) <= FIRST_COPY {
                    true => ReplicaState::FirstCopy(since),
                    false => ReplicaState::StandingStill(since),
                }
            }
        }
    }

    /// Lets Litestream try again at once: after failures it waits up to five minutes. Its answer comes after that, and
    /// the next observation tells more.
    pub fn retry(&self) {
        let body = json!({ "path": self.store, "wait": true, "timeout": 30 });
        let _ = request::<IgnoredAny>(&self.socket(), "POST /sync", &body.to_string());
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

/// Returns the state of a replica at which nothing has arrived since then. `None` if that is not long ago.
fn late(since: Timestamp, now: Timestamp, zone: &TimeZone) -> Option<ReplicaState> {
    let waited = now.duration_since(since);
    let since = since.to_zoned(zone.clone());
    match waited {
        _ if waited <= BEHIND => None,
        _ if waited <= STANDING_STILL => Some(ReplicaState::Behind(since)),
        _ => Some(ReplicaState::StandingStill(since)),
    }
}

/// Returns the first and the last transaction of each file of a replica in a folder. Their names are `FIRST-LAST.ltx` in
/// hexadecimal. `None` if they cannot be listed.
fn transactions_in(replica: &Path) -> Option<Vec<(u64, u64)>> {
    let mut all = Vec::new();
    // Upwards: Litestream writes a file of a level before it removes those of the level below that are in it.
    for level in 0..=MAX_LEVEL {
        match fs::read_dir(replica.join(format!("ltx/{level}"))) {
            Ok(files) => {
                let names = files.flatten().map(|file| file.file_name());
                all.extend(names.filter_map(|name| transactions(&name.to_string_lossy())));
            }
            Err(cause) if cause.kind() == ErrorKind::NotFound => {}
            Err(_) => return None,
        }
    }
    Some(all)
}

/// Returns `true` if the files of a replica lead from the first transaction to the newest one without a gap.
fn is_complete(mut ranges: Vec<(u64, u64)>) -> bool {
    ranges.sort_unstable();
    let newest = ranges.iter().map(|(_, last)| *last).max().unwrap_or_default();
    let reached = ranges.iter().fold(0, |reached: u64, (first, last)| match *first <= reached + 1 {
        true => reached.max(*last),
        false => reached,
    });
    reached == newest
}

/// Returns the first and the last transaction in a file of Litestream, by its name.
fn transactions(name: &str) -> Option<(u64, u64)> {
    let (first, last) = name.strip_suffix(".ltx")?.split_once('-')?;
    Some((u64::from_str_radix(first, 16).ok()?, u64::from_str_radix(last, 16).ok()?))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Read, Write};
    use std::os::unix::net::UnixListener;
    use std::thread;

    use super::*;
    use crate::domain::Lang;
    use crate::replica::ReplicaTarget;
    use crate::store;

    const INFO: &str = r#"{"version":"0.5.17","pid":7,"uptime_seconds":1,"started_at":"2026-11-27T12:00:00Z","database_count":1}"#;

    struct Office {
        folder: tempfile::TempDir,
        replica: Replica,
        now: Timestamp,
    }

    impl Office {
        /// Creates an office whose last commit was at `at`.
        fn new(at: &str) -> Office {
            let folder = tempfile::tempdir().unwrap();
            let data = folder.path().join("data");
            fs::create_dir(&data).unwrap();
            fs::write(data.join(store::FILE), "").unwrap();
            let log = fs::File::create(data.join("pleito.db-wal")).unwrap();
            log.set_modified(at.parse::<Timestamp>().unwrap().into()).unwrap();
            let target = ReplicaTarget::parse(&folder.path().join("replica").to_string_lossy()).unwrap();
            let replica = Replica::new(&data, target).unwrap();
            replica.take_folder().unwrap();
            Office { folder, replica, now: "2026-11-27T12:10:00Z".parse().unwrap() }
        }

        /// Answers requests as Litestream does. With `None`, it accepts them and never answers.
        fn litestream(&self, info: Option<&'static str>, list: String) {
            let socket = self.replica.socket();
            let _ = fs::remove_file(&socket);
            let listener = UnixListener::bind(socket).unwrap();
            thread::spawn(move || {
                let mut held = Vec::new();
                for stream in listener.incoming() {
                    let mut stream = stream.unwrap();
                    let mut request = [0; 512];
                    let length = stream.read(&mut request).unwrap();
                    let request = String::from_utf8_lossy(&request[..length]).into_owned();
                    let Some(info) = info else {
                        held.push(stream);
                        continue;
                    };
                    let (head, body) = match request.lines().next().unwrap() {
                        "GET /info HTTP/1.0" => ("200 OK", info),
                        // It waits for the target.
                        "GET /list HTTP/1.0" if list.is_empty() => {
                            held.push(stream);
                            continue;
                        }
                        "GET /list HTTP/1.0" => ("200 OK", &*list),
                        _ => ("404 Not Found", "404 page not found\n"),
                    };
                    let head = format!("HTTP/1.0 {head}\r\nContent-Type: application/json\r\n\r\n");
                    // Clients may close early.
                    let _ =
                        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
                }
            });
        }

        /// Lists this office after another one that has never been synced, as Litestream over a folder does.
        fn listed(&self, status: &str, rest: &str) -> String {
            let path = self.replica.store().display();
            format!(
                r#"{{"databases":[{{"path":"/other/pleito.db","status":"replicating"}},{{"path":"{path}","status":"{status}"{rest}}}]}}"#
            )
        }

        fn synced(&self, at: &str) -> String {
            self.listed("replicating", &format!(r#","last_sync_at":"{at}""#))
        }

        fn observed(&self) -> Observation {
            self.replica.observe(self.now, &TimeZone::UTC)
        }

        fn code(&self) -> &'static str {
            self.observed().state.code()
        }
    }

    #[test]
    fn a_sync_that_has_brought_only_a_part_is_late() {
        let office = Office::new("2026-11-27T12:09:59Z");
        office.litestream(Some(INFO), office.synced("2026-11-27T12:09:59.9Z"));
        let target = office.folder.path().join("replica/pleito-replica/ltx/0");
        let local = office.replica.data().join(LITESTREAM).join("ltx/0");
        let file = |folder: &Path, number: u64, at: &str| {
            fs::create_dir_all(folder).unwrap();
            let file = fs::File::create(folder.join(format!("{number:016x}-{number:016x}.ltx"))).unwrap();
            file.set_modified(at.parse::<Timestamp>().unwrap().into()).unwrap();
        };
        for (number, at) in (1..).zip(["08:00:00", "08:30:00", "12:09:00", "12:09:58"]) {
            file(&local, number, &format!("2026-11-27T{at}Z"));
        }
        assert_eq!(office.code(), "replica-incomplete", "it was removed");
        for (number, code) in [
            (1, "replica-standing-still"),
            (2, "replica-behind"),
            (3, "replica-following"),
            (4, "replica-following"),
        ] {
            file(&target, number, "2026-11-27T12:00:00Z");
            assert_eq!(office.code(), code, "{number}");
        }
    }

    #[test]
    fn a_list_that_does_not_come_is_no_ended_litestream() {
        let office = Office::new("2026-11-27T12:09:59Z");
        office.litestream(Some(INFO), String::new());
        assert_eq!(office.code(), "replica-hung");
    }

    #[test]
    fn the_last_sync_is_compared_with_the_last_commit() {
        for (commit, sync, code) in [
            // Everything is there, however long ago that was.
            ("2026-11-27T08:00:00Z", "2026-11-27T12:09:59.9Z", "replica-following"),
            ("2026-11-27T08:00:00Z", "2026-11-27T08:00:00.3Z", "replica-following"),
            // It says `replicating`, and nothing arrives.
            ("2026-11-27T12:05:00Z", "2026-11-27T12:04:59.8Z", "replica-standing-still"),
            ("2026-11-27T12:09:59Z", "2026-11-27T12:08:59Z", "replica-standing-still"),
            ("2026-11-27T12:09:59Z", "2026-11-27T12:09:00Z", "replica-behind"),
            ("2026-11-27T12:09:59Z", "2026-11-27T12:09:49Z", "replica-behind"),
            ("2026-11-27T12:09:59.9Z", "2026-11-27T12:09:50Z", "replica-following"),
            // The clock was set back between the sync and now.
            ("2026-11-28T12:00:00Z", "2026-11-28T11:00:00Z", "replica-following"),
        ] {
            let office = Office::new(commit);
            office.litestream(Some(INFO), office.synced(sync));
            let observed = office.observed();
            assert_eq!(observed.state.code(), code, "{commit} {sync}");
            assert_eq!(observed.last_sync, sync.parse().ok());
            assert_eq!(observed.litestream, Some(("0.5.17".to_owned(), 7)));
        }
    }

    #[test]
    fn a_target_that_was_never_reached_is_noticed() {
        let mut office = Office::new("2026-11-27T11:00:00Z");
        office.litestream(Some(INFO), office.listed("replicating", ""));
        assert_eq!(office.code(), "replica-first-copy");
        office.now = "2026-11-27T12:16:00Z".parse().unwrap();
        let state = office.observed().state;
        assert_eq!(state.code(), "replica-standing-still");
        assert!(state.message(Lang::Pt).contains("27/11/2026 12:00"), "{}", state.message(Lang::Pt));
    }

    #[test]
    fn a_litestream_that_does_not_replicate_this_store_counts_as_gone() {
        let office = Office::new("2026-11-27T12:00:00Z");
        assert_eq!(office.code(), "replica-gone", "no socket");
        for list in [
            r#"{"databases":[]}"#.to_owned(),
            r#"{"databases":null}"#.to_owned(),
            "not found".to_owned(),
            r#"{"databases":[{"path":"/other/pleito.db","status":"replicating","last_sync_at":"2026-11-27T12:09:59Z"}]}"#.to_owned(),
            office.listed("stopped", r#","last_sync_at":"2026-11-27T12:09:59Z""#),
            office.listed("open", r#","last_sync_at":"2026-11-27T12:09:59Z""#),
        ] {
            office.litestream(Some(INFO), list.clone());
            assert_eq!(office.code(), "replica-gone", "{list}");
        }
        // A killed one leaves its socket.
        drop(UnixListener::bind({
            let _ = fs::remove_file(office.replica.socket());
            office.replica.socket()
        }));
        assert_eq!(office.code(), "replica-gone");
    }

    #[test]
    fn a_configuration_that_was_moved_with_its_office_names_the_former_folder() {
        let office = Office::new("2026-11-27T12:00:00Z");
        let moved = office.folder.path().join("moved");
        fs::create_dir(&moved).unwrap();
        let replica = Replica { data: moved.clone(), ..office.replica.clone() };
        let there = Office { replica, folder: office.folder, now: office.now };
        there.litestream(Some(INFO), there.synced("2026-11-27T12:09:59Z"));
        // Its record is about the former folder, too.
        let former = fs::canonicalize(there.folder.path().join("data")).unwrap().display().to_string();
        let folder = there.replica.target.folder().unwrap().to_owned();
        assert_eq!(there.observed().state, ReplicaState::OfAnother(folder, former));
        fs::remove_dir_all(there.folder.path().join("replica")).unwrap();
        let target = ReplicaTarget::parse("s3://bucket/office").unwrap();
        let there = Office { replica: Replica { target, ..there.replica }, ..there };
        assert_eq!(there.code(), "replica-gone");
    }

    #[test]
    fn a_hung_and_an_old_litestream_are_named() {
        let office = Office::new("2026-11-27T12:00:00Z");
        office.litestream(None, String::new());
        assert_eq!(office.code(), "replica-hung");
        let old = r#"{"version":"0.5.16","pid":7,"started_at":"2026-11-27T12:00:00Z"}"#;
        office.litestream(Some(old), office.synced("2026-11-27T12:09:59Z"));
        let state = office.observed().state;
        assert_eq!(state, ReplicaState::TooOld("0.5.16".to_owned()));
    }

    #[test]
    fn an_unplugged_disk_is_noticed_without_a_write() {
        let office = Office::new("2026-11-27T08:00:00Z");
        office.litestream(Some(INFO), office.synced("2026-11-27T12:09:59Z"));
        assert_eq!(office.code(), "replica-following");
        let folder = office.replica.target.folder().unwrap();
        let unplugged = office.folder.path().join("unplugged");
        fs::rename(folder, &unplugged).unwrap();
        assert_eq!(office.code(), "replica-target-gone");
        // The folder at which a disk is mounted stays.
        fs::create_dir(folder).unwrap();
        assert_eq!(office.code(), "replica-target-gone");
        fs::remove_dir(folder).unwrap();
        fs::rename(&unplugged, folder).unwrap();
        assert_eq!(office.code(), "replica-following");
    }

    #[test]
    fn a_document_that_is_not_copied_counts_after_minutes() {
        let office = Office::new("2026-11-27T08:00:00Z");
        office.litestream(Some(INFO), office.synced("2026-11-27T12:09:59Z"));
        let documents = office.replica.data().join("documents");
        fs::create_dir(&documents).unwrap();
        let hash = crate::domain::ContentHash::of_digest([7; 32]);
        let file = fs::File::create(documents.join(hash.as_str())).unwrap();
        let stored = |at: &str| file.set_modified(at.parse::<Timestamp>().unwrap().into()).unwrap();
        stored("2026-11-27T12:08:00Z");
        assert_eq!(office.code(), "replica-following");
        stored("2026-11-27T12:06:00Z");
        let observed = office.observed();
        assert_eq!(observed.state, ReplicaState::DocumentsBehind(1));
        assert_eq!(observed.documents.unwrap().missing_since, "2026-11-27T12:06:00Z".parse().ok());
    }

    #[test]
    fn documents_that_are_still_being_copied_are_not_behind() {
        let office = Office::new("2026-11-27T08:00:00Z");
        office.litestream(Some(INFO), office.synced("2026-11-27T12:09:59Z"));
        let documents = office.replica.data().join("documents");
        let copies = office.replica.target.folder().unwrap().join("pleito-replica-documents");
        let configuration = office.replica.data().join("litestream.json");
        fs::create_dir(&documents).unwrap();
        fs::write(&configuration, "{}").unwrap();
        let modified = |path: &Path, at: &str| {
            fs::File::open(path).unwrap().set_modified(at.parse::<Timestamp>().unwrap().into()).unwrap();
        };
        let old = documents.join(crate::domain::ContentHash::of_digest([7; 32]).as_str());
        fs::write(&old, "").unwrap();
        modified(&old, "2025-01-02T12:00:00Z");
        modified(&configuration, "2026-11-27T12:08:00Z");
        assert_eq!(office.code(), "replica-following", "the replica is new");
        modified(&configuration, "2026-11-27T12:06:00Z");
        assert_eq!(office.code(), "replica-documents-behind");
        fs::create_dir(&copies).unwrap();
        modified(&copies, "2026-11-27T12:08:00Z");
        assert_eq!(office.code(), "replica-following", "the last copy was just made");
        modified(&copies, "2026-11-27T12:11:00Z");
        assert_eq!(office.code(), "replica-documents-behind", "by a clock that is ahead");
    }

    #[test]
    fn a_replica_with_a_gap_is_incomplete() {
        let office = Office::new("2026-11-27T12:00:00Z");
        office.litestream(Some(INFO), office.synced("2026-11-27T12:09:59Z"));
        let ltx = office.replica.target.folder().unwrap().join("pleito-replica/ltx");
        let replicated = |files: &[&str]| {
            let _ = fs::remove_dir_all(&ltx);
            for file in files {
                let file = ltx.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
            office.code()
        };
        for (files, code) in [
            (&["0/01-01.ltx", "0/02-02.ltx", "0/03-03.ltx.tmp"][..], "replica-following"),
            (&["9/01-0f.ltx", "1/05-11.ltx", "0/10-10.ltx", "0/12-12.ltx"], "replica-following"),
            // Everything was deleted, the snapshot, a middle part; an older state was brought back.
            (&["0/04-04.ltx", "1/03-04.ltx"], "replica-incomplete"),
            (&["1/05-11.ltx", "0/12-12.ltx"], "replica-incomplete"),
            (&["9/01-0f.ltx", "0/11-11.ltx"], "replica-incomplete"),
            (&["9/01-02.ltx", "0/03-03.ltx", "0/12-12.ltx"], "replica-incomplete"),
        ] {
            assert_eq!(replicated(files), code, "{files:?}");
        }
    }
}
