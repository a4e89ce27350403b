"""Encodes HTTP/2 frames and headers (RFC 9113, RFC 7541), for requests that no client library would send."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def integer(value, bits):
    """Encodes an HPACK integer (RFC 7541, section 5.1)."""
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
    """Encodes a header that is not added to the table."""
    return b"\x00" + text(name) + text(value)


def get(path, authority, more=b""):
    """Encodes the headers of a GET over HTTPS without the dynamic table. `more` contains further encoded headers."""
    return b"\x82\x87" + b"\x04" + text(path.encode()) + b"\x01" + text(authority.encode()) + more
