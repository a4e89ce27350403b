//! Imports that somebody looks at before they are stored: each file in a private folder that goes with it, what was said of
//! it, and how far it is. They end with the program, and so does what they leave.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tempfile::TempDir;

use super::secret::Secret;
use super::waiting::hearing;
use crate::app::App;
use crate::domain::Lang;
use crate::files::{private_dir, private_temp_dir};
use crate::http::Api;
use crate::progress::{HeardProgress, Hearing};
use crate::store::NewContent;
use crate::transfer::{Import, Imported, RowsReport, TransferError};

/// The folder in the data folder that holds them.
const FOLDER: &str = "imports";
/// How many there may be: the oldest makes room.
const MOST: usize = 8;
/// How long one is kept that nobody looks at: as a session (console, getting in).
const KEPT: Duration = Duration::from_secs(12 * 60 * 60);
/// How long a preview runs on without a request from its page, which polls every second. A page that is left says so itself; one
/// whose browser was killed does not.
const UNWATCHED: Duration = Duration::from_secs(10);
/// The files of refused rows, in its own folder: a workbook's are a workbook.
const REFUSED: [&str; 2] = ["refused.csv", "refused.xlsx"];
/// What a file is called whose name says nothing.
const NAMELESS: &str = "import";

/// The imports of this run of the program, by their keys.
pub(super) struct PendingImports {
    folder: PathBuf,
    all: Mutex<BTreeMap<String, Arc<PendingImport>>>,
}

/// An import.
pub(super) struct PendingImport {
    /// Where its file and the refused rows are; the file may be one of this machine's instead.
    folder: TempDir,
    /// What people call its file.
    pub name: String,
    looked_at: Mutex<Duration>,
    /// Whether the page was left on which the preview that runs is shown.
    is_left: AtomicBool,
    state: Mutex<PendingState>,
    /// How far it is.
    heard: Arc<Mutex<Option<HeardProgress>>>,
}

/// How far an import is.
#[derive(Clone)]
pub(super) struct PendingState {
    /// What is asked for.
    pub asked: Import,
    /// Whether it is being tried or stored.
    pub is_running: bool,
    /// What came of it, or would; `None` while it runs, and for a preview that ended because its page was left.
    pub outcome: Option<Arc<Result<Imported, String>>>,
    /// What the rows came to when they were last tried: what can be chosen follows from it.
    pub tried: Option<Arc<RowsReport>>,
}

impl PendingState {
    /// `true` if nothing was chosen yet.
    pub fn is_untouched(&self) -> bool {
        let Import { files, refused, portuguese, .. } = self.asked.clone();
        self.asked == Import { files, refused, portuguese, ..Import::default() }
    }

    /// Whether it was stored, for good.
    pub fn is_stored(&self) -> bool {
        self.asked.apply && self.outcome.as_ref().is_some_and(|outcome| outcome.is_ok())
    }
}

impl PendingImports {
    /// Those of that data folder. What a run before this one has left goes.
    pub fn of(data: &Path) -> PendingImports {
        let folder = data.join(FOLDER);
        let _ = std::fs::remove_dir_all(&folder);
        PendingImports { folder, all: Mutex::default() }
    }

    /// Takes in a file that was uploaded under that name; its key.
    ///
    /// # Errors
    /// Why it cannot be kept.
    pub fn upload(&self, name: &str, content: NewContent, now: Duration) -> io::Result<String> {
        let folder = self.new_folder()?;
        let name = plain(name);
        let path = folder.path().join(&name);
        content.move_to(&path)?;
        self.add(folder, name, path, now)
    }

    /// Takes a file or folder of this machine; its key.
    ///
    /// # Errors
    /// Why nothing can be kept of it.
    pub fn of_machine(&self, path: &Path, now: Duration) -> io::Result<String> {
        self.add(self.new_folder()?, path.display().to_string(), path.to_owned(), now)
    }

    fn new_folder(&self) -> io::Result<TempDir> {
        private_dir(&self.folder)?;
        private_temp_dir(&self.folder, "import-")
    }

    fn add(&self, folder: TempDir, name: String, path: PathBuf, now: Duration) -> io::Result<String> {
        let key = Secret::new().ok_or_else(|| io::Error::other("the system has no randomness"))?;
        let asked = Import { files: vec![path], ..Import::default() };
        let state = Mutex::new(PendingState { asked, is_running: false, outcome: None, tried: None });
        let (looked_at, heard) = (Mutex::new(now), Arc::default());
        let is_left = AtomicBool::default();
        let import = Arc::new(PendingImport { folder, name, looked_at, is_left, state, heard });
        let mut all = self.all.lock();
        let age = |import: &PendingImport| now.saturating_sub(*import.looked_at.lock());
        all.retain(|_, import| age(import) < KEPT);
        while all.len() >= MOST {
            let oldest = all.iter().max_by_key(|(_, import)| age(import)).map(|(key, _)| key.clone());
            oldest.and_then(|oldest| all.remove(&oldest));
        }
        all.insert(key.expose().to_owned(), import);
        Ok(key.expose().to_owned())
    }

