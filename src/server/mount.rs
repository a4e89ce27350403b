//! The API and the console as a tower service, whose requests warp's filters take apart.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use futures_util::{StreamExt, TryStreamExt};
use http::{HeaderMap, Method, header};
use tower::util::BoxCloneSyncService;
use warp::Filter;
use warp::path::FullPath;
use warp::reply::Response;

use super::activity::Exchange;
use crate::console::{self, Console};
use crate::http::coding::{self, Coding};
use crate::http::{Api, Request};

/// Both ends of a connection.
#[derive(Clone, Copy)]
pub(super) struct Addresses {
    /// Who sends the requests.
    pub peer: IpAddr,
    /// The address that they reach.
    pub local: Option<IpAddr>,
    pub tls: bool,
}

/// How a request arrived: an extension of the request.
#[derive(Clone)]
pub(super) struct Arrival {
    pub addresses: Addresses,
    /// The host of an absolute request or of HTTP/2.
    pub authority: Option<String>,
    pub exchange: Arc<Exchange>,
}

pub(super) type HyperRequest = http::Request<hyper::body::Incoming>;
pub(super) type Service = BoxCloneSyncService<HyperRequest, Response, Infallible>;

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
            let (coding, is_head) = (request.coding, request.method == Method::HEAD);
            async move {
                let answer = match console.filter(|_| console::owns(&request.path)) {
                    // In a box of its own: every request of the API would have to carry the room that it takes.
                    Some(console) => Box::pin(console.answer(&mut request)).await,
                    None => api.answer(&mut request).await,
                };
                let answer = coding::encode(answer, coding).await;
                let answer = if is_head { without_body(answer) } else { answer };
                let (head, body) = answer.into_parts();
                Response::from_parts(head, body.into())
            }
        });
    BoxCloneSyncService::new(warp::service(answer))
}

/// The answer to HEAD: how long the body would be, and nothing of it. HTTP/1.1 does so by itself, HTTP/2 does not.
fn without_body(answer: http::Response<Bytes>) -> http::Response<Bytes> {
    let (mut head, body) = answer.into_parts();
    if !body.is_empty() {
        head.headers.insert(header::CONTENT_LENGTH, body.len().into());
    }
    http::Response::from_parts(head, Bytes::new())
}

fn request<B: Buf>(
    method: Method,
    path: &FullPath,
    query: String,
    headers: HeaderMap,
    arrival: Arrival,
    body: impl futures_util::Stream<Item = Result<B, warp::Error>> + Send + 'static,
) -> Request {
    let Arrival { addresses: Addresses { peer, local, tls }, authority, exchange: connection } = arrival;
    let coding = Coding::preferred(&headers);
    let body = body.map_ok(|mut piece| piece.copy_to_bytes(piece.remaining())).map_err(|_| ()).boxed();
    let path = path.as_str().to_owned();
    Request { method, path, query, authority, headers, coding, body, peer, local, tls, connection }
}
