//! Translates I/O errors, because the system's own messages are English on most machines.

use std::io::{Error, ErrorKind};

use crate::domain::lang::Lang;
use crate::domain::text::sentences::InSentence;

impl InSentence for Error {
    fn in_sentence(&self, lang: Lang) -> impl std::fmt::Display {
        message(self, lang)
    }
}

/// Returns the reason as a phrase that follows a colon. Rare errors keep the system's own message.
pub fn message(error: &Error, lang: Lang) -> String {
    let (pt, en) = match error.kind() {
        ErrorKind::NotFound => ("não existe", "it does not exist"),
        ErrorKind::PermissionDenied => ("sem permissão", "permission denied"),
        ErrorKind::AddrInUse => ("o endereço já está em uso", "the address is in use"),
        ErrorKind::AddrNotAvailable => {
            ("o endereço não é desta máquina", "the address is not one of this machine")
        }
        ErrorKind::ConnectionRefused => ("a conexão foi recusada", "the connection was refused"),
        ErrorKind::StorageFull => ("não há espaço em disco", "the disk is full"),
        ErrorKind::ReadOnlyFilesystem => ("o disco só permite leitura", "the disk is read-only"),
        ErrorKind::AlreadyExists => {
            ("já existe um arquivo com esse nome", "there is a file of that name already")
        }
        ErrorKind::NotADirectory => ("não é uma pasta", "it is not a folder"),
        ErrorKind::IsADirectory => ("é uma pasta", "it is a folder"),
        // Without a message of its own.
        ErrorKind::InvalidData if error.get_ref().is_none() => {
            ("o conteúdo não pode ser entendido", "its content cannot be understood")
        }
        // Unix reports a read time-out as `WouldBlock`.
        ErrorKind::TimedOut | ErrorKind::WouldBlock => ("não houve resposta a tempo", "no answer in time"),
        _ => return error.to_string(),
    };
    lang.pick(pt, en).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_system_errors_are_translated() {
        for kind in [
            ErrorKind::NotFound,
            ErrorKind::PermissionDenied,
            ErrorKind::AddrInUse,
            ErrorKind::AddrNotAvailable,
            ErrorKind::ConnectionRefused,
            ErrorKind::StorageFull,
            ErrorKind::ReadOnlyFilesystem,
            ErrorKind::AlreadyExists,
            ErrorKind::TimedOut,
        ] {
            let error = Error::new(kind, "os error 2");
            let pt = message(&error, Lang::Pt);
            let en = message(&error, Lang::En);
            assert!(pt != en && !pt.contains("os error") && !en.contains("os error"), "{pt}, {en}");
        }
    }

    #[test]
    fn other_system_errors_keep_their_text() {
        assert_eq!(message(&Error::other("odd"), Lang::Pt), "odd");
        assert_eq!(message(&Error::new(ErrorKind::InvalidData, "odd"), Lang::Pt), "odd");
        assert!(message(&ErrorKind::InvalidData.into(), Lang::Pt).contains("entendido"));
    }
}
