//! Rows of a list that are chosen together: the bar below the list, and the question before anything is done with them
//! (day 39).

mod act;
mod deed;
mod question;

use std::collections::BTreeSet;
use std::sync::Arc;

use maud::{Markup, html};

use super::delete::confirmed;
use super::enter;
use super::find::find_all;
use super::form::typed;
use super::numbers::{count, counted};
use super::page::{csrf_field, own_page, page, redirect};
use super::paths::BASE;
use super::state::Console;
use super::visit::Visit;
use crate::api::pages::Pages;
use crate::domain::{Invalid, Short, blank};
use crate::http::{Answer, Problem};
use crate::records::{Field, Kind, Type};
use crate::store::{Db, trash};
use crate::transfer::Spreadsheet;
use act::{ACT, ALL, Act, CHOSEN, FORM, MEMBER, MOST, RESTORE};
use deed::{ChosenOutcome, Deed};
use question::Question;

impl Pages {
    /// A page about several records at once; none where there is no such page.
    pub(super) async fn answer_of_several(
        &'static self,
        console: &Arc<Console>,
        posted: bool,
        rest: &[&str],
        visit: &Visit,
    ) -> Option<Answer> {
        match (posted, rest) {
            (false, ["chosen"]) => Some(self.ask_chosen(console, visit).await),
            (true, ["chosen"]) => Some(self.do_chosen(console, visit).await),
            (false, ["duplicates"]) if self.merge.is_some() => Some(self.duplicates(console, visit).await),
            _ => None,
        }
    }

    /// What can be done with several such records.
    fn acts(&self) -> impl Iterator<Item = Act> {
        let pressed = self.actions.iter().map(|action| Act::Press(action, action.many));
        pressed.chain([Act::Change, Act::Delete])
    }

    fn act_named(&self, name: &str) -> Option<Act> {
        self.acts().find(|act| act.name() == name)
    }

