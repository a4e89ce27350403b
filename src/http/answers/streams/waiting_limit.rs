//! Places for waiting requests, limited in total and for each address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

/// Maximum number of waiting long polls, in total and from one network address. Programs on this machine may
/// take all places. A request without a place is answered at once.
const MAX_LONG_POLLS: usize = 64;
const MAX_LONG_POLLS_OF_ONE: usize = 32;
const MAX_STREAMS: usize = 16;

#[derive(Default)]
pub(in crate::http) struct WaitingPlaces(Mutex<WaitingCounts>);

#[derive(Default)]
struct WaitingCounts {
    waiting: HashMap<IpAddr, usize>,
    streams: usize,
}

/// A taken place. On drop, it becomes free.
pub(in crate::http) struct WaitingPlace {
    all: Arc<WaitingPlaces>,
    /// The client's address for a long poll, or `None` for a stream.
    peer: Option<IpAddr>,
}

impl WaitingPlaces {
    /// Takes a place for a long poll. Returns `None` if all places, or all those of the address, are taken.
    pub(in crate::http) fn wait(self: &Arc<WaitingPlaces>, peer: IpAddr) -> Option<WaitingPlace> {
        let mut places = self.0.lock();
        let all: usize = places.waiting.values().sum();
        let own = places.waiting.get(&peer).copied().unwrap_or_default();
        let most_of_one =
            if peer.to_canonical().is_loopback() { MAX_LONG_POLLS } else { MAX_LONG_POLLS_OF_ONE };
        if all >= MAX_LONG_POLLS || own >= most_of_one {
            return None;
        }
        places.waiting.insert(peer, own + 1);
        Some(WaitingPlace { all: self.clone(), peer: Some(peer) })
    }

    /// Takes a place for a stream. Returns `None` if all of them are taken.
    pub(in crate::http) fn take_stream_place(self: &Arc<WaitingPlaces>) -> Option<WaitingPlace> {
        let mut places = self.0.lock();
        let is_free = places.streams < MAX_STREAMS;
        places.streams += usize::from(is_free);
        is_free.then(|| WaitingPlace { all: self.clone(), peer: None })
    }
}

impl Drop for WaitingPlace {
    fn drop(&mut self) {
        let mut places = self.all.0.lock();
        match self.peer {
            Some(peer) => {
                if let Some(own) = places.waiting.get_mut(&peer) {
                    *own -= 1;
                    if *own == 0 {
                        places.waiting.remove(&peer);
                    }
                }
            }
            None => places.streams -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_limited_and_are_freed_when_dropped() {
        let all = Arc::new(WaitingPlaces::default());
        let addresses = [1, 2, 3].map(|last| IpAddr::from([192, 0, 2, last]));
        let take = |address, count| (0..count).filter_map(|_| all.wait(address)).collect::<Vec<_>>();
        let first = take(addresses[0], MAX_LONG_POLLS_OF_ONE + 1);
        assert_eq!(first.len(), MAX_LONG_POLLS_OF_ONE);
        let second = take(addresses[1], MAX_LONG_POLLS_OF_ONE - 1);
        let third = take(addresses[2], 2);
        assert_eq!(
            (second.len(), third.len()),
            (MAX_LONG_POLLS_OF_ONE - 1, 1),
            "64 places for all addresses"
        );
        drop(first);
        assert_eq!(take(addresses[2], 9).len(), 9);
        drop((second, third));
        assert!(all.0.lock().waiting.is_empty());
        let own = IpAddr::from([127, 0, 0, 1]);
        assert_eq!(
            take(own, MAX_LONG_POLLS + 1).len(),
            MAX_LONG_POLLS,
            "programs of this machine share one address"
        );
        let streams: Vec<_> = (0..MAX_STREAMS + 1).filter_map(|_| all.take_stream_place()).collect();
        assert_eq!(streams.len(), MAX_STREAMS);
        drop(streams);
        assert_eq!(all.0.lock().streams, 0);
    }
}
