//! Sets up the replica of an office: Litestream's configuration, and the unit of systemd that runs Litestream.

use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use super::os_user::{self, Use, owner};
use super::promotion::{refuse, refuse_superseded, refuse_superseded_at};
use super::{Fatal, Instance, refuse_lost, standby_setup, systemd_units};
use crate::clock::Clock;
use crate::config::{Config, folders, installed, program_path};
use crate::domain::text::shell::quoted_path;
use crate::replica::{
    FILE, LOCK, Litestream, Observation, Replica, ReplicaError, ReplicaState, ReplicaTarget, Secrets,
};
use crate::store::{self, Store, journal};

const UNIT: &str = include_str!("../../installer/linux/replica.service");
/// What lets the unit of the server copy documents.
const EXTENSION: &str = "replica";
/// The folder of the offices of `pleito@.service`.
const OFFICES: &str = "/var/lib/pleito-offices";
/// Time that a new replica has for its first sync, and the pause between two looks.
const FIRST_SYNC_TIMEOUT: Duration = Duration::from_secs(10);
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// A replica that can be set up: office and target suit each other, and Litestream is installed.
pub struct ReplicaSetup {
    replica: Replica,
    litestream: Litestream,
    flock: PathBuf,
    /// `false` if the former target does not tell whether a standby was promoted there.
    is_fenced: bool,
}

impl ReplicaSetup {
    /// Checks what can be checked without secrets, and takes the target if it is a folder. Refuses a standby, and an office
    /// in whose place one was promoted.
    pub fn new(config: &Config, target: ReplicaTarget) -> Result<ReplicaSetup, Fatal> {
        let data = &config.folders.data;
        standby_setup::refuse_standby(config)?;
        refuse_lost(data)?;
        let litestream = Litestream::find().map_err(Fatal::Replica)?;
        let replica = Replica::new(data, target).map_err(Fatal::Replica)?;
        // Without a configuration that can be read, an own folder is the former target.
        let is_fenced = refuse_superseded(data)? || Replica::of(data).is_err() && is_own_folder(&replica);
        if let Some(process) = replica.other_litestream() {
            return Err(Fatal::Replica(ReplicaError::OtherLitestream(process)));
        }
        let is_new = is_new_target(&replica);
        if is_new {
            refuse_superseded_at(&replica)?;
        }
        replica.refuse_other_epoch().map_err(Fatal::Replica)?;
        let hidden = replica
            .target
            .folder()
            .filter(|folder| server_unit(replica.data()).is_some() && systemd_units::hides(folder));
        if let Some(folder) = hidden {
            return Err(Fatal::Replica(ReplicaError::Hidden(folder.to_owned())));
        }
        if is_new && !systemd_units::file(&unit(replica.data())).exists() {
            refuse_running(&replica, config)?;
        }
        let is_of_root = owner(data).0 == 0 && Instance::noted(data).is_none();
        if let Some(line) = line_to_enable(data).filter(|_| is_of_root) {
            return Err(Fatal::FolderOfRoot(data.clone(), line));
        }
        ensure_owner_can(Use::Read, replica.target.key(), &replica)?;
        replica.take_folder().map_err(Fatal::Replica)?;
        ensure_owner_can(Use::Write, replica.target.folder(), &replica)?;
        Ok(ReplicaSetup { replica, litestream, flock: flock(), is_fenced })
    }

    /// Returns a replica that was set up before. `None` if Litestream is not installed any more.
    pub fn known(replica: Replica) -> Option<ReplicaSetup> {
        let litestream = Litestream::find().ok()?;
        Some(ReplicaSetup { replica, litestream, flock: flock(), is_fenced: true })
    }

