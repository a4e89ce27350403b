//! The system's limit on the files that a process has open: each connection is one.

/// Raises the soft limit, which is 1,024 on most Linux systems and 256 on macOS, as far as the hard limit permits. If it cannot
/// be raised, connections beyond it are not accepted until others end.
#[cfg(unix)]
pub(super) fn raise_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// Enough for the connections of `connection_limit`, those to receivers, and the store's files.
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
