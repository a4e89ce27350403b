//! Errors of a move, with messages that suggest a remedy.

use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::outgoing::OutgoingError;
use crate::store::imports::moves::MoveReason;

/// Why a move stopped. The records moved so far stay, and the move can be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    NotAddress(String),
    /// The file or text with this name is not a certificate.
    NotCertificate(String),
    /// The server cannot be reached, or the connection fails repeatedly.
    Unreachable(OutgoingError),
    /// The address is public, and the connection to it would not be encrypted.
    Unencrypted(String),
    /// The token was rejected. `true` if it was accepted before.
    Token(bool),
    /// The response at this path is a web page and not data.
    Page(String),
    /// The server redirects to this address.
    Redirect(String),
    /// The server failed or refused the request: the path, the status and the server's message.
    Failed(String, u16, String),
    /// The response does not follow the contract: the path and the problem.
    Unknown(String, String),
    /// This office already has records of its own, so ids are taken.
    Taken,
    /// A move from a different server, with this address, was begun here.
    Elsewhere(String),
    /// Another move is running, started by a command or in the console.
    UnderWay,
    Finished(String),
    Stopped,
}

impl MoveError {
    /// Returns `true` if other requests may succeed although this one failed.
    pub(super) fn is_of_one_request(&self) -> bool {
        match self {
            MoveError::Page(_)
            | MoveError::Redirect(_)
            | MoveError::Failed(..)
            | MoveError::Unknown(..)
            | MoveError::Unreachable(_) => true,
            MoveError::NotAddress(_)
            | MoveError::NotCertificate(_)
            | MoveError::Unencrypted(_)
            | MoveError::Token(_)
            | MoveError::Taken
            | MoveError::Elsewhere(_)
            | MoveError::UnderWay
            | MoveError::Finished(_)
            | MoveError::Stopped => false,
        }
    }

    /// Returns a short reason for the report on why one record could not be moved.
    pub(super) fn reason(&self) -> MoveReason {
        MoveReason::new(|lang| match self {
            MoveError::Failed(_, status, text) => format!("{status} {text}").trim().to_owned(),
            MoveError::Unknown(_, cause) => cause.clone(),
            MoveError::Unreachable(cause) => cause.message(lang),
            other => other.message(lang),
        })
    }

