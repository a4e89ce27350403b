//! The accept loop, and the handling of one connection from its first byte to its end.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use http::header::{HOST, HeaderValue};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

use super::activity::{Activity, HEAD_TIMEOUT};
use super::connection_limit::ConnectionLimit;
use super::mount::{HyperRequest, Service};
use super::tracked::{TrackedBody, TrackedStream};
use crate::http::Addresses;

/// Buffer for the head of an HTTP/1.1 request, in bytes. Exceeds the API's limit of 32 KiB, so that the API
/// refuses larger heads itself.
const BUFFER: usize = 128 * 1024;
/// Maximum size of an HTTP/2 request's headers in bytes, uncompressed and with 32 bytes added for each.
/// Exceeds the API's limit, so that the API refuses larger headers itself.
const MAX_HEADER_BYTES: u32 = 40 * 1024;
/// Maximum number of concurrent requests on one HTTP/2 connection. Bounds the memory that the connections of a
/// client can hold, with or without a token. Further requests wait for their turn.
const MAX_STREAMS_OF_CONNECTION: u32 = 16;
/// HTTP/2 flow-control window: bytes of bodies that a client may send before they are read. This is the
/// protocol's default.
const WINDOW: u32 = 65_535;
/// Bytes of a response that HTTP/2 buffers until the client reads them.
const MAX_SEND_BUFFER_BYTES: usize = 64 * 1024;
/// Time for requests in progress after a listener closes. The whole program ends within 10 s (product 3).
const DEADLINE: Duration = Duration::from_secs(8);
/// Pause of the accept loop if the system has no more sockets or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Number of connections that the system completes before they are accepted. If the backlog is full, the system
/// drops the first packets of further clients, which send them again after a second.
const BACKLOG: u32 = 1024;

/// A listening socket and its TLS configuration.
pub(super) struct Endpoint {
    pub listener: TcpListener,
    /// `None` for plain HTTP.
    pub tls: Option<TlsAcceptor>,
}

/// Binds an address and listens on it. Fails if another program uses the address, or if this machine does not have it.
pub(super) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Allows a restart to bind the address at once. On Windows, the option would let two programs share it.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves the endpoint until `stop` is `true` or its sender is dropped. Then it accepts no more connections,
/// finishes the requests in progress within [`DEADLINE`], and cuts off the rest.
pub(super) async fn run(
    endpoint: Endpoint,
    service: Service,
    limit: Arc<ConnectionLimit>,
    mut stop: watch::Receiver<bool>,
) {
    let Endpoint { listener, tls } = endpoint;
    let mut connections = JoinSet::new();
    let mut is_short = false;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                is_short = false;
                // If there is no room, closes the connection without a response, which would have to wait for
                // the client.
                let Some(permit) = limit.admit(peer.ip()) else { continue };
                let connection =
                    Connection { peer, tls: tls.clone(), service: service.clone(), stop: stop.clone() };
                // Ended tasks keep their memory until they are joined. If a client opens thousands of
                // connections a second, the `select!` above joins too few of them.
                while connections.try_join_next().is_some() {}
                connections.spawn(async move {
                    connection.run(stream).await;
                    drop(permit);
                });
            }
            // The client closed the connection before it was accepted.
            Err(cause) if is_of_connection(&cause) => {}
            Err(cause) => {
                if !is_short {
                    tracing::warn!(%cause, "connections cannot be accepted");
                }
                is_short = true;
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    let done = async { while connections.join_next().await.is_some() {} };
    if timeout(DEADLINE, done).await.is_err() {
        tracing::warn!("some requests were cut off: they did not finish in time");
    }
}

fn is_of_connection(cause: &io::Error) -> bool {
    matches!(
        cause.kind(),
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionRefused
            | ErrorKind::Interrupted
    )
}

/// A connection that was accepted.
struct Connection {
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    service: Service,
    stop: watch::Receiver<bool>,
}

