//! A preview of an import blocks no writes, because it works on a scratch copy of the store. It ends when its
//! client is gone.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pleito::auth::Caller;
use pleito::domain::Lang;
use pleito::http::Api;
use pleito::progress::ProgressSink;
use pleito::store::Store;
use pleito::transfer::{Import, Imported};
use serde_json::json;

use crate::imports::Desk;
use crate::office::{Office, agent, ask};
use crate::program::{new_token, run, streams};
use crate::transfer::whole_office;

/// Number of writes during each preview.
const WRITES: u64 = 3;

/// Previews a file inside the office's process and, while it runs, adds customers and replaces the token. A preview
/// inside the writer's own transaction would deadlock here.
fn preview_beside_writes(office: &Office, file: &Path) -> Imported {
    let (agent, address, folder) = (agent(), office.address(), office.folder().to_owned());
    let (token, reports) = (parking_lot::Mutex::new(office.token.clone()), AtomicU64::new(0));
    let on_progress: ProgressSink = Arc::new(move |_| {
        if reports.fetch_add(1, Ordering::Relaxed) < WRITES {
            let authorization = format!("Bearer {}", token.lock());
            let headers = [("authorization", &*authorization), ("content-type", "application/json")];
            let body = json!({ "name": "Ao lado", "users_id": 1, "customers_origins_id": 1 }).to_string();
            let added = ask(&agent, address, "POST", "/api/v1/customers", &headers, Some(body.as_bytes()));
            assert_eq!(added.expect("no response while the preview runs").status, 201);
            *token.lock() = new_token(&folder);
        }
        true
    });
    let import = Import { files: vec![file.to_owned()], ..Import::default() };
    let api = Api::new(
        office.app().clone(),
        pleito::api::routes(),
        pleito::api::RESOURCES,
        pleito::api::webhooks::messages,
    );
    import
        .run(&api, &Caller::OWNER, on_progress)
        .unwrap_or_else(|error| panic!("{}", error.message(Lang::En)))
}

fn customers(office: &Office) -> u64 {
    Store::check(office.folder()).unwrap().customers
}

/// Returns the number of scratch copies that have a directory entry.
fn named_copies(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("scratch")).map_or(0, Iterator::count)
}

#[test]
fn writes_continue_during_a_preview_of_rows() {
    let desk = Desk::new();
    let file = desk.file("pessoas.csv", b"Nome;Origem;Cadastrado por\nAna Lima;1;1\nBia Reis;1;1\n");
    let Imported::Rows(report) = preview_beside_writes(&desk.office, &file) else {
        panic!("the file was read as a whole export")
    };
    assert_eq!((report.files[0].created, report.import), (2, None));
    assert_eq!((customers(&desk.office), named_copies(desk.office.folder())), (WRITES, 0));
}

#[test]
fn writes_continue_during_a_preview_of_a_whole_export() {
    let (from, to) = (whole_office(), Office::new());
    let away = tempfile::tempdir().unwrap();
    let folder = away.path().join("whole");
    let exported = run(from.folder(), &["export", &folder.display().to_string()]);
    assert!(exported.status.success(), "{}", streams(&exported).1);
    let Imported::Whole(taken) = preview_beside_writes(&to, &folder) else {
        panic!("the export was read as rows")
    };
    // `customers` does not count a customer in the trash.
    assert!(taken.records.contains(&("customers".to_owned(), customers(&from) + 1)), "{taken:?}");
    assert_eq!((customers(&to), named_copies(to.folder())), (WRITES, 0));
}

/// Previews whose client is gone. Linux lists the open files of a process, which shows what remains of a preview.
#[cfg(target_os = "linux")]
mod left {
    use std::fs;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;
    use std::process::Stdio;
    use std::time::Duration;

    use super::*;
    use crate::console::visitor::Visitor;
    use crate::program::pleito;
    use crate::wait::{MAX_WAIT, wait_until};

    /// Importing this many rows takes minutes.
    const ROWS: usize = 1_000_000;
    /// About a second, with a margin for a busy machine.
    const SOON: Duration = Duration::from_secs(10);

