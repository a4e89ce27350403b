//! Errors of form fields in the visitor's language.

use std::collections::BTreeMap;

use crate::console::prelude::*;
use crate::domain::{Invalid, Reason};

pub(in crate::console) type FieldErrors = BTreeMap<String, Vec<String>>;

pub(in crate::console) fn wrong(invalid: &Invalid, visit: &Visit) -> FieldErrors {
    let mut wrong = FieldErrors::new();
    for (field, reason) in invalid.iter() {
        wrong.entry(field.to_owned()).or_default().push(beside(reason, visit.lang));
    }
    wrong
}

/// Formats an error for display beside its field, so that it need not name the field.
pub(in crate::console) fn beside(reason: &Reason, lang: Lang) -> String {
    let text = match (reason, lang) {
        (Reason::Required, Lang::Pt) => "preencha este campo",
        (Reason::NoLawsuit, Lang::Pt) => "preencha este campo ou o número do processo",
        (Reason::NoLawsuit, Lang::En) => "fill in this field or the case number",
        (Reason::NobodyNamed, Lang::Pt) => "preencha o nome ou o CPF ou CNPJ",
        (Reason::NobodyNamed, Lang::En) => "fill in the name, or the CPF or CNPJ",
        (Reason::NotTaxId, Lang::Pt) => "CPF ou CNPJ inválido. Confira os números.",
        (Reason::NotBirthdate, Lang::Pt) => "a data de nascimento não pode ser no futuro, nem antes de 1850.",
        (Reason::NotPhone, Lang::Pt) => "telefone sem DDD ou incompleto. Ex.: (48) 99999-0000.",
        _ => return (*reason).message(lang).into_owned(),
    };
    text.to_owned()
}

/// Returns the attribute `aria-invalid` of a field.
pub(in crate::console) fn invalid(name: &str, wrong: &FieldErrors) -> Option<&'static str> {
    wrong.contains_key(name).then_some("true")
}

/// Returns the attribute `aria-describedby` of a field, which names its [`reasons`].
pub(in crate::console) fn described(name: &str, wrong: &FieldErrors) -> Option<String> {
    wrong.contains_key(name).then(|| format!("e-{name}"))
}

/// Renders the errors of a field as a sentence, without announcing them.
pub(in crate::console) fn reasons_as_sentence(name: &str, wrong: &FieldErrors) -> Markup {
    html! { @if let Some(reasons) = wrong.get(name) { p.wrong id={ "e-" (name) } { (first_upper(&reasons.join("; "))) } } }
}

pub(in crate::console) fn reasons(name: &str, wrong: &FieldErrors) -> Markup {
    html! {
        @if let Some(reasons) = wrong.get(name) { p.wrong id={ "e-" (name) } role="alert" { (reasons.join("; ")) } }
    }
}
