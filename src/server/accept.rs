//! The accept loop, and one connection from its first byte to its end.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

use super::activity::{Activity, HEAD, TrackedStream};
use super::connection_limit::{ConnectionLimit, Permit};
use super::mount::{Arrival, Incoming, Service};

/// How many bytes of a head are taken in before the API, which refuses more than 32 KiB of it, sees it.
const BUFFER: usize = 128 * 1024;
/// How many bytes the headers of an HTTP/2 request may have, unpacked: more than the API takes, so that it is the one to
/// refuse them.
const HEADERS: u32 = 64 * 1024;
/// How many requests one HTTP/2 connection may have at a time.
const STREAMS: u32 = 64;
/// How long requests under way may take once a listener closes: the whole program ends within 10 s (product 3).
const DEADLINE: Duration = Duration::from_secs(8);
/// How long nothing is accepted when the system has no more sockets or memory.
const BREATH: Duration = Duration::from_millis(100);

/// Where connections come in.
pub(super) struct Endpoint {
    pub listener: TcpListener,
    /// What makes a connection TLS; none where it is plain.
    pub tls: Option<TlsAcceptor>,
}

/// Answers what comes in by the endpoint until `stop` says so or its sender is gone. Then nobody is let in any more, what is
/// under way is answered within the deadline, and the rest is cut off.
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
                // Who finds no room is told by the end of the connection: any word would have to be waited for.
                let Some(permit) = limit.enter(peer.ip()) else { continue };
                let connection =
                    Connection { peer, tls: tls.clone(), service: service.clone(), stop: stop.clone() };
                connections.spawn(connection.run(stream, permit));
            }
            // The connection was gone before it was taken.
            Err(cause) if is_of_connection(&cause) => {}
            Err(cause) => {
                if !is_short {
                    tracing::warn!(%cause, "no connection can be accepted");
                }
                is_short = true;
                sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    let done = async { while connections.join_next().await.is_some() {} };
    if timeout(DEADLINE, done).await.is_err() {
        tracing::warn!("some requests were not finished in time");
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

/// What there is to know about one connection.
struct Connection {
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    service: Service,
    stop: watch::Receiver<bool>,
}

impl Connection {
    async fn run(mut self, stream: TcpStream, permit: Permit) {
        // Answers are small and whole: waiting to fill a packet would only delay them.
        let _ = stream.set_nodelay(true);
        let (peer, local) =
            (self.peer.ip().to_canonical(), stream.local_addr().map(|address| address.ip()).ok());
        let Some(acceptor) = self.tls.take() else {
            let arrived = Arrival { peer, local, tls: false, authority: None };
            return self.converse(stream, Protocol::Http1, arrived, &permit.activity).await;
        };
        let shaken = tokio::select! {
            shaken = timeout(HEAD, acceptor.accept(stream)) => shaken,
            _ = permit.activity.end() => return,
            _ = self.stop.wait_for(|stop| *stop) => return,
        };
        // Scanners, and clients that do not trust the certificate, end here: no event.
        let Ok(Ok(stream)) = shaken else { return };
        let protocol = match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => Protocol::Http2,
            _ => Protocol::Http1,
        };
        self.converse(
            stream,
            protocol,
            Arrival { peer, local, tls: true, authority: None },
            &permit.activity,
        )
        .await;
    }

    async fn converse<S>(self, stream: S, protocol: Protocol, arrived: Arrival, activity: &Arc<Activity>)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (service, begun) = (self.service, activity.clone());
        let service = service_fn(move |mut request: Incoming| {
            let authority = request.uri().authority().map(ToString::to_string);
            // CONNECT names a host and no path, and warp panics without one. No tunnel is to be had under any path.
            if request.uri().path_and_query().is_none() {
                *request.uri_mut() = Uri::from_static("/");
            }
            request.extensions_mut().insert(Arrival { authority, ..arrived.clone() });
            let (request_begun, answer) = (begun.begin(), service.clone().oneshot(request));
            async move {
                let answer = answer.await;
                drop(request_begun);
                answer
            }
        });
        // In HTTP/2 the first byte that comes while nothing is answered may be anything.
        let heads = protocol == Protocol::Http1;
        let stream = TokioIo::new(TrackedStream { stream, activity: activity.clone(), heads });
        match protocol {
            Protocol::Http1 => {
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    // The activity times heads.
                    .header_read_timeout(None)
                    // Who has said everything and closes that direction still waits for the answer.
                    .half_close(true)
                    .max_buf_size(BUFFER)
                    .serve_connection(stream, service);
                keep(connection, activity, self.stop).await;
            }
            Protocol::Http2 => {
                let connection = http2::Builder::new(TokioExecutor::new())
                    .timer(TokioTimer::new())
                    .max_concurrent_streams(STREAMS)
                    .max_header_list_size(HEADERS)
                    .serve_connection(stream, service);
                keep(connection, activity, self.stop).await;
            }
        }
    }
}

/// What is spoken on a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Http1,
    Http2,
}

