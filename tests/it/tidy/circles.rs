//! Finds files of `src` that name each other in a circle. Understanding one of them takes reading them all.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Source, end, places};

/// Folders of `src` in which a module may not even be in a circle with the modules below it: a parent depends
/// on its children, and code that both need is a sibling.
const STRICT: &[&str] = &[
    "api", "cli", "console", "desktop", "http", "index", "lan", "outgoing", "server", "sheets", "tray",
    "webhooks",
];

/// Each file with the files that it names, by module path.
type Named = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// Returns the circles of files. Outside the strict folders, a file may name the modules that contain it.
pub fn circles(sources: &[Source]) -> Vec<String> {
    let files: BTreeMap<_, _> =
        sources.iter().filter_map(|source| Some((module(&source.path)?, source))).collect();
    let of_file = |(module, source): (&Vec<String>, &&Source)| {
        let mut named = named(module, &source.shipped, &files);
        if !STRICT.contains(&module[0].as_str()) {
            named.retain(|other| !module.starts_with(other));
        }
        (module.clone(), named)
    };
    let named: Named = files.iter().map(of_file).collect();
    let reached: Named = named.keys().map(|module| (module.clone(), reached(module, &named))).collect();
    let circle = |module: &Vec<String>| {
        let both = reached[module].iter().filter(|other| reached[*other].contains(module));
        both.map(|module| files[module].path.as_str()).collect::<Vec<_>>()
    };
    let in_circle = |module: &&Vec<String>| reached[*module].contains(*module);
    let circles: BTreeSet<_> = reached.keys().filter(in_circle).map(circle).collect();
    circles.iter().map(|files| format!("circle: {} name each other", files.join(", "))).collect()
}

fn module(path: &str) -> Option<Vec<String>> {
    let path = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    Some(path.split('/').map(str::to_owned).collect())
}

/// Returns the other files that a file's code names.
fn named(own: &[String], code: &str, files: &BTreeMap<Vec<String>, &Source>) -> BTreeSet<Vec<String>> {
    let below = files.keys().filter(|module| module.len() == own.len() + 1 && module.starts_with(own));
    let below = below.filter_map(|module| module.last());
    let roots = [("crate", Vec::new()), ("self", own.to_vec())].into_iter().chain(below.map(|name| {
        let module = own.iter().chain([name]).cloned().collect();
        (name.as_str(), module)
    }));
    let from_roots = roots.flat_map(|(root, module)| {
        let spelled = move |at: usize| spelled(&module, &code[at + root.len() + 2..]);
        beginnings(code, root).flat_map(spelled).collect::<Vec<_>>()
    });
    let from_above = beginnings(code, "super").flat_map(|at| {
        let rest = code[at..].trim_start_matches("super::");
        let depth = (code.len() - at - rest.len()) / "super::".len();
        spelled(&own[..own.len().saturating_sub(depth)], rest)
    });
    let file = |path: Vec<String>| {
        (1..=path.len()).rev().map(|length| path[..length].to_vec()).find(|module| files.contains_key(module))
    };
    from_roots.chain(from_above).filter_map(file).filter(|module| module != own).collect()
}

/// Returns the positions where a path begins with this name. Skips `pub(in …)`, because visibility is no dependency.
fn beginnings<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let alone = |at: &usize| !code[..*at].ends_with("::") && !code[..*at].ends_with("in ");
    places(code, &format!("{name}::")).into_iter().filter(alone)
}

/// Returns the paths below a module that `code` begins with. A group gives one path for each member.
fn spelled(module: &[String], code: &str) -> Vec<Vec<String>> {
    let code = code.trim_start();
    if code.starts_with('{') {
        let mut depth = 0;
        let members = code[1..end(code, 0, &['}']) - 1].split(move |c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        // A comma after the last member names nothing.
        let members = members.filter(|member| !member.trim().is_empty());
        return members.flat_map(|member| spelled(module, member)).collect();
    }
    let name = code.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let module = [module, &[name.to_owned()]].concat();
    match code[name.len()..].strip_prefix("::") {
        Some(rest) => spelled(&module, rest),
        None => vec![module],
    }
}

fn reached(from: &[String], named: &Named) -> BTreeSet<Vec<String>> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from.to_vec()]);
    while let Some(module) = next.pop() {
        let new = named[&module].iter().filter(|module| !reached.contains(*module));
        let new: Vec<_> = new.cloned().collect();
        reached.extend(new.iter().cloned());
        next.extend(new);
    }
    reached
}

#[test]
fn files_that_name_each_other_are_a_violation() {
    let found = |files: &[(&str, &str)]| {
        let source = |(path, text): &(&str, &str)| Source::new(path, &format!("//! Made up.\n{text}"));
        circles(&files.iter().map(source).collect::<Vec<_>>())
    };
    for other in [
        "use super::a::{B, C};",
        "use super::{a::B, c};",
        "use crate::http::a;",
        "fn f() -> super::super::http::a::B {}",
    ] {
        let circle = found(&[("src/http/a.rs", "use super::b::{self, D};"), ("src/http/b.rs", other)]);
        assert_eq!(circle, ["circle: src/http/a.rs, src/http/b.rs name each other"], "{other}");
    }
    let above = [("src/http/mod.rs", "mod a;\npub use a::B;"), ("src/http/a.rs", "use super::Api;")];
    assert_eq!(found(&above).len(), 1, "a file that names its parent module is named by it");
    let around = [("a", "use super::b::B;"), ("b", "use super::c::C;"), ("c", "use crate::http::a::A;")];
    let around = around.map(|(name, text)| (format!("src/http/{name}.rs"), text));
    assert_eq!(found(&around.each_ref().map(|(path, text)| (path.as_str(), *text))).len(), 1);
    for sound in
        ["", "// use super::a::B;", "pub(in crate::http) fn f() {}", "#[cfg(test)]\nuse super::a::B;"]
    {
        let files = [
            ("src/http/mod.rs", "mod a;\nmod b;"),
            ("src/http/a.rs", "use super::b::D;"),
            ("src/http/b.rs", sound),
        ];
        assert!(found(&files).is_empty(), "{sound}");
    }
    let below = [
        ("src/store/mod.rs", "mod a;\nmod b;\npub use a::B;"),
        ("src/store/a.rs", "use super::{Error, b::C};"),
        ("src/store/b.rs", "use super::Error;"),
    ];
    assert!(
        found(&below).is_empty(),
        "outside the strict folders, a module may have items that those below it need"
    );
    let beside = [below[0], below[1], ("src/store/b.rs", "use super::a::B;")];
    assert_eq!(found(&beside), ["circle: src/store/a.rs, src/store/b.rs name each other"]);
}
