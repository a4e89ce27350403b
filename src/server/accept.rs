//! The accept loop: a bound on connections, time-outs, and a stop with a deadline.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

use super::mount::{Arrival, Incoming, Service};

/// How many connections there may be at a time (product 5).
const CONNECTIONS: usize = 1024;
/// How long a request's head may take, and a connection be idle.
const HEAD: Duration = Duration::from_secs(30);
/// How many bytes of a head are taken in before the API, which refuses more than 32 KiB of it, sees it.
const BUFFER: usize = 128 * 1024;
/// How long requests under way may take once the server stops.
const DEADLINE: Duration = Duration::from_secs(10);
/// How long nothing is accepted when the system has no more sockets or memory.
const BREATH: Duration = Duration::from_millis(100);

pub(super) async fn run(listener: TcpListener, service: Service, mut stop: watch::Receiver<bool>) {
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &permits) => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        match accepted {
            Ok((stream, peer, permit)) => connect(stream, peer, permit, &service, &graceful),
            Err(cause) => {
                tracing::warn!(%cause, "no connection could be accepted");
                sleep(BREATH).await;
            }
        }
    }
    drop(listener);
    if timeout(DEADLINE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were not finished in time");
    }
}

async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = permits.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, permit))
}

fn connect(
    stream: TcpStream,
    peer: SocketAddr,
    permit: OwnedSemaphorePermit,
    service: &Service,
    graceful: &GracefulShutdown,
) {
    // Answers are small and whole: waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let local = stream.local_addr().map(|address| address.ip()).ok();
    let service = service.clone().map_request(move |mut request: Incoming| {
        let authority = request.uri().authority().map(ToString::to_string);
        // CONNECT names a host and no path, and warp panics without one. No tunnel is to be had under any path.
        if request.uri().path_and_query().is_none() {
            *request.uri_mut() = Uri::from_static("/");
        }
        request.extensions_mut().insert(Arrival { peer: peer.ip(), local, authority });
        request
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        // Who has said everything and closes that direction still waits for the answer.
        .half_close(true)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // A client that goes away half-way is no event.
        if let Err(cause) = connection.await {
            tracing::debug!(%cause, "a connection broke");
        }
        drop(permit);
    });
}
