//! The list of customers who may be duplicates, with the details that they share and links to merge them (day 39).

use crate::console::prelude::*;
use crate::console::records::list::pager;
use crate::index::Index;
use crate::store::nouns::customers::possible_duplicates::{self, DuplicateGroup, MAX_GROUP, SharedValue};

/// Groups on a page.
const RECORDS_PER_PAGE: u64 = 25;

impl Pages {
    pub(in crate::console) async fn duplicates(&'static self, visit: &Visit) -> Result<Answer> {
        let offset = pager::offset(visit);
        let read = move |_: &Index, db: Db<'_>| {
            db.snapshot(|db| {
                let groups = possible_duplicates::all(db)?;
                let total = u64::try_from(groups.len()).unwrap_or(u64::MAX);
                let skipped = groups.into_iter().skip(usize::try_from(offset).unwrap_or(usize::MAX));
                let shown = skipped.take(usize::try_from(RECORDS_PER_PAGE).unwrap_or_default());
                let read = |group: DuplicateGroup| {
                    Ok::<_, Problem>((group.shared, View::read(db, self.table, &group.ids)?))
                };
                Ok((total, shown.map(read).collect::<Result<Vec<_>, _>>()?))
            })
        };
        let (total, groups) = visit.list(read).await?;
        let heading = visit.pick("Possíveis duplicados", "Possible duplicates");
        let main = html! {
            header.title { h1 { (heading) } span.quiet { (count(total, visit.lang)) } }
            p.lead.quiet {
                (visit.pick(
                    "Cadastros com algo em comum. Quem tem CPF ou CNPJ diferente não aparece, a não ser filiais. Não conta um telefone ou e-mail que mais de ",
                    "Records that have something in common. Records with different CPFs or CNPJs are not listed, except branches. Not counted: a phone or e-mail that more than ",
                ))
                (MAX_GROUP) (visit.pick(" cadastros têm.", " records have."))
            }
            @if groups.is_empty() { p.empty { (visit.pick("Nenhum cadastro parece repetido.", "There are no possible duplicates.")) } }
            @for (shared, records) in &groups { (self.render_group(shared, records, visit)) }
            (pager::render(total, RECORDS_PER_PAGE, visit))
        };
        Ok(page(visit, self.nav_item(), heading, &main))
    }

    /// Renders a group. A merge keeps the oldest record.
    fn render_group(&self, shared: &[SharedValue], records: &[View], visit: &Visit) -> Markup {
        let words = shared.iter().map(|shared| {
            let (pt, en) = word(*shared);
            visit.lang.pick(pt, en)
        });
        let words = words.collect::<Vec<_>>().join(", ");
        let first = records.first().map(|first| first.id.to_string()).unwrap_or_default();
        html! {
            section.panel {
                h2 { (visit.pick("Em comum: ", "In common: ")) (words) }
                ul.people { @for (at, record) in records.iter().enumerate() {
                    @let id = record.id.to_string();
                    li {
                        span.name { a href=(self.at(&id)) { ((self.presentation.heading)(record, visit.lang)) } " " span.quiet { (numbered(&id, visit.lang)) } }
                        span.quiet { (self.cells(record, visit).join(" · ")) }
                        @if at > 0 { a.button href={ (self.at(&first)) "/merge?from=" (id) } aria-label={ (visit.pick("Comparar e unir ", "Compare and merge ")) (numbered(&id, visit.lang)) (visit.pick(" ao ", " with ")) (numbered(&first, visit.lang)) } { (visit.pick("Comparar e unir…", "Compare and merge…")) } }
                    }
                } }
            }
        }
    }
}

/// Returns the label of a shared detail.
fn word(shared: SharedValue) -> Bilingual {
    match shared {
        SharedValue::NameAndBirth => ("nome e nascimento", "name and date of birth"),
        SharedValue::SimilarNameAndBirth => {
            ("nome parecido, mesmo nascimento", "similar name, same date of birth")
        }
        SharedValue::CnpjRoot => ("raiz do CNPJ", "root of the CNPJ"),
        SharedValue::Email => ("e-mail", "e-mail"),
        SharedValue::Phone => ("telefone", "phone"),
        SharedValue::Name => ("nome", "name"),
    }
}
