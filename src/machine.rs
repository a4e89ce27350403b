//! The id, the name and the memory of this machine, and who may change it.

/// Returns the host name. `None` if it is not valid UTF-8.
pub fn host_name() -> Option<String> {
    gethostname::gethostname().into_string().ok()
}

/// Returns the system's id of this machine, or `None` if it has none, as in many containers. The id is
/// confidential: store or show only a hash of it (machine-id(5)).
#[cfg(all(unix, not(target_os = "macos")))]
pub fn machine_id() -> Option<String> {
    ["/etc/machine-id", "/var/lib/dbus/machine-id"].iter().find_map(|path| {
        let id = std::fs::read_to_string(path).ok()?.trim().to_owned();
        // Images that were never booted contain the text `uninitialized`.
        (id.len() == 32).then_some(id)
    })
}

/// Returns the hardware id of this machine.
#[cfg(target_os = "macos")]
pub fn machine_id() -> Option<String> {
    let mut ioreg = std::process::Command::new("/usr/sbin/ioreg");
    let output = ioreg.args(["-rd1", "-c", "IOPlatformExpertDevice"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains("\"IOPlatformUUID\""))?;
    line.split('"').nth(3).map(str::to_owned)
}

/// Returns the id that Windows assigned to this machine at its installation.
#[cfg(windows)]
pub fn machine_id() -> Option<String> {
    use winsafe::{HKEY, RegistryValue, co};
    let key = Some(r"SOFTWARE\Microsoft\Cryptography");
    match HKEY::LOCAL_MACHINE.RegGetValue(key, Some("MachineGuid"), co::RRF::RT_REG_SZ) {
        Ok(RegistryValue::Sz(id)) => Some(id),
        _ => None,
    }
}

/// Returns the memory of this machine in bytes, or what its container may use if that is less.
#[cfg(all(unix, not(target_os = "macos")))]
pub fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let bytes = total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024;
    let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = limit.and_then(|limit| limit.trim().parse::<u64>().ok());
    Some(limit.map_or(bytes, |limit| limit.min(bytes)))
}

/// Returns the memory of this machine in bytes.
#[cfg(target_os = "macos")]
pub fn memory() -> Option<u64> {
    let output = std::process::Command::new("/usr/sbin/sysctl").args(["-n", "hw.memsize"]).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// Returns the memory of this machine in bytes.
#[cfg(windows)]
pub fn memory() -> Option<u64> {
    winsafe::GlobalMemoryStatusEx().ok().map(|status| status.ullTotalPhys)
}

/// Returns `true` if this process may change the system.
#[cfg(unix)]
pub fn is_administrator() -> bool {
    rustix::process::geteuid().is_root()
}

/// Returns `true` if this process may change the system: it was started with the rights of an administrator.
#[cfg(windows)]
pub fn is_administrator() -> bool {
    use winsafe::{HPROCESS, TokenInfo, co};
    let Ok(token) = HPROCESS::GetCurrentProcess().OpenProcessToken(co::TOKEN::QUERY) else { return false };
    let elevation = token.GetTokenInformation(co::TOKEN_INFORMATION_CLASS::Elevation);
    matches!(elevation, Ok(TokenInfo::Elevation(elevation)) if elevation.TokenIsElevated())
}

/// Security identifiers of Windows, whose names are in its language: the account of the service, which has fewer rights than
/// any person, the administrators, the system.
#[cfg(windows)]
pub const LOCAL_SERVICE: &str = "S-1-5-19";
#[cfg(windows)]
pub const ADMINISTRATORS: &str = "S-1-5-32-544";
#[cfg(windows)]
pub const SYSTEM: &str = "S-1-5-18";

/// Returns the security identifier of a group of this machine. A machine may have the name of a group, so only a group
/// counts.
#[cfg(windows)]
pub fn local_group(name: &str) -> Option<String> {
    let machine = winsafe::GetComputerName().ok()?;
    let found = winsafe::LookupAccountName(None, &format!(r"{machine}\{name}"));
    let (_, sid, kind) = found.ok()?;
    (kind == winsafe::co::SID_NAME_USE::Alias).then(|| sid.to_string())
}
