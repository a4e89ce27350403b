//! The way of a request that `checks` admits: its body is read, its handler run, and the answer of a long poll, an
//! event stream or a download completed. A cached record is answered without a handler.

use std::sync::Arc;

use http::{Method, StatusCode};
use parking_lot::Mutex;

use super::api::Api;
use super::body;
use super::checks::Admitted;
use super::request::Request;
use super::route::Route;
use crate::config::Settings;
use crate::http::answers::answer::Answer;
use crate::http::answers::problem::Problem;
use crate::http::answers::{conditional, negotiation, streams};
use crate::http::files::download;
use crate::http::files::upload::{Received, UploadHead};

impl Api {
    /// Admits a request, reads its body, runs its handler, and waits or opens the stream or file of the answer.
    pub(in crate::http) async fn handle(
        self: &Arc<Api>,
        mut request: Request,
    ) -> (Request, Result<Answer, Problem>) {
        let settings = self.app.settings();
        let handler = match self.admit(&mut request, &settings).await {
            Ok(Admitted::Handle(handler)) => handler,
            Ok(Admitted::Answer(answer)) => return (request, Ok(answer)),
            Err(problem) => return (request, Err(problem)),
        };
        if let Some(answer) = self.answer_from_cache(&handler.route, &request) {
            return (request, Ok(answer));
        }
        let writes = handler.route.method != Method::GET;
        let takes_body = writes && handler.route.method != Method::DELETE;
        let read = match takes_body {
            _ if handler.route.takes_file => Box::pin(self.receive_file(&mut request, &settings)).await,
            true => self.read_body(&mut request, handler.route.largest_body).await,
            false => Ok(()),
        };
        let (mut request, answer) = match read {
            Ok(()) => self.run(request, settings.clone(), handler.clone()).await,
            Err(problem) => (request, Err(problem)),
        };
        let answer = match answer {
            // A refused request does not wait, so it counts against the limit.
            Err(problem) if request.waiting_place.take().is_some() => {
                self.count(&mut request, &handler.route, &settings).and(Err(problem))
            }
            answer => answer,
        };
        let answer = match answer {
            Ok(answer) => download::open(answer, &request, &self.app).await,
            Err(problem) => Err(problem),
        };
        let answer = match answer {
            Ok(answer) => Box::pin(streams::run::open(&self.waiting, &self.app, answer, &request)).await,
            Err(problem) => Err(problem),
        };
        let is_refused = |problem: &Problem| problem.status() == StatusCode::UNAUTHORIZED;
        if request.is_signed && answer.as_ref().is_err_and(is_refused) {
            self.delay_bad_token(&request).await;
        }
        if writes && !request.is_count_stored {
            self.store_counts().await;
        }
        let answer = answer.map(|answer| match handler.route.record {
            Some(_) => conditional::unless_named(answer, &request),
            None => answer,
        });
        (request, answer)
    }

    /// Returns the requested record from the cache, if it is there. A request with a query or for another format goes to the
    /// handler. Starts the check for writes of another program, after which the cache is read anew.
    fn answer_from_cache(&self, route: &Route, request: &Request) -> Option<Answer> {
        let kind = route.record.filter(|_| negotiation::takes_json(route, request))?.kind.into();
        // A signed address has no caller; other callers may not see all members.
        (!request.is_signed && request.query.is_empty() && request.caller().rights.nouns.is_all())
            .then_some(())?;
        let text = request.path_parameters.first()?;
        // Ids in any other notation go to the handler.
        let id = text.parse::<u32>().ok().filter(|id| id.to_string() == *text)?;
        self.app.check_external_writes(false);
        let json = self.cache.get(kind, id)?;
        Some(conditional::unless_named(negotiation::varied(route, Answer::record(json)), request))
    }

    /// Reads the body of a request, of at most `largest` bytes.
    pub(in crate::http) async fn read_body(
        &self,
        request: &mut Request,
        largest: usize,
    ) -> Result<(), Problem> {
        request.content = body::read(&mut request.body, &request.headers, largest).await?;
        self.ensure_in_force(request.secret)
    }

    /// Receives a body that is a file or a form with a file.
    async fn receive_file(&self, request: &mut Request, settings: &Settings) -> Result<(), Problem> {
        let received = self.receive_upload(request, settings).await?;
        self.ensure_in_force(request.secret)?;
        request.content = received.to_json();
        request.file = Mutex::new(Some(received.file));
        Ok(())
    }

    pub(in crate::http) async fn receive_upload(
        &self,
        request: &mut Request,
        settings: &Settings,
    ) -> Result<Received, Problem> {
        let largest = u64::from(settings.documents.max_mib) * 1024 * 1024;
        let head = UploadHead { headers: &request.headers, query: &request.parameters, most: largest };
        self.uploads.receive(&mut request.body, head).await
    }
}