    /// Writes configuration and unit, and starts the unit if systemd runs. Litestream begins anew at another target than
    /// that of this office's configuration. Returns `false` if the former target could not be told that the office has left it.
    pub fn write(&self, secrets: &Secrets, config: &Config) -> Result<bool, Fatal> {
        let data = self.replica.data();
        let unit = unit(data);
        let is_unit = systemd_units::file(&unit).exists();
        if is_new_target(&self.replica) {
            if self.replica.target.folder().is_none() {
                self.ensure_own_or_empty(secrets)?;
            }
            self.ensure_not_older(secrets)?;
            if is_unit {
                systemd_units::switch(&unit, false)?;
            }
            refuse_running(&self.replica, config)?;
            self.replica.begin_anew().map_err(Fatal::Replica)?;
            let now = Clock::system().now();
            self.replica.arrive(&self.litestream, secrets, now).map_err(Fatal::Replica)?;
        } else {
            let looked = self.replica.refuse_other_office(&self.litestream, secrets).map_err(Fatal::Replica);
            // A target that cannot be reached may be configured again.
            if let Err(refused @ Fatal::Replica(ReplicaError::OtherOffice(..) | ReplicaError::Older(_))) =
                looked.and_then(|()| self.ensure_not_older(secrets))
            {
                return Err(refused);
            }
        }
        let configured = Replica::of(data);
        let is_known = configured.is_ok() || self.is_fenced;
        let former = configured.ok().flatten().filter(|former| former.target != self.replica.target);
        let former = former.map(|former| (former.configured_secrets().ok(), former));
        if let Err(cause) = self.replica.write(secrets) {
            if is_unit {
                systemd_units::switch(&unit, true)?;
            }
            return Err(Fatal::Replica(cause));
        }
        // It may also count as another office's because the id of this one was lost.
        let is_told = is_known
            && former.is_none_or(|(secrets, former)| {
                send_last_heartbeat(&former, secrets.as_ref()) == LastHeartbeatOutcome::Sent
            });
        if systemd_units::is_live() {
            systemd_units::write(&unit, &self.content())?;
            systemd_units::switch(&unit, true)?;
            // It may have run with an earlier configuration.
            systemd_units::restart(&unit)?;
        }
        let_server_write(data, &self.replica.target)?;
        Ok(is_told)
    }

    /// Refuses a target on another machine with a replica of another office, and one at which a standby was promoted in the place
    /// of this office.
    fn ensure_own_or_empty(&self, secrets: &Secrets) -> Result<(), Fatal> {
        let ReplicaSetup { replica, litestream, .. } = self;
        if replica.is_own_elsewhere(litestream, secrets).map_err(Fatal::Replica)? {
            let later = replica.superseded_elsewhere(litestream, secrets).map_err(Fatal::Replica)?;
            return refuse(replica.data(), later);
        }
        // It may not have replicated anything yet.
        replica.refuse_other_office(litestream, secrets).map_err(Fatal::Replica)?;
        match litestream.has_replica(replica, secrets).map_err(Fatal::Replica)? {
            true => Err(Fatal::Replica(ReplicaError::Occupied(replica.target.to_string()))),
            false => Ok(()),
        }
    }

    /// Refuses a target that has newer changes than the data: an older copy of the office would overwrite them.
    fn ensure_not_older(&self, secrets: &Secrets) -> Result<(), Fatal> {
        let ReplicaSetup { replica, litestream, .. } = self;
        let there = replica.change_at_target(litestream, secrets).map_err(Fatal::Replica)?;
        let data = replica.data();
        let here = Store::read_once(data, journal::latest);
        let here = here.map_err(|cause| Fatal::Store(data.join(store::FILE), cause))?;
        match there > here {
            true => Err(Fatal::Replica(ReplicaError::Older(replica.target.to_string()))),
            false => Ok(()),
        }
    }

    /// Waits until the replica follows, for a limited time. Returns the last observation.
    pub fn wait(&self, config: &Config) -> Observation {
        let clock = Clock::system();
        let end = clock.monotonic() + FIRST_SYNC_TIMEOUT;
        loop {
            let observed = observe(&self.replica, config);
            if observed.last_sync.is_some() || clock.monotonic() > end {
                return observed;
            }
            sleep(CHECK_INTERVAL);
        }
    }

    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// Returns `false` if the former target does not tell whether a standby was promoted there.
    pub fn is_fenced(&self) -> bool {
        self.is_fenced
    }

    /// Returns the words of the command that the unit runs, for systems without systemd.
    pub fn command(&self) -> Vec<String> {
        let data = self.replica.data();
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let words = ["env", "-u", "AWS_CA_BUNDLE"].map(str::to_owned).into_iter();
        let flock = [text(&self.flock)]
            .into_iter()
            .chain(["--nonblock", "--no-fork", "--verbose"].map(str::to_owned));
        let lock = flock.chain([text(&data.join(LOCK))]);
        let litestream = [text(self.litestream.path()), "replicate".into(), "-no-expand-env".into()];
        let configuration = ["-config".into(), text(&data.join(FILE))];
        words.chain(lock).chain(litestream).chain(configuration).collect()
    }

    fn content(&self) -> String {
        let data = self.replica.data();
        let (user, group) = owner(data);
        let writes = self.replica.target.folder().into_iter().chain([data]);
        let writes = writes.map(systemd_units::writable).collect::<Vec<_>>().join(" ");
        let values = [
            ("{DATA}", data.display().to_string().replace('%', "%%")),
            ("{FLOCK}", systemd_units::quoted(&self.flock)),
            ("{LOCK}", systemd_units::quoted(&data.join(LOCK))),
            ("{LITESTREAM}", systemd_units::quoted(self.litestream.path())),
            ("{CONFIGURATION}", systemd_units::quoted(&data.join(FILE))),
            ("{USER}", user.to_string()),
            ("{GROUP}", group.to_string()),
            ("{WRITABLE}", writes),
        ];
        values.iter().fold(UNIT.to_owned(), |unit, (name, value)| unit.replace(name, value))
    }
}

