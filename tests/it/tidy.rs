//! Rules for the source code: which layers a module may import, which modules may use a crate, what no file may
//! contain.
//!
//! Clocks, printing and unfinished macros are held by Clippy (Cargo.toml, clippy.toml).
//!
//! A rule is a function over one file, so tests can also show that it fires on a made-up violation. Rules about the
//! program read only what ships: comments, strings and `#[cfg(test)]` items are blanked first.

mod circles;
mod citations;
mod english;
mod module_paths;
mod source;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use circles::circles;
use source::{Source, crate_named, end, named_above, named_under, places};

/// The layers, lowest first. A module imports lower layers only. Enter a new module here first.
const LAYERS: &[&[&str]] = &[
    &["domain", "files", "machine"],
    &["records", "config", "clock", "deadlines", "log", "outgoing", "progress"],
    &["store"],
    &["index", "demo", "sheets"],
    &["auth", "limits", "lan", "backup", "replica", "password", "metrics"],
    &["app"],
    &["http", "webhooks"],
    &["api"],
    &["transfer", "mcp"],
    &["console"],
    &["server"],
    &["supervisor", "tray", "desktop"],
    &["cli"],
];

/// Modules beside the supervisor. They import the domain only. The supervisor and the layer above may import them.
const LEAVES: &[&str] = &["tray", "desktop"];

/// The modules that may use a crate. All others use it through them.
const CRATES: &[(&[&str], Place)] = &[
    (&["rusqlite", "r2d2", "r2d2_sqlite"], Place::Only(&["store"])),
    (&["warp", "hyper", "hyper_util", "tower"], Place::Only(&["server"])),
    (&["flate2"], Place::Only(&["http", "transfer"])),
    (&["mdns_sd"], Place::Only(&["server"])),
    (&["tokio_rustls"], Place::Only(&["server", "outgoing"])),
    (&["ureq", "rustls_native_certs"], Place::Only(&["outgoing"])),
    (&["rcgen", "x509_parser", "if_addrs"], Place::Only(&["lan"])),
    (&["gethostname"], Place::Only(&["machine"])),
    (&["clap", "clap_complete", "indicatif"], Place::Only(&["cli"])),
    (&["interprocess"], Place::Only(&["supervisor"])),
    (&["winsafe"], Place::Only(&["cli", "desktop", "machine", "tray"])),
    (&["age"], Place::Only(&["backup", "config"])),
    (&["argon2", "zxcvbn"], Place::Only(&["password"])),
    (&["qrcodegen"], Place::Only(&["console"])),
    (&["maud"], Place::Only(&["console", "transfer"])),
    (&["toml", "toml_edit"], Place::Only(&["config"])),
    (&["hashbrown", "roaring"], Place::Only(&["index"])),
    (&["memchr"], Place::Only(&["index", "transfer"])),
    (&["serde", "schemars"], Place::Except(&["domain", "records", "store", "index", "demo"])),
    (
        &["serde_json"],
        Place::Only(&[
            "http",
            "api",
            "cli",
            "app",
            "supervisor",
            "backup",
            "replica",
            "transfer",
            "mcp",
            "webhooks",
        ]),
    ),
    (&["rmcp"], Place::Only(&["mcp"])),
    (&["csv"], Place::Only(&["sheets", "transfer"])),
    (&["calamine", "memory_stats", "rust_xlsxwriter", "zip"], Place::Only(&["transfer"])),
    (&["quick_xml"], Place::Only(&["desktop", "supervisor", "transfer"])),
    (&["encoding_rs"], Place::Only(&["domain", "transfer"])),
    (&["prometheus_client"], Place::Only(&["metrics"])),
    (&["rustix"], Place::Only(&["files", "machine", "server", "supervisor", "transfer"])),
];

/// Maximum number of lines of a file, not counting its tests (architecture, section 1).
const LINES: usize = 400;

/// Names that two public types may share. `ChannelListener` is one type with an implementation for each system, and
/// `Result` has the usual error of its part.
const SHARED: &[&str] = &["ChannelListener", "Filter", "Listed", "Result"];

/// Files above `http` that name requests, their methods or their routes: the route table, the console's checks, and the
/// requests to the cloud. Handlers and their other callers know values only (architecture 4).
const REQUESTS: &[&str] = &[
    "src/api/routes.rs",
    "src/api/routes/lists.rs",
    "src/console/requests/checks.rs",
    "src/console/requests/router.rs",
    "src/console/requests/sign_in.rs",
    "src/console/requests/sign_in/client.rs",
    "src/console/requests/visit.rs",
    "src/mcp/mod.rs",
    "src/transfer/cloud_import/source.rs",
];

