//! The hand-over of a person's open work, asked in the row of the team's list, and its undoing (office 56).

use crate::api::hand_over::HandOver;
use crate::console::admin::keys;
use crate::console::layout::choices::Choices;
use crate::console::layout::field_errors::FieldErrors;
use crate::console::prelude::*;
use crate::domain::lang::localize;
use crate::store::access::keys::StoredKey;
use crate::store::lists::{self, Entry};
use crate::store::nouns::tasks::hand_over::OpenWork;

/// Form field with the person who gets the open work.
pub(in crate::console) const TO: &str = "to";

/// The open work of the person about to be deactivated, and what people have handed over.
#[derive(Default)]
pub(in crate::console) struct HandOverPanel {
    open: OpenWork,
    /// The keys whose address opens the tasks of that person.
    keys: Vec<StoredKey>,
    handed: Vec<(u32, HandOver)>,
}

impl HandOverPanel {
    /// Reads the work for the list of the team. `person` is the person about to be deactivated.
    pub fn read(db: Db<'_>, list: List, person: Option<u32>) -> Result<HandOverPanel> {
        if list != List::Users {
            return Ok(HandOverPanel::default());
        }
        let nouns = db.nouns();
        let open = person.map(|id| OpenWork::of(db, id)).transpose()?.unwrap_or_default();
        let keys = person.map(|id| keys::of_person(db, id)).transpose()?.unwrap_or_default();
        let mut handed = Vec::new();
        for entry in &lists::all(db, List::Users)? {
            handed.extend(HandOver::find(db, entry.id, nouns)?.map(|over| (entry.id, over)));
        }
        Ok(HandOverPanel { open, keys, handed })
    }

    /// Returns `true` for the only active person of the team, who cannot be deactivated.
    pub fn is_last(entry: &Entry, choices: &Choices) -> bool {
        lists::is_last_active(choices.entries(List::Users), entry.id)
    }

    /// Asks who gets the open work. `wrong` says why the person in the form that was sent cannot.
    pub fn question(&self, entry: &Entry, choices: &Choices, wrong: &FieldErrors, visit: &Visit) -> Markup {
        let id = format!("f-to-{}", entry.id);
        let sent = visit.field(TO);
        let inactive =
            choices.entries(List::Users).iter().find(|user| !user.active && user.id.to_string() == sent);
        let reason = match inactive {
            Some(Entry { name, .. }) => {
                let name = name.as_str();
                Some(localize!(
                    visit.lang,
                    "{name} não está mais na equipe ativa; escolha outra pessoa",
                    "{name} is inactive; choose another person"
                ))
            }
            None => wrong.get(TO).map(|reasons| reasons.join("; ")),
        };
        let why = html! { @if let Some(reason) = &reason { p.wrong id={ "w-" (id) } role="alert" { (first_upper(reason)) } } };
        let others = choices.entries(List::Users).iter().filter(|other| other.active && other.id != entry.id);
        let others = others.collect::<Vec<_>>();
        html! {
            @if HandOverPanel::is_last(entry, choices) {
                strong.hand-over { (visit.pick(
                    "É a única pessoa ativa da equipe e continua ativa: sem ela, nada novo poderia ter um responsável.",
                    "This is the only active person of the team, who stays active: nothing new could have a responsible person.",
                )) " " }
            }
            @if self.open.is_empty() {
                span.quiet.hand-over { (visit.pick("Nada em aberto.", "No open work.")) }
            } @else {
                span.quiet.hand-over { (words(self.open, visit)) " " (if self.open.total() == 1 {
                    visit.pick("continua com ela, a não ser que passe para outra pessoa.", "stays with this person unless another gets it.")
                } else {
                    visit.pick("continuam com ela, a não ser que passem para outra pessoa.", "stay with this person unless another gets them.")
                }) }
                @if !others.is_empty() {
                    div.field {
                        label for=(id) { (visit.pick("Passar para", "Hand over to")) }
                        select id=(id) name=(TO) data-focus[reason.is_some()] aria-invalid=[reason.is_some().then_some("true")] aria-describedby=[reason.is_some().then(|| format!("w-{id}"))] {
                            option value="" { (visit.pick("Ninguém", "No one")) }
                            @for other in &others { option value=(other.id) selected[other.id.to_string() == sent] { (other.name.as_str()) } }
                            @if let Some(other) = inactive { option value=(other.id) selected { (other.name.as_str()) " " (visit.pick("(inativo)", "(inactive)")) } }
                        }
                        (why)
                    }
                }
            }
            @if others.is_empty() || self.open.is_empty() { (why) }
            @if !self.keys.is_empty() && !HandOverPanel::is_last(entry, choices) { span.quiet.hand-over { (keys::staying_open(&self.keys, visit)) } }
        }
    }

