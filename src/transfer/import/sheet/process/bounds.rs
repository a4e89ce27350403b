//! Limits that the child process sets on its own memory, time and life.
//!
//! On every system, a thread compares the memory in use with the limit a hundred times a second, and ends the
//! process with a special exit code. On Linux, the kernel enforces a second limit, which no single allocation
//! can exceed. macOS has no such limit. On Windows, the limits of job objects that safe code can set do not
//! count paged-out memory.
//!
//! The same thread writes a line to standard error once a second. The parent holds the other end: if the line cannot be
//! written, the parent is gone, and the process ends.

use std::io::{self, Write};
use std::process::exit;
use std::thread;
use std::time::Duration;

use memory_stats::memory_stats;

use crate::machine;

/// The most memory on any machine, in MiB.
const MAX_MIB: u64 = 2 * 1024;
/// Exit code of a process that has exceeded the memory limit.
pub(in crate::transfer::import::sheet) const OUT_OF_MEMORY: i32 = 3;
/// Exit code of a process whose parent is gone.
const ORPHANED: i32 = 4;

const MIB: u64 = 1024 * 1024;
const CHECK_INTERVAL: Duration = Duration::from_millis(10);
/// Number of looks at the memory between two at the parent.
const LOOKS: u32 = 100;

/// Returns the most memory that a child process may use, in MiB: a quarter of the machine's.
pub(in crate::transfer::import::sheet) fn most_mib() -> u64 {
    quarter_mib(machine::memory())
}

fn quarter_mib(memory: Option<u64>) -> u64 {
    memory.map_or(MAX_MIB, |bytes| (bytes / 4 / MIB).min(MAX_MIB))
}

/// Sets the limits.
///
/// # Errors
/// Fails if the system refuses the limits. The caller must not read the file then.
pub(in crate::transfer::import::sheet) fn set(most_mib: u64) -> io::Result<()> {
    #[cfg(unix)]
    limits::set(most_mib)?;
    thread::Builder::new().name("memory".to_owned()).spawn(move || watch(most_mib * MIB))?;
    Ok(())
}

fn watch(most: u64) {
    for look in 1.. {
        if in_use().is_none_or(|bytes| bytes > most) {
            exit(OUT_OF_MEMORY);
        }
        if look % LOOKS == 0 && io::stderr().write_all(b"\n").is_err() {
            exit(ORPHANED);
        }
        thread::sleep(CHECK_INTERVAL);
    }
}

/// Returns the memory that the process uses, in bytes. On Windows this includes paged-out and reserved memory.
fn in_use() -> Option<u64> {
    memory_stats().map(|own| if cfg!(windows) { own.virtual_mem } else { own.physical_mem } as u64)
}

#[cfg(unix)]
mod limits {
    use std::io;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Processor time in seconds, for a child that outlives its parent. The parent's own time-out is shorter.
    const SECONDS: u64 = 600;

    pub(super) fn set(most_mib: u64) -> io::Result<()> {
        // A core dump would contain the clients' data.
        lower(Resource::Core, 0)?;
        lower(Resource::Cpu, SECONDS)?;
        #[cfg(not(target_os = "linux"))]
        let _ = most_mib;
        #[cfg(target_os = "linux")]
        {
            // The address space also includes the executable and the reserved stacks of threads.
            const REST_MIB: u64 = 512;
            lower(Resource::As, (most_mib + REST_MIB) * super::MIB)?;
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
        const MORE: u64 = 256 * MIB;
        let before = in_use().unwrap();
        let taken = black_box(vec![1_u8; MORE as usize]);
        let after = in_use().unwrap();
        assert!(after >= before + MORE / 2, "{before} {after}");
        drop(taken);
    }

    #[test]
    fn a_child_takes_at_most_a_quarter_of_the_machine() {
        let gib = 1024 * MIB;
        for (memory, most) in [(gib, 256), (4 * gib, 1_024), (8 * gib, 2_048), (64 * gib, 2_048)] {
            assert_eq!(quarter_mib(Some(memory)), most);
        }
        assert_eq!(quarter_mib(None), 2_048);
        assert!(most_mib() * 4 * MIB <= machine::memory().unwrap());
    }
}
