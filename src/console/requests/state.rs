//! State shared by all pages of the console: the API, the sessions, and a new token that waits to be shown.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use crate::console::admin::team::Team;
use crate::console::imports::import_jobs::PendingImports;
use crate::console::imports::pending_move::PendingMove;
use crate::console::layout::job::BackgroundJob;
use crate::console::office::assigned_counts::AssignedCounts;
use crate::console::requests::form_results::SentForms;
use crate::console::requests::sign_in::failed_sign_ins::FailedNotes;
use crate::console::requests::sign_in::guess_delay::{Attempts, address_name};
use crate::console::requests::sign_in::links::SignInLinks;
use crate::console::requests::sign_in::machine_sessions::MachineSessions;
use crate::domain::Token;
use crate::http::Api;
use crate::password::Passwords;
use crate::store;
use crate::store::access::people::{self, failed_sign_ins};

/// Time for which failed sign-ins are collected before they are written.
const COLLECTED: Duration = Duration::from_secs(1);
/// Time that a new token or secret waits to be shown.
const FRESH: Duration = Duration::from_secs(10 * 60);

/// Facts about the running program for the console.
pub struct Site {
    /// Address of the loopback listener.
    pub local: SocketAddr,
    /// Host name of the console; `None` if it uses its address.
    pub name: Option<String>,
    pub data: PathBuf,
}

pub struct Console {
    pub(in crate::console) api: Arc<Api>,
    pub(in crate::console) links: SignInLinks,
    pub(in crate::console) site: Site,
    pub(in crate::console) sessions: MachineSessions,
    pub(in crate::console) passwords: Passwords,
    pub(in crate::console) attempts: Attempts,
    pub(in crate::console) failed: FailedNotes,
    /// `true` if any person has access, or had since the start: a page that is open is answered.
    has_people: Arc<AtomicBool>,
    pub(in crate::console) team: Team,
    pub(in crate::console) imports: PendingImports,
    pub(in crate::console) sent: SentForms,
    pub(in crate::console) assigned: AssignedCounts,
    /// The running backup job and its result.
    pub(in crate::console) backup_job: Arc<BackgroundJob<Result<String, String>>>,
    pub(in crate::console) moving: Arc<PendingMove>,
    fresh: Mutex<Option<(Token, Duration)>>,
    fresh_secret: Mutex<Option<(u32, String, Duration)>>,
    fresh_invitation: Mutex<Option<(u32, String, Duration)>>,
}

impl Console {
    /// Creates the console for the API. `links` are its sign-in links.
    pub fn new(api: Arc<Api>, links: SignInLinks, passwords: Passwords, site: Site) -> Arc<Console> {
        let fresh = Mutex::default();
        let fresh_secret = Mutex::default();
        let fresh_invitation = Mutex::default();
        let has_people = Arc::new(AtomicBool::new(false));
        follow_people(&api, has_people.clone());
        let team = Team::follow(&api);
        let sessions = MachineSessions::of(&site.data);
        let imports = PendingImports::of(&site.data);
        let sent = SentForms::default();
        let backup_job = Arc::default();
        let moving = Arc::default();
        Arc::new(Console {
            api,
            links,
            site,
            sessions,
            passwords,
            attempts: Attempts::default(),
            failed: FailedNotes::default(),
            has_people,
            team,
            imports,
            sent,
            assigned: AssignedCounts::default(),
            backup_job,
            moving,
            fresh,
            fresh_secret,
            fresh_invitation,
        })
    }

    /// Keeps a new token, to show it once on the next page for it.
    pub fn show_once(&self, token: Token) {
        *self.fresh.lock() = Some((token, self.now()));
    }

    /// Takes the token that waits to be shown, unless it has expired.
    pub(in crate::console) fn fresh_token(&self) -> Option<Token> {
        let (token, made) = self.fresh.lock().take()?;
        (self.now().saturating_sub(made) < FRESH).then_some(token)
    }

    /// Keeps a webhook's secret, to show it once on the webhook's page.
    pub(in crate::console) fn show_secret_once(&self, webhook: u32, secret: String) {
        *self.fresh_secret.lock() = Some((webhook, secret, self.now()));
    }

    /// Takes the webhook's secret that waits to be shown, unless it has expired.
    pub(in crate::console) fn fresh_secret(&self, webhook: u32) -> Option<String> {
        let mut fresh = self.fresh_secret.lock();
        let (_, secret, made) = fresh.take_if(|(of, ..)| *of == webhook)?;
        (self.now().saturating_sub(made) < FRESH).then_some(secret)
    }

    /// Keeps the link of an invitation, to show it once on the person's page.
    pub(in crate::console) fn show_invitation_once(&self, person: u32, path: String) {
        *self.fresh_invitation.lock() = Some((person, path, self.now()));
    }

    /// Takes the link of the person's invitation that waits to be shown, unless it has expired.
    pub(in crate::console) fn fresh_invitation(&self, person: u32) -> Option<String> {
        let (_, path, made) = self.fresh_invitation.lock().take_if(|(of, ..)| *of == person)?;
        (self.now().saturating_sub(made) < FRESH).then_some(path)
    }

    /// Counts a failed sign-in. `person` is `None` for a name that no person has.
    pub(in crate::console) fn note_failed(self: &Arc<Console>, person: Option<u32>, address: IpAddr) {
        if self.failed.add(person, self.api.app().now(), address_name(address)) {
            let console = self.clone();
            tokio::spawn(async move {
                tokio::time::sleep(COLLECTED).await;
                console.store_failed();
            });
        }
    }

    fn store_failed(&self) {
        let notes = self.failed.take();
        self.api.app().store().submit(
            move |tx| notes.iter().try_for_each(|note| failed_sign_ins::add(tx, note)),
            |done: Result<(), store::Error>| {
                _ = done.inspect_err(|cause| tracing::warn!(%cause, "failed sign-ins cannot be counted"));
            },
        );
    }

    /// Returns `true` if the console is open to the network: people have access, and the setting allows it.
    pub(in crate::console) fn is_on_network(&self) -> bool {
        self.has_people.load(Ordering::Relaxed) && self.api.app().settings().console.on_network
    }

    pub(in crate::console) fn now(&self) -> Duration {
        self.api.app().monotonic()
    }
}

/// Sets `has_people` once any person has access. The listener also runs once immediately.
fn follow_people(api: &Api, has_people: Arc<AtomicBool>) {
    let mut is_unknown = true;
    api.app().store().after_commit(Box::new(move |db, committed| {
        if committed.token || is_unknown {
            let known = people::exist(db);
            is_unknown = known.is_err();
            has_people.fetch_or(known.unwrap_or(false), Ordering::Relaxed);
        }
    }));
}
