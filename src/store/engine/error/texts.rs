//! What people read about an error of the store: what is wrong with its file, and what they can do. Programs get a code
//! of the API, and the log gets the error itself.

use crate::clock::ClockFault;
use crate::domain::lang::localize;
use crate::domain::{Bilingual, Lang};
use crate::store::{Difference, Error};

/// The people who read a message. It decides what they can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Users of the command line.
    Terminal,
    /// Users of the console, who have buttons instead of commands.
    Page,
    /// Users who click on the icon and do not know the command line.
    Tray,
}

impl Error {
    /// Returns what is wrong with a file, as a clause without a full stop. `file` is its subject, such as `the data file`,
    /// and masculine in Portuguese.
    pub fn fault(&self, file: &str, lang: Lang) -> String {
        match self {
            Error::Newer { found, known } => localize!(
                lang,
                "{file} é de um Pleito mais novo (esquema {found}; este conhece até {known})",
                "{file} is from a newer Pleito (schema {found}; this one knows up to {known})"
            ),
            Error::NotUpgraded { .. } => localize!(
                lang,
                "{file} é de um Pleito anterior e não pôde ser atualizado",
                "{file} is from an earlier Pleito and could not be upgraded"
            ),
            Error::Foreign => {
                localize!(lang, "{file} é de outro programa", "{file} belongs to another program")
            }
            Error::Schema(difference) => {
                let difference = difference.message(lang);
                localize!(
                    lang,
                    "{file} não tem a forma que o Pleito dá aos dados: {difference}",
                    "{file} does not have the form that Pleito gives its data: {difference}"
                )
            }
            Error::Damaged(_) => localize!(lang, "{file} está danificado", "{file} is damaged"),
            Error::Full(_) => lang.pick("não há espaço no disco", "the disk has no room left").to_owned(),
            Error::Unavailable(_) => {
                localize!(lang, "{file} não pode ser usado agora", "{file} cannot be used now")
            }
            Error::Moved => localize!(
                lang,
                "{file} foi apagado, movido ou trocado enquanto era usado",
                "{file} was deleted, moved or replaced while it was used"
            ),
            Error::Clock => ClockFault::Behind.message(lang).trim_end_matches('.').to_owned(),
            Error::Standby => localize!(
                lang,
                "{file} é a cópia de um escritório em outra máquina, onde se grava",
                "{file} is the copy of an office on another machine, where things are written"
            ),
            Error::Refused(_) | Error::Closed | Error::Defect(_) => localize!(
                lang,
                "{file} não pode ser usado por um defeito do Pleito",
                "{file} cannot be used because of a defect of Pleito"
            ),
        }
    }

    /// Returns what is wrong with a file and what to do, as sentences that begin in lower case. `file` is as in
    /// [`Error::fault`].
    pub fn message(&self, file: &str, audience: Audience, lang: Lang) -> String {
        let fault = self.fault(file, lang);
        let unchanged = ("; nada foi alterado", "; nothing was changed");
        let (effect, remedy) = match self {
            Error::Newer { .. } => (unchanged, ("Instale a versão mais nova.", "Install the newer version.")),
            Error::NotUpgraded { .. } => (unchanged, STAY),
            Error::Foreign => (unchanged, FOREIGN),
            // The data are sound.
            Error::Schema(Difference::Foreign(..)) => (unchanged, audience.way_to_remove()),
            Error::Schema(_) | Error::Damaged(_) => (unchanged, audience.way_back()),
            Error::Full(_) => (NOT_STORED, FULL),
            Error::Moved => (NOT_STORED, MOVED),
            Error::Unavailable(_) => (NOTHING, UNAVAILABLE),
            Error::Clock | Error::Standby => (NOTHING, NOTHING),
            Error::Refused(_) | Error::Closed | Error::Defect(_) => (NOTHING, DEFECT),
        };
        let [effect, remedy] = [effect, remedy].map(|(pt, en)| lang.pick(pt, en));
        let sentences = [remedy, &self.technical_detail(audience, lang)];
        let sentences = sentences.into_iter().filter(|sentence| !sentence.is_empty());
        format!("{fault}{effect}.") + &sentences.map(|sentence| [" ", sentence].concat()).collect::<String>()
    }

