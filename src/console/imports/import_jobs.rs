//! Imports with a preview. Each keeps its file, its options and its progress in a private folder. All of them
//! end with the program.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tempfile::TempDir;

use crate::app::App;
use crate::auth::Caller;
use crate::config::folders::IMPORTS;
use crate::console::layout::job::BackgroundJob;
use crate::console::requests::paths::BASE;
use crate::console::requests::sign_in::secret::Secret;
use crate::domain::Lang;
use crate::files::{private_dir, private_temp_dir};
use crate::http::Api;
use crate::progress::{ProgressSink, ProgressState};
use crate::store::NewContent;
use crate::transfer::{Import, Imported, RowsReport, TransferError};

/// Maximum number of imports kept; a new one replaces the oldest.
const MAX_IMPORTS: usize = 8;
/// An import is kept this long after its last request, as long as a session (console, getting in).
const IDLE_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);
/// A running preview ends this long after the last request from its page, which polls every second. A page that
/// is closed reports it, unless its browser was killed.
const UNWATCHED: Duration = Duration::from_secs(10);
/// Files of refused rows in the import's folder: those of a workbook are a workbook.
const REFUSED: [&str; 2] = ["refused.csv", "refused.xlsx"];
/// Name of a file whose own name is unusable.
const NAMELESS: &str = "import";

/// Returns the address of an import's page.
pub(super) fn at(key: &str) -> String {
    format!("{BASE}/imports/{key}")
}

pub(in crate::console) struct PendingImports {
    folder: PathBuf,
    all: Mutex<BTreeMap<String, Arc<PendingImport>>>,
}

pub(in crate::console) struct PendingImport {
    /// Contains the uploaded file and the refused rows. A file given by its path stays in its own place.
    folder: TempDir,
    /// File name to show.
    pub name: String,
    looked_at: Mutex<Duration>,
    request: Mutex<Import>,
    preview: Mutex<Option<Arc<RowsReport>>>,
    job: Arc<BackgroundJob<Option<ImportOutcome>>>,
}

type ImportOutcome = Arc<Result<Imported, String>>;

pub(in crate::console) struct PendingState {
    pub request: Import,
    pub is_running: bool,
    /// The result. `None` while it runs, and for a preview that ended because its page was closed.
    pub outcome: Option<ImportOutcome>,
    /// The report of the last preview, which determines the options.
    pub preview: Option<Arc<RowsReport>>,
}

impl PendingState {
    /// `true` if no option was chosen yet.
    pub fn is_untouched(&self) -> bool {
        let Import { files, refused, lang, .. } = self.request.clone();
        self.request == Import { files, refused, lang, ..Import::default() }
    }

    pub fn is_stored(&self) -> bool {
        self.request.apply && self.outcome.as_ref().is_some_and(|outcome| outcome.is_ok())
    }
}

impl PendingImports {
    /// Creates the imports of a data folder. Removes what an earlier run has left behind.
    pub fn of(data: &Path) -> PendingImports {
        let folder = data.join(IMPORTS);
        let _ = std::fs::remove_dir_all(&folder);
        PendingImports { folder, all: Mutex::default() }
    }

    /// Adds an uploaded file and returns the import's key.
    pub fn upload(&self, name: &str, content: NewContent, now: Duration) -> io::Result<String> {
        let folder = self.new_folder()?;
        let name = plain(name);
        let path = folder.path().join(&name);
        content.move_to(&path)?;
        self.add(folder, name, path, now)
    }

    /// Adds a file or folder of this machine and returns the import's key.
    pub fn of_machine(&self, path: &Path, now: Duration) -> io::Result<String> {
        self.add(self.new_folder()?, path.display().to_string(), path.to_owned(), now)
    }

    fn new_folder(&self) -> io::Result<TempDir> {
        private_dir(&self.folder)?;
        private_temp_dir(&self.folder, "import-")
    }

    fn add(&self, folder: TempDir, name: String, path: PathBuf, now: Duration) -> io::Result<String> {
        let key = Secret::new().ok_or_else(|| io::Error::other("the system has no randomness"))?;
        let request = Import { files: vec![path], ..Import::default() };
        let looked_at = Mutex::new(now);
        let request = Mutex::new(request);
        let preview = Mutex::default();
        let job = Arc::default();
        let import = Arc::new(PendingImport { folder, name, looked_at, request, preview, job });
        let mut all = self.all.lock();
        let age = |import: &PendingImport| now.saturating_sub(*import.looked_at.lock());
        all.retain(|_, import| age(import) < IDLE_LIFETIME);
        while all.len() >= MAX_IMPORTS {
            let oldest = all.iter().max_by_key(|(_, import)| age(import)).map(|(key, _)| key.clone());
            oldest.and_then(|oldest| all.remove(&oldest));
        }
        all.insert(key.expose().to_owned(), import);
        Ok(key.expose().to_owned())
    }

