//! The pages of the console by their paths, each with what it requires of its callers.

use std::sync::Arc;

use crate::console::admin::{
    api_page, api_token, assistants, backup_sheet, backups, keys, lists, people, settings, trash, webhooks,
};
use crate::console::agenda::{birthdays, court_calendar};
use crate::console::imports::moving;
use crate::console::layout::job_page;
use crate::console::layout::page::change_look;
use crate::console::office::{global_search, overview};
use crate::console::prelude::*;
use crate::console::requests::acting;
use crate::console::requests::paths::is_id;
use crate::console::requests::sign_in::client::Client;
use crate::console::requests::sign_in::site_origin::SiteOrigin;
use crate::console::requests::state::Console;
use crate::console::{account, agenda, conflicts, day_echo, imports, money};
use crate::http::Request;
use crate::http::requests::checks::standby_and_pause::ensure_no_standby;
use crate::records::Access::{Anyone, Manage, ManageAll, Owner, Read, Write};

impl Console {
    /// Answers the page of a path, if the visitor may use it.
    pub(super) async fn page(
        self: &Arc<Console>,
        posted: bool,
        path: &[&str],
        visit: &Visit,
        request: &Request,
        origin: &SiteOrigin,
    ) -> Result<Answer> {
        if !posted
            && !visit.part
            && let Some(item) = NavItem::of_index(path)
            && let Some(progress) = job_page::index(self.api.app()).await
        {
            return Ok(job_page::for_index(progress, item, visit));
        }
        ensure_no_standby(visit.app(), posted && !matches!(path, ["leave" | "look"]))?;
        let (access, answer) = self.find(posted, path, visit, request, origin)?;
        match visit.caller.rights.allow(access) {
            true => answer.await,
            false => Err(Problem::not_allowed(access)),
        }
    }

