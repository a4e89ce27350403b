//! A raw connection, for bytes that no client library sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use ureq::http::{HeaderMap, HeaderName, HeaderValue};

use crate::office::Reply;

/// Maximum time for a response before a test fails.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

pub struct Wire(BufReader<TcpStream>);

impl Wire {
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

    pub fn over(stream: TcpStream) -> Wire {
        stream.set_read_timeout(Some(READ_TIMEOUT)).unwrap();
        stream.set_nodelay(true).unwrap();
        Wire(BufReader::new(stream))
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> &mut Wire {
        self.0.get_mut().write_all(bytes.as_ref()).unwrap();
        self
    }

    pub fn answer(&mut self) -> Reply {
        let (status, headers) = self.head();
        let mut bytes = Vec::new();
        if let Some(length) = headers.get("content-length") {
            let length = length.to_str().unwrap().parse().unwrap();
            self.0.by_ref().take(length).read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len() as u64, length, "the connection ended inside the response");
        }
        Reply { status, headers, bytes }
    }

    /// Reads the head of the next response, which has no body: a response to HEAD, or an interim one.
    pub fn head(&mut self) -> (u16, HeaderMap) {
        let line = self.line();
        let status = line.strip_prefix("HTTP/1.").unwrap_or_else(|| panic!("not a response: {line:?}"));
        let status = status[2..5].parse().unwrap();
        let mut headers = HeaderMap::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else { break };
            let name: HeaderName = name.parse().unwrap();
            headers.append(name, HeaderValue::from_str(value.trim()).unwrap());
        }
        assert!(!headers.contains_key("transfer-encoding"), "responses are not chunked");
        (status, headers)
    }

    /// Waits until the server ends the connection or sends more. Returns `true` if the connection is over.
    pub fn is_over(&mut self) -> bool {
        // A reset also counts as an end.
        self.0.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    /// Returns `true` if no byte of a response has arrived so far. Does not wait.
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
