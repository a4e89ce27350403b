//! Reasons why nothing was stored, in sentences for a page.

use crate::console::requests::visit::Visit;
use crate::domain::lang::first_upper;
use crate::store::{self, Audience};

/// Explains why the last write was not stored.
pub(in crate::console) fn unstored(visit: &Visit, cause: &store::Error) -> String {
    let file = visit.pick("o arquivo de dados", "the data file");
    first_upper(&cause.message(file, Audience::Page, visit.lang))
}

/// Explains why a request with this code of an error stored nothing.
pub(in crate::console) fn trouble(visit: &Visit, code: &str) -> &'static str {
    match code {
        "storage-full" => visit.pick(
            "O disco está cheio; nada foi salvo. Libere espaço e tente de novo.",
            "The disk is full; nothing was stored. Free some space and try again.",
        ),
        "storage-unavailable" => visit.pick(
            "Os dados não podem ser usados agora; nada foi salvo.",
            "The store cannot be used now; nothing was stored.",
        ),
        "standby" => visit.pick(
            "Esta é uma reserva, que só mostra o escritório de outra máquina; nada foi salvo.",
            "This is a standby, which only shows the office of another machine; nothing was stored.",
        ),
        "stopping" => visit.pick(
            "O programa está encerrando ou em pausa; nada foi salvo.",
            "The program is stopping or paused; nothing was stored.",
        ),
        "too-large" => visit.pick(
            "É mais do que cabe em um envio (1 MB); nada foi salvo.",
            "The request is too large (more than 1 MB); nothing was stored.",
        ),
        "idempotency-key-reused" => visit.pick(
            "Este formulário já foi salvo uma vez. Abra um novo para cadastrar outro.",
            "This form was already saved. Open a new one to add another.",
        ),
        _ => visit.pick(
            "Algo deu errado dentro do programa; nada foi salvo.",
            "Something went wrong inside the program; nothing was stored.",
        ),
    }
}
