"""A hostile machine on the network attacks the server without a token. Requests of other clients must still work."""

import contextlib
import socket
import ssl
import statistics
import threading
import time

from http2 import PREFACE, frame, get, integer
from network import ADDRESSES, DESK, NAME, PORT, ROGUE, SERVER, connections, opened, shell, tls, until, within


def can_connect(machine):
    """Returns `True` if that machine can connect to the server."""
    with contextlib.suppress(OSError):
        within(machine, lambda: socket.create_connection((SERVER, PORT), 2)).close()
        return True
    return False


def connect(source=None, protocol="http/1.1"):
    """Returns a connection of the attacker with a completed TLS handshake."""
    context = tls(None, [protocol])
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(plain(source), server_hostname=NAME)


def plain(source=None):
    own = (source or ADDRESSES[ROGUE][0], 0)
    return socket.create_connection((SERVER, PORT), 20, own)


def wait_until_closed(line, most):
    """Reads until the server closes the connection. Returns the seconds that this took."""
    started = time.monotonic()
    line.settimeout(most)
    with contextlib.suppress(ConnectionError, ssl.SSLError, BrokenPipeError):
        while line.recv(65536):
            pass
    return time.monotonic() - started


class Desk:
    """A legitimate client that sends one request after another over the network during an attack."""

    def __init__(self, token, authority):
        self.headers = {"Authorization": f"Bearer {token}"}
        self.authority = authority
        self.times = []

    def __enter__(self):
        self.times, self.errors, self.working = [], [], True
        self.thread = threading.Thread(target=self.work)
        self.thread.start()
        return self

    def work(self):
        try:
            within(DESK, lambda: self.ask(tls(self.authority)))
        except BaseException as error:
            self.errors.append(error)

    def ask(self, context):
        while self.working:
            # A new connection each time, because attacks mainly make it hard to connect.
            started = time.monotonic()
            connection = opened(context)
            connection.request("GET", "/api/v1/customers?limit=10", headers=self.headers)
            response = connection.getresponse()
            assert response.status == 200 and response.read(), response.status
            connection.close()
            self.times.append(time.monotonic() - started)
            time.sleep(0.02)

    def __exit__(self, *_):
        self.working = False
        self.thread.join()

    def judge(self, what):
        assert not self.errors, f"{what}: {self.errors}"
        assert len(self.times) >= 10, f"{what}: {len(self.times)} responses"
        slowest = max(self.times)
        print(f"   {what}: {len(self.times)} responses meanwhile, "
              f"median {statistics.median(self.times) * 1000:.0f} ms, slowest {slowest * 1000:.0f} ms")
        # Usually a few milliseconds. The attack runs on the same machine and uses its processors too.
        assert statistics.median(self.times) < 0.2 and slowest < 2, f"{what}: {sorted(self.times)[-5:]}"


def drip(line, data, began, seconds):
    """Sends one byte per second until the server closes the connection. Returns the seconds since `began`."""
    with contextlib.suppress(OSError):
        for at in range(seconds):
            line.sendall(data[at:at + 1])
            line.settimeout(1)
            try:
                if not line.recv(4096):
                    break
            except TimeoutError:
                continue
    return time.monotonic() - began


