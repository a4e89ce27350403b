//! Every option of the command line, once: its name, what it is in both languages, how its value is read.

use crate::config::keys::Words;

/// An option, always written out: `--name`. A file stands by itself.
pub(super) struct Opt {
    pub name: &'static str,
    /// What stands for its value; none for one that has no value.
    pub value: Option<Words>,
    pub help: Words,
    pub kind: OptionKind,
}

impl Opt {
    /// Whether it is a value without its name before it.
    pub fn stands_alone(&self) -> bool {
        matches!(self.kind, OptionKind::File | OptionKind::Backup)
    }
}

/// How an option's value is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionKind {
    Path,
    Address,
    /// A number of records, which has to be given.
    Count,
    /// Any whole number.
    Seed,
    Switch,
    /// A file without an option before it, which may be left out.
    File,
    /// The same for a backup, instead of which there may be `--latest`.
    Backup,
    Help,
    Version,
}

pub(super) const DATA_DIR: Opt = Opt {
    name: "data-dir",
    value: Some(("PASTA", "DIR")),
    help: ("Pasta que guarda tudo desta instalação", "Folder that holds everything of this instance"),
    kind: OptionKind::Path,
};
pub(super) const CONFIG: Opt = Opt {
    name: "config",
    value: Some(("ARQUIVO", "FILE")),
    help: ("Arquivo de configurações", "Settings file"),
    kind: OptionKind::Path,
};
pub(super) const LISTEN: Opt = Opt {
    name: "listen",
    value: Some(("ENDEREÇO:PORTA", "ADDR:PORT")),
    help: ("Onde a API atende, em vez de server.listen", "Where the API listens, instead of server.listen"),
    kind: OptionKind::Address,
};
pub(super) const JSON: Opt = Opt {
    name: "json",
    value: None,
    help: ("Escreve o resultado em JSON", "Write the result as JSON"),
    kind: OptionKind::Switch,
};
pub(super) const LINK: Opt = Opt {
    name: "link",
    value: None,
    help: ("Escreve o link em vez de abri-lo", "Write the link instead of opening it"),
    kind: OptionKind::Switch,
};
pub(super) const CUSTOMERS: Opt = Opt {
    name: "customers",
    value: Some(("QUANTOS", "COUNT")),
    help: ("Quantos clientes inventar", "How many customers to invent"),
    kind: OptionKind::Count,
};
pub(super) const LAWSUITS: Opt = Opt {
    name: "lawsuits",
    value: Some(("QUANTOS", "COUNT")),
    help: ("Quantos processos inventar", "How many lawsuits to invent"),
    kind: OptionKind::Count,
};
pub(super) const SEED: Opt = Opt {
    name: "seed",
    value: Some(("NÚMERO", "NUMBER")),
    help: ("Com outro número, outro escritório; sem ele, 1", "Another number, another office; without it, 1"),
    kind: OptionKind::Seed,
};
pub(super) const NEW_FILE: Opt = Opt {
    name: "file",
    value: Some(("ARQUIVO", "FILE")),
    help: (
        "O arquivo novo; sem ele, um na pasta dos backups",
        "The new file; without it, one in the folder of the backups",
    ),
    kind: OptionKind::File,
};
pub(super) const BACKUP: Opt = Opt {
    name: "backup",
    value: Some(("ARQUIVO", "FILE")),
    help: ("O backup", "The backup"),
    kind: OptionKind::Backup,
};
pub(super) const LATEST: Opt = Opt {
    name: "latest",
    value: None,
    help: ("O backup íntegro mais novo", "The newest backup that is sound"),
    kind: OptionKind::Switch,
};
pub(super) const WITH_TOKEN: Opt = Opt {
    name: "with-token",
    value: None,
    help: (
        "Volta também ao token da época do backup; o de agora deixa de funcionar",
        "Go back to the token of that time as well; the one of today stops working",
    ),
    kind: OptionKind::Switch,
};
pub(super) const HELP: Opt =
    Opt { name: "help", value: None, help: ("Mostra esta ajuda", "Show this help"), kind: OptionKind::Help };
pub(super) const VERSION: Opt = Opt {
    name: "version",
    value: None,
    help: ("Mostra a versão", "Show the version"),
    kind: OptionKind::Version,
};

/// The options that every command takes.
pub(super) const COMMON: [Opt; 3] = [DATA_DIR, CONFIG, HELP];
