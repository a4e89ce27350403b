"""Simulates the machines of an office with network namespaces, joined by a bridge. This process is on the server."""

import atexit
import contextlib
import ctypes
import http.client
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

from server import FOLDER, environment
from webdriver import Browser, Refused

NAME, PORT = "pleito.local", 8744
SERVER, DESK, ROGUE = "10.77.0.1", "desk", "rogue"
ADDRESSES = {DESK: ["10.77.0.2"], ROGUE: [f"10.77.0.{last}" for last in range(10, 60)]}


def shell(namespace, *command, **variables):
    """Runs a command on a machine, or on the server if `namespace` is `None`. Returns its standard output."""
    inside = ["ip", "netns", "exec", namespace] if namespace else []
    texts = {name: str(value) for name, value in variables.items()}
    done = subprocess.run([*inside, *map(str, command)], env=environment(**texts), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, f"{command}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def curl(namespace, *arguments):
    return shell(namespace, "curl", "-sS", "-m", "20", *arguments)


def create_machines(machines=ADDRESSES):
    """Creates machines with those addresses and connects them to the server. The namespaces of the part contain it all,
    so everything is gone when the part ends."""
    for folder in ["/run/netns", "/etc/netns"]:
        os.makedirs(folder, exist_ok=True)
        shell(None, "mount", "-t", "tmpfs", "none", folder)
    shell(None, "ip", "link", "set", "lo", "up")
    shell(None, "ip", "link", "add", "lan", "type", "bridge")
    shell(None, "ip", "address", "add", f"{SERVER}/24", "dev", "lan")
    shell(None, "ip", "link", "set", "lan", "up")
    for machine, addresses in machines.items():
        shell(None, "ip", "netns", "add", machine)
        shell(None, "ip", "link", "add", f"to-{machine}", "type", "veth", "peer", "name", "eth", "netns", machine)
        shell(None, "ip", "link", "set", f"to-{machine}", "master", "lan", "up")
        shell(machine, "ip", "link", "set", "lo", "up")
        for address in addresses:
            shell(machine, "ip", "address", "add", f"{address}/24", "dev", "eth")
        shell(machine, "ip", "link", "set", "eth", "up")
    hosts()


def hosts(**names):
    """Replaces /etc/hosts for this part, with localhost and those names."""
    file = FOLDER / "hosts"
    file.write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in names.items()))
    if not os.path.samefile(file, "/etc/hosts"):
        shell(None, "mount", "--bind", file, "/etc/hosts")


def within(namespace, work):
    """Calls `work` on a thread in the namespace, so that its sockets belong to that machine. Returns its result."""
    outcome = []

    def there():
        with open(f"/run/netns/{namespace}") as door:
            assert ctypes.CDLL(None, use_errno=True).setns(door.fileno(), 0x40000000) == 0, os.strerror(ctypes.get_errno())
        try:
            outcome.append((work(), None))
        except BaseException as error:  # Raised again in the calling thread.
            outcome.append((None, error))

    thread = threading.Thread(target=there)
    thread.start()
    thread.join()
    value, error = outcome[0]
    if error:
        raise error
    return value


def trusting(store, authority):
    """Creates a certificate store of Chromium or Firefox that trusts the authority."""
    store.mkdir(parents=True)
    shell(None, "certutil", "-N", "--empty-password", "-d", f"sql:{store}")
    shell(None, "certutil", "-A", "-d", f"sql:{store}", "-t", "C,,", "-n", "pleito", "-i", authority)


def firefox(machine, home, authority=None):
    """Starts Firefox on that machine. It trusts `authority`, if given."""
    home.mkdir()
    if authority:
        trusting(home / "firefox", authority)
    browser = within(machine, lambda: Browser("firefox", home))
    atexit.register(browser.close)
    return browser


def opens(browser, url):
    """Returns `True` if the browser opens the URL, `False` if it rejects the certificate. Fails on any other error."""
    try:
        browser.go(url)
    except Refused as refused:
        assert "insecure certificate" in str(refused), refused
        return False
    return True


def until(fits, seconds, what):
    deadline = time.monotonic() + seconds
    while not fits():
        assert time.monotonic() < deadline, f"still false after {seconds} s: {what}"
        time.sleep(0.2)


def tls(authority, protocols=("http/1.1",)):
    context = ssl.create_default_context(cafile=authority)
    context.set_alpn_protocols(list(protocols))
    return context


def opened(context, timeout=10):
    """Connects to the server by its name, from the machine of this thread."""
    line = socket.create_connection((SERVER, PORT), timeout)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection = http.client.HTTPSConnection(NAME, PORT)
    connection.sock = context.wrap_socket(line, server_hostname=NAME)
    return connection


def connections(peer=None):
    """Returns the number of connections that the server has with the network, or with one address."""
    # The table shows an address as a number in the byte order of this machine.
    remote = f"{int.from_bytes(socket.inet_aton(peer), sys.byteorder):08X}:" if peer else ""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in list(table)[1:]]
    return sum(row[1].endswith(f":{PORT:04X}") and row[2].startswith(remote) and row[3] == "01" for row in rows)


def mdns_lookup(machine, name, kind=1, seconds=1.5):
    """Sends an mDNS query. Returns the addresses of a name, or for other types the bytes of the first response."""
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.rstrip(".").split("."))
    query = struct.pack(">6H", 0, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">2H", kind, 1)

    def ask():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
            asker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            asker.bind(("", 5353))
            own = socket.inet_aton(ADDRESSES[machine][0])
            asker.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("224.0.0.251") + own)
            asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
            asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
            asker.sendto(query, ("224.0.0.251", 5353))
            deadline, answers = time.monotonic() + seconds, b""
            while (left := deadline - time.monotonic()) > 0:
                asker.settimeout(left)
                with contextlib.suppress(TimeoutError):
                    packet, sender = asker.recvfrom(9000)
                    # Only responses. Goodbye records, which have a time to live of 0, are dropped below.
                    if sender[0].startswith("10.77.0.") and packet[2] & 0x80:
                        answers += packet
                        if kind != 1:
                            return answers
            return answers

    answers = within(machine, ask)
    return answers if kind != 1 else set(records(answers, labels))


def records(answers, labels):
    """Yields the addresses of A records with a time to live above 0."""
    at = 0
    while (at := answers.find(b"\0\x01\x80\x01", at)) >= 0:
        ttl, length = struct.unpack(">IH", answers[at + 4:at + 10])
        if ttl and length == 4:
            yield socket.inet_ntoa(answers[at + 10:at + 14])
        at += 10
