//! The cookies of a session and of a device.

use http::HeaderValue;

use super::site_origin::SiteOrigin;
use crate::console::requests::paths::BASE;
use crate::console::requests::response::value;
use crate::store::access::people::devices;
use crate::store::access::people::sessions::MAX_AGE_SECONDS;

impl SiteOrigin {
    /// Returns the name of the session cookie. Cookies are shared by all ports of a host, so the name contains the port.
    pub fn cookie_name(&self) -> String {
        let default = if self.is_network { "443" } else { "80" };
        let port = self.authority.rsplit_once(':').map_or(default, |(_, port)| port);
        let port = if port.bytes().all(|byte| byte.is_ascii_digit()) { port } else { default };
        match self.is_network {
            true => format!("__Host-pleito_{port}"),
            false => format!("pleito_console_{port}"),
        }
    }

    /// Returns the `Set-Cookie` value that opens a session. A `__Host-` cookie needs TLS and the path `/`; the
    /// listener for this machine speaks plain HTTP.
    pub fn session_cookie(&self, secret: &str) -> HeaderValue {
        let name = self.cookie_name();
        value(&match self.is_network {
            true => format!(
                "{name}={secret}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={MAX_AGE_SECONDS}"
            ),
            false => format!("{name}={secret}; Path={BASE}; HttpOnly; SameSite=Strict"),
        })
    }

    pub fn device_cookie_name(&self) -> String {
        format!("{}_device", self.cookie_name())
    }

    /// Returns the `Set-Cookie` value by which a device is known from now on.
    pub fn device_cookie(&self, device: &str) -> HeaderValue {
        let name = self.device_cookie_name();
        value(&format!(
            "{name}={device}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={}",
            devices::LIFETIME_SECONDS
        ))
    }

    /// Returns the `Set-Cookie` value that ends a session. On this machine an empty cookie stays, so that Back says that
    /// the session has ended.
    pub fn ended_cookie(&self) -> HeaderValue {
        let name = self.cookie_name();
        value(&match self.is_network {
            true => format!("{name}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0"),
            false => format!("{name}=; Path={BASE}; HttpOnly; SameSite=Strict"),
        })
    }
}
