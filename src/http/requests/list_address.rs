//! Addresses of lists for programs that can send no header (access 25): `/list/SECRET/pleito.csv` opens one list with its
//! filters, as CSV, and `/list/SECRET/pleito.ics` one of tasks as a calendar. The secret is a key of its own kind.

use std::sync::Arc;

use http::header::{self, HeaderMap, HeaderValue};
use http::{Method, StatusCode};

use super::api::Api;
use super::request::{Request, parameters};
use super::route::BASE;
use super::route::extract::RoutedRequest;
use super::route::table::Target;
use crate::auth::{AuthRefusal, Caller};
use crate::config::settings::UnknownParameters;
use crate::domain::{Invalid, Reason, Token};
use crate::http::answers::negotiation::ListFormat;
use crate::http::answers::problem::Problem;
use crate::http::json::list_filter::unknown_ids;
use crate::http::requests::checks::standby_and_pause::ensure_served;
use crate::store::access::keys::NewKey;
use crate::store::journal::Via;

const FOLDER: &str = "/list/";
/// Last segments of addresses. Programs name tables and calendars after them, so they do not contain the secret.
const FILES: [(&str, ListFormat); 2] =
    [("/pleito.csv", ListFormat::Csv), ("/pleito.ics", ListFormat::Calendar)];

/// Maximum length of a list with its filters, in characters.
const MAX_ADDRESS_CHARACTERS: usize = 2000;

/// Name of the setting, in problems of a new key. A wrong parameter is named after a full stop: `address.stage`.
const SETTING: &str = "address";

/// Returns the path below the base with its query, from text as people copy it: with or without host and base.
fn below_base(typed: &str) -> Option<String> {
    // A filter may have an address as its value.
    let host = typed.split_once("://").filter(|(scheme, _)| !scheme.contains('?'));
    let path = host.map_or(typed, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let path = path.trim_start_matches('/');
    let base = BASE.trim_start_matches('/');
    let path = path.strip_prefix(base).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path);
    let is_sane = path.chars().count() < MAX_ADDRESS_CHARACTERS
        && !path.contains('#')
        && !path.chars().any(char::is_control);
    is_sane.then(|| ["/", path].concat())
}

/// Makes the request one for a list below the base, in a format.
fn ask_for_list(request: &mut Request, list: &str, format: ListFormat) {
    let (path, query) = list.split_once('?').unwrap_or((list, ""));
    request.path = [BASE, path].concat();
    request.query = query.to_owned();
    request.parameters = parameters(query);
    request.headers.insert(header::ACCEPT, HeaderValue::from_static(format.media_type()));
}

impl Api {
    /// Returns the addresses with this secret as CSV, and those as a calendar if its list is that of tasks: each on this
    /// machine, and on the network if the office is shared there.
    pub fn list_addresses(&self, secret: &Token) -> Vec<String> {
        let list = self.app.auth().list_of(secret).unwrap_or_default();
        let local = self.app.address().unwrap_or(self.app.settings().server.listen);
        let bases = [vec![format!("http://{local}")], self.app.urls()].concat();
        let is_in = |format| format == ListFormat::Csv || self.has_format(&list, format);
        let files = FILES.iter().filter(|(_, format)| is_in(*format));
        let address = |base: &String, file: &str| [base, FOLDER, secret.expose(), file].concat();
        files.flat_map(|(file, _)| bases.iter().map(move |base| address(base, file))).collect()
    }

    /// Returns `true` if a list below the base can be sent whole in this format.
    fn has_format(&self, list: &str, format: ListFormat) -> bool {
        let path = list.split_once('?').map_or(list, |(path, _)| path);
        match self.table.find(&Method::GET, path) {
            Target::Route(row, _) => {
                row.route.listed.is_some() && ListFormat::others(&row.route).contains(&format)
            }
            _ => false,
        }
    }

