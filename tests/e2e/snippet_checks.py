"""Creates what the pages presume, and tests their endless programs and n8n workflows.

During these tests, the server is killed, rejects requests for a while, and has its office replaced by a backup.
"""

import base64
import contextlib
import http.client
import http.server
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import threading
import time

from server import FOLDER
from snippets import HOST, ROOT, SECONDS, blocks, expect

# Number of customers and lawsuits in a page's generated office. Other pages begin with an empty office.
OFFICES = {"automations": (1100, 20), "events": (60, 600), "moving": (20, 20), "network": (5, 5), "backups": (5, 5)}
UNLIMITED = {"automations", "events"}  # Their programs send more requests per minute than the limit.
SHEET = "Nome;CPF;Origem;Cadastrado por\nMaria da Conceição;529.982.247-25;Site;Escritório\nJoão Batista;;Site;Escritório\n"
CONTACTS = "Código;Nome;CPF;E-mail;Celular\n" + "".join(
    f"{number};Pessoa {number};;p{number}@exemplo.com.br;\n" for number in range(1, 1201)) + ";Sem Código;;;\n"
CRM = [{"id": 1, "name": "Rosa Prado", "mail": "rosa@exemplo.com.br", "case": "0000002-65.2005.4.05.8100"},
       {"id": 2, "name": "Rui Prado", "mail": "rui@exemplo.com.br", "case": None},
       {"id": None, "name": "Sem Código", "mail": None, "case": "0000003-50.2005.4.05.8100"}]
LISTS = ["customers", "lawsuits", "posts", "movements", "publications", "transactions", "documents"]
NAMES = {"users": "name", "origins": "origin", "groups": "group", "type_lawsuits": "type", "steps": "step",
         "stages": "stage", "tasks": "task"}
MAX_LONG_POLLS = 64