impl Connection {
    async fn run(mut self, stream: TcpStream) {
        // Responses are small and written whole. Waiting to fill a packet would only delay them.
        let _ = stream.set_nodelay(true);
        let local = stream.local_addr().map(|address| address.ip()).ok();
        let addresses = Addresses { peer: self.peer.ip().to_canonical(), local, tls: self.tls.is_some() };
        let Some(acceptor) = self.tls.take() else {
            return self.converse(stream, Protocol::Http1, addresses).await;
        };
        let shaken = tokio::select! {
            shaken = timeout(HEAD_TIMEOUT, acceptor.accept(stream)) => shaken,
            _ = self.stop.wait_for(|stop| *stop) => return,
        };
        // Port scanners, and clients that do not trust the certificate, end here without a log entry.
        let Ok(Ok(stream)) = shaken else { return };
        let protocol = match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => Protocol::Http2,
            _ => Protocol::Http1,
        };
        self.converse(stream, protocol, addresses).await;
    }

    async fn converse<S>(self, stream: S, protocol: Protocol, addresses: Addresses)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let activity = Activity::new();
        let service = self.service;
        let tracked = activity.clone();
        let service = service_fn(move |mut request: HyperRequest| {
            name_host(&mut request);
            // CONNECT has a host and no path, and warp panics without a path. No route accepts CONNECT anyway.
            if request.uri().path_and_query().is_none() {
                *request.uri_mut() = Uri::from_static("/");
            }
            request.extensions_mut().insert(addresses);
            let activity = tracked.clone();
            let exchange = activity.begin();
            let answer = service.clone().oneshot(request);
            async move {
                let answer = answer.await;
                drop(exchange);
                answer.map(|answer| answer.map(|body| TrackedBody::new(body, activity)))
            }
        });
        match protocol {
            Protocol::Http1 => {
                let stream = TokioIo::new(TrackedStream { stream, activity: activity.clone() });
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    // `Activity` has its own time-out for heads.
                    .header_read_timeout(None)
                    // A client may close its sending side and still read the response.
                    .half_close(true)
                    .max_buf_size(BUFFER)
                    .serve_connection(stream, service);
                keep(connection, &activity, self.stop).await;
            }
            Protocol::Http2 => {
                let connection = http2::Builder::new(TokioExecutor::new())
                    .timer(TokioTimer::new())
                    .max_concurrent_streams(MAX_STREAMS_OF_CONNECTION)
                    .max_header_list_size(MAX_HEADER_BYTES)
                    .initial_stream_window_size(WINDOW)
                    .initial_connection_window_size(WINDOW)
                    .max_send_buf_size(MAX_SEND_BUFFER_BYTES)
                    .serve_connection(TokioIo::new(stream), service);
                keep(connection, &activity, self.stop).await;
            }
        }
    }
}

/// Replaces the `Host` header with the authority of an absolute or HTTP/2 request target, which takes
/// precedence (RFC 9112, 3.2.2). Leaves several `Host` headers unchanged, because they are ambiguous.
fn name_host(request: &mut HyperRequest) {
    let authority = request.uri().authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok());
    if let Some(host) = authority.filter(|_| request.headers().get_all(HOST).iter().nth(1).is_none()) {
        request.headers_mut().insert(HOST, host);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Http1,
    Http2,
}

