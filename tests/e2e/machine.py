"""Boots systemd as the first process of a machine of its own: a file tree of Debian, with its own processes, mounts and
cgroups. All machines share the network of the part, which must be in its own namespace (`namespaces.enter`)."""

import atexit
import contextlib
import os
import pathlib
import subprocess
import sys
import time

from server import FOLDER

# Standard error is the program's until systemd begins, so a refusal of this machine can be told from a failure of systemd.
# systemd cannot change the kernel: its settings are read-only, and what else would change it is not permitted.
BOOT = r"""
set -e
mount --bind "$TREE" "$TREE"
cd "$TREE"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
    touch dev/$device
    mount --bind /dev/$device dev/$device
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mkdir -p mnt/nas
mount --bind "$SHARED" mnt/nas
pivot_root . .
umount -l .
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 container=unshare \
    setpriv --bounding-set -sys_module,-sys_time,-syslog,-mknod "$@" >/var/log/console 2>&1
"""
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
BOOT_SECONDS = 60
USERS = 1 << 16
GROUPS = FOLDER / "cgroups"
MACHINES = FOLDER / "machines"


def until(what, condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(0.1)
    return value


def skip(reason):
    print(f"   skipped: this machine does not let a test boot systemd: {reason.strip()}")
    sys.exit(0)


def prepare():
    """Mounts cgroups, and memory for the files of machines. Exits with a message and code 0 if this machine has no cgroups of
    version 2, or does not permit new ones, or lacks the users of a Debian, as some containers do."""
    ranges = [line.split() for line in pathlib.Path("/proc/self/uid_map").read_text().splitlines()]
    if sum(int(length) for _, _, length in ranges) < USERS:
        skip("too few users in this container")
    GROUPS.mkdir()
    mounted = subprocess.run(["mount", "-t", "cgroup2", "cgroup2", GROUPS], capture_output=True, text=True)
    if mounted.returncode:
        skip(mounted.stderr)
    probe = GROUPS / f"pleito-{os.getpid()}"
    try:
        probe.mkdir()
        probe.rmdir()
    except OSError as reason:
        skip(str(reason))
    MACHINES.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "machines", MACHINES], check=True)


class Machine:
    """A machine with a new Debian, of which `tree` has the files. `shared` is a folder that it has as /mnt/nas."""

    def __init__(self, name, shared):
        self.shared = shared
        self.tree = MACHINES / name
        self.tree.mkdir()
        self.group = GROUPS / f"pleito-{os.getpid()}-{name}"
        self.process = None
        subprocess.run(["tar", "--extract", "--file", os.environ["DEBIAN_TREE"], "--directory", self.tree], check=True)
        (self.tree / "etc/hostname").write_text(f"{name}\n")
        # Timers that would look for updates, and other units that the part does not need.
        for unit in self.tree.glob("etc/systemd/system/*.wants/*"):
            unit.unlink()
        atexit.register(self.die)

    def start(self, *first):
        """Starts the first process in new namespaces, which end with this program."""
        self.group.mkdir()
        variables = os.environ | {"TREE": str(self.tree), "SHARED": str(self.shared), "PATH": PATH}
        command = ["setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child", "--mount", "--uts", "--ipc",
                   "--cgroup", "sh", "-c", BOOT, "sh", *first]
        self.process = subprocess.Popen(
            command, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True, preexec_fn=lambda: (self.group / "cgroup.procs").write_text("0"),
        )

    def need(self):
        """Exits with a message and code 0 if this machine does not permit what a first process needs."""
        try:
            self.start("true")
        except (OSError, subprocess.SubprocessError) as reason:
            skip(str(reason))
        told, _ = self.process.communicate(timeout=30)
        if self.process.returncode:
            skip(told)
        self.die()

    def boot(self):
        self.start("/lib/systemd/systemd", "--log-target=console", "--show-status=no")
        until("the first process does not start", self.first_process, BOOT_SECONDS)
        is_running = lambda: self.state() in ("running", "degraded")
        until(lambda: f"systemd does not start: {self.state()}\n{self.console()}", is_running, BOOT_SECONDS)

    def first_process(self):
        """Returns the id of systemd, or `None` before it begins: until then, what runs there has the files of the real machine."""
        assert self.process.poll() is None, self.process.stdout.read()
        child = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().strip()
        return child if child and pathlib.Path(f"/proc/{child}/comm").read_text() == "systemd\n" else None

    def state(self):
        done = subprocess.run([*self.inside(), "systemctl", "is-system-running"], capture_output=True, text=True)
        return done.stdout.strip()

    def console(self):
        return (self.tree / "var/log/console").read_text(errors="replace")

    def inside(self):
        first = self.first_process()
        assert first, "systemd does not run"
        return ["nsenter", "--target", first, "--all", "env", "-i", f"PATH={PATH}", "LC_ALL=C.UTF-8", "HOME=/root"]

    def run(self, *command, code=0):
        """Runs a command as root. Returns its output."""
        done = subprocess.run([*self.inside(), *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def shows(self, unit, *names):
        """Returns the properties of a unit."""
        lines = self.run("systemctl", "show", unit, *(f"--property={name}" for name in names)).splitlines()
        values = dict(line.split("=", 1) for line in lines)
        return [values[name] for name in names]

    def die(self):
        """Ends the machine as a loss of power does. Its files stay."""
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None
        # A group can be removed when all its processes are gone, which takes a moment.
        if self.group.exists():
            until(f"{self.group} is in use", self.remove_groups)

    def remove_groups(self):
        with contextlib.suppress(OSError):
            for folder, _, _ in os.walk(self.group, topdown=False):
                os.rmdir(folder)
        return not self.group.exists()
