//! What all pages of the console have in common: the office, its sessions, and a token that waits to be shown.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::links::LoginLinks;
use super::pending::PendingImports;
use super::pending_move::PendingMove;
use super::sent::SentForms;
use super::session::Sessions;
use super::waiting::Task;
use crate::domain::Token;
use crate::http::Api;

/// How long a new token waits to be looked at.
const FRESH: Duration = Duration::from_secs(10 * 60);

/// What the console tells of the running program.
pub struct Site {
    /// Where the plain listener of this machine answers.
    pub local: SocketAddr,
    /// The name that the console goes by; none where it goes by its address.
    pub name: Option<String>,
    /// The data folder.
    pub data: PathBuf,
}

/// The pages over a running office.
pub struct Console {
    pub(super) api: Arc<Api>,
    pub(super) links: LoginLinks,
    pub(super) site: Site,
    pub(super) sessions: Sessions,
    pub(super) imports: PendingImports,
    pub(super) sent: SentForms,
    /// What is done with the backups.
    pub(super) backup_task: Arc<Task<Result<String, String>>>,
    /// The move from another server.
    pub(super) moving: Arc<PendingMove>,
    fresh: Mutex<Option<(Token, Duration)>>,
    fresh_secret: Mutex<Option<(u32, String, Duration)>>,
}

impl Console {
    /// The console of this API, which `links` lead to.
    pub fn new(api: Arc<Api>, links: LoginLinks, site: Site) -> Arc<Console> {
        let (sessions, fresh, fresh_secret) = (Sessions::default(), Mutex::default(), Mutex::default());
        let imports = PendingImports::of(&site.data);
        let (sent, backup_task, moving) = (SentForms::default(), Arc::default(), Arc::default());
        Arc::new(Console {
            api,
            links,
            site,
            sessions,
            imports,
            sent,
            backup_task,
            moving,
            fresh,
            fresh_secret,
        })
    }

    /// Shows a token that was just made on the next page that is there for it, once.
    pub fn show_once(&self, token: Token) {
        *self.fresh.lock() = Some((token, self.now()));
    }

    /// The token that waits to be shown, if any; it does not wait any more then.
    pub(super) fn fresh_token(&self) -> Option<Token> {
        let (token, made) = self.fresh.lock().take()?;
        (self.now().saturating_sub(made) < FRESH).then_some(token)
    }

    /// Shows the secret of a webhook on its page, once.
    pub(super) fn show_secret_once(&self, webhook: u32, secret: String) {
        *self.fresh_secret.lock() = Some((webhook, secret, self.now()));
    }

    /// The secret of that webhook that waits to be shown, if any; it does not wait any more then.
    pub(super) fn fresh_secret(&self, webhook: u32) -> Option<String> {
        let mut fresh = self.fresh_secret.lock();
        let (_, secret, made) = fresh.take_if(|(of, ..)| *of == webhook)?;
        (self.now().saturating_sub(made) < FRESH).then_some(secret)
    }

    pub(super) fn now(&self) -> Duration {
        self.api.app().monotonic()
    }

    /// Runs what waits for the store or a disk where waiting holds nobody up.
    pub(super) async fn apart<T: Send + 'static>(
        self: &Arc<Console>,
        work: impl FnOnce(&Console) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        let console = self.clone();
        tokio::task::spawn_blocking(move || work(&console)).await.ok().flatten()
    }
}
