//! The records changed last, with their authors, for the overview.

use crate::console::layout::numbers::ago;
use crate::console::prelude::*;
use crate::records::Source;
use crate::store::journal::affected_records::{self, NewChange};

/// Recently changed records listed, and journal entries read to find them.
const MAX_CHANGED_RECORDS: usize = 8;
const MAX_READ_CHANGES: u32 = 200;

/// A changed record, and the number of other records of its kind that the same request changed.
struct Changed {
    pages: &'static Pages,
    view: View,
    request: Option<String>,
    others: u64,
    /// `true` if the request may have changed more records than were read.
    is_cut: bool,
    /// The name of the person or key that made the change, and its time in seconds since 1970.
    by: Option<(String, i64)>,
}

pub(in crate::console) struct LastChanged(Vec<Changed>);

impl LastChanged {
    /// Returns the records changed last, each once. Records of one kind changed by one request become one entry.
    pub fn read(db: Db<'_>) -> Result<LastChanged> {
        let (mut found, mut seen): (Vec<Changed>, Vec<(Kind, u32)>) = (Vec::new(), Vec::new());
        let newest = affected_records::newest(db, MAX_READ_CHANGES)?;
        let last = newest.last().filter(|_| newest.len() == MAX_READ_CHANGES as usize);
        let last = last.and_then(|last| last.request.clone());
        for NewChange { kind, id, request, at, by } in newest {
            let Some(pages) = pages_of(kind).filter(|_| !seen.contains(&(kind, id))) else { continue };
            seen.push((kind, id));
            let together = |own: &&mut Changed| {
                own.pages.table.kind == kind && own.request.is_some() && own.request == request
            };
            if let Some(own) = found.iter_mut().find(together) {
                own.others += 1;
            } else if found.len() < MAX_CHANGED_RECORDS {
                let view = View::read(db, pages.table, &[id])?.pop();
                let by = by.map(|by| (by, at));
                let is_cut = request.is_some() && request == last;
                found.extend(view.map(|view| Changed { pages, view, request, others: 0, is_cut, by }));
            }
        }
        Ok(LastChanged(found))
    }

    /// Renders the records, each with its author or time.
    pub fn render(&self, visit: &Visit) -> Markup {
        html! {
            ul.tasks { @for Changed { pages, view, others, is_cut, by, .. } in &self.0 {
                li {
                    div {
                        a href=(pages.at(&view.id.to_string())) { (pages.name(view, visit.lang)) }
                        p.quiet {
                            (first_upper(visit.lang.pick(pages.table.noun.0, pages.table.noun.1))) " · "
                            @match by {
                                Some((name, at)) => { (name) ", " (ago(*at, visit.app().now(), visit.zone(), visit.lang)) }
                                None => (view.moment(Source::Updated, visit)),
                            }
                            @if *others > 0 { " · + " (more_than(*is_cut, visit.lang)) (count(*others, visit.lang)) }
                        }
                    }
                }
            } }
        }
    }
}
