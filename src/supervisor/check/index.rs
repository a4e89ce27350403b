//! What `pleito check` says of the files that searches are started from. One that is of no use is no error: what it holds is
//! made again from the store.

use std::path::Path;

use jiff::tz::TimeZone;

use crate::domain::lang::Lang;
use crate::index::{Unfit, files};
use crate::store;

/// Each file, whether the next start reads it, and why it does not.
pub(super) fn check(data: &Path, zone: &TimeZone, lang: Lang) -> Result<String, store::Error> {
    let files = files(data, zone)?;
    let all_serve = files.iter().all(|(_, unfit)| unfit.is_none());
    let said = files.map(|(name, unfit)| format!("{name}: {}", say(unfit, lang)));
    let said = said.join("; ");
    let again =
        lang.pick("o que falta é refeito a partir dos dados", "what is missing is made again from the store");
    Ok(if all_serve { said } else { format!("{said}; {again}") })
}

fn say(unfit: Option<Unfit>, lang: Lang) -> String {
    let text = match unfit {
        None => lang.pick("íntegro", "sound"),
        Some(Unfit::Missing) => lang.pick("não há", "none"),
        Some(Unfit::Damaged) => lang.pick("danificado", "damaged"),
        Some(Unfit::OtherProgram) => {
            lang.pick("de outra versão ou de outro fuso horário", "of another version or another time zone")
        }
        Some(Unfit::OtherStore) => lang.pick("de outros dados", "of another store"),
        Some(Unfit::Behind) => lang.pick("antigo demais", "too old"),
        Some(Unfit::Unreadable(cause)) => {
            return format!("{} ({cause})", lang.pick("ilegível", "unreadable"));
        }
    };
    text.to_owned()
}
