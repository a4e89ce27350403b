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
    let text = format!("{token}\n");
    let made = match and_keys {
        true => json!({ "token": token, "keys_ended": keys_ended }),
        false => json!({ "token": token }),
    };
    Ok(CommandOutput::result(made, text))
}

pub(in crate::cli) fn status(config: &Config, hint: &RerunHint, lang: Lang) -> Result<CommandOutput, Fatal> {
    let token: Option<TokenStatus> = Owner::ask_office(config, OwnerRequest::TokenStatus, lang)?;
    let moment = |seconds: i64| moment(seconds, &config.settings.office.time_zone);
    let Some(token) = token else {
        let text = lang.pick("Não há token; crie um com:", "There is no token; make one with:");
        let text = format!("{text} {}\n", hint.line(TOKEN_NEW));
        return Ok(CommandOutput::result(json!({ "active": false }), text));
    };
    let json = json!({
        "active": true,
        "created_at": moment(token.created_at),
        "last_used_at": token.last_used_at.map(moment),
        "last_four": token.last_four,
    });
    let never = || lang.pick("nunca", "never").to_owned();
    let text = format!(
        "{} {}\n{} {}\n{} {}\n",
        lang.pick("Criado em:", "Made:"),
        moment(token.created_at),
        lang.pick("Último uso:", "Last used:"),
        token.last_used_at.map_or_else(never, moment),
        lang.pick("Últimos quatro caracteres:", "Last four characters:"),
        token.last_four
    );
    Ok(CommandOutput::result(json, text))
}

pub(in crate::cli) fn revoke(config: &Config, lang: Lang) -> Result<CommandOutput, Fatal> {
    let (revoked, keys): (bool, u32) = Owner::ask_office(config, OwnerRequest::RevokeToken, lang)?;
    let json = match keys {
        0 => json!({ "revoked": revoked }),
        keys => json!({ "revoked": revoked, "keys_ended": keys }),
    };
    let text = match revoked {
        _ if keys > 0 => localize!(
            lang,
            "Token revogado; chaves encerradas: {keys}. A API não aceita mais nenhuma requisição até que um novo token seja criado.",
            "Token revoked; keys ended: {keys}. The API accepts no request until a new token is made."
        ),
        true => lang
            .pick(
                "Token revogado. A API não aceita mais nenhuma requisição até que um novo token seja criado.",
                "Token revoked. The API accepts no request until a new token is made.",
            )
            .to_owned(),
        false => lang.pick("Não havia token.", "There was no token.").to_owned(),
    };
    Ok(CommandOutput::result(json, text + "\n"))
}
