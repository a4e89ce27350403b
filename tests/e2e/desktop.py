"""Simulates a desktop for a part: a session bus, a host for tray icons and notifications, and clicks in menus."""

import atexit
import os
import subprocess
import threading
import time

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_call, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection

WATCHER = "org.kde.StatusNotifierWatcher"
NOTIFICATIONS = "org.freedesktop.Notifications"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"


def until(what, seconds=15, every=0.05):
    """Calls `what` until its result is true, and returns the result."""
    deadline = time.monotonic() + seconds
    while not (answer := what()):
        assert time.monotonic() < deadline, f"still false after {seconds} s: {what.__doc__ or what}"
        time.sleep(every)
    return answer


OPEN_BUS = """<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow user="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
"""


def session_bus(environment=None, config=None):
    """Starts a private session bus and returns its address. Services that the bus starts get `environment`. `config` is the
    file of its configuration: with `OPEN_BUS` the part may be another user than the session."""
    command = ["dbus-daemon", f"--config-file={config}" if config else "--session", "--nofork", "--print-address"]
    bus = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    atexit.register(bus.kill)
    return bus.stdout.readline().strip()


def screen():
    """Starts a virtual X server and returns its display name."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
        pass_fds=[writing], stderr=subprocess.DEVNULL,
    )
    atexit.register(server.kill)
    os.close(writing)
    return f":{os.read(reading, 16).decode().strip()}"


class Host:
    """A desktop's StatusNotifierWatcher and notification service. Records registered icons and notifications."""

    def __init__(self, bus):
        self.items, self.shown = [], []
        self.connection = open_dbus_connection(bus)
        # Does not wait for the replies: a program that waits for a watcher calls it before they arrive.
        for name in NOTIFICATIONS, WATCHER:
            self.connection.send(message_bus.RequestName(name))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        try:
            while True:
                message = self.connection.receive()
                if message.header.message_type is MessageType.method_call:
                    self.connection.send(self._answer(message))
        except (OSError, EOFError):
            pass

    def _answer(self, message):
        member = message.header.fields[HeaderFields.member]
        if member == "RegisterStatusNotifierItem":
            self.items.append(message.body[0])
            return new_method_return(message)
        if member == "Notify":
            _, _, _, title, text, *_ = message.body
            self.shown.append((title, text))
            return new_method_return(message, "u", (len(self.shown),))
        if member == "Get":
            return new_method_return(message, "v", (("b", True),))
        return new_error(message, "org.freedesktop.DBus.Error.UnknownMethod")

    def leave(self):
        """Closes the connection without notice, as a crashing panel does."""
        self.connection.sock.shutdown(2)
        self._thread.join(5)
        self.connection.close()


class Icon:
    """The tray icon of the program with that bus name, and its menu."""

    def __init__(self, bus, name):
        self.connection = open_dbus_connection(bus)
        self.item = DBusAddress("/StatusNotifierItem", name, "org.kde.StatusNotifierItem")
        self.menu = DBusAddress("/MenuBar", name, MENU)

    def _call(self, address, member, signature=None, body=()):
        reply = self.connection.send_and_get_reply(new_method_call(address, member, signature, body), timeout=10)
        assert reply.header.message_type is MessageType.method_return, reply.body
        return reply.body

    def property(self, name):
        address = DBusAddress(self.item.object_path, self.item.bus_name, PROPERTIES)
        (_, value), = self._call(address, "Get", "ss", (self.item.interface, name))
        return value

    def entries(self):
        """Returns path of labels, id and properties of all entries. Calls `AboutToShow` first, as a host does."""
        self._call(self.menu, "AboutToShow", "i", (0,))
        _, layout = self._call(self.menu, "GetLayout", "iias", (0, -1, []))
        found = []

        def walk(node, path):
            for _, (number, properties, below) in node[2]:
                properties = {name: value for name, (_, value) in properties.items()}
                label = properties.get("label", "").replace("__", "_")
                found.append(((*path, label), number, properties))
                walk((number, properties, below), (*path, label))

        walk(layout, ())
        return found

    def labels(self):
        return [path[-1] for path, _, properties in self.entries() if properties.get("type") != "separator"]

    def entry(self, *path):
        """Returns the entry at that path. Each element is the beginning of a label."""
        for labels, number, properties in self.entries():
            if len(labels) == len(path) and all(label.startswith(start) for label, start in zip(labels, path)):
                return number, properties
        raise AssertionError(f"{path} is not in the menu: {self.labels()}")

    def click(self, *path):
        number, properties = self.entry(*path)
        assert properties.get("enabled", True), f"{path} cannot be clicked"
        self._call(self.menu, "Event", "isvu", (number, "clicked", ("s", ""), 0))

    def shows(self, text, seconds=15):
        """Waits until a label contains the text, and returns the label."""
        try:
            return until(lambda: next((label for label in self.labels() if text in label), None), seconds)
        except AssertionError:
            raise AssertionError(f"{text!r} is not in the menu: {self.labels()}") from None


def icon(bus, host, number=0):
    """Waits for the icon that registered as number `number`, and returns it."""
    until(lambda: len(host.items) > number)
    return Icon(bus, host.items[number])


class Program:
    """A running `pleito` process."""

    def __init__(self, binary, *arguments, environment):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        self.process = subprocess.Popen([binary, *arguments], env=environment, text=True, **pipes)
        atexit.register(self._kill)

    def _kill(self):
        if self.process.poll() is None:
            self.process.kill()

    def ends(self, seconds=10):
        """Waits until the process ends. Returns exit code, standard output and standard error."""
        out, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, err

    def stop(self):
        self.process.terminate()
        return self.ends()
