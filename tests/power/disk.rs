//! A SQLite VFS in front of the system's VFS that records every write and sync, and fails on request.
//!
//! It forwards all calls, and records writes to the main file and its WAL in the journal. Only this binary
//! has it, because SQLite registers a VFS for a whole process.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rusqlite::ffi::{
    SQLITE_FULL, SQLITE_IOERR_FSYNC, SQLITE_IOERR_WRITE, SQLITE_OK, sqlite3_file, sqlite3_io_methods,
    sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

/// The recorded events, in order. `file` is the name without its folder.
#[derive(Clone, Debug)]
pub enum Event {
    Write {
        file: String,
        offset: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        file: String,
        length: usize,
    },
    Sync {
        file: String,
    },
    /// The store acknowledged the write with this number.
    Acknowledged(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Full,
    /// The device fails and nothing is written.
    Broken,
    /// Half of the data is written, then the device fails.
    Torn,
    Sync,
}

#[derive(Default)]
pub struct Disk {
    pub journal: Vec<Event>,
    /// The fault, how many writes or syncs succeed before it, and how many fail.
    pub fault: Option<(Fault, u32, u32)>,
}

static DISK: Mutex<Option<Disk>> = Mutex::new(None);
static BELOW: OnceLock<usize> = OnceLock::new();

pub fn disk<T>(work: impl FnOnce(&mut Disk) -> T) -> T {
    let mut disk: MutexGuard<'_, _> = DISK.lock().unwrap_or_else(PoisonError::into_inner);
    work(disk.get_or_insert_with(Disk::default))
}

/// Returns the fault if this write or sync fails.
fn fails(sync: bool) -> Option<Fault> {
    disk(|disk| {
        let (fault, before, times) = disk.fault.as_mut()?;
        if (*fault == Fault::Sync) != sync || *times == 0 {
            return None;
        }
        if *before > 0 {
            *before -= 1;
            return None;
        }
        *times -= 1;
        Some(*fault)
    })
}

/// An open file: SQLite's view, its name, and then in memory the file of the system's VFS.
#[repr(C)]
struct File {
    base: sqlite3_file,
    /// Owned by the box that `x_open` leaks and `x_close` frees. Null for a file that is not recorded.
    name: *mut String,
}

unsafe fn below(file: *mut sqlite3_file) -> *mut sqlite3_file {
    unsafe { file.cast::<File>().add(1).cast() }
}

unsafe fn methods(file: *mut sqlite3_file) -> *const sqlite3_io_methods {
    unsafe { (*below(file)).pMethods }
}

unsafe fn name(file: *mut sqlite3_file) -> Option<String> {
    unsafe { (*file.cast::<File>()).name.as_ref().cloned() }
}

/// Defines a method that only forwards the call.
macro_rules! hands_on {
    ($name:ident, $method:ident $(, $argument:ident: $type:ty)*) => {
        unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $type)*) -> c_int {
            unsafe { ((*methods(file)).$method.unwrap())(below(file) $(, $argument)*) }
        }
    };
}

hands_on!(x_read, xRead, buffer: *mut c_void, length: c_int, offset: i64);
hands_on!(x_file_size, xFileSize, size: *mut i64);
hands_on!(x_lock, xLock, level: c_int);
hands_on!(x_unlock, xUnlock, level: c_int);
hands_on!(x_check_reserved_lock, xCheckReservedLock, out: *mut c_int);
hands_on!(x_file_control, xFileControl, op: c_int, argument: *mut c_void);
hands_on!(x_sector_size, xSectorSize);
hands_on!(x_shm_map, xShmMap, page: c_int, size: c_int, extend: c_int, out: *mut *mut c_void);
hands_on!(x_shm_lock, xShmLock, offset: c_int, n: c_int, flags: c_int);
hands_on!(x_shm_unmap, xShmUnmap, delete: c_int);

/// Reports no guarantee about power loss: data that was not synced may or may not be on the disk.
unsafe extern "C" fn x_device_characteristics(_: *mut sqlite3_file) -> c_int {
    0
}

unsafe extern "C" fn x_shm_barrier(file: *mut sqlite3_file) {
    unsafe { ((*methods(file)).xShmBarrier.unwrap())(below(file)) }
}

unsafe extern "C" fn x_close(file: *mut sqlite3_file) -> c_int {
    unsafe {
        let own = file.cast::<File>();
        if !(*own).name.is_null() {
            drop(Box::from_raw((*own).name));
            (*own).name = ptr::null_mut();
        }
        ((*methods(file)).xClose.unwrap())(below(file))
    }
}