/// Sees to a connection until it ends by itself or has to.
async fn keep<C: GracefulConnection>(connection: C, activity: &Activity, mut stop: watch::Receiver<bool>)
where
    C::Error: std::fmt::Display,
{
    let mut connection: Pin<&mut C> = pin!(connection);
    let mut end = pin!(activity.end());
    let mut is_stopping = false;
    loop {
        tokio::select! {
            biased;
            ended = connection.as_mut() => {
                // A client that goes away half-way is no event.
                if let Err(cause) = ended {
                    tracing::debug!(%cause, "a connection broke");
                }
                return;
            }
            end = &mut end => {
                tracing::debug!(?end, "a connection was closed");
                return;
            }
            _ = stop.wait_for(|stop| *stop), if !is_stopping => {
                is_stopping = true;
                // A request of which not even the head is there has been promised nothing.
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
    use std::convert::Infallible;
    use std::net::Ipv4Addr;

    use bytes::Bytes;
    use http_body_util::{BodyExt, Full};
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::Instant;

    use super::super::activity::IDLE;
    use super::*;

    const ASK: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    /// A connection on a clock that stands still while anybody has something to do: what the client holds, the limit it
    /// came by, and how it stops. The answer takes `handler` and has so many bytes; on the way there is room for 64.
    struct Line {
        client: DuplexStream,
        limit: Arc<ConnectionLimit>,
        stop: watch::Sender<bool>,
        began: Instant,
    }

    fn line(handler: Duration, bytes: usize) -> Line {
        let (client, server) = duplex(64);
        let limit = Arc::new(ConnectionLimit::default());
        let service = tower::service_fn(move |_: Incoming| async move {
            sleep(handler).await;
            let body =
                Full::new(Bytes::from(vec![b'x'; bytes])).map_err(|never| match never {}).boxed_unsync();
            Ok::<_, Infallible>(http::Response::new(body))
        });
        let (peer, local) = (Ipv4Addr::LOCALHOST.into(), None);
        let (stop, stopped) = watch::channel(false);
        let connection = Connection {
            peer: SocketAddr::new(peer, 1),
            tls: None,
            service: Service::new(service),
            stop: stopped,
        };
        let permit = limit.enter(peer).unwrap();
        tokio::spawn(async move {
            let arrived = Arrival { peer, local, tls: false, authority: None };
            connection.converse(server, Protocol::Http1, arrived, &permit.activity).await;
        });
        Line { client, limit, stop, began: Instant::now() }
    }

    impl Line {
        /// Seconds until the server ends the connection; what comes before is read.
        async fn end(&mut self) -> u64 {
            let mut buffer = [0; 4096];
            while self.client.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
            self.began.elapsed().as_secs()
        }

        async fn answer(&mut self) {
            self.client.write_all(ASK).await.unwrap();
            let mut answer = Vec::new();
            while !answer.ends_with(b"\r\n\r\nx") {
                answer.push(self.client.read_u8().await.unwrap());
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_says_nothing_or_half_a_head_has_ten_seconds() {
        assert_eq!(line(Duration::ZERO, 1).end().await, HEAD.as_secs());
        let mut slow = line(Duration::ZERO, 1);
        for byte in &ASK[..5] {
            slow.client.write_u8(*byte).await.unwrap();
            sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(slow.end().await, HEAD.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn who_was_answered_may_be_idle_for_a_minute_and_begin_again() {
        let mut line = line(Duration::ZERO, 1);
        for _ in 0..3 {
            line.answer().await;
            sleep(IDLE - Duration::from_secs(1)).await;
        }
        line.answer().await;
        line.began = Instant::now();
        assert_eq!(line.end().await, IDLE.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn a_further_head_has_ten_seconds_from_its_first_byte_on() {
        let mut line = line(Duration::ZERO, 1);
        line.answer().await;
        sleep(Duration::from_secs(30)).await;
        line.began = Instant::now();
        line.client.write_all(b"GET").await.unwrap();
        sleep(Duration::from_secs(6)).await;
        line.client.write_all(b" /").await.unwrap();
        assert_eq!(line.end().await, HEAD.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_may_take_as_long_as_it_takes() {
        let mut line = line(Duration::from_secs(600), 1);
        line.answer().await;
        assert_eq!(line.began.elapsed().as_secs(), 600);
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_an_answer_slowly_gets_it_and_who_takes_none_of_it_is_left() {
        let mut slow = line(Duration::ZERO, 1000);
        slow.client.write_all(ASK).await.unwrap();
        let mut answer = Vec::new();
        while answer.iter().filter(|byte| **byte == b'x').count() < 1000 {
            sleep(IDLE - Duration::from_secs(1)).await;
            let mut piece = [0; 64];
            let read = slow.client.read(&mut piece).await.unwrap();
            assert!(read > 0, "cut off after {} bytes", answer.len());
            answer.extend_from_slice(&piece[..read]);
        }
        let mut gone = line(Duration::ZERO, 1000);
        gone.client.write_all(ASK).await.unwrap();
        sleep(3 * IDLE).await;
        assert!(gone.client.write_all(ASK).await.is_err(), "nobody listens any more");
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_connection_makes_room_at_once_and_one_that_waits_for_its_answer_does_not() {
        let mut quiet = line(Duration::ZERO, 1);
        quiet.answer().await;
        let limit = quiet.limit.clone();
        let fill = |limit: &Arc<ConnectionLimit>| {
            (0..64).filter_map(|_| limit.enter(Ipv4Addr::LOCALHOST.into())).collect::<Vec<_>>()
        };
        let others = fill(&limit);
        assert_eq!((others.len(), quiet.end().await), (64, 0));

        let mut busy = line(Duration::from_secs(5), 1);
        busy.client.write_all(ASK).await.unwrap();
        sleep(Duration::from_secs(1)).await;
        let _others = fill(&busy.limit);
        busy.stop.send(true).unwrap();
        assert_eq!(busy.end().await, 5, "it is answered although it has to go");
    }

    #[tokio::test(start_paused = true)]
    async fn who_stops_waits_for_no_head() {
        for said in [&b""[..], b"GET / HT"] {
            let mut line = line(Duration::ZERO, 1);
            line.client.write_all(said).await.unwrap();
            sleep(Duration::from_secs(1)).await;
            line.stop.send(true).unwrap();
            assert_eq!(line.end().await, 1);
        }
    }
}
