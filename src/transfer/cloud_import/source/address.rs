//! Parses the typed address of the source server, and resolves the addresses of redirects.

use crate::http::BASE;
use crate::transfer::cloud_import::error::MoveError;

/// Parses a typed base address, with or without `/api/v1`. Returns it with `/api/v1`.
pub(in crate::transfer::cloud_import) fn base(typed: &str) -> Result<String, MoveError> {
    let text = typed.trim().trim_end_matches('/');
    let wrong = || MoveError::NotAddress(typed.trim().to_owned());
    let text = if text.contains("://") { text.to_owned() } else { ["https://", text].concat() };
    let uri: http::Uri = text.parse().map_err(|_| wrong())?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let has_host = uri.host().is_some_and(|host| !host.is_empty());
    // User names and tokens do not belong in an address, which appears in logs and process lists.
    let has_user = uri.authority().is_some_and(|authority| authority.as_str().contains('@'));
    if !is_web || !has_host || has_user || uri.query().is_some() {
        return Err(wrong());
    }
    Ok([text.strip_suffix(BASE).unwrap_or(&text), BASE].concat())
}

/// Resolves the `Location` header of a redirect from `from`.
pub(in crate::transfer::cloud_import) fn redirected(from: &str, to: &str) -> String {
    let (scheme, rest) = from.split_once("://").unwrap_or(("https", from));
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    match to {
        _ if to.contains("://") => to.to_owned(),
        _ if to.starts_with("//") => format!("{scheme}:{to}"),
        _ => format!("{scheme}://{host}/{}", to.trim_start_matches('/')),
    }
}
