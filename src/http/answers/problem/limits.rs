//! The problem of an exhausted limit (contract 8).

use http::{Method, StatusCode, header};

use super::Problem;
use crate::http::openapi::sentence::about;
use crate::limits::Quota;

impl Problem {
    /// The limit for this method is exhausted. The sentence names the limit and its setting.
    pub fn rate_limited(method: &Method, quota: &Quota) -> Problem {
        let limit = quota.limit;
        let seconds = quota.whole_seconds().max(1);
        let sentence = match *method {
            Method::POST | Method::PUT | Method::PATCH => {
                let (name, setting) = match *method {
                    Method::POST => ("POST", "limits.post_per_day"),
                    _ => ("PUT", "limits.put_per_day"),
                };
                about!(
                    "Requisições demais: o limite é de {limit} {name} por dia em cada rota ({setting}). Envie de novo \
                     em {seconds} s; para muitos registros há `pleito import`.",
                    "Too many requests: the limit is {limit} {name} a day on each route ({setting}). Send again in \
                     {seconds} s; for many records there is `pleito import`."
                )
            }
            Method::DELETE => about!(
                "Requisições demais: o limite é de {limit} DELETE por dia em cada rota (limits.delete_per_day). Envie \
                 de novo em {seconds} s.",
                "Too many requests: the limit is {limit} DELETE a day on each route (limits.delete_per_day). Send \
                 again in {seconds} s."
            ),
            _ => about!(
                "Requisições demais: o limite é de {limit} GET por minuto, somadas todas as rotas \
                 (limits.get_per_minute). Envie de novo em {seconds} s.",
                "Too many requests: the limit is {limit} GET a minute over all routes (limits.get_per_minute). Send \
                 again in {seconds} s."
            ),
        };
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate-limited", sentence)
            .with(header::RETRY_AFTER, seconds)
    }
}
