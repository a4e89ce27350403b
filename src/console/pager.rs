//! The pages of a list: the first, the one before, the next and the last.

use maud::{Markup, html};

use super::visit::Visit;

/// Where the page begins that the visitor asks for.
pub(super) fn offset(visit: &Visit) -> u64 {
    visit.asked("offset").parse().unwrap_or_default()
}

/// The way to the other pages of a list of `total` records, `page` of them at a time; nothing where there is one page only.
pub(super) fn draw(total: u64, page: u64, visit: &Visit) -> Markup {
    let (offset, last) = (offset(visit), total.saturating_sub(1) / page * page);
    let to = |offset: u64, rel: Option<&str>, text: &str| {
        html! { a.button rel=[rel] href=(visit.url_with("offset", &offset.to_string())) { (text) } }
    };
    html! {
        @if total > page {
            nav.pager aria-label=(visit.say("Páginas da lista", "Pages of the list")) {
                @if offset > 0 {
                    (to(0, None, visit.say("« Primeira", "« First")))
                    (to(offset.saturating_sub(page).min(last), Some("prev"), visit.say("← Anterior", "← Previous")))
                }
                @if offset < last {
                    (to(offset + page, Some("next"), visit.say("Próxima →", "Next →")))
                    (to(last, None, visit.say("Última »", "Last »")))
                }
            }
        }
    }
}