/// Names that nobody searches for, each with the terms of the field for what it usually is.
const VAGUE: &[(&str, &str)] = &[
    ("alike", "`matches`, `duplicates` or `similar`"),
    ("asked", "`request`, `query`, `parameters` or `response`"),
    ("because", "`reason`"),
    ("said", "`text`, `value` or `message`"),
    ("sought", "`query`, `term` or the noun"),
    ("told", "`message`, `notice` or `value`"),
    ("Again", "the noun of what is done again"),
    ("Alike", "`Duplicates` or `Matches`"),
    ("Asked", "`Query`, `Parameters` or `Requested`"),
    ("Because", "`Reason`"),
    ("Following", "the noun of what follows"),
    ("How", "`Options` or `Mode`"),
    ("Meanwhile", "`Conflict`"),
    ("Piece", "`Page` or `Part`"),
    ("Routed", "`RoutedRequest`"),
    ("Said", "`Text` or `Value`"),
    ("Says", "`Meaning` or `Response`"),
    ("Setting", "`Context`; a setting of the program is a key"),
    ("Sought", "`Query` or `Term`"),
    ("Telling", "`Message`"),
    ("Told", "`Message`"),
];

/// Words that do not say what a constant bounds. A search for one finds dozens; `MAX_GUESTS`, `ROWS_PER_WRITE`,
/// `BATCH_BYTES` or `CHECK_INTERVAL` is found at once.
const BARE_BOUNDS: &[&str] = &[
    "AFTER_FAILURE",
    "AFTER_START",
    "APART",
    "AT_ONCE",
    "BATCH",
    "BEYOND",
    "COMPARED",
    "COUNTED",
    "EVERY",
    "FAR",
    "FEW",
    "FORGETS",
    "FORGOTTEN",
    "GAP",
    "KEPT",
    "LARGE",
    "LARGEST",
    "LASTS",
    "LEAST",
    "LISTED",
    "LONG",
    "LONGEST",
    "LOOKED_AT",
    "MADE",
    "MANY",
    "MOST",
    "NAMED",
    "OFFERED",
    "PASSED_OVER",
    "PAUSE",
    "PIECE",
    "PIECES",
    "RECENT",
    "ROOM",
    "SAID",
    "SHORTEST",
    "SHOWN",
    "SLICE",
    "SMALLEST",
    "SPARE",
    "SPREAD",
    "TELL",
    "TIMEOUT",
    "TOGETHER",
    "TRIES",
    "TROUBLE",
    "UNWRITTEN",
    "USUAL",
    "WAITING",
];

/// Files that may keep such names: `said` is a member of a move's report, which scripts read.
const VAGUE_MEMBERS: &[&str] = &[
    "src/console/imports",
    "src/store/imports/moves.rs",
    "src/transfer/cloud_import/report.rs",
    "src/transfer/cloud_import/report/parts.rs",
    "tests/it/erased_bytes.rs",
];

#[derive(Clone, Copy)]
enum Place {
    Only(&'static [&'static str]),
    Except(&'static [&'static str]),
}

impl Place {
    fn allows(self, module: &str) -> bool {
        match self {
            Place::Only(modules) => modules.contains(&module),
            Place::Except(modules) => !modules.contains(&module),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Only(modules) => write!(f, "only in {}", modules.join(", ")),
            Place::Except(modules) => write!(f, "anywhere but in {}", modules.join(", ")),
        }
    }
}

/// A violation of a rule: the byte offset in the file, and the reason.
struct Offence {
    at: usize,
    why: String,
}

type Rule = fn(&Source) -> Vec<Offence>;

