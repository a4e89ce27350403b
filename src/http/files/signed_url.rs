//! Signed URLs: each opens one content without a token, for a limited time (resources 17.5).

use std::fmt::Display;

use crate::app::App;
use crate::auth::Caller;
use crate::domain::TokenHash;
use crate::http::answers::problem::Problem;
use crate::http::openapi::describe::RoutePart;
use crate::http::requests::request::Request;
use crate::http::requests::route::extract::{FromRequest, RoutedRequest};
use crate::http::requests::route::table::Target;
use crate::http::requests::route::{EXPIRES, SIGNATURE};

/// Lifetime of a signed URL, in seconds (resources 17.5).
const LIFETIME_SECONDS: u16 = 300;

/// Returns `true` if the request has a signature in place of a token, and its route accepts one.
pub(in crate::http) fn opens(target: &Target<'_>, request: &Request) -> bool {
    let is_signed = matches!(target, Target::Route(row, _) if row.route.is_signed);
    is_signed && request.parameters.iter().any(|(name, _)| name == SIGNATURE)
}

/// The base of this server's URLs as the client reached it, such as `http://127.0.0.1:8743`.
pub struct ServerUrl(pub String);

impl FromRequest for ServerUrl {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<ServerUrl, Problem> {
        Ok(ServerUrl(routed.request.origin()))
    }
}

pub struct SignedAddress {
    pub address: String,
    /// Lifetime in seconds.
    pub expires_in: i64,
}

impl SignedAddress {
    /// Signs a URL of `path` that opens `what` and nothing else. It also expires when the token is replaced, or when
    /// the caller's key ends. Fails with 401 if no token is in force.
    pub fn new(
        app: &App,
        caller: &Caller,
        ServerUrl(url): &ServerUrl,
        path: &str,
        what: impl Display,
    ) -> Result<SignedAddress, Problem> {
        let lifetime = Lifetime::of(app);
        let digest = app.auth().sign(caller, &message(what, &lifetime));
        let digest = digest.ok_or_else(|| Problem::unauthenticated("no token is in force"))?;
        let Lifetime { expires, run, until } = lifetime;
        let address = format!("{url}{path}?{EXPIRES}={expires}&{SIGNATURE}={run:x}.{until}.{digest}");
        Ok(SignedAddress { address, expires_in: LIFETIME_SECONDS.into() })
    }
}

/// The lifetime of a signed URL, by two clocks. The time of day may be set back, and the monotonic clock
/// stops while the machine sleeps.
#[derive(Clone, Copy)]
struct Lifetime {
    /// Last valid second, since 1970.
    expires: i64,
    /// The program run that signed the URL.
    run: u64,
    /// Last valid millisecond, since the start of that run.
    until: u128,
}

impl Lifetime {
    fn of(app: &App) -> Lifetime {
        let until = app.uptime().as_millis() + u128::from(LIFETIME_SECONDS) * 1000;
        Lifetime { expires: app.now() + i64::from(LIFETIME_SECONDS), run: app.run_id(), until }
    }

    fn is_over(&self, app: &App) -> bool {
        let uptime = app.uptime().as_millis();
        let until = match self.run == app.run_id() {
            true => self.until,
            // An earlier run signed the URL before this run began, so at most `LIFETIME_SECONDS` seconds were left at that time.
            false => match u128::try_from(self.expires - app.started_at()) {
                Ok(left) if left <= u128::from(LIFETIME_SECONDS) => left * 1000,
                _ => return true,
            },
        };
        app.now() > self.expires || uptime > until
    }
}

/// Returns the text to sign: the thing and its lifetime.
fn message(what: impl Display, Lifetime { expires, run, until }: &Lifetime) -> String {
    format!("{what} {expires} {run:x} {until}")
}

/// The signature of a request, if it has one in place of a token.
pub struct Signature(Option<(String, String)>);

impl Signature {
    /// Returns `true` if the request has a signature in place of a token.
    pub fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Accepts a request with a token, or with a valid signature for `what`. `what` is `None` if the thing
    /// does not exist. Fails with 401.
    pub fn check(&self, app: &App, what: Option<impl Display>) -> Result<(), Problem> {
        let Some((expires, signature)) = &self.0 else { return Ok(()) };
        let is_right = match (what, read(expires, signature)) {
            (Some(what), Some((lifetime, digest))) => {
                let is_signed = app.auth().is_signed(&message(what, &lifetime), digest);
                is_signed && !lifetime.is_over(app)
            }
            _ => false,
        };
        if is_right { Ok(()) } else { Err(Problem::unauthenticated("wrong or late signature")) }
    }
}

/// Returns the hash of the token or key that signed the URL of a request, if it is in force.
pub(in crate::http) fn signer(app: &App, request: &Request) -> Option<TokenHash> {
    let signature = request.parameters.iter().rev().find(|(name, _)| name == SIGNATURE)?;
    app.auth().signer(read("0", &signature.1)?.1)
}

/// Parses the parameters of a signed URL into its lifetime and its digest.
fn read<'s>(expires: &str, signature: &'s str) -> Option<(Lifetime, &'s str)> {
    let mut parts = signature.splitn(3, '.');
    let run = u64::from_str_radix(parts.next()?, 16).ok()?;
    let until = parts.next()?.parse().ok()?;
    Some((Lifetime { expires: expires.parse().ok()?, run, until }, parts.next()?))
}

impl FromRequest for Signature {
    fn from_request(routed: &RoutedRequest<'_>) -> Result<Signature, Problem> {
        let [expires, signature] = [EXPIRES, SIGNATURE].map(|name| {
            let value = routed.query().iter().rev().find(|(own, _)| own == name);
            value.map(|(_, value)| value.clone())
        });
        Ok(Signature(signature.map(|signature| (expires.unwrap_or_default(), signature))))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Signature]
    }
}
