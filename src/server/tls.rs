//! TLS of the network's listener: versions 1.2 and 1.3, rustls's default cipher suites, and a certificate that
//! can be replaced while connections come in.

use std::io;
use std::sync::Arc;

use parking_lot::RwLock;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{Error, ServerConfig};

use crate::lan::Leaf;

/// The certificate for all new connections, independent of the requested host name. A client that requested
/// another name rejects the certificate.
#[derive(Debug)]
pub(super) struct CertificateResolver(RwLock<Arc<CertifiedKey>>);

impl CertificateResolver {
    /// Fails if the certificate or its key cannot be used.
    pub fn new(leaf: Leaf) -> io::Result<Arc<CertificateResolver>> {
        Ok(Arc::new(CertificateResolver(RwLock::new(certified(leaf)?))))
    }

    /// Replaces the certificate for new connections; existing ones continue. Fails if the certificate or its
    /// key cannot be used.
    pub fn change(&self, leaf: Leaf) -> io::Result<()> {
        *self.0.write() = certified(leaf)?;
        Ok(())
    }

    /// Returns the acceptor that performs TLS handshakes with this certificate.
    pub fn acceptor(self: Arc<CertificateResolver>) -> io::Result<TlsAcceptor> {
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&TLS13, &TLS12])
            .map_err(io::Error::other)?;
        let mut config = config.with_no_client_auth().with_cert_resolver(self);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

impl ResolvesServerCert for CertificateResolver {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().clone())
    }
}

fn certified(leaf: Leaf) -> io::Result<Arc<CertifiedKey>> {
    let key = PrivatePkcs8KeyDer::from(leaf.key).into();
    let chain = vec![CertificateDer::from(leaf.certificate)];
    let key = CertifiedKey::from_der(chain, key, &ring::default_provider());
    key.map(Arc::new).map_err(|cause: Error| io::Error::other(cause))
}
