"""What a desktop opens pages with, and what a browser makes of the one that leads to the console."""

import http.client
import os
import pathlib
import re
import stat

SECRET = re.compile(r"[0-9a-f]{64}")


def opener(folder):
    """Puts an `xdg-open` there that opens nothing; the PATH to find it by, and the file where it notes its arguments."""
    folder.mkdir(exist_ok=True)
    notes = folder / "opened"
    tool = folder / "xdg-open"
    tool.write_text(f'#!/bin/sh\necho "$@" >>{notes}\n')
    tool.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}", notes


def follow(file, home):
    """From the file that a browser was started with into the console, as a browser does that runs no script; the host."""
    file = pathlib.Path(file)
    assert file.parent == home / "pleito-console", file
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file, file.parent)]
    assert modes == [0o600, 0o700], modes
    host, path = re.search(r'url=http://([^/"]+)(/[^"]+)"', file.read_text()).groups()
    assert SECRET.search(path)[0] not in str(file), "a path is no secret"
    _, headers = ask(host, path)
    status, headers = ask(host, headers["Refresh"].removeprefix("0; url="))
    assert (status, headers["Location"]) == (303, "/console"), (status, headers)
    status, _ = ask(host, "/console", Cookie=headers["Set-Cookie"].split(";")[0])
    assert status == 200, status
    return host


def ask(host, path, **headers):
    """A browser knows that a name below localhost means this machine; the system may not."""
    connection = http.client.HTTPConnection("127.0.0.1", int(host.rsplit(":", 1)[1]), timeout=10)
    connection.request("GET", path, headers={"Host": host, **headers})
    answer = connection.getresponse()
    answer.read()
    return answer.status, answer.headers
