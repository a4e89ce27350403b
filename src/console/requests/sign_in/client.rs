//! The client of a request for signing in: where it comes from, and whether its device is known.

use std::net::IpAddr;

use http::header;

use crate::console::requests::sign_in::guess_delay::AttemptSource;
use crate::console::requests::sign_in::secret::Secret;
use crate::console::requests::sign_in::site_origin::SiteOrigin;
use crate::console::requests::visit::{Visit, cookie};
use crate::http::{Problem, Request};
use crate::store::access::people::devices;

pub(in crate::console) struct Client<'r> {
    pub origin: &'r SiteOrigin,
    pub address: IpAddr,
    /// Browser and system.
    pub machine: String,
    /// The session cookie that the browser already has.
    pub cookie: Option<&'r str>,
    /// The secret of the device, if people have signed in on it.
    pub device: Option<Secret>,
}

impl<'r> Client<'r> {
    pub fn of(request: &'r Request, origin: &'r SiteOrigin) -> Client<'r> {
        Client {
            origin,
            address: request.addresses.peer.to_canonical(),
            machine: machine(request.header(header::USER_AGENT).unwrap_or_default()),
            cookie: cookie(&request.headers, &origin.cookie_name()),
            device: cookie(&request.headers, &origin.device_cookie_name()).and_then(Secret::sent),
        }
    }

    /// Returns the source of an attempt to sign in as this person: the device, if they have signed in on it.
    pub async fn source(&self, person: Option<u32>, visit: &Visit) -> Result<AttemptSource, Problem> {
        let at_address = AttemptSource::address(self.address);
        let (Some(person), Some(device)) = (person, &self.device) else { return Ok(at_address) };
        let hash = device.hash().bytes();
        let now = visit.app().now();
        let is_known = visit.read(move |db| Ok(devices::is_known(db, person, hash, now)?)).await?;
        Ok(if is_known { AttemptSource::Device(hash) } else { at_address })
    }
}

/// Names browser and system from a `User-Agent` header, for people.
fn machine(user_agent: &str) -> String {
    let first = |known: &[(&str, &'static str)]| {
        known.iter().find(|(part, _)| user_agent.contains(part)).map(|(_, name)| *name)
    };
    let browser = first(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser", "Samsung Internet"),
        ("Firefox/", "Firefox"),
        ("FxiOS", "Firefox"),
        ("Chrome/", "Chrome"),
        ("CriOS", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    [browser, system].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::machine;

    #[test]
    fn a_session_is_labelled_with_browser_and_system() {
        for (user_agent, name) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge · Windows",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Linux"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Mobile/15E Safari/604.1",
                "Safari · iPhone",
            ),
            ("curl/8", ""),
        ] {
            assert_eq!(machine(user_agent), name);
        }
    }
}
