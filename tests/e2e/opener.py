"""Replaces the desktop's `xdg-open`, and follows the file that opens the console as a browser does."""

import http.client
import os
import pathlib
import re
import stat

SECRET = re.compile(r"[0-9a-f]{64}")


def opener(folder):
    """Creates an `xdg-open` that only records its arguments. Returns a PATH with it, and the file that it writes."""
    folder.mkdir(exist_ok=True)
    notes = folder / "opened"
    tool = folder / "xdg-open"
    tool.write_text(f'#!/bin/sh\necho "$@" >>{notes}\n')
    tool.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}", notes


def follow(file, home):
    """Signs in to the console from the file that the browser was started with, without scripts. Returns the host."""
    file = pathlib.Path(file)
    assert file.parent == home / "pleito-console", file
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file, file.parent)]
    assert modes == [0o600, 0o700], modes
    host, path = re.search(r'url=http://([^/"]+)(/[^"]+)"', file.read_text()).groups()
    assert SECRET.search(path)[0] not in str(file), "the path of the file contains the secret"
    _, headers = ask(host, path)
    status, headers = ask(host, headers["Refresh"].removeprefix("0; url="))
    assert (status, headers["Location"]) == (303, "/console"), (status, headers)
    status, _ = ask(host, "/console", Cookie=headers["Set-Cookie"].split(";")[0])
    assert status == 200, status
    return host


def ask(host, path, **headers):
    """Sends a GET to this machine. Browsers resolve names below localhost to it, but the system may not."""
    connection = http.client.HTTPConnection("127.0.0.1", int(host.rsplit(":", 1)[1]), timeout=10)
    connection.request("GET", path, headers={"Host": host, **headers})
    response = connection.getresponse()
    response.read()
    return response.status, response.headers
