"""Machines of an office as network namespaces: this process is in the server's, a bridge joins it with the others."""

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
    """Runs a command on that machine, None for the server's own; its standard output."""
    inside = ["ip", "netns", "exec", namespace] if namespace else []
    texts = {name: str(value) for name, value in variables.items()}
    done = subprocess.run([*inside, *map(str, command)], env=environment(**texts), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, f"{command}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def curl(namespace, *arguments):
    return shell(namespace, "curl", "-sS", "-m", "20", *arguments)


def lay(machines=ADDRESSES):
    """The cables to these machines, by their addresses. All of it, files included, is this part's own and gone with it."""
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
    """What stands in the file of names, of this part alone."""
    file = FOLDER / "hosts"
    file.write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in names.items()))
    if not os.path.samefile(file, "/etc/hosts"):
        shell(None, "mount", "--bind", file, "/etc/hosts")


def within(namespace, work):
    """What `work` answers on a thread of that machine: the sockets that it makes are that machine's."""
    outcome = []

    def there():
        with open(f"/run/netns/{namespace}") as door:
            assert ctypes.CDLL(None, use_errno=True).setns(door.fileno(), 0x40000000) == 0, os.strerror(ctypes.get_errno())
        try:
            outcome.append((work(), None))
        except BaseException as error:  # Handed on to who asked.
            outcome.append((None, error))

    thread = threading.Thread(target=there)
    thread.start()
    thread.join()
    value, error = outcome[0]
    if error:
        raise error
    return value


def trusting(store, authority):
    """Makes a store of Chromium or Firefox with that authority."""
    store.mkdir(parents=True)
    shell(None, "certutil", "-N", "--empty-password", "-d", f"sql:{store}")
    shell(None, "certutil", "-A", "-d", f"sql:{store}", "-t", "C,,", "-n", "pleito", "-i", authority)


def firefox(machine, home, authority=None):
    """A Firefox on that machine, which trusts the authority if one is given."""
    home.mkdir()
    if authority:
        trusting(home / "firefox", authority)
    browser = within(machine, lambda: Browser("firefox", home))
    atexit.register(browser.close)
    return browser


def opens(browser, url):
    """Says if the browser opens the address. It fails unless the certificate is the reason why not."""
    try:
        browser.go(url)
    except Refused as refused:
        assert "insecure certificate" in str(refused), refused
        return False
    return True


def until(fits, seconds, what):
    deadline = time.monotonic() + seconds
    while not fits():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.2)


def tls(authority, protocols=("http/1.1",)):
    context = ssl.create_default_context(cafile=authority)
    context.set_alpn_protocols(list(protocols))
    return context


def opened(context, timeout=10):
    """A connection to the server by its name, from the machine of this thread."""
    line = socket.create_connection((SERVER, PORT), timeout)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection = http.client.HTTPSConnection(NAME, PORT)
    connection.sock = context.wrap_socket(line, server_hostname=NAME)
    return connection


def connections(peer=None):
    """How many connections the server has with the network, or with that address of it."""
    # The table writes an address as the number that its four bytes are in this machine's memory.
    remote = f"{int.from_bytes(socket.inet_aton(peer), sys.byteorder):08X}:" if peer else ""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in list(table)[1:]]
    return sum(row[1].endswith(f":{PORT:04X}") and row[2].startswith(remote) and row[3] == "01" for row in rows)


def found(machine, name, kind=1, seconds=1.5):
    """What multicast DNS says there: the addresses of a name, or for another kind the bytes of the first answer."""
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
                    # An answer, and one that holds still: a goodbye has no time to live.
                    if sender[0].startswith("10.77.0.") and packet[2] & 0x80:
                        answers += packet
                        if kind != 1:
                            return answers
            return answers

    answers = within(machine, ask)
    return answers if kind != 1 else set(records(answers, labels))


def records(answers, labels):
    """The addresses in records of type A of a name that have a time to live."""
    at = 0
    while (at := answers.find(b"\0\x01\x80\x01", at)) >= 0:
        ttl, length = struct.unpack(">IH", answers[at + 4:at + 10])
        if ttl and length == 4:
            yield socket.inet_ntoa(answers[at + 10:at + 14])
        at += 10
