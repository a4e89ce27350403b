//! The pages at /docs: their language, guides with the same structure in both languages, and links with existing
//! targets.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use regex::Regex;

use crate::office::Office;

const GUIDES: [&str; 4] = ["automations", "events", "api", "moving"];

/// Returns the first capture of each match, in order.
fn all(pattern: &str, text: &str) -> Vec<String> {
    Regex::new(pattern).unwrap().captures_iter(text).map(|found| found[1].to_owned()).collect()
}

#[test]
fn a_page_is_in_the_requested_the_chosen_or_the_browsers_language() {
    let office = Office::new();
    for (query, cookie, accept, lang) in [
        ("", "", "pt-BR,pt;q=0.9,en;q=0.8", "pt-BR"),
        ("", "", "en-US,pt;q=0.9", "en"),
        ("", "", "", "en"),
        ("", "pleito_theme=dark; pleito_lang=pt", "en", "pt-BR"),
        ("", "pleito_lang=en", "pt", "en"),
        ("", "other=pt", "en", "en"),
        ("?lang=pt", "pleito_lang=en", "en", "pt-BR"),
        ("?lang=en", "pleito_lang=pt", "pt", "en"),
        ("?lang=", "pleito_lang=pt", "en", "pt-BR"),
    ] {
        for path in ["/docs", "/docs/automations"] {
            let headers = [("cookie", cookie), ("accept-language", accept)];
            let headers = headers.into_iter().filter(|(_, value)| !value.is_empty()).collect::<Vec<_>>();
            let page = office.raw("GET", &[path, query].concat(), &headers, None);
            assert_eq!(page.page().language(), lang, "{path}{query} {headers:?}");
            assert!(page.header("vary").contains("cookie, accept-language"), "{path}");
            let remembered = match query {
                "?lang=pt" => "pleito_lang=pt; Path=/docs; HttpOnly; SameSite=Lax; Max-Age=31536000",
                "?lang=en" => "pleito_lang=en; Path=/docs; HttpOnly; SameSite=Lax; Max-Age=31536000",
                _ => "",
            };
            assert_eq!(page.header("set-cookie"), remembered, "{path}{query} {headers:?}");
        }
    }
}

#[test]
fn every_link_of_a_page_has_a_target() {
    let office = Office::new();
    let page = |path: &str, lang: &str| {
        let page = office.raw("GET", &format!("{path}?lang={lang}"), &[], None);
        assert_eq!(page.status, 200, "{path} {lang}");
        page.text()
    };
    for lang in ["pt", "en"] {
        for path in GUIDES.map(|name| format!("/docs/{name}")).iter().chain([&"/docs".to_owned()]) {
            let text = page(path, lang);
            for hole in ["{{guides}}", "{{title}}", "{{text}}", "|}", "{|"] {
                assert!(!text.contains(hole), "{path} {lang}: {hole} was not filled in");
            }
            let ids = all(r#" id="([^"]*)""#, &text);
            assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{path} {lang}: {ids:?}");
            for name in GUIDES {
                assert!(
                    text.contains(&format!("href=\"/docs/{name}\"")),
                    "{path} {lang} has no link to {name}"
                );
            }
            for link in all(r#"<a href="([^"]*)""#, &text) {
                let (to, heading) = link.split_once('#').unwrap_or((&link, ""));
                assert!(!to.ends_with(".md"), "{path} {lang}: {link}");
                let there = match to.split_once('?') {
                    _ if to.starts_with("https://") => continue,
                    None if to.is_empty() => text.clone(),
                    None => page(to, lang),
                    Some((to, query)) => page(if to.is_empty() { path } else { to }, &query["lang=".len()..]),
                };
                let id = percent_encoding::percent_decode_str(heading).decode_utf8().unwrap();
                let is_there = id.is_empty() || there.contains(&format!(" id=\"{id}\""));
                assert!(is_there || heading == "main", "{path} {lang}: {link}");
            }
        }
    }
}

/// Each guide in Portuguese has the code, tables and headings of the English one, in the same order.
#[test]
fn the_guides_have_the_same_structure_in_both_languages() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
    // The names of keys and the language of answers are the reader's too.
    let spoken = Regex::new(r#" -H "Accept-Language: pt-BR"|(key new )("[^"]*"|\S+)"#).unwrap();
    let translated = fs::read_dir(format!("{folder}/pt")).unwrap().map(|file| file.unwrap().file_name());
    let translated: Vec<_> = translated.map(|name| name.into_string().unwrap()).collect();
    assert!(GUIDES.iter().all(|guide| translated.contains(&format!("{guide}.md"))), "{translated:?}");
    for name in translated {
        let read = |path: String| fs::read_to_string(path).unwrap().replace("\r\n", "\n");
        let (en, pt) = (read(format!("{folder}/{name}")), read(format!("{folder}/pt/{name}")));
        let code = r"(?s)\n(```.*?\n```)";
        let (code_en, code_pt) = (all(code, &en), all(code, &pt));
        assert_eq!(code_en.len(), code_pt.len(), "{name}: different numbers of code blocks");
        // The output of commands is in the reader's language.
        let is_output = |block: &str| block.starts_with("```text");
        for (en, pt) in code_en.iter().zip(&code_pt).filter(|(en, pt)| !is_output(en) || !is_output(pt)) {
            let [en, pt] = [en, pt].map(|block| spoken.replace_all(block, "$1"));
            assert_eq!(en, pt, "{name}: different code");
        }
        let shape = |text: &str| {
            let text = Regex::new(code).unwrap().replace_all(text, "");
            let lines = text.lines().filter_map(|line| match line.split_once(' ') {
                Some(("|", _)) => Some("|".to_owned()),
                Some((mark, _)) if !mark.is_empty() && mark.chars().all(|c| c == '#') => {
                    Some(mark.to_owned())
                }
                _ => None,
            });
            lines.collect::<Vec<_>>()
        };
        assert_eq!(shape(&en), shape(&pt), "{name}: different headings or rows");
    }
}

/// Reads the sources of the program and of its tests, by path.
fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = BTreeMap::new();
    let mut folders = ["src", "tests"].map(|folder| root.join(folder)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                sources.insert(path, text);
            }
        }
    }
    sources
}

