//! What is wrong with what somebody filled in, in the visitor's language.

use std::collections::BTreeMap;

use super::visit::Visit;
use crate::domain::{Invalid, Lang, Reason};

/// What is wrong with each field, by what requests call it.
pub(super) type Wrong = BTreeMap<String, Vec<String>>;

/// The reasons as the visitor reads them.
pub(super) fn wrong(invalid: &Invalid, visit: &Visit) -> Wrong {
    let mut wrong = Wrong::new();
    for (field, reason) in invalid.iter() {
        wrong.entry(field.to_owned()).or_default().push(beside(reason, visit.lang));
    }
    wrong
}

/// A reason as it stands beside its field, whose name it need not follow.
fn beside(reason: &Reason, lang: Lang) -> String {
    let text = match (reason, lang) {
        (Reason::Required, Lang::Pt) => "preencha este campo",
        (Reason::NotTaxId, Lang::Pt) => "CPF ou CNPJ inválido. Confira os números.",
        (Reason::NotBirthdate, Lang::Pt) => "a data de nascimento não pode ser no futuro, nem antes de 1850.",
        (Reason::NotPhone, Lang::Pt) => "telefone sem DDD ou incompleto. Ex.: (48) 99999-0000.",
        _ => return (*reason).say(lang).into_owned(),
    };
    text.to_owned()
}
