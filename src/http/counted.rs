//! How requests are counted against the limits (contract 8), and which are not.

use http::Method;

use super::api::Api;
use super::follow;
use super::problem::Problem;
use super::request::Request;
use super::route::Route;
use crate::config::Settings;
use crate::limits::Quota;

impl Api {
    /// Gives a request that may wait a place among those that do; every other one is counted (events 20.2).
    pub(super) fn count_or_wait(
        &self,
        request: &mut Request,
        route: &Route,
        settings: &Settings,
    ) -> Result<(), Problem> {
        if route.is_waiting && follow::may_wait(request) {
            request.place = self.waiting.wait(request.addresses.peer);
        }
        if request.place.is_none() {
            return self.count(request, route, settings);
        }
        request.quota = self.quota(&request.method, settings);
        Ok(())
    }

    /// Counts the request against its limit. The count of a write is stored with whatever is committed next.
    pub(super) fn count(
        &self,
        request: &mut Request,
        route: &Route,
        settings: &Settings,
    ) -> Result<(), Problem> {
        let limits = self.app.limits();
        let per_day = match route.method {
            Method::POST => Some(settings.limits.post_per_day),
            Method::PUT => Some(settings.limits.put_per_day),
            Method::DELETE => Some(settings.limits.delete_per_day),
            _ => None,
        };
        let admitted = match per_day {
            Some(limit) => limits.write(route.key(), limit, self.app.moment()),
            None => limits.read(settings.limits.get_per_minute, self.app.monotonic()),
        };
        request.quota = admitted.unwrap_or_else(Some);
        admitted.map(|_| ()).map_err(|quota| Problem::rate_limited(&route.method, &quota))
    }

    /// How the caller of no route stands: nothing is counted.
    pub(super) fn quota(&self, method: &Method, settings: &Settings) -> Option<Quota> {
        let daily = |limit| {
            let reset = self.app.moment().left_of_day;
            (limit > 0).then_some(Quota { limit, remaining: limit, reset })
        };
        match *method {
            Method::POST => daily(settings.limits.post_per_day),
            Method::PUT | Method::PATCH => daily(settings.limits.put_per_day),
            Method::DELETE => daily(settings.limits.delete_per_day),
            _ => self.app.limits().reads(settings.limits.get_per_minute, self.app.monotonic()),
        }
    }
}
