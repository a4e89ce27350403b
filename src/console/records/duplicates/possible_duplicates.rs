//! Possible duplicates of a new record. Similar customers are listed beside the name while it is typed. Those that were
//! not listed yet are shown before the record is stored; a second click stores it anyway.

use crate::api::console_pages::SimilarHandler;
use crate::console::prelude::*;
use crate::console::requests::response::part;
use crate::index::Index;

/// Form field with the ids of the duplicates that the visitor has seen.
const SEEN: &str = "alike";
/// Form fields that similar records are found by.
pub(in crate::console) const FOUND_BY: &str = "name identification birthdate cellphone phone email";

#[derive(Default)]
pub(in crate::console) struct PossibleDuplicates {
    ids: Vec<u32>,
    /// The records that are not deleted.
    records: Vec<View>,
    /// Labels of what agrees, for similar records.
    reasons: Vec<(u32, Vec<Bilingual>)>,
}

/// Returns `true` for the name of a new record, beside which similar records are listed.
pub(in crate::console) fn is_beside(pages: &Pages, field: &Field, is_new: bool) -> bool {
    pages.similar.is_some() && is_new && field.member == "name"
}

impl PossibleDuplicates {
    /// Creates the list from ids only; [`PossibleDuplicates::read`] reads the records.
    pub fn of(ids: Vec<u32>) -> PossibleDuplicates {
        PossibleDuplicates { ids, ..PossibleDuplicates::default() }
    }

    /// Returns the ids of the duplicates that the form already showed.
    pub fn seen(visit: &Visit) -> Vec<u32> {
        let lists = visit.form.iter().filter(|(name, _)| name == SEEN);
        lists.flat_map(|(_, ids)| ids.split(',')).filter_map(|id| id.parse().ok()).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub fn read(&mut self, db: Db<'_>, table: &'static Table) -> StoreResult<()> {
        self.records = View::read(db, table, &self.ids)?;
        Ok(())
    }

    /// Renders the duplicates as links, each with the details that distinguish it. `is_refused` is `true` if
    /// the form was refused, so that a second click would not help.
    pub fn render(&self, pages: &Pages, is_refused: bool, visit: &Visit) -> Markup {
        html! {
            @if !self.is_empty() {
                div.alert.alike role="alert" tabindex="-1" data-focus[!is_refused] {
                    @if is_refused { p { (visit.pick("Cadastro que já existe:", "The record there is:")) } }
                    @else { p { strong { (visit.lang.pick(pages.presentation.duplicates.0, pages.presentation.duplicates.1)) } } }
                    (self.list(pages, visit))
                    @if !is_refused { p { (visit.pick("Nada foi salvo ainda.", "Nothing is saved yet.")) } }
                }
                @if !is_refused { (self.as_seen()) }
            }
        }
    }

    /// Renders the records beside the field for the name.
    fn render_beside_name(&self, pages: &Pages, visit: &Visit) -> Markup {
        html! {
            @if !self.is_empty() {
                p { (visit.pick("Parecidos, já cadastrados:", "Similar, already registered:")) }
                (self.list(pages, visit))
                (self.as_seen())
            }
        }
    }

    /// Renders a field with the ids, so that the records are not shown again before the form is stored.
    fn as_seen(&self) -> Markup {
        let ids = self.ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        html! { input type="hidden" name=(SEEN) value=(ids); }
    }

    fn list(&self, pages: &Pages, visit: &Visit) -> Markup {
        html! { ul { @for id in &self.ids { li { (self.record(*id, pages, visit)) } } } }
    }

    fn record(&self, id: u32, pages: &Pages, visit: &Visit) -> Markup {
        let link = |text: &str| {
            // Opens in another tab, so that the filled-in form is kept.
            html! { a href=(pages.at(&id.to_string())) target="_blank" { (text) } }
        };
        let number = numbered(&id.to_string(), visit.lang);
        let Some(record) = self.records.iter().find(|record| record.id == id) else {
            return html! { (link(&number)) " " span.quiet { (visit.pick("na lixeira", "in the trash")) } };
        };
        let reasons = self.reasons.iter().find(|(of, _)| *of == id).map(|(_, labels)| labels);
        let reasons = reasons.into_iter().flatten().map(|(pt, en)| visit.pick(pt, en)).collect::<Vec<_>>();
        html! {
            (link(&(pages.presentation.heading)(record, visit.lang)))
            " " span.quiet { (number) @for cell in pages.cells(record, visit) { " · " (cell) } }
            @if !reasons.is_empty() {
                span.quiet { " · " (visit.pick("em comum: ", "in common: ")) (reasons.join(", ")) }
            }
        }
    }
}

impl Pages {
    /// Renders the records similar to the one that is being typed, for the script.
    pub(in crate::console) async fn similar(
        &'static self,
        similar: SimilarHandler,
        visit: &Visit,
    ) -> Result<Answer> {
        let fields =
            self.table.fields.iter().map(|field| (field.member, visit.parameter(field.member).to_owned()));
        let fields = fields.collect::<Vec<_>>();
        let read = move |index: &Index, db: Db<'_>| {
            let found = similar(index, db, &fields)?;
            let mut duplicates = PossibleDuplicates::of(found.iter().map(|record| record.id).collect());
            duplicates.reasons = found.into_iter().map(|record| (record.id, record.reasons)).collect();
            duplicates.read(db, self.table)?;
            Ok(duplicates)
        };
        let duplicates = visit.list(read).await?;
        Ok(part(duplicates.render_beside_name(self, visit)))
    }
}
