//! What a connection is about at the moment, and for how long it may be: the time-outs of product 5.
//!
//! hyper has one time-out for heads and for being idle; here they differ, and both count for HTTP/2 as well.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::timeout;

/// How long a TLS handshake may take, and each request's head from its first byte on; the first one from the connection
/// on.
pub(super) const HEAD: Duration = Duration::from_secs(10);
/// How long a connection may be idle, and how long nobody may take any of an answer.
pub(super) const IDLE: Duration = Duration::from_secs(60);

/// What is going on.
pub(super) struct Activity {
    /// How many requests are being answered.
    requests: AtomicU32,
    /// Whether the head of a request is awaited: the first one, and a further one from its first byte on.
    head: AtomicBool,
    displaced: AtomicBool,
    /// When something happened last, in the order of what happens on all connections: nobody has to look at a clock.
    last_active: AtomicU64,
    order: Arc<AtomicU64>,
    changed: Notify,
}

/// Why a connection is closed without a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// What was expected has not come in time.
    Overdue,
    /// Another one needs its place.
    Displaced,
}

/// A request that is being answered.
pub(super) struct Request(Arc<Activity>);

impl Activity {
    /// That of a new connection among those that share that order.
    pub fn new(order: Arc<AtomicU64>) -> Activity {
        let activity = Activity {
            requests: AtomicU32::new(0),
            head: AtomicBool::new(true),
            displaced: AtomicBool::new(false),
            last_active: AtomicU64::new(0),
            order,
            changed: Notify::new(),
        };
        activity.progress();
        activity
    }

    /// Something has come or gone, be it a byte.
    pub fn progress(&self) {
        self.last_active.store(self.order.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    /// A request's head is there. It is being answered until what this returns is dropped.
    pub fn begin(self: &Arc<Activity>) -> Request {
        self.requests.fetch_add(1, Ordering::AcqRel);
        self.head.store(false, Ordering::Release);
        self.progress();
        Request(self.clone())
    }

    /// The first byte of a further request. Nothing else is heard from who is done with the one before.
    fn head_begins(&self) {
        self.progress();
        if !self.is_working() && !self.head.swap(true, Ordering::AcqRel) {
            self.changed.notify_one();
        }
    }

    /// Whether a head has begun, or none has come yet, and nothing is answered.
    pub fn awaits_head(&self) -> bool {
        self.head.load(Ordering::Acquire) && !self.is_working()
    }

    pub fn is_working(&self) -> bool {
        self.requests.load(Ordering::Acquire) > 0
    }

    /// When something happened last, in the order that all connections share.
    pub fn last_active(&self) -> u64 {
        self.last_active.load(Ordering::Relaxed)
    }

    pub fn displace(&self) {
        self.displaced.store(true, Ordering::Release);
        self.changed.notify_one();
    }

    pub fn is_displaced(&self) -> bool {
        self.displaced.load(Ordering::Acquire)
    }

    /// Waits until the connection has to end.
    pub async fn end(&self) -> End {
        loop {
            let changed = self.changed.notified();
            if self.is_working() {
                changed.await;
                continue;
            }
            // Whoever began a request just then is answered first.
            if self.is_displaced() {
                return End::Displaced;
            }
            // A head has its time however much of it has come by then; of the rest, any byte is a new beginning.
            let patience = if self.awaits_head() { HEAD } else { IDLE };
            if timeout(patience, changed).await.is_err() && !self.is_working() {
                return End::Overdue;
            }
        }
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        self.0.progress();
        if self.0.requests.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.changed.notify_one();
        }
    }
}

/// A stream whose bytes are tracked.
pub(super) struct TrackedStream<S> {
    pub stream: S,
    pub activity: Arc<Activity>,
    /// Whether the first byte that comes while nothing is answered begins a head. In HTTP/2 it may be anything.
    pub heads: bool,
}

impl<S: AsyncRead + Unpin> AsyncRead for TrackedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if buf.filled().len() > before && self.heads {
            self.activity.head_begins();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TrackedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.wrote(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.wrote(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl<S> TrackedStream<S> {
    fn wrote(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.activity.progress();
            if !self.activity.is_working() && !self.activity.awaits_head() {
                self.activity.changed.notify_one();
            }
        }
        written
    }
}
