//! Problems and headers that many routes share.

use http::StatusCode;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::operation::{add_limits, component, reference};
use crate::domain::{Bilingual, Lang};
use crate::http::answers::etag;
use crate::http::answers::problem::Problem;
use crate::http::answers::problem::schema::ProblemOut;
use crate::http::openapi::schema::set;

/// Returns the shared responses: the problems, each with samples.
pub(super) fn responses(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let schema = generator.subschema_for::<ProblemOut>();
    let mut responses = Map::new();
    for sample in Problem::samples() {
        let status = sample.status();
        let code = sample.code();
        let response = responses.entry(component(status)).or_insert_with(|| {
            json!({
                "description": problem_text(status),
                "headers": problem_headers(status),
                "content": { "application/json": { "schema": schema, "examples": {} } },
            })
        });
        if let Some(examples) = response.pointer_mut("/content/application~1json/examples") {
            set(examples, code, json!({ "value": sample.body(Lang::En) }));
        }
    }
    responses
}

fn problem_headers(status: StatusCode) -> Value {
    let mut headers = json!({ "x-request-id": reference("headers", "RequestId") });
    if !Problem::BEFORE_LIMITS.contains(&status) {
        add_limits(&mut headers);
    }
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            set(&mut headers, "Retry-After", reference("headers", "RetryAfter"));
        }
        StatusCode::UNAUTHORIZED => {
            set(&mut headers, "WWW-Authenticate", reference("headers", "Authenticate"));
        }
        _ => {}
    }
    headers
}

pub(super) fn headers() -> Value {
    let count = |least: u32, about: Bilingual, example: u32| json!({ "description": about, "schema": { "type": "integer", "minimum": least }, "example": example });
    let always = |mut header: Value| {
        set(&mut header, "required", true);
        header
    };
    json!({
        "RequestId": always(json!({
            "description": ("O id desta requisição, também no log do servidor: o `x-request-id` da própria requisição, se \
                             ela traz um que sirva.",
                            "The id of this request, which is also in the server's log. It is the \
                             `x-request-id` of the request, if that has a usable one."),
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9._:-]{1,128}$" },
            "example": "6f1d2c3b4a596877",
        })),
        "RateLimitLimit": count(1, (
            "Quantas requisições pode haver; ausente se não há limite.",
            "Maximum number of requests. Absent if there is no limit.",
        ), 100),
        "RateLimitRemaining": count(0, ("Quantas restam.", "Number of requests that are left."), 99),
        "RateLimitReset": count(0, (
            "Segundos até o limite se renovar.",
            "Number of seconds until there is room for more requests.",
        ), 43_200),
        "RetryAfter": always(count(1, (
            "Em quantos segundos enviar de novo, em número inteiro.",
            "Number of whole seconds after which to send the request again.",
        ), 5)),
        "Authenticate": always(json!({
            "description": ("Como se autenticar.", "How to authenticate."), "schema": { "type": "string", "const": "Bearer" },
        })),
        "ETag": always(json!({
            "description": (
                "A versão do que foi lido, para `If-None-Match` e, de um registro, `If-Match`.",
                "The version of the response, for `If-None-Match` and, if it is a record, `If-Match`.",
            ),
            "schema": { "type": "string", "pattern": "^(W/)?\"[!#-~]+\"$" },
            "example": etag::tag(b"a record"),
        })),
        "PageETag": {
            "description": (
                "A versão da página, para `If-None-Match`. Só para quem vê tudo.",
                "The version of the page, for `If-None-Match`. Only for callers who see everything.",
            ),
            "schema": { "type": "string", "pattern": "^W/\"[!#-~]+\"$" },
            "example": format!("W/{}", etag::tag(b"a page")),
        },
        "Replayed": {
            "description": (
                "Em uma resposta que já foi dada antes à mesma `Idempotency-Key`.",
                "Present if the response was already sent before to the same `Idempotency-Key`.",
            ),
            "schema": { "type": "string", "const": "true" },
        },
        "Disposition": always(json!({
            "description": (
                "Que o conteúdo é para salvar, e com que nome (RFC 8187).",
                "Tells clients to save the content, and under which name (RFC 8187).",
            ),
            "schema": { "type": "string" },
            "example": "attachment; filename*=UTF-8''procura%C3%A7%C3%A3o.pdf",
        })),
        "NewVersion": always(json!({
            "description": (
                "A versão do que foi gravado, como um GET a responderia agora, para `If-Match`.",
                "The new version of the record, as a GET would return it now, for `If-Match`.",
            ),
            "schema": { "type": "string", "pattern": "^\"[!#-~]+\"$" },
            "example": etag::tag(b"a record"),
        })),
        "Location": always(json!({
            "description": ("O caminho do que foi criado.", "The path of the new record."),
            "schema": { "type": "string" },
            "example": "/api/v1/customers/17",
        })),
        "IgnoredMembers": {
            "description": ("Na resposta a um corpo com campos que não existem, ou que não podem ser gravados: os nomes \
                             deles, em percent-encoding, no máximo dez.",
                            "Present if the body has unknown members, or members that cannot be written. Their \
                             names, percent-encoded, at most ten."),
            "schema": { "type": "string" },
            "example": "nome, created_at",
        },
        "IgnoredParameters": {
            "description": ("Na resposta a uma requisição com parâmetros que não existem: os nomes deles, em \
                             percent-encoding, no máximo dez.",
                            "Present if the request has unknown parameters. Their names, percent-encoded, at \
                             most ten."),
            "schema": { "type": "string" },
            "example": "search, page",
        },
        "Canonical": always(json!({
            "description": ("O caminho do qual este é outro nome.", "The path that this one is an alias of."),
            "schema": { "type": "string" },
        })),
    })
}