def slow(token):
    """Sends 60 TLS hellos, request heads and bodies byte by byte. The server must close each at its time limit."""
    begin = (f"POST /api/v1/customers HTTP/1.1\r\nHost: {NAME}\r\nAuthorization: Bearer {token}\r\n"
             "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n").encode()
    kinds = {
        "hello": (plain, b"", b"\x16\x03\x01\x02\x00\x01" + b"\x00" * 99, 10),
        "head": (connect, b"", b"GET / HTTP/1.1\r\nX: " + b"x" * 99, 10),
        "body": (connect, begin, b" " * 99, 30),
    }
    took = {what: [] for what in kinds}

    def one(what, source):
        open_, first, data, limit = kinds[what]
        line, began = within(ROGUE, lambda: (open_(source), time.monotonic()))
        line.sendall(first)
        took[what].append(drip(line, data, began, limit + 15))

    threads = [threading.Thread(target=one, args=(what, ADDRESSES[ROGUE][at % 3])) for what in kinds for at in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for what, (_, _, _, limit) in kinds.items():
        assert len(took[what]) == 20, what
        assert all(limit - 2 <= seconds <= limit + 6 for seconds in took[what]), (what, sorted(took[what]))


def idle(token):
    """Opens 100 idle connections from each of 15 addresses. The server keeps 64 of each, and answers other machines."""
    addresses = ADDRESSES[ROGUE][:15]
    held = within(ROGUE, lambda: [plain(source) for source in addresses for _ in range(100)])
    assert len(held) == 1500
    # The system has accepted them already. The server closes the excess long before its time-out for the first head.
    for address in addresses:
        until(lambda: 0 < connections(address) <= 64, 3, "at most 64 connections from one address")
    assert connections() <= 1024
    time.sleep(3)  # Long enough for the legitimate client to connect dozens of times.
    for line in held:
        line.close()


def headers(_):
    """Sends request heads that are too long: one long header or thousands of short ones, over HTTP/1.1 and HTTP/2."""
    for bomb in [b"X: " + b"x" * 300_000, b"\r\n".join(b"X%d: y" % at for at in range(9000))]:
        line = within(ROGUE, connect)
        response = b""
        with contextlib.suppress(OSError):
            line.sendall(b"GET /health HTTP/1.1\r\nHost: pleito.local\r\n" + bomb + b"\r\n\r\n")
        with contextlib.suppress(OSError):
            response = line.recv(65536)
        assert response[9:12] in (b"431", b"414", b""), response[:200]
    # Adds a header of 4 KB to HPACK's table, then refers to it 2,000 times per request: 8 MB out of 2 KB.
    line = within(ROGUE, lambda: connect(protocol="h2"))
    with contextlib.suppress(OSError):
        line.sendall(PREFACE + frame(4, 0, 0))
        line.sendall(frame(1, 5, 1, get("/", NAME, b"\x40\x01x" + integer(4000, 7) + b"y" * 4000)))
        for stream in range(3, 200, 2):
            line.sendall(frame(1, 5, stream, get("/", NAME, b"\xbe" * 2000)))
        wait_until_closed(line, 5)


# Ambiguous framing: a proxy and the server may disagree where the request ends. The server must ignore all that
# follows.
PAIRS = [
    "Content-Length: 6\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 6",
    "Content-Length: 6\r\nContent-Length: 5", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked", "Transfer-Encoding:\x0bchunked",
    "Content-Length: 6\r\nTransfer-Encoding: gzip", "Content-Length: +6", "Content-Length: 6, 7", "Content-Length: 0x6",
]


def smuggling(token):
    for pair in PAIRS:
        line = within(ROGUE, connect)
        hidden = f"GET /health HTTP/1.1\r\nHost: {NAME}\r\nX-Request-Id: hidden\r\n\r\n"
        line.sendall((f"POST /api/v1/customers HTTP/1.1\r\nHost: {NAME}\r\nAuthorization: Bearer {token}\r\n"
                      f"Content-Type: application/json\r\n{pair}\r\n\r\n0\r\n\r\n{hidden}").encode())
        answers = b""
        line.settimeout(10)
        with contextlib.suppress(OSError):
            while piece := line.recv(65536):
                answers += piece
        assert answers.startswith(b"HTTP/1.1 400") and b"hidden" not in answers, (pair, answers[:300])


def reset(_):
    """Sends 100,000 requests that are reset immediately (CVE-2023-44487)."""
    def attack(source):
        line = connect(source, "h2")
        with contextlib.suppress(OSError):
            line.sendall(PREFACE + frame(4, 0, 0))
            for first in range(1, 50_000, 500):
                line.sendall(b"".join(frame(1, 5, stream, get("/", NAME)) + frame(3, 0, stream, b"\0\0\0\x08")
                                      for stream in range(first, first + 500, 2)))
            return "accepted"
        return "refused"

    outcome = [within(ROGUE, lambda: attack(source)) for source in ADDRESSES[ROGUE][:4]]
    assert "accepted" not in outcome, "the server did not close a connection that only resets"


def continuation(_):
    """Sends an endless request head of 64 MB (CVE-2024-27316), and floods of SETTINGS and PING frames."""
    def attack(first, more, count):
        line = connect(protocol="h2")
        with contextlib.suppress(OSError):
            line.sendall(PREFACE + frame(4, 0, 0) + first)
            for _ in range(count):
                line.sendall(more)
            return "accepted"
        return "refused"

    piece = frame(9, 0, 1, b"\x00\x01x" + integer(16_000, 7) + b"y" * 16_000)
    assert within(ROGUE, lambda: attack(frame(1, 1, 1, get("/", NAME)), piece, 4000)) == "refused"
    empty = frame(9, 0, 1) * 1000
    assert within(ROGUE, lambda: attack(frame(1, 1, 1, get("/", NAME)), empty, 4000)) == "refused"
    for flood in [frame(4, 0, 0) * 1000, frame(6, 0, 0, b"12345678") * 1000]:
        within(ROGUE, lambda: attack(b"", flood, 200))  # May be accepted or refused, but must not affect others.


def besiege(process, token, authority):
    """Runs all attacks while a legitimate client works. Afterwards, the server must have freed almost all memory."""
    def memory():
        with open(f"/proc/{process}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    with Desk(token, authority) as desk:
        time.sleep(2)
    desk.judge("without an attack")
    before = memory()
    # These become half-open: the link is cut while they are idle, so the server receives no FIN or RST.
    left = within(ROGUE, lambda: [connect(ADDRESSES[ROGUE][48]) for _ in range(30)])
    for line in left:
        line.sendall(f"GET /health HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode())
        line.recv(4096)
    for attack in [headers, smuggling, reset, continuation, idle, slow]:
        began = time.monotonic()
        with Desk(token, authority) as desk:
            # Repeats short attacks, so that the client works during an attack for three seconds.
            while time.monotonic() < began + 3:
                attack(token)
        desk.judge(attack.__name__)
    shell(None, "ip", "link", "set", f"to-{ROGUE}", "down")
    after = memory()
    print(f"   memory: {before} KiB before, {after} KiB after")
    assert after - before < 64 * 1024, f"memory grew from {before} to {after} KiB"
    assert connections() <= 64, f"{connections()} connections are still open"