unsafe extern "C" fn x_write(
    file: *mut sqlite3_file,
    buffer: *const c_void,
    length: c_int,
    offset: i64,
) -> c_int {
    unsafe {
        let write = (*methods(file)).xWrite.unwrap();
        let Some(name) = name(file) else { return write(below(file), buffer, length, offset) };
        let bytes = std::slice::from_raw_parts(buffer.cast::<u8>(), usize::try_from(length).unwrap());
        match fails(false) {
            Some(Fault::Full) => return SQLITE_FULL,
            Some(Fault::Torn) => {
                write(below(file), buffer, length / 2, offset);
                return SQLITE_IOERR_WRITE;
            }
            Some(_) => return SQLITE_IOERR_WRITE,
            None => {}
        }
        let done = write(below(file), buffer, length, offset);
        if done == SQLITE_OK {
            let offset = usize::try_from(offset).unwrap();
            disk(|disk| disk.journal.push(Event::Write { file: name, offset, bytes: bytes.to_vec() }));
        }
        done
    }
}

unsafe extern "C" fn x_truncate(file: *mut sqlite3_file, length: i64) -> c_int {
    unsafe {
        let done = ((*methods(file)).xTruncate.unwrap())(below(file), length);
        if let (Some(file), SQLITE_OK) = (name(file), done) {
            let length = usize::try_from(length).unwrap();
            disk(|disk| disk.journal.push(Event::Truncate { file, length }));
        }
        done
    }
}

unsafe extern "C" fn x_sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    unsafe {
        let Some(name) = name(file) else { return ((*methods(file)).xSync.unwrap())(below(file), flags) };
        if fails(true).is_some() {
            return SQLITE_IOERR_FSYNC;
        }
        // The journal represents the disk. Syncing the real one too would only take time.
        disk(|disk| disk.journal.push(Event::Sync { file: name }));
        SQLITE_OK
    }
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(x_close),
    xRead: Some(x_read),
    xWrite: Some(x_write),
    xTruncate: Some(x_truncate),
    xSync: Some(x_sync),
    xFileSize: Some(x_file_size),
    xLock: Some(x_lock),
    xUnlock: Some(x_unlock),
    xCheckReservedLock: Some(x_check_reserved_lock),
    xFileControl: Some(x_file_control),
    xSectorSize: Some(x_sector_size),
    xDeviceCharacteristics: Some(x_device_characteristics),
    xShmMap: Some(x_shm_map),
    xShmLock: Some(x_shm_lock),
    xShmBarrier: Some(x_shm_barrier),
    xShmUnmap: Some(x_shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

fn system() -> *mut sqlite3_vfs {
    *BELOW.get().unwrap() as *mut sqlite3_vfs
}

unsafe extern "C" fn x_open(
    _: *mut sqlite3_vfs,
    path: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    unsafe {
        let own = file.cast::<File>();
        (*own).base.pMethods = ptr::null();
        (*own).name = ptr::null_mut();
        (*below(file)).pMethods = ptr::null();
        let done = ((*system()).xOpen.unwrap())(system(), path, below(file), flags, out);
        if !methods(file).is_null() {
            (*own).base.pMethods = &METHODS;
        }
        if done == SQLITE_OK && !path.is_null() {
            let path = CStr::from_ptr(path).to_string_lossy();
            let name = path.rsplit('/').next().unwrap_or_default();
            if name.starts_with("pleito.db") {
                (*own).name = Box::into_raw(Box::new(name.to_owned()));
            }
        }
        done
    }
}

/// Registers the VFS for every connection that this process opens from now on.
pub fn insert() {
    unsafe {
        let below = sqlite3_vfs_find(ptr::null());
        BELOW.set(below as usize).unwrap();
        let mut own = *below;
        own.szOsFile += c_int::try_from(size_of::<File>()).unwrap();
        own.pNext = ptr::null_mut();
        own.zName = c"recorded".as_ptr();
        own.xOpen = Some(x_open);
        // Registered until the process ends.
        assert_eq!(sqlite3_vfs_register(Box::into_raw(Box::new(own)), 1), SQLITE_OK);
    }
}

/// Makes the system's VFS the default again for new connections.
pub fn remove() {
    unsafe {
        assert_eq!(sqlite3_vfs_register(system(), 1), SQLITE_OK);
    }
}
