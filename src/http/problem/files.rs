//! What goes wrong with files: uploads, and contents of documents.

use http::StatusCode;
use http::header;

use super::Problem;
use crate::http::header::header_value;

impl Problem {
    /// The file of an upload has more than that many bytes.
    pub fn file_too_large(most: u64) -> Problem {
        let sentence = format!("The file must be at most {} MiB.", most / (1024 * 1024));
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", sentence)
    }

    /// What an upload has beside its file is longer than a MiB.
    pub fn members_too_large() -> Problem {
        let sentence = "Everything but the file must be at most 1 MiB.";
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", sentence)
    }

    /// The body of an upload is declared as JSON, or not at all.
    pub fn not_a_file() -> Problem {
        let sentence =
            "The body must be multipart/form-data with a file, or the file itself with its own Content-Type.";
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", sentence)
    }

    /// The file of a document is missing, or is not what was stored (resources 17.6).
    pub fn content_missing() -> Problem {
        let sentence =
            "The document's file is missing or was altered; upload it again, or restore it from a backup.";
        Problem::new(StatusCode::GONE, "content-missing", sentence)
    }

    /// The range begins behind the end of a content of that many bytes.
    pub fn range_not_satisfiable(length: u64) -> Problem {
        let sentence = format!("The range must begin within the content's {length} bytes.");
        Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "range-not-satisfiable", sentence)
            .with(header::CONTENT_RANGE, header_value(&format!("bytes */{length}")))
    }

    /// The body is declared as a form with parts, and is none.
    pub fn malformed_multipart() -> Problem {
        let sentence = "The body is not valid multipart/form-data, or ended before it was complete.";
        Problem::new(StatusCode::BAD_REQUEST, "malformed-json", sentence)
    }
}