    /// The members that can be given the same value on several records.
    fn shared(&self) -> impl Iterator<Item = &'static Field> {
        let fields = self.table.sections().into_iter().flat_map(|(_, fields)| fields);
        fields.filter(|field| {
            let is_choice = matches!(
                field.ty,
                Type::Reference(_)
                    | Type::Links(Kind::List(_))
                    | Type::Day
                    | Type::SlashedDay
                    | Type::Time
                    | Type::YearMonth
                    | Type::Flag
                    | Type::State
                    | Type::Gender
                    | Type::Line(_)
            );
            is_choice && !field.unique && !field.fixed
        })
    }

    /// The box beside a record, which `called` names.
    pub(super) fn tick(&self, id: u32, called: &str, visit: &Visit) -> Markup {
        html! {
            td.tick { label {
                span.hidden { (visit.say("Escolher ", "Choose ")) (called) }
                input type="checkbox" name=(CHOSEN) value=(id) form=(FORM);
            } }
        }
    }

    /// The box that a script shows above those of a page, to choose all of it.
    pub(super) fn tick_page(&self, visit: &Visit) -> Markup {
        html! { th.tick scope="col" { input type="checkbox" data-choose hidden aria-label=(visit.say("Escolher todos desta página", "Choose all of this page")); } }
    }

    /// What can be done with the rows that are chosen of a list of `total`, of which `shown` are on the page. It shows itself
    /// once one is.
    pub(super) fn bar(&self, total: u64, shown: usize, visit: &Visit) -> Markup {
        let list = visit.query.iter().filter(|(name, _)| !["offset", "done"].contains(&name.as_str()));
        html! {
            form.chosen #(FORM) action={ (BASE) "/" (self.path()) "/chosen" } aria-label=(visit.say("Com os escolhidos", "With the chosen ones")) {
                @for (name, value) in list.filter(|(_, value)| !value.trim().is_empty()) { input type="hidden" name=(name) value=(value); }
                (self.how_many(total, shown, visit.say("Tudo da busca: ", "All of the search: "), visit))
                div.acts {
                    @for act in self.acts() {
                        button.danger[matches!(act, Act::Delete)] type="submit" name=(ACT) value=(act.name()) { (visit.lang.pick(act.label().0, act.label().1)) @if !matches!(act, Act::Press(..)) { "…" } }
                    }
                    @for format in [Spreadsheet::Xlsx, Spreadsheet::Csv] {
                        button type="submit" name=(ACT) value=(format.ending()) { (visit.say("Exportar ", "Export ")) (format.ending().to_uppercase()) }
                    }
                }
            }
        }
    }

    /// The same of the trash, from which they can be brought back.
    pub(super) fn restore_bar(&self, total: u64, shown: usize, visit: &Visit) -> Markup {
        html! {
            form.chosen #(FORM) method="post" action={ (BASE) "/" (self.path()) "/chosen" } aria-label=(visit.say("Com os escolhidos", "With the chosen ones")) {
                (csrf_field(visit))
                (self.how_many(total, shown, visit.say("Tudo: ", "All: "), visit))
                div.acts { button.main type="submit" name=(ACT) value=(RESTORE) { (visit.say("Restaurar", "Restore")) } }
            }
        }
    }

    /// The place in which a script says how many are chosen, and the box that chooses those of the other pages as well.
    fn how_many(&self, total: u64, shown: usize, all: &str, visit: &Visit) -> Markup {
        html! {
            output data-one=(visit.say("1 escolhido", "1 chosen")) data-many=(visit.say("# escolhidos", "# chosen")) {}
            @if u64::try_from(shown).is_ok_and(|shown| total > shown) {
                label.tick { input type="checkbox" name=(ALL) value="1" data-total=(count(total, visit.lang)); span { (all) (counted(total, self.table, visit.lang)) } }
            }
        }
    }

    /// Asks before something is done with the chosen records, or sends them as a spreadsheet.
    async fn ask_chosen(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let list =
            visit.query.iter().filter(|(name, _)| ![CHOSEN, ALL, ACT, MEMBER].contains(&name.as_str()));
        let list = form_urlencoded::Serializer::new(String::new()).extend_pairs(list).finish();
        let back = format!("{BASE}/{}{}{list}", self.path(), if list.is_empty() { "" } else { "?" });
        let ids = match visit.asked(ALL) {
            "" => Ok(chosen(&visit.query)),
            _ => find_all(console, self, visit).await,
        };
        let ids = match ids {
            Ok(ids) => ids,
            Err(problem) => return enter::failed(visit, &problem),
        };
        if let Some(format) = Spreadsheet::of_ending(visit.asked(ACT)).filter(|_| !ids.is_empty()) {
            return self.spreadsheet(console, ids, format, visit).await;
        }
        let Some(act) = self.act_named(visit.asked(ACT)) else { return enter::not_found(visit) };
        if ids.is_empty() || ids.len() > MOST {
            return self.not_so_many(ids.len(), &back, visit);
        }
        let member = visit.asked(MEMBER);
        match Question::read(self, console, act, ids, visit).await {
            Ok(mut question) => {
                question.member = self.shared().find(|field| field.member == member);
                question.back = back;
                self.question_page(&question, visit)
            }
            Err(problem) => enter::failed(visit, &problem),
        }
    }

    /// That nothing is chosen, or more than can be.
    fn not_so_many(&self, number: usize, back: &str, visit: &Visit) -> Answer {
        let title = visit.say("Nada foi feito", "Nothing was done");
        let most = count(u64::try_from(MOST).unwrap_or_default(), visit.lang);
        let main = html! {
            header.title { h1 { (title) } }
            section.panel.question {
                @if number == 0 { p { (visit.say("Escolha ao menos um registro na lista.", "Choose at least one record of the list.")) } }
                @else {
                    p { (visit.say("São ", "These are ")) (counted(u64::try_from(number).unwrap_or(u64::MAX), self.table, visit.lang)) (visit.say("; de uma vez vão até ", "; at once go ")) (most) (visit.say(". Use os filtros para escolher menos.", " at most. Use the filters to choose fewer.")) }
                }
                p { a.button href=(back) { (visit.say("Voltar à lista", "Back to the list")) } }
            }
        };
        page(visit, self.place(), title, &main)
    }

    /// Does it, and says what came of it.
    async fn do_chosen(&'static self, console: &Arc<Console>, visit: &Visit) -> Answer {
        let list = format!("{BASE}/{}", self.path());
        let back = own_page(visit.field("back")).unwrap_or(&list).to_owned();
        let is_restore = visit.field(ACT) == RESTORE;
        // Everything of a list stands in the question's form one by one.
        let ids = match visit.field(ALL).is_empty() || !is_restore {
            true => Ok(chosen(&visit.form)),
            false => self.all_deleted(console, visit).await,
        };
        let ids = match ids {
            Ok(ids) => ids,
            Err(problem) => return enter::failed(visit, &problem),
        };
        if ids.is_empty() || ids.len() > MOST {
            return self.not_so_many(ids.len(), &back, visit);
        }
        if is_restore {
            return match Deed::Restore.run(self, console, ids, visit).await {
                Ok(outcome) => {
                    self.after_chosen(&outcome, RESTORE, &format!("{BASE}/trash?of={}", self.path()), visit)
                }
                Err(problem) => enter::failed(visit, &problem),
            };
        }
        let Some(act) = self.act_named(visit.field(ACT)) else { return enter::not_found(visit) };
        let member = self.shared().find(|field| field.member == visit.field(MEMBER));
        let ask = async |wrong: Option<Problem>| {
            let mut question = Question::read(self, console, act, ids.clone(), visit).await?;
            (question.member, question.back, question.wrong) = (member, back.clone(), wrong);
            Ok::<_, Problem>(self.question_page(&question, visit))
        };
        let deed = match (act, member) {
            (Act::Press(action, _), _) => Ok(Deed::Press(action.name)),
            (Act::Change, Some(field)) => Ok(Deed::Change(field.member, typed(field, visit))),
            (Act::Change, None) => return enter::not_found(visit),
            (Act::Delete, _) => self.deletion(console, &ids, visit).await,
        };
        let outcome = match deed {
            Ok(deed) => deed.run(self, console, ids.clone(), visit).await,
            Err(problem) => Err(problem),
        };
        let answered = match outcome {
            Ok(outcome) => match outcome.wrong_for_all(member) {
                Some(problem) => ask(Some(problem)).await,
                None => Ok(self.after_chosen(&outcome, act.name(), &back, visit)),
            },
            Err(problem) if ["invalid", "in-use"].contains(&problem.code()) => ask(Some(problem)).await,
            Err(problem) => Err(problem),
        };
        answered.unwrap_or_else(|problem| enter::failed(visit, &problem))
    }

    /// The deletion of these records with what the visitor was asked about.
    ///
    /// # Errors
    /// `in-use` if that is something else by now; `invalid` for a reason that is too long.
    async fn deletion(
        &'static self,
        console: &Arc<Console>,
        ids: &[u32],
        visit: &Visit,
    ) -> Result<Deed, Problem> {
        let typed = visit.field("reason");
        let reason = if blank(typed) { Ok(None) } else { Short::parse(typed).map(Some) };
        let reason = reason.map_err(|reason| Problem::from(Invalid::one("reason", reason)))?;
        let (asked, own, table) = (confirmed(visit), ids.to_vec(), self.table);
        let read = move |db: Db<'_>| {
            let mut along = Vec::new();
            for id in own {
                if trash::holding(db, table, id, true)?.is_empty() {
                    along.push((id, trash::going(db, table, id, true)?));
                }
            }
            Ok(along)
        };
        let along = console.api.read_inside(&visit.id, read).await?;
        let total = question::total(along.iter().map(|(_, counts)| counts));
        match question::are_same(&total, &asked) {
            true => Ok(Deed::Delete(reason, along.into_iter().collect())),
            false => Err(Problem::in_use(Vec::new())),
        }
    }

    /// The ids of those in the trash that can be brought back by themselves.
    async fn all_deleted(&'static self, console: &Arc<Console>, visit: &Visit) -> Result<Vec<u32>, Problem> {
        let most = u32::try_from(MOST + 1).unwrap_or(u32::MAX);
        let read = move |db: Db<'_>| Ok(trash::newest(db, self.table, most, 0)?);
        let deleted = console.api.read_inside(&visit.id, read).await?;
        Ok(deleted.into_iter().map(|one| one.id).collect())
    }

    /// What came of it: back in the list, or on a page of its own if some records were refused.
    fn after_chosen(&self, outcome: &ChosenOutcome, act: &str, back: &str, visit: &Visit) -> Answer {
        if outcome.refused.is_empty() {
            let mark = if back.contains('?') { '&' } else { '?' };
            return redirect(&format!("{back}{mark}done=chosen-{act}.{}", outcome.done));
        }
        self.refused_page(outcome, back, visit)
    }

    /// What was done with the rows of this list that were chosen.
    pub(super) fn done_with_chosen(&self, visit: &Visit) -> Markup {
        let done = visit.asked("done").strip_prefix("chosen-").and_then(|done| done.split_once('.'));
        let done = done.and_then(|(name, number)| Some((name, number.parse::<u64>().ok()?)));
        let Some((name, number)) = done else { return html! {} };
        let said = counted(number, self.table, visit.lang);
        html! {
            p.done role="status" data-done {
                @match (name, self.act_named(name)) {
                    (_, Some(Act::Delete)) => {
                        (said) (visit.say(" na lixeira. ", " in the trash. "))
                        a href={ (BASE) "/trash?of=" (self.path()) } { (visit.say("Ver a lixeira", "See the trash")) }
                    }
                    (RESTORE, _) => { (said) (visit.say(" de volta.", " brought back.")) }
                    (_, Some(act)) => { (visit.lang.pick(act.label().0, act.label().1)) " " (said) (visit.say(": feito.", ": done.")) }
                    _ => {}
                }
            }
        }
    }
}

/// The ids of the chosen records in a form or an address.
fn chosen(pairs: &[(String, String)]) -> Vec<u32> {
    let ids = pairs.iter().filter(|(name, _)| name == CHOSEN).flat_map(|(_, ids)| ids.split(','));
    ids.filter_map(|id| id.parse().ok()).filter(|id| *id > 0).collect::<BTreeSet<u32>>().into_iter().collect()
}
