//! The `keys` check of `pleito check`.

use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::store::access::keys::{IDLE, StoredKey};

/// Returns the number of keys, and the names of those that were not used for a long time, which may no longer be
/// needed. `now` is in seconds since 1970; `revoke` is the command line that ends one.
pub(super) fn check(all: &[StoredKey], now: i64, revoke: &str, lang: Lang) -> String {
    let idle = all.iter().filter(|key| key.is_idle_for(IDLE, now));
    let idle = idle.map(|key| key.name.as_str()).collect::<Vec<_>>().join(", ");
    let count = all.len();
    match idle.is_empty() {
        true => count.to_string(),
        false => localize!(
            lang,
            "{count}; sem uso há 90 dias: {idle}; a que não serve mais se encerra com: {revoke}",
            "{count}; not used for 90 days: {idle}; end one that is no longer needed with: {revoke}"
        ),
    }
}
