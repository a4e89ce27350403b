//! Finds files of `src` that name each other in a circle. Understanding one of them takes reading them all.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Source, end, places};

/// Folders of `src` in which a module may not even be in a circle with the modules below it: a parent depends
/// on its children, and code that both need is a sibling.
const STRICT: &[&str] = &[
    "api", "cli", "console", "desktop", "http", "index", "lan", "outgoing", "server", "sheets", "tray",
    "webhooks",
];

/// Folders whose own file is the door for those below it: the names that it re-exports are not followed from there. `Db`
/// and `Tx` are the engine's, every file of the store takes them, and the engine's commit notes what those files keep.
const DOORS: &[&str] = &["store"];

/// Each file with the files that it names, by module path.
type Named = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// The files of `src` by module path.
type Files<'a> = BTreeMap<Vec<String>, &'a Source>;

/// For each file, the names that it re-exports, with the paths that they stand for.
type Reexports = BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>;

/// Returns the circles of files. Outside the strict folders, a file may name the modules that contain it, but a circle
/// may not leave such a module and come back.
pub fn circles(sources: &[Source]) -> Vec<String> {
    let files: Files = sources.iter().filter_map(|source| Some((module(&source.path)?, source))).collect();
    let reexports = files.iter().map(|(module, source)| (module.clone(), reexports(module, source, &files)));
    let reexports: Reexports = reexports.collect();
    let of_file = |(module, source): (&Vec<String>, &&Source)| {
        (module.clone(), named(module, &source.shipped, &files, &reexports))
    };
    let named: Named = files.iter().map(of_file).collect();
    let mut circles = BTreeSet::new();
    let folders: BTreeSet<&[String]> =
        files.keys().flat_map(|module| (1..=module.len()).map(|length| &module[..length])).collect();
    for folder in folders {
        let is_strict = STRICT.contains(&folder[0].as_str());
        if is_strict && folder.len() > 1 {
            continue;
        }
        let is_member =
            |module: &Vec<String>| module.starts_with(folder) && (is_strict || module.len() > folder.len());
        let members: Vec<_> = files.keys().filter(|module| is_member(module)).collect();
        let reached: Named =
            members.iter().map(|module| ((*module).clone(), reached(module, &named, &is_member))).collect();
        for module in &members {
            let both = reached[*module].iter().filter(|other| reached[*other].contains(*module));
            let circle: Vec<_> = both.collect();
            // A module and those below it may name each other, unless the folder is strict.
            let is_within = |other: &&Vec<String>| !is_strict && other[folder.len()] == module[folder.len()];
            if !circle.iter().all(is_within) {
                circles.insert(circle.iter().map(|module| files[*module].path.as_str()).collect::<Vec<_>>());
            }
        }
    }
    circles.iter().map(|files| format!("circle: {} name each other", files.join(", "))).collect()
}

fn module(path: &str) -> Option<Vec<String>> {
    let path = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    Some(path.split('/').map(str::to_owned).collect())
}

/// Returns the other files that a file's code names, with those that a re-exported name comes from.
fn named(own: &[String], code: &str, files: &Files, reexports: &Reexports) -> BTreeSet<Vec<String>> {
    let mut named = BTreeSet::new();
    for mut path in paths(own, code, files) {
        // A name can be re-exported several times on its way.
        while let Some(file) = file_of(&path, files) {
            let is_door = own[0] == file[0] && DOORS.contains(&file.join("/").as_str());
            let next = path
                .get(file.len())
                .filter(|_| !is_door)
                .and_then(|name| reexports[&file].get(name))
                .cloned();
            let rest = path[path.len().min(file.len() + 1)..].to_vec();
            named.insert(file);
            let Some(next) = next.filter(|next| *next != path) else { break };
            path = [next, rest].concat();
        }
    }
    named.remove(own);
    named
}

/// Returns the file in which a path's item is, or is re-exported.
fn file_of(path: &[String], files: &Files) -> Option<Vec<String>> {
    (1..=path.len()).rev().map(|length| path[..length].to_vec()).find(|module| files.contains_key(module))
}

/// Returns the names that a file re-exports, with the paths that they stand for.
fn reexports(own: &[String], source: &Source, files: &Files) -> BTreeMap<String, Vec<String>> {
    let code = &source.shipped;
    let visible = places(code, "use").into_iter().filter(|at| {
        let line = code[..*at].rsplit(['\n', ';', '}']).next().unwrap_or_default();
        line.trim_start().starts_with("pub")
    });
    let mut all = BTreeMap::new();
    for at in visible {
        let statement = &code[at..end(code, at, &[';'])];
        for path in paths(own, statement, files) {
            all.extend(path.last().map(|name| (name.clone(), path.clone())));
        }
    }
    all
}

/// Returns the paths within the crate that code names.
fn paths(own: &[String], code: &str, files: &Files) -> Vec<Vec<String>> {
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
    from_roots.chain(from_above).collect()
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

fn reached(
    from: &[String],
    named: &Named,
    is_member: &dyn Fn(&Vec<String>) -> bool,
) -> BTreeSet<Vec<String>> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from.to_vec()];
    while let Some(module) = next.pop() {
        let new = named[&module].iter().filter(|module| is_member(module) && !reached.contains(*module));
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
    let out_and_back = [
        ("src/transfer/mod.rs", "mod export;\nmod import;"),
        ("src/transfer/export.rs", "use super::import::whole::LABEL;\npub const NAME: u8 = 1;"),
        ("src/transfer/import.rs", "mod whole;\nuse super::export::NAME;\npub fn copying() {}"),
        ("src/transfer/import/whole.rs", "use super::copying;\npub const LABEL: u8 = 1;"),
    ];
    assert_eq!(
        found(&out_and_back).len(),
        1,
        "a circle that leaves a module through the one that contains it"
    );
    let reexported = [
        (
            "src/transfer/mod.rs",
            "mod export;\nmod import;\npub use export::{NAME, Export};\npub use import::*;",
        ),
        ("src/transfer/export.rs", "use super::import::LABEL;\npub const NAME: u8 = 1;"),
        ("src/transfer/import.rs", "pub const LABEL: &str = crate::transfer::NAME;"),
    ];
    let circle = "circle: src/transfer/export.rs, src/transfer/import.rs name each other";
    assert_eq!(found(&reexported), [circle], "the path of a constant through a re-export");
}
