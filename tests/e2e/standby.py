"""Offices with a replica by Litestream, and their standbys."""

import atexit
import json
import os
import shlex
import subprocess
import sys
import time

from server import BIN, FOLDER, environment

# Commands find Litestream beside this Python.
os.environ["PATH"] = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
SETTINGS = {f"PLEITO_LIMITS_{name}": "0" for name in ["GET_PER_MINUTE", "POST_PER_DAY", "PUT_PER_DAY"]}
SETTINGS["PLEITO_BACKUP_ENABLED"] = "false"
BASE = {"users_id": 1, "customers_origins_id": 1}


def wait(condition, otherwise, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)


def answer(client, method, path, body=None):
    status, _, answered = client.request(method, "/api/v1" + path, body)
    assert status in (200, 201), (method, path, status, answered)
    return answered


def pleito(data, *arguments, variables={}):
    """Runs a command with `--json`. Returns its exit code and its result or error."""
    command = [BIN, *arguments, "--data-dir", str(data), "--json"]
    done = subprocess.run(command, env=environment(**variables), capture_output=True, text=True, timeout=120)
    return done.returncode, json.loads(done.stdout or done.stderr)


class Litestream:
    """The line that a command has printed, in its own group of processes."""

    def __init__(self, line, data):
        self.log = open(FOLDER / "litestream.log", "a")
        self.process = subprocess.Popen(shlex.split(line), stdout=self.log, stderr=self.log, start_new_session=True)
        atexit.register(self.kill)
        follows = lambda: pleito(data, "replica", "status")[1]["state"] == "replica-following"
        wait(follows, "the replica does not follow", 60)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def does_not_serve(data):
    """The office that died finds the promotion, and does not serve again."""
    command = [BIN, "serve", "--data-dir", str(data), "--listen", "127.0.0.1:0"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 3 and "no longer serves" in done.stderr, done
    return done.stderr.strip()