/// Runs a connection until it ends by itself or has to be closed.
async fn keep<C: GracefulConnection>(connection: C, activity: &Activity, mut stop: watch::Receiver<bool>)
where
    C::Error: std::fmt::Display,
{
    let mut connection: Pin<&mut C> = pin!(connection);
    let mut overdue = pin!(activity.overdue());
    let mut is_stopping = false;
    loop {
        tokio::select! {
            biased;
            ended = connection.as_mut() => {
                // Clients that disconnect early are normal, and not worth a warning.
                if let Err(cause) = ended {
                    tracing::debug!(%cause, "a connection broke");
                }
                return;
            }
            () = &mut overdue => {
                tracing::debug!("a connection was closed: its time-out has passed");
                return;
            }
            _ = stop.wait_for(|stop| *stop), if !is_stopping => {
                is_stopping = true;
                // A request without a complete head need not be answered.
                if activity.awaits_head() {
                    return;
                }
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::Instant;
    use warp::Reply;

    use super::super::activity::IDLE_TIMEOUT;
    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const PEER: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

    /// A test connection on a paused clock, which advances only while all tasks are idle. The pipe holds 64
    /// bytes.
    struct Line {
        client: DuplexStream,
        stop: watch::Sender<bool>,
        began: Instant,
    }

    /// Opens a connection whose responses take `handler` and have `bytes` bytes, if there is room for it.
    fn connect(
        limit: &Arc<ConnectionLimit>,
        protocol: Protocol,
        handler: Duration,
        bytes: usize,
    ) -> Option<Line> {
        let permit = limit.admit(PEER)?;
        let (client, server) = duplex(64);
        let service = tower::service_fn(move |_: HyperRequest| async move {
            sleep(handler).await;
            Ok(vec![b'x'; bytes].into_response())
        });
        let (stop, stopped) = watch::channel(false);
        let connection = Connection {
            peer: SocketAddr::new(PEER, 1),
            tls: None,
            service: Service::new(service),
            stop: stopped,
        };
        tokio::spawn(async move {
            let addresses = Addresses { peer: PEER, local: None, tls: false };
            connection.converse(server, protocol, addresses).await;
            drop(permit);
        });
        Some(Line { client, stop, began: Instant::now() })
    }

    fn line(handler: Duration, bytes: usize) -> Line {
        connect(&Arc::default(), Protocol::Http1, handler, bytes).unwrap()
    }

    impl Line {
        /// Reads until the server ends the connection, and returns the seconds that this took.
        async fn end(&mut self) -> u64 {
            let mut buffer = [0; 4096];
            while self.client.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
            self.began.elapsed().as_secs()
        }

        async fn request(&mut self) {
            self.client.write_all(REQUEST).await.unwrap();
            let mut answer = Vec::new();
            while !answer.ends_with(b"\r\n\r\nx") {
                answer.push(self.client.read_u8().await.unwrap());
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_head_must_arrive_within_ten_seconds() {
        assert_eq!(line(Duration::ZERO, 1).end().await, HEAD_TIMEOUT.as_secs());
        let mut slow = line(Duration::ZERO, 1);
        for byte in &REQUEST[..5] {
            slow.client.write_u8(*byte).await.unwrap();
            sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(slow.end().await, HEAD_TIMEOUT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_may_be_idle_for_a_minute_between_requests() {
        let mut line = line(Duration::ZERO, 1);
        for _ in 0..3 {
            line.request().await;
            sleep(IDLE_TIMEOUT - Duration::from_secs(1)).await;
        }
        line.request().await;
        line.began = Instant::now();
        assert_eq!(line.end().await, IDLE_TIMEOUT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn a_later_request_head_must_arrive_within_ten_seconds_of_its_first_byte() {
        let mut line = line(Duration::ZERO, 1);
        line.request().await;
        sleep(Duration::from_secs(30)).await;
        line.began = Instant::now();
        line.client.write_all(b"GET").await.unwrap();
        sleep(Duration::from_secs(6)).await;
        line.client.write_all(b" /").await.unwrap();
        assert_eq!(line.end().await, HEAD_TIMEOUT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn no_time_out_of_the_connection_applies_while_a_request_is_handled() {
        let ten_minutes = Duration::from_secs(600);
        let mut line = line(ten_minutes, 1);
        line.request().await;
        assert_eq!(line.began.elapsed(), ten_minutes);
        line.began = Instant::now();
        assert_eq!(line.end().await, IDLE_TIMEOUT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn slow_readers_get_the_response_and_clients_that_stop_reading_are_disconnected() {
        let mut slow = line(Duration::ZERO, 1000);
        slow.client.write_all(REQUEST).await.unwrap();
        let mut answer = Vec::new();
        while answer.iter().filter(|byte| **byte == b'x').count() < 1000 {
            sleep(IDLE_TIMEOUT - Duration::from_secs(1)).await;
            let mut piece = [0; 64];
            let read = slow.client.read(&mut piece).await.unwrap();
            assert!(read > 0, "cut off after {} bytes", answer.len());
            answer.extend_from_slice(&piece[..read]);
        }
        let mut gone = line(Duration::ZERO, 1000);
        gone.client.write_all(REQUEST).await.unwrap();
        sleep(3 * IDLE_TIMEOUT).await;
        assert!(gone.client.write_all(REQUEST).await.is_err(), "the server has closed the connection");
    }

    /// Returns an HTTP/2 frame (RFC 9113, 4.1).
    fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
        let length = u8::try_from(payload.len()).unwrap();
        [&[0, 0, length, kind, flags, 0, 0, 0, stream], payload].concat()
    }

    #[tokio::test(start_paused = true)]
    async fn an_http2_client_that_only_sends_pings_is_disconnected() {
        let line = connect(&Arc::default(), Protocol::Http2, Duration::ZERO, 100_000).unwrap();
        let (mut reader, mut writer) = tokio::io::split(line.client);
        let ended = tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while reader.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
            line.began.elapsed()
        });
        // A window of 0 for responses, then GET / for host `a`.
        let settings = frame(4, 0, 0, &[0, 4, 0, 0, 0, 0]);
        let request = frame(1, 5, 1, b"\x82\x84\x86\x01\x01a");
        writer
            .write_all(&[b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &settings[..], &request].concat())
            .await
            .unwrap();
        let keeping = async {
            while writer.write_all(&frame(6, 0, 0, b"12345678")).await.is_ok() {
                sleep(Duration::from_secs(5)).await;
            }
        };
        timeout(10 * IDLE_TIMEOUT, keeping).await.unwrap();
        assert!(ended.await.unwrap() < IDLE_TIMEOUT + Duration::from_secs(1));
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_whose_slow_clients_hold_all_its_connections_has_them_back_after_the_time_out() {
        let limit = Arc::default();
        let connect = || connect(&limit, Protocol::Http1, Duration::ZERO, 1);
        let mut slow = std::iter::from_fn(connect).collect::<Vec<_>>();
        assert_eq!(slow.len(), 64);
        for second in 1..=HEAD_TIMEOUT.as_secs() {
            for line in &mut slow {
                line.client.write_u8(b'G').await.unwrap();
            }
            assert!(connect().is_none(), "second {second}");
            assert!(limit.admit(IpAddr::V4(Ipv4Addr::LOCALHOST)).is_some(), "this machine is counted apart");
            sleep(Duration::from_secs(1)).await;
        }
        sleep(Duration::from_millis(1)).await;
        connect().unwrap().request().await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_in_progress_is_answered_although_the_server_stops() {
        let mut busy = line(Duration::from_secs(5), 1);
        busy.client.write_all(REQUEST).await.unwrap();
        sleep(Duration::from_secs(1)).await;
        busy.stop.send(true).unwrap();
        assert_eq!(busy.end().await, 5);
    }

    #[tokio::test(start_paused = true)]
    async fn stopping_does_not_wait_for_a_request_head() {
        for sent in [&b""[..], b"GET / HT"] {
            let mut line = line(Duration::ZERO, 1);
            line.client.write_all(sent).await.unwrap();
            sleep(Duration::from_secs(1)).await;
            line.stop.send(true).unwrap();
            assert_eq!(line.end().await, 1);
        }
    }
}
