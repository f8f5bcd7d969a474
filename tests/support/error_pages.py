"""Pages of the error analysis for tests: made from small files, parsed without a browser."""

import json
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from scorch2.analysis.kinds import KINDS
from scorch2.cli.main import main

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
EXAMPLE = [str(FIXTURES / "example" / f"{side}.conll") for side in ("gold", "sys")]
RANDOM = [str(FIXTURES / "errors" / "random-tokens" / f"{side}.conll") for side in ("gold", "sys")]
"""A document with errors of all kinds."""
EMOJI = "\U0001f469\u200d\U0001f680"
"""A woman and a rocket, joined to one sign."""
HOSTILE = (
    "<script>document.title='run'</script>",
    "\"><img src=x onerror=document.title='run'>",
    "&lt;b&gt;",
    "a\u202eb",
    "ring\x07",
    EMOJI,
    "الكتاب",
    "w" * 180,
)
"""Tokens and names that break pages which do not escape them."""
SHOWN = [word.replace("\u202e", "\\u202e").replace("\x07", "\\x07") for word in HOSTILE]
"""The same as a page shows them."""
_EMPTY = {"meta", "input"}
"""Elements without an end tag."""


def clusters(sentences: Sequence[Sequence[str]], entities: Mapping[str, Sequence[str]]) -> str:
    """Return a document with a text."""
    return json.dumps({"type": "clusters", "sentences": sentences, "clusters": entities})


def hostile(folder: Path, name: str = "evil") -> tuple[str, str]:
    """Write a document whose tokens and entities have hostile names, and return its two sides."""
    sentences = [HOSTILE, [*HOSTILE, "he"]]
    size = len(HOSTILE)
    gold = {name: [f"0.{i}-{i}", f"1.{i}-{i}"] for i, name in enumerate(HOSTILE)}
    system = {HOSTILE[i]: [f"0.{i}-{i}", f"1.{(i + 1) % size}-{(i + 1) % size}"] for i in range(size - 1)}
    system["x"] = [f"1.{size}-{size}", "1.0-3"]
    paths = folder / "gold" / f"{name}.json", folder / "sys" / f"{name}.json"
    for path, entities in zip(paths, (gold, system), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(clusters(sentences, entities), encoding="utf-8")
    return str(paths[0]), str(paths[1])


def written(path: Path, *words: str) -> Path:
    """Write the page of ``scorch2 errors`` and return its path."""
    assert main(["errors", "-q", "-f", "html", "--force", "-o", str(path), *words]) == 0
    return path


def made(folder: Path, *words: str) -> str:
    """Return the page of ``scorch2 errors``."""
    return written(folder / "page.html", *words).read_text("utf-8")


def counts_of(folder: Path, words: Sequence[str]) -> dict[str, int]:
    """Return the number of errors by kind, as the JSON report has it."""
    path = folder / "report.json"
    assert main(["errors", "-q", "--force", "-o", str(path), *words]) == 0
    found = json.loads(path.read_text("utf-8"))["errors"]
    return {kind: found[kind]["errors"] for kind in KINDS}


class Parsed(HTMLParser):
    """A page without a browser: its elements, and what is wrong with them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.wrong += [f"<{name}> is not closed" for name in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _EMPTY:
            self._open.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.wrong.append(f"<{tag}> has {name}")
            if name in ("href", "src", "action", "data") and not (value or "").startswith("#"):
                self.wrong.append(f"<{tag}> leads to {value}")

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.wrong.append(f"</{tag}> closes something else")

    def all(self, tag: str, **attributes: str) -> list[dict[str, Any]]:
        """Return the attributes of elements; a class is one of several."""
        return [
            its
            for name, its in self.elements
            if name == tag
            and all(
                value in (its.get(key.rstrip("_")) or "").split()
                if key == "class_"
                else its.get(key) == value
                for key, value in attributes.items()
            )
        ]

    def ids(self) -> list[str]:
        """Return all ids."""
        return [its["id"] or "" for _, its in self.elements if "id" in its]