    fn long_file(folder: &Path) -> PathBuf {
        let path = folder.join("longa.csv");
        fs::write(&path, ["Nome;Origem;Cadastrado por\n", &"Ana Lima;1;1\n".repeat(ROWS)].concat()).unwrap();
        path
    }

    /// Returns `true` if the process has a scratch copy of the data folder open.
    fn has_copy(process: &str, folder: &Path) -> bool {
        let open = fs::read_dir(format!("/proc/{process}/fd")).unwrap().flatten();
        let scratch = folder.join("scratch");
        open.filter_map(|file| fs::read_link(file.path()).ok()).any(|path| path.starts_with(&scratch))
    }

    fn wait_for_start(process: &str, folder: &Path) {
        wait_until(MAX_WAIT, "the preview has its copy", || has_copy(process, folder).then_some(()));
    }

    fn wait_for_end(process: &str, folder: &Path) {
        wait_until(SOON, "the preview ends", || (!has_copy(process, folder)).then_some(()));
    }

    /// Requests an import over the local channel, as a command does, and disconnects at the first progress report.
    fn hang_up(desk: &Desk, apply: bool) {
        let folder = desk.office.folder();
        let import = Import { files: vec![long_file(desk.files.path())], apply, ..Import::default() };
        let mut stream = UnixStream::connect(folder.join("pleito.socket")).unwrap();
        let question = json!({ "version": 1, "lang": "en", "request": { "import": import } });
        stream.write_all(format!("{question}\n").as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).unwrap();
        assert!(line.contains("\"progress\""), "{line}");
        if !apply {
            wait_for_start("self", folder);
        }
    }

    #[test]
    fn a_preview_ends_when_its_command_disconnects() {
        let desk = Desk::new();
        hang_up(&desk, false);
        wait_for_end("self", desk.office.folder());
        assert_eq!((customers(&desk.office), named_copies(desk.office.folder())), (0, 0));
    }

    #[test]
    fn an_import_stores_nothing_if_its_command_disconnects_before_the_end() {
        let desk = Desk::new();
        hang_up(&desk, true);
        // The request waits for the writer, which the import occupies until it ends.
        let began = std::time::Instant::now();
        desk.office.customer("Depois", json!({}));
        assert!(began.elapsed() < SOON);
        assert_eq!(customers(&desk.office), 1);
    }

    #[test]
    fn a_killed_preview_leaves_no_scratch_copy() {
        let folder = tempfile::tempdir().unwrap();
        new_token(folder.path());
        let file = long_file(folder.path()).display().to_string();
        let arguments = ["import", "--resource", "customers", &file];
        let mut preview = pleito(folder.path(), &arguments, &[])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let process = preview.id().to_string();
        wait_for_start(&process, folder.path());
        wait_until(MAX_WAIT, "the copy has no directory entry", || {
            (named_copies(folder.path()) == 0).then_some(())
        });
        assert!(has_copy(&process, folder.path()));
        preview.kill().unwrap();
        preview.wait().unwrap();
        assert_eq!(named_copies(folder.path()), 0);
    }

    #[test]
    fn a_preview_ends_when_its_page_is_left_and_restarts_when_the_page_is_opened_again() {
        let desk = Desk::new();
        let (office, visitor) = (&desk.office, Visitor::new(&desk.office));
        let file = long_file(desk.files.path()).display().to_string();
        let began = visitor.send("/imports", &[("path", &file)]);
        let path = began.header("location").strip_prefix("/console").unwrap().to_owned();
        wait_for_start("self", office.folder());
        let page = visitor.page(&path);
        assert!(page.is_under_way() && !page.for_script("leave").is_empty(), "{page}");
        let left = visitor.send(&path, &[("do", "leave")]);
        assert_eq!((left.status, left.header("location")), (204, ""), "a redirect would open the page again");
        wait_for_end("self", office.folder());
        // The page polls, and its first request may come before the abandoned preview has ended.
        wait_until(MAX_WAIT, "the preview has restarted", || {
            assert!(visitor.page(&path).is_under_way());
            has_copy("self", office.folder()).then_some(())
        });
        // A browser that was killed sends no signal that it leaves.
        office.pass(10);
        wait_for_end("self", office.folder());
        assert_eq!((customers(office), named_copies(office.folder())), (0, 0));
    }
}
