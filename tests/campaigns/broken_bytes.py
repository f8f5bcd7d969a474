"""Mutations of any file: bits, bytes and ranges changed, encodings, line ends, gzip. Used by fuzz.py."""

import gzip

from dice import Dice

BYTES = (
    b"\x00", b"\r", b"\n", b"\t", b" ", b"\x0b", b"\x0c", b"\x1b[31m", b"\x7f", b"\x80", b"\xff", b"\xc3",
    b"\xc3\xa9", b"\xc2\x85", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xe3\x80\x80", b"\xef\xbb\xbf", b"\xff\xfe",
    b"\xfe\xff", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xf4\x90\x80\x80", b'"', b"\\", b"\\u", b"\\ud800",
    b"[", b"]", b"{", b"}", b",", b":", b"(", b")", b"|", b"-", b"_", b"*", b"#", b"//", b"/**/", b"0", b"1",
    b"-1", b"1e9", b"NaN", b"Infinity", b"null", b"true", b"#begin document", b"#end document",
)  # fmt: skip


def bent(data: bytes, dice: Dice) -> bytes:
    """Return `data` with one change at the level of bytes."""
    return dice.pick(_CHANGES)(data, dice)


def _flipped(data: bytes, dice: Dice) -> bytes:
    if not data:
        return data
    place = dice.below(len(data))
    return data[:place] + bytes([data[place] ^ 1 << dice.below(8)]) + data[place + 1 :]


def _inserted(data: bytes, dice: Dice) -> bytes:
    place = dice.below(len(data) + 1)
    return data[:place] + dice.pick(BYTES) + data[place:]


def _at_an_end(data: bytes, dice: Dice) -> bytes:
    extra = dice.pick(BYTES)
    return extra + data if dice.chance(0.5) else data + extra


def _replaced(data: bytes, dice: Dice) -> bytes:
    start, end = _range(data, dice)
    return data[:start] + dice.pick(BYTES) + data[end:]


def _deleted(data: bytes, dice: Dice) -> bytes:
    start, end = _range(data, dice)
    return data[:start] + data[end:]


def _doubled(data: bytes, dice: Dice) -> bytes:
    start, end = _range(data, dice)
    return data[:end] + data[start:end] + data[end:]


def _moved(data: bytes, dice: Dice) -> bytes:
    start, end = _range(data, dice)
    rest = data[:start] + data[end:]
    place = dice.below(len(rest) + 1)
    return rest[:place] + data[start:end] + rest[place:]


def _cut_off(data: bytes, dice: Dice) -> bytes:
    return data[: dice.below(len(data) + 1)]


def _other_line_ends(data: bytes, dice: Dice) -> bytes:
    return data.replace(b"\n", dice.pick((b"\r\n", b"\r", b"\n\n", b"\n\r", b"\xe2\x80\xa8")))


def _other_encoding(data: bytes, dice: Dice) -> bytes:
    name = dice.pick(("utf-16", "utf-16-le", "utf-8-sig", "latin-1", "utf-7"))
    return data.decode("utf-8", "replace").encode(name, "replace")


def _packed(data: bytes, dice: Dice) -> bytes:
    packed = gzip.compress(data, 1, mtime=0)
    return dice.pick(
        (packed, packed + packed, packed[: dice.below(30)], _flipped(packed, dice), packed + b"x")
    )


def _range(data: bytes, dice: Dice) -> tuple[int, int]:
    start = dice.below(len(data) + 1)
    return start, min(len(data), start + 1 + dice.below(12))


_CHANGES = (
    _flipped, _inserted, _at_an_end, _replaced, _deleted, _doubled, _moved, _cut_off, _other_line_ends,
    _other_encoding, _packed,
)  # fmt: skip
