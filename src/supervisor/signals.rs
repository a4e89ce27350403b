//! How a person or the system asks the program to stop.

/// Has `stop` run when the system asks, on a thread of its own.
///
/// # Errors
/// Why there can be no such thread.
pub fn on_stop(stop: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("pleito-signals".to_owned()).spawn(move || {
        runtime.block_on(self::stop());
        stop();
    })?;
    Ok(())
}

/// Waits for the first of SIGTERM, SIGINT (Ctrl-C) and SIGHUP.
#[cfg(unix)]
pub(super) async fn stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal);
    match signals {
        [Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)] => tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        },
        // Without handlers the system's own way of ending the process stays in force.
        _ => std::future::pending().await,
    }
}

/// Waits for the first of Ctrl-C, Ctrl-Break, the closing of the window, the end of the session and of the system.
#[cfg(windows)]
pub(super) async fn stop() {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
    match (ctrl_c(), ctrl_break(), ctrl_close(), ctrl_logoff(), ctrl_shutdown()) {
        (Ok(mut c), Ok(mut r#break), Ok(mut close), Ok(mut logoff), Ok(mut shutdown)) => tokio::select! {
            _ = c.recv() => {}
            _ = r#break.recv() => {}
            _ = close.recv() => {}
            _ = logoff.recv() => {}
            _ = shutdown.recv() => {}
        },
        _ => std::future::pending().await,
    }
}