    /// Returns the page of a path, and what it requires of its callers.
    fn find<'v>(
        self: &'v Arc<Console>,
        posted: bool,
        path: &'v [&'v str],
        visit: &'v Visit,
        request: &'v Request,
        origin: &'v SiteOrigin,
    ) -> Result<GuardedPage<'v>> {
        if let ["transactions", rest @ ..] = path
            && let Some(page) = money::find_page(posted, rest, visit)
        {
            return Ok(page);
        }
        if let [name, rest @ ..] = path
            && let Some(pages) = PAGES.iter().find(|pages| pages.path() == *name)
        {
            if let (false, [id, as_what @ ("content" | "view")], Some(content)) = (posted, rest, pages.file)
                && let Ok(id) = id.parse()
            {
                let read = move |db: Db<'_>| content(db, id);
                let access = Read(pages.table.kind);
                return Ok(match *as_what {
                    "view" => guarded(access, self.api.content_to_view(request, read)),
                    _ => guarded(access, self.api.content_to_download(request, read)),
                });
            }
            if let Some(page) = pages.find_page(posted, rest, visit) {
                return Ok(page);
            }
        }
        Ok(match (posted, path) {
            (false, []) => guarded(Anyone, overview::show(visit)),
            (false, ["search"]) => guarded(Anyone, global_search::show(visit)),
            (false, ["waiting"]) => guarded(Anyone, async { Ok(job_page::for_writer(visit)) }),
            (false, ["day", of]) => guarded(Anyone, day_echo::show(of, visit)),
            (false, ["agenda"]) => guarded(Anyone, agenda::show(visit)),
            (false, ["trash"]) => guarded(Anyone, trash::show(visit)),
            (false, ["trash", "empty"]) => guarded(Owner, trash::ask(visit)),
            (true, ["trash", "empty"]) => guarded(Owner, trash::empty(visit)),
            (false, ["imports"]) => guarded(ManageAll, imports::show(visit)),
            (true, ["imports"]) => guarded(ManageAll, imports::begin(visit)),
            (true, ["imports", "undo"]) => guarded(ManageAll, imports::undo(visit)),
            (false, ["imports", "move"]) => guarded(Owner, moving::show(visit)),
            (true, ["imports", "move"]) => guarded(Owner, moving::act(visit)),
            (false, ["imports", "move", "report"]) => guarded(Owner, moving::report(visit)),
            (false, ["imports", key]) => guarded(ManageAll, imports::one(key, visit)),
            (true, ["imports", key]) => guarded(ManageAll, imports::act(key, visit)),
            (false, ["imports", key, "refused"]) => guarded(ManageAll, imports::refused(key, visit)),
            (false, ["api"]) => guarded(Owner, api_page::show(visit)),
            (true, ["api"]) => guarded(Owner, api_page::change(visit)),
            (false, ["birthdays"]) => guarded(Read(Kind::Customer), birthdays::show(visit)),
            (false, ["calendar"]) => guarded(Read(Kind::Holiday), court_calendar::show(visit)),
            (false, ["conflicts"]) => guarded(Read(Kind::Lawsuit), conflicts::show(visit)),
            (true, ["conflicts"]) => guarded(Read(Kind::Lawsuit), conflicts::check(visit)),
            (false, ["conflicts", "pass"]) => guarded(Write(Kind::Lawsuit), conflicts::ask_to_pass(visit)),
            (true, ["conflicts", "pass"]) => guarded(Write(Kind::Lawsuit), conflicts::pass(visit)),
            (false, ["conflicts", "warning", kind @ ("customers" | "lawsuits"), record @ ..]) => {
                let noun = if *kind == "customers" { Kind::Customer } else { Kind::Lawsuit };
                guarded(Write(noun), conflicts::warning::part(kind, record, visit))
            }
            (false, ["conflicts", id]) if is_id(id) => {
                guarded(Read(Kind::Lawsuit), conflicts::show_check(id, visit))
            }
            (false, ["lists", list]) => guarded(Anyone, lists::show(list, visit)),
            (true, ["lists", list]) => guarded(ANY_LIST, lists::change(list, "", visit)),
            (true, ["lists", list, id]) if is_id(id) => guarded(ANY_LIST, lists::change(list, id, visit)),
            (false, ["backups"]) => guarded(Owner, backups::show(visit)),
            (true, ["backups"]) => guarded(Owner, backups::act(visit)),
            (false, ["backups", "sheet"]) => guarded(Owner, backup_sheet::show(visit)),
            (false, ["backups", "file"]) => guarded(Owner, backups::download(visit)),
            (true, ["settings", "restart"]) => guarded(Owner, settings::restart(visit)),
            (false, ["settings"]) => guarded(Owner, settings::show(visit)),
            (true, ["settings"]) => guarded(Owner, settings::change(visit)),
            (false, ["webhooks", "new"]) => guarded(Owner, async { Ok(webhooks::ask_new(visit)) }),
            (true, ["webhooks", "new"]) => guarded(Owner, webhooks::create(visit)),
            (false, ["webhooks", id]) if is_id(id) => guarded(Owner, webhooks::show(id, visit)),
            (true, ["webhooks", id]) if is_id(id) => guarded(Owner, webhooks::act(id, visit)),
            (false, ["keys", "new"]) => guarded(Owner, async { Ok(keys::ask_new(visit)) }),
            (true, ["keys", "new"]) => guarded(Owner, keys::create(visit)),
            (false, ["keys", "made"]) => guarded(Owner, async { Ok(api_token::made_key(visit)) }),
            (false, ["keys", id]) if is_id(id) => guarded(Owner, keys::show(id, visit)),
            (true, ["keys", id]) if is_id(id) => guarded(Owner, keys::end(id, visit)),
            (_, ["assistants"]) => guarded(Owner, assistants::answer(posted, visit)),
            (false, ["token"]) => guarded(Owner, api_token::show(visit)),
            (true, ["token"]) => guarded(Owner, api_token::renew(visit)),
            (true, ["acting"]) => guarded(Anyone, async { acting::choose(visit) }),
            (true, ["look"]) => guarded(Anyone, async { Ok(change_look(visit)) }),
            (true, ["leave"]) => guarded(Anyone, self.sign_out(&request.headers, origin, visit)),
            (false, ["me"]) => guarded(Anyone, account::show(visit)),
            (true, ["me"]) => guarded(Anyone, account::change(Client::of(request, origin), visit)),
            (false, ["people", id]) if is_id(id) => guarded(Owner, people::show(id, visit)),
            (true, ["people", id]) if is_id(id) => guarded(Owner, people::change(id, visit)),
            _ => return Err(Problem::no_route()),
        })
    }
}

/// The requirement of changes to a reference list; the same for each list.
const ANY_LIST: Access = Manage(Kind::List(List::Users));
