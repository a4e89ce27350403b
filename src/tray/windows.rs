//! The tray on Windows: a hidden window on this thread processes the icon's messages.
//!
//! `tray-icon` shows the icon again when Explorer restarts (message `TaskbarCreated`).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;

use winsafe::prelude::*;
use winsafe::{GetSystemMetrics, PostQuitMessage, co, gui};

use super::native::{NativeTray, show};
use super::{Ask, Intent, Notice, Notices, Unavailable};
use crate::domain::Lang;

/// Time that the system waits at sign-out before it ends a program.
const SESSION_ENDS: Duration = Duration::from_secs(5);

thread_local! {
    /// Belongs to the main thread, which alone may access it.
    static SHOWN: RefCell<Option<NativeTray>> = const { RefCell::new(None) };
}

pub(super) fn run(lang: Lang, ask: Ask, ready: impl FnOnce(Notices) + 'static) -> Result<(), Unavailable> {
    let window = gui::WindowMain::new(gui::WindowMainOpts {
        // The installer finds the running program by this class name.
        class_name: "PleitoTray",
        title: "Pleito",
        style: co::WS::OVERLAPPED,
        ..Default::default()
    });
    let (sender, notices) = mpsc::channel();
    let (ended, has_ended) = mpsc::channel();
    let first = RefCell::new(Some((ready, sender, ended, notices)));
    let failed = Rc::new(RefCell::new(None));

    let of_create = window.clone();
    let failure = Rc::clone(&failed);
    let of_menu = Ask::clone(&ask);
    window.on().wm_create(move |_| {
        let Some((ready, sender, ended, notices)) = first.borrow_mut().take() else { return Ok(0) };
        match show(
            lang,
            usize::try_from(GetSystemMetrics(co::SM::CXSMICON)).unwrap_or(16),
            Ask::clone(&of_menu),
        ) {
            Ok(shown) => {
                SHOWN.set(Some(shown));
                forward(of_create.clone(), notices);
                ready(Notices(Box::new(move |notice| {
                    if matches!(notice, Notice::Quit) {
                        let _ = ended.send(());
                    }
                    let _ = sender.send(notice);
                })));
            }
            Err(unavailable) => {
                *failure.borrow_mut() = Some(unavailable);
                PostQuitMessage(0);
            }
        }
        Ok(0)
    });
    // Sent by the installer and the task manager, which ask before they end the program.
    let on_close = Ask::clone(&ask);
    window.on().wm_close(move || {
        on_close(Intent::Quit);
        Ok(())
    });
    // At sign-out and shutdown, the system ends the process when this handler returns.
    window.on().wm_end_session(move |message| {
        if message.is_session_being_ended {
            ask(Intent::Quit);
            let _ = has_ended.recv_timeout(SESSION_ENDS);
        }
        Ok(())
    });
    let run = window.run_main(Some(co::SW::HIDE));
    SHOWN.set(None);
    match (failed.borrow_mut().take(), run) {
        (Some(unavailable), _) => Err(unavailable),
        (None, Err(cause)) => Err(Unavailable(cause.to_string())),
        (None, Ok(_)) => Ok(()),
    }
}

/// Forwards the notices to the window's thread, from a thread that may block. The loop ends with
/// [`Notice::Quit`] or when all senders are gone.
fn forward(window: gui::WindowMain, notices: mpsc::Receiver<Notice>) {
    std::thread::spawn(move || {
        for notice in notices {
            let Notice::State(state) = notice else { break };
            window.run_ui_thread(move || {
                SHOWN.with_borrow_mut(|shown| {
                    if let Some(shown) = shown {
                        shown.update(&state);
                    }
                });
                Ok(())
            });
        }
        window.run_ui_thread(|| {
            PostQuitMessage(0);
            Ok(())
        });
    });
}
