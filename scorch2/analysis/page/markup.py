"""HTML by its elements. All that comes from a file goes through `text`, here and nowhere else."""

import unicodedata
from collections.abc import Iterable
from html import escape
from typing import NewType

Html = NewType("Html", str)
"""Markup that acts only as it is meant to: made by the functions of this module."""
NOTHING = Html("")
_JOINERS = "\u200c\u200d\u200e\u200f"
"""Characters without a shape that texts in Arabic, Persian, Indic scripts and emoji need."""
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of characters that act unseen: controls, formats, surrogates, separators of lines."""


def text(value: str) -> Html:
    r"""Return text from a file for an element or an attribute, where it cannot act.

    >>> text('<b title="x">'), text("a\u202eb"), text("##[error]")
    ('&lt;b title=&quot;x&quot;&gt;', 'a\\u202eb', '#&#35;[error]')
    """
    if not value.isprintable():
        value = "".join(_seen(character) for character in value)
    return Html(escape(value).replace("##", "#&#35;"))  # in a log, ## begins a command


def _seen(character: str) -> str:
    if character in _JOINERS or unicodedata.category(character) not in _UNSEEN:
        return character
    return character.encode("unicode_escape").decode("ascii")


def tag(name: str, /, *content: Html, **attributes: str | int | None) -> Html:
    """Return an element; an attribute that is None is left out, an empty one has no value.

    >>> tag("a", text("x<y"), href="#e1-2", class_="mark", aria_label=None, hidden="")
    '<a href="#e1-2" class="mark" hidden>x&lt;y</a>'
    """
    return Html(f"{opened(name, **attributes)}{''.join(content)}</{name}>")


def opened(name: str, /, **attributes: str | int | None) -> Html:
    """Return the start tag of an element, or an element that has no content."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            called = key.rstrip("_").replace("_", "-")
            parts.append(f'{called}="{text(str(value))}"' if value != "" else called)
    return Html(f"<{' '.join(parts)}>")


def joined(parts: Iterable[Html], between: str = "") -> Html:
    """Return markup one after the other, with plain text between."""
    return Html(text(between).join(parts))


def lines(parts: Iterable[Html]) -> Html:
    """Return markup in lines of the file."""
    return Html("\n".join(part for part in parts if part))


def name_of(value: str) -> Html:
    """Return a name, whose direction does not change the text around it."""
    return tag("bdi", text(value))
