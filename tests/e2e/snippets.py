"""Runs the fenced blocks of one page of the documentation, in an office, home folder and shell of its own."""

import csv
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import time

from server import BIN, FOLDER, ZONE

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOST = "127.0.0.1:8743"
LANGUAGES = {"sh", "python", "js", "http", "json", "jsonl", "csv", "toml", "text", "powershell", "powerquery", "ini", "nginx", "caddyfile", "yaml"}
WORDS = re.compile(r"(not-run: .+|(?:(?:answer|endless|shape|file=\S+|n8n=\S+)\s*)*)")
FENCE = re.compile(r"^( *)```(.*)$")
# Parts of responses that differ in each run, without white space: times, secrets, request ids, seconds, milliseconds.
VARYING = re.compile(r'\d{4}-\d\d-\d\dT?\d\d:\d\d:\d\dZ?|whsec_[\w+/=]+|"request_id":"[0-9a-f]+"|"ms":\d+'
                     r"|(?:retry-after|x-ratelimit-reset):\d+|againin\d+s")
SECONDS = 60  # Time limit of a block.


def expect(condition, *messages):
    """Fails with the messages unless the condition is true."""
    assert condition, "\n".join(str(message) for message in messages)


def squeezed(text):
    """Removes white space. Responses are compared without it, because the printed ones are wrapped."""
    return re.sub(r"\s", "", text)


def pattern(printed):
    """Returns a pattern for a printed response without white space. `…` matches any text. Varying parts match any text
    of their kind."""
    def part(text):
        made, at = "", 0
        for varying in VARYING.finditer(text):
            alike = re.sub(r"\d+", r"\\d+", re.escape(varying.group(0)))
            if "whsec" in varying.group(0):
                alike = r"whsec_[\w+/=]+"
            elif "request_id" in varying.group(0):
                alike = r'"request_id":"[^"]+"'
            made, at = made + re.escape(text[at:varying.start()]) + alike, varying.end()
        return made + re.escape(text[at:])

    return re.compile(".*?".join(part(text) for text in squeezed(printed).split("…")), re.DOTALL)


