//! `pleito token`: makes, shows and revokes the bearer token.

use serde_json::json;

use crate::cli::fresh_office;
use crate::cli::output::CommandOutput;
use crate::cli::rerun_hint::{RerunHint, TOKEN_NEW};
use crate::config::Config;
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::http::json::values::moment;
use crate::supervisor::{Fatal, NewTokenMade, Owner, OwnerRequest, TokenStatus};

/// Creates a token and writes it alone on standard output.
pub(in crate::cli) fn new(
    is_first: bool,
    and_keys: bool,
    config: &Config,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    if let Some(refused) = fresh_office::refuse(is_first, config, "token new --new", json, hint, lang) {
        return Ok(refused);
    }
    let made: NewTokenMade =
        Owner::begin(config)?.ask(OwnerRequest::NewToken { and_keys, shown_in_console: false }, lang)?;
    let NewTokenMade { token, keys_ended } = made;
    Ok(CommandOutput::done(match json {
        true if and_keys => format!("{}\n", json!({ "token": token, "keys_ended": keys_ended })),
        true => format!("{}\n", json!({ "token": token })),
        false => format!("{token}\n"),
    }))
}

pub(in crate::cli) fn status(
    config: &Config,
    json: bool,
    hint: &RerunHint,
    lang: Lang,
) -> Result<CommandOutput, Fatal> {
    let token: Option<TokenStatus> = Owner::ask_office(config, OwnerRequest::TokenStatus, lang)?;
    let moment = |seconds: i64| moment(seconds, &config.settings.office.time_zone);
    let text = match (&token, json) {
        (None, true) => json!({ "active": false }).to_string(),
        (Some(token), true) => json!({
            "active": true,
            "created_at": moment(token.created_at),
            "last_used_at": token.last_used_at.map(moment),
            "last_four": token.last_four,
        })
        .to_string(),
        (None, false) => {
            let text = lang.pick("Não há token; crie um com:", "There is no token; make one with:");
            format!("{text} {}", hint.line(TOKEN_NEW))
        }
        (Some(token), false) => {
            let never = || lang.pick("nunca", "never").to_owned();
            format!(
                "{} {}\n{} {}\n{} {}",
                lang.pick("Criado em:", "Made:"),
                moment(token.created_at),
                lang.pick("Último uso:", "Last used:"),
                token.last_used_at.map_or_else(never, moment),
                lang.pick("Últimos quatro caracteres:", "Last four characters:"),
                token.last_four
            )
        }
    };
    Ok(CommandOutput::done(text + "\n"))
}

pub(in crate::cli) fn revoke(config: &Config, json: bool, lang: Lang) -> Result<CommandOutput, Fatal> {
    let (revoked, keys): (bool, u32) = Owner::ask_office(config, OwnerRequest::RevokeToken, lang)?;
    let text = match (json, revoked) {
        (true, _) if keys > 0 => json!({ "revoked": revoked, "keys_ended": keys }).to_string(),
        (true, _) => json!({ "revoked": revoked }).to_string(),
        (false, _) if keys > 0 => localize!(
            lang,
            "Token revogado; chaves encerradas: {keys}. A API não aceita mais nenhuma requisição até que um novo token seja criado.",
            "Token revoked; keys ended: {keys}. The API accepts no request until a new token is made."
        ),
        (false, true) => lang
            .pick(
                "Token revogado. A API não aceita mais nenhuma requisição até que um novo token seja criado.",
                "Token revoked. The API accepts no request until a new token is made.",
            )
            .to_owned(),
        (false, false) => lang.pick("Não havia token.", "There was no token.").to_owned(),
    };
    Ok(CommandOutput::done(text + "\n"))
}
