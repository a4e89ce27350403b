//! Paths of the console.

use crate::domain::is_digits;

pub const BASE: &str = "/console";
/// Path segment of sign-in links.
pub(in crate::console) const LINK: &str = "in";
/// Path segments of the sign-in form and of invitations, on the network.
pub(in crate::console) const SIGN_IN: &str = "sign-in";
pub(in crate::console) const JOIN: &str = "join";
/// Path segment of the page behind a sign-in link.
pub(in crate::console) const ENTER: &str = "enter";

pub fn owns(path: &str) -> bool {
    path.strip_prefix(BASE).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns `true` if the path segment consists of digits. The API checks that the record exists.
pub(in crate::console) fn is_id(segment: &str) -> bool {
    is_digits(segment)
}

pub(in crate::console) fn webhook_page(id: u32) -> String {
    format!("{BASE}/webhooks/{id}")
}

/// Returns the path for the log, with ids and secrets replaced, and without segments after the fifth.
pub(in crate::console) fn path_for_log(path: &str) -> String {
    let known = |segment: &str| match segment {
        "" => true,
        _ => {
            segment.len() <= 20
                && segment.bytes().all(|byte| byte.is_ascii_lowercase() || b"-_.".contains(&byte))
        }
    };
    let segments = path.split('/').map(|segment| if known(segment) { segment } else { "{…}" });
    segments.take(6).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_owns_its_base_path_and_all_paths_below() {
        for path in ["/console", "/console/", "/console/customers/1"] {
            assert!(owns(path), "{path}");
        }
        for path in ["/", "/consoles", "/api/v1/console", "/docs"] {
            assert!(!owns(path), "{path}");
        }
    }

    #[test]
    fn an_id_consists_of_digits() {
        assert!(is_id("17") && !is_id("") && !is_id("1a") && !is_id("-1"));
    }

    #[test]
    fn logged_paths_contain_no_ids_or_secrets() {
        let secret = "0a".repeat(32);
        assert_eq!(path_for_log(&format!("/console/in/{secret}")), "/console/in/{…}");
        assert_eq!(path_for_log("/console/customers/17/edit"), "/console/customers/{…}/edit");
        assert_eq!(path_for_log("/console/Maria%20Silva"), "/console/{…}");
    }
}
