//! Signed addresses: what opens one content for a while without a token (resources 17.5).

use std::fmt::Display;

use super::call::Call;
use super::describe::RoutePart;
use super::input::Take;
use super::problem::Problem;
use super::request::Request;
use super::table::Target;
use crate::app::App;

/// For how many seconds an address works (resources 17.5).
const LASTS: u16 = 300;

const SIGNATURE: &str = "signature";
const EXPIRES: &str = "expires";

/// Whether a request comes with a signature in the place of a token, to where one counts.
pub(super) fn opens(target: &Target<'_>, request: &Request) -> bool {
    let is_signed = matches!(target, Target::Route(row, _) if row.route.is_signed);
    is_signed && request.parameters.iter().any(|(name, _)| name == SIGNATURE)
}

/// An address that is signed, and for how many seconds it works.
pub struct SignedAddress {
    /// The address.
    pub address: String,
    /// For how many seconds it works.
    pub expires_in: i64,
}

impl SignedAddress {
    /// Signs the address of `path`, which opens `what` and nothing else. It works for as long as the token in force does, at
    /// the most.
    ///
    /// # Errors
    /// 401 where no token is in force any more.
    pub fn new(call: &Call<'_>, path: &str, what: impl Display) -> Result<SignedAddress, Problem> {
        let app = call.app();
        let lifetime = Lifetime::of(app);
        let digest = app.auth().sign(&message(what, &lifetime));
        let digest = digest.ok_or_else(|| Problem::unauthenticated("no token is in force"))?;
        let (origin, Lifetime { expires, run, until }) = (call.origin(), lifetime);
        let address = format!("{origin}{path}?{EXPIRES}={expires}&{SIGNATURE}={run:x}.{until}.{digest}");
        Ok(SignedAddress { address, expires_in: LASTS.into() })
    }
}

/// For how long an address works. Both clocks count: the time of day may be set back, and time since the start of the program
/// stands still while the machine sleeps.
#[derive(Clone, Copy)]
struct Lifetime {
    /// The last second, since 1970.
    expires: i64,
    /// The run of the program that signed it.
    run: u64,
    /// The last millisecond, since that run began.
    until: u128,
}

impl Lifetime {
    /// That of an address that is signed now.
    fn of(app: &App) -> Lifetime {
        let until = app.uptime().as_millis() + u128::from(LASTS) * 1000;
        Lifetime { expires: app.now() + i64::from(LASTS), run: app.epoch(), until }
    }

    fn is_over(&self, app: &App) -> bool {
        let uptime = app.uptime().as_millis();
        let until = match self.run == app.epoch() {
            true => self.until,
            // An earlier run cannot have signed it later than this one began, by the same clock.
            false => match u128::try_from(self.expires - app.started_at()) {
                Ok(left) if left <= u128::from(LASTS) => left * 1000,
                _ => return true,
            },
        };
        app.now() > self.expires || uptime > until
    }
}

/// What is signed: the thing, and for how long.
fn message(what: impl Display, Lifetime { expires, run, until }: &Lifetime) -> String {
    format!("{what} {expires} {run:x} {until}")
}

/// The signature of a request, if it came with one in the place of a token.
pub struct Signature(Option<(String, String)>);

impl Signature {
    /// Lets pass who came with a token, and who has a signature for `what` that still holds; `what` is none where it does
    /// not exist.
    ///
    /// # Errors
    /// 401.
    pub fn check(&self, call: &Call<'_>, what: Option<impl Display>) -> Result<(), Problem> {
        let Some((expires, signature)) = &self.0 else { return Ok(()) };
        let is_right = match (what, read(expires, signature)) {
            (Some(what), Some((lifetime, digest))) => {
                let is_signed = call.app().auth().is_signed(&message(what, &lifetime), digest);
                is_signed && !lifetime.is_over(call.app())
            }
            _ => false,
        };
        if is_right { Ok(()) } else { Err(Problem::unauthenticated("wrong or late signature")) }
    }
}

/// Reads the parameters of a signed address: its lifetime, and the digest that signs it.
fn read<'s>(expires: &str, signature: &'s str) -> Option<(Lifetime, &'s str)> {
    let mut parts = signature.splitn(3, '.');
    let run = u64::from_str_radix(parts.next()?, 16).ok()?;
    let until = parts.next()?.parse().ok()?;
    Some((Lifetime { expires: expires.parse().ok()?, run, until }, parts.next()?))
}

impl Take for Signature {
    fn take(call: &Call<'_>) -> Result<Signature, Problem> {
        let [expires, signature] = [EXPIRES, SIGNATURE].map(|name| {
            let value = call.query().iter().rev().find(|(own, _)| own == name);
            value.map(|(_, value)| value.clone())
        });
        Ok(Signature(signature.map(|signature| (expires.unwrap_or_default(), signature))))
    }

    fn parts() -> Vec<RoutePart> {
        vec![RoutePart::Signature]
    }
}
