//! What takes long and is waited for on a page: how far it is, looked at again each second.

use std::sync::Arc;
use std::time::Duration;

use http::header;
use maud::{Markup, html};
use parking_lot::Mutex;
use tokio::sync::watch;

use super::page::{Place, ToldAbove, page, value};
use super::visit::Visit;
use crate::app::App;
use crate::domain::Lang;
use crate::http::Answer;
use crate::progress::{HeardProgress, Hearing, Progress, UNSHOWN};

/// After how many seconds a page looks again.
const AGAIN: &str = "1";
/// How often it is looked whether the index stands.
const LOOK: Duration = Duration::from_millis(50);

/// Writes down what is heard.
pub(super) fn hearing(heard: &Arc<Mutex<Option<HeardProgress>>>, app: Arc<App>) -> Hearing {
    let heard = heard.clone();
    Arc::new(move |progress: Progress| {
        HeardProgress::hear_of(&mut heard.lock(), progress, app.monotonic());
        true
    })
}

/// Something that takes long, one at a time, whose page waits for it.
#[derive(Default)]
pub(super) struct Task {
    is_running: watch::Sender<bool>,
    heard: Arc<Mutex<Option<HeardProgress>>>,
    outcome: Mutex<ToldAbove>,
}

impl Task {
    /// Begins it; nothing where another one is under way. It ends whether or not somebody waits.
    pub fn begin(
        self: &Arc<Task>,
        app: &Arc<App>,
        lang: Lang,
        work: impl FnOnce(Hearing) -> Result<String, String> + Send + 'static,
    ) {
        if !self.is_running.send_if_modified(|running| !std::mem::replace(running, true)) {
            return;
        }
        *self.heard.lock() = None;
        let (own, hears) = (self.clone(), hearing(&self.heard, app.clone()));
        tokio::spawn(async move {
            let done = tokio::task::spawn_blocking(move || work(hears)).await;
            let defect =
                lang.pick("Um defeito do programa; veja o log.", "A defect of the program; see the log.");
            *own.outcome.lock() = Some(done.unwrap_or_else(|_| Err(defect.to_owned())));
            own.is_running.send_replace(false);
        });
    }

    /// How far it is, where it takes longer than what is worth a word.
    pub async fn under_way(&self) -> Option<Option<HeardProgress>> {
        let mut running = self.is_running.subscribe();
        let ended = tokio::time::timeout(UNSHOWN, running.wait_for(|running| !running)).await;
        ended.is_err().then(|| self.heard.lock().clone())
    }

    /// What came of it, once.
    pub fn outcome(&self) -> ToldAbove {
        self.outcome.lock().take()
    }
}

/// A bar and how far it is in words; nothing is heard at the beginning.
pub(super) fn draw(what: &str, heard: Option<&HeardProgress>, now: Duration, visit: &Visit) -> Markup {
    html! {
        section.panel {
            p role="status" { (what) @if let Some(heard) = heard { " " (heard.say(now, visit.lang)) } }
            @match heard.and_then(HeardProgress::share) {
                Some((done, all)) => { progress max=(all) value=(done) { (u128::from(done) * 100 / u128::from(all)) " %" } }
                None => { progress {} }
            }
            p.quiet { a href=(visit.url) { (visit.say("Atualizar", "Refresh")) } }
        }
    }
}

/// The page, which looks again by itself.
pub(super) fn again(answer: Answer) -> Answer {
    answer.with(header::REFRESH, value(AGAIN))
}

/// Waits until the index stands, where that is worth no word; else how far it is.
pub(super) async fn index(app: &App) -> Option<Progress> {
    let looks = UNSHOWN.as_millis() / LOOK.as_millis();
    for _ in 0..looks {
        app.index().progress()?;
        tokio::time::sleep(LOOK).await;
    }
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