const RULES: &[(&str, Rule)] = &[
    ("layers", layers),
    ("opening sentence", opening_sentence),
    ("crates", crates),
    ("requests", requests),
    ("environment", environment),
    ("left-overs", left_overs),
    ("vague names", vague_names),
    ("bare bounds", bare_bounds),
    ("ignored tests", ignored_tests),
    ("sleeping", sleeping),
    ("length", length),
    ("sql", sql),
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn may_name(from: &str, to: &str) -> bool {
    match (LEAVES.contains(&from), LEAVES.contains(&to)) {
        _ if from == to => true,
        _ if layer(to).is_none() => false,
        (true, _) => to == "domain",
        (false, true) => layer(from) >= layer(to),
        (false, false) => layer(from) > layer(to),
    }
}

fn layers(source: &Source) -> Vec<Offence> {
    let Some(from) = source.module().filter(|module| !["lib", "main"].contains(module)) else {
        return Vec::new();
    };
    let Some(own) = layer(from) else {
        return vec![Offence { at: 0, why: format!("module `{from}` is in no layer") }];
    };
    let above =
        named_above(&source.shipped, source.depth()).into_iter().filter(|(_, to)| layer(to).is_some());
    let named = named_under(&source.shipped, "crate").into_iter().chain(above);
    named
        .filter(|(_, to)| !may_name(from, to))
        .map(|(at, to)| {
            let other = layer(to).map_or("no layer".to_owned(), |layer| format!("layer {layer}"));
            Offence { at, why: format!("`{from}` (layer {own}) names `{to}` ({other})") }
        })
        .collect()
}

fn opening_sentence(source: &Source) -> Vec<Offence> {
    let opens =
        source.text.strip_prefix("//! ").is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace()));
    let why = "the file does not begin with a `//!` sentence".to_owned();
    if opens { Vec::new() } else { vec![Offence { at: 0, why }] }
}

fn crates(source: &Source) -> Vec<Offence> {
    let Some(module) = source.module() else { return Vec::new() };
    let elsewhere = CRATES.iter().filter(|(_, place)| !place.allows(module));
    let names = elsewhere.flat_map(|(names, place)| names.iter().map(move |name| (name, place)));
    names
        .flat_map(|(name, place)| {
            let offence = move |at| Offence { at, why: format!("the crate `{name}` may be named {place}") };
            crate_named(&source.shipped, name).into_iter().map(offence)
        })
        .collect()
}

fn requests(source: &Source) -> Vec<Offence> {
    let above = ["api", "transfer", "console", "supervisor", "cli"];
    if source.module().is_none_or(|module| !above.contains(&module)) || REQUESTS.contains(&&*source.path) {
        return Vec::new();
    }
    let names = ["Method", "Request", "Route", "RoutedRequest", "FromRequest"];
    each(&source.shipped, &names, "is for http, server and the route table; a handler gets values")
}

fn environment(source: &Source) -> Vec<Offence> {
    if source.module().is_none_or(|module| ["config", "cli", "main"].contains(&module)) {
        return Vec::new();
    }
    let named = named_under(&source.shipped, "std").into_iter().filter(|(_, name)| *name == "env");
    named.map(|(at, _)| Offence { at, why: "`std::env` is for config, cli and main".to_owned() }).collect()
}

/// Finds names of [`VAGUE`], declared or used. After a dot they are members of another file, or classes of the style sheet.
fn vague_names(source: &Source) -> Vec<Offence> {
    if VAGUE_MEMBERS.iter().any(|path| source.path.starts_with(path)) {
        return Vec::new();
    }
    let found = VAGUE.iter().flat_map(|(name, terms)| {
        let is_named = |at: &usize| !source.code[..*at].ends_with('.');
        let offence = move |at| Offence { at, why: format!("`{name}`: a reader searches for {terms}") };
        places(&source.code, name).into_iter().filter(is_named).map(offence)
    });
    found.collect()
}

/// Words for `MAX` and `MIN`, with which no constant begins.
const OTHER_BOUNDS: [&str; 8] =
    ["FEWEST_", "HIGHEST_", "LARGEST_", "LEAST_", "LONGEST_", "LOWEST_", "MOST_", "SHORTEST_"];

/// Finds constants of a file that are named by a word of [`BARE_BOUNDS`] only, or begin with one of [`OTHER_BOUNDS`]. A constant
/// inside a function has what it bounds beside it.
fn bare_bounds(source: &Source) -> Vec<Offence> {
    let constant = regex::Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?const ([A-Z_]+):").unwrap();
    let names = constant.captures_iter(&source.code).filter_map(|found| found.get(1));
    names
        .filter(|name| {
            let begins = |word: &&str| name.as_str().starts_with(*word);
            BARE_BOUNDS.contains(&name.as_str()) || OTHER_BOUNDS.iter().any(begins)
        })
        .map(|name| Offence {
            at: name.start(),
            why: format!(
                "`{}`: name what it bounds, such as `MAX_GUESTS` or `ROWS_PER_WRITE`",
                name.as_str()
            ),
        })
        .collect()
}

/// Finds left-over work. The words are assembled here, so that a search of the tree for them finds nothing.
fn left_overs(source: &Source) -> Vec<Offence> {
    let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    each(&source.text, &words, "is an issue, not a comment")
}

