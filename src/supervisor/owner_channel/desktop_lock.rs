//! The lock of the one desktop program. A second start opens the console of the first one and ends.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use crate::clock::{Clock, within};
use crate::config::folders::own_folder;
use crate::console::{BASE, RedirectFile, SignInLinks};
use crate::desktop::{self, notify};
use crate::domain::Lang;
use crate::files::private_dir;
use crate::server::reachable;
use crate::supervisor::browser::{open_console, open_link};
use crate::supervisor::owner_channel::single_instance::{self, DESKTOP_LOCK};
use crate::supervisor::{Instance, OwnerRequest, RuntimeFolder, check};

/// A first instance that is starting writes its address within this time. One whose start failed does not.
const MAX_TRIES: u32 = 50;
const RETRY_PAUSE: Duration = Duration::from_millis(100);
/// Time that the service has to make a link.
const LINK_TIMEOUT: Duration = Duration::from_secs(5);

/// The lock of the one desktop program of a data folder. Holds no file if the folder cannot be written, since
/// no process can hold the lock then.
pub(in crate::supervisor) struct DesktopLock(
    #[expect(unused, reason = "closing it releases the lock")] Option<File>,
);

impl DesktopLock {
    /// Returns the lock of a program whose data folder is not known.
    pub(in crate::supervisor) fn none() -> DesktopLock {
        DesktopLock(None)
    }
}

/// Takes the lock of this user's icon over the machine's service. If there is an icon already, opens the console and returns
/// `None`.
pub(in crate::supervisor) fn lock_icon(service: &RuntimeFolder, lang: Lang) -> Option<DesktopLock> {
    let Some(folder) = own_folder() else { return Some(DesktopLock(None)) };
    let _ = private_dir(&folder);
    match single_instance::lock(&folder, "pleito-icon.lock") {
        Ok(lock) => Some(DesktopLock(Some(lock))),
        Err(Some(_)) => Some(DesktopLock(None)),
        Err(None) => {
            let owner = service.owner();
            let link = within(LINK_TIMEOUT, move || owner.ask::<String>(OwnerRequest::ConsoleLink, lang));
            match link.and_then(|link| open_link(&link.ok()?, &Clock::system()).ok()) {
                Some(file) => _ = file.wait(),
                // Who may only see the service signs in as a person of the office.
                None if service
                    .network()
                    .is_some_and(|url| desktop::open(format!("{url}{BASE}")).is_ok()) => {}
                None => notify("Pleito", already_running(lang)),
            }
            None
        }
    }
}

/// Takes the lock. If another desktop program or a server without an icon is running, opens its console and
/// returns `None`.
pub(in crate::supervisor) fn lock_desktop(data: &Path, lang: Lang) -> Option<DesktopLock> {
    let _ = private_dir(data);
    let lock = match single_instance::lock(data, DESKTOP_LOCK) {
        Ok(lock) => DesktopLock(Some(lock)),
        Err(Some(_)) => DesktopLock(None),
        Err(None) => {
            bring_up(data, lang);
            return None;
        }
    };
    let serves = |address| check::health(address).is_ok();
    if Instance::serving_at(data).is_some_and(serves) {
        bring_up(data, lang);
        return None;
    }
    Some(lock)
}

fn bring_up(data: &Path, lang: Lang) {
    let mut noted = Instance::noted(data);
    for _ in 0..MAX_TRIES {
        if noted.is_some() {
            break;
        }
        std::thread::sleep(RETRY_PAUSE);
        noted = Instance::noted(data);
    }
    let text = match noted {
        Some(address) => {
            let opened = open_console(&SignInLinks::new(data, Clock::system()), reachable(address));
            if opened.is_ok_and(RedirectFile::wait) {
                return;
            }
            lang.pick(
                "Já está em execução, mas o navegador não abriu o Pleito. Em um terminal, pleito console --link dá o endereço.",
                "It is running already, but the browser did not open the console. In a terminal, pleito console --link gives its address.",
            )
        }
        None => already_running(lang),
    };
    notify("Pleito", text);
}

fn already_running(lang: Lang) -> &'static str {
    lang.pick(
        "Já está em execução. O menu do ícone na bandeja diz como ele está.",
        "It is running already. The menu of its icon in the tray says how it is.",
    )
}