fn problem_text(status: StatusCode) -> Bilingual {
    match status.as_u16() {
        400 => (
            "O corpo não pode ser lido, ou um PUT não informa nenhum campo.",
            "The body cannot be read, or a PUT has no member.",
        ),
        401 => ("Sem token, ou com um que não está em vigor.", "No token, or one that is not in force."),
        403 => (
            "A chave não dá direito a isto. Só chaves recebem este status; o token da conta, nunca.",
            "The key does not permit the request. Only keys get this status, never the account's token.",
        ),
        404 => ("Nenhum registro tem este id.", "No record has this id."),
        409 => (
            "Mais de um registro corresponde, ou o estado do registro não o permite; nada foi gravado.",
            "More than one record matches, or the record's state does not allow it. Nothing was stored.",
        ),
        410 => (
            "O arquivo do documento falta ou foi alterado.",
            "The document's file is missing or was altered.",
        ),
        416 => (
            "O intervalo começa depois do fim do conteúdo.",
            "The range begins after the end of the content.",
        ),
        406 => (
            "`Accept` recusa, com peso 0, tudo o que a rota responde.",
            "`Accept` refuses all media types of the route with a weight of 0.",
        ),
        408 => ("O corpo demorou demais a chegar.", "The body took too long to arrive."),
        412 => (
            "O registro foi alterado desde então: `If-Match` não vale mais.",
            "The record has changed since then, so `If-Match` does not match.",
        ),
        413 => (
            "O corpo passa do que a rota recebe (1 MiB, ou 8 MiB de uma lista), ou um arquivo passa do maior tamanho permitido.",
            "The body is larger than the route accepts (1 MiB, or 8 MiB for a list), or a file is larger than the maximum file size.",
        ),
        415 => (
            "O corpo não está declarado como o que a rota recebe.",
            "The media type of the body is not one that the route accepts.",
        ),
        421 => (
            "A requisição é para outro servidor, não para este.",
            "The request is for another host, not for this server.",
        ),
        422 => (
            "Campos errados, cada um indicado em `errors`; um duplicado; ou um registro de que outros precisam, indicados \
             por recurso.",
            "Wrong fields (each listed in `errors`), a duplicate, or a record that others need (listed by \
             resource).",
        ),
        429 => ("Requisições demais.", "Too many requests."),
        431 => (
            "A linha da requisição e os cabeçalhos passam de 32 KiB.",
            "The request line and the headers are larger than 32 KiB.",
        ),
        503 => {
            ("Nada foi gravado; pode enviar de novo.", "Nothing was stored. The request can be sent again.")
        }
        _ => (
            "Um defeito do servidor; o log tem a causa, com o id da requisição.",
            "An internal error of the server. The log has its cause, with the id of the request.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_described_status_has_its_own_text_and_a_sample() {
        let samples = Problem::samples();
        for status in Problem::ANY {
            assert!(samples.iter().any(|sample| sample.status() == *status), "{status}");
        }
        let mut texts = samples.iter().map(|sample| sample.status()).collect::<Vec<_>>();
        texts.dedup();
        for lang in [Lang::Pt, Lang::En] {
            let text = |status: &StatusCode| lang.pick(problem_text(*status).0, problem_text(*status).1);
            let distinct = texts.iter().map(text).collect::<HashSet<_>>();
            assert_eq!(
                distinct.len(),
                texts.len(),
                "two statuses share their text, or samples are not sorted by status"
            );
        }
    }
}
