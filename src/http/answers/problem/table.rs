//! The problems that are a status, a code and a sentence, one row each.

use http::StatusCode;
use http::header::{self, HeaderValue};

use super::Problem;
use crate::domain::Lang;
use crate::domain::lang::Word;
use crate::http::answers::header::header_value;
use crate::http::openapi::sentence::about;

/// Bytes of a mebibyte.
const MIB: u64 = 1024 * 1024;

/// Declares a constructor for each problem. Names in braces are its arguments, or values computed from them (`with`).
/// A problem may set a header.
macro_rules! problems {
    ($(
        $(#[$about:meta])*
        $name:ident($($argument:ident: $type:ty),*) = $status:ident $code:literal
            $(with ($($part:ident = $value:expr),+))? $([$header:ident: $content:expr])? => $pt:literal, $en:literal;
    )+) => {
        impl Problem {$(
            $(#[$about])*
            #[doc = ""]
            #[doc = concat!("`", $en, "`")]
            pub fn $name($($argument: $type),*) -> Problem {
                $($(let $part = $value;)+)?
                Problem::new(StatusCode::$status, $code, about!($pt, $en))$(.with(header::$header, $content))?
            }
        )+}
    };
}

problems! {
    malformed_json(what: &str) = BAD_REQUEST "malformed-json" =>
        "O corpo não é um JSON válido: {what}.",
        "The body is not valid JSON: {what}.";
    /// The body is the text that a program makes of an object without encoding it.
    unencoded_object() = BAD_REQUEST "malformed-json" =>
        "O corpo é um objeto ou formulário como texto, não JSON. No Google Apps Script: contentType: \"application/json\" e payload: JSON.stringify(dados).",
        "The body is an object or form as text, not JSON. In Google Apps Script: contentType: \"application/json\" and payload: JSON.stringify(data).";
    not_an_object() = BAD_REQUEST "not-an-object" =>
        "O corpo deve ser um objeto JSON.",
        "The body must be a JSON object.";
    no_member() = BAD_REQUEST "empty-body" =>
        "O corpo está vazio ou não tem nenhum campo.",
        "The body is empty or names no field.";
    only_unknown_members(named: &str) = BAD_REQUEST "empty-body" =>
        "O corpo não tem nenhum campo que esta rota grave; foi ignorado: {named}.",
        "The body names no field that this route takes; ignored: {named}.";
    /// The connection broke while the body was received.
    broken_body() = BAD_REQUEST "malformed-json" =>
        "O corpo terminou antes de estar completo.",
        "The body ended before it was complete.";
    malformed_multipart() = BAD_REQUEST "malformed-json" =>
        "O corpo não é multipart/form-data válido, ou terminou antes de estar completo.",
        "The body is not valid multipart/form-data, or ended before it was complete.";
    /// The token is missing or not in force.
    no_token() = UNAUTHORIZED "unauthenticated" [WWW_AUTHENTICATE: HeaderValue::from_static("Bearer")] =>
        "Não autenticado.",
        "Unauthenticated.";
    /// The `Authorization` header has another form, whatever its value.
    no_bearer() = UNAUTHORIZED "unauthenticated" [WWW_AUTHENTICATE: HeaderValue::from_static("Bearer")] =>
        "Não autenticado: o cabeçalho deve ser Authorization: Bearer, um espaço e o token ou a chave.",
        "Unauthenticated: the header must be Authorization: Bearer, a space, and the token or key.";
    /// The rights of a key do not include `pt` and `en`, which are the same in two languages.
    lacks_right(pt: &str, en: &str) = FORBIDDEN "not-allowed" =>
        "Esta chave não dá direito a isto; é preciso {pt}.",
        "This key does not allow it; it takes {en}.";
    /// The page that sent the request is not of this server.
    foreign_origin() = FORBIDDEN "foreign-origin" =>
        "Páginas de outros sites não podem usar este endereço.",
        "Pages of other sites cannot use this address.";
    /// The requested thing does not exist.
    not_found(what: Word) = NOT_FOUND "not-found" with (noun = what.0, title = what.title(Lang::En)) =>
        "Não encontrado: {noun}",
        "{title} not found";
    /// The path exists, but only for the methods in `allow`.
    method_not_allowed(allow: HeaderValue) = METHOD_NOT_ALLOWED "method-not-allowed" [ALLOW: allow] =>
        "Esta rota não tem este método.",
        "Method not allowed on this route.";
    /// `Accept` refuses all of these media types, which are the available ones.
    not_acceptable(media_types: &[&str]) = NOT_ACCEPTABLE "not-acceptable" with (all = media_types.join(", ")) =>
        "O cabeçalho Accept recusa tudo o que esta rota responde: {all}.",
        "The header Accept refuses everything that this route answers: {all}.";
    request_timeout() = REQUEST_TIMEOUT "request-timeout" [CONNECTION: HeaderValue::from_static("close")] =>
        "O corpo demorou demais a chegar.",
        "The body took too long to arrive.";
    /// Similar records exist: a page asks before it stores the new record.
    may_be_there_already() = CONFLICT "possible-duplicates" =>
        "Talvez já haja um cadastro igual.",
        "There may be one already.";
    /// Several records fit what a request looks for (events 22.2).
    several_fit() = CONFLICT "ambiguous" =>
        "Mais de um cadastro corresponde; nada foi gravado.",
        "More than one record fits; nothing was stored.";
    /// The transaction has a day of payment.
    already_paid() = CONFLICT "already-paid" =>
        "O lançamento já está pago.",
        "The transaction is paid already.";
    /// An inactive user cannot be deactivated.
    already_inactive() = CONFLICT "already-inactive" =>
        "A pessoa já está inativa.",
        "The user is inactive already.";
    /// No hand-over of the user can be undone.
    not_handed_over() = CONFLICT "not-handed-over" =>
        "Não há passagem a desfazer: esta pessoa não teve nenhuma, ela já foi desfeita, ou a pessoa está ativa e nada voltaria.",
        "There is no hand-over to undo: the user made none, it is undone, or the user is active and nothing would go back.";
    /// The user who got the work handed it over later.
    handed_over_again(to: u32) = CONFLICT "handed-on" =>
        "Quem recebeu (a pessoa {to}) depois passou adiante o que tinha: desfaça antes essa passagem.",
        "User {to}, who got the work, handed it over later: undo that first.";
    /// The record was not merged into another one, or came back since.
    not_merged() = CONFLICT "not-merged" =>
        "Este cadastro não está unido a outro.",
        "This record is not merged into another one.";
    /// The record that stayed was merged into another one.
    merged_twice(stayed: u32, into: u32) = CONFLICT "merged-on" =>
        "O cadastro {stayed} foi depois unido ao {into}: desfaça antes essa união.",
        "Record {stayed} was merged into {into} later: undo that merge first.";
    merge_forgotten() = CONFLICT "values-erased" =>
        "O histórico não guarda mais os valores de antes desta união.",
        "The history no longer keeps the values before this merge.";
    /// The file of a document is missing, or is not what was stored (resources 17.6).
    content_missing() = GONE "content-missing" =>
        "O arquivo do documento falta ou foi alterado; envie-o de novo, ou restaure-o de um backup.",
        "The document's file is missing or was altered; upload it again, or restore it from a backup.";
    /// The record is not in the state that `If-Match` names.
    changed_meanwhile() = PRECONDITION_FAILED "changed-meanwhile" =>
        "O registro foi alterado nesse meio-tempo; leia-o de novo.",
        "The record was changed meanwhile; read it again.";
    /// The body has more than `most` bytes.
    too_large(most: usize) = PAYLOAD_TOO_LARGE "too-large" with (most = most as u64 / MIB) =>
        "O corpo deve ter no máximo {most} MiB.",
        "The body must be at most {most} MiB.";
    file_too_large(most: u64) = PAYLOAD_TOO_LARGE "too-large" with (most = most / MIB) =>
        "O arquivo deve ter no máximo {most} MiB.",
        "The file must be at most {most} MiB.";
    /// The other members of an upload are longer than 1 MiB.
    members_too_large() = PAYLOAD_TOO_LARGE "too-large" =>
        "Tudo o que não é o arquivo deve ter no máximo 1 MiB.",
        "Everything but the file must be at most 1 MiB.";
    /// The body is declared as anything but JSON.
    unsupported_media_type() = UNSUPPORTED_MEDIA_TYPE "unsupported-media-type" =>
        "O corpo deve ser JSON, declarado como Content-Type: application/json.",
        "The body must be JSON, declared as Content-Type: application/json.";
    form_body() = UNSUPPORTED_MEDIA_TYPE "unsupported-media-type" =>
        "O corpo é um formulário; deve ser JSON, declarado como Content-Type: application/json. No Google Apps Script: contentType: \"application/json\" e payload: JSON.stringify(dados).",
        "The body is a form; it must be JSON, declared as Content-Type: application/json. In Google Apps Script: contentType: \"application/json\" and payload: JSON.stringify(data).";
    /// The body has a content coding, such as gzip.
    coded_body() = UNSUPPORTED_MEDIA_TYPE "unsupported-media-type"
        [ACCEPT_ENCODING: HeaderValue::from_static("identity")] =>
        "O corpo deve vir sem compressão: sem o cabeçalho Content-Encoding.",
        "The body must not be compressed: send it without the header Content-Encoding.";
    /// The body of an upload is declared as JSON, or has no declared type.
    not_a_file() = UNSUPPORTED_MEDIA_TYPE "unsupported-media-type" =>
        "O corpo deve ser multipart/form-data com um arquivo, ou o próprio arquivo com seu Content-Type.",
        "The body must be multipart/form-data with a file, or the file itself with its own Content-Type.";
    /// The range begins beyond the end of a content of `length` bytes.
    range_not_satisfiable(length: u64) = RANGE_NOT_SATISFIABLE "range-not-satisfiable"
        [CONTENT_RANGE: header_value(&format!("bytes */{length}"))] =>
        "O intervalo deve começar dentro dos {length} bytes do conteúdo.",
        "The range must begin within the content's {length} bytes.";
    /// The request's host is not this server (contract 9).
    misdirected() = MISDIRECTED_REQUEST "misdirected-request" =>
        "Este servidor não atende por esse nome de host. O ajuste server.hosts acrescenta nomes.",
        "This server does not answer to that host name. The setting server.hosts adds names.";
    record_in_use() = UNPROCESSABLE_ENTITY "in-use" => "O registro está em uso.", "The record is in use.";
    /// Only records that the caller may not see refer to the record.
    in_hidden_use() = UNPROCESSABLE_ENTITY "in-use" =>
        "O registro está em uso por outros, que esta chave não dá direito a ver.",
        "The record is in use by others, which this key may not see.";
    key_reused() = UNPROCESSABLE_ENTITY "idempotency-key-reused" =>
        "Esta Idempotency-Key já foi usada com outro corpo.",
        "This Idempotency-Key was used with another body.";
    head_too_large() = REQUEST_HEADER_FIELDS_TOO_LARGE "head-too-large" =>
        "A linha da requisição e os cabeçalhos devem ter no máximo 32 KiB.",
        "The request line and headers must be at most 32 KiB.";
    /// A bug in this program.
    defect() = INTERNAL_SERVER_ERROR "internal" =>
        "Algo deu errado dentro do servidor; o log tem a causa, com o id desta requisição.",
        "Something went wrong inside the server; the log has the cause under this request's id.";
    stopping() = SERVICE_UNAVAILABLE "stopping" =>
        "O servidor está parando; nada foi gravado.",
        "The server is stopping; nothing was stored.";
    /// The clock shows a time before the program was built (product 8).
    clock() = SERVICE_UNAVAILABLE "clock" =>
        "O relógio da máquina do Pleito está atrasado: mostra uma data anterior à deste programa; nada foi gravado.",
        "The clock of Pleito's machine is behind: it shows a date before this program was made; nothing was stored.";
    /// This server follows an office on another machine (always 43), which may be known.
    standby(office: Option<&str>) = SERVICE_UNAVAILABLE "standby"
            with (at = office.map(|url| format!(": {url}")).unwrap_or_default()) =>
        "Este servidor é uma reserva, que só responde consultas; nada foi gravado. Grave no servidor do escritório{at}.",
        "This server is a standby, which only answers reads; nothing was stored. Write to the office's server{at}.";
    /// What an assistant is shown has to be recorded (assistants 50), which a standby cannot.
    standby_unrecorded(office: Option<&str>) = SERVICE_UNAVAILABLE "standby"
            with (at = office.map(|url| format!(": {url}")).unwrap_or_default()) =>
        "Este servidor é uma reserva: não pode registrar o que um assistente vê, e por isso nada lhe mostra. Use o servidor do escritório{at}.",
        "This server is a standby: it cannot record what an assistant is shown, and so shows nothing. Use the office's server{at}.";
    too_many_streams() = SERVICE_UNAVAILABLE "busy" =>
        "Já há tantos fluxos quantos pode haver.",
        "There are as many streams as there can be.";
    /// A user has paused the API (product 3).
    paused() = SERVICE_UNAVAILABLE "stopping" =>
        "A API está em pausa na própria máquina; nada foi gravado.",
        "The API is paused on its own machine; nothing was stored.";
    storage_full() = SERVICE_UNAVAILABLE "storage-full" =>
        "O disco está cheio; nada foi gravado.",
        "The disk is full; nothing was stored.";
    storage_unavailable() = SERVICE_UNAVAILABLE "storage-unavailable" =>
        "O banco de dados não pode ser usado agora; nada foi gravado.",
        "The store cannot be used now; nothing was stored.";
}
