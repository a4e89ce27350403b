//! The page at /trust: how other machines come to trust the office's own certificate authority, and the files
//! that install it (product 5). It is public, needs no script and sets no cookie.

mod files;

use std::fmt::Write as _;
use std::sync::Arc;

use http::StatusCode;
use http::header::{self, HeaderValue};

use crate::app::App;
use crate::domain::lang::Word;
use crate::http::answers::answer::Answer;
use crate::http::answers::negotiation;
use crate::http::answers::problem::Problem;
use crate::http::requests::request::Request;
use crate::lan::{LanStatus, Root};

/// Content security policy of the page: the executable's own style sheet, pictures and manifest.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'none'; \
                      frame-ancestors 'none'; base-uri 'none'";

/// The page in Portuguese and in English. Each of its parts follows a line `<!-- part NAME -->`.
static TRUST_PAGE: [&str; 2] = [
    include_str!(concat!(env!("OUT_DIR"), "/trust-0.html")),
    include_str!(concat!(env!("OUT_DIR"), "/trust-1.html")),
];

/// The systems that the page has steps for.
const SYSTEMS: [&str; 6] = ["windows", "android", "iphone", "macos", "linux", "firefox"];

#[derive(Clone, Copy)]
pub(in crate::http) enum TrustFile {
    Page,
    WindowsScript,
    AppleProfile,
}

pub(in crate::http) fn find(path: &str) -> Option<TrustFile> {
    match path {
        "/trust" => Some(TrustFile::Page),
        "/trust/pleito.cmd" => Some(TrustFile::WindowsScript),
        "/trust/pleito.mobileconfig" => Some(TrustFile::AppleProfile),
        _ => None,
    }
}

impl TrustFile {
    pub(in crate::http) fn answer(self, request: &Request, app: &Arc<App>) -> Result<Answer, Problem> {
        let lang = negotiation::requested_language(request);
        let (text, media_type, name) = match self {
            TrustFile::Page => {
                let [pt, en] = TRUST_PAGE;
                let page = page(lang.pick(pt, en), request, &app.lan().status());
                (page, "text/html; charset=utf-8", None)
            }
            TrustFile::WindowsScript => {
                (files::windows_script(&root(app)?, lang), "application/octet-stream", Some("pleito.cmd"))
            }
            TrustFile::AppleProfile => {
                let profile = files::apple_profile(&root(app)?, lang);
                (profile, "application/x-apple-aspen-config", Some("pleito.mobileconfig"))
            }
        };
        let answer = Answer { body: text.into(), ..Answer::empty(StatusCode::OK) }
            .with(header::CONTENT_TYPE, HeaderValue::from_static(media_type))
            .with(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))
            .with(header::VARY, HeaderValue::from_static("accept-language, user-agent"));
        Ok(match name {
            Some(name) => answer.with(header::CONTENT_DISPOSITION, files::attachment(name)),
            None => answer,
        })
    }
}

/// Returns the authority's certificate. Fails with 404 if network access has never been enabled.
pub(in crate::http) fn root(app: &App) -> Result<Root, Problem> {
    let root = app.lan().status().root.clone();
    root.ok_or_else(|| Problem::not_found(Word("certificado", "certificate")))
}

/// Puts the page together from its parts.
fn page(template: &str, request: &Request, network: &LanStatus) -> String {
    let mut page = part(template, "head").to_owned();
    let urls = network.urls();
    if urls.is_empty() {
        page.push_str(part(template, "closed"));
    } else if request.is_from_here() {
        let addresses =
            urls.iter().map(|url| format!("<li><code>{url}/trust</code></li>")).collect::<String>();
        page.push_str(&part(template, "here").replace("{{addresses}}", &addresses));
    }
    if let Some(root) = &network.root {
        steps(&mut page, template, request, root, &urls);
    }
    page.push_str(part(template, "foot"));
    page
}

fn steps(page: &mut String, template: &str, request: &Request, root: &Root, urls: &[String]) {
    page.push_str(part(template, "compare"));
    page.push_str(&part(template, "fingerprint").replace("{{fingerprint}}", &root.fingerprint));
    if !request.is_from_here() {
        page.push_str(part(template, "where"));
    }
    page.push_str(part(template, if root.is_limited() { "limited" } else { "unlimited" }));
    page.push_str(part(template, "install"));
    let agent = request.header(header::USER_AGENT).unwrap_or_default();
    for (place, system) in in_order(agent).into_iter().enumerate() {
        let open = if place == 0 { " open" } else { "" };
        let steps = part(template, system);
        let _ = write!(page, "<details class=\"system\" id=\"{system}\"{open}>{steps}</details>");
    }
    let url = match request.is_from_here() {
        true => urls.first().cloned(),
        false => Some(request.origin()),
    };
    if let Some(url) = url {
        page.push_str(&part(template, "reopen").replace("{{url}}", &url));
    }
}

/// Returns one part of the page, or an empty text if there is no such part.
fn part<'a>(template: &'a str, name: &str) -> &'a str {
    let mut parts = template.split("<!-- part ");
    let part = parts.find_map(|part| part.strip_prefix(name)?.strip_prefix(" -->"));
    part.unwrap_or_default().trim_start()
}

/// Returns the systems with the reader's own first. Firefox has a list of its own on some of them, so its steps
/// come second for its readers, and first on Linux.
fn in_order(agent: &str) -> Vec<&'static str> {
    let has = |word: &str| agent.contains(word);
    let own = match () {
        () if has("Windows") => "windows",
        () if has("iPhone") || has("iPad") => "iphone",
        () if has("Android") => "android",
        // An iPad calls itself a Mac too; its steps are the next ones.
        () if has("Macintosh") => "macos",
        () if has("Linux") || has("X11") => "linux",
        () => "",
    };
    let rank = |system: &str| match system {
        "firefox" if has("Firefox/") => usize::from(own != "linux") + 1,
        _ if system == own && own == "linux" && has("Firefox/") => 2,
        _ if system == own => 1,
        "iphone" if own == "macos" => 3,
        _ => 4,
    };
    let mut systems = SYSTEMS.to_vec();
    systems.sort_by_key(|system| rank(system));
    systems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_all_parts() {
        let others = [
            "head",
            "closed",
            "here",
            "compare",
            "fingerprint",
            "where",
            "limited",
            "unlimited",
            "install",
            "reopen",
            "foot",
        ];
        for name in others.iter().chain(&SYSTEMS) {
            let [pt, en] = TRUST_PAGE.map(|page| part(page, name));
            assert!(!pt.is_empty() && !en.is_empty(), "{name}");
            assert!(pt != en || ["fingerprint", "foot"].contains(name), "{name}");
        }
        let parts = TRUST_PAGE.map(|page| page.matches("<!-- part ").count());
        assert_eq!(parts, [others.len() + SYSTEMS.len(); 2]);
    }

    #[test]
    fn the_visitors_own_system_is_listed_first() {
        for (agent, first) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36",
                ["windows", "android"],
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0",
                ["windows", "firefox"],
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
                ["iphone", "windows"],
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36",
                ["android", "windows"],
            ),
            ("Mozilla/5.0 (Android 14; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0", ["android", "firefox"]),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15",
                ["macos", "iphone"],
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36",
                ["linux", "windows"],
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0", ["firefox", "linux"]),
            ("", ["windows", "android"]),
        ] {
            let systems = in_order(agent);
            assert!(systems.starts_with(&first) && systems.len() == SYSTEMS.len(), "{agent}: {systems:?}");
        }
    }
}
