//! Signed addresses: what opens one content for a while without a token (resources 17.5).

use std::fmt::Display;

use super::call::Call;
use super::describe::RoutePart;
use super::input::Take;
use super::problem::Problem;
use super::request::Request;
use super::table::Target;

/// For how many seconds an address works (resources 17.5).
const LASTS: i64 = 300;

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
        let expires = call.app().now() + LASTS;
        let signature = call.app().auth().sign(&message(what, expires));
        let signature = signature.ok_or_else(|| Problem::unauthenticated("no token is in force"))?;
        let address = format!("{}{path}?{EXPIRES}={expires}&{SIGNATURE}={signature}", call.origin());
        Ok(SignedAddress { address, expires_in: LASTS })
    }
}

/// What is signed: the thing, and until when.
fn message(what: impl Display, expires: i64) -> String {
    format!("{what} {expires}")
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
        let expires = expires.parse::<i64>().ok().filter(|expires| *expires >= call.app().now());
        let is_right = match (what, expires) {
            (Some(what), Some(expires)) => call.app().auth().is_signed(&message(what, expires), signature),
            _ => false,
        };
        if is_right { Ok(()) } else { Err(Problem::unauthenticated("wrong or late signature")) }
    }
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
