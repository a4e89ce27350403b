//! What answers a route: a function whose arguments say what it takes, and whose result what it answers.

use std::sync::Arc;

use http::Method;

use super::call::Call;
use super::describe::RoutePart;
use super::input::Take;
use super::problem::Problem;
use super::reply::{Reply, Work};
use super::route::{Largest, Route};
use super::unknown;
use crate::domain::Bilingual;
use crate::records;

/// A function that answers a route: synchronous, from typed input to something that can be replied.
pub trait Handler<In>: Send + Sync + 'static {
    /// Which record it answers with: [`Reply::RECORD`].
    const RECORD: Option<&'static records::Table>;
    /// What it lists: [`Reply::LISTED`].
    const LISTED: Option<&'static records::Table>;

    /// Takes its input from the call and answers it.
    ///
    /// # Errors
    /// What is wrong with the request, or with us.
    fn run(&self, call: &Call<'_>) -> Result<Work, Problem>;

    /// What it takes and answers.
    fn parts() -> Vec<RoutePart>;
}

macro_rules! handler {
    ($($argument:ident)*) => {
        impl<F, $($argument: Take,)* R: Reply> Handler<($($argument,)*)> for F
        where
            F: Fn(&Call<'_>, $($argument),*) -> Result<R, Problem> + Send + Sync + 'static,
        {
            const RECORD: Option<&'static records::Table> = R::RECORD;
            const LISTED: Option<&'static records::Table> = R::LISTED;

            fn run(&self, call: &Call<'_>) -> Result<Work, Problem> {
                if !(false $(|| $argument::READS_QUERY)*) && call.route.ignores_query() {
                    unknown::all_parameters(call)?;
                }
                self(call, $($argument::take(call)?),*)?.reply(call)
            }

            fn parts() -> Vec<RoutePart> {
                [$($argument::parts(),)* R::parts()].into_iter().flatten().collect()
            }
        }
    };
}

handler!();
handler!(A);
handler!(A B);
handler!(A B C);

/// A handler, whatever it takes.
pub(super) type Run = Arc<dyn Fn(&Call<'_>) -> Result<Work, Problem> + Send + Sync>;

/// A row of the route table: a route and its handler.
#[derive(Clone)]
pub struct RouteHandler {
    /// The route.
    pub route: Arc<Route>,
    pub(super) run: Run,
}

impl RouteHandler {
    fn new<In, H: Handler<In>>(
        method: Method,
        path: &'static str,
        id: &'static str,
        about: Bilingual,
        handler: H,
    ) -> RouteHandler {
        let mut route = Route::new(method, path, id, about, H::parts);
        (route.record, route.listed) = (H::RECORD, H::LISTED);
        RouteHandler { route: Arc::new(route), run: Arc::new(move |call| handler.run(call)) }
    }

    fn route(&mut self) -> &mut Route {
        Arc::make_mut(&mut self.route)
    }

    /// A list, whose pages have at most so many records.
    pub fn paged(mut self, largest: Largest) -> RouteHandler {
        self.route().largest = Some(largest);
        self
    }

    /// Tells its callers what they should know.
    pub fn explained(mut self, explanation: Bilingual) -> RouteHandler {
        self.route().explanation = Some(explanation);
        self
    }

    /// A route whose body may have so many bytes.
    pub fn taking(mut self, largest_body: usize) -> RouteHandler {
        self.route().largest_body = largest_body;
        self
    }

    /// A route whose body is a file, or a form with one.
    pub fn takes_file(mut self) -> RouteHandler {
        self.route().takes_file = true;
        self
    }

    /// A route that a signed address opens without a token: its handler has to ask for a [`super::Signature`].
    pub fn signed(mut self) -> RouteHandler {
        self.route().is_signed = true;
        self
    }

    /// A route whose answers may wait: with [`super::follow::WAIT`] its requests are not counted.
    pub fn waiting(mut self) -> RouteHandler {
        self.route().is_waiting = true;
        self
    }

    /// An alias of the route at `path`, the base included.
    pub fn alias_of(mut self, path: &'static str) -> RouteHandler {
        self.route().canonical = Some(path);
        self
    }
}

/// A route that reads.
pub fn get<In>(
    path: &'static str,
    id: &'static str,
    about: Bilingual,
    handler: impl Handler<In>,
) -> RouteHandler {
    RouteHandler::new(Method::GET, path, id, about, handler)
}

/// A route that creates.
pub fn post<In>(
    path: &'static str,
    id: &'static str,
    about: Bilingual,
    handler: impl Handler<In>,
) -> RouteHandler {
    RouteHandler::new(Method::POST, path, id, about, handler)
}

/// A route that changes.
pub fn put<In>(
    path: &'static str,
    id: &'static str,
    about: Bilingual,
    handler: impl Handler<In>,
) -> RouteHandler {
    RouteHandler::new(Method::PUT, path, id, about, handler)
}

/// A route that deletes.
pub fn delete<In>(
    path: &'static str,
    id: &'static str,
    about: Bilingual,
    handler: impl Handler<In>,
) -> RouteHandler {
    RouteHandler::new(Method::DELETE, path, id, about, handler)
}
