//! The whole program except the network, over a data folder: requests and responses stay in this process.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method, header};
use http_body_util::{BodyExt, Full};
use pleito::app::App;
use pleito::auth::make_token;
use pleito::auth::{KeyDraft, make_key};
use pleito::clock::Clock;
use pleito::config::{Config, Environment, Flags, LiveSettings};
use pleito::domain::{Lang, Name};
use pleito::http::{Api, Body, Request};
use pleito::log;
use pleito::records::{Origin, OriginId};
use pleito::store::{Store, Tx, records};
use tokio::runtime::Runtime;

pub struct Office {
    pub store: Arc<Store>,
    pub app: Arc<App>,
    api: Arc<Api>,
    headers: HeaderMap,
    runtime: Runtime,
    _log: log::Guard,
}

impl Office {
    pub fn open(folder: &Path) -> Office {
        // Every request is logged, as in the server.
        let style = log::Style { level: tracing::Level::INFO, json: false, keep_days: 14, on_stderr: false };
        let log = log::start(folder, style).expect("a log");
        let store = Arc::new(Store::open(folder).expect("a store"));
        let clock = Clock::system();
        let (token, _) = make_token(&store, false, clock.now().as_second()).expect("a token");
        let flags = Flags { data_dir: Some(folder.to_owned()), ..Flags::default() };
        let config = Config::load(flags, Environment::default());
        let config = config.unwrap_or_else(|refused| panic!("{}", refused.message(Lang::En)));
        let monotonic = clock.clone();
        let settings = LiveSettings::new(config, move || monotonic.monotonic());
        let app = Arc::new(App::new(store.clone(), clock, settings).expect("an office"));
        let bearer = format!("Bearer {}", token.expose());
        let headers = [
            (header::HOST, "localhost"),
            (header::AUTHORIZATION, bearer.as_str()),
            (header::CONTENT_TYPE, "application/json"),
        ];
        Office {
            store,
            api: Api::new(
                app.clone(),
                pleito::api::routes(),
                pleito::api::RESOURCES,
                pleito::api::webhooks::messages,
            ),
            app,
            headers: headers.into_iter().map(|(name, value)| (name, value.parse().unwrap())).collect(),
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap(),
            _log: log,
        }
    }

    /// Sends a key in place of the token from now on.
    pub fn use_key(&mut self) {
        let draft = KeyDraft { name: "bench".to_owned(), level: "read".to_owned(), ..KeyDraft::default() };
        let new = draft.check(self.app.today()).expect("a valid key");
        let key = make_key(&self.store, new, self.app.now()).expect("a store").expect("a key");
        let bearer = format!("Bearer {}", key.expose());
        self.headers.insert(header::AUTHORIZATION, bearer.parse().expect("a header"));
    }

    /// Changes a customer, so that its record has to be read again.
    pub fn change_customer(&self, id: u64) {
        self.ask(Method::PUT, &format!("/customers/{id}"), r#"{"notes":"Ligou hoje."}"#);
    }

    /// Changes an entry of a reference list, which any record may show, so that no record stays cached.
    pub fn change_list(&self) {
        let name = Name::parse("Indicação").expect("a name");
        let (id, origin) = (OriginId::from_stored(1), Origin { name, active: true, opposing: None });
        let change = move |tx: Tx<'_>| records::update(tx, id, &origin, 0);
        self.store.write(change).expect("a write");
    }

    /// Sends a request and returns the body of its response. Panics if the request fails.
    pub fn ask(&self, method: Method, path: &str, body: &str) -> Bytes {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let body = Bytes::copy_from_slice(body.as_bytes());
        let body = Full::new(body).map_err(|never| match never {}).boxed();
        let mut request =
            Request::new(method, format!("/api/v1{path}"), query.to_owned(), self.headers.clone());
        request.body = body;
        let answer = self.runtime.block_on(self.api.answer(request));
        let status = answer.status();
        let Body::Whole(body) = answer.into_body() else { panic!("{path}: a file") };
        assert!(status.is_success(), "{path}?{query}: {status} {}", String::from_utf8_lossy(&body));
        body
    }

    /// Waits until all lists are indexed, because indexing in the background would be measured too.
    pub fn ready(&self) {
        self.runtime.block_on(self.app.index().all_begun());
    }
}

pub fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
