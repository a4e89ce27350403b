//! A browser without a script: keeps its cookie, fills in the forms that a page has, and follows where it is sent.

use regex::Regex;

use crate::office::{Office, Reply};

/// Somebody in the console.
pub struct Visitor<'a> {
    pub office: &'a Office,
    /// The host that the link names, with its port.
    pub host: String,
    pub cookie: String,
    pub language: &'static str,
}

impl<'a> Visitor<'a> {
    /// Comes in by a link of the office's own.
    pub fn new(office: &'a Office) -> Visitor<'a> {
        let link = office.link();
        let host = link.split('/').nth(2).unwrap().to_owned();
        let reply = open(office, &path_of(&link), &[("host", &host)]);
        assert_eq!((reply.status, reply.header("location")), (303, "/console"), "{}", reply.text());
        Visitor { office, host, cookie: cookie_of(&reply), language: "en" }
    }

    /// The headers of a browser.
    pub fn headers(&self) -> Vec<(&str, &str)> {
        vec![
            ("host", self.host.as_str()),
            ("cookie", self.cookie.as_str()),
            ("accept-language", self.language),
        ]
    }

    /// A page below the console's base, whatever its status.
    pub fn look(&self, path: &str) -> Reply {
        self.office.raw("GET", &format!("/console{path}"), &self.headers(), None)
    }

    /// A page that is there.
    pub fn page(&self, path: &str) -> String {
        let reply = self.look(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.text()
    }

    /// The secret that the session's forms carry.
    pub fn csrf_token(&self) -> String {
        hidden(&self.page(""), "csrf-token")
    }

    /// Sends a form of the session's own.
    pub fn send(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let csrf_token = self.csrf_token();
        self.send_raw(path, &[&[("csrf-token", csrf_token.as_str())], fields].concat(), &[])
    }

    /// Sends these fields only, with further headers.
    pub fn send_raw(&self, path: &str, fields: &[(&str, &str)], more: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut headers = self.headers();
        headers.push(("content-type", "application/x-www-form-urlencoded"));
        headers.extend(more);
        let reply = self.office.raw("POST", &format!("/console{path}"), &headers, Some(body.as_bytes()));
        self.follow_refusal(reply)
    }

    /// The page of a form that was refused, to which its POST leads; any other answer as it is.
    pub fn follow_refusal(&self, reply: Reply) -> Reply {
        let to = reply.header("location").to_owned();
        match reply.status == 303 && to.contains("?form=") {
            true => self.office.raw("GET", &to, &self.headers(), None),
            false => reply,
        }
    }
}

/// Follows a link with these headers, by way of the page behind it.
pub fn open(office: &Office, link: &str, headers: &[(&str, &str)]) -> Reply {
    let between = office.raw("GET", link, headers, None);
    assert_eq!((between.status, between.header("set-cookie")), (200, ""), "{}", between.text());
    office.raw("GET", &redirect_of(&between), headers, None)
}

/// The path of a link.
pub fn path_of(link: &str) -> String {
    let at = link.find("/console").unwrap();
    link[at..].to_owned()
}

/// The cookie that an answer sets, as a browser sends it back.
pub fn cookie_of(reply: &Reply) -> String {
    reply.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// The value of a hidden field.
pub fn hidden(page: &str, name: &str) -> String {
    let field = Regex::new(&format!(r#"<input type="hidden" name="{name}" value="([^"]*)""#)).unwrap();
    field.captures(page).unwrap_or_else(|| panic!("no {name}: {page}"))[1].to_owned()
}

/// The path that a page goes on to by itself.
pub fn redirect_of(reply: &Reply) -> String {
    let refresh = reply.header("refresh");
    refresh.strip_prefix("0; url=").unwrap_or_else(|| panic!("{refresh:?}: {}", reply.text())).to_owned()
}

/// What a form that changes a record carries along, as a browser sends it back unchanged.
pub fn carried(page: &str) -> Vec<(String, String)> {
    let fields = Regex::new(r#"<textarea class="gone" name="([^"]+)"[^>]*>\n([^<]*)</textarea>"#).unwrap();
    let mut all: Vec<_> =
        fields.captures_iter(page).map(|one| (one[1].to_owned(), one[2].to_owned())).collect();
    let values =
        all.iter().map(|(name, value)| (name.strip_prefix("was-").unwrap().to_owned(), value.clone()));
    all.extend(values.collect::<Vec<_>>());
    all.push(("version".to_owned(), hidden(page, "version").replace("&quot;", "\"")));
    all
}

/// That, with some fields filled in otherwise.
pub fn with<'a>(carried: &'a [(String, String)], changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = carried.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    kept.filter(|(name, _)| !changes.iter().any(|(changed, _)| changed == name))
        .chain(changes.iter().copied())
        .collect()
}
