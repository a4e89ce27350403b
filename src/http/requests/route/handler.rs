//! Handlers of routes. The argument types of a handler describe the requests of its route, and the result
//! type the responses.

use std::sync::Arc;

use http::Method;

use super::extract::{FromRequest, RoutedRequest};
use crate::domain::Bilingual;
use crate::http::answers::handler_reply::{Reply, Work};
use crate::http::answers::problem::Problem;
use crate::http::json::unknown;
use crate::http::openapi::describe::RoutePart;
use crate::http::requests::call::Call;
use crate::http::requests::route::{MaxPageSize, Route};
use crate::records::{self, Access};

/// A function that handles the requests of a route. It is synchronous, with typed arguments and a [`Reply`].
pub trait Handler<In>: Send + Sync + 'static {
    const RECORD: Option<&'static records::Table>;
    const LISTED: Option<&'static records::Table>;

    /// Reads the arguments and runs the function.
    fn run(&self, routed: &RoutedRequest<'_>) -> Result<Work, Problem>;

    /// Returns the descriptions of the arguments and the reply.
    fn parts() -> Vec<RoutePart>;
}

macro_rules! handler {
    ($($argument:ident)*) => {
        impl<F, $($argument: FromRequest,)* R: Reply> Handler<($($argument,)*)> for F
        where
            F: Fn(&Call<'_>, $($argument),*) -> Result<R, Problem> + Send + Sync + 'static,
        {
            const RECORD: Option<&'static records::Table> = R::RECORD;
            const LISTED: Option<&'static records::Table> = R::LISTED;

            fn run(&self, routed: &RoutedRequest<'_>) -> Result<Work, Problem> {
                if !(false $(|| $argument::READS_QUERY)*) && routed.route.has_unknown_parameters() {
                    unknown::all_parameters(routed)?;
                }
                self(&routed.call, $($argument::from_request(routed)?),*)?.reply(routed)
            }

            fn parts() -> Vec<RoutePart> {
                let mut parts = Vec::new();
                $(parts.extend($argument::parts());)*
                parts.extend(R::parts());
                parts
            }
        }
    };
}

handler!();
handler!(A);
handler!(A B);
handler!(A B C);

/// A handler without its argument types.
pub(in crate::http) type Run = Arc<dyn Fn(&RoutedRequest<'_>) -> Result<Work, Problem> + Send + Sync>;

/// A row of the route table.
#[derive(Clone)]
pub struct RouteHandler {
    pub route: Arc<Route>,
    pub(in crate::http) run: Run,
}

impl RouteHandler {
    fn new<In, H: Handler<In>>(
        method: Method,
        path: &'static str,
        id: &'static str,
        access: Access,
        about: Bilingual,
        handler: H,
    ) -> RouteHandler {
        let mut route = Route::new(method, path, id, access, about, H::parts);
        (route.record, route.listed) = (H::RECORD, H::LISTED);
        RouteHandler { route: Arc::new(route), run: Arc::new(move |routed| handler.run(routed)) }
    }

    fn route(&mut self) -> &mut Route {
        Arc::make_mut(&mut self.route)
    }

    /// Makes the route a list with this maximum page size.
    pub fn paged(mut self, max_page_size: MaxPageSize) -> RouteHandler {
        self.route().max_page_size = Some(max_page_size);
        self
    }

    /// Waits for the index of a table before the handler runs, if the response is no list.
    pub fn looking_up(mut self, table: &'static records::Table) -> RouteHandler {
        self.route().looked_up = Some(table);
        self
    }

    /// Adds an explanation to the route's description.
    pub fn explained(mut self, explanation: Bilingual) -> RouteHandler {
        self.route().explanation = Some(explanation);
        self
    }

    /// Sets the maximum body size, in bytes.
    pub fn taking(mut self, largest_body: usize) -> RouteHandler {
        self.route().largest_body = largest_body;
        self
    }

    /// Makes the route accept a file, or a form with a file.
    pub fn takes_file(mut self) -> RouteHandler {
        self.route().takes_file = true;
        self
    }

    /// Makes a signed URL open the route without a token. The handler must take a [`crate::http::Signature`].
    pub fn signed(mut self) -> RouteHandler {
        self.route().is_signed = true;
        self
    }

    /// Makes the route support long polls. Requests that wait by [`crate::http::answers::streams::WAIT`] are not counted.
    pub fn waiting(mut self) -> RouteHandler {
        self.route().is_waiting = true;
        self
    }

    /// Makes a change that cannot be repeated accept an `Idempotency-Key`. It answers 409 if it was made already.
    pub fn once(mut self) -> RouteHandler {
        self.route().is_once = true;
        self
    }

    /// Makes the route require this too.
    pub fn also(mut self, access: Access) -> RouteHandler {
        self.route().also = Some(access);
        self
    }

    /// Marks a route that the cloud service has too.
    pub fn in_cloud(mut self) -> RouteHandler {
        self.route().is_in_cloud = true;
        self
    }

    /// Makes the route an alias of the route at `path`, which includes the base.
    pub fn alias_of(mut self, path: &'static str) -> RouteHandler {
        self.route().canonical = Some(path);
        self
    }
}

macro_rules! methods {
    ($($name:ident $method:ident),+) => {$(
        pub fn $name<In>(
            path: &'static str,
            id: &'static str,
            access: Access,
            about: Bilingual,
            handler: impl Handler<In>,
        ) -> RouteHandler {
            RouteHandler::new(Method::$method, path, id, access, about, handler)
        }
    )+};
}

methods!(get GET, post POST, put PUT, delete DELETE);
