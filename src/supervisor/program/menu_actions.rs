//! The actions of the tray menu. Each leaves its outcome for the menu to show.

use std::path::PathBuf;

use super::{MenuPaths, Program};
use crate::config::{Value, cause, keys};
use crate::console::{LoginLinks, RedirectFile};
use crate::desktop::{self, clipboard, notify};
use crate::domain::Token;
use crate::domain::lang::localize;
use crate::http::BASE;
use crate::supervisor::{make_token, open_console, tray_messages};

impl Program {
    pub(super) fn open_console(&mut self) {
        let (Some(running), Some(places)) = (&self.running, &self.places) else { return };
        match open_console(&LoginLinks::new(&places.data, self.clock.clone()), running.reachable()) {
            Ok(file) => self.opening.push(file),
            Err(cause) => {
                tracing::error!(%cause, "the console was not opened");
                self.copy_console_link();
            }
        }
    }

    /// Drops the redirect files that browsers have used or that timed out.
    pub(super) fn await_browsers(&mut self) {
        let opening = std::mem::take(&mut self.opening);
        let (waiting, done): (Vec<_>, Vec<_>) = opening.into_iter().partition(RedirectFile::is_waiting);
        self.opening = waiting;
        if !done.iter().all(RedirectFile::was_used) {
            tracing::warn!("no browser opened the console");
            self.copy_console_link();
        }
    }

    /// Without a browser, copies the console's address so that the user can paste it into one.
    fn copy_console_link(&mut self) {
        let (Some(running), Some(places)) = (&self.running, &self.places) else { return };
        let link = LoginLinks::new(&places.data, self.clock.clone()).link(running.reachable());
        let copied = link.is_ok_and(|link| self.clipboard.copy_secret(&link).is_ok());
        let text = match copied {
            true => self.options.lang.pick(
                "O navegador não abriu o Pleito. O endereço foi copiado: cole-o em um navegador desta máquina dentro de um minuto.",
                "The browser did not open the console. Its address was copied: paste it into a browser of this machine within a minute.",
            ),
            false => self.options.lang.pick(
                "O navegador não abriu o Pleito. Em um terminal, pleito console --link dá o endereço.",
                "The browser did not open the console. In a terminal, pleito console --link gives its address.",
            ),
        };
        self.outcome = Some(text.to_owned());
    }

    pub(super) fn open_docs(&mut self) {
        if let Some(running) = &self.running {
            self.open_page(&format!("http://{}/docs", running.reachable()));
        }
    }

    /// Opens a page in the browser, or shows its address if that fails.
    fn open_page(&mut self, page: &str) {
        let Err(cause) = desktop::open(page) else { return };
        tracing::warn!(%cause, "no browser could be opened");
        self.outcome = Some(localize!(
            self.options.lang,
            "O navegador não abriu. O endereço é {page}",
            "The browser did not open. The address is {page}"
        ));
    }

    pub(super) fn open_place(&mut self, which: impl FnOnce(&MenuPaths) -> &PathBuf) {
        let Some(path) = self.places.as_ref().map(which) else { return };
        self.outcome = desktop::open(path).err().map(|cause| {
            tracing::warn!(%cause, "no program could be opened");
            let path = path.display();
            localize!(self.options.lang, "Não foi possível abrir {path}", "Could not open {path}")
        });
    }

    pub(super) fn copy_local(&mut self) {
        if let Some(running) = &self.running {
            self.copy(&format!("http://{}{BASE}", running.reachable()));
        }
    }

    pub(super) fn copy_network(&mut self) {
        let network = self.running.as_ref().and_then(|running| running.lan().urls().into_iter().next());
        if let Some(url) = network {
            self.copy(&format!("{url}{BASE}"));
        }
    }

    fn copy(&mut self, address: &str) {
        let copied = self.clipboard.copy(address);
        let lang = self.options.lang;
        self.outcome = Some(match copied {
            Ok(()) => localize!(lang, "Copiado: {address}", "Copied: {address}"),
            Err(cause) => {
                tracing::warn!(cause, "no clipboard");
                localize!(
                    lang,
                    "Não há área de transferência. O endereço é {address}",
                    "There is no clipboard. The address is {address}"
                )
            }
        });
    }

