//! The records that people chose for a member. Merges and hand-overs show others in their place, until they are undone
//! (office 53 and 56).

use super::history::{Link, MemberChange};
use crate::http::Problem;
use crate::records::Table;
use crate::store::Db;
use crate::store::journal::{self, JournalAct};

/// A record that a merge or hand-over shows in the place of another one.
struct Replacement {
    from: u32,
    into: u32,
    /// The number of the journal entry with which `from` came back.
    end: Option<u64>,
}

/// What people chose for a member, and what is shown in its place.
pub struct ChosenLinks {
    links: Vec<Link>,
    /// The replacements that stand, oldest first.
    standing: Vec<Replacement>,
}

impl ChosenLinks {
    /// Replays the changes of a member, oldest first, that refers to records of a table. `links` reads a change. `None` if the
    /// entry `seq` of a merge or hand-over did not take `from` out. The caller opens a snapshot.
    pub fn replay(
        db: Db<'_>,
        table: &Table,
        (seq, from): (u64, u32),
        changes: &[MemberChange],
        links: impl Fn(&MemberChange) -> [Vec<Link>; 2],
    ) -> Result<Option<ChosenLinks>, Problem> {
        let mut chosen = ChosenLinks { links: Vec::new(), standing: Vec::new() };
        let mut is_moved = false;
        for (at, change) in changes.iter().enumerate() {
            let [before, after] = links(change);
            if at == 0 {
                chosen.links.clone_from(&before);
            }
            let undoes = matches!(change.act, Some(JournalAct::MergeUndone | JournalAct::HandOverUndone));
            if undoes {
                chosen.standing.retain(|one| find(&after, one.from).is_none());
            }
            chosen.settle(change.seq);
            // Merges of earlier versions have no mark.
            if change.seq == seq || matches!(change.act, Some(JournalAct::Merge | JournalAct::HandOver)) {
                for Link { id, .. } in before.iter().filter(|link| find(&after, link.id).is_none()) {
                    is_moved |= (change.seq, *id) == (seq, from);
                    let into = journal::replaced_by(db, table.name, *id, change.seq)?;
                    let end = journal::came_back(db, table.name, *id, change.seq)?.map(|entry| entry.seq);
                    chosen.standing.extend(into.map(|into| Replacement { from: *id, into, end }));
                }
            } else if !undoes {
                chosen.choose(&before, &after);
            }
            // What the rest of the journal does not explain counts as chosen.
            if shown(&chosen.links, &chosen.standing) != after {
                chosen = ChosenLinks { links: after, standing: Vec::new() };
            }
        }
        chosen.settle(u64::MAX);
        Ok(is_moved.then_some(chosen))
    }

    /// Returns what the member refers to without the replacement of `from`. `None` if `from` is not there then, because a person
    /// chose another one since.
    pub fn without(&self, from: u32) -> Option<Vec<Link>> {
        let links = shown(&self.links, self.standing.iter().filter(|one| one.from != from));
        find(&links, from).is_some().then_some(links)
    }

    /// Returns the record that the member shows for a chosen one.
    pub fn shown_for(&self, id: u32) -> u32 {
        last(id, &self.standing)
    }

    /// Takes a person's change over: a record that stays keeps those for which it is shown.
    fn choose(&mut self, before: &[Link], after: &[Link]) {
        let behind = |link: &Link| {
            let is_marked = find(before, link.id).is_none_or(|before| before.done_at != link.done_at);
            let own = self.links.iter().filter(|own| self.shown_for(own.id) == link.id);
            let own = own.map(|own| if is_marked { Link { id: own.id, ..*link } } else { *own });
            let own = own.collect::<Vec<_>>();
            if own.is_empty() { vec![*link] } else { own }
        };
        self.links = after.iter().flat_map(behind).collect();
    }

    /// Takes over the replacements whose record came back before an entry without them: the other one is there for itself.
    fn settle(&mut self, seq: u64) {
        let is_settled = |one: &Replacement| one.end.is_some_and(|end| end < seq);
        while let Some(at) = self.standing.iter().position(is_settled) {
            let Replacement { from, into, .. } = self.standing.remove(at);
            let shown_for = |link: &Link| last(link.id, self.standing.iter().take(at));
            let (gone, mut left): (Vec<_>, Vec<_>) =
                self.links.iter().copied().partition(|link| shown_for(link) == from);
            if let Some(done_at) = gone.iter().map(|link| link.done_at).min() {
                // Before the one that already stands for it, or in the place of the one that went.
                let place = left.iter().position(|link| shown_for(link) == into);
                let first = self.links.iter().take_while(|link| shown_for(link) != from).count();
                match left.iter_mut().find(|link| link.id == into) {
                    Some(own) => own.done_at = own.done_at.min(done_at),
                    None => left.insert(place.unwrap_or(first), Link { id: into, done_at }),
                }
            }
            self.links = left;
        }
    }
}

fn find(links: &[Link], id: u32) -> Option<&Link> {
    links.iter().find(|link| link.id == id)
}

/// Returns the record that stands for another one after these replacements.
fn last<'r>(id: u32, replacements: impl IntoIterator<Item = &'r Replacement>) -> u32 {
    replacements.into_iter().fold(id, |id, one| if id == one.from { one.into } else { id })
}

/// Returns the links as these replacements show them. A guest in the place of several has completed the task if all have.
fn shown<'r>(links: &[Link], replacements: impl IntoIterator<Item = &'r Replacement>) -> Vec<Link> {
    let mut links = links.to_vec();
    for Replacement { from, into, .. } in replacements {
        let Some(gone) = find(&links, *from).copied() else { continue };
        match links.iter_mut().find(|link| link.id == *into) {
            Some(own) => {
                own.done_at = own.done_at.min(gone.done_at);
                links.retain(|link| link.id != *from);
            }
            None => links.iter_mut().filter(|link| link.id == *from).for_each(|link| link.id = *into),
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(ids: &[u32]) -> Vec<Link> {
        ids.iter().map(|id| Link { id: *id, done_at: None }).collect()
    }

    #[test]
    fn a_record_that_came_back_leaves_its_place_to_the_one_that_stayed() {
        let replacement = |(from, into, end)| Replacement { from, into, end };
        for (ids, expected) in [([1, 9, 2], [9, 3, 2]), ([2, 9, 1], [3, 2, 9])] {
            let standing = [(2, 3, None), (1, 3, Some(5))].map(replacement).into();
            let mut chosen = ChosenLinks { links: links(&ids), standing };
            let before = shown(&chosen.links, &chosen.standing);
            chosen.settle(5);
            assert_eq!(chosen.links, links(&ids));
            chosen.settle(6);
            assert_eq!(chosen.links, links(&expected));
            assert_eq!(shown(&chosen.links, &chosen.standing), before);
        }
    }
}
