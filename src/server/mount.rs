//! The API and the console as a tower service. warp's filters parse its requests.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use futures_util::{Stream, TryStreamExt, stream};
use http::{HeaderMap, HeaderValue, Method, header};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use tower::util::BoxCloneSyncService;
use warp::Filter;
use warp::path::FullPath;
use warp::reply::{Reply as _, Response};

use crate::console::Console;
use crate::http::answers::compression;
use crate::http::{Addresses, Api, Body, Request};
use crate::mcp::Mcp;

pub(super) type HyperRequest = http::Request<hyper::body::Incoming>;
pub(super) type Service = BoxCloneSyncService<HyperRequest, Response, Infallible>;

/// Builds the service for all requests.
pub(super) fn service(api: Arc<Api>, mcp: Arc<Mcp>, console: Arc<Console>) -> Service {
    let answer = warp::method()
        .and(warp::path::full())
        .and(warp::query::raw().or(warp::any().map(String::new)).unify())
        .and(warp::header::headers_cloned())
        .and(warp::ext::get::<Addresses>())
        .and(warp::body::stream())
        .then(move |method, path, query, headers, addresses, body| {
            let request = request(method, &path, query, headers, addresses, body);
            let api = api.clone();
            let console = console.clone();
            let mcp = mcp.clone();
            let age = api.app().standby_age();
            let prefers_gzip = request.prefers_gzip;
            let is_head = request.method == Method::HEAD;
            async move {
                let answer = match request {
                    // Boxed: otherwise the future of every API request would be as large as these.
                    request if console.serves(&request) => Box::pin(console.answer(request)).await,
                    request if mcp.serves(&request) => Box::pin(mcp.answer(request)).await,
                    request => api.answer(request).await,
                };
                let answer = unbuffered(compression::encode(answer, prefers_gzip).await);
                let answer = with_age(answer, age);
                sent(if is_head { without_body(answer) } else { answer })
            }
        });
    BoxCloneSyncService::new(warp::service(answer))
}

/// Tells nginx to pass a stream on as it comes. Otherwise it keeps events back, and lists in files.
fn unbuffered(mut answer: http::Response<Body>) -> http::Response<Body> {
    if matches!(answer.body(), Body::List(_) | Body::Events(_)) {
        answer.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    }
    answer
}

/// Says how old the content of a standby is, in seconds.
fn with_age(mut answer: http::Response<Body>, age: Option<u64>) -> http::Response<Body> {
    if let Some(age) = age {
        answer.headers_mut().insert("pleito-standby-age", age.into());
    }
    answer
}

/// Converts a response for sending: whole, or as a stream that is read as the client takes it.
fn sent(answer: http::Response<Body>) -> Response {
    let (head, body) = answer.into_parts();
    match body {
        Body::Whole(bytes) => Response::from_parts(head, bytes.into()),
        Body::File(part) => {
            let file = warp::reply::stream(part.into_stream()).into_response();
            Response::from_parts(head, file.into_body())
        }
        Body::List(list) => {
            let list = warp::reply::stream(list.into_stream()).into_response();
            Response::from_parts(head, list.into_body())
        }
        Body::Events(mut events) => {
            let events =
                stream::poll_fn(move |cx| events.poll_recv(cx).map(|event| event.map(Ok::<_, Infallible>)));
            Response::from_parts(head, warp::reply::stream(events).into_response().into_body())
        }
        // The API converts these bodies before it returns.
        Body::Content(_) | Body::Feed(_) => Response::from_parts(head, Bytes::new().into()),
    }
}

/// Drops the body of a response to HEAD and keeps its length. hyper does this for HTTP/1.1, but not for HTTP/2.
fn without_body(answer: http::Response<Body>) -> http::Response<Body> {
    let (mut head, body) = answer.into_parts();
    // A file's response has its length already.
    if let Body::Whole(body) = body
        && !body.is_empty()
    {
        head.headers.insert(header::CONTENT_LENGTH, body.len().into());
    }
    http::Response::from_parts(head, Bytes::new().into())
}

fn request<B: Buf>(
    method: Method,
    path: &FullPath,
    query: String,
    headers: HeaderMap,
    addresses: Addresses,
    body: impl Stream<Item = Result<B, warp::Error>> + Send + Sync + 'static,
) -> Request {
    let body = body.map_ok(|mut piece| Frame::data(piece.copy_to_bytes(piece.remaining())));
    let addresses = addresses.behind_proxy(&headers);
    let mut request = Request::new(method, path.as_str().to_owned(), query, headers);
    request.body = StreamBody::new(body.map_err(Into::into)).boxed();
    request.addresses = addresses;
    request
}
