//! Background jobs of a page: their progress, their outcome, and the request to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::app::App;
use crate::progress::{ProgressSink, ProgressState, UNSHOWN};

/// A background job, one at a time. `T` is its outcome.
pub(in crate::console) struct BackgroundJob<T> {
    is_running: watch::Sender<bool>,
    is_stopped: AtomicBool,
    progress: Mutex<Option<ProgressState>>,
    outcome: Mutex<Option<T>>,
}

impl<T> Default for BackgroundJob<T> {
    fn default() -> BackgroundJob<T> {
        BackgroundJob {
            is_running: watch::Sender::new(false),
            is_stopped: AtomicBool::default(),
            progress: Mutex::default(),
            outcome: Mutex::default(),
        }
    }
}

impl<T: Clone + Send + 'static> BackgroundJob<T> {
    /// Starts the job. Returns `false` if one is running already. The job runs to its end even if no page
    /// waits for it. `failed` converts a panic into an outcome.
    pub fn begin(
        self: &Arc<BackgroundJob<T>>,
        app: &Arc<App>,
        work: impl FnOnce(ProgressSink) -> T + Send + 'static,
        failed: impl FnOnce(String) -> T + Send + 'static,
    ) -> bool {
        if !self.is_running.send_if_modified(|running| !std::mem::replace(running, true)) {
            return false;
        }
        self.is_stopped.store(false, Ordering::Relaxed);
        (*self.progress.lock(), *self.outcome.lock()) = (None, None);
        let own = self.clone();
        let job = self.clone();
        let closing = app.closing();
        let app = app.clone();
        // Resumable work stops when it is asked to, and when the program ends.
        let on_progress: ProgressSink = Arc::new(move |progress| {
            ProgressState::update_slot(&mut job.progress.lock(), progress, app.monotonic());
            !*closing.borrow() && !job.is_stopped()
        });
        tokio::spawn(async move {
            let done = tokio::task::spawn_blocking(move || work(on_progress)).await;
            *own.outcome.lock() = Some(done.unwrap_or_else(|cause| failed(cause.to_string())));
            own.is_running.send_replace(false);
        });
        true
    }

    pub fn is_running(&self) -> bool {
        *self.is_running.borrow()
    }

    /// Asks the job to stop. A job that supports it can be resumed later.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the job was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Returns the progress if the job does not end within the short time that needs no progress page.
    pub async fn under_way(&self) -> Option<Option<ProgressState>> {
        let mut running = self.is_running.subscribe();
        let ended = timeout(UNSHOWN, running.wait_for(|running| !running)).await;
        ended.is_err().then(|| self.progress())
    }

    pub fn progress(&self) -> Option<ProgressState> {
        self.progress.lock().clone()
    }

    pub fn take_outcome(&self) -> Option<T> {
        self.outcome.lock().take()
    }

    /// Returns the outcome, until another job starts.
    pub fn outcome(&self) -> Option<T> {
        self.outcome.lock().clone()
    }
}
