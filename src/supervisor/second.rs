//! A second start for the same data folder: it brings up the first one's console and ends.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use super::{Owner, OwnerRequest};
use crate::config::dirs::private_dir;
use crate::desktop::{self, notify};
use crate::domain::Lang;

/// A first one that is starting answers within this time; one in trouble says nothing.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// The place of the one desktop program of a data folder. Where the folder cannot be written nobody can hold it.
pub(super) struct Place(#[expect(unused, reason = "closing it gives the place back")] Option<File>);

/// Takes the place, or brings up whoever has it: another desktop program, or a server without an icon.
pub(super) fn take_place(data: &Path, lang: Lang) -> Option<Place> {
    let _ = private_dir(data);
    let place = match super::instance::lock(data, "pleito-desktop.lock") {
        Ok(lock) => Place(Some(lock)),
        Err(Some(_)) => Place(None),
        Err(None) => {
            bring_up(data, lang);
            return None;
        }
    };
    if Owner::running(data).is_some() {
        bring_up(data, lang);
        return None;
    }
    Some(place)
}

fn bring_up(data: &Path, lang: Lang) {
    let mut owner = Owner::running(data);
    for _ in 0..TRIES {
        if owner.is_some() {
            break;
        }
        std::thread::sleep(PAUSE);
        owner = Owner::running(data);
    }
    let link =
        owner.and_then(|owner| owner.ask::<Option<String>>(OwnerRequest::ConsoleLink, lang).ok().flatten());
    let text = match link {
        Some(page) => match (desktop::open(&page), lang) {
            (Ok(()), _) => return,
            (Err(_), Lang::Pt) => format!("Já está em execução: {page}"),
            (Err(_), Lang::En) => format!("It is running already: {page}"),
        },
        None => lang
            .pick(
                "Já está em execução. O menu do ícone na bandeja diz como ele está.",
                "It is running already. The menu of its icon in the tray says how it is.",
            )
            .to_owned(),
    };
    notify("Pleito", &text);
}
