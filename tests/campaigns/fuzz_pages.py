"""Fuzzing of pages: whatever names and tokens are, a page is whole, runs nothing and leads nowhere.

Documents, entities, tokens, systems and titles get hostile names: markup, quotes, controls, marks that change
the direction of text, lone surrogates, very long ones. `score`, `errors` and `compare` write HTML from them.
A page must be markup in which every element is closed and of a known kind; what is refused must be refused in
single lines, and leave no file.

    python tests/campaigns/fuzz_pages.py --inputs=2000 --seed=0 --jobs=2

Deterministic for a seed, whatever the number of jobs.
"""

import contextlib
import io
import json
import re
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).parent.parent / "support"))

import fuzzing
from dice import Dice
from error_pages import Parsed
from findings import BrokenPromiseError
from fuzzing import Outcome, Task

from scorch2.cli.main import main as scorch2

COMMANDS = ("score", "errors", "compare")
PIECES = (
    *(
        "<script>alert(1)</script>",
        "</script>",
        "</style>",
        "</title>",
        "</bdi>",
        "<!--",
        "-->",
        "]]>",
        "<![CDATA[",
    ),
    *(
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='alert(1)",
        "javascript:alert(1)",
        "<svg onload=alert(1)>",
    ),
    *(
        "<base href=//e.x>",
        "<a href=http://e.x>",
        "&lt;",
        "&#60;",
        "&amp",
        "\\u003c",
        "{{7*7}}",
        "url(//e.x)",
    ),
    *("\x00", "\x07", "\x1b[31m", "\r", "\n", "\t", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffe"),
    *("\u202e", "\u2066", "\u200f", "\u200d", "\u0301" * 9, "\U000e0041", "\U0010ffff"),
    *(
        "::error::x",
        "##[error]x",
        "`",
        "'",
        '"',
        "=",
        "/",
        "\\",
        " ",
        "",
        "%00",
        "..",
        "e1-2",
        "d0",
        "文",
        "א",
        "a",
    ),
)
REFUSED = ("\ud800", "\udc80")
"""What no file of UTF-8 can hold."""
TAGS = re.compile(
    "html|head|meta|title|style|script|body|main|header|footer|nav|section|details|summary|h[1-4]|p|a|b|i|small|span"
    "|bdi|strong|em|sup|code|table|caption|thead|tbody|tr|th|td|input|label|button|output|div|ul|ol|li|figure"
    "|figcaption|svg|g|path|line|rect|circle|text|tspan|polyline|polygon|pattern|mark"
)
"""The elements of pages: none loads anything."""
SHOWN = "\u200b\u200c\u200d\u200e\u200f"
"""The format characters that scripts need."""


class Trial(NamedTuple):
    """Files, and what the command is called with besides them."""

    files: dict[str, bytes]
    words: tuple[str, ...]


def main() -> int:
    given = fuzzing.parser(__doc__, 2_000, "command").parse_args()
    return fuzzing.run("fuzz_pages", COMMANDS, _chunk, given)


def _chunk(task: Task) -> Outcome:
    dice = Dice(task.seed, task.number, COMMANDS.index(task.subject))
    trials = (_trial(task.subject, dice) for _ in range(task.inputs))
    return fuzzing.tried(
        task.subject, trials, lambda trial: _attempt(task.subject, trial), lambda one: one.files
    )


def _trial(command: str, dice: Dice) -> Trial:
    tokens = [_name(dice) for _ in range(3 + dice.below(8))]
    sides = {"gold": _clusters(dice, len(tokens)), "sys": _clusters(dice, len(tokens))}
    if command == "compare":
        sides["other"] = _clusters(dice, len(tokens))
    name, lines = _name(dice), dice.chance(0.5)
    files = {side: _written(tokens, clusters, name, dice, lines=lines) for side, clusters in sides.items()}
    title = re.sub("[\0\ud800-\udfff]", "", _name(dice))  # which no command line can hold
    words: tuple[str, ...] = ()
    if command == "errors":
        words = (f"--title={title}", "--types=english", *(("--text-tokens=2",) if dice.chance(0.2) else ()))
    if command == "compare":
        words = (f"--name={title}", "--name=b")
    return Trial(files, words)


def _name(dice: Dice) -> str:
    """Return pieces of markup and signs; one in five hundred is very long."""
    name = "".join(dice.pick(PIECES) for _ in range(dice.below(4)))
    name += dice.pick(REFUSED) if dice.chance(0.003) else ""
    return name * 3000 if dice.chance(0.002) else name


def _clusters(dice: Dice, tokens: int) -> list[list[tuple[int, int]]]:
    """Return a clustering of different spans, first and last token."""
    spans = {(first, min(tokens - 1, first + dice.below(3))) for first in range(tokens) if dice.chance(0.7)}
    clusters: dict[int, list[tuple[int, int]]] = {}
    for span in sorted(spans):
        clusters.setdefault(dice.below(3), []).append(span)
    return list(clusters.values())


def _written(
    tokens: list[str], clusters: list[list[tuple[int, int]]], name: str, dice: Dice, *, lines: bool
) -> bytes:
    """Return two documents of neural systems, or one with named entities."""
    if lines:
        rows = [
            {"doc_key": name, "sentences": [tokens], "clusters": clusters},
            {"doc_key": f"{name}2", "sentences": [tokens], "clusters": []},
        ]
        return "\n".join(map(json.dumps, rows)).encode()
    named = {
        f"{_name(dice)}{number}": [f"0.{first}-{last}" for first, last in members]
        for number, members in enumerate(clusters)
    }
    return json.dumps({"type": "clusters", "sentences": [tokens], "clusters": named}).encode()


def _attempt(command: str, trial: Trial) -> str:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, side) for side in trial.files]
        for path, data in zip(paths, trial.files.values(), strict=True):
            path.write_bytes(data)
        page = Path(folder, "page.html")
        streams = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            status = scorch2([command, "-q", "-f", "html", f"-o{page}", *trial.words, *map(str, paths)])
        said = streams[1].getvalue()
        left = {path.name for path in Path(folder).iterdir()} - set(trial.files)
        _check(left <= {page.name} and page.exists() == (status == 0), "other files are left", str(left))
        _check(not streams[0].getvalue() and "internal error" not in said, "it says something else", said)
        if status:
            _check(status == 2, "another status", str(status))
            whole = all(
                line.startswith("scorch2: error: ") and line.isprintable() for line in said.splitlines()
            )
            _check(bool(said) and whole, "no line that says why", said)
            return "refused"
        for kind, detail in _wrong(page.read_text("utf-8")):
            raise BrokenPromiseError(kind, detail)
    return "pages"


def _check(held: bool, kind: str, detail: str) -> None:
    if not held:
        raise BrokenPromiseError(kind, detail)


def _wrong(page: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a page."""
    found = Parsed(page)
    yield from (("markup is broken", what) for what in found.wrong)
    yield from (
        ("an element of another kind", name) for name, _ in found.elements if not TAGS.fullmatch(name)
    )
    if len(found.all("script")) > 1 or len(found.all("style")) != 1:
        yield "another script or style", str(len(found.all("script")))
    ids = found.ids()
    if len(ids) != len(set(ids)):
        yield "an id twice", str(len(ids))
    if not re.match(r"<!DOCTYPE html>\n<html lang=\"en\"", page) or not page.endswith("</html>\n"):
        yield "the page is not whole", page[-80:]
    unseen = {
        sign
        for sign in set(page) - set(SHOWN + "\n")
        if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }
    if unseen:
        yield "a character acts unseen", ascii(unseen)


if __name__ == "__main__":
    sys.exit(main())
