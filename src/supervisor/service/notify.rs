//! Reports the state of the server to systemd (sd_notify(3)). Without systemd, nothing is sent.

use std::time::Duration;

use tokio::sync::watch;

use crate::config::of_systemd;

/// Sends a state, such as `READY=1`. A failure is ignored: systemd then ends the service after its time limit.
pub fn send(state: &str) {
    #[cfg(target_os = "linux")]
    if let Some(socket) = of_systemd("NOTIFY_SOCKET") {
        let _ = linux::send(&socket, state);
    }
    let _ = state;
}

/// Tells systemd twice in each period of its watchdog that the server runs, until `stop` is set. Ends at once if
/// systemd expects nothing.
pub(in crate::supervisor) async fn keep_alive(mut stop: watch::Receiver<bool>) {
    let period = of_systemd("WATCHDOG_USEC").and_then(|micros| micros.to_str()?.parse().ok());
    let Some(period) = period.map(Duration::from_micros).filter(|period| !period.is_zero()) else { return };
    while tokio::time::timeout(period / 2, stop.wait_for(|stop| *stop)).await.is_err() {
        send("WATCHDOG=1");
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsStr;
    use std::io;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    /// A name that begins with `@` is in the abstract namespace.
    pub(super) fn send(socket: &OsStr, state: &str) -> io::Result<()> {
        let address = match socket.as_bytes().strip_prefix(b"@") {
            Some(name) => SocketAddr::from_abstract_name(name)?,
            None => SocketAddr::from_pathname(socket)?,
        };
        UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address).map(|_| ())
    }
}