    pub(super) fn share(&mut self, on: bool) {
        let (Some(running), Some(key)) = (&self.running, keys::find("lan.enabled")) else { return };
        let written = running.app.watch().write(key, &Value::Boolean(on));
        self.outcome = written.err().map(|refused| refused.message(self.options.lang));
    }

    pub(super) fn new_token(&mut self) {
        let Some(running) = &self.running else { return };
        let store = running.app.store();
        match make_token(store, &self.clock) {
            Ok(token) => {
                tracing::info!("a new token was made from the menu");
                self.hand_over(token);
            }
            Err(cause) => {
                tracing::error!(%cause, "no new token");
                let why = tray_messages::of_store(&cause, self.options.lang);
                let text = self.options.lang.pick(
                    "O token não foi trocado; o atual continua valendo.",
                    "The token was not replaced; the current one still holds.",
                );
                self.outcome = Some(format!("{text} {why}"));
            }
        }
    }

    /// Copies a new token to the clipboard, and shows it once on the next page of the console.
    fn hand_over(&mut self, token: Token) {
        let Some(running) = &self.running else { return };
        let copied = self.clipboard.copy_secret(token.expose());
        running.console().show_once(token);
        let seconds = clipboard::SECRET_FOR.as_secs();
        let lang = self.options.lang;
        let text = match &copied {
            Ok(()) => localize!(
                lang,
                "Novo token copiado: cole-o agora nas automações. Ele sai da área de transferência em {seconds} s; o Pleito ainda o mostra uma vez.",
                "New token copied: paste it into the automations now. It leaves the clipboard in {seconds} s; the console still shows it once."
            ),
            Err(_) => localize!(
                lang,
                "Novo token gerado. O Pleito o mostra, só desta vez.",
                "New token generated. The console shows it, this once."
            ),
        };
        notify("Pleito", &text);
        self.outcome = Some(text);
        if let Err(cause) = copied {
            tracing::warn!(cause, "no clipboard");
            self.open_console();
        }
    }

    /// Requests a backup. The menu and a notification show the result when the backup is done.
    pub(super) fn back_up(&mut self) {
        let running = self.running.as_ref();
        if let Some((running, keeper)) = running.and_then(|running| Some((running, running.keeper.as_ref()?)))
        {
            self.awaited_backup = Some(running.app.backups().last().map(|last| last.at));
            keeper.ask();
            self.outcome = None;
        }
    }

    /// Shows the result of a requested backup once it is known.
    pub(super) fn await_backup(&mut self) {
        let (Some(running), Some(before)) = (&self.running, self.awaited_backup) else { return };
        let Some(last) = running.app.backups().last().filter(|last| Some(last.at) != before) else { return };
        self.awaited_backup = None;
        let lang = self.options.lang;
        let (title, text) = match (&last.problem, &last.file) {
            (Some(problem), _) => {
                (lang.pick("O backup não foi feito", "No backup was made"), problem.message(lang).to_owned())
            }
            (None, file) => (lang.pick("Backup pronto", "Backup made"), file.clone().unwrap_or_default()),
        };
        notify(title, &text);
        self.outcome = Some(format!("{title}: {text}"));
    }

    pub(super) fn autostart(&mut self, on: bool) {
        self.outcome = self.options.autostart.set(on).err().map(|cause| {
            tracing::error!(%cause, on, "autostart could not be changed");
            let why = cause::message(&cause, self.options.lang);
            localize!(
                self.options.lang,
                "O sistema não aceitou a mudança: {why}",
                "The system refused the change: {why}"
            )
        });
    }

    pub(super) fn pause(&mut self, on: bool) {
        let Some(running) = &self.running else { return };
        running.app.pause(on);
        self.outcome = None;
    }

    /// Writes the port to the settings and starts the server.
    pub(super) fn use_port(&mut self, port: u16) {
        let written = (self.options.load)().and_then(|config| {
            let mut listen = config.settings.server.listen;
            listen.set_port(port);
            let Some(key) = keys::find("server.listen") else { return Ok(()) };
            config.write(key, &Value::String(listen.to_string()))
        });
        self.outcome = written.err().map(|refused| refused.message(self.options.lang));
        let _ = self.try_to_start();
    }
}
