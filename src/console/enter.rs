//! The pages before and after the console: how to come in, and why somebody is not let in.

use http::{StatusCode, header};
use maud::{Markup, html};

use super::page::{csrf_field, notice, value};
use super::paths::{BASE, ENTER, LINK};
use super::secret::Secret;
use super::visit::Visit;
use crate::http::{Answer, Problem};
use crate::store;

/// How soon the page of a restart looks for the server, in seconds: a large store takes about that long to be opened.
const RESTARTS: u8 = 4;

/// The field of a form whose content no page shows again: who sends the form again types that anew.
pub(super) const SECRET: &str = "secret";

/// How to get a link.
fn how(visit: &Visit) -> Markup {
    html! {
        ul {
            li {
                (visit.say("No ícone do Pleito, ao lado do relógio: ", "On the Pleito icon, beside the clock: "))
                strong { (visit.say("Abrir o Pleito", "Open console")) } "."
            }
            li { (visit.say("Ou em um terminal desta máquina: ", "Or in a terminal of this machine: ")) code { "pleito console" } }
        }
    }
}

/// Nobody's cookie, or one of a session that has ended. What was typed into a form waits here to be sent again.
pub(super) fn closed(visit: &Visit, form: Vec<(String, String)>) -> Answer {
    let title =
        visit.say("Sua sessão terminou; abra pelo ícone", "Your session has ended; open it by the icon");
    if form.is_empty() {
        let text = html! {
            p { (visit.say("Ele abre por um link que vale uma vez, por um minuto:", "It opens by a link that works once, for a minute:")) }
            (how(visit))
        };
        return notice(visit, StatusCode::FORBIDDEN, title, &text);
    }
    let text = html! {
        p { (visit.say(
            "Sua sessão terminou antes que isto fosse salvo. Nada se perdeu: abra o Pleito em outra aba e depois envie de novo nesta.",
            "Your session ended before this was stored. Nothing is lost: open the console in another tab, then send again in this one.",
        )) }
        (how(visit))
        (again(visit, &form))
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// A form that an earlier session's page made.
pub(super) fn confirm(visit: &Visit) -> Answer {
    let title = visit.say("Enviar de novo?", "Send again?");
    let text = html! {
        p { (visit.say(
            "Esta página foi aberta antes da sessão de agora. O que você digitou está aqui; confirme para continuar.",
            "This page was opened before the present session. What you typed is here; confirm to go on.",
        )) }
        (again(visit, &visit.form))
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

fn again(visit: &Visit, form: &[(String, String)]) -> Markup {
    html! {
        form method="post" action=(visit.url) {
            @for (name, value) in form.iter().filter(|(name, _)| name != "csrf-token" && name != SECRET) {
                textarea.gone name=(name) aria-label=(name) hidden { "\n" (value) }
            }
            (csrf_field(visit))
            button.main type="submit" { (visit.say("Enviar de novo", "Send again")) }
        }
    }
}

/// Behind a link: a page of the console's own, which goes on by itself. A browser that comes from a file, or from a page
/// of anywhere else, sends a `SameSite=Strict` cookie only from here on, neither with the link nor where a redirect sends it.
pub(super) fn between(secret: &str, visit: &Visit) -> Answer {
    let Some(secret) = Secret::sent(secret) else { return late(visit) };
    let on = format!("{BASE}/{LINK}/{}/{ENTER}", secret.expose());
    let title = visit.say("O Pleito está abrindo…", "The console is opening…");
    let text = html! { p { a href=(on) { (visit.say("Continuar", "Go on")) } } };
    notice(visit, StatusCode::OK, title, &text).with(header::REFRESH, value(&format!("0; url={on}")))
}

/// A link that was used, is late, or never was one.
pub(super) fn late(visit: &Visit) -> Answer {
    let title = visit.say("Este link não abre mais", "This link does not open any more");
    let text = html! {
        p { (visit.say("Um link do Pleito abre uma vez só, e dentro de um minuto. Para um novo:", "A link of the console opens once only, and within a minute. For a new one:")) }
        (how(visit))
        p.quiet { (visit.say(
            "Se você não chegou a usá-lo, alguém pode ter usado: entre com um novo e escolha “Encerrar todas as sessões” na visão geral.",
            "If you never used it, somebody else may have: come in by a new one and choose “End all sessions” on the overview.",
        )) }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// The server starts again: the page waits for it, and comes in by a link of its own, as no session outlives that.
pub(super) fn restarting(visit: &Visit, link: &str) -> Answer {
    let title = visit.say("O Pleito está reiniciando…", "Pleito is restarting…");
    let text = html! {
        p { (visit.say("Esta página continua em alguns segundos.", "This page goes on in a few seconds.")) }
        p { a href=(link) { (visit.say("Continuar", "Go on")) } }
    };
    notice(visit, StatusCode::OK, title, &text)
        .with(header::REFRESH, value(&format!("{RESTARTS}; url={link}")))
}

/// Signed out.
pub(super) fn left(visit: &Visit) -> Answer {
    let title = visit.say("Até logo", "See you");
    let text = html! {
        p { (visit.say("A sessão foi encerrada. Para voltar:", "The session is ended. To come back:")) }
        (how(visit))
    };
    notice(visit, StatusCode::OK, title, &text)
}

/// Reached over the network.
pub(super) fn only_here(visit: &Visit) -> Answer {
    let title = visit.say("Só na própria máquina", "Only on the machine itself");
    let text = html! {
        p { (visit.say(
            "As telas do Pleito abrem somente na máquina em que ele está instalado, nunca pela rede.",
            "The console opens only on the machine that Pleito is installed on, never over the network.",
        )) }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// Asked for under another name.
pub(super) fn misdirected(visit: &Visit) -> Answer {
    let title = visit.say("Este não é o endereço do Pleito", "This is not the console's address");
    let text = html! {
        p { (visit.say("O Pleito não atende por este nome. Ele abre:", "The console does not answer to this name. It opens:")) }
        (how(visit))
    };
    notice(visit, StatusCode::MISDIRECTED_REQUEST, title, &text)
}

/// A form of a page that is not the console's.
pub(super) fn foreign(visit: &Visit) -> Answer {
    let title = visit.say("Recusado", "Refused");
    let text = html! {
        p { (visit.say(
            "Esse pedido veio de uma página que não é do Pleito. Nada foi alterado.",
            "This request came from a page that is not the console's. Nothing was changed.",
        )) }
    };
    notice(visit, StatusCode::FORBIDDEN, title, &text)
}

/// No such page, or no such record.
pub(super) fn not_found(visit: &Visit) -> Answer {
    let title = visit.say("Não encontrado", "Not found");
    let text = html! {
        p { (visit.say("Não há nada neste endereço.", "There is nothing at this address.")) }
        p { a href=(BASE) { (visit.say("Ir para a visão geral", "Go to the overview")) } }
    };
    notice(visit, StatusCode::NOT_FOUND, title, &text)
}

/// What the API refused or could not do, where no page of its own says it better.
pub(super) fn failed(visit: &Visit, problem: &Problem) -> Answer {
    if problem.status() == StatusCode::NOT_FOUND {
        return not_found(visit);
    }
    let text = trouble(visit, problem.code());
    let title = visit.say("Não foi possível concluir", "That could not be done");
    let text = html! {
        p { (text) }
        p.quiet { (visit.say("No log, sob o número ", "In the log, under the number ")) code { (visit.id) } "." }
        p { a href=(BASE) { (visit.say("Ir para a visão geral", "Go to the overview")) } }
    };
    notice(visit, problem.status(), title, &text)
}

/// The store cannot be read.
pub(super) fn unreadable(visit: &Visit) -> Answer {
    let title = visit.say("Não foi possível concluir", "That could not be done");
    let text = html! { p { (trouble(visit, "storage-unavailable")) } };
    notice(visit, StatusCode::SERVICE_UNAVAILABLE, title, &text)
}

/// Why the last write was not stored.
pub(super) fn unstored(visit: &Visit, cause: &store::Error) -> &'static str {
    match cause {
        store::Error::Full(_) => trouble(visit, "storage-full"),
        store::Error::Moved => visit.say(
            "O arquivo de dados foi apagado, movido ou trocado com o programa aberto; nada mais é salvo. Ponha-o de volta no lugar, ou encerre o programa e volte a um backup.",
            "The data file was deleted, moved or replaced while the program was open; nothing more is stored. Put it back in its place, or quit the program and go back to a backup.",
        ),
        _ => trouble(visit, "storage-unavailable"),
    }
}

/// What a code of the API's means to a person.
pub(super) fn trouble(visit: &Visit, code: &str) -> &'static str {
    match code {
        "storage-full" => visit.say(
            "O disco está cheio; nada foi salvo. Libere espaço e tente de novo.",
            "The disk is full; nothing was stored. Free some space and try again.",
        ),
        "storage-unavailable" => visit.say(
            "Os dados não podem ser usados agora; nada foi salvo.",
            "The store cannot be used now; nothing was stored.",
        ),
        "stopping" => visit.say(
            "O programa está encerrando ou em pausa; nada foi salvo.",
            "The program is stopping or paused; nothing was stored.",
        ),
        "too-large" => visit.say(
            "É mais do que cabe em um envio (1 MB); nada foi salvo.",
            "That is more than one request may hold (1 MB); nothing was stored.",
        ),
        "idempotency-key-reused" => visit.say(
            "Este formulário já foi salvo uma vez. Abra um novo para cadastrar outro.",
            "This form was stored once already. Open a new one to add another.",
        ),
        _ => visit.say(
            "Algo deu errado dentro do programa; nada foi salvo.",
            "Something went wrong inside the program; nothing was stored.",
        ),
    }
}
