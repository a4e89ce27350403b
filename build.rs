//! Lists the schema migrations of the store, renders the pages at /docs and /trust, and adds icon, version and manifest to the
//! Windows executable.

#![allow(clippy::print_stdout, reason = "Cargo reads instructions there")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

const STEPS: &str = "src/store/migrations";
const GUIDES: &str = "docs";
/// The guides at /docs, in the order of their links.
const NAMES: [&str; 4] = ["automations", "events", "api", "moving"];
const FRAMES: &str = "assets/docs";
const TRUST: &str = "assets/trust";
const ICON: &str = "assets/icon/pleito.ico";
const MANIFEST: &str = "installer/windows/pleito.manifest";

fn main() -> io::Result<()> {
    for path in ["build.rs", STEPS, GUIDES, FRAMES, TRUST, ICON, MANIFEST] {
        println!("cargo::rerun-if-changed={path}");
    }
    steps()?;
    pages()?;
    // Checks the target, which may differ from the system of the build.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("windows") {
        return Ok(());
    }
    let mut resource = winresource::WindowsResource::new();
    resource
        .set_icon(ICON)
        .set_manifest_file(MANIFEST)
        .set("ProductName", "Pleito")
        .set("FileDescription", "Pleito")
        .set("OriginalFilename", "pleito.exe")
        .set("LegalCopyright", "MIT OR Apache-2.0");
    resource.compile_for("pleito")
}

/// Writes `steps.rs`, an array of the migrations' texts. Their file names must begin with consecutive numbers from 1.
fn steps() -> io::Result<()> {
    let folder = root()?.join(STEPS);
    let names = fs::read_dir(&folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<io::Result<Vec<String>>>()?;
    names.retain(|name| name.starts_with(|first: char| first.is_ascii_digit()));
    names.sort();
    let mut array = "[".to_owned();
    for (name, number) in names.iter().zip(1..) {
        if !name.starts_with(&format!("{number:04}_")) {
            return Err(io::Error::other(format!("{STEPS}/{name} is not number {number}")));
        }
        writeln!(array, "include_str!({:?}),", folder.join(name)).map_err(io::Error::other)?;
    }
    array.push(']');
    fs::write(made()?.join("steps.rs"), array)
}

fn root() -> io::Result<PathBuf> {
    Ok(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?.into())
}

fn made() -> io::Result<PathBuf> {
    Ok(env::var("OUT_DIR").map_err(io::Error::other)?.into())
}

/// Writes `pages.rs`, an array of the pages at /docs: each with its path, and compressed in Portuguese and English.
fn pages() -> io::Result<()> {
    let (root, made) = (root()?, made()?);
    let frame = |name| fs::read_to_string(root.join(FRAMES).join(name));
    let (reference, guide) = (frame("index.html")?, frame("guide.html")?);
    let network = frame("network.html")?;
    let trust = fs::read_to_string(root.join(TRUST).join("trust.html"))?;
    let mut array = "[".to_owned();
    let mut packed = [(); NAMES.len() + 1].map(|()| Vec::new());
    for (lang, folder) in [(0, "docs/pt"), (1, GUIDES)] {
        let texts = NAMES.map(|name| fs::read_to_string(root.join(folder).join(format!("{name}.md"))));
        let texts = texts.into_iter().collect::<io::Result<Vec<_>>>()?;
        let titles =
            texts.iter().map(|text| text.lines().next().unwrap_or_default().trim_start_matches("# "));
        let titles = titles.collect::<Vec<_>>();
        let links = |current: &str| {
            let link = |(name, title): (&&str, &&str)| {
                let current = if *name == current { " aria-current=\"page\"" } else { "" };
                format!("<li><a href=\"/docs/{name}\"{current}>{title}</a></li>")
            };
            NAMES.iter().zip(&titles).map(link).collect::<String>()
        };
        let mut pages = vec![in_language(&reference, lang).replace("{{guides}}", &links(""))];
        for ((name, title), text) in NAMES.iter().zip(&titles).zip(&texts) {
            let page = in_language(&guide, lang).replace("{{guides}}", &links(name));
            pages.push(page.replace("{{title}}", title).replace("{{text}}", &rendered(text, &titles)));
        }
        fs::write(made.join(format!("network-{lang}.html")), in_language(&network, lang))?;
        fs::write(made.join(format!("trust-{lang}.html")), in_language(&trust, lang))?;
        for (number, page) in pages.iter().enumerate() {
            let file = made.join(format!("page-{number}-{lang}.gz"));
            let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
            gzip.write_all(page.as_bytes())?;
            fs::write(&file, gzip.finish()?)?;
            packed.get_mut(number).ok_or_else(|| io::Error::other("a page too many"))?.push(file);
        }
    }
    let paths = [""].into_iter().chain(NAMES);
    for (name, files) in paths.zip(packed) {
        let path = format!("/docs/{name}");
        let files = files.iter().map(|file| format!("include_bytes!({file:?})")).collect::<Vec<_>>();
        writeln!(array, "DocsPage::new({:?}, [{}]),", path.trim_end_matches('/'), files.join(", "))
            .map_err(io::Error::other)?;
    }
    array.push(']');
    fs::write(made.join("pages.rs"), array)
}

/// Returns a page template in one language: replaces each `{Portuguese|English}` with the text at index `lang`.
fn in_language(frame: &str, lang: usize) -> String {
    let mut parts = frame.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some((both, rest)) if both.contains('|') => {
                text.push_str(both.split('|').nth(lang).unwrap_or_default());
                text.push_str(rest);
            }
            _ => text.extend(["{", part]),
        }
    }
    text
}

