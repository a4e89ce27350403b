//! How many connections there may be, in all and from one address; and who has to make room for whom.
//!
//! A newcomer is not kept waiting by those who hold a connection and ask nothing: where there is no room, the one that
//! has been quiet for the longest is closed. Only where all of them are being answered is the newcomer turned away.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use parking_lot::Mutex;

use super::activity::Activity;

/// How many connections there may be at a time (product 5).
const MOST: usize = 1024;
/// How many of them one address may have (product 5).
const MOST_OF_ONE: usize = 64;
/// How many of them are for this machine itself: whatever happens on the network, its own programs get in.
const OWN: usize = 64;

/// Both listeners let connections in by one limit.
#[derive(Default)]
pub(super) struct ConnectionLimit {
    inside: Mutex<Inside>,
    order: Arc<AtomicU64>,
}

#[derive(Default)]
struct Inside {
    connections: HashMap<u64, (IpAddr, Arc<Activity>)>,
    of_address: HashMap<IpAddr, usize>,
    last: u64,
}

/// The right to one connection, for as long as it lives.
pub(super) struct Permit {
    limit: Arc<ConnectionLimit>,
    number: u64,
    pub activity: Arc<Activity>,
}

impl ConnectionLimit {
    /// Lets a connection of that address in; none where everybody who might make room is being answered.
    pub fn enter(self: &Arc<ConnectionLimit>, peer: IpAddr) -> Option<Permit> {
        let peer = peer.to_canonical();
        let mut inside = self.inside.lock();
        if inside.of_address.get(&peer).is_some_and(|count| *count >= MOST_OF_ONE) {
            inside.make_room(|address| *address == peer)?;
        }
        let most = if peer.is_loopback() { MOST } else { MOST - OWN };
        if inside.connections.len() >= most {
            inside.make_room(|_| true)?;
        }
        inside.last += 1;
        let (number, activity) = (inside.last, Arc::new(Activity::new(self.order.clone())));
        inside.connections.insert(number, (peer, activity.clone()));
        *inside.of_address.entry(peer).or_default() += 1;
        Some(Permit { limit: self.clone(), number, activity })
    }
}

impl Inside {
    /// Has one of those connections closed: of those that wait for nothing, the one that has been quiet for the longest.
    fn make_room(&mut self, of: impl Fn(&IpAddr) -> bool) -> Option<()> {
        let quiet =
            self.connections.iter().filter(|(_, (address, activity))| of(address) && !activity.is_working());
        let (number, _) = quiet.min_by_key(|(_, (_, activity))| activity.last_active())?;
        let activity = self.leave(*number)?;
        activity.displace();
        Some(())
    }

    fn leave(&mut self, number: u64) -> Option<Arc<Activity>> {
        let (address, activity) = self.connections.remove(&number)?;
        if let Some(count) = self.of_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                self.of_address.remove(&address);
            }
        }
        Some(activity)
    }
}

impl Drop for Permit {
    /// One that was displaced has left already.
    fn drop(&mut self) {
        self.limit.inside.lock().leave(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: usize) -> IpAddr {
        IpAddr::from([192, 0, 2, u8::try_from(number).unwrap()])
    }

    #[test]
    fn one_address_has_so_many_and_then_displaces_its_own() {
        let limit = Arc::new(ConnectionLimit::default());
        let permits: Vec<_> = (0..MOST_OF_ONE).map(|_| limit.enter(address(1)).unwrap()).collect();
        let other = limit.enter(address(2)).unwrap();
        // The first is being answered, the second has said something meanwhile: the third makes room.
        let _request = permits[0].activity.begin();
        permits[1].activity.progress();
        let newcomer = limit.enter(address(1)).unwrap();
        let displaced: Vec<_> = permits.iter().map(|permit| permit.activity.is_displaced()).collect();
        assert_eq!(displaced.iter().position(|displaced| *displaced), Some(2));
        assert_eq!(displaced.iter().filter(|displaced| **displaced).count(), 1);
        assert!(!other.activity.is_displaced() && !newcomer.activity.is_displaced());
        // What was displaced and ends then takes nobody's place along.
        drop(permits);
        assert_eq!(limit.inside.lock().of_address[&address(1)], 1);
    }

    #[test]
    fn the_last_places_are_for_the_machine_itself() {
        let limit = Arc::new(ConnectionLimit::default());
        let most = MOST - OWN;
        let permits: Vec<_> = (0..most).map(|at| limit.enter(address(at / MOST_OF_ONE)).unwrap()).collect();
        let requests: Vec<_> = permits.iter().map(|permit| permit.activity.begin()).collect();
        assert!(limit.enter(address(200)).is_none(), "everybody is being answered");
        let own: Vec<_> = (0..OWN).map(|_| limit.enter([127, 0, 0, 1].into()).unwrap()).collect();
        assert_eq!(limit.inside.lock().connections.len(), MOST);
        assert!(limit.enter([127, 0, 0, 2].into()).is_some(), "an own one that asks nothing makes room");
        assert!(own[0].activity.is_displaced());
        drop(requests);
        assert!(limit.enter(address(200)).is_some());
        drop((permits, own));
        assert!(limit.inside.lock().of_address.is_empty());
    }

    #[test]
    fn an_address_of_either_family_is_one() {
        let limit = Arc::new(ConnectionLimit::default());
        let _one = limit.enter("::ffff:192.0.2.1".parse().unwrap()).unwrap();
        let _two = limit.enter(address(1)).unwrap();
        assert_eq!(limit.inside.lock().of_address[&address(1)], 2);
    }
}
