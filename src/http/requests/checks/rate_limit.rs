//! Counts requests against the limits (contract 8).

use http::Method;

use crate::config::Settings;
use crate::http::answers::problem::Problem;
use crate::http::answers::streams;
use crate::http::requests::api::Api;
use crate::http::requests::request::Request;
use crate::http::requests::route::Route;
use crate::limits::Quota;

impl Api {
    /// Reserves a waiting place for a long poll. Counts every request without such a place (events 20.2).
    pub(in crate::http) fn count_or_wait(
        &self,
        request: &mut Request,
        route: &Route,
        settings: &Settings,
    ) -> Result<(), Problem> {
        if route.is_waiting && streams::may_wait(request) {
            request.waiting_place = self.waiting.wait(request.addresses.peer);
        }
        if request.waiting_place.is_none() {
            return self.count(request, route, settings);
        }
        request.quota = self.quota(request, settings);
        Ok(())
    }

    /// Counts a request against its limit. The next commit stores the counts of writes.
    pub(in crate::http) fn count(
        &self,
        request: &mut Request,
        route: &Route,
        settings: &Settings,
    ) -> Result<(), Problem> {
        let limits = self.app.limits();
        let key = limited_key(request, settings);
        let Some(limit) = daily_limit(&route.method, settings) else {
            return self.count_read(request, settings);
        };
        let admitted = limits.count_write(key, route.key(), limit, self.app.quota_day());
        request.quota = admitted.unwrap_or_else(Some);
        admitted.map(|_| ()).map_err(|quota| Problem::rate_limited(&route.method, &quota))
    }

    /// Counts a request as one to the route with this operation id, whatever its own.
    ///
    /// # Errors
    /// 429 if the limit is reached.
    pub fn count_as(&self, request: &mut Request, id: &str) -> Result<(), Problem> {
        let row = self.table.by_id(id).ok_or_else(|| Problem::internal(format!("no route `{id}`")))?;
        self.count(request, &row.route, &self.app.settings())
    }

    /// Counts a request as a GET, whatever its method.
    pub fn count_read(&self, request: &mut Request, settings: &Settings) -> Result<(), Problem> {
        let max_per_minute = settings.limits.get_per_minute;
        let admitted = self.app.limits().count_read(
            limited_key(request, settings),
            max_per_minute,
            self.app.monotonic(),
        );
        request.quota = admitted.unwrap_or_else(Some);
        admitted.map(|_| ()).map_err(|quota| Problem::rate_limited(&Method::GET, &quota))
    }

    /// Returns the quota for a request that is not counted: one that waits, or that matches no route.
    pub(in crate::http) fn quota(&self, request: &Request, settings: &Settings) -> Option<Quota> {
        let Some(limit) = daily_limit(&request.method, settings) else {
            let max_per_minute = settings.limits.get_per_minute;
            return self.app.limits().read_quota(
                limited_key(request, settings),
                max_per_minute,
                self.app.monotonic(),
            );
        };
        let reset = self.app.quota_day().left_of_day;
        (limit > 0).then_some(Quota { limit, remaining: limit, reset })
    }
}

/// Returns the maximum number of writes a day with this method, where 0 means no limit. `None` for reads.
fn daily_limit(method: &Method, settings: &Settings) -> Option<u32> {
    match *method {
        Method::POST => Some(settings.limits.post_per_day),
        Method::PUT | Method::PATCH => Some(settings.limits.put_per_day),
        Method::DELETE => Some(settings.limits.delete_per_day),
        _ => None,
    }
}

/// Returns the name of the caller's key, if it has limits of its own.
fn limited_key<'r>(request: &'r Request, settings: &Settings) -> Option<&'r str> {
    request.key_name().filter(|_| settings.limits.per_key)
}
