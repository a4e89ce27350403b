//! Limits the number of connections, in total and per address. One too many is closed at once.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of connections from the network (product 5).
const MAX_CONNECTIONS: usize = 1024;
/// Maximum number of connections from one address of the network (product 5).
const MAX_OF_ONE_ADDRESS: usize = 64;
/// Maximum number of connections from this machine, counted apart from the network (product 5), so that no other
/// machine can keep it out.
const MAX_OF_THIS_MACHINE: usize = 512;

/// The limit that all listeners share.
pub(super) struct ConnectionLimit {
    network: Arc<Semaphore>,
    of_machine: Mutex<HashMap<IpAddr, usize>>,
}

/// The right to one connection, until this value is dropped.
pub(super) struct Permit {
    limit: Arc<ConnectionLimit>,
    machine: IpAddr,
    /// `None` for this machine.
    _network: Option<OwnedSemaphorePermit>,
}

impl Default for ConnectionLimit {
    fn default() -> ConnectionLimit {
        ConnectionLimit { network: Arc::new(Semaphore::new(MAX_CONNECTIONS)), of_machine: Mutex::default() }
    }
}

impl ConnectionLimit {
    /// Admits a connection from this address. Returns `None` if there are as many as there may be.
    pub fn admit(self: &Arc<ConnectionLimit>, peer: IpAddr) -> Option<Permit> {
        let machine = machine(peer);
        let (most, network) = match machine.is_loopback() {
            true => (MAX_OF_THIS_MACHINE, None),
            false => (MAX_OF_ONE_ADDRESS, Some(self.network.clone().try_acquire_owned().ok()?)),
        };
        let mut of_machine = self.of_machine.lock();
        let count = of_machine.get(&machine).copied().unwrap_or_default();
        if count >= most {
            return None;
        }
        of_machine.insert(machine, count + 1);
        drop(of_machine);
        Some(Permit { limit: self.clone(), machine, _network: network })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut of_machine = self.limit.of_machine.lock();
        if let Some(count) = of_machine.get_mut(&self.machine) {
            *count -= 1;
            if *count == 0 {
                of_machine.remove(&self.machine);
            }
        }
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
    use super::*;

    const OWN: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn address(number: usize) -> IpAddr {
        IpAddr::from([192, 0, 2, u8::try_from(number).unwrap()])
    }

    /// Admits all peers, which must find room.
    fn admit(limit: &Arc<ConnectionLimit>, peers: impl IntoIterator<Item = IpAddr>) -> Vec<Permit> {
        peers.into_iter().map(|peer| limit.admit(peer)).collect::<Option<_>>().unwrap()
    }

    #[test]
    fn an_address_at_its_limit_keeps_out_no_other_and_is_admitted_when_one_of_its_connections_ends() {
        let limit = Arc::default();
        let mut permits = admit(&limit, [address(1); MAX_OF_ONE_ADDRESS]);
        assert!(limit.admit(address(1)).is_none());
        let _other = admit(&limit, [address(2), OWN]);
        permits.pop();
        permits.extend(limit.admit(address(1)));
        assert_eq!(permits.len(), MAX_OF_ONE_ADDRESS);
        assert!(limit.admit(address(1)).is_none());
        drop(permits);
        assert_eq!(limit.of_machine.lock().get(&address(1)), None);
    }

    #[test]
    fn a_full_network_does_not_keep_out_this_machine_nor_the_other_way_round() {
        let limit = Arc::default();
        let mut network = admit(&limit, (0..MAX_CONNECTIONS).map(|at| address(at / MAX_OF_ONE_ADDRESS)));
        assert!(limit.admit(address(200)).is_none());
        let own = admit(&limit, [OWN; MAX_OF_THIS_MACHINE]);
        assert!(limit.admit(IpAddr::from([127, 1, 2, 3])).is_none());
        network.pop();
        network.extend(limit.admit(address(200)));
        assert_eq!(network.len(), MAX_CONNECTIONS);
        drop((network, own));
        assert!(limit.of_machine.lock().is_empty());
        assert_eq!(limit.network.available_permits(), MAX_CONNECTIONS, "refused connections keep no place");
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
