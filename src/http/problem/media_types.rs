//! What a caller is told whose body, or whose wish for an answer, is of a media type that there is not.

use http::StatusCode;

use super::Problem;
use crate::http::sentence::about;

impl Problem {
    /// `Accept` refuses all of these media types, which are those that the answer may have.
    pub fn not_acceptable(media_types: &[&str]) -> Problem {
        let all = media_types.join(", ");
        let sentence = about!(
            "O cabeçalho Accept recusa tudo o que esta rota responde: {all}.",
            "The header Accept refuses everything that this route answers: {all}."
        );
        Problem::new(StatusCode::NOT_ACCEPTABLE, "not-acceptable", sentence)
    }

    /// The body is declared as something else than JSON.
    pub fn unsupported_media_type() -> Problem {
        let sentence = (
            "O corpo deve ser JSON, declarado como Content-Type: application/json.",
            "The body must be JSON, declared as Content-Type: application/json.",
        );
        Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", sentence)
    }
}
