//! The page at /trust, the files that it offers, and the manifest of the console.

use std::collections::HashMap;
use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pleito::lan::Root;
use quick_xml::Reader;
use quick_xml::events::Event;
use regex::Regex;
use serde_json::{Value, json};

use crate::console::visitor::Visitor;
use crate::network::{SHARED, on_network, set, shared};
use crate::office::{Office, Reply};

const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0";

fn get(office: &Office, path: &str) -> Reply {
    office.raw("GET", path, &[], None)
}

/// Returns the order of the systems on the page.
fn systems(page: &str) -> Vec<&str> {
    page.split("class=\"system\" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_page_shows_the_fingerprint_on_both_listeners_in_both_languages() {
    let office = shared();
    let fingerprint = Root::read(office.folder()).unwrap().fingerprint;
    for (language, title) in
        [("pt-BR", "Confiar no servidor do escritório"), ("en", "Trust the office's server")]
    {
        let here = office.raw("GET", "/trust", &[("accept-language", language), ("user-agent", AGENT)], None);
        let headers = format!("Accept-Language: {language}\r\nUser-Agent: {AGENT}");
        let (status, there) = on_network(&office, "GET /trust", &headers);
        assert_eq!((here.status, status), (200, 200));
        for page in [&here.text(), &there] {
            assert!(page.contains(title) && page.contains(&fingerprint), "{language}: {page}");
            assert!(
                !["{{", "|}", "{|", "<script", "style=", "//"]
                    .iter()
                    .any(|text| { page.replace("https://", "").contains(text) })
            );
            assert_eq!(systems(page)[..2], ["firefox", "linux"]);
        }
        assert_eq!(here.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(here.header("set-cookie"), "");
        assert!(here.header("content-security-policy").starts_with("default-src 'none'; style-src 'self';"));
        assert!(here.header("vary").contains("accept-language, user-agent"));
        assert_eq!(here.page().language(), language);
        // The language in the address takes precedence over the browser's.
        let other = get(&office, if language == "en" { "/trust?lang=pt" } else { "/trust/?lang=en" });
        assert!(!other.text().contains(title));
        // This machine's page lists the addresses for other devices. Other devices get a link to the address that
        // they used.
        let url = office.lan().urls().remove(0);
        assert!(here.text().contains(&format!("<code>{url}/trust</code>")), "{url}");
        assert!(there.contains("href=\"https://pleito.local/\""));
    }
    let api = Visitor::new(&office).look("/api").text();
    assert!(api.contains(&fingerprint) && api.contains("/trust"), "the owner compares the fingerprint here");
}

#[test]
fn the_files_contain_the_authority_of_the_data_folder() {
    let office = shared();
    let root = Root::read(office.folder()).unwrap();
    let script = get(&office, "/trust/pleito.cmd?lang=pt");
    assert_eq!(script.header("content-type"), "application/octet-stream");
    assert_eq!(script.header("content-disposition"), "attachment; filename=\"pleito.cmd\"");
    let text = script.text();
    assert!(text.lines().count() + 1 == text.split("\r\n").count() && text.contains("só para este usuário"));
    assert!(get(&office, "/trust/pleito.cmd").text().contains("for this user only"));
    let written = text.lines().filter_map(|line| line.strip_prefix(">>\"%pem%\" echo "));
    assert_eq!(written.collect::<Vec<_>>(), root.pem.lines().collect::<Vec<_>>());
    let (first, second) = root.fingerprint.split_at(47);
    assert!(text.contains(&format!("echo   {first}\r\necho   {}\r\n", &second[1..])), "{text}");

    let profile = get(&office, "/trust/pleito.mobileconfig");
    assert_eq!(profile.header("content-type"), "application/x-apple-aspen-config");
    assert_eq!(profile.header("content-disposition"), "attachment; filename=\"pleito.mobileconfig\"");
    let [outer, inner] = dictionaries(&profile.text());
    assert_eq!(
        (&*outer["PayloadType"], &*inner["PayloadType"]),
        ("Configuration", "com.apple.security.root")
    );
    let der = STANDARD.decode(inner["PayloadContent"].split_whitespace().collect::<String>()).unwrap();
    let block = root.pem.lines().filter(|line| !line.starts_with('-')).collect::<String>();
    assert_eq!(der, STANDARD.decode(block).unwrap());
    assert!(outer["PayloadDescription"].contains(&root.fingerprint));
    assert_ne!(outer["PayloadUUID"], inner["PayloadUUID"]);
    let form = Regex::new("^[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-A[0-9A-F]{3}-[0-9A-F]{12}$").unwrap();
    assert!([&outer, &inner].iter().all(|dictionary| form.is_match(&dictionary["PayloadUUID"])));
    // A profile that is installed again in another language replaces the first one.
    let [again, _] = dictionaries(&get(&office, "/trust/pleito.mobileconfig?lang=pt").text());
    assert_eq!(again["PayloadUUID"], outer["PayloadUUID"]);
}

/// Returns the simple values of a profile and of its only payload, by their keys.
fn dictionaries(plist: &str) -> [HashMap<String, String>; 2] {
    let mut reader = Reader::from_str(plist);
    let (mut all, mut depth, mut key, mut text) =
        ([HashMap::new(), HashMap::new()], 0, String::new(), String::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) if tag.name().as_ref() == "dict" => depth += 1,
            Event::End(tag) if tag.name().as_ref() == "dict" => depth -= 1,
            Event::Start(_) => text.clear(),
            Event::Text(more) => text.push_str(&more),
            Event::End(tag) => match tag.name().as_ref() {
                "key" => key.clone_from(&text),
                "string" | "integer" | "data" => _ = all[depth - 1].insert(key.clone(), text.clone()),
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    all
}

#[test]
fn page_and_files_accept_only_get_head_and_options() {
    let office = shared();
    for path in [
        "/trust",
        "/trust/pleito.cmd",
        "/trust/pleito.mobileconfig",
        "/trust/trust.css",
        "/icon.png",
        "/manifest.webmanifest",
    ] {
        let got = get(&office, path);
        let head = office.raw("HEAD", path, &[], None);
        assert_eq!((got.status, head.status), (200, 200), "{path}");
        assert!(
            head.bytes.is_empty() && head.header("content-length") == got.bytes.len().to_string(),
            "{path}"
        );
        assert_eq!(head.header("content-type"), got.header("content-type"), "{path}");
        assert_eq!(office.raw("OPTIONS", path, &[], None).status, 204, "{path}");
        office.raw("POST", path, &[], None).problem(405, "method-not-allowed");
        assert_eq!(on_network(&office, &format!("HEAD {path}"), ""), (200, String::new()), "{path}");
    }
    get(&office, "/trust/other").problem(404, "not-found");
}

#[test]
fn without_the_lan_listener_the_page_says_so_and_keeps_the_certificate() {
    let office = Office::new();
    let page = get(&office, "/trust?lang=en");
    assert!(page.status == 200 && page.text().contains("Other devices do not reach this server now"));
    assert!(!page.text().contains("class=\"fingerprint\""));
    get(&office, "/trust/pleito.cmd").problem(404, "not-found");
    get(&office, "/trust/pleito.mobileconfig").problem(404, "not-found");

    let office = shared();
    let fingerprint = Root::read(office.folder()).unwrap().fingerprint;
    set(&office, "[lan]\nenabled = false\n", |office| office.lan().urls().is_empty());
    let page = get(&office, "/trust?lang=en").text();
    assert!(page.contains("Other devices do not reach this server now") && page.contains(&fingerprint));
    set(&office, SHARED, |office| !office.lan().urls().is_empty());
    assert!(get(&office, "/trust?lang=en").text().contains("On the other devices, open:"));
}

#[test]
fn the_manifest_has_the_name_of_the_office_and_existing_icons() {
    let office = Office::with("name = \"Silva & Souza \\\"Advocacia\\\"\"\n[lan]\nenabled = false\n");
    let reply = office.raw("GET", "/manifest.webmanifest", &[("accept-language", "pt-BR")], None);
    assert_eq!(reply.header("content-type"), "application/manifest+json");
    let manifest: Value = serde_json::from_slice(&reply.bytes).unwrap();
    assert_eq!(manifest["name"], "Silva & Souza \"Advocacia\"");
    assert_eq!(manifest["start_url"], "/console");
    assert_eq!((&manifest["lang"], &manifest["display"]), (&json!("pt-BR"), &json!("standalone")));
    for icon in manifest["icons"].as_array().unwrap() {
        let picture = get(&office, icon["src"].as_str().unwrap());
        assert_eq!((picture.status, picture.header("content-type")), (200, icon["type"].as_str().unwrap()));
    }
    let page = Visitor::new(&office).look("");
    assert!(page.text().contains("<link rel=\"manifest\" href=\"/manifest.webmanifest\">"));
    assert!(page.header("content-security-policy").contains("manifest-src 'self'"));
    assert!(!page.header("content-security-policy").contains("worker-src"), "nothing is stored offline");
    let unnamed: Value = serde_json::from_slice(&get(&Office::new(), "/manifest.webmanifest").bytes).unwrap();
    assert_eq!(unnamed["name"], "Pleito");
    assert!(fs::read("assets/icon/pleito-512.png").unwrap() == get(&office, "/icon.png").bytes);
}
