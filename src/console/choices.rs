//! What can be chosen: the entries of the reference lists, each under the one that it belongs to.

use std::sync::Arc;

use maud::{Markup, html};

use super::Console;
use super::visit::Visit;
use crate::domain::STATES;
use crate::store::settings::{self, Entry};

/// A list that fields choose from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Users,
    Origins,
    Groups,
    Types,
    Steps,
    Stages,
    States,
}

/// All reference lists as they are now, entries that cannot be chosen any more included.
pub(super) struct Choices {
    lists: [Vec<Entry>; 6],
}

impl Choices {
    /// Reads them; none where the store cannot be read.
    pub async fn read(console: &Arc<Console>) -> Option<Choices> {
        console
            .apart(|console| {
                let lists = console.api.app().store().read(|db| {
                    let mut lists: [Vec<Entry>; 6] = Default::default();
                    for (into, list) in lists.iter_mut().zip(settings::List::ALL) {
                        *into = settings::all(db, list)?;
                    }
                    Ok::<_, crate::store::Error>(lists)
                });
                lists.ok().map(|lists| Choices { lists })
            })
            .await
    }

    /// The entries of a list, in their order.
    pub fn entries(&self, list: settings::List) -> &[Entry] {
        let at = settings::List::ALL.iter().position(|one| *one == list);
        at.and_then(|at| self.lists.get(at)).map_or(&[], Vec::as_slice)
    }

    fn of(list: List) -> Option<settings::List> {
        Some(match list {
            List::Users => settings::List::Users,
            List::Origins => settings::List::Origins,
            List::Groups => settings::List::Groups,
            List::Types => settings::List::Types,
            List::Steps => settings::List::Steps,
            List::Stages => settings::List::Stages,
            List::States => return None,
        })
    }

    /// The name of an entry.
    pub fn name(&self, list: List, id: &str) -> String {
        let Some(list) = Choices::of(list) else { return id.to_owned() };
        let entry = self.entries(list).iter().find(|entry| entry.id.to_string() == id);
        entry.map(|entry| entry.name.as_str().to_owned()).unwrap_or_default()
    }

    /// The options of a choice. `chosen` stays among them also where it cannot be chosen any more.
    pub fn options(&self, list: List, chosen: &str, visit: &Visit) -> Markup {
        let Some(of) = Choices::of(list) else {
            return html! { @for state in STATES { option value=(state) selected[state == chosen] { (state) } } };
        };
        let offered = |entry: &&Entry| entry.active || entry.id.to_string() == chosen;
        let option = |entry: &Entry| {
            html! {
                option value=(entry.id) selected[entry.id.to_string() == chosen] {
                    (entry.name.as_str())
                    @if !entry.active { " " (visit.say("(inativo)", "(inactive)")) }
                }
            }
        };
        let entries = self.entries(of);
        match of.parent() {
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

    /// The only entry that can be chosen: nobody has to choose it.
    pub fn only(&self, list: List) -> Option<String> {
        let mut active = self.entries(Choices::of(list)?).iter().filter(|entry| entry.active);
        let first = active.next()?;
        active.next().is_none().then(|| first.id.to_string())
    }
}