fn flock() -> PathBuf {
    installed("flock").unwrap_or_else(|| "/usr/bin/flock".into())
}

fn is_own_folder(replica: &Replica) -> bool {
    replica.target.folder().is_some() && replica.owns_folder()
}

/// Returns `true` if the office's configuration names no target or another one.
fn is_new_target(replica: &Replica) -> bool {
    let before = Replica::of(replica.data()).ok().flatten();
    before.is_none_or(|before| before.target != replica.target)
}

/// Fails if the owner of the office, as whom Litestream runs, cannot use a file or folder.
fn ensure_owner_can(to: Use, path: Option<&Path>, replica: &Replica) -> Result<(), Fatal> {
    match path.filter(|path| !os_user::can(to, path, replica.data())) {
        Some(path) => {
            let cause = io::ErrorKind::PermissionDenied.into();
            Err(Fatal::Replica(ReplicaError::Folder(path.to_owned(), cause)))
        }
        None => Ok(()),
    }
}

/// Fails if a Litestream runs on the office.
fn refuse_running(replica: &Replica, config: &Config) -> Result<(), Fatal> {
    let Observation { state, litestream, .. } = observe(replica, config);
    let process = litestream.map(|(_, process)| process);
    match process.or_else(|| replica.own_litestream()) {
        Some(process) => Err(Fatal::Replica(ReplicaError::Running(process))),
        None if state == ReplicaState::Hung => Err(Fatal::Replica(ReplicaError::Hung)),
        None => Ok(()),
    }
}

/// Observes a replica now.
pub fn observe(replica: &Replica, config: &Config) -> Observation {
    replica.observe(Clock::system().now(), &config.settings.office.time_zone)
}

/// If the last heartbeat is at a former target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastHeartbeatOutcome {
    /// Also if the office is superseded, and thus has none to send.
    Sent,
    /// It does not take it, or its secrets cannot be read.
    NotSent,
    /// It is another office's, such as the one that these data were copied from.
    OtherOffice,
}

/// Lets a standby of this replica know that the office is no longer there.
fn send_last_heartbeat(replica: &Replica, secrets: Option<&Secrets>) -> LastHeartbeatOutcome {
    let Some(secrets) = secrets else { return LastHeartbeatOutcome::NotSent };
    match replica.send_last_heartbeat(secrets, Clock::system().now()) {
        Ok(()) => LastHeartbeatOutcome::Sent,
        Err(ReplicaError::OtherOffice(..)) => LastHeartbeatOutcome::OtherOffice,
        Err(cause) => {
            tracing::warn!(
                code = cause.code(),
                "the target of the replica does not say that the office has left it"
            );
            LastHeartbeatOutcome::NotSent
        }
    }
}

/// Reads the replica of the office, and observes it. `None` if it has none. Fails with `Superseded` if a standby was promoted
/// in place of the office.
pub fn status(config: &Config) -> Result<Option<(Replica, Observation)>, Fatal> {
    let is_told = refuse_superseded(&config.folders.data)?;
    let replica = Replica::of(&config.folders.data).map_err(Fatal::Replica)?;
    Ok(replica.map(|replica| {
        let mut observed = observe(&replica, config);
        if !is_told {
            observed.state = observed.state.unfenced(&replica.target);
        }
        (replica, observed)
    }))
}

/// A replica that was turned off.
pub struct LeftReplica {
    /// Process of a Litestream that still runs because it is no unit of systemd.
    pub running: Option<u32>,
    pub outcome: LastHeartbeatOutcome,
    /// The promotion of a standby in place of the office.
    pub superseded: Option<Fatal>,
}

/// Stops Litestream and removes unit and configuration. What is at the target stays. An office in whose place a standby was
/// promoted stays superseded.
pub fn off(config: &Config) -> Result<LeftReplica, Fatal> {
    let data = &config.folders.data;
    let superseded = refuse_superseded(data).err();
    let replica = Replica::of(data).ok().flatten();
    let running = replica.as_ref().and_then(|replica| observe(replica, config).litestream);
    let unit = unit(data);
    let is_unit = systemd_units::file(&unit).exists();
    if is_unit {
        systemd_units::switch(&unit, false)?;
        systemd_units::remove(&unit)?;
        if let Some(server) = server_unit(data) {
            systemd_units::retract(&server, EXTENSION)?;
        }
    }
    let left = replica.map(|replica| (replica.configured_secrets().ok(), replica));
    Replica::forget(data).map_err(Fatal::Replica)?;
    let tell = |(secrets, replica): (Option<_>, _)| send_last_heartbeat(&replica, secrets.as_ref());
    let outcome = match superseded {
        Some(_) => LastHeartbeatOutcome::Sent,
        None => left.map_or(LastHeartbeatOutcome::NotSent, tell),
    };
    Ok(LeftReplica { running: running.map(|(_, id)| id).filter(|_| !is_unit), outcome, superseded })
}

