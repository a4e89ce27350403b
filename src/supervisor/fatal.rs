//! Why the program cannot start or go on: one sentence for the person at the machine.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::domain::lang::Lang;
use crate::store;

/// What stops the program.
#[derive(Debug)]
pub enum Fatal {
    /// A folder cannot be made or used.
    Folder(PathBuf, io::Error),
    /// The log cannot be written.
    Log(PathBuf, io::Error),
    /// Another Pleito serves this data folder.
    Running(PathBuf),
    /// The data folder holds customers or lawsuits, and an empty one is needed.
    Occupied(PathBuf),
    /// The store cannot be opened.
    Store(PathBuf, store::Error),
    /// The port is another program's.
    PortInUse(SocketAddr),
    /// The address cannot be listened on.
    Listen(SocketAddr, io::Error),
    /// The system refuses something else.
    System(io::Error),
}

impl Fatal {
    /// The sentence, and what to do about it.
    pub fn say(&self, lang: Lang) -> String {
        match (self, lang) {
            (Fatal::Folder(path, cause), Lang::Pt) => {
                format!("a pasta {} não pode ser usada: {cause}. Escolha outra com --data-dir.", show(path))
            }
            (Fatal::Folder(path, cause), Lang::En) => {
                format!(
                    "the folder {} cannot be used: {cause}. Choose another one with --data-dir.",
                    show(path)
                )
            }
            (Fatal::Log(path, cause), Lang::Pt) => {
                format!("o registro em {} não pode ser escrito: {cause}.", show(path))
            }
            (Fatal::Log(path, cause), Lang::En) => {
                format!("the log in {} cannot be written: {cause}.", show(path))
            }
            (Fatal::Running(path), Lang::Pt) => format!(
                "outro Pleito já está em execução com a pasta de dados {}. Encerre-o ou use --data-dir com outra pasta.",
                show(path)
            ),
            (Fatal::Running(path), Lang::En) => format!(
                "another Pleito is already running with the data folder {}. Stop it, or use --data-dir with another folder.",
                show(path)
            ),
            (Fatal::Occupied(path), Lang::Pt) => format!(
                "a pasta {} já tem clientes ou processos; nada foi alterado. Use --data-dir com uma pasta nova.",
                show(path)
            ),
            (Fatal::Occupied(path), Lang::En) => format!(
                "the folder {} holds customers or lawsuits already; nothing was changed. Use --data-dir with a new folder.",
                show(path)
            ),
            (Fatal::Store(path, cause), _) => store_sentence(path, cause, lang),
            (Fatal::PortInUse(address), Lang::Pt) => format!(
                "a porta {} em {} já é de outro programa. Escolha outra com --listen {}:PORTA ou com server.listen.",
                address.port(),
                address.ip(),
                address.ip()
            ),
            (Fatal::PortInUse(address), Lang::En) => format!(
                "port {} on {} belongs to another program already. Choose another one with --listen {}:PORT or server.listen.",
                address.port(),
                address.ip(),
                address.ip()
            ),
            (Fatal::Listen(address, cause), Lang::Pt) => {
                format!("não é possível escutar em {address}: {cause}. Escolha outro endereço com --listen.")
            }
            (Fatal::Listen(address, cause), Lang::En) => {
                format!("cannot listen on {address}: {cause}. Choose another address with --listen.")
            }
            (Fatal::System(cause), Lang::Pt) => format!("o sistema recusou: {cause}."),
            (Fatal::System(cause), Lang::En) => format!("the system refused: {cause}."),
        }
    }

    /// Tells a taken port from other reasons not to listen.
    pub fn listen(address: SocketAddr, cause: io::Error) -> Fatal {
        match cause.kind() {
            io::ErrorKind::AddrInUse => Fatal::PortInUse(address),
            _ => Fatal::Listen(address, cause),
        }
    }
}

fn store_sentence(path: &Path, cause: &store::Error, lang: Lang) -> String {
    let path = show(path);
    match (cause, lang) {
        (store::Error::Newer { found, known }, Lang::Pt) => format!(
            "o arquivo {path} é de um Pleito mais novo (esquema {found}; este conhece até {known}). Instale a versão mais nova; nada foi alterado."
        ),
        (store::Error::Newer { found, known }, Lang::En) => format!(
            "the file {path} is from a newer Pleito (schema {found}; this one knows up to {known}). Install the newer version; nothing was changed."
        ),
        (store::Error::Foreign, Lang::Pt) => format!(
            "o arquivo {path} é de outro programa. Mova-o ou use --data-dir com outra pasta; nada foi alterado."
        ),
        (store::Error::Foreign, Lang::En) => format!(
            "the file {path} belongs to another program. Move it, or use --data-dir with another folder; nothing was changed."
        ),
        (store::Error::Damaged(cause), Lang::Pt) => format!(
            "o arquivo {path} está danificado ({cause}). Guarde-o e ponha uma cópia de segurança no lugar; nada foi alterado."
        ),
        (store::Error::Damaged(cause), Lang::En) => format!(
            "the file {path} is damaged ({cause}). Keep it, and put a backup in its place; nothing was changed."
        ),
        (store::Error::Full(cause), Lang::Pt) => {
            format!("não há espaço em disco para {path} ({cause}). Libere espaço.")
        }
        (store::Error::Full(cause), Lang::En) => {
            format!("the disk has no room for {path} ({cause}). Free some.")
        }
        (cause, Lang::Pt) => format!("o arquivo {path} não pode ser aberto: {cause}."),
        (cause, Lang::En) => format!("the file {path} cannot be opened: {cause}."),
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}