fn ignored_tests(source: &Source) -> Vec<Offence> {
    each(&source.code, &[concat!("#[", "ignore")], "hides a failing test")
}

fn sleeping(source: &Source) -> Vec<Offence> {
    let integration = source.path.starts_with("tests/it/");
    let needles: &[&str] = if integration { &["thread::sleep"] } else { &[] };
    each(&source.code, needles, "makes a test slow or unsteady; set the clock instead")
}

fn length(source: &Source) -> Vec<Offence> {
    let lines = source.shipped_lines();
    let why = format!("{lines} lines apart from tests, {LINES} at most: a file is one idea");
    if lines > LINES { vec![Offence { at: 0, why }] } else { Vec::new() }
}

/// Finds SQL that is formatted at run time. Values must be parameters.
fn sql(source: &Source) -> Vec<Offence> {
    if source.module() != Some("store") {
        return Vec::new();
    }
    let calls = ["format!(", "format_args!(", "write!(", "writeln!("];
    let says_sql = |at: &usize| {
        let call = &source.quoted[*at..end(&source.shipped, *at, &[')'])];
        ["SELECT", "INSERT", "UPDATE", "DELETE"].iter().any(|word| !places(call, word).is_empty())
    };
    let formatted = calls.iter().flat_map(|call| places(&source.shipped, call)).filter(says_sql);
    formatted
        .map(|at| Offence { at, why: "SQL is constant text with parameters, never formatted".to_owned() })
        .collect()
}

fn each(view: &str, needles: &[&str], why: &str) -> Vec<Offence> {
    let found = |needle: &&str| {
        places(view, needle).into_iter().map(|at| (at, needle.to_string())).collect::<Vec<_>>()
    };
    let found = needles.iter().flat_map(found);
    found.map(|(at, needle)| Offence { at, why: format!("`{needle}` {why}") }).collect()
}

/// Returns the violations in a file as `path:line: rule: why`.
fn offences(source: &Source) -> Vec<String> {
    let line = |rule: &str, Offence { at, why }: Offence| {
        format!("{}:{}: {rule}: {why}", source.path, source.line(at))
    };
    RULES
        .iter()
        .flat_map(|(name, rule)| rule(source).into_iter().map(|offence| line(name, offence)))
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Reads all files of `src` and `tests`.
fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    for folder in ["src", "tests"] {
        read_all(root(), folder, &mut sources).unwrap();
    }
    sources
}

fn read_all(root: &Path, folder: &str, sources: &mut Vec<Source>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read_all(root, &path, sources)?;
        } else if path.ends_with(".rs") {
            sources.push(Source::new(&path, &fs::read_to_string(entry.path())?));
        }
    }
    Ok(())
}

/// Returns the names of public types that several files declare. Such types are mixed up in searches and imports.
fn namesakes(sources: &[Source]) -> Vec<String> {
    let mut declared: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources {
        for name in source.shipped.lines().filter_map(public_type) {
            declared.entry(name).or_default().push(&source.path);
        }
    }
    let twice = declared.into_iter().filter(|(name, files)| files.len() > 1 && !SHARED.contains(name));
    twice.map(|(name, files)| format!("names: `{name}` is public in {}", files.join(" and "))).collect()
}

/// Returns the name of the type that a line makes visible outside its file, or `None` if a macro fills in the name.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = if rest.starts_with('(') { rest.split_once(')')?.1 } else { rest };
    let (keyword, rest) = rest.strip_prefix(' ')?.split_once(' ')?;
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    ["struct", "enum", "union", "trait", "type"]
        .contains(&keyword)
        .then_some(name)
        .filter(|name| !name.is_empty())
}

#[test]
fn the_sources_follow_all_rules() {
    let sources = sources();
    let mut found: Vec<String> = sources.iter().flat_map(offences).chain(namesakes(&sources)).collect();
    found.extend(circles(&sources));
    found.extend(english::faults(&sources));
    found.sort();
    assert!(found.is_empty(), "{} violations of the rules:\n{}", found.len(), found.join("\n"));
}

/// Number of `let (a, b) = (x, y);` that may stand in the sources. A reader looks for a name at the beginning of a line.
const DOUBLE_BINDINGS: usize = 40;

#[test]
fn a_line_binds_one_value() {
    let double = regex::Regex::new(r"let \((?:mut )?[a-z_]+(?:, (?:mut )?[a-z_]+)+\) =\s+\(").unwrap();
    let count = sources().iter().map(|source| double.find_iter(&source.shipped).count()).sum::<usize>();
    assert!(count <= DOUBLE_BINDINGS, "{count} lines bind several values: write one `let` for each");
}

