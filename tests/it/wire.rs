//! A connection on which tests write the bytes themselves, for what no client library sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use ureq::http::{HeaderMap, HeaderName, HeaderValue};

use crate::office::Reply;

/// How long an answer may take before the test has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection.
pub struct Wire(BufReader<TcpStream>);

impl Wire {
    /// Connects.
    pub fn to(address: SocketAddr) -> Wire {
        Wire::over(TcpStream::connect(address).unwrap())
    }

    /// Connects from another loopback address, which other systems do not have.
    #[cfg(any(target_os = "linux", windows))]
    pub fn from(source: std::net::IpAddr, address: SocketAddr) -> Wire {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(source, 0)).unwrap();
        let stream = runtime.block_on(socket.connect(address)).unwrap().into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        Wire::over(stream)
    }

    /// Takes a connection that is there.
    pub fn over(stream: TcpStream) -> Wire {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Wire(BufReader::new(stream))
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Wire {
        self.0.get_mut().write_all(bytes.as_ref()).unwrap();
        self
    }

    /// The next answer.
    pub fn answer(&mut self) -> Reply {
        let (status, headers) = self.head();
        let mut bytes = Vec::new();
        if let Some(length) = headers.get("content-length") {
            let length = length.to_str().unwrap().parse().unwrap();
            self.0.by_ref().take(length).read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len() as u64, length, "the connection ended inside the answer");
        }
        Reply { status, headers, bytes }
    }

    /// The head of the next answer, which has no body: that of a HEAD, or an interim one.
    pub fn head(&mut self) -> (u16, HeaderMap) {
        let line = self.line();
        let status = line.strip_prefix("HTTP/1.").unwrap_or_else(|| panic!("no answer but {line:?}"));
        let status = status[2..5].parse().unwrap();
        let mut headers = HeaderMap::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else { break };
            let name: HeaderName = name.parse().unwrap();
            headers.append(name, HeaderValue::from_str(value.trim()).unwrap());
        }
        assert!(!headers.contains_key("transfer-encoding"), "answers are whole");
        (status, headers)
    }

    /// Whether the server has ended the connection; waits until it has, or says more.
    pub fn is_over(&mut self) -> bool {
        // A reset is an end as well.
        self.0.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    /// Whether no byte of an answer has come so far. Waits for nothing.
    pub fn is_silent(&mut self) -> bool {
        self.0.get_ref().set_nonblocking(true).unwrap();
        let looked = self.0.fill_buf().map(<[u8]>::len);
        self.0.get_ref().set_nonblocking(false).unwrap();
        looked.is_err_and(|cause| cause.kind() == std::io::ErrorKind::WouldBlock)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}
