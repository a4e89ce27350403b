//! Pages that wait for a background job: they show its progress and reload every second.

use std::time::Duration;

use http::header;
use tokio::time::timeout;

use crate::app::App;
use crate::console::prelude::*;
use crate::console::requests::response::{part, value};
use crate::progress::{Progress, ProgressState, UNSHOWN};

/// Seconds until a page reloads.
const AGAIN: &str = "1";

/// Renders a progress bar with a text. `progress` is `None` before the first progress. The page's script updates it
/// in place if `in_place`: for tasks that take hours, have buttons beside them, or end when the page is closed.
pub(in crate::console) fn render(
    what: &str,
    progress: Option<&ProgressState>,
    in_place: bool,
    visit: &Visit,
) -> Markup {
    html! {
        section.panel {
            div data-again[in_place] {
                p role="status" { (what) @if let Some(progress) = progress { " " (progress.message(visit.now(), visit.lang)) } }
                @match progress.and_then(ProgressState::share) {
                    Some((done, all)) => { progress max=(all) value=(done) { (u128::from(done) * 100 / u128::from(all)) " %" } }
                    None => { progress {} }
                }
            }
            p.quiet { a href=(visit.url) { (visit.pick("Atualizar", "Refresh")) } }
        }
    }
}

/// Renders a page with the progress of a job. It reloads by itself, even without a script.
pub(in crate::console) fn show(
    item: NavItem,
    heading: &str,
    what: &str,
    progress: Option<&ProgressState>,
    visit: &Visit,
) -> Answer {
    let main = html! {
        header.title { h1 { (heading) } }
        (render(what, progress, false, visit))
    };
    page(visit, item, heading, &main).with(header::REFRESH, value(AGAIN))
}

/// Waits a short time for the index. Returns its progress if it is still not ready.
pub(in crate::console) async fn index(app: &App) -> Option<Progress> {
    let _ = timeout(UNSHOWN, app.index().all_begun()).await;
    app.index().progress()
}

/// Renders what a form waits for that is not answered yet. Empty if the writer is idle.
pub(in crate::console) fn for_writer(visit: &Visit) -> Answer {
    let waiting_for = visit.app().store().waiting_for().map(|(_, (pt, en))| visit.pick(pt, en));
    part(html! { @if let Some(text) = waiting_for { p.quiet { (first_upper(text)) "…" } } })
}

/// Renders the page shown while the index is being built.
pub(in crate::console) fn for_index(progress: Progress, item: NavItem, visit: &Visit) -> Answer {
    let heading = visit.pick("Só um momento", "Just a moment");
    let what = visit.pick(
        "O Pleito acaba de iniciar e prepara as listas e a busca:",
        "Pleito has just started and prepares the lists and the search:",
    );
    // The build started with the program, when the monotonic clock was zero.
    let progress = ProgressState::since(Duration::ZERO, progress);
    show(item, heading, what, Some(&progress), visit)
}