/// No page of the console is drawn: pages and their parts are rendered.
#[test]
fn pages_are_rendered() {
    let draw = regex::Regex::new(r"fn draw(?:_\w+)?\(").unwrap();
    let console = sources().into_iter().filter(|source| source.path.starts_with("src/console/"));
    let found = console.filter(|source| draw.is_match(&source.shipped)).map(|source| source.path);
    assert_eq!(found.collect::<Vec<_>>(), Vec::<String>::new());
}

/// A path, the text of a file after its opening sentence, and the line and rule of the violation in it.
const OFFENCES: &[(&str, &str, &str)] = &[
    ("src/domain/numbers/cpf.rs", "use crate::store::Error;", "2: layers"),
    ("src/store/mod.rs", "use crate::{\n    domain::Cpf,\n    index::Words,\n};", "4: layers"),
    ("src/auth.rs", "use crate::limits::Limits;", "2: layers"),
    ("src/auth.rs", "use super::app::App;", "2: layers"),
    ("src/store/customers.rs", "fn f() -> super::super::index::Index {}", "2: layers"),
    ("src/tray/icon.rs", "use crate::config::Config;", "2: layers"),
    ("src/server/accept.rs", "use crate::tray::Tray;", "2: layers"),
    ("src/api/mod.rs", "use crate::novelty::Thing;", "2: layers"),
    ("src/novelty.rs", "", "1: layers"),
    ("src/api/customers.rs", "use rusqlite::Connection;", "2: crates"),
    ("src/app.rs", "use ::r2d2 as pool;", "2: crates"),
    ("src/limits.rs", "fn f() -> warp::Reply {}", "2: crates"),
    ("src/app.rs", "use flate2::Compression;", "2: crates"),
    ("src/supervisor/mod.rs", "use clap;", "2: crates"),
    ("src/backup/mod.rs", "toml::from_str(text)", "2: crates"),
    ("src/store/mod.rs", "use roaring::RoaringBitmap;", "2: crates"),
    ("src/domain/money.rs", "#[derive(serde::Serialize)]\npub struct Money;", "2: crates"),
    ("src/limits.rs", "serde_json::to_string(&x)", "2: crates"),
    ("src/api/tasks.rs", "use http::Method;", "2: requests"),
    ("src/console/records.rs", "let request = Request::new(x);", "2: requests"),
    ("src/log.rs", "std::env::var(\"HOME\")", "2: environment"),
    ("src/log.rs", "use std::{\n    env::var, fs,\n};", "3: environment"),
    ("src/index/mod.rs", concat!("// TO", "DO: later"), "2: left-overs"),
    ("src/api/tasks.rs", "fn of(asked: &str) -> String {}", "2: vague names"),
    ("tests/it/lists.rs", "enum How {}", "2: vague names"),
    ("src/store/tasks.rs", "pub(super) const MOST: u32 = 50;", "2: bare bounds"),
    ("src/store/tasks.rs", "const LONGEST_NAME: usize = 50;", "2: bare bounds"),
    ("tests/it/lists.rs", concat!("#[", "ignore]\nfn f() {}"), "2: ignored tests"),
    ("tests/it/lists.rs", "std::thread::sleep(second);", "2: sleeping"),
    ("src/store/lists.rs", "let q = format!(\n    \"SELECT {x} FROM t\",\n);", "2: sql"),
    ("src/store/lists.rs", "write!(sql, \"{} DELETE FROM t\", f(x));", "2: sql"),
];

