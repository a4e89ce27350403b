//! The tray on Linux: a StatusNotifierItem with a dbusmenu on the session bus. It has its own async runtime on
//! this thread.

use std::sync::Arc;

use ksni::menu::{CheckmarkItem, StandardItem, SubMenu};
use ksni::{MenuItem, OfflineReason, ToolTip, TrayMethods};
use tokio::runtime;
use tokio::sync::mpsc;

use super::menu::{MenuEntry, menu, tooltip};
use super::{Ask, Intent, Notice, Notices, TrayState, Unavailable, icon};
use crate::domain::Lang;

pub(super) fn run(lang: Lang, ask: Ask, ready: impl FnOnce(Notices)) -> Result<(), Unavailable> {
    let unavailable = |cause: &dyn std::fmt::Display| Unavailable(cause.to_string());
    let runtime =
        runtime::Builder::new_current_thread().enable_all().build().map_err(|cause| unavailable(&cause))?;
    runtime.block_on(async {
        let item = Item { state: TrayState::default(), lang, ask };
        // A host may appear later, or disappear and come back.
        let handle = item.assume_sni_available(true).spawn().await.map_err(|cause| unavailable(&cause))?;
        let (sender, mut notices) = mpsc::unbounded_channel();
        ready(Notices(Box::new(move |notice| _ = sender.send(notice))));
        while let Some(Notice::State(state)) = notices.recv().await {
            handle.update(|item| item.state = *state).await;
        }
        handle.shutdown().await;
        Ok(())
    })
}

/// The object on the bus.
struct Item {
    state: TrayState,
    lang: Lang,
    ask: Ask,
}

impl ksni::Tray for Item {
    // Every mouse button opens the menu, which contains all actions.
    const MENU_ON_ACTIVATE: bool = true;

    fn id(&self) -> String {
        "pleito".to_owned()
    }

    fn title(&self) -> String {
        "Pleito".to_owned()
    }

    fn status(&self) -> ksni::Status {
        match self.state.trouble {
            Some(_) => ksni::Status::NeedsAttention,
            None => ksni::Status::Active,
        }
    }

    fn icon_pixmap(&self) -> Vec<ksni::Icon> {
        icon::pictures(self.state.icon_state()).iter().map(pixmap).collect()
    }

    fn attention_icon_pixmap(&self) -> Vec<ksni::Icon> {
        self.icon_pixmap()
    }

    fn tool_tip(&self) -> ToolTip {
        let text = tooltip(&self.state, self.lang);
        let (title, description) = text.split_once('\n').unwrap_or((&text, ""));
        ToolTip { title: title.to_owned(), description: description.to_owned(), ..ToolTip::default() }
    }

    fn menu(&self) -> Vec<MenuItem<Item>> {
        shown(menu(&self.state, self.lang))
    }

    fn menu_about_to_show(&mut self) {
        (self.ask)(Intent::Look);
    }

    fn watcher_online(&self) {
        (self.ask)(Intent::Host(true));
    }

    fn watcher_offline(&self, _: OfflineReason) -> bool {
        (self.ask)(Intent::Host(false));
        true
    }
}

/// Converts a picture to ARGB, as the bus protocol requires.
fn pixmap(picture: &icon::Picture) -> ksni::Icon {
    let size = i32::try_from(picture.size).unwrap_or_default();
    let mut data = picture.rgba.to_vec();
    for pixel in data.as_chunks_mut::<4>().0 {
        pixel.rotate_right(1);
    }
    ksni::Icon { width: size, height: size, data }
}

fn shown(entries: Vec<MenuEntry>) -> Vec<MenuItem<Item>> {
    entries.into_iter().map(entry).collect()
}

fn entry(entry: MenuEntry) -> MenuItem<Item> {
    match entry {
        MenuEntry::Line => MenuItem::Separator,
        MenuEntry::Text(label) => {
            StandardItem { label: literal(&label), enabled: false, ..StandardItem::default() }.into()
        }
        MenuEntry::Act(label, intent) => StandardItem {
            label: literal(&label),
            enabled: intent.is_some(),
            activate: click(intent),
            ..StandardItem::default()
        }
        .into(),
        MenuEntry::Check(label, checked, intent) => CheckmarkItem {
            label: literal(&label),
            checked,
            enabled: intent.is_some(),
            activate: click(intent),
            ..CheckmarkItem::default()
        }
        .into(),
        MenuEntry::Below(label, entries) => {
            SubMenu { label: literal(&label), submenu: shown(entries), ..SubMenu::default() }.into()
        }
    }
}

fn click(intent: Option<Intent>) -> Box<dyn Fn(&mut Item) + Send> {
    Box::new(move |item| {
        if let Some(intent) = intent {
            let ask = Arc::clone(&item.ask);
            ask(intent);
        }
    })
}

/// A single underscore would mark the next letter as a mnemonic.
fn literal(label: &str) -> String {
    label.replace('_', "__")
}
