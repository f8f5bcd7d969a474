"""Text that does not act: one function for each kind of output, for all names that come from files.

For a line of a terminal or a log it is `scorch2.model.errors.escaped`; the functions here do more, each for
the syntax that its output has. A table passes every cell through the function of its form.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from scorch2.model.errors import Notice, escaped
from scorch2.version import __version__

_PLAIN = re.compile(r"(?:[\w .,;:%()+/=…-]|\[[-+\d., ]+\](?!\())*")
"""Characters and intervals that mean nothing in a cell of Markdown, unless they form what `_LIVE` matches."""
_LIVE = re.compile(r"://|www\.|\bGH-\d|(?<!\w)_|_(?!\w)", re.IGNORECASE)
"""Web addresses, numbers of issues, and underscores that begin or end an emphasis."""
_FORMULA = ("=", "+", "-", "@")  # how a cell begins that spreadsheets compute


def markdown_text(text: str) -> str:
    r"""Return `text` for a line of Markdown: as it is, or as code if a part of it could act.

    In code there are no images, links, mentions of people, numbers of issues, addresses and no HTML.

    >>> markdown_text("bc/cctv_0001 (part 2)"), markdown_text("ask @name in #1")
    ('bc/cctv_0001 (part 2)', '`ask @name in #1`')
    """
    line = escaped(text)
    return line if _PLAIN.fullmatch(line) and not _LIVE.search(line) else markdown_code(line)


def markdown_code(text: str) -> str:
    """Return `text` as code in a line of Markdown, between more backticks than it holds in a row.

    >>> markdown_code("a"), markdown_code("`b` and ``c``")
    ('`a`', '``` `b` and ``c`` ```')
    """
    line = escaped(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    blank = " " if line[:1] in ("`", " ") or line[-1:] in ("`", " ") else ""
    return f"{fence}{blank}{line}{blank}{fence}"


def html_text(text: str) -> str:
    """Return `text` for an element or an attribute of HTML."""
    from html import escape

    return escape(escaped(text))


def relative_address(path: str, folder: str) -> str:
    """Return the address of a file from a folder, for a link of a page there.

    >>> relative_address("out/my pages/a#b.html", "out")
    'my%20pages/a%23b.html'
    """
    from urllib.parse import quote

    return quote(os.path.relpath(path, folder).replace(os.sep, "/"))


def xml_text(text: str) -> str:
    """Return lines of text that XML can hold; the writer of XML adds its own escapes."""
    return "\n".join(escaped(line.replace("\t", "  ")) for line in text.split("\n"))


def tsv_cell(text: str) -> str:
    """Return `text` for a cell that is opened in a spreadsheet or cut out by a script.

    A name that begins like a formula gets an apostrophe in front, as spreadsheets expect it; numbers stay
    as they are. So whoever joins rows by such a name reads JSON instead, where all names are exact.

    >>> tsv_cell("=1+1"), tsv_cell("-0.5"), tsv_cell("doc-1")
    ("'=1+1", '-0.5', 'doc-1')
    """
    line = escaped(text)
    return f"'{line}" if line.startswith(_FORMULA) and not _is_number(line) else line


def openmetrics_label(text: str) -> str:
    """Return `text` for the value of a label of OpenMetrics."""
    return escaped(text).replace("\\", "\\\\").replace('"', '\\"')


def command_data(text: str) -> str:
    """Return `text` for the message of a workflow command of GitHub."""
    return escaped(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """Return `text` for a property of a workflow command of GitHub."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


SCHEMA = 1  # the version of the JSON form of a value; it grows when a key changes its meaning or goes
_ENCODER = json.JSONEncoder(allow_nan=False)


def json_text(value: Any, indent: int | None = None, *, sort_keys: bool = False) -> str:
    r"""Return `value` as JSON in ASCII letters, without ``##``, which begins commands in logs.

    >>> print(json_text("##[error]"))
    "#\u0023[error]"
    """
    if indent is None and not sort_keys:
        return _escaped(_ENCODER.encode(value))  # made once: a report has a line for each document
    return _escaped(json.dumps(value, allow_nan=False, indent=indent, sort_keys=sort_keys))


def _escaped(text: str) -> str:
    return text.replace("##", "#\\u0023")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def in_frame(
    plain: dict[str, Any],
    notices: Sequence[Notice] | None = None,
    *,
    schema: int = SCHEMA,
    has_version: bool = True,
) -> dict[str, Any]:
    """Return the JSON form of a value: the versions of the form and of the program first, warnings last."""
    made_by = {"version": __version__} if has_version else {}
    told = {} if notices is None else {"warnings": [notice._asdict() for notice in notices]}
    return {"schema": schema, **made_by, **plain, **told}


def plain_json(value: dict[str, Any]) -> str:
    r"""Return an object as JSON with one line per member of the objects and lists directly inside it.

    Objects of strings in these have lines, too. Letters beyond ASCII are escaped, so that it stays JSON on a
    stream of any encoding.

    >>> plain_json({"a": [1, 2], "b": {}})
    '{\n "a": [\n  1,\n  2\n ],\n "b": {}\n}\n'
    """
    return "".join(_object(value))


def _object(value: dict[str, Any]) -> Iterator[str]:
    opening = "{\n"
    for key, item in value.items():
        yield f'{opening} "{key}": '
        if isinstance(item, dict) and item:
            lines = (f"  {json_text(name)}: {_inner(inner)}" for name, inner in item.items())
            yield "{\n" + ",\n".join(lines) + "\n }"
        elif isinstance(item, list) and item:
            yield "[\n" + ",\n".join(f"  {json_text(inner)}" for inner in item) + "\n ]"
        else:
            yield json_text(item)
        opening = ",\n"
    yield "\n}\n"


def _inner(value: Any) -> str:
    if not (isinstance(value, dict) and value and all(isinstance(text, str) for text in value.values())):
        return json_text(value)
    lines = _escaped(json.dumps(value, separators=(",\n   ", ": ")))
    return f"{{\n   {lines[1:-1]}\n  }}"


def plain_name(name: str) -> str:
    """Return a name for a line ``name: value``.

    >>> plain_name("cs pcedt: 1")
    'cs_pcedt__1'
    """
    return re.sub(r"[^\w.-]", "_", name)
