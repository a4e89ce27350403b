//! Rights of people: their words, and the fields of their form (access 24).

use crate::console::prelude::*;
use crate::records::{Level, Nouns, Rights};

/// Name and description of a level.
pub(super) fn level(level: Level) -> (Bilingual, Bilingual) {
    match level {
        Level::Read => (
            ("Consulta", "Looks things up"),
            (
                "vê cadastros, documentos e histórico, sem mudar nada",
                "sees records, documents and history, and changes nothing",
            ),
        ),
        Level::Write => (
            ("Trabalha", "Works"),
            (
                "vê, inclui, altera, conclui, paga, envia documentos e exclui para a lixeira",
                "sees, adds, changes, completes, pays, uploads documents and deletes into the trash",
            ),
        ),
        Level::Manage | Level::Own => (
            ("Administra", "Manages"),
            (
                "trabalha, cuida das tabelas de apoio, une, importa, exporta tudo e restaura o que outros mudaram",
                "works, looks after the lists, merges, imports, exports everything and restores what others changed",
            ),
        ),
    }
}

/// Describes rights in a sentence.
pub(super) fn in_words(rights: Rights, lang: Lang) -> String {
    let ((pt, en), (told_pt, told_en)) = level(rights.level);
    let name = lang.pick(pt, en);
    let told = lang.pick(told_pt, told_en);
    let of = match rights.nouns.is_all() {
        true => lang.pick("em tudo", "everything").to_owned(),
        false => rights
            .nouns
            .tables()
            .map(|table| title(table, lang).to_lowercase())
            .collect::<Vec<_>>()
            .join(", "),
    };
    format!("{name}: {told} ({of}).")
}

/// Reads the rights of the form. Without a ticked noun, the person sees the reference lists only.
pub(super) fn rights_of(visit: &Visit) -> Rights {
    let named = visit.form.iter().filter(|(name, _)| name == "noun").map(|(_, value)| value.as_str());
    Rights {
        level: Level::granted(visit.field("level")).unwrap_or(Level::Read),
        nouns: Nouns::named(named).unwrap_or(Nouns::NONE),
    }
}
