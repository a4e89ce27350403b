//! The clipboard, with expiry of secrets.
//!
//! On X11 and Wayland the program that copied a text provides it when another program pastes, so a thread owns
//! the clipboard until the program ends. The thread waits for orders, and after a secret also for its expiry.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use arboard::{Error, Set};

/// Time that a secret stays in the clipboard.
pub const SECRET_FOR: Duration = Duration::from_secs(60);

/// A text to copy, and the channel for the result.
struct Order {
    text: String,
    secret: bool,
    reply: Sender<Result<(), Error>>,
}

/// The clipboard of the desktop. Dropping it removes a secret that it still contains.
#[derive(Default)]
pub struct Clipboard {
    keeper: Option<(Sender<Order>, thread::JoinHandle<()>)>,
}

impl Clipboard {
    /// Copies a text without expiry. Fails with the system's message if there is no clipboard.
    pub fn copy(&mut self, text: &str) -> Result<(), String> {
        self.order(text, false)
    }

    /// Copies a secret. Keeps it out of clipboard histories and off other machines, if the system supports
    /// that. Removes it after [`SECRET_FOR`], unless another text was copied since. Fails with the system's
    /// message if there is no clipboard.
    pub fn copy_secret(&mut self, text: &str) -> Result<(), String> {
        self.order(text, true)
    }

    fn order(&mut self, text: &str, secret: bool) -> Result<(), String> {
        if self.keeper.as_ref().is_none_or(|(_, thread)| thread.is_finished()) {
            self.keeper = Some(start()?);
        }
        let (reply, answer) = mpsc::channel();
        let order = Order { text: text.to_owned(), secret, reply };
        let sent = self.keeper.as_ref().is_some_and(|(orders, _)| orders.send(order).is_ok());
        match answer.recv() {
            Ok(done) if sent => done.map_err(|cause| cause.to_string()),
            _ => Err("the clipboard's thread is gone".to_owned()),
        }
    }
}

impl Drop for Clipboard {
    fn drop(&mut self) {
        if let Some((orders, thread)) = self.keeper.take() {
            drop(orders);
            let _ = thread.join();
        }
    }
}

/// Starts the clipboard thread if a display is available.
fn start() -> Result<(Sender<Order>, thread::JoinHandle<()>), String> {
    let clipboard = arboard::Clipboard::new().map_err(|cause| cause.to_string())?;
    let (orders, received) = mpsc::channel();
    let thread = thread::Builder::new()
        .name("pleito-clipboard".to_owned())
        .spawn(move || keep(clipboard, &received))
        .map_err(|cause| cause.to_string())?;
    Ok((orders, thread))
}

fn keep(mut clipboard: arboard::Clipboard, orders: &Receiver<Order>) {
    let mut secret: Option<String> = None;
    loop {
        let order = match &secret {
            Some(_) => orders.recv_timeout(SECRET_FOR),
            None => orders.recv().map_err(RecvTimeoutError::from),
        };
        match order {
            Ok(order) => {
                let set = clipboard.set();
                let done = if order.secret { secretly(set) } else { set }.text(order.text.as_str());
                secret = Some(order.text).filter(|_| order.secret && done.is_ok());
                let _ = order.reply.send(done);
            }
            Err(reason) => {
                if let Some(secret) = secret.take()
                    && clipboard.get_text().is_ok_and(|text| text == secret)
                {
                    let _ = clipboard.clear();
                }
                if reason == RecvTimeoutError::Disconnected {
                    return;
                }
            }
        }
    }
}

/// Excludes the text from clipboard histories.
#[cfg(all(unix, not(target_os = "macos")))]
fn secretly(set: Set<'_>) -> Set<'_> {
    arboard::SetExtLinux::exclude_from_history(set)
}

/// Excludes the text from clipboard histories.
#[cfg(target_os = "macos")]
fn secretly(set: Set<'_>) -> Set<'_> {
    arboard::SetExtApple::exclude_from_history(set)
}

/// Excludes the text from the clipboard history, the cloud clipboard, and monitoring programs.
#[cfg(windows)]
fn secretly(set: Set<'_>) -> Set<'_> {
    use arboard::SetExtWindows;
    set.exclude_from_history().exclude_from_cloud().exclude_from_monitoring()
}
