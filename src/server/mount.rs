//! The API and the console as a tower service: warp's filters take the request apart, compression is around them.

use std::convert::Infallible;
use std::future::ready;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use futures_util::{StreamExt, TryStreamExt};
use http::{HeaderMap, HeaderValue, Method, header};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use tower::util::BoxCloneSyncService;
use tower::{Layer, Service as _, ServiceExt};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use warp::Filter;
use warp::path::FullPath;
use warp::reply::Response;

use crate::console::{self, Console};
use crate::http::{Api, Request, tag_of_coding};

/// Bodies over 1 KiB are compressed for whoever asks (contract 1).
const SMALLEST_COMPRESSED: u64 = 1025;

/// Who sent a request, and where it arrived: an extension of the request.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    pub peer: IpAddr,
    pub local: Option<IpAddr>,
    pub tls: bool,
    /// The host of an absolute request or of HTTP/2.
    pub authority: Option<String>,
}

pub(super) type Incoming = http::Request<hyper::body::Incoming>;
pub(super) type Outgoing = http::Response<UnsyncBoxBody<Bytes, io::Error>>;
pub(super) type Service = BoxCloneSyncService<Incoming, Outgoing, Infallible>;

/// The service that answers every request.
pub(super) fn service(api: Arc<Api>, console: Option<Arc<Console>>) -> Service {
    let answer = warp::method()
        .and(warp::path::full())
        .and(warp::query::raw().or(warp::any().map(String::new)).unify())
        .and(warp::header::headers_cloned())
        .and(warp::ext::get::<Arrival>())
        .and(warp::body::stream())
        .then(move |method, path, query, headers, arrival, body| {
            let mut request = request(method, &path, query, headers, arrival, body);
            let (api, console) = (api.clone(), console.clone());
            async move {
                let answer = match console.filter(|_| console::owns(&request.path)) {
                    // In a box of its own: every request of the API would have to carry the room that it takes.
                    Some(console) => Box::pin(console.answer(&mut request)).await,
                    None => api.answer(&mut request).await,
                };
                let (head, body) = answer.into_parts();
                Response::from_parts(head, body.into())
            }
        });
    let filters = warp::service(answer);
    BoxCloneSyncService::new(tower::service_fn(move |request: Incoming| {
        let codings = request.headers().get_all(header::ACCEPT_ENCODING).iter().cloned().collect();
        let answered = filters.clone().call(request);
        async move { Ok(packed(answered.await?, codings).await) }
    }))
}

/// The answer as it goes out to somebody who takes these codings, the values of `Accept-Encoding`.
async fn packed(answer: Response, codings: Vec<HeaderValue>) -> Outgoing {
    let worth_it = SizeAbove::new(SMALLEST_COMPRESSED);
    // What can compress takes six kilobytes; an answer that is short does not carry them along.
    if !worth_it.should_compress(&answer) {
        return answer.map(boxed);
    }
    let status = answer.status();
    let mut request = http::Request::new(answer);
    for coding in codings {
        request.headers_mut().append(header::ACCEPT_ENCODING, coding);
    }
    let answer = tower::service_fn(|request: http::Request<Response>| ready(Ok(request.into_body())));
    let compression = CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_it);
    let Ok::<_, Infallible>(mut answer) = Box::pin(compression.layer(answer).oneshot(request)).await;
    // Who takes no coding at all would be told 406 with the answer behind it, also where a write was done. Such a wish may
    // be disregarded (RFC 9110, 12.5.3).
    *answer.status_mut() = status;
    tag_of_coding(answer.map(boxed))
}

fn boxed<B>(body: B) -> UnsyncBoxBody<Bytes, io::Error>
where
    B: hyper::body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<tower::BoxError>,
{
    body.map_err(io::Error::other).boxed_unsync()
}

fn request<B: Buf>(
    method: Method,
    path: &FullPath,
    query: String,
    headers: HeaderMap,
    arrival: Arrival,
    body: impl futures_util::Stream<Item = Result<B, warp::Error>> + Send + 'static,
) -> Request {
    let Arrival { peer, local, tls, authority } = arrival;
    let body = body.map_ok(|mut piece| piece.copy_to_bytes(piece.remaining())).map_err(|_| ()).boxed();
    Request { method, path: path.as_str().to_owned(), query, authority, headers, body, peer, local, tls }
}
