//! Opening the console in a browser: what other users of the machine can see, and where the cookie is sent.

use std::net::{Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::visitor::{cookie_of, redirect_of};
use crate::office::{Reply, agent, ask};
use crate::program::{Program, pleito, run, streams};
use crate::wait::{MAX_WAIT, wait_until};

/// A script that writes its arguments to a file next to itself.
const OPENER: &str = "#!/bin/sh\necho \"$@\" >\"$0.new\" && mv \"$0.new\" \"$0.opened\"\n";

/// A desktop whose `xdg-open` records its arguments and opens nothing.
struct Desktop {
    folder: tempfile::TempDir,
}

impl Desktop {
    fn new() -> Desktop {
        let folder = tempfile::tempdir().unwrap();
        // Another process writes the script: a file that this process has open for writing could not be
        // executed while a parallel test forks.
        let mut write = Command::new("sh");
        write.args(["-c", r#"printf %s "$1" >"$0" && chmod 755 "$0""#]);
        assert!(write.arg(folder.path().join("xdg-open")).arg(OPENER).status().unwrap().success());
        Desktop { folder }
    }

    /// Starts `pleito console` as on a machine with a display.
    fn opens_console(&self, data: &Path) -> Child {
        let path = format!("{}:{}", self.folder.path().display(), std::env::var("PATH").unwrap());
        let home = self.folder.path().to_str().unwrap();
        let variables = [("HOME", home), ("PATH", path.as_str()), ("DISPLAY", ":99")];
        let mut command = pleito(data, &["console"], &variables);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Waits for the opener to be started and returns its arguments.
    fn opened(&self) -> String {
        let opened = self.folder.path().join("xdg-open.opened");
        wait_until(MAX_WAIT, "the opener is started", || std::fs::read_to_string(&opened).ok())
    }
}

fn mode(path: &Path) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions()) & 0o777
}

/// Regression: the link to the console was in the arguments of the opener and of the browser, which every
/// user of the machine can read.
#[test]
fn no_process_argument_contains_the_console_link() {
    let data = tempfile::tempdir().unwrap();
    let program = Program::serve(data.path(), &[]);
    let desktop = Desktop::new();
    let command = desktop.opens_console(data.path());
    let opened = desktop.opened();
    assert!(!opened.contains("http"), "the link is an argument: {opened}");
    let file = PathBuf::from(opened.trim_end());
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    let below_home = file.strip_prefix(desktop.folder.path()).unwrap();
    assert!(
        !below_home.to_str().unwrap().starts_with('.'),
        "a browser in a snap cannot read hidden folders: {opened}"
    );

    // Follows the browser's path: from the file to the link, from the link to the session, and then into the console.
    let page = std::fs::read_to_string(&file).unwrap();
    let link = regex::Regex::new("url=(http://[^\"]+)\"").unwrap().captures(&page).unwrap()[1].to_owned();
    let (host, path) = link.strip_prefix("http://").and_then(|rest| rest.split_once('/')).unwrap();
    let secret = path.rsplit('/').next().unwrap();
    assert!(secret.len() == 64 && !opened.contains(secret));
    let look = |path: &str, cookie: &str| -> Reply {
        let headers = [("host", host), ("cookie", cookie)];
        ask(&agent(), program.address, "GET", path, &headers, None).unwrap()
    };
    let between = look(&format!("/{path}"), "");
    assert_eq!((between.status, between.header("set-cookie")), (200, ""));
    let arrived = look(&redirect_of(&between), "");
    assert_eq!((arrived.status, arrived.header("location")), (303, "/console"));
    assert_eq!(look("/console", &cookie_of(&arrived)).status, 200);

    let ended = command.wait_with_output().unwrap();
    assert!(ended.status.success(), "{:?}", streams(&ended));
    assert_eq!(streams(&ended).0, "", "the link is printed only with --link");
    assert!(
        !file.exists() && !file.parent().unwrap().exists(),
        "the file is deleted after its link was used"
    );
}

/// Browsers resolve a name below `localhost` to `[::1]` first, so a program on that address and the server's port
/// would get the link.
#[test]
fn no_link_leads_to_another_programs_port_on_the_other_loopback_address() {
    // A machine without IPv6 has no second loopback address.
    let Ok(theirs) = TcpListener::bind("[::1]:0") else { return };
    let listen = format!("127.0.0.1:{}", theirs.local_addr().unwrap().port());
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("console.host"), "pleito-0123456789abcdef.localhost").unwrap();
    let _program = Program::serve_at(&listen, data.path(), &[]);
    let link = streams(&run(data.path(), &["console", "--link"])).0;
    assert!(link.starts_with(&format!("http://{listen}/console/in/")), "{link}");

    let data = tempfile::tempdir().unwrap();
    let program = Program::serve(data.path(), &[]);
    let link = streams(&run(data.path(), &["console", "--link"])).0;
    assert!(link.starts_with("http://pleito-"), "{link}");
    let beside = SocketAddr::from((Ipv6Addr::LOCALHOST, program.address.port()));
    assert_eq!(ask(&agent(), beside, "GET", "/health", &[], None).unwrap().status, 200);
}
