"""Starts `pleito serve` for a part, and sends requests to it."""

import atexit
import fcntl
import http.client
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import termios
import threading
import time

BIN = os.environ["PLEITO_BIN"]
FOLDER = pathlib.Path(os.environ["E2E_FOLDER"])
PORT = int(os.environ["E2E_PORT"])
DATA = FOLDER / "data"
TOKEN = re.compile(r"\bplt_[0-9A-Za-z]{49}\b")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

# The runner sends SIGTERM when the time limit is over. Exits normally, so that `atexit` stops the servers.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def noon_zone():
    """Returns a time zone in which it is about noon."""
    offset = 12 - time.gmtime().tm_hour
    return "UTC" if offset == 0 else f"Etc/GMT{-offset:+d}"  # POSIX counts westwards.


# The same zone for the whole part. Midnight is far away, so the date does not change during the part. If the zone were
# computed again after the hour ends, all times of an export would be an hour off.
ZONE = noon_zone()


def environment(**settings):
    # The program rejects unknown variables that begin with PLEITO_.
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PLEITO_")}
    # Not visible to other machines, and on a free port, unless the part sets something else.
    alone = {"PLEITO_LAN_LISTEN": "127.0.0.1:0", "PLEITO_LAN_DISCOVERY": "false"}
    return ours | alone | {"PLEITO_OFFICE_TIME_ZONE": ZONE, "TERM": "dumb"} | settings


def run(*arguments):
    """Runs a command of the program on the server's data folder. Returns its standard output."""
    command = [BIN, *arguments, "--data-dir", str(DATA)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, f"{arguments}: exit code {done.returncode}, {done.stderr}"
    return done.stdout


def on_terminal(*arguments, data=DATA):
    """Runs a command on a terminal. Returns its exit code and its output."""
    ours, theirs = pty.openpty()
    command = [BIN, *arguments, "--data-dir", str(data)]
    process = subprocess.Popen(
        command, env=environment(), stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True, start_new_session=True,
    )
    os.close(theirs)
    shown = bytearray()
    try:
        while more := os.read(ours, 65536):
            shown += more
    except OSError:
        pass  # Linux returns EIO after the last process has closed the terminal.
    os.close(ours)
    return process.wait(30), ESCAPES.sub("", shown.decode(errors="replace")).replace("\r", "")


class Server:
    """A server that is started on its own terminal. `screen` is the terminal's text."""

    def __init__(self, data=DATA, **settings):
        self._shown = bytearray()
        ours, theirs = pty.openpty()
        command = [BIN, "serve", "--data-dir", str(data), "--listen", f"127.0.0.1:{PORT}"]
        self.process = subprocess.Popen(
            command, env=environment(**settings), stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, args=(ours,), daemon=True)
        self._reader.start()
        atexit.register(self.kill)
        self._wait_until_healthy()

    def _read(self, terminal):
        try:
            while shown := os.read(terminal, 65536):
                self._shown += shown
        except OSError:
            pass  # Linux returns EIO after the last process has closed the terminal.
        os.close(terminal)

    def _wait_until_healthy(self, seconds=30):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if Client().request("GET", "/health")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"the server does not respond to /health; its terminal shows:\n{self.screen}")

    @property
    def screen(self):
        return ESCAPES.sub("", self._shown.decode(errors="replace")).replace("\r", "")

    def shows(self, pattern, seconds=10):
        """Waits until the terminal shows the pattern, and returns the match."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.screen)):
            assert time.monotonic() < deadline, f"{pattern!r} is not on the terminal:\n{self.screen}"
            time.sleep(0.05)
        return found

    def stop(self, seconds=10):
        """Stops the server with SIGTERM and returns its exit code. Fails if that takes longer than `seconds`."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(5)


class Client:
    """A connection that is kept alive. Requests return status, headers (with lower-case names) and the decoded body."""

    def __init__(self, token=None, port=PORT):
        self.token = token
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def request(self, method, path, body=None):
        headers = {"Accept": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body, ensure_ascii=False).encode()
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        text = response.read()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return response.status, headers, json.loads(text) if text else None
