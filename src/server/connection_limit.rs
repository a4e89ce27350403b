//! Limits the number of connections, in total and per machine, and selects the one that makes room for another.
//!
//! Clients without a token cannot lock others out. If there is no room, a connection that is not kept (see
//! `activity`) is closed at once, and the new connection gets its place. The new connection is refused only if
//! all others are kept.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use super::activity::{Activity, Trust};

/// Maximum number of connections from the network (product 5).
const MOST: usize = 1024;
/// Maximum number of connections from one address of the network (product 5).
const MOST_OF_ONE: usize = 64;
/// Maximum number of connections from this machine, counted apart from the network (product 5).
/// Programs on this machine share one address, and those that wait for changes must not keep others out.
const MOST_OF_THIS: usize = 512;
/// Minimum number of places for connections that have shown no token. If fewer of them are open, idle
/// connections of known clients make room instead, because a new client needs some time to show its token.
const STRANGERS: usize = 16;
/// Maximum wait of a new connection for its place. Closing a connection takes some microseconds.
const TIMEOUT: Duration = Duration::from_secs(1);
/// Minimum time that a new connection from this machine has to send a request before it makes room. On a busy
/// machine, a client may get no processor for some time between connecting and sending.
const TIME_TO_ASK: Duration = Duration::from_millis(100);

/// The limit that all listeners share.
#[derive(Default)]
pub(super) struct ConnectionLimit {
    open: Mutex<Open>,
    order: Arc<AtomicU64>,
    /// Notified when a connection has ended.
    left: Notify,
}

#[derive(Default)]
struct Open {
    connections: HashMap<u64, OpenConnection>,
    of_machine: HashMap<IpAddr, usize>,
    last: u64,
    /// Connections up to this number have had [`TIME_TO_ASK`].
    had_time: u64,
}

struct OpenConnection {
    machine: IpAddr,
    activity: Arc<Activity>,
    /// Dropped with the place, which wakes the new connection that waits for it.
    leaving: Option<oneshot::Sender<()>>,
}

/// The right to one connection, until this value is dropped.
pub(super) struct Permit {
    limit: Arc<ConnectionLimit>,
    number: u64,
    pub activity: Arc<Activity>,
}

/// The room for a new connection.
enum Room {
    Free(Permit),
    /// There is room when a connection that is being closed has ended.
    Soon(oneshot::Receiver<()>),
    /// All connections that could make room are new themselves. There is room once those up to this number have
    /// had their time, or when a connection has ended.
    Later(u64),
    None,
}

impl ConnectionLimit {
    /// Admits a connection from this address. Returns `None` if all connections that might make room are kept,
    /// or if no connection ends in time.
    pub async fn admit(self: &Arc<ConnectionLimit>, peer: IpAddr) -> Option<Permit> {
        let machine = machine(peer);
        let admitted = async {
            loop {
                match self.find_room(machine) {
                    Room::Free(permit) => return Some(permit),
                    // Nothing is sent: the sender is dropped when the place is free.
                    Room::Soon(left) => _ = left.await,
                    Room::Later(last) => {
                        if timeout(TIME_TO_ASK, self.left.notified()).await.is_err() {
                            self.open.lock().had_time = last;
                        }
                    }
                    Room::None => return None,
                }
            }
        };
        timeout(TIMEOUT, admitted).await.ok().flatten()
    }

    fn find_room(self: &Arc<ConnectionLimit>, machine: IpAddr) -> Room {
        let mut open = self.open.lock();
        let (own, is_loopback) = (open.count(machine), machine.is_loopback());
        let of_network = open.connections.len() - open.count(IpAddr::V4(Ipv4Addr::LOCALHOST));
        if own >= if is_loopback { MOST_OF_THIS } else { MOST_OF_ONE } {
            open.make_room(|place| place.machine == machine)
        } else if !is_loopback && of_network >= MOST {
            open.make_room(|place| !place.machine.is_loopback())
        } else {
            Room::Free(open.take(machine, self))
        }
    }
}

impl Open {
    fn count(&self, machine: IpAddr) -> usize {
        self.of_machine.get(&machine).copied().unwrap_or_default()
    }

    fn take(&mut self, machine: IpAddr, limit: &Arc<ConnectionLimit>) -> Permit {
        self.last += 1;
        let (number, activity) = (self.last, Arc::new(Activity::new(limit.order.clone())));
        self.connections
            .insert(number, OpenConnection { machine, activity: activity.clone(), leaving: None });
        *self.of_machine.entry(machine).or_default() += 1;
        Permit { limit: limit.clone(), number, activity }
    }

