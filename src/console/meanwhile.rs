//! What another person stored while a form was being filled in: said above the form and beside each field, with both values to
//! choose from.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::choices::Choices;
use super::history::when_and_who;
use super::linked::RecordNames;
use super::view::said;
use super::visit::Visit;
use crate::records::{Field, Type};
use crate::store::journal::JournalEntry;

/// Texts of fields, by what requests call them.
type Texts = BTreeMap<&'static str, String>;

/// The state of the record beside the form.
#[derive(Default)]
pub(super) enum RecordNow {
    /// As it was when the form was drawn.
    #[default]
    Unchanged,
    /// Changed since then.
    Changed,
    /// In the trash.
    Deleted,
}

/// What another person did to the record.
#[derive(Default)]
pub(super) struct Meanwhile {
    pub record: RecordNow,
    /// The stored values of fields that were changed here as well.
    pub theirs: Texts,
    /// The former values of fields that were changed there only: the form has taken over the new ones.
    pub taken: Texts,
    /// The last change of the record.
    pub last: Option<JournalEntry>,
}

impl Meanwhile {
    /// Returns `true` if the form has to say something before anything else.
    pub fn is_news(&self) -> bool {
        !matches!(self.record, RecordNow::Unchanged)
    }

    /// What happened, above the form, with links to its fields.
    pub fn draw(&self, fields: &[&'static Field], visit: &Visit) -> Markup {
        let list = |of: &Texts| {
            let fields = fields.iter().filter(|field| of.contains_key(field.member));
            html! { ul { @for field in fields {
                li { a href={ "#f-" (field.member) } { (visit.lang.pick(field.label.0, field.label.1)) } }
            } } }
        };
        html! {
            div.alert role="alert" tabindex="-1" autofocus {
                @match self.record {
                    RecordNow::Unchanged => {},
                    RecordNow::Deleted => {
                        p { strong { (visit.say("Este cadastro foi movido para a lixeira enquanto você o editava.", "This record was moved to the trash while you edited it.")) } }
                        p { (visit.say(
                            "Nada foi salvo. O que você digitou está aqui: restaure o cadastro em outra aba e salve nesta.",
                            "Nothing was saved. What you typed is here: restore the record in another tab, then save in this one.",
                        )) }
                    },
                    RecordNow::Changed => {
                        p {
                            strong { (visit.say("Outra pessoa alterou este cadastro enquanto você o editava.", "Somebody else changed this record while you edited it.")) }
                            @if let Some(last) = &self.last { " " (when_and_who(last, &visit.zone, visit)) "." }
                        }
                        p { (visit.say("Nada foi salvo ainda; o que você digitou está aqui. Confira e salve de novo.", "Nothing is saved yet; what you typed is here. Look it over and save again.")) }
                        @if !self.theirs.is_empty() {
                            p { (visit.say(
                                "Alterado pelos dois; fica o que estiver no campo quando você salvar:",
                                "Changed by both of you; what is in the field when you save will stay:",
                            )) }
                            (list(&self.theirs))
                        }
                        @if !self.taken.is_empty() {
                            p { (visit.say("Alterado só pela outra pessoa, e já no formulário:", "Changed by the other person only, and in the form already:")) }
                            (list(&self.taken))
                        }
                    },
                }
            }
        }
    }

    /// The other value of a field, beside it.
    pub fn beside(&self, field: &Field, choices: &Choices, names: &RecordNames, visit: &Visit) -> Markup {
        let other = |label, text: &str, take| {
            html! {
                p.theirs {
                    (label)
                    @if text.is_empty() { em { (visit.say("vazio", "empty")) } }
                    @else if let Type::Record(kind) = field.ty { strong { (names.link(kind, text, visit.lang)) } }
                    @else { strong { (said(field, text, Some(choices), visit.lang)) } }
                    button.slight type="button" data-take=(text) data-into={ "f-" (field.member) } hidden { (take) }
                }
            }
        };
        html! {
            @if let Some(text) = self.theirs.get(field.member) {
                (other(visit.say("Salvo agora: ", "Saved now: "), text, visit.say("Usar este", "Use this")))
            }
            @if let Some(text) = self.taken.get(field.member) {
                (other(visit.say("Alterado pela outra pessoa; antes: ", "Changed by the other person; before: "), text, visit.say("Voltar a este", "Back to this")))
            }
        }
    }
}
