//! The console's own files, built into the executable.

use std::sync::LazyLock;

use http::header::{CACHE_CONTROL, HeaderValue};

use super::paths::BASE;
use crate::http::Answer;
use crate::http::coding::{Coding, Encodings};

const STYLE: &[u8] = include_bytes!("../../assets/console/console.css");
const SCRIPT: &[u8] = include_bytes!("../../assets/console/console.js");

static STYLE_FILE: Encodings = Encodings::of_static(STYLE);
static SCRIPT_FILE: Encodings = Encodings::of_static(SCRIPT);

/// Where the pages find them. The name changes with the content, so that a browser may keep what it has.
pub(super) static STYLE_PATH: LazyLock<String> = LazyLock::new(|| named(STYLE, "css"));
pub(super) static SCRIPT_PATH: LazyLock<String> = LazyLock::new(|| named(SCRIPT, "js"));

fn named(content: &[u8], end: &str) -> String {
    format!("{}/console.{:08x}.{end}", BASE, crc32fast::hash(content))
}

/// The file at a path below the base, in the coding that was asked for.
pub(super) fn find(path: &[&str], coding: Option<Coding>) -> Option<Answer> {
    let [name] = path else { return None };
    let is = |path: &str| path.rsplit('/').next() == Some(*name);
    let file = match () {
        () if is(&STYLE_PATH) => Answer::file("text/css; charset=utf-8", &STYLE_FILE, coding),
        () if is(&SCRIPT_PATH) => Answer::file("text/javascript; charset=utf-8", &SCRIPT_FILE, coding),
        () => return None,
    };
    Some(file.with(CACHE_CONTROL, HeaderValue::from_static("max-age=31536000, immutable")))
}