    /// Closes one of the matching connections: the least trusted one, and of those the one that has been
    /// inactive longest.
    fn make_room(&mut self, of: impl Fn(&OpenConnection) -> bool) -> Room {
        loop {
            let places = self.connections.iter_mut();
            let displaceable = places.filter(|(_, place)| of(place) && place.activity.is_displaceable());
            let (known, others): (Vec<_>, Vec<_>) =
                displaceable.partition(|(_, place)| place.activity.trust() == Trust::Known);
            let first = if others.len() < STRANGERS && !known.is_empty() { known } else { others };
            let order = |(_, place): &(_, &mut OpenConnection)| {
                (place.activity.trust(), place.activity.last_active())
            };
            let Some((number, place)) = first.into_iter().min_by_key(order) else { return Room::None };
            let is_new = place.activity.trust() == Trust::Newcomer && *number > self.had_time;
            if is_new && place.machine.is_loopback() {
                return Room::Later(self.last);
            }
            // The connection may have been kept for a request meanwhile.
            if place.activity.displace() {
                let (leaving, left) = oneshot::channel();
                place.leaving = Some(leaving);
                return Room::Soon(left);
            }
        }
    }

    fn leave(&mut self, number: u64) {
        let Some(place) = self.connections.remove(&number) else { return };
        if let Some(count) = self.of_machine.get_mut(&place.machine) {
            *count -= 1;
            if *count == 0 {
                self.of_machine.remove(&place.machine);
            }
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.limit.open.lock().leave(self.number);
        self.limit.left.notify_one();
    }
}

/// Returns the address that a connection is counted under. All loopback addresses count as one, because every
/// program on this machine may use any of them.
fn machine(peer: IpAddr) -> IpAddr {
    let peer = peer.to_canonical();
    if peer.is_loopback() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { peer }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt;
    use tokio::time::advance;

    use super::super::activity::Exchange;
    use super::*;
    use crate::http::{Addresses, Connection};

    fn address(number: usize) -> IpAddr {
        IpAddr::from([192, 0, 2, u8::try_from(number).unwrap()])
    }

    /// Admits all peers, each of which must find room at once.
    fn admit(limit: &Arc<ConnectionLimit>, peers: impl IntoIterator<Item = IpAddr>) -> Vec<Permit> {
        let admitted = peers.into_iter().map(|peer| limit.admit(peer).now_or_never().flatten());
        admitted.collect::<Option<_>>().unwrap()
    }

    fn kept(permit: &Permit) -> Exchange {
        let exchange = permit.activity.begin(Addresses::LOOPBACK);
        assert!(exchange.keep());
        exchange
    }

    /// Returns the indices of the connections that have to end.
    fn ending(permits: &[Permit]) -> Vec<usize> {
        let ending =
            permits.iter().enumerate().filter(|(_, permit)| permit.activity.end().now_or_never().is_some());
        ending.map(|(at, _)| at).collect()
    }

    #[tokio::test]
    async fn a_new_connection_is_admitted_when_another_one_has_ended() {
        let limit = Arc::new(ConnectionLimit::default());
        let mut permits = admit(&limit, [address(1); MOST_OF_ONE]);
        let _other = admit(&limit, [address(2)]);
        // The first is kept, the second was active last, and the fourth has no token: it makes room.
        let _answered = kept(&permits[0]);
        permits[1].activity.progress();
        let asking = permits[3].activity.begin(Addresses::LOOPBACK);
        asking.release();
        let mut newcomer = pin!(limit.admit(address(1)));
        assert!(newcomer.as_mut().now_or_never().is_none(), "no connection has ended yet");
        assert_eq!(ending(&permits), [3]);
        assert!(!asking.keep(), "the connection can no longer be kept");
        drop(permits.remove(3));
        let newcomer = newcomer.now_or_never().flatten().unwrap();
        assert_eq!(limit.open.lock().of_machine[&address(1)], MOST_OF_ONE);
        // Of those without a request, the third has been inactive longest.
        assert!(limit.admit(address(1)).now_or_never().is_none());
        assert_eq!(ending(&permits), [2]);
        drop((newcomer, permits));
        assert_eq!(limit.open.lock().of_machine.get(&address(1)), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_connection_is_refused_if_all_are_kept_or_none_ends() {
        let limit = Arc::new(ConnectionLimit::default());
        let permits = admit(&limit, [address(1); MOST_OF_ONE]);
        let mut answered = permits.iter().map(kept).collect::<Vec<_>>();
        assert!(limit.admit(address(1)).now_or_never().unwrap().is_none());
        answered.pop();
        assert!(limit.admit(address(1)).await.is_none(), "the connection was asked to end and is still open");
        assert_eq!(limit.open.lock().connections.len(), MOST_OF_ONE);
    }

    #[tokio::test]
    async fn connections_without_a_token_make_room_first() {
        let limit = Arc::new(ConnectionLimit::default());
        let mut permits = admit(&limit, [address(1); MOST_OF_ONE]);
        // All but `STRANGERS` connections have sent a token once and have been idle since.
        permits[STRANGERS..].iter().for_each(|permit| drop(kept(permit)));
        permits[..STRANGERS].iter().for_each(|permit| drop(permit.activity.begin(Addresses::LOOPBACK)));
        for _ in 0..2 {
            assert!(limit.admit(address(1)).now_or_never().is_none());
            let at = ending(&permits)[0];
            drop(permits.remove(at));
            permits.extend(admit(&limit, [address(1)]));
            assert!(at == 0, "{at}");
        }
        let _known = kept(&permits[0]);
        assert!(limit.admit(address(1)).now_or_never().is_none());
        assert_eq!(
            ending(&permits),
            [STRANGERS - 2],
            "few strangers are left, so the longest idle connection ends"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_local_connection_has_time_to_send_its_first_request() {
        let limit = Arc::new(ConnectionLimit::default());
        let own = || IpAddr::from([127, 0, 0, 1]);
        let mut permits = admit(&limit, [(); MOST_OF_THIS].map(|()| own()));
        // A connection that has sent a request without a token has had its time.
        drop(permits[7].activity.begin(Addresses::LOOPBACK));
        assert!(limit.admit(own()).now_or_never().is_none());
        assert_eq!(ending(&permits), [7]);
        drop(permits.remove(7));
        permits.extend(admit(&limit, [own()]));

        // If a place becomes free, the new connection does not wait any longer.
        let mut newcomer = pin!(limit.admit(own()));
        assert!(newcomer.as_mut().now_or_never().is_none());
        drop(permits.remove(0));
        permits.extend(newcomer.now_or_never().flatten());
        assert_eq!(permits.len(), MOST_OF_THIS);

        let mut newcomer = pin!(limit.admit(own()));
        assert!(newcomer.as_mut().now_or_never().is_none());
        advance(TIME_TO_ASK - Duration::from_millis(1)).await;
        assert!(newcomer.as_mut().now_or_never().is_none());
        assert_eq!(ending(&permits), [0; 0]);
        advance(Duration::from_millis(1)).await;
        assert!(newcomer.as_mut().now_or_never().is_none());
        assert_eq!(ending(&permits), [0]);
        drop(permits.remove(0));
        assert!(newcomer.now_or_never().flatten().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn local_and_network_connections_have_separate_limits() {
        let limit = Arc::new(ConnectionLimit::default());
        let permits = admit(&limit, (0..MOST).map(|at| address(at / MOST_OF_ONE)));
        let own = |at: usize| IpAddr::from([127, 0, 0, u8::try_from(at % 250).unwrap() + 1]);
        let own = admit(&limit, (0..MOST_OF_THIS).map(own));
        assert_eq!(limit.open.lock().connections.len(), MOST + MOST_OF_THIS);
        limit.open.lock().had_time = u64::MAX;
        for (newcomer, of) in [(IpAddr::from([127, 1, 2, 3]), &own), (address(200), &permits)] {
            assert!(limit.admit(newcomer).now_or_never().is_none());
            assert_eq!(ending(of), [0], "{newcomer}");
        }
        drop((permits, own));
        assert!(limit.open.lock().of_machine.is_empty());
    }

    #[test]
    fn addresses_of_one_machine_are_counted_together() {
        for (one, other) in [
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("127.0.0.1", "127.255.255.254"),
            ("127.0.0.1", "::1"),
            ("127.0.0.1", "::ffff:127.0.0.2"),
        ] {
            assert_eq!(machine(one.parse().unwrap()), machine(other.parse().unwrap()), "{one}");
        }
        assert_ne!(machine(address(1)), machine(address(2)));
    }
}
