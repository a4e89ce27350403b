//! The whole program but the network, over a data folder: requests go in and answers come out in this process.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use http::{HeaderMap, Method, header};
use pleito::app::App;
use pleito::clock::Clock;
use pleito::config::{Config, Flags, Surroundings, Watch};
use pleito::domain::{Lang, Name};
use pleito::http::{Api, Connection, Request};
use pleito::log;
use pleito::store::settings::{self, List};
use pleito::store::{Store, Tx};
use pleito::supervisor::make_token;
use tokio::runtime::Runtime;

pub struct Office {
    pub store: Arc<Store>,
    pub app: Arc<App>,
    api: Arc<Api>,
    headers: HeaderMap,
    runtime: Runtime,
    _log: log::Guard,
}

/// A connection whose place nobody takes.
struct Alone;

impl Connection for Alone {
    fn keep(&self) -> bool {
        true
    }

    fn is_kept(&self) -> bool {
        true
    }

    fn release(&self) {}
}

impl Office {
    pub fn open(folder: &Path) -> Office {
        // Every request leaves its line, as in the server.
        let style = log::Style { level: tracing::Level::INFO, json: false, keep_days: 14, on_stderr: false };
        let log = log::start(folder, style).expect("a log");
        let store = Arc::new(Store::open(folder).expect("a store"));
        let clock = Clock::system();
        let token = make_token(&store, &clock).expect("a token");
        let flags = Flags { data_dir: Some(folder.to_owned()), ..Flags::default() };
        let config = Config::load(flags, Surroundings::default());
        let config = config.unwrap_or_else(|refused| panic!("{}", refused.say(Lang::En)));
        let monotonic = clock.clone();
        let settings = Watch::new(config, move || monotonic.monotonic());
        let app = Arc::new(App::new(store.clone(), clock, settings).expect("an office"));
        let bearer = format!("Bearer {}", token.expose());
        let headers = [
            (header::HOST, "localhost"),
            (header::AUTHORIZATION, bearer.as_str()),
            (header::CONTENT_TYPE, "application/json"),
        ];
        Office {
            store,
            api: Api::new(app.clone(), pleito::api::routes(), pleito::api::RESOURCES),
            app,
            headers: headers.into_iter().map(|(name, value)| (name, value.parse().unwrap())).collect(),
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap(),
            _log: log,
        }
    }

    /// Somebody changes a customer: that record is read anew.
    pub fn change_customer(&self, id: u64) {
        self.ask(Method::PUT, &format!("/customers/{id}"), r#"{"notes":"Ligou hoje."}"#);
    }

    /// Somebody changes a reference list, which every record may show: nothing is kept.
    pub fn change_list(&self) {
        let name = Name::parse("Indicação").expect("a name");
        let change = move |tx: Tx<'_>| settings::update(tx, List::Origins, 1, &settings::Fields::new(name));
        self.store.write(change).expect("a write");
    }

    /// The answer's body, which has to be of success.
    pub fn ask(&self, method: Method, path: &str, body: &str) -> Bytes {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let body = Bytes::copy_from_slice(body.as_bytes());
        let mut request = Request {
            method,
            path: format!("/api/v1{path}"),
            query: query.to_owned(),
            authority: None,
            headers: self.headers.clone(),
            coding: None,
            body: futures_util::stream::once(async { Ok(body) }).boxed(),
            peer: std::net::Ipv4Addr::LOCALHOST.into(),
            local: Some(std::net::Ipv4Addr::LOCALHOST.into()),
            tls: false,
            connection: Arc::new(Alone),
        };
        let answer = self.runtime.block_on(self.api.answer(&mut request));
        let (status, body) = (answer.status(), answer.into_body());
        assert!(status.is_success(), "{path}?{query}: {status} {}", String::from_utf8_lossy(&body));
        body
    }

    /// Waits until lists are answered.
    pub fn ready(&self) {
        self.ask(Method::GET, "/customers?limit=1", "");
        self.ask(Method::GET, "/lawsuits?limit=1", "");
    }
}

/// A text as a query parameter has it.
pub fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
