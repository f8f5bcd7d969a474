"""Findings, what a campaign says when a promise is broken: the input is kept in a file and shown shortened.

Not a campaign by itself.
"""

import os
import tempfile
from collections.abc import Mapping
from typing import NamedTuple, NoReturn

SHOWN = 120
EXAMPLES = 3
"""How many findings of one kind are kept; the rest is counted."""


class BrokenPromiseError(Exception):
    """The code under test breaks a promise; ``str()`` names the kind."""


def broken(kind: str, detail: str) -> NoReturn:
    """Tell that a promise is broken."""
    raise BrokenPromiseError(kind, detail)


class Finding(NamedTuple):
    """One broken promise, and what it takes to see it again."""

    kind: str
    """The same for all findings of one cause."""
    detail: str
    """One line: what was got."""
    files: Mapping[str, bytes]
    """The input, by file name."""


def shortened(text: str) -> str:
    """Return the head of `text` on one line."""
    shown = ascii(text)[1:-1]
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}... ({len(text)} characters)"


def tell(findings: list[Finding], counts: Mapping[str, int], folder: str | None) -> None:
    """Print every kind of finding with its number and examples, whose files are written to `folder`."""
    if not findings:
        return
    folder = folder or tempfile.mkdtemp(prefix="scorch2-findings-")
    os.makedirs(folder, exist_ok=True)
    for kind, number in counts.items():
        print(f"BROKEN: {kind} ({number} times)")
        for i, finding in enumerate([f for f in findings if f.kind == kind][:EXAMPLES], 1):
            print(f"  {shortened(finding.detail)}")
            for name, data in finding.files.items():
                file_name = f"{_file_name(kind)}-{i}-{name}"
                with open(os.path.join(folder, file_name), "wb") as stream:
                    stream.write(data)
                print(f"    {file_name}: {shortened(data.decode('utf-8', 'backslashreplace'))}")
    print(f"The files are in {folder}")


def _file_name(kind: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in kind)[:60]
