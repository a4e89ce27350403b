//! Addresses: of the server that is moved from, as it is typed, and those to which its answers lead.

use super::error::MoveError;
use crate::http::BASE;

/// The base address of what somebody typed, with or without `/api/v1`.
pub(super) fn base(typed: &str) -> Result<String, MoveError> {
    let text = typed.trim().trim_end_matches('/');
    let wrong = || MoveError::NotAddress(typed.trim().to_owned());
    let text = if text.contains("://") { text.to_owned() } else { ["https://", text].concat() };
    let uri: http::Uri = text.parse().map_err(|_| wrong())?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let has_host = uri.host().is_some_and(|host| !host.is_empty());
    // Who and which token are never in an address: it stands in logs and lists of processes.
    let has_user = uri.authority().is_some_and(|authority| authority.as_str().contains('@'));
    if !is_web || !has_host || has_user || uri.query().is_some() {
        return Err(wrong());
    }
    Ok([text.strip_suffix(BASE).unwrap_or(&text), BASE].concat())
}

/// The address to which an answer of `from` leads.
pub(super) fn redirected(from: &str, to: &str) -> String {
    let (scheme, rest) = from.split_once("://").unwrap_or(("https", from));
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    match to {
        _ if to.contains("://") => to.to_owned(),
        _ if to.starts_with("//") => format!("{scheme}:{to}"),
        _ => format!("{scheme}://{host}/{}", to.trim_start_matches('/')),
    }
}
