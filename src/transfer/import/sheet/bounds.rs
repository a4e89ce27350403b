//! Limits that the child process sets on its own memory and processor time.
//!
//! On every system, a thread compares the memory in use with the limit a hundred times a second, and ends the
//! process with a special exit code. On Linux, the kernel enforces a second limit, which no single allocation
//! can exceed. macOS has no such limit. On Windows, the limits of job objects that safe code can set do not
//! count paged-out memory.

use std::io;
use std::process::exit;
use std::thread;
use std::time::Duration;

use memory_stats::memory_stats;

pub(super) const MOST_GIB: usize = 2;
/// Exit code of a process that has exceeded the memory limit.
pub(super) const OUT_OF_MEMORY: i32 = 3;

const GIB: usize = 1024 * 1024 * 1024;
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Sets the limits.
///
/// # Errors
/// Fails if the system refuses the limits. The caller must not read the file then.
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

/// Returns the memory that the process uses, in bytes. On Windows this includes paged-out and reserved memory.
fn in_use() -> Option<usize> {
    memory_stats().map(|own| if cfg!(windows) { own.virtual_mem } else { own.physical_mem })
}

#[cfg(unix)]
mod limits {
    use std::io;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Processor time in seconds, for a child that outlives its parent. The parent's own time-out is shorter.
    const SECONDS: u64 = 600;

    pub(super) fn set() -> io::Result<()> {
        // A core dump would contain the clients' data.
        lower(Resource::Core, 0)?;
        lower(Resource::Cpu, SECONDS)?;
        #[cfg(target_os = "linux")]
        {
            // The address space also includes the executable and the reserved stacks of threads.
            lower(Resource::As, (super::MOST_GIB * super::GIB + super::GIB / 2) as u64)?;
            // If the machine runs out of memory, the kernel ends this process first. A failure here is harmless.
            let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
        }
        Ok(())
    }

    /// Lowers a limit permanently to `most`, or keeps it if it is lower already.
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
    fn memory_in_use_includes_new_allocations() {
        const MORE: usize = GIB / 4;
        let before = in_use().unwrap();
        let taken = black_box(vec![1_u8; MORE]);
        let after = in_use().unwrap();
        assert!(after >= before + MORE / 2, "{before} {after}");
        assert!(after < MOST_GIB * GIB, "{after}");
        drop(taken);
    }
}
