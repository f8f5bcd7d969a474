"""Wording of ids, paths and numbers in messages: one line, limited length, no control characters."""

from collections.abc import Iterable

SHOWN = 5
"""The number of items that a message names; it counts the others."""


def printable(text: str, limit: int = 80) -> str:
    r"""Return `text` fit for one line of a terminal: control characters escaped, cut to `limit` characters.

    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    shown = escaped(text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def escaped(text: str) -> str:
    r"""Return `text` fit for one line of a terminal or a log, where it cannot act.

    It escapes control characters, separators of lines, marks that change the direction of text, and what CI
    systems take for commands: ``::`` at the beginning, ``##[...]`` and ``##vso[...]`` anywhere.

    >>> escaped("::error::x"), escaped("a ##[group]"), escaped("sets::span")
    ('\\x3a:error::x', 'a #\\x23[group]', 'sets::span')
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    if text[:1] in (":", " ") and text.lstrip().startswith("::"):
        text = text.replace(":", "\\x3a", 1)
    if "##" in text:
        import re

        text = re.sub(r"##(?=\w*\[)", r"#\\x23", text)
    return text


def shown_path(path: str, limit: int = 80) -> str:
    """Return a path for a message; a long one keeps its end, where the file name is.

    >>> shown_path("-"), shown_path("a" * 90 + "/doc1.json", 15)
    ('standard input', '…aaaa/doc1.json')
    """
    if path == "-":
        return "standard input"
    return printable(path if len(path) <= limit else "…" + path[1 - limit :]) or '""'


def shown_place(where: str, limit: int = 120) -> str:
    """Return a place for a message; a long one keeps its beginning and its end."""
    return where if len(where) <= limit else f"{where[: limit // 3]}…{where[1 - limit + limit // 3 :]}"


def without_middle(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters: of a longer one the beginning and the end.

    >>> without_middle("1023_bleak_house_brat", 9), without_middle("1023", 9)
    ('1023…brat', '1023')
    """
    end = (limit - 1) // 2
    return text if len(text) <= limit else f"{text[: limit - 1 - end]}…{text[len(text) - end :]}"


def quoted(value: object, limit: int = 80) -> str:
    """Return an id for a message: strings in double quotes, numbers and spans as in JSON.

    >>> quoted("m7"), quoted((3, 4))
    ('"m7"', '[3, 4]')
    """
    if isinstance(value, str):
        return f'"{printable(value, limit)}"'
    return printable(repr(list(value) if isinstance(value, tuple) else value), limit)


def counted(number: int, what: str) -> str:
    """Return a number with the noun that it counts.

    >>> counted(1, "token"), counted(2, "token")
    ('1 token', '2 tokens')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def enumerated(names: Iterable[str], limit: int = 1000) -> str:
    """Return all of `names`, or those that fit in `limit` characters and how many more there are.

    >>> enumerated(["muc", "lea"]), enumerated(["muc", "lea", "blanc"], 6)
    ('muc, lea', 'muc and 2 more')
    """
    known = list(names)
    shown: list[str] = []
    for name in known:
        shown.append(printable(name))
        limit -= len(shown[-1]) + 2
        if limit < 0 and len(shown) > 1:
            shown.pop()
            break
    more = f" and {len(known) - len(shown)} more" if len(shown) < len(known) else ""
    return ", ".join(shown) + more


def percent(share: float) -> str:
    """Return a share between 0 and 1 as it stands in a sentence.

    >>> percent(0.5)
    '50 %'
    """
    return f"{share * 100:.0f} %"


def listed(names: Iterable[str]) -> str:
    """Return the first few of `names`, and how many more there are.

    >>> listed("abcdefg")
    'a, b, c, d, e and 2 more'
    """
    known = list(names)
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return ", ".join(printable(name) for name in known[:SHOWN]) + more


def step(where: str, key: str) -> str:
    """Return the place of `key` in the object at `where`: ``$.clusters.e3`` or ``$.clusters["e 3"]``."""
    return f"{where}.{printable(key)}" if key.isidentifier() else f"{where}[{quoted(key)}]"


def unknown_name(name: object, what: str, names: Iterable[str]) -> str:
    """Return a message about an unknown name, with the nearest one of `names`.

    >>> unknown_name("mucc", "metric", ["muc", "lea"])
    'unknown metric "mucc", did you mean muc? (known: muc, lea)'
    """
    return f"unknown {what} {quoted(name)}{known(name, names)}"


def known(name: object, names: Iterable[str]) -> str:
    """Return the end of a message about a name that is none of `names`: the nearest one, and all of them.

    >>> known("micr", ["macro", "micro"])
    ', did you mean micro? (known: macro, micro)'
    """
    from difflib import get_close_matches

    there = list(names)
    near = get_close_matches(str(name).casefold(), there, 1)
    hint = f", did you mean {printable(near[0])}?" if near else ""
    those = f" (known: {enumerated(there)})" if there else ""
    return f"{hint}{those}"
