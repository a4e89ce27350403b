//! Bulk actions: the bar below a list, and the confirmation of what it does with the chosen rows (day 39).

mod bulk_action;
mod bulk_action_kind;
mod question;
mod undo;

use std::collections::BTreeSet;

use crate::console::layout::panel_page::panel_page;
use crate::console::prelude::*;
use crate::console::records::form::input_types::typed;
use crate::console::records::list::find::find_all;
use crate::console::records::page::delete::{confirmed, reason};
use crate::console::requests::response::own_page;
use crate::store::trash;
use crate::transfer::Spreadsheet;
use bulk_action::{BulkAction, ChosenOutcome};
use bulk_action_kind::{ACT, ALL, BulkActionKind, CHOSEN, FORM, MAX_CHOSEN, MEMBER, RESTORE, already};
use question::Question;
use undo::{Trace, UNDO};

impl Pages {
    /// Handles the pages about several records. Returns `None` for other paths.
    pub(in crate::console) fn find_page_of_several<'v>(
        &'static self,
        posted: bool,
        rest: &[&'v str],
        visit: &'v Visit,
    ) -> Option<GuardedPage<'v>> {
        let kind = self.table.kind;
        match (posted, rest) {
            (false, ["chosen"]) => Some(guarded(Access::Read(kind), self.ask_chosen(visit))),
            (true, ["chosen", "undo"]) => Some(guarded(Access::Write(kind), self.undo_chosen(visit))),
            (true, ["chosen"]) => Some(guarded(Access::Write(kind), self.do_chosen(visit))),
            (false, ["duplicates"]) if self.merge.is_some() => {
                Some(guarded(Access::Manage(kind), self.duplicates(visit)))
            }
            _ => None,
        }
    }

    /// Returns the actions on several records.
    fn action_kinds(&self) -> impl Iterator<Item = BulkActionKind> {
        let pressed = self.actions.iter().map(|action| BulkActionKind::Press(action, action.many));
        pressed.chain([BulkActionKind::Change, BulkActionKind::Delete])
    }

    fn action_named(&self, name: &str) -> Option<BulkActionKind> {
        self.action_kinds().find(|kind| kind.name() == name)
    }

    /// Returns the fields that can get the same value in several records.
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
                    | Type::Situation
                    | Type::DoubledParty
                    | Type::CalendarEffect
                    | Type::Line(_)
            );
            is_choice && !field.is_unique() && !field.read_only && !field.create_only
        })
    }

    /// Renders a row's check box, labelled with `called`.
    pub(in crate::console) fn tick(&self, id: u32, called: &str, visit: &Visit) -> Markup {
        html! {
            td.tick { label {
                span.hidden { (visit.pick("Escolher ", "Choose ")) (called) }
                input type="checkbox" name=(CHOSEN) value=(id) form=(FORM);
            } }
        }
    }

    /// Renders the check box that chooses all rows of the page; a script shows it.
    pub(in crate::console) fn tick_page(&self, visit: &Visit) -> Markup {
        html! { th.tick scope="col" { input type="checkbox" data-choose hidden aria-label=(visit.pick("Escolher todos desta página", "Select all on this page")); } }
    }

    /// Renders the bar with the actions on the chosen rows. `total` is the length of the list, and `shown` the
    /// number of rows on the page. The bar appears when a row is chosen.
    pub(in crate::console) fn bar(&self, total: u64, shown: usize, visit: &Visit) -> Markup {
        let list = visit.query.iter().filter(|(name, _)| !["offset", "done", UNDO].contains(&name.as_str()));
        html! {
            form.chosen #(FORM) action={ (BASE) "/" (self.path()) "/chosen" } aria-label=(visit.pick("Com os escolhidos", "With the selected records")) {
                @for (name, value) in list.filter(|(_, value)| !value.trim().is_empty()) { input type="hidden" name=(name) value=(value); }
                (self.how_many(total, shown, visit.pick("Tudo da busca: ", "All results: "), visit))
                div.acts {
                    @for kind in self.action_kinds().filter(|_| visit.may(Access::Write(self.table.kind))) {
                        button.danger[matches!(kind, BulkActionKind::Delete)] type="submit" name=(ACT) value=(kind.name()) { (visit.lang.pick(kind.label().0, kind.label().1)) @if !matches!(kind, BulkActionKind::Press(..)) { "…" } }
                    }
                    @for format in [Spreadsheet::Xlsx, Spreadsheet::Csv] {
                        button type="submit" name=(ACT) value=(format.ending()) { (visit.pick("Exportar ", "Export ")) (format.ending().to_uppercase()) }
                    }
                }
            }
        }
    }

    /// Like [`Pages::bar`], for the trash: the only action is restoring.
    pub(in crate::console) fn restore_bar(&self, total: u64, shown: usize, visit: &Visit) -> Markup {
        // Without level `manage`, not every record can be restored, so the choice of all is not offered.
        let total = if visit.may(Access::Manage(self.table.kind)) { total } else { 0 };
        html! {
            form.chosen #(FORM) method="post" action={ (BASE) "/" (self.path()) "/chosen" } aria-label=(visit.pick("Com os escolhidos", "With the selected records")) {
                (csrf_field(visit))
                (self.how_many(total, shown, visit.pick("Tudo: ", "All: "), visit))
                div.acts { button.main type="submit" name=(ACT) value=(RESTORE) { (visit.pick("Restaurar", "Restore")) } }
            }
        }
    }

    /// Renders the number of chosen rows, which a script fills in, and a check box that also chooses the other pages.
    fn how_many(&self, total: u64, shown: usize, all: &str, visit: &Visit) -> Markup {
        html! {
            output data-one=(visit.pick("1 escolhido", "1 selected")) data-many=(visit.pick("# escolhidos", "# selected")) {}
            @if u64::try_from(shown).is_ok_and(|shown| total > shown) {
                label.tick { input type="checkbox" name=(ALL) value="1" data-total=(count(total, visit.lang)); span { (all) (counted(total, self.table, visit.lang)) } }
            }
        }
    }

    /// Renders the confirmation of an action on the chosen records, or exports them as a spreadsheet.
    async fn ask_chosen(&'static self, visit: &Visit) -> Result<Answer> {
        let list =
            visit.query.iter().filter(|(name, _)| ![CHOSEN, ALL, ACT, MEMBER].contains(&name.as_str()));
        let list = form_urlencoded::Serializer::new(String::new()).extend_pairs(list).finish();
        let back = format!("{BASE}/{}{}{list}", self.path(), if list.is_empty() { "" } else { "?" });
        let ids = match visit.parameter(ALL) {
            "" => chosen(&visit.query),
            _ => find_all(self, visit).await?,
        };
        if let Some(format) = Spreadsheet::of_ending(visit.parameter(ACT)).filter(|_| !ids.is_empty()) {
            let about = match visit.parameter(ALL) {
                "" => counted(ids.len() as u64, self.table, visit.lang),
                _ => self.described(visit).await?,
            };
            return self.spreadsheet(ids, about, format, visit).await;
        }
        let kind = self.action_named(visit.parameter(ACT)).ok_or_else(Problem::no_route)?;
        if ids.is_empty() || ids.len() > MAX_CHOSEN {
            return Ok(self.not_so_many(ids.len(), &back, visit));
        }
        let mut question = Question::read(self, kind, ids, visit).await?;
        question.member = self.shared().find(|field| field.member == visit.parameter(MEMBER));
        question.back = back;
        Ok(self.question_page(&question, visit))
    }

    /// Renders the error that no record, or too many records, were chosen.
    fn not_so_many(&self, number: usize, back: &str, visit: &Visit) -> Answer {
        let title = visit.pick("Nada foi feito", "Nothing was done");
        let most = count(u64::try_from(MAX_CHOSEN).unwrap_or_default(), visit.lang);
        let panel = html! {
            @if number == 0 { p { (visit.pick("Escolha ao menos um registro na lista.", "Select at least one record in the list.")) } }
            @else {
                p { (visit.pick("São ", "These are ")) (counted(u64::try_from(number).unwrap_or(u64::MAX), self.table, visit.lang)) (visit.pick("; de uma vez vão até ", "; the limit is ")) (most) (visit.pick(". Use os filtros para escolher menos.", " at a time. Use the filters to select fewer.")) }
            }
            p { a.button href=(back) { (visit.pick("Voltar à lista", "Back to the list")) } }
        };
        panel_page(visit, self.nav_item(), title, None, &panel)
    }

    async fn do_chosen(&'static self, visit: &Visit) -> Result<Answer> {
        let list = format!("{BASE}/{}", self.path());
        let back = own_page(visit.field("back")).unwrap_or(&list).to_owned();
        let is_restore = visit.field(ACT) == RESTORE;
        // For records from a list, the confirmation form contains each id.
        let ids = match visit.field(ALL).is_empty() || !is_restore {
            true => chosen(&visit.form),
            false => self.all_deleted(visit).await?,
        };
        if ids.is_empty() || ids.len() > MAX_CHOSEN {
            return Ok(self.not_so_many(ids.len(), &back, visit));
        }
        if is_restore {
            let outcome = BulkAction::Restore.run(self, ids, u64::MAX, visit).await?;
            let trash = format!("{BASE}/trash?of={}", self.path());
            return Ok(self.after_chosen(&outcome, RESTORE, &trash, visit));
        }
        let since = visit.field("since").parse().unwrap_or(u64::MAX);
        let kind = self.action_named(visit.field(ACT)).ok_or_else(Problem::no_route)?;
        let member = self.shared().find(|field| field.member == visit.field(MEMBER));
        let ask = async |wrong: Option<Problem>| {
            let mut question = Question::read(self, kind, ids.clone(), visit).await?;
            (question.member, question.back, question.wrong) = (member, back.clone(), wrong);
            Ok::<_, Problem>(self.question_page(&question, visit))
        };
        let action = match (kind, member) {
            (BulkActionKind::Press(action, _), _) => Ok(BulkAction::Press(action.name)),
            (BulkActionKind::Change, Some(field)) => {
                Ok(BulkAction::Change(field.member, typed(field, field.days, visit)))
            }
            (BulkActionKind::Change, None) => return Err(Problem::no_route()),
            (BulkActionKind::Delete, _) => self.deletion(&ids, visit).await,
        };
        let outcome = match action {
            Ok(action) => action.run(self, ids.clone(), since, visit).await,
            Err(problem) => Err(problem),
        };
        match outcome {
            Ok(outcome) => match outcome.wrong_for_all(member) {
                Some(problem) => ask(Some(problem)).await,
                None => Ok(self.after_chosen(&outcome, kind.name(), &back, visit)),
            },
            Err(problem) if ["invalid", "in-use"].contains(&problem.code()) => ask(Some(problem)).await,
            Err(problem) => Err(problem),
        }
    }

    /// Builds the deletion of these records, with the counts that the visitor has confirmed.
    ///
    /// # Errors
    /// `in-use` if the counts have changed since; `invalid` if the reason is too long.
    async fn deletion(&'static self, ids: &[u32], visit: &Visit) -> Result<BulkAction> {
        let reason = reason(visit)?;
        let confirmed_total = confirmed(visit);
        let own = ids.to_vec();
        let table = self.table;
        let read = move |db: Db<'_>| {
            let mut along = Vec::new();
            for id in own {
                if trash::holding(db, table, id, true)?.is_empty() {
                    along.push((id, trash::going(db, table, id, true)?));
                }
            }
            Ok(along)
        };
        let along = visit.read(read).await?;
        let total = question::total(along.iter().map(|(_, counts)| counts));
        match question::are_same(&total, &confirmed_total) {
            true => Ok(BulkAction::Delete(reason, along.into_iter().collect())),
            false => Err(Problem::in_use(Vec::new())),
        }
    }

    /// Returns the ids in the trash that can be restored by themselves, at most [`MAX_CHOSEN`] + 1.
    async fn all_deleted(&'static self, visit: &Visit) -> Result<Vec<u32>> {
        let most = u32::try_from(MAX_CHOSEN + 1).unwrap_or(u32::MAX);
        let read = move |db: Db<'_>| Ok(trash::newest(db, self.table, most, 0)?);
        let deleted = visit.read(read).await?;
        Ok(deleted.into_iter().map(|one| one.id).collect())
    }

    /// Redirects back to the list, or renders a page with the refused records.
    fn after_chosen(&self, outcome: &ChosenOutcome, act: &str, back: &str, visit: &Visit) -> Answer {
        if outcome.refused.is_empty() {
            let mark = if back.contains('?') { '&' } else { '?' };
            let ChosenOutcome { done, unchanged, trace, .. } = outcome;
            let unchanged = if *unchanged > 0 { format!(".{unchanged}") } else { String::new() };
            return redirect(&format!("{back}{mark}done=chosen-{act}.{done}{unchanged}&{UNDO}={trace}"));
        }
        self.refused_page(outcome, act, back, visit)
    }

    /// Renders the confirmation of the last bulk action on this list.
    pub(in crate::console) fn done_with_chosen(&self, visit: &Visit) -> Markup {
        let done = visit.parameter("done").strip_prefix("chosen-").and_then(|done| done.split_once('.'));
        let Some((name, numbers)) = done else { return html! {} };
        let numbers = numbers.split('.').map_while(|number| number.parse::<u64>().ok()).collect::<Vec<_>>();
        let (number, unchanged) = match *numbers {
            [number] => (number, 0),
            [number, unchanged] => (number, unchanged),
            _ => return html! {},
        };
        let records = counted(number, self.table, visit.lang);
        let message = match (name, self.action_named(name)) {
            _ if number == 0 => visit.pick("Nada mudou", "Nothing changed").to_owned(),
            (_, Some(BulkActionKind::Delete)) => {
                format!("{records} {}", visit.pick("na lixeira", "in the trash"))
            }
            (RESTORE, _) => format!("{records} {}", visit.pick("de volta", "restored")),
            (_, Some(BulkActionKind::Press(action, _))) => match number {
                1 => visit.lang.pick(action.done.0, action.done.1).trim_end_matches('.').to_owned(),
                _ => format!("{records} {}", visit.lang.pick(action.many_done.0, action.many_done.1)),
            },
            (_, Some(BulkActionKind::Change)) => {
                format!("{} {records}", visit.pick("Alteração feita em", "Changed:"))
            }
            (UNDONE, _) => format!("{} {records}", visit.pick("Desfeito:", "Undone:")),
            _ => return html! {},
        };
        html! {
            div.done role="status" data-done {
                (message) (already(unchanged, visit)) "."
                @if self.action_named(name).is_some_and(|kind| matches!(kind, BulkActionKind::Delete)) && number > 0 {
                    " " a href={ (BASE) "/trash?of=" (self.path()) } { (visit.pick("Ver a lixeira", "See the trash")) }
                }
                @if number > 0 { " " (self.undo_button(name, visit.parameter(UNDO), &visit.url_anew(UNDO, ""), visit)) }
            }
        }
    }

    /// Renders the button that undoes the bulk action with this trace.
    fn undo_button(&self, act: &str, trace: &str, back: &str, visit: &Visit) -> Markup {
        html! { @if ![UNDONE, ENDED].contains(&act) && Trace::parse(trace).is_some() {
            form method="post" action={ (BASE) "/" (self.path()) "/chosen/undo" } {
                (csrf_field(visit))
                input type="hidden" name=(UNDO) value=(trace);
                input type="hidden" name="back" value=(back);
                button.link type="submit" { (visit.pick("Desfazer", "Undo")) }
            }
        } }
    }

    async fn undo_chosen(&'static self, visit: &Visit) -> Result<Answer> {
        let list = format!("{BASE}/{}", self.path());
        let back = own_page(visit.field("back")).unwrap_or(&list).to_owned();
        let trace = Trace::parse(visit.field(UNDO)).ok_or_else(Problem::no_route)?;
        let since = trace.until;
        let table = self.table;
        let entries = visit.read(move |db| trace.entries(db, table)).await?;
        let ids = entries.keys().copied().collect::<Vec<_>>();
        if ids.is_empty() || ids.len() > MAX_CHOSEN {
            return Ok(self.not_so_many(ids.len(), &back, visit));
        }
        let outcome = BulkAction::Undo(entries).run(self, ids, since, visit).await?;
        Ok(self.after_chosen(&outcome, UNDONE, &back, visit))
    }
}

/// Name of an undone bulk action in the message.
const UNDONE: &str = "undone";
/// The action whose effect cannot be undone: an ended repetition does not begin again (day 38).
const ENDED: &str = "end";

/// Returns the ids of the chosen records in a form or query.
fn chosen(pairs: &[(String, String)]) -> Vec<u32> {
    let ids = pairs.iter().filter(|(name, _)| name == CHOSEN).flat_map(|(_, ids)| ids.split(','));
    ids.filter_map(|id| id.parse().ok()).filter(|id| *id > 0).collect::<BTreeSet<u32>>().into_iter().collect()
}
