//! Conflicts with changes that another person stored while a form was open. They are shown above the form and
//! beside each field, with both values to choose from.

use std::collections::BTreeMap;

use crate::console::layout::choices::Choices;
use crate::console::layout::view::format_value;
use crate::console::prelude::*;
use crate::console::records::form::reference_fields::RecordNames;
use crate::console::records::page::history::when_and_who;
use crate::store::journal::JournalEntry;

/// Field texts by member name.
type Texts = BTreeMap<&'static str, String>;

/// State of the record compared with the form.
#[derive(Default)]
pub(in crate::console) enum RecordNow {
    #[default]
    Unchanged,
    Changed,
    Deleted,
}

#[derive(Default)]
pub(in crate::console) struct EditConflict {
    pub record: RecordNow,
    /// Stored values of fields that were changed on both sides.
    pub theirs: Texts,
    /// Former values of fields that were changed only there; the form shows the new ones.
    pub taken: Texts,
    pub last: Option<JournalEntry>,
}

impl EditConflict {
    /// Returns `true` if there is a conflict to show.
    pub fn is_news(&self) -> bool {
        !matches!(self.record, RecordNow::Unchanged)
    }

    /// Returns `true` if the visitor made the last change, for example in another tab.
    fn is_own(&self, visit: &Visit) -> bool {
        self.last.as_ref().is_some_and(|last| last.who.is_some() && last.who == visit.caller.who)
    }

    /// Renders the conflict above the form, with links to the fields.
    pub fn render(&self, fields: &[&'static Field], visit: &Visit) -> Markup {
        let list = |of: &Texts| {
            let fields = fields.iter().filter(|field| of.contains_key(field.member));
            html! { ul { @for field in fields {
                li { a href={ "#f-" (field.member) } { (visit.lang.pick(field.label.0, field.label.1)) } }
            } } }
        };
        html! {
            div.alert role="alert" tabindex="-1" data-focus {
                @match self.record {
                    RecordNow::Unchanged => {},
                    RecordNow::Deleted => {
                        p { strong { (visit.pick("Este cadastro foi movido para a lixeira enquanto você o editava.", "This record was moved to the trash while you edited it.")) } }
                        p { (visit.pick(
                            "Nada foi salvo. O que você digitou está aqui: restaure o cadastro em outra aba e salve nesta.",
                            "Nothing was saved. Your input is here: restore the record in another tab, then save in this one.",
                        )) }
                    },
                    RecordNow::Changed => {
                        p {
                            strong {
                                @if self.is_own(visit) { (visit.pick("Este cadastro mudou enquanto você o editava aqui.", "This record changed while you were editing it here.")) }
                                @else { (visit.pick("Outra pessoa alterou este cadastro enquanto você o editava.", "Another person changed this record while you were editing it.")) }
                            }
                            @if let Some(last) = &self.last { " " (when_and_who(last, visit)) "." }
                        }
                        p { (visit.pick("Nada foi salvo ainda; o que você digitou está aqui. Confira e salve de novo.", "Nothing is saved yet; your input is here. Check it and save again.")) }
                        @if !self.theirs.is_empty() {
                            p { (visit.pick(
                                "Alterado lá e aqui; fica o que estiver no campo quando você salvar:",
                                "Changed there and here; the value in the field when you save is kept:",
                            )) }
                            (list(&self.theirs))
                        }
                        @if !self.taken.is_empty() {
                            p { (visit.pick("Alterado só lá, e já no formulário:", "Changed only there, and in the form already:")) }
                            (list(&self.taken))
                        }
                    },
                }
            }
        }
    }

    /// Renders the other value beside a field.
    pub fn beside(&self, field: &Field, choices: &Choices, names: &RecordNames, visit: &Visit) -> Markup {
        let other = |label, text: &str, take| {
            html! {
                p.theirs {
                    (label)
                    @if text.is_empty() { em { (visit.pick("vazio", "empty")) } }
                    @else if let Type::Record(kind) = field.ty { strong { (names.link(kind, text, visit.lang)) } }
                    @else { strong { (format_value(field, text, Some(choices), visit.lang)) } }
                    button.slight type="button" data-take=(text) data-into={ "f-" (field.member) } hidden { (take) }
                }
            }
        };
        html! {
            @if let Some(text) = self.theirs.get(field.member) {
                (other(visit.pick("Salvo agora: ", "Saved now: "), text, visit.pick("Usar este", "Use this")))
            }
            @if let Some(text) = self.taken.get(field.member) {
                (other(visit.pick("Alterado lá; antes: ", "Changed there; before: "), text, visit.pick("Voltar a este", "Back to this")))
            }
        }
    }
}
