//! What takes long and is waited for on a page: how far it is, looked at again each second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::header;
use maud::{Markup, html};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::timeout;

use super::page::{Place, page, value};
use super::visit::Visit;
use crate::app::App;
use crate::http::Answer;
use crate::progress::{HeardProgress, Hearing, Progress, UNSHOWN};

/// After how many seconds a page looks again.
const AGAIN: &str = "1";

/// Writes down what is heard. Who can go on later stops with the program.
pub(super) fn hearing(heard: &Arc<Mutex<Option<HeardProgress>>>, app: Arc<App>) -> Hearing {
    let (heard, closing) = (heard.clone(), app.closing());
    Arc::new(move |progress: Progress| {
        HeardProgress::hear_of(&mut heard.lock(), progress, app.monotonic());
        !*closing.borrow()
    })
}

/// Something that takes long, one at a time, whose page waits for it; `T` is what comes of it.
pub(super) struct Task<T> {
    is_running: watch::Sender<bool>,
    is_stopped: Arc<AtomicBool>,
    heard: Arc<Mutex<Option<HeardProgress>>>,
    outcome: Mutex<Option<T>>,
}

impl<T> Default for Task<T> {
    fn default() -> Task<T> {
        let (is_running, is_stopped) = (watch::Sender::new(false), Arc::default());
        Task { is_running, is_stopped, heard: Arc::default(), outcome: Mutex::default() }
    }
}

impl<T: Clone + Send + 'static> Task<T> {
    /// Begins it, and says whether it does: not where another one is under way. It ends whether or not somebody waits.
    /// `failed` is what comes of a defect.
    pub fn begin(
        self: &Arc<Task<T>>,
        app: &Arc<App>,
        work: impl FnOnce(Hearing) -> T + Send + 'static,
        failed: impl FnOnce(String) -> T + Send + 'static,
    ) -> bool {
        if !self.is_running.send_if_modified(|running| !std::mem::replace(running, true)) {
            return false;
        }
        self.is_stopped.store(false, Ordering::Relaxed);
        (*self.heard.lock(), *self.outcome.lock()) = (None, None);
        let (own, hears) = (self.clone(), hearing(&self.heard, app.clone()));
        let is_stopped = self.is_stopped.clone();
        let hears: Hearing = Arc::new(move |progress| hears(progress) && !is_stopped.load(Ordering::Relaxed));
        tokio::spawn(async move {
            let done = tokio::task::spawn_blocking(move || work(hears)).await;
            *own.outcome.lock() = Some(done.unwrap_or_else(|cause| failed(cause.to_string())));
            own.is_running.send_replace(false);
        });
        true
    }

    /// Whether one is under way.
    pub fn is_running(&self) -> bool {
        *self.is_running.borrow()
    }

    /// Has it stop as soon as it notices, where it can be gone on with.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// How far it is, where it takes longer than what is worth a word.
    pub async fn under_way(&self) -> Option<Option<HeardProgress>> {
        let mut running = self.is_running.subscribe();
        let ended = timeout(UNSHOWN, running.wait_for(|running| !running)).await;
        ended.is_err().then(|| self.heard.lock().clone())
    }

    /// What came of it, once.
    pub fn take_outcome(&self) -> Option<T> {
        self.outcome.lock().take()
    }

    /// What came of it, until another one begins.
    pub fn outcome(&self) -> Option<T> {
        self.outcome.lock().clone()
    }
}

/// A bar and how far it is in words; nothing is heard at the beginning.
pub(super) fn draw(what: &str, heard: Option<&HeardProgress>, now: Duration, visit: &Visit) -> Markup {
    panel(what, heard, now, visit, false)
}

/// Like [`draw`], polled in place by the page's script, for what takes hours, has something to press beside it, or ends when the
/// page is left.
pub(super) fn draw_in_place(
    what: &str,
    heard: Option<&HeardProgress>,
    now: Duration,
    visit: &Visit,
) -> Markup {
    panel(what, heard, now, visit, true)
}

fn panel(what: &str, heard: Option<&HeardProgress>, now: Duration, visit: &Visit, in_place: bool) -> Markup {
    html! {
        section.panel {
            div data-again[in_place] {
                p role="status" { (what) @if let Some(heard) = heard { " " (heard.say(now, visit.lang)) } }
                @match heard.and_then(HeardProgress::share) {
                    Some((done, all)) => { progress max=(all) value=(done) { (u128::from(done) * 100 / u128::from(all)) " %" } }
                    None => { progress {} }
                }
            }
            p.quiet { a href=(visit.url) { (visit.say("Atualizar", "Refresh")) } }
        }
    }
}

/// The page, which as a whole looks again by itself, also without a script. What is drawn in its place is not on one.
pub(super) fn again(answer: Answer) -> Answer {
    answer.with(header::REFRESH, value(AGAIN))
}

/// Waits until the index stands, where that is worth no word; else how far it is.
pub(super) async fn index(app: &App) -> Option<Progress> {
    let _ = timeout(UNSHOWN, app.index().all_begun()).await;
    app.index().progress()
}

/// In the place of a page that waits for the index, while that is built.
pub(super) fn for_index(progress: Progress, place: Place, now: Duration, visit: &Visit) -> Answer {
    let heading = visit.say("Só um momento", "Just a moment");
    let what = visit.say(
        "O Pleito acaba de iniciar e prepara as listas e a busca:",
        "Pleito has just started and prepares the lists and the search:",
    );
    // It was begun with the program, as the clock was.
    let heard = HeardProgress::since(Duration::ZERO, progress);
    let main = html! {
        header.title { h1 { (heading) } }
        (draw(what, Some(&heard), now, visit))
    };
    again(page(visit, place, heading, &main))
}
