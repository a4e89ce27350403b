//! Forms that bring a file.

use http::{HeaderMap, header};

use crate::console::prelude::*;

/// Returns `true` if the form uploads a file to a page that accepts one.
pub(in crate::console) fn brings_file(path: &[&str], headers: &HeaderMap) -> bool {
    let declared = headers.get(header::CONTENT_TYPE).and_then(|declared| declared.to_str().ok());
    let takes_file = |name| PAGES.iter().any(|pages| pages.path() == name && pages.file.is_some());
    let is_one = matches!(path, ["imports"]) || matches!(path, [name, "new"] if takes_file(*name));
    is_one
        && declared.is_some_and(|declared| declared.to_ascii_lowercase().starts_with("multipart/form-data"))
}
