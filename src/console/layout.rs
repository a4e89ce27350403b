//! What all pages are made of: the layout, fields, numbers, days and values as text, QR codes, and long-running tasks.

pub(super) mod assets;
pub(super) mod choices;
pub(super) mod control;
pub(super) mod days;
pub(super) mod field_errors;
pub(super) mod job;
pub(super) mod job_page;
pub(super) mod numbers;
pub(super) mod page;
pub(super) mod panel_page;
pub(super) mod qr;
pub(super) mod view;