    fn handed(&self, entry: &Entry) -> Option<&HandOver> {
        self.handed.iter().find(|(id, _)| *id == entry.id).map(|(_, over)| over)
    }

    /// Renders to whom a person has handed the work over, and what of it stays there.
    pub fn handed_over(&self, entry: &Entry, choices: &Choices, visit: &Visit) -> Markup {
        let Some(over) = self.handed(entry) else { return html! {} };
        let back = over.going_back();
        let to = choices.named(List::Users, &over.to.to_string()).0.to_owned();
        html! {
            span.quiet.hand-over {
                @if over.is_handed_on {
                    (localize!(visit.lang, "Passado para {to}, que depois passou adiante o que tinha: desfaça antes essa passagem.", "Handed over to {to}, who handed it over later: undo that first."))
                } @else if !back.is_empty() {
                    (localize!(visit.lang, "Passado para {to}: ", "Handed over to {to}: ")) (words(back, visit)) ". "
                } @else if over.kept.is_empty() {
                    (localize!(visit.lang, "Passado para {to}: nada que voltaria.", "Handed over to {to}: nothing that would go back."))
                }
                @if !over.kept.is_empty() && !over.is_handed_on {
                    (visit.pick("Fica como está, porque mudou de responsável ou foi concluído desde então: ", "Stays as it is, because another person got it or it was completed since: "))
                    @for (at, (table, id)) in over.kept.iter().enumerate() {
                        @let number = id.to_string();
                        @if at > 0 { ", " }
                        a href={ (BASE) "/" (table.path) "/" (number) } { (visit.lang.pick(table.noun.0, table.noun.1)) " " (numbered(&number, visit.lang)) }
                    }
                    "."
                }
            }
        }
    }

    /// Renders the button that gives the work back to a person, who is active then.
    pub fn undo(&self, entry: &Entry, visit: &Visit) -> Markup {
        let name = entry.name.as_str();
        html! {
            @if self.handed(entry).is_some_and(|over| !over.is_handed_on) {
                button.link type="submit" name="do" value="back" aria-label={ (visit.pick("Desfazer a passagem: ", "Undo the hand-over: ")) (name) } {
                    (visit.pick("Desfazer a passagem", "Undo the hand-over"))
                }
            }
        }
    }
}

/// Query parameter with the numbers of tasks and lawsuits that went back, and of records that stayed.
pub(in crate::console) const BACK: &str = "back";

/// Formats the value of [`BACK`].
pub(in crate::console) fn back(over: &HandOver) -> String {
    let OpenWork { tasks, lawsuits } = over.going_back();
    format!("{tasks}-{lawsuits}-{}", over.kept.len())
}

/// Renders what went back to a person whose hand-over was just undone.
pub(in crate::console) fn came_back(visit: &Visit) -> Markup {
    let numbers =
        visit.parameter(BACK).split('-').map_while(|number| number.parse().ok()).collect::<Vec<u64>>();
    let [tasks, lawsuits, kept] = *numbers else { return html! {} };
    let work = OpenWork { tasks, lawsuits };
    html! {
        span.hand-over role="status" {
            (visit.pick("A passagem foi desfeita. ", "The hand-over was undone. "))
            @if !work.is_empty() { (visit.pick("Voltou: ", "Given back: ")) (words(work, visit)) "." }
            @if kept > 0 {
                " " (visit.pick("Ficou como está, porque mudou de responsável ou foi concluído desde então: ", "Stayed as it is, because another person got it or it was completed since: "))
                (count(kept, visit.lang)) "."
            }
        }
    }
}

/// Formats open work, such as `7 tarefas a fazer e 63 processos`.
fn words(open: OpenWork, visit: &Visit) -> String {
    let tasks = match open.tasks {
        0 => None,
        1 => Some(visit.pick("1 tarefa a fazer", "1 task to do").to_owned()),
        many => Some(format!("{} {}", count(many, visit.lang), visit.pick("tarefas a fazer", "tasks to do"))),
    };
    let lawsuits = match open.lawsuits {
        0 => None,
        1 => Some(visit.pick("1 processo em andamento", "1 open case").to_owned()),
        many => Some(format!(
            "{} {}",
            count(many, visit.lang),
            visit.pick("processos em andamento", "open cases")
        )),
    };
    let both = [tasks, lawsuits].into_iter().flatten().collect::<Vec<_>>();
    both.join(visit.pick(" e ", " and "))
}
