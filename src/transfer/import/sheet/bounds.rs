//! The bounds of the child process on its own memory and processor time.
//!
//! A thread compares the memory in use with the bound a hundred times a second, on every system, and ends the process with
//! an exit code of its own. On Linux the kernel holds a second bound, which no single allocation can pass. macOS has no such
//! limit, and on Windows the limits of job objects that safe code can set do not count what is paged out.

use std::io;
use std::process::exit;
use std::thread;
use std::time::Duration;

use memory_stats::memory_stats;

/// Most memory in GiB.
pub(super) const MOST_GIB: usize = 2;
/// Exit code of a process that has passed the bound on memory.
pub(super) const OUT_OF_MEMORY: i32 = 3;

const GIB: usize = 1024 * 1024 * 1024;
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Sets the bounds.
///
/// # Errors
/// Why the system refuses them; nothing may be read then.
pub(super) fn set() -> io::Result<()> {
    #[cfg(unix)]
    limits::set()?;
    thread::Builder::new().name("memory".to_owned()).spawn(watch_memory)?;
    Ok(())
}

fn watch_memory() {
    while in_use().is_some_and(|bytes| bytes <= MOST_GIB * GIB) {
        thread::sleep(LOOK_EVERY);
    }
    exit(OUT_OF_MEMORY);
}

/// Returns the memory that the process uses, in bytes. On Windows that includes what is paged out or only reserved.
fn in_use() -> Option<usize> {
    memory_stats().map(|own| if cfg!(windows) { own.virtual_mem } else { own.physical_mem })
}

#[cfg(unix)]
mod limits {
    use std::io;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Processor time in seconds, for a child that outlives its parent: the parent's own patience is shorter.
    const SECONDS: u64 = 600;

    pub(super) fn set() -> io::Result<()> {
        // A copy of the memory on disk would hold the clients' data.
        lower(Resource::Core, 0)?;
        lower(Resource::Cpu, SECONDS)?;
        #[cfg(target_os = "linux")]
        {
            // Address space also counts the executable and what is reserved for threads.
            lower(Resource::As, (super::MOST_GIB * super::GIB + super::GIB / 2) as u64)?;
            // If the machine itself runs out of memory, this process ends first. Without it the bounds still hold.
            let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
        }
        Ok(())
    }

    /// Lowers a limit for good, to `most` or what it already is.
    fn lower(resource: Resource, most: u64) -> io::Result<()> {
        let maximum = getrlimit(resource).maximum.map_or(most, |own| own.min(most));
        Ok(setrlimit(resource, Rlimit { current: Some(maximum), maximum: Some(maximum) })?)
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn memory_counts_once_it_is_used() {
        const MORE: usize = GIB / 4;
        let before = in_use().unwrap();
        let taken = black_box(vec![1_u8; MORE]);
        let after = in_use().unwrap();
        assert!(after >= before + MORE / 2, "{before} {after}");
        assert!(after < MOST_GIB * GIB, "{after}");
        drop(taken);
    }
}