/// Renders a guide from Markdown to HTML. Headings get anchors. Links between guides lead to their pages and show
/// their titles; links to other files become plain text. Pictures are left out, as they are larger than all pages
/// together.
fn rendered(text: &str, titles: &[&str]) -> String {
    let mut events = Parser::new_ext(text, Options::ENABLE_TABLES).collect::<Vec<_>>();
    for at in 0..events.len() {
        let (before, rest) = events.split_at_mut(at + 1);
        if let Some(Event::Start(Tag::Heading { id, .. })) = before.last_mut() {
            let of_heading = rest.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
            let words = of_heading.filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(&**text),
                _ => None,
            });
            *id = Some(anchor(&words.collect::<String>()).into());
        }
    }
    let (mut kept, mut is_picture) = (Vec::new(), false);
    let events = events.into_iter().filter_map(|event| match event {
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {
            is_picture = !is_picture;
            None
        }
        _ if is_picture => None,
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let address = address(&dest_url);
            kept.push(address.is_some());
            let dest_url = CowStr::from(address?);
            Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
        }
        Event::End(TagEnd::Link) => kept.pop().unwrap_or(true).then_some(event),
        Event::Text(file) => {
            let named = NAMES.iter().zip(titles).find(|(name, _)| file.strip_suffix(".md") == Some(name));
            Some(Event::Text(named.map_or(file, |(_, title)| (*title).to_owned().into())))
        }
        event => Some(event),
    });
    let mut html = String::new();
    html::push_html(&mut html, events);
    html
}

/// Returns the anchor of a heading. Formed as on GitHub, so that the guides' links work here too.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the target of a guide's link on the pages. Returns `None` for links to files that are not guides.
fn address(link: &str) -> Option<String> {
    if link.starts_with('#') || link.contains("://") {
        return Some(link.to_owned());
    }
    let (file, heading) = link.split_once('#').map_or((link, ""), |(file, _)| (file, &link[file.len()..]));
    let name = file.strip_suffix(".md")?;
    let (name, lang) = match (name.strip_prefix("pt/"), name.strip_prefix("../")) {
        (Some(name), _) => (name, "?lang=pt"),
        (_, Some(name)) => (name, "?lang=en"),
        _ => (name, ""),
    };
    NAMES.contains(&name).then(|| format!("/docs/{name}{lang}{heading}"))
}
