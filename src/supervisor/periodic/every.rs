//! Runs work at regular intervals on a blocking thread.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

pub(in crate::supervisor) const MINUTE: Duration = Duration::from_secs(60);
pub(in crate::supervisor) const HOUR: Duration = Duration::from_secs(60 * 60);

/// Calls `work` at once and then after each `period`. If `work` panics, the next call gets a new state. Ends when `stop`
/// is set or when its sender is dropped.
pub(in crate::supervisor) async fn every<S: Default + Send + 'static, A: Send + Sync + 'static>(
    period: Duration,
    work: fn(&mut S, &A),
    app: Arc<A>,
    mut stop: watch::Receiver<bool>,
) {
    let mut state = S::default();
    let mut tick = interval(period);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            _ = stop.wait_for(|stop| *stop) => break,
        }
        let app = app.clone();
        let looking = tokio::task::spawn_blocking(move || {
            work(&mut state, &app);
            state
        });
        tokio::select! {
            looked = looking => state = looked.unwrap_or_default(),
            _ = stop.wait_for(|stop| *stop) => break,
        }
    }
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn periodic_work_continues_after_a_panic() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let work = |state: &mut u32, seen: &Mutex<Vec<u32>>| {
            *state += 1;
            seen.lock().push(*state);
            assert!(seen.lock().len() != 2, "the second call panics");
        };
        let (stop, stopped) = watch::channel(false);
        let hours = tokio::spawn(every(HOUR, work, seen.clone(), stopped));
        while seen.lock().len() < 4 {
            tokio::time::sleep(HOUR / 4).await;
        }
        stop.send(true).unwrap();
        hours.await.unwrap();
        assert_eq!(seen.lock()[..4], [1, 2, 1, 2]);
    }
}
