//! Where the pages of the console are.

/// Where the console begins.
pub const BASE: &str = "/console";
/// Where its links lead.
pub(super) const LINK: &str = "in";
/// Where the page behind a link leads.
pub(super) const ENTER: &str = "enter";

/// Whether a path is the console's.
pub fn owns(path: &str) -> bool {
    path.strip_prefix(BASE).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a segment of a path is the id of something; whether there is such a thing, the API tells.
pub(super) fn is_id(segment: &str) -> bool {
    segment.bytes().all(|byte| byte.is_ascii_digit())
}

/// The page of a webhook.
pub(super) fn webhook_page(id: u32) -> String {
    format!("{BASE}/webhooks/{id}")
}

/// A path as it may stand in the log: no id, and no secret.
pub(super) fn shape(path: &str) -> String {
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
    fn the_console_owns_its_base_and_what_is_below() {
        for path in ["/console", "/console/", "/console/customers/1"] {
            assert!(owns(path), "{path}");
        }
        for path in ["/", "/consoles", "/api/v1/console", "/docs"] {
            assert!(!owns(path), "{path}");
        }
    }

    #[test]
    fn neither_ids_nor_secrets_are_logged() {
        let secret = "0a".repeat(32);
        assert_eq!(shape(&format!("/console/in/{secret}")), "/console/in/{…}");
        assert_eq!(shape("/console/customers/17/edit"), "/console/customers/{…}/edit");
        assert_eq!(shape("/console/Maria%20Silva"), "/console/{…}");
    }
}
