//! The web app manifest: name and icon of the console on a phone's home screen. It keeps nothing offline.

use std::sync::Arc;

use http::StatusCode;
use http::header::{self, HeaderValue};
use serde_json::json;

use crate::app::App;
use crate::http::answers::answer::{Answer, to_json};
use crate::http::answers::negotiation;
use crate::http::answers::problem::Problem;
use crate::http::requests::request::Request;

/// Background of the pages in light colours. The pages themselves name the colours of the browser's bars.
const PAPER: &str = "#faf8f3";

pub(in crate::http) fn answer(request: &Request, app: &Arc<App>) -> Result<Answer, Problem> {
    let settings = app.settings();
    let name = Some(settings.office.name.as_str()).filter(|name| !name.is_empty()).unwrap_or("Pleito");
    let icon = |src: &str, media_type: &str, sizes: &str, purpose: &str| json!({ "src": src, "type": media_type, "sizes": sizes, "purpose": purpose });
    let manifest = json!({
        "id": "/console",
        "name": name,
        "short_name": "Pleito",
        "lang": negotiation::lang(&request.headers).pick("pt-BR", "en"),
        "start_url": "/console",
        "scope": "/console",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            icon("/favicon.svg", "image/svg+xml", "any", "any"),
            icon("/icon.png", "image/png", "512x512", "maskable"),
        ],
    });
    Ok(Answer::json(StatusCode::OK, to_json(&manifest)?)
        .with(header::CONTENT_TYPE, HeaderValue::from_static("application/manifest+json"))
        .with(header::VARY, HeaderValue::from_static("accept-language")))
}
