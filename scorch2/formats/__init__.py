"""Step 1, bytes to documents: the table of formats, and `read`, which finds out which one a file is in.

Decided by content, then by extension; a file that is in none of them is refused, never read as empty.
"""

import importlib
import re
from functools import cache
from typing import Any

from scorch2.formats.source import STDIN, read_data, read_head, stem, text_of
from scorch2.model.document import Document
from scorch2.model.errors import InputError, UsageError
from scorch2.model.messages import known, quoted

JSON_TYPES = {"clusters": "json.clusters", "graph": "json.graph"}
"""The JSON formats by the value of their ``type``, each with its module: ``document(value, name, path)``."""
ROW_FORMATS = {"conll": "conll.reader", "tsv": "tsv.annotations", "aida": "tsv.aida"}
"""The formats of rows, each with its module: ``read(text, stem, path)``."""
XML_FORMATS = {"are": "are.reader"}
"""The formats in XML, each with its module: ``read(data, stem, path)``; their bytes name their encoding."""
WRITERS = {
    **JSON_TYPES,
    "jsonlines": "json.jsonlines",
    "conll": "conll.writer",
    "tsv": "tsv.annotations",
    "are": "are.writer",
}
"""The formats that documents can be written in, each with its module: ``write(document)``."""
FORMATS = (*JSON_TYPES, "jsonlines", *ROW_FORMATS, *XML_FORMATS)
ONE_A_FILE = (*JSON_TYPES, *XML_FORMATS)
"""The formats that hold one document a file."""

LINKING = ("tsv", "aida")
"""The formats that are made for entity linking."""

_JSON = "json"
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<|(?:\xff\xfe)?<\0|(?:\xfe\xff)?\0<")
"""How XML begins, in UTF-8 and what resembles it, and in UTF-16."""
_CONTENT = {
    "tsv": re.compile(r"[^\t\n]+\t[0-9]+\t[0-9]+(?:\r?\n|\t|\Z)"),
    "aida": re.compile(r"\s*-DOCSTART- \("),
    _JSON: re.compile(r"\s*[\[{]"),
    "conll": re.compile(r"(?:\s|#(?!\s*begin document\b).*\n)*#\s*begin document\b"),
}
_EXTENSIONS = {
    ".json": _JSON,
    ".conll": "conll",
    ".v4_gold_conll": "conll",
    ".v4_auto_conll": "conll",
    ".tsv": "tsv",
}


def read(path: str, format: str | None = None) -> list[Document]:
    """Read the documents of a file.

    Parameters
    ----------
    path : str
        A file, or ``-`` for standard input.
    format : str, optional
        One of `FORMATS`; decided by content, then by extension, if absent.

    Returns
    -------
    list of Document
        In the order of the file, at least one.

    Raises
    ------
    InputError
        For whatever could not be scored exactly as it is written, with file and place.
    """
    return documents(read_data(path), path, format)


def documents(data: bytes, path: str, format: str | None = None) -> list[Document]:
    """Return the documents in the content of the file `path`; as `read`."""
    if format in XML_FORMATS or (format is None and looks_like_xml(data, path)):
        marked: list[Document] = _module(XML_FORMATS[format or "are"]).read(data, stem(path), path)
        return marked
    text = text_of(data, path)
    found = format or _detect(text, path)
    if found in ROW_FORMATS:
        rows: list[Document] = _module(ROW_FORMATS[found]).read(text, stem(path), path)
        return _distinct(rows, path)
    values = _module("json.documents").read(text, stem(path), path, None if found == _JSON else found)
    return _distinct(values, path)


def looks_like_xml(data: bytes, path: str) -> bool:
    """Return whether a file is XML, by its content or its extension."""
    if data[:1] == b"{":  # JSON, as nearly every small file is
        return False
    return bool(_XML.match(data)) or path.removesuffix(".gz").endswith(".xml")


def says_what_mentions_denote(path: str, format: str | None) -> bool:
    """Return whether a file is in a format of entity linking."""
    if format is not None or path == STDIN:
        return format in LINKING
    head = read_head(path)
    return any(_CONTENT[name].match(head) for name in LINKING)


def check_format(name: str | None) -> str | None:
    """Return `name` if it is a format, or None: to be found out."""
    if name is not None and name not in FORMATS:
        raise UsageError(known(name, "format", FORMATS))
    return name


def check_written(name: str) -> str:
    """Return `name` if documents can be written in that format."""
    if name not in WRITERS:
        raise UsageError(known(name, "format to write", WRITERS))
    return name


def write(document: Document, format: str) -> str:
    """Return a document in a format, as text that ends with a line feed.

    Raises
    ------
    InputError
        If the format must hold what the document does not have (tokens, say).
    """
    text: str = _module(WRITERS[format]).write(document)
    return text


def _detect(text: str, path: str) -> str:
    if text[:1] == "{":
        return _JSON
    for name, pattern in _CONTENT.items():
        if pattern.match(text):
            return name
    for extension, name in _EXTENSIONS.items():
        if path.removesuffix(".gz").endswith(extension):
            return name
    what = "the file is empty" if not text.strip() else "not a known format"
    known = ", ".join(FORMATS)
    raise InputError(path, "", f"{what} (known: {known}; name it with --gold-format or --sys-format)")


def _distinct(documents: list[Document], path: str) -> list[Document]:
    seen = set()
    for document in documents if len(documents) > 1 else ():
        if document.id in seen:
            raise InputError(path, "", f"two documents are called {quoted(document.id)}")
        seen.add(document.id)
    return documents


@cache
def _module(name: str) -> Any:
    return importlib.import_module(f"scorch2.formats.{name}")
