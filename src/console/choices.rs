//! What can be chosen: the entries of the reference lists, each under the one that it belongs to.

use std::sync::Arc;

use maud::{Markup, html};

use super::state::Console;
use super::visit::Visit;
use crate::domain::{Bilingual, EntryType, STATES};
use crate::records::List;
use crate::store::settings::{self, Entry};
use crate::store::{self, Db};

/// All reference lists as they are now, entries that cannot be chosen any more included.
pub(super) struct Choices {
    lists: [Vec<Entry>; List::ALL.len()],
}

impl Choices {
    /// Reads them.
    pub fn of(db: Db<'_>) -> Result<Choices, store::Error> {
        let mut lists: [Vec<Entry>; List::ALL.len()] = Default::default();
        for (into, list) in lists.iter_mut().zip(List::ALL) {
            *into = settings::all(db, list)?;
        }
        Ok(Choices { lists })
    }

    /// Reads them; none where the store cannot be read.
    pub async fn read(console: &Arc<Console>) -> Option<Choices> {
        console.api.read_inside("", |db| Ok(Choices::of(db)?)).await.ok()
    }

    /// The entries of a list, in their order.
    pub fn entries(&self, list: List) -> &[Entry] {
        let at = List::ALL.iter().position(|one| *one == list);
        at.and_then(|at| self.lists.get(at)).map_or(&[], Vec::as_slice)
    }

    /// The name of an entry, and that of the one it belongs to.
    pub fn named(&self, list: List, id: &str) -> (&str, Option<&str>) {
        let Some(entry) = self.entries(list).iter().find(|entry| entry.id.to_string() == id) else {
            return ("", None);
        };
        let parents = list.parent().map_or(&[][..], |parents| self.entries(parents));
        let parent = parents.iter().find(|parent| entry.parent == Some(parent.id));
        (entry.name.as_str(), parent.map(|parent| parent.name.as_str()))
    }

    /// The entries of a list as options. `chosen` stays among them also where it cannot be chosen any more.
    pub fn entry_options(&self, list: List, chosen: &str, visit: &Visit) -> Markup {
        let offered = |entry: &&Entry| entry.active || entry.id.to_string() == chosen;
        let option = |entry: &Entry| {
            html! {
                option value=(entry.id) selected[entry.id.to_string() == chosen] {
                    (entry.name.as_str())
                    @if !entry.active { " " (visit.say("(inativo)", "(inactive)")) }
                }
            }
        };
        let entries = self.entries(list);
        let groups = flows(entries);
        if !groups.is_empty() {
            return html! {
                @for (word, (pt, en), own) in groups {
                    optgroup label=(visit.lang.pick(pt, en)) data-of=(word) { @for entry in own.into_iter().filter(offered) { (option(entry)) } }
                }
            };
        }
        match list.parent() {
            Some(parents) => html! {
                @for parent in self.entries(parents) {
                    @let own = entries.iter().filter(|entry| entry.parent == Some(parent.id)).filter(offered).collect::<Vec<_>>();
                    @if !own.is_empty() {
                        optgroup label=(parent.name.as_str()) { @for entry in own { (option(entry)) } }
                    }
                }
            },
            None => html! { @for entry in entries.iter().filter(offered) { (option(entry)) } },
        }
    }

    /// Returns `true` if that entry can be chosen.
    pub fn is_active(&self, list: List, id: &str) -> bool {
        self.entries(list).iter().any(|entry| entry.active && entry.id.to_string() == id)
    }

    /// The only entry that can be chosen.
    pub fn only(&self, list: List) -> Option<String> {
        let mut active = self.entries(list).iter().filter(|entry| entry.active);
        let first = active.next()?;
        active.next().is_none().then(|| first.id.to_string())
    }
}

/// The entries of categories by the type of the transactions that they are for; nothing for another list.
fn flows(entries: &[Entry]) -> Vec<(&'static str, Bilingual, Vec<&Entry>)> {
    let names = [("Receitas", "Income"), ("Despesas", "Expense")];
    let of = |word| EntryType::parse(word).map(|EntryType(flow)| flow.as_str()).unwrap_or_default();
    let is_of = |entry: &&Entry, word| entry.values.iter().any(|value| value.text() == Some(of(word)));
    let groups = EntryType::WORDS.into_iter().zip(names);
    let groups = groups.map(|(word, name)| {
        (word, name, entries.iter().filter(|entry| is_of(entry, word)).collect::<Vec<_>>())
    });
    groups.filter(|(.., own)| !own.is_empty()).collect()
}

/// The 27 states as options.
pub(super) fn state_options(chosen: &str) -> Markup {
    html! { @for state in STATES { option value=(state) selected[state == chosen] { (state) } } }
}
