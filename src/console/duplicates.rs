//! Customers who may be the same one, as a list: what they share, and the way to merge them (day 39).

use std::sync::Arc;

use maud::{Markup, html};

use super::enter;
use super::numbers::count;
use super::page::page;
use super::pager;
use super::state::Console;
use super::visit::Visit;
use super::words::numbered;
use crate::api::pages::{Pages, View};
use crate::domain::Bilingual;
use crate::http::{Answer, Problem};
use crate::index::Index;
use crate::store::Db;
use crate::store::customers::alike::{self, AlikeCustomers, MOST, Shared};

/// How many groups a page has.
const PAGE: u64 = 25;

impl Pages {
    /// The groups of records that may be the same.
    pub(super) async fn duplicates(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let offset = pager::offset(visit);
        let read = move |_: &Index, db: Db<'_>| {
            db.snapshot(|db| {
                let groups = alike::all(db)?;
                let total = u64::try_from(groups.len()).unwrap_or(u64::MAX);
                let skipped = groups.into_iter().skip(usize::try_from(offset).unwrap_or(usize::MAX));
                let shown = skipped.take(usize::try_from(PAGE).unwrap_or_default());
                let read = |group: AlikeCustomers| {
                    Ok::<_, Problem>((group.shared, View::read(db, self.table, &group.ids)?))
                };
                Ok((total, shown.map(read).collect::<Result<Vec<_>, _>>()?))
            })
        };
        let (total, groups) = match console.api.list_inside(&visit.id, read).await {
            Ok(found) => found,
            Err(problem) => return enter::failed(visit, &problem),
        };
        let heading = visit.say("Possíveis duplicados", "Possible duplicates");
        let main = html! {
            header.title { h1 { (heading) } span.quiet { (count(total, visit.lang)) } }
            p.lead.quiet {
                (visit.say(
                    "Cadastros com algo em comum. Quem tem CPF ou CNPJ diferente não aparece, a não ser filiais. Não conta um telefone ou e-mail que mais de ",
                    "Records that have something in common. Those with another CPF or CNPJ are not here, branches apart. What does not count is a phone or e-mail that more than ",
                ))
                (MOST) (visit.say(" cadastros têm.", " records have."))
            }
            @if groups.is_empty() { p.empty { (visit.say("Nenhum cadastro parece repetido.", "No record looks like another.")) } }
            @for (shared, records) in &groups { (self.alike(shared, records, visit)) }
            (pager::draw(total, PAGE, visit))
        };
        page(visit, self.place(), heading, &main)
    }

    /// A group: the oldest record stays where another one is merged into it.
    fn alike(&self, shared: &[Shared], records: &[View], visit: &Visit) -> Markup {
        let words = shared.iter().map(|shared| {
            let (pt, en) = word(*shared);
            visit.lang.pick(pt, en)
        });
        let words = words.collect::<Vec<_>>().join(", ");
        let first = records.first().map(|first| first.id.to_string()).unwrap_or_default();
        html! {
            section.panel {
                h2 { (visit.say("Em comum: ", "In common: ")) (words) }
                ul.people { @for (at, record) in records.iter().enumerate() {
                    @let id = record.id.to_string();
                    li {
                        span.name { a href=(self.at(&id)) { ((self.presentation.heading)(record, visit.lang)) } " " span.quiet { (numbered(&id, visit.lang)) } }
                        span.quiet { (self.told(record, visit).join(" · ")) }
                        @if at > 0 { a.button href={ (self.at(&first)) "/merge?from=" (id) } aria-label={ (visit.say("Comparar e unir ", "Compare and merge ")) (numbered(&id, visit.lang)) (visit.say(" ao ", " with ")) (numbered(&first, visit.lang)) } { (visit.say("Comparar e unir…", "Compare and merge…")) } }
                    }
                } }
            }
        }
    }
}

/// What they share, as people say it.
fn word(shared: Shared) -> Bilingual {
    match shared {
        Shared::NameAndBirth => ("nome e nascimento", "name and date of birth"),
        Shared::CnpjRoot => ("raiz do CNPJ", "root of the CNPJ"),
        Shared::Email => ("e-mail", "e-mail"),
        Shared::Phone => ("telefone", "phone"),
        Shared::Name => ("nome", "name"),
    }
}