    /// Returns the imports that are not stored yet: file name, key, and the time since the last visit. The latest
    /// visited come first.
    pub fn waiting(&self, now: Duration) -> Vec<(String, String, Duration)> {
        let all = self.all.lock();
        let age = |import: &PendingImport| now.saturating_sub(*import.looked_at.lock());
        let waiting =
            all.iter().filter(|(_, import)| !import.stage().is_stored() && age(import) < IDLE_LIFETIME);
        let waiting = waiting.map(|(key, import)| (import.name.clone(), key.clone(), age(import)));
        let mut waiting = waiting.collect::<Vec<_>>();
        waiting.sort_by_key(|(.., age)| *age);
        waiting
    }

    /// Returns the import, and counts as a visit to it.
    pub fn find(&self, key: &str, now: Duration) -> Option<Arc<PendingImport>> {
        let import = self.all.lock().get(key).cloned()?;
        *import.looked_at.lock() = now;
        Some(import)
    }
}

impl PendingImport {
    pub fn stage(&self) -> PendingState {
        self.state(self.request.lock().clone())
    }

    fn state(&self, request: Import) -> PendingState {
        let is_running = self.job.is_running();
        // A running job may have an outcome already, but takes no other options before it has ended.
        let outcome = self.job.outcome().flatten().filter(|_| !is_running);
        PendingState { request, is_running, outcome, preview: self.preview.lock().clone() }
    }

    /// Returns the progress if the import runs.
    pub fn progress(&self) -> Option<ProgressState> {
        self.job.progress()
    }

    /// Returns the path of the file with the refused rows, if it exists.
    pub fn refused(&self) -> Option<PathBuf> {
        Some(self.refused_path()).filter(|path| path.exists())
    }

    fn refused_path(&self) -> PathBuf {
        let [csv, xlsx] = REFUSED;
        let is_workbook = self.name.to_ascii_lowercase().ends_with(".xlsx");
        self.folder.path().join(if is_workbook { xlsx } else { csv })
    }

    /// Starts a preview or import with the given options, for `caller`. Does nothing if it already runs or is stored.
    pub fn begin(self: &Arc<PendingImport>, api: &Arc<Api>, caller: Caller, request: Import, lang: Lang) {
        let mut own = self.request.lock();
        let state = self.state(own.clone());
        if state.is_running || state.is_stored() {
            return;
        }
        let refused = self.refused_path();
        let _ = std::fs::remove_file(&refused);
        *own = Import { files: state.request.files, refused: Some(refused), lang, ..request };
        let this = self.clone();
        let import = own.clone();
        let work_api = api.clone();
        let work = move |on_progress| {
            let app = work_api.app().clone();
            // Storing goes on after the page is closed.
            let on_progress = if import.apply { on_progress } else { this.while_watched(on_progress, app) };
            this.end(import.apply, import.run(&work_api, &caller, on_progress), lang)
        };
        let this = self.clone();
        let failed = move |cause| this.end(true, Err(TransferError::Defect(cause)), lang);
        self.job.begin(api.app(), work, failed);
    }

    /// Ends the running preview because its page was closed. It starts again when the page is opened.
    pub fn stop_preview(&self) {
        if !self.request.lock().apply {
            self.job.stop();
        }
    }

    fn while_watched(self: &Arc<PendingImport>, on_progress: ProgressSink, app: Arc<App>) -> ProgressSink {
        let own = self.clone();
        Arc::new(move |progress| {
            on_progress(progress) && app.monotonic().saturating_sub(*own.looked_at.lock()) < UNWATCHED
        })
    }

    /// Returns the outcome. A preview that was interrupted has none.
    fn end(&self, apply: bool, ran: Result<Imported, TransferError>, lang: Lang) -> Option<ImportOutcome> {
        if matches!(ran, Err(TransferError::Interrupted)) && !apply {
            return None;
        }
        let outcome = ran.map_err(|error| {
            let reason = error.message(Lang::En);
            let cause = error.detail();
            tracing::warn!(reason, cause, "import in the console failed");
            // The message shows the file's name, not its temporary path.
            error.message(lang).replace(&*self.folder.path().join(&self.name).to_string_lossy(), &self.name)
        });
        if let Ok(Imported::Rows(report)) = &outcome {
            *self.preview.lock() = Some(Arc::new(report.clone()));
        }
        Some(Arc::new(outcome))
    }
}

/// Reduces a name to a file name that is valid on every system.
fn plain(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| !c.is_control() && !":*?\"<>|".contains(*c)).collect();
    // Leaves room for the folder in the path.
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
    fn a_file_name_loses_its_path_and_control_characters() {
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
