//! What goes wrong with files: uploads, and contents of documents.

use http::StatusCode;
use http::header;

use super::Problem;
use crate::http::header::header_value;
use crate::http::sentence::about;

impl Problem {
    /// The file of an upload has more than that many bytes.
    pub fn file_too_large(most: u64) -> Problem {
        let most = most / (1024 * 1024);
        let sentence =
            about!("O arquivo deve ter no máximo {most} MiB.", "The file must be at most {most} MiB.");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", sentence)
    }

    /// What an upload has beside its file is longer than a MiB.
    pub fn members_too_large() -> Problem {
        let sentence = (
            "Tudo o que não é o arquivo deve ter no máximo 1 MiB.",
            "Everything but the file must be at most 1 MiB.",
        );
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", sentence)
    }

    /// The body of an upload is declared as JSON, or not at all.
    pub fn not_a_file() -> Problem {
        let sentence = (
            "O corpo deve ser multipart/form-data com um arquivo, ou o próprio arquivo com seu Content-Type.",
            "The body must be multipart/form-data with a file, or the file itself with its own Content-Type.",
        );
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", sentence)
    }

    /// The file of a document is missing, or is not what was stored (resources 17.6).
    pub fn content_missing() -> Problem {
        let sentence = (
            "O arquivo do documento falta ou foi alterado; envie-o de novo, ou restaure-o de um backup.",
            "The document's file is missing or was altered; upload it again, or restore it from a backup.",
        );
        Problem::new(StatusCode::GONE, "content-missing", sentence)
    }

    /// The range begins behind the end of a content of that many bytes.
    pub fn range_not_satisfiable(length: u64) -> Problem {
        let sentence = about!(
            "O intervalo deve começar dentro dos {length} bytes do conteúdo.",
            "The range must begin within the content's {length} bytes."
        );
        Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "range-not-satisfiable", sentence)
            .with(header::CONTENT_RANGE, header_value(&format!("bytes */{length}")))
    }

    /// The body is declared as a form with parts, and is none.
    pub fn malformed_multipart() -> Problem {
        let sentence = (
            "O corpo não é multipart/form-data válido, ou terminou antes de estar completo.",
            "The body is not valid multipart/form-data, or ended before it was complete.",
        );
        Problem::new(StatusCode::BAD_REQUEST, "malformed-json", sentence)
    }
}
