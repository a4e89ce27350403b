//! The user to whom an office belongs, as whom its server and its Litestream run, and what this user may do.

use std::path::Path;

/// What a user does with a file or folder, as `test` of a shell names it.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Read,
    Write,
}

/// Returns the user and the group to whom the office belongs.
#[cfg(unix)]
pub fn owner(data: &Path) -> (u32, u32) {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(data).map_or((0, 0), |data| (data.uid(), data.gid()))
}

/// No command of Windows needs them.
#[cfg(windows)]
pub fn owner(_: &Path) -> (u32, u32) {
    (0, 0)
}

/// Returns `false` if the owner of the office cannot use a file or folder. The superuser, who types the command, can.
#[cfg(unix)]
pub(super) fn can(to: Use, path: &Path, data: &Path) -> bool {
    use std::process::{Command, Stdio};

    /// The exit code of the test.
    const CANNOT: i32 = 77;
    let (user, group) = owner(data);
    if user == 0 || !crate::machine::is_administrator() {
        return true;
    }
    let flag = match to {
        Use::Read => "-r",
        Use::Write => "-w",
    };
    let as_owner = match cfg!(target_os = "macos") {
        true => vec!["sudo".to_owned(), "-u".to_owned(), format!("#{user}")],
        false => vec![
            "setpriv".to_owned(),
            format!("--reuid={user}"),
            format!("--regid={group}"),
            "--init-groups".to_owned(),
        ],
    };
    let test = Command::new("env")
        .args(as_owner)
        .args(["sh", "-c"])
        .arg(format!("test {flag} \"$0\" || exit {CANNOT}"))
        .arg(path)
        .stderr(Stdio::null())
        .status();
    // Anything else tells nothing: the program may be missing, or the user have no name.
    !test.is_ok_and(|status| status.code() == Some(CANNOT))
}

#[cfg(windows)]
pub(super) fn can(_: Use, _: &Path, _: &Path) -> bool {
    true
}
