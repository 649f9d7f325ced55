"""A reader of event files, written from the formats' specifications alone: TFRecord framing, protobuf wire format, events."""

import struct


def crc32c(content):
    """Bit by bit, as RFC 3720 defines it: polynomial 0x11EDC6F41, bits reflected."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    return crc ^ 0xFFFFFFFF


def checked(content, wanted):
    crc = crc32c(content)
    found = ((crc >> 15) | (crc << 17) & 0xFFFFFFFF) + 0xA282EAD8 & 0xFFFFFFFF
    if found != struct.unpack("<I", wanted)[0]:
        raise ValueError("a checksum is wrong")
    return content


def records(content):
    place = 0
    while place < len(content):
        length = struct.unpack("<Q", checked(content[place:place + 8], content[place + 8:place + 12]))[0]
        if place + 16 + length > len(content):
            raise ValueError("the file ends within a record")
        yield checked(content[place + 12:place + 12 + length], content[place + 12 + length:place + 16 + length])
        place += 16 + length


def varint(content, place):
    value = shift = 0
    while True:
        byte = content[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place


def fields(content):
    """[(number, value)]: an int of a varint, a float of four or eight bytes, else bytes."""
    found, place = [], 0
    while place < len(content):
        head, place = varint(content, place)
        kind = head & 7
        if kind == 0:
            value, place = varint(content, place)
        elif kind == 2:
            length, place = varint(content, place)
            value, place = content[place:place + length], place + length
        else:
            form, size = {1: ("<d", 8), 5: ("<f", 4)}[kind]
            value, place = struct.unpack(form, content[place:place + size])[0], place + size
        found.append((head >> 3, value))
    assert place == len(content)
    return found


def one(content, number, missing=None):
    values = [value for key, value in fields(content) if key == number]
    assert len(values) < 2
    return values[0] if values else missing


class EventFile:
    """`version`; `scalars`: {tag: [(wall time, step, value)]}; `plugins`: {tag: (plugin, content)}."""

    def __init__(self, content):
        self.version, self.scalars, self.plugins = None, {}, {}
        for record in records(content):
            self.version = self.version or one(record, 3, b"").decode()
            for number, value in fields(one(record, 5, b"")):
                assert number == 1
                tag, metadata = one(value, 1).decode(), one(value, 9)
                if metadata is None:
                    self.scalars.setdefault(tag, []).append((one(record, 1), one(record, 2, 0), one(value, 2)))
                else:
                    plugin = one(metadata, 1)
                    self.plugins[tag] = one(plugin, 1).decode(), one(plugin, 2)

    @property
    def hyperparameters(self):
        start = one(self.plugins["_hparams_/session_start_info"][1], 3)
        entries = [entry for number, entry in fields(start) if number == 1]
        values = {one(entry, 1).decode(): fields(one(entry, 2))[0][1] for entry in entries}
        return {axis: value.decode() if isinstance(value, bytes) else value for axis, value in values.items()}

    @property
    def status(self):
        return one(one(self.plugins["_hparams_/session_end_info"][1], 4), 1, 0)
