"""The readers again, as plainly as the rules of the formats can be written down. Used by fuzz.py.

Each returns what a text says, or None where it must be refused. Nothing is shared with the package: slow on
purpose, one rule after the other, so that a short cut of the package that guesses wrong is noticed.
"""

import gzip
import re
import zlib
from collections.abc import Sequence

import plain_conllu
import plain_json
import plain_markables
import plain_ua
import plain_webanno
from plain_document import Plain, RefusedError, plain, require

GZIP = b"\x1f\x8b"
BLANKS = " \t\r"
"""Of CoNLL columns; no other character separates cells or makes a line blank."""


def read(data: bytes, reader: str, stem: str, keys: Sequence[str] = ()) -> list[Plain] | None:
    """Return the documents of a file of a reader, packed or not."""
    try:
        data = _unpacked(data) if data[:2] == GZIP else data
        if reader in _XML:
            return _XML[reader](data, stem)
        text = data.decode("utf-8").removeprefix("\ufeff")
        require("\0" not in text)
        documents = _TEXTS[reader](text, stem) if reader in _TEXTS else plain_json.read(text, stem, keys)
    except (RefusedError, ValueError, RecursionError, OSError, EOFError, zlib.error):
        return None
    return documents if documents and len({d.name for d in documents}) == len(documents) else None


def _unpacked(data: bytes) -> bytes:
    require(len(data) > 3 and not data[3] & 0xE0)  # flags that RFC 1952 reserves and Python's module ignores
    return gzip.decompress(data)


def _conll(text: str, stem: str) -> list[Plain]:
    documents = []
    rows: list[str] | None = None  # of the document that has begun
    name = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        begin = re.match(r"#\s*begin document\b(.*)", line)
        if begin:
            require(rows is None)
            name, rows = _name(begin[1].strip(), stem), []
        elif re.match(r"#\s*end document\b", line):
            documents.append(_document(name, rows))
            rows = None
        elif not (line.startswith("#") and "\t" not in line):
            require(rows is not None or not line.strip(BLANKS))
            rows = rows if rows is None else [*rows, line]
    require(rows is None)
    return documents


def _name(written: str, stem: str) -> str:
    inner = re.fullmatch(r"\((.*)\);?(?:\s*part\s+(\S+))?", written)
    name, part = (written, "") if inner is None else inner.groups()
    return "-".join(word for word in (name or stem, part) if word)


def _document(name: str, lines: list[str] | None) -> Plain:
    require(lines is not None)
    rows = [line for line in lines or () if line.strip(BLANKS)]
    blank_or_not = "".join("x" if line.strip(BLANKS) else " " for line in lines or ())
    sentences = [len(sentence) for sentence in blank_or_not.split()]
    clusters: dict[str, list[tuple[int, int]]] = {}
    starts: dict[str, list[int]] = {}
    for token, row in enumerate(rows):
        tags = _joined(_tags(_cell(row)))
        for tag in tags:
            if tag[-1] == ")" and tag[0] != "(":
                require(starts.get(tag[:-1]))
                clusters.setdefault(tag[:-1], []).append((starts[tag[:-1]].pop(), token + 1))
        for tag in tags:
            if tag[0] == "(" and tag[-1] == ")":
                clusters.setdefault(tag[1:-1], []).append((token, token + 1))
            elif tag[0] == "(":
                starts.setdefault(tag[1:], []).append(token)
    require(not any(starts.values()))
    return plain(clusters, name, sentences)


def _joined(tags: list[str]) -> list[str]:
    """Return the tags with one, ``(7)``, for a ``(7`` and a ``7)`` that is written behind it."""
    joined: list[str] = []
    for tag in tags:
        if tag[0] != "(" and f"({tag[:-1]}" in joined:
            joined[joined.index(f"({tag[:-1]}")] = f"({tag}"
        else:
            joined.append(tag)
    return joined


def _cell(row: str) -> str:
    if "\t" not in row:
        return row.rstrip(BLANKS).rsplit(" ", maxsplit=1)[-1]
    columns = row.rstrip(" \r").split("\t")
    require(columns[-1] or not set("()") & set(columns[-2]))
    return columns[-1].strip(BLANKS)


def _tags(cell: str) -> list[str]:
    """Return the tags of a cell: ``(7`` or ``7)`` or ``(7)``, with or without pipes between them."""
    if cell in ("", "-", "_", "*"):
        return []
    require(not re.search(r"\s", cell))
    tags = [""]
    for letter in cell:
        if letter == "|" or (letter == "(" and tags[-1]):
            tags.append("")
        if letter != "|":
            tags[-1] += letter
        if letter == ")":
            tags.append("")
    tags = [tag for tag in tags if tag]
    require(tags)
    for tag in tags:
        inner = tag.removeprefix("(").removesuffix(")")
        require(inner and inner != tag and not set("()") & set(inner))
        require(not (tag[0] == "(" and inner != "*" and inner[-1] == "*"))  # roles and names: (ARG0*)
    require(not cell.startswith("*)"))
    return tags


_TEXTS = {
    "conllu": plain_conllu.read,
    "stanza": plain_conllu.read_stanza,
    "ua": plain_ua.read,
    "conll": _conll,
    "webanno": plain_webanno.read,
}
"""What reads the texts that are not JSON."""
_XML = {"mmax": plain_markables.read_mmax, "ecb": plain_markables.read_ecb}
"""What reads XML, in any encoding."""
