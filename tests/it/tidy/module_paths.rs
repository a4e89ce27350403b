//! Paths of modules in comments, such as `engine::wal`: each leads to a file, or to a name in its code.

use regex::Regex;

use super::source::{Source, places};

/// Returns the number of paths in comments of `src`, and those that lead nowhere. A path begins anywhere in the tree,
/// and one that begins with no module of it belongs to another crate.
fn paths(sources: &[Source]) -> (usize, Vec<String>) {
    let path = Regex::new(r"`(?:crate::)?([a-z_0-9]+(?:::[a-z_0-9]+)+)`").unwrap();
    let modules: Vec<(String, &Source)> =
        sources.iter().filter_map(|source| Some((module(&source.path)?, source))).collect();
    let found = |path: &str| {
        modules.iter().filter(|(module, _)| module.ends_with(&format!("::{path}"))).collect::<Vec<_>>()
    };
    let mut count = 0;
    let mut missing = Vec::new();
    for (_, source) in &modules {
        for (number, line) in (1..).zip(source.text.lines()) {
            let comment = line.split_once("//").map_or("", |(_, comment)| comment);
            for [path] in path.captures_iter(comment).map(|found| found.extract().1) {
                let (parent, name) = path.rsplit_once("::").unwrap();
                let first = path.split("::").next().unwrap();
                if found(first).is_empty() {
                    continue;
                }
                count += 1;
                let is_named = found(parent).iter().any(|(_, source)| !places(&source.code, name).is_empty());
                if found(path).is_empty() && !is_named {
                    missing.push(format!("{}:{number}: `{path}`", source.path));
                }
            }
        }
    }
    (count, missing)
}

/// Returns the path of a module from the crate's root, such as `::store::engine`.
fn module(path: &str) -> Option<String> {
    let path = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    Some(format!("::{}", path.strip_suffix("/mod").unwrap_or(path).replace('/', "::")))
}

#[test]
fn every_module_path_in_a_comment_leads_somewhere() {
    let (count, missing) = paths(&super::sources());
    assert!(count > 30, "{count} paths were found");
    assert!(missing.is_empty(), "no file and no name is there:\n{}", missing.join("\n"));
}

#[test]
fn a_path_that_leads_nowhere_is_found() {
    let source = |comment: &str| {
        paths(&[
            Source::new("src/store/mod.rs", "//! Made up.\nmod wal;\npub use wal::checkpoint;"),
            Source::new("src/store/wal.rs", &format!("//! Made up, see `{comment}`.\nfn checkpoint() {{}}")),
        ])
    };
    for path in ["store::wal", "wal::checkpoint", "store::checkpoint", "crate::store::wal", "warp::serve"] {
        assert_eq!(source(path).1, Vec::<String>::new());
    }
    for path in ["store::journal", "wal::sync", "store::wal::sync", "wal::store::wal"] {
        assert_eq!(source(path).1, [format!("src/store/wal.rs:1: `{path}`")]);
    }
}
