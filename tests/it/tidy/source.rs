//! A source file as the tidy rules read it: its code, its strings, its test-only parts, and the names that it uses.

use std::ops::Range;

/// A file in several views. All views have equal length, so a position found in one is valid in all of them.
pub struct Source {
    pub path: String,
    pub text: String,
    /// The text without comments and strings.
    pub code: String,
    /// `code` without test-only items.
    pub shipped: String,
    /// `shipped` with its strings.
    pub quoted: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Source {
        let code = masked(text, &[Kind::Comment, Kind::Text]);
        let tests = test_items(path, &code);
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
            shipped: without(&code, &tests),
            quoted: without(&masked(text, &[Kind::Comment]), &tests),
            code,
        }
    }

    /// Returns the module at the crate's root that the file belongs to, or `None` outside `src`.
    pub fn module(&self) -> Option<&str> {
        let first = self.path.strip_prefix("src/")?.split('/').next()?;
        Some(first.strip_suffix(".rs").unwrap_or(first))
    }

    /// Returns the number of `super` that lead from the file to the crate's root.
    pub fn depth(&self) -> usize {
        self.path.matches('/').count() - usize::from(self.path.ends_with("/mod.rs"))
    }

    pub fn line(&self, at: usize) -> usize {
        self.text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1
    }

    /// Returns the number of lines outside of test-only items.
    pub fn shipped_lines(&self) -> usize {
        let lines = |item: Range<usize>| self.text[item].lines().count();
        lines(0..self.text.len()) - test_items(&self.path, &self.code).into_iter().map(lines).sum::<usize>()
    }
}

/// Returns the test-only items, each from its attribute to its last brace or semicolon. A file of tests is one item.
fn test_items(path: &str, code: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    if path.starts_with("tests/") || path.ends_with("/tests.rs") || path.contains("/tests/") {
        items.push(0..code.len());
    }
    for (at, attribute) in code.match_indices("#[cfg(test)]") {
        if items.last().is_none_or(|item| item.end <= at) {
            items.push(at..end(code, at + attribute.len(), &[';', '}']));
        }
    }
    items
}

/// Returns the position after the first closing character that is outside of every bracket opened since `start`.
pub fn end(code: &str, start: usize, closing: &[char]) -> usize {
    let mut depth = 0;
    for (at, c) in code[start..].char_indices() {
        depth += match c {
            '{' | '(' | '[' => 1,
            '}' | ')' | ']' => -1,
            _ => 0,
        };
        if depth < 0 || depth == 0 && closing.contains(&c) {
            return start + at + c.len_utf8();
        }
    }
    code.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the positions of `needle` as a whole word.
pub fn places(text: &str, needle: &str) -> Vec<usize> {
    let alone = |at: &usize| {
        let (before, rest) = text.split_at(*at);
        let joined_before = needle.starts_with(is_word) && before.ends_with(is_word);
        let joined_after = needle.ends_with(is_word) && rest[needle.len()..].starts_with(is_word);
        !joined_before && !joined_after
    };
    text.match_indices(needle).map(|(at, _)| at).filter(alone).collect()
}

/// Returns the positions where a crate is named, by a path that begins with it or by a `use` of the crate itself.
pub fn crate_named(code: &str, name: &str) -> Vec<usize> {
    let named = |at: &usize| {
        let (before, rest) = code.split_at(*at);
        let after = &rest[name.len()..];
        let inner = before.ends_with('.')
            || before.strip_suffix("::").is_some_and(|path| path.ends_with(|c| is_word(c) || c == '>'));
        let imported = before.trim_end_matches("::").ends_with("use ") || before.ends_with("extern crate ");
        !inner && (after.starts_with("::") || imported && after.starts_with([';', ' ']))
    };
    places(code, name).into_iter().filter(named).collect()
}

/// Returns the names directly under a path's root, also in groups: `root::{a::b, c}` names `a` and `c`.
pub fn named_under<'a>(code: &'a str, root: &str) -> Vec<(usize, &'a str)> {
    let opening = format!("{root}::");
    places(code, &opening).into_iter().flat_map(|at| names_at(code, at + opening.len())).collect()
}

/// Returns the names directly after exactly `depth` times `super`.
pub fn named_above(code: &str, depth: usize) -> Vec<(usize, &str)> {
    let chain = "super::".repeat(depth);
    let whole = |at: &usize| !code[..*at].ends_with("super::");
    places(code, &chain).into_iter().filter(whole).flat_map(|at| names_at(code, at + chain.len())).collect()
}

fn names_at(code: &str, start: usize) -> Vec<(usize, &str)> {
    let name = |at: usize| (at, code[at..].split(|c| !is_word(c)).next().unwrap_or_default());
    if !code[start..].starts_with('{') {
        return vec![name(start)];
    }
    let (mut names, mut depth, mut expected) = (Vec::new(), 0, false);
    for (at, c) in code[start..end(code, start, &['}'])].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 1 && matches!(c, '{' | ',') {
            expected = true;
        } else if expected && is_word(c) {
            names.push(name(start + at));
            expected = false;
        }
    }
    names
}

#[derive(PartialEq)]
enum Kind {
    Code,
    Comment,
    Text,
}

/// Replaces the tokens of these kinds with spaces.
fn masked(source: &str, kinds: &[Kind]) -> String {
    let (mut masked, mut rest) = (String::with_capacity(source.len()), source);
    while !rest.is_empty() {
        let (kind, length) = token(rest, masked.ends_with(is_word));
        let (token, after) = rest.split_at(length);
        if kinds.contains(&kind) {
            masked.push_str(&blank(token))
        } else {
            masked.push_str(token)
        }
        rest = after;
    }
    masked
}

fn without(code: &str, items: &[Range<usize>]) -> String {
    let mut rest = code.to_owned();
    for item in items {
        rest.replace_range(item.clone(), &blank(&code[item.clone()]));
    }
    rest
}

/// Returns as many spaces as there are bytes, but keeps line breaks.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// Returns the kind and the length in bytes of the first token. A nested block comment ends at its first `*/`.
fn token(source: &str, in_word: bool) -> (Kind, usize) {
    let until =
        |from: usize, end: &str| source[from..].find(end).map_or(source.len(), |at| from + at + end.len());
    let raw = source.trim_start_matches(['b', 'c']).strip_prefix('r').filter(|_| !in_word);
    let hashes = raw.map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
    let mut characters = source.chars();
    match (characters.next(), characters.next(), characters.next()) {
        (Some('/'), Some('/'), _) => (Kind::Comment, source.find('\n').unwrap_or(source.len())),
        (Some('/'), Some('*'), _) => (Kind::Comment, until(2, "*/")),
        _ if raw.is_some_and(|raw| raw[hashes..].starts_with('"')) => {
            let body = source.find('"').map_or(source.len(), |at| at + 1);
            (Kind::Text, until(body, &format!("\"{}", "#".repeat(hashes))))
        }
        (Some('"'), ..) => {
            let mut escaped = false;
            let closing = source.char_indices().skip(1).find(|&(_, c)| {
                let closes = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                closes
            });
            (Kind::Text, closing.map_or(source.len(), |(at, _)| at + 1))
        }
        (Some('\''), Some('\\'), Some(escaped)) => (Kind::Text, until(2 + escaped.len_utf8(), "'")),
        (Some('\''), Some(c), Some('\'')) => (Kind::Text, 2 + c.len_utf8()),
        (Some(c), ..) => (Kind::Code, c.len_utf8()),
        (None, ..) => (Kind::Code, 0),
    }
}
