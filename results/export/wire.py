"""The wire format of Protocol Buffers, as far as events need it: a message is its fields one after the other, each a bytes object.

A field is the varint (number << 3 | wire type) and its value. The value is a varint (type 0), eight bytes (1), a length and so many
bytes (2), or four bytes (5). Source: https://protobuf.dev/programming-guides/encoding.
"""

import math
import struct


def varint(value):
    """Seven bits a byte, lowest first; the top bit says that more follow. `value`: at least 0."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def integer(number, value):
    return varint(number << 3) + varint(value)


def double(number, value):
    return varint(number << 3 | 1) + struct.pack("<d", value)


def single(number, value):
    """Rounded to 32 bits; what is too large for them is infinite."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", math.copysign(math.inf, value))
    return varint(number << 3 | 5) + packed


def message(number, content):
    """Bytes, or a message that is a field of another."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def string(number, text):
    return message(number, text.encode("utf-8"))