/// Restarts Litestream after a restore without a server, if systemd runs it: it has the replaced file of the store open.
pub fn try_restart(data: &Path) -> Result<(), Fatal> {
    let unit = unit(data);
    if systemd_units::file(&unit).exists() { systemd_units::try_restart(&unit) } else { Ok(()) }
}

/// Returns the unit of the office's Litestream, which there may not be.
pub fn unit(data: &Path) -> String {
    let data = std::fs::canonicalize(data).unwrap_or_else(|_| data.to_owned());
    match data == folders::machine() {
        true => "pleito-replica".to_owned(),
        false => format!("pleito-replica-{}", systemd_units::escaped(&data)),
    }
}

/// Returns the unit that serves the office, if it is one of the package's. Such a unit writes only where it is allowed to.
pub fn server_unit(data: &Path) -> Option<String> {
    match data.file_name() {
        _ if data == folders::machine() => Some("pleito".to_owned()),
        Some(name) if data.parent() == Some(Path::new(OFFICES)) => {
            Some(format!("pleito@{}", name.to_string_lossy()))
        }
        _ => None,
    }
}

/// Returns the line that lets the unit that serves the office start, now and with the machine, and gives it the data folder. `None`
/// if systemd does not run, or there is no such unit.
pub fn line_to_enable(data: &Path) -> Option<String> {
    let unit = server_unit(data).filter(|_| systemd_units::is_live())?;
    if data == folders::machine() {
        // Without a package, the command makes the unit.
        let program = quoted_path(&program_path());
        return Some(format!("sudo {program} service install --data-dir {}", quoted_path(data)));
    }
    systemd_units::is_installed("pleito@").then(|| format!("sudo systemctl enable --now {unit}"))
}

/// Lets the unit that serves the office write to the target, if it is one of the package's and the target is a folder.
/// Restarts it if that is new.
pub fn let_server_write(data: &Path, target: &ReplicaTarget) -> Result<(), Fatal> {
    let Some(server) = server_unit(data).filter(|_| systemd_units::is_live()) else { return Ok(()) };
    match target.folder() {
        Some(folder) => systemd_units::let_write(&server, EXTENSION, folder),
        None => systemd_units::retract(&server, EXTENSION),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_names_the_office_its_owner_and_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("dados 100%");
        std::fs::create_dir(&data).unwrap();
        std::fs::write(data.join(crate::store::FILE), "").unwrap();
        let target = ReplicaTarget::parse("/media/LOCK DATA/office").unwrap();
        let replica = Replica::new(&data, target).unwrap();
        let data = replica.data().display().to_string();
        let (user, group) = owner(replica.data());
        let setup = ReplicaSetup {
            replica,
            litestream: Litestream::at("/opt/l/litestream"),
            flock: "/usr/bin/flock".into(),
            is_fenced: true,
        };
        let unit = setup.content();
        let escaped = data.replace('%', "%%");
        for line in [
            format!("Description=Litestream, which replicates the office in {escaped}"),
            format!(
                "ExecStart=:\"/usr/bin/flock\" --nonblock --no-fork \"{escaped}/litestream.lock\" \"/opt/l/litestream\" \
                 replicate -no-expand-env -config \"{escaped}/litestream.json\""
            ),
            "UnsetEnvironment=AWS_CA_BUNDLE".to_owned(),
            format!("User={user}"),
            format!("Group={group}"),
            format!("ReadWritePaths=\"-/media/LOCK DATA/office\" \"-{escaped}\""),
        ] {
            assert!(unit.lines().any(|found| found == line), "{line}\n{unit}");
        }
    }

    #[test]
    fn each_office_has_a_unit_of_its_own() {
        assert_eq!(unit(Path::new("/var/lib/pleito")), "pleito-replica");
        let [one, other] = ["/srv/x/a-b", "/srv/x/a/b"].map(|data| unit(Path::new(data)));
        assert_eq!((&*one, &*other), ("pleito-replica-srv-x-a\\x2db", "pleito-replica-srv-x-a-b"));
        let served = |data: &str| server_unit(Path::new(data));
        assert_eq!(served("/var/lib/pleito").as_deref(), Some("pleito"));
        assert_eq!(served("/var/lib/pleito-offices/silva").as_deref(), Some("pleito@silva"));
        assert_eq!(served("/home/ana/.local/share/pleito"), None);
    }
}
