//! A few words that the desktop shows for a moment.

use std::thread;

/// Shows them, where the desktop can, without making the caller wait. Never a secret: they may be kept in a history.
pub fn notify(title: &str, text: &str) {
    let (title, text) = (title.to_owned(), text.to_owned());
    // A notification that nobody shows is no loss: the menu says the same.
    let _ = thread::Builder::new().name("pleito-notify".to_owned()).spawn(move || {
        if let Err(cause) = show(&title, &text) {
            tracing::debug!(cause, "no notification");
        }
    });
}

/// By the session bus itself (Desktop Notifications Specification 1.2), which the tray speaks as well.
#[cfg(all(unix, not(target_os = "macos")))]
fn show(title: &str, text: &str) -> Result<(), String> {
    use std::collections::HashMap;
    use std::time::Duration;

    use zbus::zvariant::Value;

    /// A desktop that does not answer is not waited for.
    const PATIENCE: Duration = Duration::from_secs(5);
    /// As long as the desktop shows any.
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
    match runtime.block_on(async { tokio::time::timeout(PATIENCE, call).await }) {
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
