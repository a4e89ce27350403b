//! Desktop notifications.

use std::thread;

/// Shows a notification, if the desktop can, without blocking the caller. Never pass a secret: the desktop may
/// keep a history.
pub fn notify(title: &str, text: &str) {
    let title = title.to_owned();
    let text = text.to_owned();
    // A notification that cannot be shown is no loss: the menu shows the same text.
    let _ = thread::Builder::new().name("pleito-notify".to_owned()).spawn(move || {
        if let Err(cause) = show(&title, &text) {
            tracing::debug!(cause, "notification failed");
        }
    });
}

/// Calls the session bus directly (Desktop Notifications Specification 1.2), as the tray does.
#[cfg(all(unix, not(target_os = "macos")))]
fn show(title: &str, text: &str) -> Result<(), String> {
    use std::collections::HashMap;
    use std::time::Duration;

    use zbus::zvariant::Value;

    /// Maximum wait for a desktop that does not answer.
    const TIMEOUT: Duration = Duration::from_secs(5);
    /// Passed as the time-out: the desktop uses its default.
    const ITS_OWN_TIME: i32 = -1;

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|cause| cause.to_string())?;
    let call = async {
        let bus = zbus::Connection::session().await?;
        let hints = HashMap::from([("desktop-entry", Value::from("pleito"))]);
        let body = ("Pleito", 0_u32, "pleito", title, text, Vec::<&str>::new(), hints, ITS_OWN_TIME);
        let name = "org.freedesktop.Notifications";
        bus.call_method(Some(name), "/org/freedesktop/Notifications", Some(name), "Notify", &body).await
    };
    match runtime.block_on(async { tokio::time::timeout(TIMEOUT, call).await }) {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(cause)) => Err(cause.to_string()),
        Err(_) => Err("no answer in time".to_owned()),
    }
}

#[cfg(any(windows, target_os = "macos"))]
fn show(title: &str, text: &str) -> Result<(), String> {
    let shown = notify_rust::Notification::new().appname("Pleito").summary(title).body(text).show();
    shown.map(drop).map_err(|cause| cause.to_string())
}
