//! The parts of the syntax: commands and options with their help in the user's language.

use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, value_parser};

use crate::domain::{Bilingual, Lang};

#[derive(Clone, Copy)]
pub(super) struct SyntaxParts {
    pub(super) lang: Lang,
}

impl SyntaxParts {
    pub(super) fn pick(self, (pt, en): Bilingual) -> &'static str {
        self.lang.pick(pt, en)
    }

    pub(super) fn command(self, name: &'static str, about: Bilingual) -> Command {
        Command::new(name).about(self.pick(about))
    }

    pub(super) fn argument(self, name: &'static str, value: Bilingual, help: Bilingual) -> Arg {
        Arg::new(name).value_name(self.pick(value)).help(self.pick(help))
    }

    /// Returns an option with a value.
    pub(super) fn option(self, name: &'static str, value: Bilingual, help: Bilingual) -> Arg {
        self.argument(name, value, help).long(name)
    }

    /// Returns an option without a value.
    pub(super) fn flag(self, name: &'static str, help: Bilingual) -> Arg {
        Arg::new(name).long(name).help(self.pick(help)).action(ArgAction::SetTrue)
    }

    pub(super) fn path(self, name: &'static str, value: Bilingual, help: Bilingual) -> Arg {
        self.option(name, value, help).value_parser(value_parser!(PathBuf))
    }

    pub(super) fn new_office(self) -> Arg {
        let help = (
            "Cria um escritório novo se a pasta de dados não tem nenhum",
            "Create a new office if the data folder has none",
        );
        self.flag("new", help)
    }

    pub(super) fn yes(self) -> Arg {
        self.flag("yes", ("Não pergunta", "Do not ask"))
    }

    /// Adds `--json` to a command, or to all its subcommands if it needs one.
    pub(super) fn with_json(self, command: Command) -> Command {
        let help = (
            "Escreve o resultado em JSON, e também os erros",
            "Write the result as JSON, and errors as well",
        );
        let command = command.mut_subcommands(|below| self.with_json(below));
        match command.is_subcommand_required_set() {
            true => command,
            false => command.arg(self.flag("json", help)),
        }
    }
}
