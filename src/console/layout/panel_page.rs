//! Pages that ask the visitor or tell an outcome: a heading and one panel.

use crate::console::prelude::*;

/// Renders a page with one panel. With an id, the heading also shows the record's number.
pub(in crate::console) fn panel_page(
    visit: &Visit,
    item: NavItem,
    title: &str,
    id: Option<&str>,
    panel: &Markup,
) -> Answer {
    let main = html! {
        header.title { h1 { (title) } @if let Some(id) = id { span.quiet { (numbered(id, visit.lang)) } } }
        section.panel.question { (panel) }
    };
    page(visit, item, title, &main)
}

/// Renders the button that confirms and the link that cancels. `weight` is the button's class.
pub(in crate::console) fn confirm_or_cancel(weight: &str, label: &str, back: &str, visit: &Visit) -> Markup {
    html! {
        div.choices {
            button class=(weight) type="submit" { (label) }
            a.button href=(back) { (visit.pick("Cancelar", "Cancel")) }
        }
    }
}
