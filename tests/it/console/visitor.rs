//! A browser without JavaScript that keeps its cookie, fills in forms and follows redirects.

use super::page::Page;
use crate::office::{Office, Reply};

/// A signed-in session of the console.
pub struct Visitor<'a> {
    pub office: &'a Office,
    /// Host and port from the link to the console.
    pub host: String,
    pub cookie: String,
    pub language: &'static str,
}

impl<'a> Visitor<'a> {
    /// Signs in with a link of the office.
    pub fn new(office: &'a Office) -> Visitor<'a> {
        let link = office.link();
        let host = link.split('/').nth(2).unwrap().to_owned();
        let reply = open(office, &path_of(&link), &[("host", &host)]);
        assert_eq!((reply.status, reply.header("location")), (303, "/console"), "{}", reply.text());
        Visitor { office, host, cookie: cookie_of(&reply), language: "en" }
    }

    pub fn headers(&self) -> Vec<(&str, &str)> {
        vec![
            ("host", self.host.as_str()),
            ("cookie", self.cookie.as_str()),
            ("accept-language", self.language),
        ]
    }

    /// Requests a page below the console's base and returns its response, whatever the status.
    pub fn look(&self, path: &str) -> Reply {
        self.office.raw("GET", &format!("/console{path}"), &self.headers(), None)
    }

    /// Requests a page that must exist.
    pub fn page(&self, path: &str) -> Page {
        let reply = self.look(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.page()
    }

    /// Requests the part of a page that the script loads.
    pub fn part(&self, path: &str) -> Page {
        let headers = [&self.headers()[..], &[("x-part", "1")]].concat();
        let reply = self.office.raw("GET", &format!("/console{path}"), &headers, None);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        let part = reply.page();
        assert!(part.is_fragment(), "{path}: {}", reply.text());
        part
    }

    pub fn csrf_token(&self) -> String {
        self.page("").control("csrf-token").value()
    }

    /// Sends a form with the session's CSRF token.
    pub fn send(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let csrf_token = self.csrf_token();
        self.send_raw(path, &[&[("csrf-token", csrf_token.as_str())], fields].concat(), &[])
    }

    /// Sends exactly these fields, with further headers.
    pub fn send_raw(&self, path: &str, fields: &[(&str, &str)], more: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut headers = self.headers();
        headers.push(("content-type", "application/x-www-form-urlencoded"));
        headers.extend(more);
        let reply = self.office.raw("POST", &format!("/console{path}"), &headers, Some(body.as_bytes()));
        self.follow_refusal(reply)
    }

    /// Follows the redirect of a refused form to the page with its errors. Returns any other response unchanged.
    pub fn follow_refusal(&self, reply: Reply) -> Reply {
        let to = reply.header("location").to_owned();
        match reply.status == 303 && to.contains("form=") {
            true => self.office.raw("GET", &to, &self.headers(), None),
            false => reply,
        }
    }
}

/// Opens a link to the console with these headers and follows its redirect page.
pub fn open(office: &Office, link: &str, headers: &[(&str, &str)]) -> Reply {
    let between = office.raw("GET", link, headers, None);
    assert_eq!((between.status, between.header("set-cookie")), (200, ""), "{}", between.text());
    office.raw("GET", &redirect_of(&between), headers, None)
}

pub fn path_of(link: &str) -> String {
    let at = link.find("/console").unwrap();
    link[at..].to_owned()
}

/// Returns the cookie that a response sets, as a browser sends it back.
pub fn cookie_of(reply: &Reply) -> String {
    reply.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// Returns the path that the `Refresh` header of a response leads to.
pub fn redirect_of(reply: &Reply) -> String {
    let refresh = reply.header("refresh");
    refresh.strip_prefix("0; url=").unwrap_or_else(|| panic!("{refresh:?}: {}", reply.text())).to_owned()
}

/// Returns the fields of a record's form as a browser sends them back unchanged, without those that [`Visitor::send`]
/// adds and those that identify the form.
pub fn carried(page: &Page) -> Vec<(String, String)> {
    let mut fields = page.form_with("version").fields();
    fields.retain(|(name, _)| !["csrf-token", "form"].contains(&name.as_str()));
    fields
}

/// Returns the fields of [`carried`] with some values changed.
pub fn with<'a>(carried: &'a [(String, String)], changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = carried.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    kept.filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name))
        .chain(changes.iter().copied())
        .collect()
}
