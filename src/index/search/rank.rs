//! The order of matches: the best first, and the newest first among equally good ones (office 57).

use roaring::RoaringBitmap;

use super::{Searching, by_term};
use crate::domain::Page;
use crate::index::names::NameIndex;
use crate::index::page::Filling;
use crate::index::words::terms::{MatchMode, SearchText};
use crate::records::{Field, Kind, Table, Type};

/// The column with the name of a record.
const NAME: &str = "name";

/// The matches in the records' own text, the best first. Matches of a term by an owner come after all of them.
#[derive(Clone, Copy)]
enum Rank {
    /// The same name, with the same titles, particles and legal forms.
    ExactName,
    SameName,
    NameBegins,
    /// Numbers and phones, beside a name or alone.
    Numbers,
    Fields,
    /// Notes and other long texts.
    Texts,
}

impl Searching<'_> {
    /// Returns a page of these matches of the text, which must be in descending order.
    pub fn page(&self, kind: Kind, text: &SearchText, mut found: RoaringBitmap, page: Page) -> Vec<u32> {
        let mut filling = Filling::new(page);
        self.fill(&mut filling, kind, text, &mut found);
        // What the text alone does not find is ordered by the words for which it was found.
        if let Some(counted) = text.counted() {
            self.fill(&mut filling, kind, counted, &mut found);
        }
        filling.take(&found);
        filling.into_ids()
    }

    /// Moves the matches of each rank from `found` to the page, until it is full.
    fn fill(&self, filling: &mut Filling, kind: Kind, text: &SearchText, found: &mut RoaringBitmap) {
        for rank in
            [Rank::ExactName, Rank::SameName, Rank::NameBegins, Rank::Numbers, Rank::Fields, Rank::Texts]
        {
            if filling.is_full() || found.is_empty() {
                break;
            }
            let group = self.ranked(rank, kind, text, found);
            filling.take(&group);
            *found -= group;
        }
    }

    /// Returns the matches of a rank among those that have no better one.
    fn ranked(&self, rank: Rank, kind: Kind, text: &SearchText, among: &RoaringBitmap) -> RoaringBitmap {
        let table = kind.table();
        let has_digits = text.folded().bytes().any(|byte| byte.is_ascii_digit());
        match rank {
            Rank::ExactName => self.with_name(kind, |names| names.exactly(text.folded())) & among,
            Rank::SameName => self.with_same_name(kind, text) & among,
            Rank::NameBegins => {
                let names = self.parts.get(&kind).and_then(|part| part.names());
                let words = text.terms().iter().flat_map(|term| term.words());
                names.map(|names| names.beginning(words) & among).unwrap_or_default()
            }
            Rank::Numbers if !has_digits => RoaringBitmap::new(),
            Rank::Numbers => {
                let mut found = self
                    .by_fields(kind, text, among, |field| field.column == NAME || is_number(table, field));
                // Names may have digits.
                found -= self.by_fields(kind, text, &found, |field| field.column == NAME);
                found.extend(text.id().filter(|id| among.contains(*id)));
                found
            }
            Rank::Fields => self.by_fields(kind, text, among, |field| !is_text(field)),
            Rank::Texts => self.by_fields(kind, text, among, |_| true),
        }
    }

    /// Returns the records with this name, apart from the words that do not count, and those that show the name of such an
    /// owner as their own.
    pub(super) fn with_same_name(&self, kind: Kind, text: &SearchText) -> RoaringBitmap {
        self.with_name(kind, |names| names.same(text.folded()))
    }

    /// Returns the records whose names `find` returns, and those that show the name of such an owner as their own.
    fn with_name(&self, kind: Kind, find: impl Fn(&NameIndex) -> RoaringBitmap + Copy) -> RoaringBitmap {
        let Some(part) = self.parts.get(&kind) else { return RoaringBitmap::new() };
        if let Some(names) = part.names() {
            return find(names);
        }
        let mut found = RoaringBitmap::new();
        for belonging in part.belongings().filter(|belonging| part.copied(belonging).contains(&NAME)) {
            let owners = self.with_name(belonging.kind, find);
            if !owners.is_empty() {
                found |= belonging.owners.all_belonging(&owners);
            }
        }
        found
    }

    /// Returns the records that match every term in one of their own fields for which `is_one` is `true`.
    fn by_fields(
        &self,
        kind: Kind,
        text: &SearchText,
        among: &RoaringBitmap,
        is_one: impl Fn(&'static Field) -> bool,
    ) -> RoaringBitmap {
        let mut found = if text.terms().is_empty() { RoaringBitmap::new() } else { among.clone() };
        for term in text.terms() {
            found = by_term(term, &found, |word, ids| self.own(kind, word).by_among(ids, &is_one));
        }
        found
    }
}

fn is_number(table: &'static Table, field: &'static Field) -> bool {
    matches!(MatchMode::at(table, field), Some(MatchMode::Code | MatchMode::Start | MatchMode::Digits))
}

/// Returns `true` for long texts. A short one that shares the index of the notes, such as the place of a task, counts as
/// one too.
fn is_text(field: &Field) -> bool {
    matches!(field.ty, Type::Text(_))
}
