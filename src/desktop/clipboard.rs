//! The clipboard, and secrets that do not stay in it.
//!
//! On X11 and Wayland the program that copied something hands it over when somebody pastes, so the clipboard belongs to a
//! thread that lives as long as the program. It waits for orders and, after a secret, for its time to be up.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use arboard::{Error, Set};

/// For how long a secret may be pasted.
pub const SECRET_FOR: Duration = Duration::from_secs(60);

/// What is copied, and where the answer goes.
struct Order {
    text: String,
    secret: bool,
    reply: Sender<Result<(), Error>>,
}

/// The clipboard of the desktop. A secret of ours that is still in it goes when this is dropped.
#[derive(Default)]
pub struct Clipboard {
    keeper: Option<(Sender<Order>, thread::JoinHandle<()>)>,
}

impl Clipboard {
    /// Copies a text for good.
    ///
    /// # Errors
    /// Why there is no clipboard, in the system's words.
    pub fn copy(&mut self, text: &str) -> Result<(), String> {
        self.order(text, false)
    }

    /// Copies a secret: kept out of the clipboard's history and off other machines where the system has such, and taken
    /// back after [`SECRET_FOR`] unless something else was copied meanwhile.
    ///
    /// # Errors
    /// Why there is no clipboard, in the system's words.
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

/// Starts the thread once it is sure that there is a clipboard: without a display there is none.
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

/// Marked as no business of clipboard histories.
#[cfg(all(unix, not(target_os = "macos")))]
fn secretly(set: Set<'_>) -> Set<'_> {
    arboard::SetExtLinux::exclude_from_history(set)
}

/// Marked as no business of clipboard histories.
#[cfg(target_os = "macos")]
fn secretly(set: Set<'_>) -> Set<'_> {
    arboard::SetExtApple::exclude_from_history(set)
}

/// Marked as no business of the clipboard history, of the cloud, and of programs that watch.
#[cfg(windows)]
fn secretly(set: Set<'_>) -> Set<'_> {
    use arboard::SetExtWindows;
    set.exclude_from_history().exclude_from_cloud().exclude_from_monitoring()
}
