"""HTTP/2 by hand: frames and packed heads (RFC 9113, RFC 7541), for what no client library would send."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def integer(value, bits):
    """HPACK's numbers (RFC 7541, 5.1)."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([value])
    coded, value = [most], value - most
    while value >= 128:
        coded.append(value % 128 + 128)
        value //= 128
    return bytes([*coded, value])


def text(value):
    return integer(len(value), 7) + value


def literal(name, value):
    """A header that enters no table."""
    return b"\x00" + text(name) + text(value)


def get(path, authority, more=b""):
    """GET of a path by HTTPS, packed without tables, with further headers."""
    return b"\x82\x87" + b"\x04" + text(path.encode()) + b"\x01" + text(authority.encode()) + more