    pub fn message(&self, lang: Lang) -> String {
        match self {
            MoveError::NotAddress(address) => localize!(
                lang,
                "{address} não é um endereço; escreva-o como https://nuvem.exemplo.com.br/api/v1",
                "{address} is no address; write it like https://cloud.example.com/api/v1"
            ),
            MoveError::NotCertificate(what) => localize!(
                lang,
                "{what} não é um certificado em PEM; o de outro Pleito é o arquivo ca.pem da pasta de dados de lá.",
                "{what} is no certificate in PEM; that of another Pleito is the file ca.pem of its data folder."
            ),
            MoveError::Unreachable(OutgoingError::UnknownAuthority) => lang
                .pick(
                    "o certificado do servidor de origem é de uma autoridade que esta máquina não conhece. Se lá é outro Pleito, traga o arquivo ca.pem da pasta de dados de lá, que também está em /ca.pem daquele endereço, confira a impressão digital e tente outra vez com ele (no comando: --authority ca.pem).",
                    "the certificate of the source server is of an authority that this machine does not know. If it is another Pleito, bring the file ca.pem of its data folder, which is also at /ca.pem of its address, compare the fingerprint and try again with it (of the command: --authority ca.pem).",
                )
                .to_owned(),
            MoveError::Unreachable(cause @ OutgoingError::Tls(_)) => {
                let cause = cause.message(lang);
                localize!(
                    lang,
                    "não há conexão segura com o servidor de origem: {cause}. Confira o endereço, e a data e a hora desta máquina.",
                    "there is no safe connection to the source server: {cause}. Check the address, and this machine's date and time."
                )
            }
            MoveError::Unreachable(cause) => {
                let cause = cause.message(lang);
                localize!(
                    lang,
                    "o servidor de origem não responde: {cause}. Confira o endereço e a internet; pedida de novo, a mudança continua de onde parou.",
                    "the source server does not answer: {cause}. Check the address and the network. If you start the move again, it continues from here."
                )
            }
            MoveError::Token(false) => lang
                .pick(
                    "o servidor de origem não aceita o token neste endereço (401). Confira se o endereço é o da API e se o token é o que está em vigor, copiado por inteiro. Gerar outro encerra o atual: todo programa que usa essa conta deixa de funcionar até receber o novo.",
                    "the source server does not take the token at this address (401). Check that the address is that of the API, and that the token is the one in force, copied whole. Making another one ends it: every other program of that account stops working until it has the new one.",
                )
                .to_owned(),
            MoveError::Token(true) => lang
                .pick(
                    "o servidor de origem deixou de aceitar o token: talvez alguém tenha gerado outro. Peça o que está em vigor a quem cuida da conta; com ele, a mudança continua de onde parou. Gerar mais um encerra o atual em todos os programas que o usam.",
                    "the source server refuses the token; another one may have been made. Ask the person who manages the account for the current one; the move continues from here with it. A new token would stop every program that uses the current one.",
                )
                .to_owned(),
            MoveError::Unencrypted(address) => localize!(
                lang,
                "{address} é um endereço público sem criptografia: qualquer um no caminho leria o token e os dados. Use https://, ou --insecure se é isso mesmo.",
                "{address} is a public address without encryption: others could read the token and the data on the way. Use https://, or --insecure if you accept that."
            ),
            MoveError::Page(path) => localize!(
                lang,
                "em {path} veio uma página da web, e não dados. O endereço tem de ser o da API, que termina em /api/v1.",
                "at {path} there is a web page, and no data. The address has to be that of the API, which ends in /api/v1."
            ),
            MoveError::Redirect(to) => localize!(
                lang,
                "o servidor de origem aponta para outro endereço, {to}. Se confia nele, use-o.",
                "the source server points to another address, {to}. Use that one if you trust it."
            ),
            MoveError::Failed(path, status, text) => {
                let text = if text.is_empty() { String::new() } else { format!(" ({text})") };
                localize!(
                    lang,
                    "o servidor de origem respondeu {status} em {path}{text}. Pedida de novo, a mudança continua de onde parou.",
                    "the source server answered {status} at {path}{text}. If you start the move again, it continues from here."
                )
            }
            MoveError::Unknown(path, cause) => localize!(
                lang,
                "a resposta de {path} não é a que se espera dessa API: {cause}.",
                "the answer of {path} is not one of this API: {cause}."
            ),
            MoveError::Taken => lang
                .pick(
                    "este escritório já tem registros, e os números deles são também os de registros da origem. Mude para uma pasta vazia: use --data-dir com uma pasta nova.",
                    "this office has records already, and their ids are also those of records of the source. Move into an empty folder: use --data-dir with a new one.",
                )
                .to_owned(),
            MoveError::Elsewhere(source) => localize!(
                lang,
                "aqui já começou uma mudança de outro servidor, {source}. Para outra origem, use --data-dir com uma pasta nova.",
                "a move from another server, {source}, was begun here. For another source use --data-dir with a new folder."
            ),
            MoveError::UnderWay => lang
                .pick(
                    "uma mudança já está em andamento, por um comando ou nas telas do Pleito. Há uma só por vez.",
                    "a move is already in progress, by a command or in the console. Only one can run at a time.",
                )
                .to_owned(),
            MoveError::Finished(source) => localize!(
                lang,
                "tudo de {source} já veio. Para trazer o que há de novo lá: --again.",
                "everything has already been copied from {source}. To copy new records: --again."
            ),
            MoveError::Stopped => lang
                .pick(
                    "a mudança parou. O que veio fica; pedida de novo, ela continua de onde parou.",
                    "the move has stopped. The copied records are kept. If you start it again, it continues from here.",
                )
                .to_owned(),
        }
    }
}
