"""TFRecord, the framing of event files: length (8 bytes), its masked checksum (4), the content, its masked checksum (4), little-endian.

The checksum is CRC-32C (Castagnoli; RFC 3720, appendix B.4), reflected polynomial 0x82F63B78. It is masked: rotated right by 15 bits
plus a constant. So a checksum of data that hold their own checksum is none that is easily hit. Source: TensorFlow's
lib/io/record_writer.h and lib/hash/crc32c.h.
"""

import struct

POLYNOMIAL = 0x82F63B78
MASK = 0xA282EAD8


def remainder(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (POLYNOMIAL if byte & 1 else 0)
    return byte


TABLE = tuple(remainder(byte) for byte in range(256))


def crc32c(content):
    crc = 0xFFFFFFFF
    for byte in content:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def masked(crc):
    return ((crc >> 15 | crc << 17) + MASK) & 0xFFFFFFFF


def record(content):
    length = struct.pack("<Q", len(content))
    return length + struct.pack("<I", masked(crc32c(length))) + content + struct.pack("<I", masked(crc32c(content)))