    /// The imports that are not stored, with their keys and the names of their files.
    pub fn waiting(&self, now: Duration) -> Vec<(String, String)> {
        let all = self.all.lock();
        let is_waiting = |import: &PendingImport| {
            !import.state.lock().is_stored() && now.saturating_sub(*import.looked_at.lock()) < KEPT
        };
        let waiting = all.iter().filter(|(_, import)| is_waiting(import));
        waiting.map(|(key, import)| (key.clone(), import.name.clone())).collect()
    }

    /// The import of that key.
    pub fn find(&self, key: &str, now: Duration) -> Option<Arc<PendingImport>> {
        let import = self.all.lock().get(key).cloned()?;
        *import.looked_at.lock() = now;
        Some(import)
    }
}

impl PendingImport {
    /// How far it is.
    pub fn stage(&self) -> PendingState {
        self.state.lock().clone()
    }

    /// How far it is, where it is under way.
    pub fn heard(&self) -> Option<HeardProgress> {
        self.heard.lock().clone()
    }

    /// The file of the rows that were refused, if there is one.
    pub fn refused(&self) -> Option<PathBuf> {
        Some(self.refused_path()).filter(|path| path.exists())
    }

    fn refused_path(&self) -> PathBuf {
        let [csv, xlsx] = REFUSED;
        let is_workbook = self.name.to_ascii_lowercase().ends_with(".xlsx");
        self.folder.path().join(if is_workbook { xlsx } else { csv })
    }

    /// Begins to try it or to store it, as `asked`; nothing where it runs already or is stored.
    pub fn begin(self: &Arc<PendingImport>, api: &Arc<Api>, asked: Import, lang: Lang) {
        let mut state = self.state.lock();
        if state.is_running || state.is_stored() {
            return;
        }
        let refused = self.refused_path();
        let _ = std::fs::remove_file(&refused);
        let files = state.asked.files.clone();
        state.asked = Import { files, refused: Some(refused), portuguese: lang == Lang::Pt, ..asked };
        (state.is_running, state.outcome) = (true, None);
        *self.heard.lock() = None;
        self.is_left.store(false, Ordering::Relaxed);
        let (own, api, import) = (self.clone(), api.clone(), state.asked.clone());
        drop(state);
        tokio::spawn(async move {
            let hears = hearing(&own.heard, api.app().clone());
            // What is being stored goes on without its page.
            let hears = if import.apply { hears } else { own.while_watched(hears, api.app().clone()) };
            let ran = tokio::task::spawn_blocking(move || import.run(&api, hears)).await;
            own.end(ran.unwrap_or_else(|cause| Err(TransferError::Defect(cause.to_string()))), lang);
        });
    }

    /// Ends the preview that runs: its page was left. The page begins it again if somebody comes back.
    pub fn leave(&self) {
        self.is_left.store(true, Ordering::Relaxed);
    }

    fn while_watched(self: &Arc<PendingImport>, hears: Hearing, app: Arc<App>) -> Hearing {
        let own = self.clone();
        Arc::new(move |progress| {
            let is_watched = app.monotonic().saturating_sub(*own.looked_at.lock()) < UNWATCHED;
            hears(progress) && is_watched && !own.is_left.load(Ordering::Relaxed)
        })
    }

    fn end(&self, ran: Result<Imported, TransferError>, lang: Lang) {
        let mut state = self.state.lock();
        state.is_running = false;
        if matches!(ran, Err(TransferError::Interrupted)) && !state.asked.apply {
            return;
        }
        let outcome = ran.map_err(|error| {
            tracing::warn!(
                reason = error.say(Lang::En),
                cause = error.detail(),
                "an import of the console's"
            );
            // Where it lies meanwhile is nobody's business.
            error.say(lang).replace(&*self.folder.path().join(&self.name).to_string_lossy(), &self.name)
        });
        if let Ok(Imported::Rows(report)) = &outcome {
            state.tried = Some(Arc::new(report.clone()));
        }
        state.outcome = Some(Arc::new(outcome));
    }
}

/// A name that is nothing but one, on every system.
fn plain(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| !c.is_control() && !":*?\"<>|".contains(*c)).collect();
    // Room for what stands before it in a path.
    let kept: String = kept.chars().take(100).collect();
    match kept.trim_matches(['.', ' ']) {
        "" => NAMELESS.to_owned(),
        kept if REFUSED.contains(&kept) => [NAMELESS, "-", kept].concat(),
        kept => kept.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_nothing_but_one() {
        for (name, kept) in [
            ("clientes.csv", "clientes.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\dados\\José.xlsx", "José.xlsx"),
            ("..", "import"),
            ("", "import"),
            ("a\u{0}b\n.csv", "ab.csv"),
            ("refused.csv", "import-refused.csv"),
        ] {
            assert_eq!(plain(name), kept, "{name:?}");
        }
        assert_eq!(plain(&"x".repeat(300)).len(), 100);
    }
}