/// Files without violations: a path and the text after the opening sentence.
const SOUND: &[(&str, &str)] = &[
    ("src/index/mod.rs", "use crate::{domain::{Cpf, api}, store::Store, clock};"),
    ("src/store/customers.rs", "use super::index;\nuse crate::store::readers;"),
    ("src/supervisor/mod.rs", "use crate::{tray, desktop};\nuse tracing::info;"),
    (
        "src/domain/numbers/cpf.rs",
        "#[cfg(test)]\nmod tests {\n    use crate::store::Store;\n    use serde_json::json;\n}",
    ),
    (
        "src/domain/numbers/cpf.rs",
        "/// See [`crate::api::routes`].\nconst TEXT: &str = r#\"crate::api\"::\"#;",
    ),
    ("src/domain/numbers/cpf.rs", "#[cfg(test)]\nfn bytes() -> [u8; 4] { crate::api::bytes() }"),
    ("src/config/layer.rs", "use std::env;\nuse toml::Table;"),
    ("src/backup/mod.rs", "use crate::config::toml::Kept;\nlet towers = 1;"),
    ("src/console/requests/router.rs", "use http::Method;"),
    ("src/main.rs", "fn main() { std::process::exit(pleito::cli::run(std::env::args_os())) }"),
    ("src/console/lists.rs", "// As asked.\nhtml! { div.alert.alike { \"said\" } }"),
    ("src/store/tasks.rs", "const MAX_GUESTS: u32 = 50;\nfn f() {\n    const MOST: u32 = 5;\n}"),
    ("tests/it/lists.rs", "let quote = '\"'; let s: &'static str = \"thread::sleep\";"),
    ("src/store/lists.rs", "join(format!(\"PRAGMA user_version = {n}\"), \"SELECT id FROM t\")"),
];

#[test]
fn every_rule_fires_on_a_violation_and_only_there() {
    for (path, text, expected) in OFFENCES {
        let found = offences(&Source::new(path, &format!("//! Made up.\n{text}")));
        assert_eq!(found.len(), 1, "{path} with {text:?}: {found:?}");
        assert!(found[0].starts_with(&format!("{path}:{expected}: ")), "{path} with {text:?}: {found:?}");
    }
    for (path, text) in SOUND {
        let found = offences(&Source::new(path, &format!("//! Made up.\n{text}")));
        assert!(found.is_empty(), "{path} with {text:?}: {found:?}");
    }
}

/// A file that no `mod` names is not compiled, and its tests never run.
#[test]
fn every_test_file_is_compiled() {
    let mut folders = vec![PathBuf::from("tests/it")];
    while let Some(folder) = folders.pop() {
        let roots = [folder.join("main.rs"), folder.join("mod.rs"), folder.with_extension("rs")];
        let root = roots.into_iter().find(|root| root.exists()).unwrap();
        let modules = fs::read_to_string(&root).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let is_source = path.extension().is_some_and(|ending| ending == "rs");
            let is_compiled = modules.lines().any(|line| line.ends_with(&format!("mod {name};")));
            assert!(!is_source || root == path || is_compiled, "add `mod {name};` to {}", root.display());
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
}

#[test]
fn two_public_types_with_the_same_name_are_a_violation() {
    let text = "//! Made up.\npub struct Limit(u8);\npub(super) trait Sum<T> {}\nstruct Part;\n";
    let source = |path: &str, text: &str| Source::new(path, text);
    let found = |other: &str| namesakes(&[source("src/app.rs", text), source("src/log.rs", other)]);
    assert_eq!(found("pub enum Limit {}"), ["names: `Limit` is public in src/app.rs and src/log.rs"]);
    assert_eq!(found("pub(in crate::log) type Sum = u8;").len(), 1);
    for other in
        ["struct Limit;", "pub struct Part;", "pub fn Sum() {}", "// pub struct Limit;", "pub struct Limits;"]
    {
        assert!(found(other).is_empty(), "{other}");
    }
    assert!(found("#[cfg(test)]\npub struct Limit;").is_empty(), "test-only items do not count");
}

#[test]
fn a_file_begins_with_a_sentence_and_has_a_maximum_length() {
    let lines = |count: usize| "//! Made up.\n".to_owned() + &"const A: u8 = 1;\n".repeat(count - 1);
    let tests = "#[cfg(test)]\nmod tests {\n    const B: u8 = 1;\n}\n".repeat(100);
    let of = |text: &str| offences(&Source::new("src/app.rs", text));
    assert!(of(&lines(LINES)).is_empty());
    assert!(of(&(lines(LINES) + &tests)).is_empty());
    assert!(of(&lines(LINES + 1))[0].starts_with("src/app.rs:1: length: 401 lines"));
    for text in ["", "fn f() {}\n", "//!\n", "\n//! Late.\n", "// Made up.\n"] {
        assert!(of(text)[0].starts_with("src/app.rs:1: opening sentence: "), "{text:?}");
    }
}

#[test]
fn every_rule_has_an_example_of_a_violation() {
    let shown = |name: &str| OFFENCES.iter().any(|(.., expected)| expected.ends_with(&format!(": {name}")));
    let unshown: Vec<&str> = RULES.iter().map(|(name, _)| *name).filter(|name| !shown(name)).collect();
    assert_eq!(unshown, ["opening sentence", "length"], "these two have a test of their own");
}
