//! The `people` and `keys` checks of `pleito check`.

use std::path::Path;

use super::{Finding, finding};
use crate::domain::Lang;
use crate::domain::lang::localize;
use crate::store::access::keys::{StoredKey, UNUSED_SECONDS};
use crate::store::access::people::{self, Person, PersonAccess, failed_sign_ins};
use crate::store::{self, Store};

/// Days of failed sign-ins that are counted.
const FAILED_SIGN_IN_DAYS: i64 = 7;

/// Names the people with access to the console, and counts the failed sign-ins of the last days. Returns `None` if the
/// office has given access to no one. `now` is in seconds since 1970.
pub(super) fn check(data: &Path, now: i64, lang: Lang) -> Option<Finding> {
    people_summary(data, now, lang)
        .map_err(|cause| cause.to_string())
        .transpose()
        .map(|summary| finding("people", summary))
}

fn people_summary(data: &Path, now: i64, lang: Lang) -> Result<Option<String>, store::Error> {
    let read: Result<_, store::Error> = Store::read_once(data, |db| {
        Ok((people::all(db)?, failed_sign_ins::within(db, FAILED_SIGN_IN_DAYS, now)?))
    });
    let (people, failed) = read?;
    if people.is_empty() && failed.is_empty() {
        return Ok(None);
    }
    let names = match people.is_empty() {
        true => lang.pick("ninguém com acesso", "no one has access").to_owned(),
        false => people.iter().map(|person| named(person, now, lang)).collect::<Vec<_>>().join(", "),
    };
    let count = failed.iter().map(|failed| failed.count).sum::<u32>();
    let from = |address: &str| {
        failed.iter().filter(|failed| failed.address == address).map(|failed| failed.at_address).sum::<u32>()
    };
    let most = failed.iter().max_by_key(|failed| from(&failed.address));
    Ok(Some(match most.map(|failed| &failed.address) {
        None => names,
        Some(address) => localize!(
            lang,
            "{names}; entradas sem sucesso em 7 dias: {count}, mais vezes de {address}",
            "{names}; failed sign-ins in 7 days: {count}, most often from {address}"
        ),
    }))
}

/// Returns the person's name, with the reason if the person cannot sign in.
fn named(person: &Person, now: i64, lang: Lang) -> String {
    match person.access(now) {
        PersonAccess::Open => person.name.clone(),
        access => format!("{} ({})", person.name, lang.pick(access.label().0, access.label().1)),
    }
}

/// Returns the number of keys, and the names of those that were not used for a long time, which may no longer be
/// needed. `now` is in seconds since 1970; `revoke` is the command line that ends one.
pub(super) fn keys(all: &[StoredKey], now: i64, revoke: &str, lang: Lang) -> String {
    let idle = all.iter().filter(|key| key.is_idle_for(UNUSED_SECONDS, now));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Rights;
    use crate::store::access::people::failed_sign_ins::FailedSignIns;

    #[test]
    fn people_and_failed_sign_ins_are_reported_if_there_are_any() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let summary = |now| people_summary(folder.path(), now, Lang::En).unwrap();
        assert_eq!(summary(0), None);
        let rights = Rights { level: crate::records::Level::Read, ..Rights::OWN };
        store.write(move |tx| people::grant(tx, 1, "ana", rights, 0)).unwrap();
        let name = store.read(|db| people::find(db, 1)).unwrap().unwrap().name;
        assert_eq!(summary(0), Some(format!("{name} (invitation expired)")));
        store.write(|tx| people::invite(tx, 1, [7; 32], 0)).unwrap();
        assert_eq!(summary(people::INVITATION_SECONDS - 1), Some(format!("{name} (invited)")));
        assert_eq!(summary(people::INVITATION_SECONDS), Some(format!("{name} (invitation expired)")));
        store.write(|tx| people::set_password(tx, 1, "x")).unwrap();
        assert_eq!(summary(0), Some(name.clone()));
        let failed = FailedSignIns {
            person: None,
            name: None,
            count: 54,
            last_at: 0,
            address: "192.0.2.7".to_owned(),
            at_address: 54,
        };
        store.write(move |tx| failed_sign_ins::add(tx, &failed)).unwrap();
        let expected = format!("{name}; failed sign-ins in 7 days: 54, most often from 192.0.2.7");
        assert_eq!(summary(60), Some(expected));
        assert_eq!(summary(8 * 24 * 3600), Some(name));
    }
}