def prepare(page):
    """Creates what the page presumes: an office with records, and files of the reader."""
    if page.name in OFFICES:
        customers, lawsuits = OFFICES[page.name]
        page.command("demo", "--customers", str(customers), "--lawsuits", str(lawsuits), "--data-dir", str(page.data))
    if page.name in UNLIMITED:
        limit(page, 0)
    if page.name == "automations":
        (page.here / "contrato.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
        (page.here / "contatos.csv").write_text(CONTACTS, encoding="utf-8")
        (page.here / "crm.json").write_text(json.dumps(CRM), encoding="utf-8")
    if page.name == "moving":
        (page.here / "clientes.csv").write_text(SHEET, encoding="utf-8")
        (page.here / "ca.pem").symlink_to(page.data / "ca.pem")
    if page.name == "backups":
        page.command("backup", str(page.here / "FILE"))
    if page.name == "network":
        text = next(block.text for block in blocks("docs/automations.md") if block.named("file") == "pleito.mjs")
        (page.here / "pleito.mjs").write_text(text, encoding="utf-8")


def limit(page, get_per_minute):
    file = page.home / ".config/pleito/pleito.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"[limits]\nget_per_minute = {get_per_minute}\n")
    time.sleep(1.2)  # Settings are read again at the first request after a second.


def restart(page):
    """Kills and starts the server, as after a loss of power."""
    page.kill()
    time.sleep(1)
    page.start()


def restore(page, backup):
    page.command("restore", str(backup))


def backup(page):
    page.step += 1
    file = FOLDER / f"before-{page.step}.db.zst"
    page.command("backup", str(file))
    return file


def latest(page):
    return page.done("GET", "/changes?limit=1")["latest"]


# The mirror.


def mirrored(folder, query):
    with contextlib.closing(sqlite3.connect(folder / "mirror.db", timeout=10)) as mirror:
        return mirror.execute(query).fetchall()


def since(folder):
    with contextlib.suppress(sqlite3.OperationalError):  # There are no tables yet.
        return mirrored(folder, "SELECT since FROM cursor")[0][0]


def in_step(page, folder, seconds=30):
    page.until(lambda: since(folder) == latest(page), "the mirror has all changes", seconds)


def office(page):
    """Returns all records as the lists return them, by resource and id."""
    records = {}
    for name in LISTS:
        _, lines = page.ask("GET", f"/{name}?status=all" if name == "posts" else f"/{name}", accept="application/x-ndjson")
        records |= {(name, record["id"]): record for record in map(json.loads, lines.splitlines())}
    settings = page.done("GET", "/settings")
    for name in NAMES:
        records |= {(f"settings/{name}", entry["id"]): entry for entry in settings[name]}
    return records


def compare(page, folder):
    """Compares the mirror with the office. Only members that show other records, as listed in the page, may differ.
    Returns those that do."""
    text = (ROOT / page.page).read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([\w/]+)` \| (`\w+`(?:, `\w+`)*) \|$", text)
    shows = {resource: set(re.findall(r"`(\w+)`", members)) for resource, members in rows}
    expect(len(shows) >= 6, "the table of members that show other records is missing")
    copies = mirrored(folder, "SELECT resource, id, json FROM records")
    here = {(resource, id): json.loads(record) for resource, id, record in copies}
    there, stale = office(page), set()
    for key, record in there.items():
        expect(key in here, f"{key} is not in the mirror")
        expect(shows.get(key[0], set()) <= record.keys(), f"{key[0]} has no such members: {shows.get(key[0])}")
        for member in record.keys() & here[key].keys():
            if record[member] != here[key][member]:
                expect(member in shows.get(key[0], ()), f"{key} {member}: {here[key][member]}, not {record[member]}")
                stale.add((key[0], member))
    gone = {key for key in here.keys() - there.keys() if key[0] in LISTS}
    expect(not gone, f"only the mirror has {sorted(gone)[:5]}")
    return stale


def write(page, word):
    """Makes changes as on a normal day: updates records and list entries, creates a record and deletes another."""
    lawsuit = page.done("GET", "/lawsuits?limit=1")["data"][0]
    page.done("PUT", f"/customers/{lawsuit['customers'][0]['customer_id']}", {"name": f"Ana {word}", "identification": None})
    page.done("PUT", f"/lawsuits/{lawsuit['id']}", {"protocol_number": word, "process_number": word})
    for name, member in NAMES.items():
        page.done("PUT", f"/settings/{name}/1", {member: f"{name} {word}"})
    for name, member in {"banks": "name", "categories": "category", "cost_centers": "cost_center"}.items():
        page.done("PUT", f"/settings/{name}/1", {member: f"{name} {word}"})
    made = page.done("POST", "/customers", {"users_id": 1, "customers_origins_id": 1, "name": f"Bia {word}"})
    page.done("DELETE", f"/posts/{page.done('GET', '/posts?limit=1')['data'][0]['id']}")
    return made[0]["customer_id"]


def crowd(page):
    """Opens the maximum number of long polls. Closing the returned stack ends them."""
    newest, waiting = latest(page), contextlib.ExitStack()
    head = (f"GET /api/v1/changes?since={newest}&wait=60 HTTP/1.1\r\nHost: {HOST}\r\n"
            f"Authorization: Bearer {page.token}\r\n\r\n").encode()
    for _ in range(MAX_LONG_POLLS):
        waiting.enter_context(socket.create_connection(("127.0.0.1", 8743))).sendall(head)
    time.sleep(1)
    return waiting


def refusals(page):
    logs = (page.home / ".local/state/pleito/logs").glob("*.log")
    return sum(log.read_text().count('route="/changes" status=429') for log in logs)


def refused(page):
    """Continues a copy of the mirror, which gets 429. Checks the copy again at the end, after its Retry-After."""
    folder = page.here / "refused"
    folder.mkdir()
    in_step(page, page.here)
    os.killpg(page.endless.pid, signal.SIGKILL)
    page.endless.wait()
    with contextlib.closing(sqlite3.connect(page.here / "mirror.db")) as mirror:
        mirror.execute("VACUUM INTO ?", (str(folder / "mirror.db"),))
    limit(page, 1)
    with crowd(page):
        before = refusals(page)  # Those of the crowd.
        page.program(["python3", page.here / "mirror.py"], folder, folder / "output")
        page.until(lambda: refusals(page) > before, "the mirror gets 429")
    limit(page, 0)
    asleep = since(folder)
    write(page, "zero")
    time.sleep(7)  # Longer than the mirror waits without Retry-After.
    expect(since(folder) == asleep, "the mirror does not wait for Retry-After")

    def after_the_wait():
        """Checks that the mirror has all changes since, including those around restarts and restores."""
        in_step(page, folder, 70)
        compare(page, folder)
        expect(refusals(page) == before + 1, "the mirror got 429 again")

    page.at_the_end.append(after_the_wait)


def mirror(page):
    refused(page)
    before = backup(page)
    page.run_endless(["python3", "mirror.py"])
    in_step(page, page.here)
    compare(page, page.here)
    write(page, "um")
    restart(page)
    made = write(page, "dois")
    in_step(page, page.here)
    stale = compare(page, page.here)
    expect(len(stale) >= 25, f"too few members that show other records were tested: {stale}")

    restore(page, before)
    in_step(page, page.here)
    expect(compare(page, page.here) == set(), "the mirror did not read all records again after the restore")
    gone = f"SELECT 1 FROM records WHERE resource = 'customers' AND id = {made}"
    expect(not mirrored(page.here, gone), "the mirror has a record that the restored office lacks")
    write(page, "três")
    in_step(page, page.here)
    compare(page, page.here)


def follow(page):
    before = backup(page)
    page.until((page.here / "since").exists, "the program has saved its position in the feed")
    lines = lambda: page.endless_text().splitlines()
    expect(lines() == [], f"it prints old changes: {lines()[:3]}")

    def expect_line(number, *words):
        page.until(lambda: len(lines()) >= number, f"line {number}")
        expect(len(lines()) == number and lines()[-1].split()[1:] == list(words), lines())

    page.done("PUT", "/lawsuits/1", {"notes": "um"})
    expect_line(1, "updated", "lawsuits", "1", "notes")
    restart(page)
    page.done("PUT", "/lawsuits/2", {"notes": "dois"})
    expect_line(2, "updated", "lawsuits", "2", "notes")
    restore(page, before)
    expect_line(3, "replaced", "store", "0")
    time.sleep(2)
    page.done("PUT", "/lawsuits/3", {"notes": "três"})
    expect_line(4, "updated", "lawsuits", "3", "notes")


# Webhooks.


def receiver(page):
    def listens():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", 5678), 1):
            return True

    page.until(listens, "the receiver listens")
    tried = page.done("POST", "/webhooks/1/test", {})
    expect((tried["status"], tried["answer"]) == (200, "ok"), tried, page.endless_text())
    page.until(lambda: "webhook.test" in page.endless_text(), "the receiver prints the message")
    forged = http.client.HTTPConnection("127.0.0.1", 5678, timeout=10)
    forged.request("POST", "/webhook/pleito", "{}", {
        "webhook-id": "msg_1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,Zm9yZ2Vk"})
    expect(forged.getresponse().status == 401, "the receiver accepted a forged message")


def message(page):
    """Receives a webhook message. Returns its headers and its body."""
    received = []

    class Listener(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    page.stop_endless()
    with http.server.HTTPServer(("127.0.0.1", 5678), Listener) as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        page.done("POST", "/webhooks/1/test", {})
        listener.shutdown()
    return received[0]


PROGRAMS = {"mirror.py": mirror, "follow.mjs": follow, "receiver.py": receiver, "receiver.mjs": receiver}


# n8n.


def run(page, file, items, fails=False):
    """Runs a workflow with the memory of earlier runs. Returns the output of its last node."""
    own = page.key if page.key != "plk_" else page.variables()["PLEITO_TOKEN"]
    env = page.variables() | {"PLEITO_TOKEN": own, "N8N_MEMORY": str(FOLDER / "n8n-memory.json")}
    done = subprocess.run(["node", ROOT / "tests/e2e/n8n.mjs", file], env=env, cwd=page.here, text=True, timeout=SECONDS,
                          input=json.dumps(items), capture_output=True)
    expect((done.returncode != 0) == fails, f"{file.name}: exit code {done.returncode}", done.stdout, done.stderr)
    return None if fails else json.loads(done.stdout)


def n8n(page, name, block):
    file = FOLDER / f"n8n-{name}.{'js' if block.language == 'js' else 'json'}"
    file.write_text(page.filled_in(block.text), encoding="utf-8")
    N8N[name](page, file)


def creates(page, file):
    items = [{"json": {"id": 7, "name": "Bia Prado", "email": "bia@exemplo.com.br"}}]
    once, twice = run(page, file, items), run(page, file, items)
    expect(once == twice and page.done("GET", f"/customers/{once[0]['customer_id']}")["name"] == "Bia Prado", once, twice)


def finds(page, file):
    items = [{"json": {"id": 8, "name": "Eva Prado", "email": "eva@exemplo.com.br"}}]
    once, twice = run(page, file, items), run(page, file, items)
    expect((once[0]["created"], twice[0]["created"]) == (True, False), once, twice)
    expect(once[0]["customer_id"] == twice[0]["customer_id"], once, twice)
    run(page, file, [{"json": {"name": "Sem Código", "email": "s@exemplo.com.br"}}], fails=True)


def syncs(items, change, no_code, refused):
    """Checks that a second sync writes nothing, and a third one only what has changed. Of the items without a code, those
    without any other key are refused."""
    def check(page, file):
        own = [{"json": dict(item)} for item in items]
        first = run(page, file, own)
        expect(sum(one["created"] + one["found"] for one in first) == len(items) and not any(one["refused"] for one in first), first)
        before = latest(page)
        again = run(page, file, own)
        expect(sum(one["found"] for one in again) == len(items) and latest(page) == before, "the second sync wrote")
        own[-1]["json"] |= change
        third = run(page, file, own)
        expect(sum(one["changed"] for one in third) == 1 and latest(page) == before + 1, third)
        [keyless] = run(page, file, [{"json": item} for item in no_code])
        reasons = [one["reasons"] for one in keyless["customers"] if "error" in one]
        expect(reasons == [{"match": ["no-key"]}] * refused, keyless)

    return check


SHEET_ROWS = [{"Código": number, "Nome": f"Linha {number}", "CPF": "", "E-mail": "", "Celular": ""} for number in range(5001, 6051)]
NO_CODE = [{"Nome": "Sem Código", "CPF": "529.982.247-25"}, {"Nome": "Sem CPF"}, {"Código": "", "Nome": "Sem Nada", "CPF": ""}]
CRM_CONTACTS = [{"id": number, "name": f"Contato {number}", "mail": ""} for number in range(501, 506)]


def has_all(resource):
    def check(page, file):
        _, lines = page.ask("GET", f"/{resource}", accept="application/x-ndjson")
        there = [json.loads(line) for line in lines.splitlines()]
        output = run(page, file, [{"json": {}}])
        expect(output == there and len(output) > 10, f"{len(output)} of {len(there)}")

    return check


def merges(page, file):
    number = next(one["process_number"] for one in page.done("GET", "/lawsuits")["data"] if one["process_number"])
    items = [{"json": {"process_number": number, "date": "2026-11-21", "header": "TJSP", "description": text}}
             for text in ["Conclusos", "Juntada"]]
    made = [run(page, file, items)[0]["created"] for _ in range(2)]
    expect(made == [2, 0], made)


def creates_tasks(page, file):
    page.done("POST", "/publications", {"publications": [
        {"lawsuit_id": 1, "date": "2026-11-20", "publication": "Intimação para réplica."},
        {"process_number": "0005001-52.2026.8.24.0020", "date": "2026-11-20", "publication": "De outro escritório."}]})
    tasks = run(page, file, [{"json": {}}])
    expect(len(tasks) == 1 and tasks[0]["success"], tasks)
    expect(run(page, file, [{"json": {}}]) == [], "a publication was processed twice")


def sees_changes(page, file):
    before = backup(page)
    items = [{"json": {}}]
    changes = lambda: [(one["op"], one["resource"], one["id"]) for one in run(page, file, items)]
    expect(changes() == [], "the first run returns old changes")
    page.done("PUT", "/lawsuits/4", {"notes": "um"})
    page.kill()
    run(page, file, items, fails=True)
    page.start()
    expect(changes() == [("updated", "lawsuits", 4)], "a failed run has lost a change")
    expect(changes() == [], "a change was returned twice")
    restore(page, before)
    expect(changes() == [("replaced", "store", 0)], "old changes were returned as new after a restore")
    page.done("PUT", "/lawsuits/4", {"notes": "dois"})
    expect(changes() == [("updated", "lawsuits", 4)], "a change after a restore was not returned")


def receives(page, file):
    headers, body = message(page)
    item = lambda headers, body: [{"json": {"headers": headers}, "binary": {"data": base64.b64encode(body).decode()}}]
    expect(run(page, file, item(headers, body))[0]["type"] == "webhook.test", body)
    run(page, file, item(headers, body + b" "), fails=True)
    run(page, file, item(headers | {"webhook-timestamp": "1"}, body), fails=True)


N8N = {"create": creates, "all": has_all("customers"), "lines": has_all("lawsuits"),
       "find": finds, "sheet": syncs(SHEET_ROWS, {"Celular": "48988880000"}, NO_CODE, 2),
       "crm": syncs(CRM_CONTACTS, {"mail": "c@exemplo.com.br"}, [{"name": "Sem Código"}, {"id": None, "name": "Sem Nada"}], 2), "movements": merges, "tasks": creates_tasks,
       "changes": sees_changes, "receive": receives}
