//! The tray of Windows: a hidden window on this thread, whose messages the icon lives on.
//!
//! `tray-icon` shows the icon again by itself when Explorer has restarted (the message `TaskbarCreated`).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;

use winsafe::prelude::*;
use winsafe::{GetSystemMetrics, PostQuitMessage, co, gui};

use super::native::{NativeTray, show};
use super::{Ask, Intent, Notice, Notices, Unavailable};
use crate::domain::Lang;

/// How long the system waits, when the person signs out, before it ends a program that does not end.
const SESSION_ENDS: Duration = Duration::from_secs(5);

thread_local! {
    /// Of the main thread, the only one that may touch it.
    static SHOWN: RefCell<Option<NativeTray>> = const { RefCell::new(None) };
}

pub(super) fn run(lang: Lang, ask: Ask, ready: impl FnOnce(Notices) + 'static) -> Result<(), Unavailable> {
    let window = gui::WindowMain::new(gui::WindowMainOpts {
        // By this name the installer finds the running program.
        class_name: "PleitoTray",
        title: "Pleito",
        style: co::WS::OVERLAPPED,
        ..Default::default()
    });
    let (told, notices) = mpsc::channel();
    let (ended, has_ended) = mpsc::channel();
    let first = RefCell::new(Some((ready, told, ended, notices)));
    let failed = Rc::new(RefCell::new(None));

    let (of_create, failure, asked) = (window.clone(), Rc::clone(&failed), Ask::clone(&ask));
    window.on().wm_create(move |_| {
        let Some((ready, told, ended, notices)) = first.borrow_mut().take() else { return Ok(0) };
        match show(
            lang,
            usize::try_from(GetSystemMetrics(co::SM::CXSMICON)).unwrap_or(16),
            Ask::clone(&asked),
        ) {
            Ok(shown) => {
                SHOWN.set(Some(shown));
                forward(of_create.clone(), notices);
                ready(Notices(Box::new(move |notice| {
                    if matches!(notice, Notice::Quit) {
                        let _ = ended.send(());
                    }
                    let _ = told.send(notice);
                })));
            }
            Err(unavailable) => {
                *failure.borrow_mut() = Some(unavailable);
                PostQuitMessage(0);
            }
        }
        Ok(0)
    });
    // The installer, and the task manager, which both ask politely first.
    let on_close = Ask::clone(&ask);
    window.on().wm_close(move || {
        on_close(Intent::Quit);
        Ok(())
    });
    // Signing out and shutting down: the process is gone when this returns.
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

/// Hands the notices to the window's thread, from a thread that may wait for it; whoever sends none any more has ended.
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
