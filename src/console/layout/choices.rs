//! The entries of the reference lists as options, grouped by parent or type.

use crate::console::prelude::*;
use crate::domain::{EntryType, STATES};
use crate::store::lists::{self, Entry};

/// All entries of all reference lists, inactive ones included.
#[derive(Default)]
pub(in crate::console) struct Choices {
    lists: [Vec<Entry>; List::ALL.len()],
}

impl Choices {
    pub fn of(db: Db<'_>) -> StoreResult<Choices> {
        let mut lists: [Vec<Entry>; List::ALL.len()] = Default::default();
        for (into, list) in lists.iter_mut().zip(List::ALL) {
            *into = lists::all(db, list)?;
        }
        Ok(Choices { lists })
    }

    pub async fn read(visit: &Visit) -> Result<Choices> {
        visit.read(|db| Ok(Choices::of(db)?)).await
    }

    pub fn entries(&self, list: List) -> &[Entry] {
        let at = List::ALL.iter().position(|one| *one == list);
        at.and_then(|at| self.lists.get(at)).map_or(&[], Vec::as_slice)
    }

    /// Returns the names of an entry and of its parent.
    pub fn named(&self, list: List, id: &str) -> (&str, Option<&str>) {
        let Some(entry) = self.entries(list).iter().find(|entry| entry.id.to_string() == id) else {
            return ("", None);
        };
        let parents = list.parent().map_or(&[][..], |parents| self.entries(parents));
        let parent = parents.iter().find(|parent| entry.parent == Some(parent.id));
        (entry.name.as_str(), parent.map(|parent| parent.name.as_str()))
    }

    /// Renders the entries as options. Inactive entries are left out, except for `chosen`.
    pub fn entry_options(&self, list: List, chosen: &str, visit: &Visit) -> Markup {
        let offered = |entry: &&Entry| entry.active || entry.id.to_string() == chosen;
        let option = |entry: &Entry| {
            html! {
                option value=(entry.id) selected[entry.id.to_string() == chosen] {
                    (entry.name.as_str())
                    @if !entry.active { " " (visit.pick("(inativo)", "(inactive)")) }
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

    /// Renders the entries as options of a filter: the inactive ones too, below a line, because records still have them.
    pub fn filter_options(&self, list: List, chosen: &str, visit: &Visit) -> Markup {
        let is_left = |entry: &&Entry| !entry.active && entry.id.to_string() != chosen;
        let left = self.entries(list).iter().filter(is_left).collect::<Vec<_>>();
        html! {
            (self.entry_options(list, chosen, visit))
            @if !left.is_empty() {
                hr;
                optgroup label=(visit.pick("Inativos", "Inactive")) { @for entry in left { option value=(entry.id) { (entry.name.as_str()) } } }
            }
        }
    }

    /// Returns `true` if the entry exists and is active.
    pub fn is_active(&self, list: List, id: &str) -> bool {
        self.entries(list).iter().any(|entry| entry.active && entry.id.to_string() == id)
    }

    /// Returns the id of the only active entry, or `None` if there are more or fewer.
    pub fn only(&self, list: List) -> Option<String> {
        let mut active = self.entries(list).iter().filter(|entry| entry.active);
        let first = active.next()?;
        active.next().is_none().then(|| first.id.to_string())
    }
}

/// Groups categories by the type of transaction that they are for. Returns nothing for other lists.
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

pub(in crate::console) fn state_options(chosen: &str) -> Markup {
    html! { @for state in STATES { option value=(state) selected[state == chosen] { (state) } } }
}
