//! Slows down guesses of passwords (access 26). Failures are kept for each pair of account and source, also for names
//! that no person has. Every wait is derived from these pairs. No account is locked for good, and open sessions are not
//! affected.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use crate::domain::text::fold;

/// Failures without a wait: first attempts at an account from all addresses together, further attempts at it, those of
/// an address at all accounts, and those of a known device.
const FREE_FIRST: u32 = 1;
const FREE_FURTHER: u32 = 4;
const FREE_OF_ADDRESS: u32 = 10;
const FREE_OF_DEVICE: u32 = 5;
/// Longest wait (access 26).
pub(in crate::console) const MAX_WAIT: Duration = Duration::from_secs(15 * 60);
/// Time after the last failure of a pair after which its failures are forgotten.
const FORGET_AFTER: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of pairs in memory. Beyond that, the oldest are dropped, those of unknown names first.
const MAX_PAIRS: usize = 4096;

/// The account that an attempt is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::console) enum Account {
    /// The id of the person.
    Person(u32),
    /// The hash of a name that no person has: names are as long as the client wants, and one may be a password.
    Unknown([u8; 32]),
}

impl Account {
    /// Returns the account of the name that was typed. `person` is the one who signs in with it.
    pub fn of(person: Option<u32>, sign_in: &str) -> Account {
        person.map_or_else(|| Account::Unknown(Sha256::digest(fold(sign_in)).into()), Account::Person)
    }
}

/// The place that an attempt comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::console) enum AttemptSource {
    /// A device on which this person has signed in before, by the hash of its cookie.
    Device([u8; 32]),
    /// An address, or a network of IPv6 addresses.
    Address(IpAddr),
}

impl AttemptSource {
    /// Returns the source of an address: a machine has a whole /64 network of IPv6 addresses.
    pub fn address(address: IpAddr) -> AttemptSource {
        AttemptSource::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            address => address,
        })
    }
}

/// Names the owner of an address, as [`AttemptSource::address`] does.
pub(in crate::console) fn address_name(address: IpAddr) -> String {
    match AttemptSource::address(address) {
        AttemptSource::Address(network @ IpAddr::V6(_)) => format!("{network}/64"),
        _ => address.to_canonical().to_string(),
    }
}

type Pair = (Account, AttemptSource);

/// Failures of a pair, with the times of the first and the last one.
#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    first: Duration,
    last: Duration,
}

/// The failed sign-ins of the last day, in memory.
#[derive(Default)]
pub(in crate::console) struct Attempts(Mutex<HashMap<Pair, Failures>>);

impl Attempts {
    /// Begins an attempt and counts it as failed until [`Attempts::succeeded`]. Returns the time to wait if it is too
    /// early. Such an attempt does not count, so that the wait ends. `now` is a monotonic time.
    pub fn begin(&self, account: Account, source: AttemptSource, now: Duration) -> Result<(), Duration> {
        let mut known = self.0.lock();
        known.retain(|_, failures| failures.last + FORGET_AFTER > now);
        let wait = wait(&known, account, source, now);
        if !wait.is_zero() {
            return Err(wait);
        }
        count(&mut known, (account, source), now);
        Ok(())
    }

    /// Takes back an attempt for which no password was compared.
    pub fn withdraw(&self, account: Account, source: AttemptSource) {
        let mut known = self.0.lock();
        if let Some(failures) = known.get_mut(&(account, source)).filter(|failures| failures.count > 1) {
            failures.count -= 1;
        } else {
            known.remove(&(account, source));
        }
    }

    /// Forgets the failures of this pair. Those of the account from other sources, and of the source at other accounts,
    /// stay: otherwise whoever has an account could clear an address, and each sign-in of a person those of a guesser.
    pub fn succeeded(&self, account: Account, source: AttemptSource) {
        self.0.lock().remove(&(account, source));
    }
}

/// Returns the time until an attempt may be made.
fn wait(known: &HashMap<Pair, Failures>, account: Account, source: AttemptSource, now: Duration) -> Duration {
    let own = known.get(&(account, source));
    let AttemptSource::Address(address) = source else {
        return wait_of(own.into_iter().map(|own| (own.count, own.last)), FREE_OF_DEVICE, now);
    };
    let at_account = known.iter().filter_map(|((at, from), failures)| {
        (*at == account && matches!(from, AttemptSource::Address(_))).then_some(failures)
    });
    // First attempts wait for each other only, so that those who go on guessing keep out no one who comes from another
    // address; and together they are as slow as one address, however many there are.
    let account_wait = match own {
        None => wait_of(at_account.map(|failures| (1, failures.first)), FREE_FIRST, now),
        Some(_) => {
            let further = at_account.filter(|failures| failures.count > 1);
            wait_of(further.map(|failures| (failures.count - 1, failures.last)), FREE_FURTHER, now)
        }
    };
    let of_address = known.iter().filter(|((_, from), _)| *from == AttemptSource::Address(address));
    let of_address = of_address.map(|(_, failures)| (failures.count, failures.last));
    account_wait.max(wait_of(of_address, FREE_OF_ADDRESS, now))
}

