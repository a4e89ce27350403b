//! Figures for a monitoring system (always 45.2): answered requests, and the state of the office at the moment. They name no
//! person, no record and no key.

use std::fmt;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::log::RequestEntry;

/// Upper bounds of the histogram's buckets, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// Method and route of requests whose path may be made up.
const OTHER: &str = "-";

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

/// Answered requests since the start.
pub struct Metrics {
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabel, Histogram, fn() -> Histogram>,
}

/// The state of the office at a moment.
#[derive(Debug)]
pub struct OfficeState {
    /// Writes that wait for the writer.
    pub queued_writes: u64,
    /// Commits that changed a record or a list since the start.
    pub commits: u64,
    /// Length of the database file, in bytes.
    pub store_size: u64,
    /// Length of the write-ahead log, in bytes.
    pub log_size: u64,
    /// Length of all contents of documents, in bytes.
    pub documents_size: u64,
    /// Seconds since the newest backup. `None` without one.
    pub backup_age: Option<u64>,
    pub is_backup_failed: bool,
    pub is_write_failed: bool,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let durations = Family::new_with_constructor((|| Histogram::new(BUCKETS)) as fn() -> Histogram);
        Metrics { requests: Family::default(), durations }
    }
}

impl Metrics {
    /// Counts a request under its route. Paths of the console are in no table, so they count under `-` unless a page
    /// was found for a person who has signed in.
    pub fn count(&self, request: &RequestEntry<'_>) {
        let is_known =
            !request.route.starts_with("/console") || request.is_authenticated && request.status < 400;
        let route = if is_known { request.route } else { OTHER };
        let method = if route == OTHER { OTHER } else { request.method };
        let status = request.status;
        let labels = RequestLabels { method: method.to_owned(), route: route.to_owned(), status };
        self.requests.get_or_create(&labels).inc();
        self.durations.get_or_create(&RouteLabel { route: labels.route }).observe(request.took.as_secs_f64());
    }

    /// Returns everything in the text format of OpenMetrics 1.0.
    pub fn render(&self, state: &OfficeState) -> Result<String, fmt::Error> {
        let mut all = Registry::with_prefix("pleito");
        all.register("requests", "Answered requests", self.requests.clone());
        let durations = self.durations.clone();
        all.register_with_unit(
            "request_duration",
            "Time to the head of the answer",
            Unit::Seconds,
            durations,
        );
        let commits = ConstCounter::new(state.commits);
        all.register("commits", "Commits that changed a record or a list", commits);
        let OfficeState { store_size, log_size, documents_size, .. } = *state;
        for (name, help, bytes) in [
            ("store_size", "Length of the database file", store_size),
            ("log_size", "Length of the write-ahead log", log_size),
            ("documents_size", "Length of all contents of documents", documents_size),
        ] {
            all.register_with_unit(name, help, Unit::Bytes, ConstGauge::new(bytes));
        }
        if let Some(age) = state.backup_age {
            all.register_with_unit(
                "backup_age",
                "Age of the newest backup",
                Unit::Seconds,
                ConstGauge::new(age),
            );
        }
        for (name, help, value) in [
            ("queued_writes", "Writes that wait for the writer", state.queued_writes),
            ("backup_failed", "1 if the last backup failed", state.is_backup_failed.into()),
            ("write_failed", "1 if the last write failed", state.is_write_failed.into()),
        ] {
            all.register(name, help, ConstGauge::new(value));
        }
        let mut text = String::new();
        encode(&mut text, &all).map(|()| text)
    }
}
