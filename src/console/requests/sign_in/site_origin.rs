//! The origin by which a request reaches the console: that of the office machine or of the network.

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
}
