//! The pager of a list: links to the first, previous, next and last page.

use crate::console::prelude::*;

/// Returns the offset of the page that the visitor requests.
pub(in crate::console) fn offset(visit: &Visit) -> u64 {
    visit.parameter("offset").parse().unwrap_or_default()
}

/// Renders the pager for `total` records, `page` of them per page; empty if there is only one page.
pub(in crate::console) fn render(total: u64, page: u64, visit: &Visit) -> Markup {
    render_at("", total, page, visit)
}

/// Like [`render`], for a list at an anchor of its page, such as `#messages`.
pub(in crate::console) fn render_at(anchor: &str, total: u64, page: u64, visit: &Visit) -> Markup {
    let offset = offset(visit);
    let last = total.saturating_sub(1) / page * page;
    let to = |offset: u64, rel: Option<&str>, text: &str| {
        html! { a.button rel=[rel] href={ (visit.url_with("offset", &offset.to_string())) (anchor) } { (text) } }
    };
    html! {
        @if total > page {
            nav.pager aria-label=(visit.pick("Páginas da lista", "Pages of the list")) {
                @if offset > 0 {
                    (to(0, None, visit.pick("« Primeira", "« First")))
                    (to(offset.saturating_sub(page).min(last), Some("prev"), visit.pick("← Anterior", "← Previous")))
                }
                @if offset < last {
                    (to(offset + page, Some("next"), visit.pick("Próxima →", "Next →")))
                    (to(last, None, visit.pick("Última »", "Last »")))
                }
            }
        }
    }
}
