//! The tray on Windows and macOS, with `tray-icon`. It lives on the main thread.

use std::sync::{Arc, Mutex, PoisonError};

use tray_icon::menu::{CheckMenuItem, IsMenuItem, Menu, MenuEvent, MenuItem, PredefinedMenuItem, Submenu};
use tray_icon::{Icon, TrayIcon, TrayIconBuilder, TrayIconEvent};

use super::icon::{self, IconState};
use super::menu::{MenuEntry, menu, tooltip};
use super::{Ask, Intent, TrayState, Unavailable};
use crate::domain::Lang;

pub(super) struct NativeTray {
    tray: TrayIcon,
    lang: Lang,
    /// Icon size in pixels that the system asks for.
    size: usize,
    icon_state: IconState,
    entries: Vec<MenuEntry>,
    /// The actions in the current menu.
    intents: Arc<Mutex<Vec<Intent>>>,
}

pub(super) fn show(lang: Lang, size: usize, ask: Ask) -> Result<NativeTray, Unavailable> {
    let state = TrayState::default();
    let entries = menu(&state, lang);
    let intents = Arc::new(Mutex::new(intents_of(&entries)));
    let of_click = Arc::clone(&intents);
    let clicked = Arc::clone(&ask);
    MenuEvent::set_event_handler(Some(move |event: MenuEvent| {
        let intents = of_click.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(intent) = intents.iter().find(|intent| id(**intent) == event.id.0) {
            clicked(*intent);
        }
    }));
    // The pointer enters the icon before the click, which leaves time to refresh the state.
    TrayIconEvent::set_event_handler(Some(move |event: TrayIconEvent| {
        if matches!(event, TrayIconEvent::Enter { .. } | TrayIconEvent::Click { .. }) {
            ask(Intent::Look);
        }
    }));
    let unavailable = |cause: &dyn std::fmt::Display| Unavailable(cause.to_string());
    let mut tray = TrayIconBuilder::new()
        .with_id("pleito")
        .with_tooltip(tooltip(&state, lang))
        .with_menu(Box::new(drawn(&entries).map_err(|cause| unavailable(&cause))?));
    if let Some(icon) = picture(state.icon_state(), size) {
        tray = tray.with_icon(icon);
    }
    let tray = tray.build().map_err(|cause| unavailable(&cause))?;
    Ok(NativeTray { tray, lang, size, icon_state: state.icon_state(), entries, intents })
}

impl NativeTray {
    /// Shows the state. Changes only what differs, because the menu may be open.
    pub(super) fn update(&mut self, state: &TrayState) {
        if self.icon_state != state.icon_state() {
            self.icon_state = state.icon_state();
            let _ = self.tray.set_icon(picture(self.icon_state, self.size));
        }
        let _ = self.tray.set_tooltip(Some(tooltip(state, self.lang)));
        let entries = menu(state, self.lang);
        if self.entries != entries
            && let Ok(menu) = drawn(&entries)
        {
            *self.intents.lock().unwrap_or_else(PoisonError::into_inner) = intents_of(&entries);
            self.tray.set_menu(Some(Box::new(menu)));
            self.entries = entries;
        }
    }
}

/// Returns the smallest picture that is large enough, or else the largest.
fn picture(icon_state: IconState, size: usize) -> Option<Icon> {
    let pictures = icon::pictures(icon_state);
    let fits = pictures.iter().find(|picture| picture.size >= size).or(pictures.last())?;
    let side = u32::try_from(fits.size).ok()?;
    Icon::from_rgba(fits.rgba.to_vec(), side, side).ok()
}

fn id(intent: Intent) -> String {
    format!("{intent:?}")
}

/// Returns all actions in the menu.
fn intents_of(entries: &[MenuEntry]) -> Vec<Intent> {
    let of = |entry: &MenuEntry| match entry {
        MenuEntry::Act(_, intent) | MenuEntry::Check(_, _, intent) => intent.iter().copied().collect(),
        MenuEntry::Below(_, below) => intents_of(below),
        MenuEntry::Text(_) | MenuEntry::Line => Vec::new(),
    };
    entries.iter().flat_map(of).collect()
}

fn drawn(entries: &[MenuEntry]) -> tray_icon::menu::Result<Menu> {
    let menu = Menu::new();
    for entry in entries {
        menu.append(item(entry)?.as_ref())?;
    }
    Ok(menu)
}

fn item(entry: &MenuEntry) -> tray_icon::menu::Result<Box<dyn IsMenuItem>> {
    Ok(match entry {
        MenuEntry::Line => Box::new(PredefinedMenuItem::separator()),
        MenuEntry::Text(label) => Box::new(MenuItem::new(literal(label), false, None)),
        MenuEntry::Act(label, None) => Box::new(MenuItem::new(literal(label), false, None)),
        MenuEntry::Act(label, Some(intent)) => {
            Box::new(MenuItem::with_id(id(*intent), literal(label), true, None))
        }
        MenuEntry::Check(label, on, None) => Box::new(CheckMenuItem::new(literal(label), false, *on, None)),
        MenuEntry::Check(label, on, Some(intent)) => {
            Box::new(CheckMenuItem::with_id(id(*intent), literal(label), true, *on, None))
        }
        MenuEntry::Below(label, below) => {
            let submenu = Submenu::new(literal(label), true);
            for entry in below {
                submenu.append(item(entry)?.as_ref())?;
            }
            Box::new(submenu)
        }
    })
}

/// A single ampersand would mark the next letter as a mnemonic.
fn literal(label: &str) -> String {
    label.replace('&', "&&")
}