    /// Quotes the cause for users of the command line, if it has several possible reasons.
    fn technical_detail(&self, audience: Audience, lang: Lang) -> String {
        let cause = match self {
            _ if audience != Audience::Terminal => return String::new(),
            Error::NotUpgraded { cause, .. } | Error::Unavailable(cause) => cause.clone(),
            Error::Refused(_) | Error::Closed | Error::Defect(_) => self.to_string(),
            _ => return String::new(),
        };
        localize!(lang, "Detalhe técnico: {cause}.", "Technical detail: {cause}.")
    }
}

impl Audience {
    /// Returns how this audience gets back to a backup.
    fn way_back(self) -> Bilingual {
        match self {
            Audience::Terminal => (
                "Para voltar ao backup mais novo: pleito restore --latest. O arquivo de agora é guardado.",
                "To go back to the newest backup: pleito restore --latest. The present file is kept.",
            ),
            Audience::Page => (
                "Volte ao backup mais novo, na página Backups. O arquivo de agora é guardado.",
                "Go back to the newest backup on the page Backups. The present file is kept.",
            ),
            Audience::Tray => (
                "Chame quem cuida deste computador para voltar a um backup.",
                "Ask the person who looks after this computer to restore a backup.",
            ),
        }
    }
}

impl Audience {
    /// Returns how this audience gets rid of what another program has added to the data.
    fn way_to_remove(self) -> Bilingual {
        match self {
            Audience::Terminal => (
                "Remova isso com o programa que o criou, ou com sqlite3, e repita o comando.",
                "Remove it with the program that made it, or with sqlite3, and repeat the command.",
            ),
            Audience::Page => (
                "Quem o criou, com outro programa, deve removê-lo; depois tente de novo.",
                "Whoever made it, with another program, should remove it; then try again.",
            ),
            Audience::Tray => (
                "Chame quem cuida deste computador para removê-lo.",
                "Ask the person who looks after this computer to remove it.",
            ),
        }
    }
}

const NOTHING: Bilingual = ("", "");
const NOT_STORED: Bilingual = ("; nada mais é salvo", "; nothing more is stored");
const STAY: Bilingual = (
    "Continue com a versão anterior do Pleito e avise quem cuida deste computador.",
    "Use the earlier version of Pleito and tell the person who looks after this computer.",
);
const FOREIGN: Bilingual = ("Mova-o, ou use outra pasta de dados.", "Move it, or use another data folder.");
const FULL: Bilingual = ("Libere espaço e tente de novo.", "Free some space and try again.");
/// The running server cannot restore a backup: it has the other file open.
const MOVED: Bilingual = (
    "Ponha-o de volta no lugar. Se ele se perdeu, encerre o Pleito e restaure um backup.",
    "Put it back in its place. If it is lost, quit Pleito and restore a backup.",
);
const UNAVAILABLE: Bilingual = (
    "Veja se o disco está ligado, se há permissão de leitura e gravação, e se outro programa, como um antivírus ou uma sincronização, o está usando.",
    "See whether the disk is plugged in, whether the file may be read and written, and whether another program, such as an antivirus or a synchronisation, uses it.",
);
const DEFECT: Bilingual = (
    "Saia e abra o Pleito de novo; se voltar a acontecer, o log diz o que houve.",
    "Quit Pleito and open it again; if it happens again, the log has the details.",
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Invalid;

    #[test]
    fn every_error_has_sentences_in_both_languages_and_commands_only_for_the_terminal() {
        let cause = || "os error 5".to_owned();
        for error in [
            Error::Full(cause()),
            Error::Unavailable(cause()),
            Error::Moved,
            Error::Damaged(cause()),
            Error::Foreign,
            Error::Schema(Difference::NoVersion),
            Error::Newer { found: 9, known: 1 },
            Error::NotUpgraded { found: 1, cause: cause() },
            Error::Refused(Invalid::default()),
            Error::Closed,
            Error::Clock,
            Error::Defect(cause()),
        ] {
            for audience in [Audience::Terminal, Audience::Page, Audience::Tray] {
                let [pt, en] = [Lang::Pt, Lang::En].map(|lang| error.message("x.db", audience, lang));
                assert_ne!(pt, en);
                for text in [pt, en] {
                    assert!(text.ends_with('.') && !text.contains("..") && !text.contains(". ."), "{text}");
                    let is_technical = text.contains("--") || text.contains("os error");
                    assert!(audience == Audience::Terminal || !is_technical, "{text}");
                }
            }
        }
    }
}
