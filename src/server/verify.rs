//! Connects to the network's listener and verifies its certificate as a client that trusts our authority does.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::time_provider::TimeProvider;
use tokio_rustls::rustls::{CertificateError, ClientConfig, ClientConnection, Error, RootCertStore};

use crate::domain::text::sentences::sentences;
use crate::lan::Root;

sentences! {
lang -> String;

/// The reason why a client that trusts the authority rejects the server.
#[derive(Debug)]
pub enum Refusal {
    /// Nothing answers at the address, or not with TLS.
    Silent(cause: io::Error) => "{cause}";
    Foreign =>
        "o servidor mostra um certificado de outra autoridade, não da que está em ca.pem. Reinicie o servidor",
        "the server shows a certificate of another authority than the one in ca.pem. Restart the server";
    NotYet =>
        "o certificado que o servidor mostra ainda não vale, pelo relógio desta máquina. Acerte a data e a hora",
        "the certificate that the server shows does not hold yet, by this machine's clock. Set date and time";
    Expired =>
        "o certificado que o servidor mostra está vencido, pelo relógio desta máquina. Acerte a data e a hora",
        "the certificate that the server shows has expired, by this machine's clock. Set date and time";
    Name(name: String) =>
        "o certificado que o servidor mostra não tem este nome ou endereço: {name}",
        "the certificate that the server shows does not have this name or address: {name}";
    /// Any other error, in the words of rustls.
    Other(reason: String) =>
        "o certificado que o servidor mostra não é aceito por quem confia na autoridade: {reason}",
        "clients that trust the authority refuse the server's certificate: {reason}";
}
}

/// A fixed time for the handshake.
#[derive(Debug)]
struct FixedTime(UnixTime);

impl TimeProvider for FixedTime {
    fn current_time(&self) -> Option<UnixTime> {
        Some(self.0)
    }
}

/// Verifies the certificate at an address against the authority's key, at the time `now` (in seconds since
/// 1970), for each of `names`. `timeout` is the time-out of each step. The validity of the authority itself is
/// not checked, because clients that trust it need not check it either.
pub fn verify(
    address: SocketAddr,
    root: &Root,
    names: &[String],
    now: i64,
    timeout: Duration,
) -> Result<(), Refusal> {
    let other = |cause: &dyn std::fmt::Display| Refusal::Other(cause.to_string());
    let now = UnixTime::since_unix_epoch(Duration::from_secs(u64::try_from(now).unwrap_or_default()));
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_slice(root.pem.as_bytes()).map_err(|cause| other(&cause))?;
    roots.add(authority).map_err(|cause| other(&cause))?;
    let roots = Arc::new(roots);
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_details(provider.clone(), Arc::new(FixedTime(now)));
    let config = config.with_safe_default_protocol_versions().map_err(|cause| other(&cause))?;
    let config = Arc::new(config.with_root_certificates(roots.clone()).with_no_client_auth());
    let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider).build();
    let verifier = verifier.map_err(|cause| other(&cause))?;

    let server = |name: &String| ServerName::try_from(name.clone()).map_err(|cause| other(&cause));
    let Some(first) = names.first() else { return Ok(()) };
    let mut connection = ClientConnection::new(config, server(first)?).map_err(|cause| other(&cause))?;
    let mut stream = TcpStream::connect_timeout(&address, timeout).map_err(Refusal::Silent)?;
    let bounded =
        stream.set_read_timeout(Some(timeout)).and_then(|()| stream.set_write_timeout(Some(timeout)));
    bounded.map_err(Refusal::Silent)?;
    while connection.is_handshaking() {
        let step = connection.complete_io(&mut stream);
        step.map_err(|cause| match cause.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
            Some(error) => refusal(error, first),
            None => Refusal::Silent(cause),
        })?;
    }
    let Some([certificate, further @ ..]) = connection.peer_certificates() else {
        return Err(Refusal::Silent(io::ErrorKind::UnexpectedEof.into()));
    };
    for name in names {
        let verified = verifier.verify_server_cert(certificate, further, &server(name)?, &[], now);
        verified.map_err(|error| refusal(&error, name))?;
    }
    Ok(())
}

fn refusal(error: &Error, name: &str) -> Refusal {
    match error {
        Error::InvalidCertificate(cause) => match cause {
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => Refusal::NotYet,
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => Refusal::Expired,
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                Refusal::Name(name.to_owned())
            }
            // `BadSignature` means an authority of the same name with another key.
            CertificateError::UnknownIssuer | CertificateError::BadSignature => Refusal::Foreign,
            cause => Refusal::Other(cause.to_string()),
        },
        error => Refusal::Other(error.to_string()),
    }
}