/// Returns the time until the next attempt after these failures. It doubles with each failure beyond `free`.
fn wait_of(failures: impl Iterator<Item = (u32, Duration)>, free: u32, now: Duration) -> Duration {
    let (count, last) = failures.fold((0_u32, Duration::ZERO), |(count, last), (more, at)| {
        (count.saturating_add(more), last.max(at))
    });
    let Some(over) = count.checked_sub(free) else { return Duration::ZERO };
    let wait = Duration::from_secs(1 << over.min(20)).min(MAX_WAIT);
    (last + wait).saturating_sub(now)
}

fn count(known: &mut HashMap<Pair, Failures>, pair: Pair, now: Duration) {
    if known.len() >= MAX_PAIRS && !known.contains_key(&pair) {
        let is_person = |account: &Account| matches!(account, Account::Person(_));
        let oldest = known.iter().min_by_key(|((account, _), failures)| (is_person(account), failures.last));
        oldest.map(|(pair, _)| *pair).map(|oldest| known.remove(&oldest));
    }
    let failures = known.entry(pair).or_insert(Failures { count: 0, first: now, last: now });
    failures.count = failures.count.saturating_add(1);
    failures.last = now;
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANA: Account = Account::Person(1);
    const BIA: Account = Account::Person(2);
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    const DEVICE: AttemptSource = AttemptSource::Device([7; 32]);

    fn at(last: u32) -> AttemptSource {
        let [.., b, c] = last.to_be_bytes();
        AttemptSource::address(IpAddr::from([10, 0, b, c]))
    }

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    /// Guesses for two days, each time as soon as one of the pairs that `next` names is allowed. Returns the number of
    /// guesses on each day. `after` runs after each guess, with the number of guesses so far.
    fn guesses(
        attempts: &Attempts,
        next: impl Fn(u32) -> Vec<Pair>,
        after: impl Fn(u32, Duration),
    ) -> [u32; 2] {
        let mut now = seconds(1);
        let mut done = [0; 2];
        while now < DAY * 2 {
            let mut shortest = MAX_WAIT;
            for (account, source) in next(done[0] + done[1]) {
                match attempts.begin(account, source, now) {
                    Ok(()) => {
                        done[usize::from(now >= DAY)] += 1;
                        after(done[0] + done[1], now);
                        shortest = Duration::ZERO;
                    }
                    Err(wait) => shortest = shortest.min(wait),
                }
            }
            now += shortest;
        }
        done
    }

    fn nothing(_: u32, _: Duration) {}

    #[test]
    fn an_address_gets_at_most_114_guesses_a_day_at_one_account_or_at_all_together() {
        let one = |_| vec![(ANA, at(1))];
        assert_eq!(guesses(&Attempts::default(), one, nothing), [109, 96]);
        // One common password, tried on every person and on every name.
        let people = |number| vec![(Account::Person(number), at(1))];
        assert_eq!(guesses(&Attempts::default(), people, nothing), [114, 96]);
        let names = |number: u32| vec![(Account::of(None, &format!("name {number}")), at(1))];
        assert_eq!(guesses(&Attempts::default(), names, nothing), [114, 96]);
    }

    #[test]
    fn an_own_account_gives_an_attacker_no_further_guesses() {
        for own in [at(1), DEVICE] {
            let attempts = Attempts::default();
            // Bia signs in, or changes her password, after each guess at Ana's account.
            let sign_in = |_, now| {
                if attempts.begin(BIA, own, now).is_ok() {
                    attempts.succeeded(BIA, own);
                }
            };
            assert_eq!(guesses(&attempts, |_| vec![(ANA, at(1))], sign_in), [109, 96]);
        }
    }

    #[test]
    fn many_addresses_get_at_most_twice_as_many_guesses_as_one() {
        for addresses in [2, 10, 300, 60_000] {
            // An address that has not tried, as long as there are any, and one that has.
            let next =
                |number| vec![(ANA, at(number % addresses)), (ANA, at(number / 2 % addresses.min(50)))];
            let [first, second] = guesses(&Attempts::default(), next, nothing);
            assert!(first <= 216 && second <= 192, "{addresses}: {first}, {second}");
        }
    }

    #[test]
    fn a_guesser_at_the_shared_address_gains_16_guesses_by_each_sign_in_from_a_new_device_there() {
        let attempts = Attempts::default();
        let ana_signs_in = |number, _| {
            if [20, 40, 60].contains(&number) {
                attempts.succeeded(ANA, at(1));
            }
        };
        let [first, _] = guesses(&attempts, |_| vec![(ANA, at(1))], ana_signs_in);
        assert!(first <= 110 + 3 * 16, "{first}");
        let attempts = Attempts::default();
        let known = |_, _| attempts.succeeded(ANA, DEVICE);
        assert_eq!(guesses(&attempts, |_| vec![(ANA, at(1))], known), [109, 96], "a known device gives none");
    }

    #[test]
    fn a_person_gets_in_from_a_known_device_and_from_an_address_without_failures() {
        let attempts = Attempts::default();
        let office = at(1);
        let gets_in = |source, now| {
            assert_eq!(attempts.begin(ANA, source, now), Ok(()), "{source:?} {now:?}");
            attempts.succeeded(ANA, source);
        };
        let guesser = |_| vec![(ANA, office), (Account::of(None, "x"), office)];
        let meanwhile = |number, now| {
            gets_in(DEVICE, now);
            if now >= seconds(2) {
                gets_in(at(1000 + number), now);
            }
            if number > 20 {
                assert!(attempts.begin(ANA, office, now).is_err(), "the guesser's own address waits");
            }
        };
        guesses(&attempts, guesser, meanwhile);

        // Against many addresses only the known device is certain to get in.
        let attempts = Attempts::default();
        let many = |number| vec![(ANA, at(number))];
        guesses(&attempts, many, |_, now| {
            assert_eq!(attempts.begin(ANA, DEVICE, now), Ok(()));
            attempts.succeeded(ANA, DEVICE);
        });
    }

    #[test]
    fn waits_double_up_to_15_minutes_and_failures_are_forgotten_after_a_day() {
        let attempts = Attempts::default();
        for source in [at(1), DEVICE] {
            let mut now = seconds(1);
            for _ in 0..5 {
                assert_eq!(attempts.begin(ANA, source, now), Ok(()));
            }
            for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
                assert_eq!(attempts.begin(ANA, source, now), Err(seconds(wait)));
                assert_eq!(attempts.begin(ANA, source, now + seconds(wait - 1)), Err(seconds(1)));
                now += seconds(wait);
                assert_eq!(attempts.begin(ANA, source, now), Ok(()), "never locked permanently");
            }
            assert_eq!(attempts.begin(BIA, at(2), now), Ok(()));
            attempts.succeeded(BIA, at(2));
        }
        for _ in 0..5 {
            assert_eq!(attempts.begin(ANA, at(1), DAY * 2), Ok(()), "forgotten");
        }
        assert!(attempts.begin(ANA, at(1), DAY * 2).is_err());
    }

    #[test]
    fn first_attempts_from_all_addresses_wait_for_each_other() {
        let attempts = Attempts::default();
        let together = (0..200).filter(|last| attempts.begin(ANA, at(*last), seconds(1)).is_ok());
        assert_eq!(together.count(), 1);
        assert_eq!(attempts.begin(ANA, at(300), seconds(2)), Ok(()));
        assert_eq!(attempts.begin(ANA, at(301), seconds(3)), Err(seconds(1)));
    }

    #[test]
    fn a_network_of_ipv6_addresses_is_one_address() {
        let attempts = Attempts::default();
        let v6 = |text: &str| AttemptSource::address(text.parse().unwrap());
        for last in 0..10 {
            let account = Account::of(None, &format!("x {last}"));
            attempts.begin(account, v6(&format!("2001:db8::{last}")), seconds(1)).unwrap();
        }
        assert!(attempts.begin(BIA, v6("2001:db8::ffff"), seconds(1)).is_err());
        assert!(attempts.begin(BIA, v6("2001:db8:0:1::1"), seconds(1)).is_ok());
        assert_eq!(v6("::ffff:10.0.0.1"), at(1));
        let name = |text: &str| address_name(text.parse().unwrap());
        assert_eq!(
            (name("2001:db8::ffff"), name("::ffff:10.0.0.1")),
            ("2001:db8::/64".into(), "10.0.0.1".into())
        );
    }

    #[test]
    fn an_attempt_without_a_comparison_is_taken_back() {
        let attempts = Attempts::default();
        for _ in 0..100 {
            assert_eq!(attempts.begin(ANA, at(1), seconds(1)), Ok(()));
            attempts.withdraw(ANA, at(1));
        }
    }

    #[test]
    fn invented_names_do_not_displace_the_failures_of_people() {
        let attempts = Attempts::default();
        for _ in 0..5 {
            attempts.begin(ANA, at(1), seconds(1)).unwrap();
        }
        for number in 0..10_000 {
            let account = Account::of(None, &format!("name {number}"));
            _ = attempts.begin(account, at(2 + number / 10), seconds(2));
        }
        assert_eq!(attempts.0.lock().len(), MAX_PAIRS);
        assert_eq!(attempts.begin(ANA, at(1), seconds(1)), Err(seconds(1)));
    }
}
