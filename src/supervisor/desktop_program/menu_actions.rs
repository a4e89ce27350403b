//! The actions of the tray menu. Each leaves its outcome for the menu to show.

use std::io;
use std::path::PathBuf;

use super::office::Office;
use super::{MenuPaths, Program};
use crate::backup::BackupFile;
use crate::config::{Value, io_error_texts, setting_names};
use crate::console::{self, RedirectFile, SignInLinks};
use crate::desktop::{self, clipboard, notify};
use crate::domain::lang::{Lang, localize};
use crate::http::BASE;
use crate::supervisor::browser::{open_console, open_link};
use crate::supervisor::{Fatal, NewTokenMade, OwnerRequest, tray_troubles};

impl Program {
    pub(super) fn open_console(&mut self) {
        match &self.office {
            Some(Office::Own(running)) => {
                let data = running.app.store().folder();
                let links = SignInLinks::new(data, self.clock.clone());
                let opened = open_console(&links, running.reachable());
                self.follow_browser(opened);
            }
            Some(Office::Service(_)) => self.ask(OwnerRequest::ConsoleLink, |program, link| {
                let opened = link.map_err(refusal).and_then(|link: String| open_link(&link, &program.clock));
                program.follow_browser(opened);
            }),
            Some(Office::Visited(_)) => self.open_sign_in(),
            None => {}
        }
    }

    /// Opens the page where people of the office sign in: it is for the network.
    fn open_sign_in(&mut self) {
        if let Some(url) = &self.state.network {
            self.open_page(format!("{url}{}", console::BASE));
        }
    }

    fn follow_browser(&mut self, opened: io::Result<RedirectFile>) {
        match opened {
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
        self.ask(OwnerRequest::ConsoleLink, |program, link: Result<String, Fatal>| {
            let copied = link.is_ok_and(|link| program.clipboard.copy_secret(&link).is_ok());
            let text = match copied {
                true => program.options.lang.pick(
                    "O navegador não abriu o Pleito. O endereço foi copiado: cole-o em um navegador desta máquina dentro de um minuto.",
                    "The browser did not open the console. Its address was copied: paste it into a browser of this machine within a minute.",
                ),
                false => program.options.lang.pick(
                    "O navegador não abriu o Pleito. Em um terminal, pleito console --link dá o endereço.",
                    "The browser did not open the console. In a terminal, pleito console --link gives its address.",
                ),
            };
            program.outcome = Some(text.to_owned());
        });
    }

    pub(super) fn open_docs(&mut self) {
        if let Some(address) = self.state.local {
            self.open_page(format!("http://{address}/docs"));
        }
    }

    /// Opens a page in the browser, or shows its address if that fails.
    fn open_page(&mut self, page: String) {
        let Err(cause) = desktop::open(&page) else { return };
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
        if let Some(address) = self.state.local {
            self.copy(&format!("http://{address}{BASE}"));
        }
    }

    pub(super) fn copy_network(&mut self) {
        if let Some(url) = &self.state.network {
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
        self.ask(OwnerRequest::Share(on), Program::show_refusal);
    }

    /// Shows why the office refused a request, if it did.
    fn show_refusal(&mut self, answer: Result<(), Fatal>) {
        self.outcome = answer.err().map(|refusal| refusal.message(self.options.lang));
    }

    pub(super) fn new_token(&mut self) {
        self.outcome = None;
        let request = OwnerRequest::NewToken { and_keys: false, shown_in_console: true };
        self.ask(request, |program, made: Result<NewTokenMade, Fatal>| match made {
            Ok(made) => program.hand_over(&made.token),
            Err(Fatal::NoAnswer(_)) => {
                let text = program.options.lang.pick(
                    "O Pleito não respondeu. Se o token foi trocado, o console mostra o novo; veja em Token quando o atual foi criado.",
                    "Pleito did not answer. If the token was replaced, the console shows the new one; Token says when the current one was made.",
                );
                program.outcome = Some(text.to_owned());
            }
            Err(fatal) => {
                tracing::error!(reason = fatal.message(Lang::En), cause = fatal.detail(), "no new token");
                let reason = tray_troubles::of_start(&fatal, program.options.lang).text;
                let text = program.options.lang.pick(
                    "O token não foi trocado; o atual continua valendo.",
                    "The token was not replaced; the current one still holds.",
                );
                program.outcome = Some(format!("{text} {reason}"));
            }
        });
    }

    /// Copies a new token to the clipboard. The next page of the console shows it once.
    fn hand_over(&mut self, token: &str) {
        let copied = self.clipboard.copy_secret(token);
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
        self.outcome = None;
        self.is_backing_up = self.office.is_some();
        self.ask(OwnerRequest::Backup, |program, made: Result<BackupFile, Fatal>| {
            program.is_backing_up = false;
            let lang = program.options.lang;
            let (title, text) = match made {
                Ok(made) => {
                    let file = made.path.file_name().unwrap_or_default().display().to_string();
                    (lang.pick("Backup pronto", "Backup made"), file)
                }
                Err(refusal) => {
                    (lang.pick("O backup não foi feito", "No backup was made"), refusal.message(lang))
                }
            };
            notify(title, &text);
            program.outcome = Some(format!("{title}: {text}"));
        });
    }

    pub(super) fn autostart(&mut self, on: bool) {
        self.outcome = self.options.autostart.set(on).err().map(|cause| {
            tracing::error!(%cause, on, "autostart could not be changed");
            let why = io_error_texts::message(&cause, self.options.lang);
            localize!(
                self.options.lang,
                "O sistema não aceitou a mudança: {why}",
                "The system refused the change: {why}"
            )
        });
    }

    pub(super) fn pause(&mut self, on: bool) {
        self.ask(OwnerRequest::Pause(on), Program::show_refusal);
    }

    /// Writes the port to the settings and starts the server.
    pub(super) fn use_port(&mut self, port: u16) {
        let written = (self.options.load)().and_then(|config| {
            let mut listen = config.settings.server.listen;
            listen.set_port(port);
            let Some(key) = setting_names::find("server.listen") else { return Ok(()) };
            config.write(key, &Value::String(listen.to_string()))
        });
        self.outcome = written.err().map(|refused| refused.message(self.options.lang));
        let _ = self.try_to_start();
    }
}

fn refusal(fatal: Fatal) -> io::Error {
    io::Error::other(fatal.message(Lang::En))
}
