"""Controls Firefox ESR, WebKit and Chromium with the commands of W3C WebDriver.

Chromium and WebKit are controlled through their drivers, Firefox through its own Marionette protocol, which needs no
geckodriver.
"""

import json
import os
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.request

from desktop import screen

HERE = pathlib.Path(__file__).resolve().parent
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
#: Codes of keys that are not characters.
CONTROL, ENTER, DOWN, ESCAPE = "\ue009", "\ue007", "\ue015", "\ue00c"
#: For each command: method and path below the session, and the name in Marionette.
COMMANDS = {
    "go": ("POST", "url", "Navigate"), "url": ("GET", "url", "GetCurrentURL"), "back": ("POST", "back", "Back"),
    "forward": ("POST", "forward", "Forward"), "script": ("POST", "execute/sync", "ExecuteScript"),
    "find": ("POST", "element", "FindElement"), "rect": ("POST", "window/rect", "SetWindowRect"),
    "actions": ("POST", "actions", "PerformActions"), "dismiss": ("POST", "alert/accept", "AcceptAlert"),
    "click": ("POST", "element/{id}/click", "ElementClick"), "type": ("POST", "element/{id}/value", "ElementSendKeys"),
}


class Refused(Exception):
    """A command failed in the browser."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(what, condition, seconds=20):
    """Waits until the condition returns a true value, and returns that value."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if value := condition():
                return value
            why = ""
        except (Refused, OSError) as error:
            why = f": {error}"
        assert time.monotonic() < deadline, f"{what}{why}"
        time.sleep(0.05)


class Driver:
    """A browser's driver, which takes commands over HTTP."""

    def __init__(self, command, capabilities, environment):
        port = free_port()
        self.process = subprocess.Popen([*command, f"--port={port}"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        until("the driver responds", lambda: self._ask("GET", "/status", None))
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.base += f"/session/{made['sessionId']}"

    def _ask(self, method, path, body):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise Refused("{error}: {message}".format(**json.load(error)["value"])) from None

    def ask(self, command, body):
        method, path, _ = COMMANDS[command]
        path = "/" + path.format(**body)
        return self._ask(method, path, None if method == "GET" else {name: value for name, value in body.items() if name != "id"})

    def close(self):
        try:
            self._ask("DELETE", "", None)
        except (OSError, Refused):
            pass
        self.process.terminate()
        self.process.wait(10)


class Marionette:
    """Firefox, controlled through its built-in Marionette protocol."""

    def __init__(self, command, folder, environment):
        port = free_port()
        profile = folder / "firefox"
        profile.mkdir(exist_ok=True)  # Exists already if authorities were added to its store.
        preferences = {"marionette.port": port, "datareporting.policy.dataSubmissionEnabled": False, "app.normandy.enabled": False,
                       "browser.shell.checkDefaultBrowser": False, "network.captive-portal-service.enabled": False,
                       "intl.accept_languages": "en-US"}
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items())
        (profile / "user.js").write_text("".join(lines))
        self.process = subprocess.Popen([*command, "--headless", "--marionette", "--no-remote", "--profile", profile], env=environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = until("Marionette listens", lambda: socket.create_connection(("127.0.0.1", port), 60), 60)
        self.stream = self.socket.makefile("rb")
        self._read()
        self._command("NewSession", {})

    def _read(self):
        length = b""
        while (byte := self.stream.read(1)) != b":":
            assert byte, "Firefox ended"
            length += byte
        return json.loads(self.stream.read(int(length)))

    def _command(self, command, body):
        sent = json.dumps([0, 1, f"WebDriver:{command}", body]).encode()
        self.socket.sendall(b"%d:%s" % (len(sent), sent))
        _, _, error, value = self._read()
        if error:
            raise Refused("{error}: {message}".format(**error))
        return value["value"] if isinstance(value, dict) and set(value) == {"value"} else value

    def ask(self, command, body):
        return self._command(COMMANDS[command][2], body)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(10)


class Browser:
    """What a person does in a browser."""

    def __init__(self, name, folder):
        environment = os.environ | {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "NO_AT_BRIDGE": "1"}
        if name == "firefox":
            self.driver = Marionette([os.environ["FIREFOX"]], folder, environment)
        elif name == "webkit":
            options = {"webkitgtk:browserOptions": {"binary": str(HERE / "webview"), "args": []}}
            self.driver = Driver(["WebKitWebDriver"], options, environment | {"DISPLAY": screen()})
        else:
            arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--lang=en-US", f"--user-data-dir={folder}/chromium"]
            self.driver = Driver(["chromedriver"], {"goog:chromeOptions": {"binary": os.environ["BROWSER"], "args": arguments}}, environment)

    def ask(self, command, **body):
        return self.driver.ask(command, body)

    def go(self, url):
        self.ask("go", url=url)

    @property
    def url(self):
        return self.ask("url")

    def script(self, script, *arguments):
        return self.ask("script", script=script, args=list(arguments))

    def text(self):
        """Returns the visible text of the page. Firefox returns `None` from a script that a navigation interrupts."""
        visible = "getComputedStyle(document.documentElement).visibility !== 'hidden'"
        return self.script(f"return {visible} && document.body ? document.body.innerText : ''") or ""

    def find(self, css):
        found = until(f"{css} exists", lambda: self.ask("find", using="css selector", value=css))
        return found[ELEMENT]

    def click(self, css):
        """Clicks an element. Finds it again if the page replaced it meanwhile, as hits are while one types."""
        until(f"{css} is clicked", lambda: self.ask("click", id=self.find(css)) is None)

    def fill(self, css, text):
        self.script("document.querySelector(arguments[0]).value = ''", css)
        self.ask("type", id=self.find(css), text=text)

    def press(self, *keys):
        """Presses the keys one after the other, and releases them in reverse order."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        up = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.ask("actions", actions=[{"type": "key", "id": "keys", "actions": down + up}])

    def shows(self, text):
        until(f"{text!r} is shown", lambda: text in self.text())

    def close(self):
        self.driver.close()
