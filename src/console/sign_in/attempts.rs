//! Slows down guesses of passwords: per account, also for names that no person has, and per address. No account is locked
//! for good, and open sessions are not affected.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use crate::domain::text::fold;

/// Failures without a wait, of an account and of an address.
const FREE: [u32; 2] = [5, 10];
/// Longest wait (access 26).
pub(in crate::console) const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);
/// Time after which failures are forgotten.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);
/// Maximum number of accounts and of addresses in memory. Beyond that, the oldest are dropped.
const MOST: usize = 4096;

type Account = [u8; 32];

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    last: Duration,
}

impl Failures {
    /// Returns the time until the next attempt, which doubles with each failure.
    fn wait(self, free: u32, now: Duration) -> Duration {
        let Some(over) = self.count.checked_sub(free) else { return Duration::ZERO };
        let wait = Duration::from_secs(1 << over.min(20)).min(LONGEST_WAIT);
        (self.last + wait).saturating_sub(now)
    }
}

#[derive(Default)]
struct Known {
    accounts: HashMap<Account, Failures>,
    addresses: HashMap<IpAddr, Failures>,
    /// Where the last sign-in of an account from an address succeeded: such an address waits for its own failures
    /// only, so that others cannot keep a person out.
    proven: HashMap<(Account, IpAddr), Failures>,
}

/// The failed sign-ins of the last hour, in memory.
#[derive(Default)]
pub(in crate::console) struct Attempts(Mutex<Known>);

impl Attempts {
    /// Begins an attempt and counts it as failed until [`Attempts::succeeded`]. Returns the time to wait if it is too
    /// early. Such an attempt does not count, so that the wait ends. `now` is a monotonic time.
    pub fn begin(&self, sign_in: &str, address: IpAddr, now: Duration) -> Result<(), Duration> {
        let (account, address) = (account(sign_in), network(address));
        let mut known = self.0.lock();
        let [of_account, of_address] = FREE;
        let is_proven = known.proven.contains_key(&(account, address));
        let account_wait = match is_proven {
            true => Duration::ZERO,
            false => wait(&known.accounts, &account, of_account, now),
        };
        let wait = account_wait.max(wait(&known.addresses, &address, of_address, now));
        if !wait.is_zero() {
            return Err(wait);
        }
        if !is_proven {
            count(&mut known.accounts, account, now);
        }
        count(&mut known.addresses, address, now);
        Ok(())
    }

    /// Forgets the failures of an account and of the address that it signed in from.
    pub fn succeeded(&self, sign_in: &str, address: IpAddr, now: Duration) {
        let (account, address) = (account(sign_in), network(address));
        let mut known = self.0.lock();
        known.accounts.remove(&account);
        known.addresses.remove(&address);
        count(&mut known.proven, (account, address), now);
    }
}

fn wait<K: Hash + Eq>(all: &HashMap<K, Failures>, key: &K, free: u32, now: Duration) -> Duration {
    all.get(key).map_or(Duration::ZERO, |failures| failures.wait(free, now))
}

fn count<K: Hash + Eq + Copy>(all: &mut HashMap<K, Failures>, key: K, now: Duration) {
    if all.len() >= MOST && !all.contains_key(&key) {
        let oldest = all.iter().min_by_key(|(_, failures)| failures.last).map(|(key, _)| *key);
        oldest.map(|oldest| all.remove(&oldest));
    }
    let failures = all.entry(key).or_insert(Failures { count: 0, last: now });
    if failures.last + FORGOTTEN <= now {
        failures.count = 0;
    }
    *failures = Failures { count: failures.count.saturating_add(1), last: now };
}

/// Names are kept as hashes: they are as long as the client wants, and one may be a password.
fn account(sign_in: &str) -> Account {
    Sha256::digest(fold(sign_in)).into()
}

/// Returns the address whose owner it is: a machine has a whole network of IPv6 addresses.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn an_account_waits_longer_with_each_failure_up_to_15_minutes() {
        let attempts = Attempts::default();
        let mut now = seconds(1);
        for _ in 0..5 {
            assert_eq!(attempts.begin("ana", at(1), now), Ok(()));
        }
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            // The address differs each time, so that only the account waits.
            let address = at(u8::try_from(wait % 250).unwrap());
            assert_eq!(attempts.begin("ANA", address, now), Err(seconds(wait)));
            assert_eq!(attempts.begin("ana", at(250), now + seconds(wait - 1)), Err(seconds(1)));
            now += seconds(wait);
            assert_eq!(attempts.begin("Aná ", address, now), Ok(()), "never locked permanently");
        }
        assert_eq!(attempts.begin("bia", at(251), now), Ok(()));
        assert_eq!(attempts.begin("ana", at(251), now + FORGOTTEN), Ok(()));
        assert_eq!(
            attempts.begin("ana", at(251), now + FORGOTTEN),
            Ok(()),
            "the count starts again after an hour"
        );
    }

    #[test]
    fn an_address_waits_for_all_accounts() {
        let attempts = Attempts::default();
        let done = (0..200).filter(|of| attempts.begin(&format!("name {of}"), at(1), seconds(1)).is_ok());
        assert_eq!(done.count(), 10);
        assert_eq!(attempts.begin("name 11", at(2), seconds(1)), Ok(()));
        let v6 = |text: &str| text.parse::<IpAddr>().unwrap();
        for last in 0..10 {
            attempts.begin(&format!("x {last}"), v6(&format!("2001:db8::{last}")), seconds(1)).unwrap();
        }
        assert!(attempts.begin("y", v6("2001:db8::ffff"), seconds(1)).is_err());
        assert!(attempts.begin("y", v6("2001:db8:0:1::1"), seconds(1)).is_ok());
    }

    #[test]
    fn guesses_from_other_addresses_do_not_lock_a_person_out() {
        let attempts = Attempts::default();
        attempts.begin("ana", at(1), seconds(1)).unwrap();
        attempts.succeeded("ana", at(1), seconds(1));
        let guesses = (0..1000)
            .filter(|at| attempts.begin("ana", IpAddr::from([10, 0, 0, *at as u8]), seconds(2)).is_ok());
        assert_eq!(guesses.count(), 5);
        assert_eq!(attempts.begin("ana", at(1), seconds(2)), Ok(()));
        attempts.succeeded("ana", at(1), seconds(2));
        for _ in 0..10 {
            attempts.begin("ana", at(1), seconds(3)).unwrap();
        }
        assert!(attempts.begin("ana", at(1), seconds(3)).is_err(), "failures from the known address count");
    }
}
