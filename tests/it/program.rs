//! The executable as a separate process, for behaviour that a test in one process cannot show.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};

use regex::Regex;
use serde_json::Value;

use crate::office::{Reply, agent, ask, uses_key};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_pleito");

/// A running executable, killed on drop.
pub struct Program {
    child: Child,
    // Kept open because the program may still write to standard error.
    _stderr: BufReader<ChildStderr>,
    pub address: SocketAddr,
    agent: ureq::Agent,
}

impl Program {
    /// Starts `pleito serve` over a folder, on a free port, and waits until it listens.
    pub fn serve(folder: &Path, variables: &[(&str, &str)]) -> Program {
        Program::serve_at("127.0.0.1:0", folder, variables)
    }

    /// Like [`Program::serve`], on the given address.
    pub fn serve_at(listen: &str, folder: &Path, variables: &[(&str, &str)]) -> Program {
        let mut command = pleito(folder, &["serve", "--listen", listen], variables);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut hello = String::new();
        stderr.read_line(&mut hello).unwrap();
        let address = hello.trim().rsplit_once("http://").unwrap_or_else(|| panic!("{hello:?}")).1;
        Program { child, _stderr: stderr, address: address.parse().unwrap(), agent: agent() }
    }

    /// Sends a request below the API's base with a token. Returns `None` if no complete response arrives.
    pub fn ask(&self, token: &str, method: &str, path: &str, body: Option<&Value>) -> Option<Reply> {
        self.ask_outside_the_api(token, method, &format!("/api/v1{path}"), body)
    }

    pub fn ask_outside_the_api(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Option<Reply> {
        let authorization = format!("Bearer {token}");
        let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
        let body = body.map(Value::to_string);
        ask(&self.agent, self.address, method, path, &headers, body.as_ref().map(String::as_bytes)).ok()
    }

    /// Kills the process, which ends it as suddenly as a power failure would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The process id, for signals.
    #[cfg(unix)]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the process to end and returns its exit code.
    #[cfg(unix)]
    pub fn exit_code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Usually it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    run_with(folder, arguments, &[])
}

pub fn run_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    pleito(folder, arguments, variables).output().unwrap()
}

pub fn new_token(folder: &Path) -> String {
    let mut words = vec!["token", "new"];
    words.extend(uses_key().then_some("--and-keys"));
    let output = run(folder, &words);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// Returns a command's standard output and standard error. Progress lines are removed, since they appear only
/// on a slow machine.
pub fn streams(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let progress = Regex::new(r"(?m)^.* · ((for|há|faltam) [0-9].*|[0-9].* left)\n").unwrap();
    (text(&output.stdout), progress.replace_all(&text(&output.stderr), "").into_owned())
}

/// Returns a command of the executable over a folder, not started yet.
pub fn pleito(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(PROGRAM);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PLEITO_") {
            command.env_remove(name);
        }
    }
    command
        .args(arguments)
        .env("PLEITO_DATA_DIR", folder)
        .env("PLEITO_LANG", "en")
        // Discovery is off and the port is free, so that parallel tests do not interfere.
        .env("PLEITO_LAN_LISTEN", "127.0.0.1:0")
        .env("PLEITO_LAN_DISCOVERY", "false")
        .env("PLEITO_LIMITS_GET_PER_MINUTE", "0")
        .env("PLEITO_LIMITS_POST_PER_DAY", "0")
        .env("PLEITO_LIMITS_PUT_PER_DAY", "0")
        .envs(variables.iter().copied())
        .stdin(Stdio::null());
    command
}
