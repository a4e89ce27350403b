//! The console's style sheet and script, built into the executable.

use std::sync::LazyLock;

use http::header::{CACHE_CONTROL, HeaderValue};

use crate::console::requests::paths::BASE;
use crate::http::Answer;
use crate::http::answers::compression::Encodings;

const STYLE: &[u8] = include_bytes!("../../../assets/console/console.css");
const SCRIPT: &[u8] = include_bytes!("../../../assets/console/console.js");

static STYLE_FILE: Encodings = Encodings::of_static(STYLE);
static SCRIPT_FILE: Encodings = Encodings::of_static(SCRIPT);

/// Paths of the files. Each contains a checksum of the content, so that browsers can cache the files for good.
pub(in crate::console) static STYLE_PATH: LazyLock<String> = LazyLock::new(|| named(STYLE, "css"));
pub(in crate::console) static SCRIPT_PATH: LazyLock<String> = LazyLock::new(|| named(SCRIPT, "js"));

fn named(content: &[u8], end: &str) -> String {
    format!("{}/console.{:08x}.{end}", BASE, crc32fast::hash(content))
}

/// Returns the file at a path below [`BASE`], compressed if the client prefers that.
pub(in crate::console) fn find(path: &[&str], prefers_gzip: bool) -> Option<Answer> {
    let [name] = path else { return None };
    let is = |path: &str| path.rsplit('/').next() == Some(*name);
    let file = match () {
        () if is(&STYLE_PATH) => Answer::file("text/css; charset=utf-8", &STYLE_FILE, prefers_gzip),
        () if is(&SCRIPT_PATH) => Answer::file("text/javascript; charset=utf-8", &SCRIPT_FILE, prefers_gzip),
        () => return None,
    };
    Some(file.with(CACHE_CONTROL, HeaderValue::from_static("max-age=31536000, immutable")))
}
