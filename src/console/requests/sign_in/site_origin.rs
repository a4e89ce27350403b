//! The origin by which a request reaches the console: that of the office machine or of the network.

use http::HeaderValue;

use crate::console::requests::paths::BASE;
use crate::console::requests::response::value;
use crate::store::access::people::devices;
use crate::store::access::people::sessions::MAX_AGE_SECONDS;

/// The scheme, host and port of a request (RFC 6454), which tell its listener.
pub(in crate::console) struct SiteOrigin {
    /// `true` for the listener with TLS, by which people sign in.
    pub is_network: bool,
    /// Host and port of the request.
    pub authority: String,
}

impl SiteOrigin {
    /// Returns the origin as browsers send it, such as `https://pleito.local:8744`.
    pub fn serialized(&self) -> String {
        let scheme = if self.is_network { "https" } else { "http" };
        format!("{scheme}://{}", self.authority)
    }

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

    /// Returns the name of the cookie of a device.
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