def shape(value):
    """Returns the member names of a JSON value, recursively. For a list, those of its first element."""
    if isinstance(value, dict):
        # `query` repeats the parameters of the request, which differ between requests.
        return {name: None if name == "query" else shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return None


def fits(printed, real):
    """Returns `True` if the response has the printed shape. An empty list matches every list, and null also matches
    every other value except an object."""
    if isinstance(printed, dict):
        return isinstance(real, dict) and printed.keys() == real.keys() and all(
            fits(printed[name], real[name]) for name in printed)
    if isinstance(printed, list):
        return real is None or isinstance(real, list) and (not printed or not real or fits(printed[0], real[0]))
    return not isinstance(real, dict)


class Block:
    def __init__(self, line, info, text):
        self.line, self.text = line, text
        self.language, _, words = info.partition(" ")
        words = words.strip()
        expect(self.language in LANGUAGES, f"line {line}: unknown language {self.language!r}")
        expect(WORDS.fullmatch(words), f"line {line}: unknown words {words!r}")
        self.reason = words.removeprefix("not-run: ") if words.startswith("not-run: ") else None
        self.words = set() if self.reason else set(words.split())

    def named(self, name):
        return next((word.partition("=")[2] for word in self.words if word.startswith(f"{name}=")), None)


def blocks(page):
    found, inside = [], None
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        if not (fence := FENCE.match(line)):
            if inside:
                inside[2].append(line.removeprefix(inside[3]))
        elif inside:
            found.append(Block(inside[0], inside[1], "\n".join(inside[2]) + "\n"))
            inside = None
        else:
            inside = (number, fence.group(2), [], fence.group(1))
    expect(not inside, f"{page}: a block is not closed")
    return found


class Page:
    """The machine of a page's reader: the program, an office and a shell.

    `checks` creates what the page presumes, and tests its endless programs and its workflows.
    """

    def __init__(self, page, checks):
        self.page, self.name, self.checks = page, pathlib.Path(page).stem, checks
        self.home, self.bin, self.here = FOLDER / "home", FOLDER / "bin", FOLDER / "here"
        for folder in [self.home, self.bin, self.here / "target/release"]:
            folder.mkdir(parents=True, exist_ok=True)
        for link in [self.bin / "pleito", self.here / "target/release/pleito"]:
            link.symlink_to(BIN)
        if os.environ["NODE_PACKAGES"]:
            (self.here / "node_modules").symlink_to(pathlib.Path(os.environ["NODE_PACKAGES"]) / "node_modules")
        self.data = self.home / ".local/share/pleito"
        self.env = {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.home)}
        self.server = self.shell = self.endless = None
        self.is_listening = False  # Whether answers come from an endless block instead of the shell.
        self.programs, self.at_the_end = [], []  # All started programs, and the checks that run at the end.
        self.output, self.secret, self.key, self.answers, self.prose = "", "whsec_", "plk_", [], []
        self.ran, self.marked, self.step = {}, [], 0

    # The office.

    def command(self, *arguments):
        """Runs a command of the program, which must succeed. Returns its standard output."""
        done = subprocess.run([BIN, *arguments], env=self.env | {"PLEITO_LANG": "en"}, cwd=self.here, capture_output=True,
                              text=True, timeout=SECONDS)
        expect(done.returncode == 0, f"pleito {' '.join(arguments)}: {done.returncode}", done.stdout, done.stderr)
        return done.stdout

    def settings(self):
        return {"PLEITO_LANG": "en", "PLEITO_LAN_DISCOVERY": "false", "PLEITO_OFFICE_TIME_ZONE": ZONE}

    def start(self):
        log = open(FOLDER / "server.log", "ab")
        self.server = subprocess.Popen([BIN, "serve"], env=self.env | self.settings(), stdin=subprocess.DEVNULL,
                                       stdout=log, stderr=log, start_new_session=True)
        self.until(lambda: self.health() == 200, "the server responds")

    def health(self):
        try:
            connection = http.client.HTTPConnection(HOST, timeout=5)
            connection.request("GET", "/health")
            return connection.getresponse().status
        except OSError:
            return None

    def kill(self):
        """Kills the server, as a loss of power does."""
        self.server.kill()
        self.server.wait()

    def ask(self, method, path, body=None, accept="application/json"):
        """Sends a request. Returns status and text of the response."""
        connection = http.client.HTTPConnection(HOST, timeout=90)
        headers = {"Authorization": f"Bearer {self.token}", "Accept": accept}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path if path.startswith("/api/") else f"/api/v1{path}",
                           None if body is None else body.encode() if isinstance(body, str) else json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, response.read().decode()

    def done(self, method, path, body=None):
        status, text = self.ask(method, path, body)
        expect(status < 300, f"{method} {path}: {status} {text}")
        return json.loads(text)

    def until(self, look, what, seconds=20):
        deadline = time.monotonic() + seconds
        while not (found := look()):
            expect(time.monotonic() < deadline, f"not in {seconds} s: {what}", self.endless and self.endless_text())
            time.sleep(0.05)
        return found

    # The shell.

    def open_shell(self):
        self.shell = subprocess.Popen(["bash", "--noprofile", "--norc"], env=self.env, cwd=self.here,
                                      stdin=subprocess.PIPE, text=True, start_new_session=True)
        # Records failing commands, because those do not work as printed.
        self.type(f"trap 'printf \"%s\\n\" \"$BASH_COMMAND\" >>{FOLDER}/failed' ERR")

    def type(self, line):
        self.shell.stdin.write(line + "\n")
        self.shell.stdin.flush()

    def paste(self, text):
        """Runs the text in the shell, without a failing command. Returns the output."""
        self.step += 1
        at = FOLDER / f"step-{self.step}"
        at.with_suffix(".sh").write_text(text, encoding="utf-8")
        self.type(f". {at}.sh >{at}.out 2>{at}.err </dev/null; echo $? >{at}.code.new; mv {at}.code.new {at}.code")
        self.until(at.with_suffix(".code").exists, f"the end of\n{text}", SECONDS)
        out, err = (at.with_suffix(end).read_text(encoding="utf-8", errors="replace") for end in [".out", ".err"])
        code, failed = at.with_suffix(".code").read_text().strip(), FOLDER / "failed"
        wrong = failed.read_text() if failed.exists() else ""
        expect(code == "0" and not wrong, f"exit code {code} of\n{text}", wrong, out, err)
        return out

    def variables(self):
        self.paste(f"env -0 >{FOLDER}/env")
        pairs = (FOLDER / "env").read_text().split("\0")
        return dict(pair.split("=", 1) for pair in pairs if "=" in pair)

    def stop_endless(self):
        """Interrupts the endless program, as Ctrl-C does."""
        if self.endless:
            if self.endless.poll() is None:
                os.killpg(self.endless.pid, signal.SIGINT)
                self.endless.wait(10)
            self.endless = None

    def run_endless(self, command):
        self.stop_endless()
        self.step += 1
        self.is_listening = True
        self.endless_output = FOLDER / f"endless-{self.step}"
        self.endless = self.program(command, self.here, self.endless_output)

    def program(self, command, folder, output):
        """Starts a program in the background, with the shell's variables."""
        self.programs.append(subprocess.Popen(command, env=self.variables(), cwd=folder, stdin=subprocess.DEVNULL,
                                              stdout=open(output, "wb"), stderr=subprocess.STDOUT, start_new_session=True))
        return self.programs[-1]

    def endless_text(self):
        """Returns the output of the endless block so far."""
        return self.endless_output.read_text(encoding="utf-8", errors="replace")

    # The blocks.

    def filled_in(self, text):
        """Replaces the placeholders of token, key and webhook secret, as the reader does."""
        return text.replace("plt_…", self.token).replace("plk_…", self.key).replace("whsec_…", self.secret)

    def run(self, block):
        if block.reason:
            self.marked.append(f"{block.line} ({block.language}): {block.reason}")
            return
        if block.language == "text" and "answer" not in block.words:
            return  # Not runnable.
        self.ran[block.language] = self.ran.get(block.language, 0) + 1
        if "answer" in block.words:
            self.compare_answer(block.text)
        elif name := block.named("n8n"):
            self.checks.n8n(self, name, block)
        else:
            getattr(self, f"run_{block.language}")(block)

    def compare_answer(self, printed, how="search"):
        wanted = pattern(printed)
        if self.is_listening:
            self.until(lambda: wanted.search(squeezed(self.endless_text())), f"the answer\n{printed}")
            return
        expect(getattr(wanted, how)(squeezed(self.output)), f"printed:\n{printed}\nactual:\n{self.output}")

    def record_output(self, output):
        self.output, self.is_listening = output, False
        if secret := re.search(r"whsec_[\w+/=]{20,}", output):
            self.secret = secret.group(0)
        if key := re.search(r"plk_\w{40,}", output):
            self.key = key.group(0)
        for line in output.splitlines():
            try:
                self.answers.append(shape(json.loads(line)))
            except ValueError:
                pass

    def run_sh(self, block):
        if "endless" in block.words:
            at = FOLDER / "endless.sh"
            at.write_text(self.filled_in(block.text), encoding="utf-8")
            self.run_endless(["bash", str(at)])
            return
        output, lines, answer = "", [], []
        for line in [*block.text.splitlines(), ""]:
            if line.startswith("# ") and lines:
                answer.append(line[2:])
                continue
            if answer:
                self.record_output(self.paste(self.filled_in("\n".join(lines) + "\n")))
                output += self.output
                self.compare_answer("\n".join(answer), "fullmatch")
                lines, answer = [], []
            lines.append(line)
        self.record_output(self.paste(self.filled_in("\n".join(lines) + "\n")))
        self.output = output + self.output

    def run_program(self, block, command, ending):
        self.step += 1
        name = block.named("file") or f"program-{self.step}{ending}"
        (self.here / name).write_text(self.filled_in(block.text), encoding="utf-8")
        if "endless" not in block.words:
            self.record_output(self.paste(f"{command} {name}"))
            return
        self.run_endless([command, name])
        self.checks.PROGRAMS[name](self)

    def run_python(self, block):
        self.run_program(block, "python3", ".py")

    def run_js(self, block):
        self.run_program(block, "node", ".mjs")

    def run_http(self, block):
        """Sends the requests and compares each response with the status and body that follow."""
        request = None
        parts = re.split(r"(?m)^(?=(?:GET|POST|PUT|DELETE) /|\d{3} )", block.text)
        for part in filter(str.strip, parts):
            head, _, rest = part.partition(" ")
            if head.isalpha():
                path, _, body = rest.strip().partition(" ")
                request = (head, path, body or None)
                continue
            status, actual = self.ask(*request)
            expect(status == int(head), f"{request}: {status} {actual}")
            self.answers.append(shape(json.loads(actual)))
            if "shape" in block.words:
                wanted = shape(json.loads(rest))
                expect(fits(wanted, shape(json.loads(actual))), f"printed:\n{rest}\nactual:\n{actual}")
            else:
                is_equal = pattern(rest).fullmatch(squeezed(actual))
                expect(is_equal, f"{request}\nprinted:\n{rest}\nactual:\n{actual}")

    def run_json(self, block):
        if "…" in block.text:
            expect(pattern(block.text).pattern, block.text)
            json.loads(re.sub(r"…, ", "", block.text))
            return
        value = json.loads(block.text)
        first = value[0] if isinstance(value, list) else value
        if {"success", "data", "error"} & first.keys():
            self.prose.append((block.line, shape(value), block.text))

    def finish(self):
        """Runs the delayed checks. A response printed without a request must have the shape of an actual response."""
        for look in self.at_the_end:
            look()
        for line, wanted, text in self.prose:
            is_known = any(fits(wanted, answer) for answer in self.answers)
            expect(is_known, f"line {line}: no response has the shape of\n{text}")

    def run_jsonl(self, block):
        for line in block.text.splitlines():
            json.loads(line)
        self.save(block)

    def run_csv(self, block):
        """Checks that all rows have as many cells as there are headings."""
        lengths = {len(row) for row in csv.reader(block.text.splitlines())}
        expect(len(lengths) == 1, f"line {block.line}: the rows have different numbers of cells")
        self.save(block)

    def save(self, block):
        if name := block.named("file"):
            (self.here / name).write_text(block.text, encoding="utf-8")

    def run_toml(self, block):
        """Checks that the settings apply."""
        file = FOLDER / "pleito.toml"
        file.write_text(block.text, encoding="utf-8")
        shown = self.command("config", "--config", str(file))
        for key, value in re.findall(r"(?m)^(\w+) = (.+)$", block.text):
            in_force = re.search(rf"\.{key} += {re.escape(value)} +# .*pleito\.toml", shown)
            expect(in_force, f"{key} does not apply:\n{shown}")

    # The page.

    def prepare(self):
        self.checks.prepare(self)
        self.start()
        self.token = self.command("token", "new").strip()
        self.open_shell()

    def close(self):
        self.stop_endless()
        for program in self.programs:
            program.kill()
            program.wait()
        if self.shell:
            os.killpg(self.shell.pid, signal.SIGKILL)
            self.shell.wait()
        if self.server:
            self.server.terminate()
            self.server.wait(10)


def network():
    """Sets up the network addresses and host names that the pages use."""
    def ip(*arguments):
        subprocess.run(["ip", *arguments], check=True)

    ip("link", "set", "lo", "up")
    ip("link", "add", "lan", "type", "bridge")
    ip("address", "add", "192.168.0.10/24", "dev", "lan")
    ip("link", "set", "lan", "up")
    hosts = FOLDER / "hosts"
    hosts.write_text("127.0.0.1 localhost\n192.168.0.10 pleito.local\n")
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "none", "/media"], check=True)
    pathlib.Path("/media/usb").mkdir()
