//! Stop requests from the user or the system.

/// Starts a thread that calls `stop` when the system requests a stop.
pub fn on_stop(stop: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("pleito-signals".to_owned()).spawn(move || {
        runtime.block_on(self::stop());
        stop();
    })?;
    Ok(())
}

/// Waits for SIGTERM, SIGINT (Ctrl-C) or SIGHUP.
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
        // Without handlers, the system's default action still ends the process.
        _ => std::future::pending().await,
    }
}

/// Waits for Ctrl-C, Ctrl-Break, the closing of the window, the end of the session or the shutdown of the
/// system.
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
