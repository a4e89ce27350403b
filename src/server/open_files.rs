//! The system's limit on open files, to which each connection counts.

/// Raises the soft limit as far as the hard limit permits. The soft limit is 1,024 on most Linux systems and
/// 256 on macOS. If the limit cannot be raised, further connections are not accepted until others end.
#[cfg(unix)]
pub(super) fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// Enough for the connections of `connection_limit`, outgoing connections, and the store's files.
    const WANTED: u64 = 4096;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(WANTED, |most| most.min(WANTED));
    if current.is_some_and(|current| current < wanted) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
}

/// Windows has no such limit.
#[cfg(windows)]
pub(super) fn raise_limit() {}
