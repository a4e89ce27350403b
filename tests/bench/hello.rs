//! The baseline: hyper alone, over loopback, with a response of `--bytes` bytes.

use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::Full;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::Options;

pub fn run(options: &Options) {
    let body = Bytes::from(vec![b'x'; usize::try_from(options.number("bytes")).unwrap()]);
    // Pleito's server uses two threads for the network as well.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind(options.text("listen")).await.expect("a free port");
        loop {
            let Ok((stream, _)) = listener.accept().await else { continue };
            let _ = stream.set_nodelay(true);
            let body = body.clone();
            let answer = move |_: Request<hyper::body::Incoming>| {
                let response = Response::builder().header("content-type", "application/json");
                std::future::ready(Ok::<_, Infallible>(response.body(Full::new(body.clone())).unwrap()))
            };
            tokio::spawn(async move {
                let _ =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(answer)).await;
            });
        }
    });
}