/// Files that a reader of the recipes creates, and parts of names that stand for others.
const MADE_UP: [&str; 6] = ["expense", "NNNN", "schema-N", "<", "…", "page>"];

/// A recipe that names a file or a test that is gone misleads its reader.
#[test]
fn the_recipes_name_files_items_and_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/contributing.md")).unwrap();
    let is_made_up = |text: &str| MADE_UP.iter().any(|part| text.contains(part));
    let sources = sources().into_values().collect::<String>();
    let mut wrong = Vec::new();
    let paths = all(r"`((?:src|tests|docs|assets)/[^` ]*)`", &page);
    for path in paths.iter().filter(|path| !is_made_up(path) && !root.join(path).exists()) {
        wrong.push(format!("no file {path}"));
    }
    let items =
        Regex::new(r"`([A-Z]\w+)`(?: and `([A-Z]\w+)`)? ?(?:\(| in )`((?:src|tests)/[^`<]*\.\w+)`").unwrap();
    let mut named = 0;
    for found in items.captures_iter(&page) {
        let text = fs::read_to_string(root.join(&found[3])).unwrap_or_default();
        for item in [found.get(1), found.get(2)].into_iter().flatten() {
            named += 1;
            if !text.contains(item.as_str()) {
                wrong.push(format!("no {} in {}", item.as_str(), &found[3]));
            }
        }
    }
    let tests = all(r"`([a-z0-9]+(?:_[a-z0-9]+){3,})(?:_…)?`", &page);
    for test in tests.iter().filter(|test| !sources.contains(&format!("fn {test}"))) {
        wrong.push(format!("no test {test}"));
    }
    assert!(paths.len() > 60 && named > 12 && tests.len() > 20, "{} {named} {}", paths.len(), tests.len());
    assert!(wrong.is_empty(), "docs/contributing.md:\n{}", wrong.join("\n"));
}

/// The design pages name files by the end of their path, and tests by their name, which may be cut: `a_long_name_…`.
#[test]
fn the_design_pages_name_files_and_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = sources();
    let texts = sources.values().map(String::as_str).collect::<String>();
    let is_source = |end: &str| sources.keys().any(|path| format!("/{path}").ends_with(&format!("/{end}")));
    let mut wrong = Vec::new();
    let mut named = [0; 3];
    for entry in fs::read_dir(root.join("docs/design")).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        let page_name = path.file_name().unwrap().to_string_lossy();
        let files = all(r"`([\w./-]+/[\w-]+\.rs)`", &page);
        let places = all(r"`((?:src|tests|docs|assets|installer)/[\w./-]+)`", &page);
        let tests = all(r"`([a-z0-9]+(?:_[a-z0-9]+){4,})(?:_…)?`", &page);
        for (count, found) in named.iter_mut().zip([&files, &places, &tests]) {
            *count += found.len();
        }
        let no_file = files.iter().filter(|file| !is_source(file));
        let no_place = places.iter().filter(|place| !root.join(place).exists());
        let no_test = tests.iter().filter(|test| !texts.contains(&format!("fn {test}")));
        wrong.extend(no_file.chain(no_place).chain(no_test).map(|name| format!("{page_name}: {name}")));
    }
    assert!(named[0] > 600 && named[1] > 300 && named[2] > 15, "{named:?}");
    assert!(wrong.is_empty(), "docs/design names what does not exist:\n{}", wrong.join("\n"));
}

#[test]
fn every_path_of_the_map_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/design/architecture.md")).unwrap();
    let map =
        &page[page.find("**Where is what.**").unwrap()..page.find("**Deliberately missing.**").unwrap()];
    let paths = all(r"`([a-z_]+(?:/[a-z_]+)*(?:/|\.rs|\.txt))`", map);
    let mut missing: Vec<_> = paths
        .iter()
        .filter(|path| !root.join("src").join(path).exists())
        .map(|path| (*path).to_owned())
        .collect();
    let items = Regex::new(r"`(\w+)`(?: and `(\w+)`)? in `([a-z_]+(?:/[a-z_]+)*\.rs)`").unwrap();
    let mut named = 0;
    for found in items.captures_iter(map) {
        let text = fs::read_to_string(root.join("src").join(&found[3])).unwrap_or_default();
        for item in [found.get(1), found.get(2)].into_iter().flatten() {
            named += 1;
            if !text.contains(item.as_str()) {
                missing.push(format!("{} in {}", item.as_str(), &found[3]));
            }
        }
    }
    assert!(named > 30, "{named} names in files");
    assert!(paths.len() > 150, "{} paths", paths.len());
    assert!(missing.is_empty(), "docs/design/architecture.md names files that do not exist: {missing:?}");
}