    /// Makes a request for an address one for its list, by the caller of its secret. Anything but GET and HEAD of exactly
    /// the address, by HTTPS or on this machine, gets the 404 of a path that does not exist. A wrong secret delays the
    /// response, as a wrong key does. Returns `false` for other paths.
    pub(in crate::http) async fn open_list_address(&self, request: &mut Request) -> Result<bool, Problem> {
        let Some(rest) = request.path.strip_prefix(FOLDER) else { return Ok(false) };
        let named = FILES.iter().find_map(|(file, format)| Some((rest.strip_suffix(file)?, *format)));
        let (secret, format) = named.unwrap_or(("", ListFormat::Csv));
        let checked = self.app.auth().check_address(secret)?;
        let (caller, hash, list) = match checked {
            Ok(valid) => valid,
            Err(refusal) => {
                self.delay_bad_token(request).await;
                return Err(Problem::no_list_address(refusal));
            }
        };
        let is_private = request.addresses.tls || request.is_from_here();
        let is_exact = [Method::GET, Method::HEAD].contains(&request.method) && request.query.is_empty();
        if !is_private || !is_exact || !self.has_format(&list, format) {
            return Err(Problem::no_list_address(AuthRefusal::NoAddress));
        }
        (request.caller, request.secret) = (Some(caller), Some(hash));
        ask_for_list(request, &list, format);
        ensure_served(&self.app).map(|()| true)
    }

    /// Checks the list of a new key that is part of an address, by reading it once as the key will. Unknown parameters are
    /// refused, whatever the settings, and ids that no record has: such a list stays empty. Returns the key with its list as it
    /// is stored. Fails with 422 on `address`.
    pub fn check_list(self: &Arc<Api>, new: NewKey) -> Result<NewKey, Problem> {
        let Some(typed) = &new.address else { return Ok(new) };
        let refuse = |reason| Problem::from(Invalid::one(SETTING, reason));
        let list = below_base(typed).ok_or_else(|| refuse(Reason::NotList))?;
        let mut request = Request::new(Method::GET, String::new(), String::new(), HeaderMap::new());
        ask_for_list(&mut request, &list, ListFormat::Csv);
        let path = request.path.strip_prefix(BASE).unwrap_or_default();
        let Target::Route(row, parameters) = self.table.find(&Method::GET, path) else {
            return Err(refuse(Reason::NotList));
        };
        let Some(table) = row.route.listed else { return Err(refuse(Reason::NotList)) };
        if row.route.requires().any(|access| !new.rights.allow(access)) {
            return Err(refuse(Reason::BeyondRights));
        }
        let row = row.clone();
        request.path_parameters = parameters;
        let mut settings = (*self.app.settings()).clone();
        settings.api.unknown_parameters = UnknownParameters::Refuse;
        let api = self.clone();
        let settings = Arc::new(settings);
        let caller = Caller { who: None, rights: new.rights };
        let read = self.app.store().read(move |db| {
            let call = api.call(&settings, db, Via::Api, &caller);
            (row.run)(&RoutedRequest { call, request: &request, route: &row.route })?;
            match unknown_ids(db, table, &request.parameters)? {
                unknown if unknown.is_empty() => Ok(()),
                unknown => Err(Problem::from(unknown)),
            }
        });
        match read {
            Ok(()) => Ok(NewKey { address: Some(list), ..new }),
            Err(problem) if !problem.wrong().is_empty() => {
                let mut wrong = Invalid::new();
                for (parameter, reason) in problem.wrong().iter() {
                    wrong.add(format!("{SETTING}.{parameter}"), *reason);
                }
                Err(Problem::from(wrong))
            }
            Err(problem) => Err(match problem.status() {
                StatusCode::FORBIDDEN => refuse(Reason::BeyondRights),
                StatusCode::NOT_FOUND => refuse(Reason::NotList),
                _ => problem,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_people_copy_it() {
        for typed in [
            "/lawsuits?open=true",
            "lawsuits?open=true",
            "/api/v1/lawsuits?open=true",
            "http://127.0.0.1:8743/api/v1/lawsuits?open=true",
            "https://pleito.local:8744/lawsuits?open=true",
        ] {
            assert_eq!(below_base(typed).as_deref(), Some("/lawsuits?open=true"), "{typed}");
        }
        assert_eq!(below_base("https://pleito.local").as_deref(), Some("/"));
        assert_eq!(below_base("/api/v12").as_deref(), Some("/api/v12"));
        let filter = "/customers?external_id=crm:https://crm.example/17";
        assert_eq!(below_base(filter).as_deref(), Some(filter));
        let long = |length: usize| format!("/{}", "x".repeat(length - 1));
        assert!(below_base(&long(MAX_ADDRESS_CHARACTERS)).is_some());
        for typed in [long(MAX_ADDRESS_CHARACTERS + 1).as_str(), "/lawsuits#open", "/lawsuits?notes=a\nb"] {
            assert_eq!(below_base(typed), None, "{typed}");
        }
    }
}
